/*
 * statistics.h - What a sample of replications says: intervals, never a bare mean.
 *
 *   t interval      mean ± t(1 - α/2, n - 1) s / √n         of independent replications
 *   paired          the same of the differences of two samples under common random numbers
 *   exact binomial  Clopper-Pearson, from Beta⁻¹(α/2; k, n-k+1) to Beta⁻¹(1 - α/2; k + 1, n - k)
 *   several at once Bonferroni: each of m intervals at 1 - α/m covers all of them at 1 - α
 *
 * A sample of equal values has an interval of width 0: its spread is not known to be 0, and whoever
 * prints it says how many values there were. A single value has no interval.
 *
 * Source:  Student, Biometrika 6(1), 1908; Clopper & Pearson, Biometrika 26(4), 1934; Law,
 *          "Simulation Modeling and Analysis", 5th ed., ch. 9 and 10. Quantiles by GSL.
 * Owns:    nothing.  Cost: O(n).
 */
#ifndef DDBSIM_ANALYSIS_STATISTICS_H
#define DDBSIM_ANALYSIS_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#define STATISTICS_CONFIDENCE 0.95

/* Bounds of what is estimated; low and high are NAN when the sample says nothing. */
struct interval {
    double estimate, low, high;
};

/* Mean and spread, by Welford's recurrence: one pass, no cancellation. */
struct moments {
    uint64_t count;
    double mean, squares; /* squares: Σ (x - mean)² */
};

void moments_add(struct moments *moments, double value);
/* Sample standard deviation; NAN below two values. */
double moments_deviation(const struct moments *moments);

/* Of the mean. confidence in (0, 1), here and below (checked). Below two values: bounds NAN. */
struct interval statistics_mean(const struct moments *moments, double confidence);

/* Of a probability, hits of count trials; count >= 1, hits <= count (checked). Covers at least
 * confidence, whatever the probability; hits 0 or count: one bound is 0 or 1. */
struct interval statistics_share(uint64_t hits, uint64_t count, double confidence);

/* The one-sided lower bound of the same. */
double statistics_share_low(uint64_t hits, uint64_t count, double confidence);

/* The confidence for each of `comparisons` >= 1 intervals that hold together at `confidence`. */
double statistics_each(double confidence, uint32_t comparisons);

/* Whether the interval's half width is at most relative_width of its estimate. */
bool statistics_is_precise(const struct interval *interval, double relative_width);

/* Whether 0 is outside of the interval: a difference is shown. */
bool statistics_differs(const struct interval *difference);

#endif
