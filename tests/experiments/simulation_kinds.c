/* Operations that are more than one item and one call: what a run makes of them. */
#include "sim/random.h"
#include "tests/experiments/run.h"
#include "tests/suite.h"

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

/* The table's mean of 1,023.6 B is for writes, and for reads that do not say. */
START_TEST(reads_find_items_as_large_as_they_say) {
    static const char format[] =
        "name: t\nduration: 10s\ntables:\n  - TableName: users\n"
        "    ProvisionedThroughput: {ReadCapacityUnits: 100, WriteCapacityUnits: 100}\n"
        "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
        "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
        "    ItemCount: 1000\n    TableSizeBytes: %d\n"
        "workload:\n  - {name: w, operation: %s, rate: 10, arrivals: uniform,\n"
        "     item: {PK: \"U{seq}\"}%s}\n";
    static const struct {
        const char *operation, *rest;
        int table_bytes, rcu, wcu;
    } cases[] = {
        {"GetItem", ", ConsistentRead: true, item_size: 9KB", 1023600, 300, 0},
        {"GetItem", ", ConsistentRead: true", 4095600, 100, 0},
        {"GetItem", ", ConsistentRead: true", 4096600, 200, 0},
        {"DeleteItem", ", item_size: 9KB", 1023600, 0, 900},
        {"UpdateItem", ", item_size: 100B", 1024400, 0, 100},
        {"UpdateItem", ", item_size: 100B", 1024600, 0, 200},
        {"UpdateItem", ", item_size: 9KB", 1023600, 0, 900},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, format, cases[i].table_bytes, cases[i].operation,
                       cases[i].rest);
        const struct test_run result = run(text);
        ck_assert_int_eq(result.consumed_rncu, cases[i].rcu * NCU_PER_CU);
        ck_assert_int_eq(result.consumed_wncu, cases[i].wcu * NCU_PER_CU);
    }
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

/* create → claim → finish: each step begins with what the one before has left behind. */
START_TEST(steps_share_the_fields_of_their_operation) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "fields: {job: {sequence: {}}}\nworkload:\n"
                                 "  - name: create\n    operation: PutItem\n    rate: 10\n"
                                 "    arrivals: uniform\n    stop: 10s\n"
                                 "    item: {PK: \"JOB{job}\", SK: job}\n    item_size: 1KB\n"
                                 "    condition: attribute_not_exists\n    then:\n"
                                 "      - {name: claim, operation: UpdateItem, delay: 2s,\n"
                                 "         item: {PK: \"JOB{job}\", SK: job}, item_size: 2KB,\n"
                                 "         condition: attribute_exists}\n"
                                 "      - {name: finish, operation: DeleteItem, delay: 3s,\n"
                                 "         item: {PK: \"JOB{job}\", SK: job}, item_size: 2KB,\n"
                                 "         condition: attribute_exists}\n"
                                 "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 300);
    ck_assert_uint_eq(result.total.succeeded, 300); /* so every step has found its item */
    ck_assert_uint_eq(result.in_flight, 0);
    ck_assert_int_eq(result.consumed_wncu, (100 + 200 + 200) * NCU_PER_CU);
    ck_assert_uint_eq(result.keys, 100);
    /* 9.9 s, three responses of 10 ms, 2 s and 3 s between them */
    ck_assert_double_eq_tol(result.duration_s, 14.93, 1e-9);
}
END_TEST

START_TEST(a_step_follows_success_alone_and_at_its_probability) {
    static const char format[] =
        TABLE(1, 1000, 4000) "duration: 100s\nworkload:\n"
                             "  - name: a\n    operation: PutItem\n    rate: 100\n"
                             "    arrivals: uniform\n    stop: 90s\n"
                             "    item: {PK: \"A{seq}\", SK: x}\n    item_size: 1KB\n"
                             "    condition: {fails: %s}\n    then:\n"
                             "      - {name: b, operation: GetItem, probability: %s,\n"
                             "         item: {PK: \"A{seq}\", SK: x}, item_size: 1KB}\n"
                             "      - {name: c, operation: GetItem,\n"
                             "         item: {PK: \"A{seq}\", SK: y}, item_size: 1KB}\n";
    static const struct {
        const char *fails, *probability;
        uint64_t least, most; /* operations of all three */
    } cases[] = {
        {"0", "1", 27000, 27000},
        {"0", "0", 9000, 9000},
        {"1", "1", 9000, 9000},
        {"0", "0.25", 9000 + 2 * 2127, 9000 + 2 * 2373}, /* three standard deviations */
        {"0.25", "1", 9000 + 2 * 6627, 9000 + 2 * 6873},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        (void)snprintf(text, sizeof text, format, cases[i].fails, cases[i].probability);
        const struct test_run result = run(text);
        ck_assert_msg(result.total.offered >= cases[i].least &&
                          result.total.offered <= cases[i].most,
                      "case %zu: %llu", i, (unsigned long long)result.total.offered);
    }
}
END_TEST

