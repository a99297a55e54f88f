/*
 * printable.h - Any bytes as text that is safe to print and store: UTF-8 stays, the rest is \xNN.
 *
 * Valid UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF) is kept; control
 * characters (C0, DEL, C1) and bytes that belong to no character become \xNN, each byte by itself.
 * A backslash stays: names are for reading, not for parsing back.
 */
#ifndef DDBSIM_ANALYSIS_PRINTABLE_H
#define DDBSIM_ANALYSIS_PRINTABLE_H

#include <stddef.h>

/* Room that is always enough for length bytes and the NUL. */
#define PRINTABLE_BYTES(length) ((length)*4 + 1)

/* Writes at most size bytes, NUL included (size >= 1), never part of a character or of a \xNN.
 * Returns the length written, without the NUL. */
size_t printable_text(const void *bytes, size_t length, char *out, size_t size);

#endif
