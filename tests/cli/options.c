#include "cli/options.h"

#include "tests/suite.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    char text[256]; /* "key=value " for each option and argument, in the order seen */
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct seen *seen = state->input;
    const size_t used = strlen(seen->text);
    if (key == 'o' || key == 'q' || key == ARGP_KEY_ARG) {
        snprintf(seen->text + used, sizeof seen->text - used, "%c=%s ",
                 key == ARGP_KEY_ARG ? 'a' : key, argument == NULL ? "" : argument);
        return 0;
    }
    return key == 'h' ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp_option rows[] = {
    {"output", 'o', "FILE", 0, "", 0},
    {"quiet", 'q', NULL, 0, "", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};
static const struct argp argp = {.options = rows, .parser = parse_option, .args_doc = "X"};

static enum options_result parse(const char *line, struct seen *seen, struct err *err) {
    char text[256], *argv[16] = {NULL};
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    char name[] = "ddbsim test", *rest = NULL;
    argv[argc++] = name;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        argv[argc++] = word;
    }
    return options_parse(&argp, argc, argv, seen, err);
}

static const struct {
    const char *line, *seen;
} good[] = {
    {"", ""},
    {"-o x y", "o=x a=y "},
    {"y -ox", "o=x a=y "},
    {"--output=x -q", "o=x q= "},
    {"--out x --qui", "o=x q= "},
    {"-qo x", "q= o=x "},
    {"-- -q", "a=-q "},
    {"-", "a=- "},
    {"--output= y", "o= a=y "},
};

START_TEST(takes_every_form_that_getopt_takes) {
    struct seen seen = {""};
    struct err err = {ERR_NONE, ""};
    ck_assert_int_eq(parse(good[_i].line, &seen, &err), OPTIONS_READ);
    ck_assert_str_eq(seen.text, good[_i].seen);
}
END_TEST

static const struct {
    const char *line, *message;
} bad[] = {
    {"--qiet", "test has no option '--qiet'; did you mean '--quiet'?"},
    {"--zzzzzz", "test has no option '--zzzzzz'"},
    {"--=x", "test has no option '--'"},
    {"-z", "test has no option '-z'"},
    {"-qz", "test has no option '-z'"},
    {"-o", "option '-o' needs a value; see 'ddbsim test --help'"},
    {"-qo", "option '-qo' needs a value; see 'ddbsim test --help'"},
    {"--output", "option '--output' needs a value; see 'ddbsim test --help'"},
    {"--quiet=1", "option '--quiet' takes no value"},
};

START_TEST(says_what_is_wrong_and_reads_nothing) {
    struct seen seen = {""};
    struct err err = {ERR_NONE, ""};
    ck_assert_int_eq(parse(bad[_i].line, &seen, &err), OPTIONS_FAULT);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, bad[_i].message);
    ck_assert_str_eq(seen.text, "");
}
END_TEST

static const struct {
    const char *text;
    uint64_t min, max, value;
    bool ok;
} numbers[] = {
    {"0", 0, UINT64_MAX, 0, true},
    {"18446744073709551615", 0, UINT64_MAX, UINT64_MAX, true},
    {"18446744073709551616", 0, UINT64_MAX, 0, false},
    {"007", 0, 10, 7, true},
    {"11", 0, 10, 0, false},
    {"0", 1, 10, 0, false},
    {"", 0, 10, 0, false},
    {"-1", 0, UINT64_MAX, 0, false},
    {" 1", 0, 10, 0, false},
    {"1 ", 0, 10, 0, false},
    {"1e1", 0, 10, 0, false},
    {"0x1", 0, 10, 0, false},
};

START_TEST(reads_whole_numbers_in_range_only) {
    struct err err = {ERR_NONE, ""};
    uint64_t value = 99;
    ck_assert(options_uint64("--n", numbers[_i].text, numbers[_i].min, numbers[_i].max, &value,
                             &err) == numbers[_i].ok);
    ck_assert_uint_eq(value, numbers[_i].ok ? numbers[_i].value : 99);
    ck_assert_int_eq(err.kind, numbers[_i].ok ? ERR_NONE : ERR_INPUT);
}
END_TEST

START_TEST(splits_a_set_at_its_first_equals_sign) {
    struct option_sets sets = {.count = 0};
    struct err err = {ERR_NONE, ""};
    ck_assert(options_set(&sets, "a.b=c=d", &err));
    ck_assert(options_set(&sets, "x=", &err));
    ck_assert_uint_eq(sets.count, 2);
    ck_assert_str_eq(sets.overrides[0].path, "a.b");
    ck_assert_str_eq(sets.overrides[0].value, "c=d");
    ck_assert_str_eq(sets.overrides[1].value, "");
    ck_assert(!options_set(&sets, "=x", &err));
    ck_assert_str_eq(err.text, "--set: expected NAME=VALUE, got '=x'");
    options_sets_free(&sets);
}
END_TEST

START_TEST(refuses_more_sets_than_it_can_hold) {
    struct option_sets sets = {.count = 0};
    struct err err = {ERR_NONE, ""};
    for (int i = 0; i < OPTIONS_SET_MAX; i++) {
        ck_assert(options_set(&sets, "a=b", &err));
    }
    ck_assert(!options_set(&sets, "a=b", &err));
    ck_assert_str_eq(err.text, "--set: at most 256 of them are taken");
    options_sets_free(&sets);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/options");
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, takes_every_form_that_getopt_takes, 0, sizeof good / sizeof *good);
    tcase_add_loop_test(tcase, says_what_is_wrong_and_reads_nothing, 0, sizeof bad / sizeof *bad);
    tcase_add_loop_test(tcase, reads_whole_numbers_in_range_only, 0,
                        sizeof numbers / sizeof *numbers);
    tcase_add_test(tcase, splits_a_set_at_its_first_equals_sign);
    tcase_add_test(tcase, refuses_more_sets_than_it_can_hold);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
