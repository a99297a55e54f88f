/* Indexes in whole runs: what a write gives stays with it on every way that it can go. */
#include "tests/experiments/run.h"

#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table with a global index by status; wcu of the table. */
static const char table[] =
    "tables:\n"
    "  - TableName: jobs\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 100, WriteCapacityUnits: %d}\n"
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S},\n"
    "                           {AttributeName: status, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "    state: {BurstSeconds: 1}\n"
    "    GlobalSecondaryIndexes:\n"
    "      - IndexName: byStatus\n"
    "        KeySchema: [{AttributeName: status, KeyType: HASH}]\n"
    "        Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [owner]}\n"
    "        ProvisionedThroughput: {ReadCapacityUnits: 50, WriteCapacityUnits: 1000}\n";

static struct test_run run(int wcu, const char *rest) {
    char text[4096];
    int length = snprintf(text, sizeof text, table, wcu);
    length += snprintf(text + length, sizeof text - (size_t)length, "%s", rest);
    ck_assert_int_lt(length, (int)sizeof text);
    return test_run_scenario(text, 3, 0);
}

/* Each item has a status of its own. What the second workload writes is what is there, if and only
 * if each put, however often it was refused and sent again, gave its own status. */
START_TEST(refused_writes_keep_what_they_give) {
    static const char *const retries[] = {"none", "botocore-legacy", "aws-sdk-2026"};
    static const char *const keys[] = {"J{seq}", "J{seq}#{each 3}"};
    for (size_t i = 0; i < sizeof retries / sizeof *retries; i++) {
        for (size_t k = 0; k < 2; k++) {
            char rest[2048];
            snprintf(
                rest, sizeof rest,
                "workload:\n"
                "  - {name: put, operation: PutItem, rate: 300, stop: 3s, item: {PK: \"%s\"},\n"
                "     item_size: 500B, attributes: {status: \"S{seq}\", owner: \"O{seq}\"}}\n"
                "  - {name: again, operation: UpdateItem, arrivals: {closed: {clients: 1}},\n"
                "     start: 60s, stop: 300s, item: {PK: \"%s\"}, item_size: 500B,\n"
                "     exists: false, attributes: {status: \"S{seq}\", owner: \"O{seq}\"}}\n"
                "duration: 300s\n"
                "client: {retry: %s, latency: 200ms}\n",
                keys[k], keys[k], retries[i]);
            const struct test_run result = run(200, rest);
            ck_assert_uint_gt(result.total.throttled, 100);
            if (i > 0) {
                ck_assert_uint_gt(result.total.retries, 100);
            }
            /* an insert for each item that exists in the end, and nothing else */
            const uint64_t items = result.keys;
            ck_assert_msg(result.index_writes <= items, "%s, %s: %lu entries of %lu items",
                          retries[i], keys[k], (unsigned long)result.index_writes,
                          (unsigned long)items);
            ck_assert_uint_gt(result.index_writes, items / 2);
            ck_assert_int_eq(result.index_wncu, (int64_t)result.index_writes * NCU_PER_CU);
        }
    }
}
END_TEST

START_TEST(items_that_exist_hold_what_the_scenario_says) {
    const struct test_run without =
        run(1000, "workload:\n"
                  "  - {name: end, operation: UpdateItem, rate: 50, arrivals: uniform, stop: 10s,\n"
                  "     item: {PK: \"J{seq}\"}, item_size: 500B, attributes: {status: DONE}}\n"
                  "duration: 11s\n");
    const struct test_run with =
        run(1000, "workload:\n"
                  "  - {name: end, operation: UpdateItem, rate: 50, arrivals: uniform, stop: 10s,\n"
                  "     item: {PK: \"J{seq}\"}, item_size: 500B, attributes: {status: DONE},\n"
                  "     exists: {status: \"OPEN{random % 4}\", owner: 400B}}\n"
                  "duration: 11s\n");
    ck_assert_uint_eq(without.index_writes, 500); /* put under DONE */
    ck_assert_int_eq(without.index_wncu, 500 * NCU_PER_CU);
    ck_assert_uint_eq(with.index_writes, 1000); /* and deleted under OPEN */
    ck_assert_int_eq(with.index_wncu, 1000 * NCU_PER_CU);
    ck_assert_uint_eq(without.index_keys, 1);
    ck_assert_uint_eq(with.index_keys, 5);
}
END_TEST

