/* What calls of one SDK client share, seen from a whole run. */
#include "sim/hash.h"
#include "tests/experiments/run.h"
#include "tests/suite.h"
#include "workloads/retry_policy.h"

#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define TEXT_BYTES 2048

/* A table of one partition and the provisioned rate each way, without saved burst when burst_s is
 * 0; what follows are the sections workload and client. */
__attribute__((format(printf, 4, 0))) static struct test_run
run_with(int rate, int burst_s, uint64_t replication, const char *format, va_list arguments) {
    char text[TEXT_BYTES];
    int used =
        snprintf(text, sizeof text,
                 "name: t\nduration: 20s\nmodel: {routers: 0}\ntables:\n  - TableName: events\n"
                 "    ProvisionedThroughput: {ReadCapacityUnits: %d, WriteCapacityUnits: %d}\n"
                 "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
                 "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
                 "    state: {Partitions: 1, BurstSeconds: %d}\n",
                 rate, rate, burst_s);
    used += vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    ck_assert_int_lt(used, (int)sizeof text);
    return test_run_scenario(text, 11, replication);
}

__attribute__((format(printf, 3, 4))) static struct test_run run(int rate, int burst_s,
                                                                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const struct test_run result = run_with(rate, burst_s, 0, format, arguments);
    va_end(arguments);
    return result;
}

/* Puts of one unit each, `rate` a second at equal distances. */
#define PUTS(rate)                                                                                 \
    "workload:\n  - {name: w, operation: PutItem, rate: " #rate ", arrivals: uniform,\n"           \
    "     item: {PK: \"K{seq}\"}, item_size: 1KB}\n"

/* With independent failures of probability q and m attempts: attempts per call (1 - q^m) / (1 - q),
 * failed calls q^m. */
START_TEST(attempts_and_failures_follow_the_geometric_law) {
    static const struct {
        double q;
        int m;
    } cases[] = {{0.5, 2}, {0.5, 4}, {0.2, 3}, {0.9, 10}, {0.05, 2}, {1, 3}};
    const double q = cases[_i / 2].q, calls = 1800;
    const int m = cases[_i / 2].m;
    const struct test_run result =
        run(40000, 300,
            PUTS(100) "client: {latency: 1ms, errors: {probability: %g, lost_replies: %d,\n"
                      "  to: 18s}, retry: {attempts: %d, base: 1ms, multiplier: 1}}\n",
            q, _i % 2, m);
    const double failures = pow(q, m);
    const double attempts = q < 1 ? (1 - failures) / (1 - q) : m;
    const double sent = (double)result.total.attempts - 200; /* those after 18 s are admitted */
    const double sigma = sqrt(calls * failures * (1 - failures));
    ck_assert_double_eq_tol((double)result.total.gave_up, calls * failures, 4 * sigma + 3);
    ck_assert_double_eq_tol(sent / calls, attempts, 4 * attempts / sqrt(calls));
    if (_i % 2 == 0) { /* none of them reached the table */
        ck_assert_uint_eq(result.total.errored, result.total.attempts - result.total.succeeded);
        ck_assert_uint_eq(result.total.lost_replies, 0);
    } else { /* all of them did, and were paid for again */
        ck_assert_uint_eq(result.total.errored, 0);
        ck_assert_uint_eq(result.total.lost_replies,
                          result.total.attempts - result.total.succeeded);
    }
    ck_assert_int_eq(result.consumed_wncu, (int64_t)result.total.admitted * NCU_PER_CU);
}
END_TEST

START_TEST(a_timed_out_attempt_has_consumed_and_is_sent_again) {
    const struct test_run result =
        run(1000, 300,
            PUTS(10) "client: {latency: 5ms, timeout: 2ms, retry: {attempts: 3, base: 0s}}\n");
    ck_assert_uint_eq(result.total.offered, 200);
    ck_assert_uint_eq(result.total.gave_up, 200);
    ck_assert_uint_eq(result.total.attempts, 600);
    ck_assert_uint_eq(result.total.admitted, 600);
    ck_assert_uint_eq(result.total.timed_out, 600);
    ck_assert_uint_eq(result.total.lost_replies, 600);
    ck_assert_int_eq(result.consumed_wncu, 600 * NCU_PER_CU);
}
END_TEST

