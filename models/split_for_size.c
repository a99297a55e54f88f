#include "models/split_for_size.h"

#include "models/request.h"
#include "sim/check.h"
#include "sim/hash.h"

#include <stdlib.h>

#define PARTITIONS_CHUNK 64
#define BYTES_PER_UNIT 1024 /* no write unit stores more */
#define SEQUENCE_OF_SPLIT UINT64_MAX

void split_for_size_init(struct split_for_size *size, struct arena *arena,
                         const struct split_for_size_setup *setup) {
    const struct model_parameters *parameters = setup->parameters;
    const int64_t limit_bytes = parameters->size_split_at < parameters->part_max_bytes
                                    ? parameters->size_split_at
                                    : parameters->part_max_bytes;
    *size = (struct split_for_size){
        .arena = arena,
        .limit_bytes = (uint64_t)limit_bytes,
        .duration_min_ns = parameters->split_duration_min,
        .duration_max_ns = parameters->split_duration_max,
        .stream = setup->stream,
        .has_local_index = setup->has_local_index,
    };
    SIM_CHECK(size->duration_min_ns <= size->duration_max_ns);
    grow_array_init(&size->partitions, arena, sizeof(struct size_partition), PARTITIONS_CHUNK);
}

static struct size_partition *state_of(const struct split_for_size *size, uint32_t partition) {
    return grow_array_at(&size->partitions, partition);
}

/* A partition's part of what lies evenly over the ring. */
__extension__ static uint64_t share_of(const struct partition *partition, uint64_t bytes) {
    const unsigned __int128 span = (unsigned __int128)(partition->hash_hi - partition->hash_lo) + 1;
    return (uint64_t)(span * bytes >> 64); /* at most 2^64 * 2^63 */
}

uint64_t split_for_size_bound(const struct split_for_size *size, const struct partition *partition,
                              uint64_t appeared_bytes) {
    const struct size_partition *state = state_of(size, partition->partition_id);
    const uint64_t taken_ncu = partition_taken_ncu(partition, true) - state->taken_mark_ncu;
    const uint64_t units = taken_ncu / NCU_PER_CU + 1;
    return state->bytes + (taken_ncu == 0 ? 0 : units * BYTES_PER_UNIT) +
           (appeared_bytes - state->appeared_mark);
}

bool split_for_size_open(struct split_for_size *size, const struct partition_set *set,
                         uint64_t untouched_bytes, uint64_t appeared_bytes, struct err *err) {
    const uint32_t known = size->partitions.count;
    uint32_t first;
    if (known == set->count) {
        return true;
    }
    if (!grow_array_append(&size->partitions, set->count - known, &first, err)) {
        return false;
    }
    for (uint32_t i = known; i < set->count; i++) {
        const struct partition *partition = &set->partitions[i];
        const uint32_t parent = partition->parent_id;
        *state_of(size, i) = (struct size_partition){
            .bytes = parent == UINT32_MAX
                         ? share_of(partition, untouched_bytes)
                         : split_for_size_bound(size, &set->partitions[parent], appeared_bytes),
            .appeared_mark = parent == UINT32_MAX ? 0 : appeared_bytes,
        };
    }
    return true;
}

static bool is_looked_at(const struct split_for_size *size, const struct partition *partition) {
    const struct size_partition *state = state_of(size, partition->partition_id);
    return partition_is_open(partition) && !state->is_splitting && !state->is_refused;
}

bool split_for_size_may_exceed(const struct split_for_size *size, const struct partition_set *set,
                               uint64_t appeared_bytes, uint64_t limit_bytes) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (is_looked_at(size, &set->partitions[i]) &&
            split_for_size_bound(size, &set->partitions[i], appeared_bytes) > limit_bytes) {
            return true;
        }
    }
    return false;
}

