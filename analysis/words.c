#include "analysis/words.h"

#include "sim/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NCU_PER_TENTH INT64_C(100000000)
#define NUSD_PER_USD INT64_C(1000000000)
#define NUSD_PER_CENT (NUSD_PER_USD / 100)

struct words words_count(uint64_t count) {
    struct words words;
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            words.text[used++] = ',';
        }
        words.text[used++] = digits[i];
    }
    words.text[used] = '\0';
    return words;
}

/* printf into words: every text that is composed here fits. */
static struct words compose(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct words compose(const char *format, ...) {
    struct words words;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(words.text, sizeof words.text, format, arguments);
    va_end(arguments);
    SIM_CHECK(length >= 0 && (size_t)length < sizeof words.text);
    return words;
}

/* A decimal fraction with at most so many digits behind the point, without zeros at its end. */
static struct words decimal(double value, int digits) {
    struct words words = compose("%.*f", digits, value);
    size_t length = strlen(words.text);
    while (digits > 0 && words.text[length - 1] == '0') {
        length--;
    }
    length -= words.text[length - 1] == '.';
    words.text[length] = '\0';
    return words;
}

struct words words_rate(double per_s) {
    if (!isfinite(per_s) || per_s < 0 || per_s >= 1e15) {
        return compose("%.3g", per_s);
    }
    if (per_s >= 99.95) {
        return words_count((uint64_t)llround(per_s));
    }
    return decimal(per_s, per_s >= 9.995 ? 1 : 2);
}

struct words words_units(int64_t ncu) {
    const uint64_t size = ncu < 0 ? -(uint64_t)ncu : (uint64_t)ncu;
    const uint64_t tenths = (size + NCU_PER_TENTH / 2) / NCU_PER_TENTH;
    const char *sign = ncu < 0 && tenths > 0 ? "-" : "";
    if (tenths % 10 == 0) {
        return compose("%s%s", sign, words_count(tenths / 10).text);
    }
    return compose("%s%s.%d", sign, words_count(tenths / 10).text, (int)(tenths % 10));
}

/* A part of a cent with two digits that count, never 3e-07. */
static struct words small(int64_t nusd) {
    int64_t digit = 1;
    for (; nusd / digit >= 100; digit *= 10) {
    }
    const int64_t rounded_nusd = nusd / digit * digit;
    return decimal((double)rounded_nusd / (double)NUSD_PER_USD, 9);
}

struct words words_usd(int64_t nusd) {
    SIM_CHECK(nusd >= 0);
    if (nusd > 0 && nusd < NUSD_PER_CENT) {
        return compose("$%s", small(nusd).text);
    }
    const uint64_t cents =
        (uint64_t)(nusd / NUSD_PER_CENT) + (nusd % NUSD_PER_CENT >= NUSD_PER_CENT / 2);
    return compose("$%s.%02d", words_count(cents / 100).text, (int)(cents % 100));
}

double words_share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

struct words words_percent(double share) {
    const double percent = 100 * share;
    if (!isfinite(percent) || percent < 0 || percent >= 1e15) {
        return compose("%.3g %%", percent);
    }
    if (percent > 0 && percent < 0.1) {
        return compose("<0.1 %%");
    }
    if (percent < 100 && percent > 99.9) {
        return compose(">99.9 %%");
    }
    const bool fine = percent < 9.95 || (percent > 99 && percent < 100);
    return fine ? compose("%s %%", decimal(percent, 1).text)
                : compose("%s %%", words_count((uint64_t)llround(percent)).text);
}

struct words words_clock(int64_t seconds) {
    const uint64_t size = seconds < 0 ? -(uint64_t)seconds : (uint64_t)seconds;
    return compose("%s%" PRIu64 ":%02d:%02d", seconds < 0 ? "-" : "", size / 3600,
                   (int)(size / 60 % 60), (int)(size % 60));
}

struct words words_duration(double seconds) {
    if (!isfinite(seconds) || seconds < 0 || seconds >= 1e12) {
        return compose("%.3g s", seconds);
    }
    if (seconds < 119.5) {
        return compose("%s s", words_rate(seconds < 10 ? seconds : round(seconds)).text);
    }
    const uint64_t whole = (uint64_t)llround(seconds);
    const bool hours = whole >= 7200;
    const uint64_t large = hours ? whole / 3600 : whole / 60;
    const int small = (int)(hours ? whole / 60 % 60 : whole % 60);
    const char *unit = hours ? "h" : "min";
    if (small == 0) {
        return compose("%s %s", words_count(large).text, unit);
    }
    return compose("%s %s %d %s", words_count(large).text, unit, small, hours ? "min" : "s");
}

struct words words_bytes(uint64_t bytes) {
    const char *const units[] = {"KB", "MB", "GB", "TB"};
    if (bytes < 1024 || (bytes < 10240 && bytes % 512 != 0)) {
        return compose("%s B", words_count(bytes).text);
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    return compose("%s %s", decimal(value, value < 100 ? 1 : 0).text, units[unit]);
}

void phrase_init(struct phrase *phrase, char *text, size_t bytes) {
    SIM_CHECK(bytes >= 8);
    *phrase = (struct phrase){.text = text, .bytes = bytes};
    text[0] = '\0';
}

/* Ends the text with "…", not within a character. */
static void phrase_cut(struct phrase *phrase) {
    static const char ellipsis[] = "…";
    size_t keep = phrase->bytes - sizeof ellipsis;
    while (keep > 0 && ((unsigned char)phrase->text[keep] & 0xc0) == 0x80) {
        keep--;
    }
    memcpy(phrase->text + keep, ellipsis, sizeof ellipsis);
    phrase->used = keep + sizeof ellipsis - 1;
    phrase->cut = true;
}

void phrase_add(struct phrase *phrase, const char *format, ...) {
    if (phrase->cut) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(phrase->text + phrase->used, phrase->bytes - phrase->used, format, arguments);
    va_end(arguments);
    SIM_CHECK(length >= 0);
    if ((size_t)length >= phrase->bytes - phrase->used) {
        phrase_cut(phrase);
        return;
    }
    phrase->used += (size_t)length;
}
