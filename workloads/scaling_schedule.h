/*
 * scaling_schedule.h - When a scheduled action of Application Auto Scaling happens, in its words.
 *
 *   at(2026-01-01T08:00:00)            once
 *   rate(5 minutes)                    each so often: minute, hour, day, with or without an s
 *   cron(0 8 ? * MON-FRI *)            minute, hour, day of month, month, day of week, year; UTC
 *
 * A field of cron is * or ?, numbers or names (JAN, MON; 1 is SUN), ranges a-b, steps a/n, lists;
 * L, W and # are refused.
 * Source: Application Auto Scaling user guide, "Schedule recurring scaling actions using cron
 *         expressions"; API PutScheduledAction.
 * Owns:   nothing.  Cost: O(length) to read; to find the next time O(days between).
 */
#ifndef DDBSIM_WORKLOADS_SCALING_SCHEDULE_H
#define DDBSIM_WORKLOADS_SCALING_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#define SCALING_SCHEDULE_NEVER INT64_MAX

enum scaling_schedule_kind { SCALING_SCHEDULE_AT, SCALING_SCHEDULE_RATE, SCALING_SCHEDULE_CRON };

struct scaling_schedule {
    enum scaling_schedule_kind kind;
    int64_t at_epoch_s; /* AT */
    int64_t period_s;   /* RATE, and CRON that comes each hour or each day; 0: none */
    /* CRON, as bits; days from 1, months from 1, weekdays from 1 (SUN) */
    uint64_t minutes;
    uint32_t hours, days, months, weekdays;
    int64_t year_min, year_max;
};

/* False when the text is none of the three. */
bool scaling_schedule_read(struct scaling_schedule *schedule, const char *text);

/* The first time at or after from, in seconds since 1970, of a schedule whose rate counts from
 * there; SCALING_SCHEDULE_NEVER when there is none before to. */
int64_t scaling_schedule_next(const struct scaling_schedule *schedule, int64_t from_epoch_s,
                              int64_t to_epoch_s);

#endif
