/*
 * store_read_query.h - What store_read.c and store_read_rows.c share: a statement and its steps.
 *
 * Owns: query_open gives a statement that query_close (or a failed step) finalizes.
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_QUERY_H
#define DDBSIM_ANALYSIS_STORE_READ_QUERY_H

#include "analysis/store_read.h"
#include "sim/arena.h"

#include <sqlite3.h>

struct store_read {
    sqlite3 *database;
    const char *path; /* in the arena */
    struct arena arena;
};

#define STORE_READ_QUERY_BYTES_MAX 2048

enum store_read_step { STORE_READ_STEP_ROW, STORE_READ_STEP_DONE, STORE_READ_STEP_FAILED };

/* Sets "'path': SQLite's words"; always false. */
bool store_read_fail(const struct store_read *reader, struct err *err);

/* A statement with ?1 run_id, ?2 resource_id, ?3 from_s, ?4 to_s, ?5 bin_s as far as it has them.
 * NULL and *err on failure. */
sqlite3_stmt *store_read_prepare(const struct store_read *reader, const char *sql,
                                 const struct store_read_view *view, struct err *err);
/* The same with a text, borrowed, at one more place. */
sqlite3_stmt *store_read_prepare_text(const struct store_read *reader, const char *sql,
                                      const struct store_read_view *view, int place,
                                      const char *text, struct err *err);
/* The next row; on DONE and FAILED the statement is finalized. */
enum store_read_step store_read_next(const struct store_read *reader, sqlite3_stmt *statement,
                                     struct err *err);

struct store_read_table;
/* Rows of any query with ?1 run_id, as those of a table (store_read_table.h). */
struct store_read_table *store_read_table_query(struct store_read *reader, const char *sql,
                                                int64_t run_id, struct err *err);

/* The number of a query of one row, 0 when it has none or no number. */
bool store_read_one(const struct store_read *reader, const char *sql,
                    const struct store_read_view *view, double *number, struct err *err);

/* A text column as long as the row is ("" for NULL); NULL and *err without memory. */
const char *store_read_peek_text(sqlite3_stmt *statement, int column, struct err *err);
/* A text column in the arena ("" for NULL); NULL and *err without memory. */
const char *store_read_text(struct store_read *reader, sqlite3_stmt *statement, int column,
                            struct err *err);
/* A number that is finite and not negative; NULL, text and anything else is fallback. */
double store_read_number(sqlite3_stmt *statement, int column, double fallback);

#endif
