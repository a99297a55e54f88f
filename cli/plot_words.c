/* Numbers, times and foreign text as a picture shows them. */
#include "cli/plot_words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *plot_number(double value, char text[PLOT_NUMBER_BYTES]) {
    if (!(fabs(value) < 1e15)) {
        snprintf(text, PLOT_NUMBER_BYTES, "%.3g", value);
        return text;
    }
    if (value != 0 && fabs(value) < 0.01) {
        snprintf(text, PLOT_NUMBER_BYTES, "%.1g", value);
        return text;
    }
    if (value != 0 && fabs(value) < 99.95 && value != floor(value)) {
        int decimals = fabs(value) < 0.995 ? 2 : 1;
        snprintf(text, PLOT_NUMBER_BYTES, "%.*f", decimals, value);
        return text;
    }
    char digits[PLOT_NUMBER_BYTES];
    int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t to = 0;
    if (value <= -0.5) {
        text[to++] = '-';
    }
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[to++] = ',';
        }
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}

/* Reads one character of UTF-8; 0 when it is broken. *bytes is what to skip (at least 1). */
static uint32_t decode(const unsigned char *at, size_t *bytes) {
    *bytes = 1;
    if (at[0] < 0x80) {
        return at[0];
    }
    size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4) {
        return 0;
    }
    uint32_t code = at[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3fU);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        return 0;
    }
    *bytes = length;
    return code;
}

/* Not shown, or changing how its neighbours are shown. */
static bool is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code >= 0xe0000 ||
           (code >= 0xe000 && code < 0xf900);
}

/* Latin, Greek, Cyrillic, punctuation, arrows, mathematical signs: the font has them. */
static bool is_in_font(uint32_t code) {
    return code < 0x250 || (code >= 0x370 && code < 0x3ff && code != 0x378 && code != 0x379) ||
           (code >= 0x400 && code < 0x514) || (code >= 0x2010 && code <= 0x2026) ||
           (code >= 0x20a0 && code <= 0x20b5) || (code >= 0x2190 && code <= 0x22ff);
}

static bool is_wide(uint32_t code) {
    return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
           (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
           (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
}

/* The next character as printable text; returns its columns and moves *at on. */
static size_t piece(const unsigned char **at, bool is_terminal, char text[16]) {
    size_t bytes;
    uint32_t code = decode(*at, &bytes);
    if (code == 0 || (code < 0x80 && is_hidden(code))) {
        snprintf(text, 16, "\\x%02X", (*at)[0]);
    } else if (is_hidden(code) || (!is_terminal && !is_in_font(code))) {
        snprintf(text, 16, code < 0x10000 ? "\\u%04X" : "\\U%06X", (unsigned)code);
    } else {
        memcpy(text, *at, bytes);
        text[bytes] = '\0';
        *at += bytes;
        return is_wide(code) ? 2 : 1;
    }
    *at += bytes;
    return strlen(text);
}

static size_t columns_of(const char *text, bool is_terminal) {
    const unsigned char *at = (const unsigned char *)text;
    char buffer[16];
    size_t columns = 0;
    while (*at != '\0') {
        columns += piece(&at, is_terminal, buffer);
    }
    return columns;
}

size_t plot_columns(const char *text) {
    return columns_of(text, true);
}

const char *plot_clean(const char *foreign, size_t columns, bool is_terminal,
                       char text[PLOT_NAME_BYTES]) {
    if (foreign[0] == '\0') {
        snprintf(text, PLOT_NAME_BYTES, "(empty)");
        return text;
    }
    if (foreign[strspn(foreign, " ")] == '\0') {
        snprintf(text, PLOT_NAME_BYTES, "(blank)");
        return text;
    }
    const char *ellipsis = is_terminal ? ".." : "…";
    size_t total = columns_of(foreign, is_terminal), dots = is_terminal ? 2 : 1;
    bool fits = total <= columns;
    size_t tail = fits ? 0 : (columns - dots) / 3;
    size_t head = fits ? total : columns - dots - tail;
    const unsigned char *at = (const unsigned char *)foreign;
    size_t column = 0, used = 0;
    bool cut = false;
    text[0] = '\0';
    while (*at != '\0') {
        char buffer[16];
        size_t start = column;
        column += piece(&at, is_terminal, buffer);
        const char *add = buffer;
        if (column > head && start < total - tail) {
            add = cut ? "" : ellipsis;
            cut = true;
        }
        size_t length = strlen(add);
        if (used + length < PLOT_NAME_BYTES) {
            memcpy(text + used, add, length + 1);
            used += length;
        }
    }
    return text;
}

void plot_quote(FILE *file, const char *name, const char *text) {
    fprintf(file, "%s = \"", name);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (isalpha(byte) || byte == ' ' || byte == '.' || byte == ',' || byte == ':') {
            fputc(byte, file);
        } else {
            fprintf(file, "\\%03o", byte);
        }
    }
    fputs("\"\n", file);
}

int64_t plot_time_step(int64_t span_s, int64_t pieces) {
    static const int64_t steps[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                    600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (span_s <= steps[i] * pieces) {
            return steps[i];
        }
    }
    int64_t days = (span_s + 86400 * pieces - 1) / (86400 * pieces);
    return 86400 * (int64_t)plot_round_up((double)days);
}

double plot_round_up(double value) {
    double power = pow(10, floor(log10(value)));
    static const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++) {
        if (value <= steps[i] * power * (1 + 1e-9)) {
            return steps[i] * power;
        }
    }
    return 10 * power;
}

void plot_put_value(FILE *file, double value) {
    if (value < 0) {
        fputs(" ?", file);
    } else {
        fprintf(file, " %.9g", value);
    }
}
