#include "workloads/calendar.h"

#include "sim/check.h"

#include <string.h>

#define DAY_S INT64_C(86400)
#define ERA_DAYS INT64_C(146097) /* 400 years */

struct civil {
    int64_t year, month, day; /* month and day from 1 */
};

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/* Days from 1970 of a date; years begin in March here, so that leap days come last. */
static int64_t days_of(const struct civil *date) {
    int64_t year = date->year - (date->month <= 2);
    int64_t era = floor_div(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t month = date->month + (date->month > 2 ? -3 : 9);
    int64_t day_of_year = (153 * month + 2) / 5 + date->day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * ERA_DAYS + day_of_era - 719468;
}

static struct civil date_of(int64_t days) {
    int64_t shifted = days + 719468; /* from 1 March of year 0 */
    int64_t era = floor_div(shifted, ERA_DAYS);
    int64_t day_of_era = shifted - era * ERA_DAYS;
    int64_t leap_days = day_of_era / 1460 - day_of_era / 36524 + day_of_era / 146096;
    int64_t year_of_era = (day_of_era - leap_days) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    struct civil date = {
        .month = month < 10 ? month + 3 : month - 9,
        .day = day_of_year - (153 * month + 2) / 5 + 1,
    };
    date.year = year_of_era + era * 400 + (date.month <= 2);
    return date;
}

static int64_t unit_s(enum calendar_unit unit) {
    switch (unit) {
    case CALENDAR_DAY: return DAY_S;
    case CALENDAR_HOUR: return 3600;
    case CALENDAR_MINUTE: return 60;
    case CALENDAR_SECOND: return 1;
    case CALENDAR_YEAR:
    case CALENDAR_MONTH: break;
    }
    return 0;
}

int64_t calendar_index(enum calendar_unit unit, int64_t epoch_s) {
    if (unit > CALENDAR_MONTH) {
        return floor_div(epoch_s, unit_s(unit));
    }
    struct civil date = date_of(floor_div(epoch_s, DAY_S));
    return unit == CALENDAR_YEAR ? date.year : date.year * 12 + date.month - 1;
}

int64_t calendar_begin(enum calendar_unit unit, int64_t index) {
    if (unit > CALENDAR_MONTH) {
        return index * unit_s(unit);
    }
    int64_t months = unit == CALENDAR_YEAR ? index * 12 : index;
    int64_t year = floor_div(months, 12);
    struct civil date = {.year = year, .month = months - year * 12 + 1, .day = 1};
    return days_of(&date) * DAY_S;
}

bool calendar_letter_unit(char letter, enum calendar_unit *unit) {
    static const char letters[] = "YmdHMS";
    const char *at = letter != '\0' ? strchr(letters, letter) : NULL;
    if (at != NULL) {
        *unit = (enum calendar_unit)(at - letters);
    }
    return at != NULL;
}

/* Decimal digits, at least width of them. */
static size_t write_padded(int64_t value, size_t width, char digits[20]) {
    size_t length = 1;
    for (int64_t rest = value / 10; rest > 0; rest /= 10) {
        length++;
    }
    length = length < width ? width : length;
    for (size_t i = length; i > 0; i--) {
        digits[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return length;
}

static int64_t value_in(enum calendar_unit unit, const struct civil *date, int64_t second_of_day) {
    switch (unit) {
    case CALENDAR_YEAR: return date->year;
    case CALENDAR_MONTH: return date->month;
    case CALENDAR_DAY: return date->day;
    case CALENDAR_HOUR: return second_of_day / 3600;
    case CALENDAR_MINUTE: return second_of_day / 60 % 60;
    case CALENDAR_SECOND: return second_of_day % 60;
    }
    return 0;
}

size_t calendar_format(int64_t epoch_s, const char *format, size_t format_bytes, char *text,
                       size_t text_bytes) {
    SIM_CHECK(epoch_s >= CALENDAR_EPOCH_S_MIN);
    int64_t days = floor_div(epoch_s, DAY_S);
    struct civil date = date_of(days);
    size_t length = 0;
    for (size_t i = 0; i < format_bytes; i++) {
        char digits[20] = {format[i]};
        size_t digit_count = 1;
        if (format[i] == '%' && i + 1 < format_bytes && format[i + 1] == '%') {
            i++;
        } else if (format[i] == '%') {
            enum calendar_unit unit = CALENDAR_YEAR;
            i++;
            bool is_known = i < format_bytes && calendar_letter_unit(format[i], &unit);
            SIM_CHECK(is_known);
            digit_count = write_padded(value_in(unit, &date, epoch_s - days * DAY_S),
                                       unit == CALENDAR_YEAR ? 4 : 2, digits);
        }
        if (length < text_bytes) {
            size_t room = text_bytes - length;
            memcpy(text + length, digits, digit_count < room ? digit_count : room);
        }
        length += digit_count;
    }
    return length;
}
