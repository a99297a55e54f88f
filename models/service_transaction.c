#include "models/service_transaction.h"

#include "models/capacity_units.h"
#include "models/lane_group.h"
#include "models/service_parts.h"

_Static_assert(TRANSACTION_ITEMS_MAX <= LANE_GROUP_MAX, "a transaction is one group");

#define PREPARE_AND_COMMIT 2 /* a member is paid for in both */

struct transaction {
    struct service_table *table;
    struct lane lane;
    const struct request *members;
    uint32_t count;
    struct lane_ask asks[TRANSACTION_ITEMS_MAX];
    bool condition_fails, collection_is_full;
};

static struct index_plan plan_of(const struct transaction *transaction, uint32_t member) {
    const struct request *request = &transaction->members[member];
    return (struct index_plan){
        .operation = (enum ddb_operation)request->operation,
        .item = request->item,
        .old_bytes = keyspace_item_at(&transaction->lane.items, request->item)->bytes,
        .new_bytes = request->new_bytes,
        .attributes = request->attributes,
        .values = request->values,
        .attribute_count = request->attribute_count,
    };
}

/* Local indexes' units of a write; sees to whether the indexes or a full collection forbid it. */
static int64_t ask_indexes(struct transaction *transaction, sim_ns now_ns, uint32_t member) {
    struct service_table *table = transaction->table;
    if (table->indexes == NULL || !transaction->lane.writes) {
        return 0;
    }
    const struct index_plan plan = plan_of(transaction, member);
    const int64_t local_ncu = secondary_indexes_plan(table->indexes, &plan);
    transaction->collection_is_full |=
        table->follows_collections && service_collection_is_full(table, &plan);
    transaction->asks[member].index_reasons = secondary_indexes_refuse(
        table->indexes, now_ns, transaction->asks[member].partition, table->set.open_count);
    return local_ncu;
}

static void ask_for(struct transaction *transaction, sim_ns now_ns, uint32_t member) {
    const struct request *request = &transaction->members[member];
    const struct lane *lane = &transaction->lane;
    const enum ddb_operation operation = (enum ddb_operation)request->operation;
    SIM_CHECK(request->item < lane->items.count);
    SIM_CHECK(ddb_operation_writes(operation) == lane->writes);
    const struct item_state *item = keyspace_item_at(&lane->items, request->item);
    struct lane_ask *ask = &transaction->asks[member];
    *ask = (struct lane_ask){
        .key = item->key,
        .item = request->item,
        .partition = lane_partition(lane, item, request->item),
    };
    const int64_t single_ncu = capacity_units_ncu(operation, true, item->bytes, request->new_bytes);
    ask->cost_ncu = PREPARE_AND_COMMIT * single_ncu + ask_indexes(transaction, now_ns, member);
    transaction->condition_fails |=
        lane_condition_fails((enum write_condition)request->condition, item);
}

static struct outcome outcome_of(const struct transaction *transaction, sim_ns now_ns,
                                 uint32_t member) {
    const struct lane *lane = &transaction->lane;
    const struct lane_ask *ask = &transaction->asks[member];
    const uint32_t bytes = keyspace_item_at(&lane->items, ask->item)->bytes;
    return (struct outcome){
        .at_ns = now_ns,
        .cost_ncu = ask->cost_ncu,
        .key = ask->key,
        .item = ask->item,
        .partition = ask->partition,
        .resource = (uint16_t)lane->resource,
        .operation = (uint8_t)lane->operation,
        .fate = FATE_ADMITTED,
        .item_missing = bytes == 0 && (!lane->writes ||
                                       transaction->members[member].operation == DDB_DELETE_ITEM),
    };
}

