/* Kinds of operations and of arrivals beyond the plain ones: what is read, what is refused. */
#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#include <stdio.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

struct refusal {
    const char *from, *to; /* one place of the fixture changed */
    const char *message;
};

#define OPERATION "operation: UpdateItem"
#define ITEM "item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n    item_size: 200B\n"
#define QUERY_ITEM "item: {PK: \"L#{player}\"}\n"

static const struct refusal queries[] = {
    {OPERATION, "operation: Scan",
     "hot.yaml:20:5: a Scan has no 'item': it reads all items of its table or index (ItemCount, "
     "TableSizeBytes)"},
    {OPERATION, OPERATION "\n    Limit: 10", "hot.yaml:19:5: 'Limit' is for Scan, not UpdateItem"},
    {OPERATION "\n    rate: \"${rate}\"\n    " ITEM, "operation: Scan\n    rate: 1\n    Limit: 0\n",
     "hot.yaml:20:12: 'Limit' is 0, outside of 1 … 2147483647"},
    {OPERATION "\n    rate: \"${rate}\"\n    " ITEM,
     "operation: Scan\n    rate: 1\n    TotalSegments: 2000000\n",
     "hot.yaml:20:20: 'TotalSegments' is 2000000, outside of 1 … 1000000"},
    {OPERATION "\n    rate: \"${rate}\"\n    " ITEM,
     "operation: Scan\n    rate: 1\n    page_delay: soon\n",
     "hot.yaml:20:17: 'page_delay' must be a duration such as 250ms or 10m, got 'soon'"},
    {OPERATION, "operation: Query",
     "hot.yaml:20:48: a Query has the partition key only; 'returns' says how many items its sort "
     "key condition selects"},
    {ITEM, QUERY_ITEM "    returns: {items: 1, item_size: 1KB}\n",
     "hot.yaml:21:5: 'returns' is for Query, not UpdateItem"},
};

/* The same with `operation: Query` before. */
static const struct refusal query_items[] = {
    {"", "", "hot.yaml:17:5: 'returns' is missing"},
    {"", "    exists: true\n",
     "hot.yaml:21:5: a Query has no 'exists': 'returns: {items: N, item_size: S}' says what it "
     "finds"},
    {"", "    item_size: 1KB\n",
     "hot.yaml:21:5: a Query has no 'item_size': 'returns: {items: N, item_size: S}' says what it "
     "finds"},
    {"", "    returns: 3\n", "hot.yaml:21:14: 'returns' must be a mapping of keys, got '3'"},
    {"", "    returns: {items: 3}\n", "hot.yaml:21:14: 'item_size' is missing"},
    {"", "    returns: {item: 3}\n", "hot.yaml:21:15: unknown key 'item'; did you mean 'items'?"},
    {"", "    returns: {items: 3.5, item_size: 1KB}\n",
     "hot.yaml:21:22: 'items' must be a whole number, got '3.5'"},
    {"", "    returns: {items: 2000000, item_size: 1KB}\n",
     "hot.yaml:21:22: 2000000 items of up to 1024 bytes: a Query evaluates at most 1 GB here"},
    {"", "    returns: {items: 1, item_size: 1KB}\n    condition: attribute_exists\n",
     "hot.yaml:22:5: 'condition' is for writes; Query reads"},
};

static const struct refusal conditions[] = {
    {"200B\n", "200B\n    condition: atribute_exists\n",
     "hot.yaml:22:16: unknown condition 'atribute_exists'; did you mean 'attribute_exists'?"},
    {"200B\n", "200B\n    condition: {fails: 2}\n",
     "hot.yaml:22:24: 'fails' is 2, outside of 0 … 1"},
    {"200B\n", "200B\n    condition: {fail: 1}\n",
     "hot.yaml:22:17: unknown key 'fail'; did you mean 'fails'?"},
    {"200B\n", "200B\n    condition: {}\n", "hot.yaml:22:16: 'fails' is missing"},
};

