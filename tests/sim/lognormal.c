#include "sim/lognormal.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>

enum { DRAWS = 100000 };

START_TEST(the_middle_draw_is_the_median_and_the_99th_is_p99) {
    const sim_ns median_ns = 60 * SIM_NS_PER_S, p99_ns = 600 * SIM_NS_PER_S;
    const sim_ns middle_ns = lognormal_ns(UINT64_C(1) << 63, median_ns, p99_ns);
    const uint64_t percent = UINT64_MAX / 100 * 99;
    const sim_ns high_ns = lognormal_ns(percent, median_ns, p99_ns);
    ck_assert_int_le(middle_ns > median_ns ? middle_ns - median_ns : median_ns - middle_ns, 100);
    ck_assert_int_le(high_ns > p99_ns ? high_ns - p99_ns : p99_ns - high_ns, 10000);
}
END_TEST

START_TEST(equal_percentiles_are_a_constant) {
    const uint64_t draws[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
        ck_assert_int_eq(lognormal_ns(draws[i], 12345, 12345), 12345);
    }
}
END_TEST

START_TEST(the_extremes_are_finite_and_in_order) {
    const sim_ns least_ns = lognormal_ns(0, SIM_NS_PER_S, 3600 * SIM_NS_PER_S);
    const sim_ns most_ns = lognormal_ns(UINT64_MAX, SIM_NS_PER_S, 3600 * SIM_NS_PER_S);
    ck_assert_int_ge(least_ns, 0);
    ck_assert_int_lt(least_ns, SIM_NS_PER_S);
    ck_assert_int_gt(most_ns, 3600 * SIM_NS_PER_S);
    ck_assert_int_le(most_ns, SIM_NS_MAX);
}
END_TEST

START_TEST(half_of_the_draws_are_below_the_median_and_one_percent_above_p99) {
    uint32_t below = 0, above = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const sim_ns ns = lognormal_ns(hash_draw(7, i, 0), SIM_NS_PER_S, 10 * SIM_NS_PER_S);
        below += ns < SIM_NS_PER_S;
        above += ns > 10 * SIM_NS_PER_S;
    }
    ck_assert_uint_gt(below, DRAWS / 2 - 800); /* five standard deviations */
    ck_assert_uint_lt(below, DRAWS / 2 + 800);
    ck_assert_uint_gt(above, DRAWS / 100 - 160);
    ck_assert_uint_lt(above, DRAWS / 100 + 160);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lognormal");
    TCase *cases = tcase_create("lognormal");
    tcase_add_test(cases, the_middle_draw_is_the_median_and_the_99th_is_p99);
    tcase_add_test(cases, equal_percentiles_are_a_constant);
    tcase_add_test(cases, the_extremes_are_finite_and_in_order);
    tcase_add_test(cases, half_of_the_draws_are_below_the_median_and_one_percent_above_p99);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
