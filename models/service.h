/*
 * service.h - The simulated DynamoDB: submit a request, get its outcome.
 *
 * A request's way: route (item -> key -> partition) -> price -> admit (provisioned pool, or the
 * on-demand maximum and the account's quota; then the partition's cap; every failing check is a
 * reason, all are reported) -> on success consume and
 * change the item's state. A refused request consumes nothing and changes nothing. A write whose
 * condition fails is priced and admitted as one, and changes nothing; so is one that an item
 * collection under a local index has no room for (rejected). A Query is admitted as long
 * as anything is left, and may leave a debt.
 *
 * Resources are numbered: the tables in their order, then the global indexes of each table. Local
 * indexes are part of their table.
 * Owns:    its tables, in an arena of its own.  Cost: submit O(1), no allocation.
 */
#ifndef DDBSIM_MODELS_SERVICE_H
#define DDBSIM_MODELS_SERVICE_H

#include "models/capacity_change.h"
#include "models/keyspace.h"
#include "models/leader_failover.h"
#include "models/model_event.h"
#include "models/request.h"
#include "models/sample.h"
#include "models/spec.h"
#include "sim/err.h"
#include "sim/grow_array.h"
#include "sim/timer_queue.h"

#include <stdbool.h>
#include <stdint.h>

struct service_table;
struct service_scaling;
struct split_for_heat;
struct split_for_size;
struct secondary_index;

struct service {
    struct arena arena;
    struct service_table *tables;
    struct secondary_index **indexes; /* global ones, by resource - table_count */
    uint32_t table_count, resource_count;
    uint32_t routers; /* 0: the fluid pool */
    struct model_parameters parameters;
    struct change_account account;
    struct timer_queue timers;        /* what the model does at a time of its own */
    struct grow_array splits;         /* struct service_split, in flight or done */
    struct grow_array events;         /* struct model_event, in the order of time */
    struct split_for_heat *heat;      /* by resource; NULL: off */
    struct split_for_size *sizes;     /* by resource */
    struct leader_failover failover;  /* partitions without a leader */
    uint32_t backfills;               /* indexes that are being built */
    uint32_t observed;                /* hot partitions over all resources */
    struct service_scaling *scalings; /* reads or writes that are scaled */
    uint32_t scaling_count;
};

struct service_config {
    const struct table_spec *tables;
    uint32_t table_count;
    struct model_parameters parameters;
    uint64_t seed, replication; /* name the layout */
    struct quotas_spec quotas;  /* 0: no limit */
    int64_t start_epoch_s;      /* UTC, of time 0 */
};

/* The config's tables and their texts are borrowed until _fini, which frees the rest. Provisioned
 * tables have 1 to TABLE_CAPACITY_UNITS_MAX units each way (checked). False with *err set
 * and nothing to free: out of memory, a pin to a partition that does not exist, too many
 * partitions. */
bool service_init(struct service *service, const struct service_config *config, struct err *err)
    ERR_WARN_UNUSED;
void service_fini(struct service *service);

/* First use of a key text by a workload; see keyspace_intern. */
bool service_intern(struct service *service, uint32_t table, const struct key_text *text,
                    uint32_t initial_bytes, struct intern_result *result, struct err *err)
    ERR_WARN_UNUSED;

/* The same for a text that is new; see keyspace_append. */
bool service_append(struct service *service, uint32_t table, const struct key_text *text,
                    uint32_t initial_bytes, struct intern_result *result, struct err *err)
    ERR_WARN_UNUSED;

/* The same for a partition key alone, in a table with a sort key: what a Query asks for. In a table
 * without one a key is an item: service_intern. */
bool service_intern_key(struct service *service, uint32_t table, const struct key_text *text,
                        uint32_t *key, struct err *err) ERR_WARN_UNUSED;

/* Items numbered by the caller, and the first use of one; see keyspace_number_items. */
bool service_number_items(struct service *service, uint32_t table, uint32_t count, struct err *err)
    ERR_WARN_UNUSED;
bool service_append_numbered(struct service *service, uint32_t table, const struct key_text *text,
                             uint32_t initial_bytes, uint32_t item, uint32_t *key, struct err *err)
    ERR_WARN_UNUSED;

/* Brings items near the processor; worth it some dozen requests ahead. */
void service_prefetch_items(const struct service *service, uint32_t table, const uint32_t *items,
                            uint32_t count);
