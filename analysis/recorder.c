#include "analysis/recorder.h"

#include "analysis/recorder_parts.h"
#include "sim/check.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK_KEYS (UINT32_C(1) << RECORDER_CHUNK_SHIFT)
#define CARRIES_CHUNK 64
#define SPAN_MAX (DIGEST_BUFFER_WORDS / OUTCOME_WORDS)

static bool init_resource(struct recorder *recorder, struct recorder_resource *resource,
                          const struct recorder_resource_config *config, struct err *err) {
    struct arena *arena = &recorder->arena;
    *resource = (struct recorder_resource){
        .partition_count = config->partition_count,
        .partition_capacity = config->partition_count,
        .first_throttle_s = -1,
        .last_throttle_s = -1,
        .use = {.bytes = config->stored_bytes},
    };
    for (int direction = 0; direction < RECORDER_DIRECTIONS; direction++) {
        struct recorder_direction *of = &resource->directions[direction];
        for (int limit = 0; limit < RECORDER_LIMITS; limit++) {
            of->limits[limit].first_s = -1;
            of->limits[limit].last_s = -1;
        }
        of->burst_gone_s = -1;
        of->burst_full_s = -1;
    }
    resource->table_name = arena_strdup(arena, config->table_name, err);
    if (config->index_name != NULL) {
        resource->index_name = arena_strdup(arena, config->index_name, err);
    }
    resource->partitions = arena_array(arena, config->partition_count, sizeof(struct partition_bin),
                                       CACHE_LINE_BYTES, "partitions' seconds", err);
    resource->partition_totals = ARENA_ARRAY(arena, struct partition_bin, config->partition_count,
                                             "partitions' totals", err);
    resource->partition_refusals = ARENA_ARRAY(
        arena, struct partition_refusals, config->partition_count, "partitions' refusals", err);
    resource->touched_partitions =
        ARENA_ARRAY(arena, uint32_t, config->partition_count, "touched partitions", err);
    grow_array_init(&resource->keys, arena, sizeof(struct key_tally), CHUNK_KEYS);
    grow_array_init(&resource->carries, arena, sizeof(struct key_carry), CARRIES_CHUNK);
    grow_array_init(&resource->touched_keys, arena, sizeof(struct touched_key), CHUNK_KEYS);
    if (resource->index_name != NULL && !latency_histogram_init(&resource->lags, arena, err)) {
        return false;
    }
    return ring_grid_init(&resource->grid, arena, err) && resource->table_name != NULL &&
           (resource->index_name != NULL) == (config->index_name != NULL) &&
           resource->partitions != NULL && resource->partition_totals != NULL &&
           resource->partition_refusals != NULL && resource->touched_partitions != NULL;
}

static bool init_workload(struct recorder *recorder, struct recorder_workload *workload,
                          const struct recorder_workload_config *config, struct err *err) {
    SIM_CHECK(config->resource < recorder->resource_count);
    SIM_CHECK(config->operation < DDB_OPERATION_COUNT);
    *workload = (struct recorder_workload){
        .name = arena_strdup(&recorder->arena, config->name, err),
        .resource = config->resource,
        .operation = config->operation,
        .has_batches = config->has_batches,
    };
    return workload->name != NULL;
}

/* Which tables have global indexes. */
static void find_indexes(struct recorder *recorder) {
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        struct recorder_resource *table = &recorder->resources[i];
        for (uint32_t j = 0; table->index_name == NULL && j < recorder->resource_count; j++) {
            const struct recorder_resource *index = &recorder->resources[j];
            table->has_indexes |=
                index->index_name != NULL && strcmp(index->table_name, table->table_name) == 0;
        }
    }
}

static bool init_parts(struct recorder *recorder, const struct recorder_config *config,
                       struct err *err) {
    struct arena *arena = &recorder->arena;
    recorder->resources =
        arena_array(arena, config->resource_count, sizeof(struct recorder_resource),
                    CACHE_LINE_BYTES, "resources", err);
    recorder->workloads =
        arena_array(arena, config->workload_count, sizeof(struct recorder_workload),
                    CACHE_LINE_BYTES, "workloads", err);
    recorder->top_keys = ARENA_ARRAY(arena, struct key_minute,
                                     (size_t)config->resource_count * 2 * RECORDER_TOP_KEYS,
                                     "top keys of a minute", err);
    if (recorder->resources == NULL || recorder->workloads == NULL || recorder->top_keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < config->resource_count; i++) {
        if (!init_resource(recorder, &recorder->resources[i], &config->resources[i], err)) {
            return false;
        }
    }
    find_indexes(recorder);
    for (uint32_t i = 0; i < config->workload_count; i++) {
        if (!init_workload(recorder, &recorder->workloads[i], &config->workloads[i], err)) {
            return false;
        }
    }
    recorder->latencies = arena_array(arena, DDB_OPERATION_COUNT, sizeof(struct latency_histogram),
                                      CACHE_LINE_BYTES, "latencies", err);
    for (int operation = 0; operation < DDB_OPERATION_COUNT; operation++) {
        if (recorder->latencies == NULL ||
            !latency_histogram_init(&recorder->latencies[operation], arena, err)) {
            return false;
        }
    }
    return true;
}

