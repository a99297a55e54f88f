/*
 * adaptive_capacity.h - Provisioned throughput before the shared pool: a share for each partition,
 * and, in era adaptive, the delayed boost of shares that are too small.
 *
 *   base(i)    provisioned / partitions, to the nano-unit; the bases sum to what is provisioned
 *   share i    a bucket of its own: refills at alloc(i), holds at most base(i) * burst_window_s
 *   static     alloc(i) = base(i), for ever
 *   adaptive   from the first refusal by a share on: wait delay, uniform in adaptive_delay_min …
 *              adaptive_delay_max; then at the end of every adaptive_period
 *                want(i)   = min(units asked of share i in the period / period, partition's cap)
 *                boost(i) += adaptive_gain * (max(want(i) - base(i), 0) - boost(i))   if share i
 *                            refused in the period, or is boosted already; rounded down
 *                spare(i)  = max(base(i) - want(i), 0); 0 if share i is boosted or refused
 *                alloc(i)  = base(i) + boost(i) - lent(i)
 *              where lent takes the sum of the boosts from the spares, in proportion; boosts that
 *              the spares do not cover are cut, in proportion. So the allocations always sum to
 *              what is provisioned. It ends when no share is boosted and none was refused.
 *   admits     as a token bucket: level >= min(cost, cap); a Query: level > 0, may leave a debt
 *
 * Periods are worked out when somebody asks, like a bucket's refill: when is exact. At a split the
 * share of the parent, its boost and what it has saved go to its children in halves.
 *
 * Source:  Elhemali et al., USENIX ATC 2022, s3-4.1; AWS guide of 2018 (5 to 30 minutes); gain,
 *          period and who lends are unpublished: docs/models/adaptive_capacity.md.
 * Invariants (audited): per share refilled = taken + spilled + change of level; sum of the bases =
 *          sum of the allocations = provisioned.
 * Units:   ncu; rates in ncu per second, so that a share of 5 units on 4 partitions is exact.
 * Owns:    its shares (arena).  Cost: O(1) a request, O(partitions) a period.
 */
#ifndef DDBSIM_MODELS_ADAPTIVE_CAPACITY_H
#define DDBSIM_MODELS_ADAPTIVE_CAPACITY_H

#include "models/parameters.h"
#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

/* One partition's part of the provisioned throughput. */
struct capacity_share {
    int64_t level_ncu, cap_ncu; /* at updated_ns; negative: debt */
    int64_t alloc_ncu_per_s;    /* its rate */
    int64_t rest;               /* of the refill, in 1e-9 ncu: what is no whole nano-unit yet */
    sim_ns updated_ns;
    int64_t base_ncu_per_s, boost_ncu_per_s;
    int64_t asked_ncu; /* in this period of an active control, whatever became of it */
    bool has_refused;  /* in this period */
    /* the audit's window; totals modulo 2^64 */
    uint64_t taken_ncu, spilled_ncu;
    uint64_t refilled_ncu; /* before the last change of rate */
    int64_t audited_level_ncu, changed_rest;
    sim_ns changed_ns; /* last change of rate, or audit */
};

enum adaptive_phase {
    ADAPTIVE_IDLE,    /* no share has refused anything */
    ADAPTIVE_WAITING, /* for the delay, up to the first period that counts */
    ADAPTIVE_ACTIVE,
};

struct adaptive_capacity {
    struct capacity_share *shares;
    uint32_t share_count, share_capacity;
    int64_t provisioned_ncu_per_s;
    int64_t asked_max_ncu; /* what a partition's cap serves in a period; more does not count */
    bool has_boost;        /* era adaptive */
    enum adaptive_phase phase;
    sim_ns next_ns; /* end of the phase's wait or period; SIM_NS_MAX: none */
    sim_ns delay_min_ns, delay_max_ns, period_ns;
    int64_t gain_ppm;
    uint64_t delay_stream, episode; /* one draw an episode */
};

struct adaptive_capacity_setup {
    int64_t provisioned_cu_per_s; /* 1 … TOKEN_BUCKET_RATE_MAX */
    int64_t part_max_cu_per_s;
    uint32_t partitions;
    sim_ns
        initial_burst_ns;  /* saved at the start, as time; above burst_window_s it counts as that */
    uint64_t delay_stream; /* names the random delays */
};

/* In an arena, by one call; NULL and *err set without memory. */
struct adaptive_capacity *adaptive_capacity_open(struct arena *arena,
                                                 const struct adaptive_capacity_setup *setup,
                                                 const struct model_parameters *parameters,
                                                 struct err *err);

/* Whether the share of a partition admits cost at now, which is never before an earlier one; it
 * counts as asked either way. may_owe: whatever is left is enough (a Query). */
bool adaptive_capacity_admits(struct adaptive_capacity *capacity, sim_ns now_ns, uint32_t partition,
                              int64_t cost_ncu, bool may_owe);

/* Consumes; after _admits said yes at the same now. */
static inline void adaptive_capacity_take(struct adaptive_capacity *capacity, uint32_t partition,
                                          int64_t cost_ncu) {
    struct capacity_share *share = &capacity->shares[partition];
    share->level_ncu -= cost_ncu;
    share->taken_ncu += (uint64_t)cost_ncu;
}

/* Splits the share of a partition at now into two new ones, the last of the list. The parent's has
 * nothing from then on. */
bool adaptive_capacity_split(struct adaptive_capacity *capacity, struct arena *arena, sim_ns now_ns,
                             uint32_t partition, struct err *err) ERR_WARN_UNUSED;

/* Saved at now over all shares; a debt of one is not paid by another, so it counts as nothing
 * saved. Asking changes no later answer. */
int64_t adaptive_capacity_saved_ncu(struct adaptive_capacity *capacity, sim_ns now_ns);
/* What can be saved at most. */
int64_t adaptive_capacity_saved_max_ncu(const struct adaptive_capacity *capacity);

/* Checks the invariants and opens the next window; aborts on a breach. */
void adaptive_capacity_audit(struct adaptive_capacity *capacity, sim_ns now_ns);

#endif
