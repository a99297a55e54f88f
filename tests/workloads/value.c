#include "workloads/value.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

struct int_case {
    const char *text;
    enum value_fault fault;
    int64_t value;
};

static const struct int_case counts[] = {
    {"0", VALUE_OK, 0},
    {"-12", VALUE_OK, -12},
    {"+7", VALUE_OK, 7},
    {"010", VALUE_OK, 10},
    {"2e6", VALUE_OK, 2000000},
    {"1.5e1", VALUE_OK, 15},
    {"5.0", VALUE_OK, 5},
    {"9223372036854775807", VALUE_OK, INT64_MAX},
    {"0.000000000000000000000000000000e99", VALUE_OK, 0},
    {"9223372036854775808", VALUE_TOO_LARGE, 0},
    {"99999999999999999999", VALUE_TOO_LARGE, 0},
    {"1e400", VALUE_TOO_LARGE, 0},
    {"1e99999999999999999999", VALUE_TOO_LARGE, 0},
    {"1.5", VALUE_NOT_WHOLE, 0},
    {"1e-1", VALUE_NOT_WHOLE, 0},
    {"", VALUE_SYNTAX, 0},
    {"-", VALUE_SYNTAX, 0},
    {".", VALUE_SYNTAX, 0},
    {"four", VALUE_SYNTAX, 0},
    {"4 ", VALUE_SYNTAX, 0},
    {" 4", VALUE_SYNTAX, 0},
    {"4x", VALUE_SYNTAX, 0},
    {"1.2.3", VALUE_SYNTAX, 0},
    {"0x10", VALUE_SYNTAX, 0},
    {"1e", VALUE_SYNTAX, 0},
    {"inf", VALUE_SYNTAX, 0},
};

static void check_whole_numbers_exactly(const struct int_case *row) {
    int64_t value = 0;
    ck_assert_msg(value_int64(row->text, &value) == row->fault, "'%s'", row->text);
    ck_assert_int_eq(value, row->value);
}

START_TEST(reads_whole_numbers_exactly) {
    for (size_t i = 0; i < ROWS(counts); i++) {
        check_whole_numbers_exactly(&counts[i]);
    }
}
END_TEST

static const struct int_case durations[] = {
    {"0", VALUE_OK, 0},
    {"1ns", VALUE_OK, 1},
    {"250us", VALUE_OK, 250000},
    {"3ms", VALUE_OK, 3000000},
    {"0.3ms", VALUE_OK, 300000},
    {"1.5s", VALUE_OK, 1500000000},
    {"10m", VALUE_OK, 600 * SIM_NS_PER_S},
    {"1h", VALUE_OK, 3600 * SIM_NS_PER_S},
    {"0.5d", VALUE_OK, 43200 * SIM_NS_PER_S},
    {"1e3s", VALUE_OK, 1000 * SIM_NS_PER_S},
    {"0.1234567890625d", VALUE_OK, INT64_C(10666666575000)},
    {"0.5ns", VALUE_NOT_WHOLE, 0},
    {"1.0000000001s", VALUE_NOT_WHOLE, 0},
    {"5", VALUE_NO_UNIT, 0},
    {"5S", VALUE_BAD_UNIT, 0},
    {"5 s", VALUE_BAD_UNIT, 0},
    {"5min", VALUE_BAD_UNIT, 0},
    {"200000d", VALUE_TOO_LARGE, 0},
    {"s", VALUE_SYNTAX, 0},
};

static void check_durations_in_nanoseconds(const struct int_case *row) {
    sim_ns value = 0;
    ck_assert_msg(value_duration_ns(row->text, false, &value) == row->fault, "'%s'", row->text);
    ck_assert_int_eq(value, row->value);
}

START_TEST(reads_durations_in_nanoseconds) {
    for (size_t i = 0; i < ROWS(durations); i++) {
        check_durations_in_nanoseconds(&durations[i]);
    }
}
END_TEST

START_TEST(takes_bare_seconds_only_when_told) {
    sim_ns value = 0;
    ck_assert_int_eq(value_duration_ns("2.5", true, &value), VALUE_OK);
    ck_assert_int_eq(value, 2500 * SIM_NS_PER_MS);
    ck_assert_int_eq(value_duration_ns("2.5", false, &value), VALUE_NO_UNIT);
}
END_TEST

