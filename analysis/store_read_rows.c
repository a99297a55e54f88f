/* What a view holds beside its bins: reasons, keys, partitions, the heat of the ring. */
#include "analysis/store_read_query.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of rows of a query without its order: rows go into one array of the arena. */
static bool count_rows(const struct store_read *reader, const char *sql,
                       const struct store_read_view *view, size_t *count, struct err *err) {
    double number;
    const bool counted = store_read_one(reader, sql, view, &number, err);
    *count = (size_t)number;
    return counted;
}

bool store_read_reasons(struct store_read *reader, const struct store_read_view *view,
                        struct store_read_reason **rows, size_t *count, struct err *err) {
    size_t capacity;
    *count = 0;
    if (!count_rows(reader,
                    "SELECT count(DISTINCT reason) FROM throttles WHERE run_id = ?1"
                    " AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4",
                    view, &capacity, err)) {
        return false;
    }
    *rows = ARENA_ARRAY(&reader->arena, struct store_read_reason, capacity, "reasons", err);
    sqlite3_stmt *statement =
        *rows == NULL ? NULL
                      : store_read_prepare(reader,
                                           "SELECT reason, sum(events) AS n, min(t_s)"
                                           " FROM throttles WHERE run_id = ?1 AND resource_id = ?2"
                                           " AND t_s >= ?3 AND t_s < ?4 AND reason IS NOT NULL"
                                           " GROUP BY reason HAVING n > 0 ORDER BY n DESC, reason",
                                           view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        if (*count == capacity) {
            continue;
        }
        struct store_read_reason *row = &(*rows)[*count];
        row->name = store_read_text(reader, statement, 0, err);
        row->events = store_read_number(statement, 1, 0);
        row->first_s = sqlite3_column_int64(statement, 2);
        if (row->name == NULL) {
            sqlite3_finalize(statement);
            return false;
        }
        ++*count;
    }
    return step == STORE_READ_STEP_DONE;
}

/* Sources of the model's own values begin with how sure they are (models/parameters.h). */
#define IS_GIVEN                                                                                   \
    "source NOT GLOB 'DOC*' AND source NOT GLOB 'PUB*' AND source NOT GLOB 'INF*'"                 \
    " AND source NOT GLOB 'UNK*'"

bool store_read_settings(struct store_read *reader, int64_t run_id,
                         struct store_read_setting **rows, size_t *count, struct err *err) {
    const struct store_read_view view = {.run_id = run_id};
    size_t capacity;
    *count = 0;
    if (!count_rows(reader, "SELECT count(*) FROM parameters WHERE run_id = ?1", &view, &capacity,
                    err)) {
        return false;
    }
    *rows = ARENA_ARRAY(&reader->arena, struct store_read_setting, capacity + 1, "parameters", err);
    sqlite3_stmt *statement =
        *rows == NULL ? NULL
                      : store_read_prepare(reader,
                                           "SELECT name, value, " IS_GIVEN
                                           " FROM parameters WHERE run_id = ?1 ORDER BY name",
                                           &view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        if (*count == capacity) {
            continue;
        }
        struct store_read_setting *row = &(*rows)[*count];
        row->name = store_read_text(reader, statement, 0, err);
        row->value = store_read_text(reader, statement, 1, err);
        row->is_given = sqlite3_column_int(statement, 2) != 0;
        if (row->name == NULL || row->value == NULL) {
            sqlite3_finalize(statement);
            return false;
        }
        ++*count;
    }
    return step == STORE_READ_STEP_DONE;
}

bool store_read_reason_bins(struct store_read *reader, const struct store_read_view *view,
                            const char *reason, double *events, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare_text(
        reader,
        "SELECT (t_s - ?3) / ?5 AS bin, sum(events) FROM throttles WHERE run_id = ?1"
        " AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4 AND reason = ?6 GROUP BY bin",
        view, 6, reason, err);
    if (statement == NULL) {
        return false;
    }
    size_t count = store_read_bin_count(view);
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        int64_t bin = sqlite3_column_int64(statement, 0);
        if (bin >= 0 && (size_t)bin < count) {
            events[bin] += store_read_number(statement, 1, 0);
        }
    }
    return step == STORE_READ_STEP_DONE;
}

/* The union of the most accessed and the most throttled keys, each with the places it may take.
 * Cost: two passes over the keys. */
