/*
 * timer.h - One pending timer, and the total order of timers: time, then kind, then push sequence.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_SIM_TIMER_H
#define DDBSIM_SIM_TIMER_H

#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct timer {
    sim_ns at_ns;
    uint64_t order;   /* kind in the top 8 bits, push sequence below: ties at one nanosecond */
    uint64_t subject; /* what the kind says it is: a table, a pending call, … */
};

static inline uint8_t timer_kind(const struct timer *timer) {
    return (uint8_t)(timer->order >> 56);
}

/* Is *a before *b? One signed 128-bit comparison of (time, order), to spare the branch. */
static inline bool timer_is_before(const struct timer *a, const struct timer *b) {
    __extension__ const __int128 high = (__int128)1 << 64; /* a factor: times may be negative */
    return a->at_ns * high + a->order < b->at_ns * high + b->order;
}

#endif
