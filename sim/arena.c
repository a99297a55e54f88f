#include "sim/arena.h"

#include "sim/check.h"
#include "sim/pages.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT_BYTES_MAX ((size_t)4096)
/* A request beyond it is refused unasked: no machine has it, and its padding cannot overflow. */
#define REQUEST_BYTES_MAX ((size_t)1 << 39)

/* Payloads start on an ALIGNMENT_BYTES_MAX boundary behind this header, wherever that lies:
 * padding, and so used_bytes, is then the same in every run. */
struct arena_chunk {
    struct arena_chunk *older;
    size_t mapped_bytes; /* by pages_new; 0: by calloc */
};

static bool is_alignment(size_t alignment_bytes) {
    return alignment_bytes != 0 && (alignment_bytes & (alignment_bytes - 1)) == 0 &&
           alignment_bytes <= ALIGNMENT_BYTES_MAX;
}

void arena_init(struct arena *arena) {
    *arena = (struct arena){.chunk_bytes = ARENA_CHUNK_BYTES_MIN};
}

static void chunk_free(struct arena_chunk *chunk) {
    if (chunk->mapped_bytes > 0) {
        pages_free(chunk, chunk->mapped_bytes);
    } else {
        free(chunk);
    }
}

void arena_fini(struct arena *arena) {
    struct arena_chunk *chunk = arena->newest;
    while (chunk != NULL) {
        struct arena_chunk *older = chunk->older;
        chunk_free(chunk);
        chunk = older;
    }
    *arena = (struct arena){.newest = NULL};
}

/* calloc for small chunks, whose overruns sanitizers see. */
static struct arena_chunk *chunk_new(size_t payload_bytes, unsigned char **payload) {
    size_t bytes = payload_bytes + sizeof(struct arena_chunk) + ALIGNMENT_BYTES_MAX - 1;
    bool mapped = bytes >= PAGES_HUGE_BYTES;
    struct arena_chunk *chunk = mapped ? pages_new(bytes) : calloc(1, bytes);
    if (chunk == NULL) {
        return NULL;
    }
    chunk->mapped_bytes = mapped ? bytes : 0;
    unsigned char *first = (unsigned char *)chunk + sizeof *chunk;
    size_t beyond = (size_t)((uintptr_t)first % ALIGNMENT_BYTES_MAX);
    *payload = first + (beyond == 0 ? 0 : ALIGNMENT_BYTES_MAX - beyond);
    return chunk;
}

/* A chunk for one large request. The chunk being filled stays in use, so this goes behind it. */
static void *alloc_own_chunk(struct arena *arena, size_t bytes) {
    unsigned char *payload = NULL;
    struct arena_chunk *chunk = chunk_new(bytes, &payload);
    if (chunk == NULL) {
        return NULL;
    }
    if (arena->newest == NULL) {
        arena->newest = chunk;
    } else {
        chunk->older = arena->newest->older;
        arena->newest->older = chunk;
    }
    arena->used_bytes += bytes;
    return payload;
}

static bool open_chunk(struct arena *arena) {
    unsigned char *payload = NULL;
    struct arena_chunk *chunk = chunk_new(arena->chunk_bytes, &payload);
    if (chunk == NULL) {
        return false;
    }
    chunk->older = arena->newest;
    arena->newest = chunk;
    arena->next = payload;
    arena->left_bytes = arena->chunk_bytes;
    if (arena->chunk_bytes < ARENA_CHUNK_BYTES_MAX) {
        arena->chunk_bytes *= 2;
    }
    return true;
}

void *arena_alloc(struct arena *arena, size_t bytes, size_t alignment_bytes, const char *what,
                  struct err *err) {
    SIM_CHECK(is_alignment(alignment_bytes));
    SIM_CHECK(arena->chunk_bytes != 0); /* not before _init nor after _fini */
    if (bytes > REQUEST_BYTES_MAX) {
        err_no_memory(err, what);
        return NULL;
    }
    size_t padding_bytes = -(size_t)(uintptr_t)arena->next & (alignment_bytes - 1);
    if (arena->next == NULL || padding_bytes + bytes > arena->left_bytes) {
        if (bytes > arena->chunk_bytes / 2) {
            void *own = alloc_own_chunk(arena, bytes);
            if (own == NULL) {
                err_no_memory(err, what);
            }
            return own;
        }
        if (!open_chunk(arena)) {
            err_no_memory(err, what);
            return NULL;
        }
        padding_bytes = 0;
    }
    unsigned char *memory = arena->next + padding_bytes;
    arena->next = memory + bytes;
    arena->left_bytes -= padding_bytes + bytes;
    arena->used_bytes += padding_bytes + bytes;
    return memory;
}

char *arena_strdup(struct arena *arena, const char *text, struct err *err) {
    return arena_strndup(arena, text, strlen(text), err);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length, struct err *err) {
    size_t copied = strnlen(text, length);
    char *copy = arena_alloc(arena, copied + 1, 1, "text", err);
    if (copy != NULL) {
        memcpy(copy, text, copied);
    }
    return copy;
}

void *arena_array(struct arena *arena, size_t count, size_t element_bytes, size_t alignment_bytes,
                  const char *what, struct err *err) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, element_bytes, &bytes)) {
        err_no_memory(err, what);
        return NULL;
    }
    return arena_alloc(arena, bytes, alignment_bytes, what, err);
}
