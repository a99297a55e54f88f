/* recorder.h, the part that turns with the clock: seconds are closed and opened, minutes ranked. */
#include "analysis/recorder.h"

#include "analysis/recorder_parts.h"
#include "sim/check.h"

#include <string.h>

#define PREFETCH_AHEAD 32
/* Saved capacity counts as gone below this much of it: a few seconds' worth is always on its way
 * through the request routers. */
#define BURST_GONE_S 10
/* It counts as full from one part in so many below the full. */
#define BURST_FULL_LESS 50

static void add_workload(struct workload_bin *into, const struct workload_bin *from) {
    into->offered += from->offered;
    into->succeeded += from->succeeded;
    into->condition_failed += from->condition_failed;
    into->rejected += from->rejected;
    into->gave_up += from->gave_up;
    into->unprocessed += from->unprocessed;
    into->calls += from->calls;
    into->throttled_calls += from->throttled_calls;
    into->errored_calls += from->errored_calls;
    into->attempts += from->attempts;
    into->admitted += from->admitted;
    into->throttled += from->throttled;
    into->errored += from->errored;
    into->retries += from->retries;
    into->retried += from->retried;
    into->timed_out += from->timed_out;
    into->lost_replies += from->lost_replies;
    into->quota_stops += from->quota_stops;
    into->queued += from->queued;
    into->queued_ns += from->queued_ns;
    into->held_back += from->held_back;
    into->held_back_ns += from->held_back_ns;
}

static void add_resource(struct resource_bin *into, const struct resource_bin *from) {
    into->consumed_rncu += from->consumed_rncu;
    into->consumed_wncu += from->consumed_wncu;
    into->attempts += from->attempts;
    into->admitted += from->admitted;
    into->throttled += from->throttled;
    into->errored += from->errored;
    into->throttled_reads += from->throttled_reads;
    into->throttled_writes += from->throttled_writes;
    into->index_writes += from->index_writes;
    into->index_refused += from->index_refused;
    into->index_only += from->index_only;
    into->missing += from->missing;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        into->events[reason] += from->events[reason];
    }
}

static void close_workload(struct recorder *recorder, struct recorder_workload *workload) {
    struct workload_bin *second = &workload->second;
    const struct recorder_counts *open = &workload->open;
    second->admitted = open->fates[FATE_ADMITTED];
    second->throttled = open->fates[FATE_THROTTLED];
    second->errored = open->fates[FATE_ERRORED];
    second->attempts = second->admitted + second->throttled + second->errored;
    if (!workload->has_batches) {
        second->calls = second->attempts; /* one member each */
        second->throttled_calls = second->throttled;
        second->errored_calls = second->errored;
    }
    second->retries = open->retries;
    second->retried = open->retried;
    add_workload(&workload->total, second);
    add_workload(&recorder->total, second);
}

static void add_flow(struct recorder_flow *into, const struct recorder_flow *from) {
    into->seconds += from->seconds;
    into->attempts += from->attempts;
    into->admitted += from->admitted;
    into->retries += from->retries;
    into->asked_ncu += from->asked_ncu;
    into->consumed_ncu += from->consumed_ncu;
}

static void close_limit(const struct recorder *recorder, struct recorder_limit *limit,
                        const struct recorder_flow *second, uint64_t events) {
    if (events == 0) {
        add_flow(&limit->since, second);
        return;
    }
    const int64_t gap_s = recorder->second - limit->last_s;
    if (limit->first_s < 0) {
        limit->first_s = recorder->second;
    } else if (gap_s <= RECORDER_EPISODE_GAP_S ||
               (gap_s <= RECORDER_SPARSE_GAP_S &&
                limit->since.attempts < RECORDER_SPARSE_ATTEMPTS)) {
        add_flow(&limit->episodes, &limit->since);
    }
    add_flow(&limit->episodes, second);
    limit->since = (struct recorder_flow){.seconds = 0};
    limit->last_s = recorder->second;
    limit->seconds++;
}

/* What a limit is called. */
struct limit_reasons {
    enum throttle_reason table_read, table_write, index_read, index_write;
};

