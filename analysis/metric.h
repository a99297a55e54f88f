/*
 * metric.h - One vocabulary of metrics: expect rows, --metric, --goal, plots and columns use these names.
 *
 * A metric is read from the bins of a second (or of the run); a watch accumulates one metric over a span of
 * time as the run goes, so nothing is kept per second.
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
    X(CONDITION_FAILED, "condition_failed", "operations", false, "operations refused by a condition") \
    X(REJECTED, "rejected", "operations", false, "operations refused for good")                    \
    X(IN_FLIGHT, "in_flight", "operations", false, "operations not ended when the run ends")       \
    X(UNPROCESSED, "unprocessed", "members", false, "members handed back by batches")              \
    X(ATTEMPTS, "attempts", "attempts", false, "members sent, retries included")                   \
    X(ADMITTED, "admitted", "attempts", false, "attempts that consumed capacity")                  \
    X(THROTTLED, "throttled", "attempts", false, "attempts refused by a limit")                    \
    X(ERRORED, "errored", "attempts", false, "attempts lost to errors")                            \
    X(THROTTLED_SHARE, "throttled_share", "fraction", true, "throttled / attempts")                \
    X(FAILED_SHARE, "failed_share", "fraction", true, "gave_up / offered")                         \
    X(THROTTLE_EVENTS, "throttle_events", "events", false, "(attempt, resource, reason) triples")  \
    X(THROTTLED_READS, "throttled_reads", "attempts", false, "refused reads")                      \
    X(THROTTLED_WRITES, "throttled_writes", "attempts", false, "refused writes")                   \
    X(CONSUMED_RCU, "consumed_rcu", "RCU", false, "read capacity units consumed")                  \
    X(CONSUMED_WCU, "consumed_wcu", "WCU", false, "write capacity units consumed")                 \
    X(MISSING_ITEMS, "missing_items", "attempts", false, "reads and deletes that found no item")   \
    X(PROVISIONED_RCU, "provisioned_rcu", "RCU/s", true, "provisioned read capacity")              \
    X(PROVISIONED_WCU, "provisioned_wcu", "WCU/s", true, "provisioned write capacity")             \
    X(BURST_RCU, "burst_rcu", "RCU", true, "saved read capacity")                                  \
    X(BURST_WCU, "burst_wcu", "WCU", true, "saved write capacity")                                 \
    X(PARTITIONS, "partitions", "partitions", true, "open partitions")                             \
    X(KEYS, "keys", "keys", true, "partition key values touched")                                  \
    X(FIRST_THROTTLE_S, "first_throttle_s", "s", true, "second of the first refusal")              \
    X(LAST_THROTTLE_S, "last_throttle_s", "s", true, "second of the last refusal")                 \
    X(LATENCY_MS_P50, "latency_ms_p50", "ms", true, "median latency of succeeded operations")      \
    X(LATENCY_MS_P99, "latency_ms_p99", "ms", true, "99th percentile of the same")                 \
    X(LATENCY_MS_MAX, "latency_ms_max", "ms", true, "largest latency of succeeded operations")     \
    X(ELAPSED_S, "elapsed_s", "s", true, "simulated time until the last operation ended")

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
const struct metric_row *metric_rows(void); /* METRIC_COUNT of them, in order */
enum metric metric_by_name(const char *name); /* METRIC_COUNT: none */

#define METRIC_ANY (-1)

enum metric_per { METRIC_PER_RUN, METRIC_PER_SECOND, METRIC_PER_MINUTE };
enum metric_stat { METRIC_SUM, METRIC_MEAN, METRIC_MAX, METRIC_LAST, METRIC_FIRST_TIME };

/* What to watch. per SECOND and MINUTE: stat is over the bins in [from_s, to_s), each bin's value a sum (a mean for levels).
 * FIRST_TIME: start of the first bin with a value above 0, NAN when there is none. */
struct metric_query {
    enum metric metric;
    int resource, workload, reason; /* METRIC_ANY or a number */
    const char *key;                /* partition key value, only with per RUN over the whole run; NULL: any */
    int64_t from_s, to_s;           /* to_s INT64_MAX: the end */
    enum metric_per per;
    enum metric_stat stat;
};

struct metric_watch {
    struct metric_query query;
    double bin, bin_weight;          /* the open bin: minute or run */
    double bin_numerator, bin_denominator; /* ratios */
    double sum, max, last, first_time;
    uint64_t bins;
    bool seen;
};

/* NULL when the combination makes sense, else what does not, e.g. "metric 'keys' has no reason". */
const char *metric_query_fault(const struct metric_query *query);

void metric_watch_init(struct metric_watch *watch, const struct metric_query *query);
/* After recorder_close_second, before recorder_open_second. */
void metric_watch_second(struct metric_watch *watch, const struct recorder *recorder);
/* The result after recorder_finish; NAN when nothing was seen. key_of resolves query.key to its counters, see expectation.c. */
double metric_watch_value(const struct metric_watch *watch, const struct recorder *recorder,
                          const struct key_counters *key);

#endif
