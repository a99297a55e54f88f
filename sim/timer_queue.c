#include "sim/timer_queue.h"

#include "sim/timer_ladder.h"

#include <stdlib.h>

#define SEQUENCE_BITS 56
#define TIMERS_MAX ((size_t)1 << 34)
/* Up to so many timers (3 KiB) a heap is as fast as the ladder, and smaller. */
#define NEAR_MAX 128

/* A spill moves every timer, so the next one waits until the heap has grown by a share of them. */
static void set_spill_count(struct timer_queue *queue) {
    size_t count = NEAR_MAX;
    if (count < 2 * queue->near_count) {
        count = 2 * queue->near_count;
    }
    if (count < queue->far_count / 4) {
        count = queue->far_count / 4;
    }
    queue->spill_count = count;
}

static void set_near_room(struct timer_queue *queue) {
    size_t left = queue->capacity - queue->far_count;
    queue->near_room = queue->spill_count < left ? queue->spill_count : left;
}

bool timer_queue_init(struct timer_queue *queue, size_t capacity, struct err *err) {
    *queue = (struct timer_queue){
        .capacity = capacity == 0 ? 1 : capacity,
        .near_last_ns = INT64_MAX,
    };
    if (capacity > TIMERS_MAX) {
        return err_no_memory(err, "timers");
    }
    set_spill_count(queue);
    set_near_room(queue);
    queue->timers = calloc(queue->capacity, sizeof *queue->timers);
    return queue->timers != NULL || err_no_memory(err, "timers");
}

void timer_queue_fini(struct timer_queue *queue) {
    free(queue->timers);
    timer_ladder_free(queue->ladder);
    *queue = (struct timer_queue){.timers = NULL};
}

/* Heap and ladder each have room for every timer, so that moving them between never fails. */
static bool double_capacity(struct timer_queue *queue, struct err *err) {
    if (queue->capacity > TIMERS_MAX / 2) {
        return err_no_memory(err, "timers");
    }
    size_t capacity = queue->capacity * 2;
    if (queue->ladder != NULL && !timer_ladder_reserve(queue->ladder, capacity, err)) {
        return false;
    }
    struct timer *wider = realloc(queue->timers, capacity * sizeof *wider);
    if (wider == NULL) {
        return err_no_memory(err, "timers");
    }
    queue->timers = wider;
    queue->capacity = capacity;
    return true;
}

/* Its parts, not the timer: it then stays in registers until its place is found. */
static inline void sift_up(struct timer *timers, size_t hole, sim_ns at_ns, uint64_t order,
                           uint64_t subject) {
    const struct timer timer = {at_ns, order, subject};
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!timer_is_before(&timer, &timers[parent])) {
            break;
        }
        timers[hole] = timers[parent];
        hole = parent;
    }
    timers[hole] = timer;
}

/* Makes a heap of the first count timers. */
static void order_heap(struct timer_queue *queue, size_t count) {
    struct timer *timers = queue->timers;
    for (size_t i = 1; i < count; i++) {
        sift_up(timers, i, timers[i].at_ns, timers[i].order, timers[i].subject);
    }
    queue->near_count = count;
}

/* Leaves the earliest timers in the heap and moves the others to the ladder, which begins anew. */
static bool spill(struct timer_queue *queue, struct err *err) {
    if (queue->ladder == NULL) {
        queue->ladder = timer_ladder_new(err);
    }
    if (queue->ladder == NULL || !timer_ladder_reserve(queue->ladder, queue->capacity, err)) {
        return false;
    }
    struct timer *timers = queue->timers;
    size_t count = queue->near_count + queue->far_count;
    timer_ladder_take_all(queue->ladder, &timers[queue->near_count]);
    queue->near_last_ns = timer_ladder_begin(queue->ladder, timers[0].at_ns);
    size_t near_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (timers[i].at_ns <= queue->near_last_ns) {
            timers[near_count++] = timers[i];
        } else {
            timer_ladder_push(queue->ladder, &timers[i]);
        }
    }
    queue->far_count = count - near_count;
    order_heap(queue, near_count);
    set_spill_count(queue);
    return true;
}

/* The rarer pushes: the timer is far, or the heap has no room for it. Apart, so that the common one
 * need not keep anything across calls. */
static __attribute__((noinline)) bool push_far(struct timer_queue *queue, const struct timer *timer,
                                               struct err *err) {
    if (queue->near_count + queue->far_count == queue->capacity && !double_capacity(queue, err)) {
        return false;
    }
    if (queue->near_count >= queue->spill_count && !spill(queue, err)) {
        return false;
    }
    if (timer->at_ns > queue->near_last_ns) {
        timer_ladder_push(queue->ladder, timer);
        queue->far_count++;
    } else {
        sift_up(queue->timers, queue->near_count++, timer->at_ns, timer->order, timer->subject);
    }
    queue->sequence++;
    set_near_room(queue);
    return true;
}

bool timer_queue_push(struct timer_queue *queue, sim_ns at_ns, uint8_t kind, uint64_t subject,
                      struct err *err) {
    SIM_CHECK(queue->sequence >> SEQUENCE_BITS == 0);
    uint64_t order = (uint64_t)kind << SEQUENCE_BITS | queue->sequence;
    if (queue->near_count >= queue->near_room || at_ns > queue->near_last_ns) {
        return push_far(queue, &(struct timer){at_ns, order, subject}, err);
    }
    queue->sequence++;
    sift_up(queue->timers, queue->near_count++, at_ns, order, subject);
    return true;
}

/* The heap has run empty, the ladder perhaps not. */
static void refill_heap(struct timer_queue *queue) {
    if (queue->far_count > 0) {
        size_t taken = timer_ladder_take(queue->ladder, queue->timers, &queue->near_last_ns);
        queue->far_count -= taken;
        order_heap(queue, taken);
    }
    if (queue->far_count == 0) {
        queue->near_last_ns = INT64_MAX; /* the heap alone again */
    }
    set_spill_count(queue);
    set_near_room(queue);
}

/* The earliest of the children of hole among the first count timers; first is its first child. */
static inline size_t earliest_child(const struct timer *timers, size_t first, size_t count) {
    size_t earliest = first;
    size_t end = first + 4 < count ? first + 4 : count;
    for (size_t child = first + 1; child < end; child++) {
        earliest = timer_is_before(&timers[child], &timers[earliest]) ? child : earliest;
    }
    return earliest;
}

struct timer timer_queue_pop(struct timer_queue *queue) {
    SIM_CHECK(queue->near_count > 0);
    struct timer *timers = queue->timers;
    struct timer top = timers[0];
    size_t count = --queue->near_count;
    struct timer last = timers[count];
    size_t hole = 0;
    for (size_t first = 1; first < count; first = 4 * hole + 1) {
        size_t child = earliest_child(timers, first, count);
        if (!timer_is_before(&timers[child], &last)) {
            break;
        }
        timers[hole] = timers[child];
        hole = child;
    }
    timers[hole] = last;
    if (count == 0 && queue->ladder != NULL) {
        refill_heap(queue);
    }
    return top;
}
