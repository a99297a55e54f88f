/* --set: a parameter's name, or any path of the document. */
#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))

static struct scenario read_with(const char *path, const char *value, struct err *err,
                                 bool *is_good) {
    const struct scenario_override overrides[] = {{path, value}, {NULL, NULL}};
    struct scenario scenario;
    *is_good = fixture_read(&scenario, FIXTURE_TEXT, overrides, err);
    return scenario;
}

static struct scenario read_good(const char *path, const char *value) {
    struct err err;
    bool is_good;
    struct scenario scenario = read_with(path, value, &err, &is_good);
    ck_assert_msg(is_good, "%s", err.text);
    return scenario;
}

START_TEST(sets_parameters) {
    static const char *const paths[] = {"rate", "parameters.rate"};
    for (size_t i = 0; i < 2; i++) {
        struct scenario scenario = read_good(paths[i], "77");
        ck_assert(scenario.workloads[0].points[0].rate_per_s == 77);
        ck_assert_str_eq(scenario.parameters[1].value, "77");
        ck_assert_str_eq(scenario.parameters[1].source, "--set");
        ck_assert_str_eq(scenario.parameters[0].source, "scenario");
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(sets_any_path) {
    struct scenario scenario = read_good("model.routers", "0");
    ck_assert_int_eq(scenario.model.routers, 0);
    scenario_fini(&scenario);
    scenario = read_good("model.gac_refresh", "3s"); /* not in the file */
    ck_assert_int_eq(scenario.model.gac_refresh, 3 * SIM_NS_PER_S);
    ck_assert_int_eq(scenario.model.routers, 2);
    scenario_fini(&scenario);
    scenario = read_good("client.retry", "botocore-legacy");
    ck_assert_int_eq(scenario.client.retry.profile, RETRY_BOTOCORE_LEGACY);
    scenario_fini(&scenario);
    scenario = read_good("client.latency.lognormal.median", "5ms");
    ck_assert_int_eq(scenario.client.latency_median_ns, 5 * SIM_NS_PER_MS);
    scenario_fini(&scenario);
    scenario = read_good("workload.score.rate", "9.5");
    ck_assert(scenario.workloads[0].points[0].rate_per_s == 9.5);
    scenario_fini(&scenario);
    scenario = read_good("workload.0.rate", "9.5");
    ck_assert(scenario.workloads[0].points[0].rate_per_s == 9.5);
    scenario_fini(&scenario);
    scenario = read_good("tables.orders.ProvisionedThroughput.WriteCapacityUnits", "11");
    ck_assert_int_eq(scenario.tables[0].write_capacity_units, 11);
    ck_assert_int_eq(scenario.tables[0].read_capacity_units, 5);
    scenario_fini(&scenario);
    scenario = read_good("seed", "12");
    ck_assert_uint_eq(scenario.seed, 12);
    scenario_fini(&scenario);
    scenario = read_good("duration", "2m");
    ck_assert_int_eq(scenario.duration_ns, 2 * SIM_NS_PER_MIN);
    scenario_fini(&scenario);
    scenario = read_good("fields.player.zipf.s", "0");
    ck_assert(scenario.fields[0].exponent == 0);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(sets_lists_and_mappings) {
    struct scenario scenario = read_good("workload.score.rate", "[[0s, 1], [1m, 40]]");
    ck_assert_uint_eq(scenario.workloads[0].point_count, 2);
    ck_assert(scenario.workloads[0].points[1].rate_per_s == 40);
    scenario_fini(&scenario);
    scenario = read_good("fields.player", "{uniform: {n: 3}}");
    ck_assert(scenario.fields[0].law == FIELD_UNIFORM && scenario.fields[0].n == 3);
    scenario_fini(&scenario);
    scenario = read_good("workload.score.item.PK", "{player}"); /* a template, not a mapping */
    ck_assert_str_eq(scenario.workloads[0].hash_key.text, "{player}");
    scenario_fini(&scenario);
    scenario = read_good("workload.score.item.PK", "{hash(player) % 8}#${rate}");
    ck_assert_str_eq(scenario.workloads[0].hash_key.text, "{hash(player) % 8}#2500");
    scenario_fini(&scenario);
    /* a whole element; those beside it stay */
    scenario =
        read_good("tables.0.AttributeDefinitions.0", "{AttributeName: PK, AttributeType: B}");
    ck_assert_int_eq(scenario.tables[0].hash_key.type, 'B');
    ck_assert_int_eq(scenario.tables[0].range_key.type, 'N');
    scenario_fini(&scenario);
}
END_TEST

START_TEST(makes_room_below_a_text) {
    const struct scenario_override overrides[] = {{"client.latency", "4ms"},
                                                  {"client.latency.lognormal.p99", "40ms"},
                                                  {"workload.score.rate", "7"},
                                                  {NULL, NULL}};
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, FIXTURE_TEXT, overrides, &err), "%s", err.text);
    ck_assert_int_eq(scenario.client.latency_law, LATENCY_LOGNORMAL);
    ck_assert_int_eq(scenario.client.latency_p99_ns, 40 * SIM_NS_PER_MS);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(lets_the_last_one_win) {
    const struct scenario_override overrides[] = {
        {"rate", "1"}, {"rate", "2"}, {"seed", "3"}, {"seed", "4"}, {NULL, NULL}};
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, FIXTURE_TEXT, overrides, &err), "%s", err.text);
    ck_assert(scenario.workloads[0].points[0].rate_per_s == 2);
    ck_assert_uint_eq(scenario.seed, 4);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(finds_names_with_dots) {
    char *text = fixture_edit("TableName: orders", "TableName: orders.v2");
    const struct scenario_override overrides[] = {
        {"tables.orders.v2.ProvisionedThroughput.ReadCapacityUnits", "99"},
        {"tables.orders.v2.pin.L#0", "3"},
        {NULL, NULL}};
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, overrides, &err), "%s", err.text);
    ck_assert_int_eq(scenario.tables[0].read_capacity_units, 99);
    ck_assert_uint_eq(scenario.tables[0].pin_count, 1);
    ck_assert_str_eq(scenario.tables[0].pins[0].key, "L#0");
    ck_assert_uint_eq(scenario.tables[0].pins[0].partition, 3);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

