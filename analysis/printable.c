#include "analysis/printable.h"

#include "sim/check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Length of the valid UTF-8 character at bytes, 0 when there is none. */
static size_t character_length(const unsigned char *bytes, size_t length, uint32_t *code) {
    static const uint32_t code_min[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = bytes[0];
    size_t wanted = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (wanted == 0 || lead > 0xf4 || wanted > length) {
        return 0;
    }
    *code = wanted == 1 ? lead : lead & (0xffU >> (wanted + 1));
    for (size_t i = 1; i < wanted; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (bytes[i] & 0x3fU);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < code_min[wanted] || *code > 0x10ffff || surrogate ? 0 : wanted;
}

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

size_t printable_text(const void *bytes, size_t length, char *out, size_t size) {
    static const char digits[] = "0123456789abcdef";
    SIM_CHECK(size >= 1);
    const unsigned char *from = bytes;
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        size_t kept = character_length(from + i, length - i, &code);
        if (kept != 0 && !is_control(code)) {
            if (kept >= size - written) {
                break;
            }
            memcpy(out + written, from + i, kept);
            written += kept;
            i += kept;
            continue;
        }
        if (size - written <= 4) {
            break;
        }
        const char escape[4] = {'\\', 'x', digits[from[i] >> 4], digits[from[i] & 0xf]};
        memcpy(out + written, escape, sizeof escape);
        written += sizeof escape;
        i++;
    }
    out[written] = '\0';
    return written;
}
