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
 * Arrivals come in runs: those from step.index to step.end - 1 lie before every other event. The
 * owner may handle more than the first without asking (loop_skip); whenever it has scheduled a
 * timer on the way, the run may have become shorter (loop_shorten).
 *
 * Ties at one nanosecond: timers by kind, then arrivals by stream number. Time never goes back
 * (checked).
 * Owns: the timers; streams' arrays are the caller's. Cost: O(streams + log run) a step, streams ≤
 * 64.
 */
#ifndef DDBSIM_SIM_LOOP_H
#define DDBSIM_SIM_LOOP_H

#include "sim/clock.h"
#include "sim/err.h"
#include "sim/timer_queue.h"

#include <stdbool.h>
#include <stdint.h>

#define LOOP_STREAMS_MAX 64

/* Marks in next_ns. A stream out of arrivals sorts before every event, so that the search for the
 * earliest one finds it first; an ended one sorts behind all. */
#define LOOP_STREAM_EMPTY INT64_MIN
#define LOOP_STREAM_ENDED INT64_MAX

enum loop_event { LOOP_TIMER, LOOP_ARRIVAL, LOOP_REFILL, LOOP_END };

struct loop_step {
    struct timer timer; /* LOOP_TIMER */
    uint32_t stream;    /* LOOP_ARRIVAL, LOOP_REFILL */
    uint32_t index;     /* LOOP_ARRIVAL: position in the batch */
    uint32_t end;       /* of its run */
};

struct loop_stream {
    const sim_ns *times_ns; /* sorted, borrowed until the next batch */
    uint32_t next, count;
};

struct loop {
    sim_ns now_ns;
    sim_ns horizon_ns; /* events at or after it are not given; INT64_MAX: none */
    struct timer_queue timers;
    struct loop_stream streams[LOOP_STREAMS_MAX];
    sim_ns next_ns[LOOP_STREAMS_MAX]; /* each stream's next arrival, or a mark */
    uint32_t stream_count;
};

/* The clock starts at 0; every stream starts out of arrivals: its LOOP_REFILL comes first. */
bool loop_init(struct loop *loop, uint32_t stream_count, sim_ns horizon_ns, struct err *err)
    ERR_WARN_UNUSED;
void loop_fini(struct loop *loop);

/* Gives a stream that asked by LOOP_REFILL (or has not begun) its next batch: count times, sorted,
 * none before loop->now_ns (checked); count 0 ends the stream. */
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

/* After LOOP_ARRIVAL: the arrivals before position next of the run are handled too, and the clock
 * stands at the last of them. next is in index + 1 … end and never goes back (checked). */
void loop_skip(struct loop *loop, const struct loop_step *step, uint32_t next);

/* Ends the run of step before the earliest timer, after loop_skip to the arrival that scheduled
 * it. */
void loop_shorten(const struct loop *loop, struct loop_step *step);

#endif
