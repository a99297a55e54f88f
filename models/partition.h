/*
 * partition.h - Physical partitions: contiguous ranges of the key space, each with its own caps.
 *
 *   number of a new table, at least 1, at least ceil(bytes / part_max_bytes), and
 *     partition_formula max   max(ceil(RCU / part_max_r), ceil(WCU / part_max_w))
 *     partition_formula sum   ceil(RCU / part_max_r + WCU / part_max_w)
 *     on-demand               on_demand_partitions
 *   and in any mode what was ever provisioned, warmed up or twice the previous peak needs
 *   range i of n = [ceil(i * 2^64 / n), ceil((i + 1) * 2^64 / n) - 1]
 *
 * A place is (hash, sort): where the partition key lies on the ring, and the sort key within it. A
 * split closes a partition and opens two, each with caps of its own; they share what the parent's
 * buckets hold. So along a line of descent no more is admitted over any window than cap x window +
 * depth + one debt. Partitions keep their number for ever; who remembers a closed one descends from
 * it to the open one. There are no merges.
 *
 * Reads and writes are capped independently: 3,000 RCU and 1,000 WCU per second each.
 * Source:  AWS Developer Guide, partition key design, burst and adaptive capacity; ATC 2022 s3-4.
 * Invariants (audited): first ranges tile the ring, children tile their parent's; the buckets' own.
 * Owns:    an array in the arena, which doubles.  Cost: find O(log n + splits in line), once a key;
 *          descend O(splits in line), once an item and split; split O(1).
 */
#ifndef DDBSIM_MODELS_PARTITION_H
#define DDBSIM_MODELS_PARTITION_H

#include "models/replica_limits.h"
#include "models/sample.h"
#include "models/spec.h"
#include "models/token_bucket.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

struct partition {
    _Alignas(64) struct token_bucket read; /* a request touches one bucket, so one cache line */
    struct token_bucket write;
    uint64_t hash_lo, hash_hi, sort_lo, sort_hi; /* as in partition_sample */
    uint64_t read_before_ncu, write_before_ncu;  /* taken up to the last audit, modulo 2^64 */
    sim_ns born_ns, closed_ns;                   /* closed_ns -1: open */
    uint32_t partition_id, parent_id;            /* parent_id UINT32_MAX: none */
    uint32_t first_child;                        /* of two, the lower one; 0: open */
    enum partition_cause cause;
    struct replica_limits limits;
};

/* A place in the key space. */
struct partition_place {
    uint64_t hash, sort;
};

struct partition_set {
    struct partition *partitions; /* by partition_id; moves when the set grows */
    struct arena *arena;
    uint32_t count;      /* open and closed */
    uint32_t open_count; /* at most TABLE_PARTITIONS_MAX by splits */
    uint32_t root_count; /* the first ones, by hash_lo */
    uint32_t capacity;
    unsigned replica_limits; /* which of them the partitions have */
};

/* How many partitions a table starts with: initial_partitions when it is given, else by formula; at
 * least 1, not bounded above. */
int64_t partition_count_initial(const struct table_spec *table,
                                const struct model_parameters *parameters);

/* How many carry units a second of even traffic; at least 1. */
int64_t partition_count_for(struct capacity_units units, const struct model_parameters *parameters);

/* False with *err set: more than TABLE_PARTITIONS_MAX of them, a pin to one that is not there. */
bool partition_layout_check(const struct table_spec *spec, int64_t partitions, struct err *err)
    ERR_WARN_UNUSED;

bool partition_set_init(struct partition_set *set, struct arena *arena, uint32_t count,
                        const struct model_parameters *parameters, struct err *err) ERR_WARN_UNUSED;

/* Number of the partition that holds all of a partition key's places: open, or one that was cut
 * within that key. Without a search but for the cuts since the start: O(their depth). */
uint32_t partition_set_find(const struct partition_set *set, uint64_t hash);
/* The open partition that holds a place, descending from one that holds or held it. */
uint32_t partition_set_descend(const struct partition_set *set, uint32_t partition,
                               const struct partition_place *place);

/* The open partitions in the order of their places: the first one, the one after an open one;
 * UINT32_MAX after the last. */
uint32_t partition_set_first_open(const struct partition_set *set);
uint32_t partition_set_next_open(const struct partition_set *set, uint32_t partition);

/* Whether an open partition may be cut so that a place begins the upper part: within its range, not
 * at its lower end, room for one more partition. */
bool partition_set_may_split(const struct partition_set *set, uint32_t partition,
                             const struct partition_place *cut);
/* The place in the middle of an open partition's range on the ring; of its sort keys when it lies
 * within one partition key. False: a single place. */
bool partition_set_middle(const struct partition_set *set, uint32_t partition,
                          struct partition_place *middle);
/* Room for that many splits. */
bool partition_set_reserve(struct partition_set *set, uint32_t splits, struct err *err)
    ERR_WARN_UNUSED;
/* Splits an open partition at now; may_split and reserved (checked). Returns the lower child's
 * number; the upper one's is one more. */
uint32_t partition_set_split(struct partition_set *set, sim_ns now_ns, uint32_t partition,
                             const struct partition_place *cut, enum partition_cause cause);

/* Checks the invariants and opens the next window; aborts on a breach. Cost: O(partitions). */
void partition_set_audit(struct partition_set *set, sim_ns now_ns);

static inline bool partition_is_open(const struct partition *partition) {
    return partition->first_child == 0;
}
/* Taken since the partition was born, modulo 2^64. */
static inline uint64_t partition_taken_ncu(const struct partition *partition, bool writes) {
    return writes ? partition->write_before_ncu + partition->write.taken_ncu
                  : partition->read_before_ncu + partition->read.taken_ncu;
}

#endif
