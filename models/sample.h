/*
 * sample.h - What the model shows of itself to the recorder: levels at an instant, partitions.
 */
#ifndef DDBSIM_MODELS_SAMPLE_H
#define DDBSIM_MODELS_SAMPLE_H

#include "sim/clock.h"

#include <stdint.h>

/* A table or index at one instant. */
struct resource_sample {
    int64_t provisioned_rcu, provisioned_wcu; /* per second; -1: not provisioned */
    int64_t burst_rncu, burst_wncu;           /* saved, tokens of routers included; -1: none */
    int64_t burst_max_rncu, burst_max_wncu;   /* what can be saved at most; 0: nothing */
    /* an index's entries: owed by writes to its table and not yet written, -1: no index; and what
     * those that are written took beyond its write capacity */
    int64_t buffered_wncu, debt_wncu;
    uint32_t partitions; /* open ones */
};

/* Why there is a partition. X(ENUM, name) */
#define PARTITION_CAUSES(X)                                                                        \
    X(CREATED, "created")                                                                          \
    X(HEAT, "heat")                                                                                \
    X(SIZE, "size")                                                                                \
    X(THROUGHPUT, "throughput")                                                                    \
    X(PEAK, "peak")

enum partition_cause {
#define PARTITION_CAUSE_ENUM(id, name) PARTITION_##id,
    PARTITION_CAUSES(PARTITION_CAUSE_ENUM)
#undef PARTITION_CAUSE_ENUM
};

/* A partition, open or closed: what lies from (hash_lo, sort_lo) to (hash_hi, sort_hi), inclusive,
 * in the order of partition keys' places and, within one, of sort keys (sort_position.h). sort_lo 0
 * and sort_hi UINT64_MAX: not cut within a partition key. */
struct partition_sample {
    uint32_t partition_id, parent_id; /* parent_id UINT32_MAX: none */
    sim_ns born_ns, closed_ns;        /* closed_ns -1: open */
    enum partition_cause cause;
    uint64_t hash_lo, hash_hi, sort_lo, sort_hi;
};

#endif
