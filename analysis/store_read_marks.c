#include "analysis/store_read_marks.h"

#include "analysis/store_read_query.h"

#include <string.h>

#define EVENTS                                                                                     \
    " FROM events WHERE run_id = ?1 AND resource_id = ?2 AND t_s >= ?3 AND t_s < ?4"               \
    " AND kind IN ('SplitCompleted', 'UpdateTableCompleted', 'LeaderLost')"
/* Refusals in the name of the index, or of any index of the table, by second. */
#define REFUSALS                                                                                   \
    " FROM throttles AS t JOIN resources AS r ON r.run_id = t.run_id"                              \
    " AND r.resource_id = t.resource_id"                                                           \
    " JOIN resources AS o ON o.run_id = t.run_id AND o.resource_id = ?2"                           \
    " AND o.table_name = r.table_name AND coalesce(o.index_name, r.index_name) = r.index_name"     \
    " WHERE t.run_id = ?1 AND t.t_s >= ?3 AND t.t_s < ?4 AND t.reason GLOB 'IndexWrite*'"

struct marks {
    struct store_read_mark *rows;
    size_t count, capacity;
};

static void put(struct marks *marks, double t_s, enum store_read_mark_kind kind) {
    if (marks->count < marks->capacity) {
        marks->rows[marks->count++] = (struct store_read_mark){t_s, kind};
    }
}

/* A call that completes may be both: another mode, with units. */
static void put_update(struct marks *marks, double t_s, const char *detail, bool *is_on_demand) {
    const bool becomes = strstr(detail, "\"PAY_PER_REQUEST\"") != NULL;
    if (becomes != *is_on_demand) {
        put(marks, t_s, STORE_READ_SWITCHED);
    } else if (strstr(detail, "_units\"") != NULL) {
        put(marks, t_s, STORE_READ_SCALED);
    }
    *is_on_demand = becomes;
}

static bool read_events(struct store_read *reader, const struct store_read_view *view,
                        struct marks *marks, struct err *err) {
    double updates_before, is_on_demand;
    /* The mode as the view begins: of the last call before it, else of the first second. */
    if (!store_read_one(reader,
                        "SELECT count(*) FROM events WHERE run_id = ?1 AND resource_id = ?2"
                        " AND t_s < ?3 AND kind = 'UpdateTableCompleted'",
                        view, &updates_before, err) ||
        !store_read_one(reader,
                        updates_before > 0
                            ? "SELECT detail LIKE '%PAY_PER_REQUEST%' FROM events WHERE"
                              " run_id = ?1 AND resource_id = ?2 AND t_s < ?3"
                              " AND kind = 'UpdateTableCompleted' ORDER BY t_s DESC LIMIT 1"
                            : "SELECT provisioned_wcu IS NULL FROM seconds WHERE run_id = ?1"
                              " AND resource_id = ?2 ORDER BY t_s LIMIT 1",
                        view, &is_on_demand, err)) {
        return false;
    }
    sqlite3_stmt *statement = store_read_prepare(
        reader, "SELECT t_s, kind, coalesce(detail, '')" EVENTS " ORDER BY t_s", view, err);
    if (statement == NULL) {
        return false;
    }
    bool mode = is_on_demand > 0;
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        const double t_s = store_read_number(statement, 0, 0);
        const char *kind = store_read_peek_text(statement, 1, err);
        const char *detail = kind == NULL ? NULL : store_read_peek_text(statement, 2, err);
        if (detail == NULL) {
            sqlite3_finalize(statement);
            return false;
        }
        if (strcmp(kind, "SplitCompleted") == 0) {
            put(marks, t_s, STORE_READ_SPLIT);
        } else if (strcmp(kind, "LeaderLost") == 0) {
            put(marks, t_s, STORE_READ_LEADERLESS);
        } else {
            put_update(marks, t_s, detail, &mode);
        }
    }
    return step == STORE_READ_STEP_DONE;
}

static bool read_refusals(struct store_read *reader, const struct store_read_view *view,
                          struct marks *marks, struct err *err) {
    sqlite3_stmt *statement =
        store_read_prepare(reader, "SELECT DISTINCT t.t_s" REFUSALS " ORDER BY t.t_s", view, err);
    if (statement == NULL) {
        return false;
    }
    double before_s = -1 - STORE_READ_EPISODE_S;
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        const double t_s = store_read_number(statement, 0, 0);
        if (t_s - before_s > STORE_READ_EPISODE_S) {
            put(marks, t_s, STORE_READ_BEHIND);
        }
        before_s = t_s;
    }
    return step == STORE_READ_STEP_DONE;
}

bool store_read_marks(struct store_read *reader, const struct store_read_view *view,
                      struct store_read_mark **rows, size_t *count, struct err *err) {
    double events, refusals;
    struct marks marks = {.count = 0};
    *count = 0;
    if (!store_read_one(reader, "SELECT count(*)" EVENTS, view, &events, err) ||
        !store_read_one(reader, "SELECT count(DISTINCT t.t_s)" REFUSALS, view, &refusals, err)) {
        return false;
    }
    marks.capacity = (size_t)(events + refusals);
    marks.rows =
        ARENA_ARRAY(&reader->arena, struct store_read_mark, marks.capacity + 1, "marks", err);
    if (marks.rows == NULL || !read_events(reader, view, &marks, err) ||
        !read_refusals(reader, view, &marks, err)) {
        return false;
    }
    *rows = marks.rows;
    *count = marks.count;
    return true;
}
