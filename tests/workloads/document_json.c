#include "workloads/document_json.h"

#include "tests/suite.h"
#include "workloads/document.h"

#include <check.h>
#include <string.h>

#define VALUE "a value"
#define KEY "a key in double quotes"
#define MORE "',' or the end of a list or mapping"
#define END "the end of the file"

START_TEST(takes_values_of_rfc_8259) {
    static const char *const texts[] = {
        "1",
        " \t\r\n-0.5e+10 ",
        "0",
        "10E2",
        "true",
        "[false, null]",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
        "{}",
        "[]",
        "{\"a\": [1, {\"b\": []}], \"c\": \"\xc3\xa9\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *expected = "";
        const size_t length = strlen(texts[i]);
        ck_assert_uint_eq(document_json_fault(texts[i], length, &expected), length);
        ck_assert_ptr_null(expected);
    }
}
END_TEST

static const struct {
    const char *text;
    size_t fault;
    const char *expected;
} faults[] = {
    {"", 0, VALUE},
    {"{\"a\": # note\n 1}", 6, VALUE},
    {"[1, // x\n2]", 4, VALUE},
    {"[1,]", 3, VALUE},
    {"[,1]", 1, "a value or ']'"},
    {"{\"a\": 1,}", 8, KEY},
    {"{a: 1}", 1, KEY " or '}'"},
    {"{\"a\" 1}", 5, "':'"},
    {"{\"a\": 1 \"b\": 2}", 8, MORE},
    {"[1}", 2, MORE},
    {"[1 2]", 3, MORE},
    {"1 2", 2, END},
    {"{} {}", 3, END},
    {"[1", 2, MORE},
    {"'a'", 0, VALUE},
    {"\"a", 0, VALUE},
    {"\"a\nb\"", 0, VALUE},
    {"\"\\x41\"", 0, VALUE},
    {"\"\\u00g0\"", 0, VALUE},
    {"\"\\u00", 0, VALUE},
    {"\"\\", 0, VALUE},
    {"01", 1, END},
    {".5", 0, VALUE},
    {"1.", 0, VALUE},
    {"1e", 0, VALUE},
    {"-", 0, VALUE},
    {"+1", 0, VALUE},
    {"NaN", 0, VALUE},
    {"True", 0, VALUE},
    {"nul", 0, VALUE},
    {"*a", 0, VALUE},
};
enum { FAULTS = sizeof faults / sizeof *faults };

START_TEST(says_where_it_ends_to_be_json_and_what_was_expected) {
    const char *expected = NULL;
    const size_t fault = document_json_fault(faults[_i].text, strlen(faults[_i].text), &expected);
    ck_assert_uint_eq(fault, faults[_i].fault);
    ck_assert_pstr_eq(expected, faults[_i].expected);
}
END_TEST

START_TEST(takes_no_more_levels_than_a_document_has) {
    char text[2 * DOCUMENT_DEPTH_MAX + 2];
    const char *expected;
    for (size_t levels = DOCUMENT_DEPTH_MAX; levels <= DOCUMENT_DEPTH_MAX + 1; levels++) {
        memset(text, '[', levels);
        memset(text + levels, ']', levels);
        ck_assert_uint_eq(document_json_fault(text, 2 * levels, &expected),
                          levels == DOCUMENT_DEPTH_MAX ? 2 * levels : DOCUMENT_DEPTH_MAX);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/document_json");
    TCase *tcase = tcase_create("document_json");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, takes_values_of_rfc_8259);
    tcase_add_loop_test(tcase, says_where_it_ends_to_be_json_and_what_was_expected, 0, FAULTS);
    tcase_add_test(tcase, takes_no_more_levels_than_a_document_has);
    return suite_run(suite);
}
