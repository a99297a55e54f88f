#include "experiments/vary.h"

#include "workloads/scenario.h"
#include "workloads/value.h"

#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;

static void set_up(void) {
    arena_init(&arena);
}

static void tear_down(void) {
    arena_fini(&arena);
}

static const struct {
    const char *text, *name, *values; /* values: joined by a blank */
} good[] = {
    {"shards=1,2,4", "shards", "1 2 4"},
    {"shards=7", "shards", "7"},
    {"era=gac,static", "era", "gac static"},
    {"duration=1m,5m", "duration", "1m 5m"},
    {"client.retry={attempts: 3, base: 0s},none", "client.retry", "{attempts: 3, base: 0s} none"},
    {"x=[a,b],c", "x", "[a,b] c"},
    {"x='a,b',\"c,d\"", "x", "'a,b' \"c,d\""},
    {"rate=100:500:100", "rate", "100 200 300 400 500"},
    {"rate=100:499:100", "rate", "100 200 300 400"},
    {"share=0:1:0.25", "share", "0 0.25 0.5 0.75 1"},
    {"share=0:1:0.1", "share", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
    {"n=log:1:256:9", "n", "1 2 4 8 16 32 64 128 256"},
    {"n=log:1:10:10", "n", "1 2 3 4 5 6 8 10"},
    {"x=log:0.1:10:3", "x", "0.1 1 10"},
    {"at=12:30:05:99", "at", "12:30:05:99"}, /* four numbers are a text */
    {"key=a:b", "key", "a:b"},
};

START_TEST(reads_what_the_help_says) {
    struct vary vary;
    struct err err = {ERR_NONE, ""};
    ck_assert_msg(vary_read(&vary, good[_i].text, &arena, &err), "%s", err.text);
    ck_assert_str_eq(vary.name, good[_i].name);
    char values[256] = "";
    for (uint32_t i = 0; i < vary.count; i++) {
        const size_t used = strlen(values);
        (void)snprintf(values + used, sizeof values - used, "%s%s", i == 0 ? "" : " ",
                       vary.values[i]);
    }
    ck_assert_str_eq(values, good[_i].values);
}
END_TEST

static const struct {
    const char *text, *fault;
} bad[] = {
    {"shards", "a name, '=' and values are needed"},
    {"=1,2", "a name, '=' and values are needed"},
    {"shards=", "a name, '=' and values are needed"},
    {"shards=1,,2", "a value is empty"},
    {"shards=1,2,", "a value is empty"},
    {"shards=1,2,1", "a value is given twice"},
    {"shards=4:1", "LOW must be below HIGH"},
    {"shards=1:4:0", "STEP must be above 0"},
    {"shards=1:4:-1", "STEP must be above 0"},
    {"shards=0:1e9:1", "more values than 100,000"},
    {"shards=log:0:4:3", "a logarithm needs LOW above 0"},
    {"shards=log:1:4:1", "COUNT must be a whole number from 2 to 100,000"},
    {"shards=log:1:4:2.5", "COUNT must be a whole number from 2 to 100,000"},
    {"shards=log:1:4", "'log' takes three numbers"},
    {"shards=log:1:4:5:6", "'log' takes three numbers"},
};

START_TEST(says_what_is_wrong) {
    struct vary vary;
    struct err err = {ERR_NONE, ""};
    ck_assert_msg(!vary_read(&vary, bad[_i].text, &arena, &err), "%s", bad[_i].text);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_msg(strstr(err.text, bad[_i].fault) != NULL, "%s: %s", bad[_i].text, err.text);
}
END_TEST

static const struct {
    const char *text;
    double fraction;
    const char *value;
} spans[] = {
    {"x=0.5:2.5", 0, "0.5"},      {"x=0.5:2.5", 0.5, "1.5"}, {"x=1:4", 0.5, "3"}, /* whole ends */
    {"x=1:4:1", 0, "1"},          {"x=1:4:1", 0.49, "2"},    {"x=1:4:1", 1, "4"},
    {"x=log:1:100:3", 0.5, "10"},
};

START_TEST(spans_have_a_value_at_each_fraction) {
    struct vary vary;
    struct err err = {ERR_NONE, ""};
    char value[VARY_VALUE_BYTES];
    ck_assert(vary_read(&vary, spans[_i].text, &arena, &err));
    vary_at(&vary, spans[_i].fraction, value);
    ck_assert_str_eq(value, spans[_i].value);
}
END_TEST

static const char scenario_text[] =
    "duration: 1s\n"
    "tables:\n"
    "  - TableName: orders\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}\n"
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "workload: [{name: w, operation: PutItem, rate: 1, item_size: 9, item: {PK: a}}]\n";

/* As `--vary model.NAME=…` does, with the ends of the documented range; one that another one bounds
 * goes with it. */
static void vary_parameter(const struct parameter_row *row, int64_t value) {
    static const char *const pairs[][2] = {{"as_alarm_delay_min", "as_alarm_delay_max"},
                                           {"split_duration_min", "split_duration_max"},
                                           {"adaptive_delay_min", "adaptive_delay_max"},
                                           {"update_table_median", "update_table_p99"}};
    char paths[2][64], text[VALUE_TEXT_BYTES], spec[128];
    struct scenario_override overrides[2] = {{paths[0], NULL}, {paths[1], text}};
    struct vary vary;
    struct scenario scenario;
    struct err err = {ERR_NONE, ""};
    size_t count = 1;
    value_print_parameter(row, value, text);
    (void)snprintf(paths[0], sizeof paths[0], "model.%s", row->name);
    (void)snprintf(spec, sizeof spec, "%s=%s", paths[0], text);
    ck_assert_msg(vary_read(&vary, spec, &arena, &err), "%s: %s", spec, err.text);
    ck_assert_uint_eq(vary.count, 1);
    overrides[0] = (struct scenario_override){vary.name, vary.values[0]};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (size_t k = 0; k < 2; k++) {
            if (strcmp(row->name, pairs[i][k]) == 0) {
                (void)snprintf(paths[1], sizeof paths[1], "model.%s", pairs[i][1 - k]);
                count = 2;
            }
        }
    }
    ck_assert_msg(scenario_read_text(&scenario, "vary.yaml", scenario_text, strlen(scenario_text),
                                     overrides, count, &err),
                  "%s: %s", spec, err.text);
    ck_assert_msg(model_parameters_get(&scenario.model, row) == value, "%s", spec);
    scenario_fini(&scenario);
}

START_TEST(every_documented_parameter_can_be_varied_by_its_name) {
    size_t count;
    const struct parameter_row *rows = model_parameter_rows(&count);
    ck_assert_uint_gt(count, 40);
    for (size_t i = 0; i < count; i++) {
        vary_parameter(&rows[i], rows[i].default_value);
        vary_parameter(&rows[i], rows[i].min);
        vary_parameter(&rows[i], rows[i].max);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/vary");
    TCase *tcase = tcase_create("vary");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, reads_what_the_help_says, 0, (int)(sizeof good / sizeof *good));
    tcase_add_loop_test(tcase, says_what_is_wrong, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_loop_test(tcase, spans_have_a_value_at_each_fraction, 0,
                        (int)(sizeof spans / sizeof *spans));
    tcase_add_test(tcase, every_documented_parameter_can_be_varied_by_its_name);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
