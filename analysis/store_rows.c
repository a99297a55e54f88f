#include "analysis/store_rows.h"

#include "sim/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES_MIN 4096
/* INSERT INTO name VALUES(?,…),… */
#define SQL_BYTES (64 + STORE_ROWS_AT_ONCE * (2 * STORE_COLUMNS_MAX + 3))

struct table_row {
    const char *name;
    uint32_t columns;
};

static struct table_row table_row(enum store_table table) {
    static const struct table_row rows[STORE_TABLE_COUNT] = {
#define STORE_TABLE_ROW(id, name, columns) {name, columns},
        STORE_TABLES(STORE_TABLE_ROW)
#undef STORE_TABLE_ROW
    };
    return rows[table];
}

#define STORE_TABLE_FITS(id, name, columns)                                                        \
    _Static_assert((columns) <= STORE_COLUMNS_MAX, name " has too many columns");
STORE_TABLES(STORE_TABLE_FITS)
#undef STORE_TABLE_FITS

bool store_fail(const struct store *store, struct err *err) {
    int system_error = sqlite3_system_errno(store->db);
    if (system_error == 0) {
        return err_set(err, ERR_IO, "cannot write '%s': %s", store->path,
                       sqlite3_errmsg(store->db));
    }
    return err_set(err, ERR_IO, "cannot write '%s': %s (%s)", store->path,
                   sqlite3_errmsg(store->db), strerror(system_error));
}

static sqlite3_stmt *prepare_insert(const struct store *store, enum store_table table,
                                    uint32_t row_count, struct err *err) {
    struct table_row row = table_row(table);
    char sql[SQL_BYTES];
    int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES", row.name);
    SIM_CHECK(length > 0);
    size_t at = (size_t)length;
    SIM_CHECK(at + (size_t)row_count * (2 * (size_t)row.columns + 2) < sizeof sql);
    for (uint32_t i = 0; i < row_count; i++) {
        if (i > 0) {
            sql[at++] = ',';
        }
        for (uint32_t column = 0; column < row.columns; column++) {
            sql[at++] = column == 0 ? '(' : ',';
            sql[at++] = '?';
        }
        sql[at++] = ')';
    }
    sqlite3_stmt *insert = NULL;
    int result =
        sqlite3_prepare_v3(store->db, sql, (int)at, SQLITE_PREPARE_PERSISTENT, &insert, NULL);
    if (result != SQLITE_OK) {
        store_fail(store, err);
        return NULL;
    }
    return insert;
}

static int bind_value(sqlite3_stmt *insert, int place, const struct store_buffer *buffer,
                      const struct store_value *value) {
    switch (value->kind) {
    case STORE_NULL: return sqlite3_bind_null(insert, place);
    case STORE_INTEGER: return sqlite3_bind_int64(insert, place, value->integer);
    case STORE_REAL: return sqlite3_bind_double(insert, place, value->real);
    case STORE_TEXT: break;
    }
    return sqlite3_bind_text(insert, place, buffer->texts + value->text_offset, -1, SQLITE_STATIC);
}

static bool insert_rows(const struct store *store, enum store_table table, sqlite3_stmt *insert,
                        struct err *err) {
    const struct store_buffer *buffer = &store->buffers[table];
    uint32_t value_count = buffer->row_count * table_row(table).columns;
    for (uint32_t i = 0; i < value_count; i++) {
        if (bind_value(insert, (int)i + 1, buffer, &buffer->values[i]) != SQLITE_OK) {
            return store_fail(store, err);
        }
    }
    return sqlite3_step(insert) == SQLITE_DONE || store_fail(store, err);
}

static bool flush_table(struct store *store, enum store_table table, struct err *err) {
    struct store_buffer *buffer = &store->buffers[table];
    if (buffer->row_count == 0) {
        return true;
    }
    bool is_whole = buffer->row_count == STORE_ROWS_AT_ONCE;
    sqlite3_stmt *insert = is_whole && buffer->insert != NULL
                               ? buffer->insert
                               : prepare_insert(store, table, buffer->row_count, err);
    if (insert == NULL) {
        return false;
    }
    bool done = insert_rows(store, table, insert, err);
    if (is_whole) {
        buffer->insert = insert;
        sqlite3_reset(insert);
    } else {
        sqlite3_finalize(insert);
    }
    buffer->row_count = 0;
    buffer->text_bytes = 0;
    return done;
}

static bool keep_text(struct store_buffer *buffer, const char *text, size_t *offset,
                      struct err *err) {
    size_t bytes = strlen(text) + 1;
    size_t wanted_bytes = buffer->text_bytes + bytes;
    if (wanted_bytes > buffer->text_capacity_bytes) {
        size_t capacity_bytes = TEXT_BYTES_MIN;
        while (capacity_bytes < wanted_bytes) {
            capacity_bytes *= 2;
        }
        char *texts = realloc(buffer->texts, capacity_bytes);
        if (texts == NULL) {
            return err_no_memory(err, "rows of the database");
        }
        buffer->texts = texts;
        buffer->text_capacity_bytes = capacity_bytes;
    }
    *offset = buffer->text_bytes;
    memcpy(buffer->texts + buffer->text_bytes, text, bytes);
    buffer->text_bytes = wanted_bytes;
    return true;
}

bool store_insert(struct store *store, enum store_table table, const struct store_value *values,
                  struct err *err) {
    SIM_CHECK(!store->is_committed);
    struct store_buffer *buffer = &store->buffers[table];
    uint32_t columns = table_row(table).columns;
    if (buffer->values == NULL) {
        buffer->values = calloc((size_t)STORE_ROWS_AT_ONCE * columns, sizeof *buffer->values);
        if (buffer->values == NULL) {
            return err_no_memory(err, "rows of the database");
        }
    }
    struct store_value *row = &buffer->values[(size_t)buffer->row_count * columns];
    for (uint32_t i = 0; i < columns; i++) {
        row[i] = values[i];
        if (values[i].kind == STORE_TEXT &&
            !keep_text(buffer, values[i].text, &row[i].text_offset, err)) {
            return false;
        }
    }
    buffer->row_count++;
    return buffer->row_count < STORE_ROWS_AT_ONCE || flush_table(store, table, err);
}

bool store_flush(struct store *store, struct err *err) {
    for (int table = 0; table < STORE_TABLE_COUNT; table++) {
        if (!flush_table(store, (enum store_table)table, err)) {
            return false;
        }
    }
    return true;
}

void store_buffers_fini(struct store *store) {
    for (int table = 0; table < STORE_TABLE_COUNT; table++) {
        struct store_buffer *buffer = &store->buffers[table];
        sqlite3_finalize(buffer->insert);
        free(buffer->values);
        free(buffer->texts);
        *buffer = (struct store_buffer){0};
    }
}
