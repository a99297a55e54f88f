/*
 * store_merge.h - The parts of one sweep become its database: what a sweep in one piece would have
 * written, but for its timings.
 *
 *   open ─▶ next, a point each ─▶ … ─▶ close
 *
 * Part I of N holds every N-th point from the I-th on, in order. So the whole is read point by
 * point, each from its part, and its runs are numbered anew, those that failed included.
 *
 * Errors: ERR_INPUT when the files are no parts of one sweep: another plan, another number of
 *         parts, one given twice, one missing or not whole. ERR_IO with path and SQLite's words.
 * Owns:   a connection and five statements for each part, until the close.
 * Cost:   one pass over the rows; memory for the current row of each table of each part.
 */
#ifndef DDBSIM_ANALYSIS_STORE_MERGE_H
#define DDBSIM_ANALYSIS_STORE_MERGE_H

#include "analysis/store.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_merge; /* opaque: holds SQLite's handles */

enum store_merge_step { STORE_MERGE_POINT, STORE_MERGE_DONE, STORE_MERGE_FAILED };

/* At least one path (checked), in any order; NULL and *err on failure. */
struct store_merge *store_merge_open(const char *const *paths, size_t count, struct err *err);

/* Writes the next point into store; after the last, what the whole has besides. DONE says that the
 * store can be committed. */
enum store_merge_step store_merge_next(struct store_merge *merge, struct store *store,
                                       struct err *err) ERR_WARN_UNUSED;

/* Points and runs that were written, and runs that had failed. */
struct store_merge_counts {
    uint64_t points, runs, failures;
};
struct store_merge_counts store_merge_counts(const struct store_merge *merge);

/* NULL is fine. */
void store_merge_close(struct store_merge *merge);

#endif
