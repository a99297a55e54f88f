#include "sim/lognormal.h"

#include "sim/check.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

sim_ns lognormal_ns(uint64_t draw, sim_ns median_ns, sim_ns p99_ns) {
    SIM_CHECK(median_ns >= 1 && p99_ns >= median_ns);
    /* the middle of one of 2^53 steps: never 0 or 1 */
    const double share = ((double)(int64_t)(draw >> 12) + 0.5) * 0x1p-52;
    const double z = gsl_cdf_ugaussian_Pinv(share);
    const double sigma = log((double)p99_ns / (double)median_ns) / gsl_cdf_ugaussian_Pinv(0.99);
    const double ns = (double)median_ns * exp(sigma * z);
    return ns < (double)SIM_NS_MAX ? (sim_ns)(ns + 0.5) : SIM_NS_MAX;
}
