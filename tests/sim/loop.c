#include "sim/loop.h"

#include "sim/check.h"
#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct loop loop;
static struct loop_step step;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
}

static void tear_down(void) {
    loop_fini(&loop);
}

static void begin(uint32_t stream_count, sim_ns horizon_ns) {
    ck_assert(loop_init(&loop, stream_count, horizon_ns, &err));
}

static void schedule(sim_ns at_ns, uint8_t kind, uint64_t subject) {
    ck_assert(loop_schedule(&loop, at_ns, kind, subject, &err));
}

static void expect_timer(sim_ns at_ns, uint64_t subject) {
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_TIMER);
    ck_assert_int_eq(loop.now_ns, at_ns);
    ck_assert_int_eq(step.timer.at_ns, at_ns);
    ck_assert_uint_eq(step.timer.subject, subject);
}

static void expect_arrival(sim_ns at_ns, uint32_t stream, uint32_t index) {
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_ARRIVAL);
    ck_assert_int_eq(loop.now_ns, at_ns);
    ck_assert_uint_eq(step.stream, stream);
    ck_assert_uint_eq(step.index, index);
}

static void expect_refill(uint32_t stream) {
    sim_ns before_ns = loop.now_ns;
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_REFILL);
    ck_assert_uint_eq(step.stream, stream);
    ck_assert_int_eq(loop.now_ns, before_ns);
}

START_TEST(gives_timers_before_arrivals_at_one_time) {
    static const sim_ns times_ns[] = {5, 5, 6};
    begin(2, INT64_MAX);
    expect_refill(0);
    loop_feed(&loop, 0, times_ns, 3);
    expect_refill(1);
    loop_feed(&loop, 1, times_ns, 2);
    schedule(5, 2, 20);
    schedule(6, 0, 60);
    schedule(5, 1, 10);
    schedule(5, 1, 11);
    expect_timer(5, 10);
    expect_timer(5, 11);
    expect_timer(5, 20);
    expect_arrival(5, 0, 0);
    schedule(5, 9, 90); /* a timer made now still goes before the arrivals of now */
    expect_timer(5, 90);
    expect_arrival(5, 0, 1);
    expect_arrival(5, 1, 0);
    expect_arrival(5, 1, 1);
    expect_refill(1);
    loop_feed(&loop, 1, NULL, 0);
    expect_timer(6, 60);
    expect_arrival(6, 0, 2);
    expect_refill(0);
    loop_feed(&loop, 0, NULL, 0);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
    ck_assert_int_eq(loop.now_ns, 6);
}
END_TEST

START_TEST(asks_for_arrivals_before_it_chooses_a_later_event) {
    static const sim_ns first_ns[] = {1};
    static const sim_ns second_ns[] = {2, 9};
    begin(1, INT64_MAX);
    schedule(4, 0, 40);
    expect_refill(0);
    expect_refill(0); /* asks until it is fed */
    loop_feed(&loop, 0, first_ns, 1);
    expect_arrival(1, 0, 0);
    expect_refill(0);
    loop_feed(&loop, 0, second_ns, 2);
    expect_arrival(2, 0, 0);
    expect_timer(4, 40);
    expect_arrival(9, 0, 1);
}
END_TEST

START_TEST(ends_before_the_horizon) {
    static const sim_ns times_ns[] = {9, 10};
    begin(1, 10);
    loop_feed(&loop, 0, times_ns, 2);
    schedule(9, 0, 90);
    schedule(10, 0, 100);
    expect_timer(9, 90);
    expect_arrival(9, 0, 0);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
    ck_assert_int_eq(loop.now_ns, 9);
}
END_TEST

START_TEST(lets_an_ended_stream_ask_again) {
    static const sim_ns early_ns[] = {1};
    static const sim_ns late_ns[] = {7, 8};
    begin(2, INT64_MAX);
    loop_feed(&loop, 0, early_ns, 1);
    loop_feed(&loop, 1, NULL, 0);
    schedule(5, 0, 50);
    schedule(7, 0, 70);
    expect_arrival(1, 0, 0);
    expect_refill(0);
    loop_feed(&loop, 0, NULL, 0);
    expect_timer(5, 50);
    loop_reopen(&loop, 1);
    expect_refill(1);
    loop_feed(&loop, 1, late_ns, 2);
    expect_timer(7, 70);
    expect_arrival(7, 1, 0);
    expect_arrival(8, 1, 1);
    expect_refill(1);
    loop_feed(&loop, 1, NULL, 0);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
}
END_TEST

