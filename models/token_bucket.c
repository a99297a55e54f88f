#include "models/token_bucket.h"

#include "sim/check.h"

#include <inttypes.h>

_Static_assert(TOKEN_BUCKET_CAP_NCU_MAX <=
                   INT64_MAX - TOKEN_BUCKET_RATE_MAX * (int64_t)TOKEN_BUCKET_STEP_NS_MAX,
               "a level and one step of refill fit 63 bits");
_Static_assert(sizeof(struct token_bucket) == 64, "one cache line");

void token_bucket_init(struct token_bucket *bucket, sim_ns now_ns, int64_t rate_cu_per_s,
                       int64_t cap_ncu, int64_t level_ncu) {
    SIM_CHECK(rate_cu_per_s >= 1 && rate_cu_per_s <= TOKEN_BUCKET_RATE_MAX);
    SIM_CHECK(cap_ncu >= 1 && cap_ncu <= TOKEN_BUCKET_CAP_NCU_MAX);
    SIM_CHECK(level_ncu >= 0 && level_ncu <= cap_ncu);
    *bucket = (struct token_bucket){
        .level_ncu = level_ncu,
        .cap_ncu = cap_ncu,
        .rate_cu_per_s = rate_cu_per_s,
        .updated_ns = now_ns,
        .audited_level_ncu = level_ncu,
        .audited_ns = now_ns,
    };
}

void token_bucket_refill_far(struct token_bucket *bucket, sim_ns now_ns) {
    SIM_CHECKF(now_ns >= bucket->updated_ns, "time goes back from %" PRId64 " ns to %" PRId64 " ns",
               bucket->updated_ns, now_ns);
    __extension__ const __int128 full_ncu =
        (__int128)bucket->rate_cu_per_s * (now_ns - bucket->updated_ns) + bucket->level_ncu;
    const int64_t level_ncu = full_ncu < bucket->cap_ncu ? (int64_t)full_ncu : bucket->cap_ncu;
    bucket->spilled_ncu += (uint64_t)(full_ncu - level_ncu);
    bucket->level_ncu = level_ncu;
    bucket->updated_ns = now_ns;
}

void token_bucket_give(struct token_bucket *bucket, int64_t ncu) {
    SIM_CHECK(ncu >= 0 && ncu <= TOKEN_BUCKET_CAP_NCU_MAX);
    bucket->taken_ncu -= (uint64_t)ncu;
    bucket->level_ncu += ncu;
    if (bucket->level_ncu > bucket->cap_ncu) {
        token_bucket_spill(bucket, bucket->level_ncu - bucket->cap_ncu);
    }
}

void token_bucket_spill(struct token_bucket *bucket, int64_t ncu) {
    SIM_CHECK(ncu >= 0 && ncu <= bucket->level_ncu);
    bucket->level_ncu -= ncu;
    bucket->spilled_ncu += (uint64_t)ncu;
}

static void open_part(struct token_bucket *part, const struct token_bucket *of, int64_t level_ncu) {
    token_bucket_init(part, of->updated_ns, of->rate_cu_per_s, of->cap_ncu, 0);
    part->level_ncu = level_ncu;
    part->audited_level_ncu = level_ncu;
}

void token_bucket_split(struct token_bucket *bucket, sim_ns now_ns, struct token_bucket *low,
                        struct token_bucket *high) {
    SIM_CHECK(!token_bucket_is_closed(bucket));
    token_bucket_refill(bucket, now_ns);
    open_part(low, bucket, bucket->level_ncu / 2);
    open_part(high, bucket, bucket->level_ncu - bucket->level_ncu / 2);
    bucket->spilled_ncu += (uint64_t)bucket->level_ncu;
    bucket->level_ncu = 0;
    bucket->cap_ncu = 0;
}

void token_bucket_change(struct token_bucket *bucket, sim_ns now_ns, int64_t rate_cu_per_s,
                         int64_t cap_ncu) {
    SIM_CHECK(rate_cu_per_s >= 1 && rate_cu_per_s <= TOKEN_BUCKET_RATE_MAX);
    SIM_CHECK(cap_ncu >= 1 && cap_ncu <= TOKEN_BUCKET_CAP_NCU_MAX);
    SIM_CHECK(bucket->audited_ns == now_ns && bucket->updated_ns == now_ns);
    bucket->rate_cu_per_s = rate_cu_per_s;
    bucket->cap_ncu = cap_ncu;
    if (bucket->level_ncu > cap_ncu) {
        token_bucket_spill(bucket, bucket->level_ncu - cap_ncu);
    }
}

void token_bucket_audit(struct token_bucket *bucket, sim_ns now_ns) {
    token_bucket_refill(bucket, now_ns);
    const uint64_t refilled_ncu =
        (uint64_t)bucket->rate_cu_per_s * (uint64_t)(now_ns - bucket->audited_ns);
    const uint64_t change_ncu = (uint64_t)bucket->level_ncu - (uint64_t)bucket->audited_level_ncu;
    SIM_CHECKF(refilled_ncu == bucket->taken_ncu + bucket->spilled_ncu + change_ncu,
               "refilled %" PRIu64 ", taken %" PRIu64 ", spilled %" PRIu64 ", level %" PRId64
               " from %" PRId64 " ncu",
               refilled_ncu, bucket->taken_ncu, bucket->spilled_ncu, bucket->level_ncu,
               bucket->audited_level_ncu);
    SIM_CHECK(bucket->level_ncu <= bucket->cap_ncu);
    bucket->taken_ncu = 0;
    bucket->spilled_ncu = 0;
    bucket->audited_level_ncu = bucket->level_ncu;
    bucket->audited_ns = now_ns;
}
