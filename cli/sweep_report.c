#include "cli/sweep_report.h"

#include "analysis/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define METRIC_COLUMNS 32
#define VALUE_COLUMNS_MIN 8
#define SOBOL_COLUMNS 14

int sweep_value_columns(const struct design *design, uint32_t vary) {
    const struct vary *of = &design->varies[vary];
    size_t columns = strlen(of->name);
    columns = columns < VALUE_COLUMNS_MIN ? VALUE_COLUMNS_MIN : columns;
    if (design->sobol_count > 0) {
        return columns < SOBOL_COLUMNS ? SOBOL_COLUMNS : (int)columns;
    }
    for (uint32_t i = 0; i < of->count; i++) {
        const size_t length = strlen(of->values[i]);
        columns = length > columns ? length : columns;
    }
    return (int)columns;
}

const char *sweep_figure(enum metric metric, const struct interval *interval, uint32_t counted,
                         char text[SWEEP_FIGURE_BYTES]) {
    const double scale = metric_is_share(metric) ? 100 : 1;
    const char *unit = metric_is_share(metric) ? " %" : "";
    if (isnan(interval->estimate)) {
        (void)snprintf(text, SWEEP_FIGURE_BYTES, "none");
    } else if (isnan(interval->low)) {
        (void)snprintf(text, SWEEP_FIGURE_BYTES, "%.5g%s (%" PRIu32 " run)",
                       interval->estimate * scale, unit, counted);
    } else {
        (void)snprintf(text, SWEEP_FIGURE_BYTES, "%.5g%s [%.5g, %.5g]", interval->estimate * scale,
                       unit, interval->low * scale, interval->high * scale);
    }
    return text;
}

void sweep_report_heading(const struct sweep_report *report) {
    for (uint32_t i = 0; i < report->design->vary_count; i++) {
        fprintf(report->out, "%*s  ", sweep_value_columns(report->design, i),
                report->design->varies[i].name);
    }
    for (uint32_t i = 0; i < report->metric_count; i++) {
        fprintf(report->out, "%-*s  ", METRIC_COLUMNS, metric_rows()[report->metrics[i]].name);
    }
    fputs("layouts that throttle\n", report->out);
}

void sweep_print_layouts(FILE *out, uint32_t throttled, uint32_t made) {
    fprintf(out, "%" PRIu32 " of %" PRIu32, throttled, made);
    if (made > 0) {
        const struct interval share = statistics_share(throttled, made, STATISTICS_CONFIDENCE);
        fprintf(out, " [%s, %s]", words_percent(share.low).text, words_percent(share.high).text);
    }
}

void sweep_report_row(const struct sweep_report *report, const struct point_sample *sample,
                      const char *first_failure) {
    const struct design *design = report->design;
    for (uint32_t i = 0; i < design->vary_count; i++) {
        fprintf(report->out, "%*s  ", sweep_value_columns(design, i),
                design_value(design, sample->point, i));
    }
    for (uint32_t i = 0; i < report->metric_count; i++) {
        uint32_t counted;
        const struct interval mean = point_sample_mean(sample, i, STATISTICS_CONFIDENCE, &counted);
        char text[SWEEP_FIGURE_BYTES];
        fprintf(report->out, "%-*s  ", METRIC_COLUMNS,
                sweep_figure(report->metrics[i], &mean, counted, text));
    }
    sweep_print_layouts(report->out, sample->throttled, sample->count - sample->failed);
    fputc('\n', report->out);
    if (first_failure != NULL) {
        fprintf(report->out, "    %" PRIu32 " of %" PRIu32 " runs failed: %s\n", sample->failed,
                sample->count, first_failure);
    }
}

static void put_parameters(struct json *json, const struct design *design, uint64_t point) {
    json_begin(json, '{');
    if (design->source_count > 1) {
        json_key(json, "scenario");
        json_string(json, design_source_at(design, point)->name);
    }
    for (uint32_t i = 0; i < design->vary_count; i++) {
        json_key(json, design->varies[i].name);
        json_string(json, design_value(design, point, i));
    }
    json_end(json, '}');
}

void sweep_parameters_json(const struct design *design, uint64_t point, FILE *out) {
    struct json json = {.out = out};
    put_parameters(&json, design, point);
}

void sweep_bounds_json(struct json *json, const struct interval *interval) {
    json_key(json, "low");
    json_double(json, interval->low);
    json_key(json, "high");
    json_double(json, interval->high);
}

void sweep_report_json(const struct sweep_report *report, const struct point_sample *sample) {
    struct json json = {.out = report->out};
    json_begin(&json, '{');
    json_key(&json, "point");
    json_uint64(&json, sample->point);
    json_key(&json, "parameters");
    put_parameters(&json, report->design, sample->point);
    json_key(&json, "replications");
    json_uint64(&json, sample->count);
    json_key(&json, "failed");
    json_uint64(&json, sample->failed);
    json_key(&json, "metrics");
    json_begin(&json, '{');
    for (uint32_t i = 0; i < report->metric_count; i++) {
        uint32_t counted;
        const struct interval mean = point_sample_mean(sample, i, STATISTICS_CONFIDENCE, &counted);
        json_key(&json, metric_rows()[report->metrics[i]].name);
        json_begin(&json, '{');
        json_key(&json, "mean");
        json_double(&json, mean.estimate);
        sweep_bounds_json(&json, &mean);
        json_key(&json, "runs");
        json_uint64(&json, counted);
        json_end(&json, '}');
    }
    json_end(&json, '}');
    const struct interval share = point_sample_throttled(sample, STATISTICS_CONFIDENCE);
    json_key(&json, "layouts_that_throttle");
    json_begin(&json, '{');
    json_key(&json, "count");
    json_uint64(&json, sample->throttled);
    json_key(&json, "share");
    json_double(&json, share.estimate);
    sweep_bounds_json(&json, &share);
    json_end(&json, '}');
    json_end(&json, '}');
    fputc('\n', report->out);
}
