/* recorder.h, the part before the first outcome: what a recorder holds is made and freed. */
#include "analysis/recorder.h"

#include "sim/check.h"

#include <string.h>

#define CHUNK_KEYS (UINT32_C(1) << RECORDER_CHUNK_SHIFT)

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
    grow_array_init(&resource->touched_keys, arena, sizeof(struct touched_key), CHUNK_KEYS);
    if (!key_carries_init(&resource->carries, arena, err)) {
        return false;
    }
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
    for (uint32_t i = 0; recorder->resources != NULL && i < recorder->resource_count; i++) {
        key_carries_fini(&recorder->resources[i].carries);
    }
    arena_fini(&recorder->arena);
    *recorder = (struct recorder){.resource_count = 0}; /* whoever ends what was not begun may */
}
