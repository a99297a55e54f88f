/*
 * permutation.h - A fixed pseudo-random order of 0 … n - 1, computed without a table.
 *
 * Steps that can be undone (add, multiply by an odd number, xor with the upper half) mix the least
 * power of two that holds n; a result that is not below n is mixed again until it is, so each
 * number is met exactly once and a law over ranks stays exact. The order depends on n alone: items
 * that are hot in one run, workload or table of n items are so in all of them.
 *
 * Source:  walking the cycle: Black & Rogaway, "Ciphers with Arbitrary Finite Domains", 2002.
 * Owns:    nothing.  Cost: about 5 ns; fewer than two mixings on the average.
 */
#ifndef DDBSIM_WORKLOADS_PERMUTATION_H
#define DDBSIM_WORKLOADS_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

struct permutation {
    uint64_t n, mask;
    uint32_t shift;
};

/* n from 1 to 2^63 (checked). */
void permutation_init(struct permutation *permutation, uint64_t n);

/* Replaces each number, below n, by its place in the order. */
void permutation_apply(const struct permutation *permutation, uint64_t *numbers, size_t count);

#endif
