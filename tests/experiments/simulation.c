#include "experiments/simulation.h"

#include "sim/random.h"
#include "tests/experiments/run.h"
#include "tests/suite.h"

#include <check.h>
#include <stdio.h>

/* A table of `partitions` partitions and the provisioned rates, hash key PK. */
#define TABLE(partitions, rcu, wcu)                                                                \
    "name: t\nsource: test\nseed: 7\ntables:\n  - TableName: events\n    ProvisionedThroughput: "  \
    "{ReadCapacityUnits: " #rcu ", WriteCapacityUnits: " #wcu "}\n    AttributeDefinitions:\n"     \
    "      - {AttributeName: PK, AttributeType: S}\n    KeySchema:\n"                              \
    "      - {AttributeName: PK, KeyType: HASH}\n    state: {Partitions: " #partitions "}\n"

static struct test_run run(const char *text, uint64_t replication) {
    return test_run_scenario(text, 7, replication);
}

START_TEST(hot_counter_beyond_a_partitions_cap_loses_one_third) {
    struct test_run result =
        run(TABLE(50, 40000, 40000) "duration: 120s\n"
                                    "workload:\n"
                                    "  - {name: count, operation: UpdateItem, "
                                    "rate: 1500, arrivals: uniform,\n"
                                    "     item: {PK: counter}, item_size: 100B}\n"
                                    "client: {retry: none}\n",
            0);
    ck_assert_uint_eq(result.total.offered, 180000);
    /* one second of saved capacity, and 1,000/s until the last arrival at 119.9993 s */
    ck_assert_uint_eq(result.total.admitted, 120999);
    ck_assert_uint_eq(result.events[REASON_TABLE_WRITE_KEY_RANGE], 59001);
    ck_assert_uint_eq(result.total.gave_up, 59001);
}
END_TEST

START_TEST(equal_seeds_give_equal_digests_and_other_replications_do_not) {
    static const char text[] = TABLE(
        4, 4000,
        4000) "duration: 20s\nfields: {p: {zipf: {n: 10000, s: 0.99}}}\n"
              "workload:\n  - {name: w, operation: UpdateItem, rate: 3000, item: {PK: \"P{p}\"}, "
              "item_size: 200B}\n";
    struct test_run first = run(text, 0);
    struct test_run second = run(text, 0);
    struct test_run other = run(text, 1);
    ck_assert_str_eq(first.digest, second.digest);
    ck_assert_str_eq(first.arrivals_digest, second.arrivals_digest);
    ck_assert_str_ne(first.digest, other.digest);
    ck_assert_str_ne(first.arrivals_digest, other.arrivals_digest);
}
END_TEST

START_TEST(designs_that_differ_in_sharding_are_offered_the_same_arrivals) {
    static const char format[] = TABLE(
        8, 8000,
        8000) "duration: 10s\nfields: {p: {zipf: {n: 10000, s: 0.99}}}\n"
              "workload:\n  - {name: w, operation: UpdateItem, rate: 3000, item: {PK: \"%s\"}, "
              "item_size: 200B}\n";
    char one[1024];
    char many[1024];
    (void)snprintf(one, sizeof(one), format, "BOARD");
    (void)snprintf(many, sizeof(many), format, "BOARD#{hash(p) % 7}#{random % 3}");
    struct test_run first = run(one, 0);
    struct test_run second = run(many, 0);
    ck_assert_str_eq(first.arrivals_digest, second.arrivals_digest);
    ck_assert_str_ne(first.digest, second.digest);
    ck_assert_uint_gt(first.total.throttled, second.total.throttled);
}
END_TEST

START_TEST(fan_out_counts_one_operation_and_an_attempt_a_member) {
    struct test_run result =
        run(TABLE(4, 12000, 4000) "duration: 10s\nworkload:\n"
                                  "  - {name: w, operation: GetItem, rate: 100, "
                                  "arrivals: uniform, item: {PK: \"B#{each 5}\"},"
                                  " item_size: 200B}\n",
            0);
    ck_assert_uint_eq(result.total.offered, 1000);
    ck_assert_uint_eq(result.total.attempts, 5000);
    ck_assert_uint_eq(result.total.succeeded, 1000);
    ck_assert_uint_eq(result.keys, 5);
}
END_TEST

