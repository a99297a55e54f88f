/*
 * recorder_parts.h - The inside of the recorder, shared by recorder*.c and nobody else.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_ANALYSIS_RECORDER_PARTS_H
#define DDBSIM_ANALYSIS_RECORDER_PARTS_H

#include "analysis/recorder.h"
#include "sim/check.h"

#include <stdbool.h>

#define RECORDER_MINUTE_S 60
#define OUTCOME_WORDS 5

_Static_assert(FATE_COUNT <= 4, "two bits of the digest's last word hold the fate");

/* What tallies of keys are marked with in the open minute: differs within ten years, never 0. */
uint32_t recorder_minute_mark(const struct recorder *recorder);

/* A partition's bin before anything of the second is counted in it: it goes on the list. */
static inline void recorder_touch_partition(struct recorder_resource *resource,
                                            const struct partition_bin *bin, uint32_t partition) {
    if (__builtin_expect((bin->consumed_rncu | bin->consumed_wncu) == 0 &&
                             (bin->throttled_reads | bin->throttled_writes) == 0,
                         0)) {
        SIM_CHECK(resource->touched_partition_count < resource->partition_count);
        resource->touched_partitions[resource->touched_partition_count++] = partition;
    }
}

/* A counter of a key's, modulo 2^32. */
static inline uint32_t recorder_key_count(const struct recorder_resource *resource,
                                          const struct key_tally *tally, enum key_count which,
                                          uint32_t key) {
    return (uint32_t)key_tally_count(tally, which, key, &resource->carries);
}

/* Before a key is counted whose tally has not the minute's mark. */
bool recorder_touch_key(struct recorder_resource *resource, uint32_t mark, uint32_t key,
                        struct key_tally *tally, struct err *err) ERR_WARN_UNUSED;

/* Consecutive outcomes of one workload and resource, of an operation that has parts. */
bool recorder_record_parts(struct recorder *recorder, const struct outcome *outcomes,
                           uint32_t count, struct err *err) ERR_WARN_UNUSED;

static inline void recorder_digest_outcome(uint64_t words[OUTCOME_WORDS],
                                           const struct outcome *outcome) {
    words[0] = (uint64_t)outcome->at_ns;
    words[1] = outcome->sequence;
    words[2] = (uint64_t)outcome->workload << 48 | (uint64_t)outcome->attempt << 32 |
               (uint64_t)outcome->member;
    words[3] = (uint64_t)outcome->resource << 48 | (uint64_t)outcome->reasons << 32 |
               (uint64_t)outcome->partition;
    words[4] = (uint64_t)outcome->fate << 62 | (uint64_t)outcome->cost_ncu;
}

static inline void recorder_add_counts(struct recorder_counts *into,
                                       const struct recorder_counts *counts) {
    for (int fate = 0; fate < FATE_COUNT; fate++) {
        into->fates[fate] += counts->fates[fate];
    }
    into->retries += counts->retries;
    into->retried += counts->retried;
    into->consumed_ncu += counts->consumed_ncu;
    into->asked_ncu += counts->asked_ncu;
}

#endif
