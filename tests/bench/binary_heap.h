/*
 * binary_heap.h - The yardstick of the queues: a textbook binary heap of the same timers.
 *
 * Inline, so that it does not lose by calls. Owns: nothing; the array is the caller's.
 */
#ifndef DDBSIM_TESTS_BENCH_BINARY_HEAP_H
#define DDBSIM_TESTS_BENCH_BINARY_HEAP_H

#include "sim/check.h"
#include "sim/timer.h"

#include <stddef.h>
#include <stdint.h>

struct binary_heap {
    struct timer *timers;
    size_t count, capacity;
    uint64_t sequence;
};

static inline void binary_heap_push(struct binary_heap *heap, sim_ns at_ns, uint8_t kind,
                                    uint64_t subject) {
    SIM_CHECK(heap->count < heap->capacity);
    struct timer timer = {at_ns, (uint64_t)kind << 56 | heap->sequence++, subject};
    size_t hole = heap->count++;
    while (hole > 0 && timer_is_before(&timer, &heap->timers[(hole - 1) / 2])) {
        heap->timers[hole] = heap->timers[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap->timers[hole] = timer;
}

static inline struct timer binary_heap_pop(struct binary_heap *heap) {
    SIM_CHECK(heap->count > 0);
    struct timer top = heap->timers[0];
    size_t count = --heap->count;
    struct timer last = heap->timers[count];
    size_t hole = 0;
    for (size_t child = 1; child < count; child = 2 * hole + 1) {
        child +=
            child + 1 < count && timer_is_before(&heap->timers[child + 1], &heap->timers[child]);
        if (!timer_is_before(&heap->timers[child], &last)) {
            break;
        }
        heap->timers[hole] = heap->timers[child];
        hole = child;
    }
    heap->timers[hole] = last;
    return top;
}

#endif