/* The put behind a lost reply has changed the item: the put that must find none fails on retry. */
START_TEST(a_lost_reply_has_changed_the_item) {
    const struct test_run result =
        run(1000, 300,
            "workload:\n  - {name: w, operation: PutItem, rate: 10, arrivals: uniform,\n"
            "     item: {PK: \"K{seq}\"}, item_size: 1KB, condition: attribute_not_exists,\n"
            "     exists: false}\n"
            "client: {latency: 5ms, errors: {probability: 1, lost_replies: 1, to: 10s},\n"
            "  retry: {attempts: 100, base: 1s, multiplier: 1, jitter: none}}\n");
    ck_assert_uint_gt(result.total.condition_failed, 90);
    ck_assert_uint_eq(result.total.succeeded, 100);
}
END_TEST

START_TEST(calls_beyond_the_connections_wait_their_turn) {
    /* Little: 100 a second for 100 ms each keep 10 connections busy, and no more */
    const struct test_run enough =
        run(1000, 300, PUTS(100) "client: {latency: 100ms, connections: 10, retry: none}\n");
    ck_assert_uint_eq(enough.total.succeeded, 2000);
    ck_assert_uint_eq(enough.total.queued, 0);
    ck_assert_double_eq_tol(enough.latency_ms_max, 100, 1);
    /* half of them carry half of it: the i-th waits as long as it takes to arrive */
    const struct test_run half =
        run(1000, 300, PUTS(100) "client: {latency: 100ms, connections: 5, retry: none}\n");
    ck_assert_uint_eq(half.total.attempts, 1000);
    ck_assert_uint_eq(half.in_flight, 1000);
    ck_assert_uint_eq(half.total.throttled, 0);
    ck_assert_double_eq_tol(half.latency_ms_max, 10000, 200);
    ck_assert_uint_eq(half.total.queued, 1000 - 5);
    ck_assert_double_eq_tol((double)half.total.queued_ns / 1e9, 1000 * 5.0, 50);
    /* and with two client objects all of it */
    const struct test_run two = run(
        1000, 300, PUTS(100) "client: {count: 2, latency: 100ms, connections: 5, retry: none}\n");
    ck_assert_uint_eq(two.total.queued, 0);
}
END_TEST

START_TEST(a_call_that_waits_for_its_retry_holds_no_connection) {
    /* one put finds no capacity and waits 800 ms; the read that comes meanwhile is sent at once */
    const struct test_run result =
        run(1, 0,
            "workload:\n"
            "  - {name: put, operation: PutItem, rate: 1, arrivals: uniform, stop: 100ms,\n"
            "     item: {PK: a}, item_size: 1KB}\n"
            "  - {name: get, operation: GetItem, rate: 1, arrivals: uniform, start: 500ms,\n"
            "     stop: 600ms, item: {PK: b}, item_size: 1KB}\n"
            "client: {latency: 1ms, connections: 1,\n"
            "  retry: {attempts: 9, base: 800ms, jitter: none}}\n");
    ck_assert_uint_eq(result.total.succeeded, 2);
    ck_assert_uint_gt(result.total.throttled, 0);
    ck_assert_uint_eq(result.total.queued, 0);
}
END_TEST

START_TEST(each_client_object_has_a_quota_of_its_own) {
    for (int count = 1; count <= 4; count *= 2) {
        const struct test_run result =
            run(1000, 300,
                PUTS(100) "client: {count: %d, latency: 1ms, errors: {probability: 1},\n"
                          "  retry: {profile: aws-sdk-2026, base: 0s}}\n",
                count);
        /* 500 / 14: 35 retries an object, and then none; each call that may not retry is stopped */
        ck_assert_uint_eq(result.total.retries, 35 * (uint64_t)count);
        ck_assert_uint_eq(result.total.attempts, 2000 + 35 * (uint64_t)count);
        ck_assert_uint_eq(result.total.quota_stops, 2000 - 11 * (uint64_t)count);
        ck_assert_uint_eq(result.total.gave_up, 2000);
    }
}
END_TEST

