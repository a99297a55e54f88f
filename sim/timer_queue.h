/*
 * timer_queue.h - Pending timers, popped by (time, kind, sequence): a heap of the near ones, a
 * ladder of the rest.
 *
 *   near   at most near_last_ns: a 4-ary heap of 24-byte timers; always holds the earliest
 *   far    later: timer_ladder.h; its earliest slot moves into the heap when that has run empty
 *
 * As long as few timers are pending the heap holds all of them. When it has grown beyond what the
 * caches like, all but its earliest go into the ladder, so that a hundred thousand pending retries
 * do not make each push and pop a walk through memory.
 *
 * The order is total, so every implementation of this interface gives the same run; the binary heap
 * in tests/sim is the oracle. Children of a node lie together, which saves half the misses of a
 * binary heap (LaMarca & Ladner, "The Influence of Caches on the Performance of Heaps", 1996).
 *
 * Owns: its array (freed by _fini), doubled when full, with room for all timers, and the ladder.
 * Cost: push and pop O(log4 n) up to 128 timers, beyond that about the same for any number.
 */
#ifndef DDBSIM_SIM_TIMER_QUEUE_H
#define DDBSIM_SIM_TIMER_QUEUE_H

#include "sim/check.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "sim/timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer_ladder;

struct timer_queue {
    struct timer *timers; /* the heap */
    size_t near_count;    /* timers in it; 0: none anywhere */
    size_t far_count;     /* in the ladder */
    size_t spill_count;   /* so many in the heap are too many */
    size_t near_room;     /* at so many a push looks closer: spill_count, or no capacity left */
    size_t capacity;      /* of the heap and of the ladder: each has room for all timers */
    sim_ns near_last_ns;  /* INT64_MAX: the ladder is empty and not in use */
    uint64_t sequence;
    struct timer_ladder *ladder; /* NULL until first needed */
};

/* capacity timers fit before the array is first doubled; at least 1. */
bool timer_queue_init(struct timer_queue *queue, size_t capacity, struct err *err) ERR_WARN_UNUSED;
void timer_queue_fini(struct timer_queue *queue);

/* False with *err set only when memory for growth cannot be had; the queue is as it was then. */
bool timer_queue_push(struct timer_queue *queue, sim_ns at_ns, uint8_t kind, uint64_t subject,
                      struct err *err) ERR_WARN_UNUSED;

/* The earliest timer; the queue must not be empty. */
static inline const struct timer *timer_queue_peek(const struct timer_queue *queue) {
    SIM_CHECK(queue->near_count > 0);
    return &queue->timers[0];
}

/* Its time; INT64_MAX when there is none. */
static inline sim_ns timer_queue_next_ns(const struct timer_queue *queue) {
    return queue->near_count > 0 ? queue->timers[0].at_ns : INT64_MAX;
}

/* Takes the earliest timer off; the queue must not be empty. */
struct timer timer_queue_pop(struct timer_queue *queue);

#endif