/* Each client: 10 ms, 100 ms of waiting, 10 ms, 80 ms of thinking. */
START_TEST(a_closed_loop_waits_for_the_whole_chain) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "duration: 10s\nworkload:\n"
                                 "  - name: a\n    operation: GetItem\n"
                                 "    arrivals: {closed: {clients: 2, think: 80ms}}\n"
                                 "    item: {PK: \"A{seq}\", SK: x}\n    item_size: 1KB\n"
                                 "    then:\n"
                                 "      - {name: b, operation: UpdateItem, delay: 100ms,\n"
                                 "         item: {PK: \"A{seq}\", SK: x}, item_size: 1KB}\n"
                                 "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 2 * 2 * 50);
    ck_assert_uint_eq(result.keys, 100);
}
END_TEST

START_TEST(what_follows_a_chain_waits_for_its_last_step) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "workload:\n"
                                 "  - name: a\n    operation: PutItem\n    rate: 1\n"
                                 "    arrivals: uniform\n    stop: 500ms\n"
                                 "    item: {PK: A, SK: x}\n    item_size: 1KB\n    then:\n"
                                 "      - {name: b, operation: DeleteItem, delay: 20s,\n"
                                 "         item: {PK: A, SK: x}, item_size: 1KB}\n"
                                 "  - {name: c, operation: GetItem, rate: 1, arrivals: uniform,\n"
                                 "     after: a + 5s, stop: 26s, item: {PK: A, SK: x},\n"
                                 "     item_size: 1KB}\n"
                                 "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 3);
    ck_assert_double_eq_tol(result.duration_s, 25.03, 1e-9);
}
END_TEST

START_TEST(steps_leave_the_draws_of_their_operation_alone) {
    static const char format[] =
        TABLE(4, 8000, 4000) "duration: 20s\nfields: {p: {zipf: {n: 100, s: 1.1}}}\nworkload:\n"
                             "  - name: a\n    operation: PutItem\n    rate: 300\n"
                             "    item: {PK: \"A{p}{random %% 3}\", SK: x}\n"
                             "    item_size: {uniform: {min: 100B, max: 3KB}}\n%s";
    char plain[1024], chained[2048];
    (void)snprintf(plain, sizeof plain, format, "");
    (void)snprintf(chained, sizeof chained, format,
                   "    then:\n      - {name: b, operation: UpdateItem,\n"
                   "         delay: {exponential: {mean: 2s}}, item: {PK: \"B{p}{random % 7}\",\n"
                   "         SK: \"{each 2}\"}, item_size: {uniform: {min: 1KB, max: 2KB}}}\n");
    const struct test_run one = run(plain), both = run(chained);
    ck_assert_uint_gt(both.total.offered, one.total.offered);
    ck_assert_uint_gt(both.keys, one.keys + 300);
    ck_assert_uint_eq(both.total.throttled, 0);
    const struct test_run again = run(chained);
    ck_assert_str_eq(both.digest, again.digest);
}
END_TEST

START_TEST(a_batch_is_one_operation_of_consecutive_draws) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "duration: 10s\nworkload:\n"
                                 "  - {name: w, operation: BatchWriteItem, batch: 25, rate: 10,\n"
                                 "     arrivals: uniform, item: {PK: \"A{seq}\", SK: x},\n"
                                 "     item_size: 1.5KB}\n"
                                 "  - {name: r, operation: BatchGetItem, batch: 10, rate: 10,\n"
                                 "     arrivals: uniform, start: 5s,\n"
                                 "     item: {PK: \"A{seq}\", SK: x}, item_size: 1KB}\n"
                                 "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 150);
    ck_assert_uint_eq(result.total.succeeded, 150);
    ck_assert_uint_eq(result.total.calls, 150);
    ck_assert_uint_eq(result.total.attempts, 2500 + 500);
    ck_assert_uint_eq(result.keys, 2500); /* the reads are of the first 500 of them */
    ck_assert_int_eq(result.consumed_wncu, 5000 * NCU_PER_CU);
    ck_assert_int_eq(result.consumed_rncu, 250 * NCU_PER_CU);
    ck_assert_double_eq_tol(result.latency_ms_max, 10, 0.1);
}
END_TEST

