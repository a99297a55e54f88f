#include "models/adaptive_capacity.h"

#include "models/request.h"
#include "models/token_bucket.h"
#include "sim/check.h"
#include "sim/hash.h"

#include <inttypes.h>
#include <string.h>

#define MILLION 1000000

/* Products of two 63-bit numbers are __int128, which ISO C does not know: hence __extension__. */

__extension__ static __int128 refill_of(int64_t rate_ncu_per_s, sim_ns elapsed_ns, int64_t rest) {
    return (__int128)rate_ncu_per_s * elapsed_ns + rest;
}

/* Brings a level to now; splitting a span changes nothing, as the rest is kept. */
__extension__ static void share_refill(struct capacity_share *share, sim_ns now_ns) {
    SIM_CHECKF(now_ns >= share->updated_ns, "time goes back from %" PRId64 " ns to %" PRId64 " ns",
               share->updated_ns, now_ns);
    if (now_ns == share->updated_ns) {
        return;
    }
    const __int128 refill =
        refill_of(share->alloc_ncu_per_s, now_ns - share->updated_ns, share->rest);
    const __int128 full_ncu = share->level_ncu + refill / SIM_NS_PER_S;
    const __int128 level_ncu = full_ncu < share->cap_ncu ? full_ncu : share->cap_ncu;
    share->spilled_ncu += (uint64_t)(full_ncu - level_ncu);
    share->level_ncu = (int64_t)level_ncu;
    share->rest = (int64_t)(refill % SIM_NS_PER_S);
    share->updated_ns = now_ns;
}

/* Closes a span of one rate for the audit: its refill in one piece. */
__extension__ static void share_close_span(struct capacity_share *share) {
    const __int128 refill = refill_of(share->alloc_ncu_per_s, share->updated_ns - share->changed_ns,
                                      share->changed_rest);
    share->refilled_ncu += (uint64_t)(refill / SIM_NS_PER_S);
    share->changed_rest = share->rest;
    share->changed_ns = share->updated_ns;
}

/* Part i of total, cut in proportion to weights of which before lie in front of it: parts are
 * whole, sum to total, and none is above its weight when total is at most their sum. */
__extension__ static int64_t part_of(int64_t total, __int128 before, int64_t weight, __int128 sum) {
    if (sum == 0) {
        return 0;
    }
    return (int64_t)(total * (before + weight) / sum - total * before / sum);
}

__extension__ struct adaptive_capacity *
adaptive_capacity_open(struct arena *arena, const struct adaptive_capacity_setup *setup,
                       const struct model_parameters *parameters, struct err *err) {
    SIM_CHECK(setup->provisioned_cu_per_s >= 1 &&
              setup->provisioned_cu_per_s <= TOKEN_BUCKET_RATE_MAX);
    SIM_CHECK(setup->partitions >= 1 && setup->initial_burst_ns >= 0);
    SIM_CHECK(setup->part_max_cu_per_s >= 1 && setup->part_max_cu_per_s <= TOKEN_BUCKET_RATE_MAX);
    SIM_CHECK(parameters->adaptive_delay_min <= parameters->adaptive_delay_max);
    struct adaptive_capacity *capacity =
        ARENA_ARRAY(arena, struct adaptive_capacity, 1, "shares", err);
    if (capacity == NULL) {
        return NULL;
    }
    *capacity = (struct adaptive_capacity){
        .shares = ARENA_ARRAY(arena, struct capacity_share, setup->partitions, "shares", err),
        .share_count = setup->partitions,
        .share_capacity = setup->partitions,
        .provisioned_ncu_per_s = setup->provisioned_cu_per_s * NCU_PER_CU,
        .asked_max_ncu = setup->part_max_cu_per_s * parameters->adaptive_period,
        .has_boost = parameters->era == ERA_ADAPTIVE,
        .next_ns = SIM_NS_MAX,
        .delay_min_ns = parameters->adaptive_delay_min,
        .delay_max_ns = parameters->adaptive_delay_max,
        .period_ns = parameters->adaptive_period,
        .gain_ppm = parameters->adaptive_gain,
        .delay_stream = setup->delay_stream,
    };
    if (capacity->shares == NULL) {
        return NULL;
    }
    const sim_ns window_ns = parameters->burst_window_s;
    const sim_ns saved_ns =
        setup->initial_burst_ns < window_ns ? setup->initial_burst_ns : window_ns;
    for (uint32_t i = 0; i < setup->partitions; i++) {
        struct capacity_share *share = &capacity->shares[i];
        const int64_t base = part_of(capacity->provisioned_ncu_per_s, i, 1, setup->partitions);
        *share = (struct capacity_share){
            .base_ncu_per_s = base,
            .alloc_ncu_per_s = base,
            .cap_ncu = (int64_t)((__int128)base * window_ns / SIM_NS_PER_S),
            .level_ncu = (int64_t)((__int128)base * saved_ns / SIM_NS_PER_S),
        };
        share->audited_level_ncu = share->level_ncu;
        SIM_CHECK(share->cap_ncu >= 1); /* 1 unit/s on the most partitions, saved for a second */
    }
    return capacity;
}

