/* Target tracking by the minute: when alarms begin, what they ask for, and the staircase. */
#include "models/auto_scaling.h"

#include "models/request.h"
#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define MINUTE_NS SIM_NS_PER_MIN

static struct auto_scaling scaling;
static struct scaling_parameters parameters;
static struct scaling_spec spec;
static struct scaling_request request;
static int minute; /* closed so far */

static void set_up(void) {
    parameters = scaling_parameters_default();
    parameters.as_alarm_delay_max = 0;
    spec = (struct scaling_spec){.min_units = 5, .max_units = 1000, .target = 700000};
    minute = 0;
}

static void start(void) {
    auto_scaling_init(&scaling, &spec, &parameters, 7);
}

/* A minute at so many units a second of so many. */
static enum scaling_cause minute_of(double consumed_per_s, int64_t units) {
    minute++;
    return auto_scaling_minute(&scaling, minute * MINUTE_NS,
                               (int64_t)(consumed_per_s * 60 * (double)NCU_PER_CU), units);
}

static sim_ns now_ns(void) {
    return minute * MINUTE_NS;
}

START_TEST(two_minutes_above_the_target_scale_out_and_one_does_not) {
    start();
    ck_assert_int_eq(minute_of(71, 100), SCALING_NONE);
    ck_assert_int_eq(minute_of(70, 100), SCALING_NONE); /* at the target is not above it */
    ck_assert_int_eq(minute_of(71, 100), SCALING_NONE);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), SIM_NS_MAX);
    ck_assert_int_eq(minute_of(91, 100), SCALING_OUT);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 4 * MINUTE_NS);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    ck_assert_int_eq(request.cause, SCALING_OUT);
    ck_assert_int_eq(request.units, 116); /* the mean, 81, is 70 % of 115.7 */
}
END_TEST

START_TEST(fifteen_minutes_twenty_points_below_scale_in_and_fourteen_do_not) {
    start();
    for (int i = 0; i < 14; i++) {
        ck_assert_int_eq(minute_of(i == 3 ? 49.9 : 10, 100), SCALING_NONE);
    }
    ck_assert_int_eq(minute_of(50, 100), SCALING_NONE); /* 20 points below is not more than that */
    for (int i = 0; i < 14; i++) {
        ck_assert_int_eq(minute_of(i == 3 ? 35 : 10, 100), SCALING_NONE);
    }
    ck_assert_int_eq(minute_of(10, 100), SCALING_IN);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    ck_assert_int_eq(request.cause, SCALING_IN);
    ck_assert_int_eq(request.units, 50); /* the largest of the fifteen is 70 % of it */
}
END_TEST

START_TEST(minutes_without_consumption_scale_in_only_when_told_so) {
    for (int told = 0; told < 2; told++) {
        set_up();
        parameters.as_scale_in_at_zero = told == 1;
        start();
        enum scaling_cause alarm = SCALING_NONE;
        for (int i = 0; i < 15; i++) {
            alarm = minute_of(0, 100);
        }
        ck_assert_int_eq(alarm, told == 1 ? SCALING_IN : SCALING_NONE);
    }
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    ck_assert_int_eq(request.units, 5); /* MinCapacity */
}
END_TEST

START_TEST(statistics_choose_the_points_that_count) {
    static const struct {
        enum scaling_statistic out;
        int64_t units;
    } rows[] = {{SCALING_MEAN, 129}, {SCALING_LAST, 115}, {SCALING_MAX, 143}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_up();
        parameters.as_out_statistic = rows[i].out;
        start();
        (void)minute_of(100, 100);
        ck_assert_int_eq(minute_of(80, 100), SCALING_OUT);
        ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
        ck_assert_int_eq(request.units, rows[i].units);
    }
}
END_TEST

/* Load beyond all capacity and no burst: each cycle admits what is provisioned and asks for
 * 1/target of it; with target 50 % and 100 to begin with, 200, 400, 800, 1,000. */
START_TEST(an_empty_burst_makes_a_staircase_by_one_over_the_target) {
    for (int target = 20; target <= 90; target += 10) {
        set_up();
        spec.target = target * (PARAMETER_FRACTION_ONE / 100);
        spec.max_units = 1000000;
        start();
        int64_t units = 100;
        double expected = 100;
        for (int cycle = 0; cycle < 6 && units < spec.max_units; cycle++) {
            ck_assert_int_eq(minute_of((double)units, units), SCALING_NONE);
            ck_assert_int_eq(minute_of((double)units, units), SCALING_OUT);
            ck_assert(auto_scaling_act(&scaling, now_ns(), units, &request));
            units = request.units;
            auto_scaling_done(&scaling, now_ns(), request.cause);
            expected = fmin(ceil(expected * 100 / target - 1e-9), 1000000);
            ck_assert_int_eq(units, (int64_t)expected);
        }
    }
}
END_TEST

