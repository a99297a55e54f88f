/*
 * replica_limits.h - What limits a partition beside its own caps: its leader, and its node.
 *
 *   leader   strongly consistent reads: part_max_r, when ec_read_factor is more than 1, as then the
 *            partition serves ec_read_factor * part_max_r in all
 *   node     reads and writes together: node_capacity, when it is given
 *
 * Neither is there by default. Both are token buckets of part_bucket_depth, full at the start.
 *
 * Source:  Elhemali et al., USENIX ATC 2022, s3 (any replica serves eventually consistent reads),
 *          s4.1 (a node has a bucket); docs/models/replica_limits.md.
 * Owns:    nothing; lives by value in its partition.  Cost: O(1), and nothing where there is none.
 */
#ifndef DDBSIM_MODELS_REPLICA_LIMITS_H
#define DDBSIM_MODELS_REPLICA_LIMITS_H

#include "models/parameters.h"
#include "models/token_bucket.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of them. */
enum { REPLICA_LEADER = 1, REPLICA_NODE = 2 };

struct replica_limits {
    struct token_bucket leader, node;
};

/* Which of them there are. */
unsigned replica_limits_of(const struct model_parameters *parameters);
/* Units a second that a partition serves in all, eventually consistent reads among them. */
int64_t replica_limits_read_rate(const struct model_parameters *parameters);

void replica_limits_init(struct replica_limits *limits, const struct model_parameters *parameters);
/* A partition is split: its children share what is left, and have limits of their own. */
void replica_limits_split(struct replica_limits *parent, unsigned which, sim_ns now_ns,
                          struct replica_limits *low, struct replica_limits *high);
void replica_limits_audit(struct replica_limits *limits, unsigned which, sim_ns now_ns);

/* Whether those of a set serve that; taken after all have said so, at the same now. */
bool replica_limits_serve(struct replica_limits *limits, unsigned which, sim_ns now_ns,
                          int64_t cost_ncu, bool may_owe);
void replica_limits_take(struct replica_limits *limits, unsigned which, int64_t cost_ncu);

#endif
