/*
 * key_tally.h - What happened to one partition key value, in a quarter of a cache line.
 *
 *   16-bit counters; what overflows one is carried to a record of that key's, made then.
 *   Units are counted in halves, which is exact: nothing costs less than half a unit.
 *
 * A run touches a tally a request, at random among millions: their size decides how many of them
 * the processor's caches hold, and how many pages the system has to clear. A carry comes every
 * 32,768 units of a key, so that its record may be looked for.
 *
 * Owns:    nothing; tallies and carries are their resource's.
 * Cost:    O(1), no memory but for the first carry of a key.
 */
#ifndef DDBSIM_ANALYSIS_KEY_TALLY_H
#define DDBSIM_ANALYSIS_KEY_TALLY_H

#include "models/request.h"
#include "sim/check.h"
#include "sim/err.h"
#include "sim/grow_array.h"
#include "sim/id_map.h"

#include <stdbool.h>
#include <stdint.h>

#define KEY_TALLY_SLICE_BITS 8 /* of the ring */
#define KEY_TALLY_MARK_BITS 23 /* of a minute: 15 years */
#define KEY_TALLY_COUNT_BITS 16

enum key_count {
    KEY_HALF_RCU, /* consumed */
    KEY_HALF_WCU,
    KEY_READS, /* admitted */
    KEY_WRITES,
    KEY_THROTTLED_READS, /* refused attempts */
    KEY_THROTTLED_WRITES,
    KEY_COUNTS
};

struct key_tally {
    uint16_t counts[KEY_COUNTS];           /* modulo 2^16 */
    uint32_t slice : KEY_TALLY_SLICE_BITS; /* where on the ring it lies */
    uint32_t has_carry : 1;
    uint32_t mark : KEY_TALLY_MARK_BITS; /* of its last minute with an attempt, 0: none */
};
_Static_assert(sizeof(struct key_tally) == 16, "a quarter of a cache line a key");

/* What was carried, in units of 2^16. */
struct key_carry {
    uint64_t counts[KEY_COUNTS];
};

/* Of those keys of a resource that have any. */
struct key_carries {
    struct grow_array records; /* struct key_carry */
    struct id_map record_of;   /* by key */
};

bool key_carries_init(struct key_carries *carries, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;
void key_carries_fini(struct key_carries *carries);

/* The same in full, for whoever reads it. */
struct key_counters {
    int64_t consumed_rncu, consumed_wncu;
    uint64_t reads, writes;                     /* admitted */
    uint64_t throttled_reads, throttled_writes; /* refused attempts */
};

void key_tally_init(struct key_tally *tally, uint32_t ring_slice);

static inline uint32_t key_tally_slice(const struct key_tally *tally) {
    return tally->slice;
}

/* The mark is any number from 1 to 2^KEY_TALLY_MARK_BITS - 1 that changes with the minute. */
static inline bool key_tally_is_marked(const struct key_tally *tally, uint32_t mark) {
    return tally->mark == mark;
}
static inline void key_tally_mark(struct key_tally *tally, uint32_t mark) {
    tally->mark = mark & ((UINT32_C(1) << KEY_TALLY_MARK_BITS) - 1);
}

/* HALF_UNIT_NCU = odd * 2^8. An odd number's inverse modulo 2^64 makes of a multiple the quotient,
 * and of any other number, its low bits turned to the top, one that is too large to be one. */
#define KEY_TALLY_HALF_UNIT_TWOS 8
#define KEY_TALLY_HALF_UNIT_INVERSE UINT64_C(0x8e47ce423a2e9c6d)
_Static_assert((HALF_UNIT_NCU >> KEY_TALLY_HALF_UNIT_TWOS) * KEY_TALLY_HALF_UNIT_INVERSE == 1 &&
                   HALF_UNIT_NCU % (1 << KEY_TALLY_HALF_UNIT_TWOS) == 0,
               "the inverse of half a unit");

/* A cost in half units; aborts when it is not a whole number of them, or too large to count. */
static inline uint32_t key_tally_half_units(int64_t cost_ncu) {
    const uint64_t product = (uint64_t)cost_ncu * KEY_TALLY_HALF_UNIT_INVERSE;
    const uint64_t half_units =
        product >> KEY_TALLY_HALF_UNIT_TWOS | product << (64 - KEY_TALLY_HALF_UNIT_TWOS);
    SIM_CHECK(half_units <= UINT32_MAX);
    return (uint32_t)half_units;
}

/* After a counter of the key's has passed 2^16 so many times. */
bool key_tally_carry(struct key_tally *tally, enum key_count which, uint64_t times, uint32_t key,
                     struct key_carries *carries, struct err *err) ERR_WARN_UNUSED;

/* key: the tally's. False with *err set: no memory for a carry. */
ERR_WARN_UNUSED static inline bool key_tally_add(struct key_tally *tally, enum key_count which,
                                                 uint32_t amount, uint32_t key,
                                                 struct key_carries *carries, struct err *err) {
    const uint64_t sum = (uint64_t)tally->counts[which] + amount;
    tally->counts[which] = (uint16_t)sum;
    if (__builtin_expect(sum >> KEY_TALLY_COUNT_BITS != 0, 0)) {
        return key_tally_carry(tally, which, sum >> KEY_TALLY_COUNT_BITS, key, carries, err);
    }
    return true;
}

/* What was carried of a key that has_carry. */
const struct key_carry *key_carries_of(const struct key_carries *carries, uint32_t key);

/* One counter in full. */
static inline uint64_t key_tally_count(const struct key_tally *tally, enum key_count which,
                                       uint32_t key, const struct key_carries *carries) {
    uint64_t count = tally->counts[which];
    if (__builtin_expect(tally->has_carry, 0)) {
        count += key_carries_of(carries, key)->counts[which] << KEY_TALLY_COUNT_BITS;
    }
    return count;
}

struct key_counters key_tally_counters(const struct key_tally *tally, uint32_t key,
                                       const struct key_carries *carries);

#endif
