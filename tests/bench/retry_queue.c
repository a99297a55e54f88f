/*
 * retry_queue - The queue of pending retries against a textbook binary heap, on the same recorded
 * pushes and pops of 5e6 requests, 100,000 pending at the end. Same order of pops, or it fails.
 */
#include "sim/hash.h"
#include "sim/timer_queue.h"
#include "tests/bench/alternation.h"
#include "tests/bench/binary_heap.h"
#include "tests/bench/plain_loop.h"
#include "tests/bench/retry_load.h"

#include <stdio.h>
#include <stdlib.h>

#define REQUESTS 5000000
#define DIGEST_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define RATIO_MAX (1 / 1.6)

/* The subjects in the order of their pops, as one number. */
static double replay_heap(const struct retry_load *load, uint64_t *digest) {
    struct binary_heap heap = {.capacity = load->pending_max};
    heap.timers = malloc(heap.capacity * sizeof(struct timer));
    SIM_CHECK(heap.timers != NULL);
    *digest = 0;
    double start_s = bench_now_s();
    for (size_t i = 0; i < load->count; i++) {
        if (load->steps[i] == RETRY_LOAD_POP) {
            *digest = (*digest + binary_heap_pop(&heap).subject) * DIGEST_FACTOR;
        } else {
            binary_heap_push(&heap, load->steps[i], 0, i);
        }
    }
    double ns = (bench_now_s() - start_s) * 1e9 / (double)load->pops;
    free(heap.timers);
    return ns;
}

static double replay_queue(const struct retry_load *load, uint64_t *digest) {
    struct err err = {ERR_NONE, ""};
    struct timer_queue queue;
    bool done = timer_queue_init(&queue, 1024, &err);
    *digest = 0;
    double start_s = bench_now_s();
    for (size_t i = 0; i < load->count && done; i++) {
        if (load->steps[i] == RETRY_LOAD_POP) {
            *digest = (*digest + timer_queue_pop(&queue).subject) * DIGEST_FACTOR;
        } else {
            done = timer_queue_push(&queue, load->steps[i], 0, i, &err);
        }
    }
    double ns = (bench_now_s() - start_s) * 1e9 / (double)load->pops;
    SIM_CHECK(done);
    timer_queue_fini(&queue);
    return ns;
}

int main(void) {
    struct retry_load load = retry_load_record(REQUESTS, 1);
    printf("%.1f %% refused at first, %.2f events a request, at most %zu pending\n",
           100.0 * (double)load.first_refusals / (double)load.requests,
           1.0 + (double)load.pops / (double)load.requests, load.pending_max);
    struct alternation queues = {.name = "queue of retries against a binary heap",
                                 .unit = "ns a timer"};
    bool equal = true;
    for (int i = 0; i < ALTERNATIONS; i++) {
        uint64_t ours, theirs;
        queues.theirs[i] = replay_heap(&load, &theirs);
        queues.ours[i] = replay_queue(&load, &ours);
        printf("%2d: heap %5.1f, queue %5.1f ns a timer\n", i, queues.theirs[i], queues.ours[i]);
        equal = equal && ours == theirs;
    }
    retry_load_fini(&load);
    if (!equal) {
        printf("the orders of pops differ\n");
    }
    return alternation_judge(&queues, RATIO_MAX) && equal ? 0 : 1;
}