static const struct limit_reasons limit_reasons[RECORDER_LIMITS] = {
    [RECORDER_KEY_RANGE] = {REASON_TABLE_READ_KEY_RANGE, REASON_TABLE_WRITE_KEY_RANGE,
                            REASON_INDEX_READ_KEY_RANGE, REASON_INDEX_WRITE_KEY_RANGE},
    [RECORDER_PROVISIONED] = {REASON_TABLE_READ_PROVISIONED, REASON_TABLE_WRITE_PROVISIONED,
                              REASON_INDEX_READ_PROVISIONED, REASON_INDEX_WRITE_PROVISIONED},
    [RECORDER_MAX_ON_DEMAND] = {REASON_TABLE_READ_MAX_ON_DEMAND, REASON_TABLE_WRITE_MAX_ON_DEMAND,
                                REASON_INDEX_READ_MAX_ON_DEMAND, REASON_INDEX_WRITE_MAX_ON_DEMAND},
    [RECORDER_ACCOUNT] = {REASON_TABLE_READ_ACCOUNT_LIMIT, REASON_TABLE_WRITE_ACCOUNT_LIMIT,
                          REASON_INDEX_READ_ACCOUNT_LIMIT, REASON_INDEX_WRITE_ACCOUNT_LIMIT},
};

static void close_direction(const struct recorder *recorder, struct recorder_resource *resource,
                            bool writes) {
    const struct recorder_counts *open = &resource->open[writes];
    struct recorder_direction *direction = &resource->directions[writes];
    const uint64_t *events = resource->second.events;
    const struct recorder_flow second = {
        .seconds = 1,
        .attempts =
            open->fates[FATE_ADMITTED] + open->fates[FATE_THROTTLED] + open->fates[FATE_ERRORED],
        .admitted = open->fates[FATE_ADMITTED],
        .retries = open->retries,
        .asked_ncu = open->asked_ncu,
        .consumed_ncu = open->consumed_ncu,
    };
    for (int limit = 0; limit < RECORDER_INDEXES; limit++) {
        const struct limit_reasons *of = &limit_reasons[limit];
        const uint64_t refused = writes ? events[of->table_write] + events[of->index_write]
                                        : events[of->table_read] + events[of->index_read];
        close_limit(recorder, &direction->limits[limit], &second, refused);
    }
    close_limit(recorder, &direction->limits[RECORDER_INDEXES], &second,
                writes ? resource->second.index_refused : 0);
    direction->asked_ncu += open->asked_ncu;
    direction->minute_ncu += open->consumed_ncu;
    if (open->consumed_ncu > direction->peak_second_ncu) {
        direction->peak_second_ncu = open->consumed_ncu;
    }
    if (open->asked_ncu > direction->peak_asked_ncu) {
        direction->peak_asked_ncu = open->asked_ncu;
    }
}

static void close_partition(struct recorder_resource *resource, uint32_t partition) {
    const struct partition_bin *bin = &resource->partitions[partition];
    struct partition_bin *total = &resource->partition_totals[partition];
    struct partition_refusals *refusals = &resource->partition_refusals[partition];
    total->consumed_rncu += bin->consumed_rncu;
    total->consumed_wncu += bin->consumed_wncu;
    total->throttled_reads += bin->throttled_reads;
    total->throttled_writes += bin->throttled_writes;
    if (bin->throttled_reads > 0) {
        refusals->seconds[RECORDER_READS]++;
        refusals->consumed_ncu[RECORDER_READS] += bin->consumed_rncu;
    }
    if (bin->throttled_writes > 0) {
        refusals->seconds[RECORDER_WRITES]++;
        refusals->consumed_ncu[RECORDER_WRITES] += bin->consumed_wncu;
    }
}

static uint64_t events_of(const struct resource_bin *bin) {
    uint64_t events = 0;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        events += bin->events[reason];
    }
    return events;
}

/* A second in which something was refused; of an index, also writes to its table. */
static void close_throttled_second(const struct recorder *recorder,
                                   struct recorder_resource *resource) {
    const struct resource_bin *second = &resource->second;
    if (second->throttled == 0 && (resource->index_name == NULL || events_of(second) == 0)) {
        return;
    }
    if (resource->first_throttle_s < 0) {
        resource->first_throttle_s = recorder->second;
    }
    resource->last_throttle_s = recorder->second;
    resource->throttled_seconds++;
    resource->admitted_in_throttled_seconds += second->admitted;
    resource->offered_in_throttled_seconds += second->attempts;
}

