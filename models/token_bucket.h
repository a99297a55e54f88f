/*
 * token_bucket.h - Capacity that refills continuously and is saved up to a cap.
 *
 *   level(t) = min(cap, level(t0) + rate * (t - t0))
 *
 * A rate in whole capacity units per second times nanoseconds is exactly nano-units, so refill has
 * no rounding. A take succeeds when level >= min(cost, cap): a cost above the cap needs a full
 * bucket and leaves a debt (a 400 KB put on a table of 1 WCU), see docs/models/token_bucket.md.
 *
 * Source:  AWS Developer Guide, "Burst and adaptive capacity"; Elhemali et al., ATC 2022, s4.
 * Invariant (audited): refilled = taken - given + spilled + change of level. The audit's counters
 *          are exact modulo 2^64, so that no span between two audits is too long for them.
 * Owns:    nothing; lives by value, 64 bytes, one cache line.  Cost: O(1), no division.
 */
#ifndef DDBSIM_MODELS_TOKEN_BUCKET_H
#define DDBSIM_MODELS_TOKEN_BUCKET_H

#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define TOKEN_BUCKET_RATE_MAX INT64_C(1000000) /* capacity units per second */
/* An hour at the highest rate. */
#define TOKEN_BUCKET_CAP_NCU_MAX (TOKEN_BUCKET_RATE_MAX * 3600 * SIM_NS_PER_S)
/* The longest step whose refill on top of any level stays below 2^63. */
#define TOKEN_BUCKET_STEP_NS_MAX (UINT64_C(1) << 42)

struct token_bucket {
    int64_t level_ncu; /* at updated_ns; negative: debt */
    int64_t cap_ncu;
    int64_t rate_cu_per_s; /* = nano-units per nanosecond */
    sim_ns updated_ns;
    /* the audit's window, since audited_ns; modulo 2^64 */
    uint64_t taken_ncu; /* less what was given back */
    uint64_t spilled_ncu;
    int64_t audited_level_ncu;
    sim_ns audited_ns;
};

/* rate 1 … TOKEN_BUCKET_RATE_MAX, cap 1 … TOKEN_BUCKET_CAP_NCU_MAX, level 0 … cap. */
void token_bucket_init(struct token_bucket *bucket, sim_ns now_ns, int64_t rate_cu_per_s,
                       int64_t cap_ncu, int64_t level_ncu);

/* The part of token_bucket_refill for steps that 64 bits do not hold; aborts if time goes back. */
void token_bucket_refill_far(struct token_bucket *bucket, sim_ns now_ns);

/* Brings the level to now; what exceeds the cap is spilled. Splitting a span changes nothing. */
static inline void token_bucket_refill(struct token_bucket *bucket, sim_ns now_ns) {
    const uint64_t elapsed_ns = (uint64_t)now_ns - (uint64_t)bucket->updated_ns;
    if (__builtin_expect(elapsed_ns > TOKEN_BUCKET_STEP_NS_MAX, 0)) {
        token_bucket_refill_far(bucket, now_ns);
        return;
    }
    const int64_t full_ncu = bucket->level_ncu + bucket->rate_cu_per_s * (int64_t)elapsed_ns;
    const int64_t level_ncu = full_ncu < bucket->cap_ncu ? full_ncu : bucket->cap_ncu;
    bucket->spilled_ncu += (uint64_t)(full_ncu - level_ncu);
    bucket->level_ncu = level_ncu;
    bucket->updated_ns = now_ns;
}

/* After a refill to now: whether cost may be taken, and taking it. */
static inline bool token_bucket_admits(const struct token_bucket *bucket, int64_t cost_ncu) {
    return bucket->level_ncu >= (cost_ncu < bucket->cap_ncu ? cost_ncu : bucket->cap_ncu);
}
/* The same for what may leave a debt (may_owe): whatever is left is enough. */
static inline bool token_bucket_serves(const struct token_bucket *bucket, int64_t cost_ncu,
                                       bool may_owe) {
    return may_owe ? bucket->level_ncu > 0 : token_bucket_admits(bucket, cost_ncu);
}
static inline void token_bucket_take(struct token_bucket *bucket, int64_t cost_ncu) {
    bucket->level_ncu -= cost_ncu;
    bucket->taken_ncu += (uint64_t)cost_ncu;
}

/* Puts capacity back (expired router tokens): counts against taken; above the cap it spills. */
void token_bucket_give(struct token_bucket *bucket, int64_t ncu);

/* Gives up part of a level that is at least that high. */
void token_bucket_spill(struct token_bucket *bucket, int64_t ncu);

/* Closes a bucket at now: two new ones, each with its rate and cap, share its level or its debt to
 * the nano-unit. For the audit, what it hands over is spilled. A closed bucket has cap 0: it must
 * not be asked any more. */
void token_bucket_split(struct token_bucket *bucket, sim_ns now_ns, struct token_bucket *low,
                        struct token_bucket *high);
static inline bool token_bucket_is_closed(const struct token_bucket *bucket) {
    return bucket->cap_ncu == 0;
}

/* Another rate and cap from now on; what exceeds the cap is spilled. Audited at now (checked): a
 * window of the audit has one rate. */
void token_bucket_change(struct token_bucket *bucket, sim_ns now_ns, int64_t rate_cu_per_s,
                         int64_t cap_ncu);

/* Brings the level to now, checks the invariant over the window since the last audit and opens a
 * new one; aborts on a breach. */
void token_bucket_audit(struct token_bucket *bucket, sim_ns now_ns);

#endif
