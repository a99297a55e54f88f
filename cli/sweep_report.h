/*
 * sweep_report.h - What sweep and compare print of points: a mean never without its interval.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_CLI_SWEEP_REPORT_H
#define DDBSIM_CLI_SWEEP_REPORT_H

#include "cli/json.h"
#include "cli/options.h"
#include "experiments/design.h"
#include "experiments/point_sample.h"

#include <stdint.h>
#include <stdio.h>

#define SWEEP_FIGURE_BYTES 96

struct sweep_report {
    FILE *out;
    const struct design *design;
    const enum metric *metrics;
    uint32_t metric_count;
};

/* The table's head, and a point's row as soon as its runs are done. first_failure: message of the
 * first run that failed, NULL when none did. */
void sweep_report_heading(const struct sweep_report *report);
void sweep_report_row(const struct sweep_report *report, const struct point_sample *sample,
                      const char *first_failure);
/* The same as one JSON object on a line. */
void sweep_report_json(const struct sweep_report *report, const struct point_sample *sample);

/* A point's parameters, {"shards":"4"}; for several scenarios with "scenario". */
void sweep_parameters_json(const struct design *design, uint64_t point, FILE *out);

/* "59.4 % [59.3, 59.5]", "12.1 (1 run)", "none"; returns text. */
const char *sweep_figure(enum metric metric, const struct interval *interval, uint32_t counted,
                         char text[SWEEP_FIGURE_BYTES]);

/* "3 of 20 [3.2 %, 38 %]", by the exact bounds: layouts that throttle, of those that were run. */
void sweep_print_layouts(FILE *out, uint32_t throttled, uint32_t made);

/* Its low and high, as members of the object that is open. */
void sweep_bounds_json(struct json *json, const struct interval *interval);

/* Columns that hold the values of a vary, its name included. */
int sweep_value_columns(const struct design *design, uint32_t vary);

#endif