START_TEST(ends_at_once_without_streams_and_timers) {
    begin(0, INT64_MAX);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_END);
    ck_assert_int_eq(loop.now_ns, 0);
}
END_TEST

/* The oracle: everything in one array, sorted by time, lane, kind or stream, sequence. */
struct event {
    sim_ns at_ns;
    uint32_t lane, rank; /* 0 timer: kind; 1 arrival: stream */
    uint64_t sequence;
};

static int compare_events(const void *a, const void *b) {
    const struct event *left = a;
    const struct event *right = b;
    if (left->at_ns != right->at_ns) {
        return left->at_ns < right->at_ns ? -1 : 1;
    }
    if (left->lane != right->lane) {
        return left->lane < right->lane ? -1 : 1;
    }
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return (left->sequence > right->sequence) - (left->sequence < right->sequence);
}

#define TIMERS 500
#define STREAM_TIMES 300
#define EVENTS (TIMERS + LOOP_STREAMS_MAX * STREAM_TIMES)

static struct event events[EVENTS];
static sim_ns times_ns[LOOP_STREAMS_MAX][STREAM_TIMES];
static uint32_t fed[LOOP_STREAMS_MAX];

/* Fills events and times_ns for a seed, schedules the timers, returns the number of events. */
static size_t draw_events(uint64_t seed, uint32_t stream_count) {
    size_t count = 0;
    for (uint64_t i = 0; i < TIMERS; i++) {
        uint64_t draw = hash_draw(seed, i, 1);
        sim_ns at_ns = (sim_ns)(draw % 400);
        uint8_t kind = (uint8_t)((draw >> 32) % 4);
        schedule(at_ns, kind, i);
        events[count++] = (struct event){at_ns, 0, kind, i};
    }
    for (uint32_t stream = 0; stream < stream_count; stream++) {
        sim_ns at_ns = 0;
        fed[stream] = 0;
        for (uint32_t i = 0; i < STREAM_TIMES; i++) {
            at_ns += (sim_ns)(hash_draw(seed, i, 100 + stream) % 4);
            times_ns[stream][i] = at_ns;
            events[count++] = (struct event){at_ns, 1, stream, i};
        }
    }
    qsort(events, count, sizeof events[0], compare_events);
    return count;
}

/* The next step that is no refill; refills are served in batches of drawn sizes. */
static enum loop_event next_event(uint64_t seed) {
    for (;;) {
        enum loop_event event = loop_next(&loop, &step);
        if (event != LOOP_REFILL) {
            return event;
        }
        uint32_t stream = step.stream;
        uint32_t left = STREAM_TIMES - fed[stream];
        uint32_t count = (uint32_t)(hash_draw(seed, stream, fed[stream]) % 50) + 1;
        count = count < left ? count : left;
        loop_feed(&loop, stream, &times_ns[stream][fed[stream]], count);
        fed[stream] += count;
    }
}

START_TEST(agrees_with_one_sorted_list_for_any_batches) {
    static const uint32_t stream_counts[] = {0, 1, 2, 3, 17, LOOP_STREAMS_MAX};
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint32_t stream_count = stream_counts[seed % 6];
        sim_ns horizon_ns = seed % 3 == 0 ? 200 : INT64_MAX;
        begin(stream_count, horizon_ns);
        size_t count = draw_events(seed, stream_count);
        for (size_t i = 0; i < count && events[i].at_ns < horizon_ns; i++) {
            enum loop_event event = next_event(seed);
            ck_assert_msg(event == (events[i].lane == 0 ? LOOP_TIMER : LOOP_ARRIVAL),
                          "seed %llu, event %zu", (unsigned long long)seed, i);
            ck_assert_int_eq(loop.now_ns, events[i].at_ns);
            if (event == LOOP_TIMER) {
                ck_assert_uint_eq(step.timer.subject, events[i].sequence);
            } else {
                ck_assert_uint_eq(step.stream, events[i].rank);
                ck_assert_int_eq(loop.streams[step.stream].times_ns[step.index], loop.now_ns);
            }
        }
        ck_assert_int_eq(next_event(seed), LOOP_END);
        loop_fini(&loop);
    }
}
END_TEST

/* One arrival or timer as it was handled. */
struct handled {
    sim_ns at_ns;
    uint32_t lane; /* 0 timer, 1 arrival */
    uint64_t subject;
};
#define HANDLED_MAX (3 * EVENTS)

static struct handled by_runs[HANDLED_MAX], by_steps[HANDLED_MAX];

