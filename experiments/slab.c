#include "experiments/slab.h"

#define SLAB_CHUNK 1024

void slab_init(struct slab *slab, struct arena *arena, size_t record_bytes) {
    grow_array_init(&slab->records, arena, record_bytes, SLAB_CHUNK);
    slab->free = SLAB_NONE;
}

void *slab_take(struct slab *slab, uint32_t *index, struct err *err) {
    if (slab->free == SLAB_NONE) {
        return grow_array_append(&slab->records, 1, index, err)
                   ? grow_array_at(&slab->records, *index)
                   : NULL;
    }
    *index = slab->free;
    uint32_t *record = grow_array_at(&slab->records, *index);
    slab->free = *record;
    return record;
}

void slab_give(struct slab *slab, uint32_t index) {
    *(uint32_t *)grow_array_at(&slab->records, index) = slab->free;
    slab->free = index;
}
