#include "cli/shell_text.h"

#include <stdbool.h>
#include <string.h>

static bool is_plain(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    return *text != '\0' && text[strspn(text, plain)] == '\0';
}

/* quote: how a single quote is written where the word stands. */
static void put_word(FILE *out, const char *text, const char *quote) {
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputs(quote, out);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fprintf(out, "%s\\%s%s", quote, quote, quote);
        } else {
            fputc(*text, out);
        }
    }
    fputs(quote, out);
}

void shell_text_word(FILE *out, const char *text) {
    put_word(out, text, "'");
}

void shell_text_nested(FILE *out, const char *text) {
    put_word(out, text, "'\\''");
}
