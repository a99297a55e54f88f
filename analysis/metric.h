/*
 * metric.h - One vocabulary of metrics: expect rows, --metric, --goal, plots and columns use it.
 *
 *   kind     bin of several seconds      metrics
 *   count    sum                         offered … errored, throttle_events, consumed_wcu …
 *   ratio    Σ numerator / Σ denominator throttled_share, failed_share, retried_share
 *   level    mean of the second's ends   provisioned_*, burst_*, partitions
 *   whole    known at the end only       keys, *_throttle_s, *_latency_ms_*, *_usd_*, *_per_read …
 *
 * A watch accumulates one metric over a span of time as the run goes: nothing is kept by second.
 * Owns: nothing.  Cost: O(resources or workloads) a second and watch.
 */
#ifndef DDBSIM_ANALYSIS_METRIC_H
#define DDBSIM_ANALYSIS_METRIC_H

#include "analysis/recorder.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(ENUM, name, unit, is a level or ratio (mean, not sum, over time), about) */
#define METRICS(X)                                                                                 \
    X(OFFERED, "offered", "operations", false, "operations that arrived")                          \
    X(SUCCEEDED, "succeeded", "operations", false, "operations whose members all succeeded")       \
    X(GAVE_UP, "gave_up", "operations", false, "operations that the client gave up")               \
    X(CONDITION_FAILED, "condition_failed", "operations", false,                                   \
      "operations refused by a condition")                                                         \
    X(REJECTED, "rejected", "operations", false, "operations refused for good")                    \
    X(IN_FLIGHT, "in_flight", "operations", false, "operations not ended when the run ends")       \
    X(UNPROCESSED, "unprocessed", "members", false, "members handed back by batches")              \
    X(ATTEMPTS, "attempts", "attempts", false, "members sent, retries included")                   \
    X(ADMITTED, "admitted", "attempts", false, "attempts that consumed capacity")                  \
    X(THROTTLED, "throttled", "attempts", false, "attempts refused by a limit")                    \
    X(ERRORED, "errored", "attempts", false, "attempts lost to errors")                            \
    X(RETRIES, "retries", "attempts", false, "attempts that are not the first of their member")    \
    X(RETRIED, "retried", "members", false, "members that were sent more than once")               \
    X(TIMED_OUT, "timed_out", "attempts", false, "attempts whose answer was not waited for")       \
    X(LOST_REPLIES, "lost_replies", "attempts", false,                                             \
      "admitted attempts whose answer the client did not get")                                     \
    X(QUOTA_STOPS, "quota_stops", "retries", false, "retries not made: the quota was spent")       \
    X(QUEUED, "queued", "attempts", false, "attempts that waited in the client for a connection")  \
    X(QUEUED_S, "queued_s", "s", false, "time of these waits, added up")                           \
    X(HELD_BACK, "held_back", "attempts", false,                                                   \
      "attempts that the client's rate limiter delayed")                                           \
    X(HELD_BACK_S, "held_back_s", "s", false, "time of these delays, added up")                    \
    X(THROTTLED_SHARE, "throttled_share", "fraction", true, "throttled / attempts")                \
    X(FAILED_SHARE, "failed_share", "fraction", true, "gave_up / offered")                         \
    X(RETRIED_SHARE, "retried_share", "fraction", true, "retried / members sent")                  \
    X(THROTTLE_EVENTS, "throttle_events", "events", false, "(attempt, resource, reason) triples")  \
    X(THROTTLED_READS, "throttled_reads", "attempts", false, "refused reads")                      \
    X(THROTTLED_WRITES, "throttled_writes", "attempts", false, "refused writes")                   \
    X(CONSUMED_RCU, "consumed_rcu", "RCU", false, "read capacity units consumed")                  \
    X(CONSUMED_WCU, "consumed_wcu", "WCU", false, "write capacity units consumed")                 \
    X(INDEX_WRITES, "index_writes", "entries", false, "entries written to indexes")                \
    X(MISSING_ITEMS, "missing_items", "attempts", false, "reads and deletes that found no item")   \
    X(PROVISIONED_RCU, "provisioned_rcu", "RCU/s", true, "provisioned read capacity")              \
    X(PROVISIONED_WCU, "provisioned_wcu", "WCU/s", true, "provisioned write capacity")             \
    X(BURST_RCU, "burst_rcu", "RCU", true, "saved read capacity")                                  \
    X(BURST_WCU, "burst_wcu", "WCU", true, "saved write capacity")                                 \
    X(BUFFERED_WCU, "buffered_wcu", "WCU", true, "owed to an index, not yet written")              \
    X(DEBT_WCU, "debt_wcu", "WCU", true, "written to an index beyond its write capacity")          \
    X(INDEX_LAG_MS_P99, "index_lag_ms_p99", "ms", true,                                            \
      "99th percentile of the time from a write to its index entry")                               \
    X(INDEX_LAG_MS_MAX, "index_lag_ms_max", "ms", true, "largest of the same")                     \
    X(PARTITIONS, "partitions", "partitions", true, "open partitions")                             \
    X(KEYS, "keys", "keys", true, "partition key values touched")                                  \
    X(FIRST_THROTTLE_S, "first_throttle_s", "s", true, "second of the first refusal")              \
    X(LAST_THROTTLE_S, "last_throttle_s", "s", true, "second of the last refusal")                 \
    X(LATENCY_MS_P50, "latency_ms_p50", "ms", true, "median latency of succeeded operations")      \
    X(LATENCY_MS_P99, "latency_ms_p99", "ms", true, "99th percentile of the same")                 \
    X(LATENCY_MS_MAX, "latency_ms_max", "ms", true, "largest latency of succeeded operations")     \
    X(ELAPSED_S, "elapsed_s", "s", true, "simulated time until the last operation ended")          \
    X(COST_USD_PER_MONTH, "cost_usd_per_month", "USD", true,                                       \
      "a month at the run's rate: throughput, replicated writes, storage")                         \
    X(ON_DEMAND_USD_PER_MONTH, "on_demand_usd_per_month", "USD", true,                             \
      "a month of the units consumed, were they on demand")                                        \
    X(ON_DEMAND_COST_RATIO, "on_demand_cost_ratio", "times", true,                                 \
      "the same / a month of the throughput as it is")                                             \
    X(WRITE_THROTTLED_SHARE, "write_throttled_share", "fraction", true,                            \
      "throttled / attempts of workloads that write")                                              \
    X(READ_THROTTLED_SHARE, "read_throttled_share", "fraction", true,                              \
      "throttled / attempts of workloads that read")                                               \
    X(REQUESTS_PER_READ, "requests_per_read", "requests", true,                                    \
      "requests of an operation that reads, retries left out")                                     \
    X(RCU_PER_READ, "rcu_per_read", "RCU", true, "read units of a read that succeeded")            \
    X(WCU_PER_WRITE, "wcu_per_write", "WCU", true, "write units of a write that succeeded")        \
    X(READ_LATENCY_MS_P50, "read_latency_ms_p50", "ms", true,                                      \
      "median latency of reads that succeeded")                                                    \
    X(READ_LATENCY_MS_P99, "read_latency_ms_p99", "ms", true, "99th percentile of the same")

