#include "workloads/calendar.h"

#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALL_LETTERS "%Y-%m-%d %H:%M:%S%%"

static struct tm civil(int64_t epoch_s) {
    struct tm tm;
    const time_t time = (time_t)epoch_s;
    gmtime_r(&time, &tm);
    return tm;
}

static int64_t random_epoch_s(struct random_stream *stream) {
    uint64_t range = (uint64_t)(CALENDAR_EPOCH_S_MAX - CALENDAR_EPOCH_S_MIN) + 1;
    return CALENDAR_EPOCH_S_MIN + (int64_t)random_below(stream, range);
}

/* The C library's calendar is the oracle. */
START_TEST(formats_as_the_c_library_does) {
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "calendar"});
    for (int i = 0; i < 50000; i++) {
        int64_t epoch_s = random_epoch_s(&stream);
        struct tm tm = civil(epoch_s);
        char expected[64], text[64];
        int length = snprintf(expected, sizeof expected, "%04d-%02d-%02d %02d:%02d:%02d%%",
                              tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
                              tm.tm_sec);
        size_t written =
            calendar_format(epoch_s, ALL_LETTERS, strlen(ALL_LETTERS), text, sizeof text);
        if (written != (size_t)length || memcmp(text, expected, written) != 0) {
            ck_abort_msg("seed %d, %lld: '%.*s', expected '%s'", _i, (long long)epoch_s,
                         (int)written, text, expected);
        }
    }
}
END_TEST

/* A unit begins at its first second, and the second before lies in the unit before. */
START_TEST(units_begin_where_their_index_changes) {
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "calendar"});
    for (int i = 0; i < 20000; i++) {
        int64_t epoch_s = random_epoch_s(&stream);
        for (enum calendar_unit unit = CALENDAR_YEAR; unit <= CALENDAR_SECOND; unit++) {
            int64_t index = calendar_index(unit, epoch_s);
            int64_t begin_s = calendar_begin(unit, index);
            bool holds = begin_s <= epoch_s && epoch_s < calendar_begin(unit, index + 1);
            bool is_first = calendar_index(unit, begin_s) == index &&
                            calendar_index(unit, begin_s - 1) == index - 1;
            if (!holds || !is_first) {
                ck_abort_msg("seed %d, %lld, unit %d", _i, (long long)epoch_s, (int)unit);
            }
        }
    }
}
END_TEST

START_TEST(years_and_months_begin_as_the_c_library_says) {
    for (int year = 1; year <= 9999; year++) {
        struct tm tm = {.tm_year = year - 1900, .tm_mday = 1, .tm_mon = year % 12};
        int64_t month_s = timegm(&tm);
        if (calendar_begin(CALENDAR_MONTH, (int64_t)year * 12 + year % 12) != month_s) {
            ck_abort_msg("month %d of %d", year % 12 + 1, year);
        }
        tm = (struct tm){.tm_year = year - 1900, .tm_mday = 1};
        if (calendar_begin(CALENDAR_YEAR, year) != timegm(&tm)) {
            ck_abort_msg("year %d", year);
        }
    }
}
END_TEST

START_TEST(knows_six_letters) {
    static const char letters[] = "YmdHMS";
    for (int c = 0; c < 256; c++) {
        enum calendar_unit unit = CALENDAR_YEAR;
        const char *at = c != 0 ? strchr(letters, c) : NULL;
        ck_assert_int_eq(calendar_letter_unit((char)c, &unit), at != NULL);
        ck_assert_int_eq(unit, at != NULL ? at - letters : 0);
    }
}
END_TEST

START_TEST(counts_what_does_not_fit_and_does_not_write_it) {
    char text[] = "xxxxxxxxx";
    ck_assert_uint_eq(calendar_format(0, "%Y-%m", 5, text, 6), 7);
    ck_assert_str_eq(text, "1970-0xxx");
    ck_assert_uint_eq(calendar_format(0, "%Y-%m", 5, NULL, 0), 7);
}
END_TEST

START_TEST(aborts_on_an_unknown_letter) {
    char text[16];
    calendar_format(0, "%j", 2, text, sizeof text);
}
END_TEST

START_TEST(aborts_on_a_percent_at_the_end) {
    char text[16];
    calendar_format(0, "%Y%", 3, text, sizeof text);
}
END_TEST

START_TEST(aborts_before_year_one) {
    char text[16];
    calendar_format(CALENDAR_EPOCH_S_MIN - 1, "%Y", 2, text, sizeof text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/calendar");
    TCase *tcase = tcase_create("calendar");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, formats_as_the_c_library_does, 1, 4);
    tcase_add_loop_test(tcase, units_begin_where_their_index_changes, 1, 4);
    tcase_add_test(tcase, years_and_months_begin_as_the_c_library_says);
    tcase_add_test(tcase, knows_six_letters);
    tcase_add_test(tcase, counts_what_does_not_fit_and_does_not_write_it);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_letter, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_percent_at_the_end, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_before_year_one, SIGABRT);
    return suite_run(suite);
}