/* A third of the arrivals cause a timer, at once or up to 29 ns later: within the run or after. */
static void handle_arrival(uint64_t seed, uint32_t stream, uint64_t number) {
    uint64_t draw = hash_draw(seed, number, 200 + stream);
    if (draw % 3 == 0) {
        schedule(loop.now_ns + (sim_ns)((draw >> 8) % 30), (uint8_t)((draw >> 16) % 4), number);
    }
}

/* Handles every event; of a run up to `most` arrivals before it asks again. Returns how many. */
static size_t handle_all(uint64_t seed, uint32_t stream_count, uint32_t most,
                         struct handled *handled) {
    sim_ns horizon_ns = seed % 3 == 0 ? 300 : INT64_MAX;
    begin(stream_count, horizon_ns);
    draw_events(seed, stream_count);
    size_t count = 0;
    for (;;) {
        enum loop_event event = next_event(seed);
        if (event == LOOP_END) {
            loop_fini(&loop);
            return count;
        }
        ck_assert_uint_lt(count + STREAM_TIMES, HANDLED_MAX);
        if (event == LOOP_TIMER) {
            handled[count++] = (struct handled){loop.now_ns, 0, step.timer.subject};
            continue;
        }
        uint32_t first = fed[step.stream] - loop.streams[step.stream].count;
        for (uint32_t i = step.index; i < step.end && i - step.index < most; i++) {
            loop_skip(&loop, &step, i + 1);
            handled[count++] =
                (struct handled){loop.now_ns, 1, (uint64_t)step.stream << 32 | (first + i)};
            handle_arrival(seed, step.stream, first + i);
            loop_shorten(&loop, &step);
        }
    }
}

START_TEST(runs_are_what_single_steps_give_while_arrivals_cause_timers) {
    static const uint32_t stream_counts[] = {1, 2, 3, 17};
    size_t longer = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint32_t stream_count = stream_counts[seed % 4];
        size_t steps = handle_all(seed, stream_count, 1, by_steps);
        for (uint32_t most = 2; most < 400; most = most * 3) {
            size_t runs = handle_all(seed, stream_count, most, by_runs);
            ck_assert_msg(runs == steps, "seed %llu, runs of %u: %zu events, not %zu",
                          (unsigned long long)seed, most, runs, steps);
            for (size_t i = 0; i < steps; i++) {
                bool same = by_runs[i].at_ns == by_steps[i].at_ns &&
                            by_runs[i].lane == by_steps[i].lane &&
                            by_runs[i].subject == by_steps[i].subject;
                if (!same) {
                    ck_abort_msg("seed %llu, runs of %u, event %zu", (unsigned long long)seed, most,
                                 i);
                }
            }
        }
        longer += steps > 2 * TIMERS;
    }
    ck_assert_uint_gt(longer, 0);
}
END_TEST

