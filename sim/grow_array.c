#include "sim/grow_array.h"

#include "sim/check.h"

#include <string.h>

#define CHUNK_ALIGNMENT_BYTES 64
#define DIRECTORY_COUNT_MIN 16

void grow_array_init(struct grow_array *array, struct arena *arena, size_t element_bytes,
                     uint32_t chunk_elements) {
    SIM_CHECK(element_bytes > 0 && element_bytes <= UINT32_MAX);
    SIM_CHECK(chunk_elements != 0 && (chunk_elements & (chunk_elements - 1)) == 0);
    *array = (struct grow_array){
        .arena = arena,
        .element_bytes = (uint32_t)element_bytes,
        .shift = (uint8_t)__builtin_ctz(chunk_elements),
    };
}

static bool grow_directory(struct grow_array *array, struct err *err) {
    uint32_t wider_count =
        array->directory_count == 0 ? DIRECTORY_COUNT_MIN : array->directory_count * 2;
    unsigned char **wider =
        ARENA_ARRAY(array->arena, unsigned char *, wider_count, "array directory", err);
    if (wider == NULL) {
        return false;
    }
    if (array->chunk_count > 0) {
        memcpy(wider, array->chunks, array->chunk_count * sizeof *wider);
    }
    array->chunks = wider;
    array->directory_count = wider_count;
    return true;
}

static bool add_chunk(struct grow_array *array, struct err *err) {
    if (array->chunk_count == array->directory_count && !grow_directory(array, err)) {
        return false;
    }
    unsigned char *chunk =
        arena_array(array->arena, (size_t)1 << array->shift, array->element_bytes,
                    CHUNK_ALIGNMENT_BYTES, "array chunk", err);
    if (chunk == NULL) {
        return false;
    }
    array->chunks[array->chunk_count++] = chunk;
    return true;
}

bool grow_array_append_far(struct grow_array *array, uint32_t count, uint32_t *index,
                           struct err *err) {
    if (count > UINT32_MAX - array->count) {
        return err_set(err, ERR_IO, "out of memory (an array holds at most %u elements)",
                       UINT32_MAX);
    }
    uint32_t wanted = array->count + count;
    while (((uint64_t)array->chunk_count << array->shift) < wanted) {
        if (!add_chunk(array, err)) {
            return false;
        }
    }
    uint64_t capacity = (uint64_t)array->chunk_count << array->shift;
    array->capacity = capacity > UINT32_MAX ? UINT32_MAX : (uint32_t)capacity;
    *index = array->count;
    array->count = wanted;
    return true;
}