static void open_period(struct adaptive_capacity *capacity) {
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        capacity->shares[i].asked_ncu = 0;
        capacity->shares[i].has_refused = false;
    }
}

__extension__ static int64_t want_of(const struct adaptive_capacity *capacity,
                                     const struct capacity_share *share) {
    return (int64_t)((__int128)share->asked_ncu * SIM_NS_PER_S / capacity->period_ns);
}

static int64_t spare_of(const struct adaptive_capacity *capacity,
                        const struct capacity_share *share) {
    const int64_t want = want_of(capacity, share);
    const bool needs_all = share->boost_ncu_per_s > 0 || share->has_refused;
    return needs_all || want > share->base_ncu_per_s ? 0 : share->base_ncu_per_s - want;
}

/* One step of the proportional control; returns whether any share is or wants to be boosted. */
__extension__ static bool step_boosts(const struct adaptive_capacity *capacity) {
    bool is_needed = false;
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        struct capacity_share *share = &capacity->shares[i];
        is_needed |= share->has_refused;
        if (!share->has_refused && share->boost_ncu_per_s == 0) {
            continue;
        }
        const int64_t want = want_of(capacity, share);
        const int64_t goal = want > share->base_ncu_per_s ? want - share->base_ncu_per_s : 0;
        const __int128 step = (__int128)capacity->gain_ppm * (goal - share->boost_ncu_per_s);
        /* rounded down, so that a boost that nobody needs comes to its end */
        const __int128 down = step < 0 ? (step - (MILLION - 1)) / MILLION : step / MILLION;
        share->boost_ncu_per_s += (int64_t)down;
        is_needed |= share->boost_ncu_per_s > 0;
    }
    return is_needed;
}

/* Sets the rates: shares that have no use for theirs lend it to the boosted ones. */
__extension__ static void set_allocations(const struct adaptive_capacity *capacity, sim_ns at_ns) {
    __int128 boosts = 0, spares = 0, boosts_before = 0, spares_before = 0;
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        boosts += capacity->shares[i].boost_ncu_per_s;
        spares += spare_of(capacity, &capacity->shares[i]);
    }
    const int64_t moved = (int64_t)(boosts < spares ? boosts : spares); /* at most provisioned */
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        struct capacity_share *share = &capacity->shares[i];
        const int64_t boost = share->boost_ncu_per_s, spare = spare_of(capacity, share);
        const int64_t lent = part_of(moved, spares_before, spare, spares);
        share_refill(share, at_ns);
        share_close_span(share);
        share->boost_ncu_per_s = part_of(moved, boosts_before, boost, boosts);
        share->alloc_ncu_per_s = share->base_ncu_per_s + share->boost_ncu_per_s - lent;
        boosts_before += boost;
        spares_before += spare;
    }
}

