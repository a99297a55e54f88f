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

/* Before a key is counted whose tally has not the minute's mark. */
bool recorder_touch_key(struct recorder_resource *resource, uint32_t mark, uint32_t key,
                        struct key_tally *tally, struct err *err) ERR_WARN_UNUSED;

#endif