START_TEST(fan_out_fails_when_one_member_is_given_up) {
    /* 4 members of 200 operations/s at one unit each on 1 RCU: nearly all are refused */
    struct test_run result =
        run(TABLE(1, 1, 1) "duration: 60s\nmodel: {routers: 0}\nworkload:\n"
                           "  - {name: w, operation: GetItem, rate: 20, "
                           "ConsistentRead: true,\n     arrivals: uniform, item: "
                           "{PK: \"B#{each 4}\"}, item_size: 200B}\n"
                           "client: {retry: none}\n",
            0);
    ck_assert_uint_eq(result.total.attempts, 4800);
    ck_assert_uint_eq(result.total.admitted, 359);
    ck_assert_uint_eq(result.total.succeeded + result.total.gave_up, 1200);
    ck_assert_uint_le(result.total.succeeded, 359 / 4);
}
END_TEST

START_TEST(closed_loop_client_sends_one_call_a_latency_and_think_time) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "duration: 10s\nworkload:\n"
                                 "  - {name: w, operation: PutItem, arrivals: "
                                 "{closed: {clients: 2, think: 15ms}},\n"
                                 "     item: {PK: \"K{seq}\"}, item_size: 1KB}\n"
                                 "client: {latency: 5ms}\n",
            0);
    ck_assert_uint_eq(result.total.offered, 2 * 500);
    ck_assert_uint_eq(result.total.succeeded, 1000);
    ck_assert_double_eq_tol(result.latency_ms_p50, 5, 0.05);
}
END_TEST

/* validation.md, W2: a put refused k times in a row waits 0.05(2^k - 1) s besides its round trips.
 * */
START_TEST(botocore_legacy_waits_are_exact) {
    static const char text[] = TABLE(
        1, 1, 1) "duration: 100s\nmodel: {routers: 0, burst_initial_s: 0}\nworkload:\n"
                 "  - {name: w, operation: PutItem, arrivals: {closed: {clients: 1, think: 1h}},"
                 " item: {PK: \"K{seq}\"}, item_size: 1KB}\n"
                 "client: {latency: 1us, throttle_latency: 1us, retry: botocore-legacy}\n";
    struct test_run result = run(text, 0);
    /* the first unit is there after 1 s: refused at 0, 0.05, 0.15, 0.35, 0.75; admitted at 1.55 s
     * */
    ck_assert_uint_eq(result.total.attempts, 6);
    ck_assert_uint_eq(result.total.throttled, 5);
    ck_assert_double_eq_tol(result.latency_ms_max, 1550, 1550.0 / 128);
}
END_TEST

START_TEST(a_workload_after_another_starts_when_the_last_call_has_returned) {
    static const char text[] = TABLE(
        1, 100, 100) "duration: 60s\nworkload:\n"
                     "  - {name: first, operation: PutItem, rate: 10, arrivals: uniform, stop: "
                     "5s, item: {PK: \"A{seq}\"}, item_size: 1KB}\n"
                     "  - {name: then, operation: PutItem, rate: 10, arrivals: uniform, after: "
                     "first + 10s,\n     item: {PK: \"B{seq}\"}, item_size: 1KB}\n"
                     "client: {latency: 100ms}\n";
    struct test_run result = run(text, 0);
    /* the last of the first 50 is sent at 4.9 s and returns at 5 s */
    ck_assert_uint_eq(result.total.offered, 50 + 450);
}
END_TEST

START_TEST(without_duration_a_run_ends_with_its_last_operation) {
    static const char text[] =
        TABLE(1, 100, 100) "workload:\n"
                           "  - {name: w, operation: PutItem, rate: 10, arrivals: uniform,"
                           " stop: 5s, item: {PK: \"A{seq}\"}, item_size: 1KB}\n"
                           "client: {latency: 30ms}\n";
    struct test_run result = run(text, 0);
    ck_assert_uint_eq(result.in_flight, 0);
    /* sent at 4.9 s; means over whole seconds would be too low */
    ck_assert_double_eq_tol(result.duration_s, 4.93, 1e-9);
}
END_TEST

START_TEST(a_part_of_a_second_at_the_end_counts) {
    static const char text[] =
        TABLE(1, 100, 100) "duration: 1500ms\nworkload:\n"
                           "  - {name: w, operation: PutItem, rate: 10, arrivals: uniform,"
                           " item: {PK: \"A{seq}\"}, item_size: 1KB}\n";
    ck_assert_uint_eq(run(text, 0).total.offered, 15);
}
END_TEST