static void end_period(struct adaptive_capacity *capacity, sim_ns at_ns) {
    const bool is_needed = step_boosts(capacity);
    set_allocations(capacity, at_ns);
    open_period(capacity);
    if (!is_needed) {
        capacity->phase = ADAPTIVE_IDLE;
        capacity->next_ns = SIM_NS_MAX;
    }
}

/* Works out what was due up to now. */
static void advance(struct adaptive_capacity *capacity, sim_ns now_ns) {
    while (__builtin_expect(now_ns >= capacity->next_ns, 0)) {
        const sim_ns at_ns = capacity->next_ns;
        capacity->next_ns = at_ns + capacity->period_ns;
        if (capacity->phase == ADAPTIVE_WAITING) {
            capacity->phase = ADAPTIVE_ACTIVE;
            open_period(capacity);
        } else {
            end_period(capacity, at_ns);
        }
    }
}

static void note_refusal(struct adaptive_capacity *capacity, sim_ns now_ns,
                         struct capacity_share *share) {
    share->has_refused = true;
    if (!capacity->has_boost || capacity->phase != ADAPTIVE_IDLE) {
        return;
    }
    const uint64_t draw = hash_draw(capacity->delay_stream, capacity->episode++, 0);
    const sim_ns delay_ns = hash_between(draw, capacity->delay_min_ns, capacity->delay_max_ns);
    const sim_ns wait_ns = delay_ns - capacity->period_ns;
    capacity->phase = ADAPTIVE_WAITING;
    capacity->next_ns = now_ns + (wait_ns > 0 ? wait_ns : 0);
}

bool adaptive_capacity_admits(struct adaptive_capacity *capacity, sim_ns now_ns, uint32_t partition,
                              int64_t cost_ncu, bool may_owe) {
    SIM_CHECK(partition < capacity->share_count && cost_ncu >= 0);
    struct capacity_share *share = &capacity->shares[partition];
    advance(capacity, now_ns);
    share_refill(share, now_ns);
    if (capacity->phase == ADAPTIVE_ACTIVE) {
        const int64_t room_ncu = capacity->asked_max_ncu - share->asked_ncu;
        share->asked_ncu += cost_ncu < room_ncu ? cost_ncu : room_ncu;
    }
    const int64_t need_ncu = cost_ncu < share->cap_ncu ? cost_ncu : share->cap_ncu;
    if (may_owe ? share->level_ncu > 0 : share->level_ncu >= need_ncu) {
        return true;
    }
    note_refusal(capacity, now_ns, share);
    return false;
}

static bool reserve_shares(struct adaptive_capacity *capacity, struct arena *arena, uint32_t count,
                           struct err *err) {
    if (count <= capacity->share_capacity) {
        return true;
    }
    const uint32_t room = 2 * count;
    struct capacity_share *shares = ARENA_ARRAY(arena, struct capacity_share, room, "shares", err);
    if (shares == NULL) {
        return false;
    }
    memcpy(shares, capacity->shares, capacity->share_count * sizeof *shares);
    capacity->shares = shares;
    capacity->share_capacity = room;
    return true;
}

/* The half of a share that is rounded down, or with the rest. */
static struct capacity_share half_of(const struct capacity_share *share, int64_t rest) {
    struct capacity_share half = {
        .base_ncu_per_s = (share->base_ncu_per_s + rest) / 2,
        .boost_ncu_per_s = (share->boost_ncu_per_s + rest) / 2,
        .alloc_ncu_per_s = (share->alloc_ncu_per_s + rest) / 2,
        .cap_ncu = (share->cap_ncu + rest) / 2,
        .asked_ncu = share->asked_ncu / 2,
        .has_refused = share->has_refused,
        .updated_ns = share->updated_ns,
        .changed_ns = share->updated_ns,
    };
    SIM_CHECK(half.cap_ncu >= 1);
    return half;
}

