/*
 * recorder.h - Turns outcomes into metrics: totals, seconds, minutes, keys; and the run's digest.
 *
 *   outcomes (batches) ─▶ digest · run totals · this second's bins · key counters · ring grid
 *   close of a second  ─▶ rows of that second (for the store) · watched metrics (for expectations)
 *   close of a minute  ─▶ its top keys, exact
 *
 *   offered  = succeeded + condition_failed + rejected + gave_up + in_flight     (operations)
 *   attempts = admitted + throttled + errored
 *
 * Checked at the end of every run, as are the sums: Σ partitions = table = Σ keys = Σ ring, in
 * nano-units.
 *
 * Digest: five 64-bit words an attempt, in the order in which they happened:
 *     at_ns
 *     sequence
 *     workload << 48 | attempt << 32 | member
 *     resource << 48 | reasons << 32 | partition
 *     fate << 62 | cost_ncu
 * four an index entry (at_ns, 2^64 - 1, resource << 48 | partition, cost_ncu), after each second's
 * attempts; for an event of the model at_ns, 2^64 - 2, resource << 48 | kind, and its numbers; at
 * the end, for each resource, provisioned and burst levels (read, write) and partitions, of an
 * index what is buffered and its debt, too.
 *
 * Limit: RECORDER_CONSUMED_NCU_MAX in each direction over all resources (4.6e9 units: 40,000 a
 *        second for 32 hours); beyond it recorder_record fails with a sentence.
 * Owns:  everything, in its own arena; memory grows with keys touched, not with time.
 * Cost:  about 8 ns an attempt; the cache misses of a batch's keys (32 bytes each) go side by side.
 */
#ifndef DDBSIM_ANALYSIS_RECORDER_H
#define DDBSIM_ANALYSIS_RECORDER_H

#include "analysis/key_tally.h"
#include "analysis/latency_histogram.h"
#include "analysis/ring_grid.h"
#include "models/model_event.h"
#include "models/pricing.h"
#include "models/request.h"
#include "models/sample.h"
#include "models/spec.h"
#include "sim/arena.h"
#include "sim/digest.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

#define RECORDER_CHUNK_SHIFT 12 /* keys a chunk, as a power of 2 */
#define RECORDER_TOP_KEYS 20    /* of each minute and kind */
#define RECORDER_CONSUMED_NCU_MAX (INT64_MAX / 2)

struct partition_bin {
    int64_t consumed_rncu, consumed_wncu;
    uint64_t throttled_reads, throttled_writes;
};

/* The bins in which a partition's reads or writes were refused; by direction. */
struct partition_refusals {
    uint64_t seconds[2];
    int64_t consumed_ncu[2]; /* in those */
};

/* What happened at one resource in a span of time (a second, the run). */
struct resource_bin {
    int64_t consumed_rncu, consumed_wncu;
    uint64_t attempts, admitted, throttled, errored;
    uint64_t throttled_reads, throttled_writes;
    uint64_t index_writes; /* entries written to an index: no attempts */
    /* writes that the table's indexes refused (among others), and that nothing else refused: the
     * latter count at no partition and at no key. The events are the indexes'. */
    uint64_t index_refused, index_only;
    uint64_t missing;                       /* reads and deletes that found no item */
    uint64_t events[THROTTLE_REASON_COUNT]; /* (attempt, reason) pairs */
};

/* What happened to the operations of one workload. */
struct workload_bin {
    uint64_t offered, succeeded, condition_failed, rejected, gave_up; /* operations */
    uint64_t unprocessed; /* members that a batch's last response handed back */
    uint64_t calls, throttled_calls, errored_calls; /* a batch: throttled when all members are */
    uint64_t attempts, admitted, throttled, errored;
    uint64_t retries; /* attempts that are not the first of their member */
    uint64_t retried; /* members that had any */
    /* what the caller knows of its client objects */
    uint64_t timed_out, lost_replies; /* attempts not waited for; admitted, but not heard of */
    uint64_t quota_stops;             /* retries not made because the quota was spent */
    uint64_t queued, queued_ns;       /* attempts that have waited for a connection */
    uint64_t held_back, held_back_ns; /* the same, by a rate limiter */
};

enum operation_fate {
    OPERATION_SUCCEEDED,
    OPERATION_CONDITION_FAILED,
    OPERATION_REJECTED,
    OPERATION_GAVE_UP
};

/* The open second as the hot path counts it; recorder_close_second makes the bins of it. */
struct recorder_counts {
    uint64_t fates[FATE_COUNT];
    uint64_t retries, retried;
    int64_t consumed_ncu;
    int64_t asked_ncu; /* cost of first attempts, whatever became of them */
};

/* What came and went in some bins. */
struct recorder_flow {
    uint64_t seconds, attempts, admitted, retries;
    int64_t asked_ncu, consumed_ncu;
};

/* Two bins with refusals at most this far apart are one episode; or a little farther when hardly
 * anything came in between, as a bin with a refusal is one in which something came. */
#define RECORDER_EPISODE_GAP_S 10
#define RECORDER_SPARSE_GAP_S 30
#define RECORDER_SPARSE_ATTEMPTS 30

