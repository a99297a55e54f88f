#include "experiments/simulation_parts.h"

#include "analysis/cost.h"
#include "analysis/verdict.h"
#include "models/spec.h"
#include "workloads/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* The rows of a list as parameters SECTION.NAME. */
static bool store_rows(struct simulation *simulation, const char *section,
                       const struct parameter_row *rows, size_t count, const void *values,
                       uint64_t given, struct err *err) {
    for (size_t i = 0; i < count; i++) {
        char name[64];
        char value[VALUE_TEXT_BYTES];
        (void)snprintf(name, sizeof(name), "%s.%s", section, rows[i].name);
        value_print_parameter(&rows[i], parameter_get(values, &rows[i]), value);
        const bool was_set = (given >> i & 1) != 0;
        if (!store_parameter(simulation->config.store, simulation->config.run_id, name, value,
                             was_set ? "scenario" : rows[i].source, err)) {
            return false;
        }
    }
    return true;
}

static bool store_parameters(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    struct store *store = simulation->config.store;
    int64_t run_id = simulation->config.run_id;
    for (uint32_t i = 0; i < scenario->parameter_count; i++) {
        const struct scenario_parameter *parameter = &scenario->parameters[i];
        if (!store_parameter(store, run_id, parameter->name, parameter->value, parameter->source,
                             err)) {
            return false;
        }
    }
    size_t count, price_count;
    const struct parameter_row *rows = model_parameter_rows(&count);
    const struct parameter_row *prices = pricing_rows(&price_count);
    return store_rows(simulation, "model", rows, count, &scenario->model, scenario->model_set,
                      err) &&
           store_rows(simulation, "pricing", prices, price_count, &scenario->pricing,
                      scenario->pricing_set, err);
}

bool simulation_store_start(struct simulation *simulation, struct err *err) {
    struct store *store = simulation->config.store;
    int64_t run_id = simulation->config.run_id;
    if (!store_parameters(simulation, err)) {
        return false;
    }
    for (uint32_t i = 0; i < simulation->recorder.resource_count; i++) {
        const struct recorder_resource *resource = &simulation->recorder.resources[i];
        if (!store_resource(store, run_id, (uint16_t)i, resource->table_name, resource->index_name,
                            err)) {
            return false;
        }
    }
    return true;
}

/* Units as Contributor Insights weighs them: 3 W + R. */
static uint64_t accessed_units(const struct key_counters *key) {
    return (uint64_t)key->consumed_rncu + 3 * (uint64_t)key->consumed_wncu;
}

static uint64_t refused(const struct key_counters *key) {
    return key->throttled_reads + key->throttled_writes;
}

/* Keeps the SUMMARY_HOTTEST_KEYS largest weights, most first; equal ones by first use. */
static void keep_top(struct summary_key *top, uint64_t *weights, uint32_t *count, uint64_t weight,
                     const struct summary_key *candidate) {
    if (weight == 0 ||
        (*count == SUMMARY_HOTTEST_KEYS && weight <= weights[SUMMARY_HOTTEST_KEYS - 1])) {
        return;
    }
    uint32_t at = *count < SUMMARY_HOTTEST_KEYS ? (*count)++ : SUMMARY_HOTTEST_KEYS - 1;
    for (; at > 0 && weights[at - 1] < weight; at--) {
        top[at] = top[at - 1];
        weights[at] = weights[at - 1];
    }
    top[at] = *candidate;
    weights[at] = weight;
}

static uint64_t refused_by(const struct partition_bin *bin) {
    return bin->throttled_reads + bin->throttled_writes;
}

/* Of the partitions that a key has had, the one that refused most; else the one it has now. */
static void place_key(const struct simulation *simulation, struct summary_key *key) {
    const struct recorder_resource *resource = &simulation->recorder.resources[key->resource];
    if (resource->partition_count > resource->first_sample.partitions) {
        for (uint32_t i = 0; i < resource->partition_count; i++) {
            if (refused_by(&resource->partition_totals[i]) >
                    refused_by(&resource->partition_totals[key->partition]) &&
                service_partition_holds(&simulation->service, key->resource, i, key->key)) {
                key->partition = i;
            }
        }
    }
    key->partition_total = &resource->partition_totals[key->partition];
    key->partition_refusals = &resource->partition_refusals[key->partition];
}

static bool name_keys(struct simulation *simulation, struct summary_key *keys, uint32_t count,
                      struct err *err) {
    char name[SIMULATION_KEY_NAME_BYTES];
    for (uint32_t i = 0; i < count; i++) {
        place_key(simulation, &keys[i]);
        if (!simulation_key_name(simulation, keys[i].resource, keys[i].key, name, sizeof(name),
                                 err)) {
            return false;
        }
        keys[i].name = arena_strdup(&simulation->arena, name, err);
        if (keys[i].name == NULL) {
            return false;
        }
    }
    return true;
}