START_TEST(an_item_read_by_two_workloads_is_one_item) {
    static const char text[] = TABLE(
        1, 1000, 1000) "duration: 10s\nfields: {a: {uniform: {n: 20}}, b: {uniform: {n: 20}}}\n"
                       "workload:\n"
                       "  - {name: put, operation: PutItem, rate: 100, item: {PK: \"X{a}\"}, "
                       "item_size: 1KB}\n"
                       "  - {name: get, operation: GetItem, rate: 100, item: {PK: \"X{b}\"}, "
                       "item_size: 9KB}\n";
    ck_assert_uint_eq(run(text, 0).keys, 20);
}
END_TEST

/* Sums of design §3 are checked inside every run; here they get many kinds of runs. */
START_TEST(random_scenarios_keep_every_invariant) {
    static const char *const operations[] = {"GetItem", "PutItem", "UpdateItem", "DeleteItem"};
    static const char *const templates[] = {"K{f}", "K#{hash(f) % 3}", "K#{random % 4}",
                                            "K#{each 3}", "{now:%H:%M:%S}#{f}"};
    static const char *const arrivals[] = {"poisson", "uniform",
                                           "{closed: {clients: 3, think: 2ms}}"};
    struct random_name name = {.seed = (uint64_t)_i, .workload = "", .variable = "test"};
    struct random_stream stream;
    random_init(&stream, &name);
    uint64_t draws[9];
    for (size_t i = 0; i < 9; i++) {
        draws[i] = random_next(&stream) >> 8;
    }
    const char *kind = arrivals[draws[0] % 3];
    char rate[64] = "";
    if (draws[0] % 3 < 2) {
        (void)snprintf(rate, sizeof(rate), "rate: [[0s, 0], [10s, %u], [10s, 5]],",
                       (unsigned)(1 + draws[1] % 900));
    }
    char text[2048];
    (void)snprintf(
        text, sizeof(text),
        TABLE(3, 400, 100) "duration: 70s\nfields: {f: {zipf: {n: 500, s: 1.1}}}\n"
                           "model: {routers: %u, burst_initial_s: %u}\n"
                           "workload:\n"
                           "  - {name: a, operation: %s, %s arrivals: %s, item: {PK: \"%s\"},"
                           " item_size: {uniform: {min: 100B, max: %uB}}}\n"
                           "  - {name: b, operation: %s, rate: 50, item: {PK: \"%s\"},"
                           " item_size: 3KB}\n"
                           "client: {retry: %s}\n",
        (unsigned)(draws[2] % 9), (unsigned)(draws[3] % 301), operations[draws[4] % 4], rate, kind,
        templates[draws[5] % 5], (unsigned)(200 + draws[6] % 20000), operations[draws[7] % 4],
        templates[draws[8] % 5], draws[8] % 2 == 0 ? "none" : "botocore-legacy");
    struct test_run result = run(text, (uint64_t)_i);
    ck_assert_uint_eq(result.total.offered, result.total.succeeded + result.total.gave_up +
                                                result.total.rejected +
                                                result.total.condition_failed + result.in_flight);
    ck_assert_uint_eq(result.total.attempts,
                      result.total.admitted + result.total.throttled + result.total.errored);
    ck_assert_uint_gt(result.total.offered, 0);
}
END_TEST

static Suite *suite(void) {
    Suite *suite = suite_create("experiments/simulation");
    TCase *tcase = tcase_create("run");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, hot_counter_beyond_a_partitions_cap_loses_one_third);
    tcase_add_test(tcase, equal_seeds_give_equal_digests_and_other_replications_do_not);
    tcase_add_test(tcase, designs_that_differ_in_sharding_are_offered_the_same_arrivals);
    tcase_add_test(tcase, fan_out_counts_one_operation_and_an_attempt_a_member);
    tcase_add_test(tcase, fan_out_fails_when_one_member_is_given_up);
    tcase_add_test(tcase, closed_loop_client_sends_one_call_a_latency_and_think_time);
    tcase_add_test(tcase, botocore_legacy_waits_are_exact);
    tcase_add_test(tcase, a_workload_after_another_starts_when_the_last_call_has_returned);
    tcase_add_test(tcase, without_duration_a_run_ends_with_its_last_operation);
    tcase_add_test(tcase, a_part_of_a_second_at_the_end_counts);
    tcase_add_test(tcase, an_item_read_by_two_workloads_is_one_item);
    tcase_add_loop_test(tcase, random_scenarios_keep_every_invariant, 0, 60);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void) {
    return suite_run(suite());
}