struct bad_case {
    const char *path, *value, *message;
};

static const struct bad_case bad[] = {
    {"modle.routers", "0",
     "--set modle.routers=0: unknown parameter or key 'modle'; did you mean 'model'?"},
    {"rat", "0", "--set rat=0: unknown parameter or key 'rat'; did you mean 'rate'?"},
    {"shard", "0", "--set shard=0: unknown parameter or key 'shard'; did you mean 'shards'?"},
    {"model.roters", "0", "--set model.roters=0: unknown key 'roters'; did you mean 'routers'?"},
    {"model.routers", "65", "--set model.routers=65: 'routers' is 65, outside of 0 … 64"},
    {"model.routers", "", "--set model.routers=: 'routers' must be a whole number, got nothing"},
    {"model.era", "adoptive",
     "--set model.era=adoptive: unknown era 'adoptive'; did you mean 'adaptive'?"},
    {"workload.scor.rate", "1",
     "--set workload.scor.rate=1: no 'scor' in 'workload'; did you mean 'score'?"},
    {"workload.7.rate", "1", "--set workload.7.rate=1: no '7' in 'workload'"},
    {"workload.score.rat", "1",
     "--set workload.score.rat=1: unknown key 'rat'; did you mean 'rate'?"},
    {"workload.score.rate", "0",
     "--set workload.score.rate=0: 'rate' is 0: a constant rate must be above 0"},
    {"workload.score.rate", "[1",
     "--set workload.score.rate=[1: 'rate' must be a number, got '[1'"},
    {"workload.score.item.PK", "{plyer}",
     "--set workload.score.item.PK={plyer}: unknown field 'plyer'; did you mean 'player'?"},
    {"workload.score.item_size", "1MB",
     "--set workload.score.item_size=1MB: an item of 1048576 bytes: DynamoDB takes at most 400 KB "
     "(409600 bytes)"},
    {"workload.score.rate", "${rat}",
     "--set workload.score.rate=${rat}: '${rat}' is no parameter; did you mean '${rate}'?"},
    {"tables.order.TableName", "x",
     "--set tables.order.TableName=x: no 'order' in 'tables'; did you mean 'orders'?"},
    {"rate", "abc", "hot.yaml:19:12: 'rate' must be a number, got 'abc' (from --set rate=abc)"},
    {"rate", "-1", "hot.yaml:19:12: 'rate' is -1, outside of 0 … 100000000 (from --set rate=-1)"},
    {"shards", "0",
     "hot.yaml:20:35: N of {hash(field) % N} is '0', expected a whole number from 1 to 1048576 "
     "(from --set shards=0)"},
    {"", "1", "--set =1: an empty name in the path"},
    {".", "1", "--set .=1: an empty name in the path"},
    {"model.", "1", "--set model.=1: an empty name in the path"},
    {"model..routers", "1", "--set model..routers=1: an empty name in the path"},
    {"seed.x", "1", "--set seed.x=1: 'seed' must be a whole number, got a mapping"},
    {"workload", "{}", "--set workload={}: 'workload' must be a list, got a mapping"},
    {"seed", "\xff", "--set: a byte that is no text; expected UTF-8"},
    {"fields.player", "{zipf: {n: 1, n: 2, s: 1}}",
     "--set fields.player={zipf: {n: 1, n: 2, s: 1}}: 'player' must be one law such as {zipf: {n: "
     "1000, s: 0.99}}, got '{zipf: {n: 1, n: 2, s: 1}}'"},
};

static void check_with_the_setting_named(const struct bad_case *row) {
    struct err err;
    bool is_good;
    struct scenario scenario = read_with(row->path, row->value, &err, &is_good);
    ck_assert_msg(!is_good, "taken: --set %s=%s", row->path, row->value);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
}

START_TEST(refuses_with_the_setting_named) {
    for (size_t i = 0; i < ROWS(bad); i++) {
        check_with_the_setting_named(&bad[i]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_override");
    TCase *tcase = tcase_create("override");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, sets_parameters);
    tcase_add_test(tcase, sets_any_path);
    tcase_add_test(tcase, sets_lists_and_mappings);
    tcase_add_test(tcase, makes_room_below_a_text);
    tcase_add_test(tcase, lets_the_last_one_win);
    tcase_add_test(tcase, finds_names_with_dots);
    tcase_add_test(tcase, refuses_with_the_setting_named);
    return suite_run(suite);
}
