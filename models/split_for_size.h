/*
 * split_for_size.h - Which partitions hold too much data, and where to cut them.
 *
 *   limit      min(size_split_at, part_max_bytes)
 *   bytes      of the items in the partition's range + its share of the data that nobody touches,
 *              which lies evenly over the ring; of an index: of its entries
 *   at most    bytes at the last count + 1,024 · write units consumed since + what has appeared
 *              since (items that existed before their first use)
 *   due        at most > limit: the items are counted anew, and if bytes > limit, it is split
 *   cut        the median of a sample of SIZE_SAMPLE places, each byte equally likely, where a cut
 *              may be: between partition keys, and within one unless there is a local index
 *
 * The bound needs nothing but what buckets have taken, so no request knows of this, and items are
 * counted about as often as a partition may have come to the limit. A split takes
 * split_duration_min to split_duration_max, uniform; until then all stays as it was. No merges.
 * Source:  AWS guide, partitions and data distribution (about 10 GB); Elhemali et al., USENIX ATC
 *          2022, s3; the cut and the times are inferred: docs/models/split_for_size.md.
 * Invariants (checked at each count): every byte counted lies in an open partition's range.
 * Owns:    its arrays (arena).  Cost: nothing a request, O(partitions) a minute; a count O(items),
 *          a cut O(items + sample log sample).
 */
#ifndef DDBSIM_MODELS_SPLIT_FOR_SIZE_H
#define DDBSIM_MODELS_SPLIT_FOR_SIZE_H

#include "models/model_event.h"
#include "models/parameters.h"
#include "models/partition.h"
#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

#define SIZE_SAMPLE 4096

struct size_partition {
    uint64_t bytes;          /* at the last count, or what the parent held at most */
    uint64_t taken_mark_ncu; /* writes taken then */
    uint64_t appeared_mark;  /* bytes that had appeared then */
    bool is_splitting, is_refused;
};

struct split_for_size {
    struct arena *arena;
    struct grow_array partitions; /* struct size_partition by partition_id */
    uint64_t limit_bytes;
    sim_ns duration_min_ns, duration_max_ns;
    uint64_t stream;
    bool has_local_index;
    /* the sample of one partition, while it is taken */
    struct partition_place *sample;
    uint32_t sampled, sample_count;
    uint64_t step_bytes, next_bytes; /* one place each so many bytes */
};

struct split_for_size_setup {
    const struct model_parameters *parameters;
    uint64_t stream;      /* of draws: seed, replication, resource */
    bool has_local_index; /* of the table itself */
};

void split_for_size_init(struct split_for_size *size, struct arena *arena,
                         const struct split_for_size_setup *setup);

/* The set's partitions are known from here on: first ones hold their share of untouched_bytes,
 * children at most what their parent did. appeared_bytes: so far. */
bool split_for_size_open(struct split_for_size *size, const struct partition_set *set,
                         uint64_t untouched_bytes, uint64_t appeared_bytes, struct err *err)
    ERR_WARN_UNUSED;

/* After _open: whether an open partition that is not being split may hold more than limit_bytes. */
bool split_for_size_may_exceed(const struct split_for_size *size, const struct partition_set *set,
                               uint64_t appeared_bytes, uint64_t limit_bytes);
/* What it may hold at most. */
uint64_t split_for_size_bound(const struct split_for_size *size, const struct partition *partition,
                              uint64_t appeared_bytes);

/* A count of all items: begin, add each, end. */
void split_for_size_begin(struct split_for_size *size, const struct partition_set *set,
                          uint64_t untouched_bytes, uint64_t appeared_bytes);
static inline void split_for_size_add(struct split_for_size *size, uint32_t partition,
                                      uint64_t bytes) {
    struct size_partition *of = grow_array_at(&size->partitions, partition);
    of->bytes += bytes;
}
/* After a count: the first partition from `from` on that is over the limit and can be looked at;
 * UINT32_MAX: none. */
uint32_t split_for_size_due(const struct split_for_size *size, const struct partition_set *set,
                            uint32_t from);

/* The sample of one that is due: begin, add each of its items, then decide. */
bool split_for_size_begin_sample(struct split_for_size *size, const struct partition *partition,
                                 uint64_t untouched_bytes, struct err *err) ERR_WARN_UNUSED;
void split_for_size_sample(struct split_for_size *size, const struct partition_place *place,
                           uint64_t bytes);

struct size_decision {
    bool splits;                /* at cut, after duration_ns */
    enum split_refusal refusal; /* if not */
    struct partition_place cut;
    sim_ns duration_ns;
};
void split_for_size_decide(struct split_for_size *size, const struct partition_set *set,
                           uint32_t partition, struct size_decision *decision);

#endif
