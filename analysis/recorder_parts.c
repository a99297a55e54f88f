/* recorder.h, attempts that come to several partitions or to no key: pages of a Scan. */
#include "analysis/recorder_parts.h"

/* Where an outcome is counted beside its resource. */
struct place {
    struct recorder_resource *resource;
    struct partition_bin *partition;
    struct ring_cell *cell;
    struct key_tally *key; /* NULL: none */
    uint32_t number;       /* the key's */
};

static bool find_place(const struct recorder *recorder, const struct outcome *outcome,
                       struct place *place, struct err *err) {
    struct recorder_resource *resource = &recorder->resources[outcome->resource];
    SIM_CHECK(outcome->partition < resource->partition_count);
    *place = (struct place){.resource = resource,
                            .partition = &resource->partitions[outcome->partition]};
    recorder_touch_partition(resource, place->partition, outcome->partition);
    if (outcome->key == OUTCOME_NO_KEY) {
        place->cell =
            ring_grid_cell(&resource->grid, ring_grid_slice((uint64_t)outcome->item << 32));
        return true;
    }
    SIM_CHECK(outcome->key < resource->keys.count);
    place->key = recorder_key_at(&resource->keys, outcome->key);
    place->number = outcome->key;
    place->cell = ring_grid_cell(&resource->grid, key_tally_slice(place->key));
    const uint32_t mark = recorder_minute_mark(recorder);
    return key_tally_is_marked(place->key, mark) ||
           recorder_touch_key(resource, mark, outcome->key, place->key, err);
}

static void add_units(struct partition_bin *bin, bool writes, int64_t cost_ncu) {
    bin->consumed_rncu += writes ? 0 : cost_ncu;
    bin->consumed_wncu += writes ? cost_ncu : 0;
}

static bool count_admitted(struct place *place, const struct outcome *outcome, bool writes,
                           struct err *err) {
    const uint32_t half_units = key_tally_half_units(outcome->cost_ncu);
    struct recorder_parts *parts = &place->resource->parts;
    struct key_carries *carries = &place->resource->carries;
    add_units(place->partition, writes, outcome->cost_ncu);
    place->cell->half_rcu += writes ? 0 : half_units;
    place->cell->half_wcu += writes ? half_units : 0;
    place->resource->second.missing += outcome->item_missing;
    parts->admitted += outcome->is_part;
    if (place->key == NULL) {
        add_units(&parts->keyless, writes, outcome->cost_ncu);
        parts->keyless_admitted++;
        return true;
    }
    return key_tally_add(place->key, writes ? KEY_HALF_WCU : KEY_HALF_RCU, half_units,
                         place->number, carries, err) &&
           key_tally_add(place->key, writes ? KEY_WRITES : KEY_READS, 1, place->number, carries,
                         err);
}

static void add_refusal(struct partition_bin *bin, bool writes) {
    bin->throttled_reads += !writes;
    bin->throttled_writes += writes;
}

static bool count_throttled(struct place *place, uint32_t reasons, bool writes, struct err *err) {
    add_refusal(place->partition, writes);
    place->cell->throttled_reads += !writes;
    place->cell->throttled_writes += writes;
    for (uint32_t left = reasons; left != 0; left &= left - 1) {
        place->resource->second.events[__builtin_ctz(left)]++;
    }
    if (place->key == NULL) {
        add_refusal(&place->resource->parts.keyless, writes);
        return true;
    }
    return key_tally_add(place->key, writes ? KEY_THROTTLED_WRITES : KEY_THROTTLED_READS, 1,
                         place->number, &place->resource->carries, err);
}

/* An outcome's own reasons: those of the table's indexes are events of theirs. */
static uint32_t own_reasons(struct recorder_resource *resource, const struct outcome *outcome) {
    const uint32_t own = outcome->reasons & ~(uint32_t)REASONS_OF_INDEX_WRITES;
    if (outcome->reasons == own || !resource->has_indexes) {
        return outcome->reasons;
    }
    resource->second.index_refused++;
    resource->second.index_only += own == 0;
    return own;
}

static bool record_part(struct recorder *recorder, const struct outcome *outcome,
                        struct recorder_counts *counts, struct err *err) {
    const bool writes = ddb_operation_writes((enum ddb_operation)outcome->operation);
    struct recorder_resource *resource = &recorder->resources[outcome->resource];
    struct place place;
    SIM_CHECK((outcome->reasons != 0) == (outcome->fate == FATE_THROTTLED));
    counts->fates[outcome->fate] += !outcome->is_part;
    counts->retries += !outcome->is_part && outcome->attempt != 0;
    counts->retried += !outcome->is_part && outcome->attempt == 1;
    counts->asked_ncu += outcome->attempt != 0 ? 0 : outcome->cost_ncu;
    if (outcome->fate == FATE_ERRORED) {
        return true;
    }
    if (outcome->fate == FATE_ADMITTED) {
        SIM_CHECK(outcome->cost_ncu > 0);
        counts->consumed_ncu += outcome->cost_ncu;
        return find_place(recorder, outcome, &place, err) &&
               count_admitted(&place, outcome, writes, err);
    }
    resource->parts.throttled[writes] += outcome->is_part;
    const uint32_t reasons = own_reasons(resource, outcome);
    return reasons == 0 || (find_place(recorder, outcome, &place, err) &&
                            count_throttled(&place, reasons, writes, err));
}

bool recorder_record_parts(struct recorder *recorder, const struct outcome *outcomes,
                           uint32_t count, struct err *err) {
    const bool writes = ddb_operation_writes((enum ddb_operation)outcomes[0].operation);
    struct recorder_resource *resource = &recorder->resources[outcomes[0].resource];
    struct recorder_counts counts = {.retries = 0};
    bool recorded = true;
    for (uint32_t i = 0; i < count && recorded; i++) {
        recorded = record_part(recorder, &outcomes[i], &counts, err);
    }
    recorder_add_counts(&recorder->workloads[outcomes[0].workload].open, &counts);
    recorder_add_counts(&resource->open[writes], &counts);
    return recorded;
}