static const char *const keys_sql =
    "WITH k AS (SELECT key, consumed_rcu AS r, consumed_wcu AS w, throttled_reads AS tr,"
    "   throttled_writes AS tw, consumed_wcu + consumed_rcu AS accessed"
    "  FROM keys WHERE run_id = ?1 AND resource_id = ?2),"
    " victims AS MATERIALIZED"
    "  (SELECT * FROM k WHERE tr + tw > 0 ORDER BY tr + tw DESC, key LIMIT ?3 / 3),"
    " top AS MATERIALIZED (SELECT * FROM k ORDER BY accessed DESC, tr + tw DESC, key LIMIT ?3),"
    " extra AS (SELECT * FROM victims WHERE key NOT IN (SELECT key FROM top)),"
    " kept AS (SELECT * FROM top"
    "  ORDER BY key IN (SELECT key FROM victims) DESC, accessed DESC, tr + tw DESC, key"
    "  LIMIT ?3 - (SELECT count(*) FROM extra))"
    " SELECT key, r, w, tr, tw FROM (SELECT * FROM kept UNION ALL SELECT * FROM extra)"
    "  ORDER BY accessed DESC, tr + tw DESC, key LIMIT ?3";

static void key_numbers(sqlite3_stmt *statement, int column, struct store_read_key *row) {
    row->consumed[STORE_READ_READS] = store_read_number(statement, column, 0);
    row->consumed[STORE_READ_WRITES] = store_read_number(statement, column + 1, 0);
    row->throttled[STORE_READ_READS] = store_read_number(statement, column + 2, 0);
    row->throttled[STORE_READ_WRITES] = store_read_number(statement, column + 3, 0);
}

static bool keys_total(struct store_read *reader, const struct store_read_view *view,
                       struct store_read_key *total, size_t *total_count, struct err *err) {
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        "SELECT count(*), sum(consumed_rcu), sum(consumed_wcu), sum(throttled_reads),"
        " sum(throttled_writes) FROM keys WHERE run_id = ?1 AND resource_id = ?2",
        view, err);
    memset(total, 0, sizeof *total);
    *total_count = 0;
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step = store_read_next(reader, statement, err);
    if (step == STORE_READ_STEP_ROW) {
        *total_count = (size_t)sqlite3_column_int64(statement, 0);
        key_numbers(statement, 1, total);
        sqlite3_finalize(statement);
    }
    return step != STORE_READ_STEP_FAILED;
}

bool store_read_keys(struct store_read *reader, const struct store_read_view *view, size_t limit,
                     struct store_read_key **rows, size_t *count, struct store_read_key *total,
                     size_t *total_count, struct err *err) {
    *count = 0;
    if (!keys_total(reader, view, total, total_count, err)) {
        return false;
    }
    struct store_read_view limited = *view;
    limited.from_s = (int64_t)limit; /* ?3 */
    *rows = ARENA_ARRAY(&reader->arena, struct store_read_key, limit, "keys", err);
    sqlite3_stmt *statement =
        *rows == NULL ? NULL : store_read_prepare(reader, keys_sql, &limited, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        struct store_read_key *row = &(*rows)[*count];
        row->name = *count == limit ? NULL : store_read_text(reader, statement, 0, err);
        if (row->name == NULL) {
            sqlite3_finalize(statement);
            return false;
        }
        key_numbers(statement, 1, row);
        ++*count;
    }
    return step == STORE_READ_STEP_DONE;
}

/* Sixteen hex digits; *valid says whether they are that. */
static bool read_hash(sqlite3_stmt *statement, int column, uint64_t *hash, bool *valid,
                      struct err *err) {
    const char *text = store_read_peek_text(statement, column, err);
    if (text == NULL) {
        return false;
    }
    *valid = *valid && strlen(text) == 16 && strspn(text, "0123456789abcdefABCDEF") == 16;
    *hash = *valid ? strtoull(text, NULL, 16) : 0;
    return true;
}

static const char *const partitions_sql =
    "SELECT p.partition_id, p.born_s, p.closed_s, p.hash_lo, p.hash_hi, s.r, s.w, s.mr, s.mw,"
    " s.tr, s.tw, p.parent_id, p.sort_lo, p.cause = 'size' FROM partitions p LEFT JOIN"
    " (SELECT partition_id, sum(consumed_rcu) AS r, sum(consumed_wcu) AS w,"
    "   max(consumed_rcu) AS mr, max(consumed_wcu) AS mw, sum(throttled_reads) AS tr,"
    "   sum(throttled_writes) AS tw FROM partition_seconds"
    "  WHERE run_id = ?1 AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4 GROUP BY partition_id) s"
    " ON s.partition_id = p.partition_id"
    " WHERE p.run_id = ?1 AND p.resource_id = ?2 AND p.born_s < ?4"
    "  AND (p.closed_s IS NULL OR p.closed_s > ?3)"
    " ORDER BY p.hash_lo, p.born_s, p.partition_id";

