/* Tables of a results database, row by row. */
#include "analysis/store_read_table.h"

#include "analysis/store_read_query.h"
#include "analysis/store_schema.h"
#include "sim/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_NAME "cloudwatch"
#define PROGRESS_OPERATIONS 100000 /* of SQLite's machine: 1 to 5 ms */

static const char *const names[] = {
#define STORE_TABLE_NAME(id, name, columns) name,
    STORE_TABLES(STORE_TABLE_NAME)
#undef STORE_TABLE_NAME
        VIEW_NAME,
};

struct store_read_table {
    const struct store_read *reader;
    sqlite3_stmt *statement; /* NULL after the last row */
    size_t column_count;
};

const char *const *store_read_table_names(size_t *count) {
    *count = sizeof names / sizeof *names;
    return names;
}

static const char *known_name(const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return names[i];
        }
    }
    return NULL;
}

static bool has_runs(const struct store_read_table *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        const char *column = store_read_table_column(table, i);
        if (strcmp(column, "run_id") == 0) {
            return true;
        }
    }
    return false;
}

static bool prepare_query(struct store_read_table *table, const char *sql, int64_t run_id,
                          struct err *err) {
    const struct store_read_view view = {.run_id = run_id};
    sqlite3_finalize(table->statement);
    table->statement = store_read_prepare(table->reader, sql, &view, err);
    if (table->statement == NULL) {
        return false;
    }
    table->column_count = (size_t)sqlite3_column_count(table->statement);
    for (size_t i = 0; i < table->column_count; i++) {
        if (store_read_table_column(table, i) == NULL) {
            return err_no_memory(err, "SQLite");
        }
    }
    return true;
}

/* Prepares "SELECT * FROM name …" in place of the statement there is. */
static bool prepare(struct store_read_table *table, const char *name, const char *condition,
                    const int64_t *run_id, struct err *err) {
    char sql[160];
    const char *order = strcmp(name, VIEW_NAME) == 0 ? "run_id, minute, resource, metric" : "rowid";
    snprintf(sql, sizeof sql, "SELECT * FROM %s%s ORDER BY %s", name, condition, order);
    return prepare_query(table, sql, run_id == NULL ? 0 : *run_id, err);
}

static bool prepare_run(struct store_read_table *table, const char *name, const int64_t *run_id,
                        struct store_read *reader, struct err *err) {
    struct store_read_run run;
    if (!has_runs(table)) {
        return err_set(err, ERR_INPUT, "the rows of '%s' belong to no run: it is read as a whole",
                       name);
    }
    /* +run_id: no index is used, so that rows come in their order without being sorted. */
    return store_read_run(reader, run_id, &run, err) &&
           prepare(table, name, " WHERE +run_id = ?1", run_id, err);
}

struct store_read_table *store_read_table_open(struct store_read *reader, const char *name,
                                               const int64_t *run_id, struct err *err) {
    const char *known = known_name(name);
    if (known == NULL) {
        err_set(err, ERR_INPUT, "a results database has no table '%s'", name);
        return NULL;
    }
    struct store_read_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        err_no_memory(err, "table");
        return NULL;
    }
    table->reader = reader;
    if (!prepare(table, known, "", NULL, err) ||
        (run_id != NULL && !prepare_run(table, known, run_id, reader, err))) {
        store_read_table_close(table);
        return NULL;
    }
    return table;
}

struct store_read_table *store_read_table_query(struct store_read *reader, const char *sql,
                                                int64_t run_id, struct err *err) {
    struct store_read_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        err_no_memory(err, "table");
        return NULL;
    }
    table->reader = reader;
    if (!prepare_query(table, sql, run_id, err)) {
        store_read_table_close(table);
        return NULL;
    }
    return table;
}

void store_read_table_close(struct store_read_table *table) {
    if (table != NULL) {
        sqlite3_finalize(table->statement);
        free(table);
    }
}

size_t store_read_table_columns(const struct store_read_table *table) {
    return table->column_count;
}

const char *store_read_table_column(const struct store_read_table *table, size_t column) {
    SIM_CHECK(table->statement != NULL && column < table->column_count);
    return sqlite3_column_name(table->statement, (int)column);
}

enum store_read_table_step store_read_table_next(struct store_read_table *table, struct err *err) {
    SIM_CHECK(table->statement != NULL);
    enum store_read_step step = store_read_next(table->reader, table->statement, err);
    if (step == STORE_READ_STEP_ROW) {
        return STORE_READ_TABLE_ROW;
    }
    table->statement = NULL; /* finalized */
    return step == STORE_READ_STEP_DONE ? STORE_READ_TABLE_DONE : STORE_READ_TABLE_FAILED;
}

struct store_value store_read_table_value(const struct store_read_table *table, size_t column) {
    SIM_CHECK(table->statement != NULL && column < table->column_count);
    sqlite3_stmt *statement = table->statement;
    const int at = (int)column;
    struct store_value value = {.type = STORE_VALUE_NULL, .bytes = ""};
    switch (sqlite3_column_type(statement, at)) {
    case SQLITE_INTEGER:
        value.type = STORE_VALUE_INTEGER;
        value.integer = sqlite3_column_int64(statement, at);
        break;
    case SQLITE_FLOAT:
        value.type = STORE_VALUE_REAL;
        value.real = sqlite3_column_double(statement, at);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        bool is_text = sqlite3_column_type(statement, at) == SQLITE_TEXT;
        value.type = is_text ? STORE_VALUE_TEXT : STORE_VALUE_BLOB;
        const void *bytes = sqlite3_column_blob(statement, at);
        value.bytes = bytes == NULL ? "" : bytes;
        value.length = bytes == NULL ? 0 : (size_t)sqlite3_column_bytes(statement, at);
        break;
    }
    default: break;
    }
    return value;
}

void store_read_on_progress(struct store_read *reader, const struct store_read_progress *progress) {
    const struct store_read_progress none = {NULL, NULL};
    progress = progress == NULL ? &none : progress;
    sqlite3_progress_handler(reader->database, PROGRESS_OPERATIONS, progress->stop,
                             progress->context);
}
