/*
 * store_read_report.h - What a report shows of a run, as tables for people: named columns, sums
 * instead of seconds, the most important rows first.
 *
 * Rows and values are read as those of a whole table (store_read_table.h). Titles of columns are in
 * words, with their units.
 *
 * Owns: nothing.  Cost: one pass over the run's rows of a table.
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_REPORT_H
#define DDBSIM_ANALYSIS_STORE_READ_REPORT_H

#include "analysis/store_read_table.h"

#define STORE_READ_REPORT_ROWS_MAX 200 /* of keys, partitions, events */

enum store_read_report {
    STORE_READ_REPORT_RUN,        /* one row: totals, seed, digest, version */
    STORE_READ_REPORT_VERDICT,    /* at most one row of one text */
    STORE_READ_REPORT_SCENARIO,   /* the text */
    STORE_READ_REPORT_COMMAND,    /* name and value of each parameter that --set gave */
    STORE_READ_REPORT_WORKLOADS,  /* what each of them asked for and got */
    STORE_READ_REPORT_RESOURCES,  /* tables and indexes */
    STORE_READ_REPORT_REASONS,    /* throttle events */
    STORE_READ_REPORT_KEYS,       /* most throttled first, then most used */
    STORE_READ_REPORT_PARTITIONS, /* likewise */
    STORE_READ_REPORT_EVENTS,
    STORE_READ_REPORT_PARAMETERS, /* given ones first */
    STORE_READ_REPORT_FAILURES,   /* of a sweep */
    STORE_READ_REPORT_PLAN,       /* the text: all that a sweep's results depend on */
    STORE_READ_REPORT_COUNT
};

/* A table of a run; NULL and *err on failure. The reader must stay open longer than the table,
 * which store_read_table_close frees. */
struct store_read_table *store_read_report_open(struct store_read *reader,
                                                enum store_read_report which, int64_t run_id,
                                                struct err *err);
/* How many rows it would have without its limit. */
bool store_read_report_count(struct store_read *reader, enum store_read_report which,
                             int64_t run_id, double *count, struct err *err) ERR_WARN_UNUSED;

#endif
