/*
 * sweep_engine.h - A sweep in parts, by a Slurm job array or by GNU parallel: --engine.
 *
 *   OUT.db.tasks/   plan, scripts (sweep_scripts.h), logs; part-I.db until they are joined
 *
 * Slurm: the array and the merge that depends on it are submitted, and that is all. GNU parallel:
 * it runs to its end, then the merge. --resume leaves the parts that are made and runs the others;
 * tasks need no --resume of their own: what is made is made, what is not is made anew.
 * Owns:    nothing.
 */
#ifndef DDBSIM_CLI_SWEEP_ENGINE_H
#define DDBSIM_CLI_SWEEP_ENGINE_H

#include "cli/sweep_options.h"

#include <stdint.h>

/* plan: sweep_plan.h. Prints what was done or, with --dry-run, the scripts and commands; returns an
 * exit_status. */
int sweep_engine_run(const struct sweep_options *options, const char *plan, uint64_t points);

#endif
