/*
 * item_size.h - The size of an attribute: its name and its value, as DynamoDB counts them.
 *
 *   string, binary   bytes of the text
 *   number           1 + ceil(integer digits / 2) + ceil(fraction digits / 2), + 1 if negative;
 *                    leading and trailing zeros do not count
 *
 * Source:  AWS Developer Guide, "DynamoDB item sizes and formats": about 1 byte for two digits, and
 *          1; the exact form is measured.      Pure, O(length).
 */
#ifndef DDBSIM_MODELS_ITEM_SIZE_H
#define DDBSIM_MODELS_ITEM_SIZE_H

#include <stddef.h>
#include <stdint.h>

/* type S, N or B; a text of type N that is no plain decimal number is counted as a string. */
uint32_t item_size_attribute(const char *name, char type, const char *text, size_t text_bytes);

#endif