START_TEST(a_run_ends_before_whatever_comes_first) {
    static const sim_ns mine_ns[] = {1, 2, 3, 3, 4, 5, 6, 7, 8, 9};
    static const struct {
        sim_ns other_ns, timer_ns, horizon_ns; /* INT64_MAX: none */
        uint32_t stream, end;                  /* mine: 0 before the other at a tie, 1 behind */
    } rows[] = {
        {INT64_MAX, INT64_MAX, INT64_MAX, 0, 10},
        {3, INT64_MAX, INT64_MAX, 0, 4},
        {3, INT64_MAX, INT64_MAX, 1, 2},
        {INT64_MAX, 3, INT64_MAX, 0, 2},
        {INT64_MAX, INT64_MAX, 3, 0, 2},
        {2, 3, 4, 0, 2},
        {2, 3, 4, 1, 1},
        {9, 9, 9, 1, 9},
        {8, 9, 7, 0, 7},
        {99, 99, 99, 0, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(2, rows[i].horizon_ns);
        loop_feed(&loop, rows[i].stream, mine_ns, 10);
        loop_feed(&loop, 1 - rows[i].stream, &rows[i].other_ns, rows[i].other_ns < INT64_MAX);
        if (rows[i].timer_ns < INT64_MAX) {
            schedule(rows[i].timer_ns, 0, 0);
        }
        expect_arrival(1, rows[i].stream, 0);
        ck_assert_msg(step.end == rows[i].end, "row %zu: %u", i, step.end);
        loop_skip(&loop, &step, step.end);
        ck_assert_int_eq(loop.now_ns, mine_ns[step.end - 1]);
        loop_fini(&loop);
    }
    begin(0, 0);
}
END_TEST

START_TEST(aborts_on_skipping_beyond_a_run) {
    static const sim_ns some_ns[] = {1, 2, 3};
    begin(1, 3);
    loop_feed(&loop, 0, some_ns, 3);
    expect_arrival(1, 0, 0);
    loop_skip(&loop, &step, 3);
}
END_TEST

START_TEST(aborts_on_skipping_back) {
    static const sim_ns some_ns[] = {1, 2, 3};
    begin(1, 9);
    loop_feed(&loop, 0, some_ns, 3);
    expect_arrival(1, 0, 0);
    loop_skip(&loop, &step, 3);
    loop_skip(&loop, &step, 2);
}
END_TEST

START_TEST(aborts_on_too_many_streams) {
    begin(LOOP_STREAMS_MAX + 1, INT64_MAX);
}
END_TEST

START_TEST(aborts_on_a_horizon_before_the_start) {
    begin(1, -1);
}
END_TEST

START_TEST(aborts_on_scheduling_in_the_past) {
    begin(0, INT64_MAX);
    schedule(10, 0, 0);
    expect_timer(10, 0);
    schedule(9, 0, 1);
}
END_TEST

START_TEST(aborts_on_scheduling_at_the_end_of_time) {
    begin(0, INT64_MAX);
    schedule(INT64_MAX, 0, 0);
}
END_TEST

START_TEST(aborts_on_an_unsorted_batch) {
    static const sim_ns unsorted_ns[] = {3, 5, 4};
    begin(1, INT64_MAX);
    loop_feed(&loop, 0, unsorted_ns, 3);
}
END_TEST

START_TEST(aborts_on_a_batch_from_the_past) {
    static const sim_ns late_ns[] = {9};
    begin(1, INT64_MAX);
    loop_feed(&loop, 0, late_ns, 1);
    loop_next(&loop, &step);
    static const sim_ns past_ns[] = {8};
    loop_feed(&loop, 0, past_ns, 1);
}
END_TEST

START_TEST(aborts_on_a_batch_at_the_end_of_time) {
    static const sim_ns never_ns[] = {0, INT64_MAX};
    begin(1, INT64_MAX);
    loop_feed(&loop, 0, never_ns, 2);
}
END_TEST

START_TEST(aborts_on_feeding_what_did_not_ask) {
    static const sim_ns some_ns[] = {1, 2};
    begin(1, INT64_MAX);
    loop_feed(&loop, 0, some_ns, 2);
    loop_feed(&loop, 0, some_ns, 2);
}
END_TEST

START_TEST(aborts_on_feeding_an_ended_stream) {
    static const sim_ns some_ns[] = {1, 2};
    begin(1, INT64_MAX);
    loop_feed(&loop, 0, NULL, 0);
    loop_feed(&loop, 0, some_ns, 2);
}
END_TEST

START_TEST(aborts_on_reopening_what_has_not_ended) {
    begin(1, INT64_MAX);
    loop_reopen(&loop, 0);
}
END_TEST

START_TEST(aborts_on_reopening_a_stream_that_is_not_there) {
    begin(1, INT64_MAX);
    loop_reopen(&loop, 1);
}
END_TEST

START_TEST(aborts_on_feeding_a_stream_that_is_not_there) {
    static const sim_ns some_ns[] = {1, 2};
    begin(1, INT64_MAX);
    loop_feed(&loop, 1, some_ns, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/loop");
    TCase *tcase = tcase_create("loop");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, gives_timers_before_arrivals_at_one_time);
    tcase_add_test(tcase, asks_for_arrivals_before_it_chooses_a_later_event);
    tcase_add_test(tcase, ends_before_the_horizon);
    tcase_add_test(tcase, lets_an_ended_stream_ask_again);
    tcase_add_test(tcase, ends_at_once_without_streams_and_timers);
    tcase_add_test(tcase, agrees_with_one_sorted_list_for_any_batches);
    tcase_add_test(tcase, runs_are_what_single_steps_give_while_arrivals_cause_timers);
    tcase_add_test(tcase, a_run_ends_before_whatever_comes_first);
    tcase_add_test_raise_signal(tcase, aborts_on_skipping_beyond_a_run, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_skipping_back, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_too_many_streams, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_horizon_before_the_start, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_scheduling_in_the_past, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_scheduling_at_the_end_of_time, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unsorted_batch, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_batch_from_the_past, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_batch_at_the_end_of_time, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_feeding_what_did_not_ask, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_feeding_an_ended_stream, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_reopening_what_has_not_ended, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_reopening_a_stream_that_is_not_there, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_feeding_a_stream_that_is_not_there, SIGABRT);
    return suite_run(suite);
}