/* One token. At 2 s a refused put takes it. At 2.5 s what the batch of 1 s handed back is served,
 * which is a success at the first try and gives a token, so the put of 4 s may retry too. */
START_TEST(what_a_batch_hands_back_is_a_call_of_its_own_for_the_quota) {
    const struct test_run result =
        run(1, 0,
            "workload:\n  - {name: a, operation: BatchWriteItem, batch: 2, rate: 0.1,\n"
            "     start: 1s, stop: 5s, arrivals: uniform, item: {PK: \"K{seq}\"}, item_size: 1KB}\n"
            "  - {name: b, operation: PutItem, rate: 0.5, stop: 5s, arrivals: uniform,\n"
            "     item: {PK: B}, item_size: 100KB}\n"
            "client: {latency: 1ms, retry: {attempts: 2, base: 1500ms, multiplier: 1,\n"
            "  jitter: none, quota: {capacity: 1, throttle: 1}}}\n");
    ck_assert_uint_eq(result.total.succeeded, 1);
    ck_assert_uint_eq(result.total.gave_up, 3);
    ck_assert_uint_eq(result.total.attempts, 2 + 1 + 3 * 2);
    ck_assert_uint_eq(result.total.quota_stops, 0);
}
END_TEST

/* 1,500 calls a second for 1,000: the limiter takes the load down to what is served. */
START_TEST(adaptive_clients_are_refused_less_than_standard_ones) {
    static const char format[] =
        PUTS(1500) "client: {count: 4, latency: 5ms, retry: {profile: %s, quota: none}}\n";
    const struct test_run standard = run(1000, 0, format, "aws-sdk-standard");
    const struct test_run adaptive = run(1000, 0, format, "aws-sdk-adaptive");
    ck_assert_uint_eq(standard.total.held_back, 0);
    ck_assert_uint_gt(adaptive.total.held_back, 1000);
    ck_assert_double_gt((double)standard.total.throttled / (double)standard.total.attempts, 0.4);
    ck_assert_double_lt((double)adaptive.total.throttled / (double)adaptive.total.attempts, 0.1);
    ck_assert_double_gt((double)adaptive.total.admitted, 0.75 * (double)standard.total.admitted);
}
END_TEST

/* Client objects that share nothing change nothing: two ways through the code, one result. */
START_TEST(client_objects_without_limits_change_nothing) {
    static const char *const retries[] = {"none", "botocore-legacy", "aws-sdk-go-v1",
                                          "aws-sdk-java-v2",
                                          "{attempts: 6, base: 20ms, jitter: equal}"};
    static const char format[] =
        "fields: {p: {zipf: {n: 1000, s: 1.1}}}\nworkload:\n"
        "  - {name: w, operation: UpdateItem, rate: 400, item: {PK: \"P{p}\"}, item_size: 3KB}\n"
        "  - {name: g, operation: GetItem, rate: 90, item: {PK: \"P{each 3}\"}, item_size: 9KB}\n"
        "client: {count: 3, retry: %s, latency: {lognormal: {median: 3ms, p99: 90ms}}%s}\n";
    const struct test_run alone = run(300, 2, format, retries[_i], "");
    const struct test_run shared = run(300, 2, format, retries[_i], ", connections: 1000000");
    ck_assert_uint_gt(alone.total.throttled, 100);
    ck_assert_str_eq(alone.digest, shared.digest);
    ck_assert_str_eq(alone.arrivals_digest, shared.arrivals_digest);
    ck_assert_uint_eq(alone.total.succeeded, shared.total.succeeded);
    ck_assert_double_eq(alone.latency_ms_max, shared.latency_ms_max);
    ck_assert_double_eq(alone.latency_ms_p50, shared.latency_ms_p50);
}
END_TEST

START_TEST(errors_shift_no_arrivals) {
    static const char format[] =
        "fields: {p: {zipf: {n: 1000, s: 1.1}}}\nworkload:\n"
        "  - {name: w, operation: UpdateItem, rate: 400, item: {PK: \"P{p}\"}, item_size: 1KB}\n"
        "client: {retry: aws-sdk-2026%s}\n";
    const struct test_run without = run(300, 2, format, "");
    const struct test_run with = run(300, 2, format, ", errors: {probability: 0.2}");
    ck_assert_str_eq(without.arrivals_digest, with.arrivals_digest);
    ck_assert_str_ne(without.digest, with.digest);
}
END_TEST

