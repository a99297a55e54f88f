#include "workloads/scaling_schedule.h"

#include "workloads/calendar.h"
#include "workloads/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SECONDS_A_DAY INT64_C(86400)
#define FIELD_BYTES_MAX 128
#define YEAR_MIN 1970
#define YEAR_MAX 2199

static const char *const month_names[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL",
                                          "AUG", "SEP", "OCT", "NOV", "DEC", NULL};
static const char *const weekday_names[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", NULL};

/* What a field may say. */
struct field_law {
    int64_t min, max;
    const char *const *names; /* of min, min + 1, …; NULL: numbers only */
};

static bool take_value(const char **at, const struct field_law *law, int64_t *value) {
    for (int64_t i = 0; law->names != NULL && law->names[i] != NULL; i++) {
        if (strncasecmp(*at, law->names[i], 3) == 0) {
            *value = law->min + i;
            *at += 3;
            return true;
        }
    }
    if (**at < '0' || **at > '9') {
        return false;
    }
    char *end;
    const long number = strtol(*at, &end, 10);
    *at = end;
    *value = number;
    return number >= law->min && number <= law->max;
}

/* One of a list: any, a value, a range, with or without a step, as first, last and step. */
static bool take_range(const char **at, const struct field_law *law, int64_t range[3]) {
    range[0] = law->min;
    range[1] = law->max;
    range[2] = 1;
    bool is_single = false;
    if (**at == '*' || **at == '?') {
        ++*at;
    } else {
        if (!take_value(at, law, &range[0])) {
            return false;
        }
        is_single = **at != '-';
        if (!is_single) {
            ++*at;
            if (!take_value(at, law, &range[1]) || range[1] < range[0]) {
                return false;
            }
        }
    }
    if (**at == '/') {
        static const struct field_law step_law = {1, 1000, NULL};
        ++*at;
        return take_value(at, &step_law, &range[2]);
    }
    range[1] = is_single ? range[0] : range[1];
    return true;
}

/* A whole field as bits. */
static bool read_bits(const char *text, const struct field_law *law, uint64_t *bits) {
    const char *at = text;
    *bits = 0;
    for (;;) {
        int64_t range[3];
        if (!take_range(&at, law, range)) {
            return false;
        }
        for (int64_t value = range[0]; value <= range[1]; value += range[2]) {
            *bits |= UINT64_C(1) << value;
        }
        if (*at == '\0') {
            return true;
        }
        if (*at++ != ',') {
            return false;
        }
    }
}

static bool has_one_bit(uint64_t bits) {
    return bits != 0 && (bits & (bits - 1)) == 0;
}

/* A schedule of the same time each day, or each hour, has a period. */
static int64_t period_of(const struct scaling_schedule *schedule) {
    const bool any_day = schedule->days == (UINT32_MAX & ~UINT32_C(1)) &&
                         schedule->months == 0x1ffe && schedule->weekdays == 0xfe &&
                         schedule->year_min == YEAR_MIN && schedule->year_max == YEAR_MAX;
    if (!any_day || !has_one_bit(schedule->minutes)) {
        return 0;
    }
    return has_one_bit(schedule->hours) ? SECONDS_A_DAY : schedule->hours == 0xffffff ? 3600 : 0;
}

static bool read_cron(struct scaling_schedule *schedule, const char *text) {
    static const struct field_law laws[] = {
        {0, 59, NULL}, {0, 23, NULL}, {1, 31, NULL}, {1, 12, month_names}, {1, 7, weekday_names}};
    static const struct field_law year_law = {YEAR_MIN, YEAR_MAX, NULL};
    char fields[6][FIELD_BYTES_MAX];
    uint64_t bits[5];
    int64_t years[3];
    char rest;
    if (strlen(text) >= FIELD_BYTES_MAX ||
        sscanf(text, "%127s %127s %127s %127s %127s %127s %c", fields[0], fields[1], fields[2],
               fields[3], fields[4], fields[5], &rest) != 6) {
        return false;
    }
    for (size_t i = 0; i < 5; i++) {
        if (!read_bits(fields[i], &laws[i], &bits[i])) {
            return false;
        }
    }
    const char *year = fields[5];
    if (!take_range(&year, &year_law, years) || *year != '\0' || years[2] != 1) {
        return false;
    }
    *schedule = (struct scaling_schedule){.kind = SCALING_SCHEDULE_CRON,
                                          .minutes = bits[0],
                                          .hours = (uint32_t)bits[1],
                                          .days = (uint32_t)bits[2],
                                          .months = (uint32_t)bits[3],
                                          .weekdays = (uint32_t)bits[4],
                                          .year_min = years[0],
                                          .year_max = years[1]};
    schedule->period_s = period_of(schedule);
    return true;
}

static bool read_rate(struct scaling_schedule *schedule, const char *text) {
    static const struct {
        const char *name;
        int64_t seconds;
    } units[] = {{"minute", 60}, {"hour", 3600}, {"day", SECONDS_A_DAY}};
    static const struct field_law law = {1, 10000, NULL};
    const char *at = text;
    int64_t count;
    if (!take_value(&at, &law, &count) || *at++ != ' ') {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t bytes = strlen(units[i].name);
        if (strncmp(at, units[i].name, bytes) == 0 &&
            (at[bytes] == '\0' || strcmp(at + bytes, "s") == 0)) {
            *schedule = (struct scaling_schedule){.kind = SCALING_SCHEDULE_RATE,
                                                  .period_s = count * units[i].seconds};
            return true;
        }
    }
    return false;
}

static bool read_at(struct scaling_schedule *schedule, const char *text) {
    char time[FIELD_BYTES_MAX];
    *schedule = (struct scaling_schedule){.kind = SCALING_SCHEDULE_AT};
    return strlen(text) == strlen("2026-01-01T00:00:00") &&
           snprintf(time, sizeof time, "%sZ", text) > 0 &&
           value_epoch_s(time, &schedule->at_epoch_s) == VALUE_OK;
}

bool scaling_schedule_read(struct scaling_schedule *schedule, const char *text) {
    static const struct {
        const char *name;
        bool (*read)(struct scaling_schedule *, const char *);
    } kinds[] = {{"at(", read_at}, {"rate(", read_rate}, {"cron(", read_cron}};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t bytes = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, bytes) == 0 && text[length - 1] == ')' &&
            length - bytes - 1 < FIELD_BYTES_MAX) {
            char inner[FIELD_BYTES_MAX];
            memcpy(inner, text + bytes, length - bytes - 1);
            inner[length - bytes - 1] = '\0';
            return kinds[i].read(schedule, inner);
        }
    }
    return false;
}

