/* store.h, the rows: from the recorder's figures to the columns of the schema. */
#include "analysis/store.h"

#include "analysis/store_rows.h"
#include "sim/check.h"

#include <inttypes.h>
#include <stdio.h>

#define NS_PER_US 1000.0
#define HASH_TEXT_BYTES 17

_Static_assert(sizeof DDBSIM_VERSION > 1, "the build names the version");

static struct store_value count_value(uint64_t count) {
    SIM_CHECK(count <= INT64_MAX);
    return store_integer((int64_t)count);
}

/* Consumed units come in halves: exact below 2^52. */
static struct store_value consumed_value(int64_t ncu) {
    int64_t half_units = ncu / HALF_UNIT_NCU;
    return store_real((double)half_units / 2.0);
}

static struct store_value level_value(int64_t level_cu) {
    return level_cu == -1 ? store_null() : store_integer(level_cu);
}

static struct store_value burst_value(int64_t level_ncu) {
    return level_ncu == -1 ? store_null() : store_real((double)level_ncu / (double)NCU_PER_CU);
}

/* Of an index: below what is saved. */
static struct store_value debt_value(int64_t debt_ncu) {
    return store_real(-(double)debt_ncu / (double)NCU_PER_CU);
}

static struct store_value seconds_value(sim_ns time_ns) {
    return store_real((double)time_ns / (double)SIM_NS_PER_S);
}

bool store_scenario(struct store *store, const char *name, const char *text, struct err *err) {
    const struct store_value row[] = {store_text(name), store_text(text)};
    return store_insert(store, STORE_SCENARIOS, row, err);
}

bool store_parameter(struct store *store, int64_t run_id, const char *name, const char *value,
                     const char *source, struct err *err) {
    const struct store_value row[] = {
        store_integer(run_id),
        store_text(name),
        store_text(value),
        store_text(source),
    };
    return store_insert(store, STORE_PARAMETERS, row, err);
}

bool store_resource(struct store *store, int64_t run_id, uint16_t resource, const char *table_name,
                    const char *index_name, struct err *err) {
    const struct store_value row[] = {
        store_integer(run_id),
        store_integer(resource),
        store_text(table_name),
        store_text(index_name),
    };
    return store_insert(store, STORE_RESOURCES, row, err);
}

static const char *cause_name(enum partition_cause cause) {
    static const char *const names[] = {
#define CAUSE_NAME(id, name) [PARTITION_##id] = (name),
        PARTITION_CAUSES(CAUSE_NAME)
#undef CAUSE_NAME
    };
    SIM_CHECKF((size_t)cause < sizeof names / sizeof names[0], "partition cause %d", (int)cause);
    return names[cause];
}

bool store_partition(struct store *store, int64_t run_id, uint16_t resource,
                     const struct partition_sample *partition, struct err *err) {
    char hash_lo[HASH_TEXT_BYTES], hash_hi[HASH_TEXT_BYTES];
    char sort_lo[HASH_TEXT_BYTES], sort_hi[HASH_TEXT_BYTES];
    snprintf(hash_lo, sizeof hash_lo, "%016" PRIx64, partition->hash_lo);
    snprintf(hash_hi, sizeof hash_hi, "%016" PRIx64, partition->hash_hi);
    snprintf(sort_lo, sizeof sort_lo, "%016" PRIx64, partition->sort_lo);
    snprintf(sort_hi, sizeof sort_hi, "%016" PRIx64, partition->sort_hi);
    const struct store_value row[] = {
        store_integer(run_id),
        store_integer(resource),
        store_integer(partition->partition_id),
        partition->parent_id == UINT32_MAX ? store_null() : store_integer(partition->parent_id),
        seconds_value(partition->born_ns),
        partition->closed_ns == -1 ? store_null() : seconds_value(partition->closed_ns),
        store_text(cause_name(partition->cause)),
        store_text(hash_lo),
        store_text(hash_hi),
        partition->sort_lo == 0 ? store_null() : store_text(sort_lo),
        partition->sort_hi == UINT64_MAX ? store_null() : store_text(sort_hi),
    };
    return store_insert(store, STORE_PARTITIONS, row, err);
}

static bool store_levels(struct store *store, int64_t run_id, int64_t t_s, uint16_t resource,
                         const struct recorder_resource *of, const struct resource_sample *sample,
                         struct err *err) {
    const struct resource_bin *bin = &of->second;
    const struct store_value row[] = {
        store_integer(run_id),
        store_integer(resource),
        store_integer(t_s),
        consumed_value(bin->consumed_rncu),
        consumed_value(bin->consumed_wncu),
        level_value(sample->provisioned_rcu),
        level_value(sample->provisioned_wcu),
        burst_value(sample->burst_rncu),
        sample->debt_wncu > 0 ? debt_value(sample->debt_wncu) : burst_value(sample->burst_wncu),
        store_integer(sample->partitions),
        of->index_name == NULL ? store_null() : consumed_value(sample->buffered_wncu),
    };
    return store_insert(store, STORE_SECONDS, row, err);
}

