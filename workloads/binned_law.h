/*
 * binned_law.h - Draws whole numbers by any masses of one mode (mass.h), by a binned alias table.
 *
 * Neighbouring numbers whose masses differ by at most 1 in 32 form a bin; the first and last
 * number and those next to the mode stand alone. An alias table over the bins' envelope weights
 * (length * largest mass) picks a bin; a second draw picks a number within and accepts it with
 * probability mass / largest mass: at once in at least 31 of 32 cases, else by the exact test, else
 * both draws are repeated. All but that test is integer arithmetic, as in zipf.h.
 *
 * Source:  alias method: Walker 1977, Vose 1991; exactness tested by chi-square at 1e7 draws.
 * Limits:  the test of a bin of 2^b numbers has 64 - b bits.
 * Owns:    40 bytes a bin in the arena; about 900 bins for YCSB's 1e10 items.
 * Cost:    set-up about a millisecond; a draw costs a tenth more than one of zipf.h, any n.
 */
#ifndef DDBSIM_WORKLOADS_BINNED_LAW_H
#define DDBSIM_WORKLOADS_BINNED_LAW_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/random.h"
#include "workloads/mass.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binned_law_bin;

struct binned_law {
    struct mass mass;
    struct binned_law_bin *bins;
    uint32_t bin_count;
};

/* spec as mass_init wants it. False only on no memory. */
bool binned_law_init(struct binned_law *law, struct arena *arena, const struct field_spec *spec,
                     struct err *err) ERR_WARN_UNUSED;

/* The next count numbers, below spec's n. A number takes two draws a try, so the numbers do not
 * depend on how they are split into calls. */
void binned_law_fill(const struct binned_law *law, struct random_stream *stream, uint64_t *numbers,
                     size_t count);

#endif
