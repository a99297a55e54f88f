/*
 * simulation_parts.h - The inside of a run, shared by simulation*.c and nobody else.
 *
 *   simulation.c         set-up, one second of the loop, closing it
 *   simulation_keys.c    item numbers of templates -> items of the service; names of keys
 *   simulation_indexes.c     what writes give to indexes; entries written there -> recorder
 *   simulation_operations.c  what an operation is and when it ends; workloads, closed-loop clients
 *   simulation_chains.c  what an operation begins when it has succeeded: the next step of its chain
 *   simulation_calls.c   attempts: sent, answered, refused, sent again
 *   simulation_client.c  the same through client objects: quota, rate limiter, connections, errors
 *   simulation_model.c   what the model does of its own: timers, closes of seconds, events
 *   simulation_batches.c batches, whose members share a call
 *   simulation_scans.c   Scans, whose pages follow one another
 *   simulation_report.c  the end: in flight, summary, rows of the database
 */
#ifndef DDBSIM_EXPERIMENTS_SIMULATION_PARTS_H
#define DDBSIM_EXPERIMENTS_SIMULATION_PARTS_H

#include "analysis/recorder.h"
#include "experiments/pipeline.h"
#include "experiments/simulation.h"
#include "experiments/slab.h"
#include "models/service.h"
#include "models/service_scan.h"
#include "sim/arena.h"
#include "sim/check.h"
#include "sim/grow_array.h"
#include "sim/id_map.h"
#include "sim/loop.h"
#include "workloads/client.h"
#include "workloads/generator.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SIMULATION_STEP_ATTEMPTS 65536 /* some milliseconds */
#define SIMULATION_AUDIT_S 60          /* simulated seconds between audits of the model */
#define SIMULATION_NONE UINT32_MAX
#define KEY_SOURCES_CHUNK 4096

/* Kinds of timers, in the order of ties at one nanosecond (design §2). */
enum simulation_timer {
    TIMER_SERVICE = 1, /* the model has something to do */
    TIMER_ACTION = 2,  /* subject: one of the scenario's actions */
    TIMER_RETRY = 3,   /* subject: index of a waiting attempt */
    TIMER_CALL = 4,    /* subject: index of a call of a client object */
    TIMER_START = 5,   /* subject: a workload that waited for another */
    TIMER_CLIENT = 6,  /* subject: workload << 32 | client of a closed loop */
    TIMER_TOKEN = 7,   /* subject: a client object */
    TIMER_STEP = 8,    /* subject: workload << 32 | chain of its root */
};

/* Where a key's text comes from: the first workload that used it, and the item's number there. A
 * table with numbered items, whose workloads all have the same texts, keeps the number alone. */
struct key_source {
    uint64_t number;
    uint32_t workload;
    uint32_t attribute; /* of the workload's, or one of: */
};
#define SIMULATION_ITEM_KEY UINT32_MAX
#define SIMULATION_ITEM_SORT_KEY (UINT32_MAX - 1)

/* One member about to be sent; kept in a slab while it waits for a retry. */
struct attempt {
    uint32_t next_free; /* first: slab.h */
    uint32_t number;    /* 0: its first */
    sim_ns arrival_ns;  /* of its operation */
    uint64_t sequence;
    uint32_t workload, item, bytes;
    uint32_t member;  /* further pages of a Query's member m: m + page * members */
    uint32_t client;  /* of a closed loop, SIMULATION_NONE: open */
    uint32_t fan_out; /* its operation, SIMULATION_NONE: the operation has this member only */
    const struct attribute_value *values; /* that it gives to indexes, given_count of them */
    uint32_t record; /* its chain, a batch's members, a Scan's segment; SIMULATION_NONE: none */
    bool deletes;    /* a member of a BatchWriteItem that is no put */
};

/* The chain that an operation has begun, from its arrival to the end of its last step. */
struct chain {
    uint32_t next_free; /* first: slab.h */
    uint32_t client;    /* as an attempt's */
    uint64_t sequence;
    struct chain_step {
        uint64_t number; /* of its item's member 0 */
        uint32_t bytes;
    } steps[]; /* then, as uint64_t, what was drawn for the attributes of each */
};

