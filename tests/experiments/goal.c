#include "experiments/goal.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *text;
    enum metric metric;
    enum goal_relation relation;
    double bound, met, missed; /* values on either side */
} goals[] = {
    {"throttled_share<=1%", METRIC_THROTTLED_SHARE, GOAL_AT_MOST, 0.01, 0.01, 0.0101},
    {"throttled_share <= 0.01", METRIC_THROTTLED_SHARE, GOAL_AT_MOST, 0.01, 0, 1},
    {"latency_ms_p99<25", METRIC_LATENCY_MS_P99, GOAL_BELOW, 25, 24.9, 25},
    {"first_throttle_s>=600", METRIC_FIRST_THROTTLE_S, GOAL_AT_LEAST, 600, NAN, 599},
    {"succeeded>1e3", METRIC_SUCCEEDED, GOAL_ABOVE, 1000, 1001, 1000},
    {"partitions==4", METRIC_PARTITIONS, GOAL_EQUALS, 4, 4, 5},
    {"throttled=0", METRIC_THROTTLED, GOAL_EQUALS, 0, 0, 1},
    {"throttled<=0", METRIC_THROTTLED, GOAL_AT_MOST, 0, 0, NAN},
};

START_TEST(reads_metric_relation_and_bound) {
    struct goal goal;
    struct err err = {ERR_NONE, ""};
    ck_assert_msg(goal_read(&goal, goals[_i].text, &err), "%s", err.text);
    ck_assert_int_eq(goal.metric, goals[_i].metric);
    ck_assert_int_eq(goal.relation, goals[_i].relation);
    ck_assert_double_eq_tol(goal.bound, goals[_i].bound, 1e-12);
    ck_assert(goal_met(&goal, goals[_i].met));
    ck_assert(!goal_met(&goal, goals[_i].missed));
}
END_TEST

START_TEST(a_run_without_a_value_meets_no_goal_but_that_of_a_late_refusal) {
    struct goal goal;
    struct err err = {ERR_NONE, ""};
    ck_assert(goal_read(&goal, "first_throttle_s<=600", &err));
    ck_assert(!goal_met(&goal, NAN));
    ck_assert(goal_read(&goal, "latency_ms_p99>=0", &err));
    ck_assert(!goal_met(&goal, NAN));
    ck_assert(goal_read(&goal, "partitions==4", &err));
    ck_assert(!goal_met(&goal, NAN));
}
END_TEST

static const char *const faults[] = {
    "",
    "throttled",
    "throttled<=",
    "<=1",
    "throttled<=x",
    "throttled!=1",
    "throttled<=1%",
    "throttled_share<=1%%",
    "throttled<=nan",
    "throttled<=1e999",
    "throttled<=1 2",
};

START_TEST(refuses_what_is_no_goal) {
    struct goal goal;
    struct err err = {ERR_NONE, ""};
    ck_assert_msg(!goal_read(&goal, faults[_i], &err), "%s", faults[_i]);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "expected a metric"));
}
END_TEST

START_TEST(leaves_a_metric_that_is_none_to_its_caller) {
    struct goal goal;
    struct err err = {ERR_NONE, ""};
    ck_assert(goal_read(&goal, "throtled<=1", &err));
    ck_assert_int_eq(goal.metric, METRIC_COUNT);
    ck_assert_str_eq(goal.name, "throtled");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/goal");
    TCase *tcase = tcase_create("goal");
    tcase_add_loop_test(tcase, reads_metric_relation_and_bound, 0,
                        (int)(sizeof goals / sizeof *goals));
    tcase_add_test(tcase, a_run_without_a_value_meets_no_goal_but_that_of_a_late_refusal);
    tcase_add_loop_test(tcase, refuses_what_is_no_goal, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(tcase, leaves_a_metric_that_is_none_to_its_caller);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
