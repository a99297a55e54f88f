/* The interface of sim/timer_queue.h over one binary heap, for programs that link it before the
 * real one: what a run would cost with the queue that one would write first. */
#include "sim/timer_queue.h"

#include "tests/bench/binary_heap.h"

#include <stdlib.h>

bool timer_queue_init(struct timer_queue *queue, size_t capacity, struct err *err) {
    *queue = (struct timer_queue){.capacity = capacity, .near_last_ns = INT64_MAX};
    queue->timers = malloc(capacity * sizeof *queue->timers);
    return queue->timers != NULL || err_no_memory(err, "timers");
}

void timer_queue_fini(struct timer_queue *queue) {
    free(queue->timers);
    *queue = (struct timer_queue){.timers = NULL};
}

static struct binary_heap heap_of(const struct timer_queue *queue) {
    return (struct binary_heap){queue->timers, queue->near_count, queue->capacity, queue->sequence};
}

bool timer_queue_push(struct timer_queue *queue, sim_ns at_ns, uint8_t kind, uint64_t subject,
                      struct err *err) {
    if (queue->near_count == queue->capacity) {
        struct timer *wider = realloc(queue->timers, 2 * queue->capacity * sizeof *wider);
        if (wider == NULL) {
            return err_no_memory(err, "timers");
        }
        queue->timers = wider;
        queue->capacity *= 2;
    }
    struct binary_heap heap = heap_of(queue);
    binary_heap_push(&heap, at_ns, kind, subject);
    queue->near_count = heap.count;
    queue->sequence = heap.sequence;
    return true;
}

struct timer timer_queue_pop(struct timer_queue *queue) {
    struct binary_heap heap = heap_of(queue);
    const struct timer earliest = binary_heap_pop(&heap);
    queue->near_count = heap.count;
    return earliest;
}
