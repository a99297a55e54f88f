/*
 * lane.h - Admission of one attempt: by the table and by a partition; for service*.c alone.
 *
 * A lane is what attempts have in common that go to one table or index with one operation. What
 * one of them asks for is admitted when everything in its way admits it; then all of them pay.
 *
 * Source:  service.h.
 * Owns:    nothing; lives by value while one call lasts.  Cost: O(1), inline: the lane's values are
 *          the same throughout a run of attempts.
 */
#ifndef DDBSIM_MODELS_LANE_H
#define DDBSIM_MODELS_LANE_H

#include "models/capacity_units.h"
#include "models/service_parts.h"

/* What attempts have in common that go to one table with one operation. */
struct lane {
    struct partition *partitions;
    const struct partition_set *set;
    const struct keyspace *keyspace;
    struct grow_array items;
    struct global_admission *pool;    /* NULL: on-demand */
    struct adaptive_capacity *shares; /* in place of the pool; NULL: era gac */
    struct on_demand_limits *limits;  /* NULL: none */
    uint32_t resource;
    enum ddb_operation operation;
    uint16_t pool_reason, bucket_reason, maximum_reason, quota_reason;
    bool consistent_read, writes;
    unsigned replica_limits; /* of the partitions, that apply; usually none */
};

/* Which limits of leader and node apply to reads or writes. */
static inline unsigned lane_replica_limits(const struct partition_set *set, bool by_leader) {
    return set->replica_limits & (by_leader ? REPLICA_LEADER | REPLICA_NODE : REPLICA_NODE);
}

static inline struct lane lane_open(struct service_table *table, uint32_t resource,
                                    uint8_t operation, bool consistent_read) {
    const bool writes = ddb_operation_writes((enum ddb_operation)operation);
    struct global_admission *pool = writes ? &table->write : &table->read;
    struct on_demand_limits *limits = writes ? &table->write_limits : &table->read_limits;
    return (struct lane){
        .partitions = table->set.partitions,
        .set = &table->set,
        .keyspace = &table->keyspace,
        .items = table->keyspace.items,
        .pool = table->is_on_demand ? NULL : pool,
        .limits = on_demand_limits_any(limits) ? limits : NULL,
        .shares = writes ? table->write_shares : table->read_shares,
        .resource = resource,
        .operation = (enum ddb_operation)operation,
        .pool_reason = writes ? REASON_BIT(REASON_TABLE_WRITE_PROVISIONED)
                              : REASON_BIT(REASON_TABLE_READ_PROVISIONED),
        .bucket_reason = writes ? REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE)
                                : REASON_BIT(REASON_TABLE_READ_KEY_RANGE),
        .maximum_reason = writes ? REASON_BIT(REASON_TABLE_WRITE_MAX_ON_DEMAND)
                                 : REASON_BIT(REASON_TABLE_READ_MAX_ON_DEMAND),
        .quota_reason = writes ? REASON_BIT(REASON_TABLE_WRITE_ACCOUNT_LIMIT)
                               : REASON_BIT(REASON_TABLE_READ_ACCOUNT_LIMIT),
        .consistent_read = consistent_read,
        .writes = writes,
        .replica_limits = lane_replica_limits(&table->set, consistent_read && !writes),
    };
}

/* Reads of a global index; writes to it are the service's own (secondary_index.h). */
static inline struct lane lane_open_index(struct secondary_index *index, uint32_t resource) {
    return (struct lane){
        .partitions = index->set.partitions,
        .set = &index->set,
        .keyspace = &index->keyspace,
        .items = index->keyspace.items,
        .pool = index->is_on_demand ? NULL : &index->read,
        .shares = index->read_shares,
        .limits = on_demand_limits_any(&index->read_limits) ? &index->read_limits : NULL,
        .resource = resource,
        .operation = DDB_QUERY,
        .pool_reason = REASON_BIT(REASON_INDEX_READ_PROVISIONED),
        .bucket_reason = REASON_BIT(REASON_INDEX_READ_KEY_RANGE),
        .maximum_reason = REASON_BIT(REASON_INDEX_READ_MAX_ON_DEMAND),
        .quota_reason = REASON_BIT(REASON_INDEX_READ_ACCOUNT_LIMIT),
        .replica_limits = lane_replica_limits(&index->set, false),
    };
}

