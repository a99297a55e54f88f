/* `actions:` of a scenario, against AWS's rules. */
#include "tests/suite.h"
#include "tests/workloads/scenario_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPDATE "actions:\n  - at: 1m\n    UpdateTable: "

static char *with_actions(const char *actions) {
    return fixture_edit("fields:\n", actions);
}

/* The fixture with actions in front of its fields. */
static bool read_actions(struct scenario *scenario, const char *actions, struct err *err) {
    char text[4000];
    (void)snprintf(text, sizeof text, "%sfields:\n", actions);
    char *edited = with_actions(text);
    const bool good = fixture_read(scenario, edited, NULL, err);
    free(edited);
    return good;
}

START_TEST(takes_calls_with_the_apis_own_arguments) {
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    ck_assert_msg(read_actions(&scenario,
                               UPDATE "{ProvisionedThroughput: {ReadCapacityUnits: 7, "
                                      "WriteCapacityUnits: 8}}\n"
                                      "  - at: 90s\n    UpdateTable: {TableName: orders, "
                                      "BillingMode: PAY_PER_REQUEST, "
                                      "OnDemandThroughput: {MaxWriteRequestUnits: 500}}\n"
                                      "  - at: 2h\n    UpdateTable: {WarmThroughput: "
                                      "{WriteUnitsPerSecond: 9000}}\n",
                               &err),
                  "%s", err.text);
    ck_assert_uint_eq(scenario.action_count, 3);
    const struct action_spec *actions = scenario.actions;
    ck_assert_int_eq(actions[0].at_ns, 60 * SIM_NS_PER_S);
    ck_assert(!actions[0].update.sets_billing_mode);
    ck_assert_int_eq(actions[0].update.provisioned[0].write, 8);
    ck_assert_int_eq(actions[0].update.warm[0].write, UPDATE_KEEPS);
    ck_assert(actions[1].update.sets_billing_mode);
    ck_assert_int_eq((int)actions[1].update.billing_mode, BILLING_PAY_PER_REQUEST);
    ck_assert_int_eq(actions[1].update.max_on_demand[0].write, 500);
    ck_assert_int_eq(actions[1].update.max_on_demand[0].read, UPDATE_KEEPS);
    ck_assert_int_eq(actions[2].update.warm[0].write, 9000);
    ck_assert_int_eq(actions[2].update.warm[0].read, UPDATE_KEEPS);
    scenario_fini(&scenario);
}
END_TEST

struct bad_case {
    const char *actions, *message;
};

static const struct bad_case bad[] = {
    {"actions: {}\n", "hot.yaml:14:10: 'actions' must be a list, got a mapping"},
    {"actions:\n  - UpdateTable: {}\n", "hot.yaml:15:5: 'at' is missing"},
    {"actions:\n  - at: 1m\n",
     "hot.yaml:15:5: expected one of 'UpdateTable', 'LeaderLost' and 'NodeLost'"},
    {"actions:\n  - at: 1m\n    LeaderLost: {TableName: orders}\n",
     "hot.yaml:16:17: 'partition' is missing"},
    {"actions:\n  - at: 1m\n    LeaderLost: {partition: -1}\n",
     "hot.yaml:16:29: 'partition' is -1, outside of 0 … 65535"},
    {"actions:\n  - at: 1m\n    LeaderLost: {partitions: 1}\n",
     "hot.yaml:16:18: unknown key 'partitions'; did you mean 'partition'?"},
    {"actions:\n  - at: 1m\n    LeaderLos: {partition: 1}\n",
     "hot.yaml:16:5: unknown key 'LeaderLos'; did you mean 'LeaderLost'?"},
    {"actions:\n  - at: 1m\n    LeaderLost: {partition: 1}\n    UpdateTable: {}\n",
     "hot.yaml:15:5: expected one of 'UpdateTable', 'LeaderLost' and 'NodeLost'"},
    {UPDATE "{}\n", "hot.yaml:16:18: UpdateTable asks for nothing"},
    {UPDATE "{TableName: order}\n",
     "hot.yaml:16:30: unknown table 'order'; did you mean 'orders'?"},
    {UPDATE "{BillingMode: ON_DEMAND}\n",
     "hot.yaml:16:32: unknown BillingMode 'ON_DEMAND'; expected PROVISIONED or PAY_PER_REQUEST"},
    {UPDATE "{BillingMode: PAY_PER_REQUEST, ProvisionedThroughput: {ReadCapacityUnits: 1, "
            "WriteCapacityUnits: 1}}\n",
     "hot.yaml:16:49: the table is on-demand by then, and has no ProvisionedThroughput "
     "(DynamoDB's rule)"},
    {UPDATE "{OnDemandThroughput: {MaxReadRequestUnits: 5}}\n",
     "hot.yaml:16:19: the table is provisioned by then, and OnDemandThroughput is for on-demand "
     "tables (DynamoDB's rule)"},
    {UPDATE "{BillingMode: PAY_PER_REQUEST}\n  - at: 2h\n    UpdateTable: {BillingMode: "
            "PROVISIONED}\n",
     "hot.yaml:18:18: BillingMode PROVISIONED needs ProvisionedThroughput for the table "
     "(DynamoDB's rule)"},
    {UPDATE "{BillingMode: PAY_PER_REQUEST}\n  - at: 2m\n    UpdateTable: {WarmThroughput: "
            "{ReadUnitsPerSecond: 20000}}\n",
     "hot.yaml:18:18: the table is still UPDATING: a switch of the mode takes "
     "model.mode_switch_time, and DynamoDB takes one change at a time"},
    {UPDATE "{ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 40001}}\n",
     "hot.yaml:16:42: 'ProvisionedThroughput' is 40001 write units a second, above the quota of "
     "40000 a table or index (DynamoDB's rule; 'quotas:' says when AWS has raised it)"},
    {UPDATE "{LocalSecondaryIndexes: []}\n",
     "hot.yaml:16:19: local indexes are made with their table, none can be added later "
     "(DynamoDB's rule)"},
    {UPDATE "{LocalSecondaryIndexUpdates: []}\n",
     "hot.yaml:16:19: local indexes are made with their table, none can be added later "
     "(DynamoDB's rule)"},
    {UPDATE "{GlobalSecondaryIndexUpdates: [{Create: {}}]}\n",
     "hot.yaml:16:58: 'IndexName' is missing"},
    {UPDATE "{GlobalSecondaryIndexUpdates: [{Create: {IndexName: byA, KeySchema: [{AttributeName: "
            "a, KeyType: HASH}], Projection: {ProjectionType: ALL}}}]}\n",
     "hot.yaml:16:103: key attribute 'a' is not in AttributeDefinitions"},
    {UPDATE "{AttributeDefinitions: [{AttributeName: a, AttributeType: S}], "
            "GlobalSecondaryIndexUpdates: [{Create: {IndexName: byA, KeySchema: [{AttributeName: "
            "a, KeyType: HASH}], Projection: {ProjectionType: ALL}, ProvisionedThroughput: "
            "{ReadCapacityUnits: 1, WriteCapacityUnits: 1}}}, {Delete: {IndexName: byA}}]}\n",
     "hot.yaml:16:292: one index is created or deleted by a call (DynamoDB's rule)"},
    {UPDATE "{GlobalSecondaryIndexUpdates: [{Delete: {IndexName: byA}}]}\n  - at: 2m\n    "
            "UpdateTable: {AttributeDefinitions: [{AttributeName: a, AttributeType: S}], "
            "GlobalSecondaryIndexUpdates: [{Create: {IndexName: byA, KeySchema: [{AttributeName: "
            "a, KeyType: HASH}], Projection: {ProjectionType: ALL}, ProvisionedThroughput: "
            "{ReadCapacityUnits: 1, WriteCapacityUnits: 1}}}]}\n",
     "hot.yaml:16:70: table 'orders' has no index 'byA' by then"},
    {UPDATE "{GlobalSecondaryIndexUpdates: [{Update: {IndexName: none}}]}\n",
     "hot.yaml:16:70: table 'orders' has no global index"},
    {UPDATE "{WarmThroughput: {ReadUnitsPerSecond: 1}}\n  - at: 1s\n    UpdateTable: "
            "{WarmThroughput: {ReadUnitsPerSecond: 2}}\n",
     "hot.yaml:17:9: 'at' is before the action above it"},
};

