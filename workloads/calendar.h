/*
 * calendar.h - Whole calendar units (UTC, proleptic Gregorian) and their texts, for {now:…}.
 *
 * A time's index in a unit counts whole units: years and months from year 0, the others from 1970.
 * Source:  days from civil date: Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
 * Owns:    nothing.  Cost: O(1), some divisions. Leap seconds do not exist, as in POSIX.
 */
#ifndef DDBSIM_WORKLOADS_CALENDAR_H
#define DDBSIM_WORKLOADS_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Years 1 to 9999. */
#define CALENDAR_EPOCH_S_MIN INT64_C(-62135596800)
#define CALENDAR_EPOCH_S_MAX INT64_C(253402300799)

/* From coarse to fine; a format's unit is its finest. */
enum calendar_unit {
    CALENDAR_YEAR,
    CALENDAR_MONTH,
    CALENDAR_DAY,
    CALENDAR_HOUR,
    CALENDAR_MINUTE,
    CALENDAR_SECOND,
};

/* The unit that holds second epoch_s. */
int64_t calendar_index(enum calendar_unit unit, int64_t epoch_s);
/* The first second of a unit. */
int64_t calendar_begin(enum calendar_unit unit, int64_t index);

/* The unit of a conversion letter (Y m d H M S); false when it is none of them. */
bool calendar_letter_unit(char letter, enum calendar_unit *unit);

/* Writes format with %Y %m %d %H %M %S %% (checked) replaced; returns the length of the whole, of
 * which at most text_bytes are written, without NUL. */
size_t calendar_format(int64_t epoch_s, const char *format, size_t format_bytes, char *text,
                       size_t text_bytes);

#endif
