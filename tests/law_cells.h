/*
 * law_cells.h - Draws against an exact law: how many, and chi-square over cells that are equally
 * likely.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_TESTS_LAW_CELLS_H
#define DDBSIM_TESTS_LAW_CELLS_H

#include <gsl/gsl_cdf.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define LAW_IS_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LAW_IS_SLOW 1
#endif
#endif

/* Draws of a law: so many that an error of 1 in 1,000 shows; fewer where each takes ten times as
 * long, as what is looked for there are other faults. */
#ifdef LAW_IS_SLOW
#define LAW_DRAWS 1000000
#else
#define LAW_DRAWS 10000000
#endif

#define LAW_CELLS 512

/* edges[k]: the law's quantile at (k + 1) / LAW_CELLS, the test's to fill. */
struct law_cells {
    double edges[LAW_CELLS - 1];
    uint64_t seen[LAW_CELLS];
    uint64_t draws;
};

static inline void law_cells_add(struct law_cells *cells, double value) {
    uint32_t low = 0;
    for (uint32_t step = LAW_CELLS / 2; step > 0; step /= 2) {
        low += value >= cells->edges[low + step - 1] ? step : 0;
    }
    cells->seen[low]++;
    cells->draws++;
}

/* Upper tail probability of the chi-square statistic. */
static inline double law_cells_p(const struct law_cells *cells) {
    const double expected = (double)cells->draws / LAW_CELLS;
    double statistic = 0.0;
    for (uint32_t i = 0; i < LAW_CELLS; i++) {
        const double surplus = (double)cells->seen[i] - expected;
        statistic += surplus * surplus / expected;
    }
    return gsl_cdf_chisq_Q(statistic, LAW_CELLS - 1);
}

#endif
