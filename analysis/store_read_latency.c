/* Latencies of a run, operation by operation. */
#include "analysis/store_read_latency.h"

#include "analysis/store_read_query.h"
#include "sim/check.h"

#include <stdlib.h>
#include <string.h>

#define VALID                                                                                      \
    " FROM latencies WHERE run_id = ?1 AND typeof(le_us) IN ('real', 'integer') AND le_us >= 0"    \
    " AND le_us < 1e300 AND typeof(requests) = 'integer' AND requests > 0"

/* A row of the statement behind those that are there; there is room for it. */
static bool add_row(struct store_read *reader, sqlite3_stmt *statement,
                    struct store_read_operation *rows, size_t *count,
                    struct store_read_latency *bucket, struct err *err) {
    const char *name = store_read_peek_text(statement, 0, err);
    struct store_read_operation *row = *count == 0 ? NULL : &rows[*count - 1];
    if (name == NULL) {
        return false;
    }
    double before = 0;
    if (row == NULL || strcmp(row->name, name) != 0) {
        row = &rows[(*count)++];
        *row = (struct store_read_operation){.buckets = bucket};
        row->name = store_read_text(reader, statement, 0, err);
        if (row->name == NULL) {
            return false;
        }
    } else {
        before = row->buckets[row->bucket_count - 1].up_to;
    }
    bucket->le_us = store_read_number(statement, 1, 0);
    bucket->up_to = before + store_read_number(statement, 2, 1);
    row->bucket_count++;
    return true;
}

static int by_requests(const void *left, const void *right) {
    const struct store_read_operation *a = left, *b = right;
    double difference = store_read_latency_requests(b) - store_read_latency_requests(a);
    return difference > 0 ? 1 : difference < 0 ? -1 : strcmp(a->name, b->name);
}

bool store_read_latencies(struct store_read *reader, const struct store_read_run *run,
                          struct store_read_operation **rows, size_t *count, double *gave_up,
                          struct err *err) {
    const struct store_read_view view = {.run_id = run->run_id};
    double buckets;
    *count = 0;
    if (!store_read_one(reader, "SELECT gave_up FROM runs WHERE run_id = ?1", &view, gave_up,
                        err) ||
        !store_read_one(reader, "SELECT count(*)" VALID, &view, &buckets, err)) {
        return false;
    }
    /* An operation has a bucket at least. */
    *rows = ARENA_ARRAY(&reader->arena, struct store_read_operation, (size_t)buckets, "operations",
                        err);
    struct store_read_latency *bucket = *rows == NULL
                                            ? NULL
                                            : ARENA_ARRAY(&reader->arena, struct store_read_latency,
                                                          (size_t)buckets, "latencies", err);
    sqlite3_stmt *statement =
        bucket == NULL ? NULL
                       : store_read_prepare(reader,
                                            "SELECT operation, le_us, sum(requests)" VALID
                                            " AND operation IS NOT NULL"
                                            " GROUP BY operation, le_us ORDER BY operation, le_us",
                                            &view, err);
    if (statement == NULL) {
        return false;
    }
    enum store_read_step step;
    const struct store_read_latency *end = bucket + (size_t)buckets;
    while ((step = store_read_next(reader, statement, err)) == STORE_READ_STEP_ROW) {
        if (bucket == end) {
            continue; /* somebody is writing */
        }
        if (!add_row(reader, statement, *rows, count, bucket++, err)) {
            sqlite3_finalize(statement);
            return false;
        }
    }
    if (*count > 1) {
        qsort(*rows, *count, sizeof **rows, by_requests);
    }
    return step == STORE_READ_STEP_DONE;
}

double store_read_latency_requests(const struct store_read_operation *row) {
    return row->buckets[row->bucket_count - 1].up_to;
}

double store_read_latency_us(const struct store_read_operation *row, double fraction) {
    SIM_CHECK(fraction > 0 && fraction <= 1);
    double rank = fraction * store_read_latency_requests(row);
    size_t i = 0;
    while (i + 1 < row->bucket_count && row->buckets[i].up_to < rank) {
        i++;
    }
    return row->buckets[i].le_us;
}
