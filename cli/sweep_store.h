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

/* scenario: the text of the first source, with its name. Complete or absent: store.h. */
bool sweep_store_write(const char *path, bool overwrite, const struct design *design,
                       const struct results_log *log, struct err *err) ERR_WARN_UNUSED;

#endif