/* What an attempt asks for, and where. */
struct lane_ask {
    uint32_t key, item, partition; /* partition: position in the set */
    int64_t cost_ncu;
    bool may_owe;           /* admitted as long as anything is left */
    uint16_t index_reasons; /* why indexes of the table refuse it */
};

/* Apart, so that the usual case stays short: the item's partition was split since its last use. */
uint32_t lane_move_item(const struct keyspace *keyspace, const struct partition_set *set,
                        uint32_t item) __attribute__((noinline, cold));

/* The open partition of an item. Looks at the bucket that the request needs anyway. */
__attribute__((always_inline)) static inline uint32_t
lane_partition(const struct lane *lane, const struct item_state *item, uint32_t item_number) {
    const struct partition *partition = &lane->partitions[item->partition];
    if (__builtin_expect(
            token_bucket_is_closed(lane->writes ? &partition->write : &partition->read), 0)) {
        return lane_move_item(lane->keyspace, lane->set, item_number);
    }
    return item->partition;
}

/* An on-demand lane's limits beside the partition. */
static inline uint16_t lane_limits_refuse(const struct lane *lane, sim_ns now_ns,
                                          const struct lane_ask *ask) {
    const uint32_t refusals =
        on_demand_limits_refuse(lane->limits, now_ns, ask->cost_ncu, ask->may_owe);
    return (uint16_t)((refusals & ON_DEMAND_ABOVE_MAXIMUM ? lane->maximum_reason : 0) |
                      (refusals & ON_DEMAND_ABOVE_QUOTA ? lane->quota_reason : 0));
}

/* Why the table's capacity refuses; 0: the pool admits through router, or the partition's share of
 * it, or nothing limits an on-demand table. */
__attribute__((always_inline)) static inline uint16_t
lane_refuse(const struct lane *lane, sim_ns now_ns, uint32_t router, const struct lane_ask *ask) {
    if (__builtin_expect(lane->pool == NULL, 0)) {
        return lane->limits == NULL ? 0 : lane_limits_refuse(lane, now_ns, ask);
    }
    bool admits;
    if (__builtin_expect(lane->shares != NULL, 0)) {
        admits = adaptive_capacity_admits(lane->shares, now_ns, ask->partition, ask->cost_ncu,
                                          ask->may_owe);
    } else {
        admits = ask->may_owe
                     ? global_admission_admits_debt(lane->pool, now_ns, router, ask->cost_ncu)
                     : global_admission_admits(lane->pool, now_ns, router, ask->cost_ncu);
    }
    return admits ? 0 : lane->pool_reason;
}

__attribute__((always_inline)) static inline void
lane_take(const struct lane *lane, uint32_t router, const struct lane_ask *ask) {
    if (__builtin_expect(lane->pool == NULL, 0)) {
        if (lane->limits != NULL) {
            on_demand_limits_take(lane->limits, ask->cost_ncu);
        }
    } else if (__builtin_expect(lane->shares != NULL, 0)) {
        adaptive_capacity_take(lane->shares, ask->partition, ask->cost_ncu);
    } else {
        global_admission_take(lane->pool, router, ask->cost_ncu);
    }
}

static inline uint32_t lane_route(const struct lane *lane, uint32_t router) {
    return lane->pool == NULL ? 0 : global_admission_route(lane->pool, router);
}

/* Whether router and bucket admit; if not, who refused is in outcome->reasons. Inline, because the
 * lane's values are the same throughout a run. */
