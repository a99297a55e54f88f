/*
 * two_lanes - The loop, whose arrivals never enter a queue, against everything in one heap.
 *
 * Four sorted streams of arrivals, 40,000 a second together, and 256 timers, each of which waits
 * 250 ms again: 1,000 a second. The same events in the same order, or it fails.
 */
#include "sim/hash.h"
#include "sim/loop.h"
#include "tests/bench/alternation.h"
#include "tests/bench/binary_heap.h"
#include "tests/bench/plain_loop.h"

#include <stdio.h>
#include <stdlib.h>

#define STREAMS 4
#define BATCH 512
#define ARRIVALS 4000000
#define TIMERS 256
#define GAP_NS (25 * INT64_C(1000))
#define WAIT_NS (250 * SIM_NS_PER_MS)
#define DIGEST_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define ARRIVAL_KIND 200
#define RATIO_MAX (1 / 1.6)

/* Arrivals of a stream in batches, as a generator makes them. */
struct source {
    sim_ns at_ns, times_ns[BATCH];
    uint64_t stream, drawn;
};

static sim_ns next_ns(struct source *source) {
    source->at_ns +=
        (sim_ns)hash_below(hash_draw(1, source->stream, source->drawn++), 2 * STREAMS * GAP_NS);
    return source->at_ns;
}

static void fill(struct source *source) {
    for (uint32_t i = 0; i < BATCH; i++) {
        source->times_ns[i] = next_ns(source);
    }
}

static sim_ns wait_ns(uint64_t timer, sim_ns now_ns) {
    return WAIT_NS + (sim_ns)(hash_draw(2, timer, (uint64_t)now_ns) % SIM_NS_PER_MS);
}

static void die(bool done) {
    if (!done) {
        fputs("two_lanes: out of memory\n", stderr);
        exit(2);
    }
}

static double run_lanes(uint64_t *digest) {
    static struct source sources[STREAMS];
    struct err err = {ERR_NONE, ""};
    struct loop loop;
    die(loop_init(&loop, STREAMS, INT64_MAX, &err));
    for (uint32_t i = 0; i < STREAMS; i++) {
        sources[i] = (struct source){.stream = i};
    }
    for (uint64_t i = 0; i < TIMERS; i++) {
        die(loop_schedule(&loop, wait_ns(i, 0), 0, i, &err));
    }
    *digest = 0;
    double start_s = bench_now_s();
    for (uint64_t arrivals = 0, events = 0;; events++) {
        struct loop_step step;
        switch (loop_next(&loop, &step)) {
        case LOOP_REFILL:
            fill(&sources[step.stream]);
            loop_feed(&loop, step.stream, sources[step.stream].times_ns, BATCH);
            events--;
            break;
        case LOOP_TIMER:
            *digest = (*digest + (uint64_t)loop.now_ns) * DIGEST_FACTOR;
            die(loop_schedule(&loop, loop.now_ns + wait_ns(step.timer.subject, loop.now_ns), 0,
                              step.timer.subject, &err));
            break;
        case LOOP_ARRIVAL: {
            uint32_t end = step.end - step.index < ARRIVALS - arrivals
                               ? step.end
                               : step.index + (uint32_t)(ARRIVALS - arrivals);
            for (uint32_t i = step.index; i < end; i++) {
                *digest = (*digest + (uint64_t)sources[step.stream].times_ns[i]) * DIGEST_FACTOR;
            }
            loop_skip(&loop, &step, end);
            arrivals += end - step.index;
            events += end - step.index - 1;
            if (arrivals == ARRIVALS) {
                double ns = (bench_now_s() - start_s) * 1e9 / (double)(events + 1);
                loop_fini(&loop);
                return ns;
            }
            break;
        }
        case LOOP_END: die(false);
        }
    }
}

static double run_heap(uint64_t *digest) {
    struct source sources[STREAMS];
    static struct timer timers[TIMERS + STREAMS + 1];
    struct binary_heap heap = {.timers = timers, .capacity = TIMERS + STREAMS + 1};
    for (uint32_t i = 0; i < STREAMS; i++) {
        sources[i] = (struct source){.stream = i};
        binary_heap_push(&heap, next_ns(&sources[i]), (uint8_t)(ARRIVAL_KIND + i), i);
    }
    for (uint64_t i = 0; i < TIMERS; i++) {
        binary_heap_push(&heap, wait_ns(i, 0), 0, i);
    }
    *digest = 0;
    uint64_t events = 0;
    double start_s = bench_now_s();
    for (uint64_t arrivals = 0; arrivals < ARRIVALS; events++) {
        struct timer timer = binary_heap_pop(&heap);
        *digest = (*digest + (uint64_t)timer.at_ns) * DIGEST_FACTOR;
        uint8_t kind = timer_kind(&timer);
        if (kind >= ARRIVAL_KIND) {
            arrivals++;
            binary_heap_push(&heap, next_ns(&sources[timer.subject]), kind, timer.subject);
        } else {
            binary_heap_push(&heap, timer.at_ns + wait_ns(timer.subject, timer.at_ns), 0,
                             timer.subject);
        }
    }
    return (bench_now_s() - start_s) * 1e9 / (double)events;
}

int main(void) {
    struct alternation loops = {.name = "two lanes against one heap, 256 timers",
                                .unit = "ns an event"};
    bool equal = true;
    for (int i = 0; i < ALTERNATIONS; i++) {
        uint64_t ours, theirs;
        loops.theirs[i] = run_heap(&theirs);
        loops.ours[i] = run_lanes(&ours);
        printf("%2d: one heap %5.1f, two lanes %5.1f ns an event\n", i, loops.theirs[i],
               loops.ours[i]);
        equal = equal && ours == theirs;
    }
    if (!equal) {
        puts("the events differ");
    }
    return alternation_judge(&loops, RATIO_MAX) && equal ? 0 : 1;
}
