#include "tests/suite.h"
#include "tests/workloads/scenario_fixture.h"
#include "workloads/field.h"

#include <stdio.h>

/* The fixture with another law for its field. */
static bool read_law(struct scenario *scenario, const char *law, struct err *err) {
    char *text = fixture_edit("{zipf: {n: 1000, s: 0.99}}", law);
    bool was_read = fixture_read(scenario, text, NULL, err);
    free(text);
    return was_read;
}

static const struct field_spec *read_good(struct scenario *scenario, const char *law) {
    struct err err;
    ck_assert_msg(read_law(scenario, law, &err), "%s: %s", law, err.text);
    return &scenario->fields[0];
}

START_TEST(reads_skewed_ranks) {
    struct scenario scenario;
    const struct field_spec *field =
        read_good(&scenario, "{scrambled: {n: 50, s: 1.5, first: -3}}");
    ck_assert(field->law == FIELD_SCRAMBLED && field->n == 50 && field->first == -3);
    ck_assert_double_eq(field->exponent, 1.5);
    scenario_fini(&scenario);
    field = read_good(&scenario, "{ycsb-zipfian: {n: 1e3}}");
    ck_assert(field->law == FIELD_YCSB_ZIPFIAN && field->n == 1000 && field->first == 0);
    ck_assert(field->exponent == 0.99 && !field->is_scrambled);
    scenario_fini(&scenario);
    field = read_good(&scenario, "{ycsb-zipfian: {n: 9, s: 0.5, first: 1, scrambled: true}}");
    ck_assert(field->exponent == 0.5 && field->first == 1 && field->is_scrambled);
    scenario_fini(&scenario);
    field = read_good(&scenario, "{latest: {n: 100, s: 0.9, growth: 0.1, first: 7}}");
    ck_assert(field->law == FIELD_LATEST && field->recent == 100 && field->first == 7);
    ck_assert_uint_eq(field->growth, UINT64_C(429496730)); /* 2^32 / 10, rounded up */
    ck_assert_uint_eq(field->n, 100 + field->growth);
    scenario_fini(&scenario);
    ck_assert_uint_eq(read_good(&scenario, "{latest: {n: 5, s: 0, growth: 0}}")->n, 5);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(reads_hot_sets_to_the_nearest_number) {
    static const struct {
        const char *law;
        uint64_t hot;
    } rows[] = {{"{hotset: {n: 10, hot_fraction: 0.25, hot_share: 0.8}}", 3},
                {"{hotset: {n: 10, hot_fraction: 0.24, hot_share: 0.8}}", 2},
                {"{hotset: {n: 2, hot_fraction: 0.5, hot_share: 0.8, first: 4}}", 1},
                {"{hotset: {n: 1000, hot_fraction: 0.0009, hot_share: 0.8}}", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario scenario;
        const struct field_spec *field = read_good(&scenario, rows[i].law);
        ck_assert(field->law == FIELD_HOTSET && field->range_count == 2);
        ck_assert(field->ranges[0].begin == 0 && field->ranges[0].length == rows[i].hot);
        ck_assert(field->ranges[1].begin == rows[i].hot);
        ck_assert_uint_eq(field->ranges[1].length, field->n - rows[i].hot);
        ck_assert_double_eq_tol(field->weights[0], 0.8, 1e-15);
        ck_assert_double_eq_tol(field->weights[1], 0.2, 1e-15);
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(reads_bells) {
    struct scenario scenario;
    const struct field_spec *field =
        read_good(&scenario, "{normal: {mean: -1.5, sd: 2, min: -9, max: 9}}");
    ck_assert(field->law == FIELD_NORMAL && field->mean == -1.5 && field->sd == 2);
    ck_assert(field->first == -9 && field->n == 19);
    scenario_fini(&scenario);
    field = read_good(&scenario, "{lognormal: {median: 40, p99: 600, min: 1, max: 5000}}");
    ck_assert(field->law == FIELD_LOGNORMAL && field->median == 40 && field->p99 == 600);
    ck_assert(field->first == 1 && field->n == 5000);
    scenario_fini(&scenario);
    field = read_good(&scenario, "{exponential: {mean: 2, min: -5, max: -5}}");
    ck_assert(field->law == FIELD_EXPONENTIAL && field->mean == 2);
    ck_assert(field->first == -5 && field->n == 1);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(reads_histograms_of_values_and_ranges) {
    struct scenario scenario;
    const struct field_spec *field =
        read_good(&scenario, "{histogram: [[5, 1], [[-2, 7], 2.5], [\"${shards}\", 0]]}");
    ck_assert(field->law == FIELD_HISTOGRAM && field->first == -2 && field->n == 10);
    ck_assert_uint_eq(field->range_count, 3);
    ck_assert(field->ranges[0].begin == 7 && field->ranges[0].length == 1);
    ck_assert(field->ranges[1].begin == 0 && field->ranges[1].length == 10);
    ck_assert(field->ranges[2].begin == 6 && field->ranges[2].length == 1);
    ck_assert(field->weights[0] == 1 && field->weights[1] == 2.5 && field->weights[2] == 0);
    scenario_fini(&scenario);
}
END_TEST

/* What stands at the ends of the ranges can be opened and drawn. */
START_TEST(draws_from_the_most_extreme_laws) {
    static const char *const laws[] = {
        "{scrambled: {n: 281474976710656, s: 20, first: 1152921504606846976}}",
        "{ycsb-zipfian: {n: 281474976710656, s: 0.9999}}",
        "{ycsb-zipfian: {n: 1, s: 0, scrambled: true, first: -1152921504606846976}}",
        "{ycsb-zipfian: {n: 281474976710656, s: 0.9999, scrambled: true}}",
        "{latest: {n: 281474976710656, s: 0.5, growth: 100}}",
        "{hotset: {n: 281474976710656, hot_fraction: 1e-14, hot_share: 1}}",
        "{hotset: {n: 2, hot_fraction: 0.5, hot_share: 0}}",
        "{normal: {mean: 1e18, sd: 0.001, min: -1152921504606846976, max: -1152921504606846000}}",
        "{normal: {mean: -1e18, sd: 1e18, min: 0, max: 281474976710655}}",
        "{normal: {mean: 0, sd: 0.001, min: -140737488355328, max: 140737488355327}}",
        "{lognormal: {median: 0.001, p99: 1e18, min: 0, max: 281474976710655}}",
        "{lognormal: {median: 1e14, p99: 1.00000000000001e14, min: 0, max: 281474976710655}}",
        "{lognormal: {median: 0.001, p99: 0.0011, min: 1152921504606846000, "
        "max: 1152921504606846976}}",
        "{lognormal: {median: 1e14, p99: 1e18, min: 1152640029630136321, "
        "max: 1152921504606846976}}",
        "{exponential: {mean: 0.001, min: 0, max: 281474976710655}}",
        "{exponential: {mean: 1e18, min: 1, max: 281474976710656}}",
        "{histogram: [[-140737488355328, 1e12], [140737488355327, 1e-300]]}",
    };
    struct scenario scenario;
    struct arena arena;
    struct field field;
    struct err err = {.kind = ERR_NONE};
    const struct random_name name = {1, 0, "extreme", "player"};
    uint64_t numbers[2000];
    const struct field_spec *spec = read_good(&scenario, laws[_i]);
    arena_init(&arena);
    ck_assert(field_init(&field, &arena, spec, &name, &err));
    field_fill(&field, numbers, 2000);
    for (size_t i = 0; i < 2000; i++) {
        ck_assert_uint_lt(numbers[i], spec->n);
    }
    arena_fini(&arena);
    scenario_fini(&scenario);
}
END_TEST

static const struct {
    const char *law, *message; /* after "hot.yaml:15:" */
} refusals[] = {
    {"{scrambeld: {}}", "12: unknown field law 'scrambeld'; did you mean 'scrambled'?"},
    {"{ycsb-zipf: {n: 1}}", "12: unknown field law 'ycsb-zipf'; did you mean 'ycsb-zipfian'?"},
    {"{log-normal: {n: 1}}", "12: unknown field law 'log-normal'; did you mean 'lognormal'?"},
    {"{scrambled: {s: 1}}", "23: 'n' is missing"},
    {"{scrambled: {n: 9}}", "23: 's' is missing"},
    {"{scrambled: [1]}", "23: 'scrambled' must be a mapping of keys, got a list"},
    {"{ycsb-zipfian: {n: 9, s: 1}}", "36: 's' is 1, outside of 0 … 0.9999"},
    {"{ycsb-zipfian: {n: 9, scrambled: maybe}}",
     "44: 'scrambled' must be true or false, got 'maybe'"},
    {"{ycsb-zipfian: {n: 9, scramble: true}}",
     "33: unknown key 'scramble'; did you mean 'scrambled'?"},
    {"{latest: {n: 9, s: 1}}", "20: 'growth' is missing"},
    {"{latest: {n: 9, s: 1, growth: -1}}", "41: 'growth' is -1, outside of 0 … 100"},
    {"{hotset: {n: 1, hot_fraction: 0.5, hot_share: 1}}",
     "24: 'n' is 1, outside of 2 … 281474976710656"},
    {"{hotset: {n: 9, hot_share: 1}}", "20: 'hot_fraction' is missing"},
    {"{hotset: {n: 9, hot_fraction: 20, hot_share: 1}}",
     "41: 'hot_fraction' is 20, outside of 0 … 1"},
    {"{hotset: {n: 9, hot_fraction: 0.05, hot_share: 1}}",
     "41: 'hot_fraction' makes none of 9 values hot; some must be, and some not"},
    {"{hotset: {n: 9, hot_fraction: 0.95, hot_share: 1}}",
     "41: 'hot_fraction' makes all of 9 values hot; some must be, and some not"},
    {"{normal: {mean: 1, sd: 0, min: 0, max: 9}}", "34: 'sd' is 0, outside of 0.001 … 1e+18"},
    {"{normal: {mean: 1, sd: 1, max: 9}}", "20: 'min' is missing"},
    {"{normal: {mean: 1, sd: 1, min: 0}}", "20: 'max' is missing"},
    {"{normal: {mean: 1, sd: 1, min: 5, max: 4}}",
     "50: 'max' must be 'min' or up to 2^48 - 1 above it"},
    {"{normal: {mean: 1, sd: 1, min: 0.5, max: 4}}", "42: 'min' must be a whole number, got '0.5'"},
    {"{lognormal: {median: 9, p99: 9, min: 0, max: 9}}", "40: 'p99' must be above 'median'"},
    {"{lognormal: {median: 9, p99: 10, min: -1, max: 9}}",
     "49: 'min' is -1, outside of 0 … 1152921504606846976"},
    {"{lognormal: {mean: 9, p99: 10, min: 0, max: 9}}",
     "24: unknown key 'mean'; did you mean 'median'?"},
    {"{exponential: {mean: 0, min: 0, max: 9}}", "32: 'mean' is 0, outside of 0.001 … 1e+18"},
    {"{exponential: {min: 0, max: 9}}", "25: 'mean' is missing"},
    {"{histogram: {a: 1}}", "23: 'histogram' must be a list, got a mapping"},
    {"{histogram: []}", "23: 'histogram' has no rows"},
    {"{histogram: [5]}", "24: expected [value, weight] or [[min, max], weight], got '5'"},
    {"{histogram: [[5]]}", "24: expected [value, weight] or [[min, max], weight], got a list"},
    {"{histogram: [[[5], 1]]}", "25: expected [min, max], got a list"},
    {"{histogram: [[eu, 1]]}", "25: expected a whole number, got 'eu'"},
    {"{histogram: [[5, -1]]}", "28: -1 is outside of 0 … 1000000000000"},
    {"{histogram: [[[9, 5], 1]]}", "29: the end of a range, 5, lies before its begin, 9"},
    {"{histogram: [[5, 0], [6, 0]]}", "23: all weights of 'histogram' are 0"},
    {"{histogram: [[0, 1], [281474976710656, 1]]}",
     "23: the values of 'histogram' are 2^48 or more apart"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

START_TEST(refuses_faults_with_their_place) {
    struct scenario scenario;
    struct err err;
    char expected[256];
    snprintf(expected, sizeof expected, "hot.yaml:15:%s", refusals[_i].message);
    ck_assert_msg(!read_law(&scenario, refusals[_i].law, &err), "%s", refusals[_i].law);
    ck_assert_str_eq(err.text, expected);
    scenario_fini(&scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_field_law");
    TCase *tcase = tcase_create("laws");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_skewed_ranks);
    tcase_add_test(tcase, reads_hot_sets_to_the_nearest_number);
    tcase_add_test(tcase, reads_bells);
    tcase_add_test(tcase, reads_histograms_of_values_and_ranges);
    tcase_add_loop_test(tcase, draws_from_the_most_extreme_laws, 0, 17);
    tcase_add_loop_test(tcase, refuses_faults_with_their_place, 0, REFUSALS);
    return suite_run(suite);
}
