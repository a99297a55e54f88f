/*
 * outcomes.h - A made-up run for tests: two resources, ten workloads, random attempts by second.
 *
 * The attempts are drawn, not simulated: every field takes all its values in all combinations that
 * the recorder accepts. Time is in order; some seconds are empty, some crowded.
 */
#ifndef DDBSIM_TESTS_ANALYSIS_OUTCOMES_H
#define DDBSIM_TESTS_ANALYSIS_OUTCOMES_H

#include "analysis/recorder.h"
#include "sim/hash.h"

#define MADE_UP_RESOURCES 2
#define MADE_UP_WORKLOADS 10 /* more than the recorder has at once in its hands */
#define MADE_UP_KEYS 60      /* of each resource */

static const uint32_t made_up_partitions[MADE_UP_RESOURCES] = {5, 1};

static const struct recorder_workload_config made_up_workloads[MADE_UP_WORKLOADS] = {
    {"update", 0, DDB_UPDATE_ITEM, false}, {"read", 0, DDB_GET_ITEM, false},
    {"put", 1, DDB_PUT_ITEM, false},       {"delete", 1, DDB_DELETE_ITEM, false},
    {"remove", 0, DDB_DELETE_ITEM, false}, {"add", 0, DDB_PUT_ITEM, false},
    {"look", 1, DDB_GET_ITEM, false},      {"list", 0, DDB_QUERY, false},
    {"list index", 1, DDB_QUERY, false}, /* the same place as "update" in a mix */
    {"count", 0, DDB_GET_ITEM, false},
};

static inline bool made_up_init(struct recorder *recorder, struct err *err) {
    const struct recorder_resource_config resources[MADE_UP_RESOURCES] = {
        {"orders", NULL, made_up_partitions[0], 0},
        {"orders", "by_day", made_up_partitions[1], 0},
    };
    const struct recorder_config config = {
        .resources = resources,
        .workloads = made_up_workloads,
        .resource_count = MADE_UP_RESOURCES,
        .workload_count = MADE_UP_WORKLOADS,
    };
    if (!recorder_init(recorder, &config, err)) {
        return false;
    }
    for (uint16_t resource = 0; resource < MADE_UP_RESOURCES; resource++) {
        for (uint64_t key = 0; key < MADE_UP_KEYS; key++) {
            if (!recorder_add_key(recorder, resource, hash_draw(11, resource, key), err)) {
                return false;
            }
        }
    }
    return true;
}

/* Attempt number i of the run that seed names, at at_ns. */
static inline struct outcome made_up_outcome(uint64_t seed, uint64_t i, sim_ns at_ns) {
    uint64_t bits = hash_draw(seed, i, 1), more = hash_draw(seed, i, 2);
    uint16_t workload = (uint16_t)(bits % MADE_UP_WORKLOADS);
    uint16_t resource = made_up_workloads[workload].resource;
    bool is_throttled = bits >> 8 & 1, is_errored = (bits >> 9 & 15) == 0;
    /* an index's refusals of writes to its table come by themselves: recorder_index_refusals */
    uint16_t reasons = (uint16_t)((bits >> 16 & bits >> 32) & ~(uint64_t)REASONS_OF_INDEX_WRITES);
    uint32_t key = (uint32_t)((bits >> 13 & 7) * (more >> 4 & 7) % MADE_UP_KEYS);
    return (struct outcome){
        .at_ns = at_ns,
        .cost_ncu = (int64_t)(1 + more % 9) * (NCU_PER_CU / 2),
        .key = key,
        .item = key,
        .partition = key % made_up_partitions[resource],
        .resource = resource,
        .reasons = is_throttled && !is_errored ? (uint16_t)(reasons == 0 ? 32 : reasons) : 0,
        .operation = made_up_workloads[workload].operation,
        .fate = is_errored     ? FATE_ERRORED
                : is_throttled ? FATE_THROTTLED
                               : FATE_ADMITTED,
        .item_missing = bits >> 60 & 1,
        .workload = workload,
        .attempt = (uint16_t)(more >> 40 & 3),
        .member = (uint32_t)(more >> 32 & 0xff),
        .sequence = i,
    };
}

/* How many attempts second t_s has: 0 in a quarter of the seconds, at most 99. */
static inline uint32_t made_up_count(uint64_t seed, int64_t t_s) {
    uint64_t bits = hash_draw(seed, (uint64_t)t_s, 3);
    return bits % 4 == 0 ? 0 : (uint32_t)(bits >> 8) % 100;
}

/* Fills outcomes with those of second t_s, the first of them being number first. */
static inline uint32_t made_up_second(uint64_t seed, int64_t t_s, uint64_t first,
                                      struct outcome outcomes[100]) {
    uint32_t count = made_up_count(seed, t_s);
    for (uint32_t i = 0; i < count; i++) {
        sim_ns within_ns = i == 0 ? 0 : SIM_NS_PER_S / count * (i + 1) - 1;
        outcomes[i] = made_up_outcome(seed, first + i, t_s * SIM_NS_PER_S + within_ns);
    }
    return count;
}

/* Levels at the end of second t_s; the second resource is not provisioned. Of the saved reads of
 * the first, less than 10 seconds' worth is left from second 81 on; of its writes there never is
 * more. */
static inline void made_up_samples(int64_t t_s, struct resource_sample samples[MADE_UP_RESOURCES]) {
    samples[0] = (struct resource_sample){
        .provisioned_rcu = 100 + t_s,
        .provisioned_wcu = 50,
        .burst_rncu = (5000 - 40 * t_s) * NCU_PER_CU + t_s,
        .burst_wncu = (t_s % 10) * NCU_PER_CU / 4,
        .partitions = made_up_partitions[0],
    };
    samples[1] = (struct resource_sample){.provisioned_rcu = -1,
                                          .provisioned_wcu = -1,
                                          .burst_rncu = -1,
                                          .burst_wncu = -1,
                                          .partitions = made_up_partitions[1]};
}

#endif
