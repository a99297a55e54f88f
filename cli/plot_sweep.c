/* Picture of a sweep: a metric over one or two parameters, with the interval of each mean. */
#include "analysis/metric.h"
#include "analysis/store_read_sweep.h"
#include "cli/plot_picture.h"
#include "workloads/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SERIES_MAX 6 /* curves that colours tell apart; more values are a heat map */
#define LABEL_COLUMNS 28
#define LOG_SPAN 32 /* from so many times the least value on, an axis is logarithmic */

/* The values that one parameter takes, in the order of the points. */
struct axis {
    const char *name;
    const char **values;
    size_t count;
    bool is_numeric, is_log;
};

struct sweep_picture {
    struct store_read_point *points;
    size_t point_count;
    const char **values; /* of both axes: room for one a point */
    struct axis axes[2]; /* along x; the curves, or along y */
    uint32_t axis_count, factor_of[2];
    enum metric metric;
};

static size_t position_of(const struct axis *axis, const char *value) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->values[i], value) != 0) {
        i++;
    }
    return i;
}

static void read_axis(const struct sweep_picture *sweep, uint32_t factor, struct axis *axis) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    *axis = (struct axis){
        .name = sweep->points[0].factors[factor].name,
        .values = sweep->values + factor * sweep->point_count,
        .is_numeric = true,
    };
    for (size_t i = 0; i < sweep->point_count; i++) {
        const char *value = sweep->points[i].factors[factor].value;
        double number;
        if (position_of(axis, value) < axis->count) {
            continue;
        }
        axis->values[axis->count++] = value;
        axis->is_numeric = axis->is_numeric && value_double(value, &number) == VALUE_OK;
        if (axis->is_numeric) {
            least = fmin(least, number);
            most = fmax(most, number);
        }
    }
    axis->is_log = axis->is_numeric && least > 0 && most >= LOG_SPAN * least;
}

/* The one with more values lies along x. */
static void read_axes(struct sweep_picture *sweep) {
    sweep->axis_count = sweep->points[0].factor_count;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        sweep->factor_of[i] = i;
        read_axis(sweep, i, &sweep->axes[i]);
    }
    if (sweep->axis_count == 2 && sweep->axes[1].count > sweep->axes[0].count) {
        const struct axis first = sweep->axes[0];
        sweep->axes[0] = sweep->axes[1];
        sweep->axes[1] = first;
        sweep->factor_of[0] = 1;
        sweep->factor_of[1] = 0;
    }
}

static bool check_points(const struct plot_picture *picture, const struct sweep_picture *sweep,
                         struct err *err) {
    if (sweep->point_count == 0) {
        return err_set(err, ERR_INPUT, "'%s' holds no sweep; 'ddbsim sweep' makes one",
                       picture->options->database);
    }
    const uint32_t count = sweep->points[0].factor_count;
    for (size_t i = 0; i < sweep->point_count; i++) {
        if (sweep->points[i].factor_count != count) {
            return err_set(err, ERR_IO, "'%s': points have not the same parameters",
                           picture->options->database);
        }
    }
    return count <= 2 || err_set(err, ERR_INPUT,
                                 "a picture shows one or two parameters, this sweep has %u; "
                                 "fix the others with --set",
                                 count);
}

static double scale_of(const struct sweep_picture *sweep) {
    return metric_is_share(sweep->metric) ? 100 : 1;
}

static const char *unit_of(const struct sweep_picture *sweep) {
    return metric_is_share(sweep->metric) ? "%" : metric_rows()[sweep->metric].unit;
}

/* "shards 4", "shards 4, rate 100". */
static void name_point(const struct plot_picture *picture, const struct store_read_point *point,
                       char name[PLOT_NAME_BYTES]) {
    struct phrase phrase;
    phrase_init(&phrase, name, PLOT_NAME_BYTES);
    for (uint32_t i = 0; i < point->factor_count; i++) {
        char key[PLOT_NAME_BYTES], value[PLOT_NAME_BYTES];
        plot_clean(point->factors[i].name, LABEL_COLUMNS, picture->is_terminal, key);
        plot_clean(point->factors[i].value, LABEL_COLUMNS, picture->is_terminal, value);
        phrase_add(&phrase, "%s%s %s", i == 0 ? "" : ", ", key, value);
    }
}

