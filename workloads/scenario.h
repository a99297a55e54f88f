/*
 * scenario.h - A scenario file as plain data: what docs/scenario.md describes, read and checked.
 *
 * scenario_read reports the first fault of the file as one sentence with file:line:column. After it
 * returned true every reference is resolved, every number is in range, every template compiles.
 *
 * Owns: one arena that holds everything below.
 */
#ifndef DDBSIM_WORKLOADS_SCENARIO_H
#define DDBSIM_WORKLOADS_SCENARIO_H

#include "models/pricing.h"
#include "models/request.h"
#include "models/spec.h"
#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "workloads/retry_policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENARIO_WORKLOADS_MAX 64 /* = LOOP_STREAMS_MAX: one arrival stream each */
#define SCENARIO_TABLES_MAX 256
#define SCENARIO_NONE UINT32_MAX

/* Where something stands in a file; line and column count from 1, 0: not from a file (--set). */
struct source_position {
    const char *file;
    uint32_t line, column;
};

/* A stretch of a text that came in the place of ${name}. */
struct text_splice {
    const struct text_splice *next; /* in the order of the text */
    size_t at, bytes;               /* in the text */
    uint32_t written_bytes;         /* of ${name} */
};

/* A text scalar and where it stands, ${…} substituted. */
struct scenario_text {
    const char *text; /* NULL: absent */
    struct source_position position;
    const struct text_splice *splices;
};

enum field_law {
    FIELD_CONSTANT,
    FIELD_UNIFORM,
    FIELD_ZIPF,
    FIELD_SEQUENCE,
    FIELD_CHOICE,
    FIELD_YCSB_ZIPFIAN,
    FIELD_SCRAMBLED,
    FIELD_HOTSET,
    FIELD_LATEST,
    FIELD_NORMAL,
    FIELD_LOGNORMAL,
    FIELD_EXPONENTIAL,
    FIELD_HISTOGRAM,
};

/* Equally likely numbers of a field. */
struct field_range {
    uint64_t begin, length;
};

/* A random variable, drawn once an operation. Its value is a number below n; printed as first +
 * number, or for constant and choice as values[number]. */
struct field_spec {
    const char *name;
    enum field_law law;
    uint64_t n; /* constant: 1; sequence: wraps after n; latest: recent + all that are to come */
    int64_t first;
    double exponent;    /* zipf, scrambled, latest: P(rank k) ~ 1 / k^exponent; ycsb-zipfian */
    bool is_scrambled;  /* ycsb-zipfian: YCSB's hash of 1e10 items onto n */
    uint64_t recent;    /* latest: how many numbers are drawn from */
    uint64_t growth;    /* latest: new numbers an operation, in 2^-32 */
    double mean, sd;    /* normal; exponential: mean above first */
    double median, p99; /* lognormal */
    const char *const *values;
    const struct field_range *ranges; /* hotset, histogram */
    uint32_t range_count;
    const double *weights; /* choice: of values; hotset, histogram: of ranges */
    struct source_position position;
};

enum size_law { SIZE_CONSTANT, SIZE_UNIFORM, SIZE_COLUMN, SIZE_DRAWN };

struct size_spec {
    enum size_law law;
    uint32_t min_bytes, max_bytes;   /* constant: both equal */
    const char *column;              /* SIZE_COLUMN: of the workload's trace, bytes */
    const struct field_spec *spread; /* SIZE_DRAWN: bytes, from min_bytes to max_bytes */
};

struct rate_point {
    sim_ns at_ns; /* after the workload's start */
    double rate_per_s;
};

/* `arrivals: {bursty: {on, off, factor}}`: Poisson with a rate that jumps between two values. */
struct bursts_spec {
    sim_ns on_ns, off_ns; /* mean durations; 0: not bursty */
    double factor;        /* rate in a burst over the mean rate */
};

enum arrivals_kind {
    ARRIVALS_POISSON,
    ARRIVALS_UNIFORM,
    ARRIVALS_CLOSED,
    ARRIVALS_TRACE,
    ARRIVALS_STEP, /* when an operation of the workload before it has succeeded */
};

/* `trace: {file, columns, header, time, unit, order, repeat}`; arrivals TRACE when `time` is given,
 * else rows are taken by the workload's own arrivals (rate or closed). */
