/* Picture of the latencies: what share of the operations was answered within what time. */
#include "analysis/store_read_latency.h"
#include "cli/plot_picture.h"
#include "models/request.h"

#include <math.h>
#include <string.h>

#define OPERATIONS_SHOWN 6 /* as many as the script has colours */
#define LABELS_MAX (3 * OPERATIONS_SHOWN)
#define LE_US_MIN 0.001 /* a nanosecond: a logarithm has no 0 */

struct curve_label {
    double x, us;
};

struct latencies {
    struct store_read_operation *rows[OPERATIONS_SHOWN];
    size_t shown, hidden;
    double gave_up;
    double requests_max, us_min, us_max;
    struct curve_label labels[LABELS_MAX];
    size_t label_count;
};

/* "3 ms", "0.70 ms", "1.2 s" */
static const char *time_text(double us, char text[PLOT_NUMBER_BYTES + 4]) {
    char number[PLOT_NUMBER_BYTES];
    bool is_long = us >= 999500;
    snprintf(text, PLOT_NUMBER_BYTES + 4, "%s %s", plot_number(us / (is_long ? 1e6 : 1e3), number),
             is_long ? "s" : "ms");
    return text;
}

static bool is_wanted(const struct plot_picture *picture, const char *name) {
    enum ddb_operation operation = ddb_operation_by_name(name);
    if (picture->options->side < 0) {
        return true;
    }
    return operation != DDB_OPERATION_COUNT &&
           ddb_operation_writes(operation) == (picture->options->side == STORE_READ_WRITES);
}

static bool read_latencies(struct plot_picture *picture, struct latencies *latencies,
                           struct err *err) {
    struct store_read_operation *rows;
    size_t count;
    *latencies = (struct latencies){.us_min = HUGE_VAL};
    if (!store_read_latencies(picture->reader, &picture->run, &rows, &count, &latencies->gave_up,
                              err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(picture, rows[i].name)) {
            continue;
        }
        if (latencies->shown == OPERATIONS_SHOWN) {
            latencies->hidden++;
            continue;
        }
        const struct store_read_operation *row = latencies->rows[latencies->shown++] = &rows[i];
        latencies->requests_max = fmax(latencies->requests_max, store_read_latency_requests(row));
        latencies->us_min = fmin(latencies->us_min, fmax(LE_US_MIN, row->buckets[0].le_us));
        latencies->us_max = fmax(latencies->us_max, store_read_latency_us(row, 1));
    }
    latencies->us_max = fmax(latencies->us_max, latencies->us_min);
    return true;
}

static const char *nothing(const struct plot_picture *picture) {
    switch (picture->options->side) {
    case STORE_READ_READS: return "no read succeeded";
    case STORE_READ_WRITES: return "no write succeeded";
    default: return "no operation succeeded";
    }
}

static void say(struct plot_picture *picture, const struct latencies *latencies) {
    char number[PLOT_NUMBER_BYTES], name[PLOT_NAME_BYTES], a[PLOT_NUMBER_BYTES + 4],
        b[PLOT_NUMBER_BYTES + 4], c[PLOT_NUMBER_BYTES + 4];
    if (latencies->shown == 0) {
        plot_say(picture, "%s", nothing(picture));
    } else {
        const struct store_read_operation *row = latencies->rows[0];
        plot_clean(row->name, 30, picture->is_terminal, name);
        plot_say(picture, "of %s %s, half were answered within %s, 99 %% within %s, all within %s",
                 plot_number(store_read_latency_requests(row), number), name,
                 time_text(store_read_latency_us(row, 0.5), a),
                 time_text(store_read_latency_us(row, 0.99), b),
                 time_text(store_read_latency_us(row, 1), c));
    }
    if (latencies->hidden > 0) {
        plot_say(picture, "; rarer kinds that are not shown: %zu", latencies->hidden);
    }
    if (latencies->gave_up > 0) {
        plot_say(picture, "; %s that gave up have no latency",
                 plot_number(latencies->gave_up, number));
    }
}

/* Along the curve: x is one in how many operations takes longer. */
static void write_curve(FILE *file, const struct store_read_operation *row) {
    double requests = store_read_latency_requests(row), before = 0;
    for (size_t i = 0; i < row->bucket_count; i++) {
        double us = fmax(LE_US_MIN, row->buckets[i].le_us), up_to = row->buckets[i].up_to;
        double left = requests - up_to;
        fprintf(file, "%.9g %.9g\n", requests / (requests - before), us);
        fprintf(file, "%.9g %.9g\n", left > 0 ? requests / left : requests, us);
        before = up_to;
    }
    fputs("\n\n", file);
}

/* Whether a label there would lie on one that is there already. */
static bool is_taken(const struct latencies *latencies, double x, double us) {
    double width = log(latencies->requests_max),
           height = log(latencies->us_max / latencies->us_min);
    for (size_t i = 0; i < latencies->label_count; i++) {
        const struct curve_label *other = &latencies->labels[i];
        if (fabs(log(x / other->x)) < 0.09 * width && fabs(log(us / other->us)) < 0.06 * height) {
            return true;
        }
    }
    return false;
}