static const struct int_case sizes[] = {
    {"200", VALUE_OK, 200},
    {"200B", VALUE_OK, 200},
    {"4KB", VALUE_OK, 4096},
    {"1.5KB", VALUE_OK, 1536},
    {"10GB", VALUE_OK, INT64_C(10) << 30},
    {"0.3KB", VALUE_NOT_WHOLE, 0},
    {"4kB", VALUE_BAD_UNIT, 0},
    {"4KiB", VALUE_BAD_UNIT, 0},
    {"9999999999GB", VALUE_TOO_LARGE, 0},
    {"KB", VALUE_SYNTAX, 0},
};

static void check_sizes_of_1024(const struct int_case *row) {
    int64_t value = 0;
    ck_assert_msg(value_bytes(row->text, &value) == row->fault, "'%s'", row->text);
    ck_assert_int_eq(value, row->value);
}

START_TEST(reads_sizes_of_1024) {
    for (size_t i = 0; i < ROWS(sizes); i++) {
        check_sizes_of_1024(&sizes[i]);
    }
}
END_TEST

static const struct int_case times[] = {
    {"1970-01-01", VALUE_OK, 0},
    {"1970-01-01T00:00:01Z", VALUE_OK, 1},
    {"2000-02-29", VALUE_OK, 951782400},
    {"2026-01-01T00:00:00Z", VALUE_OK, 1767225600},
    {"2038-01-19T03:14:08Z", VALUE_OK, INT64_C(1) << 31},
    {"9999-12-31T23:59:59Z", VALUE_OK, INT64_C(253402300799)},
    {"2026-02-29", VALUE_SYNTAX, 0},
    {"2100-02-29", VALUE_SYNTAX, 0},
    {"2026-13-01", VALUE_SYNTAX, 0},
    {"2026-00-01", VALUE_SYNTAX, 0},
    {"2026-01-32", VALUE_SYNTAX, 0},
    {"1969-12-31", VALUE_SYNTAX, 0},
    {"2026-01-01T24:00:00Z", VALUE_SYNTAX, 0},
    {"2026-01-01T00:60:00Z", VALUE_SYNTAX, 0},
    {"2026-01-01T00:00:60Z", VALUE_SYNTAX, 0},
    {"2026-01-01T00:00:00", VALUE_SYNTAX, 0},
    {"2026-01-01T00:00:00ZZ", VALUE_SYNTAX, 0},
    {"2026-1-1", VALUE_SYNTAX, 0},
    {"yesterday", VALUE_SYNTAX, 0},
    {"", VALUE_SYNTAX, 0},
};

static void check_times_of_the_gregorian_calendar(const struct int_case *row) {
    int64_t value = 0;
    ck_assert_msg(value_epoch_s(row->text, &value) == row->fault, "'%s'", row->text);
    ck_assert_int_eq(value, row->value);
}

START_TEST(reads_times_of_the_gregorian_calendar) {
    for (size_t i = 0; i < ROWS(times); i++) {
        check_times_of_the_gregorian_calendar(&times[i]);
    }
}
END_TEST

struct double_case {
    const char *text;
    enum value_fault fault;
    double value;
};

static const struct double_case doubles[] = {
    {"0.99", VALUE_OK, 0.99},
    {"-1e-3", VALUE_OK, -0.001},
    {".5", VALUE_OK, 0.5},
    {"3.", VALUE_OK, 3},
    {"1e999", VALUE_TOO_LARGE, 0},
    {"nan", VALUE_SYNTAX, 0},
    {"inf", VALUE_SYNTAX, 0},
    {"0x1p3", VALUE_SYNTAX, 0},
    {"1,5", VALUE_SYNTAX, 0},
    {"1e5x", VALUE_SYNTAX, 0},
    {"", VALUE_SYNTAX, 0},
    {"3.14159265358979323846264338327950288", VALUE_OK, 3.14159265358979323846},
};

static void check_numbers_and_refuses_what_is_none(const struct double_case *row) {
    double value = 0;
    ck_assert_msg(value_double(row->text, &value) == row->fault, "'%s'", row->text);
    ck_assert(value == row->value);
}

START_TEST(reads_numbers_and_refuses_what_is_none) {
    for (size_t i = 0; i < ROWS(doubles); i++) {
        check_numbers_and_refuses_what_is_none(&doubles[i]);
    }
}
END_TEST