START_TEST(a_query_reads_the_index_and_its_keys_are_the_writes) {
    const struct test_run result =
        run(1000, "workload:\n"
                  "  - {name: put, operation: PutItem, rate: 50, arrivals: uniform, stop: 10s,\n"
                  "     item: {PK: \"J{seq}\"}, item_size: 500B,\n"
                  "     attributes: {status: \"S{random % 8}\"}}\n"
                  "  - {name: get, operation: Query, IndexName: byStatus, rate: 10, stop: 10s,\n"
                  "     arrivals: uniform, item: {status: \"S{each 8}\"},\n"
                  "     returns: {items: 8, item_size: 2000B}}\n"
                  "duration: 11s\n");
    ck_assert_uint_eq(result.index_keys, 8);
    ck_assert_int_eq(result.index_rncu, 100 * 8 * 2 * NCU_PER_CU); /* 16,000 B, eventually */
    ck_assert_uint_eq(result.events[REASON_TABLE_READ_PROVISIONED], 0);
}
END_TEST

/* Put under S, moved to T by the step: three entries written an item, however often either was
 * refused, and nothing when the same is written again. */
START_TEST(steps_of_chains_give_their_own_attributes) {
    static const char *const clients[] = {"", ", connections: 20"};
    static const char *const keys[] = {"J{seq}", "J{seq}#{each 3}"};
    for (size_t i = 0; i < 4; i++) {
        char rest[2048];
        snprintf(rest, sizeof rest,
                 "workload:\n"
                 "  - {name: put, operation: PutItem, rate: 80, stop: 3s, item: {PK: \"%s\"},\n"
                 "     item_size: 500B, attributes: {status: \"S{seq}\", owner: \"O{seq}\"},\n"
                 "     then: [{name: move, operation: UpdateItem, delay: {uniform: {min: 1ms, max: "
                 "2s}},\n"
                 "             item: {PK: \"%s\"}, item_size: 500B, attributes: {status: "
                 "\"T{seq}\"}}]}\n"
                 "  - {name: again, operation: UpdateItem, rate: 10, arrivals: uniform,\n"
                 "     start: 200s, stop: 210s, item: {PK: \"%s\"}, item_size: 500B,\n"
                 "     attributes: {status: \"T{seq}\", owner: \"O{seq}\"}}\n"
                 "duration: 300s\n"
                 "client: {retry: {attempts: 40, base: 200ms, cap: 5s}%s}\n",
                 keys[i % 2], keys[i % 2], keys[i % 2], clients[i / 2]);
        const struct test_run result = run(i % 2 == 0 ? 50 : 150, rest);
        ck_assert_uint_eq(result.total.gave_up, 0);
        ck_assert_uint_gt(result.total.throttled, 10);
        ck_assert_msg(result.index_writes == 3 * result.keys, "%s%s: %lu entries of %lu items",
                      keys[i % 2], clients[i / 2], (unsigned long)result.index_writes,
                      (unsigned long)result.keys);
    }
}
END_TEST

/* What a step finds holds what the step says; sizes and nothing at all are given, too. */
START_TEST(steps_take_items_that_hold_attributes) {
    const struct test_run result =
        run(1000, "workload:\n"
                  "  - {name: look, operation: GetItem, rate: 50, arrivals: uniform, stop: 10s,\n"
                  "     item: {PK: \"L{seq}\"}, item_size: 500B,\n"
                  "     then: [{name: close, operation: UpdateItem, delay: 300ms,\n"
                  "             item: {PK: \"J{seq}\"}, item_size: 500B,\n"
                  "             exists: {status: \"OPEN{random % 4}\", owner: 40B},\n"
                  "             attributes: {status: DONE, owner: 60B}},\n"
                  "            {name: hide, operation: UpdateItem, delay: 300ms,\n"
                  "             item: {PK: \"J{seq}\"}, item_size: 500B,\n"
                  "             attributes: {status: null}},\n"
                  "            {name: list, operation: Query, IndexName: byStatus,\n"
                  "             item: {status: DONE}, returns: {items: 1, item_size: 8KB}}]}\n"
                  "duration: 20s\n");
    ck_assert_uint_eq(result.index_writes, 1500); /* out of OPEN, under DONE, out of DONE */
    ck_assert_uint_eq(result.index_keys, 5);
    ck_assert_int_eq(result.index_rncu, 500 * NCU_PER_CU);
}
END_TEST

/* A batch whose members are handed back sends them again with their own attributes; those that are
 * deleted leave the index. */