START_TEST(capacity_stays_within_its_bounds_and_comes_back_to_them) {
    spec.max_units = 120;
    start();
    (void)minute_of(200, 100);
    (void)minute_of(200, 100);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    ck_assert_int_eq(request.units, 120);
    auto_scaling_done(&scaling, now_ns(), request.cause);
    (void)minute_of(200, 120);
    ck_assert_int_eq(minute_of(200, 120), SCALING_OUT); /* an alarm all the same */
    ck_assert(!auto_scaling_act(&scaling, now_ns(), 120, &request));
    (void)minute_of(90, 130); /* somebody has provisioned more */
    ck_assert(auto_scaling_act(&scaling, now_ns(), 130, &request));
    ck_assert_int_eq(request.cause, SCALING_BOUNDS);
    ck_assert_int_eq(request.units, 120);
}
END_TEST

START_TEST(delays_are_uniform_between_their_bounds_and_named_by_the_stream) {
    parameters.as_alarm_delay_min = 30 * SIM_NS_PER_S;
    parameters.as_alarm_delay_max = 90 * SIM_NS_PER_S;
    double sum_s = 0;
    enum { RUNS = 2000 };
    for (uint64_t stream = 0; stream < RUNS; stream++) {
        minute = 0;
        auto_scaling_init(&scaling, &spec, &parameters, hash_draw(1, stream, 0));
        (void)minute_of(90, 100);
        (void)minute_of(90, 100);
        const sim_ns delay_ns = auto_scaling_next_ns(&scaling) - now_ns();
        ck_assert_int_ge(delay_ns, 30 * SIM_NS_PER_S);
        ck_assert_int_le(delay_ns, 90 * SIM_NS_PER_S);
        sum_s += (double)delay_ns / 1e9;
    }
    /* mean 60, standard error 60 / sqrt(12 n) = 0.39 */
    ck_assert_double_eq_tol(sum_s / RUNS, 60, 1.6);
}
END_TEST

START_TEST(cooldowns_hold_back_their_own_direction_only) {
    spec.out_cooldown_ns = 10 * MINUTE_NS;
    start();
    (void)minute_of(100, 100);
    (void)minute_of(100, 100);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    auto_scaling_done(&scaling, now_ns(), request.cause); /* at minute 2 */
    (void)minute_of(143, 143);
    ck_assert_int_eq(minute_of(143, 143), SCALING_OUT);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 12 * MINUTE_NS);
    /* an alarm to scale out acts at once during the cooldown of scaling in */
    set_up();
    spec.in_cooldown_ns = 60 * MINUTE_NS;
    start();
    for (int i = 0; i < 15; i++) {
        (void)minute_of(10, 100);
    }
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    auto_scaling_done(&scaling, now_ns(), request.cause);
    for (int i = 0; i < 15; i++) {
        (void)minute_of(1, 15);
    }
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 75 * MINUTE_NS);
    (void)minute_of(15, 15);
    (void)minute_of(15, 15);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), now_ns());
}
END_TEST

START_TEST(what_was_refused_is_asked_for_again_while_the_alarm_lasts) {
    start();
    (void)minute_of(100, 100);
    (void)minute_of(100, 100);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), SIM_NS_MAX);
    auto_scaling_refused(&scaling);
    ck_assert_int_eq(minute_of(100, 100), SCALING_NONE); /* it goes on */
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    auto_scaling_refused(&scaling);
    (void)minute_of(60, 100);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), SIM_NS_MAX);
}
END_TEST

START_TEST(one_request_at_a_time_and_points_begin_anew_after_it) {
    start();
    (void)minute_of(100, 100);
    (void)minute_of(100, 100);
    ck_assert(auto_scaling_act(&scaling, now_ns(), 100, &request));
    for (int i = 0; i < 5; i++) {
        (void)minute_of(100, 100); /* UPDATING */
        ck_assert_int_eq(auto_scaling_next_ns(&scaling), SIM_NS_MAX);
    }
    auto_scaling_done(&scaling, now_ns(), request.cause);
    ck_assert_int_eq(minute_of(143, 143), SCALING_NONE);
    ck_assert_int_eq(minute_of(143, 143), SCALING_OUT);
}
END_TEST

