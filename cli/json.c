#include "cli/json.h"

#include "analysis/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_BYTES 2000

static void separate(struct json *json) {
    if (json->comma) {
        fputc(',', json->out);
    }
    json->comma = true;
}

void json_begin(struct json *json, char bracket) {
    separate(json);
    fputc(bracket, json->out);
    json->comma = false;
}

void json_end(struct json *json, char bracket) {
    fputc(bracket, json->out);
    json->comma = true;
}

/* A run without control characters, at most RUN_BYTES long. */
static void put_run(FILE *out, const char *text, size_t length) {
    char printable[PRINTABLE_BYTES(RUN_BYTES)];
    printable_text(text, length, printable, sizeof printable);
    for (const char *at = printable; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            fputc('\\', out);
        }
        fputc(*at, out);
    }
}

/* The control character at the start of text and its length in bytes; 0 when there is none. C1 is
 * U+0080 to U+009F, two bytes of UTF-8. */
static size_t control_bytes(const char *text, unsigned *code) {
    const unsigned char first = (unsigned char)text[0];
    if (first < 0x20 || first == 0x7f) {
        *code = first;
        return first == '\0' ? 0 : 1;
    }
    *code = (unsigned char)text[1];
    return first == 0xc2 && *code >= 0x80 && *code < 0xa0 ? 2 : 0;
}

/* How much of text comes before a control character, at most RUN_BYTES. */
static size_t run_length(const char *text) {
    unsigned code;
    size_t length = 0;
    while (text[length] != '\0' && control_bytes(text + length, &code) == 0) {
        length++;
        if (length == RUN_BYTES) {
            /* not within a character: it starts at most three bytes before */
            for (int i = 0; i < 3 && ((unsigned char)text[length] & 0xc0) == 0x80; i++) {
                length--;
            }
            return length;
        }
    }
    return length;
}

static void put_text(FILE *out, const char *text) {
    fputc('"', out);
    while (*text != '\0') {
        unsigned code;
        const size_t escaped = control_bytes(text, &code);
        if (escaped > 0) {
            if (code == '\n') {
                fputs("\\n", out);
            } else {
                fprintf(out, "\\u%04x", code);
            }
            text += escaped;
            continue;
        }
        const size_t length = run_length(text);
        put_run(out, text, length);
        text += length;
    }
    fputc('"', out);
}

void json_key(struct json *json, const char *key) {
    separate(json);
    put_text(json->out, key);
    fputc(':', json->out);
    json->comma = false;
}

void json_string(struct json *json, const char *text) {
    if (text == NULL) {
        json_null(json);
        return;
    }
    separate(json);
    put_text(json->out, text);
}

void json_bool(struct json *json, bool value) {
    separate(json);
    fputs(value ? "true" : "false", json->out);
}

void json_uint64(struct json *json, uint64_t value) {
    separate(json);
    fprintf(json->out, "%" PRIu64, value);
}

void json_int64(struct json *json, int64_t value) {
    separate(json);
    fprintf(json->out, "%" PRId64, value);
}

void json_double(struct json *json, double value) {
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    separate(json);
    fputs(text, json->out);
}

void json_ncu(struct json *json, int64_t ncu) {
    const uint64_t size = ncu < 0 ? -(uint64_t)ncu : (uint64_t)ncu;
    char fraction[16];
    snprintf(fraction, sizeof fraction, ".%09" PRIu64, size % 1000000000);
    size_t length = strlen(fraction);
    while (length > 1 && fraction[length - 1] == '0') {
        length--;
    }
    fraction[length == 1 ? 0 : length] = '\0';
    separate(json);
    fprintf(json->out, "%s%" PRIu64 "%s", ncu < 0 ? "-" : "", size / 1000000000, fraction);
}

void json_null(struct json *json) {
    separate(json);
    fputs("null", json->out);
}
