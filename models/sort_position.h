/*
 * sort_position.h - The place of a sort key among others, as 64 bits in their order.
 *
 * Texts (types S and B) are placed by where they leave a reference, the first sort key seen:
 *
 *   below it   0, length of the common beginning, what follows there
 *   equal      in the middle
 *   above it   1, 63 - length of the common beginning, what follows there
 *
 * with 6 bits for the length (63: 63 or more) and 57 bits for what follows, in a code that keeps
 * the order of bytes: 4 bits for a digit and for the end of the text, 9 for a letter, 7 to 11 for
 * the rest. Numbers (type N) are placed by value: sign, decimal exponent, 16 significant digits.
 *
 * Assumes: keys that are equal in what is coded are one place: a cut never comes between them. Of
 *          texts that is where they leave the reference, and 14 digits or 6 letters from there.
 * Source:  AWS Developer Guide, "Core components": UTF-8 bytes and numbers by value.
 * Owns:    nothing; a reference is in the caller's arena.  Cost: O(length), once an item.
 */
#ifndef DDBSIM_MODELS_SORT_POSITION_H
#define DDBSIM_MODELS_SORT_POSITION_H

#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sort_text {
    const char *bytes;
    size_t length;
};

/* Of a text beside the reference. */
uint64_t sort_position_of_text(struct sort_text reference, struct sort_text text);
/* Of a decimal number; what is none is placed as the number that it begins with, or as 0. */
uint64_t sort_position_of_number(struct sort_text text);

/* Of a key of that type (S, N or B). The first text becomes the reference, copied into the arena;
 * its bytes are NULL until then. False: no memory. */
bool sort_position(struct sort_text *reference, char type, struct sort_text text,
                   struct arena *arena, uint64_t *sort, struct err *err) ERR_WARN_UNUSED;

#endif