/* The members of a batch that are not served yet, all of them in the next call. */
struct batch_members {
    uint32_t next_free; /* first: slab.h */
    uint32_t count;
    bool is_rejected; /* a member was, for good */
    struct batch_member {
        uint32_t member, item, bytes;
        uint32_t slot;  /* of its attributes' values */
        bool deletes;   /* instead of putting */
        bool is_served; /* by the last call, whether or not the client hears of it */
    } members[];        /* then given_count struct attribute_value by slot */
};

/* A segment of a Scan that is being read. */
struct scan_segment {
    uint32_t next_free;       /* first: slab.h */
    struct scan_range at;     /* what its next page begins with */
    struct scan_range behind; /* after the page that is on its way */
};

/* An operation with several members, while any is pending. */
struct fan_out {
    uint32_t next_free; /* first: slab.h */
    uint32_t remaining;
    sim_ns latest_ns;         /* response of the last member so far */
    enum operation_fate fate; /* the worst of its members' */
};

/* What the service makes of a call: of a batch, as a whole. */
struct simulation_reply {
    enum attempt_fate fate;
    enum operation_fate ends; /* when it was admitted: how its operation ends, if it ends */
};

struct simulation_workload {
    const struct workload_spec *spec;
    struct generator generator;
    struct operation_batch batch;
    uint32_t items[GENERATOR_BATCH];   /* by draw, of member 0, resolved when the batch is made */
    uint32_t items_coming, items_near; /* positions of the batch up to which items are on their way
                                          to the processor, and interned */
    bool has_numbered_items;           /* its items' numbers are the service's; no map */
    struct id_map *items_by_number;    /* else; shared by workloads whose keys are numbered alike */
    struct id_map own_items;           /* the first one's; the others' stay empty */
    uint64_t open_operations;          /* arrived, not ended */
    uint64_t open_chains;              /* begun by this workload's operations, not ended */
    struct slab records;       /* struct chain of a root, batch_members of a batch, scan_segment */
    struct service_scan *scan; /* of a Scan */
    uint64_t delay_stream, probability_stream; /* of a step */
    uint32_t open_clients;                     /* closed loop: clients that will call again */
    uint32_t router_base;      /* closed loop: client c keeps to router router_base + c */
    uint64_t condition_stream; /* of condition {fails: …} */
    uint64_t deletes_stream;   /* of a batch's members */
    bool by_key;               /* items are keys: a Query of a table with a sort key */
    bool is_single;            /* open, one plain member: its arrivals are served a run at a time */
    uint32_t source;           /* its source in the pipeline; SIMULATION_NONE: none */
    sim_ns latencies_ns[GENERATOR_BATCH]; /* is_single: of the batch's operations, if admitted */
    sim_ns last_end_ns;
    uint32_t resource; /* its requests go there: the table, or an index */
    /* the table has indexes, and this writes */
    bool writes_indexes;
    uint32_t *attributes; /* service_attribute of those given, then of those held */
    struct attribute_value *values, *held_values; /* of each draw of the batch, then of the step
                                                     that begins; of one item */
    struct id_map *values_by_number;              /* by attribute */
    uint32_t value_map_count;
    bool started, exhausted, ended; /* exhausted: no further arrivals; ended: and none open */
};

struct summary_splits;
struct summary_resource;
struct simulation_clients; /* simulation_client.c */

struct simulation {
    struct arena arena;
    struct simulation_config config;
    struct check_context check;
    struct loop loop;
    struct service service;
    struct client client;
    struct simulation_clients *clients; /* NULL: every attempt is on its own */
    struct recorder recorder;
    struct pipeline *pipeline; /* draws batches, records outcomes */
    struct simulation_workload *workloads;
    uint32_t workload_count;
    struct grow_array
        *key_sources;  /* by resource: struct key_source or, numbered, uint32_t, by key */
    bool *keys_differ; /* by table: an item's first number means a key that was never seen */
    struct slab waiting, fan_outs;    /* struct attempt, struct fan_out */
    struct grow_array waiting_values; /* given_count struct attribute_value by record */
    struct outcome_block *block;      /* the pipeline's; outcomes and new keys go there */
    struct resource_sample *samples;
    sim_ns service_timer_ns;  /* the earliest TIMER_SERVICE pending; INT64_MAX: none */
    uint32_t recorded_events; /* of the model, known to the recorder */
    sim_ns duration_ns;       /* INT64_MAX: until nothing is left to do */
    int64_t second;           /* the next one to run */
    uint64_t attempts;
    struct timespec wall_start;
    uint32_t *watch_keys; /* by watch, set by the end; SIMULATION_NONE: one never touched */
};

