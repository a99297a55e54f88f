#include "workloads/delay.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <stddef.h>

#define LN_2 0.69314718055994530942
#define SQRT_2 1.41421356237309504880
#define UNIT_BITS 53

/* -ln(k / 2^53), 1 <= k <= 2^53, to about 4e-16 of it: halvings * ln 2 - ln m with m between
 * 1 / sqrt 2 and sqrt 2, ln m = 2 (s + s^3 / 3 + s^5 / 5 + …), s = (m - 1) / (m + 1). */
static double minus_log(uint64_t k) {
    static const double terms[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                   1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    const int bits = 63 - __builtin_clzll(k);
    double m = (double)(int64_t)k / (double)(int64_t)(UINT64_C(1) << bits); /* exact, 1 to 2 */
    int halvings = UNIT_BITS - bits;
    if (m > SQRT_2) {
        m *= 0.5;
        halvings--;
    }
    const double s = (m - 1.0) / (m + 1.0), square = s * s;
    double series = 0.0;
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        series = series * square + terms[i];
    }
    return halvings * LN_2 - 2.0 * s * series;
}

sim_ns delay_ns(const struct delay_spec *delay, uint64_t draw) {
    SIM_CHECK(delay->min_ns >= 0 && delay->min_ns <= delay->max_ns && delay->max_ns <= SIM_NS_MAX);
    switch (delay->law) {
    case DELAY_CONSTANT: return delay->min_ns;
    case DELAY_UNIFORM: return hash_between(draw, delay->min_ns, delay->max_ns);
    case DELAY_EXPONENTIAL: {
        const double wait_ns = minus_log((draw >> (64 - UNIT_BITS)) + 1) * (double)delay->min_ns;
        return wait_ns < (double)SIM_NS_MAX ? (sim_ns)wait_ns : SIM_NS_MAX;
    }
    }
    SIM_CHECKF(false, "delay law %d", (int)delay->law);
    return 0;
}
