/*
 * request.h - What a client asks of a table and what becomes of it: the vocabulary between folders.
 *
 *   operation   one arrival of a workload; with {each} it has several members
 *   attempt     one member sent once; retries are further attempts
 *   outcome     an attempt's fate, the units it consumed, and every reason that refused it; one for
 *               each partition that a Scan's page reads
 */
#ifndef DDBSIM_MODELS_REQUEST_H
#define DDBSIM_MODELS_REQUEST_H

#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define NCU_PER_CU INT64_C(1000000000) /* capacity is counted in nano-units: half units are exact */
#define HALF_UNIT_NCU (NCU_PER_CU / 2) /* nothing costs less, and every cost is a multiple */

/* The DynamoDB API's own names; of a batch, one member (a read, a put). X(ENUM, name, writes) */
#define DDB_OPERATIONS(X)                                                                          \
    X(GET_ITEM, "GetItem", false)                                                                  \
    X(PUT_ITEM, "PutItem", true)                                                                   \
    X(UPDATE_ITEM, "UpdateItem", true)                                                             \
    X(DELETE_ITEM, "DeleteItem", true)                                                             \
    X(QUERY, "Query", false)                                                                       \
    X(BATCH_GET_ITEM, "BatchGetItem", false)                                                       \
    X(BATCH_WRITE_ITEM, "BatchWriteItem", true)                                                    \
    X(SCAN, "Scan", false)                                                                         \
    X(TRANSACT_GET_ITEMS, "TransactGetItems", false)                                               \
    X(TRANSACT_WRITE_ITEMS, "TransactWriteItems", true)

enum ddb_operation {
#define DDB_OPERATION_ENUM(id, name, writes) DDB_##id,
    DDB_OPERATIONS(DDB_OPERATION_ENUM)
#undef DDB_OPERATION_ENUM
        DDB_OPERATION_COUNT
};

/* AWS's sixteen throttling reasons, in bit order. Source: AWS guide, diagnosing throttling. */
#define THROTTLE_REASONS(X)                                                                        \
    X(TABLE_READ_PROVISIONED, "TableReadProvisionedThroughputExceeded")                            \
    X(TABLE_WRITE_PROVISIONED, "TableWriteProvisionedThroughputExceeded")                          \
    X(INDEX_READ_PROVISIONED, "IndexReadProvisionedThroughputExceeded")                            \
    X(INDEX_WRITE_PROVISIONED, "IndexWriteProvisionedThroughputExceeded")                          \
    X(TABLE_READ_KEY_RANGE, "TableReadKeyRangeThroughputExceeded")                                 \
    X(TABLE_WRITE_KEY_RANGE, "TableWriteKeyRangeThroughputExceeded")                               \
    X(INDEX_READ_KEY_RANGE, "IndexReadKeyRangeThroughputExceeded")                                 \
    X(INDEX_WRITE_KEY_RANGE, "IndexWriteKeyRangeThroughputExceeded")                               \
    X(TABLE_READ_ACCOUNT_LIMIT, "TableReadAccountLimitExceeded")                                   \
    X(TABLE_WRITE_ACCOUNT_LIMIT, "TableWriteAccountLimitExceeded")                                 \
    X(INDEX_READ_ACCOUNT_LIMIT, "IndexReadAccountLimitExceeded")                                   \
    X(INDEX_WRITE_ACCOUNT_LIMIT, "IndexWriteAccountLimitExceeded")                                 \
    X(TABLE_READ_MAX_ON_DEMAND, "TableReadMaxOnDemandThroughputExceeded")                          \
    X(TABLE_WRITE_MAX_ON_DEMAND, "TableWriteMaxOnDemandThroughputExceeded")                        \
    X(INDEX_READ_MAX_ON_DEMAND, "IndexReadMaxOnDemandThroughputExceeded")                          \
    X(INDEX_WRITE_MAX_ON_DEMAND, "IndexWriteMaxOnDemandThroughputExceeded")

enum throttle_reason {
#define THROTTLE_REASON_ENUM(id, name) REASON_##id,
    THROTTLE_REASONS(THROTTLE_REASON_ENUM)
#undef THROTTLE_REASON_ENUM
        THROTTLE_REASON_COUNT
};
_Static_assert(THROTTLE_REASON_COUNT == 16, "reasons fit the 16-bit set of an outcome");

#define REASON_BIT(reason) ((uint16_t)(1U << (reason)))
/* Of a write to a table: its indexes' reasons. */
#define REASONS_OF_INDEX_WRITES                                                                    \
    (REASON_BIT(REASON_INDEX_WRITE_PROVISIONED) | REASON_BIT(REASON_INDEX_WRITE_KEY_RANGE) |       \
     REASON_BIT(REASON_INDEX_WRITE_ACCOUNT_LIMIT) | REASON_BIT(REASON_INDEX_WRITE_MAX_ON_DEMAND))