/* Refusals by one limit; RECORDER_INDEXES: of a table's writes, by its indexes. Rates are those of
 * its episodes: bins with refusals, and those between two such that are one episode. Routers that
 * run dry refuse for a part of their interval: means over refused bins alone would be too low. */
struct recorder_limit {
    int64_t first_s, last_s; /* bins; -1: none */
    uint64_t seconds;        /* bins with a refusal by it */
    struct recorder_flow episodes;
    struct recorder_flow since; /* after last_s */
};
enum {
    RECORDER_KEY_RANGE,
    RECORDER_PROVISIONED,
    RECORDER_MAX_ON_DEMAND,
    RECORDER_ACCOUNT,
    RECORDER_INDEXES,
    RECORDER_LIMITS
};

/* The reads or the writes of a resource, for statements about rates; closed second by second. */
struct recorder_direction {
    struct recorder_limit limits[RECORDER_LIMITS];
    int64_t asked_ncu;                        /* of the run */
    int64_t minute_ncu;                       /* consumed in the open minute */
    int64_t burst_gone_s;                     /* first bin that ends with < 10 s saved; -1 */
    int64_t burst_full_s;                     /* the bin that ends with it full again; -1 */
    int64_t peak_second_ncu, peak_minute_ncu; /* most consumed in one bin, in one minute */
    int64_t peak_asked_ncu;                   /* most asked for in one bin */
};
enum { RECORDER_READS, RECORDER_WRITES, RECORDER_DIRECTIONS };

/* A key that was asked for in the open minute, and where its counters (modulo 2^32) stood
 * before. */
struct touched_key {
    uint32_t key;
    uint32_t half_rcu, half_wcu;
    uint32_t throttled; /* reads and writes */
};

/* Attempts that are more than one access to one key: pages of a Scan. Sums of the run. */
struct recorder_parts {
    uint64_t admitted, throttled[RECORDER_DIRECTIONS]; /* outcomes after the first of an attempt */
    struct partition_bin keyless;                      /* of no key */
    uint64_t keyless_admitted;                         /* outcomes */
};

struct recorder_resource {
    const char *table_name, *index_name; /* index_name NULL: the table */
    bool has_indexes;                    /* global ones */
    struct latency_histogram lags;       /* of an index's entries: from write to entry */
    struct resource_bin second, total;
    struct recorder_parts parts;
    struct partition_bin *partitions, *partition_totals; /* by partition_id */
    struct partition_refusals *partition_refusals;       /* by partition_id */
    uint32_t partition_count, partition_capacity;
    uint32_t *touched_partitions, touched_partition_count; /* in this second, first touch order */
    struct grow_array keys;                                /* struct key_tally by key */
    struct key_carries carries;                            /* of few keys */
    struct grow_array touched_keys;                        /* struct touched_key, in this minute */
    uint32_t touched_key_count;
    struct ring_grid grid;
    int64_t first_throttle_s, last_throttle_s; /* bins; -1: none */
    uint64_t throttled_seconds;                /* bins with a refused attempt */
    uint64_t admitted_in_throttled_seconds, offered_in_throttled_seconds; /* attempts */
    struct recorder_direction directions[RECORDER_DIRECTIONS];
    struct recorder_counts open[RECORDER_DIRECTIONS];
    struct resource_sample first_sample, last_sample; /* after the first and the last second */
    struct pricing_use use;
};

struct recorder_workload {
    const char *name;
    uint16_t resource;
    uint8_t operation;
    bool has_batches; /* calls come by recorder_call; else each attempt is one */
    /* what recorder_record writes, and what the other calls do: maybe two threads (pipeline.h) */
    _Alignas(CACHE_LINE_BYTES) struct recorder_counts open;
    _Alignas(CACHE_LINE_BYTES) struct workload_bin second, total;
};

/* One of a minute's top keys. */
struct key_minute {
    uint16_t resource;
    bool throttled; /* else accessed */
    uint32_t key;
    int64_t t_s;
    uint64_t half_units; /* accessed: 3 W + R in half units; throttled: 2 x refused attempts */
};

struct recorder {
    struct arena arena;
    struct digest digest;
    struct recorder_resource *resources;
    struct recorder_workload *workloads;
    uint32_t resource_count, workload_count;
    struct latency_histogram *latencies; /* by operation: of those succeeded, from arrival */
    struct workload_bin total;           /* over all workloads */
    uint64_t in_flight;                  /* set by recorder_finish */
    sim_ns last_operation_ns; /* when the last operation ended; set by the caller, 0: none has */
    int64_t second;           /* the open bin */
    bool is_open;             /* false between recorder_close_second and recorder_open_second */
    int64_t consumed_ncu[RECORDER_DIRECTIONS]; /* over all resources, held to the limit above */
    /* The top keys of the minute that the last closed second ended; none when it ended none. By
     * resource, accessed before throttled, most first, equal ones by key. */
    struct key_minute *top_keys;
    uint32_t top_key_count;
    const struct pricing *pricing; /* borrowed; NULL: costs are not asked for */
    sim_ns duration_ns;            /* of the run; set by the caller at its end, for costs */
};