static bool summarise_keys(struct simulation *simulation, uint32_t table,
                           struct summary_resource *summary, struct err *err) {
    const struct recorder_resource *resource = &simulation->recorder.resources[table];
    uint64_t hottest[SUMMARY_HOTTEST_KEYS];
    uint64_t throttled[SUMMARY_HOTTEST_KEYS];
    for (uint32_t key = 0; key < resource->keys.count; key++) {
        const struct key_counters counters = recorder_key(resource, key);
        if (accessed_units(&counters) == 0 && refused(&counters) == 0) {
            continue; /* drawn for an arrival that did not come before the end */
        }
        summary->keys++;
        summary->throttled_keys += refused(&counters) > 0;
        struct summary_key candidate = {
            .resource = (uint16_t)table,
            .key = key,
            .partition = service_key_partition(&simulation->service, table, key),
            .counters = counters,
        };
        keep_top(summary->hottest, hottest, &summary->hottest_count, accessed_units(&counters),
                 &candidate);
        keep_top(summary->throttled, throttled, &summary->throttled_count, refused(&counters),
                 &candidate);
    }
    return name_keys(simulation, summary->hottest, summary->hottest_count, err) &&
           name_keys(simulation, summary->throttled, summary->throttled_count, err);
}

static double milliseconds(sim_ns latency_ns) {
    return latency_ns < 0 ? -1 : (double)latency_ns / (double)SIM_NS_PER_MS;
}

static void summarise_lags(const struct recorder_resource *resource,
                           struct summary_resource *summary) {
    summary->lag_ms_p99 = summary->lag_ms_max = -1;
    if (resource->index_name != NULL) {
        summary->lag_ms_p99 = milliseconds(latency_histogram_quantile_ns(&resource->lags, 0.99));
        summary->lag_ms_max = milliseconds(latency_histogram_quantile_ns(&resource->lags, 1.0));
    }
}

static bool summarise_resource(struct simulation *simulation, uint32_t table,
                               struct summary_resource *summary, struct err *err) {
    const struct recorder_resource *resource = &simulation->recorder.resources[table];
    *summary = (struct summary_resource){
        .table_name = resource->table_name,
        .index_name = resource->index_name,
        .total = &resource->total,
        .parts = &resource->parts,
        .directions = resource->directions,
        .first_sample = resource->first_sample,
        .last_sample = resource->last_sample,
        .partitions_start = resource->first_sample.partitions,
        .partitions_end = resource->last_sample.partitions,
        .provisioned_rcu = resource->last_sample.provisioned_rcu,
        .provisioned_wcu = resource->last_sample.provisioned_wcu,
        .part_max_r = simulation->config.scenario->model.part_max_r,
        .part_max_w = simulation->config.scenario->model.part_max_w,
        .first_throttle_s = resource->first_throttle_s,
        .last_throttle_s = resource->last_throttle_s,
        .throttled_seconds = resource->throttled_seconds,
        .attempts_in_throttled_seconds = resource->offered_in_throttled_seconds,
        .admitted_in_throttled_seconds = resource->admitted_in_throttled_seconds,
    };
    for (uint32_t i = 0; i < resource->partition_count; i++) {
        summary->throttled_partitions += refused_by(&resource->partition_totals[i]) > 0;
    }
    simulation_summarise_splits(simulation, table, &summary->splits);
    simulation_summarise_collections(simulation, table, summary);
    summarise_lags(resource, summary);
    return summarise_keys(simulation, table, summary, err);
}

static bool summarise_latencies(struct simulation *simulation, struct summary *summary,
                                struct err *err) {
    struct latency_histogram all;
    if (!latency_histogram_init(&all, &simulation->arena, err)) {
        return false;
    }
    for (uint32_t i = 0; i < DDB_OPERATION_COUNT; i++) {
        latency_histogram_merge(&all, &simulation->recorder.latencies[i]);
    }
    summary->latency_ms_p50 = milliseconds(latency_histogram_quantile_ns(&all, 0.5));
    summary->latency_ms_p99 = milliseconds(latency_histogram_quantile_ns(&all, 0.99));
    summary->latency_ms_max = all.total == 0 ? -1 : milliseconds(all.max_ns);
    return true;
}

/* What its indexes may be behind by. */
static int64_t index_limit_wcu(const struct simulation *simulation, const struct summary *summary,
                               const struct summary_resource *index) {
    const struct model_parameters *model = &simulation->config.scenario->model;
    int64_t partitions = 0;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct summary_resource *table = &summary->resources[i];
        if (table->index_name == NULL && strcmp(table->table_name, index->table_name) == 0) {
            partitions = table->partitions_end;
        }
    }
    return index->index_name == NULL || model->gsi_block_scope == GSI_BLOCK_NONE
               ? -1
               : partitions * model->gsi_buffer_units;
}

