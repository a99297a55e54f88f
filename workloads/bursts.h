/*
 * bursts.h - Bursty arrivals: a two-state Markov-modulated Poisson process, by a change of time.
 *
 *   on, off     mean durations of the two states, exponential
 *   factor      rate in bursts over the mean rate, 1 < factor <= (on + off) / on
 *   p           on / (on + off), the share of time in bursts
 *   rest        rate outside of bursts over the mean rate: (1 - factor * p) / (1 - p)
 *
 * Poisson arrivals of the mean rate come on a clock u of their own, which runs `factor` as fast as
 * time t in a burst and `rest` as fast outside of it: in the long run both go alike, so `rate` is
 * the mean rate. The process starts in its stationary state: in a burst with probability p.
 *
 * Source:  Fischer, Meier-Hellstern, "The Markov-modulated Poisson process (MMPP) cookbook", 1993.
 * Owns:    nothing.  Cost: O(1) an arrival and a change of state; memory does not grow.
 */
#ifndef DDBSIM_WORKLOADS_BURSTS_H
#define DDBSIM_WORKLOADS_BURSTS_H

#include "sim/clock.h"
#include "sim/random.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>

struct bursts {
    const struct bursts_spec *spec;
    struct random_stream stream;
    bool is_on;
    double speed;             /* of u against t in this state */
    double begin_u, end_u;    /* of this state */
    double begin_t, length_t; /* ns after the start */
    double speeds[2];         /* off, on */
    sim_ns last_ns;           /* given out; rounding goes back no further */
};

/* on_ns, off_ns >= 1, factor within its bounds (checked). */
void bursts_init(struct bursts *bursts, const struct bursts_spec *spec,
                 const struct random_name *name);

/* The largest factor: nothing comes outside of bursts. */
double bursts_factor_max(sim_ns on_ns, sim_ns off_ns);

/* Turns count sorted times of u (ns after the start) into times of t, which stay sorted; what lies
 * beyond SIM_NS_MAX becomes that. Times of a later call are no earlier. */
void bursts_map(struct bursts *bursts, sim_ns *times_ns, size_t count);

#endif
