/*
 * arrivals.h - Arrival times: Poisson or uniform under a rate schedule, by inverting the cumulative
 * rate.
 *
 *   L(t) = integral of the rate from the start to t
 *   Poisson: arrival k at L^-1(E_1 + … + E_k), E exponential(1);  uniform: L^-1(k), k = 0, 1, …
 *
 * The rate is linear between schedule points and held outside of them; two points at one time are a
 * step. L^-1(m) is the latest t with L(t) = m, so that stretches of rate 0 are skipped, and after a
 * last point of rate 0 no more arrivals come. Times are rounded down to a nanosecond.
 * Constant rates are integer arithmetic: uniform arrival k is at start + floor(k * 10^9 / rate),
 * exactly, for the double that rate is; Poisson carries fractions of a nanosecond on.
 * Bursty arrivals are constant Poisson ones on another clock (bursts.h).
 * Schedules count mass from the last point passed, in double.
 *
 * Source: Cinlar, "Introduction to Stochastic Processes", 1975 (time change); no thinning, so one
 *         draw an arrival.
 * Cost:   constant rate about 5 ns an arrival, schedules one square root more.
 */
#ifndef DDBSIM_WORKLOADS_ARRIVALS_H
#define DDBSIM_WORKLOADS_ARRIVALS_H

#include "sim/clock.h"
#include "sim/random.h"
#include "workloads/bursts.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRIVALS_RATE_PER_S_MAX 1e12 /* a thousand a nanosecond: beyond it is a typing error */

/* The stretch of the schedule in which the next arrival is looked for. */
struct arrivals_segment {
    sim_ns begin_ns, end_ns; /* after the start */
    double rate_per_s;       /* at its begin */
    double slope_per_s2;
    double mass; /* integral of the rate over it */
};

struct arrivals {
    const struct rate_point *points;
    uint32_t point_count, next_segment;
    bool poisson, constant, ended;
    sim_ns start_ns, stop_ns; /* none at or after stop_ns */
    sim_ns time_ns;           /* the last arrival; uniform and constant: the next */
    /* constant Poisson: gap = E * gap_scale, in 2^-shift ns */
    double gap_scale;
    uint64_t fraction;
    uint32_t shift;
    /* constant uniform: gap = step_ns + step_rest / step_below ns */
    sim_ns step_ns;
    uint64_t step_rest, step_below, rest;
    /* schedule */
    struct arrivals_segment segment;
    double mass;    /* Poisson: of the last arrival, in its segment; uniform: before the segment */
    uint64_t count; /* uniform: arrivals so far */
    struct random_stream stream;
    /* bursty: Poisson arrivals above, on the clock of the bursts */
    struct bursts bursts;
    sim_ns bursts_stop_ns; /* 0: not bursty */
};

/* For Poisson and uniform workloads (checked). Points are in order of time, rates finite and in
 * 0 … ARRIVALS_RATE_PER_S_MAX (checked). start_ns is absolute, workload->stop_ns holds. */
void arrivals_init(struct arrivals *arrivals, const struct workload_spec *workload, sim_ns start_ns,
                   const struct random_name *name);

/* Moves the start, as long as no arrival was taken (checked). */
void arrivals_start(struct arrivals *arrivals, sim_ns start_ns);

/* Up to count sorted times before the stop (and before SIM_NS_MAX); fewer only when no more will
 * come. How times are split into calls does not change them. */
size_t arrivals_fill(struct arrivals *arrivals, sim_ns *times_ns, size_t count);

#endif
