#include "sim/loop.h"

#include "sim/check.h"

#define TIMERS_INITIAL 1024

bool loop_init(struct loop *loop, uint32_t stream_count, sim_ns horizon_ns, struct err *err) {
    SIM_CHECK(stream_count <= LOOP_STREAMS_MAX);
    SIM_CHECK(horizon_ns >= 0);
    *loop = (struct loop){
        .horizon_ns = horizon_ns,
        .stream_count = stream_count,
    };
    for (uint32_t stream = 0; stream < stream_count; stream++) {
        loop->next_ns[stream] = LOOP_STREAM_EMPTY;
    }
    return timer_queue_init(&loop->timers, TIMERS_INITIAL, err);
}

void loop_fini(struct loop *loop) {
    timer_queue_fini(&loop->timers);
}

static bool is_sorted(const sim_ns *times_ns, uint32_t count) {
    uint64_t falls = 0; /* its top bit: times are below 2^63, so a difference that fell has it */
    for (uint32_t i = 1; i < count; i++) {
        falls |= (uint64_t)times_ns[i] - (uint64_t)times_ns[i - 1];
    }
    return falls >> 63 == 0;
}

void loop_feed(struct loop *loop, uint32_t stream, const sim_ns *times_ns, uint32_t count) {
    SIM_CHECK(stream < loop->stream_count);
    SIM_CHECKF(loop->next_ns[stream] == LOOP_STREAM_EMPTY, "stream %u asked for nothing", stream);
    struct loop_stream *fed = &loop->streams[stream];
    *fed = (struct loop_stream){.times_ns = times_ns, .count = count};
    if (count == 0) {
        loop->next_ns[stream] = LOOP_STREAM_ENDED;
        return;
    }
    SIM_CHECKF(times_ns[0] >= loop->now_ns && times_ns[count - 1] < LOOP_STREAM_ENDED,
               "stream %u goes on from %lld to %lld ns", stream, (long long)times_ns[0],
               (long long)times_ns[count - 1]);
    SIM_CHECKF(is_sorted(times_ns, count), "stream %u", stream);
    loop->next_ns[stream] = times_ns[0];
}

void loop_reopen(struct loop *loop, uint32_t stream) {
    SIM_CHECK(stream < loop->stream_count);
    SIM_CHECKF(loop->next_ns[stream] == LOOP_STREAM_ENDED, "stream %u has not ended", stream);
    loop->next_ns[stream] = LOOP_STREAM_EMPTY;
}

bool loop_schedule(struct loop *loop, sim_ns at_ns, uint8_t kind, uint64_t subject,
                   struct err *err) {
    SIM_CHECKF(at_ns >= loop->now_ns && at_ns < INT64_MAX, "kind %u at %lld ns", kind,
               (long long)at_ns);
    return timer_queue_push(&loop->timers, at_ns, kind, subject, err);
}

/* Before which time a stream may go on while the others stand still; ties: the lower number. */
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

/* The first position from `from` on whose time is not before limit_ns, else end. */
static uint32_t first_at(const sim_ns *times_ns, uint32_t from, uint32_t end, sim_ns limit_ns) {
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        if (times_ns[middle] < limit_ns) {
            from = middle + 1;
        } else {
            end = middle;
        }
    }
    return from;
}

/* The same by strides that double: most runs of interleaved streams are short. */
static uint32_t first_at_near(const sim_ns *times_ns, uint32_t from, uint32_t end,
                              sim_ns limit_ns) {
    uint32_t stride = 1;
    while (stride <= end - from && times_ns[from + stride - 1] < limit_ns) {
        from += stride;
        stride *= 2;
    }
    return first_at(times_ns, from, stride <= end - from ? from + stride - 1 : end, limit_ns);
}

static void advance(struct loop *loop, uint32_t number, uint32_t next) {
    struct loop_stream *stream = &loop->streams[number];
    loop->now_ns = stream->times_ns[next - 1];
    loop->next_ns[number] = next == stream->count ? LOOP_STREAM_EMPTY : stream->times_ns[next];
    stream->next = next;
}

enum loop_event loop_next(struct loop *loop, struct loop_step *step) {
    sim_ns arrival_ns = LOOP_STREAM_ENDED;
    uint32_t number = 0;
    for (uint32_t i = 0; i < loop->stream_count; i++) {
        if (loop->next_ns[i] < arrival_ns) {
            arrival_ns = loop->next_ns[i];
            number = i;
        }
    }
    if (arrival_ns == LOOP_STREAM_EMPTY) {
        step->stream = number;
        return LOOP_REFILL;
    }
    sim_ns timer_ns = timer_queue_next_ns(&loop->timers);
    sim_ns event_ns = timer_ns <= arrival_ns ? timer_ns : arrival_ns;
    if (event_ns >= loop->horizon_ns || event_ns == INT64_MAX) {
        return LOOP_END;
    }
    SIM_CHECK(event_ns >= loop->now_ns);
    if (timer_ns <= arrival_ns) {
        loop->now_ns = event_ns;
        step->timer = timer_queue_pop(&loop->timers);
        return LOOP_TIMER;
    }
    sim_ns limit_ns = others_limit_ns(loop, number);
    limit_ns = timer_ns < limit_ns ? timer_ns : limit_ns;
    limit_ns = loop->horizon_ns < limit_ns ? loop->horizon_ns : limit_ns;
    const struct loop_stream *stream = &loop->streams[number];
    step->stream = number;
    step->index = stream->next;
    step->end = first_at_near(stream->times_ns, stream->next + 1, stream->count, limit_ns);
    advance(loop, number, stream->next + 1);
    return LOOP_ARRIVAL;
}

void loop_skip(struct loop *loop, const struct loop_step *step, uint32_t next) {
    SIM_CHECK(next >= loop->streams[step->stream].next && next <= step->end);
    advance(loop, step->stream, next);
}

void loop_shorten(const struct loop *loop, struct loop_step *step) {
    const struct loop_stream *stream = &loop->streams[step->stream];
    sim_ns timer_ns = timer_queue_next_ns(&loop->timers);
    if (stream->times_ns[step->end - 1] >= timer_ns) {
        step->end = first_at(stream->times_ns, stream->next, step->end, timer_ns);
    }
}
