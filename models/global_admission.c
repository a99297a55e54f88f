#include "models/global_admission.h"

#include "sim/check.h"

#include <inttypes.h>

_Static_assert(sizeof(struct router_tokens) == 64, "one cache line");

bool global_admission_init(struct global_admission *admission, struct arena *arena,
                           int64_t rate_cu_per_s, sim_ns initial_burst_ns,
                           const struct model_parameters *parameters, struct err *err) {
    SIM_CHECK(rate_cu_per_s >= 1 && rate_cu_per_s <= TOKEN_BUCKET_RATE_MAX);
    SIM_CHECK(initial_burst_ns >= 0);
    const sim_ns window_ns = parameters->burst_window_s;
    const sim_ns saved_ns = initial_burst_ns < window_ns ? initial_burst_ns : window_ns;
    *admission = (struct global_admission){
        .router_count = (uint32_t)parameters->routers,
        .ttl_ns = parameters->token_ttl,
        .interval_ns = parameters->gac_refresh < parameters->token_ttl ? parameters->gac_refresh
                                                                       : parameters->token_ttl,
    };
    /* rate in units per second times nanoseconds is nano-units */
    token_bucket_init(&admission->pool, 0, rate_cu_per_s, rate_cu_per_s * window_ns,
                      rate_cu_per_s * saved_ns);
    if (admission->router_count == 0) {
        return true;
    }
    admission->floor_ncu = rate_cu_per_s * parameters->gac_refresh / parameters->routers;
    admission->routers = arena_array(arena, admission->router_count, sizeof *admission->routers,
                                     sizeof *admission->routers, "request routers", err);
    return admission->routers != NULL;
}

/* Units that a router used in its last whole interval or, if more, so far in this one; at least the
 * floor. One that has not asked for another interval after that used nothing. */
static int64_t router_demand_ncu(const struct global_admission *admission,
                                 const struct router_tokens *tokens, sim_ns now_ns) {
    int64_t used_ncu = 0;
    if (now_ns < tokens->next_grant_ns) {
        used_ncu = tokens->demand_ncu > tokens->used_ncu ? tokens->demand_ncu : tokens->used_ncu;
    } else if (now_ns - tokens->next_grant_ns < admission->interval_ns) {
        used_ncu = tokens->used_ncu;
    }
    return used_ncu > admission->floor_ncu ? used_ncu : admission->floor_ncu;
}

static void router_give_back(struct global_admission *admission, struct router_tokens *tokens) {
    if (tokens->held_ncu > 0) {
        token_bucket_give(&admission->pool, tokens->held_ncu);
        tokens->returned_total_ncu += (uint64_t)tokens->held_ncu;
        tokens->held_ncu = 0;
    }
}

/* Units that a router gets that wants need; what it held is back in the pool. */
static int64_t router_grant_ncu(struct global_admission *admission, sim_ns now_ns,
                                const struct router_tokens *asks, int64_t cost_ncu) {
    struct token_bucket *pool = &admission->pool;
    int64_t held_ncu = 0;
    uint64_t demands_ncu = 0; /* used over some intervals, so no more than a few caps: below 2^64 */
    for (uint32_t i = 0; i < admission->router_count; i++) {
        struct router_tokens *other = &admission->routers[i];
        if (other == asks) {
            continue;
        }
        demands_ncu += (uint64_t)router_demand_ncu(admission, other, now_ns);
        if (other->expires_ns <= now_ns) {
            router_give_back(admission, other);
        }
        held_ncu += other->held_ncu > 0 ? other->held_ncu : 0;
    }
    /* Every grant leaves pool and tokens at or below the cap, so tokens are never above it. */
    SIM_CHECK(held_ncu <= pool->cap_ncu);
    if (pool->level_ncu > pool->cap_ncu - held_ncu) {
        token_bucket_spill(pool, pool->level_ncu - (pool->cap_ncu - held_ncu));
    }
    const int64_t debt_ncu = asks->held_ncu < 0 ? -asks->held_ncu : 0;
    const int64_t paid_ncu = debt_ncu < pool->level_ncu ? debt_ncu : pool->level_ncu;
    const int64_t free_ncu = pool->level_ncu - paid_ncu;
    /* Only a full pool serves such a cost: parts of it in the hands of several routers would never
     * become one. */
    if (cost_ncu >= pool->cap_ncu && free_ncu < pool->cap_ncu) {
        return paid_ncu;
    }
    int64_t demand_ncu = router_demand_ncu(admission, asks, now_ns);
    demand_ncu = cost_ncu > demand_ncu ? cost_ncu : demand_ncu;
    demands_ncu += (uint64_t)demand_ncu;
    SIM_CHECK(demands_ncu > 0); /* the floor of a router is */
    const int64_t total_ncu = free_ncu + held_ncu;
    const int64_t share_ncu =
        __extension__(int64_t)((__int128)total_ncu * demand_ncu / demands_ncu);
    const int64_t need_ncu = cost_ncu < pool->cap_ncu ? cost_ncu : pool->cap_ncu;
    const int64_t wanted_ncu = share_ncu > need_ncu ? share_ncu : need_ncu;
    return paid_ncu + (wanted_ncu < free_ncu ? wanted_ncu : free_ncu);
}

