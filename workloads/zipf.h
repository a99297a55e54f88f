/*
 * zipf.h - Bounded Zipf ranks: P(k) proportional to 1 / k^s, k = 1 … n, exact, by a binned alias
 * table.
 *
 * Ranks are cut into bins [a, a + floor(a / 128)] (single ranks up to 127, then geometric). An
 * alias table over the bins' envelope weights len * a^-s picks a bin; a second draw picks the rank
 * k within and accepts it with probability (k / a)^-s: at once in more than 99 of 100 cases, else
 * by the exact test, else both draws are repeated. All but that test is integer arithmetic.
 *
 * Source:  alias method: Walker 1977, Vose 1991; exactness tested by chi-square at 1e7 draws.
 * Limits:  the test of a bin of 2^b ranks has 64 - b bits, b ≤ 41 at n = 2^48.
 * Owns:    24 bytes a bin in the arena, 1,224 bins for 1e6 ranks.
 * Cost:    set-up O(128 log n); a draw about 5 ns, any n.
 */
#ifndef DDBSIM_WORKLOADS_ZIPF_H
#define DDBSIM_WORKLOADS_ZIPF_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZIPF_EXPONENT_MAX 20.0
#define ZIPF_N_MAX (UINT64_C(1) << 48)

struct zipf_bin;

struct zipf {
    struct zipf_bin *bins;
    uint64_t bin_count, n;
    double exponent;
};

/* n 1 … ZIPF_N_MAX, exponent 0 … ZIPF_EXPONENT_MAX (checked). False only on no memory. */
bool zipf_init(struct zipf *zipf, struct arena *arena, uint64_t n, double exponent, struct err *err)
    ERR_WARN_UNUSED;

/* The next count numbers (rank - 1, below n). A number takes two draws a try, so the numbers do not
 * depend on how they are split into calls. */
void zipf_fill(const struct zipf *zipf, struct random_stream *stream, uint64_t *numbers,
               size_t count);

/* The share of rank 1, 1 / sum of k^-s, to about 1e-14: for tests and advice. O(1) for any n, by
 * Euler-Maclaurin summation from rank 1,024 on. */
double zipf_top_share(uint64_t n, double exponent);

#endif
