/*
 * spec.h - What is simulated, as plain data: tables as CloudFormation's AWS::DynamoDB::Table
 * describes them, their state at the start, and the parameters of the model.
 *
 * Field names are AWS's property names in snake case. Texts are NUL-terminated and owned by whoever
 * read them (the scenario's arena).
 */
#ifndef DDBSIM_MODELS_SPEC_H
#define DDBSIM_MODELS_SPEC_H

#include "models/parameters.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ITEM_BYTES_MAX (400 * 1024)      /* AWS guide, constraints: 400 KB, names included */
#define TABLE_CAPACITY_UNITS_MAX 1000000 /* quotas can be raised; beyond this is a typing error */
#define TABLE_PARTITIONS_MAX 65536
#define SPEC_UNKNOWN (-1)
#define GLOBAL_INDEXES_MAX 20        /* AWS guide, quotas */
#define LOCAL_INDEXES_MAX 5          /* AWS guide, quotas */
#define PROJECTED_ATTRIBUTES_MAX 100 /* non-key attributes over all indexes; AWS guide, quotas */
#define BATCH_GETS_MAX 100           /* items of one call; AWS guide, quotas */
#define BATCH_WRITES_MAX 25
#define SCAN_SEGMENTS_MAX 1000000 /* TotalSegments; AWS API */
#define TRANSACTION_ITEMS_MAX 100
#define TRANSACTION_BYTES_MAX (4 * 1024 * 1024)
#define TABLE_SWITCHES_MAX 4 /* to on-demand in 24 hours; AWS guide, switching capacity modes */

enum billing_mode { BILLING_PROVISIONED, BILLING_PAY_PER_REQUEST };

/* Reads and writes a second. */
struct capacity_units {
    int64_t read, write;
};

/* What AWS allows, in units a second, as DescribeLimits names it: provisioned units of a table or
 * index and of the account, and what an on-demand table or index takes. 0: no limit. */
struct quotas_spec {
    int64_t table_max_read, table_max_write, account_max_read, account_max_write;
};

/* Beside what is provisioned, of a table or a global index; 0: not given. */
/* A scheduled action of auto scaling; UPDATE_KEEPS: leaves the bound as it is. */
struct scaling_action {
    sim_ns at_ns, every_ns; /* every_ns 0: once */
    int64_t min_units, max_units;
};

/* Auto scaling of reads or of writes, Application Auto Scaling's names. */
struct scaling_spec {
    bool disable_scale_in;
    int64_t min_units, max_units;
    int64_t target; /* in millionths: TargetValue 70 is 700,000 */
    sim_ns out_cooldown_ns, in_cooldown_ns;
    const struct scaling_action *actions;
    uint32_t action_count;
};

struct throughput_spec {
    struct capacity_units max_on_demand;       /* OnDemandThroughput */
    struct capacity_units warm;                /* WarmThroughput */
    struct capacity_units highest_provisioned; /* state: ever before the run */
    struct capacity_units previous_peak;       /* state: on-demand traffic before the run */
    const struct scaling_spec *read_scaling, *write_scaling; /* AutoScaling; NULL: none */
};

struct key_attribute {
    const char *name; /* NULL: the table has no such key */
    char type;        /* S, N or B */
};

/* `pin: {KEY: partition}`: places a partition key by hand, for tests of known layouts. */
struct table_pin {
    const char *key;
    uint32_t partition;
};

enum index_projection { PROJECTION_KEYS_ONLY, PROJECTION_INCLUDE, PROJECTION_ALL };

/* A secondary index. A local one shares the table's partitions and capacity; a global one has its
 * own. */
struct index_spec {
    const char *index_name;
    bool is_global;
    bool is_added; /* global: not there at the start, made by a call of UpdateTable */
    struct key_attribute hash_key, range_key;
    enum index_projection projection;
    const char *const *non_key_attributes; /* INCLUDE */
    uint32_t non_key_attribute_count;
    /* global: as the table's own below */
    int64_t read_capacity_units, write_capacity_units;
    struct throughput_spec throughput;
    int64_t index_size_bytes; /* SPEC_UNKNOWN when the file does not say */
    int64_t initial_partitions;
    sim_ns initial_burst_ns;
    const struct table_pin *pins; /* of index keys */
    uint32_t pin_count;
};