bool recorder_init(struct recorder *recorder, const struct recorder_config *config,
                   struct err *err) {
    SIM_CHECK(config->resource_count <= UINT16_MAX + 1 && config->workload_count <= UINT16_MAX + 1);
    *recorder = (struct recorder){
        .resource_count = config->resource_count,
        .workload_count = config->workload_count,
        .is_open = true,
        .pricing = config->pricing,
    };
    arena_init(&recorder->arena);
    if (!digest_init(&recorder->digest, err) || !init_parts(recorder, config, err)) {
        recorder_fini(recorder);
        return false;
    }
    return true;
}

void recorder_fini(struct recorder *recorder) {
    if (recorder->digest.state != NULL) {
        digest_fini(&recorder->digest);
    }
    arena_fini(&recorder->arena);
}

size_t recorder_memory_bytes(const struct recorder *recorder) {
    return recorder->arena.used_bytes;
}

bool recorder_add_key(struct recorder *recorder, uint16_t resource, uint64_t ring_position,
                      struct err *err) {
    SIM_CHECK(resource < recorder->resource_count);
    struct grow_array *keys = &recorder->resources[resource].keys;
    uint32_t key;
    if (!grow_array_append(keys, 1, &key, err)) {
        return false;
    }
    key_tally_init(recorder_key_at(keys, key), ring_grid_slice(ring_position));
    return true;
}

uint32_t recorder_minute_mark(const struct recorder *recorder) {
    return (uint32_t)(recorder->second / RECORDER_MINUTE_S) + 1;
}

bool recorder_touch_key(struct recorder_resource *resource, uint32_t mark, uint32_t key,
                        struct key_tally *tally, struct err *err) {
    struct grow_array *touched = &resource->touched_keys;
    uint32_t last;
    if (resource->touched_key_count == touched->count &&
        !grow_array_append(touched, 1, &last, err)) {
        return false;
    }
    key_tally_mark(tally, mark);
    *(struct touched_key *)grow_array_at(touched, resource->touched_key_count++) =
        (struct touched_key){
            .key = key,
            .half_rcu = tally->counts[KEY_HALF_RCU],
            .half_wcu = tally->counts[KEY_HALF_WCU],
            .throttled = tally->counts[KEY_THROTTLED_READS] + tally->counts[KEY_THROTTLED_WRITES],
        };
    return true;
}

/* Consecutive outcomes of one workload, resource and operation: what they have in common, as copies
 * that no store between can change, and what they add up to. */
struct span {
    struct recorder_resource *resource;
    struct grow_array keys;
    struct partition_bin *partitions;
    struct ring_cell *cells; /* of the second */
    uint32_t partition_count;
    uint32_t minute_mark;
    struct recorder_counts counts;
    uint64_t missing;
};

/* Feeds outcomes to the digest; whether they have workload, resource and operation in common. */
static bool digest_outcomes(uint64_t *words, const struct outcome *outcomes, uint32_t count) {
    const uint64_t *const first = words;
    uint64_t differs = 0;
    uint32_t operation_differs = 0;
    for (uint32_t i = 0; i < count; i++, words += OUTCOME_WORDS) {
        const struct outcome *outcome = &outcomes[i];
        recorder_digest_outcome(words, outcome);
        differs |= (words[2] ^ first[2]) | (words[3] ^ first[3]);
        operation_differs |= (uint32_t)outcome->operation ^ outcomes[0].operation;
    }
    /* both words begin with what is asked for */
    return differs >> 48 == 0 && operation_differs == 0;
}

static inline bool count_admitted(struct span *span, const struct outcome *outcome, bool writes,
                                  struct partition_bin *bin, struct key_tally *key,
                                  struct err *err) {
    const int64_t cost_ncu = outcome->cost_ncu;
    const uint32_t half_units = key_tally_half_units(cost_ncu);
    struct ring_cell *cell = &span->cells[key_tally_slice(key)];
    struct grow_array *carries = &span->resource->carries;
    span->counts.fates[FATE_ADMITTED]++;
    span->counts.consumed_ncu += cost_ncu;
    span->missing += outcome->item_missing;
    if (writes) {
        bin->consumed_wncu += cost_ncu;
        cell->half_wcu += half_units;
        return key_tally_add(key, KEY_HALF_WCU, half_units, carries, err) &&
               key_tally_add(key, KEY_WRITES, 1, carries, err);
    }
    bin->consumed_rncu += cost_ncu;
    cell->half_rcu += half_units;
    return key_tally_add(key, KEY_HALF_RCU, half_units, carries, err) &&
           key_tally_add(key, KEY_READS, 1, carries, err);
}

