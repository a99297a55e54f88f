#include "cli/export_rows.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(literal)                                                                              \
    { .type = STORE_VALUE_TEXT, .bytes = (literal), .length = sizeof(literal) - 1 }
#define REAL(value)                                                                                \
    { .type = STORE_VALUE_REAL, .real = (value) }

static const struct {
    struct store_value value;
    const char *csv, *json;
} values[] = {
    {{.type = STORE_VALUE_NULL}, "", "null"},
    {{.type = STORE_VALUE_INTEGER, .integer = INT64_MIN},
     "-9223372036854775808",
     "-9223372036854775808"},
    {{.type = STORE_VALUE_INTEGER, .integer = 0}, "0", "0"},
    {REAL(0.5), "0.5", "0.5"},
    {REAL(0.1 + 0.2), "0.30000000000000004", "0.30000000000000004"},
    {REAL(1e15), "1e+15", "1e+15"},
    {REAL(999999999999999), "999999999999999", "999999999999999"},
    {REAL(-7), "-7", "-7"},
    {REAL(-0.0), "-0", "-0"},
    {REAL(5e-324), "4.94065645841247e-324", "4.94065645841247e-324"},
    {REAL(HUGE_VAL), "inf", "null"},
    {REAL(-HUGE_VAL), "-inf", "null"},
    {TEXT(""), "\"\"", "\"\""},
    {TEXT("plain text"), "plain text", "\"plain text\""},
    {TEXT("a,b"), "\"a,b\"", "\"a,b\""},
    {TEXT("say \"hi\""), "\"say \"\"hi\"\"\"", "\"say \\\"hi\\\"\""},
    {TEXT("a\nb\r"), "\"a\nb\r\"", "\"a\\nb\\r\""},
    {TEXT("a\\b\t\x01\x7f\b\f"), "a\\b\t\x01\x7f\b\f", "\"a\\\\b\\t\\u0001\\u007f\\b\\f\""},
    {TEXT("é€😀"), "é€😀", "\"é€😀\""},
    {TEXT("é\xff,"), "\"é\xff,\"", "\"é\\\\xff,\""},
    {{.type = STORE_VALUE_BLOB, .bytes = "\0\xff", .length = 2}, "00ff", "\"00ff\""},
};

static char *printed(void (*print)(FILE *out, const struct store_value *value),
                     const struct store_value *value, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    ck_assert_ptr_nonnull(out);
    print(out, value);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(a_value_is_written_as_its_format_has_it) {
    size_t length;
    char *csv = printed(export_csv_value, &values[_i].value, &length);
    ck_assert_str_eq(csv, values[_i].csv);
    free(csv);
    char *json = printed(export_json_value, &values[_i].value, &length);
    ck_assert_str_eq(json, values[_i].json);
    free(json);
}
END_TEST

START_TEST(a_nul_within_a_text_ends_it_in_no_format) {
    const struct store_value value = TEXT("a\0b");
    size_t length;
    char *csv = printed(export_csv_value, &value, &length);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(csv, "a\0b", 3);
    free(csv);
    char *json = printed(export_json_value, &value, &length);
    ck_assert_str_eq(json, "\"a\\u0000b\"");
    free(json);
}
END_TEST

START_TEST(long_foreign_text_is_not_cut_within_a_character) {
    char text[3 * 1000 + 1];
    for (size_t i = 0; i < 1000; i++) {
        memcpy(text + 3 * i, "€", 3);
    }
    for (size_t skip = 0; skip < 3; skip++) {
        text[3000] = 'x';
        const struct store_value value = {
            .type = STORE_VALUE_TEXT, .bytes = text + 3 * skip, .length = 3001 - 3 * skip};
        size_t length;
        char *json = printed(export_json_value, &value, &length);
        ck_assert_uint_eq(length, value.length + 2);
        ck_assert_mem_eq(json + 1, value.bytes, value.length);
        free(json);
    }
}
END_TEST

START_TEST(every_real_reads_back_the_same) {
    const unsigned seed = 12345;
    srand48(seed);
    for (int i = 0; i < 20000; i++) {
        const struct store_value value =
            REAL(ldexp(drand48() - 0.5, (int)(lrand48() % 2000) - 1000));
        size_t length;
        char *text = printed(i % 2 == 0 ? export_csv_value : export_json_value, &value, &length);
        ck_assert_msg(strtod(text, NULL) == value.real, "seed %u, %d: %s", seed, i, text);
        free(text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("export_rows");
    TCase *tests = tcase_create("export_rows");
    tcase_add_loop_test(tests, a_value_is_written_as_its_format_has_it, 0,
                        sizeof values / sizeof *values);
    tcase_add_test(tests, a_nul_within_a_text_ends_it_in_no_format);
    tcase_add_test(tests, long_foreign_text_is_not_cut_within_a_character);
    tcase_add_test(tests, every_real_reads_back_the_same);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