START_TEST(members_of_batches_give_or_take_away_their_own) {
    static const struct {
        const char *again;
        uint64_t entries_min, entries_max; /* in hundredths of an item's first */
    } rows[] = {
        {"attributes: {status: \"S{seq}\", owner: \"O{seq}\"}", 100, 100},
        {"attributes: {status: \"S{seq}\", owner: \"P{seq}\"}", 200, 200},
        {"attributes: {status: \"T{seq}\"}", 300, 300},
        {"deletes: 1", 200, 200},
        {"deletes: 0.25, attributes: {status: \"S{seq}\", owner: \"O{seq}\"}", 115, 135},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char rest[2048];
        snprintf(
            rest, sizeof rest,
            "workload:\n"
            "  - {name: put, operation: BatchWriteItem, batch: 10, rate: 30, arrivals: uniform,\n"
            "     stop: 3s, item: {PK: \"J{seq}\"}, item_size: 500B,\n"
            "     attributes: {status: \"S{seq}\", owner: \"O{seq}\"}}\n"
            "  - {name: again, operation: BatchWriteItem, batch: 9, rate: 10,\n"
            "     arrivals: uniform, start: 60s, stop: 70s, item: {PK: \"J{seq}\"},\n"
            "     item_size: 500B, %s}\n"
            "duration: 100s\n",
            rows[i].again);
        const struct test_run result = run(100, rest);
        ck_assert_uint_gt(result.total.throttled, 100);
        ck_assert_uint_eq(result.total.gave_up, 0);
        ck_assert_uint_eq(result.keys, 900);
        ck_assert_msg(result.index_writes >= 9 * rows[i].entries_min &&
                          result.index_writes <= 9 * rows[i].entries_max,
                      "%s: %lu entries", rows[i].again, (unsigned long)result.index_writes);
    }
}
END_TEST

/* Without a duration a run is over when the last entry is written, too. */
START_TEST(a_run_waits_for_its_indexes) {
    const struct test_run result =
        run(1000, "workload:\n"
                  "  - {name: put, operation: PutItem, rate: 100, arrivals: uniform, stop: 3s,\n"
                  "     item: {PK: \"J{seq}\"}, item_size: 500B, attributes: {status: S}}\n"
                  "model: {gsi_lag: 5s}\nclient: {latency: 1us}\n");
    ck_assert_uint_eq(result.index_writes, 300);
    ck_assert_double_le(result.duration_s, 3);
}
END_TEST

START_TEST(what_an_index_refuses_has_its_own_reasons) {
    const struct test_run pool =
        run(1000, "workload:\n"
                  "  - {name: get, operation: Query, IndexName: byStatus, rate: 100,\n"
                  "     item: {status: A}, returns: {items: 100, item_size: 8KB}}\n"
                  "duration: 300s\nclient: {retry: none}\nmodel: {burst_initial_s: 0s}\n");
    ck_assert_uint_gt(pool.events[REASON_INDEX_READ_PROVISIONED], 1000);
    ck_assert_uint_eq(pool.events[REASON_TABLE_READ_PROVISIONED], 0);
    const struct test_run cap =
        run(1000, "workload:\n"
                  "  - {name: get, operation: Query, IndexName: byStatus, rate: 100,\n"
                  "     item: {status: A}, returns: {items: 100, item_size: 8KB}}\n"
                  "duration: 20s\nclient: {retry: none}\nmodel: {part_max_r: 60}\n");
    ck_assert_uint_gt(cap.events[REASON_INDEX_READ_KEY_RANGE], 1000);
    ck_assert_uint_eq(cap.events[REASON_TABLE_READ_KEY_RANGE], 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/simulation_indexes");
    TCase *tcase = tcase_create("simulation_indexes");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, refused_writes_keep_what_they_give);
    tcase_add_test(tcase, items_that_exist_hold_what_the_scenario_says);
    tcase_add_test(tcase, steps_of_chains_give_their_own_attributes);
    tcase_add_test(tcase, steps_take_items_that_hold_attributes);
    tcase_add_test(tcase, members_of_batches_give_or_take_away_their_own);
    tcase_add_test(tcase, a_query_reads_the_index_and_its_keys_are_the_writes);
    tcase_add_test(tcase, a_run_waits_for_its_indexes);
    tcase_add_test(tcase, what_an_index_refuses_has_its_own_reasons);
    return suite_run(suite);
}
