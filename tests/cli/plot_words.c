#include "cli/plot_words.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double value;
    const char *text;
} numbers[] = {
    {0, "0"},          {1, "1"},          {999, "999"},    {1000, "1,000"}, {1234567, "1,234,567"},
    {-1234, "-1,234"}, {0.25, "0.25"},    {12.34, "12.3"}, {99.99, "100"},  {1e18, "1e+18"},
    {0.004, "0.004"},  {2999.6, "3,000"},
};

START_TEST(numbers_are_short_and_have_commas) {
    char text[PLOT_NUMBER_BYTES];
    ck_assert_str_eq(plot_number(numbers[_i].value, text), numbers[_i].text);
}
END_TEST

static const struct {
    const char *foreign;
    size_t columns;
    bool is_terminal;
    const char *text;
} names[] = {
    {"plain", 10, false, "plain"},
    {"", 10, false, "(empty)"},
    {"  ", 10, false, "(blank)"},
    {"a\nb\t", 20, false, "a\\x0Ab\\x09"},
    {"\x80z\xc3", 20, false, "\\x80z\\xC3"},
    {"\xc0\xaf", 20, false, "\\xC0\\xAF"},          /* overlong */
    {"\xed\xa0\x80", 20, false, "\\xED\\xA0\\x80"}, /* a surrogate */
    {"Gr\xc3\xbc\xc3\x9f", 10, false, "Gr\xc3\xbc\xc3\x9f"},
    {"\xe6\xbc\xa2", 10, false, "\\u6F22"}, /* the font may lack it */
    {"\xe6\xbc\xa2", 10, true, "\xe6\xbc\xa2"},
    {"\xf0\x9f\x98\x80", 20, false, "\\U01F600"},
    {"\xe2\x80\xaex", 20, true, "\\u202Ex"}, /* right-to-left override */
    {"0123456789", 7, true, "0123..9"},
    {"0123456789", 7, false,
     "0123\xe2\x80\xa6"
     "89"},
};

START_TEST(foreign_text_is_made_printable_and_short) {
    char text[PLOT_NAME_BYTES];
    ck_assert_str_eq(plot_clean(names[_i].foreign, names[_i].columns, names[_i].is_terminal, text),
                     names[_i].text);
}
END_TEST

/* Random bytes: the result is never wider than asked for and holds no control character. */
START_TEST(any_bytes_fit_in_the_columns_they_get) {
    unsigned seed = 20260101U + (unsigned)_i;
    for (int round = 0; round < 300; round++) {
        char foreign[3000], text[PLOT_NAME_BYTES];
        size_t length = (size_t)rand_r(&seed) % sizeof foreign;
        for (size_t i = 0; i < length; i++) {
            foreign[i] = (char)(1 + rand_r(&seed) % 255);
        }
        foreign[length] = '\0';
        size_t columns = 10 + (size_t)rand_r(&seed) % 60;
        plot_clean(foreign, columns, round % 2 == 0, text);
        bool is_named = text[0] == '(' && strlen(text) == 7;
        ck_assert_msg(plot_columns(text) <= columns || is_named, "seed %d, round %d: '%s'", _i,
                      round, text);
        for (const char *at = text; *at != '\0'; at++) {
            ck_assert((unsigned char)*at >= 0x20 && *at != 0x7f);
        }
    }
}
END_TEST

START_TEST(a_quoted_text_has_nothing_that_gnuplot_acts_on) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    ck_assert_ptr_nonnull(file);
    plot_quote(file, "X", "it's `id` \"a\" \\ $x @y 5%\n{z}_^");
    fclose(file);
    ck_assert_str_eq(text, "X = \"it\\047s \\140id\\140 \\042a\\042 \\134 \\044x \\100y \\065\\045"
                           "\\012\\173z\\175\\137\\136\"\n");
    free(text);
}
END_TEST

START_TEST(time_steps_are_round_and_never_too_many) {
    for (int64_t span_s = 1; span_s < 400000000; span_s += 1 + span_s / 7) {
        for (int64_t pieces = 1; pieces < 1000; pieces = 2 * pieces + 1) {
            int64_t step_s = plot_time_step(span_s, pieces);
            ck_assert_int_le((span_s + step_s - 1) / step_s, pieces);
            ck_assert(step_s < 60 || step_s % 60 == 0);
            ck_assert(step_s < 86400 || step_s % 86400 == 0);
        }
    }
}
END_TEST

START_TEST(rounding_up_goes_to_one_two_five) {
    static const double pairs[][2] = {{1, 1},    {1.01, 2}, {2, 2},       {3, 5},     {5, 5},
                                      {5.1, 10}, {99, 100}, {0.03, 0.05}, {700, 1000}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_double_eq_tol(plot_round_up(pairs[i][0]), pairs[i][1], 1e-12);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/plot_words");
    TCase *tests = tcase_create("plot_words");
    tcase_add_loop_test(tests, numbers_are_short_and_have_commas, 0,
                        sizeof numbers / sizeof numbers[0]);
    tcase_add_loop_test(tests, foreign_text_is_made_printable_and_short, 0,
                        sizeof names / sizeof names[0]);
    tcase_add_loop_test(tests, any_bytes_fit_in_the_columns_they_get, 0, 8);
    tcase_add_test(tests, a_quoted_text_has_nothing_that_gnuplot_acts_on);
    tcase_add_test(tests, time_steps_are_round_and_never_too_many);
    tcase_add_test(tests, rounding_up_goes_to_one_two_five);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
