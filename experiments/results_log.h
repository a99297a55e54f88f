/*
 * results_log.h - The runs that a sweep has made so far, in a file that survives it: OUT.db.part.
 *
 *   header   magic, record size, what the sweep is: a hash of scenarios, values, seed and version
 *   records  one experiment_result each, in order, with a checksum
 *
 * Appended to and synced while the sweep goes on; what a crash has torn off the end is cut away
 * when the file is opened again. It belongs to the program and the machine that wrote it; the
 * database is made of it at the end. Locked while it is open: two sweeps never share one.
 *
 * Errors: ERR_INPUT when the file belongs to another sweep, is none, or is in use; ERR_IO else.
 * Owns:   the open file.  Cost: some kilobytes written a run.
 */
#ifndef DDBSIM_EXPERIMENTS_RESULTS_LOG_H
#define DDBSIM_EXPERIMENTS_RESULTS_LOG_H

#include "experiments/experiment.h"
#include "sim/err.h"
#include "sim/hash.h"

#include <stdbool.h>
#include <stdint.h>

struct results_log {
    int file; /* -1: closed */
    const char *path;
    uint64_t count; /* records */
};

/* path is borrowed until _close. resume: goes on with what is there, or begins anew when nothing
 * is; else an existing file is an error that says how to go on. */
bool results_log_open(struct results_log *log, const char *path, struct hash128 identity,
                      bool resume, struct err *err) ERR_WARN_UNUSED;
/* The record of that number, below count (checked). */
bool results_log_read(const struct results_log *log, uint64_t number,
                      struct experiment_result *result, struct err *err) ERR_WARN_UNUSED;
bool results_log_append(struct results_log *log, const struct experiment_result *result,
                        struct err *err) ERR_WARN_UNUSED;
/* What was appended is on the disk afterwards. */
bool results_log_sync(const struct results_log *log, struct err *err) ERR_WARN_UNUSED;
/* remove: the file is no longer needed. A log that was not opened is fine. */
void results_log_close(struct results_log *log, bool remove);

#endif
