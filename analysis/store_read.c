/* Opening a results database, its runs and resources, and the bins of a view. */
#include "analysis/store_read_query.h"

#include "analysis/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool store_read_fail(const struct store_read *reader, struct err *err) {
    return err_set(err, ERR_IO, "'%s': %s", reader->path, sqlite3_errmsg(reader->database));
}

sqlite3_stmt *store_read_prepare(const struct store_read *reader, const char *sql,
                                 const struct store_read_view *view, struct err *err) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(reader->database, sql, -1, &statement, NULL) != SQLITE_OK) {
        store_read_fail(reader, err);
        return NULL;
    }
    const int64_t values[] = {view->run_id, view->resource_id, view->from_s, view->to_s,
                              view->bin_s};
    int wanted = sqlite3_bind_parameter_count(statement);
    for (int i = 0; i < wanted && i < 5; i++) {
        if (sqlite3_bind_int64(statement, i + 1, values[i]) != SQLITE_OK) {
            store_read_fail(reader, err);
            sqlite3_finalize(statement);
            return NULL;
        }
    }
    return statement;
}

sqlite3_stmt *store_read_prepare_text(const struct store_read *reader, const char *sql,
                                      const struct store_read_view *view, int place,
                                      const char *text, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare(reader, sql, view, err);
    if (statement != NULL &&
        sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC) != SQLITE_OK) {
        store_read_fail(reader, err);
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

enum store_read_step store_read_next(const struct store_read *reader, sqlite3_stmt *statement,
                                     struct err *err) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        return STORE_READ_STEP_ROW;
    }
    if (code != SQLITE_DONE) {
        store_read_fail(reader, err);
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? STORE_READ_STEP_DONE : STORE_READ_STEP_FAILED;
}

const char *store_read_peek_text(sqlite3_stmt *statement, int column, struct err *err) {
    bool is_null = sqlite3_column_type(statement, column) == SQLITE_NULL;
    const char *text = is_null ? "" : (const char *)sqlite3_column_text(statement, column);
    if (text == NULL) {
        err_no_memory(err, "SQLite");
    }
    return text;
}

const char *store_read_text(struct store_read *reader, sqlite3_stmt *statement, int column,
                            struct err *err) {
    const char *text = store_read_peek_text(statement, column, err);
    return text == NULL ? NULL : arena_strdup(&reader->arena, text, err);
}

bool store_read_one(const struct store_read *reader, const char *sql,
                    const struct store_read_view *view, double *number, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare(reader, sql, view, err);
    *number = 0;
    if (statement == NULL) {
        return false;
    }
    const enum store_read_step step = store_read_next(reader, statement, err);
    if (step == STORE_READ_STEP_ROW) {
        *number = store_read_number(statement, 0, 0);
        sqlite3_finalize(statement);
    }
    return step != STORE_READ_STEP_FAILED;
}

double store_read_number(sqlite3_stmt *statement, int column, double fallback) {
    int type = sqlite3_column_type(statement, column);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        return fallback;
    }
    double value = sqlite3_column_double(statement, column);
    return isfinite(value) && value >= 0 ? value : fallback;
}

/* A number of the schema, or a sentence that says what else the file is. */
static bool check_schema(const struct store_read *reader, struct err *err) {
    const struct store_read_view none = {0};
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        "SELECT user_version, EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'runs')"
        " FROM pragma_user_version",
        &none, err);
    if (statement == NULL) {
        return false;
    }
    if (store_read_next(reader, statement, err) != STORE_READ_STEP_ROW) {
        return err_set(err, ERR_IO, "'%s': no schema version", reader->path);
    }
    int64_t version = sqlite3_column_int64(statement, 0);
    bool has_runs = sqlite3_column_int(statement, 1) != 0;
    sqlite3_finalize(statement);
    if (!has_runs) {
        return err_set(err, ERR_IO, "'%s' is a database, but not one that ddbsim has written",
                       reader->path);
    }
    if (version != STORE_SCHEMA_VERSION) {
        return err_set(err, ERR_IO,
                       "'%s' has schema version %lld, this ddbsim reads version %d; simulate again",
                       reader->path, (long long)version, STORE_SCHEMA_VERSION);
    }
    return true;
}

/* SQLite takes a file of a few bytes for an empty database; its files all begin with these. */
static bool check_header(const struct store_read *reader, struct err *err) {
    static const char magic[16] = "SQLite format 3";
    char found[sizeof magic] = "";
    FILE *file = fopen(reader->path, "re");
    if (file == NULL) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", reader->path, strerror(errno));
    }
    size_t bytes = fread(found, 1, sizeof found, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        return err_set(err, ERR_IO, "cannot read '%s'", reader->path);
    }
    return (bytes == sizeof found && memcmp(found, magic, sizeof magic) == 0) ||
           err_set(err, ERR_IO, "'%s' is not a results database", reader->path);
}

