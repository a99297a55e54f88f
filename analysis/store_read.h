/*
 * store_read.h - Queries on a results database, aggregated by SQLite to what a picture can show.
 *
 *   open ─▶ run ─▶ its resources ─▶ a view (one resource, [from_s, to_s), bins of bin_s) ─▶ rows
 *
 * The database is opened for reading only. It may be anyone's file: every value is taken as it is
 * found, ranges are checked here, and what does not fit is left out.
 *
 * Errors: ERR_IO with the path and SQLite's own words; ERR_INPUT for a run that is not there.
 * Owns:   the connection and, in its arena, every row and text that it hands out, until the close.
 * Cost:   one pass over the rows of the view, by index where the database has one.
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_H
#define DDBSIM_ANALYSIS_STORE_READ_H

#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_READ_SLICES 256
#define STORE_READ_SPANS_MAX 1024
#define STORE_READ_END_S_MAX INT64_C(316224000) /* ten years, as SIM_NS_MAX */

struct store_read; /* opaque: holds SQLite's handle */

/* Reads and writes have capacity, burst and refusals of their own. */
enum store_read_side { STORE_READ_READS, STORE_READ_WRITES, STORE_READ_SIDES };

struct store_read_run {
    int64_t run_id;
    const char *scenario;
    int64_t seed, replication;
    double duration_s;
    int64_t run_count; /* runs of the database */
};

struct store_read_resource {
    int64_t resource_id;
    const char *table_name, *index_name; /* index_name NULL: the table itself */
    double throttle_events;
    double consumed[STORE_READ_SIDES]; /* units over the run */
    int64_t end_s;                     /* end of its last bin; at least the run's duration */
};

/* What is looked at: bins [from_s + i bin_s, from_s + (i + 1) bin_s), cut at to_s. */
struct store_read_view {
    int64_t run_id, resource_id;
    int64_t from_s, to_s;
    int64_t bin_s;
    int64_t end_s; /* of the run */
};

struct store_read_side_bin {
    double consumed_units, consumed_units_max; /* in the bin; in its busiest second */
    double provisioned_per_s;                  /* largest in the bin; -1: not provisioned */
    /* seconds with provisioned units, their sum, and what was consumed in these seconds */
    double provisioned_s, provisioned_units, provisioned_consumed_units;
    double burst_units_min;          /* smallest at the end of a second; -1: none */
    double behind_units_max;         /* of an index's writes: buffer and debt; -1 */
    double throttled, throttled_max; /* attempts in the bin; in its worst second */
};

struct store_read_bin {
    struct store_read_side_bin sides[STORE_READ_SIDES];
};

/* A row of `parameters`. */
struct store_read_setting {
    const char *name, *value;
    bool is_given; /* by the scenario or the command line; else a default of the model */
};

struct store_read_reason {
    const char *name;
    double events;
    int64_t first_s;
};

struct store_read_key {
    const char *name;
    double consumed[STORE_READ_SIDES];  /* units */
    double throttled[STORE_READ_SIDES]; /* attempts */
};

struct store_read_partition {
    int64_t partition_id;
    double born_s, closed_s; /* closed_s -1: open */
    uint64_t hash_lo, hash_hi;
    int64_t parent_id;                 /* -1: none */
    uint64_t sort_lo;                  /* 0: begins with a partition key */
    bool is_for_size;                  /* made by a split for size */
    double consumed[STORE_READ_SIDES]; /* units in the view */
    double peak[STORE_READ_SIDES];     /* units in its busiest second */
    double throttled[STORE_READ_SIDES];
};

/* Heat of the hash ring: cell (slice, span) is [slice * span_count + span]. */
struct store_read_ring {
    int64_t start_s, span_s; /* of the first span; a span */
    size_t span_count;
    double *units_per_s, *throttled; /* attempts in the cell */
};

/* NULL and *err set when the file cannot be read or is no results database. */
struct store_read *store_read_open(const char *path, struct err *err);
/* Frees the reader and all that it handed out. NULL is fine. */
void store_read_close(struct store_read *reader);

/* The run of that id, or the first one when run_id is NULL. */
bool store_read_run(struct store_read *reader, const int64_t *run_id, struct store_read_run *run,
                    struct err *err) ERR_WARN_UNUSED;
/* Tables and indexes of a run by resource_id; *count may be 0. */
bool store_read_resources(struct store_read *reader, const struct store_read_run *run,
                          struct store_read_resource **rows, size_t *count, struct err *err)
    ERR_WARN_UNUSED;
/* A number of `parameters`, by its plain name; fallback where it is missing or no number. */
bool store_read_parameter(struct store_read *reader, int64_t run_id, const char *name,
                          double fallback, double *value, struct err *err) ERR_WARN_UNUSED;

/* All parameters of a run, by name. */
bool store_read_settings(struct store_read *reader, int64_t run_id,
                         struct store_read_setting **rows, size_t *count, struct err *err)
    ERR_WARN_UNUSED;

/* Number of bins of the view. */
size_t store_read_bin_count(const struct store_read_view *view);
/* Length of one of them: the last may be shorter. */
double store_read_bin_seconds(const struct store_read_view *view, size_t bin);
/* All bins of the view, in the arena. */
bool store_read_bins(struct store_read *reader, const struct store_read_view *view,
                     struct store_read_bin **bins, struct err *err) ERR_WARN_UNUSED;
/* Attempts on the resource in the view. */
bool store_read_attempts(struct store_read *reader, const struct store_read_view *view,
                         double *attempts, struct err *err) ERR_WARN_UNUSED;

/* Reasons of the view, most events first. */
bool store_read_reasons(struct store_read *reader, const struct store_read_view *view,
                        struct store_read_reason **rows, size_t *count, struct err *err)
    ERR_WARN_UNUSED;
/* Events of one reason in each bin, added to events[store_read_bin_count]. */
bool store_read_reason_bins(struct store_read *reader, const struct store_read_view *view,
                            const char *reason, double *events, struct err *err) ERR_WARN_UNUSED;

/* The keys of the run that consumed most units, most first, at most limit. The last places are
 * given to keys among the limit/3 most throttled ones that are not there yet. *total sums all
 * keys, of which there are *total_count. The view's times do not apply. */
bool store_read_keys(struct store_read *reader, const struct store_read_view *view, size_t limit,
                     struct store_read_key **rows, size_t *count, struct store_read_key *total,
                     size_t *total_count, struct err *err) ERR_WARN_UNUSED;

/* Partitions that were open in the view, by hash_lo and birth. */
bool store_read_partitions(struct store_read *reader, const struct store_read_view *view,
                           struct store_read_partition **rows, size_t *count, struct err *err)
    ERR_WARN_UNUSED;
/* The ring in the view; spans as stored, or doubled until at most STORE_READ_SPANS_MAX. */
bool store_read_ring(struct store_read *reader, const struct store_read_view *view,
                     enum store_read_side side, struct store_read_ring *ring, struct err *err)
    ERR_WARN_UNUSED;

#endif
