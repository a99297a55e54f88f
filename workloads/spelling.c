#include "workloads/spelling.h"

#include <stdbool.h>
#include <string.h>

#define WORD_BYTES_MAX 64

static unsigned char lower(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits from a to b; an adjacent swap is one edit, and no part is edited twice. */
static size_t distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    size_t rows[3][WORD_BYTES_MAX + 1];
    for (size_t j = 0; j <= b_bytes; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_bytes; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above_2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_bytes; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], above_2[j - 2] + 1);
            }
        }
    }
    return rows[a_bytes % 3][b_bytes];
}

const char *spelling_nearest(const char *word, const char *const *words, size_t count) {
    size_t bytes = strlen(word);
    const char *nearest = NULL;
    size_t nearest_edits = 0;
    for (size_t i = 0; i < count; i++) {
        size_t other_bytes = strlen(words[i]);
        if (bytes > WORD_BYTES_MAX || other_bytes > WORD_BYTES_MAX) {
            continue;
        }
        size_t edits = distance(word, bytes, words[i], other_bytes);
        size_t longest = bytes > other_bytes ? bytes : other_bytes;
        if (edits <= longest / 3 && (nearest == NULL || edits < nearest_edits)) {
            nearest = words[i];
            nearest_edits = edits;
        }
    }
    return nearest;
}
