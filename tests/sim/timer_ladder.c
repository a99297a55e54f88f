#include "sim/timer_ladder.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

#define TIMERS 5000

static struct timer_ladder *ladder;
static struct err err;
static struct timer taken[TIMERS];

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ladder = timer_ladder_new(&err);
    ck_assert_ptr_nonnull(ladder);
    ck_assert(timer_ladder_reserve(ladder, TIMERS, &err));
}

static void tear_down(void) {
    timer_ladder_free(ladder);
}

static void push(sim_ns at_ns, uint64_t subject) {
    timer_ladder_push(ladder, &(struct timer){at_ns, subject, subject});
}

static int compare_times(const void *a, const void *b) {
    sim_ns left = ((const struct timer *)a)->at_ns;
    sim_ns right = ((const struct timer *)b)->at_ns;
    return (left > right) - (left < right);
}

/* Every take lies behind the one before and up to the time it says; what is pushed in between is
 * later than that. Each timer comes once. */
START_TEST(takes_the_earliest_and_all_up_to_a_time) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        static uint8_t seen[TIMERS];
        sim_ns last_ns = timer_ladder_begin(ladder, (sim_ns)(hash_mix(seed) >> 2));
        uint64_t pushed = 0, came = 0;
        for (size_t i = 0; i < TIMERS; i++) {
            seen[i] = 0;
        }
        while (came < TIMERS) {
            for (uint64_t i = hash_draw(seed, came, 1) % 300; i > 0 && pushed < TIMERS; i--) {
                uint64_t draw = hash_draw(seed, pushed, 2);
                sim_ns wait_ns = (sim_ns)(draw % (UINT64_C(1) << (draw >> 56) % 61));
                push(last_ns + 1 + wait_ns, pushed++);
            }
            if (ladder->count == 0) {
                continue;
            }
            sim_ns before_ns = last_ns;
            size_t count = timer_ladder_take(ladder, taken, &last_ns);
            ck_assert_uint_gt(count, 0);
            qsort(taken, count, sizeof taken[0], compare_times);
            ck_assert_int_gt(taken[0].at_ns, before_ns);
            ck_assert_int_le(taken[count - 1].at_ns, last_ns);
            for (size_t i = 0; i < count; i++) {
                ck_assert_msg(seen[taken[i].subject]++ == 0, "seed %llu: %llu twice",
                              (unsigned long long)seed, (unsigned long long)taken[i].subject);
            }
            came += count;
        }
        ck_assert_uint_eq(ladder->count, 0);
    }
}
END_TEST

START_TEST(begins_at_any_time) {
    static const sim_ns starts_ns[] = {INT64_MIN, -1, 0, 4095, 4096, INT64_MAX - 5000};
    for (size_t i = 0; i < sizeof starts_ns / sizeof starts_ns[0]; i++) {
        sim_ns last_ns = timer_ladder_begin(ladder, starts_ns[i]);
        ck_assert_int_ge(last_ns, starts_ns[i]);
        ck_assert_int_lt(last_ns - starts_ns[i], 4096);
        push(INT64_MAX, 2);
        push(last_ns + 1, 1);
        ck_assert_uint_eq(timer_ladder_take(ladder, taken, &last_ns), 1 + (i == 5));
        size_t rest = ladder->count;
        timer_ladder_take_all(ladder, taken);
        ck_assert_uint_eq(rest, i == 5 ? 0 : 1);
    }
}
END_TEST

START_TEST(moves_are_made_in_the_room_that_was_reserved) {
    timer_ladder_begin(ladder, 0);
    size_t bytes = ladder->arena.used_bytes;
    for (uint64_t i = 0; i < TIMERS; i++) {
        push(INT64_C(5000) + (sim_ns)(hash_draw(1, i, 0) >> 2), i);
    }
    sim_ns last_ns;
    for (size_t count = 0; count < TIMERS;) {
        count += timer_ladder_take(ladder, taken, &last_ns);
    }
    ck_assert_uint_eq(ladder->arena.used_bytes, bytes);
}
END_TEST

START_TEST(aborts_on_a_timer_that_is_not_later) {
    sim_ns last_ns = timer_ladder_begin(ladder, 10000);
    push(last_ns, 0);
}
END_TEST

START_TEST(aborts_on_a_timer_before_what_was_taken) {
    sim_ns last_ns = timer_ladder_begin(ladder, 0);
    push(SIM_NS_PER_S, 0);
    timer_ladder_take(ladder, taken, &last_ns);
    push(SIM_NS_PER_S, 1);
}
END_TEST

START_TEST(aborts_on_beginning_while_timers_are_left) {
    timer_ladder_begin(ladder, 0);
    push(SIM_NS_PER_S, 0);
    timer_ladder_begin(ladder, 0);
}
END_TEST

START_TEST(aborts_on_taking_from_none) {
    sim_ns last_ns = timer_ladder_begin(ladder, 0);
    timer_ladder_take(ladder, taken, &last_ns);
}
END_TEST

START_TEST(aborts_on_more_timers_than_there_is_room_for) {
    timer_ladder_begin(ladder, 0);
    for (uint64_t i = 0; i < 10 * TIMERS; i++) {
        push(SIM_NS_PER_S, i);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/timer_ladder");
    TCase *tcase = tcase_create("timer_ladder");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, takes_the_earliest_and_all_up_to_a_time);
    tcase_add_test(tcase, begins_at_any_time);
    tcase_add_test(tcase, moves_are_made_in_the_room_that_was_reserved);
    tcase_add_test_raise_signal(tcase, aborts_on_a_timer_that_is_not_later, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_timer_before_what_was_taken, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_beginning_while_timers_are_left, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_taking_from_none, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_more_timers_than_there_is_room_for, SIGABRT);
    return suite_run(suite);
}