START_TEST(scheduled_actions_set_bounds_at_their_times) {
    static const struct scaling_action actions[] = {
        {.at_ns = 90 * SIM_NS_PER_S, .min_units = 300, .max_units = UPDATE_KEEPS},
        {.at_ns = 200 * SIM_NS_PER_S,
         .every_ns = 3600 * SIM_NS_PER_S,
         .min_units = 5,
         .max_units = 80},
    };
    spec.actions = actions;
    spec.action_count = 2;
    start();
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 90 * SIM_NS_PER_S);
    ck_assert(auto_scaling_act(&scaling, 90 * SIM_NS_PER_S, 100, &request));
    ck_assert_int_eq(request.units, 300);
    ck_assert_int_eq(request.cause, SCALING_BOUNDS);
    auto_scaling_done(&scaling, 100 * SIM_NS_PER_S, request.cause);
    ck_assert(auto_scaling_act(&scaling, 200 * SIM_NS_PER_S, 300, &request));
    ck_assert_int_eq(request.units, 80);
    auto_scaling_done(&scaling, 210 * SIM_NS_PER_S, request.cause);
    ck_assert(!auto_scaling_act(&scaling, 3800 * SIM_NS_PER_S, 80, &request));
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 7400 * SIM_NS_PER_S);
}
END_TEST

/* As while a table is on-demand: what was missed is not made up for. */
START_TEST(while_nothing_is_provisioned_bounds_change_and_nothing_is_asked) {
    static const struct scaling_action actions[] = {{.at_ns = 90 * SIM_NS_PER_S,
                                                     .every_ns = 600 * SIM_NS_PER_S,
                                                     .min_units = 300,
                                                     .max_units = UPDATE_KEEPS}};
    spec.actions = actions;
    spec.action_count = 1;
    start();
    auto_scaling_pass(&scaling, 90 * SIM_NS_PER_S);
    ck_assert_int_eq(scaling.min_units, 300);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 690 * SIM_NS_PER_S);
    minute = 1; /* the alarm of the third minute is due at once, and nobody acts on it */
    ck_assert_int_eq(minute_of(990, 1000), SCALING_NONE);
    ck_assert_int_eq(minute_of(990, 1000), SCALING_OUT);
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), now_ns());
    auto_scaling_pass(&scaling, now_ns());
    ck_assert_int_eq(auto_scaling_next_ns(&scaling), 690 * SIM_NS_PER_S);
}
END_TEST

START_TEST(without_scale_in_it_only_grows) {
    spec.disable_scale_in = true;
    start();
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(minute_of(1, 100), SCALING_NONE);
    }
}
END_TEST

START_TEST(bounds_the_wrong_way_round_abort) {
    spec.min_units = 1001;
    start();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/auto_scaling");
    TCase *tcase = tcase_create("auto_scaling");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, two_minutes_above_the_target_scale_out_and_one_does_not);
    tcase_add_test(tcase, fifteen_minutes_twenty_points_below_scale_in_and_fourteen_do_not);
    tcase_add_test(tcase, minutes_without_consumption_scale_in_only_when_told_so);
    tcase_add_test(tcase, statistics_choose_the_points_that_count);
    tcase_add_test(tcase, an_empty_burst_makes_a_staircase_by_one_over_the_target);
    tcase_add_test(tcase, capacity_stays_within_its_bounds_and_comes_back_to_them);
    tcase_add_test(tcase, delays_are_uniform_between_their_bounds_and_named_by_the_stream);
    tcase_add_test(tcase, cooldowns_hold_back_their_own_direction_only);
    tcase_add_test(tcase, what_was_refused_is_asked_for_again_while_the_alarm_lasts);
    tcase_add_test(tcase, one_request_at_a_time_and_points_begin_anew_after_it);
    tcase_add_test(tcase, scheduled_actions_set_bounds_at_their_times);
    tcase_add_test(tcase, while_nothing_is_provisioned_bounds_change_and_nothing_is_asked);
    tcase_add_test(tcase, without_scale_in_it_only_grows);
    tcase_add_test_raise_signal(tcase, bounds_the_wrong_way_round_abort, SIGABRT);
    return suite_run(suite);
}
