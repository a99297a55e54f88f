#include "experiments/expectation.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SEEN ((double)NAN)

static const struct {
    struct expect_spec row;
    double value;
    bool met;
} rows[] = {
    {{.has_min = true, .min = 3}, 3, true},
    {{.has_min = true, .min = 3}, 2.999, false},
    {{.has_max = true, .max = 3}, 3, true},
    {{.has_max = true, .max = 3}, 3.001, false},
    {{.has_min = true, .min = 1, .has_max = true, .max = 2}, 1.5, true},
    {{.has_min = true, .min = 1, .has_max = true, .max = 2}, 2.5, false},
    {{.has_equals = true, .equals = 100}, 100, true},
    {{.has_equals = true, .equals = 100}, 100.0001, false},
    {{.has_equals = true, .equals = 100, .tolerance = 0.01}, 101, true},
    {{.has_equals = true, .equals = 100, .tolerance = 0.01}, 99, true},
    {{.has_equals = true, .equals = 100, .tolerance = 0.01}, 101.1, false},
    {{.has_equals = true, .equals = -100, .tolerance = 0.01}, -100.5, true},
    {{.has_equals = true, .equals = 0, .tolerance = 0.5}, 0.001, false}, /* relative: of nothing */
    {{.has_equals = true, .equals = 5, .has_max = true, .max = 4}, 5, false},
    {{.has_min = true, .min = -1e300}, NOT_SEEN, false},
    {{.has_max = true, .max = 1e300}, NOT_SEEN, false},
    {{.has_equals = true, .equals = 0, .tolerance = 1}, NOT_SEEN, false},
    {{.has_max = true, .max = 1e300}, (double)INFINITY, false},
};

START_TEST(meets_its_bounds_and_nothing_else) {
    ck_assert(expectation_met(&rows[_i].row, rows[_i].value) == rows[_i].met);
}
END_TEST

static const struct {
    double share;
    double values[4];
    uint32_t count;
    bool holds;
    const char *sentence;
} judged[] = {
    {1, {7}, 1, true, "throttled: 7, expected at most 10"},
    {1, {12}, 1, false, "throttled: 12, expected at most 10"},
    {1, {NOT_SEEN}, 1, false, "throttled: nothing, expected at most 10"},
    {1,
     {7, 8, 9, 12},
     4,
     false,
     "throttled: 7 … 12, expected at most 10: met by 3 of 4 replications (75 %)"},
    {0.75,
     {7, 8, 9, 12},
     4,
     true,
     "throttled: 7 … 12, expected at most 10: met by 3 of 4 replications (75 %), at least 75 % "
     "expected"},
    {0.75,
     {7, 8, 11, 12},
     4,
     false,
     "throttled: 7 … 12, expected at most 10: met by 2 of 4 replications (50 %), at least 75 % "
     "expected"},
    {0.5,
     {NOT_SEEN, 3},
     2,
     true,
     "throttled: 3 … 3, expected at most 10: met by 1 of 2 replications (50 %), at least 50 % "
     "expected"},
    {1,
     {NOT_SEEN, NOT_SEEN},
     2,
     false,
     "throttled: nothing, expected at most 10: met by 0 of 2 replications (0 %)"},
};

START_TEST(judges_replications_and_says_the_figures) {
    const struct expect_spec row = {.metric = {.text = "throttled"},
                                    .has_max = true,
                                    .max = 10,
                                    .to_ns = -1,
                                    .share_of_seeds = judged[_i].share};
    char sentence[256];
    ck_assert(expectation_judge(&row, judged[_i].values, judged[_i].count, sentence,
                                sizeof sentence) == judged[_i].holds);
    ck_assert_str_eq(sentence, judged[_i].sentence);
}
END_TEST

