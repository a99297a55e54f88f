#include "analysis/layout_odds.h"

#include "sim/check.h"

#include <math.h>
#include <string.h>

#define TERMS (LAYOUT_ODDS_KEYS_MAX + 1)

/* A load within this share above the cap counts as the cap: it comes from rounding. */
#define CAP_SLACK 1e-9

double layout_odds_apart(uint32_t keys, uint32_t partitions) {
    SIM_CHECK(partitions >= 1 && keys <= LAYOUT_ODDS_KEYS_MAX);
    double odds = 1;
    for (uint32_t i = 0; i < keys; i++) {
        odds *= i < partitions ? 1 - (double)i / (double)partitions : 0;
    }
    return odds;
}

/* product = a * b, terms above degree cut off. */
static void multiply(const double a[TERMS], const double b[TERMS], uint32_t degree,
                     double product[TERMS]) {
    double result[TERMS];
    memset(result, 0, sizeof result);
    for (uint32_t i = 0; i <= degree; i++) {
        for (uint32_t k = 0; i + k <= degree; k++) {
            result[i + k] += a[i] * b[k];
        }
    }
    memcpy(product, result, sizeof result);
}

double layout_odds_at_most(uint32_t keys, uint32_t partitions, uint32_t keys_per_partition) {
    SIM_CHECK(partitions >= 1 && keys <= LAYOUT_ODDS_KEYS_MAX);
    double power[TERMS] = {0}, series[TERMS] = {1};
    double term = 1;
    for (uint32_t k = 0; k <= keys && k <= keys_per_partition; k++) {
        power[k] = term;
        term /= (double)partitions * (k + 1);
    }
    for (uint32_t left = partitions; left > 0; left >>= 1) {
        if ((left & 1) != 0) {
            multiply(series, power, keys, series);
        }
        multiply(power, power, keys, power);
    }
    double odds = series[keys];
    for (uint32_t i = 2; i <= keys; i++) {
        odds *= i;
    }
    return fmin(odds, 1);
}

double layout_odds_shards(double demand, double cap, uint32_t shards, uint32_t partitions) {
    SIM_CHECK(shards >= 1 && demand >= 0 && cap > 0);
    const double fits =
        demand <= 0 ? (double)shards : floor(cap * (double)shards / demand * (1 + CAP_SLACK));
    const uint32_t per_partition = fits >= (double)shards ? shards : (uint32_t)fits;
    return layout_odds_at_most(shards, partitions, per_partition);
}
