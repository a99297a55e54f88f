/*
 * store.h - The results database (SQLite): written by a run, complete or absent.
 *
 *   store_create   makes OUT.tmp-XXXXXX beside OUT and begins
 *   store_commit   writes the rest, syncs the file, renames it over OUT, syncs the folder
 *   store_close    frees; without a commit before, the temporary file goes and OUT is as it was
 *
 * Rows are gathered and inserted 32 at a time, in the order in which they were given, in one
 * transaction without a journal: a run that fails loses the temporary file anyhow. Schema:
 * store_schema.c. Only store*.c know SQLite.
 *
 * Errors: ERR_IO with the path and SQLite's own words ("database or disk is full"); they can come
 * as late as store_commit.
 * Owns:   the connection, its statements, rows not yet inserted, the temporary file.
 * Cost:   about 0.3 µs a row.
 */
#ifndef DDBSIM_ANALYSIS_STORE_H
#define DDBSIM_ANALYSIS_STORE_H

#include "analysis/recorder.h"
#include "analysis/summary.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define STORE_SCHEMA_VERSION 2

struct store; /* opaque: holds SQLite's handles */

/* overwrite false: an existing path is ERR_INPUT "'OUT' exists; --force overwrites it". What is
 * no regular file, or neither empty nor an SQLite database, is never overwritten. A link is
 * followed. NULL and *err on failure. */
struct store *store_create(const char *path, bool overwrite, struct err *err);

/* Whether store_create would take that path, without making anything there. */
bool store_may_create(const char *path, bool overwrite, struct err *err) ERR_WARN_UNUSED;

/* The file being written, for a signal handler that has to unlink it; valid until store_close. */
const char *store_temporary_path(const struct store *store);

bool store_scenario(struct store *store, const char *name, const char *text, struct err *err)
    ERR_WARN_UNUSED;
bool store_parameter(struct store *store, int64_t run_id, const char *name, const char *value,
                     const char *source, struct err *err) ERR_WARN_UNUSED;

/* Before a run's first second: its resources and partitions. */
bool store_resource(struct store *store, int64_t run_id, uint16_t resource, const char *table_name,
                    const char *index_name, struct err *err) ERR_WARN_UNUSED;
bool store_partition(struct store *store, int64_t run_id, uint16_t resource,
                     const struct partition_sample *partition, struct err *err) ERR_WARN_UNUSED;

/* The closed second's rows of seconds, operations, throttles, partition_seconds. */
bool store_second(struct store *store, int64_t run_id, const struct recorder *recorder,
                  const struct resource_sample *samples, struct err *err) ERR_WARN_UNUSED;

/* key: printable UTF-8 (printable.h), here and below; copied. */
bool store_key_minute(struct store *store, int64_t run_id, const struct key_minute *row,
                      const char *key, struct err *err) ERR_WARN_UNUSED;
bool store_key(struct store *store, int64_t run_id, uint16_t resource, const char *key,
               const struct key_counters *counters, struct err *err) ERR_WARN_UNUSED;
/* The non-empty cells of the grid, as rows of ring_seconds. */
bool store_ring(struct store *store, int64_t run_id, uint16_t resource,
                const struct ring_grid *grid, struct err *err) ERR_WARN_UNUSED;
bool store_event(struct store *store, int64_t run_id, double t_s, uint16_t resource,
                 const char *kind, const char *detail, struct err *err) ERR_WARN_UNUSED;

/* A run's row in `runs`, for whoever has no recorder any more. */
struct store_run_row {
    int64_t run_id;
    const char *scenario;
    uint64_t point, seed, replication;
    double duration_s;
    const char *digest, *arrivals_digest;
    const struct workload_bin *total;
    uint64_t in_flight;
};
bool store_run_row(struct store *store, const struct store_run_row *run, struct err *err)
    ERR_WARN_UNUSED;
bool store_timing(struct store *store, int64_t run_id, double wall_s, double requests_per_wall_s,
                  uint64_t peak_rss_bytes, struct err *err) ERR_WARN_UNUSED;
/* parameters: a JSON object of what sets the point apart. */
bool store_point(struct store *store, uint64_t point, const char *parameters, struct err *err)
    ERR_WARN_UNUSED;
/* Part 1 … part_count of a sweep of so many points; plan: all that its results depend on. */
bool store_part(struct store *store, uint64_t part, uint64_t part_count, uint64_t points,
                const char *plan, struct err *err) ERR_WARN_UNUSED;
bool store_metric(struct store *store, int64_t run_id, const char *metric, double value,
                  struct err *err) ERR_WARN_UNUSED;
bool store_failure(struct store *store, uint64_t point, uint64_t replication, const char *message,
                   struct err *err) ERR_WARN_UNUSED;

/* After the run: runs, verdicts, latencies, timings. */
bool store_run(struct store *store, int64_t run_id, const struct summary *summary,
               const struct recorder *recorder, struct err *err) ERR_WARN_UNUSED;

/* Afterwards only store_close may be called. */
bool store_commit(struct store *store, struct err *err) ERR_WARN_UNUSED;
/* Frees the store; without a commit before, nothing is left on disk. NULL is fine. */
void store_close(struct store *store);

#endif