START_TEST(says_what_a_row_is_about) {
    const struct expect_spec row = {.metric = {.text = "consumed_wcu"},
                                    .table = {.text = "orders"},
                                    .reason = {.text = "R"},
                                    .per = PER_MINUTE,
                                    .stat = STAT_MAX,
                                    .has_stat = true,
                                    .from_ns = 60 * SIM_NS_PER_S,
                                    .to_ns = 600 * SIM_NS_PER_S,
                                    .has_equals = true,
                                    .equals = 5,
                                    .tolerance = 0.02,
                                    .has_min = true,
                                    .min = 1,
                                    .share_of_seeds = 1};
    const double value = 5;
    char sentence[256];
    ck_assert(expectation_judge(&row, &value, 1, sentence, sizeof sentence));
    ck_assert_str_eq(sentence, "consumed_wcu per minute, max, table orders, reason R, from 60 s to "
                               "10 min: 5, expected 5 ± 2 %, at least 1");
}
END_TEST

START_TEST(says_late_spans_to_the_second) {
    const struct expect_spec row = {.metric = {.text = "throttled"},
                                    .from_ns = 7200 * SIM_NS_PER_S,
                                    .to_ns = 7261 * SIM_NS_PER_S,
                                    .has_equals = true,
                                    .share_of_seeds = 1};
    const double value = 0;
    char sentence[256];
    ck_assert(expectation_judge(&row, &value, 1, sentence, sizeof sentence));
    ck_assert_str_eq(sentence, "throttled, from 2 h to 2:01:01: 0, expected 0");
}
END_TEST

#define TABLE(name)                                                                                \
    "  - TableName: " name "\n"                                                                    \
    "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}\n"                   \
    "    AttributeDefinitions: [{AttributeName: k, AttributeType: S}]\n"                           \
    "    KeySchema: [{AttributeName: k, KeyType: HASH}]\n"
#define WORKLOAD(name, table)                                                                      \
    "  - {name: " name ", table: " table ", operation: GetItem, rate: 1, item: {k: a}, "           \
    "item_size: 1B}\n"
#define ONE_TABLE                                                                                  \
    "duration: 9s\ntables:\n" TABLE("one") "workload:\n" WORKLOAD("w", "one") "expect:\n  - "
#define TWO_TABLES                                                                                 \
    "duration: 9s\ntables:\n" TABLE("one") TABLE("two") "workload:\n" WORKLOAD("w", "one")         \
        WORKLOAD("v", "two") "expect:\n  - "

