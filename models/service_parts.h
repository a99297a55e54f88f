/*
 * service_parts.h - The inside of the service, shared by service*.c and nobody else.
 *
 * Owns: see service.h.
 */
#ifndef DDBSIM_MODELS_SERVICE_PARTS_H
#define DDBSIM_MODELS_SERVICE_PARTS_H

#include "models/adaptive_capacity.h"
#include "models/capacity_change.h"
#include "models/global_admission.h"
#include "models/on_demand_limits.h"
#include "models/partition.h"
#include "models/secondary_index.h"
#include "models/service.h"
#include "sim/check.h"

#include <stdint.h>

struct service_table {
    struct global_admission read, write;                  /* idle when there are shares */
    struct adaptive_capacity *read_shares, *write_shares; /* NULL: era gac */
    struct partition_set set;
    struct keyspace keyspace;
    int64_t read_capacity_units, write_capacity_units;
    bool is_on_demand; /* no pool and no shares; limits, if any */
    struct on_demand_limits read_limits, write_limits;
    struct on_demand peak;
    struct capacity_change *change;
    struct secondary_indexes *indexes; /* NULL: none */
    uint32_t first_index_resource;
    uint64_t initial_bytes, appeared_bytes; /* TableSizeBytes; of items that existed before use */
    bool follows_collections;               /* item collections under a local index may be full */
    struct grow_array collections;          /* then: uint64_t by key, bytes with local entries */
    uint64_t collection_max_bytes;
    uint64_t rejections, noted_rejections; /* attempts */
    bool rejected_before;                  /* in the last minute */
};

static inline struct service_table *service_table_at(const struct service *service,
                                                     uint32_t table) {
    SIM_CHECK(table < service->table_count);
    return &service->tables[table];
}

/* A global index by its resource. */
static inline struct secondary_index *service_index_at(const struct service *service,
                                                       uint32_t resource) {
    SIM_CHECK(resource >= service->table_count && resource < service->resource_count);
    return service->indexes[resource - service->table_count];
}

/* Kinds of the model's own timers, in the order of ties at one nanosecond. */
enum model_timer {
    MODEL_TIMER_CHANGE,  /* subject: a table, whose change may be in force */
    MODEL_TIMER_PEAK,    /* subject: a resource: a window of its peak ends, or is old enough */
    MODEL_TIMER_SPLIT,   /* subject: number of a service_split */
    MODEL_TIMER_SCALING, /* subject: number of a service_scaling */
    MODEL_TIMER_LEADER,  /* subject: gap of a leader_failover */
};

/* A split in flight. */
struct service_split {
    struct split_order order;
};

/* What a split is about: a table or a global index. */
struct service_resource {
    struct partition_set *set;
    struct keyspace *keyspace;
    struct adaptive_capacity *read_shares, *write_shares; /* NULL: none */
    struct secondary_index *index;                        /* NULL: a table */
};
struct service_resource service_resource_at(const struct service *service, uint32_t resource);

/* Whether what is asked of a partition of a table needs a leader, and it has none. */
static inline bool service_is_leaderless(const struct service *service, uint32_t table,
                                         uint32_t partition) {
    return leader_failover_holds(&service->failover, table, partition);
}
/* What comes of it: the outcome of an attempt that met no leader, which is counted. */
void service_lose_leaderless(struct service *service, sim_ns now_ns, const struct request *request,
                             struct outcome *outcome);
bool service_on_leader(struct service *service, sim_ns now_ns, uint32_t gap, struct err *err)
    ERR_WARN_UNUSED;
bool service_open_events(struct service *service, struct err *err) ERR_WARN_UNUSED;
/* After the resources are numbered. */
bool service_open_heat(struct service *service, const struct service_config *config,
                       struct err *err) ERR_WARN_UNUSED;
/* Indexes that are made later: after all are open. */
bool service_open_backfills(struct service *service, const struct service_config *config,
                            struct err *err) ERR_WARN_UNUSED;
/* The index is allocated now; it is deleted now; a second has ended. */
bool service_begin_backfill(struct service *service, sim_ns now_ns, uint32_t resource,
                            struct err *err) ERR_WARN_UNUSED;
bool service_delete_index(struct service *service, sim_ns now_ns, uint32_t resource,
                          struct err *err) ERR_WARN_UNUSED;
bool service_close_backfills(struct service *service, sim_ns now_ns, struct err *err)
    ERR_WARN_UNUSED;
/* A Query of an index that is not active. */
void service_read_early(struct secondary_index *index, sim_ns now_ns, const struct request *request,
                        struct outcome *outcome);
/* After the resources are numbered. */
bool service_open_size(struct service *service, const struct service_config *config,
                       struct err *err) ERR_WARN_UNUSED;
