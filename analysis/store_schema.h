/*
 * store_schema.h - The tables and the view of the results database, as SQL.
 *
 * Column names are a contract: C field = column = plot axis. consumed_* are units in the bin
 * [t_s, t_s + 1), levels are values at its end and NULL where they do not apply.
 *
 *   runs.seed                     an integer, or a text when it is above 2^63 - 1
 *   partitions.hash_lo, hash_hi   16 hexadecimal digits, inclusive
 *   partitions.sort_lo, sort_hi   where the range begins within the partition key at hash_lo, and
 *                                 ends within the one at hash_hi; NULL: not cut within it
 *   ring_seconds                  heat of the key space: 256 slices of the ring by spans of span_s
 *   latencies.le_us               inclusive upper bound of the bucket
 *   parts                         of a sweep: which of how many parts this is, 1 of 1 when it is
 *                                 whole; the points of the whole; all that its results depend on
 *   metrics, failures             of sweeps: what each run came to by metric.h's names, and the
 *                                 runs that could not be made
 *   verdicts                      what `run` says of a run, a finding a line; none of a sweep's
 *   cloudwatch                    what CloudWatch would show, minute by minute; throttle metrics
 *                                 only where they are not 0, as there
 *
 * Source of the view: AWS Developer Guide, "DynamoDB metrics and dimensions": an event per attempt
 *          and resource, however many limits refused it (the metrics by limit split it);
 *          ThrottledRequests: a request once, under its table.
 * Owns:    nothing.
 */
#ifndef DDBSIM_ANALYSIS_STORE_SCHEMA_H
#define DDBSIM_ANALYSIS_STORE_SCHEMA_H

/* Every table that rows are inserted into. X(ENUM, name, columns) */
#define STORE_TABLES(X)                                                                            \
    X(SCENARIOS, "scenarios", 2)                                                                   \
    X(PARAMETERS, "parameters", 4)                                                                 \
    X(POINTS, "points", 2)                                                                         \
    X(PARTS, "parts", 4)                                                                           \
    X(TIMINGS, "timings", 4)                                                                       \
    X(RUNS, "runs", 20)                                                                            \
    X(METRICS, "metrics", 3)                                                                       \
    X(FAILURES, "failures", 3)                                                                     \
    X(RESOURCES, "resources", 4)                                                                   \
    X(OPERATIONS, "operations", 10)                                                                \
    X(SECONDS, "seconds", 11)                                                                      \
    X(THROTTLES, "throttles", 5)                                                                   \
    X(PARTITIONS, "partitions", 11)                                                                \
    X(PARTITION_SECONDS, "partition_seconds", 8)                                                   \
    X(RING_SECONDS, "ring_seconds", 9)                                                             \
    X(KEYS, "keys", 9)                                                                             \
    X(KEY_MINUTES, "key_minutes", 6)                                                               \
    X(LATENCIES, "latencies", 4)                                                                   \
    X(EVENTS, "events", 5)                                                                         \
    X(VERDICTS, "verdicts", 2)

enum store_table {
#define STORE_TABLE_ENUM(id, name, columns) STORE_##id,
    STORE_TABLES(STORE_TABLE_ENUM)
#undef STORE_TABLE_ENUM
        STORE_TABLE_COUNT
};

#define STORE_COLUMNS_MAX 20

/* What makes an empty database ours, but for PRAGMA user_version; NULL after the last statement. */
const char *const *store_schema_statements(void);

#endif