void split_for_size_begin(struct split_for_size *size, const struct partition_set *set,
                          uint64_t untouched_bytes, uint64_t appeared_bytes) {
    SIM_CHECK(size->partitions.count == set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct partition *partition = &set->partitions[i];
        if (partition_is_open(partition)) {
            struct size_partition *state = state_of(size, i);
            state->bytes = share_of(partition, untouched_bytes);
            state->taken_mark_ncu = partition_taken_ncu(partition, true);
            state->appeared_mark = appeared_bytes;
        }
    }
}

uint32_t split_for_size_due(const struct split_for_size *size, const struct partition_set *set,
                            uint32_t from) {
    for (uint32_t i = from; i < set->count; i++) {
        if (is_looked_at(size, &set->partitions[i]) &&
            state_of(size, i)->bytes > size->limit_bytes) {
            return i;
        }
    }
    return UINT32_MAX;
}

bool split_for_size_begin_sample(struct split_for_size *size, const struct partition *partition,
                                 uint64_t untouched_bytes, struct err *err) {
    const uint64_t bytes = state_of(size, partition->partition_id)->bytes;
    const uint64_t untouched = share_of(partition, untouched_bytes);
    if (size->sample == NULL) {
        size->sample = ARENA_ARRAY(size->arena, struct partition_place, SIZE_SAMPLE,
                                   "sample of a full partition", err);
        if (size->sample == NULL) {
            return false;
        }
    }
    size->step_bytes = bytes / SIZE_SAMPLE + 1;
    size->next_bytes = size->step_bytes / 2 + 1;
    size->sample_count = 0;
    const uint64_t even = untouched / size->step_bytes;
    const uint64_t span = partition->hash_hi - partition->hash_lo;
    for (uint64_t i = 0; i < even; i++) {
        size->sample[size->sample_count++] =
            (struct partition_place){partition->hash_lo + span / even * i + span / even / 2, 0};
    }
    return true;
}

void split_for_size_sample(struct split_for_size *size, const struct partition_place *place,
                           uint64_t bytes) {
    while (bytes >= size->next_bytes) {
        bytes -= size->next_bytes;
        size->next_bytes = size->step_bytes;
        if (size->sample_count < SIZE_SAMPLE) {
            size->sample[size->sample_count++] = *place;
        }
    }
    size->next_bytes -= bytes;
}

static int compare_places(const void *a, const void *b) {
    const struct partition_place *x = a, *y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return (x->sort > y->sort) - (x->sort < y->sort);
}

/* Whether the partition may be cut before the sampled place `above`. */
static bool try_cut(const struct split_for_size *size, const struct partition_set *set,
                    uint32_t partition, uint32_t above, struct partition_place *cut) {
    if (above == 0 || above >= size->sample_count) {
        return false;
    }
    const struct partition_place *low = &size->sample[above - 1], *high = &size->sample[above];
    if (low->hash == high->hash && (size->has_local_index || low->sort == high->sort)) {
        return false;
    }
    *cut = *high;
    cut->sort = low->hash == high->hash ? high->sort : 0;
    return partition_set_may_split(set, partition, cut);
}

void split_for_size_decide(struct split_for_size *size, const struct partition_set *set,
                           uint32_t partition, struct size_decision *decision) {
    struct size_partition *state = state_of(size, partition);
    const uint32_t middle = size->sample_count / 2;
    qsort(size->sample, size->sample_count, sizeof size->sample[0], compare_places);
    *decision = (struct size_decision){.refusal = size->has_local_index ? SPLIT_LOCAL_INDEX
                                                                        : SPLIT_SINGLE_ITEM};
    for (uint32_t i = 0; i <= middle && !decision->splits; i++) {
        decision->splits = try_cut(size, set, partition, middle - i, &decision->cut) ||
                           try_cut(size, set, partition, middle + i, &decision->cut);
    }
    if (!decision->splits) {
        state->is_refused = true;
        return;
    }
    const uint64_t draw = hash_draw(size->stream, SEQUENCE_OF_SPLIT, partition);
    decision->duration_ns = hash_between(draw, size->duration_min_ns, size->duration_max_ns);
    decision->refusal = SPLIT_NO_REFUSAL;
    state->is_splitting = true;
}
