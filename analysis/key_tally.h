/*
 * key_tally.h - What happened to one partition key value, in half a cache line.
 *
 *   32-bit counters; what overflows one is carried to a record in a list, made for that key then.
 *   Units are counted in halves, which is exact: nothing costs less than half a unit.
 *
 * A run touches a tally a request, at random among millions: their size decides how many of them
 * the processor's caches hold.
 *
 * Owns:    nothing; tallies and the list of carries are their resource's.
 * Cost:    O(1), no memory but for the first carry of a key.
 */
#ifndef DDBSIM_ANALYSIS_KEY_TALLY_H
#define DDBSIM_ANALYSIS_KEY_TALLY_H

#include "models/request.h"
#include "sim/check.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

#define KEY_TALLY_SLICE_BITS 8 /* of the ring */

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
    uint32_t counts[KEY_COUNTS]; /* modulo 2^32 */
    uint32_t minute_slice;       /* mark of its last minute with an attempt (0: none), and where on
                                    the ring it lies */
    uint32_t carry;              /* 1 + its record in the list of carries, 0: none */
};
_Static_assert(sizeof(struct key_tally) == 32, "half a cache line a key");

/* What was carried, in units of 2^32. */
struct key_carry {
    uint32_t counts[KEY_COUNTS];
};

/* The same in full, for whoever reads it. */
struct key_counters {
    int64_t consumed_rncu, consumed_wncu;
    uint64_t reads, writes;                     /* admitted */
    uint64_t throttled_reads, throttled_writes; /* refused attempts */
};

/* carries: a grow_array of struct key_carry. */
void key_tally_init(struct key_tally *tally, uint32_t ring_slice);

static inline uint32_t key_tally_slice(const struct key_tally *tally) {
    return tally->minute_slice & ((UINT32_C(1) << KEY_TALLY_SLICE_BITS) - 1);
}

/* The mark is any number from 1 to 2^24 - 1 that changes with the minute. */
static inline bool key_tally_is_marked(const struct key_tally *tally, uint32_t mark) {
    return tally->minute_slice >> KEY_TALLY_SLICE_BITS == mark;
}
static inline void key_tally_mark(struct key_tally *tally, uint32_t mark) {
    tally->minute_slice = mark << KEY_TALLY_SLICE_BITS | key_tally_slice(tally);
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

/* After a counter has passed 2^32. */
bool key_tally_carry(struct key_tally *tally, enum key_count which, struct grow_array *carries,
                     struct err *err) ERR_WARN_UNUSED;

/* False with *err set: no memory for a carry. */
ERR_WARN_UNUSED static inline bool key_tally_add(struct key_tally *tally, enum key_count which,
                                                 uint32_t amount, struct grow_array *carries,
                                                 struct err *err) {
    if (__builtin_expect(
            __builtin_add_overflow(tally->counts[which], amount, &tally->counts[which]), 0)) {
        return key_tally_carry(tally, which, carries, err);
    }
    return true;
}

struct key_counters key_tally_counters(const struct key_tally *tally,
                                       const struct grow_array *carries);

#endif
