#include "workloads/retry_policy.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define DRAWS 20000
#define MS SIM_NS_PER_MS
#define WAITS_MAX 10

/* A profile's waits in milliseconds, one a retry; with jitter its range [low, high). */
struct profile_row {
    enum retry_profile profile;
    enum retry_failure failure;
    uint32_t attempts;
    double low_ms[WAITS_MAX], high_ms[WAITS_MAX]; /* equal: no jitter */
};

#define BOTOCORE_WAITS                                                                             \
    { 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800 }
#define JS_WAITS                                                                                   \
    { 0, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800 }
#define JAVA_WAITS                                                                                 \
    { 25, 50, 100, 200, 400, 800, 1600, 3200 }

static const struct profile_row rows[] = {
    {RETRY_NONE, RETRY_AFTER_THROTTLE, 1, {0}, {0}},
    {RETRY_BOTOCORE_LEGACY, RETRY_AFTER_THROTTLE, 10, BOTOCORE_WAITS, BOTOCORE_WAITS},
    {RETRY_BOTOCORE_LEGACY, RETRY_AFTER_ERROR, 10, BOTOCORE_WAITS, BOTOCORE_WAITS},
    {RETRY_AWS_SDK_JS_LEGACY, RETRY_AFTER_THROTTLE, 11, JS_WAITS, JS_WAITS},
    {RETRY_AWS_SDK_GO_V1,
     RETRY_AFTER_ERROR,
     11,
     {50, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600},
     {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200}},
    /* the tenth, 256 … 512 s, is drawn anew from 150 … 300 s when it lies above 300 s */
    {RETRY_AWS_SDK_GO_V1,
     RETRY_AFTER_THROTTLE,
     11,
     {500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 150000},
     {1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 300001}},
    {RETRY_AWS_SDK_JAVA_V2, RETRY_AFTER_THROTTLE, 9, {0}, JAVA_WAITS},
    {RETRY_AWS_SDK_JAVA_V2, RETRY_AFTER_ERROR, 9, {0}, JAVA_WAITS},
    {RETRY_AWS_SDK_STANDARD, RETRY_AFTER_THROTTLE, 3, {0}, {1000, 2000}},
    {RETRY_AWS_SDK_STANDARD, RETRY_AFTER_ERROR, 3, {0}, {1000, 2000}},
    {RETRY_AWS_SDK_ADAPTIVE, RETRY_AFTER_THROTTLE, 3, {0}, {1000, 2000}},
    {RETRY_AWS_SDK_2026, RETRY_AFTER_THROTTLE, 4, {0}, {1000, 2000, 4000}},
    {RETRY_AWS_SDK_2026, RETRY_AFTER_ERROR, 4, {0}, {25, 50, 100}},
    {RETRY_AWS_SDK_2026, RETRY_AFTER_TIMEOUT, 4, {0}, {25, 50, 100}},
};

static uint64_t draw_at(uint64_t i) {
    return hash_draw(99, i, 0);
}

START_TEST(every_profile_waits_as_its_source_says) {
    const struct profile_row *row = &rows[_i];
    const struct retry_policy policy = retry_policy_of(row->profile);
    ck_assert_uint_eq(policy.attempts_max, row->attempts);
    for (uint32_t retry = 0; retry + 1 < row->attempts; retry++) {
        const sim_ns low_ns = llround(row->low_ms[retry] * (double)MS);
        const sim_ns high_ns = llround(row->high_ms[retry] * (double)MS);
        double sum_ns = 0;
        sim_ns least_ns = INT64_MAX, most_ns = 0;
        for (uint64_t i = 0; i < DRAWS; i++) {
            const sim_ns ns = retry_policy_wait_ns(&policy, row->failure, retry, draw_at(i));
            least_ns = ns < least_ns ? ns : least_ns;
            most_ns = ns > most_ns ? ns : most_ns;
            sum_ns += (double)ns;
        }
        ck_assert_int_ge(least_ns, low_ns);
        if (low_ns == high_ns) {
            ck_assert_int_eq(most_ns, high_ns);
            continue;
        }
        ck_assert_int_lt(most_ns, high_ns);
        const double width = (double)(high_ns - low_ns);
        ck_assert_double_lt((double)(least_ns - low_ns), width * 0.001);
        ck_assert_double_lt((double)(high_ns - most_ns), width * 0.001);
        if (high_ns != 300001 * MS) { /* that one is no uniform */
            ck_assert_double_eq_tol(sum_ns / DRAWS, (double)(low_ns + high_ns) / 2, width * 0.01);
        }
    }
    ck_assert_int_eq(retry_policy_wait_ns(&policy, row->failure, row->attempts - 1, 1),
                     RETRY_POLICY_GIVES_UP);
}
END_TEST

