/*
 * clock.h - Simulated time: signed 64-bit nanoseconds since the start of the run.
 *
 * 2^63 ns is 292 years, so sums of two times that a run can hold never overflow. The only typedef
 * of the project is here, because a bare int64_t is also a capacity (nano-units) and a count.
 */
#ifndef DDBSIM_SIM_CLOCK_H
#define DDBSIM_SIM_CLOCK_H

#include <stdint.h>

typedef int64_t sim_ns;

#define SIM_NS_PER_US INT64_C(1000)
#define SIM_NS_PER_MS INT64_C(1000000)
#define SIM_NS_PER_S INT64_C(1000000000)
#define SIM_NS_PER_MIN (60 * SIM_NS_PER_S)

/* The longest run: 10 years. Every time, delay and horizon that a file names is held below it. */
#define SIM_NS_MAX (INT64_C(10) * 366 * 86400 * SIM_NS_PER_S)

#endif