static void summarise_resources(struct simulation *simulation, struct summary *summary) {
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        struct summary_resource *resource = &summary->resources[i];
        resource->index_limit_wcu = index_limit_wcu(simulation, summary, resource);
        summary->consumed_rncu += resource->total->consumed_rncu;
        summary->consumed_wncu += resource->total->consumed_wncu;
        for (uint32_t reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
            summary->events[reason] += resource->total->events[reason];
        }
        if (resource->first_throttle_s >= 0 &&
            (summary->first_throttle_s < 0 ||
             resource->first_throttle_s < summary->first_throttle_s)) {
            summary->first_throttle_s = resource->first_throttle_s;
        }
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        summary->closed_loop |= simulation->workloads[i].spec->arrivals == ARRIVALS_CLOSED;
    }
}

/* One digest over the workloads' digests, in their order. */
static void summarise_arrivals(struct simulation *simulation, struct summary *summary) {
    struct hash128 hash = {0, 0};
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        char text[2 * DIGEST_TEXT_BYTES + 2];
        char digest[DIGEST_TEXT_BYTES];
        generator_digest_text(&simulation->workloads[i].generator, digest);
        char before[HASH128_TEXT_BYTES];
        hash128_text(hash, before);
        int length = snprintf(text, sizeof(text), "%s%s", before, digest);
        hash = hash128(text, (size_t)length, 0);
    }
    hash128_text(hash, summary->arrivals_digest);
}

static void summarise_timings(const struct simulation *simulation, struct summary *summary) {
    struct timespec now;
    struct rusage usage;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    (void)getrusage(RUSAGE_SELF, &usage);
    summary->wall_s = (double)(now.tv_sec - simulation->wall_start.tv_sec) +
                      (double)(now.tv_nsec - simulation->wall_start.tv_nsec) / 1e9;
    summary->requests_per_wall_s =
        summary->wall_s > 0 ? (double)simulation->attempts / summary->wall_s : 0;
    summary->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
}

static void summarise_costs(const struct simulation *simulation, struct summary *summary) {
    const struct recorder *recorder = &simulation->recorder;
    if (!cost_of(recorder, COST_ALL, &summary->bill)) {
        return;
    }
    summary->pricing = recorder->pricing;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        summary->resources[i].use = recorder->resources[i].use;
        (void)cost_of(recorder, (int)i, &summary->resources[i].bill);
    }
}

static void summarise_updates(const struct simulation *simulation, struct summary *summary) {
    for (uint32_t i = 0; i < service_event_count(&simulation->service); i++) {
        const struct model_event *event = service_event(&simulation->service, i);
        if (event->kind == MODEL_EVENT_UPDATE_REFUSED && summary->refused_updates++ == 0) {
            const enum change_answer answer = (enum change_answer)event->numbers[0];
            summary->refused_update_s = (double)event->at_ns / (double)SIM_NS_PER_S;
            summary->refused_update_exception = capacity_change_exception(answer);
            summary->refused_update_rule = capacity_change_rule(answer);
        }
    }
}

static void summarise_leaders(const struct simulation *simulation, struct summary *summary) {
    summary->leaderless_attempts = service_leaderless_attempts(&simulation->service);
    for (uint32_t i = 0; i < service_event_count(&simulation->service); i++) {
        const struct model_event *event = service_event(&simulation->service, i);
        summary->nodes_lost += event->kind == MODEL_EVENT_NODE_LOST;
        if (event->kind == MODEL_EVENT_LEADER_LOST && summary->leaders_lost++ == 0) {
            summary->leader_resource = event->resource;
            summary->leader_partition = (uint32_t)event->numbers[0];
            summary->leader_lost_s = (double)event->at_ns / (double)SIM_NS_PER_S;
            summary->leader_gap_s =
                (double)(event->numbers[1] - event->at_ns) / (double)SIM_NS_PER_S;
        }
    }
}

static bool summarise(struct simulation *simulation, struct summary *summary, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    *summary = (struct summary){
        .scenario = scenario->name,
        .era = (enum model_era)scenario->model.era,
        .seed = simulation->config.seed,
        .replication = simulation->config.replication,
        .duration_s = (double)simulation->duration_ns / (double)SIM_NS_PER_S,
        .total = simulation->recorder.total,
        .in_flight = simulation->recorder.in_flight,
        .first_throttle_s = -1,
        .client_objects = scenario->client.count,
        .connections = scenario->client.connections,
        .attempts_max = scenario->client.retry.attempts_max,
        .resource_count = simulation->recorder.resource_count,
        .resources = ARENA_ARRAY(&simulation->arena, struct summary_resource,
                                 simulation->recorder.resource_count, "summary", err),
        .workloads = simulation->recorder.workloads,
        .workload_count = simulation->workload_count,
        .notes = scenario->notes,
        .note_count = scenario->note_count,
    };
    if (summary->resources == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (!summarise_resource(simulation, i, &summary->resources[i], err)) {
            return false;
        }
    }
    summarise_resources(simulation, summary);
    summarise_leaders(simulation, summary);
    summarise_updates(simulation, summary);
    summarise_costs(simulation, summary);
    digest_text(&simulation->recorder.digest, summary->digest);
    summarise_arrivals(simulation, summary);
    return summarise_latencies(simulation, summary, err);
}

