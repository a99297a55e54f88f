/*
 * partition.h - Physical partitions: contiguous ranges of the hash ring, each with its own caps.
 *
 *   number of a new table, at least 1, at least ceil(bytes / part_max_bytes), and
 *     partition_formula max   max(ceil(RCU / part_max_r), ceil(WCU / part_max_w))
 *     partition_formula sum   ceil(RCU / part_max_r + WCU / part_max_w)
 *   range i of n = [ceil(i * 2^64 / n), ceil((i + 1) * 2^64 / n) - 1]
 *
 * Reads and writes are capped independently: 3,000 RCU and 1,000 WCU per second each.
 * Source:  AWS Developer Guide, partition key design, burst and adaptive capacity; ATC 2022 s3.
 * Invariants (audited): open ranges tile the ring; the buckets' own.
 * Owns:    an array in the arena.  Cost: find O(log n), once a key.
 */
#ifndef DDBSIM_MODELS_PARTITION_H
#define DDBSIM_MODELS_PARTITION_H

#include "models/sample.h"
#include "models/spec.h"
#include "models/token_bucket.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

struct partition {
    _Alignas(64) struct token_bucket read; /* a request touches one bucket, so one cache line */
    struct token_bucket write;
    uint64_t hash_lo, hash_hi; /* inclusive */
    uint32_t partition_id;
};

struct partition_set {
    struct partition *partitions; /* by hash_lo */
    uint32_t count;
};

/* How many partitions a table starts with: initial_partitions when it is given, else by formula; at
 * least 1, not bounded above. */
int64_t partition_count_initial(const struct table_spec *table,
                                const struct model_parameters *parameters);

/* False with *err set: more than TABLE_PARTITIONS_MAX of them, a pin to one that is not there. */
bool partition_layout_check(const struct table_spec *spec, int64_t partitions, struct err *err)
    ERR_WARN_UNUSED;

bool partition_set_init(struct partition_set *set, struct arena *arena, uint32_t count,
                        const struct model_parameters *parameters, struct err *err) ERR_WARN_UNUSED;

/* Position in the set of the partition that holds a ring position. */
uint32_t partition_set_find(const struct partition_set *set, uint64_t position);
void partition_set_audit(struct partition_set *set, sim_ns now_ns);

#endif
