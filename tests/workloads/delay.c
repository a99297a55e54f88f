#include "workloads/delay.h"

#include "sim/hash.h"
#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

START_TEST(a_constant_ignores_the_draw) {
    const struct delay_spec delay = {.law = DELAY_CONSTANT, .min_ns = 5, .max_ns = 5};
    ck_assert_int_eq(delay_ns(&delay, 0), 5);
    ck_assert_int_eq(delay_ns(&delay, UINT64_MAX), 5);
}
END_TEST

START_TEST(uniform_delays_meet_both_ends_and_their_mean) {
    const struct delay_spec delay = {.law = DELAY_UNIFORM, .min_ns = 100, .max_ns = 300};
    ck_assert_int_eq(delay_ns(&delay, 0), 100);
    ck_assert_int_eq(delay_ns(&delay, UINT64_MAX), 300);
    double sum = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        sum += (double)delay_ns(&delay, hash_draw(1, i, 0));
    }
    ck_assert_double_eq_tol(sum / 100000, 200, 0.6); /* three standard errors */
}
END_TEST

/* P(wait > k means) = e^-k; the draw counts from long waits to short ones. */
START_TEST(exponential_delays_have_the_tails_of_their_law) {
    const struct delay_spec delay = {
        .law = DELAY_EXPONENTIAL, .min_ns = 1000000, .max_ns = 1000000};
    ck_assert_int_eq(delay_ns(&delay, UINT64_MAX), 0);
    ck_assert_int_eq(delay_ns(&delay, 0), (sim_ns)(53 * log(2) * 1000000));
    int beyond[4] = {0};
    for (uint64_t i = 0; i < 100000; i++) {
        const sim_ns wait_ns = delay_ns(&delay, hash_draw(2, i, 0));
        for (int k = 0; k < 4; k++) {
            beyond[k] += wait_ns > k * 1000000;
        }
    }
    for (int k = 1; k < 4; k++) {
        const double share = exp(-k);
        ck_assert_double_eq_tol(beyond[k] / 1e5, share, 3 * sqrt(share * (1 - share) / 1e5));
    }
}
END_TEST

START_TEST(delays_follow_the_exact_law_at_ten_million_draws) {
    static struct law_cells uniform, exponential;
    const struct delay_spec between = {
        .law = DELAY_UNIFORM, .min_ns = SIM_NS_PER_S, .max_ns = 3 * SIM_NS_PER_S};
    const struct delay_spec about = {
        .law = DELAY_EXPONENTIAL, .min_ns = SIM_NS_PER_S, .max_ns = SIM_NS_PER_S};
    for (int k = 0; k < LAW_CELLS - 1; k++) {
        uniform.edges[k] = 1e9 + 2e9 * (k + 1.0) / LAW_CELLS;
        exponential.edges[k] = -log1p(-(k + 1.0) / LAW_CELLS) * 1e9;
    }
    for (uint64_t i = 0; i < LAW_DRAWS; i++) {
        law_cells_add(&uniform, (double)delay_ns(&between, hash_draw(4, i, 0)));
        law_cells_add(&exponential, (double)delay_ns(&about, hash_draw(5, i, 0)));
    }
    ck_assert_double_gt(law_cells_p(&uniform), 1e-3);
    ck_assert_double_gt(law_cells_p(&exponential), 1e-3);
}
END_TEST

/* The longest mean that all draws can have shows the logarithm to some 1e-16. */
START_TEST(exponential_delays_are_the_mean_times_the_logarithm) {
    const sim_ns mean_ns = INT64_C(1) << 50;
    const struct delay_spec delay = {
        .law = DELAY_EXPONENTIAL, .min_ns = mean_ns, .max_ns = mean_ns};
    for (uint64_t i = 0; i < 200000; i++) {
        /* as many draws near 0 and near 1 as elsewhere */
        const uint64_t hash = hash_draw(3, i, 0), shift = i % 64;
        const uint64_t draw = i % 2 == 0 ? hash >> shift : ~(hash >> shift);
        const double unit = (double)(int64_t)((draw >> 11) + 1) * 0x1p-53;
        const double expected_ns = -log(unit) * 0x1p50;
        if (fabs((double)delay_ns(&delay, draw) - expected_ns) > 2.0 + expected_ns * 5e-16) {
            ck_abort_msg("draw %llu: %lld, expected %.17g", (unsigned long long)draw,
                         (long long)delay_ns(&delay, draw), expected_ns);
        }
    }
}
END_TEST

START_TEST(aborts_on_a_delay_that_goes_back) {
    const struct delay_spec delay = {.law = DELAY_UNIFORM, .min_ns = 2, .max_ns = 1};
    delay_ns(&delay, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/delay");
    TCase *tcase = tcase_create("delay");
    tcase_add_test(tcase, a_constant_ignores_the_draw);
    tcase_add_test(tcase, uniform_delays_meet_both_ends_and_their_mean);
    tcase_add_test(tcase, exponential_delays_have_the_tails_of_their_law);
    tcase_add_test(tcase, delays_follow_the_exact_law_at_ten_million_draws);
    tcase_add_test(tcase, exponential_delays_are_the_mean_times_the_logarithm);
    tcase_add_test_raise_signal(tcase, aborts_on_a_delay_that_goes_back, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
