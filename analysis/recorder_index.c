/* recorder.h, entries written to indexes: units without an attempt. */
#include "analysis/recorder.h"

#include "analysis/recorder_parts.h"
#include "sim/check.h"

#define WRITE_WORDS 4
/* Stands in the digest where an attempt has its sequence. */
#define WRITE_MARK UINT64_MAX

static void digest_write(struct recorder *recorder, uint16_t resource,
                         const struct index_write *write) {
    uint64_t *words = digest_room(&recorder->digest, WRITE_WORDS);
    words[0] = (uint64_t)write->at_ns;
    words[1] = WRITE_MARK;
    words[2] = (uint64_t)resource << 48 | (uint64_t)write->partition;
    words[3] = (uint64_t)write->cost_ncu;
}

static bool record_write(struct recorder_resource *resource, uint32_t mark,
                         const struct index_write *write, struct err *err) {
    SIM_CHECK(write->partition < resource->partition_count);
    SIM_CHECK(write->key < resource->keys.count);
    SIM_CHECK(write->cost_ncu > 0);
    struct partition_bin *bin = &resource->partitions[write->partition];
    struct key_tally *key = recorder_key_at(&resource->keys, write->key);
    const uint32_t half_units = key_tally_half_units(write->cost_ncu);
    if (!key_tally_is_marked(key, mark) &&
        !recorder_touch_key(resource, mark, write->key, key, err)) {
        return false;
    }
    recorder_touch_partition(resource, bin, write->partition);
    bin->consumed_wncu += write->cost_ncu;
    ring_grid_cell(&resource->grid, key_tally_slice(key))->half_wcu += half_units;
    return key_tally_add(key, KEY_HALF_WCU, half_units, write->key, &resource->carries, err) &&
           key_tally_add(key, KEY_WRITES, 1, write->key, &resource->carries, err);
}

bool recorder_index_writes(struct recorder *recorder, uint16_t resource,
                           const struct index_write *writes, uint32_t count, struct err *err) {
    SIM_CHECK(recorder->is_open);
    SIM_CHECK(resource < recorder->resource_count);
    struct recorder_resource *of = &recorder->resources[resource];
    const sim_ns from_ns = recorder->second * SIM_NS_PER_S;
    const uint32_t mark = recorder_minute_mark(recorder);
    SIM_CHECK(of->index_name != NULL);
    for (uint32_t i = 0; i < count; i++) {
        SIM_CHECK(writes[i].at_ns >= from_ns && writes[i].at_ns < from_ns + SIM_NS_PER_S);
        digest_write(recorder, resource, &writes[i]);
        if (!record_write(of, mark, &writes[i], err)) {
            return false;
        }
        of->open[RECORDER_WRITES].consumed_ncu += writes[i].cost_ncu;
        of->open[RECORDER_WRITES].asked_ncu += writes[i].cost_ncu;
        latency_histogram_record(&of->lags, writes[i].at_ns - writes[i].owed_ns);
    }
    of->second.index_writes += count;
    return true;
}

void recorder_index_refusals(struct recorder *recorder, uint16_t resource,
                             const struct index_refusals *refusals) {
    SIM_CHECK(recorder->is_open);
    SIM_CHECK(resource < recorder->resource_count);
    struct recorder_resource *of = &recorder->resources[resource];
    SIM_CHECK(of->index_name != NULL);
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        SIM_CHECK(refusals->events[reason] == 0 ||
                  (REASON_BIT(reason) & REASONS_OF_INDEX_WRITES) != 0);
        of->second.events[reason] += refusals->events[reason];
    }
}