/* How many of items come before the first that nobody has touched yet. */
uint32_t service_known_items(const struct service *service, uint32_t table, const uint32_t *items,
                             uint32_t count);

/* One attempt at now (never before an earlier one). Fills the first block of *outcome. */
void service_submit(struct service *service, sim_ns now_ns, const struct request *request,
                    struct outcome *outcome);

/* The outcome of an attempt that is lost on its way: nothing has come to the service. */
void service_lose(sim_ns now_ns, const struct request *request, struct outcome *outcome);

/* The first attempts of operations on one item each that differ in nothing but time, item and
 * size. */
struct service_run {
    const sim_ns *times_ns; /* in order */
    const uint32_t *items, *new_bytes;
    uint32_t count;
    uint32_t table;
    uint8_t operation;
    bool consistent_read;
    bool past_refusals; /* go on after a refusal: nothing will come of it */
    uint16_t workload;
    uint64_t first_sequence; /* of the first; the others follow it */
    /* as in struct request; attribute_count values for each operation */
    const uint32_t *attributes;
    const struct attribute_value *values;
    uint32_t attribute_count;
};

/* While every partition has its leader (checked: service_lacks_leader).
 * Submits them one after another through ROUTER_ANY, all of them or up to and including the first
 * that is refused; returns how many. Outcomes are those of as many calls of service_submit, first
 * attempts at member 0. */
uint32_t service_submit_run(struct service *service, const struct service_run *run,
                            struct outcome *outcomes);

/* The leader of a table's partition is lost now, or of one of those that came of it by splits: an
 * event, and another one after model.failover_gap. Meanwhile service_submit and the like lose
 * (service_lose) what only a leader can serve. */
bool service_lose_leader(struct service *service, sim_ns now_ns, uint32_t table, uint32_t partition,
                         struct err *err) ERR_WARN_UNUSED;
/* A node with a replica of such a partition is lost now: an event, and its leader, if the replica
 * was that. Two of three replicas go on. */
bool service_lose_node(struct service *service, sim_ns now_ns, uint32_t table, uint32_t partition,
                       bool was_leader, struct err *err) ERR_WARN_UNUSED;
/* Attempts that were lost for that. */
uint64_t service_leaderless_attempts(const struct service *service);
/* Whether any partition is without a leader. */
static inline bool service_lacks_leader(const struct service *service) {
    return leader_failover_is_open(&service->failover);
}

/* Somebody calls UpdateTable at now; *reply is the answer. What comes of it is an event, and goes
 * on by timers. */
bool service_update_table(struct service *service, sim_ns now_ns, uint32_t table,
                          const struct table_update *update, struct change_reply *reply,
                          struct err *err) ERR_WARN_UNUSED;

/* Indexes of a table (secondary_index.h). The number of an attribute, ATTRIBUTE_OF_NO_INDEX when no
 * index has it. */
uint32_t service_attribute(const struct service *service, uint32_t table, const char *name);
/* The value that a text of an attribute is. Each global index whose partition key it is has a key
 * of that number then, which a Query on it names. */
bool service_intern_value(struct service *service, uint32_t table, uint32_t attribute,
                          const char *text, size_t text_bytes, struct attribute_value *value,
                          struct err *err) ERR_WARN_UNUSED;
/* What an item holds that exists before its first use. */
void service_hold(struct service *service, uint32_t table, uint32_t item,
                  const uint32_t *attributes, const struct attribute_value *values,
                  uint32_t attribute_count);
/* Before that many writes to a table with indexes: room for what they will owe. */
bool service_reserve(struct service *service, uint32_t table, uint32_t writes, struct err *err)
    ERR_WARN_UNUSED;
/* The resource of a table's global index, in the order of its spec. */
uint32_t service_index_resource(const struct service *service, uint32_t table, uint32_t index);
/* Items of a table so far: an item that is interned next has that number or a smaller one. */
uint32_t service_item_count(const struct service *service, uint32_t table);
/* Size of a value that service_intern_value gave, with the attribute's name. */
uint32_t service_value_bytes(const struct service *service, uint32_t table, uint32_t attribute,
                             uint32_t value);
uint32_t service_resource_count(const struct service *service);
/* Whether an index owes entries that are not written before until. */
bool service_index_waits(struct service *service, uint32_t resource, sim_ns until_ns);
/* Entries of an index that were written before until and not handed over yet: as many as lie side
 * by side, in the order of time; call again until it returns 0. */
