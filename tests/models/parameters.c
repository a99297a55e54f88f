#include "models/parameters.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct parameter_row *row_named(const char *name) {
    size_t count = 0;
    const struct parameter_row *rows = model_parameter_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    ck_abort_msg("no row '%s'", name);
}

START_TEST(defaults_are_the_documented_ones) {
    struct model_parameters parameters;
    model_parameters_default(&parameters);
    ck_assert_int_eq(parameters.era, ERA_GAC);
    ck_assert_int_eq(parameters.partition_formula, PARTITION_FORMULA_MAX);
    ck_assert_int_eq(parameters.placement, PLACEMENT_RANDOM);
    ck_assert_int_eq(parameters.part_max_r, 3000);
    ck_assert_int_eq(parameters.part_max_w, 1000);
    ck_assert_int_eq(parameters.part_max_bytes, INT64_C(10737418240));
    ck_assert_int_eq(parameters.part_bucket_depth, INT64_C(1000000000));
    ck_assert_int_eq(parameters.burst_window_s, INT64_C(300000000000));
    ck_assert_int_eq(parameters.burst_initial_s, INT64_C(300000000000));
    ck_assert_int_eq(parameters.routers, 8);
    ck_assert_int_eq(parameters.gac_refresh, INT64_C(5000000000));
    ck_assert_int_eq(parameters.token_ttl, INT64_C(5000000000));
    ck_assert_int_eq(parameters.adaptive_delay_min, INT64_C(300000000000));
    ck_assert_int_eq(parameters.adaptive_delay_max, INT64_C(1800000000000));
    ck_assert_int_eq(parameters.adaptive_period, INT64_C(60000000000));
    ck_assert_int_eq(parameters.adaptive_gain, 500000);
    ck_assert_int_eq(parameters.update_table_median, INT64_C(60000000000));
    ck_assert_int_eq(parameters.update_table_p99, INT64_C(600000000000));
    ck_assert_int_eq(parameters.mode_switch_time, INT64_C(300000000000));
    ck_assert_int_eq(parameters.split_for_heat, SPLIT_FOR_HEAT_ON);
    ck_assert_int_eq(parameters.heat_threshold, 800000);
    ck_assert_int_eq(parameters.heat_window, INT64_C(300000000000));
    ck_assert_int_eq(parameters.heat_sample, 1024);
    ck_assert_int_eq(parameters.single_item_share, 500000);
    ck_assert_int_eq(parameters.sequential_share, 800000);
    ck_assert_int_eq(parameters.split_duration_min, INT64_C(60000000000));
    ck_assert_int_eq(parameters.split_duration_max, INT64_C(540000000000));
}
END_TEST

START_TEST(every_row_is_complete_and_its_default_in_range) {
    size_t count = 0;
    const struct parameter_row *rows = model_parameter_rows(&count);
    ck_assert_uint_eq(count * sizeof(int64_t), sizeof(struct model_parameters));
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(rows[i].default_value >= rows[i].min && rows[i].default_value <= rows[i].max,
                      "%s", rows[i].name);
        ck_assert_msg(rows[i].source[0] != '\0' && rows[i].about[0] != '\0', "%s", rows[i].name);
        ck_assert_uint_eq(rows[i].offset, i * sizeof(int64_t));
    }
}
END_TEST

START_TEST(a_choice_has_a_word_for_every_value) {
    size_t count = 0;
    const struct parameter_row *rows = model_parameter_rows(&count);
    for (size_t i = 0; i < count; i++) {
        int64_t words = rows[i].words[0] != '\0';
        for (const char *c = rows[i].words; *c != '\0'; c++) {
            words += *c == ' ';
        }
        ck_assert_int_eq(words, rows[i].kind == PARAMETER_CHOICE ? rows[i].max + 1 : 0);
    }
}
END_TEST

START_TEST(set_changes_the_named_field_only) {
    size_t count = 0;
    const struct parameter_row *rows = model_parameter_rows(&count);
    for (size_t i = 0; i < count; i++) {
        struct model_parameters parameters;
        model_parameters_default(&parameters);
        model_parameters_set(&parameters, &rows[i], rows[i].max);
        for (size_t j = 0; j < count; j++) {
            ck_assert_int_eq(model_parameters_get(&parameters, &rows[j]),
                             j == i ? rows[j].max : rows[j].default_value);
        }
    }
    struct model_parameters parameters;
    model_parameters_default(&parameters);
    model_parameters_set(&parameters, row_named("token_ttl"), 7 * SIM_NS_PER_S);
    ck_assert_int_eq(parameters.token_ttl, 7 * SIM_NS_PER_S);
}
END_TEST

START_TEST(aborts_below_the_range) {
    struct model_parameters parameters;
    const struct parameter_row *row = row_named("part_max_w");
    model_parameters_set(&parameters, row, row->min - 1);
}
END_TEST

START_TEST(aborts_above_the_range) {
    struct model_parameters parameters;
    const struct parameter_row *row = row_named("routers");
    model_parameters_set(&parameters, row, row->max + 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/parameters");
    TCase *tcase = tcase_create("parameters");
    tcase_add_test(tcase, defaults_are_the_documented_ones);
    tcase_add_test(tcase, every_row_is_complete_and_its_default_in_range);
    tcase_add_test(tcase, a_choice_has_a_word_for_every_value);
    tcase_add_test(tcase, set_changes_the_named_field_only);
    tcase_add_test_raise_signal(tcase, aborts_below_the_range, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_above_the_range, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
