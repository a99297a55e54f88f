#include "cli/builtin.h"

#include "cli/scenario_source.h"
#include "tests/suite.h"

#include <check.h>
#include <string.h>

START_TEST(is_sorted_and_has_every_file_once) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    ck_assert_uint_ge(count, 10);
    for (size_t i = 1; i < count; i++) {
        ck_assert_int_lt(strcmp(files[i - 1].file_name, files[i].file_name), 0);
    }
}
END_TEST

START_TEST(finds_scenarios_by_name_and_files_by_file_name) {
    const struct builtin_file *scenario = builtin_scenario("leaderboard");
    ck_assert_ptr_nonnull(scenario);
    ck_assert(builtin_is_scenario(scenario));
    ck_assert_ptr_eq(builtin_file("leaderboard.yaml"), scenario);
    ck_assert_ptr_null(builtin_scenario("leaderboard.yaml"));
    ck_assert_ptr_null(builtin_scenario(""));
    const struct builtin_file *log = builtin_file("access-log-1.csv");
    ck_assert_ptr_nonnull(log);
    ck_assert(!builtin_is_scenario(log));
    char name[64];
    ck_assert_str_eq(builtin_nearest("leaderbord", name, sizeof name), "leaderboard");
    ck_assert_ptr_null(builtin_nearest("xyzzy", name, sizeof name));
}
END_TEST

/* The list reads name, about and source by itself: it must agree with the reader of scenarios. */
START_TEST(lists_what_the_reader_reads) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (!builtin_is_scenario(&files[i])) {
            continue;
        }
        char name[64], value[512];
        builtin_name(&files[i], name, sizeof name);
        struct scenario_source source;
        struct err err = {ERR_NONE, ""};
        ck_assert_msg(scenario_source_read(&source, name, NULL, 0, &err), "%s", err.text);
        const struct scenario *scenario = &source.scenario;
        ck_assert_str_eq(scenario->name, name);
        builtin_key(&files[i], "about", value, sizeof value);
        ck_assert_str_eq(scenario->about, value);
        builtin_key(&files[i], "source", value, sizeof value);
        ck_assert_str_eq(scenario->source, value);
        ck_assert_uint_ge(scenario->expect_count, 1);
        scenario_source_close(&source);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/builtin");
    TCase *tcase = tcase_create("builtin");
    tcase_add_test(tcase, is_sorted_and_has_every_file_once);
    tcase_add_test(tcase, finds_scenarios_by_name_and_files_by_file_name);
    tcase_add_test(tcase, lists_what_the_reader_reads);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
