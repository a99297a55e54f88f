/* The usual run: routers and partitions alone admit. What lane.h and service.c say of one attempt,
 * with all that its run decides decided once; tests/models/service_run.c holds the two together. */
#include "models/capacity_units.h"
#include "models/lane.h"

/* The bucket of an item's open partition, whose number is then *partition. */
__attribute__((always_inline)) static inline struct token_bucket *
find_bucket(const struct lane *lane, bool writes, const struct item_state *item, uint32_t number,
            uint32_t *partition) {
    *partition = item->partition;
    struct partition *found = &lane->partitions[*partition];
    struct token_bucket *bucket = writes ? &found->write : &found->read;
    if (__builtin_expect(token_bucket_is_closed(bucket), 0)) {
        *partition = keyspace_move_item(lane->keyspace, lane->set, number);
        found = &lane->partitions[*partition];
        bucket = writes ? &found->write : &found->read;
    }
    return bucket;
}

/* Inline, once for each usual operation. */
__attribute__((always_inline)) static inline uint32_t
run_routed(const struct lane *lane, enum ddb_operation operation, bool writes,
           const struct service_run *run, struct outcome *outcomes) {
    struct global_admission *const pool = lane->pool;
    const int64_t pool_cap_ncu = pool->pool.cap_ncu;
    const uint32_t router_count = pool->router_count, count = run->count;
    const struct grow_array items = lane->items;
    const struct lane own = *lane;
    uint32_t router = pool->next_router;
    uint32_t done = 0;
    bool goes_on = true;
    for (; done < count && goes_on; done++) {
        const sim_ns now_ns = run->times_ns[done];
        const uint32_t number = run->items[done], new_bytes = run->new_bytes[done];
        SIM_CHECK(number < items.count);
        struct item_state *item = keyspace_item_at(&items, number);
        const uint32_t old_bytes = item->bytes;
        const int64_t cost_ncu =
            capacity_units_ncu(operation, own.consistent_read, old_bytes, new_bytes);
        uint32_t partition;
        struct token_bucket *bucket = find_bucket(&own, writes, item, number, &partition);
        struct router_tokens *tokens = global_admission_tokens(pool, now_ns, router, cost_ncu);
        router = router + 1 < router_count ? router + 1 : 0;
        const bool pool_admits =
            tokens->held_ncu >= (cost_ncu < pool_cap_ncu ? cost_ncu : pool_cap_ncu);
        token_bucket_refill(bucket, now_ns);
        const bool bucket_admits = token_bucket_admits(bucket, cost_ncu);
        struct outcome *outcome = &outcomes[done];
        *outcome = (struct outcome){
            .at_ns = now_ns,
            .cost_ncu = cost_ncu,
            .partition = partition,
            .resource = (uint16_t)own.resource,
            .key = item->key,
            .item = number,
            .operation = (uint8_t)operation,
            .fate = FATE_ADMITTED,
            .item_missing = !writes && old_bytes == 0,
            .workload = run->workload,
            .sequence = run->first_sequence + done,
        };
        if (__builtin_expect(pool_admits && bucket_admits, 1)) {
            router_tokens_take(tokens, cost_ncu);
            token_bucket_take(bucket, cost_ncu);
            if (writes && old_bytes != new_bytes) { /* a clean line need not go back to memory */
                item->bytes = new_bytes;
            }
        } else {
            outcome->reasons = (uint16_t)((pool_admits ? 0 : own.pool_reason) |
                                          (bucket_admits ? 0 : own.bucket_reason));
            outcome->fate = FATE_THROTTLED;
            outcome->item_missing = false;
            goes_on = run->past_refusals;
        }
    }
    pool->next_router = router;
    return done;
}

__attribute__((noinline)) uint32_t
lane_run_routed(const struct lane *lane, const struct service_run *run, struct outcome *outcomes) {
    switch (lane->operation) {
    case DDB_GET_ITEM: return run_routed(lane, DDB_GET_ITEM, false, run, outcomes);
    case DDB_PUT_ITEM: return run_routed(lane, DDB_PUT_ITEM, true, run, outcomes);
    default: return run_routed(lane, DDB_UPDATE_ITEM, true, run, outcomes);
    }
}
