#include "analysis/store_read_sweep.h"

#include "analysis/store_read_query.h"

#include <math.h>
#include <string.h>

#define SETTINGS                                                                                   \
    " FROM points AS p, json_each(CASE WHEN json_valid(p.parameters) THEN p.parameters END) AS j"  \
    " WHERE typeof(p.point) = 'integer' AND j.value IS NOT NULL"
#define METRIC_PLACE 6 /* behind those of store_read_prepare */

static bool add_factor(struct store_read *reader, sqlite3_stmt *statement,
                       struct store_read_point *points, size_t *count, struct err *err) {
    const int64_t number = sqlite3_column_int64(statement, 0);
    if (*count == 0 || points[*count - 1].point != number) {
        points[(*count)++] = (struct store_read_point){
            .point = number,
            .value = {NAN, NAN, NAN},
            .difference = {NAN, NAN, NAN},
        };
    }
    struct store_read_point *point = &points[*count - 1];
    if (point->factor_count == STORE_READ_FACTORS_MAX) {
        return true;
    }
    struct store_read_factor *factor = &point->factors[point->factor_count++];
    factor->name = store_read_text(reader, statement, 1, err);
    factor->value = factor->name == NULL ? NULL : store_read_text(reader, statement, 2, err);
    return factor->value != NULL;
}

static bool read_points(struct store_read *reader, struct store_read_point *points, size_t most,
                        size_t *count, struct err *err) {
    const struct store_read_view view = {.run_id = 0};
    sqlite3_stmt *statement = store_read_prepare(
        reader, "SELECT p.point, j.key, j.value" SETTINGS " ORDER BY p.point, j.id", &view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        if (*count == most && points[most - 1].point != sqlite3_column_int64(statement, 0)) {
            continue; /* somebody is writing */
        }
        if (!add_factor(reader, statement, points, count, err)) {
            sqlite3_finalize(statement);
            return false;
        }
    }
    return step == STORE_READ_STEP_DONE;
}

/* Both are sorted by point. */
static bool read_values(struct store_read *reader, const char *metric,
                        struct store_read_point *points, size_t count, struct err *err) {
    const struct store_read_view view = {.run_id = 0};
    sqlite3_stmt *statement = store_read_prepare_text(
        reader,
        "SELECT r.point, m.value FROM runs AS r JOIN metrics AS m USING (run_id)"
        " WHERE m.metric = ?6 AND typeof(m.value) IN ('real', 'integer')"
        " ORDER BY r.point, r.run_id",
        &view, METRIC_PLACE, metric, err);
    if (statement == NULL) {
        return false;
    }
    size_t at = 0;
    struct moments moments = {.count = 0};
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        const int64_t number = sqlite3_column_int64(statement, 0);
        while (at < count && points[at].point < number) {
            at++;
            moments = (struct moments){.count = 0};
        }
        if (at < count && points[at].point == number) {
            moments_add(&moments, sqlite3_column_double(statement, 1));
            points[at].runs = moments.count;
            points[at].value = statistics_mean(&moments, STATISTICS_CONFIDENCE);
        }
    }
    return step == STORE_READ_STEP_DONE;
}

bool store_read_sweep(struct store_read *reader, const char *metric,
                      struct store_read_point **points, size_t *count, struct err *err) {
    const struct store_read_view view = {.run_id = 0};
    double most;
    *count = 0;
    if (!store_read_one(reader, "SELECT count(DISTINCT p.point)" SETTINGS, &view, &most, err)) {
        return false;
    }
    *points = ARENA_ARRAY(&reader->arena, struct store_read_point, (size_t)most + 1, "points", err);
    return *points != NULL &&
           (most < 1 || (read_points(reader, *points, (size_t)most, count, err) &&
                         read_values(reader, metric, *points, *count, err)));
}

/* The first point's runs first: they make a table that the others are looked up in. */
#define PAIRS                                                                                      \
    "WITH value AS MATERIALIZED (SELECT r.point, r.replication, m.value FROM runs AS r"            \
    " JOIN metrics AS m USING (run_id) WHERE m.metric = ?6"                                        \
    " AND typeof(m.value) IN ('real', 'integer')),"                                                \
    " first AS MATERIALIZED (SELECT replication, value FROM value WHERE point = ?1)"               \
    " SELECT value.point, value.value - first.value FROM value JOIN first USING (replication)"     \
    " WHERE value.point <> ?1 ORDER BY value.point, replication"

bool store_read_differences(struct store_read *reader, const char *metric,
                            struct store_read_point *points, size_t count, struct err *err) {
    if (count < 2) {
        return true;
    }
    const struct store_read_view view = {.run_id = points[0].point};
    const double confidence = statistics_each(STATISTICS_CONFIDENCE, (uint32_t)(count - 1));
    sqlite3_stmt *statement =
        store_read_prepare_text(reader, PAIRS, &view, METRIC_PLACE, metric, err);
    if (statement == NULL) {
        return false;
    }
    size_t at = 0;
    struct moments moments = {.count = 0};
    enum store_read_step step;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        const int64_t number = sqlite3_column_int64(statement, 0);
        while (at < count && points[at].point < number) {
            at++;
            moments = (struct moments){.count = 0};
        }
        if (at < count && points[at].point == number) {
            moments_add(&moments, sqlite3_column_double(statement, 1));
            points[at].pairs = moments.count;
            points[at].difference = statistics_mean(&moments, confidence);
        }
    }
    return step == STORE_READ_STEP_DONE;
}
