/*
 * loop.h - The event loop: two lanes, and whichever is earlier goes next.
 *
 *   arrivals   sorted streams, one a workload, given in batches by their owner; never in a heap
 *   timers     everything that the model or the client causes (timer_queue.h)
 *
 * The loop knows nothing of what it drives: kinds are numbers, and it calls nobody. Its owner asks
 * for the next step in a switch:
 *
 *   for (;;) switch (loop_next(&loop, &step)) {
 *   case LOOP_ARRIVAL: … step.stream, step.index     case LOOP_REFILL: … give stream its next batch
 *   case LOOP_TIMER:   … step.timer                  case LOOP_END:    … nothing before the horizon
 *   }
 *
 * Ties at one nanosecond: timers by kind, then arrivals by stream number. Time never goes back
 * (checked).
 * Owns: the timers; streams' arrays are the caller's. Cost: O(streams) an arrival, streams ≤ 64.
 */
#ifndef DDBSIM_SIM_LOOP_H
#define DDBSIM_SIM_LOOP_H

#include "sim/clock.h"
#include "sim/err.h"
#include "sim/timer_queue.h"

#include <stdbool.h>
#include <stdint.h>

#define LOOP_STREAMS_MAX 64

enum loop_event { LOOP_TIMER, LOOP_ARRIVAL, LOOP_REFILL, LOOP_END };

struct loop_step {
    struct timer timer; /* LOOP_TIMER */
    uint32_t stream;    /* LOOP_ARRIVAL, LOOP_REFILL */
    uint32_t index;     /* LOOP_ARRIVAL: position in the batch */
};

struct loop_stream {
    const sim_ns *times_ns; /* sorted, borrowed until the next batch */
    uint32_t next, count;
    bool ended; /* no batch will follow */
};

struct loop {
    sim_ns now_ns;
    sim_ns horizon_ns; /* events at or after it are not given; INT64_MAX: none */
    struct timer_queue timers;
    struct loop_stream streams[LOOP_STREAMS_MAX];
    sim_ns next_ns[LOOP_STREAMS_MAX]; /* each stream's next arrival, or a mark of loop.c */
    uint32_t stream_count;
};

/* The clock starts at 0; every stream starts out of arrivals: its LOOP_REFILL comes first. */
bool loop_init(struct loop *loop, uint32_t stream_count, sim_ns horizon_ns, struct err *err)
    ERR_WARN_UNUSED;
void loop_fini(struct loop *loop);

/* Gives a stream that asked by LOOP_REFILL (or has not begun) its next batch: count times, sorted,
 * none before loop->now_ns; count 0 ends the stream. Each time is checked when its turn comes. */
void loop_feed(struct loop *loop, uint32_t stream, const sim_ns *times_ns, uint32_t count);

/* Lets an ended stream ask again: its LOOP_REFILL comes next. For workloads that start late. */
void loop_reopen(struct loop *loop, uint32_t stream);

/* Schedules a timer at or after now (checked). False with *err set only on no memory. */
bool loop_schedule(struct loop *loop, sim_ns at_ns, uint8_t kind, uint64_t subject, struct err *err)
    ERR_WARN_UNUSED;

/* Advances the clock to the next event and says what it is. LOOP_REFILL and LOOP_END leave the
 * clock; both come again until the stream is fed, or for good. A stream that has run out is
 * reported before any later event is chosen, because its next batch may hold the earliest one. */
enum loop_event loop_next(struct loop *loop, struct loop_step *step);

#endif