struct trace_spec {
    const char *file; /* path as opened (relative ones: to the scenario's folder); NULL: none */
    const char *const *columns; /* names given in the scenario, or NULL: the file's first line */
    uint32_t column_count;
    bool has_header;
    const char *time_column; /* NULL: none */
    sim_ns time_unit_ns;
    bool
        is_shuffled; /* rows come in an order drawn once, the same in each repeat; no time_column */
    uint32_t repeat; /* times to go over the rows; at least 1 */
    struct source_position position;
};

/* `condition:` as it is judged; `{fails: P}` by a draw an attempt. */
struct condition_spec {
    enum write_condition kind;
    uint64_t fails_below; /* CONDITION_FAILS: of a draw from 0 … 2^64 - 1 */
};

/* What a write gives an attribute that is no key of the table, or what an item holds that exists
 * before its first use. */
struct attribute_spec {
    const char *name;
    struct scenario_text template; /* text NULL: a size, or removed */
    struct size_spec size;         /* with the name */
    bool is_removed;
    struct source_position position;
};

enum delay_law { DELAY_CONSTANT, DELAY_UNIFORM, DELAY_EXPONENTIAL };

struct delay_spec {
    enum delay_law law;
    sim_ns min_ns, max_ns; /* constant: both equal; exponential: the mean, twice */
};

/* Scan: `TotalSegments`, `Limit`, `page_delay`. Its segments are members: {each N} of no key. */
struct scan_spec {
    uint32_t segments;
    uint64_t limit;       /* items a page; 0: none */
    sim_ns page_delay_ns; /* from a page's response to the next one */
};

/* One stream of operations. A step of `then:` is a workload of its own: it stands behind the one
 * that it follows, and the one that begins the chain, its root, before all of them. */
struct workload_spec {
    const char *name;
    enum ddb_operation operation;
    uint32_t table; /* position in tables */
    enum arrivals_kind arrivals;
    const struct rate_point *points; /* POISSON, UNIFORM: at least one */
    uint32_t point_count;
    struct bursts_spec bursts; /* POISSON with one point */
    uint32_t clients;          /* CLOSED */
    sim_ns think_ns;           /* CLOSED */
    sim_ns start_ns;           /* absolute, or after the end of `after` when that is set */
    sim_ns stop_ns;            /* absolute; -1: none */
    uint32_t after;            /* another workload, finite, no step; SCENARIO_NONE: none */
    uint32_t step_count;       /* of a root: the steps that stand behind it */
    uint32_t root;             /* STEP; its trace is this one's too */
    struct delay_spec delay;   /* STEP: from the response before to its beginning */
    bool begins_always;        /* STEP */
    uint64_t begins_below;     /* else: of a draw from 0 … 2^64 - 1 */
    uint32_t batch; /* BatchGetItem, BatchWriteItem: members, that many draws one after another */
    uint64_t deletes_below; /* BatchWriteItem: a member whose draw from 0 … 2^64 - 1 is below it
                               deletes its item, the others put it */
    struct trace_spec trace;
    struct scenario_text hash_key, range_key; /* templates; range_key.text NULL: table has none, or
                                                 a Query, which asks for a key */
    uint32_t index; /* Query, Scan: position in the table's indexes; SCENARIO_NONE: the table */
    struct scan_spec scan;
    const struct attribute_spec *attributes; /* that a write gives, then those held */
    uint32_t given_count, held_count;
    struct size_spec item_size;
    uint64_t returns_items; /* Query: items of that size that it evaluates, over all its pages */
    struct condition_spec condition;
    int exists; /* of an untouched item: 1 yes, 0 no, -1 by ItemCount or the operation */
    bool consistent_read;
    struct source_position position;
};

enum latency_law { LATENCY_CONSTANT, LATENCY_LOGNORMAL };

/* Transient errors between client and service: HTTP 500, broken connections. */
struct client_errors {
    double probability;    /* of an attempt; 0: none */
    double lost_replies;   /* share of them that the service had carried out */
    sim_ns latency_ns;     /* until the client learns of it */
    sim_ns from_ns, to_ns; /* of the run; to_ns -1: the end */
};

struct client_spec {
    uint32_t count; /* client objects; operation i of a workload uses object i mod count */
    struct retry_policy retry;
    enum latency_law latency_law;
    sim_ns latency_median_ns, latency_p99_ns; /* constant: median only */
    sim_ns throttle_latency_ns;               /* of a refusal */
    uint32_t connections;                     /* of an object; 0: no limit */
    sim_ns timeout_ns;                        /* of an attempt; 0: none */
    struct client_errors errors;
};

