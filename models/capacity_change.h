/*
 * capacity_change.h - UpdateTable: other provisioned units, another billing mode, warm throughput.
 *
 *   request ─▶ refused, which changes nothing
 *        └───▶ accepted: UPDATING, everything as before ─▶ done_ns: in force, ACTIVE
 *
 *   one call at a time  a table that is UPDATING takes no further one, for itself or an index
 *   decreases           the table and each global index have a budget: 4 at 0:00 UTC, 1 more at
 *                       every full hour, at most 4 stored: 27 a day. A call that lowers reads,
 *                       writes or both of one of them takes 1 there; when one of them has none
 *                       left, the call is refused whole
 *   indexes             one is made or deleted at a time: until it is ACTIVE, none other
 *   quotas              a table or index, and the account's sum of provisioned units
 *   billing mode        to on-demand 4 times in any 24 hours, back at any time
 *   warm throughput     is raised only, up to the quota of a table
 *   time                units and warm throughput: a lognormal draw (update_table_median,
 *                       update_table_p99) and, for each doubling of the partitions that they
 *                       need, one of split_duration_min … split_duration_max; a switch of the
 *                       mode: mode_switch_time
 *
 * Source:  AWS Developer Guide, quotas (decreases as a bucket), switching capacity modes, warm
 *          throughput; what is UPDATING refuses: API, ResourceInUseException. Times: UNK.
 * Owns:    nothing; a table's control lives in its table, the account's in the service.
 * Cost:    a call O(indexes); none to a request.
 */
#ifndef DDBSIM_MODELS_CAPACITY_CHANGE_H
#define DDBSIM_MODELS_CAPACITY_CHANGE_H

#include "models/parameters.h"
#include "models/spec.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define CHANGE_DECREASES_MAX 4

enum change_answer {
    CHANGE_ACCEPTED,
    CHANGE_NOTHING,         /* the call asks for what is there */
    CHANGE_IN_USE,          /* the table is UPDATING */
    CHANGE_DECREASES_SPENT, /* no decrease left */
    CHANGE_TABLE_QUOTA,     /* above what a table or index may have */
    CHANGE_ACCOUNT_QUOTA,   /* above what the account may have */
    CHANGE_SWITCHES_SPENT,  /* to on-demand for the fifth time in 24 hours */
    CHANGE_ON_DEMAND,       /* provisioned units of an on-demand table */
    CHANGE_UNITS_MISSING,   /* a switch to provisioned without units for all */
    CHANGE_PROVISIONED,     /* an on-demand maximum of a provisioned table */
    CHANGE_WARM_LOWER,      /* warm throughput below what there is */
    CHANGE_INDEX_BUILDING,  /* an index is made or deleted while another is being built */
    CHANGE_ANSWER_COUNT
};

struct change_reply {
    enum change_answer answer;
    uint32_t position; /* whose rule refused: 0 the table, 1 + i its global index i */
    sim_ns done_ns;    /* accepted: when it is in force */
};

/* What all tables have provisioned, calls under way that raise it included. */
struct change_account {
    struct quotas_spec quotas;
    struct capacity_units provisioned;
};

/* A table or a global index. */
struct change_resource {
    struct capacity_units provisioned; /* in force; on-demand: 0 */
    struct capacity_units max_on_demand;
    struct capacity_units highest;     /* provisioned or warmed up ever */
    uint32_t partitions;               /* open ones; whoever asks brings them up to date */
    int64_t decreases, decreases_hour; /* left, as of that UTC hour */
};

struct capacity_change {
    struct change_account *account;
    const struct model_parameters *parameters; /* borrowed, as long as the control lives */
    struct change_resource resources[UPDATE_POSITIONS];
    uint32_t resource_count; /* 1 + global indexes */
    enum billing_mode billing_mode;
    int64_t start_epoch_s;                  /* UTC, of time 0 */
    uint64_t stream, calls;                 /* names the draws; accepted so far */
    sim_ns switches_ns[TABLE_SWITCHES_MAX]; /* the latest to on-demand; INT64_MIN: none */
    sim_ns done_ns;                         /* of the call under way; SIM_NS_MAX: ACTIVE */
    struct table_update pending;
    bool is_building; /* an index, since the call that makes it was done; kept by the service */
};

struct change_setup {
    const struct table_spec *table;
    struct change_account *account;
    const struct model_parameters *parameters;
    int64_t start_epoch_s;
    uint64_t stream;
};

/* The table's units count for the account from here on. */
void capacity_change_init(struct capacity_change *change, const struct change_setup *setup);

/* A call at now, never before an earlier one; the partitions of the resources are up to date, and
 * capacity_change_complete was asked up to now. */
struct change_reply capacity_change_request(struct capacity_change *change, sim_ns now_ns,
                                            const struct table_update *update);
/* At now the call that is due has come into force: true once a call, *done is what it set. */
bool capacity_change_complete(struct capacity_change *change, sim_ns now_ns,
                              struct table_update *done);

/* Decreases that a position has left at now. */
int64_t capacity_change_decreases(const struct capacity_change *change, uint32_t position,
                                  sim_ns now_ns);

/* WarmThroughput as DescribeTable shows it: what a position takes at once. */
struct capacity_units capacity_change_warm(const struct capacity_change *change, uint32_t position);

/* Partitions that carry units a second; at least 1. */
int64_t capacity_change_partitions(const struct capacity_change *change,
                                   struct capacity_units units);

/* AWS's rule behind a refusal, "…"; its exception's name. */
const char *capacity_change_rule(enum change_answer answer);
const char *capacity_change_exception(enum change_answer answer);

#endif
