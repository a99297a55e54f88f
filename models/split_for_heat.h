/*
 * split_for_heat.h - Which partitions have been hot for long, and where to cut them.
 *
 *   hot        consumed in a window of 60 s >= heat_threshold * cap * 60 s, reads or writes
 *   due        hot in ceil(heat_window / 60 s) windows on end, the last two of them observed
 *   observed   from the first hot window on, a reservoir of heat_sample admitted accesses, each
 *              with its place (hash, sort key) and weight = units / cap; and of the 8 heaviest
 *              partition keys how much lands beyond the sort keys of the window before
 *   cut        the weighted median of what was observed, at a boundary where a cut may be: between
 *              partition keys always, within one unless the table has a local index or its
 *              accesses are sequential
 *   sequential >= sequential_share of a key's weight in a window lies above the highest or below
 *              the lowest sort key of the window before
 *   one place with more than single_item_share of the weight is cut off beside; when nothing else
 *              was observed the partition cannot be split
 *
 * A split takes split_duration_min to split_duration_max, uniform; until then the partition's
 * limits hold. Its children are looked at from the next whole window on. There are no merges.
 * Source:  Elhemali et al., USENIX ATC 2022, s4.4; AWS guide, burst and adaptive capacity; the
 *          numbers are inferred: docs/models/split_for_heat.md.
 * Owns:    its arrays (arena); samples are reused.  Cost: nothing a request while no partition is
 *          hot, about 10 ns an access to one that is; O(partitions) a minute; a decision O(sample
 *          log sample).
 */
#ifndef DDBSIM_MODELS_SPLIT_FOR_HEAT_H
#define DDBSIM_MODELS_SPLIT_FOR_HEAT_H

#include "models/model_event.h"
#include "models/parameters.h"
#include "models/partition.h"
#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

#define HEAT_WINDOW_NS (60 * SIM_NS_PER_S)
#define HEAT_KEYS 8 /* followed for sequential access, of each hot partition */

struct heat_access {
    struct partition_place place;
    int64_t weight; /* units over the partition's cap; > 0 */
};

/* A partition key of a hot partition: its sort keys, and how many lie beyond those of the window
 * before. */
struct heat_key {
    uint64_t hash;
    uint64_t sort_lo, sort_hi, before_lo, before_hi;
    int64_t weight, beyond; /* of this window */
    bool has_before;
    bool is_sequential; /* by the window before */
};

struct heat_sample {
    struct heat_access *accesses; /* heat_sample of them */
    uint32_t count;
    uint64_t seen;
    uint32_t windows; /* observed whole */
    struct heat_key keys[HEAT_KEYS];
    uint32_t key_count;
    struct heat_sample *next_free;
};

struct heat_partition {
    uint64_t read_mark_ncu, write_mark_ncu; /* partition_taken_ncu at the last window's end */
    uint32_t hot_windows;
    bool is_splitting;
    enum split_refusal refusal; /* that was noted last */
    struct heat_sample *sample; /* NULL: not hot */
};

struct split_for_heat {
    struct arena *arena;
    struct grow_array partitions; /* struct heat_partition by partition_id */
    struct heat_sample *free_samples;
    uint32_t sample_count; /* in use: 0, nothing is to be observed */
    uint32_t sample_size, windows;
    int64_t threshold_ppm, single_ppm, sequential_ppm;
    sim_ns duration_min_ns, duration_max_ns;
    uint64_t stream; /* names the draws */
    bool has_sort_keys, has_local_index;
};

struct split_for_heat_setup {
    const struct model_parameters *parameters;
    uint64_t stream;
    bool has_sort_keys, has_local_index;
};

void split_for_heat_init(struct split_for_heat *heat, struct arena *arena,
                         const struct split_for_heat_setup *setup);

/* The sample of a partition, NULL when it is not hot. */
static inline struct heat_sample *split_for_heat_sample(const struct split_for_heat *heat,
                                                        uint32_t partition) {
    return partition < heat->partitions.count
               ? ((struct heat_partition *)grow_array_at(&heat->partitions, partition))->sample
               : NULL;
}
/* An admitted access to a hot partition. */
void split_for_heat_observe(struct split_for_heat *heat, uint32_t partition,
                            const struct heat_access *access);

/* Whether a partition that is known is being split for heat. */
bool split_for_heat_is_splitting(const struct split_for_heat *heat, uint32_t partition);

/* What becomes of one partition at the end of a window. */
struct heat_decision {
    bool splits;                /* at cut, after duration_ns */
    enum split_refusal refusal; /* does not, for a reason that is new; else SPLIT_NO_REFUSAL */
    struct partition_place cut; /* may be cut there */
    sim_ns duration_ns;
};
/* A window has ended; the set's partitions are known from here on. */
bool split_for_heat_open(struct split_for_heat *heat, const struct partition_set *set,
                         struct err *err) ERR_WARN_UNUSED;
/* After _open: looks at one open partition. */
bool split_for_heat_close_window(struct split_for_heat *heat, const struct partition_set *set,
                                 uint32_t partition, struct heat_decision *decision,
                                 struct err *err) ERR_WARN_UNUSED;

#endif
