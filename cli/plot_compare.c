/* Picture of a comparison: designs in the order of a metric, each beside the first one. */
#include "analysis/metric.h"
#include "analysis/store_read_sweep.h"
#include "cli/plot_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 20
#define NAME_COLUMNS 34
#define TEXT_BYTES 128

/* What a design is beside the first; compare.gp has a colour for each. */
enum beside { BESIDE_FIRST, BESIDE_LESS, BESIDE_MORE, BESIDE_ALIKE };

struct ranked {
    const struct store_read_point *point;
};

struct comparison {
    struct store_read_point *points;
    struct ranked *ranked; /* those with a value, the least first */
    size_t point_count, count;
    enum metric metric;
    double highest; /* of means and intervals, in the unit shown */
};

static double scale_of(const struct comparison *comparison) {
    return metric_is_share(comparison->metric) ? 100 : 1;
}

static const char *unit_of(const struct comparison *comparison) {
    return metric_is_share(comparison->metric) ? "%" : metric_rows()[comparison->metric].unit;
}

static int by_mean(const void *left, const void *right) {
    const struct store_read_point *a = ((const struct ranked *)left)->point;
    const struct store_read_point *b = ((const struct ranked *)right)->point;
    const double x = a->value.estimate, y = b->value.estimate;
    return x != y ? (x > y) - (x < y) : (a->point > b->point) - (a->point < b->point);
}

static bool rank(struct comparison *comparison, struct err *err) {
    comparison->ranked = calloc(comparison->point_count, sizeof *comparison->ranked);
    if (comparison->ranked == NULL) {
        return err_no_memory(err, "designs");
    }
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct store_read_point *point = &comparison->points[i];
        if (point->runs > 0) {
            const double high =
                isnan(point->value.high) ? point->value.estimate : point->value.high;
            comparison->ranked[comparison->count++].point = point;
            comparison->highest = fmax(comparison->highest, high * scale_of(comparison));
        }
    }
    qsort(comparison->ranked, comparison->count, sizeof *comparison->ranked, by_mean);
    return true;
}

/* "strategy-none", "shards 4, rate 100": scenarios by their name alone. */
static const char *name_of(const struct plot_picture *picture, const struct store_read_point *point,
                           char name[PLOT_NAME_BYTES]) {
    char whole[PLOT_NAME_BYTES];
    struct phrase phrase;
    phrase_init(&phrase, whole, sizeof whole);
    for (uint32_t i = 0; i < point->factor_count; i++) {
        const struct store_read_factor *factor = &point->factors[i];
        const bool is_scenario = strcmp(factor->name, "scenario") == 0;
        phrase_add(&phrase, "%s%s%s%s", i == 0 ? "" : ", ", is_scenario ? "" : factor->name,
                   is_scenario ? "" : " ", factor->value);
    }
    return plot_clean(whole, NAME_COLUMNS, picture->is_terminal, name);
}

static enum beside beside(const struct comparison *comparison,
                          const struct store_read_point *point) {
    if (point == &comparison->points[0]) {
        return BESIDE_FIRST;
    }
    if (isnan(point->difference.low) || !statistics_differs(&point->difference)) {
        return BESIDE_ALIKE;
    }
    return point->difference.estimate < 0 ? BESIDE_LESS : BESIDE_MORE;
}

/* "+1.25 %", with the digits that matter. */
static void say_signed(double value, char text[PLOT_NUMBER_BYTES]) {
    char number[PLOT_NUMBER_BYTES];
    snprintf(text, PLOT_NUMBER_BYTES, "%s%s",
             value < 0   ? "−"
             : value > 0 ? "+"
                         : "",
             plot_number(fabs(value), number));
}

static void say_difference(const struct comparison *comparison,
                           const struct store_read_point *point, char text[TEXT_BYTES]) {
    char middle[PLOT_NUMBER_BYTES], low[PLOT_NUMBER_BYTES], high[PLOT_NUMBER_BYTES];
    const double scale = scale_of(comparison);
    switch (beside(comparison, point)) {
    case BESIDE_FIRST: snprintf(text, TEXT_BYTES, "the first"); return;
    case BESIDE_ALIKE: snprintf(text, TEXT_BYTES, "no difference shown"); return;
    case BESIDE_LESS:
    case BESIDE_MORE: break;
    }
    say_signed(point->difference.estimate * scale, middle);
    say_signed(point->difference.low * scale, low);
    say_signed(point->difference.high * scale, high);
    snprintf(text, TEXT_BYTES, "%s [%s, %s]", middle, low, high);
}

static const char *say_mean(const struct comparison *comparison,
                            const struct store_read_point *point, char text[TEXT_BYTES]) {
    char number[PLOT_NUMBER_BYTES];
    const double mean = point->value.estimate * scale_of(comparison);
    const char *unit = unit_of(comparison);
    const size_t length = strlen(unit);
    const bool is_one = mean == 1 && length > 3 && unit[length - 1] == 's'; /* 1 request */
    snprintf(text, TEXT_BYTES, "%s %.*s", plot_number(mean, number), (int)(length - is_one), unit);
    return text;
}

