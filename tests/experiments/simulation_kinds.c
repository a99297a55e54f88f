/* Operations that are more than one item and one call: what a run makes of them. */
#include "sim/random.h"
#include "tests/experiments/run.h"

#include <check.h>
#include <stdio.h>

/* A table with a sort key, of `partitions` partitions and the provisioned rates. */
#define TABLE(partitions, rcu, wcu)                                                                \
    "name: t\nsource: test\ntables:\n  - TableName: events\n    ProvisionedThroughput: "           \
    "{ReadCapacityUnits: " #rcu ", WriteCapacityUnits: " #wcu "}\n    AttributeDefinitions:\n"     \
    "      - {AttributeName: PK, AttributeType: S}\n      - {AttributeName: SK, AttributeType: "   \
    "S}\n    KeySchema:\n      - {AttributeName: PK, KeyType: HASH}\n"                             \
    "      - {AttributeName: SK, KeyType: RANGE}\n    state: {Partitions: " #partitions "}\n"

static struct test_run run(const char *text) {
    return test_run_scenario(text, 7, 0);
}

/* 5,000 items of 1,042 B are five pages: four of 128.5 units and one of 124. */
START_TEST(a_query_is_one_operation_of_as_many_calls_as_pages) {
    struct test_run result =
        run(TABLE(1, 3000, 100) "duration: 10s\nworkload:\n"
                                "  - {name: q, operation: Query, rate: 1,\n"
                                "     arrivals: uniform, item: {PK: A},\n"
                                "     returns: {items: 5000, item_size: 1042B}}\n"
                                "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 10);
    ck_assert_uint_eq(result.total.succeeded, 10);
    ck_assert_uint_eq(result.total.attempts, 50);
    ck_assert_int_eq(result.consumed_rncu, 6380 * NCU_PER_CU);
    ck_assert_double_eq_tol(result.latency_ms_max, 50, 0.5); /* one page after another */
}
END_TEST

/* 12 scans of it need 7,656 units: 7,500 are saved, 25 a second are earned. */
START_TEST(one_burst_absorbs_a_scan_of_five_pages_and_not_twelve) {
    static const char format[] =
        TABLE(1, 25, 25) "model: {routers: 0}\nworkload:\n"
                         "  - {name: q, operation: Query, item: {PK: A}, stop: %d00ms,\n"
                         "     rate: 10, arrivals: uniform,\n"
                         "     returns: {items: 5000, item_size: 1042B}}\n"
                         "client: {latency: 1us, retry: none}\n";
    char text[1024];
    (void)snprintf(text, sizeof(text), format, 1);
    ck_assert_uint_eq(run(text).total.throttled, 0);
    (void)snprintf(text, sizeof(text), format, 13);
    ck_assert_uint_ge(run(text).total.throttled, 1);
}
END_TEST

START_TEST(a_scattered_query_reads_each_shard_in_full) {
    struct test_run result =
        run(TABLE(4, 12000, 100) "duration: 10s\nworkload:\n"
                                 "  - {name: q, operation: Query, rate: 1, arrivals: uniform,\n"
                                 "     item: {PK: \"S#{each 3}\"}, ConsistentRead: true,\n"
                                 "     returns: {items: 1500, item_size: 1KB}}\n"
                                 "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 10);
    ck_assert_uint_eq(result.total.attempts, 60); /* two pages each */
    ck_assert_int_eq(result.consumed_rncu, 10 * 3 * 375 * NCU_PER_CU);
    ck_assert_uint_eq(result.keys, 3);
    ck_assert_double_eq_tol(result.latency_ms_max, 20, 0.2);
}
END_TEST

START_TEST(a_query_meets_the_keys_of_the_writes) {
    struct test_run result =
        run(TABLE(4, 12000, 4000) "duration: 10s\nfields: {k: {uniform: {n: 50}}}\nworkload:\n"
                                  "  - {name: p, operation: PutItem, rate: 100,\n"
                                  "     item: {PK: \"K{k}\", SK: \"{seq}\"}, item_size: 1KB}\n"
                                  "  - {name: q, operation: Query, rate: 100,\n"
                                  "     item: {PK: \"K{k}\"},\n"
                                  "     returns: {items: 10, item_size: 1KB}}\n");
    ck_assert_uint_eq(result.keys, 50);
}
END_TEST

START_TEST(without_a_sort_key_a_query_finds_the_item) {
    static const char text[] =
        "name: t\nduration: 10s\ntables:\n  - TableName: users\n"
        "    ProvisionedThroughput: {ReadCapacityUnits: 100, WriteCapacityUnits: 100}\n"
        "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
        "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
        "workload:\n"
        "  - {name: q, operation: Query, rate: 10, arrivals: uniform, item: {PK: \"U{seq}\"},\n"
        "     returns: {items: 1, item_size: 9KB}}\n"
        "  - {name: g, operation: GetItem, rate: 10, arrivals: uniform, item: {PK: \"U{seq}\"},\n"
        "     start: 1s, item_size: 100B}\n";
    struct test_run result = run(text);
    ck_assert_uint_eq(result.keys, 100);
    /* the query met them first, at 9 KB each: 1.5 units, also for GetItem */
    ck_assert_int_eq(result.consumed_rncu, (100 + 90) * 3 * NCU_PER_CU / 2);
}
END_TEST

START_TEST(a_failed_condition_is_paid_for_and_not_tried_again) {
    struct test_run result = run(
        TABLE(1, 100, 1000) "duration: 10s\nworkload:\n"
                            "  - {name: once, operation: PutItem, rate: 10, arrivals: uniform,\n"
                            "     item: {PK: lock, SK: a}, item_size: 3KB,\n"
                            "     condition: attribute_not_exists}\n");
    ck_assert_uint_eq(result.total.offered, 100);
    ck_assert_uint_eq(result.total.succeeded, 1);
    ck_assert_uint_eq(result.total.condition_failed, 99);
    ck_assert_uint_eq(result.total.attempts, 100);
    ck_assert_uint_eq(result.total.admitted, 100);
    ck_assert_int_eq(result.consumed_wncu, 300 * NCU_PER_CU);
}
END_TEST

START_TEST(conditions_on_values_fail_at_their_share) {
    static const char text[] =
        TABLE(1, 100, 1000) "duration: 100s\nworkload:\n"
                            "  - {name: u, operation: UpdateItem, rate: 100, arrivals: uniform,\n"
                            "     item: {PK: \"{seq}\", SK: a}, item_size: 1KB,\n"
                            "     condition: {fails: 0.2}}\n";
    struct test_run result = run(text);
    /* 10,000 draws: three standard deviations are 120 */
    ck_assert_uint_ge(result.total.condition_failed, 1880);
    ck_assert_uint_le(result.total.condition_failed, 2120);
    ck_assert_uint_eq(result.total.succeeded + result.total.condition_failed, 10000);
    ck_assert_str_eq(result.digest, run(text).digest);
}
END_TEST

START_TEST(of_several_members_the_worst_fate_is_the_operations) {
    struct test_run result =
        run(TABLE(1, 100, 1000) "duration: 10s\nworkload:\n"
                                "  - {name: a, operation: PutItem, rate: 10, arrivals: uniform,\n"
                                "     item: {PK: \"A{each 3}\", SK: \"{seq}\"}, item_size: 1KB}\n"
                                "  - {name: b, operation: PutItem, rate: 10, arrivals: uniform,\n"
                                "     start: 5s, item: {PK: \"A{each 4}\", SK: \"{seq}\"},\n"
                                "     item_size: 1KB, condition: attribute_not_exists}\n");
    ck_assert_uint_eq(result.total.condition_failed, 50);
    ck_assert_uint_eq(result.total.succeeded, 100);
    ck_assert_int_eq(result.consumed_wncu, (300 + 200) * NCU_PER_CU);
}
END_TEST

static Suite *suite(void) {
    Suite *suite = suite_create("experiments/simulation_kinds");
    TCase *tcase = tcase_create("kinds");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_query_is_one_operation_of_as_many_calls_as_pages);
    tcase_add_test(tcase, one_burst_absorbs_a_scan_of_five_pages_and_not_twelve);
    tcase_add_test(tcase, a_scattered_query_reads_each_shard_in_full);
    tcase_add_test(tcase, a_query_meets_the_keys_of_the_writes);
    tcase_add_test(tcase, without_a_sort_key_a_query_finds_the_item);
    tcase_add_test(tcase, a_failed_condition_is_paid_for_and_not_tried_again);
    tcase_add_test(tcase, conditions_on_values_fail_at_their_share);
    tcase_add_test(tcase, of_several_members_the_worst_fate_is_the_operations);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void) {
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
