/*
 * client.h - The SDK's side: how long a call takes, whether and when a refused one is sent again.
 *
 *   botocore-legacy   10 attempts; before retry i (from 0) it waits 0.05 s * 2^i, no jitter
 *                     (25.55 s in all)
 *   none              the first refusal is final
 *
 * Latency of an attempt is a quantile table over hash_draw(stream, operation, member and attempt):
 * it does not depend on what other requests did. The table has 128 cells in each halving of the
 * upper tail, with straight lines between; nothing lies beyond its ends, the quantiles at 2^-10 and
 * at 1 - 2^-32 (lognormal with p99 three times the median: 0.23 and 19 medians).
 *
 * Source:  botocore data/_retry.json and retryhandler.py; latencies are unpublished (parameters).
 * Assumes: no time-outs; a refusal takes throttle_latency_ns.
 * Owns:    its table in the arena.  Cost: set-up 4,096 quantiles; a latency about 3 ns.
 */
#ifndef DDBSIM_WORKLOADS_CLIENT_H
#define DDBSIM_WORKLOADS_CLIENT_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIENT_GIVES_UP INT64_C(-1)

struct client {
    const struct client_spec *spec;
    sim_ns *latency_quantiles_ns; /* NULL: constant */
    uint64_t latency_stream;
};

/* Median and p99 are in 1 … SIM_NS_MAX, in this order, when the law is lognormal; a constant is not
 * negative (checked). False only on no memory. */
bool client_init(struct client *client, struct arena *arena, const struct client_spec *spec,
                 uint64_t seed, uint64_t replication, struct err *err) ERR_WARN_UNUSED;

/* Time from sending an admitted attempt to its response. */
sim_ns client_latency_ns(const struct client *client, uint32_t workload, uint64_t sequence,
                         uint32_t member, uint32_t attempt);

/* The same of the first attempts at single members of count operations from first_sequence on. */
void client_latencies_ns(const struct client *client, uint32_t workload, uint64_t first_sequence,
                         uint32_t count, sim_ns *latencies_ns);

/* Wait after the response of refused attempt `attempt` (from 0) until the next is sent, or
 * CLIENT_GIVES_UP. */
sim_ns client_retry_wait_ns(const struct client *client, uint32_t attempt);

/* Largest number of attempts of the profile. */
uint32_t client_attempts_max(enum retry_profile profile);
const char *retry_profile_name(enum retry_profile profile);

#endif