/* 256 s + U[0, 256 s) up to 300 s, in the other 212 of 256 cases 150 s + U[0, 150 s). */
START_TEST(go_v1_draws_anew_what_is_above_its_cap) {
    const struct retry_policy policy = retry_policy_of(RETRY_AWS_SDK_GO_V1);
    double sum_s = 0, below = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double s =
            (double)retry_policy_wait_ns(&policy, RETRY_AFTER_THROTTLE, 9, draw_at(i)) / 1e9;
        sum_s += s;
        below += s < 256;
    }
    const double anew = 212.0 / 256.0;
    ck_assert_double_eq_tol(below / DRAWS, anew * 106.0 / 150.0, 0.012);
    ck_assert_double_eq_tol(sum_s / DRAWS, (1 - anew) * 278 + anew * 225, 1.2);
}
END_TEST

START_TEST(waits_without_jitter_add_up_to_what_users_saw) {
    static const double botocore_s[] = {0.05, 0.15, 0.35, 0.75, 1.55, 3.15, 6.35, 12.75, 25.55};
    static const double js_s[] = {0, 0.05, 0.15, 0.35, 0.75, 1.55, 3.15, 6.35, 12.75, 25.55};
    const struct retry_policy botocore = retry_policy_of(RETRY_BOTOCORE_LEGACY);
    const struct retry_policy js = retry_policy_of(RETRY_AWS_SDK_JS_LEGACY);
    sim_ns botocore_ns = 0, js_ns = 0;
    for (uint32_t i = 0; i < 10; i++) {
        if (i < 9) {
            botocore_ns += retry_policy_wait_ns(&botocore, RETRY_AFTER_THROTTLE, i, 5);
            ck_assert_int_eq(botocore_ns, llround(botocore_s[i] * 1e9));
        }
        js_ns += retry_policy_wait_ns(&js, RETRY_AFTER_THROTTLE, i, 5);
        ck_assert_int_eq(js_ns, llround(js_s[i] * 1e9));
    }
}
END_TEST

/* Known answers: the same bits on every machine. */
START_TEST(a_draw_gives_one_wait) {
    const uint64_t half = UINT64_C(1) << 63;
    struct retry_policy policy = retry_policy_of(RETRY_CUSTOM);
    policy.attempts_max = 9;
    policy.base_ns = policy.throttle_base_ns = 100 * MS;
    policy.multiplier = 1.5;
    policy.cap_ns = 400 * MS;
    static const struct {
        enum retry_jitter jitter;
        sim_ns waits_ns[6]; /* at a draw in the middle */
    } vectors[] = {
        {RETRY_JITTER_NONE, {100000000, 150000000, 225000000, 337500000, 400000000, 400000000}},
        {RETRY_JITTER_FULL, {50000000, 75000000, 112500000, 168750000, 200000000, 200000000}},
        {RETRY_JITTER_EQUAL, {75000000, 112500000, 168750000, 253125000, 300000000, 300000000}},
        {RETRY_JITTER_ADDED, {150000000, 225000000, 337500000, -1, -1, -1}},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        policy.jitter = vectors[i].jitter;
        for (uint32_t retry = 0; retry < 6; retry++) {
            const sim_ns ns = retry_policy_wait_ns(&policy, RETRY_AFTER_THROTTLE, retry, half);
            if (vectors[i].waits_ns[retry] >= 0) {
                ck_assert_int_eq(ns, vectors[i].waits_ns[retry]);
            } else {
                ck_assert_int_ge(ns, 200 * MS);
                ck_assert_int_lt(ns, 400 * MS);
            }
        }
    }
}
END_TEST

