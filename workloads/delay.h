/*
 * delay.h - How long a step of a chain waits: constant, uniform or exponential, from one draw.
 *
 *   uniform       each nanosecond from min to max alike
 *   exponential   -mean * ln(u), u in (0, 1]; at most 37 means. The logarithm is a series of basic
 *                 operations, so that the delay is the same with every libm.
 *
 * Pure functions; the draw is a hash, so that what other operations do shifts no delay.
 */
#ifndef DDBSIM_WORKLOADS_DELAY_H
#define DDBSIM_WORKLOADS_DELAY_H

#include "sim/clock.h"
#include "workloads/scenario.h"

#include <stdint.h>

/* 0 <= min_ns <= max_ns <= SIM_NS_MAX, the mean too (checked); draw is uniform over 64 bits. */
sim_ns delay_ns(const struct delay_spec *delay, uint64_t draw);

#endif