static bool holds_on(const struct scaling_schedule *schedule, int64_t day_s) {
    const int64_t month = calendar_index(CALENDAR_MONTH, day_s);
    const int64_t year = calendar_index(CALENDAR_YEAR, day_s);
    const int64_t day = (day_s - calendar_begin(CALENDAR_MONTH, month)) / SECONDS_A_DAY;
    const int64_t weekday = (day_s / SECONDS_A_DAY + 4) % 7; /* 1970 began with a Thursday */
    return ((schedule->days >> (day + 1)) & 1) != 0 &&
           ((schedule->months >> (month - year * 12 + 1)) & 1) != 0 &&
           ((schedule->weekdays >> (weekday + 1)) & 1) != 0 && year >= schedule->year_min &&
           year <= schedule->year_max;
}

static int64_t next_cron(const struct scaling_schedule *schedule, int64_t from_s, int64_t to_s) {
    const int64_t begin_s = (from_s + 59) / 60 * 60;
    for (int64_t day_s = begin_s / SECONDS_A_DAY * SECONDS_A_DAY; day_s < to_s;
         day_s += SECONDS_A_DAY) {
        if (!holds_on(schedule, day_s)) {
            continue;
        }
        int64_t at_s = day_s < begin_s ? begin_s : day_s;
        for (; at_s < day_s + SECONDS_A_DAY; at_s += 60) {
            const int64_t minute = (at_s - day_s) / 60;
            if (((schedule->hours >> (minute / 60)) & 1) != 0 &&
                ((schedule->minutes >> (minute % 60)) & 1) != 0) {
                return at_s < to_s ? at_s : SCALING_SCHEDULE_NEVER;
            }
        }
    }
    return SCALING_SCHEDULE_NEVER;
}

int64_t scaling_schedule_next(const struct scaling_schedule *schedule, int64_t from_epoch_s,
                              int64_t to_epoch_s) {
    int64_t at_s = schedule->at_epoch_s;
    if (schedule->kind == SCALING_SCHEDULE_CRON) {
        return next_cron(schedule, from_epoch_s, to_epoch_s);
    }
    if (schedule->kind == SCALING_SCHEDULE_RATE) {
        at_s = from_epoch_s + schedule->period_s;
    }
    return at_s >= from_epoch_s && at_s < to_epoch_s ? at_s : SCALING_SCHEDULE_NEVER;
}