/* simulation_keys.c */

/* After the generators: which workloads number their items alike, and which tables need no look-up
 * of key texts. */
bool simulation_number_items(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* The service's item for a number of workload, met in the operation at that position of the batch;
 * first use interns it. */
bool simulation_item(struct simulation *simulation, uint32_t workload, uint32_t position,
                     uint64_t number, uint32_t bytes, uint32_t *item, struct err *err)
    ERR_WARN_UNUSED;
/* The items of a new batch. In a workload that is_single, those with numbers of their own are
 * interned by simulation_items_until. */
bool simulation_batch_items(struct simulation *simulation, uint32_t workload, struct err *err)
    ERR_WARN_UNUSED;
/* Interns the batch's items before position `next`, and brings the memory of those and of some
 * beyond near the processor. */
bool simulation_items_until(struct simulation *simulation, uint32_t workload, uint32_t next,
                            struct err *err) ERR_WARN_UNUSED;
/* A key's printable name. */
bool simulation_key_name(const struct simulation *simulation, uint32_t resource, uint32_t key,
                         char *name, size_t name_bytes, struct err *err) ERR_WARN_UNUSED;

/* simulation_indexes.c */

/* After the generators. */
bool simulation_start_indexes(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
void simulation_end_indexes(struct simulation_workload *state);
/* Names the keys of a resource that the recorder does not know yet. */
bool simulation_add_keys(struct simulation *simulation, uint32_t resource,
                         const struct key_source *source, struct err *err) ERR_WARN_UNUSED;
/* The same for every index of a table, after a text was interned. */
bool simulation_add_index_keys(struct simulation *simulation, uint32_t table,
                               const struct key_source *source, struct err *err) ERR_WARN_UNUSED;
/* What the operations of a batch give. */
bool simulation_batch_values(struct simulation *simulation, uint32_t workload, struct err *err)
    ERR_WARN_UNUSED;
/* What a step of a chain gives that begins now: position GENERATOR_RECALLED. NULL: nothing. */
bool simulation_step_values(struct simulation *simulation, uint32_t workload,
                            const struct attribute_value **values, struct err *err) ERR_WARN_UNUSED;
/* What a new item holds that exists before its first use, by the operation that meets it. */
bool simulation_hold(struct simulation *simulation, uint32_t workload, uint32_t position,
                     uint32_t item, struct err *err) ERR_WARN_UNUSED;
/* Copies what an attempt gives that waits as that record, or is on its way as that call: a run has
 * either of them. */
bool simulation_keep_values(struct simulation *simulation, uint32_t index, struct attempt *waiting,
                            struct err *err) ERR_WARN_UNUSED;
/* Whether an entry is not written before until. */
bool simulation_indexes_wait(struct simulation *simulation, sim_ns until_ns);
/* Entries that the service has written before until, and writes that indexes have refused, to the
 * recorder. */
bool simulation_record_indexes(struct simulation *simulation, sim_ns until_ns, struct err *err)
    ERR_WARN_UNUSED;

/* At the end: each write that its table's indexes refused is an event on at least one of them. */
void simulation_check_indexes(const struct simulation *simulation);

/* simulation_operations.c */

bool simulation_refill(struct simulation *simulation, uint32_t workload, struct err *err)
    ERR_WARN_UNUSED;
/* Handles a run of arrivals, or its beginning. */
bool simulation_arrivals(struct simulation *simulation, struct loop_step *step, struct err *err)
    ERR_WARN_UNUSED;
bool simulation_timer(struct simulation *simulation, const struct timer *timer, struct err *err)
    ERR_WARN_UNUSED;
/* Begins a workload now (open: its stream asks for arrivals; closed: every client makes its first
 * call). */
bool simulation_start(struct simulation *simulation, uint32_t workload, struct err *err)
    ERR_WARN_UNUSED;
/* Opens the operation at position index of the batch: its first attempt, not sent yet. */
struct attempt simulation_arrive(struct simulation *simulation, uint32_t workload, uint32_t index,
                                 uint32_t client);
/* A client of a closed loop may call again, and the workload may be over, at end_ns. */
bool simulation_end_arrival(struct simulation *simulation, uint32_t workload, uint32_t client,
                            sim_ns end_ns, struct err *err) ERR_WARN_UNUSED;
/* Sends the first attempt of each member of attempt's operation; number: of member 0. */
bool simulation_send_members(struct simulation *simulation, const struct attempt *attempt,
                             uint64_t number, struct err *err) ERR_WARN_UNUSED;
/* A member has ended; its operation ends with its last member. */
bool simulation_end_member(struct simulation *simulation, const struct attempt *attempt,
                           enum operation_fate fate, sim_ns end_ns, struct err *err)
    ERR_WARN_UNUSED;

static inline void simulation_note_end(struct simulation_workload *state, sim_ns end_ns) {
    state->last_end_ns = end_ns > state->last_end_ns ? end_ns : state->last_end_ns;
}

/* simulation_chains.c */

void simulation_chain_init(struct simulation *simulation, uint32_t workload);
/* Draws the steps of the batch that root has just made. */
void simulation_chain_follow(struct simulation *simulation, uint32_t root);
/* Opens the chain of the operation at position index of its batch. */
bool simulation_chain_open(struct simulation *simulation, struct attempt *attempt, uint32_t index,
                           struct err *err) ERR_WARN_UNUSED;
/* An operation of a chain has ended: its next step is due, or the chain ends. */
bool simulation_chain_next(struct simulation *simulation, const struct attempt *attempt,
                           enum operation_fate fate, sim_ns end_ns, struct err *err)
    ERR_WARN_UNUSED;
bool simulation_chain_step(struct simulation *simulation, uint32_t workload, uint32_t chain,
                           struct err *err) ERR_WARN_UNUSED;

/* simulation_batches.c */

void simulation_batch_init(struct simulation *simulation, uint32_t workload);
/* Keeps the members of the operation at position index of its batch in a record. */
bool simulation_batch_open(struct simulation *simulation, struct attempt *attempt, uint32_t index,
                           struct err *err) ERR_WARN_UNUSED;
/* Submits what is left of a batch, or a transaction, as one call, or loses it on the way. */
bool simulation_batch_submit(struct simulation *simulation, const struct attempt *attempt,
                             bool arrives, struct simulation_reply *reply, struct err *err)
    ERR_WARN_UNUSED;
/* The call has a response at response_ns: its members are served but for those that it hands back,
 * which are sent again later, or left unprocessed. */
bool simulation_batch_answer(struct simulation *simulation, const struct attempt *attempt,
                             sim_ns response_ns, struct err *err) ERR_WARN_UNUSED;

/* simulation_scans.c */

bool simulation_scan_init(struct simulation *simulation, uint32_t workload, struct err *err)
    ERR_WARN_UNUSED;
/* Begins to read the segment that attempt's member is. */
bool simulation_scan_open(struct simulation *simulation, struct attempt *attempt, struct err *err)
    ERR_WARN_UNUSED;
/* Submits its next page as one call, or loses it on the way. */
bool simulation_scan_submit(struct simulation *simulation, const struct attempt *attempt,
                            bool arrives, struct simulation_reply *reply, struct err *err)
    ERR_WARN_UNUSED;
/* The page has its answer at response_ns: the next one is asked for, or the segment is over. */
bool simulation_scan_answer(struct simulation *simulation, const struct attempt *attempt,
                            enum operation_fate fate, sim_ns response_ns, struct err *err)
    ERR_WARN_UNUSED;
/* Forgets the segment. */
void simulation_scan_close(struct simulation *simulation, const struct attempt *attempt);

/* simulation_calls.c */

/* What the write asks of the item before it, drawn an attempt. */
enum write_condition simulation_condition(const struct simulation_workload *state,
                                          const struct attempt *attempt);
/* Whether a refusal is final: SDKs do not send a cancelled transaction again. */
static inline bool simulation_is_cancelled(const struct simulation *simulation,
                                           const struct attempt *attempt) {
    return ddb_operation_transacts(simulation->workloads[attempt->workload].spec->operation);
}
/* The router of an attempt's connection. */
uint32_t simulation_router(const struct simulation_workload *state, const struct attempt *attempt);
/* Hands the outcomes so far on, to be recorded some time before the next flush. */
bool simulation_publish(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* The same, and waits until they are recorded: what is read of attempts in the recorder, and what
 * else goes there, comes after it. */
bool simulation_flush(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
static inline struct client_attempt simulation_client_attempt(const struct attempt *attempt) {
    return (struct client_attempt){
        .workload = attempt->workload,
        .member = attempt->member,
        .number = attempt->number,
        .sequence = attempt->sequence,
    };
}

/* Hands an attempt to the service now, or loses it on the way (FATE_ERRORED). The outcome is good
 * until the next one; NULL on no memory. */
const struct outcome *simulation_submit(struct simulation *simulation,
                                        const struct attempt *attempt, bool arrives,
                                        struct err *err) ERR_WARN_UNUSED;
/* An admitted member has its answer at response_ns; a Query goes on with its next page then. */
bool simulation_answer(struct simulation *simulation, const struct attempt *attempt,
                       enum operation_fate fate, sim_ns response_ns, struct err *err)
    ERR_WARN_UNUSED;
/* The same of a call, which has several members when it is a batch. */
bool simulation_call(struct simulation *simulation, const struct attempt *attempt, bool arrives,
                     struct simulation_reply *reply, struct err *err) ERR_WARN_UNUSED;
/* Sends attempt at a later time. */
bool simulation_send_later(struct simulation *simulation, const struct attempt *attempt,
                           sim_ns at_ns, struct err *err) ERR_WARN_UNUSED;
/* Sends an attempt now; what is refused is sent again later, or its member ends. */
bool simulation_send(struct simulation *simulation, const struct attempt *attempt, struct err *err)
    ERR_WARN_UNUSED;
/* The attempt at index of `waiting` is due. */
bool simulation_retry(struct simulation *simulation, uint32_t index, struct err *err)
    ERR_WARN_UNUSED;
/* A run of arrivals of a workload that is_single. */
bool simulation_singles(struct simulation *simulation, struct loop_step *step, struct err *err)
    ERR_WARN_UNUSED;

/* simulation_client.c */

/* Client objects, if the scenario's client needs them. */
bool simulation_clients_init(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* As simulation_send, through the attempt's client object. */
bool simulation_clients_send(struct simulation *simulation, const struct attempt *attempt,
                             struct err *err) ERR_WARN_UNUSED;
/* The call at index has an answer, or has waited for its next attempt. */
bool simulation_clients_call(struct simulation *simulation, uint32_t index, struct err *err)
    ERR_WARN_UNUSED;
/* A client object's rate limiter may have a token. */
bool simulation_clients_token(struct simulation *simulation, uint32_t number, struct err *err)
    ERR_WARN_UNUSED;

/* simulation_model.c */

/* The model may have something to do earlier than was known. */
bool simulation_schedule_model(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* Before the first event: a timer for each action. */
bool simulation_schedule_actions(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* An action of the scenario is due. */
bool simulation_action(struct simulation *simulation, uint32_t action, struct err *err)
    ERR_WARN_UNUSED;
/* A TIMER_SERVICE is due. */
bool simulation_model_timer(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;
/* A second that ended at end_ns is closed and recorded: the model draws its conclusions. */
bool simulation_close_model(struct simulation *simulation, sim_ns end_ns, struct err *err)
    ERR_WARN_UNUSED;

/* What a resource's partitions have done. */
void simulation_summarise_collections(const struct simulation *simulation, uint32_t resource,
                                      struct summary_resource *summary);
void simulation_summarise_splits(const struct simulation *simulation, uint32_t resource,
                                 struct summary_splits *splits);

/* simulation_report.c */

/* The database's rows that are known before the first event. */
bool simulation_store_start(struct simulation *simulation, struct err *err) ERR_WARN_UNUSED;

#define SIMULATION_KEY_NAME_BYTES (4 * KEY_HASH_BYTES_MAX + 1) /* every byte as \xNN */

#endif