/* SQLite would make up a database of its own for "", ":memory:" or a URI: "./" makes them paths. */
static bool open_database(struct store_read *reader, struct err *err) {
    struct stat status;
    if (stat(reader->path, &status) != 0) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", reader->path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return err_set(err, ERR_IO, "'%s' is no file, expected a results database", reader->path);
    }
    if (!check_header(reader, err)) {
        return false;
    }
    size_t bytes = strlen(reader->path) + 3;
    char *plain = arena_alloc(&reader->arena, bytes, 1, "path", err);
    if (plain == NULL) {
        return false;
    }
    memcpy(plain, "./", 3);
    memcpy(plain + (reader->path[0] == '/' ? 0 : 2), reader->path, strlen(reader->path) + 1);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(plain, &reader->database, flags, NULL) != SQLITE_OK) {
        if (reader->database == NULL) {
            return err_no_memory(err, "SQLite");
        }
        return store_read_fail(reader, err);
    }
    sqlite3_busy_timeout(reader->database, 5000);
    return check_schema(reader, err);
}

struct store_read *store_read_open(const char *path, struct err *err) {
    struct store_read *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        err_no_memory(err, "database");
        return NULL;
    }
    arena_init(&reader->arena);
    reader->path = arena_strdup(&reader->arena, path, err);
    if (reader->path == NULL || !open_database(reader, err)) {
        store_read_close(reader);
        return NULL;
    }
    return reader;
}

void store_read_close(struct store_read *reader) {
    if (reader == NULL) {
        return;
    }
    sqlite3_close(reader->database);
    arena_fini(&reader->arena);
    free(reader);
}

/* "no run 7; the database has runs 0 to 3". */
static bool no_such_run(const struct store_read *reader, int64_t run_id, struct err *err) {
    const struct store_read_view none = {0};
    sqlite3_stmt *statement = store_read_prepare(
        reader, "SELECT count(*), min(run_id), max(run_id) FROM runs", &none, err);
    if (statement == NULL) {
        return false;
    }
    if (store_read_next(reader, statement, err) != STORE_READ_STEP_ROW) {
        return store_read_fail(reader, err);
    }
    int64_t count = sqlite3_column_int64(statement, 0);
    int64_t first = sqlite3_column_int64(statement, 1), last = sqlite3_column_int64(statement, 2);
    sqlite3_finalize(statement);
    if (count == 1) {
        return err_set(err, ERR_INPUT, "'%s' has no run %lld; its only run is %lld", reader->path,
                       (long long)run_id, (long long)first);
    }
    return err_set(err, ERR_INPUT, "'%s' has no run %lld; its %lld runs are from %lld to %lld",
                   reader->path, (long long)run_id, (long long)count, (long long)first,
                   (long long)last);
}

bool store_read_run(struct store_read *reader, const int64_t *run_id, struct store_read_run *run,
                    struct err *err) {
    const struct store_read_view key = {.run_id = run_id != NULL ? *run_id : 0};
    sqlite3_stmt *statement =
        store_read_prepare(reader,
                           run_id != NULL ? "SELECT run_id, scenario, seed, replication, "
                                            "duration_s, (SELECT count(*) FROM runs) FROM runs"
                                            " WHERE run_id = ?1"
                                          : "SELECT run_id, scenario, seed, replication, "
                                            "duration_s, (SELECT count(*) FROM runs) FROM runs"
                                            " ORDER BY run_id LIMIT 1",
                           &key, err);
    if (statement == NULL) {
        return false;
    }
    switch (store_read_next(reader, statement, err)) {
    case STORE_READ_STEP_ROW: break;
    case STORE_READ_STEP_DONE:
        if (run_id != NULL) {
            return no_such_run(reader, *run_id, err);
        }
        return err_set(err, ERR_IO, "'%s' holds no run", reader->path);
    case STORE_READ_STEP_FAILED: return false;
    }
    run->run_id = sqlite3_column_int64(statement, 0);
    run->scenario = store_read_text(reader, statement, 1, err);
    run->seed = sqlite3_column_int64(statement, 2);
    run->replication = sqlite3_column_int64(statement, 3);
    run->duration_s = fmin(store_read_number(statement, 4, 0), (double)STORE_READ_END_S_MAX);
    run->run_count = sqlite3_column_int64(statement, 5);
    sqlite3_finalize(statement);
    return run->scenario != NULL;
}

