/*
 * plain_loop.h - The yardstick of the benchmarks: the same traffic in the loop that one would write
 * first.
 *
 * One request at a time: -log(u) gaps, Zipf ranks by rejection-inversion with libm, a bucket of two
 * doubles a partition, two counters a key. No pool, no sizes, no seconds, no digest: it does less
 * than a run.
 *
 * Source: rejection-inversion: Hoermann & Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", ACM TOMACS 6(3), 1996.
 */
#ifndef DDBSIM_TESTS_BENCH_PLAIN_LOOP_H
#define DDBSIM_TESTS_BENCH_PLAIN_LOOP_H

#include <stdint.h>

struct plain_loop_config {
    uint64_t keys, requests, seed;
    double exponent, rate_per_s, partition_rate_per_s;
    uint32_t partitions; /* a power of two */
};

struct plain_loop_result {
    uint64_t accepted, throttled;
    double wall_s;
};

/* Aborts when memory cannot be had. */
struct plain_loop_result plain_loop_run(const struct plain_loop_config *config);

/* Seconds of the monotonic clock. */
double bench_now_s(void);

#endif
