/*
 * summary.h - The result of one run as plain data: what `run --format json` prints and the verdict
 * reads.
 */
#ifndef DDBSIM_ANALYSIS_SUMMARY_H
#define DDBSIM_ANALYSIS_SUMMARY_H

#include "analysis/recorder.h"
#include "models/model_event.h"
#include "models/spec.h"
#include "sim/digest.h"

#include <stdbool.h>
#include <stdint.h>

#define SUMMARY_HOTTEST_KEYS 10
#define SUMMARY_VERDICT_BYTES 8192

struct summary_key {
    uint16_t resource;
    uint32_t key, partition;
    const char *name; /* printable: UTF-8, other bytes \xNN */
    struct key_counters counters;
    /* of the run, where the key lies: if it was split, the partition that refused most */
    const struct partition_bin *partition_total;
    const struct partition_refusals *partition_refusals;
};

/* Splits of a table's or index's partitions; seconds of the run, -1: none. */
struct summary_splits {
    uint32_t completed, for_heat, for_size;
    uint32_t in_flight; /* at the end of the run */
    double first_s, last_s, next_s;
    enum split_refusal refusal; /* the last of hot or full partitions that could not be split */
    uint32_t refused_partition;
    double refused_s;
};

struct summary_resource {
    const char *table_name, *index_name;
    const struct resource_bin *total;
    const struct recorder_parts *parts;               /* NULL: nothing is known of them */
    const struct recorder_direction *directions;      /* [RECORDER_DIRECTIONS] */
    struct resource_sample first_sample, last_sample; /* after the first and the last second */
    uint32_t partitions_start, partitions_end;
    struct summary_splits splits;
    uint64_t rejections; /* attempts for which an item collection was full, from then on: */
    double rejected_s;
    uint64_t early_reads; /* Queries of an index that was not active; until when, -1: the end */
    double active_s;
    int64_t collection_max_bytes;
    int64_t provisioned_rcu, provisioned_wcu;
    int64_t part_max_r, part_max_w;
    int64_t first_throttle_s, last_throttle_s; /* -1: none */
    uint64_t throttled_seconds;
    uint64_t attempts_in_throttled_seconds, admitted_in_throttled_seconds;
    uint64_t keys, throttled_keys;
    uint32_t throttled_partitions;
    int64_t index_limit_wcu;       /* of an index: what it may be behind by; -1: no bound */
    double lag_ms_p99, lag_ms_max; /* of an index's entries; -1: none */
    struct pricing_bill bill;      /* a month at the run's rate */
    struct pricing_use use;        /* what it is of */
    struct summary_key hottest[SUMMARY_HOTTEST_KEYS];   /* by units accessed, most first */
    struct summary_key throttled[SUMMARY_HOTTEST_KEYS]; /* by refused attempts, most first */
    uint32_t hottest_count, throttled_count;
};

struct summary {
    const char *scenario;
    enum model_era era;
    uint64_t seed, replication;
    char digest[DIGEST_TEXT_BYTES], arrivals_digest[DIGEST_TEXT_BYTES];
    uint32_t client_objects, connections; /* connections: of each, 0: no limit */
    uint32_t attempts_max;                /* of a member */
    bool closed_loop; /* some arrivals depend on responses; arrivals_digest does not cover these */
    double duration_s;
    struct workload_bin total;
    uint64_t in_flight;
    uint64_t events[THROTTLE_REASON_COUNT]; /* over all resources */
    int64_t first_throttle_s;
    double latency_ms_p50, latency_ms_p99, latency_ms_max; /* of succeeded operations; -1: none */
    int64_t consumed_rncu, consumed_wncu;
    struct summary_resource *resources;
    uint32_t resource_count;
    const struct pricing *pricing; /* NULL: nothing is known of costs */
    struct pricing_bill bill;      /* of all resources */
    const struct recorder_workload *workloads;
    uint32_t workload_count;
    /* calls of UpdateTable that were refused, and the first of them */
    uint32_t nodes_lost;   /* NodeLost */
    uint32_t leaders_lost; /* LeaderLost; the first one's: */
    uint32_t leader_resource, leader_partition;
    double leader_lost_s, leader_gap_s;
    uint64_t leaderless_attempts; /* that met none, in all */
    uint32_t refused_updates;
    double refused_update_s;
    const char *refused_update_exception, *refused_update_rule;
    const char *const *notes; /* of the scenario: accepted, not modelled */
    uint32_t note_count;
    char verdict[SUMMARY_VERDICT_BYTES];
    /* timings: the only part that may differ between equal runs */
    double wall_s, requests_per_wall_s;
    uint64_t peak_rss_bytes;
};

#endif
