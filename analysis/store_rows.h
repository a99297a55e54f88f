/*
 * store_rows.h - Inside the store: rows wait in a buffer a table and go into SQLite 32 at a time.
 *
 * Included by store*.c only.
 * Owns: nothing; struct store owns its buffers.  Cost: an append O(columns), a copy of its texts.
 */
#ifndef DDBSIM_ANALYSIS_STORE_ROWS_H
#define DDBSIM_ANALYSIS_STORE_ROWS_H

#include "analysis/store_schema.h"
#include "sim/err.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_ROWS_AT_ONCE 32

enum store_value_kind { STORE_NULL, STORE_INTEGER, STORE_REAL, STORE_TEXT };

struct store_value {
    enum store_value_kind kind;
    union {
        int64_t integer;
        double real;
        const char *text;   /* as given */
        size_t text_offset; /* in the buffer */
    };
};

/* Rows of one table that SQLite has not got yet. */
struct store_buffer {
    struct store_value *values; /* STORE_ROWS_AT_ONCE rows */
    uint32_t row_count;
    char *texts; /* of the values, NUL-terminated */
    size_t text_bytes, text_capacity_bytes;
    sqlite3_stmt *insert; /* of STORE_ROWS_AT_ONCE rows, made when first needed */
};

struct store {
    sqlite3 *db;
    struct store_buffer buffers[STORE_TABLE_COUNT];
    char *path;           /* as the user gave it, for messages */
    char *target_path;    /* where it goes: a link is followed */
    char *temporary_path; /* beside the target */
    bool overwrite, has_temporary, is_committed;
    bool has_point; /* the row of point 0 is written */
};

static inline struct store_value store_null(void) {
    return (struct store_value){.kind = STORE_NULL};
}
static inline struct store_value store_integer(int64_t value) {
    return (struct store_value){.kind = STORE_INTEGER, .integer = value};
}
static inline struct store_value store_real(double value) {
    return (struct store_value){.kind = STORE_REAL, .real = value};
}
/* NULL becomes NULL. */
static inline struct store_value store_text(const char *text) {
    return text == NULL ? store_null() : (struct store_value){.kind = STORE_TEXT, .text = text};
}

/* values: one for each column of the table, in order. */
bool store_insert(struct store *store, enum store_table table, const struct store_value *values,
                  struct err *err) ERR_WARN_UNUSED;
/* Every waiting row of every table. */
bool store_flush(struct store *store, struct err *err) ERR_WARN_UNUSED;
void store_buffers_fini(struct store *store);

/* Sets *err to "cannot write 'OUT': …" with SQLite's words and the system's; returns false. */
bool store_fail(const struct store *store, struct err *err);

#endif
