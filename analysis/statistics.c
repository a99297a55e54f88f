#include "analysis/statistics.h"

#include "sim/check.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define BISECTIONS 60

void moments_add(struct moments *moments, double value) {
    moments->count++;
    const double before = value - moments->mean;
    moments->mean += before / (double)moments->count;
    moments->squares += before * (value - moments->mean);
}

double moments_deviation(const struct moments *moments) {
    return moments->count < 2 ? NAN : sqrt(moments->squares / (double)(moments->count - 1));
}

static double tail_of(double confidence) {
    SIM_CHECKF(confidence > 0 && confidence < 1, "confidence %g", confidence);
    return (1 - confidence) / 2;
}

struct interval statistics_mean(const struct moments *moments, double confidence) {
    const double tail = tail_of(confidence);
    if (moments->count < 2) {
        return (struct interval){moments->count == 0 ? NAN : moments->mean, NAN, NAN};
    }
    const double error = moments_deviation(moments) / sqrt((double)moments->count);
    const double half_width = gsl_cdf_tdist_Qinv(tail, (double)(moments->count - 1)) * error;
    return (struct interval){moments->mean, moments->mean - half_width, moments->mean + half_width};
}

/* GSL's own inverse of the beta distribution does not converge everywhere (971 of 1,000 at 5 %, for
 * one), so it is not asked; the distribution rises, which is all that bisection needs. */
static double beta_inverse(double tail, double a, double b) {
    double low = 0, high = 1;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = low + (high - low) / 2;
        if (gsl_cdf_beta_P(middle, a, b) < tail) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

static double share_low(uint64_t hits, uint64_t count, double tail) {
    return hits == 0 ? 0 : beta_inverse(tail, (double)hits, (double)(count - hits) + 1);
}

struct interval statistics_share(uint64_t hits, uint64_t count, double confidence) {
    const double tail = tail_of(confidence);
    SIM_CHECK(count >= 1 && hits <= count);
    const uint64_t misses = count - hits;
    return (struct interval){(double)hits / (double)count, share_low(hits, count, tail),
                             1 - share_low(misses, count, tail)};
}

double statistics_share_low(uint64_t hits, uint64_t count, double confidence) {
    SIM_CHECK(count >= 1 && hits <= count);
    return share_low(hits, count, 2 * tail_of(confidence));
}

double statistics_each(double confidence, uint32_t comparisons) {
    SIM_CHECK(comparisons >= 1);
    return 1 - 2 * tail_of(confidence) / comparisons;
}

bool statistics_is_precise(const struct interval *interval, double relative_width) {
    return interval->high - interval->low <= 2 * relative_width * fabs(interval->estimate);
}

bool statistics_differs(const struct interval *difference) {
    return difference->low > 0 || difference->high < 0;
}
