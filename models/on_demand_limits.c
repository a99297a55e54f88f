#include "models/on_demand_limits.h"

#include "sim/check.h"

void on_demand_limits_init(struct on_demand_limits *limits, int64_t quota_cu_per_s,
                           const struct model_parameters *parameters) {
    *limits = (struct on_demand_limits){
        .quota_cu_per_s = quota_cu_per_s,
        .maximum_depth_ns = parameters->on_demand_burst,
        .quota_depth_ns = parameters->part_bucket_depth,
    };
}

void on_demand_limits_set_maximum(struct on_demand_limits *limits, sim_ns now_ns, int64_t cu_per_s,
                                  sim_ns saved_ns) {
    limits->has_maximum = cu_per_s > 0;
    if (limits->has_maximum) {
        const sim_ns depth_ns = limits->maximum_depth_ns;
        const sim_ns level_ns = saved_ns < depth_ns ? saved_ns : depth_ns;
        token_bucket_init(&limits->maximum, now_ns, cu_per_s, cu_per_s * depth_ns,
                          cu_per_s * level_ns);
    }
}

void on_demand_limits_reach(struct on_demand_limits *limits, sim_ns now_ns, int64_t cu_per_s) {
    const int64_t quota = limits->quota_cu_per_s;
    /* what partitions could reach once they can reach for ever */
    if (quota == 0 || quota > TOKEN_BUCKET_RATE_MAX || cu_per_s <= quota || limits->has_quota) {
        return;
    }
    const int64_t depth_ncu = quota * limits->quota_depth_ns;
    limits->has_quota = true;
    token_bucket_init(&limits->quota, now_ns, quota, depth_ncu, depth_ncu);
}

void on_demand_limits_audit(struct on_demand_limits *limits, sim_ns now_ns, uint64_t taken_ncu) {
    if (limits->has_maximum) {
        SIM_CHECK(limits->maximum.taken_ncu == taken_ncu);
        token_bucket_audit(&limits->maximum, now_ns);
    }
    if (limits->has_quota) {
        SIM_CHECK(limits->quota.taken_ncu == taken_ncu);
        token_bucket_audit(&limits->quota, now_ns);
    }
}
