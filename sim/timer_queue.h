/*
 * timer_queue.h - Pending timers, popped by (time, kind, sequence): a 4-ary heap of 24-byte events.
 *
 * The order is total, so every implementation of this interface gives the same run; the binary heap
 * in tests/sim is the oracle. Children of a node lie together, which saves half the misses of a
 * binary heap (LaMarca & Ladner, "The Influence of Caches on the Performance of Heaps", 1996).
 *
 * Owns: its array (freed by _fini), doubled when full. Cost: push O(log4 n), pop O(4 log4 n).
 */
#ifndef DDBSIM_SIM_TIMER_QUEUE_H
#define DDBSIM_SIM_TIMER_QUEUE_H

#include "sim/check.h"
#include "sim/clock.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    sim_ns at_ns;
    uint64_t order;   /* kind in the top 8 bits, push sequence below: ties at one nanosecond */
    uint64_t subject; /* what the kind says it is: a table, a pending call, … */
};

static inline uint8_t timer_kind(const struct timer *timer) {
    return (uint8_t)(timer->order >> 56);
}

struct timer_queue {
    struct timer *timers;
    size_t count, capacity;
    uint64_t sequence;
};

/* capacity timers fit before the array is first doubled; at least 1. */
bool timer_queue_init(struct timer_queue *queue, size_t capacity, struct err *err) ERR_WARN_UNUSED;
void timer_queue_fini(struct timer_queue *queue);

/* False with *err set only when memory for growth cannot be had. */
bool timer_queue_push(struct timer_queue *queue, sim_ns at_ns, uint8_t kind, uint64_t subject,
                      struct err *err) ERR_WARN_UNUSED;

/* The earliest timer; the queue must not be empty. */
static inline const struct timer *timer_queue_peek(const struct timer_queue *queue) {
    SIM_CHECK(queue->count > 0);
    return &queue->timers[0];
}

/* Takes the earliest timer off; the queue must not be empty. */
struct timer timer_queue_pop(struct timer_queue *queue);

#endif
