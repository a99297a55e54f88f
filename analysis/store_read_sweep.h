/*
 * store_read_sweep.h - The points of a sweep: what sets each apart, and a metric of its runs.
 *
 * Owns: nothing; rows and texts are the reader's.
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_SWEEP_H
#define DDBSIM_ANALYSIS_STORE_READ_SWEEP_H

#include "analysis/statistics.h"
#include "analysis/store_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_READ_FACTORS_MAX 16

struct store_read_factor {
    const char *name, *value;
};

struct store_read_point {
    int64_t point;
    struct store_read_factor factors[STORE_READ_FACTORS_MAX];
    uint32_t factor_count;
    uint64_t runs;              /* that have a value */
    struct interval value;      /* mean of the metric, 95 % interval; NAN: none */
    uint64_t pairs;             /* runs that the first point has under the same draws */
    struct interval difference; /* of these to the first point's; NAN: none, or the first point */
};

/* Points by number; *count 0: the database holds no sweep. ERR_IO: SQLite's words, or no memory. */
bool store_read_sweep(struct store_read *reader, const char *metric,
                      struct store_read_point **points, size_t *count, struct err *err)
    ERR_WARN_UNUSED;

/* Sets pairs and difference of the points that store_read_sweep has read for that metric. All of
 * the intervals hold together at 95 % (statistics_each). */
bool store_read_differences(struct store_read *reader, const char *metric,
                            struct store_read_point *points, size_t count, struct err *err)
    ERR_WARN_UNUSED;

#endif