static const struct refusal batches[] = {
    {OPERATION, "operation: TransactWriteItems\n    batch: 101",
     "hot.yaml:19:12: 'batch' is 101, outside of 1 … 100"},
    {OPERATION, "operation: TransactGetItems\n    batch: 9\n    ConsistentRead: true",
     "hot.yaml:20:5: TransactGetItems has no 'ConsistentRead': it always is"},
    {OPERATION, "operation: TransactGetItems\n    batch: 9\n    deletes: 0.5",
     "hot.yaml:20:5: 'deletes' is for BatchWriteItem and TransactWriteItems, not TransactGetItems"},
    {OPERATION, OPERATION "\n    batch: 3",
     "hot.yaml:19:5: 'batch' is for batches and transactions, not UpdateItem"},
    {OPERATION, "operation: BatchWriteItem", "hot.yaml:17:5: 'batch' is missing"},
    {OPERATION, "operation: BatchWriteItem\n    batch: 26",
     "hot.yaml:19:12: 'batch' is 26, outside of 1 … 25"},
    {OPERATION, "operation: BatchGetItem\n    batch: 101",
     "hot.yaml:19:12: 'batch' is 101, outside of 1 … 100"},
    {OPERATION, "operation: BatchGetItem\n    batch: 5\n    deletes: 0.5",
     "hot.yaml:20:5: 'deletes' is for BatchWriteItem and TransactWriteItems, not BatchGetItem"},
    {OPERATION, "operation: BatchWriteItem\n    batch: 5\n    deletes: 5",
     "hot.yaml:20:14: 'deletes' is 5, outside of 0 … 1"},
    {OPERATION, "operation: BatchWriteItem\n    batch: 5\n    then: []",
     "hot.yaml:20:5: BatchWriteItem has no steps: leave 'then' out"},
    {OPERATION, "operation: BatchWriteItem\n    batch: 5\n    condition: attribute_exists",
     "hot.yaml:20:5: BatchWriteItem takes no 'condition'"},
    {"operation: UpdateItem\n    rate: \"${rate}\"\n    item: {PK: \"L#{hash(player) % "
     "${shards}}\"",
     "operation: BatchWriteItem\n    batch: 5\n    rate: 5\n    item: {PK: \"L#{each 3}\"",
     "hot.yaml:21:17: a batch has its members by 'batch': {each N} is for other operations"},
    {"operation: UpdateItem\n    rate: \"${rate}\"",
     "operation: BatchWriteItem\n    batch: 5\n    trace: {file: a.csv, columns: [t], time: t}",
     "hot.yaml:19:5: its members take the trace's rows as they come, not at their times: leave "
     "'time' "
     "out and give 'rate' or a closed loop"},
};

static const struct refusal bursts[] = {
    {"\"${rate}\"", "5\n    arrivals: {bursty: {on: 1s}}", "hot.yaml:20:24: 'off' is missing"},
    {"\"${rate}\"", "5\n    arrivals: {bursty: {on: 1us, off: 1s}}",
     "hot.yaml:20:29: 'on' is 1us, outside of 1ms … 3660d"},
    {"\"${rate}\"", "5\n    arrivals: {bursty: {on: 1s, off: 3s, factor: 5}}",
     "hot.yaml:20:50: 'factor' is 5: a burst has more than the mean rate, and at most (on + off) / "
     "on = 4 times it, when nothing comes in between"},
    {"\"${rate}\"", "5\n    arrivals: {bursty: {on: 1s, off: 3s, factor: 1}}",
     "hot.yaml:20:50: 'factor' is 1: a burst has more than the mean rate, and at most (on + off) / "
     "on = 4 times it, when nothing comes in between"},
    {"\"${rate}\"", "5\n    arrivals: []",
     "hot.yaml:20:15: 'arrivals' must be poisson, uniform, {bursty: {on, off}} or {closed: "
     "{clients: N}}, got a list"},
    {"\"${rate}\"", "[[0s, 1], [5s, 2]]\n    arrivals: {bursty: {on: 1s, off: 3s}}",
     "hot.yaml:19:11: bursty arrivals have a constant 'rate', their mean"},
};

static const struct refusal quotas[] = {
    {"WriteCapacityUnits: 6", "WriteCapacityUnits: 40001",
     "hot.yaml:7:71: table 'orders' has 40001 write units a second, above the quota of 40000 a "
     "table; AWS raises it on request, 'quotas: {TableMaxWriteCapacityUnits: 40001}' says that it "
     "has"},
    {"{ReadCapacityUnits: 5,", "{ReadCapacityUnits: 50000,",
     "hot.yaml:7:48: table 'orders' has 50000 read units a second, above the quota of 40000 a "
     "table; AWS raises it on request, 'quotas: {TableMaxReadCapacityUnits: 50000}' says that it "
     "has"},
    {"name: hot\n", "quotas: {TableMaxWriteCapacityUnits: 5}\n",
     "hot.yaml:7:71: table 'orders' has 6 write units a second, above the quota of 5 a table; AWS "
     "raises it on request, 'quotas: {TableMaxWriteCapacityUnits: 6}' says that it has"},
    {"name: hot\n", "quotas: {AccountMaxReadCapacityUnits: 4}\n",
     "hot.yaml:6:3: the tables and indexes have 5 read units a second together, above the quota of "
     "4 an "
     "account "
     "and Region; AWS raises it on request, 'quotas: {AccountMaxReadCapacityUnits: 5}' says that "
     "it has"},
    {"name: hot\n", "quotas: {TableMaxWriteCapacityUnit: 5}\n",
     "hot.yaml:1:10: unknown key 'TableMaxWriteCapacityUnit'; did you mean "
     "'TableMaxWriteCapacityUnits'?"},
    {"name: hot\n", "quotas: {TableMaxWriteCapacityUnits: 0}\n",
     "hot.yaml:1:38: 'TableMaxWriteCapacityUnits' is 0, outside of 1 … 1099511627776"},
};

