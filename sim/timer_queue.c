#include "sim/timer_queue.h"

#include <stdlib.h>

#define SEQUENCE_BITS 56
#define TIMERS_MAX ((size_t)1 << 34)

/* Is *a before *b? One signed 128-bit comparison of (time, order), to spare the branch. */
static inline bool is_before(const struct timer *a, const struct timer *b) {
    __extension__ const __int128 high = (__int128)1 << 64; /* a factor: times may be negative */
    return a->at_ns * high + a->order < b->at_ns * high + b->order;
}

bool timer_queue_init(struct timer_queue *queue, size_t capacity, struct err *err) {
    *queue = (struct timer_queue){.capacity = capacity == 0 ? 1 : capacity};
    if (capacity > TIMERS_MAX) {
        return err_no_memory(err, "timers");
    }
    queue->timers = calloc(queue->capacity, sizeof *queue->timers);
    return queue->timers != NULL || err_no_memory(err, "timers");
}

void timer_queue_fini(struct timer_queue *queue) {
    free(queue->timers);
    *queue = (struct timer_queue){.timers = NULL};
}

static bool double_capacity(struct timer_queue *queue, struct err *err) {
    if (queue->capacity > TIMERS_MAX / 2) {
        return err_no_memory(err, "timers");
    }
    struct timer *wider = realloc(queue->timers, queue->capacity * 2 * sizeof *wider);
    if (wider == NULL) {
        return err_no_memory(err, "timers");
    }
    queue->timers = wider;
    queue->capacity *= 2;
    return true;
}

bool timer_queue_push(struct timer_queue *queue, sim_ns at_ns, uint8_t kind, uint64_t subject,
                      struct err *err) {
    if (queue->count == queue->capacity && !double_capacity(queue, err)) {
        return false;
    }
    SIM_CHECK(queue->sequence >> SEQUENCE_BITS == 0);
    struct timer timer = {
        .at_ns = at_ns,
        .order = ((uint64_t)kind << SEQUENCE_BITS) | queue->sequence++,
        .subject = subject,
    };
    struct timer *timers = queue->timers;
    size_t hole = queue->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!is_before(&timer, &timers[parent])) {
            break;
        }
        timers[hole] = timers[parent];
        hole = parent;
    }
    timers[hole] = timer;
    return true;
}

/* The earliest of the children of hole among the first count timers; first is its first child. */
static inline size_t earliest_child(const struct timer *timers, size_t first, size_t count) {
    size_t earliest = first;
    size_t end = first + 4 < count ? first + 4 : count;
    for (size_t child = first + 1; child < end; child++) {
        earliest = is_before(&timers[child], &timers[earliest]) ? child : earliest;
    }
    return earliest;
}

struct timer timer_queue_pop(struct timer_queue *queue) {
    SIM_CHECK(queue->count > 0);
    struct timer *timers = queue->timers;
    struct timer top = timers[0];
    size_t count = --queue->count;
    struct timer last = timers[count];
    size_t hole = 0;
    for (size_t first = 1; first < count; first = 4 * hole + 1) {
        size_t child = earliest_child(timers, first, count);
        if (!is_before(&timers[child], &last)) {
            break;
        }
        timers[hole] = timers[child];
        hole = child;
    }
    timers[hole] = last;
    return top;
}