struct table_spec {
    const char *table_name;
    enum billing_mode billing_mode;
    int64_t read_capacity_units, write_capacity_units; /* provisioned, per second; on-demand: 0 */
    struct throughput_spec throughput;
    struct key_attribute hash_key, range_key;
    int64_t item_count;       /* SPEC_UNKNOWN when the file does not say */
    int64_t table_size_bytes; /* SPEC_UNKNOWN when the file does not say */
    /* state at the start */
    int64_t initial_partitions; /* 0: by formula */
    sim_ns initial_burst_ns;    /* saved capacity, SPEC_UNKNOWN: parameter burst_initial_s */
    const struct table_pin *pins;
    uint32_t pin_count;
    const struct index_spec *indexes; /* global ones first */
    uint32_t index_count, global_index_count;
};

/* Of a position: 0 the table, 1 + i its global index i. */
static inline const struct throughput_spec *table_throughput(const struct table_spec *table,
                                                             uint32_t position) {
    return position == 0 ? &table->throughput : &table->indexes[position - 1].throughput;
}

/* The call UpdateTable, in positions: 0 the table, 1 + i its global index i. */
#define UPDATE_POSITIONS (1 + GLOBAL_INDEXES_MAX)
#define UPDATE_KEEPS INT64_C(-1) /* not part of the call */

struct table_update {
    bool sets_billing_mode;
    enum billing_mode billing_mode;
    struct capacity_units provisioned[UPDATE_POSITIONS];
    struct capacity_units warm[UPDATE_POSITIONS];
    struct capacity_units max_on_demand[UPDATE_POSITIONS]; /* 0: takes the maximum away */
    uint32_t creates, deletes;                             /* position of an index; 0: none */
};

/* A call that asks for nothing yet. */
static inline struct table_update table_update_nothing(void) {
    struct table_update update = {.sets_billing_mode = false};
    for (uint32_t i = 0; i < UPDATE_POSITIONS; i++) {
        update.provisioned[i] = update.warm[i] = update.max_on_demand[i] =
            (struct capacity_units){UPDATE_KEEPS, UPDATE_KEEPS};
    }
    return update;
}

/* The index's key attribute of that name, NULL when it has none. */
static inline const struct key_attribute *spec_index_key(const struct index_spec *index,
                                                         const char *name) {
    if (strcmp(index->hash_key.name, name) == 0) {
        return &index->hash_key;
    }
    return index->range_key.name != NULL && strcmp(index->range_key.name, name) == 0
               ? &index->range_key
               : NULL;
}

/* Saved capacity at the start, as time at the provisioned rate: the spec's, or the default. */
static inline sim_ns spec_saved_ns(sim_ns initial_burst_ns,
                                   const struct model_parameters *parameters) {
    const sim_ns wanted_ns =
        initial_burst_ns == SPEC_UNKNOWN ? parameters->burst_initial_s : initial_burst_ns;
    return wanted_ns < parameters->burst_window_s ? wanted_ns : parameters->burst_window_s;
}

/* TableSizeBytes / ItemCount, to the nearest byte, at least 1; SPEC_UNKNOWN when there is none. */
static inline int64_t table_mean_item_bytes(const struct table_spec *table) {
    if (table->item_count <= 0 || table->table_size_bytes <= 0) {
        return SPEC_UNKNOWN;
    }
    const int64_t mean_bytes = table->table_size_bytes / table->item_count;
    const int64_t rest = table->table_size_bytes % table->item_count;
    const int64_t nearest_bytes = mean_bytes + (rest >= table->item_count - rest);
    return nearest_bytes < 1 ? 1 : nearest_bytes;
}

#endif
