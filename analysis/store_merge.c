/* Parts of a sweep, read side by side. */
#include "analysis/store_merge.h"

#include "analysis/store_read_query.h"
#include "analysis/store_rows.h"
#include "sim/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SHOWN_BYTES 160

/* The tables of a part that are read row by row, in the order of their rows. */
enum source {
    SOURCE_POINTS,
    SOURCE_RUNS,
    SOURCE_METRICS,
    SOURCE_FAILURES,
    SOURCE_TIMINGS,
    SOURCES
};

static const struct {
    enum store_table table;
    const char *name, *sql;
    int columns;
} sources[SOURCES] = {
#define SOURCE(id, name, columns)                                                                  \
    { STORE_##id, name, "SELECT * FROM " name " ORDER BY rowid", columns }
    [SOURCE_POINTS] = SOURCE(POINTS, "points", 2),
    [SOURCE_RUNS] = SOURCE(RUNS, "runs", 20),
    [SOURCE_METRICS] = SOURCE(METRICS, "metrics", 3),
    [SOURCE_FAILURES] = SOURCE(FAILURES, "failures", 3),
    [SOURCE_TIMINGS] = SOURCE(TIMINGS, "timings", 4),
#undef SOURCE
};

struct part {
    const char *path; /* as given */
    struct store_read *reader;
    int64_t number, count, points; /* number from 1 */
    const char *plan;
    sqlite3_stmt *rows[SOURCES];
    bool has_row[SOURCES];
};

struct store_merge {
    struct part *parts; /* by number once they are checked */
    size_t part_count;
    struct store_merge_counts counts;
};

static bool next_row(struct part *part, enum source source, struct err *err) {
    const int code = sqlite3_step(part->rows[source]);
    part->has_row[source] = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE || store_read_fail(part->reader, err);
}

static bool open_rows(struct part *part, enum source source, struct err *err) {
    const struct store_read_view none = {0};
    part->rows[source] = store_read_prepare(part->reader, sources[source].sql, &none, err);
    if (part->rows[source] == NULL) {
        return false;
    }
    if (sqlite3_column_count(part->rows[source]) != sources[source].columns) {
        return err_set(err, ERR_INPUT, "'%s': the table '%s' is not that of this ddbsim",
                       part->path, sources[source].name);
    }
    return next_row(part, source, err);
}

static bool read_part_row(struct part *part, sqlite3_stmt *row, struct err *err) {
    if (store_read_next(part->reader, row, err) != STORE_READ_STEP_ROW) {
        return err_set(err, ERR_INPUT,
                       "'%s' is no part of a sweep; expected what 'ddbsim sweep --part I/N' has "
                       "written",
                       part->path);
    }
    part->number = sqlite3_column_int64(row, 0);
    part->count = sqlite3_column_int64(row, 1);
    part->points = sqlite3_column_int64(row, 2);
    part->plan = store_read_text(part->reader, row, 3, err);
    sqlite3_finalize(row);
    return part->plan != NULL &&
           ((part->number >= 1 && part->number <= part->count && part->points >= 1) ||
            err_set(err, ERR_INPUT, "'%s': part %" PRId64 " of %" PRId64 " is none", part->path,
                    part->number, part->count));
}

/* A file that is read and is not what it should be is the user's slip, not a fault of the disk. */
static bool open_reader(struct part *part, struct err *err) {
    static const char *const others[] = {"cannot read", "out of memory"};
    part->reader = store_read_open(part->path, err);
    if (part->reader != NULL) {
        return true;
    }
    bool is_other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        is_other |= strncmp(err->text, others[i], strlen(others[i])) == 0;
    }
    err->kind = is_other ? ERR_IO : ERR_INPUT;
    return false;
}

/* A small cache: there may be a thousand parts, and each page is read once. */
static bool open_part(struct part *part, struct err *err) {
    if (!open_reader(part, err)) {
        return false;
    }
    sqlite3 *database = part->reader->database;
    if (sqlite3_exec(database, "PRAGMA cache_size = -64", NULL, NULL, NULL) != SQLITE_OK) {
        return store_read_fail(part->reader, err);
    }
    const struct store_read_view none = {0};
    sqlite3_stmt *has_parts = store_read_prepare(
        part->reader, "SELECT 1 FROM sqlite_schema WHERE name = 'parts'", &none, err);
    if (has_parts == NULL) {
        return false;
    }
    const enum store_read_step step = store_read_next(part->reader, has_parts, err);
    if (step == STORE_READ_STEP_DONE) {
        return err_set(err, ERR_INPUT,
                       "'%s' is of a version of ddbsim without parts that can be merged; sweep "
                       "again",
                       part->path);
    }
    if (step == STORE_READ_STEP_FAILED) {
        return false;
    }
    sqlite3_finalize(has_parts);
    sqlite3_stmt *row = store_read_prepare(
        part->reader, "SELECT part, part_count, points, plan FROM parts", &none, err);
    if (row == NULL || !read_part_row(part, row, err)) {
        return false;
    }
    for (int source = 0; source < SOURCES; source++) {
        if (!open_rows(part, (enum source)source, err)) {
            return false;
        }
    }
    return true;
}

