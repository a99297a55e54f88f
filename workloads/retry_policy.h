/*
 * retry_policy.h - What an SDK does with a failed attempt: its attempts, waits and quota.
 *
 *   profile            attempts  before retry i (from 0) it waits                       quota
 *   none                1        -                                                      -
 *   botocore-legacy    10        50 ms * 2^i                                            -
 *   aws-sdk-js-legacy  11        0, then 50 ms * 2^(i-1)                                -
 *   aws-sdk-go-v1      11        2^i * (d + U[0, d)), d 50 ms, after a refusal 500 ms;  -
 *                                above 300 s: 150 s + U[0, 150 s)
 *   aws-sdk-java-v2     9        U[0, min(20 s, 25 ms * 2^i))                           5, 5, 0
 *   aws-sdk-standard    3        U[0, min(20 s, 1 s * 2^i))                             5, 10, 5
 *   aws-sdk-adaptive    3        the same, and a rate_limiter                           5, 10, 5
 *   aws-sdk-2026        4        U[0, min(20 s, d * 2^i)), d 25 ms, after a refusal 1 s 14, 14, 5
 *   custom             given     base * multiplier^i, at most cap, jittered             if given
 *
 * Quota: what a retry costs after a transient error, a time-out, a refusal, out of 500 tokens of a
 * client object (retry_quota.h).
 *
 * Source:  botocore data/_retry.json, retryhandler.py, retries/standard.py and quota.py; aws-sdk-go
 *          dynamodb/customizations.go, client/default_retryer.go; aws-sdk-java-v2
 *          DynamoDbRetryPolicy and SdkDefaultRetrySetting; AWS SDKs reference guide, "Retry
 *          behavior"; aws-sdk-js issue 402 (waits that users saw).
 * Assumes: no x-amz-retry-after; docs/models/client.md has the rest.
 * Owns:    nothing.  Cost: O(attempt), no libm: equal waits for every compiler.
 */
#ifndef DDBSIM_WORKLOADS_RETRY_POLICY_H
#define DDBSIM_WORKLOADS_RETRY_POLICY_H

#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define RETRY_POLICY_GIVES_UP INT64_C(-1)
#define RETRY_POLICY_ATTEMPTS_MAX 1000
#define RETRY_POLICY_WAIT_NS_MAX (24 * 60 * SIM_NS_PER_MIN)
#define RETRY_POLICY_MULTIPLIER_MAX 100.0

/* X(ENUM, name) */
#define RETRY_PROFILES(X)                                                                          \
    X(NONE, "none")                                                                                \
    X(BOTOCORE_LEGACY, "botocore-legacy")                                                          \
    X(AWS_SDK_JS_LEGACY, "aws-sdk-js-legacy")                                                      \
    X(AWS_SDK_GO_V1, "aws-sdk-go-v1")                                                              \
    X(AWS_SDK_JAVA_V2, "aws-sdk-java-v2")                                                          \
    X(AWS_SDK_STANDARD, "aws-sdk-standard")                                                        \
    X(AWS_SDK_ADAPTIVE, "aws-sdk-adaptive")                                                        \
    X(AWS_SDK_2026, "aws-sdk-2026")                                                                \
    X(CUSTOM, "custom")

enum retry_profile {
#define RETRY_PROFILE_ENUM(id, name) RETRY_##id,
    RETRY_PROFILES(RETRY_PROFILE_ENUM)
#undef RETRY_PROFILE_ENUM
        RETRY_PROFILE_COUNT
};

/* Of a wait w: w; U[0, w); w/2 + U[0, w/2); w + U[0, w), and above the cap of half of it. */
enum retry_jitter {
    RETRY_JITTER_NONE,
    RETRY_JITTER_FULL,
    RETRY_JITTER_EQUAL,
    RETRY_JITTER_ADDED,
};

/* What the client saw of an attempt that failed. */
enum retry_failure {
    RETRY_AFTER_ERROR,    /* transient: HTTP 500, broken connection */
    RETRY_AFTER_TIMEOUT,  /* no answer in time */
    RETRY_AFTER_THROTTLE, /* refused */
    RETRY_FAILURES
};

struct retry_policy {
    enum retry_profile profile;
    enum retry_jitter jitter;
    uint32_t attempts_max; /* the first included; 1 … RETRY_POLICY_ATTEMPTS_MAX */
    bool is_first_retry_at_once;
    bool is_adaptive; /* a rate limiter holds attempts back */
    sim_ns base_ns, throttle_base_ns, cap_ns;
    double multiplier;       /* at least 1 */
    uint32_t quota_capacity; /* 0: no quota */
    uint32_t quota_costs[RETRY_FAILURES];
};

/* The policy of a profile; of RETRY_CUSTOM: 1 attempt, and the defaults of what need not be given
 * (full jitter, doubling, cap 20 s). */
struct retry_policy retry_policy_of(enum retry_profile profile);

/* Wait after the answer to failed attempt `attempt` (from 0) until the next is sent, or
 * RETRY_POLICY_GIVES_UP. draw: 64 uniform bits of this attempt's own, used when there is jitter. */
sim_ns retry_policy_wait_ns(const struct retry_policy *policy, enum retry_failure failure,
                            uint32_t attempt, uint64_t draw);

const char *retry_policy_profile_name(enum retry_profile profile);

#endif