static bool store_throttles(struct store *store, int64_t run_id, int64_t t_s, uint16_t resource,
                            const struct resource_bin *bin, struct err *err) {
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        if (bin->events[reason] == 0) {
            continue;
        }
        const struct store_value row[] = {
            store_integer(run_id),
            store_integer(resource),
            store_integer(t_s),
            store_text(throttle_reason_name((enum throttle_reason)reason)),
            count_value(bin->events[reason]),
        };
        if (!store_insert(store, STORE_THROTTLES, row, err)) {
            return false;
        }
    }
    return true;
}

static bool store_partition_seconds(struct store *store, int64_t run_id, int64_t t_s,
                                    uint16_t resource, const struct recorder_resource *from,
                                    struct err *err) {
    for (uint32_t i = 0; i < from->touched_partition_count; i++) {
        uint32_t partition = from->touched_partitions[i];
        const struct partition_bin *bin = &from->partitions[partition];
        const struct store_value row[] = {
            store_integer(run_id),
            store_integer(resource),
            store_integer(partition),
            store_integer(t_s),
            consumed_value(bin->consumed_rncu),
            consumed_value(bin->consumed_wncu),
            count_value(bin->throttled_reads),
            count_value(bin->throttled_writes),
        };
        if (!store_insert(store, STORE_PARTITION_SECONDS, row, err)) {
            return false;
        }
    }
    return true;
}

/* Calls are named by the workload that makes them; a second in which none was made has no row. */
static bool store_operations(struct store *store, int64_t run_id, int64_t t_s,
                             const struct recorder_workload *workload, struct err *err) {
    const struct workload_bin *bin = &workload->second;
    if (bin->offered == 0 && bin->calls == 0 && bin->succeeded == 0 && bin->gave_up == 0 &&
        bin->rejected == 0 && bin->condition_failed == 0) {
        return true;
    }
    const struct store_value row[] = {
        store_integer(run_id),
        store_integer(workload->resource),
        store_text(workload->name),
        store_text(ddb_operation_name((enum ddb_operation)workload->operation)),
        store_integer(t_s),
        count_value(bin->calls),
        count_value(bin->attempts),
        count_value(bin->calls - bin->throttled_calls - bin->errored_calls),
        count_value(bin->throttled_calls),
        count_value(bin->gave_up),
    };
    return store_insert(store, STORE_OPERATIONS, row, err);
}