#define STEP                                                                                       \
    "    then:\n      - name: next\n        operation: GetItem\n"                                  \
    "        item: {PK: \"{player}\", SK: \"1\"}\n        item_size: 1KB\n"
static const struct refusal chains[] = {
    {"200B\n", "200B\n    then: 3\n", "hot.yaml:22:11: 'then' must be a list, got '3'"},
    {"200B\n", "200B\n    then: [3]\n", "hot.yaml:22:12: expected a mapping of keys, got '3'"},
    {"200B\n", "200B\n    then: [{operation: GetItem}]\n", "hot.yaml:22:12: 'name' is missing"},
    {"200B\n", "200B\n    then: [{name: score, operation: GetItem}]\n",
     "hot.yaml:22:19: two workloads are named 'score'"},
    {"200B\n", "200B\n    then: [{name: a, operation: GetItem, rate: 5}]\n",
     "hot.yaml:22:42: unknown key 'rate'; expected name, operation, table, item, item_size, "
     "exists, ConsistentRead, returns, condition, delay, probability, attributes or IndexName"},
    {"200B\n", "200B\n    then: [{name: a, operation: GetItem, then: []}]\n",
     "hot.yaml:22:42: key 'then' is not supported yet"},
    {"200B\n", "200B\n    then: [{name: a, operation: BatchGetItem}]\n",
     "hot.yaml:22:33: BatchGetItem is no step of a chain; expected an operation on one item, or "
     "Query"},
    {"200B\n", "200B\n    then: [{name: a, operation: Scan}]\n",
     "hot.yaml:22:33: Scan is no step of a chain; expected an operation on one item, or Query"},
    {"200B\n", "200B\n" STEP "        delay: soon\n",
     "hot.yaml:27:16: 'delay' must be a duration such as 250ms or 10m, got 'soon'"},
    {"200B\n", "200B\n" STEP "        delay: {uniform: {min: 3s, max: 2s}}\n",
     "hot.yaml:27:41: 'max' is below 'min'"},
    {"200B\n", "200B\n" STEP "        delay: {}\n",
     "hot.yaml:27:16: 'delay' needs one of 'constant', 'uniform' and 'exponential'"},
    {"200B\n", "200B\n" STEP "        delay: {exponential: {mean: 0s}}\n",
     "hot.yaml:27:37: 'mean' is 0s, outside of 1ns … 3660d"},
    {"200B\n", "200B\n" STEP "        probability: 1.5\n",
     "hot.yaml:27:22: 'probability' is 1.5, outside of 0 … 1"},
    {"200B\n",
     "200B\n" STEP "  - {name: b, operation: GetItem, rate: 1, after: next, item_size: 1KB,\n"
     "     item: {PK: a, SK: b}}\n",
     "hot.yaml:27:51: 'next' is a step; its chain ends with 'score', so write 'after: score'"},
};

START_TEST(reads_a_chain) {
    char *text =
        fixture_edit("200B\n", "200B\n" STEP "        delay: {uniform: {min: 1s, max: 3s}}\n"
                               "        probability: 0.5\n"
                               "      - {name: last, operation: Query,\n"
                               "         item: {PK: \"{player}\"},\n"
                               "         returns: {items: 3, item_size: 1KB}}\n");
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err), "%s", err.text);
    ck_assert_uint_eq(scenario.workload_count, 3);
    ck_assert_uint_eq(scenario.workloads[0].step_count, 2);
    const struct workload_spec *next = &scenario.workloads[1], *last = &scenario.workloads[2];
    ck_assert_int_eq(next->arrivals, ARRIVALS_STEP);
    ck_assert_int_eq(last->arrivals, ARRIVALS_STEP);
    ck_assert_uint_eq(next->root, 0);
    ck_assert_uint_eq(last->root, 0);
    ck_assert_int_eq(next->delay.law, DELAY_UNIFORM);
    ck_assert_int_eq(next->delay.min_ns, SIM_NS_PER_S);
    ck_assert_int_eq(next->delay.max_ns, 3 * SIM_NS_PER_S);
    ck_assert(!next->begins_always && last->begins_always);
    ck_assert_uint_eq(next->begins_below, UINT64_C(1) << 63);
    ck_assert_int_eq(last->delay.min_ns, 0);
    ck_assert_uint_eq(last->returns_items, 3);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

