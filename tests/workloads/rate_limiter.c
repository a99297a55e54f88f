#include "workloads/rate_limiter.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define MS SIM_NS_PER_MS
#define S SIM_NS_PER_S

/* A limiter that has seen rate_per_s answers a second for some time, to just before until_ns. */
static struct rate_limiter seen_rate(int64_t rate_per_s, sim_ns until_ns) {
    struct rate_limiter limiter = rate_limiter_new(0);
    for (sim_ns at_ns = 0; at_ns < until_ns; at_ns += S / rate_per_s) {
        rate_limiter_answered(&limiter, at_ns, false);
    }
    return limiter;
}

START_TEST(cubic_law_has_the_known_values) {
    static const struct {
        double after_s, rate;
    } values[] = {{0, 70.0}, {2, 95.64}, {4.2172, 100.0}, {8, 121.65}};
    struct rate_limiter limiter = rate_limiter_new(0);
    limiter.measured_per_s = 100;
    limiter.last_half_second = INT64_MAX; /* nothing is measured anew */
    rate_limiter_answered(&limiter, 10 * S, true);
    ck_assert_double_eq_tol(limiter.k_s, 4.2172, 0.00005);
    ck_assert_double_eq(limiter.w_max, 100);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const sim_ns at_ns = 10 * S + llround(values[i].after_s * 1e9);
        ck_assert_double_eq_tol(rate_limiter_cubic(&limiter, at_ns), values[i].rate, 0.005);
    }
    ck_assert_double_eq(limiter.fill_rate_per_s, 70);
}
END_TEST

START_TEST(cube_root_is_that_of_libm_within_rounding) {
    ck_assert_double_eq(rate_limiter_cbrt(0), 0);
    ck_assert_double_eq(rate_limiter_cbrt(1), 1);
    ck_assert_double_eq(rate_limiter_cbrt(27), 3);
    for (uint64_t i = 0; i < 100000; i++) {
        const uint64_t draw = hash_draw(3, i, 0);
        const double x = ldexp(1.0 + (double)(draw >> 12) * 0x1p-52, (int)(draw % 120) - 60);
        ck_assert_double_eq_tol(rate_limiter_cbrt(x) / cbrt(x), 1, 1e-15);
    }
}
END_TEST

START_TEST(aborts_on_the_root_of_a_negative_number) {
    (void)rate_limiter_cbrt(-1);
}
END_TEST

START_TEST(without_a_refusal_it_never_holds_anything_back) {
    struct rate_limiter limiter = seen_rate(100, 10 * S);
    for (int i = 0; i < 100000; i++) {
        ck_assert(rate_limiter_take(&limiter, 10 * S));
    }
}
END_TEST

START_TEST(measures_what_it_sees) {
    struct rate_limiter limiter = seen_rate(200, 20 * S);
    ck_assert_double_eq_tol(limiter.measured_per_s, 200, 2);
}
END_TEST

START_TEST(a_refusal_lowers_the_rate_to_seven_tenths_of_what_was_measured) {
    struct rate_limiter limiter = seen_rate(200, 20 * S);
    const double measured = limiter.measured_per_s;
    rate_limiter_answered(&limiter, 20 * S - 1, true);
    ck_assert(limiter.is_enabled);
    ck_assert_double_eq_tol(limiter.fill_rate_per_s, 0.7 * measured, 1e-9);
    ck_assert_double_le(limiter.tokens, limiter.capacity);
    /* the next refusal at once: from the lower rate */
    rate_limiter_answered(&limiter, 20 * S - 1, true);
    ck_assert_double_eq_tol(limiter.fill_rate_per_s, 0.49 * measured, 1e-9);
}
END_TEST

START_TEST(a_rate_is_at_least_a_token_every_two_seconds) {
    struct rate_limiter limiter = rate_limiter_new(0);
    for (int i = 0; i < 100; i++) {
        rate_limiter_answered(&limiter, i * MS, true);
    }
    ck_assert_double_eq(limiter.fill_rate_per_s, 0.5);
    ck_assert_double_eq(limiter.capacity, 1);
    sim_ns now_ns = 100 * MS;
    while (rate_limiter_take(&limiter, now_ns)) {
    }
    const sim_ns next_ns = rate_limiter_next_ns(&limiter, now_ns);
    ck_assert_int_gt(next_ns, now_ns);
    ck_assert_int_le(next_ns, now_ns + 2 * S + 1);
    ck_assert(!rate_limiter_take(&limiter, next_ns - 10));
    ck_assert(rate_limiter_take(&limiter, next_ns));
}
END_TEST

START_TEST(a_token_is_there_when_it_says) {
    for (uint64_t i = 0; i < 200; i++) {
        const uint64_t draw = hash_draw(8, i, 0);
        struct rate_limiter limiter = seen_rate(1 + (int64_t)(draw % 500), 3 * S);
        const sim_ns now_ns = 3 * S + (sim_ns)(draw % 1000);
        rate_limiter_answered(&limiter, now_ns, true);
        int taken = 0;
        while (rate_limiter_take(&limiter, now_ns)) {
            taken++;
        }
        ck_assert_int_le(taken, 1 + (int)limiter.capacity);
        const sim_ns next_ns = rate_limiter_next_ns(&limiter, now_ns);
        ck_assert_msg(rate_limiter_take(&limiter, next_ns), "seed %llu", (unsigned long long)i);
    }
}
END_TEST

/* Digests depend on it: equal bits for every compiler and optimisation. */
START_TEST(a_history_ends_in_known_bits) {
    struct rate_limiter limiter = rate_limiter_new(0);
    uint64_t hash = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        const uint64_t draw = hash_draw(17, i, 0);
        const sim_ns now_ns = (sim_ns)i * 7 * MS + (sim_ns)(draw % 1000000);
        rate_limiter_answered(&limiter, now_ns, draw >> 32 < UINT64_C(1) << 28);
        hash += rate_limiter_take(&limiter, now_ns);
        hash = hash_mix(hash ^ (uint64_t)rate_limiter_next_ns(&limiter, now_ns));
    }
    ck_assert_uint_eq(hash, UINT64_C(4155093496000886689));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/rate_limiter");
    TCase *tcase = tcase_create("limiter");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, cubic_law_has_the_known_values);
    tcase_add_test(tcase, cube_root_is_that_of_libm_within_rounding);
    tcase_add_test_raise_signal(tcase, aborts_on_the_root_of_a_negative_number, SIGABRT);
    tcase_add_test(tcase, without_a_refusal_it_never_holds_anything_back);
    tcase_add_test(tcase, measures_what_it_sees);
    tcase_add_test(tcase, a_refusal_lowers_the_rate_to_seven_tenths_of_what_was_measured);
    tcase_add_test(tcase, a_rate_is_at_least_a_token_every_two_seconds);
    tcase_add_test(tcase, a_token_is_there_when_it_says);
    tcase_add_test(tcase, a_history_ends_in_known_bits);
    return suite_run(suite);
}
