/*
 * rate_limiter.h - Adaptive retry mode: a client object that measures its rate and lowers it.
 *
 *   measured   calls per half second, smoothed: 0.8 new + 0.2 old
 *   refused    w_max = min(measured, fill rate), or measured at first; K = cbrt(0.3 w_max / 0.4);
 *              rate = 0.7 w_max; from now on every attempt needs a token
 *   else       rate = 0.4 (t - K)^3 + w_max, t since the last refusal, in seconds
 *   tokens     fill at max(0.5, rate') a second up to max(1, rate'), rate' = min(rate, 2 measured)
 *
 * All of it is +, -, *, / and comparisons of doubles, and the cube root is Newton's, so that it is
 * the same for every compiler and libm (design: client-side limiters may use double).
 *
 * Source:  botocore retries/adaptive.py, throttling.py, bucket.py.
 * Owns:    nothing; lives by value in its client object.  Cost: O(1); a cube root per refusal.
 */
#ifndef DDBSIM_WORKLOADS_RATE_LIMITER_H
#define DDBSIM_WORKLOADS_RATE_LIMITER_H

#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct rate_limiter {
    double fill_rate_per_s, capacity, tokens;
    double measured_per_s, w_max, k_s;
    sim_ns filled_at_ns, last_refusal_ns;
    int64_t last_half_second;
    uint64_t count; /* answers since last_half_second */
    bool is_enabled;
};

struct rate_limiter rate_limiter_new(sim_ns now_ns);

/* An answer has come (any that is no refusal counts as a success). */
void rate_limiter_answered(struct rate_limiter *limiter, sim_ns now_ns, bool is_refusal);

/* Takes a token when there is one, or none is needed yet. */
bool rate_limiter_take(struct rate_limiter *limiter, sim_ns now_ns);

/* When the next token is there, if no answer comes before; after now. */
sim_ns rate_limiter_next_ns(const struct rate_limiter *limiter, sim_ns now_ns);

/* The rate that the cubic law allows now. */
double rate_limiter_cubic(const struct rate_limiter *limiter, sim_ns now_ns);

/* x ≥ 0; within 1e-15 of itself. */
double rate_limiter_cbrt(double x);

#endif