bool adaptive_capacity_split(struct adaptive_capacity *capacity, struct arena *arena, sim_ns now_ns,
                             uint32_t partition, struct err *err) {
    SIM_CHECK(partition < capacity->share_count);
    if (!reserve_shares(capacity, arena, capacity->share_count + 2, err)) {
        return false;
    }
    advance(capacity, now_ns);
    struct capacity_share *parent = &capacity->shares[partition];
    share_refill(parent, now_ns);
    share_close_span(parent);
    struct capacity_share low = half_of(parent, 0), high = half_of(parent, 1);
    low.level_ncu = parent->level_ncu / 2;
    high.level_ncu = parent->level_ncu - low.level_ncu;
    low.audited_level_ncu = low.level_ncu;
    high.audited_level_ncu = high.level_ncu;
    high.rest = parent->rest;
    high.changed_rest = parent->rest;
    *parent = (struct capacity_share){
        .updated_ns = now_ns,
        .changed_ns = now_ns,
        .taken_ncu = parent->taken_ncu,
        .spilled_ncu = parent->spilled_ncu + (uint64_t)parent->level_ncu,
        .refilled_ncu = parent->refilled_ncu,
        .audited_level_ncu = parent->audited_level_ncu,
    };
    capacity->shares[capacity->share_count++] = low;
    capacity->shares[capacity->share_count++] = high;
    return true;
}

int64_t adaptive_capacity_saved_ncu(struct adaptive_capacity *capacity, sim_ns now_ns) {
    int64_t saved_ncu = 0;
    advance(capacity, now_ns);
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        share_refill(&capacity->shares[i], now_ns);
        const int64_t level_ncu = capacity->shares[i].level_ncu;
        saved_ncu += level_ncu > 0 ? level_ncu : 0;
    }
    return saved_ncu;
}

int64_t adaptive_capacity_saved_max_ncu(const struct adaptive_capacity *capacity) {
    int64_t max_ncu = 0;
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        max_ncu += capacity->shares[i].cap_ncu;
    }
    return max_ncu;
}

static void audit_share(struct capacity_share *share, uint32_t i) {
    share_close_span(share);
    const uint64_t change_ncu = (uint64_t)share->level_ncu - (uint64_t)share->audited_level_ncu;
    SIM_CHECKF(share->refilled_ncu == share->taken_ncu + share->spilled_ncu + change_ncu,
               "share %" PRIu32 ": refilled %" PRIu64 ", taken %" PRIu64 ", spilled %" PRIu64
               ", level %" PRId64 " from %" PRId64 " ncu",
               i, share->refilled_ncu, share->taken_ncu, share->spilled_ncu, share->level_ncu,
               share->audited_level_ncu);
    SIM_CHECK(share->level_ncu <= share->cap_ncu && share->alloc_ncu_per_s >= 0);
    SIM_CHECK(share->boost_ncu_per_s >= 0 && share->rest >= 0 && share->rest < SIM_NS_PER_S);
    share->refilled_ncu = 0;
    share->taken_ncu = 0;
    share->spilled_ncu = 0;
    share->audited_level_ncu = share->level_ncu;
}

void adaptive_capacity_audit(struct adaptive_capacity *capacity, sim_ns now_ns) {
    int64_t bases = 0, allocations = 0;
    advance(capacity, now_ns);
    for (uint32_t i = 0; i < capacity->share_count; i++) {
        struct capacity_share *share = &capacity->shares[i];
        share_refill(share, now_ns);
        audit_share(share, i);
        bases += share->base_ncu_per_s;
        allocations += share->alloc_ncu_per_s;
    }
    SIM_CHECK(bases == capacity->provisioned_ncu_per_s);
    SIM_CHECKF(allocations == capacity->provisioned_ncu_per_s,
               "shares sum to %" PRId64 " of %" PRId64 " ncu/s", allocations,
               capacity->provisioned_ncu_per_s);
}