static const struct {
    const char *text;
    struct metric_query query; /* metric METRIC_COUNT: refused */
    const char *message;
} resolved[] = {
    {ONE_TABLE "{metric: throttled, max: 1}",
     {METRIC_THROTTLED, METRIC_ANY, METRIC_ANY, METRIC_ANY, NULL, 0, INT64_MAX, METRIC_PER_RUN,
      METRIC_SUM},
     NULL},
    {ONE_TABLE "{metric: partitions, max: 1}", /* a level: its mean, of the only table */
     {METRIC_PARTITIONS, 0, METRIC_ANY, METRIC_ANY, NULL, 0, INT64_MAX, METRIC_PER_RUN,
      METRIC_MEAN},
     NULL},
    {ONE_TABLE "{metric: throttled_share, workload: w, max: 1}",
     {METRIC_THROTTLED_SHARE, METRIC_ANY, 0, METRIC_ANY, NULL, 0, INT64_MAX, METRIC_PER_RUN,
      METRIC_MEAN},
     NULL},
    {ONE_TABLE "{metric: consumed_rcu, per: minute, from: 2s, to: 1m, max: 1}",
     {METRIC_CONSUMED_RCU, METRIC_ANY, METRIC_ANY, METRIC_ANY, NULL, 2, 60, METRIC_PER_MINUTE,
      METRIC_SUM},
     NULL},
    {ONE_TABLE "{metric: throttled, per: second, stat: first_time, max: 1}",
     {METRIC_THROTTLED, METRIC_ANY, METRIC_ANY, METRIC_ANY, NULL, 0, INT64_MAX, METRIC_PER_SECOND,
      METRIC_FIRST_TIME},
     NULL},
    {ONE_TABLE "{metric: consumed_rcu, key: a, max: 1}",
     {METRIC_CONSUMED_RCU, 0, METRIC_ANY, METRIC_ANY, "a", 0, INT64_MAX, METRIC_PER_RUN,
      METRIC_SUM},
     NULL},
    {TWO_TABLES "{metric: partitions, table: two, max: 1}",
     {METRIC_PARTITIONS, 1, METRIC_ANY, METRIC_ANY, NULL, 0, INT64_MAX, METRIC_PER_RUN,
      METRIC_MEAN},
     NULL},
    {TWO_TABLES "{metric: throttle_events, reason: TableReadKeyRangeThroughputExceeded, max: 1}",
     {METRIC_THROTTLE_EVENTS, METRIC_ANY, METRIC_ANY, REASON_TABLE_READ_KEY_RANGE, NULL, 0,
      INT64_MAX, METRIC_PER_RUN, METRIC_SUM},
     NULL},
    {TWO_TABLES "{metric: partitions, max: 1}",
     {.metric = METRIC_COUNT},
     "x.yaml:15:5: metric 'partitions' needs a table"},
    {TWO_TABLES "{metric: throttledd, max: 1}",
     {.metric = METRIC_COUNT},
     "x.yaml:15:14: no metric 'throttledd'; did you mean 'throttled'?"},
    {TWO_TABLES "{metric: xyzzy, max: 1}",
     {.metric = METRIC_COUNT},
     "x.yaml:15:14: no metric 'xyzzy'"},
    {ONE_TABLE "{metric: throttled, to: 1500ms, max: 1}",
     {.metric = METRIC_COUNT},
     "x.yaml:10:5: 'from' and 'to' must be whole seconds: metrics are kept by the second"},
};

START_TEST(resolves_names_or_says_which_is_wrong) {
    struct scenario scenario;
    struct err err = {ERR_NONE, ""};
    const char *text = resolved[_i].text;
    ck_assert_msg(scenario_read_text(&scenario, "x.yaml", text, strlen(text), NULL, 0, &err), "%s",
                  err.text);
    ck_assert_uint_eq(scenario.expect_count, 1);
    struct metric_query query;
    const struct metric_query *expected = &resolved[_i].query;
    const bool ok = expectation_resolve(&scenario, &query, &err);
    if (resolved[_i].message != NULL) {
        ck_assert(!ok);
        ck_assert_str_eq(err.text, resolved[_i].message);
        ck_assert_int_eq(err.kind, ERR_INPUT);
    } else {
        ck_assert_msg(ok, "%s", err.text);
        ck_assert_int_eq(query.metric, expected->metric);
        ck_assert_int_eq(query.resource, expected->resource);
        ck_assert_int_eq(query.workload, expected->workload);
        ck_assert_int_eq(query.reason, expected->reason);
        ck_assert_int_eq(query.from_s, expected->from_s);
        ck_assert_int_eq(query.to_s, expected->to_s);
        ck_assert_int_eq(query.per, expected->per);
        ck_assert_int_eq(query.stat, expected->stat);
        ck_assert(expected->key == NULL ? query.key == NULL
                                        : strcmp(query.key, expected->key) == 0);
    }
    scenario_fini(&scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/expectation");
    TCase *tcase = tcase_create("expectation");
    tcase_add_loop_test(tcase, meets_its_bounds_and_nothing_else, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, judges_replications_and_says_the_figures, 0,
                        sizeof judged / sizeof *judged);
    tcase_add_test(tcase, says_what_a_row_is_about);
    tcase_add_test(tcase, says_late_spans_to_the_second);
    tcase_add_loop_test(tcase, resolves_names_or_says_which_is_wrong, 0,
                        sizeof resolved / sizeof *resolved);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
