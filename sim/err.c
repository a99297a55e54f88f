#include "sim/err.h"

#include "sim/check.h"

#include <stdio.h>
#include <string.h>

/* Ends a message that did not fit with '…', never inside a UTF-8 sequence. */
static void cut_with_ellipsis(char text[ERR_TEXT_BYTES]) {
    static const char ellipsis[] = "…";
    size_t end = ERR_TEXT_BYTES - sizeof ellipsis;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    memcpy(text + end, ellipsis, sizeof ellipsis);
}

/* One sentence on one line, whatever a file name in it holds. */
static void show_controls(char *text) {
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f) {
            *text = '?';
        }
    }
}

bool err_setv(struct err *err, enum err_kind kind, const char *format, va_list arguments) {
    SIM_CHECK(err != NULL);
    SIM_CHECK(kind != ERR_NONE);
    if (err->kind != ERR_NONE) {
        return false;
    }
    err->kind = kind;
    int length = vsnprintf(err->text, sizeof err->text, format, arguments);
    SIM_CHECKF(length >= 0, "message '%s' cannot be formatted", format);
    if ((size_t)length >= sizeof err->text) {
        cut_with_ellipsis(err->text);
    }
    show_controls(err->text);
    return false;
}

bool err_set(struct err *err, enum err_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    err_setv(err, kind, format, arguments);
    va_end(arguments);
    return false;
}

bool err_no_memory(struct err *err, const char *what) {
    return err_set(err, ERR_IO, "out of memory (%s)", what);
}