static void say(struct plot_picture *picture, const struct sweep_picture *sweep) {
    const struct store_read_point *least = NULL, *most = NULL;
    uint64_t runs_min = UINT64_MAX, runs_max = 0;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct store_read_point *point = &sweep->points[i];
        runs_min = point->runs < runs_min ? point->runs : runs_min;
        runs_max = point->runs > runs_max ? point->runs : runs_max;
        if (point->runs > 0) {
            const double mean = point->value.estimate;
            least = least == NULL || mean < least->value.estimate ? point : least;
            most = most == NULL || mean > most->value.estimate ? point : most;
        }
    }
    if (least == NULL) {
        plot_say(picture, "no run has a value of %s", metric_rows()[sweep->metric].name);
        return;
    }
    char name[PLOT_NAME_BYTES], number[PLOT_NUMBER_BYTES];
    name_point(picture, least, name);
    plot_say(picture, "least at %s: %s %s", name,
             plot_number(least->value.estimate * scale_of(sweep), number), unit_of(sweep));
    name_point(picture, most, name);
    plot_say(picture, "; most at %s: %s %s", name,
             plot_number(most->value.estimate * scale_of(sweep), number), unit_of(sweep));
    if (runs_min == runs_max) {
        plot_say(picture, "; %s run%s a point", words_count(runs_max).text,
                 runs_max == 1 ? "" : "s");
    } else {
        plot_say(picture, "; %s to %s runs a point", words_count(runs_min).text,
                 words_count(runs_max).text);
    }
    if (runs_max > 1 && (sweep->axis_count < 2 || sweep->axes[1].count <= SERIES_MAX)) {
        plot_say(picture, "; bars are 95 %% intervals");
    }
}

/* Where a value lies on its axis: itself, or its number from 1 on. */
static double place_of(const struct axis *axis, const char *value) {
    double number;
    return axis->is_numeric && value_double(value, &number) == VALUE_OK
               ? number
               : (double)position_of(axis, value) + 1;
}

static void write_tics(const struct plot_picture *picture, const struct axis *axis,
                       const char *name, bool by_position) {
    fprintf(picture->values, "array %s_TIC[%zu]\narray %s_TIC_AT[%zu]\n%s_TICS = %zu\n", name,
            axis->count, name, axis->count, name, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        char key[32], label[PLOT_NAME_BYTES];
        snprintf(key, sizeof key, "%s_TIC[%zu]", name, i + 1);
        plot_quote(picture->values, key,
                   plot_clean(axis->values[i], LABEL_COLUMNS, picture->is_terminal, label));
        fprintf(picture->values, "%s_TIC_AT[%zu] = %.9g\n", name, i + 1,
                by_position ? (double)(i + 1) : place_of(axis, axis->values[i]));
    }
}

static const char *value_at(const struct sweep_picture *sweep, size_t point, uint32_t axis) {
    return sweep->points[point].factors[sweep->factor_of[axis]].value;
}

