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

/* Marks in next_ns. A stream out of arrivals sorts before every event, so that the search for the
 * earliest one finds it first; an ended one sorts behind all. */
#define LOOP_STREAM_EMPTY INT64_MIN
#define LOOP_STREAM_ENDED INT64_MAX

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
    sim_ns next_ns[LOOP_STREAMS_MAX]; /* each stream's next arrival, or a mark */
    uint32_t current;                 /* stream of the last arrival */
    sim_ns others_ns; /* it is the earliest stream below this time; INT64_MIN: ask all */
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

/* loop_next without the short way for runs of arrivals of one stream. */
enum loop_event loop_next_of_all(struct loop *loop, struct loop_step *step);

/* Aborts: a batch that is not sorted, or too far ahead. */
_Noreturn void loop_unsorted(uint32_t stream, sim_ns at_ns) __attribute__((cold));

/* Moves a stream past the arrival just given. */
static inline void loop_advance(struct loop *loop, uint32_t number) {
    struct loop_stream *stream = &loop->streams[number];
    if (++stream->next == stream->count) {
        loop->next_ns[number] = LOOP_STREAM_EMPTY;
        return;
    }
    sim_ns next_ns = stream->times_ns[stream->next];
    if (__builtin_expect(next_ns < loop->now_ns || next_ns == LOOP_STREAM_ENDED, 0)) {
        loop_unsorted(number, next_ns);
    }
    loop->next_ns[number] = next_ns;
}

/* Advances the clock to the next event and says what it is. LOOP_REFILL and LOOP_END leave the
 * clock; both come again until the stream is fed, or for good. A stream that has run out is
 * reported before any later event is chosen, because its next batch may hold the earliest one.
 *
 * The short way: the stream of the last arrival goes on while it stays before every other one. */
static inline enum loop_event loop_next(struct loop *loop, struct loop_step *step) {
    uint32_t number = loop->current;
    sim_ns at_ns = loop->next_ns[number];
    sim_ns timer_ns = loop->timers.count > 0 ? loop->timers.timers[0].at_ns : INT64_MAX;
    if (__builtin_expect(at_ns >= loop->others_ns || at_ns >= timer_ns ||
                             at_ns >= loop->horizon_ns || at_ns == LOOP_STREAM_EMPTY,
                         0)) {
        return loop_next_of_all(loop, step);
    }
    loop->now_ns = at_ns;
    step->stream = number;
    step->index = loop->streams[number].next;
    loop_advance(loop, number);
    return LOOP_ARRIVAL;
}

#endif