START_TEST(paths_of_settings_lead_into_chains) {
    char *text = fixture_edit("200B\n", "200B\n" STEP);
    const struct scenario_override settings[] = {{"workload.score.then.next.item_size", "3KB"},
                                                 {NULL, NULL}};
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, settings, &err), "%s", err.text);
    ck_assert_uint_eq(scenario.workloads[1].item_size.min_bytes, 3072);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

static void check_text(const char *text, const struct refusal *row) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!fixture_read(&scenario, text, NULL, &err), "taken: %s", row->to);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
}

static void check_refusals(const struct refusal *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *text = fixture_edit(rows[i].from, rows[i].to);
        check_text(text, &rows[i]);
        free(text);
    }
}

START_TEST(refuses_faults_of_queries) {
    check_refusals(queries, ROWS(queries));
    for (size_t i = 0; i < ROWS(query_items); i++) {
        char block[1024];
        (void)snprintf(block, sizeof block, QUERY_ITEM "%s", query_items[i].to);
        char *text = fixture_edit(ITEM, block);
        char *at = strstr(text, "UpdateItem");
        memcpy(at, "Query     ", strlen("UpdateItem"));
        check_text(text, &query_items[i]);
        free(text);
    }
}
END_TEST

START_TEST(refuses_many_items_a_key_without_a_sort_key) {
    static const char text[] =
        "tables:\n  - TableName: users\n"
        "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}\n"
        "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
        "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
        "duration: 1s\nworkload:\n"
        "  - {name: q, operation: Query, rate: 1, item: {PK: a},\n"
        "     returns: {items: 2, item_size: 1KB}}\n";
    const struct refusal row = {"", "two items",
                                "hot.yaml:9:23: a table without a sort key has one item a key at "
                                "most: 'items' is 0 or 1"};
    check_text(text, &row);
}
END_TEST

START_TEST(refuses_faults_of_conditions) {
    check_refusals(conditions, ROWS(conditions));
}
END_TEST

START_TEST(refuses_faults_of_bursts) {
    check_refusals(bursts, ROWS(bursts));
}
END_TEST

START_TEST(refuses_tables_above_their_quotas) {
    check_refusals(quotas, ROWS(quotas));
}
END_TEST

START_TEST(takes_tables_within_raised_quotas) {
    char *text =
        fixture_edit("WriteCapacityUnits: 6}", "WriteCapacityUnits: 90000}\n    ItemCount: 0");
    char longer[4000];
    (void)snprintf(longer, sizeof longer,
                   "quotas: {TableMaxWriteCapacityUnits: 90000, AccountMaxWriteCapacityUnits: "
                   "90000}\n%s",
                   text);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, longer, NULL, &err), "%s", err.text);
    ck_assert_int_eq(scenario.quotas.table_max_write, 90000);
    ck_assert_int_eq(scenario.quotas.table_max_read, 40000);
    ck_assert_int_eq(scenario.quotas.account_max_read, 80000);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

START_TEST(refuses_faults_of_batches_and_chains) {
    check_refusals(batches, ROWS(batches));
    check_refusals(chains, ROWS(chains));
}
END_TEST

static Suite *suite(void) {
    Suite *suite = suite_create("workloads/scenario_kinds");
    TCase *tcase = tcase_create("kinds");
    tcase_add_test(tcase, refuses_faults_of_queries);
    tcase_add_test(tcase, refuses_many_items_a_key_without_a_sort_key);
    tcase_add_test(tcase, refuses_faults_of_conditions);
    tcase_add_test(tcase, refuses_faults_of_batches_and_chains);
    tcase_add_test(tcase, refuses_faults_of_bursts);
    tcase_add_test(tcase, refuses_tables_above_their_quotas);
    tcase_add_test(tcase, takes_tables_within_raised_quotas);
    tcase_add_test(tcase, reads_a_chain);
    tcase_add_test(tcase, paths_of_settings_lead_into_chains);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void) {
    return suite_run(suite());
}
