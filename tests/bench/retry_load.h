/*
 * retry_load.h - What a queue of retries is asked to do: pushes and pops of clients that insist.
 *
 * Poisson arrivals at 40,000/s, Zipf(0.99) over 1e6 keys on 64 partitions of 1,000 requests/s, one
 * in ten refused at first. A refused request waits 1 ms and up to min(20 s, 50 ms * 2^attempt),
 * evenly drawn, and is sent again, up to 10 times. Pending grows to 100,000 in two minutes.
 */
#ifndef DDBSIM_TESTS_BENCH_RETRY_LOAD_H
#define DDBSIM_TESTS_BENCH_RETRY_LOAD_H

#include "sim/clock.h"

#include <stddef.h>
#include <stdint.h>

#define RETRY_LOAD_POP INT64_C(-1)

struct retry_load {
    sim_ns *steps; /* the time of a push, or RETRY_LOAD_POP */
    size_t count;
    uint64_t requests, first_refusals, pops;
    size_t pending_max;
};

/* Aborts when memory cannot be had. Freed by retry_load_fini. */
struct retry_load retry_load_record(uint64_t requests, uint64_t seed);
void retry_load_fini(struct retry_load *load);

#endif