static bool store_keys(struct simulation *simulation, uint16_t number, struct err *err) {
    struct store *store = simulation->config.store;
    const int64_t run_id = simulation->config.run_id;
    const struct recorder_resource *resource = &simulation->recorder.resources[number];
    char name[SIMULATION_KEY_NAME_BYTES];
    for (uint32_t key = 0; key < resource->keys.count; key++) {
        const struct key_counters counters = recorder_key(resource, key);
        if (accessed_units(&counters) == 0 && refused(&counters) == 0) {
            continue;
        }
        if (!simulation_key_name(simulation, number, key, name, sizeof(name), err) ||
            !store_key(store, run_id, number, name, &counters, err)) {
            return false;
        }
    }
    return true;
}

static bool store_partitions(struct simulation *simulation, uint16_t resource, struct err *err) {
    for (uint32_t i = 0; i < service_partition_count(&simulation->service, resource); i++) {
        struct partition_sample partition;
        service_partition(&simulation->service, resource, i, &partition);
        if (!store_partition(simulation->config.store, simulation->config.run_id, resource,
                             &partition, err)) {
            return false;
        }
    }
    return true;
}

/* Partitions, keys, ring and the run itself: what is only known at the end. */
static bool store_end(struct simulation *simulation, const struct summary *summary,
                      struct err *err) {
    struct store *store = simulation->config.store;
    const int64_t run_id = simulation->config.run_id;
    for (uint32_t i = 0; i < simulation->recorder.resource_count; i++) {
        const uint16_t number = (uint16_t)i;
        const struct ring_grid *grid = &simulation->recorder.resources[i].grid;
        if (!store_partitions(simulation, number, err) ||
            !store_ring(store, run_id, number, grid, err) || !store_keys(simulation, number, err)) {
            return false;
        }
    }
    return store_run(store, run_id, summary, &simulation->recorder, err);
}

static uint32_t watched_resource(const struct metric_query *query) {
    return query->resource == METRIC_ANY ? 0 : (uint32_t)query->resource;
}

/* Finds the keys that watches name. */
static bool resolve_watch_keys(struct simulation *simulation, struct err *err) {
    char name[SIMULATION_KEY_NAME_BYTES];
    for (uint32_t i = 0; i < simulation->config.watch_count; i++) {
        const struct metric_query *query = &simulation->config.watches[i].query;
        if (query->key == NULL) {
            continue;
        }
        simulation->watch_keys[i] = SIMULATION_NONE;
        const uint32_t table = watched_resource(query);
        const struct grow_array *keys = &simulation->recorder.resources[table].keys;
        for (uint32_t key = 0; key < keys->count && simulation->watch_keys[i] == SIMULATION_NONE;
             key++) {
            if (!simulation_key_name(simulation, table, key, name, sizeof(name), err)) {
                return false;
            }
            if (strcmp(name, query->key) == 0) {
                simulation->watch_keys[i] = key;
            }
        }
    }
    return true;
}

bool simulation_finish(struct simulation *simulation, struct summary *summary, struct err *err) {
    uint64_t in_flight = 0;
    pipeline_stop(simulation->pipeline); /* the generators are ours again */
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        in_flight += simulation->workloads[i].open_operations;
    }
    simulation->recorder.duration_ns = simulation->duration_ns;
    recorder_finish(&simulation->recorder, in_flight);
    simulation_check_indexes(simulation);
    if (!summarise(simulation, summary, err) || !resolve_watch_keys(simulation, err)) {
        return false;
    }
    verdict_write(summary);
    summarise_timings(simulation, summary);
    return simulation->config.store == NULL || store_end(simulation, summary, err);
}

double simulation_watch_value(const struct simulation *simulation, uint32_t watch) {
    SIM_CHECK(watch < simulation->config.watch_count);
    const struct metric_watch *of = &simulation->config.watches[watch];
    const uint32_t key = simulation->watch_keys[watch];
    if (of->query.key == NULL || key == SIMULATION_NONE) {
        return metric_watch_value(of, &simulation->recorder, NULL);
    }
    const struct key_counters counters =
        recorder_key(&simulation->recorder.resources[watched_resource(&of->query)], key);
    return metric_watch_value(of, &simulation->recorder, &counters);
}