START_TEST(refuses_what_aws_would_refuse_with_its_place_and_rule) {
    const struct bad_case *row = &bad[_i];
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    ck_assert_msg(!read_actions(&scenario, row->actions, &err), "row %d", _i);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(refuses_the_fifth_switch_in_a_day) {
    char text[3000] = "actions:\n";
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    for (int i = 0; i < 5; i++) {
        const size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length,
                       "  - at: %dh\n    UpdateTable: {BillingMode: PAY_PER_REQUEST}\n"
                       "  - at: %dh\n    UpdateTable: {BillingMode: PROVISIONED, "
                       "ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}}\n",
                       2 * i, 2 * i + 1);
    }
    ck_assert(!read_actions(&scenario, text, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "a switch too soon: a table goes to on-demand at most 4 "
                                           "times in 24 hours (DynamoDB's rule)"));
    scenario_fini(&scenario);
}
END_TEST

START_TEST(takes_the_loss_of_a_leader_in_any_era) {
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    const struct scenario_override overrides[] = {{"model.era", "static"}, {NULL, NULL}};
    char *edited = with_actions("actions:\n  - at: 90s\n    LeaderLost: {partition: 3}\nfields:\n");
    ck_assert_msg(fixture_read(&scenario, edited, overrides, &err), "%s", err.text);
    ck_assert_uint_eq(scenario.action_count, 1);
    ck_assert_int_eq((int)scenario.actions[0].kind, ACTION_LEADER_LOST);
    ck_assert_uint_eq(scenario.actions[0].partition, 3);
    ck_assert(scenario_loses_leaders(&scenario));
    scenario_fini(&scenario);
    free(edited);
}
END_TEST

START_TEST(older_eras_have_no_calls) {
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    const struct scenario_override overrides[] = {{"model.era", "static"}, {NULL, NULL}};
    char *edited = with_actions(UPDATE "{BillingMode: PAY_PER_REQUEST}\nfields:\n");
    ck_assert(!fixture_read(&scenario, edited, overrides, &err));
    ck_assert_str_eq(err.text, "hot.yaml:16:5: UpdateTable needs model.era gac: the shares of the "
                               "older eras are not divided anew while a table runs");
    scenario_fini(&scenario);
    free(edited);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_actions");
    TCase *cases = tcase_create("scenario_actions");
    tcase_add_test(cases, takes_calls_with_the_apis_own_arguments);
    tcase_add_loop_test(cases, refuses_what_aws_would_refuse_with_its_place_and_rule, 0,
                        (int)(sizeof bad / sizeof *bad));
    tcase_add_test(cases, refuses_the_fifth_switch_in_a_day);
    tcase_add_test(cases, takes_the_loss_of_a_leader_in_any_era);
    tcase_add_test(cases, older_eras_have_no_calls);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
