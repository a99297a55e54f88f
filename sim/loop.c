#include "sim/loop.h"

#include "sim/check.h"

#define TIMERS_INITIAL 1024

bool loop_init(struct loop *loop, uint32_t stream_count, sim_ns horizon_ns, struct err *err) {
    SIM_CHECK(stream_count <= LOOP_STREAMS_MAX);
    SIM_CHECK(horizon_ns >= 0);
    *loop = (struct loop){
        .horizon_ns = horizon_ns,
        .stream_count = stream_count,
        .others_ns = INT64_MIN,
    };
    for (uint32_t stream = 0; stream < stream_count; stream++) {
        loop->next_ns[stream] = LOOP_STREAM_EMPTY;
    }
    return timer_queue_init(&loop->timers, TIMERS_INITIAL, err);
}

void loop_fini(struct loop *loop) {
    timer_queue_fini(&loop->timers);
}

void loop_feed(struct loop *loop, uint32_t stream, const sim_ns *times_ns, uint32_t count) {
    SIM_CHECK(stream < loop->stream_count);
    SIM_CHECKF(loop->next_ns[stream] == LOOP_STREAM_EMPTY, "stream %u asked for nothing", stream);
    loop->others_ns = INT64_MIN;
    struct loop_stream *fed = &loop->streams[stream];
    *fed = (struct loop_stream){.times_ns = times_ns, .count = count, .ended = count == 0};
    if (count == 0) {
        loop->next_ns[stream] = LOOP_STREAM_ENDED;
        return;
    }
    SIM_CHECKF(times_ns[0] >= loop->now_ns && times_ns[0] < LOOP_STREAM_ENDED,
               "stream %u goes on at %lld ns", stream, (long long)times_ns[0]);
    loop->next_ns[stream] = times_ns[0];
}

void loop_reopen(struct loop *loop, uint32_t stream) {
    SIM_CHECK(stream < loop->stream_count);
    SIM_CHECKF(loop->next_ns[stream] == LOOP_STREAM_ENDED, "stream %u has not ended", stream);
    loop->others_ns = INT64_MIN;
    loop->streams[stream].ended = false;
    loop->next_ns[stream] = LOOP_STREAM_EMPTY;
}

bool loop_schedule(struct loop *loop, sim_ns at_ns, uint8_t kind, uint64_t subject,
                   struct err *err) {
    SIM_CHECKF(at_ns >= loop->now_ns && at_ns < INT64_MAX, "kind %u at %lld ns", kind,
               (long long)at_ns);
    return timer_queue_push(&loop->timers, at_ns, kind, subject, err);
}

_Noreturn void loop_unsorted(uint32_t stream, sim_ns at_ns) {
    check_failed(__FILE__, __LINE__, "arrivals are sorted", "stream %u goes on at %lld ns", stream,
                 (long long)at_ns);
}

/* Before which time the stream just chosen may go on unasked: ties go to the lower number. */
static sim_ns others_limit_ns(const struct loop *loop, uint32_t stream) {
    sim_ns limit_ns = INT64_MAX;
    for (uint32_t i = 0; i < loop->stream_count; i++) {
        sim_ns next_ns = loop->next_ns[i];
        if (i == stream || next_ns == LOOP_STREAM_ENDED) {
            continue;
        }
        next_ns += i > stream && next_ns != LOOP_STREAM_EMPTY;
        limit_ns = next_ns < limit_ns ? next_ns : limit_ns;
    }
    return limit_ns;
}

enum loop_event loop_next_of_all(struct loop *loop, struct loop_step *step) {
    sim_ns arrival_ns = LOOP_STREAM_ENDED;
    uint32_t stream = 0;
    for (uint32_t i = 0; i < loop->stream_count; i++) {
        if (loop->next_ns[i] < arrival_ns) {
            arrival_ns = loop->next_ns[i];
            stream = i;
        }
    }
    if (__builtin_expect(arrival_ns == LOOP_STREAM_EMPTY, 0)) {
        step->stream = stream;
        return LOOP_REFILL;
    }
    sim_ns timer_ns = loop->timers.count > 0 ? loop->timers.timers[0].at_ns : INT64_MAX;
    sim_ns event_ns = timer_ns <= arrival_ns ? timer_ns : arrival_ns;
    if (__builtin_expect(event_ns >= loop->horizon_ns || event_ns == INT64_MAX, 0)) {
        return LOOP_END;
    }
    SIM_CHECK(event_ns >= loop->now_ns);
    loop->now_ns = event_ns;
    if (timer_ns <= arrival_ns) {
        step->timer = timer_queue_pop(&loop->timers);
        return LOOP_TIMER;
    }
    step->stream = stream;
    step->index = loop->streams[stream].next;
    loop->current = stream;
    loop->others_ns = others_limit_ns(loop, stream);
    loop_advance(loop, stream);
    return LOOP_ARRIVAL;
}