/* The first line of each that is not in the other's place. */
static void first_difference(const char **a, const char **b) {
    while (**a != '\0' && **b != '\0') {
        const size_t a_bytes = strcspn(*a, "\n"), b_bytes = strcspn(*b, "\n");
        if (a_bytes != b_bytes || memcmp(*a, *b, a_bytes) != 0) {
            return;
        }
        *a += a_bytes + ((*a)[a_bytes] == '\n');
        *b += b_bytes + ((*b)[b_bytes] == '\n');
    }
}

static int line_bytes(const char *text) {
    const size_t bytes = strcspn(text, "\n");
    return (int)(bytes < LINE_SHOWN_BYTES ? bytes : LINE_SHOWN_BYTES);
}

static bool check_together(const struct part *first, const struct part *part, struct err *err) {
    const char *other = first->plan, *own = part->plan;
    first_difference(&other, &own);
    if (*own != '\0' || *other != '\0') {
        return err_set(err, ERR_INPUT, "'%s' is of another sweep than '%s': '%.*s', not '%.*s'",
                       part->path, first->path, line_bytes(own), own, line_bytes(other), other);
    }
    if (part->count != first->count || part->points != first->points) {
        return err_set(err, ERR_INPUT,
                       "'%s' is one of %" PRId64 " parts, '%s' is one of %" PRId64
                       "; parts of one division are merged",
                       part->path, part->count, first->path, first->count);
    }
    return true;
}

static int by_number(const void *a, const void *b) {
    const struct part *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* Sorted, each number from 1 on is there once. */
static bool check_whole(struct store_merge *merge, struct err *err) {
    qsort(merge->parts, merge->part_count, sizeof *merge->parts, by_number);
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct part *part = &merge->parts[i];
        if (i > 0 && part->number == part[-1].number && strcmp(part->path, part[-1].path) == 0) {
            return err_set(err, ERR_INPUT, "'%s' is given twice", part->path);
        }
        if (i > 0 && part->number == part[-1].number) {
            return err_set(err, ERR_INPUT, "'%s' and '%s' are both part %" PRId64 "/%" PRId64,
                           part[-1].path, part->path, part->number, part->count);
        }
    }
    for (size_t i = 0; i < (size_t)merge->parts[0].count; i++) {
        if (i == merge->part_count || merge->parts[i].number != (int64_t)i + 1) {
            return err_set(err, ERR_INPUT,
                           "part %zu/%" PRId64 " is missing: %zu of %" PRId64 " parts are given",
                           i + 1, merge->parts[0].count, merge->part_count, merge->parts[0].count);
        }
    }
    return true;
}

struct store_merge *store_merge_open(const char *const *paths, size_t count, struct err *err) {
    SIM_CHECK(count >= 1);
    struct store_merge *merge = calloc(1, sizeof *merge);
    struct part *parts = calloc(count, sizeof *parts);
    if (merge == NULL || parts == NULL) {
        free(merge);
        free(parts);
        err_no_memory(err, "parts");
        return NULL;
    }
    *merge = (struct store_merge){.parts = parts, .part_count = count};
    bool opened = true;
    for (size_t i = 0; i < count && opened; i++) {
        parts[i].path = paths[i];
        opened = open_part(&parts[i], err) && check_together(&parts[0], &parts[i], err);
    }
    if (!opened || !check_whole(merge, err)) {
        store_merge_close(merge);
        return NULL;
    }
    return merge;
}

static bool take_value(const struct part *part, sqlite3_stmt *row, int column,
                       struct store_value *value, struct err *err) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: *value = store_integer(sqlite3_column_int64(row, column)); return true;
    case SQLITE_FLOAT: *value = store_real(sqlite3_column_double(row, column)); return true;
    case SQLITE_NULL: *value = store_null(); return true;
    case SQLITE_TEXT: break;
    default: return err_set(err, ERR_INPUT, "'%s' holds bytes where none belong", part->path);
    }
    *value = store_text((const char *)sqlite3_column_text(row, column));
    return value->kind == STORE_TEXT || err_no_memory(err, "SQLite");
}

/* Writes a part's current row and goes on to the next; run_id 0: as it is. */
static bool copy_row(struct part *part, enum source source, int64_t run_id, struct store *store,
                     struct err *err) {
    struct store_value values[STORE_COLUMNS_MAX];
    for (int column = 0; column < sources[source].columns; column++) {
        if (!take_value(part, part->rows[source], column, &values[column], err)) {
            return false;
        }
    }
    if (run_id > 0) {
        values[0] = store_integer(run_id);
    }
    return store_insert(store, sources[source].table, values, err) && next_row(part, source, err);
}

