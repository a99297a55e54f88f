/*
 * arena.h - Memory of one run: chunks that only grow and are freed together.
 *
 * Owns:  every chunk; nothing allocated from it is freed by itself.
 * Cost:  allocation O(1) amortised; a new chunk doubles in size up to ARENA_CHUNK_BYTES_MAX.
 * Rule:  no libc malloc per request. What grows while a run goes on (keys touched, pending retries)
 *        grows by whole chunks, here or in a grow_array over this arena.
 */
#ifndef DDBSIM_SIM_ARENA_H
#define DDBSIM_SIM_ARENA_H

#include "sim/err.h"

#include <stddef.h>
#include <stdint.h>

#define CACHE_LINE_BYTES 64 /* what one thread writes and another reads lies on different ones */
#define ARENA_CHUNK_BYTES_MIN ((size_t)64 << 10)
#define ARENA_CHUNK_BYTES_MAX ((size_t)8 << 20)

struct arena_chunk;

struct arena {
    struct arena_chunk *newest;
    unsigned char *next; /* first free byte of the newest chunk */
    size_t left_bytes;   /* free bytes of the newest chunk */
    size_t chunk_bytes;  /* size of the next chunk */
    size_t used_bytes;   /* handed out so far, alignment included: exact, for the tests of memory */
};

void arena_init(struct arena *arena);
void arena_fini(struct arena *arena);

/* Zeroed bytes aligned to alignment_bytes (a power of two, at most 4096; large requests get a chunk
 * of their own). NULL with *err set when memory cannot be had. bytes may be 0. */
void *arena_alloc(struct arena *arena, size_t bytes, size_t alignment_bytes, const char *what,
                  struct err *err);

/* Copies of text, NUL-terminated; the second stops after length bytes. */
char *arena_strdup(struct arena *arena, const char *text, struct err *err);
char *arena_strndup(struct arena *arena, const char *text, size_t length, struct err *err);

/* Typed array of count elements, overflow-checked. */
void *arena_array(struct arena *arena, size_t count, size_t element_bytes, size_t alignment_bytes,
                  const char *what, struct err *err);
#define ARENA_NEW(arena, type, what, err)                                                          \
    ((type *)arena_alloc((arena), sizeof(type), _Alignof(type), (what), (err)))
#define ARENA_ARRAY(arena, type, count, what, err)                                                 \
    ((type *)arena_array((arena), (count), sizeof(type), _Alignof(type), (what), (err)))

#endif
