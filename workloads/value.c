#include "workloads/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 19 /* 10^19 - 1 fits in 64 bits */
#define EXPONENT_MAX 400

/* (-1)^negative * mantissa * 10^exponent, and where its text ends. */
struct decimal {
    bool negative;
    uint64_t mantissa;
    int exponent;
    const char *end;
};

struct unit {
    const char *name;
    int64_t factor;
};

static const struct unit duration_units[] = {
    {"ns", 1},
    {"us", SIM_NS_PER_US},
    {"ms", SIM_NS_PER_MS},
    {"s", SIM_NS_PER_S},
    {"m", SIM_NS_PER_MIN},
    {"h", 60 * SIM_NS_PER_MIN},
    {"d", 24 * 60 * SIM_NS_PER_MIN},
};
static const struct unit size_units[] = {
    {"B", 1},
    {"KB", INT64_C(1) << 10},
    {"MB", INT64_C(1) << 20},
    {"GB", INT64_C(1) << 30},
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads "[+-]e12" at *next, when it is one; "2e" of a unit is left alone. */
static void scan_exponent(const char **next, int *exponent) {
    const char *c = *next;
    if (*c != 'e' && *c != 'E') {
        return;
    }
    c++;
    bool negative = *c == '-';
    c += *c == '-' || *c == '+';
    if (!is_digit(*c)) {
        return;
    }
    int power = 0;
    for (; is_digit(*c); c++) {
        power = power < EXPONENT_MAX ? power * 10 + (*c - '0') : power;
    }
    *exponent += negative ? -power : power;
    *next = c;
}

static enum value_fault scan_decimal(const char *text, struct decimal *decimal) {
    const char *c = text;
    *decimal = (struct decimal){.negative = *c == '-'};
    c += *c == '-' || *c == '+';
    int digits = 0, significant = 0;
    bool point = false;
    for (; is_digit(*c) || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        digits++;
        decimal->exponent -= point;
        significant += significant > 0 || *c != '0';
        if (significant > DIGITS_MAX) {
            return VALUE_TOO_LARGE;
        }
        decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(*c - '0');
    }
    if (digits == 0) {
        return VALUE_SYNTAX;
    }
    scan_exponent(&c, &decimal->exponent);
    while (decimal->mantissa != 0 && decimal->mantissa % 10 == 0 && decimal->exponent < 0) {
        decimal->mantissa /= 10;
        decimal->exponent++;
    }
    decimal->end = c;
    return VALUE_OK;
}

/* decimal * factor as a whole number. */
static enum value_fault scale(const struct decimal *decimal, int64_t factor, int64_t *value) {
    uint64_t whole = decimal->mantissa, unit = (uint64_t)factor;
    int exponent = whole == 0 ? 0 : decimal->exponent;
    for (; exponent < 0 && unit % 10 == 0; exponent++) {
        unit /= 10;
    }
    for (; exponent < 0 && whole % 2 == 0 && unit % 5 == 0; exponent++) {
        whole /= 2;
        unit /= 5;
    }
    for (; exponent < 0 && whole % 5 == 0 && unit % 2 == 0; exponent++) {
        whole /= 5;
        unit /= 2;
    }
    if (exponent < 0) {
        return VALUE_NOT_WHOLE;
    }
    for (; exponent > 0; exponent--) {
        if (__builtin_mul_overflow(whole, UINT64_C(10), &whole)) {
            return VALUE_TOO_LARGE;
        }
    }
    if (__builtin_mul_overflow(whole, unit, &whole) || whole > INT64_MAX) {
        return VALUE_TOO_LARGE;
    }
    *value = decimal->negative ? -(int64_t)whole : (int64_t)whole;
    return VALUE_OK;
}

/* A bare number, in parts of which `one` make 1. */
static enum value_fault parts(const char *text, int64_t one, int64_t *value) {
    struct decimal decimal;
    enum value_fault fault = scan_decimal(text, &decimal);
    if (fault != VALUE_OK) {
        return fault;
    }
    if (*decimal.end != '\0') {
        return VALUE_BAD_UNIT;
    }
    return scale(&decimal, one, value);
}

enum value_fault value_millionths(const char *text, int64_t *value) {
    return parts(text, PARAMETER_FRACTION_ONE, value);
}

enum value_fault value_billionths(const char *text, int64_t *value) {
    return parts(text, PARAMETER_MONEY_ONE, value);
}

enum value_fault value_int64(const char *text, int64_t *value) {
    struct decimal decimal;
    enum value_fault fault = scan_decimal(text, &decimal);
    if (fault != VALUE_OK) {
        return fault;
    }
    return *decimal.end != '\0' ? VALUE_SYNTAX : scale(&decimal, 1, value);
}

enum value_fault value_double(const char *text, double *value) {
    struct decimal decimal;
    enum value_fault fault = scan_decimal(text, &decimal);
    if (fault == VALUE_SYNTAX || (fault == VALUE_OK && *decimal.end != '\0')) {
        return VALUE_SYNTAX;
    }
    char *end;
    double number = strtod(text, &end);
    if (*end != '\0') {
        return VALUE_SYNTAX;
    }
    if (!isfinite(number)) {
        return VALUE_TOO_LARGE;
    }
    *value = number;
    return VALUE_OK;
}

static const struct unit *find_unit(const struct unit *units, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

enum value_fault value_duration_ns(const char *text, bool bare_seconds, sim_ns *value) {
    struct decimal decimal;
    enum value_fault fault = scan_decimal(text, &decimal);
    if (fault != VALUE_OK) {
        return fault;
    }
    if (*decimal.end == '\0') {
        bool zero = decimal.mantissa == 0;
        return zero || bare_seconds ? scale(&decimal, SIM_NS_PER_S, value) : VALUE_NO_UNIT;
    }
    const struct unit *unit =
        find_unit(duration_units, sizeof duration_units / sizeof duration_units[0], decimal.end);
    return unit == NULL ? VALUE_BAD_UNIT : scale(&decimal, unit->factor, value);
}

enum value_fault value_bytes(const char *text, int64_t *value) {
    struct decimal decimal;
    enum value_fault fault = scan_decimal(text, &decimal);
    if (fault != VALUE_OK) {
        return fault;
    }
    const char *name = *decimal.end == '\0' ? "B" : decimal.end;
    const struct unit *unit = find_unit(size_units, sizeof size_units / sizeof size_units[0], name);
    return unit == NULL ? VALUE_BAD_UNIT : scale(&decimal, unit->factor, value);
}

/* Reads exactly count digits and the character after them; returns -1 on anything else. */
static int scan_fixed(const char **next, int count, char after) {
    int number = 0;
    for (int i = 0; i < count; i++, (*next)++) {
        if (!is_digit(**next)) {
            return -1;
        }
        number = number * 10 + (**next - '0');
    }
    if (**next != after) {
        return -1;
    }
    *next += after != '\0';
    return number;
}

/* Days from 1970-01-01 of a Gregorian date. */
static int64_t days_of(int year, int month, int day) {
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t m = month <= 2 ? month + 9 : month - 3;
    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

static int days_of_month(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

enum value_fault value_epoch_s(const char *text, int64_t *value) {
    const char *c = text;
    bool date_only = strlen(text) == strlen("2026-01-01");
    int year = scan_fixed(&c, 4, '-');
    int month = year < 0 ? -1 : scan_fixed(&c, 2, '-');
    int day = month < 0 ? -1 : scan_fixed(&c, 2, date_only ? '\0' : 'T');
    if (day < 0) {
        return VALUE_SYNTAX;
    }
    int hour = date_only ? 0 : scan_fixed(&c, 2, ':');
    int minute = date_only ? 0 : hour < 0 ? -1 : scan_fixed(&c, 2, ':');
    int second = date_only ? 0 : minute < 0 ? -1 : scan_fixed(&c, 2, 'Z');
    if (second < 0 || *c != '\0') {
        return VALUE_SYNTAX;
    }
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days_of_month(year, month) ||
        hour > 23 || minute > 59 || second > 59) {
        return VALUE_SYNTAX;
    }
    *value = ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    return VALUE_OK;
}

static void print_unit(int64_t value, const struct unit *units, size_t count,
                       char text[VALUE_TEXT_BYTES]) {
    size_t best = 0;
    for (size_t i = 1; i < count && value != 0; i++) {
        best = value % units[i].factor == 0 ? i : best;
    }
    snprintf(text, VALUE_TEXT_BYTES, "%" PRId64 "%s", value / units[best].factor, units[best].name);
}

void value_print_duration(sim_ns duration_ns, char text[VALUE_TEXT_BYTES]) {
    print_unit(duration_ns, duration_units, sizeof duration_units / sizeof duration_units[0], text);
}

void value_print_bytes(int64_t bytes, char text[VALUE_TEXT_BYTES]) {
    print_unit(bytes, size_units, sizeof size_units / sizeof size_units[0], text);
}

/* Word number index of words that are separated by one blank. */
static void print_word(const char *words, int64_t index, char text[VALUE_TEXT_BYTES]) {
    for (; index > 0 && words != NULL; index--) {
        words = strchr(words, ' ');
        words = words == NULL ? NULL : words + 1;
    }
    words = words == NULL ? "" : words;
    snprintf(text, VALUE_TEXT_BYTES, "%.*s", (int)strcspn(words, " "), words);
}

/* Parts of 1 (a power of ten) without the zeros at the end: "1", "0.5", "0.000001". */
static void print_parts(int64_t value, int64_t one, int digits, char text[VALUE_TEXT_BYTES]) {
    snprintf(text, VALUE_TEXT_BYTES, "%" PRId64 ".%0*" PRId64, value / one, digits, value % one);
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        length--;
    }
    length -= text[length - 1] == '.';
    text[length] = '\0';
}

void value_print_parameter(const struct parameter_row *row, int64_t value,
                           char text[VALUE_TEXT_BYTES]) {
    switch (row->kind) {
    case PARAMETER_COUNT:
    case PARAMETER_RATE: snprintf(text, VALUE_TEXT_BYTES, "%" PRId64, value); break;
    case PARAMETER_BYTES: value_print_bytes(value, text); break;
    case PARAMETER_DURATION: value_print_duration(value, text); break;
    case PARAMETER_FRACTION: print_parts(value, PARAMETER_FRACTION_ONE, 6, text); break;
    case PARAMETER_MONEY: print_parts(value, PARAMETER_MONEY_ONE, 9, text); break;
    case PARAMETER_CHOICE: print_word(row->words, value, text); break;
    }
}
