#include "analysis/recorder.h"

#include "sim/check.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK_KEYS 4096
#define TOUCHED_KEYS_MIN 1024
#define CACHE_LINE_BYTES 64
#define PREFETCH_AHEAD 16 /* attempts; 16 to 32 is best, 8 too little */
#define HALF_UNIT_NCU (NCU_PER_CU / 2)
#define OUTCOME_WORDS 5

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

/* Writes into the digest's buffer directly: one check of room an attempt instead of one a word. */
static void digest_outcome(struct digest *digest, const struct outcome *outcome) {
    if (digest->count > DIGEST_BUFFER_WORDS - OUTCOME_WORDS) {
        digest_flush(digest);
    }
    uint64_t *words = &digest->words[digest->count];
    words[0] = (uint64_t)outcome->at_ns;
    words[1] = outcome->sequence;
    words[2] = (uint64_t)outcome->workload << 48 | (uint64_t)outcome->attempt << 32 |
               (uint64_t)outcome->member;
    words[3] = (uint64_t)outcome->resource << 48 | (uint64_t)outcome->reasons << 32 |
               (uint64_t)outcome->partition;
    words[4] = (uint64_t)outcome->fate << 62 | (uint64_t)outcome->cost_ncu;
    digest->count += OUTCOME_WORDS;
}

static bool touch_key(struct recorder *recorder, struct recorder_resource *resource, uint32_t key,
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

/* A partition's first attempt in the second, when its bin is still empty, puts it on the list. */
static struct partition_bin *touch_partition(struct recorder_resource *resource,
                                             uint32_t partition) {
    struct partition_bin *bin = &resource->partitions[partition];
    if ((bin->consumed_rncu | bin->consumed_wncu) == 0 &&
        (bin->throttled_reads | bin->throttled_writes) == 0) {
        SIM_CHECK(resource->touched_partition_count < resource->partition_count);
        resource->touched_partitions[resource->touched_partition_count++] = partition;
    }
    return bin;
}

static void count_admitted(struct recorder_resource *resource, const struct outcome *outcome,
                           bool writes, struct key_counters *key) {
    int64_t cost_ncu = outcome->cost_ncu;
    uint64_t half_units = (uint64_t)cost_ncu / HALF_UNIT_NCU;
    struct partition_bin *bin = touch_partition(resource, outcome->partition);
    struct ring_cell *cell = ring_grid_cell(&resource->grid, key->ring_slice);
    resource->open[writes].consumed_ncu += cost_ncu;
    resource->second.missing += outcome->item_missing;
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

static void count_throttled(struct recorder_resource *resource, const struct outcome *outcome,
                            bool writes, struct key_counters *key) {
    struct partition_bin *bin = touch_partition(resource, outcome->partition);
    struct ring_cell *cell = ring_grid_cell(&resource->grid, key->ring_slice);
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
        resource->second.events[__builtin_ctz(left)]++;
    }
}

static bool record_outcome(struct recorder *recorder, const struct outcome *outcome,
                           struct err *err) {
    SIM_CHECK(outcome->resource < recorder->resource_count);
    SIM_CHECK(outcome->workload < recorder->workload_count);
    SIM_CHECK(outcome->fate < FATE_COUNT && outcome->operation < DDB_OPERATION_COUNT);
    SIM_CHECK((outcome->reasons != 0) == (outcome->fate == FATE_THROTTLED));
    digest_outcome(&recorder->digest, outcome);

    struct recorder_resource *resource = &recorder->resources[outcome->resource];
    bool writes = operation_writes(outcome->operation);
    uint64_t is_retry = outcome->attempt != 0;
    struct recorder_counts *by_workload = &recorder->workloads[outcome->workload].open;
    struct recorder_counts *by_direction = &resource->open[writes];
    by_workload->fates[outcome->fate]++;
    by_workload->retries += is_retry;
    by_direction->fates[outcome->fate]++;
    by_direction->retries += is_retry;
    if (outcome->fate == FATE_ERRORED) {
        return true; /* it reached no partition, so its key was not accessed either */
    }
    SIM_CHECK(outcome->partition < resource->partition_count);
    SIM_CHECK(outcome->key < resource->keys.count);
    SIM_CHECK(outcome->cost_ncu > 0);
    by_direction->asked_ncu += is_retry ? 0 : outcome->cost_ncu;
    struct key_counters *key = grow_array_at(&resource->keys, outcome->key);
    bool is_first = key->minute_half_units == 0 && key->minute_throttled == 0;
    if (outcome->fate == FATE_ADMITTED) {
        count_admitted(resource, outcome, writes, key);
    } else {
        count_throttled(resource, outcome, writes, key);
    }
    return !is_first || touch_key(recorder, resource, outcome->key, err);
}

static void prefetch_key(const struct recorder *recorder, const struct outcome *outcome) {
    if (outcome->resource < recorder->resource_count) {
        const struct grow_array *keys = &recorder->resources[outcome->resource].keys;
        if (outcome->key < keys->count) {
            __builtin_prefetch(grow_array_at(keys, outcome->key), 1);
        }
    }
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
    for (uint32_t i = 0; i < count && i < PREFETCH_AHEAD; i++) {
        prefetch_key(recorder, &outcomes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + PREFETCH_AHEAD < count) {
            prefetch_key(recorder, &outcomes[i + PREFETCH_AHEAD]);
        }
        if (!record_outcome(recorder, &outcomes[i], err)) {
            return false;
        }
    }
    return true;
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