static bool resource_fill(struct store_read *reader, sqlite3_stmt *statement,
                          const struct store_read_run *run, struct store_read_resource *row,
                          struct err *err) {
    row->resource_id = sqlite3_column_int64(statement, 0);
    row->table_name = store_read_text(reader, statement, 1, err);
    bool is_index = sqlite3_column_type(statement, 2) != SQLITE_NULL;
    row->index_name = is_index ? store_read_text(reader, statement, 2, err) : NULL;
    row->throttle_events = store_read_number(statement, 3, 0);
    row->consumed[STORE_READ_READS] = store_read_number(statement, 4, 0);
    row->consumed[STORE_READ_WRITES] = store_read_number(statement, 5, 0);
    double last = store_read_number(statement, 6, -1) + 1;
    double end = fmax(1, fmax(ceil(run->duration_s), last));
    row->end_s = (int64_t)fmin(end, (double)STORE_READ_END_S_MAX);
    return row->table_name != NULL && (!is_index || row->index_name != NULL);
}

bool store_read_resources(struct store_read *reader, const struct store_read_run *run,
                          struct store_read_resource **rows, size_t *count, struct err *err) {
    const struct store_read_view view = {.run_id = run->run_id};
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        "SELECT r.resource_id, r.table_name, r.index_name, t.events, s.r, s.w, s.last,"
        " count(*) OVER () FROM resources r"
        " LEFT JOIN (SELECT resource_id, sum(events) AS events FROM throttles"
        "  WHERE run_id = ?1 GROUP BY resource_id) t ON t.resource_id = r.resource_id"
        " LEFT JOIN (SELECT resource_id, sum(consumed_rcu) AS r, sum(consumed_wcu) AS w,"
        "  max(t_s) AS last FROM seconds WHERE run_id = ?1 GROUP BY resource_id) s"
        "  ON s.resource_id = r.resource_id"
        " WHERE r.run_id = ?1 ORDER BY r.resource_id",
        &view, err);
    *rows = NULL;
    *count = 0;
    if (statement == NULL) {
        return false;
    }
    size_t capacity = 0;
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        if (*rows == NULL) {
            capacity = (size_t)sqlite3_column_int64(statement, 7);
            *rows =
                ARENA_ARRAY(&reader->arena, struct store_read_resource, capacity, "resources", err);
        }
        if (*rows == NULL || *count == capacity ||
            !resource_fill(reader, statement, run, &(*rows)[*count], err)) {
            sqlite3_finalize(statement);
            return false;
        }
        ++*count;
    }
    return step == STORE_READ_STEP_DONE;
}

bool store_read_parameter(struct store_read *reader, int64_t run_id, const char *name,
                          double fallback, double *value, struct err *err) {
    *value = fallback;
    const struct store_read_view view = {.run_id = run_id};
    sqlite3_stmt *statement =
        store_read_prepare_text(reader,
                                "SELECT value FROM parameters"
                                " WHERE run_id = ?1 AND name IN (?2, 'model.' || ?2)",
                                &view, 2, name, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step = store_read_next(reader, statement, err);
    if (step != STORE_READ_STEP_ROW) {
        return step == STORE_READ_STEP_DONE;
    }
    const char *text = store_read_peek_text(statement, 0, err);
    char *end = NULL;
    double number = text == NULL ? 0 : strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(number) && number > 0) {
        *value = number;
    }
    sqlite3_finalize(statement);
    return text != NULL;
}

size_t store_read_bin_count(const struct store_read_view *view) {
    return (size_t)((view->to_s - view->from_s + view->bin_s - 1) / view->bin_s);
}

double store_read_bin_seconds(const struct store_read_view *view, size_t bin) {
    const int64_t left_s = view->to_s - view->from_s - (int64_t)bin * view->bin_s;
    return (double)(left_s < view->bin_s ? left_s : view->bin_s);
}

/* The next row of a query by bins, and the bin that it is about. */
static enum store_read_step next_bin(const struct store_read *reader,
                                     const struct store_read_view *view, sqlite3_stmt *statement,
                                     struct store_read_bin *bins, struct store_read_bin **bin,
                                     struct err *err) {
    const size_t count = store_read_bin_count(view);
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        const int64_t number = sqlite3_column_int64(statement, 0);
        if (number >= 0 && (size_t)number < count) {
            *bin = &bins[number];
            break;
        }
    }
    return step;
}

