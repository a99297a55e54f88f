#include "models/lane_group.h"

int64_t lane_group_sum_ncu(const struct lane_ask *asks, uint32_t count) {
    int64_t sum_ncu = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum_ncu += asks[i].cost_ncu;
    }
    return sum_ncu;
}

static struct token_bucket *bucket_of(const struct lane *lane, const struct lane_ask *ask) {
    struct partition *partition = &lane->partitions[ask->partition];
    return lane->writes ? &partition->write : &partition->read;
}

/* What all of them ask of the partition of one. */
static struct lane_ask of_partition(const struct lane_ask *asks, uint32_t count, uint32_t one) {
    struct lane_ask sum = asks[one];
    for (uint32_t i = 0; i < count; i++) {
        sum.cost_ncu += i != one && asks[i].partition == sum.partition ? asks[i].cost_ncu : 0;
    }
    return sum;
}

uint16_t lane_group_refuse(const struct lane *lane, sim_ns now_ns, uint32_t router,
                           const struct lane_ask *asks, uint32_t count, uint16_t *reasons) {
    SIM_CHECK(count >= 1 && count <= LANE_GROUP_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct lane_ask sum = of_partition(asks, count, i);
        struct token_bucket *bucket = bucket_of(lane, &sum);
        token_bucket_refill(bucket, now_ns);
        const bool serves =
            token_bucket_serves(bucket, sum.cost_ncu, sum.may_owe) &&
            replica_limits_serve(&lane->partitions[sum.partition].limits, lane->replica_limits,
                                 now_ns, sum.cost_ncu, sum.may_owe);
        reasons[i] = serves ? 0 : lane->bucket_reason;
        if (lane->shares != NULL) {
            reasons[i] |= lane_refuse(lane, now_ns, router, &sum);
        }
    }
    if (lane->shares != NULL) {
        return 0;
    }
    struct lane_ask whole = asks[0];
    whole.cost_ncu = lane_group_sum_ncu(asks, count);
    return lane_refuse(lane, now_ns, router, &whole);
}

void lane_group_take(const struct lane *lane, uint32_t router, const struct lane_ask *asks,
                     uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lane_take(lane, router, &asks[i]);
        token_bucket_take(bucket_of(lane, &asks[i]), asks[i].cost_ncu);
        replica_limits_take(&lane->partitions[asks[i].partition].limits, lane->replica_limits,
                            asks[i].cost_ncu);
    }
}