/* Oracle: what is printed reads back as the same value. */
START_TEST(prints_what_reads_back) {
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t draw = hash_draw(11, i, 0);
        int64_t wanted = (int64_t)(draw >> (1 + draw % 60)), value = -1;
        wanted = i % 3 == 0 ? wanted % 100000 * SIM_NS_PER_S : wanted;
        char text[VALUE_TEXT_BYTES];
        value_print_duration(wanted, text);
        ck_assert_msg(value_duration_ns(text, false, &value) == VALUE_OK && value == wanted,
                      "%" PRId64 " prints as %s (draw %" PRIu64 ")", wanted, text, i);
        wanted = i % 3 == 0 ? (int64_t)(draw % 5000) << 10 : wanted;
        value_print_bytes(wanted, text);
        ck_assert_msg(value_bytes(text, &value) == VALUE_OK && value == wanted,
                      "%" PRId64 " prints as %s (draw %" PRIu64 ")", wanted, text, i);
    }
}
END_TEST

START_TEST(a_fraction_is_exact_to_a_millionth_or_refused) {
    static const struct {
        const char *text;
        enum value_fault fault;
        int64_t value;
    } fractions[] = {
        {"0.5", VALUE_OK, 500000},    {"1", VALUE_OK, 1000000},
        {"5e-1", VALUE_OK, 500000},   {"0.000001", VALUE_OK, 1},
        {"-0.25", VALUE_OK, -250000}, {"0.0000001", VALUE_NOT_WHOLE, 0},
        {"0.5s", VALUE_BAD_UNIT, 0},  {"half", VALUE_SYNTAX, 0},
        {"", VALUE_SYNTAX, 0},        {"1e300", VALUE_TOO_LARGE, 0},
    };
    for (size_t i = 0; i < ROWS(fractions); i++) {
        int64_t value = 0;
        ck_assert_msg(value_millionths(fractions[i].text, &value) == fractions[i].fault, "'%s'",
                      fractions[i].text);
        ck_assert_msg(value == fractions[i].value, "'%s'", fractions[i].text);
    }
}
END_TEST

START_TEST(prints_model_parameters_as_scenarios_write_them) {
    static const char *const defaults[][2] = {{"era", "gac"},
                                              {"part_max_w", "1000"},
                                              {"part_max_bytes", "10GB"},
                                              {"gac_refresh", "5s"},
                                              {"adaptive_gain", "0.5"}};
    size_t row_count, found = 0;
    const struct parameter_row *rows = model_parameter_rows(&row_count);
    for (size_t i = 0; i < row_count * ROWS(defaults); i++) {
        const struct parameter_row *row = &rows[i / ROWS(defaults)];
        const char *const *wanted = defaults[i % ROWS(defaults)];
        char text[VALUE_TEXT_BYTES];
        if (strcmp(row->name, wanted[0]) == 0) {
            value_print_parameter(row, row->default_value, text);
            ck_assert_str_eq(text, wanted[1]);
            found++;
        }
    }
    ck_assert_uint_eq(found, ROWS(defaults));
}
END_TEST

START_TEST(prints_the_largest_unit) {
    char text[VALUE_TEXT_BYTES];
    value_print_duration(90 * SIM_NS_PER_S, text);
    ck_assert_str_eq(text, "90s");
    value_print_duration(120 * SIM_NS_PER_S, text);
    ck_assert_str_eq(text, "2m");
    value_print_bytes(400 << 10, text);
    ck_assert_str_eq(text, "400KB");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/value");
    TCase *tcase = tcase_create("value");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_whole_numbers_exactly);
    tcase_add_test(tcase, reads_durations_in_nanoseconds);
    tcase_add_test(tcase, takes_bare_seconds_only_when_told);
    tcase_add_test(tcase, reads_sizes_of_1024);
    tcase_add_test(tcase, reads_times_of_the_gregorian_calendar);
    tcase_add_test(tcase, reads_numbers_and_refuses_what_is_none);
    tcase_add_test(tcase, prints_what_reads_back);
    tcase_add_test(tcase, a_fraction_is_exact_to_a_millionth_or_refused);
    tcase_add_test(tcase, prints_model_parameters_as_scenarios_write_them);
    tcase_add_test(tcase, prints_the_largest_unit);
    return suite_run(suite);
}
