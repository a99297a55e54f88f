/*
 * expectation.h - `expect:` rows: what makes a scenario a test.
 *
 * Names (metric, table, workload, reason) are resolved against the scenario with a message at the
 * row's position; values come from metric watches; a row with share_of_seeds < 1 holds when at
 * least that share of the replications meets it.
 */
#ifndef DDBSIM_EXPERIMENTS_EXPECTATION_H
#define DDBSIM_EXPERIMENTS_EXPECTATION_H

#include "analysis/metric.h"
#include "analysis/words.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills queries[scenario->expect_count]; false: the first row that makes no sense, as
 * file:line:col. */
bool expectation_resolve(const struct scenario *scenario, struct metric_query *queries,
                         struct err *err) ERR_WARN_UNUSED;

/* Whether one value meets the row. NAN (nothing was seen) meets none. */
bool expectation_met(const struct expect_spec *row, double value);

/* values[replication]: whether the row as a whole holds, and a sentence with the figures. */
bool expectation_judge(const struct expect_spec *row, const double *values, uint32_t replications,
                       char *sentence, size_t sentence_bytes);

/* For a table: what the row is about ("consumed_wcu per minute, max"), what came out (one value, or
 * "low … high" over the replications), and the bounds ("at most 5"). */
void expectation_cells(const struct expect_spec *row, const double *values, uint32_t replications,
                       struct phrase *scope, struct phrase *simulated, struct phrase *bounds);

#endif