START_TEST(no_policy_waits_longer_than_its_cap_or_less_than_nothing) {
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t draw = draw_at(i), other = hash_mix(draw), third = hash_mix(other);
        struct retry_policy policy = retry_policy_of(RETRY_CUSTOM);
        policy.jitter = (enum retry_jitter)(draw % 4);
        policy.attempts_max = RETRY_POLICY_ATTEMPTS_MAX;
        policy.base_ns = (sim_ns)hash_below(other, RETRY_POLICY_WAIT_NS_MAX + 1);
        policy.throttle_base_ns = policy.base_ns >> (draw % 40);
        policy.cap_ns = (sim_ns)hash_below(third, RETRY_POLICY_WAIT_NS_MAX + 1) >> (other % 45);
        policy.multiplier = draw % 5 == 0 ? 1.0 : 1.0 + (double)(third % 9900) / 100;
        const uint32_t retry = (uint32_t)(third >> 20) % (RETRY_POLICY_ATTEMPTS_MAX - 1);
        const sim_ns ns =
            retry_policy_wait_ns(&policy, (enum retry_failure)(draw % 3), retry, other);
        ck_assert_msg(ns >= 0 && ns <= policy.cap_ns, "seed %llu: waits %lld ns of %lld",
                      (unsigned long long)i, (long long)ns, (long long)policy.cap_ns);
    }
}
END_TEST

START_TEST(profiles_have_the_quotas_of_their_sources) {
    static const struct {
        enum retry_profile profile;
        uint32_t capacity, error, timeout, throttle;
        bool is_adaptive;
        const char *name;
    } quotas[RETRY_PROFILE_COUNT] = {
        {RETRY_NONE, 0, 0, 0, 0, false, "none"},
        {RETRY_BOTOCORE_LEGACY, 0, 0, 0, 0, false, "botocore-legacy"},
        {RETRY_AWS_SDK_JS_LEGACY, 0, 0, 0, 0, false, "aws-sdk-js-legacy"},
        {RETRY_AWS_SDK_GO_V1, 0, 0, 0, 0, false, "aws-sdk-go-v1"},
        {RETRY_AWS_SDK_JAVA_V2, 500, 5, 5, 0, false, "aws-sdk-java-v2"},
        {RETRY_AWS_SDK_STANDARD, 500, 5, 10, 5, false, "aws-sdk-standard"},
        {RETRY_AWS_SDK_ADAPTIVE, 500, 5, 10, 5, true, "aws-sdk-adaptive"},
        {RETRY_AWS_SDK_2026, 500, 14, 14, 5, false, "aws-sdk-2026"},
        {RETRY_CUSTOM, 0, 0, 0, 0, false, "custom"},
    };
    for (size_t i = 0; i < RETRY_PROFILE_COUNT; i++) {
        const struct retry_policy policy = retry_policy_of(quotas[i].profile);
        ck_assert_int_eq(policy.profile, quotas[i].profile);
        ck_assert_uint_eq(policy.quota_capacity, quotas[i].capacity);
        ck_assert_uint_eq(policy.quota_costs[RETRY_AFTER_ERROR], quotas[i].error);
        ck_assert_uint_eq(policy.quota_costs[RETRY_AFTER_TIMEOUT], quotas[i].timeout);
        ck_assert_uint_eq(policy.quota_costs[RETRY_AFTER_THROTTLE], quotas[i].throttle);
        ck_assert(policy.is_adaptive == quotas[i].is_adaptive);
        ck_assert_str_eq(retry_policy_profile_name(quotas[i].profile), quotas[i].name);
    }
}
END_TEST

START_TEST(aborts_on_an_unknown_profile) {
    (void)retry_policy_of((enum retry_profile)99);
}
END_TEST

START_TEST(aborts_on_the_name_of_an_unknown_profile) {
    (void)retry_policy_profile_name(RETRY_PROFILE_COUNT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/retry_policy");
    TCase *tcase = tcase_create("policies");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, every_profile_waits_as_its_source_says, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tcase, go_v1_draws_anew_what_is_above_its_cap);
    tcase_add_test(tcase, waits_without_jitter_add_up_to_what_users_saw);
    tcase_add_test(tcase, a_draw_gives_one_wait);
    tcase_add_test(tcase, no_policy_waits_longer_than_its_cap_or_less_than_nothing);
    tcase_add_test(tcase, profiles_have_the_quotas_of_their_sources);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_profile, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_the_name_of_an_unknown_profile, SIGABRT);
    return suite_run(suite);
}