START_TEST(a_key_drawn_twice_is_sent_once) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "duration: 10s\nfields: {k: {uniform: {n: 2}}}\nworkload:\n"
                                 "  - {name: w, operation: BatchWriteItem, batch: 25, rate: 10,\n"
                                 "     arrivals: uniform, item: {PK: \"A{k}\", SK: x},\n"
                                 "     item_size: 1KB}\n");
    ck_assert_uint_eq(result.total.calls, 100);
    ck_assert_uint_eq(result.total.attempts, 200);
}
END_TEST

/* 10 units are saved, 1 is earned a second: one batch of 25 comes back with 15 members. */
START_TEST(members_that_are_refused_come_back_and_are_sent_again) {
    static const char format[] = TABLE(
        1, 10, 1) "duration: 60s\nmodel: {routers: 0, burst_initial_s: 10}\nworkload:\n"
                  "  - {name: w, operation: BatchWriteItem, batch: 25, rate: 1, stop: 500ms,\n"
                  "     arrivals: uniform, item: {PK: \"A{seq}\", SK: x}, item_size: 1KB}\n"
                  "client: {latency: 10ms, retry: %s}\n";
    char text[1024];
    (void)snprintf(text, sizeof text, format, "none");
    const struct test_run once = run(text);
    ck_assert_uint_eq(once.total.calls, 1);
    ck_assert_uint_eq(once.total.throttled_calls, 0); /* a part of it was served */
    ck_assert_uint_eq(once.total.attempts, 25);
    ck_assert_uint_eq(once.total.gave_up, 1);
    ck_assert_uint_eq(once.total.unprocessed, 15);
    (void)snprintf(text, sizeof text, format, "botocore-legacy");
    const struct test_run retried = run(text);
    /* sent again after 0.05 … 12.8 s, the last at 25.6 s: all 15 have been served by then */
    ck_assert_uint_eq(retried.total.succeeded, 1);
    ck_assert_uint_eq(retried.total.admitted, 25);
    ck_assert_uint_eq(retried.total.unprocessed, 0);
    ck_assert_uint_gt(retried.total.throttled_calls, 0);
    ck_assert_uint_lt(retried.total.throttled_calls, retried.total.calls);
    ck_assert_double_gt(retried.latency_ms_max, 12800);
}
END_TEST

START_TEST(a_batch_fails_as_a_whole_when_all_its_members_are_refused) {
    struct test_run result =
        run(TABLE(1, 10, 1) "duration: 10s\nmodel: {routers: 0, burst_initial_s: 1}\nworkload:\n"
                            "  - {name: w, operation: BatchWriteItem, batch: 4, rate: 10,\n"
                            "     arrivals: uniform, item: {PK: \"A{seq}\", SK: x},\n"
                            "     item_size: 1KB}\n"
                            "client: {retry: none}\n");
    ck_assert_uint_eq(result.total.calls, 100);
    /* one unit a second: its batch is served in part, the nine others not at all */
    ck_assert_uint_eq(result.total.throttled_calls, 90);
    ck_assert_uint_eq(result.total.gave_up, 100);
    ck_assert_uint_eq(result.total.unprocessed, 30);
    ck_assert_uint_eq(result.events[REASON_TABLE_WRITE_PROVISIONED], 390);
}
END_TEST

/* Lost requests and replies: a batch whose response is lost is sent again in full. */
START_TEST(a_batch_whose_reply_is_lost_is_sent_again_whole) {
    struct test_run result =
        run(TABLE(1, 1000, 1000) "duration: 100s\nworkload:\n"
                                 "  - {name: w, operation: BatchWriteItem, batch: 10, rate: 10,\n"
                                 "     arrivals: uniform, item: {PK: \"A{seq}\", SK: x},\n"
                                 "     item_size: 1KB}\n"
                                 "client: {retry: botocore-legacy,\n"
                                 "  errors: {probability: 0.5, lost_replies: 1}}\n");
    ck_assert_uint_eq(result.total.offered, 1000);
    ck_assert_uint_eq(result.total.attempts, 10 * result.total.calls);
    ck_assert_uint_eq(result.total.admitted, result.total.attempts);
    ck_assert_uint_eq(result.total.unprocessed, 0);
    ck_assert_uint_eq(result.total.errored_calls, 0); /* the service has served them */
    /* two calls an operation, give or take three standard deviations */
    ck_assert_uint_ge(result.total.calls, 1865);
    ck_assert_uint_le(result.total.calls, 2135);
}
END_TEST