void global_admission_renew(struct global_admission *admission, sim_ns now_ns, uint32_t router,
                            int64_t cost_ncu) {
    SIM_CHECK(router < admission->router_count);
    SIM_CHECK(cost_ncu >= 0);
    struct router_tokens *tokens = &admission->routers[router];
    token_bucket_refill(&admission->pool, now_ns);
    router_give_back(admission, tokens);
    const int64_t grant_ncu = router_grant_ncu(admission, now_ns, tokens, cost_ncu);
    const bool lapsed = now_ns - tokens->next_grant_ns >= admission->interval_ns;
    tokens->demand_ncu = lapsed ? 0 : tokens->used_ncu;
    tokens->used_total_ncu += (uint64_t)tokens->used_ncu;
    tokens->used_ncu = 0;
    token_bucket_take(&admission->pool, grant_ncu);
    tokens->held_ncu += grant_ncu;
    tokens->granted_total_ncu += (uint64_t)grant_ncu;
    tokens->next_grant_ns = now_ns + admission->interval_ns;
    tokens->expires_ns = now_ns + admission->ttl_ns;
}

/* Tokens go back to the pool, which knows that nobody holds any: a window of the audit begins. */
static void collect(struct global_admission *admission, sim_ns now_ns) {
    for (uint32_t i = 0; i < admission->router_count; i++) {
        struct router_tokens *tokens = &admission->routers[i];
        router_give_back(admission, tokens);
        tokens->next_grant_ns = tokens->next_grant_ns < now_ns ? tokens->next_grant_ns : now_ns;
    }
    global_admission_audit(admission, now_ns);
}

static void set_floor(struct global_admission *admission, int64_t rate_cu_per_s,
                      const struct model_parameters *parameters) {
    if (admission->router_count > 0) {
        admission->floor_ncu = rate_cu_per_s * parameters->gac_refresh / parameters->routers;
    }
}

void global_admission_change(struct global_admission *admission, sim_ns now_ns,
                             int64_t rate_cu_per_s, const struct model_parameters *parameters) {
    if (admission->pool.rate_cu_per_s == rate_cu_per_s) {
        return;
    }
    collect(admission, now_ns);
    set_floor(admission, rate_cu_per_s, parameters);
    token_bucket_change(&admission->pool, now_ns, rate_cu_per_s,
                        rate_cu_per_s * parameters->burst_window_s);
}

void global_admission_restart(struct global_admission *admission, sim_ns now_ns,
                              int64_t rate_cu_per_s, sim_ns saved_ns,
                              const struct model_parameters *parameters) {
    const sim_ns window_ns = parameters->burst_window_s;
    collect(admission, now_ns);
    set_floor(admission, rate_cu_per_s, parameters);
    token_bucket_init(&admission->pool, now_ns, rate_cu_per_s, rate_cu_per_s * window_ns,
                      rate_cu_per_s * (saved_ns < window_ns ? saved_ns : window_ns));
}

int64_t global_admission_level_ncu(struct global_admission *admission, sim_ns now_ns) {
    token_bucket_refill(&admission->pool, now_ns);
    int64_t level_ncu = admission->pool.level_ncu; /* with the tokens at most twice the cap */
    for (uint32_t i = 0; i < admission->router_count; i++) {
        level_ncu += admission->routers[i].held_ncu;
    }
    return level_ncu < admission->pool.cap_ncu ? level_ncu : admission->pool.cap_ncu;
}

uint64_t global_admission_used_ncu(const struct global_admission *admission) {
    if (admission->router_count == 0) {
        return admission->pool.taken_ncu;
    }
    uint64_t used_ncu = 0;
    for (uint32_t i = 0; i < admission->router_count; i++) {
        used_ncu += admission->routers[i].used_total_ncu + (uint64_t)admission->routers[i].used_ncu;
    }
    return used_ncu - admission->audited_used_ncu;
}

void global_admission_audit(struct global_admission *admission, sim_ns now_ns) {
    uint64_t net_ncu = 0;
    for (uint32_t i = 0; i < admission->router_count; i++) {
        const struct router_tokens *tokens = &admission->routers[i];
        const uint64_t used_ncu = tokens->used_total_ncu + (uint64_t)tokens->used_ncu;
        SIM_CHECKF(tokens->granted_total_ncu ==
                       used_ncu + tokens->returned_total_ncu + (uint64_t)tokens->held_ncu,
                   "router %" PRIu32 ": granted %" PRIu64 ", used %" PRIu64 ", returned %" PRIu64
                   ", held %" PRId64 " ncu",
                   i, tokens->granted_total_ncu, used_ncu, tokens->returned_total_ncu,
                   tokens->held_ncu);
        net_ncu += tokens->granted_total_ncu - tokens->returned_total_ncu;
    }
    if (admission->router_count > 0) {
        SIM_CHECK(admission->pool.level_ncu >= 0);
        SIM_CHECKF(admission->pool.taken_ncu == net_ncu - admission->audited_net_ncu,
                   "taken from the pool %" PRIu64 ", granted less returned %" PRIu64 " ncu",
                   admission->pool.taken_ncu, net_ncu - admission->audited_net_ncu);
        admission->audited_used_ncu += global_admission_used_ncu(admission);
        admission->audited_net_ncu = net_ncu;
    }
    token_bucket_audit(&admission->pool, now_ns);
}
