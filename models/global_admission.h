/*
 * global_admission.h - Provisioned throughput as a shared pool, granted to request routers.
 *
 *   pool          a token bucket: rate = provisioned units/s, cap = rate * burst_window_s
 *   router r      holds tokens until granted_at + token_ttl; at its first request at or after
 *                 granted_at + min(gac_refresh, token_ttl) it gives back its rest and asks again
 *   grant(r)      what it owes, then min(pool, max(share(r), need)); all or nothing when need = cap
 *   share(r)      (pool + unexpired tokens of all routers) * demand(r) / sum of demands
 *   demand(i)     max(units used in its last interval, units used so far in this one,
 *                 rate * gac_refresh / routers); for the router that asks, at least the cost of
 *                 the request that makes it ask
 *   need          min(cost of the request that makes it ask, cap)
 *   admits        held >= min(cost, cap); a cost above the cap leaves the router a debt; for a
 *                 Query held > 0, and its cost may leave a debt
 *   routers = 0   no routers: requests draw on the pool itself (the fluid pool)
 *
 * When a router asks, expired tokens of all routers return to the pool, and what pool and tokens
 * hold above the cap is spilled.
 *
 * Source:  Elhemali et al., USENIX ATC 2022, s4.2 (tokens, local buckets, time limit, a few
 *          seconds); share rule, floor and need are inferred: docs/models/global_admission.md.
 * Invariants (audited, modulo 2^64): the pool's own (token_bucket.h); per router granted = used +
 *          returned + held; over all routers granted - returned = taken from the pool.
 * Owns:    its routers (arena).  Cost: O(1) a request, O(routers) a grant.
 */
#ifndef DDBSIM_MODELS_GLOBAL_ADMISSION_H
#define DDBSIM_MODELS_GLOBAL_ADMISSION_H

#include "models/parameters.h"
#include "models/request.h"
#include "models/token_bucket.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

struct router_tokens {
    int64_t held_ncu;     /* negative: debt, paid from the next grants */
    int64_t used_ncu;     /* since the last grant */
    int64_t demand_ncu;   /* units used in the interval before */
    sim_ns next_grant_ns; /* its next request from then on asks again */
    sim_ns expires_ns;
    /* since the start of the run, modulo 2^64 */
    uint64_t granted_total_ncu, returned_total_ncu;
    uint64_t used_total_ncu; /* up to the last grant */
};

struct global_admission {
    struct token_bucket pool;
    struct router_tokens *routers;
    uint32_t router_count;
    uint32_t next_router; /* of open-loop traffic */
    sim_ns interval_ns, ttl_ns;
    int64_t floor_ncu;
    uint64_t audited_used_ncu, audited_net_ncu; /* totals at the last audit */
};

/* rate 1 … TOKEN_BUCKET_RATE_MAX; initial_burst_ns: what is saved at the start, as time at
 * that rate; above burst_window_s it counts as that. */
bool global_admission_init(struct global_admission *admission, struct arena *arena,
                           int64_t rate_cu_per_s, sim_ns initial_burst_ns,
                           const struct model_parameters *parameters, struct err *err)
    ERR_WARN_UNUSED;

/* Renews the tokens of a router that asks because of a request of cost at now. */
void global_admission_renew(struct global_admission *admission, sim_ns now_ns, uint32_t router,
                            int64_t cost_ncu);

/* The router that a request goes through: its connection's (modulo their number), or the next in
 * turn for ROUTER_ANY. Call once a request, before _admits. Returns 0 for the fluid pool. */
static inline uint32_t global_admission_route(struct global_admission *admission, uint32_t router) {
    if (router != ROUTER_ANY) {
        if (__builtin_expect(router < admission->router_count, 1)) {
            return router;
        }
        return admission->router_count == 0 ? 0 : router % admission->router_count;
    }
    const uint32_t turn = admission->next_router;
    admission->next_router = turn + 1 < admission->router_count ? turn + 1 : 0;
    return turn;
}

/* What router holds at now for a request of cost, below 0: a debt; renews its tokens when it is
 * time. */
static inline int64_t global_admission_held_ncu(struct global_admission *admission, sim_ns now_ns,
                                                uint32_t router, int64_t cost_ncu) {
    if (admission->router_count == 0) {
        token_bucket_refill(&admission->pool, now_ns);
        return admission->pool.level_ncu;
    }
    struct router_tokens *tokens = &admission->routers[router];
    if (__builtin_expect(now_ns >= tokens->next_grant_ns, 0)) {
        global_admission_renew(admission, now_ns, router, cost_ncu);
    }
    return tokens->held_ncu;
}

/* Whether the pool admits cost at now through router; renews its tokens when it is time. */
static inline bool global_admission_admits(struct global_admission *admission, sim_ns now_ns,
                                           uint32_t router, int64_t cost_ncu) {
    const int64_t cap_ncu = admission->pool.cap_ncu;
    return global_admission_held_ncu(admission, now_ns, router, cost_ncu) >=
           (cost_ncu < cap_ncu ? cost_ncu : cap_ncu);
}

/* The same for a Query, whose cost is known only when it is done: what is left is enough. */
static inline bool global_admission_admits_debt(struct global_admission *admission, sim_ns now_ns,
                                                uint32_t router, int64_t cost_ncu) {
    return global_admission_held_ncu(admission, now_ns, router, cost_ncu) > 0;
}

/* Consumes; after _admits or _admits_debt said yes at the same now. */
static inline void global_admission_take(struct global_admission *admission, uint32_t router,
                                         int64_t cost_ncu) {
    if (admission->router_count == 0) {
        token_bucket_take(&admission->pool, cost_ncu);
        return;
    }
    admission->routers[router].held_ncu -= cost_ncu;
    admission->routers[router].used_ncu += cost_ncu;
}

/* Another rate from now on: routers give back what they hold and ask anew at their next request;
 * what is saved is cut to the new cap. Audited at now (checked). */
void global_admission_change(struct global_admission *admission, sim_ns now_ns,
                             int64_t rate_cu_per_s, const struct model_parameters *parameters);
/* The same after a time in which nobody asked: as in a new table, with so much saved. */
void global_admission_restart(struct global_admission *admission, sim_ns now_ns,
                              int64_t rate_cu_per_s, sim_ns saved_ns,
                              const struct model_parameters *parameters);

/* Saved capacity at now: the pool and the routers' tokens, less their debts; at most the cap.
 * Expired tokens count: they are the pool's again as soon as any router asks. Asking for the level
 * changes no later answer. */
int64_t global_admission_level_ncu(struct global_admission *admission, sim_ns now_ns);

/* Consumed since the last audit, modulo 2^64. */
uint64_t global_admission_used_ncu(const struct global_admission *admission);

/* Checks the invariants, opens the next window; aborts on a breach. */
void global_admission_audit(struct global_admission *admission, sim_ns now_ns);

#endif
