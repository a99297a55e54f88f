/*
 * client.h - The SDK's side: how long a call takes, what goes wrong, when it is sent again.
 *
 * Latency of an attempt is a quantile table over hash_draw(stream, operation, member and attempt):
 * it does not depend on what other requests did. The table has 128 cells in each halving of the
 * upper tail, with straight lines between; nothing lies beyond its ends, the quantiles at 2^-10 and
 * at 1 - 2^-32 (lognormal with p99 three times the median: 0.23 and 19 medians). Jitter of a wait
 * (retry_policy.h) and transient errors are such hashes too, of streams of their own.
 *
 *   transient error   with `probability`: the request is lost; of share `lost_replies` the reply
 *   time-out          an answer that takes longer than timeout_ns is not waited for; the service
 *                     has done what was asked of it
 *
 * Source:  retry_policy.h; latencies and error rates are unpublished (parameters).
 * Assumes: a refusal takes throttle_latency_ns (docs/models/client.md).
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

#define CLIENT_GIVES_UP RETRY_POLICY_GIVES_UP

struct client {
    const struct client_spec *spec;
    sim_ns *latency_quantiles_ns; /* NULL: constant */
    uint64_t latency_stream, jitter_stream, error_stream;
    uint64_t error_below, lost_reply_below; /* of the top 63 bits of a draw */
};

/* Which attempt something is drawn for. */
struct client_attempt {
    uint32_t workload, member, number; /* number: of the attempt, from 0 */
    uint64_t sequence;                 /* of the operation */
};

/* What happened between client and service. */
enum client_fault {
    CLIENT_FAULT_NONE,
    CLIENT_FAULT_REQUEST, /* never reached a partition */
    CLIENT_FAULT_REPLY,   /* the service has answered, the client did not hear it */
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

/* Wait after the response of a failed attempt until the next is sent, or CLIENT_GIVES_UP. */
sim_ns client_retry_wait_ns(const struct client *client, const struct client_attempt *attempt,
                            enum retry_failure failure);

/* What happens to an attempt that is sent at now. */
enum client_fault client_fault(const struct client *client, const struct client_attempt *attempt,
                               sim_ns now_ns);

/* Whether a call's fate depends on others of its client object (quota, rate limiter, connections)
 * or on more than the service's answer (errors, time-outs). If not, each attempt is on its own. */
bool client_has_state(const struct client_spec *spec);

#endif
