/*
 * store_read_table.h - Any table of a results database, row by row, as it was written.
 *
 *   open ─▶ columns ─▶ next ─▶ the values of the row ─▶ next … ─▶ close
 *
 * Rows come in the order in which they were inserted; those of the view by run, minute, resource
 * and metric. The database may be anyone's file: a value of any type may stand in any column.
 *
 * Errors: ERR_INPUT for a name that is no table's, and for a run that is not there or that the
 *         table does not know; ERR_IO with the path and SQLite's own words.
 * Owns:   one statement, until the close; the values of a row until the next.
 * Cost:   one pass over the table; memory for one row (the view: for its sorted rows, on disk).
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_TABLE_H
#define DDBSIM_ANALYSIS_STORE_READ_TABLE_H

#include "analysis/store_read.h"

enum store_value_type {
    STORE_VALUE_NULL,
    STORE_VALUE_INTEGER,
    STORE_VALUE_REAL,
    STORE_VALUE_TEXT,
    STORE_VALUE_BLOB
};

struct store_value {
    enum store_value_type type;
    int64_t integer;
    double real;
    const char *bytes; /* of a text or a blob; may hold NULs */
    size_t length;
};

enum store_read_table_step {
    STORE_READ_TABLE_ROW,
    STORE_READ_TABLE_DONE,
    STORE_READ_TABLE_FAILED /* also when on_progress stopped it */
};

struct store_read_table; /* opaque: holds SQLite's statement */

/* What can be read: the tables of the schema, then the view. */
const char *const *store_read_table_names(size_t *count);

/* A table by its name, all rows or those of a run; NULL and *err on failure. The reader must stay
 * open longer than the table. */
struct store_read_table *store_read_table_open(struct store_read *reader, const char *name,
                                               const int64_t *run_id, struct err *err);
/* NULL is fine. */
void store_read_table_close(struct store_read_table *table);

size_t store_read_table_columns(const struct store_read_table *table);
const char *store_read_table_column(const struct store_read_table *table, size_t column);

/* The next row; *err on failure. */
enum store_read_table_step store_read_table_next(struct store_read_table *table, struct err *err);
/* A value of the row that the last step came to. */
struct store_value store_read_table_value(const struct store_read_table *table, size_t column);

/* Asked every few milliseconds while SQLite works: a step fails once stop(context) is not 0. */
struct store_read_progress {
    int (*stop)(void *context);
    void *context;
};

/* NULL: nobody is asked. */
void store_read_on_progress(struct store_read *reader, const struct store_read_progress *progress);

#endif