static inline bool count_throttled(struct span *span, const struct outcome *outcome, bool writes,
                                   struct partition_bin *bin, struct key_tally *key,
                                   struct err *err) {
    struct ring_cell *cell = &span->cells[key_tally_slice(key)];
    span->counts.fates[FATE_THROTTLED]++;
    if (writes) {
        bin->throttled_writes++;
        cell->throttled_writes++;
    } else {
        bin->throttled_reads++;
        cell->throttled_reads++;
    }
    for (uint32_t left = outcome->reasons; left != 0; left &= left - 1) {
        span->resource->second.events[__builtin_ctz(left)]++;
    }
    return key_tally_add(key, writes ? KEY_THROTTLED_WRITES : KEY_THROTTLED_READS, 1,
                         &span->resource->carries, err);
}

/* Inline, once for reads and once for writes. */
__attribute__((always_inline)) static inline bool
record_outcome(struct span *span, const struct outcome *outcome, bool writes, struct err *err) {
    SIM_CHECK(outcome->fate < FATE_COUNT);
    SIM_CHECK((outcome->reasons != 0) == (outcome->fate == FATE_THROTTLED));
    const bool is_retry = outcome->attempt != 0;
    span->counts.retries += is_retry;
    span->counts.retried += outcome->attempt == 1;
    if (__builtin_expect(outcome->fate == FATE_ERRORED, 0)) {
        span->counts.fates[FATE_ERRORED]++;
        return true; /* it reached no partition, so its key was not accessed either */
    }
    SIM_CHECK(outcome->partition < span->partition_count);
    SIM_CHECK(outcome->key < span->keys.count);
    SIM_CHECK(outcome->cost_ncu > 0);
    span->counts.asked_ncu += is_retry ? 0 : outcome->cost_ncu;
    struct key_tally *key = recorder_key_at(&span->keys, outcome->key);
    struct partition_bin *bin = &span->partitions[outcome->partition];
    recorder_touch_partition(span->resource, bin, outcome->partition);
    if (__builtin_expect(!key_tally_is_marked(key, span->minute_mark), 0) &&
        !recorder_touch_key(span->resource, span->minute_mark, outcome->key, key, err)) {
        return false;
    }
    return outcome->fate == FATE_ADMITTED ? count_admitted(span, outcome, writes, bin, key, err)
                                          : count_throttled(span, outcome, writes, bin, key, err);
}

/* How many outcomes from the first on go to one span. */
static uint32_t span_length(const struct outcome *outcomes, uint32_t count) {
    uint32_t length = 1;
    while (length < count && outcomes[length].workload == outcomes[0].workload &&
           outcomes[length].resource == outcomes[0].resource &&
           outcomes[length].operation == outcomes[0].operation) {
        length++;
    }
    return length;
}

/* A write that indexes of its table refused, and maybe the table itself. */
static bool record_index_refusal(struct span *span, const struct outcome *outcome,
                                 struct err *err) {
    struct outcome own = *outcome;
    own.reasons = (uint16_t)(outcome->reasons & ~(uint32_t)REASONS_OF_INDEX_WRITES);
    span->resource->second.index_refused++;
    if (own.reasons != 0) {
        return record_outcome(span, &own, true, err);
    }
    span->resource->second.index_only++;
    span->counts.fates[FATE_THROTTLED]++;
    span->counts.retries += outcome->attempt != 0;
    span->counts.retried += outcome->attempt == 1;
    span->counts.asked_ncu += outcome->attempt != 0 ? 0 : outcome->cost_ncu;
    return true;
}

/* Writes to a table with global indexes. */
static bool record_indexed(struct span *span, const struct outcome *outcomes, uint32_t count,
                           struct err *err) {
    bool recorded = true;
    for (uint32_t i = 0; i < count && recorded; i++) {
        const struct outcome *outcome = &outcomes[i];
        recorded = (outcome->reasons & REASONS_OF_INDEX_WRITES) != 0
                       ? record_index_refusal(span, outcome, err)
                       : record_outcome(span, outcome, true, err);
    }
    return recorded;
}

/* Asks for the counters of the keys, for all at once. */
static void prefetch_keys(const struct grow_array *keys, const struct outcome *outcomes,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (__builtin_expect(outcomes[i].key < keys->count, 1)) {
            __builtin_prefetch(recorder_key_at(keys, outcomes[i].key), 1);
        }
    }
}

