/*
 * retry_quota.h - A client object's tokens for retries: when they are spent, failures are final.
 *
 *   a retry                      takes its cost, or is not made when fewer are left
 *   success after retries        gives back what the last of them took
 *   success at the first try     gives back 1
 *   a call that failed for good  gives back nothing
 *
 * The quota is full at the start and never above its capacity. First attempts are free.
 *
 * Source:  botocore retries/quota.py and standard.py; AWS SDKs reference guide, "Retry behavior".
 * Owns:    nothing; lives by value in its client object.  Cost: O(1).
 */
#ifndef DDBSIM_WORKLOADS_RETRY_QUOTA_H
#define DDBSIM_WORKLOADS_RETRY_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#define RETRY_QUOTA_FIRST_TRY_REFUND 1

struct retry_quota {
    uint32_t level, capacity;
};

static inline struct retry_quota retry_quota_full(uint32_t capacity) {
    return (struct retry_quota){.level = capacity, .capacity = capacity};
}

/* Before a retry is waited for: false when it must not be made. */
static inline bool retry_quota_take(struct retry_quota *quota, uint32_t cost) {
    if (cost > quota->level) {
        return false;
    }
    quota->level -= cost;
    return true;
}

/* A call has succeeded; taken: the cost of its last retry, `retried`: there was one. */
static inline void retry_quota_refund(struct retry_quota *quota, bool retried, uint32_t taken) {
    const uint32_t room = quota->capacity - quota->level;
    const uint32_t refund = retried ? taken : RETRY_QUOTA_FIRST_TRY_REFUND;
    quota->level += refund < room ? refund : room;
}

#endif