static bool fill_seconds(struct store_read *reader, const struct store_read_view *view,
                         struct store_read_bin *bins, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        "SELECT (t_s - ?3) / ?5 AS bin,"
        " sum(consumed_rcu), max(consumed_rcu), max(provisioned_rcu), min(burst_rcu),"
        " sum(consumed_wcu), max(consumed_wcu), max(provisioned_wcu), min(max(burst_wcu, 0)),"
        " max(buffered_wcu + max(-coalesce(burst_wcu, 0), 0)),"
        " count(provisioned_rcu), sum(provisioned_rcu),"
        " sum(consumed_rcu) FILTER (WHERE provisioned_rcu IS NOT NULL),"
        " count(provisioned_wcu), sum(provisioned_wcu),"
        " sum(consumed_wcu) FILTER (WHERE provisioned_wcu IS NOT NULL)"
        " FROM seconds WHERE run_id = ?1 AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4"
        " GROUP BY bin",
        view, err);
    if (statement == NULL) {
        return false;
    }
    struct store_read_bin *bin;
    enum store_read_step step;
    while ((step = next_bin(reader, view, statement, bins, &bin, err)) == STORE_READ_STEP_ROW) {
        for (int side = 0; side < STORE_READ_SIDES; side++) {
            struct store_read_side_bin *to = &bin->sides[side];
            to->consumed_units = store_read_number(statement, 1 + 4 * side, 0);
            to->consumed_units_max = store_read_number(statement, 2 + 4 * side, 0);
            to->provisioned_per_s = store_read_number(statement, 3 + 4 * side, -1);
            to->burst_units_min = store_read_number(statement, 4 + 4 * side, -1);
            to->provisioned_s = store_read_number(statement, 10 + 3 * side, 0);
            to->provisioned_units = store_read_number(statement, 11 + 3 * side, 0);
            to->provisioned_consumed_units = store_read_number(statement, 12 + 3 * side, 0);
        }
        bin->sides[STORE_READ_WRITES].behind_units_max = store_read_number(statement, 9, -1);
    }
    return step == STORE_READ_STEP_DONE;
}

static bool fill_throttled(struct store_read *reader, const struct store_read_view *view,
                           struct store_read_bin *bins, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        "SELECT (t_s - ?3) / ?5 AS bin, sum(r), max(r), sum(w), max(w) FROM"
        /* While an index is too far behind, it refuses all writes, also those that the table's own
         * limits refuse: the larger of the two is what was refused. */
        " (SELECT t_s, max(r) AS r, max(w) AS w FROM"
        "  (SELECT t_s, sum(throttled_reads) AS r, sum(throttled_writes) AS w"
        "   FROM partition_seconds"
        "   WHERE run_id = ?1 AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4 GROUP BY t_s"
        "   UNION ALL"
        "   SELECT t_s, 0, sum(events) FROM throttles JOIN resources AS i USING (run_id, "
        "resource_id)"
        "   JOIN resources AS this USING (run_id, table_name)"
        "   WHERE run_id = ?1 AND this.resource_id = ?2 AND t_s >= ?3 AND t_s < ?4"
        "   AND reason LIKE 'IndexWrite%'"
        "   AND (this.index_name IS NULL OR i.resource_id = this.resource_id)"
        "   GROUP BY t_s, i.resource_id)"
        "  GROUP BY t_s)"
        " GROUP BY bin",
        view, err);
    if (statement == NULL) {
        return false;
    }
    struct store_read_bin *bin;
    enum store_read_step step;
    while ((step = next_bin(reader, view, statement, bins, &bin, err)) == STORE_READ_STEP_ROW) {
        for (int side = 0; side < STORE_READ_SIDES; side++) {
            struct store_read_side_bin *to = &bin->sides[side];
            to->throttled = store_read_number(statement, 1 + 2 * side, 0);
            to->throttled_max = store_read_number(statement, 2 + 2 * side, 0);
        }
    }
    return step == STORE_READ_STEP_DONE;
}

bool store_read_bins(struct store_read *reader, const struct store_read_view *view,
                     struct store_read_bin **bins, struct err *err) {
    size_t count = store_read_bin_count(view);
    *bins = ARENA_ARRAY(&reader->arena, struct store_read_bin, count, "bins", err);
    if (*bins == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < STORE_READ_SIDES; side++) {
            (*bins)[i].sides[side].provisioned_per_s = -1;
            (*bins)[i].sides[side].burst_units_min = -1;
            (*bins)[i].sides[side].behind_units_max = -1;
        }
    }
    return fill_seconds(reader, view, *bins, err) && fill_throttled(reader, view, *bins, err);
}

bool store_read_attempts(struct store_read *reader, const struct store_read_view *view,
                         double *attempts, struct err *err) {
    return store_read_one(reader,
                          "SELECT sum(attempts) FROM operations"
                          " WHERE run_id = ?1 AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4",
                          view, attempts, err);
}