bool store_second(struct store *store, int64_t run_id, const struct recorder *recorder,
                  const struct resource_sample *samples, struct err *err) {
    int64_t t_s = recorder->second;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct recorder_resource *resource = &recorder->resources[i];
        if (!store_levels(store, run_id, t_s, (uint16_t)i, resource, &samples[i], err) ||
            !store_throttles(store, run_id, t_s, (uint16_t)i, &resource->second, err) ||
            !store_partition_seconds(store, run_id, t_s, (uint16_t)i, resource, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < recorder->workload_count; i++) {
        if (!store_operations(store, run_id, t_s, &recorder->workloads[i], err)) {
            return false;
        }
    }
    return true;
}

bool store_key_minute(struct store *store, int64_t run_id, const struct key_minute *row,
                      const char *key, struct err *err) {
    const struct store_value values[] = {
        store_integer(run_id),
        store_integer(row->resource),
        store_integer(row->t_s),
        store_text(key),
        store_text(row->throttled ? "throttled" : "accessed"),
        store_real((double)row->half_units / 2.0),
    };
    return store_insert(store, STORE_KEY_MINUTES, values, err);
}

bool store_key(struct store *store, int64_t run_id, uint16_t resource, const char *key,
               const struct key_counters *counters, struct err *err) {
    const struct store_value row[] = {
        store_integer(run_id),
        store_integer(resource),
        store_text(key),
        count_value(counters->reads),
        count_value(counters->writes),
        consumed_value(counters->consumed_rncu),
        consumed_value(counters->consumed_wncu),
        count_value(counters->throttled_reads),
        count_value(counters->throttled_writes),
    };
    return store_insert(store, STORE_KEYS, row, err);
}

bool store_ring(struct store *store, int64_t run_id, uint16_t resource,
                const struct ring_grid *grid, struct err *err) {
    for (uint32_t i = 0; i < (grid->span + 1) * RING_GRID_SLICES; i++) {
        const struct ring_cell *cell = &grid->cells[i];
        if ((cell->half_rcu | cell->half_wcu | cell->throttled_reads | cell->throttled_writes) ==
            0) {
            continue;
        }
        const struct store_value row[] = {
            store_integer(run_id),
            store_integer(resource),
            store_integer(i / RING_GRID_SLICES * grid->span_s),
            store_integer(grid->span_s),
            store_integer(i % RING_GRID_SLICES),
            store_real((double)cell->half_rcu / 2.0),
            store_real((double)cell->half_wcu / 2.0),
            count_value(cell->throttled_reads),
            count_value(cell->throttled_writes),
        };
        if (!store_insert(store, STORE_RING_SECONDS, row, err)) {
            return false;
        }
    }
    return true;
}

bool store_event(struct store *store, int64_t run_id, double t_s, uint16_t resource,
                 const char *kind, const char *detail, struct err *err) {
    const struct store_value row[] = {
        store_integer(run_id), store_real(t_s),    store_integer(resource),
        store_text(kind),      store_text(detail),
    };
    return store_insert(store, STORE_EVENTS, row, err);
}

static bool store_latencies(struct store *store, int64_t run_id, const struct recorder *recorder,
                            struct err *err) {
    for (int operation = 0; operation < DDB_OPERATION_COUNT; operation++) {
        uint32_t cursor = 0;
        struct latency_bucket bucket;
        while (latency_histogram_next(&recorder->latencies[operation], &cursor, &bucket)) {
            const struct store_value row[] = {
                store_integer(run_id),
                store_text(ddb_operation_name((enum ddb_operation)operation)),
                store_real((double)bucket.le_ns / NS_PER_US),
                count_value(bucket.count),
            };
            if (!store_insert(store, STORE_LATENCIES, row, err)) {
                return false;
            }
        }
    }
    return true;
}

bool store_point(struct store *store, uint64_t point, const char *parameters, struct err *err) {
    const struct store_value row[] = {count_value(point), store_text(parameters)};
    return store_insert(store, STORE_POINTS, row, err);
}

bool store_part(struct store *store, uint64_t part, uint64_t part_count, uint64_t points,
                const char *plan, struct err *err) {
    const struct store_value row[] = {count_value(part), count_value(part_count),
                                      count_value(points), store_text(plan)};
    return store_insert(store, STORE_PARTS, row, err);
}

bool store_metric(struct store *store, int64_t run_id, const char *metric, double value,
                  struct err *err) {
    const struct store_value row[] = {store_integer(run_id), store_text(metric), store_real(value)};
    return store_insert(store, STORE_METRICS, row, err);
}

bool store_failure(struct store *store, uint64_t point, uint64_t replication, const char *message,
                   struct err *err) {
    const struct store_value row[] = {count_value(point), count_value(replication),
                                      store_text(message)};
    return store_insert(store, STORE_FAILURES, row, err);
}

bool store_run_row(struct store *store, const struct store_run_row *run, struct err *err) {
    const struct workload_bin *total = run->total;
    char seed[24]; /* SQLite's integers end at 2^63 - 1; a larger seed stays exact as a text */
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    const struct store_value row[] = {
        store_integer(run->run_id),
        store_text(run->scenario),
        count_value(run->point),
        run->seed <= INT64_MAX ? store_integer((int64_t)run->seed) : store_text(seed),
        count_value(run->replication),
        store_real(run->duration_s),
        store_text(run->digest),
        store_text(run->arrivals_digest),
        store_text(DDBSIM_VERSION),
        count_value(total->offered),
        count_value(total->succeeded),
        count_value(total->condition_failed),
        count_value(total->rejected),
        count_value(total->gave_up),
        count_value(run->in_flight),
        count_value(total->unprocessed),
        count_value(total->attempts),
        count_value(total->admitted),
        count_value(total->throttled),
        count_value(total->errored),
    };
    return store_insert(store, STORE_RUNS, row, err);
}

bool store_timing(struct store *store, int64_t run_id, double wall_s, double requests_per_wall_s,
                  uint64_t peak_rss_bytes, struct err *err) {
    const struct store_value row[] = {
        store_integer(run_id),
        store_real(wall_s),
        store_real(requests_per_wall_s),
        count_value(peak_rss_bytes),
    };
    return store_insert(store, STORE_TIMINGS, row, err);
}

/* The single point of a run without a sweep. */
static bool store_only_point(struct store *store, struct err *err) {
    if (store->has_point) {
        return true;
    }
    store->has_point = true;
    return store_point(store, 0, "{}", err);
}

bool store_run(struct store *store, int64_t run_id, const struct summary *summary,
               const struct recorder *recorder, struct err *err) {
    const struct store_run_row row = {
        .run_id = run_id,
        .scenario = summary->scenario,
        .seed = summary->seed,
        .replication = summary->replication,
        .duration_s = summary->duration_s,
        .digest = summary->digest,
        .arrivals_digest = summary->arrivals_digest,
        .total = &summary->total,
        .in_flight = summary->in_flight,
    };
    const struct store_value verdict[] = {store_integer(run_id), store_text(summary->verdict)};
    return store_only_point(store, err) && store_run_row(store, &row, err) &&
           store_insert(store, STORE_VERDICTS, verdict, err) &&
           store_latencies(store, run_id, recorder, err) &&
           store_timing(store, run_id, summary->wall_s, summary->requests_per_wall_s,
                        summary->peak_rss_bytes, err);
}
