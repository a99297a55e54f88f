#include "analysis/recorder.h"

#include "analysis/recorder_parts.h"
#include "sim/check.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK_KEYS (UINT32_C(1) << RECORDER_CHUNK_SHIFT)
#define TOUCHED_KEYS_MIN 1024
#define CACHE_LINE_BYTES 64
#define HALF_UNIT_NCU (NCU_PER_CU / 2)
#define OUTCOME_WORDS 5
#define SPAN_MAX (DIGEST_BUFFER_WORDS / OUTCOME_WORDS)

/* The set of operations that write. */
#define OPERATION_WRITE_BIT(id, name, writes) | ((writes) ? UINT32_C(1) << DDB_##id : 0U)
#define WRITE_OPERATIONS (0U DDB_OPERATIONS(OPERATION_WRITE_BIT))

_Static_assert(FATE_COUNT <= 4, "two bits of the digest's last word hold the fate");

static bool init_resource(struct recorder *recorder, struct recorder_resource *resource,
                          const struct recorder_resource_config *config, struct err *err) {
    struct arena *arena = &recorder->arena;
    *resource = (struct recorder_resource){
        .partition_count = config->partition_count,
        .first_throttle_s = -1,
        .last_throttle_s = -1,
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
    grow_array_init(&resource->keys, arena, sizeof(struct key_counters), CHUNK_KEYS);
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
    for (uint32_t i = 0; i < config->workload_count; i++) {
        if (!init_workload(recorder, &recorder->workloads[i], &config->workloads[i], err)) {
            return false;
        }
    }
    for (int operation = 0; operation < DDB_OPERATION_COUNT; operation++) {
        if (!latency_histogram_init(&recorder->latencies[operation], arena, err)) {
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
    struct key_counters *counters = grow_array_at(keys, key);
    counters->ring_slice = ring_grid_slice(ring_position);
    return true;
}

static bool operation_writes(uint8_t operation) {
    return (WRITE_OPERATIONS >> operation & 1U) != 0;
}

bool recorder_touch_key(struct recorder *recorder, struct recorder_resource *resource, uint32_t key,
                        struct err *err) {
    if (resource->touched_key_count == resource->touched_key_capacity) {
        uint32_t wider_count = resource->touched_key_capacity == 0
                                   ? TOUCHED_KEYS_MIN
                                   : resource->touched_key_capacity * 2;
        uint32_t *wider = ARENA_ARRAY(&recorder->arena, uint32_t, wider_count, "touched keys", err);
        if (wider == NULL) {
            return false;
        }
        if (resource->touched_key_count > 0) {
            memcpy(wider, resource->touched_keys, resource->touched_key_count * sizeof *wider);
        }
        resource->touched_keys = wider;
        resource->touched_key_capacity = wider_count;
    }
    resource->touched_keys[resource->touched_key_count++] = key;
    return true;
}

/* Consecutive outcomes of one workload, resource and operation: what they have in common, as copies
 * that no store between can change, and what they add up to. */
struct span {
    struct recorder *recorder;
    struct recorder_resource *resource;
    struct grow_array keys;
    struct partition_bin *partitions;
    struct ring_cell *cells; /* of the second */
    uint32_t partition_count;
    struct recorder_counts counts;
    uint64_t missing;
};

static inline void digest_outcome(uint64_t words[OUTCOME_WORDS], const struct outcome *outcome) {
    words[0] = (uint64_t)outcome->at_ns;
    words[1] = outcome->sequence;
    words[2] = (uint64_t)outcome->workload << 48 | (uint64_t)outcome->attempt << 32 |
               (uint64_t)outcome->member;
    words[3] = (uint64_t)outcome->resource << 48 | (uint64_t)outcome->reasons << 32 |
               (uint64_t)outcome->partition;
    words[4] = (uint64_t)outcome->fate << 62 | (uint64_t)outcome->cost_ncu;
}

/* A partition's first attempt in the second, when its bin is still empty, puts it on the list. */
static inline struct partition_bin *touch_partition(const struct span *span, uint32_t partition) {
    struct partition_bin *bin = &span->partitions[partition];
    if (__builtin_expect((bin->consumed_rncu | bin->consumed_wncu) == 0 &&
                             (bin->throttled_reads | bin->throttled_writes) == 0,
                         0)) {
        struct recorder_resource *resource = span->resource;
        SIM_CHECK(resource->touched_partition_count < resource->partition_count);
        resource->touched_partitions[resource->touched_partition_count++] = partition;
    }
    return bin;
}

static inline void count_admitted(struct span *span, const struct outcome *outcome, bool writes,
                                  struct partition_bin *bin, struct key_counters *key) {
    const int64_t cost_ncu = outcome->cost_ncu;
    const uint64_t half_units = (uint64_t)cost_ncu / HALF_UNIT_NCU;
    struct ring_cell *cell = &span->cells[key->ring_slice];
    span->counts.fates[FATE_ADMITTED]++;
    span->counts.consumed_ncu += cost_ncu;
    span->missing += outcome->item_missing;
    if (writes) {
        bin->consumed_wncu += cost_ncu;
        key->consumed_wncu += cost_ncu;
        key->writes++;
        key->minute_half_units += 3 * half_units;
        cell->half_wcu += half_units;
    } else {
        bin->consumed_rncu += cost_ncu;
        key->consumed_rncu += cost_ncu;
        key->reads++;
        key->minute_half_units += half_units;
        cell->half_rcu += half_units;
    }
}

static inline void count_throttled(struct span *span, const struct outcome *outcome, bool writes,
                                   struct partition_bin *bin, struct key_counters *key) {
    struct ring_cell *cell = &span->cells[key->ring_slice];
    span->counts.fates[FATE_THROTTLED]++;
    key->minute_throttled++;
    if (writes) {
        bin->throttled_writes++;
        key->throttled_writes++;
        cell->throttled_writes++;
    } else {
        bin->throttled_reads++;
        key->throttled_reads++;
        cell->throttled_reads++;
    }
    for (uint32_t left = outcome->reasons; left != 0; left &= left - 1) {
        span->resource->second.events[__builtin_ctz(left)]++;
    }
}

/* Inline, once for reads and once for writes. */
__attribute__((always_inline)) static inline bool
record_outcome(struct span *span, const struct outcome *outcome, bool writes, struct err *err) {
    SIM_CHECK(outcome->fate < FATE_COUNT);
    SIM_CHECK((outcome->reasons != 0) == (outcome->fate == FATE_THROTTLED));
    const bool is_retry = outcome->attempt != 0;
    span->counts.retries += is_retry;
    if (__builtin_expect(outcome->fate == FATE_ERRORED, 0)) {
        span->counts.fates[FATE_ERRORED]++;
        return true; /* it reached no partition, so its key was not accessed either */
    }
    SIM_CHECK(outcome->partition < span->partition_count);
    SIM_CHECK(outcome->key < span->keys.count);
    SIM_CHECK(outcome->cost_ncu > 0);
    span->counts.asked_ncu += is_retry ? 0 : outcome->cost_ncu;
    struct key_counters *key = recorder_key_at(&span->keys, outcome->key);
    struct partition_bin *bin = touch_partition(span, outcome->partition);
    const bool is_first = (key->minute_half_units | key->minute_throttled) == 0;
    if (outcome->fate == FATE_ADMITTED) {
        count_admitted(span, outcome, writes, bin, key);
    } else {
        count_throttled(span, outcome, writes, bin, key);
    }
    return __builtin_expect(!is_first, 1) ||
           recorder_touch_key(span->recorder, span->resource, outcome->key, err);
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

static void add_counts(struct recorder_counts *into, const struct recorder_counts *counts) {
    for (int fate = 0; fate < FATE_COUNT; fate++) {
        into->fates[fate] += counts->fates[fate];
    }
    into->retries += counts->retries;
    into->consumed_ncu += counts->consumed_ncu;
    into->asked_ncu += counts->asked_ncu;
}

static bool record_span(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                        struct err *err) {
    const uint16_t workload = outcomes[0].workload;
    const bool writes = operation_writes(outcomes[0].operation);
    SIM_CHECK(outcomes[0].resource < recorder->resource_count);
    SIM_CHECK(workload < recorder->workload_count);
    SIM_CHECK(outcomes[0].operation < DDB_OPERATION_COUNT);
    struct recorder_resource *resource = &recorder->resources[outcomes[0].resource];
    struct span span = {
        .recorder = recorder,
        .resource = resource,
        .keys = resource->keys,
        .partitions = resource->partitions,
        .cells = ring_grid_cell(&resource->grid, 0),
        .partition_count = resource->partition_count,
    };
    uint64_t *words = digest_room(&recorder->digest, count * OUTCOME_WORDS);
    bool recorded = true;
    for (uint32_t i = 0; writes && i < count && recorded; i++) {
        digest_outcome(&words[(size_t)i * OUTCOME_WORDS], &outcomes[i]);
        recorded = record_outcome(&span, &outcomes[i], true, err);
    }
    for (uint32_t i = 0; !writes && i < count && recorded; i++) {
        digest_outcome(&words[(size_t)i * OUTCOME_WORDS], &outcomes[i]);
        recorded = record_outcome(&span, &outcomes[i], false, err);
    }
    add_counts(&recorder->workloads[workload].open, &span.counts);
    add_counts(&resource->open[writes], &span.counts);
    resource->second.missing += span.missing;
    return recorded;
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
    for (uint32_t done = 0, length; done < count; done += length) {
        const uint32_t left = count - done < SPAN_MAX ? count - done : SPAN_MAX;
        length = span_length(&outcomes[done], left);
        if (!record_span(recorder, &outcomes[done], length, err)) {
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
