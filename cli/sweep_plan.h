/*
 * sweep_plan.h - All that the results of a sweep depend on, as a text of lines: version, scenario,
 * seed, replications, values, files.
 *
 * Two sweeps with equal plans have equal results. An unfinished one knows its plan's hash
 * (results_log.h), a database the plan itself, so that parts of different sweeps are told apart
 * by the line in which they differ. What may differ is not in it: jobs, part, output.
 */
#ifndef DDBSIM_CLI_SWEEP_PLAN_H
#define DDBSIM_CLI_SWEEP_PLAN_H

#include "cli/sweep_options.h"
#include "experiments/design.h"
#include "sim/err.h"
#include "sim/hash.h"

/* Freed by the caller; NULL and *err: no memory, a file that cannot be read. */
char *sweep_plan_new(const struct sweep_options *options, const struct design *design,
                     struct err *err);

/* Of a plan, and of which part of it this is. */
struct hash128 sweep_plan_hash(const char *plan, uint64_t part, uint64_t parts);

#endif
