/*
 * store_read_latency.h - Latencies of a run, operation by operation.
 *
 * The database has buckets: le_us is the inclusive upper bound of one, at most 1/128 above what is
 * in it. Only operations that succeeded are in them, from arrival to answer.
 *
 * Errors: as store_read.h.  Owns: nothing; rows are the reader's.  Cost: one pass over the rows.
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_LATENCY_H
#define DDBSIM_ANALYSIS_STORE_READ_LATENCY_H

#include "analysis/store_read.h"

struct store_read_latency {
    double le_us;
    double up_to; /* requests in this bucket and those below */
};

struct store_read_operation {
    const char *name;
    struct store_read_latency *buckets; /* by le_us, none empty */
    size_t bucket_count;                /* at least 1 */
};

/* Operations with any latency, most requests first, then by name; *count may be 0. *gave_up is the
 * run's: operations that are not here because they failed. */
bool store_read_latencies(struct store_read *reader, const struct store_read_run *run,
                          struct store_read_operation **rows, size_t *count, double *gave_up,
                          struct err *err) ERR_WARN_UNUSED;

/* Requests of an operation. */
double store_read_latency_requests(const struct store_read_operation *row);
/* The bound of the first bucket that at least fraction of the requests do not exceed,
 * 0 < fraction <= 1. */
double store_read_latency_us(const struct store_read_operation *row, double fraction);

#endif
