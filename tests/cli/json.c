#include "cli/json.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one call writes. */
#define WRITTEN(text, call)                                                                        \
    do {                                                                                           \
        char *buffer = NULL;                                                                       \
        size_t bytes = 0;                                                                          \
        struct json json = {.out = open_memstream(&buffer, &bytes)};                               \
        ck_assert_ptr_nonnull(json.out);                                                           \
        call;                                                                                      \
        fclose(json.out);                                                                          \
        ck_assert_str_eq(buffer, text);                                                            \
        free(buffer);                                                                              \
    } while (0)

static const struct {
    const char *text, *written;
} strings[] = {
    {"", "\"\""},
    {"plain", "\"plain\""},
    {"say \"a\\b\"", "\"say \\\"a\\\\b\\\"\""},
    {"two\nlines\n", "\"two\\nlines\\n\""},
    {"grün … ✓", "\"grün … ✓\""},
    {"tab\there", "\"tab\\u0009here\""},
    {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
    {"\xc2\x9b", "\"\\u009b\""}, /* a terminal's CSI */
    {"\xc2\xa0", "\"\xc2\xa0\""},
    {"\xff", "\"\\\\xff\""}, /* no UTF-8: as names are written everywhere */
    {"\xc2", "\"\\\\xc2\""},
};

START_TEST(escapes_what_json_cannot_hold) {
    WRITTEN(strings[_i].written, json_string(&json, strings[_i].text));
}
END_TEST

/* Runs are cut at 2,000 bytes, but never within a character. */
START_TEST(keeps_long_texts_whole) {
    for (size_t before = 1995; before < 2005; before++) {
        char text[4100] = "", written[4110] = "";
        memset(text, 'x', before);
        for (size_t i = before; i + 3 < 4000; i += 3) {
            memcpy(text + i, "…", 3);
        }
        snprintf(written, sizeof written, "\"%s\"", text);
        WRITTEN(written, json_string(&json, text));
    }
}
END_TEST

static const struct {
    double value;
    const char *written;
} doubles[] = {
    {0, "0"},
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {1e300, "1e+300"},
    {0.30000000000000004, "0.30000000000000004"},
    {-2.5, "-2.5"},
    {(double)INFINITY, "null"},
    {-(double)INFINITY, "null"},
    {(double)NAN, "null"},
};

START_TEST(writes_doubles_that_read_back_and_null_for_the_rest) {
    WRITTEN(doubles[_i].written, json_double(&json, doubles[_i].value));
    if (isfinite(doubles[_i].value)) {
        ck_assert(strtod(doubles[_i].written, NULL) == doubles[_i].value);
    }
}
END_TEST

static const struct {
    int64_t ncu;
    const char *written;
} units[] = {
    {0, "0"},
    {500000000, "0.5"},
    {1500000000, "1.5"},
    {1, "0.000000001"},
    {-2500000000, "-2.5"},
    {INT64_MAX, "9223372036.854775807"},
    {INT64_MIN, "-9223372036.854775808"},
};

START_TEST(writes_nano_units_exactly) {
    WRITTEN(units[_i].written, json_ncu(&json, units[_i].ncu));
}
END_TEST

START_TEST(puts_commas_between_and_nowhere_else) {
    WRITTEN("{\"a\":[],\"b\":[1,-2,true,null],\"c\":{\"d\":18446744073709551615}}", {
        json_begin(&json, '{');
        json_key(&json, "a");
        json_begin(&json, '[');
        json_end(&json, ']');
        json_key(&json, "b");
        json_begin(&json, '[');
        json_uint64(&json, 1);
        json_int64(&json, -2);
        json_bool(&json, true);
        json_string(&json, NULL);
        json_end(&json, ']');
        json_key(&json, "c");
        json_begin(&json, '{');
        json_key(&json, "d");
        json_uint64(&json, UINT64_MAX);
        json_end(&json, '}');
        json_end(&json, '}');
    });
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/json");
    TCase *tcase = tcase_create("json");
    tcase_add_loop_test(tcase, escapes_what_json_cannot_hold, 0, sizeof strings / sizeof *strings);
    tcase_add_test(tcase, keeps_long_texts_whole);
    tcase_add_loop_test(tcase, writes_doubles_that_read_back_and_null_for_the_rest, 0,
                        sizeof doubles / sizeof *doubles);
    tcase_add_loop_test(tcase, writes_nano_units_exactly, 0, sizeof units / sizeof *units);
    tcase_add_test(tcase, puts_commas_between_and_nowhere_else);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
