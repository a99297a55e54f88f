/*
 * on_demand_limits.h - What limits an on-demand table beside its partitions: the maximum that its
 * owner has set, and the account's quota of a table.
 *
 *   maximum   a bucket: OnDemandThroughput units a second, on_demand_burst of them saved
 *   quota     a bucket: the quota's units a second, part_bucket_depth of them saved; as long as the
 *             partitions cannot reach it together, it is not asked: it could never refuse
 *
 * There is no provisioned throughput, so none is exceeded.
 *
 * Source:  AWS Developer Guide, on-demand maximum throughput (a target that burst may exceed);
 *          quotas (40,000 units a second of a table or index); how much is saved: UNK.
 * Owns:    nothing; lives by value in its table or index, one for each direction.
 * Cost:    none without a limit; else O(1) a request.
 */
#ifndef DDBSIM_MODELS_ON_DEMAND_LIMITS_H
#define DDBSIM_MODELS_ON_DEMAND_LIMITS_H

#include "models/parameters.h"
#include "models/token_bucket.h"

#include <stdbool.h>
#include <stdint.h>

enum on_demand_refusal { ON_DEMAND_ABOVE_MAXIMUM = 1, ON_DEMAND_ABOVE_QUOTA = 2 };

struct on_demand_limits {
    struct token_bucket maximum, quota;
    bool has_maximum, has_quota;
    int64_t quota_cu_per_s; /* 0, or above TOKEN_BUCKET_RATE_MAX: none */
    sim_ns maximum_depth_ns, quota_depth_ns;
};

/* Without a maximum, and with no partitions yet. quota 0: none. */
void on_demand_limits_init(struct on_demand_limits *limits, int64_t quota_cu_per_s,
                           const struct model_parameters *parameters);
/* Sets the maximum at now, 0: none. saved_ns: what is saved of it, as time; above on_demand_burst
 * it counts as that. The caller has audited at now. */
void on_demand_limits_set_maximum(struct on_demand_limits *limits, sim_ns now_ns, int64_t cu_per_s,
                                  sim_ns saved_ns);
/* The partitions can serve that together from now on; the caller has audited at now. */
void on_demand_limits_reach(struct on_demand_limits *limits, sim_ns now_ns, int64_t cu_per_s);

/* A set of enum on_demand_refusal, empty: admitted. may_owe: whatever is left is enough. */
static inline uint32_t on_demand_limits_refuse(struct on_demand_limits *limits, sim_ns now_ns,
                                               int64_t cost_ncu, bool may_owe) {
    uint32_t refusals = 0;
    if (limits->has_maximum) {
        token_bucket_refill(&limits->maximum, now_ns);
        refusals |=
            token_bucket_serves(&limits->maximum, cost_ncu, may_owe) ? 0 : ON_DEMAND_ABOVE_MAXIMUM;
    }
    if (limits->has_quota) {
        token_bucket_refill(&limits->quota, now_ns);
        refusals |=
            token_bucket_serves(&limits->quota, cost_ncu, may_owe) ? 0 : ON_DEMAND_ABOVE_QUOTA;
    }
    return refusals;
}

/* Consumes; after _refuse gave the empty set at the same now. */
static inline void on_demand_limits_take(struct on_demand_limits *limits, int64_t cost_ncu) {
    if (limits->has_maximum) {
        token_bucket_take(&limits->maximum, cost_ncu);
    }
    if (limits->has_quota) {
        token_bucket_take(&limits->quota, cost_ncu);
    }
}

static inline bool on_demand_limits_any(const struct on_demand_limits *limits) {
    return limits->has_maximum || limits->has_quota;
}

/* Checks that each bucket gave what the partitions took since the last audit, modulo 2^64, and
 * opens the next window; aborts on a breach. */
void on_demand_limits_audit(struct on_demand_limits *limits, sim_ns now_ns, uint64_t taken_ncu);

#endif