/* Sums of design §3 are checked inside every run; here clients of every kind get them wrong if they
 * can. */
START_TEST(random_clients_keep_every_invariant) {
    const uint64_t seed = (uint64_t)_i;
    uint64_t draws[12];
    for (uint64_t i = 0; i < 12; i++) {
        draws[i] = hash_draw(71, seed, i) >> 8;
    }
    static const char *const arrivals[] = {"rate: 300, arrivals: poisson",
                                           "rate: 300, arrivals: uniform",
                                           "arrivals: {closed: {clients: 7, think: 2ms}}"};
    static const char *const keys[] = {"K{seq}", "K{each 3}", "K{random % 5}"};
    char retry[64], limits[256] = "";
    int used = 0;
    (void)snprintf(retry, sizeof retry, "{profile: %s, attempts: %d}",
                   retry_policy_profile_name((enum retry_profile)(draws[0] % RETRY_CUSTOM)),
                   (int)(1 + draws[1] % 6));
    if (draws[2] % 2 == 0) {
        used += snprintf(limits + used, sizeof limits - (size_t)used, ", connections: %d",
                         (int)(1 + draws[3] % 4));
    }
    if (draws[4] % 2 == 0) {
        used += snprintf(limits + used, sizeof limits - (size_t)used, ", timeout: %dms",
                         (int)(1 + draws[5] % 20));
    }
    if (draws[6] % 2 == 0) {
        (void)snprintf(limits + used, sizeof limits - (size_t)used,
                       ", errors: {probability: 0.%d, lost_replies: 0.%d, from: 2s, to: 9s}",
                       (int)(draws[7] % 9), (int)(draws[8] % 9));
    }
    const struct test_run result =
        run(150, (int)(draws[9] % 3),
            "workload:\n  - {name: a, operation: PutItem, %s, item: {PK: \"%s\"}, item_size: 1KB}\n"
            "  - {name: b, operation: GetItem, rate: 100, item: {PK: \"K{seq}\"}, item_size: 5KB}\n"
            "client: {count: %d, retry: %s%s}\n",
            arrivals[draws[10] % 3], keys[draws[11] % 3], (int)(1 + draws[3] % 5), retry, limits);
    ck_assert_msg(result.total.offered == result.total.succeeded + result.total.gave_up +
                                              result.total.condition_failed + result.in_flight,
                  "seed %d: offered and ended differ", _i);
    ck_assert_msg(result.total.attempts ==
                      result.total.admitted + result.total.throttled + result.total.errored,
                  "seed %d: attempts and fates differ", _i);
    ck_assert_uint_gt(result.total.offered, 0);
    ck_assert_uint_ge(result.total.admitted,
                      result.total.succeeded + result.total.condition_failed);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/simulation_client");
    TCase *tcase = tcase_create("clients");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, attempts_and_failures_follow_the_geometric_law, 0, 12);
    tcase_add_test(tcase, a_timed_out_attempt_has_consumed_and_is_sent_again);
    tcase_add_test(tcase, a_lost_reply_has_changed_the_item);
    tcase_add_test(tcase, calls_beyond_the_connections_wait_their_turn);
    tcase_add_test(tcase, a_call_that_waits_for_its_retry_holds_no_connection);
    tcase_add_test(tcase, each_client_object_has_a_quota_of_its_own);
    tcase_add_test(tcase, what_a_batch_hands_back_is_a_call_of_its_own_for_the_quota);
    tcase_add_test(tcase, adaptive_clients_are_refused_less_than_standard_ones);
    tcase_add_loop_test(tcase, client_objects_without_limits_change_nothing, 0, 5);
    tcase_add_test(tcase, errors_shift_no_arrivals);
    tcase_add_loop_test(tcase, random_clients_keep_every_invariant, 0, 80);
    return suite_run(suite);
}