struct recorder_config {
    const struct recorder_resource_config {
        const char *table_name, *index_name;
        uint32_t partition_count;
        int64_t stored_bytes; /* that are charged; 0: not known */
    } * resources;
    const struct recorder_workload_config {
        const char *name;
        uint16_t resource;
        uint8_t operation;
        bool has_batches;
    } * workloads;
    uint32_t resource_count, workload_count;
    const struct pricing *pricing; /* borrowed until recorder_fini; NULL: no costs */
};

bool recorder_init(struct recorder *recorder, const struct recorder_config *config, struct err *err)
    ERR_WARN_UNUSED;
void recorder_fini(struct recorder *recorder);

/* A key's first use; keys of a resource come in order 0, 1, 2 …, before their first outcome. */
bool recorder_add_key(struct recorder *recorder, uint16_t resource, uint64_t ring_position,
                      struct err *err) ERR_WARN_UNUSED;

/* An operation has arrived (in the open second). */
static inline void recorder_offered(struct recorder *recorder, uint16_t workload) {
    recorder->workloads[workload].second.offered++;
}

/* A call of a workload that has_batches; THROTTLED: all its members are refused. */
void recorder_call(struct recorder *recorder, uint16_t workload, enum attempt_fate fate);
/* Members of such a call were handed back, and nobody sends them again. */
void recorder_unprocessed(struct recorder *recorder, uint16_t workload, uint64_t members);

/* A batch of attempts, all within the open second; how a second's attempts are cut into batches
 * changes nothing. False with *err set when memory for touched keys cannot be had, or when the run
 * passes RECORDER_CONSUMED_NCU_MAX. */
bool recorder_record(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                     struct err *err) ERR_WARN_UNUSED;

/* Entries of an index that were written in the open second, in the order of time. Their units count
 * as consumed, they are no attempts. After the second's attempts, before it is closed. */
bool recorder_index_writes(struct recorder *recorder, uint16_t resource,
                           const struct index_write *writes, uint32_t count, struct err *err)
    ERR_WARN_UNUSED;

/* Partitions of a resource have appeared: count of them so far, before their first outcome. */
bool recorder_grow_partitions(struct recorder *recorder, uint16_t resource, uint32_t count,
                              struct err *err) ERR_WARN_UNUSED;
/* Something that the model did of its own, after the attempts before it. */
void recorder_event(struct recorder *recorder, const struct model_event *event);
/* Writes that an index refused in the open second, before it is closed. */
void recorder_index_refusals(struct recorder *recorder, uint16_t resource,
                             const struct index_refusals *refusals);

/* An operation has ended; latency_ns counts for OPERATION_SUCCEEDED only. */
void recorder_operation(struct recorder *recorder, uint16_t workload, enum operation_fate fate,
                        sim_ns latency_ns);

/* The same for the usual fate; workload is one of the recorder's. */
static inline void recorder_succeeded(struct recorder *recorder, uint16_t workload,
                                      sim_ns latency_ns) {
    struct recorder_workload *from = &recorder->workloads[workload];
    from->second.succeeded++;
    latency_histogram_record(&recorder->latencies[from->operation], latency_ns);
}

/* Operations of workload have arrived, all of them within the open second, and ended: `count` have
 * succeeded after latencies_ns, gave_up have not. */
static inline void recorder_run(struct recorder *recorder, uint16_t workload,
                                const sim_ns *latencies_ns, uint32_t count, uint32_t gave_up) {
    struct recorder_workload *from = &recorder->workloads[workload];
    from->second.offered += count + gave_up;
    from->second.succeeded += count;
    from->second.gave_up += gave_up;
    latency_histogram_record_all(&recorder->latencies[from->operation], latencies_ns, count);
}

/* Closes the open second: samples[resource] are the levels at its end. The bins
 * (resources[r].second, workloads[w].second, partitions by touched_partitions) are complete then
 * and stay readable until recorder_open_second; top_keys has rows when a minute ended. last: the
 * run ends, so the minute does too. O(resources + touched), plus the minute's touched keys. */
void recorder_close_second(struct recorder *recorder, const struct resource_sample *samples,
                           bool last);
/* Clears the bins and goes on to the next second. */
void recorder_open_second(struct recorder *recorder);

/* Ends the run, after the last recorder_close_second: final levels go into the digest, every sum is
 * checked (aborts on a breach). */
void recorder_finish(struct recorder *recorder, uint64_t in_flight);

/* A key's tally in the array `keys` of its resource. */
static inline struct key_tally *recorder_key_at(const struct grow_array *keys, uint32_t key) {
    return grow_array_at_known(keys, key, sizeof(struct key_tally), RECORDER_CHUNK_SHIFT);
}

static inline struct key_counters recorder_key(const struct recorder_resource *resource,
                                               uint32_t key) {
    return key_tally_counters(recorder_key_at(&resource->keys, key), key, &resource->carries);
}
size_t recorder_memory_bytes(const struct recorder *recorder);

#endif
