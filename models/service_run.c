/* A run of first attempts at items of one table. The usual ones are compiled once each: what the
 * operation and the era decide is decided outside of the loop. */
#include "models/lane.h"

/* The lane by value: what no store can change stays in registers. */
__attribute__((always_inline)) static inline uint32_t
run_lane(const struct lane lane, const struct service_run *run, struct outcome *outcomes) {
    uint32_t done = 0;
    bool goes_on = true;
    while (done < run->count && goes_on) {
        struct outcome *outcome = &outcomes[done];
        const uint32_t router = lane_route(&lane, ROUTER_ANY);
        goes_on = lane_submit(&lane, run->times_ns[done], router, run->items[done],
                              run->new_bytes[done], 0, 0, outcome) ||
                  run->past_refusals;
        outcome->workload = run->workload;
        outcome->sequence = run->first_sequence + done;
        done++;
    }
    return done;
}

/* The same where the pool alone admits, by an operation that the call names. */
__attribute__((always_inline)) static inline uint32_t
run_pooled(const struct lane *lane, enum ddb_operation operation, bool writes,
           const struct service_run *run, struct outcome *outcomes) {
    struct lane own = *lane;
    own.operation = operation;
    own.writes = writes;
    own.shares = NULL;
    own.limits = NULL;
    own.replica_limits = 0;
    return run_lane(own, run, outcomes);
}

uint32_t lane_run(const struct lane *lane, const struct service_run *run,
                  struct outcome *outcomes) {
    if (lane->pool == NULL || lane->shares != NULL || lane->replica_limits != 0) {
        return run_lane(*lane, run, outcomes);
    }
    switch (lane->operation) {
    case DDB_GET_ITEM: return run_pooled(lane, DDB_GET_ITEM, false, run, outcomes);
    case DDB_PUT_ITEM: return run_pooled(lane, DDB_PUT_ITEM, true, run, outcomes);
    case DDB_UPDATE_ITEM: return run_pooled(lane, DDB_UPDATE_ITEM, true, run, outcomes);
    default: return run_lane(*lane, run, outcomes);
    }
}