/* A minute has ended. */
bool service_close_size(struct service *service, sim_ns now_ns, struct err *err) ERR_WARN_UNUSED;
/* An item came to be known that existed before, or what it holds did: so much more. */
void service_appear(struct service_table *table, uint32_t item, uint64_t bytes);
/* Bytes of an item with its local entries. */
uint64_t service_item_stored(const struct service_table *table, uint32_t item);
/* Of tables that follow collections. Before writes: every key has a count. */
bool service_reserve_collections(struct service_table *table, struct err *err) ERR_WARN_UNUSED;
/* Whether a write that the indexes have planned would make its collection too large. */
bool service_collection_is_full(const struct service_table *table, const struct index_plan *plan);
void service_collection_grow(const struct service_table *table, const struct index_plan *plan);
/* Entries that were written to an index whose partitions may be hot. */
void service_observe_index(struct service *service, uint32_t resource,
                           const struct index_write *writes, uint32_t count);
/* Something has happened: a copy of *event. */
bool service_note(struct service *service, const struct model_event *event, struct err *err)
    ERR_WARN_UNUSED;
/* Splits an open partition now. */
bool service_split(struct service *service, sim_ns now_ns, const struct split_order *order,
                   struct err *err) ERR_WARN_UNUSED;

/* Eras with a share of the throughput for each partition (adaptive_capacity.h). Opens those of a
 * table and of its global indexes, which are open; nothing in era gac. */
bool service_open_shares(struct service_table *table, struct arena *arena,
                         const struct service_config *config, const struct table_spec *spec,
                         struct err *err) ERR_WARN_UNUSED;
/* On-demand tables and their indexes, which are open: what limits them. */
void service_open_on_demand(struct service_table *table, const struct service_config *config,
                            const struct table_spec *spec);
struct limits_setup {
    struct quotas_spec quotas;
    const struct model_parameters *parameters;
};
/* The limits of a table (position 0) or its global index position - 1 from now on, at which it was
 * audited. saved_ns: of the maximum. */
void service_open_limits(struct service_table *table, sim_ns now_ns, uint32_t position,
                         struct capacity_units maximum, sim_ns saved_ns,
                         const struct limits_setup *setup);
/* There may be more partitions: whether they reach the quota together. Audited at now. */
void service_reach_quota(struct service_table *table, sim_ns now_ns, uint32_t position,
                         const struct model_parameters *parameters);

/* Control of changes, and peaks of on-demand tables; all tables are open. */
bool service_open_changes(struct service *service, const struct service_config *config,
                          struct err *err) ERR_WARN_UNUSED;
/* The timers' ends. */
bool service_on_change(struct service *service, sim_ns now_ns, uint32_t table, struct err *err)
    ERR_WARN_UNUSED;
bool service_on_peak(struct service *service, sim_ns now_ns, uint32_t resource, struct err *err)
    ERR_WARN_UNUSED;
/* Auto scaling (service_scaling.c): after the control of changes is open; a minute has ended; a
 * timer; a table's change has come into force. */
bool service_open_scaling(struct service *service, const struct service_config *config,
                          struct err *err) ERR_WARN_UNUSED;
bool service_scale_minute(struct service *service, sim_ns now_ns, struct err *err) ERR_WARN_UNUSED;
bool service_on_scaling(struct service *service, sim_ns now_ns, uint32_t number, struct err *err)
    ERR_WARN_UNUSED;
void service_scaling_changed(struct service *service, sim_ns now_ns, uint32_t table);
/* Reads and writes that the partitions of a resource have served up to now, modulo 2^64. */
void service_taken_ncu(struct service *service, sim_ns now_ns, uint32_t resource,
                       uint64_t *read_ncu, uint64_t *write_ncu);
/* A table by its position 0, its global indexes behind it. */
uint32_t service_resource_of(const struct service_table *table, uint32_t number, uint32_t position);
/* The table that a resource is or that it is an index of, and its position there. */
struct service_table *service_owner_of(const struct service *service, uint32_t resource,
                                       uint32_t *position);
/* service_audit of one table and its indexes. */
void service_audit_table(struct service *service, uint32_t number, sim_ns now_ns);
/* What *sample says of the capacity of an on-demand table or index: there is none; a maximum's
 * bucket shows what it has saved. */
void service_sample_on_demand(struct on_demand_limits *reads, struct on_demand_limits *writes,
                              sim_ns now_ns, struct resource_sample *sample);
/* What *sample says of the pools, for a table with shares. */
void service_sample_shares(const struct service_table *table, sim_ns now_ns,
                           struct resource_sample *sample);

#endif
