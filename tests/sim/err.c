#include "sim/err.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

START_TEST(formats_the_message_and_returns_false) {
    struct err err = {.kind = ERR_NONE};
    ck_assert(!err_set(&err, ERR_INPUT, "%s:%d:%d: unknown key '%s'", "hot.yaml", 12, 5, "burts"));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, "hot.yaml:12:5: unknown key 'burts'");
}
END_TEST

START_TEST(stays_on_one_line_whatever_a_name_holds) {
    struct err err = {.kind = ERR_NONE};
    err_set(&err, ERR_IO, "cannot read '%s'", "a\nb\tc\x1b[31m\x7f\u00e9");
    ck_assert_str_eq(err.text, "cannot read 'a?b?c?[31m?\u00e9'");
}
END_TEST

START_TEST(keeps_the_first_failure) {
    struct err err = {.kind = ERR_NONE};
    ck_assert(!err_set(&err, ERR_IO, "first"));
    ck_assert(!err_set(&err, ERR_INPUT, "second"));
    ck_assert(!err_no_memory(&err, "third"));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_str_eq(err.text, "first");
}
END_TEST

START_TEST(says_what_memory_was_for) {
    struct err err = {.kind = ERR_NONE};
    ck_assert(!err_no_memory(&err, "timers"));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_str_eq(err.text, "out of memory (timers)");
}
END_TEST

START_TEST(holds_the_longest_text_whole) {
    char text[ERR_TEXT_BYTES];
    memset(text, 'x', sizeof text);
    text[ERR_TEXT_BYTES - 1] = '\0';
    struct err err = {.kind = ERR_NONE};
    err_set(&err, ERR_INPUT, "%s", text);
    ck_assert_str_eq(err.text, text);
}
END_TEST

/* Every shift of a text of three-byte characters, so that the cut falls on each of their bytes. */
START_TEST(cuts_longer_texts_between_characters) {
    for (size_t shift = 0; shift < 3; shift++) {
        char text[3 * ERR_TEXT_BYTES];
        memset(text, 'x', shift);
        size_t length = shift;
        while (length + 3 < sizeof text) {
            memcpy(text + length, "€", 3);
            length += 3;
        }
        text[length] = '\0';
        struct err err = {.kind = ERR_NONE};
        err_set(&err, ERR_INPUT, "%s", text);
        size_t kept = strlen(err.text);
        ck_assert_uint_lt(kept, ERR_TEXT_BYTES);
        ck_assert_uint_gt(kept, ERR_TEXT_BYTES - 4);
        ck_assert_str_eq(err.text + kept - 3, "…");
        ck_assert_int_eq(strncmp(err.text, text, kept - 3), 0);
        ck_assert_uint_eq((kept - 3 - shift) % 3, 0);
    }
}
END_TEST

START_TEST(aborts_on_a_failure_without_kind) {
    struct err err = {.kind = ERR_NONE};
    err_set(&err, ERR_NONE, "nothing");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/err");
    TCase *tcase = tcase_create("err");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, formats_the_message_and_returns_false);
    tcase_add_test(tcase, stays_on_one_line_whatever_a_name_holds);
    tcase_add_test(tcase, keeps_the_first_failure);
    tcase_add_test(tcase, says_what_memory_was_for);
    tcase_add_test(tcase, holds_the_longest_text_whole);
    tcase_add_test(tcase, cuts_longer_texts_between_characters);
    tcase_add_test_raise_signal(tcase, aborts_on_a_failure_without_kind, SIGABRT);
    return suite_run(suite);
}
