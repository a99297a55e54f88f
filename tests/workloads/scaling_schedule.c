/* Schedules of Application Auto Scaling against times told by hand. */
#include "workloads/scaling_schedule.h"

#include "workloads/value.h"

#include "tests/suite.h"

#include <check.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

static int64_t epoch_s(const char *text) {
    int64_t value = -1;
    if (strcmp(text, "never") == 0) {
        return SCALING_SCHEDULE_NEVER;
    }
    ck_assert_int_eq(value_epoch_s(text, &value), VALUE_OK);
    return value;
}

START_TEST(the_next_time_is_the_one_of_the_calendar) {
    static const struct {
        const char *schedule, *from, *next;
        int64_t period_s;
    } rows[] = {
        {"at(2026-01-01T08:00:00)", "2026-01-01", "2026-01-01T08:00:00Z", 0},
        {"at(2026-01-01T08:00:00)", "2026-01-02", "never", 0},
        {"rate(5 minutes)", "2026-01-01T00:00:10Z", "2026-01-01T00:05:10Z", 300},
        {"rate(1 day)", "2026-01-01", "2026-01-02", 86400},
        {"cron(0 8 * * ? *)", "2026-01-01T08:00:00Z", "2026-01-01T08:00:00Z", 86400},
        {"cron(0 8 * * ? *)", "2026-01-01T08:00:01Z", "2026-01-02T08:00:00Z", 86400},
        {"cron(15 * * * ? *)", "2026-01-01T08:20:00Z", "2026-01-01T09:15:00Z", 3600},
        {"cron(0/20 * * * ? *)", "2026-01-01T08:20:01Z", "2026-01-01T08:40:00Z", 0},
        {"cron(*/30 9-17 ? * MON-FRI *)", "2026-01-02T17:31:00Z", "2026-01-05T09:00:00Z", 0},
        {"cron(0 0 ? * 1 *)", "2026-01-01", "2026-01-04", 0}, /* 1 is Sunday */
        {"cron(0 0 31 * ? *)", "2026-02-01", "2026-03-31", 0},
        {"cron(0 0 29 FEB ? *)", "2026-01-01", "2028-02-29", 0},
        {"cron(5,10 0 1 jan,jul ? *)", "2026-01-01T00:06:00Z", "2026-01-01T00:10:00Z", 0},
        {"cron(5,10 0 1 jan,jul ? *)", "2026-01-02", "2026-07-01T00:05:00Z", 0},
        {"cron(0 0 1 1 ? 2027)", "2026-01-02", "2027-01-01", 0},
        {"cron(0 0 1 1 ? 2020-2025)", "2026-01-02", "never", 0},
        {"cron(0 0 30 2 ? *)", "2026-01-02", "never", 0},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct scaling_schedule schedule;
        ck_assert_msg(scaling_schedule_read(&schedule, rows[i].schedule), "row %zu", i);
        const int64_t next =
            scaling_schedule_next(&schedule, epoch_s(rows[i].from), epoch_s("2030-01-01"));
        ck_assert_msg(next == epoch_s(rows[i].next), "row %zu: %lld", i, (long long)next);
        ck_assert_msg(schedule.period_s == rows[i].period_s, "row %zu", i);
    }
}
END_TEST

START_TEST(nothing_comes_at_or_after_the_end) {
    struct scaling_schedule schedule;
    const int64_t at = epoch_s("2026-01-01T08:00:00Z");
    ck_assert(scaling_schedule_read(&schedule, "cron(0 8 * * ? *)"));
    ck_assert_int_eq(scaling_schedule_next(&schedule, at - 60, at), SCALING_SCHEDULE_NEVER);
    ck_assert_int_eq(scaling_schedule_next(&schedule, at - 60, at + 1), at);
}
END_TEST

START_TEST(what_is_no_schedule_is_refused) {
    static const char *const texts[] = {
        "",
        "at()",
        "at(2026-01-01)",
        "at(2026-13-01T00:00:00)",
        "rate(5)",
        "rate(0 minutes)",
        "rate(5 weeks)",
        "rate(99999999999999999999 days)",
        "cron(0 8 * * ?)",
        "cron(0 8 * * ? * *)",
        "cron(60 8 * * ? *)",
        "cron(0 24 * * ? *)",
        "cron(0 8 0 * ? *)",
        "cron(0 8 L * ? *)",
        "cron(0 8 ? * 2#1 *)",
        "cron(0 8 ? * FOO *)",
        "cron(0 8-6 * * ? *)",
        "cron(0/0 8 * * ? *)",
        "cron(0 8 * * ? *",
        "every day",
    };
    for (size_t i = 0; i < ROWS(texts); i++) {
        struct scaling_schedule schedule;
        ck_assert_msg(!scaling_schedule_read(&schedule, texts[i]), "'%s'", texts[i]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scaling_schedule");
    TCase *tcase = tcase_create("schedule");
    tcase_add_test(tcase, the_next_time_is_the_one_of_the_calendar);
    tcase_add_test(tcase, nothing_comes_at_or_after_the_end);
    tcase_add_test(tcase, what_is_no_schedule_is_refused);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