static int by_place(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* A block a curve: place, mean, low, high; sorted by place. */
static bool write_curves(const struct sweep_picture *sweep, FILE *file, double *highest,
                         struct err *err) {
    double(*rows)[4] = calloc(sweep->point_count, sizeof *rows);
    if (rows == NULL) {
        return err_no_memory(err, "curves");
    }
    const size_t series = sweep->axis_count == 2 ? sweep->axes[1].count : 1;
    const double scale = scale_of(sweep);
    for (size_t k = 0; k < series; k++) {
        size_t count = 0;
        for (size_t i = 0; i < sweep->point_count; i++) {
            const struct interval *value = &sweep->points[i].value;
            if (sweep->points[i].runs == 0 ||
                (sweep->axis_count == 2 &&
                 strcmp(value_at(sweep, i, 1), sweep->axes[1].values[k]) != 0)) {
                continue;
            }
            const double low = isnan(value->low) ? value->estimate : fmax(value->low, 0);
            double high = isnan(value->high) ? value->estimate : value->high;
            high = metric_is_share(sweep->metric) ? fmin(high, 1) : high;
            double *row = rows[count++];
            row[0] = place_of(&sweep->axes[0], value_at(sweep, i, 0));
            row[1] = value->estimate * scale;
            row[2] = low * scale;
            row[3] = high * scale;
            *highest = fmax(*highest, row[3]);
        }
        qsort(rows, count, sizeof *rows, by_place);
        for (size_t i = 0; i < count; i++) {
            fprintf(file, "%.9g %.9g %.9g %.9g\n", rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
        }
        fputs(count == 0 ? "? ? ? ?\n\n\n" : "\n\n", file);
    }
    free(rows);
    return true;
}

/* x, y, mean: positions on both axes. */
static void write_cells(const struct sweep_picture *sweep, FILE *file, double *highest) {
    for (size_t i = 0; i < sweep->point_count; i++) {
        const double mean = sweep->points[i].value.estimate * scale_of(sweep);
        fprintf(file, "%zu %zu", position_of(&sweep->axes[0], value_at(sweep, i, 0)) + 1,
                position_of(&sweep->axes[1], value_at(sweep, i, 1)) + 1);
        plot_put_value(file, isnan(mean) ? -1 : mean);
        fputc('\n', file);
        *highest = isnan(mean) ? *highest : fmax(*highest, mean);
    }
}

static bool write_picture(struct plot_picture *picture, const struct sweep_picture *sweep,
                          struct err *err) {
    FILE *values = picture->values, *file = plot_files_add(&picture->files, "sweep.dat", err);
    if (file == NULL) {
        return false;
    }
    const bool is_map = sweep->axis_count == 2 && sweep->axes[1].count > SERIES_MAX;
    double highest = 0;
    if (is_map) {
        write_cells(sweep, file, &highest);
    } else if (!write_curves(sweep, file, &highest, err)) {
        return false;
    }
    const double top = highest > 0 ? 1.05 * highest : 1;
    const double y_max = metric_is_share(sweep->metric) && top > 100 ? 100 : top;
    char text[PLOT_NAME_BYTES], label[PLOT_NAME_BYTES];
    plot_quote(values, "X_NAME", plot_clean(sweep->axes[0].name, 60, picture->is_terminal, text));
    plot_quote(values, "Y_NAME",
               sweep->axis_count == 2
                   ? plot_clean(sweep->axes[1].name, 60, picture->is_terminal, text)
                   : "");
    (void)snprintf(label, sizeof label, "%s (%s)", metric_rows()[sweep->metric].name,
                   unit_of(sweep));
    plot_quote(values, "METRIC", label);
    fprintf(values,
            "IS_MAP = %d\nSERIES = %zu\nHAS_SERIES = %d\nX_IS_NUMERIC = %d\nX_IS_LOG = %d\n"
            "VALUE_MAX = %.9g\nVALUE_STEP = %.9g\n",
            is_map, sweep->axis_count == 2 ? sweep->axes[1].count : 1, sweep->axis_count == 2,
            sweep->axes[0].is_numeric, sweep->axes[0].is_log, y_max, plot_round_up(y_max / 6));
    write_tics(picture, &sweep->axes[0], "X", is_map);
    if (sweep->axis_count == 2) {
        write_tics(picture, &sweep->axes[1], "Y", is_map);
    }
    return true;
}

/* A comparison of scenarios is named after none of them. */
static void name_comparison(struct plot_picture *picture, const struct sweep_picture *sweep) {
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        if (strcmp(sweep->axes[i].name, "scenario") == 0) {
            (void)snprintf(picture->title, sizeof picture->title, "%s of %zu scenarios",
                           metric_rows()[sweep->metric].name, sweep->axes[i].count);
        }
    }
}

static bool draw(struct plot_picture *picture, struct sweep_picture *sweep, struct err *err) {
    sweep->values = calloc(2 * sweep->point_count, sizeof *sweep->values);
    if (sweep->values == NULL) {
        return err_no_memory(err, "values");
    }
    read_axes(sweep);
    name_comparison(picture, sweep);
    say(picture, sweep);
    const bool drawn = write_picture(picture, sweep, err);
    free(sweep->values);
    return drawn;
}

bool plot_sweep(struct plot_picture *picture, struct err *err) {
    struct sweep_picture sweep = {.metric = picture->options->metric};
    return store_read_sweep(picture->reader, metric_rows()[sweep.metric].name, &sweep.points,
                            &sweep.point_count, err) &&
           check_points(picture, &sweep, err) && draw(picture, &sweep, err);
}