uint32_t service_index_writes(struct service *service, uint32_t resource, sim_ns until_ns,
                              const struct index_write **writes);
/* Writes to its table that an index has refused since the last call: its throttle events. */
struct index_refusals service_index_refusals(struct service *service, uint32_t resource);

/* What the service does at a time of its own. When the next is due; INT64_MAX: nothing is. A
 * request changes that only to a time that is not before the end of its second. */
static inline sim_ns service_next_event_ns(const struct service *service) {
    return timer_queue_next_ns(&service->timers);
}
/* Does what is due up to now; it is fine to come when nothing is. */
bool service_on_timer(struct service *service, sim_ns now_ns, struct err *err) ERR_WARN_UNUSED;
/* A second that ended at now is closed, its outcomes are all known: mechanisms that evaluate once a
 * second or minute do so, and may schedule. */
bool service_close_second(struct service *service, sim_ns now_ns, struct err *err) ERR_WARN_UNUSED;
/* Whether any partition is so hot that its accesses are looked at. */
static inline bool service_observes(const struct service *service) {
    return service->observed > 0;
}
/* Accesses in their order; how they are cut into batches changes nothing. A Scan's pages are no
 * accesses to keys: they warm a partition and do not say where to cut it. */
void service_observe(struct service *service, const struct outcome *outcomes, uint32_t count);
/* What has happened so far, in the order of time (model_event.h). */
uint32_t service_event_count(const struct service *service);
const struct model_event *service_event(const struct service *service, uint32_t number);

/* A split that takes a while. The partition's limits hold until it is over, then they are its
 * children's. */
struct split_order {
    uint32_t resource, partition;
    struct partition_place cut; /* where the upper part begins */
    enum partition_cause cause;
    sim_ns duration_ns;
};
/* Whether the partition is open and may be cut there (partition_set_may_split). */
bool service_may_split(const struct service *service, const struct split_order *order);
/* May (checked). */
bool service_start_split(struct service *service, sim_ns now_ns, const struct split_order *order,
                         struct err *err) ERR_WARN_UNUSED;
/* Each open partition of a resource splits in two at its middle, at once. */
bool service_double(struct service *service, sim_ns now_ns, uint32_t resource,
                    enum partition_cause cause, struct err *err) ERR_WARN_UNUSED;

/* Whether writes to a table may be rejected because their item collection is full: from a minute or
 * two before one can be, on. */
bool service_follows_collections(const struct service *service, uint32_t table);
/* Attempts that were rejected for that. */
uint64_t service_collection_rejections(const struct service *service, uint32_t table);
/* Queries of a global index that were rejected because it was not active. */
uint64_t service_early_reads(const struct service *service, uint32_t resource);
/* Data of a table, touched items and what nobody touches; of an index: its entries. O(items). */
uint64_t service_stored_bytes(const struct service *service, uint32_t resource);

/* Levels and partitions of a resource at now; asks without a trace. A debt shows as 0. */
void service_sample(struct service *service, sim_ns now_ns, uint32_t resource,
                    struct resource_sample *sample);
/* Partitions so far, open and closed; their numbers are 0 … count - 1. */
uint32_t service_partition_count(const struct service *service, uint32_t resource);
void service_partition(const struct service *service, uint32_t resource, uint32_t index,
                       struct partition_sample *sample);
/* Where a key lies on the ring. */
uint64_t service_key_position(const struct service *service, uint32_t resource, uint32_t key);
/* The partition that the first of its items lies in now. */
uint32_t service_key_partition(const struct service *service, uint32_t resource, uint32_t key);
/* Whether a key's items lie in a partition, or some of them do. */
bool service_partition_holds(const struct service *service, uint32_t resource, uint32_t partition,
                             uint32_t key);
/* Where an item of a table lies: its key's place on the ring, its sort key's within that. */
struct partition_place service_item_place(const struct service *service, uint32_t table,
                                          uint32_t item);
uint32_t service_key_count(const struct service *service, uint32_t resource);
size_t service_memory_bytes(const struct service *service);

/* Checks that buckets and routers conserve units, that partitions tile the ring, and that the
 * partitions of a table admitted what the table admitted; aborts on a breach. Cost: O(partitions +
 * routers). */
void service_audit(struct service *service, sim_ns now_ns);

#endif