__attribute__((always_inline)) static inline bool lane_admit(const struct lane *lane, sim_ns now_ns,
                                                             uint32_t router,
                                                             const struct lane_ask *ask,
                                                             struct outcome *outcome) {
    struct partition *partition = &lane->partitions[ask->partition];
    struct token_bucket *bucket = lane->writes ? &partition->write : &partition->read;
    const int64_t cost_ncu = ask->cost_ncu;
    const uint16_t refusals = lane_refuse(lane, now_ns, router, ask);
    token_bucket_refill(bucket, now_ns);
    bool bucket_admits = token_bucket_serves(bucket, cost_ncu, ask->may_owe);
    if (__builtin_expect(lane->replica_limits != 0, 0)) {
        bucket_admits &= replica_limits_serve(&partition->limits, lane->replica_limits, now_ns,
                                              cost_ncu, ask->may_owe);
    }
    *outcome = (struct outcome){
        .at_ns = now_ns,
        .cost_ncu = cost_ncu,
        .key = ask->key,
        .item = ask->item,
        .partition = partition->partition_id,
        .resource = (uint16_t)lane->resource,
        .operation = (uint8_t)lane->operation,
        .fate = FATE_ADMITTED,
    };
    if (__builtin_expect(refusals == 0 && bucket_admits && ask->index_reasons == 0, 1)) {
        lane_take(lane, router, ask);
        token_bucket_take(bucket, cost_ncu);
        if (__builtin_expect(lane->replica_limits != 0, 0)) {
            replica_limits_take(&partition->limits, lane->replica_limits, cost_ncu);
        }
        return true;
    }
    outcome->reasons =
        (uint16_t)(refusals | (bucket_admits ? 0 : lane->bucket_reason) | ask->index_reasons);
    outcome->fate = FATE_THROTTLED;
    return false;
}

/* The condition is judged on the item as it is, before anybody knows whether there is capacity. */
static inline bool lane_condition_fails(enum write_condition condition,
                                        const struct item_state *item) {
    switch (condition) {
    case CONDITION_NONE: return false;
    case CONDITION_EXISTS: return item->bytes == 0;
    case CONDITION_NOT_EXISTS: return item->bytes != 0;
    case CONDITION_FAILS: return true;
    }
    SIM_CHECKF(false, "condition %d", (int)condition);
    return false;
}

static inline void lane_item_change(const struct lane *lane, struct item_state *item,
                                    uint32_t new_bytes) {
    if (lane->writes) {
        const uint32_t bytes = lane->operation == DDB_DELETE_ITEM ? 0 : new_bytes;
        if (item->bytes != bytes) { /* a line that stays clean need not go back to memory */
            item->bytes = bytes;
        }
    }
}

/* An attempt at one item: admitted, and the item is as large as it leaves it; or refused. */
__attribute__((always_inline)) static inline bool
lane_submit(const struct lane *lane, sim_ns now_ns, uint32_t router, uint32_t item_number,
            uint32_t new_bytes, int64_t local_index_ncu, uint16_t index_reasons,
            struct outcome *outcome) {
    SIM_CHECK(item_number < lane->items.count);
    struct item_state *item = keyspace_item_at(&lane->items, item_number);
    const enum ddb_operation operation = lane->operation;
    const uint32_t old_bytes = item->bytes;
    const struct lane_ask ask = {
        .key = item->key,
        .item = item_number,
        .partition = lane_partition(lane, item, item_number),
        .cost_ncu = capacity_units_ncu(operation, lane->consistent_read, old_bytes, new_bytes) +
                    local_index_ncu,
        .index_reasons = index_reasons,
    };
    if (__builtin_expect(!lane_admit(lane, now_ns, router, &ask, outcome), 0)) {
        return false;
    }
    outcome->item_missing = old_bytes == 0 && (!lane->writes || operation == DDB_DELETE_ITEM);
    lane_item_change(lane, item, new_bytes);
    return true;
}

/* service_submit_run to a table without indexes, or reads (service_run.c). */
uint32_t lane_run(const struct lane *lane, const struct service_run *run, struct outcome *outcomes);

#endif
