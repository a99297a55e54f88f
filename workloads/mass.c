#include "workloads/mass.h"

#include "sim/check.h"
#include "workloads/zipf.h"

#include <math.h>

#define DEVIATIONS_MAX 10.0 /* P(|Z| > 10) = 2^-75 */
#define MEANS_MAX 50.0      /* exp(-50) = 2^-72 */
#define NARROW 0x1p-10      /* a series is better than the difference of two tails below it */
#define NORMAL_P99 2.3263478740408408 /* standard deviations */
#define SQRT_HALF 0.70710678118654752440
#define SQRT_TWO_PI 2.50662827463100050242

/* P(Z > z) of the standard normal law. */
static double upper_tail(double z) {
    return 0.5 * erfc(z * SQRT_HALF);
}

/* P(middle - width / 2 < Z < middle + width / 2); what the series leaves out is below 1e-11 of it
 * up to DEVIATIONS_MAX. */
static double normal_mass(double middle, double width) {
    double z = fabs(middle);
    if (width < NARROW) {
        double curvature = width * width * (z * z - 1.0) / 24.0;
        return exp(-0.5 * z * z) / SQRT_TWO_PI * width * (1.0 + curvature);
    }
    return upper_tail(z - 0.5 * width) - upper_tail(z + 0.5 * width);
}

/* number as a value within 0 … n - 1. */
static uint64_t clamp(double number, uint64_t n) {
    double last = (double)(n - 1);
    if (!(number > 0.0)) {
        return 0;
    }
    return number < last ? (uint64_t)number : n - 1;
}

static void init_ycsb(struct mass *mass, const struct field_spec *spec) {
    const double s = spec->exponent, n = (double)spec->n;
    SIM_CHECKF(s >= 0.0 && s <= MASS_YCSB_EXPONENT_MAX, "exponent %g", s);
    double first = zipf_top_share(spec->n, s), second = first * pow(2.0, -s);
    mass->tail_exponent = 1.0 - s;
    mass->heads[0] = first;
    mass->heads[1] = second;
    mass->highest = spec->n - 1;
    if (spec->n > 2) {
        /* eta = (1 - (2 / n)^(1 - s)) / (1 - zeta(2) / zeta(n)), and the masses from 2 on are
         * (((k + 1) / n)^(1 - s) - (k / n)^(1 - s)) / eta. */
        double eta = -expm1((1.0 - s) * log(2.0 / n)) / (1.0 - (first + second));
        mass->tail_factor = pow(n, s - 1.0) / eta;
    }
}

static void init_normal(struct mass *mass, const struct field_spec *spec) {
    SIM_CHECKF(isfinite(spec->mean) && isfinite(spec->sd) && spec->sd >= MASS_SPREAD_MIN,
               "mean %g, sd %g", spec->mean, spec->sd);
    mass->offset = 0.0; /* the centre moves instead: numbers are exact, values may not be */
    mass->centre = spec->mean - (double)spec->first;
    mass->spread = spec->sd;
    mass->mode = clamp(mass->centre + 0.5, spec->n);
    mass->lowest = clamp(mass->centre - DEVIATIONS_MAX * spec->sd, spec->n);
    mass->highest = clamp(mass->centre + DEVIATIONS_MAX * spec->sd + 1.0, spec->n);
}

static void init_lognormal(struct mass *mass, const struct field_spec *spec) {
    SIM_CHECKF(spec->first >= 0 && spec->median > 0.0 && isfinite(spec->p99) &&
                   spec->p99 > spec->median,
               "first %lld, median %g, p99 %g", (long long)spec->first, spec->median, spec->p99);
    mass->offset = (double)spec->first;
    mass->centre = log(spec->median);
    mass->spread = log1p((spec->p99 - spec->median) / spec->median) / NORMAL_P99;
    SIM_CHECK(isfinite(mass->spread));
    double reach = DEVIATIONS_MAX * mass->spread;
    double mode = exp(mass->centre - mass->spread * mass->spread);
    mass->mode = clamp(mode - mass->offset + 0.5, spec->n);
    mass->lowest = clamp(exp(mass->centre - reach) - mass->offset - 1.0, spec->n);
    mass->highest = clamp(exp(mass->centre + reach) - mass->offset + 1.0, spec->n);
}

static void init_exponential(struct mass *mass, const struct field_spec *spec) {
    SIM_CHECKF(isfinite(spec->mean) && spec->mean >= MASS_SPREAD_MIN, "mean %g", spec->mean);
    mass->spread = spec->mean;
    mass->highest = clamp(MEANS_MAX * spec->mean + 1.0, spec->n);
}

void mass_init(struct mass *mass, const struct field_spec *spec) {
    SIM_CHECK(spec->n >= 1 && spec->n <= ZIPF_N_MAX);
    *mass = (struct mass){.law = spec->law, .n = spec->n};
    switch (spec->law) {
    case FIELD_YCSB_ZIPFIAN: init_ycsb(mass, spec); return;
    case FIELD_NORMAL: init_normal(mass, spec); return;
    case FIELD_LOGNORMAL: init_lognormal(mass, spec); return;
    case FIELD_EXPONENTIAL: init_exponential(mass, spec); return;
    case FIELD_CONSTANT:
    case FIELD_UNIFORM:
    case FIELD_ZIPF:
    case FIELD_SEQUENCE:
    case FIELD_CHOICE:
    case FIELD_SCRAMBLED:
    case FIELD_HOTSET:
    case FIELD_LATEST:
    case FIELD_HISTOGRAM: break;
    }
    SIM_CHECKF(false, "law %d has no masses", (int)spec->law);
}

static double ycsb_mass(const struct mass *mass, uint64_t number) {
    if (number < 2) {
        return mass->heads[number];
    }
    double end = (double)number + 1.0, power = mass->tail_exponent;
    return mass->tail_factor * pow(end, power) * -expm1(power * log1p(-1.0 / end));
}

/* Standard deviations from the centre to the lower edge of number; number at least 1. */
static double lower_edge(const struct mass *mass, uint64_t number) {
    double edge = (double)number + mass->offset - 0.5;
    double place = mass->law == FIELD_LOGNORMAL ? log(edge) : edge;
    return (place - mass->centre) / mass->spread;
}

static double rounded_mass(const struct mass *mass, uint64_t number) {
    if (mass->n == 1) {
        return 1.0;
    }
    if (number == 0) {
        return upper_tail(-lower_edge(mass, 1));
    }
    double low = lower_edge(mass, number);
    if (number == mass->n - 1) {
        return upper_tail(low);
    }
    double edge = (double)number + mass->offset - 0.5;
    double width = (mass->law == FIELD_LOGNORMAL ? log1p(1.0 / edge) : 1.0) / mass->spread;
    return normal_mass(low + 0.5 * width, width);
}

double mass_of(const struct mass *mass, uint64_t number) {
    SIM_CHECK(number < mass->n);
    if (mass->law == FIELD_YCSB_ZIPFIAN) {
        return ycsb_mass(mass, number);
    }
    if (mass->law == FIELD_EXPONENTIAL) {
        double before = exp(-(double)number / mass->spread);
        return number == mass->n - 1 ? before : before * -expm1(-1.0 / mass->spread);
    }
    return rounded_mass(mass, number);
}
