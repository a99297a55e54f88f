/*
 * leader_failover.h - A partition whose leader is lost: for a moment nobody takes its writes.
 *
 *   from the loss for failover_gap   writes and strongly consistent reads of the partition fail, as
 *                                    an internal error; eventually consistent reads go on
 *
 * The two replicas that are left may elect another leader only when the lease of the old one has
 * run out. A leader that is lost again meanwhile makes the wait begin anew. Children of a partition
 * that is split meanwhile have leaders of their own.
 *
 * Source:  Elhemali et al., USENIX ATC 2022, s6: docs/models/leader_failover.md.
 * Assumes: one gap for all; a hand-over that is planned takes no time and is not modelled.
 * Owns:    nothing; its gaps are in the arena.  Cost: O(gaps so far) while one is open, else one
 *          comparison.
 */
#ifndef DDBSIM_MODELS_LEADER_FAILOVER_H
#define DDBSIM_MODELS_LEADER_FAILOVER_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

#define PARTITION_REPLICAS 3

struct leader_gap {
    uint32_t table, partition;
    bool is_open;
};

struct leader_failover {
    struct grow_array gaps; /* struct leader_gap, in the order of their losses */
    uint32_t open_count;
    uint64_t lost_attempts; /* that met no leader */
};

void leader_failover_init(struct leader_failover *failover, struct arena *arena);

/* The leader of a partition of a table is lost; *gap: what leader_failover_elect is told. */
bool leader_failover_lose(struct leader_failover *failover, uint32_t table, uint32_t partition,
                          uint32_t *gap, struct err *err) ERR_WARN_UNUSED;
struct leader_gap leader_failover_gap(const struct leader_failover *failover, uint32_t gap);
/* The gap is over. Whether the partition has a leader then: it was not lost once more meanwhile. */
bool leader_failover_elect(struct leader_failover *failover, uint32_t gap);

static inline bool leader_failover_is_open(const struct leader_failover *failover) {
    return failover->open_count > 0;
}
/* Whether a partition is without a leader now. */
bool leader_failover_holds(const struct leader_failover *failover, uint32_t table,
                           uint32_t partition);

#endif
