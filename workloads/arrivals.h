/*
 * arrivals.h - Arrival times: Poisson or uniform under a rate schedule, by inverting the cumulative rate.
 *
 *   Λ(t) = integral of rate;  arrival k at Λ^-1(E_1 + … + E_k), E exponential(1); uniform: Λ^-1(k), k = 0, 1, …
 *
 * The rate is linear between schedule points and held outside of them; two points at one time are a step.
 * Source: Cinlar, "Introduction to Stochastic Processes", 1975 (time change); no thinning, so one draw an arrival.
 * Cost:   constant rate about 5 ns an arrival, schedules one square root more.
 */
#ifndef DDBSIM_WORKLOADS_ARRIVALS_H
#define DDBSIM_WORKLOADS_ARRIVALS_H

#include "sim/clock.h"
#include "sim/random.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arrivals {
    const struct rate_point *points;
    uint32_t point_count, segment;
    bool poisson;
    sim_ns start_ns, stop_ns; /* stop_ns INT64_MAX: none */
    double position_s;        /* exact within the segment: seconds after its start */
    double whole_mass;        /* uniform: arrivals so far */
    struct random_stream stream;
};

void arrivals_init(struct arrivals *arrivals, const struct workload_spec *workload, sim_ns start_ns,
                   const struct random_name *name);

/* Up to count sorted times at or before the stop (exclusive); fewer only when no more will come. */
size_t arrivals_fill(struct arrivals *arrivals, sim_ns *times_ns, size_t count);

#endif