static bool row_is_of(const struct part *part, enum source source, int column, int64_t value) {
    return part->has_row[source] && sqlite3_column_int64(part->rows[source], column) == value;
}

static bool copy_run(struct store_merge *merge, struct part *part, struct store *store,
                     struct err *err) {
    const int64_t old_id = sqlite3_column_int64(part->rows[SOURCE_RUNS], 0);
    const int64_t new_id = (int64_t)(merge->counts.runs + merge->counts.failures) + 1;
    merge->counts.runs++;
    if (!copy_row(part, SOURCE_RUNS, new_id, store, err)) {
        return false;
    }
    static const enum source of_run[] = {SOURCE_TIMINGS, SOURCE_METRICS};
    for (size_t i = 0; i < sizeof of_run / sizeof *of_run; i++) {
        while (row_is_of(part, of_run[i], 0, old_id)) {
            if (!copy_row(part, of_run[i], new_id, store, err)) {
                return false;
            }
        }
    }
    return true;
}

/* The runs of a point and those that could not be made, by replication. */
static bool copy_runs(struct store_merge *merge, struct part *part, int64_t point,
                      struct store *store, struct err *err) {
    const uint64_t before = merge->counts.runs + merge->counts.failures;
    for (;;) {
        const bool run = row_is_of(part, SOURCE_RUNS, 2, point);
        const bool failure = row_is_of(part, SOURCE_FAILURES, 0, point);
        if (!run && !failure) {
            break;
        }
        if (run && (!failure || sqlite3_column_int64(part->rows[SOURCE_RUNS], 4) <=
                                    sqlite3_column_int64(part->rows[SOURCE_FAILURES], 1))) {
            if (!copy_run(merge, part, store, err)) {
                return false;
            }
        } else {
            merge->counts.failures++;
            if (!copy_row(part, SOURCE_FAILURES, 0, store, err)) {
                return false;
            }
        }
    }
    return merge->counts.runs + merge->counts.failures > before ||
           err_set(err, ERR_INPUT, "'%s' is not whole: no run of point %" PRId64, part->path,
                   point);
}

/* The scenario's text, what is whole now; and nothing may be left over. */
static bool finish(struct store_merge *merge, struct store *store, struct err *err) {
    for (size_t i = 0; i < merge->part_count; i++) {
        for (int source = 0; source < SOURCES; source++) {
            if (merge->parts[i].has_row[source]) {
                return err_set(err, ERR_INPUT, "'%s': rows of '%s' belong to none of its points",
                               merge->parts[i].path, sources[source].name);
            }
        }
    }
    struct part *first = &merge->parts[0];
    const struct store_read_view none = {0};
    sqlite3_stmt *scenarios = store_read_prepare(
        first->reader, "SELECT name, text FROM scenarios ORDER BY rowid", &none, err);
    if (scenarios == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(first->reader, scenarios, err)) == STORE_READ_STEP_ROW) {
        const char *name = store_read_text(first->reader, scenarios, 0, err);
        const char *text = store_read_text(first->reader, scenarios, 1, err);
        if (name == NULL || text == NULL || !store_scenario(store, name, text, err)) {
            sqlite3_finalize(scenarios);
            return false;
        }
    }
    return step == STORE_READ_STEP_DONE &&
           store_part(store, 1, 1, (uint64_t)first->points, first->plan, err);
}

enum store_merge_step store_merge_next(struct store_merge *merge, struct store *store,
                                       struct err *err) {
    const int64_t point = (int64_t)merge->counts.points;
    if (point == merge->parts[0].points) {
        return finish(merge, store, err) ? STORE_MERGE_DONE : STORE_MERGE_FAILED;
    }
    struct part *part = &merge->parts[(uint64_t)point % merge->part_count];
    if (!row_is_of(part, SOURCE_POINTS, 0, point)) {
        err_set(err, ERR_INPUT, "'%s' is not whole: it lacks point %" PRId64, part->path, point);
        return STORE_MERGE_FAILED;
    }
    merge->counts.points++;
    return copy_row(part, SOURCE_POINTS, 0, store, err) && copy_runs(merge, part, point, store, err)
               ? STORE_MERGE_POINT
               : STORE_MERGE_FAILED;
}

struct store_merge_counts store_merge_counts(const struct store_merge *merge) {
    return merge->counts;
}

void store_merge_close(struct store_merge *merge) {
    if (merge == NULL) {
        return;
    }
    for (size_t i = 0; i < merge->part_count; i++) {
        for (int source = 0; source < SOURCES; source++) {
            sqlite3_finalize(merge->parts[i].rows[source]);
        }
        store_read_close(merge->parts[i].reader);
    }
    free(merge->parts);
    free(merge);
}
