/*
 * sweep_store.h - The database of a sweep, made of its log when all runs are done.
 *
 * Points, runs and metrics; no series. The same content whatever the number of jobs or
 * interruptions.
 */
#ifndef DDBSIM_CLI_SWEEP_STORE_H
#define DDBSIM_CLI_SWEEP_STORE_H

#include "experiments/design.h"
#include "experiments/results_log.h"
#include "sim/err.h"

#include <stdbool.h>

/* Which part of a sweep it is, from 0, and all that the sweep depends on. */
struct sweep_store_part {
    const char *plan;
    uint64_t part, parts;
};

/* part NULL: no sweep, and nothing to merge. Complete or absent: store.h. */
bool sweep_store_write(const char *path, bool overwrite, const struct design *design,
                       const struct sweep_store_part *part, const struct results_log *log,
                       struct err *err) ERR_WARN_UNUSED;

#endif
