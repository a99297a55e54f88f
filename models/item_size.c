#include "models/item_size.h"

#include <stdbool.h>
#include <string.h>

static size_t digits(const char *text, size_t length) {
    size_t count = 0;
    while (count < length && text[count] >= '0' && text[count] <= '9') {
        count++;
    }
    return count;
}

/* False: no plain decimal number. */
static bool number_bytes(const char *text, size_t length, size_t *bytes) {
    const bool is_negative = length > 0 && text[0] == '-';
    text += is_negative;
    length -= is_negative;
    size_t whole = digits(text, length);
    const char *fraction = text + whole;
    size_t fraction_length = 0;
    if (whole < length && *fraction == '.') {
        fraction++;
        fraction_length = digits(fraction, length - whole - 1);
        if (fraction_length == 0 || whole + 1 + fraction_length != length) {
            return false;
        }
    } else if (whole != length) {
        return false;
    }
    if (whole == 0) {
        return false;
    }
    while (whole > 0 && *text == '0') {
        text++;
        whole--;
    }
    while (fraction_length > 0 && fraction[fraction_length - 1] == '0') {
        fraction_length--;
    }
    *bytes = 1 + (whole + 1) / 2 + (fraction_length + 1) / 2 + is_negative;
    return true;
}

uint32_t item_size_attribute(const char *name, char type, const char *text, size_t text_bytes) {
    size_t bytes = text_bytes;
    if (type == 'N' && !number_bytes(text, text_bytes, &bytes)) {
        bytes = text_bytes;
    }
    return (uint32_t)(strlen(name) + bytes);
}