static void close_resource(struct recorder *recorder, struct recorder_resource *resource) {
    struct resource_bin *second = &resource->second;
    const struct recorder_counts *reads = &resource->open[RECORDER_READS];
    const struct recorder_counts *writes = &resource->open[RECORDER_WRITES];
    second->consumed_rncu = reads->consumed_ncu;
    second->consumed_wncu = writes->consumed_ncu;
    second->throttled_reads = reads->fates[FATE_THROTTLED];
    second->throttled_writes = writes->fates[FATE_THROTTLED];
    second->admitted = reads->fates[FATE_ADMITTED] + writes->fates[FATE_ADMITTED];
    second->throttled = second->throttled_reads + second->throttled_writes;
    second->errored = reads->fates[FATE_ERRORED] + writes->fates[FATE_ERRORED];
    second->attempts = second->admitted + second->throttled + second->errored;
    add_resource(&resource->total, second);
    close_throttled_second(recorder, resource);
    for (int direction = 0; direction < RECORDER_DIRECTIONS; direction++) {
        close_direction(recorder, resource, direction == RECORDER_WRITES);
        recorder->consumed_ncu[direction] += resource->open[direction].consumed_ncu;
    }
    for (uint32_t i = 0; i < resource->touched_partition_count; i++) {
        close_partition(resource, resource->touched_partitions[i]);
    }
}

/* The largest values so far, largest first; equal ones by key. */
struct ranking {
    uint64_t values[RECORDER_TOP_KEYS];
    uint32_t keys[RECORDER_TOP_KEYS];
    uint32_t count;
    uint64_t least; /* a smaller value has no place; at least 1 */
};

static bool ranks_before(uint64_t value, uint32_t key, uint64_t other_value, uint32_t other_key) {
    return value > other_value || (value == other_value && key < other_key);
}

static void insert(struct ranking *ranking, uint64_t value, uint32_t key) {
    const uint32_t last = RECORDER_TOP_KEYS - 1;
    const bool is_full = ranking->count == RECORDER_TOP_KEYS;
    if (is_full && !ranks_before(value, key, ranking->values[last], ranking->keys[last])) {
        return;
    }
    uint32_t place = is_full ? last : ranking->count++;
    while (place > 0 &&
           ranks_before(value, key, ranking->values[place - 1], ranking->keys[place - 1])) {
        ranking->values[place] = ranking->values[place - 1];
        ranking->keys[place] = ranking->keys[place - 1];
        place--;
    }
    ranking->values[place] = value;
    ranking->keys[place] = key;
    ranking->least = ranking->count == RECORDER_TOP_KEYS ? ranking->values[last] : 1;
}

/* Of millions of keys nearly all have no place: one comparison. */
static inline void rank(struct ranking *ranking, uint64_t value, uint32_t key) {
    if (__builtin_expect(value >= ranking->least, 0)) {
        insert(ranking, value, key);
    }
}

static void report(struct recorder *recorder, uint16_t resource, const struct ranking *ranking,
                   bool throttled) {
    for (uint32_t i = 0; i < ranking->count; i++) {
        recorder->top_keys[recorder->top_key_count++] = (struct key_minute){
            .resource = resource,
            .throttled = throttled,
            .key = ranking->keys[i],
            .t_s = recorder->second / RECORDER_MINUTE_S * RECORDER_MINUTE_S,
            .half_units = throttled ? 2 * ranking->values[i] : ranking->values[i],
        };
    }
}

static const struct touched_key *touched_at(const struct grow_array *touched, uint32_t i) {
    return grow_array_at_known(touched, i, sizeof(struct touched_key), RECORDER_CHUNK_SHIFT);
}

/* Differences modulo 2^32 are exact: no key is asked for so often in a minute. */
static void rank_keys(const struct recorder_resource *resource, struct ranking *accessed,
                      struct ranking *throttled) {
    const struct grow_array *touched = &resource->touched_keys;
    for (uint32_t i = 0; i < resource->touched_key_count; i++) {
        if (i + PREFETCH_AHEAD < resource->touched_key_count) {
            const uint32_t ahead = touched_at(touched, i + PREFETCH_AHEAD)->key;
            __builtin_prefetch(recorder_key_at(&resource->keys, ahead));
        }
        const struct touched_key *before = touched_at(touched, i);
        const struct key_tally *now = recorder_key_at(&resource->keys, before->key);
        const uint32_t key = before->key;
        const uint32_t half_rcu =
            recorder_key_count(resource, now, KEY_HALF_RCU, key) - before->half_rcu;
        const uint32_t half_wcu =
            recorder_key_count(resource, now, KEY_HALF_WCU, key) - before->half_wcu;
        const uint32_t refused = recorder_key_count(resource, now, KEY_THROTTLED_READS, key) +
                                 recorder_key_count(resource, now, KEY_THROTTLED_WRITES, key) -
                                 before->throttled;
        rank(accessed, 3 * (uint64_t)half_wcu + half_rcu, key);
        rank(throttled, refused, key);
    }
}

