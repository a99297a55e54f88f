#include "workloads/retry_quota.h"

#include "sim/random.h"
#include "tests/suite.h"
#include "workloads/retry_policy.h"

#include <check.h>
#include <stdlib.h>

#define CALLS 200000

START_TEST(a_retry_takes_its_cost_until_too_little_is_left) {
    struct retry_quota quota = retry_quota_full(500);
    int retries = 0;
    while (retry_quota_take(&quota, 14)) {
        retries++;
    }
    ck_assert_int_eq(retries, 35); /* 35 x 14 = 490 */
    ck_assert_uint_eq(quota.level, 10);
    ck_assert(retry_quota_take(&quota, 10));
    ck_assert_uint_eq(quota.level, 0);
    ck_assert(retry_quota_take(&quota, 0));
    ck_assert(!retry_quota_take(&quota, 1));
}
END_TEST

START_TEST(success_gives_back_what_the_last_retry_took_or_one) {
    struct retry_quota quota = retry_quota_full(500);
    ck_assert(retry_quota_take(&quota, 5) && retry_quota_take(&quota, 14));
    retry_quota_refund(&quota, true, 14);
    ck_assert_uint_eq(quota.level, 495);
    retry_quota_refund(&quota, false, 0);
    ck_assert_uint_eq(quota.level, 496);
    retry_quota_refund(&quota, true, 0);
    ck_assert_uint_eq(quota.level, 496);
}
END_TEST

START_TEST(it_is_never_above_its_capacity) {
    struct retry_quota quota = retry_quota_full(500);
    retry_quota_refund(&quota, false, 0);
    ck_assert_uint_eq(quota.level, 500);
    ck_assert(retry_quota_take(&quota, 3));
    retry_quota_refund(&quota, true, 14);
    ck_assert_uint_eq(quota.level, 500);
}
END_TEST

/* Calls one after another, each attempt failing with probability p; how many retries were refused.
 */
static int refused_retries(uint32_t attempts_max, uint32_t cost, double p, uint64_t seed,
                           struct retry_quota *quota) {
    const struct random_name name = {.seed = seed, .workload = "", .variable = "failures"};
    struct random_stream stream;
    random_init(&stream, &name);
    int refused = 0;
    for (int call = 0; call < CALLS; call++) {
        uint32_t attempt = 0;
        bool fails = random_unit(&stream) < p, goes_on = true;
        while (fails && goes_on && attempt + 1 < attempts_max) {
            goes_on = retry_quota_take(quota, cost);
            refused += !goes_on;
            attempt += goes_on;
            fails = goes_on ? random_unit(&stream) < p : fails;
        }
        if (!fails) {
            retry_quota_refund(quota, attempt > 0, cost);
        }
    }
    return refused;
}

/* Net tokens of a call: 1 - p - c (p^2 + p^3 + p^4); from its root on the quota drains. */
START_TEST(four_attempts_drain_the_quota_beyond_the_known_share_of_failures) {
    static const struct {
        uint32_t cost;
        double holds_p, drains_p; /* about 0.21 and 0.31, with room for a random walk */
    } points[] = {{14, 0.19, 0.23}, {5, 0.28, 0.34}};
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            const double p[] = {points[i].holds_p, points[i].drains_p};
            int refused[2];
            for (int k = 0; k < 2; k++) {
                struct retry_quota quota = retry_quota_full(500);
                refused[k] = refused_retries(4, points[i].cost, p[k], seed, &quota);
            }
            ck_assert_msg(refused[0] == 0, "seed %llu, cost %u: %d refused",
                          (unsigned long long)seed, points[i].cost, refused[0]);
            ck_assert_msg(refused[1] > 100, "seed %llu, cost %u: %d refused",
                          (unsigned long long)seed, points[i].cost, refused[1]);
        }
    }
}
END_TEST

START_TEST(without_successes_the_retries_are_those_of_the_full_quota) {
    struct retry_quota quota = retry_quota_full(500);
    const int refused = refused_retries(4, 14, 1.0, 1, &quota);
    ck_assert_uint_eq(quota.level, 10);
    /* 35 retries: three in each of 11 calls, two in the twelfth */
    ck_assert_int_eq(refused, CALLS - 11);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/retry_quota");
    TCase *tcase = tcase_create("quota");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_retry_takes_its_cost_until_too_little_is_left);
    tcase_add_test(tcase, success_gives_back_what_the_last_retry_took_or_one);
    tcase_add_test(tcase, it_is_never_above_its_capacity);
    tcase_add_test(tcase, four_attempts_drain_the_quota_beyond_the_known_share_of_failures);
    tcase_add_test(tcase, without_successes_the_retries_are_those_of_the_full_quota);
    return suite_run(suite);
}
