/*
 * run.h - A scenario text run to its end, for tests: what the summary said, copied out.
 */
#ifndef DDBSIM_TESTS_EXPERIMENTS_RUN_H
#define DDBSIM_TESTS_EXPERIMENTS_RUN_H

#include "analysis/summary.h"

struct test_run {
    struct workload_bin total;
    uint64_t in_flight, keys;
    uint64_t index_writes, index_keys; /* of the first index */
    int64_t index_wncu, index_rncu;
    int64_t consumed_rncu, consumed_wncu;
    uint64_t events[THROTTLE_REASON_COUNT];
    char digest[DIGEST_TEXT_BYTES], arrivals_digest[DIGEST_TEXT_BYTES];
    double duration_s, latency_ms_p50, latency_ms_max;
};

/* Fails the running test on any error. */
struct test_run test_run_scenario(const char *text, uint64_t seed, uint64_t replication);
/* The same with a second thread. */
struct test_run test_run_threads(const char *text, uint64_t seed, uint64_t replication);

#endif
