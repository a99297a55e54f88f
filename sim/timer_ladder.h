/*
 * timer_ladder.h - Timers of the far future, sorted no further than needed: slots by digits of the
 * time.
 *
 *   level 0, 1, … 6   256 slots of 2^12, 2^20, … 2^60 ns: 4 us, 1 ms, 0.3 s, 69 s, 5 h, … 37 y
 *   a timer's level   the highest digit (8 bits from bit 12 on) in which its time and base differ
 *
 * The earliest slot is the first one in use of the lowest level in use. It is taken whole when it
 * holds few timers or is of level 0, else spread over the levels below, once: a timer is moved at
 * most once a level, and by appending to one of a few hot places, not across the whole memory as in
 * a heap. There is no horizon and nothing to tune to the traffic.
 *
 * Timers are no earlier than base; base only rises, but for timer_ladder_take_all.
 *
 * Source:  levels by the highest differing digit: radix heap, Ahuja et al., JACM 37(2), 1990; to
 *          take or to spread, by the number of timers: ladder queue, Tang et al., 2005.
 * Owns:    chunks of ten timers in an arena of its own: 26 bytes a timer and 0.4 MB for slots.
 * Cost:    push and take about 5 ns a timer and level.
 */
#ifndef DDBSIM_SIM_TIMER_LADDER_H
#define DDBSIM_SIM_TIMER_LADDER_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMER_LADDER_FINEST_BITS 12
#define TIMER_LADDER_DIGIT_BITS 8
#define TIMER_LADDER_SLOTS (1 << TIMER_LADDER_DIGIT_BITS)
#define TIMER_LADDER_LEVELS 7 /* (64 - 12) / 8, rounded up */

struct timer_chunk;

struct timer_slot {
    struct timer_chunk *first,
        *last; /* in the order of their pushes; only the last may have room */
    size_t count;
};

struct timer_ladder {
    struct arena arena;
    struct timer_chunk *free;
    struct timer_chunk *fresh; /* never used yet, fresh_count of them */
    size_t fresh_count, chunk_count;
    size_t count;  /* timers */
    uint64_t base; /* a time with its sign bit turned, as all times within */
    uint64_t in_use[TIMER_LADDER_LEVELS][TIMER_LADDER_SLOTS / 64];
    struct timer_slot slots[TIMER_LADDER_LEVELS][TIMER_LADDER_SLOTS];
};

/* An empty ladder, freed by timer_ladder_free; NULL with *err set when memory cannot be had. */
struct timer_ladder *timer_ladder_new(struct err *err);
void timer_ladder_free(struct timer_ladder *ladder);

/* Makes room for count timers in all. */
bool timer_ladder_reserve(struct timer_ladder *ladder, size_t count, struct err *err)
    ERR_WARN_UNUSED;

/* Sets the base of an empty ladder (checked) so that timers up to the time returned, at_ns or up to
 * 4 us later, stay outside of it. */
sim_ns timer_ladder_begin(struct timer_ladder *ladder, sim_ns at_ns);

/* There is room (checked), and the timer is later than what _begin or _take returned last. */
void timer_ladder_push(struct timer_ladder *ladder, const struct timer *timer);

/* Moves the timers of the earliest slot to timers, in no order, of a ladder that is not empty
 * (checked). All that are left, or are yet to be pushed, are later than *last_ns. Returns how many:
 * there must be room for all. */
size_t timer_ladder_take(struct timer_ladder *ladder, struct timer *timers, sim_ns *last_ns);

/* Moves all timers to timers, in no order. */
void timer_ladder_take_all(struct timer_ladder *ladder, struct timer *timers);

#endif