static void say(struct plot_picture *picture, const struct comparison *comparison) {
    size_t alike = 0;
    uint64_t runs_min = UINT64_MAX, runs_max = 0;
    char name[PLOT_NAME_BYTES], text[TEXT_BYTES];
    if (comparison->count == 0) {
        plot_say(picture, "no run has a value of %s", metric_rows()[comparison->metric].name);
        return;
    }
    for (size_t i = 0; i < comparison->count; i++) {
        alike += beside(comparison, comparison->ranked[i].point) == BESIDE_ALIKE;
        const uint64_t runs = comparison->ranked[i].point->runs;
        runs_min = runs < runs_min ? runs : runs_min;
        runs_max = runs > runs_max ? runs : runs_max;
    }
    const struct store_read_point *least = comparison->ranked[0].point;
    const struct store_read_point *most = comparison->ranked[comparison->count - 1].point;
    plot_say(picture, "least: %s, %s", name_of(picture, least, name),
             say_mean(comparison, least, text));
    plot_say(picture, "; most: %s, %s", name_of(picture, most, name),
             say_mean(comparison, most, text));
    plot_say(picture, "; %s%s run%s a design", runs_min < runs_max ? "up to " : "",
             words_count(runs_max).text, runs_max == 1 ? "" : "s");
    if (alike > 0) {
        plot_say(picture, "; %s show%s no difference to the first, %s", words_count(alike).text,
                 alike == 1 ? "s" : "", name_of(picture, &comparison->points[0], name));
    }
    if (comparison->count > ROWS_MAX) {
        plot_say(picture, "; the least %d of %s", ROWS_MAX, words_count(comparison->count).text);
    }
}

static bool write_picture(struct plot_picture *picture, const struct comparison *comparison,
                          struct err *err) {
    FILE *values = picture->values, *file = plot_files_add(&picture->files, "compare.dat", err);
    if (file == NULL) {
        return false;
    }
    const size_t rows = comparison->count < ROWS_MAX ? comparison->count : ROWS_MAX;
    const double scale = scale_of(comparison);
    char key[32], text[TEXT_BYTES], name[PLOT_NAME_BYTES];
    snprintf(text, sizeof text, "%s (%s)", metric_rows()[comparison->metric].name,
             unit_of(comparison));
    plot_quote(values, "METRIC", text);
    fprintf(values,
            "array NAMES[%d]\narray MEANS[%d]\narray DIFFERENCES[%d]\narray MEANS_AT[%d]\n"
            "ROWS = %zu\nVALUE_MAX = %.9g\n",
            ROWS_MAX, ROWS_MAX, ROWS_MAX, ROWS_MAX, rows,
            comparison->highest > 0 ? 1.35 * comparison->highest : 1);
    for (size_t i = 0; i < rows; i++) {
        const struct store_read_point *point = comparison->ranked[i].point;
        const double mean = point->value.estimate * scale;
        const double low = isnan(point->value.low) ? mean : fmax(0, point->value.low * scale);
        const double high = isnan(point->value.high) ? mean : point->value.high * scale;
        snprintf(key, sizeof key, "NAMES[%zu]", i + 1);
        plot_quote(values, key, name_of(picture, point, name));
        snprintf(key, sizeof key, "MEANS[%zu]", i + 1);
        plot_quote(values, key, say_mean(comparison, point, text));
        snprintf(key, sizeof key, "DIFFERENCES[%zu]", i + 1);
        say_difference(comparison, point, text);
        plot_quote(values, key, text);
        fprintf(values, "MEANS_AT[%zu] = %.9g\n", i + 1, fmax(mean, high));
        fprintf(file, "%zu %.9g %.9g %.9g %d\n", i + 1, mean, low, high,
                (int)beside(comparison, point));
    }
    return true;
}

static void print_bar(double part, double whole, int columns) {
    const int filled = whole > 0 ? (int)ceil(part / whole * columns) : 0;
    for (int i = 0; i < columns; i++) {
        putchar(i < filled ? '#' : ' ');
    }
}

static void print_rows(const struct plot_picture *picture, const struct comparison *comparison) {
    const int name_columns =
        picture->columns / 3 < NAME_COLUMNS ? picture->columns / 3 : NAME_COLUMNS;
    const int left = picture->columns - name_columns - 46;
    const int bar = left < 4 ? 4 : left > 40 ? 40 : left;
    char name[PLOT_NAME_BYTES], text[TEXT_BYTES];
    printf("\n%-*s  %-*s  difference to the first\n", name_columns, "", bar + 16,
           metric_rows()[comparison->metric].name);
    for (size_t i = 0; i < comparison->count && i < ROWS_MAX; i++) {
        const struct store_read_point *point = comparison->ranked[i].point;
        char whole[PLOT_NAME_BYTES];
        plot_clean(name_of(picture, point, whole), (size_t)name_columns, true, name);
        printf("%s%*s  ", name, name_columns - (int)plot_columns(name), "");
        print_bar(point->value.estimate * scale_of(comparison), comparison->highest, bar);
        printf(" %-15s  ", say_mean(comparison, point, text));
        say_difference(comparison, point, text);
        printf("%s\n", text);
    }
}

static bool draw(struct plot_picture *picture, struct comparison *comparison, struct err *err) {
    if (!rank(comparison, err)) {
        return false;
    }
    snprintf(picture->title, sizeof picture->title, "%s of %zu designs",
             metric_rows()[comparison->metric].name, comparison->point_count);
    say(picture, comparison);
    if (!picture->is_terminal) {
        return write_picture(picture, comparison, err);
    }
    plot_print_heading(picture);
    print_rows(picture, comparison);
    return true;
}

bool plot_compare(struct plot_picture *picture, struct err *err) {
    struct comparison comparison = {.metric = picture->options->metric};
    const char *metric = metric_rows()[comparison.metric].name;
    if (!store_read_sweep(picture->reader, metric, &comparison.points, &comparison.point_count,
                          err) ||
        !store_read_differences(picture->reader, metric, comparison.points, comparison.point_count,
                                err)) {
        return false;
    }
    if (comparison.point_count == 0) {
        return err_set(err, ERR_INPUT,
                       "'%s' holds no comparison; 'ddbsim compare -o' or 'ddbsim sweep' makes one",
                       picture->options->database);
    }
    const bool drawn = draw(picture, &comparison, err);
    free(comparison.ranked);
    return drawn;
}
