#include "models/sort_position.h"

#define MIDDLE (UINT64_C(1) << 63)
#define LENGTH_MAX 63
#define LENGTH_SHIFT 57 /* bits for what follows */
#define DIGITS 16
#define EXPONENT_MAX 255

/* A byte in an order-preserving code: `bits` wide. */
struct code {
    uint32_t value, bits;
};

/* Groups by the first 4 bits: 0 the end of the text, 1 below '0', 2 to 11 digits, 12 to '@', 13 to
 * '`', 14 up to 0x80, 15 beyond. */
static struct code code_of(unsigned char byte) {
    static const struct group {
        unsigned char first, last;
        uint32_t head, bits;
    } groups[] = {{0x00, 0x2f, 1, 6},
                  {0x3a, 0x40, 12, 3},
                  {0x41, 0x60, 13, 5},
                  {0x61, 0x80, 14, 5},
                  {0x81, 0xff, 15, 7}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const struct group *group = &groups[i];
        if (byte >= group->first && byte <= group->last) {
            return (struct code){
                .value = group->head << group->bits | (uint32_t)(byte - group->first),
                .bits = 4 + group->bits,
            };
        }
    }
    return (struct code){.value = 2 + (uint32_t)(byte - '0'), .bits = 4};
}

/* The first LENGTH_SHIFT bits of a text's code; what is missing is 0, as the end of the text. */
static uint64_t encode(struct sort_text text, size_t from) {
    uint64_t bits = 0;
    uint32_t left = LENGTH_SHIFT;
    for (size_t i = from; i < text.length && left > 0; i++) {
        const struct code code = code_of((unsigned char)text.bytes[i]);
        if (code.bits > left) {
            return bits | code.value >> (code.bits - left);
        }
        left -= code.bits;
        bits |= (uint64_t)code.value << left;
    }
    return bits;
}

uint64_t sort_position_of_text(struct sort_text reference, struct sort_text text) {
    size_t common = 0;
    while (common < reference.length && common < text.length &&
           reference.bytes[common] == text.bytes[common]) {
        common++;
    }
    if (common == reference.length && common == text.length) {
        return MIDDLE;
    }
    const bool is_above = common == reference.length ||
                          (common < text.length && (unsigned char)text.bytes[common] >
                                                       (unsigned char)reference.bytes[common]);
    const size_t length = common < LENGTH_MAX ? common : LENGTH_MAX;
    const uint64_t rest = encode(text, length);
    if (is_above) {
        return MIDDLE | (uint64_t)(LENGTH_MAX - length) << LENGTH_SHIFT | rest;
    }
    return (uint64_t)length << LENGTH_SHIFT | rest;
}

/* Significant digits of a number's text, and the power of ten of the first one. */
struct decimal {
    bool is_negative;
    uint64_t digits; /* DIGITS of them, the first not 0 unless all are */
    int64_t exponent;
};

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

static int64_t read_exponent(struct sort_text text, size_t at) {
    bool is_negative = false;
    int64_t exponent = 0;
    if (at < text.length && (text.bytes[at] == '-' || text.bytes[at] == '+')) {
        is_negative = text.bytes[at++] == '-';
    }
    for (; at < text.length && is_digit(text.bytes[at]); at++) {
        exponent = exponent < EXPONENT_MAX ? 10 * exponent + (text.bytes[at] - '0') : exponent;
    }
    return is_negative ? -exponent : exponent;
}

static struct decimal read_decimal(struct sort_text text) {
    struct decimal decimal = {.exponent = -1};
    size_t at = 0;
    int count = 0;
    bool in_fraction = false;
    if (at < text.length && (text.bytes[at] == '-' || text.bytes[at] == '+')) {
        decimal.is_negative = text.bytes[at++] == '-';
    }
    for (;
         at < text.length && (is_digit(text.bytes[at]) || (text.bytes[at] == '.' && !in_fraction));
         at++) {
        if (text.bytes[at] == '.') {
            in_fraction = true;
            continue;
        }
        const bool counts = count > 0 || text.bytes[at] != '0';
        if (counts && count < DIGITS) {
            decimal.digits = 10 * decimal.digits + (uint64_t)(text.bytes[at] - '0');
        }
        count += counts;
        decimal.exponent += in_fraction ? -!counts : counts;
    }
    for (; count < DIGITS; count++) {
        decimal.digits *= 10;
    }
    if (at < text.length && (text.bytes[at] == 'e' || text.bytes[at] == 'E')) {
        decimal.exponent += read_exponent(text, at + 1);
    }
    return decimal;
}

uint64_t sort_position_of_number(struct sort_text text) {
    const struct decimal decimal = read_decimal(text);
    if (decimal.digits == 0) {
        return MIDDLE;
    }
    int64_t exponent = decimal.exponent;
    exponent = exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent;
    exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    /* 9 bits and, as 10^16 < 2^54, 54 */
    const uint64_t size = (uint64_t)(exponent + EXPONENT_MAX) << 54 | decimal.digits;
    return decimal.is_negative ? MIDDLE - size : MIDDLE + size;
}

bool sort_position(struct sort_text *reference, char type, struct sort_text text,
                   struct arena *arena, uint64_t *sort, struct err *err) {
    if (type == 'N') {
        *sort = sort_position_of_number(text);
        return true;
    }
    if (reference->bytes == NULL) {
        reference->bytes = arena_strndup(arena, text.bytes, text.length, err);
        reference->length = text.length;
        if (reference->bytes == NULL) {
            return false;
        }
    }
    *sort = sort_position_of_text(*reference, text);
    return true;
}
