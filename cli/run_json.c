#include "cli/run_report.h"

#include "analysis/words.h"
#include "cli/json.h"

#include <math.h>
#include <string.h>

static void put_uint64(struct json *json, const char *key, uint64_t value) {
    json_key(json, key);
    json_uint64(json, value);
}

static void put_ncu(struct json *json, const char *key, int64_t ncu) {
    json_key(json, key);
    json_ncu(json, ncu);
}

static void put_string(struct json *json, const char *key, const char *text) {
    json_key(json, key);
    json_string(json, text);
}

static void put_double(struct json *json, const char *key, double value) {
    json_key(json, key);
    json_double(json, value);
}

static void put_counts(struct json *json, const struct summary *summary) {
    const struct workload_bin *total = &summary->total;
    put_uint64(json, "offered", total->offered);
    put_uint64(json, "succeeded", total->succeeded);
    put_uint64(json, "condition_failed", total->condition_failed);
    put_uint64(json, "rejected", total->rejected);
    put_uint64(json, "gave_up", total->gave_up);
    put_uint64(json, "in_flight", summary->in_flight);
    put_uint64(json, "unprocessed", total->unprocessed);
    put_uint64(json, "attempts", total->attempts);
    put_uint64(json, "admitted", total->admitted);
    put_uint64(json, "throttled", total->throttled);
    put_uint64(json, "errored", total->errored);
    put_double(json, "throttled_share",
               words_share((double)total->throttled, (double)total->attempts));
    put_double(json, "failed_share", words_share((double)total->gave_up, (double)total->offered));
    put_ncu(json, "consumed_rcu", summary->consumed_rncu);
    put_ncu(json, "consumed_wcu", summary->consumed_wncu);
}

static void put_reasons(struct json *json, const struct summary *summary) {
    json_key(json, "reasons");
    json_begin(json, '{');
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        if (summary->events[reason] > 0) {
            put_uint64(json, throttle_reason_name((enum throttle_reason)reason),
                       summary->events[reason]);
        }
    }
    json_end(json, '}');
    json_key(json, "first_throttle_s");
    if (summary->first_throttle_s < 0) {
        json_null(json);
    } else {
        json_int64(json, summary->first_throttle_s);
    }
}

static void put_latency(struct json *json, const struct summary *summary) {
    json_key(json, "latency_ms");
    json_begin(json, '{');
    put_double(json, "p50", summary->latency_ms_p50 < 0 ? NAN : summary->latency_ms_p50);
    put_double(json, "p99", summary->latency_ms_p99 < 0 ? NAN : summary->latency_ms_p99);
    put_double(json, "max", summary->latency_ms_max < 0 ? NAN : summary->latency_ms_max);
    json_end(json, '}');
}

static uint64_t throttle_events(const struct resource_bin *bin) {
    uint64_t events = 0;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        events += bin->events[reason];
    }
    return events;
}

static void put_resource(struct json *json, const struct summary_resource *resource) {
    put_string(json, "name",
               resource->index_name == NULL ? resource->table_name : resource->index_name);
    put_ncu(json, "consumed_rcu", resource->total->consumed_rncu);
    put_ncu(json, "consumed_wcu", resource->total->consumed_wncu);
    put_uint64(json, "throttle_events", throttle_events(resource->total));
    put_uint64(json, "partitions_start", resource->partitions_start);
    put_uint64(json, "partitions_end", resource->partitions_end);
}

static void put_index(struct json *json, const struct summary_resource *index) {
    json_begin(json, '{');
    put_resource(json, index);
    put_uint64(json, "index_writes", index->total->index_writes);
    put_ncu(json, "buffered_wcu", index->last_sample.buffered_wncu);
    put_ncu(json, "debt_wcu", index->last_sample.debt_wncu);
    put_double(json, "lag_ms_p99", index->lag_ms_p99 < 0 ? NAN : index->lag_ms_p99);
    put_double(json, "lag_ms_max", index->lag_ms_max < 0 ? NAN : index->lag_ms_max);
    json_end(json, '}');
}

/* Tables, each with its indexes: those are resources that name a table and an index. */
static void put_tables(struct json *json, const struct summary *summary) {
    json_key(json, "tables");
    json_begin(json, '[');
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct summary_resource *table = &summary->resources[i];
        if (table->index_name != NULL) {
            continue;
        }
        json_begin(json, '{');
        put_resource(json, table);
        json_key(json, "indexes");
        json_begin(json, '[');
        for (uint32_t k = 0; k < summary->resource_count; k++) {
            const struct summary_resource *index = &summary->resources[k];
            if (index->index_name != NULL && strcmp(index->table_name, table->table_name) == 0) {
                put_index(json, index);
            }
        }
        json_end(json, ']');
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void put_hottest(struct json *json, const struct summary *summary) {
    json_key(json, "hottest_keys");
    json_begin(json, '[');
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct summary_resource *resource = &summary->resources[i];
        for (uint32_t k = 0; k < resource->hottest_count; k++) {
            const struct summary_key *key = &resource->hottest[k];
            json_begin(json, '{');
            put_string(json, "table", resource->table_name);
            put_string(json, "index", resource->index_name);
            put_string(json, "key", key->name);
            put_uint64(json, "partition", key->partition);
            put_uint64(json, "reads", key->counters.reads);
            put_uint64(json, "writes", key->counters.writes);
            put_ncu(json, "consumed_rcu", key->counters.consumed_rncu);
            put_ncu(json, "consumed_wcu", key->counters.consumed_wncu);
            put_uint64(json, "throttled_reads", key->counters.throttled_reads);
            put_uint64(json, "throttled_writes", key->counters.throttled_writes);
            json_end(json, '}');
        }
    }
    json_end(json, ']');
}

void run_report_json(FILE *out, const struct summary *summary) {
    struct json json = {.out = out};
    json_begin(&json, '{');
    put_string(&json, "scenario", summary->scenario);
    put_uint64(&json, "seed", summary->seed);
    put_uint64(&json, "replication", summary->replication);
    put_string(&json, "digest", summary->digest);
    put_string(&json, "arrivals_digest", summary->arrivals_digest);
    put_double(&json, "duration_s", summary->duration_s);
    put_counts(&json, summary);
    put_reasons(&json, summary);
    put_latency(&json, summary);
    put_tables(&json, summary);
    put_hottest(&json, summary);
    run_report_cost_json(&json, summary);
    put_string(&json, "verdict", summary->verdict);
    put_double(&json, "wall_s", summary->wall_s);
    put_double(&json, "requests_per_wall_s", summary->requests_per_wall_s);
    put_uint64(&json, "peak_rss_bytes", summary->peak_rss_bytes);
    json_end(&json, '}');
    fputc('\n', out);
}
