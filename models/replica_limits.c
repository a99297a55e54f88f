#include "models/replica_limits.h"

#include "sim/check.h"

unsigned replica_limits_of(const struct model_parameters *parameters) {
    return (parameters->ec_read_factor > PARAMETER_FRACTION_ONE ? REPLICA_LEADER : 0U) |
           (parameters->node_capacity > 0 ? REPLICA_NODE : 0U);
}

int64_t replica_limits_read_rate(const struct model_parameters *parameters) {
    const int64_t rate =
        parameters->part_max_r * parameters->ec_read_factor / PARAMETER_FRACTION_ONE;
    return rate < TOKEN_BUCKET_RATE_MAX ? rate : TOKEN_BUCKET_RATE_MAX;
}

static void open_bucket(struct token_bucket *bucket, int64_t rate_cu_per_s,
                        const struct model_parameters *parameters) {
    /* rate in units per second times nanoseconds is nano-units */
    const int64_t cap_ncu = rate_cu_per_s * parameters->part_bucket_depth;
    token_bucket_init(bucket, 0, rate_cu_per_s, cap_ncu, cap_ncu);
}

void replica_limits_init(struct replica_limits *limits, const struct model_parameters *parameters) {
    const unsigned which = replica_limits_of(parameters);
    if ((which & REPLICA_LEADER) != 0) {
        open_bucket(&limits->leader, parameters->part_max_r, parameters);
    }
    if ((which & REPLICA_NODE) != 0) {
        open_bucket(&limits->node, parameters->node_capacity, parameters);
    }
}

void replica_limits_split(struct replica_limits *parent, unsigned which, sim_ns now_ns,
                          struct replica_limits *low, struct replica_limits *high) {
    if ((which & REPLICA_LEADER) != 0) {
        token_bucket_split(&parent->leader, now_ns, &low->leader, &high->leader);
    }
    if ((which & REPLICA_NODE) != 0) {
        token_bucket_split(&parent->node, now_ns, &low->node, &high->node);
    }
}

void replica_limits_audit(struct replica_limits *limits, unsigned which, sim_ns now_ns) {
    if ((which & REPLICA_LEADER) != 0) {
        token_bucket_audit(&limits->leader, now_ns);
    }
    if ((which & REPLICA_NODE) != 0) {
        token_bucket_audit(&limits->node, now_ns);
    }
}

static bool serves(struct token_bucket *bucket, sim_ns now_ns, int64_t cost_ncu, bool may_owe) {
    SIM_CHECK(!token_bucket_is_closed(bucket));
    token_bucket_refill(bucket, now_ns);
    return token_bucket_serves(bucket, cost_ncu, may_owe);
}

bool replica_limits_serve(struct replica_limits *limits, unsigned which, sim_ns now_ns,
                          int64_t cost_ncu, bool may_owe) {
    const bool leader =
        (which & REPLICA_LEADER) == 0 || serves(&limits->leader, now_ns, cost_ncu, may_owe);
    const bool node =
        (which & REPLICA_NODE) == 0 || serves(&limits->node, now_ns, cost_ncu, may_owe);
    return leader && node;
}

void replica_limits_take(struct replica_limits *limits, unsigned which, int64_t cost_ncu) {
    if ((which & REPLICA_LEADER) != 0) {
        token_bucket_take(&limits->leader, cost_ncu);
    }
    if ((which & REPLICA_NODE) != 0) {
        token_bucket_take(&limits->node, cost_ncu);
    }
}
