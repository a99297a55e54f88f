/*
 * run_report.h - The result of a run as text for people and as JSON for programs.
 */
#ifndef DDBSIM_CLI_RUN_REPORT_H
#define DDBSIM_CLI_RUN_REPORT_H

#include "analysis/summary.h"
#include "cli/json.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One object on one line, with the keys of the manual, in their order. */
void run_report_json(FILE *out, const struct summary *summary);

/* What is simulated, and the notes on it: accepted but not modelled, not used. */
void run_report_heading(FILE *out, const struct scenario *scenario);
/* Everything about one run. */
void run_report_text(FILE *out, const struct summary *summary);

/* The part of both that is about money: nothing, and null, where nothing is known. */
void run_report_cost(FILE *out, const struct summary *summary);
void run_report_cost_json(struct json *json, const struct summary *summary);

/* Several runs: one line each, then what they have in common and the verdict of one of them. */
struct run_tally {
    uint64_t runs, throttled_runs;
    double share_min, share_max, share_sum; /* throttled / attempts */
    bool has_cost;
    int64_t cost_min_nusd, cost_max_nusd; /* a month */
};
void run_report_line(FILE *out, const struct summary *summary, struct run_tally *tally);
/* layouts_differ: each replication places the keys anew. */
void run_report_tally(FILE *out, const struct run_tally *tally, bool layouts_differ);
void run_report_verdict(FILE *out, uint64_t replication, const char *verdict);

#endif
