#include "cli/html.h"

#include "analysis/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PIECE_BYTES 1024
#define NUMBER_BYTES 64

static void write_escaped(FILE *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        switch (*at) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: fputc(*at, out);
        }
    }
}

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Bytes of the first piece: up to a line end or tab, not longer than the room, no character cut. */
static size_t piece_length(const char *bytes, size_t length) {
    size_t end = 0;
    while (end < length && end < PIECE_BYTES && bytes[end] != '\n' && bytes[end] != '\t') {
        end++;
    }
    if (end < PIECE_BYTES || end == length) {
        return end;
    }
    size_t cut = end;
    while (cut > end - 3 && continues(bytes[cut])) {
        cut--;
    }
    return cut;
}

void html_bytes(FILE *out, const char *bytes, size_t length) {
    char printable[PRINTABLE_BYTES(PIECE_BYTES)];
    while (length > 0) {
        size_t piece = piece_length(bytes, length);
        if (piece == 0) { /* a line end or a tab */
            fputc(*bytes, out);
            piece = 1;
        } else {
            printable_text(bytes, piece, printable, sizeof printable);
            write_escaped(out, printable);
        }
        bytes += piece;
        length -= piece;
    }
}

void html_text(FILE *out, const char *text) {
    html_bytes(out, text, strlen(text));
}

/* Commas between the digits of the whole part. */
static void write_separated(FILE *out, const char *digits) {
    if (*digits == '-') {
        fputs("−", out);
        digits++;
    }
    const size_t whole = strspn(digits, "0123456789");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0) {
            fputc(',', out);
        }
        fputc(digits[i], out);
    }
    fputs(digits + whole, out);
}

void html_number(FILE *out, double number) {
    char text[NUMBER_BYTES];
    if (!isfinite(number)) {
        fputs("–", out);
        return;
    }
    const double size = fabs(number);
    if (size != 0 && (size >= 1e15 || size < 1e-4)) {
        snprintf(text, sizeof text, "%.3g", number);
        fputs(text, out);
        return;
    }
    const int decimals = size >= 1000 || size == floor(size) ? 0 : size >= 1 ? 2 : 4;
    snprintf(text, sizeof text, "%.*f", decimals, number);
    if (decimals > 0) { /* without the zeros at the end */
        size_t length = strlen(text);
        while (text[length - 1] == '0') {
            text[--length] = '\0';
        }
        text[length - (text[length - 1] == '.')] = '\0';
    }
    write_separated(out, text);
}

void html_cell(FILE *out, const struct store_value *value) {
    char digits[NUMBER_BYTES];
    switch (value->type) {
    case STORE_VALUE_NULL: fputs("<td></td>", out); return;
    case STORE_VALUE_INTEGER:
        snprintf(digits, sizeof digits, "%" PRId64, value->integer);
        fprintf(out, "<td class=\"n\" data-v=\"%s\">", digits);
        write_separated(out, digits);
        break;
    case STORE_VALUE_REAL:
        fprintf(out, "<td class=\"n\" data-v=\"%.17g\">", value->real);
        html_number(out, value->real);
        break;
    case STORE_VALUE_TEXT:
    case STORE_VALUE_BLOB:
        fputs("<td>", out);
        html_bytes(out, value->bytes, value->length);
        break;
    }
    fputs("</td>", out);
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        fputc(digits[group >> 18], out);
        fputc(digits[group >> 12 & 63], out);
        fputc(left > 1 ? digits[group >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[group & 63] : '=', out);
    }
}

void html_svg(FILE *out, const char *svg, const char *alt) {
    fputs("<img alt=\"", out);
    html_text(out, alt);
    fputs("\" src=\"data:image/svg+xml;base64,", out);
    write_base64(out, (const unsigned char *)svg, strlen(svg));
    fputs("\">", out);
}
