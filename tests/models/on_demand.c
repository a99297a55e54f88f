/* Previous peaks, against the rule by hand and against closed forms of ramps. */
#include "models/on_demand.h"

#include "models/partition.h"
#include "models/request.h"
#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>

#define MINUTE_NS SIM_NS_PER_MIN

static struct arena arena;
static struct model_parameters parameters;
static struct on_demand state;
static struct err err;

static void set_up(void) {
    arena_init(&arena);
    model_parameters_default(&parameters);
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void open_state(struct capacity_units peak) {
    ck_assert_msg(on_demand_init(&state, &arena, peak, &parameters, &err), "%s", err.text);
}

START_TEST(a_provisioned_table_has_nothing_to_do) {
    open_state((struct capacity_units){0, 0});
    ck_assert_int_eq(on_demand_next_ns(&state), INT64_MAX);
    ck_assert_int_eq(on_demand_partitions(&state, &parameters), 1);
}
END_TEST

START_TEST(a_peak_counts_half_an_hour_after_it_was_reached) {
    open_state((struct capacity_units){0, 0});
    on_demand_begin(&state, 0, 0, 0);
    /* 3,000 writes a second in the first minute, none after it */
    const uint64_t taken_ncu = UINT64_C(180000) * (uint64_t)NCU_PER_CU;
    for (int minute = 1; minute <= 30; minute++) {
        ck_assert_int_eq(on_demand_next_ns(&state), minute * MINUTE_NS);
        ck_assert(!on_demand_advance(&state, minute * MINUTE_NS, 0, taken_ncu));
    }
    ck_assert_int_eq(on_demand_partitions(&state, &parameters), 1);
    ck_assert(on_demand_advance(&state, 31 * MINUTE_NS, 0, taken_ncu));
    ck_assert_int_eq(state.peak.write, 3000);
    ck_assert_int_eq(on_demand_partitions(&state, &parameters), 6);
    ck_assert(!on_demand_advance(&state, 32 * MINUTE_NS, 0, taken_ncu));
    ck_assert_int_eq(state.peak.write, 3000); /* never less again */
}
END_TEST

START_TEST(twice_the_previous_peak_is_carried_reads_and_writes_each) {
    const struct {
        struct capacity_units peak;
        int64_t partitions;
    } rows[] = {
        {{0, 2000}, 4}, {{6000, 0}, 4}, {{0, 2001}, 5}, {{9000, 3000}, 6}, {{9000, 100}, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_state(rows[i].peak);
        ck_assert_int_eq(on_demand_partitions(&state, &parameters), rows[i].partitions);
    }
}
END_TEST

START_TEST(a_delay_that_is_no_multiple_of_the_window_is_kept) {
    parameters.peak_window = 40 * SIM_NS_PER_S;
    parameters.peak_delay = 90 * SIM_NS_PER_S;
    open_state((struct capacity_units){0, 0});
    on_demand_begin(&state, 0, 0, 0);
    const uint64_t taken_ncu = UINT64_C(40000) * (uint64_t)NCU_PER_CU;
    ck_assert(!on_demand_advance(&state, 40 * SIM_NS_PER_S, 0, taken_ncu));
    ck_assert(!on_demand_advance(&state, 80 * SIM_NS_PER_S, 0, taken_ncu));
    ck_assert(!on_demand_advance(&state, 120 * SIM_NS_PER_S, 0, taken_ncu));
    ck_assert_int_eq(on_demand_next_ns(&state), 130 * SIM_NS_PER_S);
    ck_assert(on_demand_advance(&state, 130 * SIM_NS_PER_S, 0, taken_ncu));
    ck_assert_int_eq(state.peak.write, 1000);
}
END_TEST

START_TEST(a_time_as_a_provisioned_table_is_passed_over) {
    open_state((struct capacity_units){0, 0});
    on_demand_begin(&state, 0, 0, 0);
    const uint64_t taken_ncu = UINT64_C(60000) * (uint64_t)NCU_PER_CU;
    ck_assert(!on_demand_advance(&state, MINUTE_NS, 0, taken_ncu));
    on_demand_end(&state);
    ck_assert_int_eq(on_demand_next_ns(&state), INT64_MAX);
    on_demand_begin(&state, 100 * MINUTE_NS, 0, 10 * taken_ncu);
    ck_assert_int_eq(state.peak.write, 1000); /* old enough by now, and nothing from between */
    ck_assert_int_eq(on_demand_next_ns(&state), 101 * MINUTE_NS);
    ck_assert(!on_demand_advance(&state, 101 * MINUTE_NS, 0, 10 * taken_ncu));
}
END_TEST

/*
 * A table that is always asked for more than it takes: what it takes in a window is its partitions'
 * caps together. It starts with 4 partitions, and after each delay and window twice its peak is
 * worth twice the partitions: 4, 8, 16, … doubling every (delay + window), whatever the delay.
 */
START_TEST(a_saturated_table_doubles_every_delay_and_window) {
    const sim_ns delays_ns[] = {0, 5 * MINUTE_NS, 30 * MINUTE_NS, 60 * MINUTE_NS};
    for (size_t i = 0; i < sizeof delays_ns / sizeof *delays_ns; i++) {
        int64_t partitions = 4, doublings = 0;
        uint64_t write_ncu = 0;
        sim_ns last_ns = 0;
        parameters.peak_delay = delays_ns[i];
        open_state((struct capacity_units){0, 0});
        on_demand_begin(&state, 0, 0, 0);
        while (doublings < 6) {
            const sim_ns now_ns = on_demand_next_ns(&state);
            write_ncu += (uint64_t)(partitions * 1000 * (now_ns - last_ns));
            if (on_demand_advance(&state, now_ns, 0, write_ncu) &&
                on_demand_partitions(&state, &parameters) > partitions) {
                ck_assert_int_eq(on_demand_partitions(&state, &parameters), 2 * partitions);
                partitions *= 2;
                doublings++;
                ck_assert_int_eq(now_ns, doublings * (delays_ns[i] + MINUTE_NS));
            }
            last_ns = now_ns;
        }
    }
}
END_TEST

/* Traffic that doubles no faster than the delay is always carried. */
START_TEST(growth_of_twice_in_a_delay_never_exceeds_the_partitions) {
    for (int64_t delay_min = 5; delay_min <= 60; delay_min += 5) {
        uint64_t write_ncu = 0;
        int64_t rate = 2000, partitions = 4;
        parameters.peak_delay = delay_min * MINUTE_NS;
        open_state((struct capacity_units){0, 2000});
        on_demand_begin(&state, 0, 0, 0);
        for (int64_t minute = 1; minute <= 8 * delay_min; minute++) {
            write_ncu += (uint64_t)(rate * MINUTE_NS);
            ck_assert_msg(rate <= partitions * 1000, "delay %" PRId64 ", minute %" PRId64,
                          delay_min, minute);
            (void)on_demand_advance(&state, minute * MINUTE_NS, 0, write_ncu);
            const int64_t worth = on_demand_partitions(&state, &parameters);
            partitions = worth > partitions ? worth : partitions;
            rate = minute % (delay_min + 2) == 0 && rate < 1000000 ? 2 * rate : rate;
        }
    }
}
END_TEST

/* At random, with pauses in which the table was provisioned. */
START_TEST(agrees_with_the_rule_over_all_windows) {
    enum { WINDOWS = 300 };
    for (uint64_t seed = 1; seed <= 50; seed++) {
        static int64_t means[WINDOWS];
        uint64_t read_ncu = 0;
        parameters.peak_delay = (sim_ns)(hash_draw(seed, 0, 1) % 40) * MINUTE_NS;
        open_state((struct capacity_units){7, 0});
        on_demand_begin(&state, 0, 0, 0);
        for (int i = 0; i < WINDOWS; i++) {
            means[i] = (int64_t)(hash_draw(seed, (uint64_t)i, 2) % 5000);
            read_ncu += (uint64_t)(means[i] * MINUTE_NS);
            (void)on_demand_advance(&state, (i + 1) * MINUTE_NS, read_ncu, 0);
            int64_t expected = 7;
            for (int j = 0; j <= i; j++) {
                if ((i - j) * MINUTE_NS >= parameters.peak_delay && means[j] > expected) {
                    expected = means[j];
                }
            }
            if (state.peak.read != expected) {
                ck_abort_msg("seed %" PRIu64 ", window %d: %" PRId64 " of %" PRId64, seed, i,
                             state.peak.read, expected);
            }
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("on_demand");
    TCase *cases = tcase_create("on_demand");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_provisioned_table_has_nothing_to_do);
    tcase_add_test(cases, a_peak_counts_half_an_hour_after_it_was_reached);
    tcase_add_test(cases, twice_the_previous_peak_is_carried_reads_and_writes_each);
    tcase_add_test(cases, a_delay_that_is_no_multiple_of_the_window_is_kept);
    tcase_add_test(cases, a_time_as_a_provisioned_table_is_passed_over);
    tcase_add_test(cases, a_saturated_table_doubles_every_delay_and_window);
    tcase_add_test(cases, growth_of_twice_in_a_delay_never_exceeds_the_partitions);
    tcase_add_test(cases, agrees_with_the_rule_over_all_windows);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