#define ITEMS(partitions, rcu)                                                                     \
    "name: t\ntables:\n  - TableName: items\n"                                                     \
    "    ProvisionedThroughput: {ReadCapacityUnits: " #rcu ", WriteCapacityUnits: 100}\n"          \
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"                          \
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"                                        \
    "    ItemCount: 5000\n    TableSizeBytes: 5209783\n    state: {Partitions: " #partitions "}\n"

START_TEST(a_scan_is_one_operation_of_as_many_calls_as_pages) {
    const struct test_run result =
        run(ITEMS(1, 3000) "duration: 10s\nworkload:\n"
                           "  - {name: s, operation: Scan, rate: 1, arrivals: uniform}\n"
                           "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.offered, 10);
    ck_assert_uint_eq(result.total.succeeded, 10);
    ck_assert_uint_eq(result.total.attempts, 50);
    ck_assert_uint_eq(result.total.calls, 50);
    ck_assert_int_eq(result.consumed_rncu, 6380 * NCU_PER_CU);
    ck_assert_uint_eq(result.keys, 0);
    ck_assert_double_eq_tol(result.latency_ms_max, 50, 0.5); /* one page after another */
}
END_TEST

START_TEST(segments_are_read_side_by_side) {
    const struct test_run result =
        run(ITEMS(8, 3000) "duration: 10s\nworkload:\n"
                           "  - {name: s, operation: Scan, rate: 1, arrivals: uniform,\n"
                           "     TotalSegments: 8, Limit: 100, page_delay: 10ms}\n"
                           "client: {latency: 10ms}\n");
    ck_assert_uint_eq(result.total.succeeded, 10);
    ck_assert_uint_eq(result.total.attempts, 10 * 8 * 7); /* 625 items each */
    ck_assert_double_eq_tol(result.latency_ms_max, 7 * 10 + 6 * 10, 1);
}
END_TEST

/* A page that is refused is asked for again, and none is left out. */
START_TEST(a_refused_page_is_read_later) {
    const struct test_run result = run(
        ITEMS(1, 100) "duration: 1m\nmodel: {routers: 0, burst_initial_s: 0}\nworkload:\n"
                      "  - {name: s, operation: Scan, arrivals: {closed: {clients: 1}},\n"
                      "     stop: 1ms}\n"
                      "client: {latency: 10ms, retry: {attempts: 100, base: 100ms, cap: 1s}}\n");
    ck_assert_uint_eq(result.total.succeeded, 1);
    ck_assert_uint_eq(result.total.admitted, 5);
    ck_assert_uint_gt(result.total.throttled, 3);
    ck_assert_int_eq(result.consumed_rncu, 638 * NCU_PER_CU);
}
END_TEST

/* Sums of design §3 are checked inside every run; here they meet all kinds of operations. */
START_TEST(random_kinds_keep_every_invariant) {
    static const char *const clients[] = {
        "{retry: none}",
        "{retry: botocore-legacy}",
        "{count: 3, retry: aws-sdk-2026, connections: 2}",
        "{count: 2, retry: aws-sdk-adaptive, timeout: 5ms}",
        "{retry: aws-sdk-2026, errors: {probability: 0.2, lost_replies: 0.5}, timeout: 20ms}",
    };
    static const char *const operations[] = {
        "operation: Query, returns: {items: 3000, item_size: 1KB}, item: {PK: \"K{each 2}{f}\"}",
        "operation: BatchWriteItem, batch: 7, item: {PK: \"K{f}\", SK: \"{f}\"}, item_size: 2KB",
        "operation: BatchGetItem, batch: 9, item: {PK: \"K{f}\", SK: \"{seq}\"}, item_size: 5KB",
        "operation: PutItem, item: {PK: \"K{f}\", SK: a}, item_size: 1KB, condition: "
        "attribute_not_exists, then: [{name: s, operation: UpdateItem, delay: 100ms, probability: "
        "0.7, item: {PK: \"K{f}\", SK: \"{each 2}\"}, item_size: 2KB, condition: {fails: 0.3}}, "
        "{name: t, operation: Query, item: {PK: \"K{f}\"}, returns: {items: 5, item_size: 1KB}}]",
        "operation: Scan, TotalSegments: 3, Limit: 20, page_delay: 2ms",
        "operation: TransactWriteItems, batch: 4, deletes: 0.2, item: {PK: \"K{f}\", SK: \"{f}\"}, "
        "item_size: 1KB, condition: {fails: 0.05}",
        "operation: TransactGetItems, batch: 6, item: {PK: \"K{f}\", SK: \"{seq}\"}, item_size: "
        "5KB",
    };
    static const char *const arrivals[] = {"rate: 60", "rate: 60, arrivals: uniform",
                                           "rate: 60, arrivals: {bursty: {on: 1s, off: 4s}}",
                                           "arrivals: {closed: {clients: 5, think: 10ms}}"};
    char text[4096];
    const unsigned i = (unsigned)_i;
    (void)snprintf(text, sizeof text,
                   TABLE(3, 300, 100) "duration: 30s\nfields: {f: {zipf: {n: 50, s: 1.1}}}\n"
                                      "model: {routers: %u, burst_initial_s: %u}\nworkload:\n"
                                      "  - {name: a, %s, %s}\n"
                                      "  - {name: b, operation: GetItem, rate: 40, item: {PK: "
                                      "\"K{f}\", SK: a}, item_size: 1KB}\nclient: %s\n",
                   i % 3 * 4, i % 7 * 20, arrivals[i / 7 % 4], operations[i % 7],
                   clients[i / 2 % 5]);
    const struct test_run result = run(text);
    const struct workload_bin *total = &result.total;
    ck_assert_uint_eq(total->offered, total->succeeded + total->gave_up + total->rejected +
                                          total->condition_failed + result.in_flight);
    ck_assert_uint_eq(total->attempts, total->admitted + total->throttled + total->errored);
    ck_assert_uint_ge(total->calls, total->throttled_calls + total->errored_calls);
    ck_assert_uint_gt(total->offered, 1000);
    ck_assert_str_eq(result.digest, run(text).digest);
}
END_TEST

static Suite *suite(void) {
    Suite *suite = suite_create("experiments/simulation_kinds");
    TCase *tcase = tcase_create("kinds");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_query_is_one_operation_of_as_many_calls_as_pages);
    tcase_add_test(tcase, one_burst_absorbs_a_scan_of_five_pages_and_not_twelve);
    tcase_add_test(tcase, a_scan_is_one_operation_of_as_many_calls_as_pages);
    tcase_add_test(tcase, segments_are_read_side_by_side);
    tcase_add_test(tcase, a_refused_page_is_read_later);
    tcase_add_test(tcase, a_scattered_query_reads_each_shard_in_full);
    tcase_add_test(tcase, a_query_meets_the_keys_of_the_writes);
    tcase_add_test(tcase, without_a_sort_key_a_query_finds_the_item);
    tcase_add_test(tcase, reads_find_items_as_large_as_they_say);
    tcase_add_test(tcase, a_failed_condition_is_paid_for_and_not_tried_again);
    tcase_add_test(tcase, conditions_on_values_fail_at_their_share);
    tcase_add_test(tcase, of_several_members_the_worst_fate_is_the_operations);
    tcase_add_test(tcase, steps_share_the_fields_of_their_operation);
    tcase_add_test(tcase, a_step_follows_success_alone_and_at_its_probability);
    tcase_add_test(tcase, a_closed_loop_waits_for_the_whole_chain);
    tcase_add_test(tcase, what_follows_a_chain_waits_for_its_last_step);
    tcase_add_test(tcase, steps_leave_the_draws_of_their_operation_alone);
    tcase_add_test(tcase, a_batch_is_one_operation_of_consecutive_draws);
    tcase_add_test(tcase, a_key_drawn_twice_is_sent_once);
    tcase_add_test(tcase, members_that_are_refused_come_back_and_are_sent_again);
    tcase_add_test(tcase, a_batch_fails_as_a_whole_when_all_its_members_are_refused);
    tcase_add_test(tcase, a_batch_whose_reply_is_lost_is_sent_again_whole);
    tcase_add_loop_test(tcase, random_kinds_keep_every_invariant, 0, 80);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void) {
    return suite_run(suite());
}