const char *ddb_operation_name(enum ddb_operation operation);
bool ddb_operation_writes(enum ddb_operation operation);
/* A write after which the item is as large as the request says. */
bool ddb_operation_stores(enum ddb_operation operation);
/* All of its members or none: one attempt. */
static inline bool ddb_operation_transacts(enum ddb_operation operation) {
    return operation == DDB_TRANSACT_GET_ITEMS || operation == DDB_TRANSACT_WRITE_ITEMS;
}
/* One attempt of it may come to several partitions and have an outcome at each. */
static inline bool ddb_operation_has_parts(enum ddb_operation operation) {
    return operation >= DDB_SCAN;
}
/* DDB_OPERATION_COUNT when no operation has that name. */
enum ddb_operation ddb_operation_by_name(const char *name);
const char *throttle_reason_name(enum throttle_reason reason);
/* THROTTLE_REASON_COUNT when no reason has that name. */
enum throttle_reason throttle_reason_by_name(const char *name);

/* What a write asks of the item before it. The service knows whether an item exists, not what
 * values it has: the caller says when a condition on those fails. */
enum write_condition {
    CONDITION_NONE,
    CONDITION_EXISTS,     /* attribute_exists(key) */
    CONDITION_NOT_EXISTS, /* attribute_not_exists(key) */
    CONDITION_FAILS,      /* on values: fails, whatever the item's state */
};

#define OUTCOME_NO_KEY UINT32_MAX
#define ROUTER_ANY UINT32_MAX /* open-loop traffic: spread over all routers in turn */

/* What a write gives an attribute, or an item holds: the number of a text (service_intern_value),
 * or one of the two below; bytes with the attribute's name, 0 when it is absent. */
struct attribute_value {
    uint32_t value, bytes;
};
#define VALUE_ABSENT UINT32_MAX
#define VALUE_RENEWED (UINT32_MAX - 1) /* a size alone: differs from every value before it */
#define ATTRIBUTE_OF_NO_INDEX UINT32_MAX

struct request {
    uint32_t table;     /* position in the list of tables; Query: or an index's resource */
    uint32_t item;      /* from service_intern; Query: a key, from service_intern_key */
    uint32_t new_bytes; /* size after a write, names included; Query: of all items that this page
                           evaluates; ignored by GetItem and DeleteItem */
    uint32_t router;    /* a keep-alive connection's router, or ROUTER_ANY */
    uint8_t operation;  /* enum ddb_operation */
    uint8_t condition;  /* enum write_condition, of a write */
    bool consistent_read;
    /* Tables with indexes: what a PutItem or UpdateItem gives, see secondary_index.h. */
    const uint32_t *attributes; /* from service_attribute */
    const struct attribute_value *values;
    uint32_t attribute_count;
};

enum attempt_fate {
    FATE_ADMITTED,
    FATE_THROTTLED,
    FATE_ERRORED, /* never reached a partition: time-out, transient error */
    FATE_COUNT
};

/* One attempt, 56 bytes, in the order in which it happened. The service fills the first block, the
 * caller, who knows the operation, the second. What a digest takes as a word lies side by side. */
struct outcome {
    sim_ns at_ns;
    int64_t cost_ncu;   /* consumed when admitted; what was asked for when throttled */
    uint32_t partition; /* partition_id within the resource */
    uint16_t reasons;   /* set of REASON_BIT; empty when admitted */
    uint16_t resource;
    uint32_t key;      /* partition key value, numbered per table by first use; Scan: none */
    uint32_t item;     /* Query: its key; Scan: where on the ring it began to read, upper half */
    uint8_t operation; /* enum ddb_operation */
    uint8_t fate;      /* enum attempt_fate */
    bool item_missing; /* a read of one item or a DeleteItem that found nothing */
    bool condition_failed; /* admitted and paid for, without effect */
    bool rejected;         /* refused for good, as above: the item collection is full */
    bool is_part;          /* of the attempt before it, which has come to more than one partition */

    _Alignas(8) uint32_t member;
    uint16_t attempt; /* from 0 */
    uint16_t workload;
    uint64_t sequence; /* of the operation within its workload, from 0 */
};

/* Writes to a table that one of its indexes refused, by reason. */
struct index_refusals {
    uint64_t events[THROTTLE_REASON_COUNT];
};

/* An index entry put or deleted: not an attempt, the service's own work some time after one. */
struct index_write {
    sim_ns at_ns, owed_ns; /* written; asked for by the write to the table */
    int64_t cost_ncu;
    uint32_t key; /* index key value, numbered per index by first use */
    uint32_t partition;
    uint64_t sort; /* the entry's place within its key (sort_position.h) */
};

#endif
