/*
 * grow_array.h - An array that grows by whole chunks: index in O(1), elements never move.
 *
 *   element i = chunks[i >> shift] + (i & mask) * element_bytes
 *
 * Owns: nothing; chunks and the directory are in the arena. The directory doubles, its old copies
 * stay in the arena (at most as much again).
 */
#ifndef DDBSIM_SIM_GROW_ARRAY_H
#define DDBSIM_SIM_GROW_ARRAY_H

#include "sim/arena.h"
#include "sim/err.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grow_array {
    struct arena *arena;
    unsigned char **chunks;
    uint32_t count;    /* elements in use */
    uint32_t capacity; /* elements allocated */
    uint32_t chunk_count, directory_count;
    uint32_t element_bytes;
    uint8_t shift; /* log2 of elements a chunk */
};

/* chunk_elements is a power of two. element_bytes a multiple of its own alignment (at most 64). */
void grow_array_init(struct grow_array *array, struct arena *arena, size_t element_bytes,
                     uint32_t chunk_elements);

/* What grow_array_append does when the last chunk has no room. */
bool grow_array_append_far(struct grow_array *array, uint32_t count, uint32_t *index,
                           struct err *err) ERR_WARN_UNUSED;

/* Appends count zeroed elements and returns the first one's index in *index; they follow one
 * another by index, not always in memory. False with *err set on no memory or more than 2^32 - 1
 * elements. */
ERR_WARN_UNUSED static inline bool grow_array_append(struct grow_array *array, uint32_t count,
                                                     uint32_t *index, struct err *err) {
    if (count > array->capacity - array->count) {
        return grow_array_append_far(array, count, index, err);
    }
    *index = array->count;
    array->count += count;
    return true;
}

/* Address of element index; not checked beyond a debug assertion, this is the hot path. */
static inline void *grow_array_at(const struct grow_array *array, uint32_t index) {
    assert(index < array->count);
    return array->chunks[index >> array->shift] +
           (size_t)(index & ((UINT32_C(1) << array->shift) - 1)) * array->element_bytes;
}

/* The same where the call knows element_bytes and log2 of chunk_elements: without a multiplication,
 * 8 instructions less. */
static inline void *grow_array_at_known(const struct grow_array *array, uint32_t index,
                                        size_t element_bytes, uint8_t shift) {
    assert(element_bytes == array->element_bytes && shift == array->shift);
    assert(index < array->count);
    return array->chunks[index >> shift] + (index & ((UINT32_C(1) << shift) - 1)) * element_bytes;
}

#endif
