/* Kinds of operations and of arrivals beyond the plain ones: what is read, what is refused. */
#include "tests/workloads/scenario_fixture.h"

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
    {OPERATION, "operation: Scan", "hot.yaml:18:16: operation 'Scan' is not supported yet"},
    {OPERATION, "operation: Query",
     "hot.yaml:20:48: a Query has the partition key only; 'returns' says how many items its sort "
     "key condition selects"},
    {ITEM, QUERY_ITEM "    returns: {items: 1, item_size: 1KB}\n",
     "hot.yaml:21:5: 'returns' is for Query; UpdateItem has one item"},
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

static Suite *suite(void) {
    Suite *suite = suite_create("workloads/scenario_kinds");
    TCase *tcase = tcase_create("kinds");
    tcase_add_test(tcase, refuses_faults_of_queries);
    tcase_add_test(tcase, refuses_many_items_a_key_without_a_sort_key);
    tcase_add_test(tcase, refuses_faults_of_conditions);
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
