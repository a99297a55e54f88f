/*
 * index_backfill.h - A global index that is made while its table is in use: when it is complete.
 *
 *   UpdateTable ─▶ allocating (update_table_…) ─▶ backfilling ─▶ active
 *   absent: no entries, no reads             entries of new     all of it
 *                                            writes
 *   UpdateTable Delete ─▶ deleted: as absent, at once
 *
 *   owed by the build   units of the entries that the table's items have when it begins, by
 *                       partition of the index; items that nobody has touched, from ItemCount or
 *                       IndexSizeBytes, evenly
 *   each second         a partition of the index writes what its cap has left after the entries of
 *                       new writes; with backfill_capacity index also no more than the index's
 *                       write capacity has left
 *
 * Items are read by capacity of the service's own, so the build costs its table nothing.
 * Source:  AWS guide, managing global secondary indexes: phases; reads are free; write capacity
 *          does not shorten the build (today) or does (2023): docs/models/index_backfill.md.
 * Invariants (audited): partitions took what the index's pool gave and what the build wrote itself.
 * Owns:    counts in the arena.  Cost: nothing without such an index; O(items) once, O(partitions)
 *          a second while it is built.
 */
#ifndef DDBSIM_MODELS_INDEX_BACKFILL_H
#define DDBSIM_MODELS_INDEX_BACKFILL_H

#include "models/partition.h"
#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

enum index_stage {
    INDEX_ACTIVE,
    INDEX_ABSENT, /* not yet, being allocated, or deleted */
    INDEX_BACKFILLING,
};

struct index_backfill {
    struct grow_array left_ncu; /* int64_t by partition_id: still to be written there */
    int64_t total_ncu, left_total_ncu;
    uint64_t own_ncu; /* since the last audit: of partitions, not of the index's capacity */
    sim_ns begun_ns;
};

void index_backfill_init(struct index_backfill *backfill, struct arena *arena);
/* There may be more partitions: what was left to be written to one that was split goes to its
 * children, half to each. */
bool index_backfill_follow(struct index_backfill *backfill, const struct partition_set *set,
                           struct err *err) ERR_WARN_UNUSED;
/* After _follow: the build owes so much more to an open partition. */
void index_backfill_add(struct index_backfill *backfill, uint32_t partition, int64_t cost_ncu);
/* Evenly over the ring. */
void index_backfill_spread(struct index_backfill *backfill, const struct partition_set *set,
                           int64_t cost_ncu);
/* At now writes to a partition what its cap has left, at most most_ncu; returns how much. */
int64_t index_backfill_write(struct index_backfill *backfill, struct partition *partition,
                             sim_ns now_ns, int64_t most_ncu);

#endif
