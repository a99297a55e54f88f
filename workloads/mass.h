/*
 * mass.h - The exact probability of each number of a field's law, for laws that rise to one mode
 * and fall from it.
 *
 *   ycsb-zipfian: 1 / zeta, 2^-s / zeta, then the mass of floor(N (eta u - eta + 1)^(1 / (1 - s)))
 *   normal, lognormal: rounded to the nearest whole number; exponential: first + what is rounded
 *   down. What lies outside of the range counts for its first or last value.
 *
 * Number k of YCSB's formula is (k … k + 1) of a power law cut at 2, so its mass has a closed form:
 * the bias against Zipf's law (rank 3 at s = 0.99 and N = 1e6: 19 % too often) is part of it.
 *
 * Source:  Gray et al., "Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994, as in
 *          YCSB's ZipfianGenerator; eta = (1 - (2 / N)^(1 - s)) / (1 - zeta(2) / zeta(N)).
 * Limits:  relative error about 1e-11 within 10 standard deviations, where the masses end.
 * Owns:    nothing.  Cost: about 50 ns a mass.
 */
#ifndef DDBSIM_WORKLOADS_MASS_H
#define DDBSIM_WORKLOADS_MASS_H

#include "workloads/scenario.h"

#include <stdint.h>

#define MASS_YCSB_EXPONENT_MAX 0.9999
#define MASS_SPREAD_MIN 0.001 /* of sd and the exponential's mean */

struct mass {
    enum field_law law;
    uint64_t n;               /* numbers are below it */
    uint64_t mode;            /* has the largest mass, give or take one */
    uint64_t lowest, highest; /* outside of them, the ends apart, there is less than 2^-70 */
    double offset;            /* number + offset is the value */
    double centre, spread;    /* normal: of the value; lognormal: of its logarithm; else spread */
    double tail_exponent;     /* ycsb-zipfian: 1 - s */
    double heads[2], tail_factor;
};

/* spec: law ycsb-zipfian (exponent from 0 to MASS_YCSB_EXPONENT_MAX), normal, exponential (spreads
 * from MASS_SPREAD_MIN on), lognormal (0 < median < p99, first at least 0); n from 1 to 2^48
 * (checked). */
void mass_init(struct mass *mass, const struct field_spec *spec);

/* Probability of number, below n (checked). */
double mass_of(const struct mass *mass, uint64_t number);

#endif
