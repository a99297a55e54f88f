#include "models/index_backfill.h"

#include "sim/check.h"

#define PARTITIONS_CHUNK 64

void index_backfill_init(struct index_backfill *backfill, struct arena *arena) {
    *backfill = (struct index_backfill){.total_ncu = 0};
    grow_array_init(&backfill->left_ncu, arena, sizeof(int64_t), PARTITIONS_CHUNK);
}

static int64_t *left_of(const struct index_backfill *backfill, uint32_t partition) {
    return grow_array_at(&backfill->left_ncu, partition);
}

bool index_backfill_follow(struct index_backfill *backfill, const struct partition_set *set,
                           struct err *err) {
    const uint32_t known = backfill->left_ncu.count;
    uint32_t first;
    if (known == set->count) {
        return true;
    }
    if (!grow_array_append(&backfill->left_ncu, set->count - known, &first, err)) {
        return false;
    }
    for (uint32_t i = known; i < set->count; i++) {
        *left_of(backfill, i) = 0;
    }
    for (uint32_t i = 0; i < set->count; i++) { /* a parent's number is lower than its children's */
        const struct partition *partition = &set->partitions[i];
        if (!partition_is_open(partition)) {
            const int64_t left_ncu = *left_of(backfill, i);
            *left_of(backfill, i) = 0;
            *left_of(backfill, partition->first_child) += left_ncu / 2;
            *left_of(backfill, partition->first_child + 1) += left_ncu - left_ncu / 2;
        }
    }
    return true;
}

void index_backfill_add(struct index_backfill *backfill, uint32_t partition, int64_t cost_ncu) {
    SIM_CHECK(cost_ncu >= 0);
    *left_of(backfill, partition) += cost_ncu;
    backfill->left_total_ncu += cost_ncu;
    backfill->total_ncu += cost_ncu;
}

__extension__ void index_backfill_spread(struct index_backfill *backfill,
                                         const struct partition_set *set, int64_t cost_ncu) {
    for (uint32_t i = 0; i < set->count; i++) {
        const struct partition *partition = &set->partitions[i];
        if (partition_is_open(partition)) {
            const unsigned __int128 span =
                (unsigned __int128)(partition->hash_hi - partition->hash_lo) + 1;
            index_backfill_add(backfill, i, (int64_t)(span * (uint64_t)cost_ncu >> 64));
        }
    }
}

int64_t index_backfill_write(struct index_backfill *backfill, struct partition *partition,
                             sim_ns now_ns, int64_t most_ncu) {
    int64_t *left_ncu = left_of(backfill, partition->partition_id);
    struct token_bucket *bucket = &partition->write;
    if (*left_ncu == 0) {
        return 0;
    }
    token_bucket_refill(bucket, now_ns);
    int64_t ncu = bucket->level_ncu < *left_ncu ? bucket->level_ncu : *left_ncu;
    ncu = most_ncu < ncu ? most_ncu : ncu;
    if (ncu <= 0) {
        return 0;
    }
    token_bucket_take(bucket, ncu);
    *left_ncu -= ncu;
    backfill->left_total_ncu -= ncu;
    return ncu;
}
