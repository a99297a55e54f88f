/*
 * item_size.h - Sizes in bytes by a law: constant, even, or drawn as a field's numbers are.
 *
 * A stream of its own draws them, so no size shifts a key. A trace's column is no law: the
 * generator takes it row by row.
 *
 * Owns:    a field's tables in the arena, when it is drawn by one.  Cost: 1 to 5 ns a size.
 */
#ifndef DDBSIM_WORKLOADS_ITEM_SIZE_H
#define DDBSIM_WORKLOADS_ITEM_SIZE_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/random.h"
#include "workloads/field.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct item_size {
    const struct size_spec *spec;
    struct random_stream stream; /* even */
    struct field *field;         /* drawn; else NULL */
};

/* spec must outlive it; of SIZE_DRAWN the spread is as field_init wants it, and its numbers are
 * min_bytes to max_bytes (checked). name gives the stream. False only on no memory. */
bool item_size_init(struct item_size *size, struct arena *arena, const struct size_spec *spec,
                    const struct random_name *name, struct err *err) ERR_WARN_UNUSED;

/* The next count sizes; not of a trace's column, min_bytes at most max_bytes (checked). How they
 * are split into calls does not change them. */
void item_size_fill(struct item_size *size, uint32_t *sizes_bytes, size_t count);

#endif