/* The points at p50, p99 and the maximum, and their labels where there is room. */
static void write_marks(const struct plot_picture *picture, struct latencies *latencies, size_t i,
                        FILE *file) {
    static const double fractions[] = {0.5, 0.99, 1};
    const struct store_read_operation *row = latencies->rows[i];
    double requests = store_read_latency_requests(row);
    for (size_t k = 0; k < sizeof fractions / sizeof *fractions; k++) {
        double x = fractions[k] < 1 ? 1 / (1 - fractions[k]) : requests;
        double us = fmax(LE_US_MIN, store_read_latency_us(row, fractions[k]));
        if (fractions[k] < 1 && x > requests) {
            continue; /* of 50 operations, p99 is the maximum */
        }
        fprintf(file, "%.9g %.9g\n", x, us);
        bool is_crowded = fractions[k] < 1 && latencies->shown > 2; /* the legend has them all */
        if (is_crowded || is_taken(latencies, x, us)) {
            continue;
        }
        char text[PLOT_NUMBER_BYTES + 4], key[32];
        size_t at = latencies->label_count;
        latencies->labels[latencies->label_count++] = (struct curve_label){x, us};
        snprintf(key, sizeof key, "LABEL[%zu]", at + 1);
        plot_quote(picture->values, key, time_text(us, text));
        fprintf(picture->values, "LABEL_X[%zu] = %.9g\nLABEL_Y[%zu] = %.9g\nLABEL_OF[%zu] = %zu\n",
                at + 1, x, at + 1, us, at + 1, i + 1);
    }
    fputs("\n\n", file);
}

/* NAME, REQUESTS, P50, P99, MAX [i]: a row of the legend. */
static void write_legend(const struct plot_picture *picture, const struct store_read_operation *row,
                         size_t i) {
    static const struct {
        const char *name;
        double fraction;
    } columns[] = {{"P50", 0.5}, {"P99", 0.99}, {"MAX", 1}};
    char text[PLOT_NAME_BYTES], number[PLOT_NUMBER_BYTES + 4], key[32];
    snprintf(key, sizeof key, "NAME[%zu]", i);
    plot_quote(picture->values, key, plot_clean(row->name, 24, picture->is_terminal, text));
    snprintf(key, sizeof key, "REQUESTS[%zu]", i);
    plot_quote(picture->values, key, plot_number(store_read_latency_requests(row), number));
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        snprintf(key, sizeof key, "%s[%zu]", columns[k].name, i);
        plot_quote(picture->values, key,
                   time_text(store_read_latency_us(row, columns[k].fraction), number));
    }
}

/* The largest of 1, 2, 5 x 10^n that is not above value (> 0). */
static double round_down(double value) {
    double power = pow(10, floor(log10(value)));
    return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

/* Tics of the time axis at 1, 2, 5 … where there is room, else at powers of ten. */
static void write_time_axis(const struct plot_picture *picture, const struct latencies *latencies) {
    FILE *values = picture->values;
    static const double steps[] = {1, 2, 5};
    /* Room for a label above the slowest, and for a curve that is a line. */
    double from = round_down(0.999 * latencies->us_min);
    double to = plot_round_up(1.25 * latencies->us_max);
    bool is_long = to / from > 2000;
    size_t count = 0;
    fprintf(values, "array TIC[64]\narray TIC_AT[64]\nUS_MIN = %.9g\nUS_MAX = %.9g\n", from, to);
    for (int decade = (int)floor(log10(from)); count < 60 && pow(10, decade) <= to; decade++) {
        for (size_t k = 0; k < (is_long ? 1 : 3); k++) {
            double at = steps[k] * pow(10, decade);
            char text[PLOT_NUMBER_BYTES], key[32];
            if (at < from * 0.999 || at > to * 1.001) {
                continue;
            }
            snprintf(key, sizeof key, "TIC[%zu]", ++count);
            snprintf(text, sizeof text, at < 1e6 ? "%.3g ms" : "%.6g s",
                     at / (at < 1e6 ? 1e3 : 1e6));
            plot_quote(values, key, text);
            fprintf(values, "TIC_AT[%zu] = %.9g\n", count, at);
        }
    }
    fprintf(values, "TICS = %zu\n", count);
}

bool plot_latency(struct plot_picture *picture, struct err *err) {
    struct latencies latencies;
    if (!read_latencies(picture, &latencies, err)) {
        return false;
    }
    say(picture, &latencies);
    FILE *values = picture->values;
    FILE *curves = plot_files_add(&picture->files, "latency.dat", err);
    FILE *marks = curves == NULL ? NULL : plot_files_add(&picture->files, "marks.dat", err);
    if (marks == NULL) {
        return false;
    }
    static const char *const arrays[] = {"NAME",  "REQUESTS", "P50",     "P99",     "MAX",
                                         "LABEL", "LABEL_X",  "LABEL_Y", "LABEL_OF"};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        fprintf(values, "array %s[%d]\n", arrays[i], LABELS_MAX);
    }
    for (size_t i = 0; i < latencies.shown; i++) {
        write_curve(curves, latencies.rows[i]);
        write_marks(picture, &latencies, i, marks);
        write_legend(picture, latencies.rows[i], i + 1);
    }
    fprintf(values, "OPERATIONS = %zu\nLABELS = %zu\nREQUESTS_MAX = %.9g\n", latencies.shown,
            latencies.label_count, fmax(10, latencies.requests_max));
    plot_quote(values, "NOTHING", nothing(picture));
    if (latencies.shown > 0) {
        write_time_axis(picture, &latencies);
    }
    return true;
}
