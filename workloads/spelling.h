/*
 * spelling.h - The nearest right word, for "did you mean 'x'?".
 *
 * Damerau-Levenshtein distance (adjacent swaps count one), at most a third of the word's length.
 * Units: bytes. Cost: O(words * length^2); for error messages only.
 */
#ifndef DDBSIM_WORKLOADS_SPELLING_H
#define DDBSIM_WORKLOADS_SPELLING_H

#include <stddef.h>

/* The nearest of count words, ignoring case, or NULL when none is near. */
const char *spelling_nearest(const char *word, const char *const *words, size_t count);

#endif
