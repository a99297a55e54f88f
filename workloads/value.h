/*
 * value.h - Texts of a scenario as numbers: counts, durations, sizes, times; exact or refused.
 *
 *   duration   ns us ms s m h d                      "250ms" "1.5h"; "0.5ns" is refused
 *   size       B KB MB GB, 1024-based; bare: bytes   "200B" "1.5KB"
 *   time       2026-01-01 or 2026-01-01T00:00:00Z, UTC
 *   number     -12  1.5  2e6
 *
 * Owns: nothing.  Cost: O(length).
 */
#ifndef DDBSIM_WORKLOADS_VALUE_H
#define DDBSIM_WORKLOADS_VALUE_H

#include "models/spec.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define VALUE_TEXT_BYTES 32

enum value_fault {
    VALUE_OK,
    VALUE_SYNTAX,    /* no such thing at all */
    VALUE_NO_UNIT,   /* a duration without a unit */
    VALUE_BAD_UNIT,  /* a number followed by something that is no unit */
    VALUE_NOT_WHOLE, /* finer than one, one nanosecond, one byte */
    VALUE_TOO_LARGE, /* beyond 64 bits, or more than 19 digits */
};

/* *value is set only with VALUE_OK. "2e6" and "5.0" are whole numbers. */
enum value_fault value_int64(const char *text, int64_t *value);
/* A fraction such as "0.5" in millionths; finer ones are refused. */
enum value_fault value_millionths(const char *text, int64_t *value);
/* The same in billionths: dollars as nano-dollars. */
enum value_fault value_billionths(const char *text, int64_t *value);
enum value_fault value_double(const char *text, double *value);

/* A number without unit: 0, or seconds when bare_seconds; else VALUE_NO_UNIT. */
enum value_fault value_duration_ns(const char *text, bool bare_seconds, sim_ns *value);
enum value_fault value_bytes(const char *text, int64_t *value);

/* Seconds since 1970-01-01T00:00:00Z, years 1970 … 9999. */
enum value_fault value_epoch_s(const char *text, int64_t *value);

/* The shortest exact text that reads back as the same value: "90s" is "90s", "120s" is "2m". */
void value_print_duration(sim_ns duration_ns, char text[VALUE_TEXT_BYTES]);
void value_print_bytes(int64_t bytes, char text[VALUE_TEXT_BYTES]);
/* A value of the model's list as a scenario writes it: "8", "3000", "10GB", "5s", "gac". */
void value_print_parameter(const struct parameter_row *row, int64_t value,
                           char text[VALUE_TEXT_BYTES]);

#endif