/* Inline, once for reads and once for writes; sums by value, so that they stay in registers. */
__attribute__((always_inline)) static inline bool record_plain(struct span *span,
                                                               const struct outcome *outcomes,
                                                               uint32_t count, bool writes,
                                                               struct err *err) {
    struct span own = *span;
    prefetch_keys(&own.keys, outcomes, count);
    for (uint32_t i = 0; i < count; i++) {
        if (__builtin_expect(!record_outcome(&own, &outcomes[i], writes, err), 0)) {
            return false;
        }
    }
    *span = own;
    return true;
}

static bool record_span(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                        struct err *err) {
    const uint16_t workload = outcomes[0].workload;
    const bool writes = ddb_operation_writes((enum ddb_operation)outcomes[0].operation);
    SIM_CHECK(outcomes[0].resource < recorder->resource_count);
    SIM_CHECK(workload < recorder->workload_count);
    struct recorder_resource *resource = &recorder->resources[outcomes[0].resource];
    if (__builtin_expect(ddb_operation_has_parts((enum ddb_operation)outcomes[0].operation), 0)) {
        return recorder_record_parts(recorder, outcomes, count, err);
    }
    struct span span = {
        .resource = resource,
        .keys = resource->keys,
        .partitions = resource->partitions,
        .cells = ring_grid_cell(&resource->grid, 0),
        .partition_count = resource->partition_count,
        .minute_mark = recorder_minute_mark(recorder),
    };
    const bool recorded = writes && resource->has_indexes
                              ? record_indexed(&span, outcomes, count, err)
                          : writes ? record_plain(&span, outcomes, count, true, err)
                                   : record_plain(&span, outcomes, count, false, err);
    recorder_add_counts(&recorder->workloads[workload].open, &span.counts);
    recorder_add_counts(&resource->open[writes], &span.counts);
    resource->second.missing += span.missing;
    return recorded;
}

/* At most SPAN_MAX outcomes. */
static bool record_block(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                         struct err *err) {
    uint64_t *words = digest_room(&recorder->digest, (size_t)count * OUTCOME_WORDS);
    const bool are_alike = digest_outcomes(words, outcomes, count);
    for (uint32_t done = 0, length; done < count; done += length) {
        length = are_alike ? count : span_length(&outcomes[done], count - done);
        if (!record_span(recorder, &outcomes[done], length, err)) {
            return false;
        }
    }
    return true;
}

bool recorder_record(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                     struct err *err) {
    if (count == 0) {
        return true;
    }
    sim_ns from_ns = recorder->second * SIM_NS_PER_S;
    SIM_CHECK(recorder->is_open);
    SIM_CHECKF(outcomes[0].at_ns >= from_ns && outcomes[count - 1].at_ns < from_ns + SIM_NS_PER_S,
               "attempts at %" PRId64 " … %" PRId64 " ns in second %" PRId64, outcomes[0].at_ns,
               outcomes[count - 1].at_ns, recorder->second);
    if (recorder->consumed_ncu[RECORDER_READS] > RECORDER_CONSUMED_NCU_MAX ||
        recorder->consumed_ncu[RECORDER_WRITES] > RECORDER_CONSUMED_NCU_MAX) {
        return err_set(err, ERR_INPUT,
                       "the run consumes more than %" PRId64 " capacity units by second %" PRId64
                       ", more than can be counted exactly; expected a shorter 'duration'",
                       RECORDER_CONSUMED_NCU_MAX / NCU_PER_CU, recorder->second);
    }
    for (uint32_t done = 0; done < count; done += SPAN_MAX) {
        const uint32_t left = count - done;
        if (!record_block(recorder, &outcomes[done], left < SPAN_MAX ? left : SPAN_MAX, err)) {
            return false;
        }
    }
    return true;
}

void recorder_call(struct recorder *recorder, uint16_t workload, enum attempt_fate fate) {
    SIM_CHECK(workload < recorder->workload_count);
    struct recorder_workload *from = &recorder->workloads[workload];
    SIM_CHECK(from->has_batches);
    from->second.calls++;
    from->second.throttled_calls += fate == FATE_THROTTLED;
    from->second.errored_calls += fate == FATE_ERRORED;
}

void recorder_unprocessed(struct recorder *recorder, uint16_t workload, uint64_t members) {
    SIM_CHECK(workload < recorder->workload_count);
    recorder->workloads[workload].second.unprocessed += members;
}

void recorder_operation(struct recorder *recorder, uint16_t workload, enum operation_fate fate,
                        sim_ns latency_ns) {
    SIM_CHECK(workload < recorder->workload_count);
    struct recorder_workload *from = &recorder->workloads[workload];
    switch (fate) {
    case OPERATION_SUCCEEDED: recorder_succeeded(recorder, workload, latency_ns); break;
    case OPERATION_CONDITION_FAILED: from->second.condition_failed++; break;
    case OPERATION_REJECTED: from->second.rejected++; break;
    case OPERATION_GAVE_UP: from->second.gave_up++; break;
    }
}
