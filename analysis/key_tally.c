#include "analysis/key_tally.h"

#include "sim/check.h"

#define CARRIES_CHUNK 64

bool key_carries_init(struct key_carries *carries, struct arena *arena, struct err *err) {
    grow_array_init(&carries->records, arena, sizeof(struct key_carry), CARRIES_CHUNK);
    return id_map_init(&carries->record_of, 0, err);
}

void key_carries_fini(struct key_carries *carries) {
    id_map_fini(&carries->record_of);
}

static struct key_carry *find_carry(const struct key_carries *carries, uint32_t key) {
    const uint32_t record = id_map_find(&carries->record_of, key);
    SIM_CHECK(record != ID_MAP_NONE);
    return grow_array_at(&carries->records, record);
}

const struct key_carry *key_carries_of(const struct key_carries *carries, uint32_t key) {
    return find_carry(carries, key);
}

void key_tally_init(struct key_tally *tally, uint32_t ring_slice) {
    SIM_CHECK(ring_slice < UINT32_C(1) << KEY_TALLY_SLICE_BITS);
    *tally = (struct key_tally){.slice = (uint8_t)ring_slice};
}

bool key_tally_carry(struct key_tally *tally, enum key_count which, uint64_t times, uint32_t key,
                     struct key_carries *carries, struct err *err) {
    if (!tally->has_carry) {
        uint32_t record;
        if (!grow_array_append(&carries->records, 1, &record, err) ||
            !id_map_insert(&carries->record_of, key, record, err)) {
            return false;
        }
        tally->has_carry = 1;
    }
    find_carry(carries, key)->counts[which] += times;
    return true;
}

struct key_counters key_tally_counters(const struct key_tally *tally, uint32_t key,
                                       const struct key_carries *carries) {
    uint64_t counts[KEY_COUNTS];
    for (int which = 0; which < KEY_COUNTS; which++) {
        counts[which] = key_tally_count(tally, (enum key_count)which, key, carries);
    }
    return (struct key_counters){
        .consumed_rncu = (int64_t)counts[KEY_HALF_RCU] * HALF_UNIT_NCU,
        .consumed_wncu = (int64_t)counts[KEY_HALF_WCU] * HALF_UNIT_NCU,
        .reads = counts[KEY_READS],
        .writes = counts[KEY_WRITES],
        .throttled_reads = counts[KEY_THROTTLED_READS],
        .throttled_writes = counts[KEY_THROTTLED_WRITES],
    };
}