static void close_minute(struct recorder *recorder, uint16_t resource) {
    struct recorder_resource *of = &recorder->resources[resource];
    struct ranking accessed = {.least = 1}, throttled = {.least = 1};
    rank_keys(of, &accessed, &throttled);
    of->touched_key_count = 0;
    report(recorder, resource, &accessed, false);
    report(recorder, resource, &throttled, true);
    for (int i = 0; i < RECORDER_DIRECTIONS; i++) {
        struct recorder_direction *direction = &of->directions[i];
        if (direction->minute_ncu > direction->peak_minute_ncu) {
            direction->peak_minute_ncu = direction->minute_ncu;
        }
        direction->minute_ncu = 0;
    }
}

/* provisioned_cu 0 or less: there is no such pool. */
static void close_burst(const struct recorder *recorder, struct recorder_direction *direction,
                        int64_t provisioned_cu, int64_t burst_ncu, int64_t burst_max_ncu) {
    if (provisioned_cu <= 0) {
        return;
    }
    if (burst_ncu < BURST_GONE_S * provisioned_cu * NCU_PER_CU) {
        if (direction->burst_gone_s < 0) {
            direction->burst_gone_s = recorder->second;
        }
        direction->burst_full_s = -1;
    } else if (direction->burst_gone_s >= 0 && direction->burst_full_s < 0 &&
               burst_ncu >= burst_max_ncu - burst_max_ncu / BURST_FULL_LESS) {
        direction->burst_full_s = recorder->second;
    }
}

void recorder_close_second(struct recorder *recorder, const struct resource_sample *samples,
                           bool last) {
    SIM_CHECK(recorder->is_open);
    recorder->is_open = false;
    recorder->top_key_count = 0;
    for (uint32_t i = 0; i < recorder->workload_count; i++) {
        close_workload(recorder, &recorder->workloads[i]);
    }
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        struct recorder_resource *resource = &recorder->resources[i];
        close_resource(recorder, resource);
        resource->last_sample = samples[i];
        pricing_use_second(&resource->use, &samples[i], resource->second.consumed_rncu,
                           resource->second.consumed_wncu);
        close_burst(recorder, &resource->directions[RECORDER_READS], samples[i].provisioned_rcu,
                    samples[i].burst_rncu, samples[i].burst_max_rncu);
        close_burst(recorder, &resource->directions[RECORDER_WRITES], samples[i].provisioned_wcu,
                    samples[i].burst_wncu, samples[i].burst_max_wncu);
        if (recorder->second == 0) {
            resource->first_sample = samples[i];
        }
    }
    if (last || recorder->second % RECORDER_MINUTE_S == RECORDER_MINUTE_S - 1) {
        for (uint32_t i = 0; i < recorder->resource_count; i++) {
            close_minute(recorder, (uint16_t)i);
        }
    }
}

void recorder_open_second(struct recorder *recorder) {
    SIM_CHECK(!recorder->is_open);
    recorder->is_open = true;
    recorder->second++;
    for (uint32_t i = 0; i < recorder->workload_count; i++) {
        recorder->workloads[i].second = (struct workload_bin){0};
        recorder->workloads[i].open = (struct recorder_counts){.retries = 0};
    }
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        struct recorder_resource *resource = &recorder->resources[i];
        resource->second = (struct resource_bin){0};
        memset(resource->open, 0, sizeof resource->open);
        for (uint32_t j = 0; j < resource->touched_partition_count; j++) {
            resource->partitions[resource->touched_partitions[j]] = (struct partition_bin){0};
        }
        resource->touched_partition_count = 0;
        ring_grid_open_second(&resource->grid, recorder->second);
    }
}