bool store_read_partitions(struct store_read *reader, const struct store_read_view *view,
                           struct store_read_partition **rows, size_t *count, struct err *err) {
    size_t capacity;
    *count = 0;
    if (!count_rows(reader,
                    "SELECT count(*) FROM partitions WHERE run_id = ?1 AND resource_id = ?2", view,
                    &capacity, err)) {
        return false;
    }
    *rows = ARENA_ARRAY(&reader->arena, struct store_read_partition, capacity, "partitions", err);
    sqlite3_stmt *statement =
        *rows == NULL ? NULL : store_read_prepare(reader, partitions_sql, view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        struct store_read_partition row = {.partition_id = sqlite3_column_int64(statement, 0)};
        bool valid = *count < capacity;
        if (!read_hash(statement, 3, &row.hash_lo, &valid, err) ||
            !read_hash(statement, 4, &row.hash_hi, &valid, err)) {
            sqlite3_finalize(statement);
            return false;
        }
        if (!valid || row.hash_lo > row.hash_hi) {
            continue;
        }
        if (sqlite3_column_type(statement, 12) != SQLITE_NULL &&
            !read_hash(statement, 12, &row.sort_lo, &valid, err)) {
            sqlite3_finalize(statement);
            return false;
        }
        row.parent_id = sqlite3_column_type(statement, 11) == SQLITE_NULL
                            ? -1
                            : sqlite3_column_int64(statement, 11);
        row.is_for_size = sqlite3_column_int(statement, 13) != 0;
        row.born_s = store_read_number(statement, 1, 0);
        row.closed_s = store_read_number(statement, 2, -1);
        for (int side = 0; side < STORE_READ_SIDES; side++) {
            row.consumed[side] = store_read_number(statement, 5 + side, 0);
            row.peak[side] = store_read_number(statement, 7 + side, 0);
            row.throttled[side] = store_read_number(statement, 9 + side, 0);
        }
        (*rows)[(*count)++] = row;
    }
    return step == STORE_READ_STEP_DONE;
}

/* Chooses the span and lays out the cells of a ring. */
static bool ring_layout(struct store_read *reader, const struct store_read_view *view,
                        struct store_read_ring *ring, struct err *err) {
    size_t stored;
    if (!count_rows(reader,
                    "SELECT coalesce(max(span_s), 1) FROM ring_seconds WHERE run_id = ?1"
                    " AND resource_id = ?2 AND t_s < ?4 AND t_s + span_s > ?3",
                    view, &stored, err)) {
        return false;
    }
    ring->span_s = stored > (size_t)STORE_READ_END_S_MAX ? STORE_READ_END_S_MAX : (int64_t)stored;
    ring->span_s = ring->span_s < 1 ? 1 : ring->span_s;
    int64_t spans;
    for (;; ring->span_s *= 2) {
        ring->start_s = view->from_s / ring->span_s * ring->span_s;
        spans = (view->to_s - ring->start_s + ring->span_s - 1) / ring->span_s;
        if (spans <= STORE_READ_SPANS_MAX) {
            break;
        }
    }
    ring->span_count = (size_t)spans;
    size_t cells = ring->span_count * STORE_READ_SLICES;
    ring->units_per_s = ARENA_ARRAY(&reader->arena, double, cells, "ring", err);
    ring->throttled = ARENA_ARRAY(&reader->arena, double, cells, "ring", err);
    return ring->units_per_s != NULL && ring->throttled != NULL;
}

bool store_read_ring(struct store_read *reader, const struct store_read_view *view,
                     enum store_read_side side, struct store_read_ring *ring, struct err *err) {
    if (!ring_layout(reader, view, ring, err)) {
        return false;
    }
    sqlite3_stmt *statement = store_read_prepare(
        reader,
        side == STORE_READ_READS
            ? "SELECT t_s, slice, consumed_rcu, throttled_reads FROM ring_seconds WHERE"
              " run_id = ?1 AND resource_id = ?2 AND t_s < ?4 AND t_s + span_s > ?3"
            : "SELECT t_s, slice, consumed_wcu, throttled_writes FROM ring_seconds WHERE"
              " run_id = ?1 AND resource_id = ?2 AND t_s < ?4 AND t_s + span_s > ?3",
        view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        int64_t t_s = sqlite3_column_int64(statement, 0),
                slice = sqlite3_column_int64(statement, 1);
        if (t_s < ring->start_s || t_s >= view->to_s || slice < 0 || slice >= STORE_READ_SLICES) {
            continue;
        }
        size_t span = (size_t)((t_s - ring->start_s) / ring->span_s);
        size_t cell = (size_t)slice * ring->span_count + span;
        /* The last span may be cut by the end of the run. */
        int64_t begin_s = ring->start_s + (int64_t)span * ring->span_s;
        int64_t left_s = view->end_s - begin_s;
        double seconds = (double)(left_s < ring->span_s && left_s > 0 ? left_s : ring->span_s);
        ring->units_per_s[cell] += store_read_number(statement, 2, 0) / seconds;
        ring->throttled[cell] += store_read_number(statement, 3, 0);
    }
    return step == STORE_READ_STEP_DONE;
}
