/* Rows of a results database as CSV and JSON. */
#include "cli/export_rows.h"

#include "analysis/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOREIGN_BYTES 512 /* of text outside ASCII, looked at at once */
#define EXACT_MAX 1e15    /* whole numbers below have all their digits in 15 */

static void put_real(FILE *out, double value) {
    if (fabs(value) < EXACT_MAX && value == floor(value) && !signbit(value)) {
        fprintf(out, "%" PRId64, (int64_t)value);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    fputs(text, out);
}

static void put_hex(FILE *out, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        fprintf(out, "%02x", (unsigned)(unsigned char)bytes[i]);
    }
}

static void put_csv_text(FILE *out, const char *bytes, size_t length) {
    bool quoted = length == 0;
    for (size_t i = 0; i < length && !quoted; i++) {
        quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r';
    }
    if (!quoted) {
        fwrite(bytes, 1, length, out);
        return;
    }
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '"') {
            fputc('"', out);
        }
        fputc(bytes[i], out);
    }
    fputc('"', out);
}

/* Characters outside ASCII: kept where they are UTF-8. */
static void put_foreign(FILE *out, const char *bytes, size_t length) {
    char printable[PRINTABLE_BYTES(FOREIGN_BYTES)];
    while (length > 0) {
        size_t piece = length;
        if (length > FOREIGN_BYTES) {
            piece = FOREIGN_BYTES;
            /* not within a character: it starts at most three bytes before */
            for (int i = 0; i < 3 && ((unsigned char)bytes[piece] & 0xc0) == 0x80; i++) {
                piece--;
            }
        }
        printable_text(bytes, piece, printable, sizeof printable);
        for (const char *at = printable; *at != '\0'; at++) {
            if (*at == '\\') {
                fputc('\\', out);
            }
            fputc(*at, out);
        }
        bytes += piece;
        length -= piece;
    }
}

static bool is_plain(char byte) {
    const unsigned char code = (unsigned char)byte;
    return code >= 0x20 && code < 0x7f && byte != '"' && byte != '\\';
}

static void put_escape(FILE *out, char byte) {
    static const char named[] = "\"\"\\\\\nn\tt\rr\bb\ff"; /* character, letter behind the stroke */
    for (size_t i = 0; named[i] != '\0'; i += 2) {
        if (named[i] == byte) {
            fputc('\\', out);
            fputc(named[i + 1], out);
            return;
        }
    }
    fprintf(out, "\\u%04x", (unsigned)(unsigned char)byte);
}

static void put_json_text(FILE *out, const char *bytes, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && is_plain(bytes[end])) {
            end++;
        }
        fwrite(bytes + i, 1, end - i, out);
        i = end;
        while (end < length && ((unsigned char)bytes[end] & 0x80) != 0) {
            end++;
        }
        put_foreign(out, bytes + i, end - i);
        for (i = end; i < length && !is_plain(bytes[i]) && ((unsigned char)bytes[i] & 0x80) == 0;
             i++) {
            put_escape(out, bytes[i]);
        }
    }
    fputc('"', out);
}

void export_csv_value(FILE *out, const struct store_value *value) {
    switch (value->type) {
    case STORE_VALUE_NULL: break;
    case STORE_VALUE_INTEGER: fprintf(out, "%" PRId64, value->integer); break;
    case STORE_VALUE_REAL: put_real(out, value->real); break;
    case STORE_VALUE_TEXT: put_csv_text(out, value->bytes, value->length); break;
    case STORE_VALUE_BLOB: put_hex(out, value->bytes, value->length); break;
    }
}

void export_json_value(FILE *out, const struct store_value *value) {
    switch (value->type) {
    case STORE_VALUE_NULL: fputs("null", out); break;
    case STORE_VALUE_INTEGER: fprintf(out, "%" PRId64, value->integer); break;
    case STORE_VALUE_REAL:
        if (isfinite(value->real)) {
            put_real(out, value->real);
        } else {
            fputs("null", out);
        }
        break;
    case STORE_VALUE_TEXT: put_json_text(out, value->bytes, value->length); break;
    case STORE_VALUE_BLOB:
        fputc('"', out);
        put_hex(out, value->bytes, value->length);
        fputc('"', out);
        break;
    }
}

void export_csv_header(FILE *out, const struct store_read_table *table) {
    const size_t count = store_read_table_columns(table);
    for (size_t i = 0; i < count; i++) {
        const char *name = store_read_table_column(table, i);
        if (i > 0) {
            fputc(',', out);
        }
        put_csv_text(out, name, strlen(name));
    }
    fputc('\n', out);
}

void export_csv_row(FILE *out, const struct store_read_table *table) {
    const size_t count = store_read_table_columns(table);
    for (size_t i = 0; i < count; i++) {
        const struct store_value value = store_read_table_value(table, i);
        if (i > 0) {
            fputc(',', out);
        }
        export_csv_value(out, &value);
    }
    fputc('\n', out);
}

void export_json_row(FILE *out, const struct store_read_table *table) {
    const size_t count = store_read_table_columns(table);
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        const struct store_value value = store_read_table_value(table, i);
        const char *name = store_read_table_column(table, i);
        if (i > 0) {
            fputc(',', out);
        }
        put_json_text(out, name, strlen(name));
        fputc(':', out);
        export_json_value(out, &value);
    }
    fputs("}\n", out);
}