enum expect_per { PER_RUN, PER_SECOND, PER_MINUTE };
enum expect_stat { STAT_SUM, STAT_MEAN, STAT_MAX, STAT_LAST, STAT_FIRST_TIME };

struct expect_spec {
    struct scenario_text metric, table, index, workload, key, reason; /* text NULL: any */
    sim_ns from_ns, to_ns;                                            /* to_ns -1: the end */
    enum expect_per per;
    enum expect_stat stat;
    bool has_min, has_max, has_equals, has_stat;
    double min, max, equals, tolerance; /* tolerance: relative to equals */
    double share_of_seeds;              /* 1: every replication */
    const char *published;              /* what the source reports, in words; NULL: nothing */
    struct source_position position;
};

/* A call that somebody makes while the scenario runs; in the order of time. */
enum action_kind { ACTION_UPDATE_TABLE, ACTION_LEADER_LOST, ACTION_NODE_LOST };

struct action_spec {
    sim_ns at_ns;
    enum action_kind kind;
    uint32_t table;             /* position in tables */
    struct table_update update; /* UPDATE_TABLE */
    uint32_t partition;         /* LEADER_LOST, NODE_LOST */
    struct source_position position;
};

struct scenario_parameter {
    const char *name, *value;
    const char *source; /* "scenario", "--set", "default" */
    struct source_position position;
};

/* A file that a scenario reads beside its own: a trace, a table's definition. */
struct scenario_file {
    const struct scenario_file *older;
    const char *name, *path; /* as written; as opened */
};

struct scenario {
    struct arena arena;
    const char *path, *text; /* the file as read */
    const char *name, *about, *source;
    int64_t start_epoch_s; /* UTC */
    sim_ns duration_ns;    /* -1: until every workload has finished (all are finite) */
    uint64_t seed;
    uint32_t replications;
    const struct scenario_parameter *parameters; /* ${name} */
    uint32_t parameter_count;
    const struct table_spec *tables;
    uint32_t table_count;
    struct quotas_spec quotas; /* no table is above them */
    const struct action_spec *actions;
    uint32_t action_count;
    const struct field_spec *fields;
    uint32_t field_count;
    const struct workload_spec *workloads;
    uint32_t workload_count;
    struct client_spec client;
    struct model_parameters model;
    uint64_t model_set; /* bit i: row i of model_parameter_rows was set by the file or --set */
    struct pricing pricing;
    uint64_t pricing_set; /* as model_set, of pricing_rows */
    const struct expect_spec *expects;
    uint32_t expect_count;
    const char *const *notes; /* "file:line:column: what is accepted but not modelled" */
    uint32_t note_count;
    const struct scenario_file *newest_file; /* NULL: it reads no other */
};

/* One --set PATH=VALUE: a parameter's name, or a path such as model.routers, client.retry,
 * workload.score.rate, tables.orders.BillingMode, seed. */
struct scenario_override {
    const char *path, *value;
};

/* Whether leaders of partitions are lost, or may be. */
bool scenario_loses_leaders(const struct scenario *scenario);

/* Reads, substitutes, checks. *scenario must be freed by scenario_fini also after a failure. */
bool scenario_read(struct scenario *scenario, const char *path,
                   const struct scenario_override *overrides, size_t override_count,
                   struct err *err) ERR_WARN_UNUSED;
/* The same from memory; path is used for messages and relative file names. */
bool scenario_read_text(struct scenario *scenario, const char *path, const char *text,
                        size_t length, const struct scenario_override *overrides,
                        size_t override_count, struct err *err) ERR_WARN_UNUSED;
struct reader_question;
struct document_node;
/* What was asked of each value of a file, for scenario_schema.h; in the scenario's arena. */
struct scenario_questions {
    const struct document_node *root;
    const struct reader_question *newest;
};
bool scenario_read_asked(struct scenario *scenario, const char *path, const char *text,
                         size_t length, struct scenario_questions *questions, struct err *err)
    ERR_WARN_UNUSED;
void scenario_fini(struct scenario *scenario);

/* Sets *err to "file:line:col: …", or "…" alone without a position; returns false. */
bool scenario_error(struct err *err, const struct source_position *position, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

#endif
