/*
 * slab.h - Records that come and go, in an arena: memory follows the largest number alive at once.
 *
 * A record begins with a uint32_t, which links it to the next free one while nobody uses it.
 * Owns: nothing; the records are in the arena.  Cost: O(1).
 */
#ifndef DDBSIM_EXPERIMENTS_SLAB_H
#define DDBSIM_EXPERIMENTS_SLAB_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdint.h>

#define SLAB_NONE UINT32_MAX

struct slab {
    struct grow_array records;
    uint32_t free; /* head, SLAB_NONE: none */
};

void slab_init(struct slab *slab, struct arena *arena, size_t record_bytes);

/* A record with what its last user left in it, or NULL when memory for more cannot be had. */
void *slab_take(struct slab *slab, uint32_t *index, struct err *err) ERR_WARN_UNUSED;
void slab_give(struct slab *slab, uint32_t index);

static inline void *slab_at(const struct slab *slab, uint32_t index) {
    return grow_array_at(&slab->records, index);
}

#endif