/* Outcomes of those that were refused: the first is the attempt's, and has all that was asked. */
static uint32_t refuse(const struct transaction *transaction, sim_ns now_ns, uint16_t of_table,
                       const uint16_t *of_partition, struct outcome *outcomes) {
    uint32_t refused = 0;
    for (uint32_t i = 0; i < transaction->count; i++) {
        const struct lane_ask *ask = &transaction->asks[i];
        const uint16_t reasons = of_table | of_partition[i] | ask->index_reasons;
        if (reasons == 0) {
            continue;
        }
        struct outcome *outcome = &outcomes[refused];
        *outcome = outcome_of(transaction, now_ns, i);
        outcome->fate = FATE_THROTTLED;
        outcome->reasons = reasons;
        outcome->item_missing = false;
        outcome->is_part = refused > 0;
        outcome->cost_ncu =
            refused > 0 ? 0 : lane_group_sum_ncu(transaction->asks, transaction->count);
        refused++;
        if (ask->index_reasons != 0) {
            (void)secondary_indexes_refuse(transaction->table->indexes, now_ns, ask->partition,
                                           transaction->table->set.open_count);
            secondary_indexes_count_refusal(transaction->table->indexes);
        }
    }
    return refused;
}

static void commit(struct transaction *transaction, sim_ns now_ns, uint32_t member) {
    const struct request *request = &transaction->members[member];
    struct service_table *table = transaction->table;
    if (table->indexes != NULL) {
        const struct index_plan plan = plan_of(transaction, member);
        (void)secondary_indexes_plan(table->indexes, &plan);
        if (table->follows_collections) {
            service_collection_grow(table, &plan);
        }
        secondary_indexes_commit(table->indexes, request->item, transaction->asks[member].partition,
                                 now_ns);
    }
    keyspace_item_at(&transaction->lane.items, request->item)->bytes =
        request->operation == DDB_DELETE_ITEM ? 0 : request->new_bytes;
}

static uint32_t admit(struct transaction *transaction, sim_ns now_ns, uint32_t router,
                      struct outcome *outcomes) {
    const bool is_cancelled = transaction->condition_fails || transaction->collection_is_full;
    lane_group_take(&transaction->lane, router, transaction->asks, transaction->count);
    for (uint32_t i = 0; i < transaction->count; i++) {
        outcomes[i] = outcome_of(transaction, now_ns, i);
        outcomes[i].is_part = i > 0;
        outcomes[i].condition_failed = transaction->condition_fails;
        outcomes[i].rejected = is_cancelled && !transaction->condition_fails;
        if (transaction->lane.writes && !is_cancelled) {
            commit(transaction, now_ns, i);
        }
    }
    transaction->table->rejections += outcomes[0].rejected;
    return transaction->count;
}

uint32_t service_transact(struct service *service, sim_ns now_ns, const struct request *members,
                          uint32_t count, struct outcome *outcomes) {
    SIM_CHECK(count >= 1 && count <= TRANSACTION_ITEMS_MAX);
    const bool writes = ddb_operation_writes((enum ddb_operation)members[0].operation);
    const uint8_t operation = writes ? DDB_TRANSACT_WRITE_ITEMS : DDB_TRANSACT_GET_ITEMS;
    struct transaction transaction = {
        .table = service_table_at(service, members[0].table), .members = members, .count = count};
    transaction.lane = lane_open(transaction.table, members[0].table, operation, true);
    const struct lane *lane = &transaction.lane;
    const uint32_t router = lane_route(lane, members[0].router);
    uint16_t of_partition[TRANSACTION_ITEMS_MAX], any = 0;
    bool has_leaders = true;
    for (uint32_t i = 0; i < count; i++) {
        SIM_CHECK(members[i].table == members[0].table);
        ask_for(&transaction, now_ns, i);
        has_leaders &=
            !service_is_leaderless(service, members[0].table, transaction.asks[i].partition);
    }
    if (!has_leaders) {
        const struct request lost = {.table = members[0].table, .operation = operation};
        service_lose_leaderless(service, now_ns, &lost, outcomes);
        return 1;
    }
    const uint16_t of_table =
        lane_group_refuse(lane, now_ns, router, transaction.asks, count, of_partition);
    for (uint32_t i = 0; i < count; i++) {
        any |= of_partition[i] | transaction.asks[i].index_reasons;
    }
    return (of_table | any) != 0 ? refuse(&transaction, now_ns, of_table, of_partition, outcomes)
                                 : admit(&transaction, now_ns, router, outcomes);
}