enum metric {
#define METRIC_ENUM(id, name, unit, level, about) METRIC_##id,
    METRICS(METRIC_ENUM)
#undef METRIC_ENUM
        METRIC_COUNT
};

struct metric_row {
    const char *name, *unit, *about;
    bool is_level;
};
const struct metric_row *metric_rows(void);   /* METRIC_COUNT of them, in order */
enum metric metric_by_name(const char *name); /* METRIC_COUNT: none */
bool metric_is_share(enum metric metric);     /* a fraction, from 0 to 1 */

#define METRIC_ANY (-1)

enum metric_per { METRIC_PER_RUN, METRIC_PER_SECOND, METRIC_PER_MINUTE };
enum metric_stat { METRIC_SUM, METRIC_MEAN, METRIC_MAX, METRIC_LAST, METRIC_FIRST_TIME };

/* What to watch: stat over the bins in [from_s, to_s). per RUN is one bin, of which every stat is
 * the value, but for FIRST_TIME and for MAX and LAST of a level: they look at the seconds in it.
 * Minutes are those of the run (0, 60, …), cut by from_s and to_s.
 * Bins without a value (a ratio with nothing below the line, a level of a resource that has none)
 * do not count. FIRST_TIME: start of the first bin with a value above 0, NAN when there is none. */
struct metric_query {
    enum metric metric;
    int resource, workload, reason; /* METRIC_ANY or a number */
    const char *key;                /* partition key value, over the whole run only; NULL: any */
    int64_t from_s, to_s;           /* to_s INT64_MAX: the end */
    enum metric_per per;
    enum metric_stat stat;
};

struct metric_watch {
    struct metric_query query;
    /* the open bin */
    int64_t bin_start_s;
    double numerator, denominator; /* a count: numerator; a level: its sum and the seconds in it */
    bool bin_is_open;
    /* the closed ones */
    double sum, max, last, first_time; /* first_time NAN: none yet */
    uint64_t bins;
};

/* NULL when the combination makes sense, else what does not: "metric 'keys' has no reason". A level
 * and a key need a resource: the caller names the only one where there is one. */
const char *metric_query_fault(const struct metric_query *query);

/* The query must have no fault. */
void metric_watch_init(struct metric_watch *watch, const struct metric_query *query);
/* After recorder_close_second, before recorder_open_second. */
void metric_watch_second(struct metric_watch *watch, const struct recorder *recorder);
/* The result after recorder_finish; NAN when nothing was seen. key: the counters of query.key at
 * query.resource, NULL when the run did not touch it (nothing was seen). */
double metric_watch_value(const struct metric_watch *watch, const struct recorder *recorder,
                          const struct key_counters *key);

#endif
