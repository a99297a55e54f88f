#include "analysis/key_tally.h"

#include "sim/check.h"

void key_tally_init(struct key_tally *tally, uint32_t ring_slice) {
    SIM_CHECK(ring_slice < UINT32_C(1) << KEY_TALLY_SLICE_BITS);
    *tally = (struct key_tally){.minute_slice = ring_slice};
}

bool key_tally_carry(struct key_tally *tally, enum key_count which, struct grow_array *carries,
                     struct err *err) {
    if (tally->carry == 0) {
        uint32_t index;
        if (!grow_array_append(carries, 1, &index, err)) {
            return false;
        }
        tally->carry = index + 1;
    }
    struct key_carry *carry = grow_array_at(carries, tally->carry - 1);
    carry->counts[which]++;
    return true;
}

struct key_counters key_tally_counters(const struct key_tally *tally,
                                       const struct grow_array *carries) {
    uint64_t counts[KEY_COUNTS];
    for (int which = 0; which < KEY_COUNTS; which++) {
        counts[which] = tally->counts[which];
        if (tally->carry > 0) {
            const struct key_carry *carry = grow_array_at(carries, tally->carry - 1);
            counts[which] += (uint64_t)carry->counts[which] << 32;
        }
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
