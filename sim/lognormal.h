/*
 * lognormal.h - A lognormal duration, given by its median and its 99th percentile.
 *
 *   ln x = ln median + sigma z,   sigma = (ln p99 - ln median) / 2.326…
 *
 * For rare draws (a change of capacity); bulk draws take a table (workloads/client.c).
 * Owns: nothing.  Cost: some 100 ns.
 */
#ifndef DDBSIM_SIM_LOGNORMAL_H
#define DDBSIM_SIM_LOGNORMAL_H

#include "sim/clock.h"

#include <stdint.h>

/* The duration at a uniform draw, to the nearest nanosecond, at most SIM_NS_MAX. 1 <= median <= p99
 * (checked); both equal: that, whatever the draw. */
sim_ns lognormal_ns(uint64_t draw, sim_ns median_ns, sim_ns p99_ns);

#endif
