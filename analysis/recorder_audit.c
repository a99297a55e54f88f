/* recorder.h, the end of a run: last words of the digest, and every sum checked. */
#include "analysis/recorder.h"

#include "sim/check.h"

#include <inttypes.h>

static void check_bin(const struct partition_bin *sum, const struct recorder_resource *resource,
                      const char *what) {
    const struct resource_bin *total = &resource->total;
    const uint64_t *parts = resource->parts.throttled;
    const char *table_name = resource->table_name;
    SIM_CHECKF(sum->consumed_rncu == total->consumed_rncu &&
                   sum->consumed_wncu == total->consumed_wncu,
               "table '%s': %s consumed %" PRId64 " and %" PRId64 " ncu, the table %" PRId64
               " and %" PRId64,
               table_name, what, sum->consumed_rncu, sum->consumed_wncu, total->consumed_rncu,
               total->consumed_wncu);
    SIM_CHECKF(sum->throttled_reads == total->throttled_reads + parts[RECORDER_READS] &&
                   sum->throttled_writes == total->throttled_writes + parts[RECORDER_WRITES],
               "table '%s': of %s %" PRIu64 " and %" PRIu64 " were refused, of the table %" PRIu64
               " and %" PRIu64,
               table_name, what, sum->throttled_reads, sum->throttled_writes,
               total->throttled_reads, total->throttled_writes);
}

/* What indexes alone refused is counted where the write went to, but at no partition or key. */
static struct partition_bin index_only(const struct recorder_resource *resource) {
    return (struct partition_bin){.throttled_writes = resource->total.index_only};
}

static void check_partitions(const struct recorder_resource *resource) {
    struct partition_bin sum = index_only(resource);
    for (uint32_t i = 0; i < resource->partition_count; i++) {
        const struct partition_bin *bin = &resource->partition_totals[i];
        sum.consumed_rncu += bin->consumed_rncu;
        sum.consumed_wncu += bin->consumed_wncu;
        sum.throttled_reads += bin->throttled_reads;
        sum.throttled_writes += bin->throttled_writes;
    }
    check_bin(&sum, resource, "partitions");
}

static void check_keys(const struct recorder_resource *resource) {
    struct partition_bin sum = index_only(resource);
    const struct recorder_parts *parts = &resource->parts;
    uint64_t admitted = parts->keyless_admitted;
    sum.consumed_rncu += parts->keyless.consumed_rncu;
    sum.consumed_wncu += parts->keyless.consumed_wncu;
    sum.throttled_reads += parts->keyless.throttled_reads;
    sum.throttled_writes += parts->keyless.throttled_writes;
    for (uint32_t i = 0; i < resource->keys.count; i++) {
        const struct key_counters key = recorder_key(resource, i);
        sum.consumed_rncu += key.consumed_rncu;
        sum.consumed_wncu += key.consumed_wncu;
        sum.throttled_reads += key.throttled_reads;
        sum.throttled_writes += key.throttled_writes;
        admitted += key.reads + key.writes;
    }
    check_bin(&sum, resource, "keys");
    const uint64_t expected =
        resource->total.admitted + resource->total.index_writes + parts->admitted;
    SIM_CHECKF(admitted == expected,
               "table '%s': its keys admitted %" PRIu64 ", the table %" PRIu64,
               resource->table_name, admitted, expected);
}

static void check_ring(const struct recorder_resource *resource) {
    struct partition_bin sum = index_only(resource);
    for (uint32_t i = 0; i <= resource->grid.span; i++) {
        for (uint32_t slice = 0; slice < RING_GRID_SLICES; slice++) {
            const struct ring_cell *cell =
                &resource->grid.cells[(size_t)i * RING_GRID_SLICES + slice];
            sum.consumed_rncu += (int64_t)cell->half_rcu * HALF_UNIT_NCU;
            sum.consumed_wncu += (int64_t)cell->half_wcu * HALF_UNIT_NCU;
            sum.throttled_reads += cell->throttled_reads;
            sum.throttled_writes += cell->throttled_writes;
        }
    }
    check_bin(&sum, resource, "slices of the ring");
}

static void check_resource(const struct recorder_resource *resource) {
    const struct resource_bin *total = &resource->total;
    SIM_CHECK(total->attempts == total->admitted + total->throttled + total->errored);
    SIM_CHECK(total->throttled == total->throttled_reads + total->throttled_writes);
    const uint64_t *parts = resource->parts.throttled;
    const uint64_t refusals = total->throttled + parts[RECORDER_READS] + parts[RECORDER_WRITES];
    uint64_t events = 0;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        /* an index's may be of writes to its table */
        SIM_CHECK(resource->index_name != NULL || total->events[reason] <= refusals);
        events += total->events[reason];
    }
    const uint64_t refused = refusals - total->index_only;
    SIM_CHECKF(events >= refused, "%" PRIu64 " refused for %" PRIu64 " reasons", refused, events);
    check_partitions(resource);
    check_keys(resource);
    check_ring(resource);
}

static void check_workloads(const struct recorder *recorder) {
    uint64_t attempts = 0, admitted = 0, throttled = 0;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        attempts += recorder->resources[i].total.attempts;
        admitted += recorder->resources[i].total.admitted;
        throttled += recorder->resources[i].total.throttled;
    }
    const struct workload_bin *total = &recorder->total;
    SIM_CHECK(total->attempts == attempts);
    SIM_CHECK(total->admitted == admitted);
    SIM_CHECK(total->throttled == throttled);
    SIM_CHECK(total->retried <= total->retries && total->retries <= total->attempts);
    uint64_t ended = total->succeeded + total->condition_failed + total->rejected + total->gave_up;
    SIM_CHECKF(total->offered == ended + recorder->in_flight,
               "%" PRIu64 " operations arrived, %" PRIu64 " ended, %" PRIu64 " are in flight",
               total->offered, ended, recorder->in_flight);
    uint64_t measured = 0;
    for (int operation = 0; operation < DDB_OPERATION_COUNT; operation++) {
        measured += recorder->latencies[operation].total;
    }
    SIM_CHECK(measured == total->succeeded);
}

void recorder_finish(struct recorder *recorder, uint64_t in_flight) {
    SIM_CHECK(!recorder->is_open);
    recorder->in_flight = in_flight;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct resource_sample *sample = &recorder->resources[i].last_sample;
        digest_word(&recorder->digest, (uint64_t)sample->provisioned_rcu);
        digest_word(&recorder->digest, (uint64_t)sample->provisioned_wcu);
        digest_word(&recorder->digest, (uint64_t)sample->burst_rncu);
        digest_word(&recorder->digest, (uint64_t)sample->burst_wncu);
        digest_word(&recorder->digest, sample->partitions);
        if (recorder->resources[i].index_name != NULL) {
            digest_word(&recorder->digest, (uint64_t)sample->buffered_wncu);
            digest_word(&recorder->digest, (uint64_t)sample->debt_wncu);
        }
        check_resource(&recorder->resources[i]);
    }
    check_workloads(recorder);
}
