/* Partitions that split: ranges, descent, buckets. */
#include "models/partition.h"

#include "models/request.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>

static struct arena arena;
static struct err err;
static struct model_parameters parameters;
static struct partition_set set;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void open_set(uint32_t count) {
    ck_assert(partition_set_init(&set, &arena, count, &parameters, &err));
}

static uint32_t split(sim_ns now_ns, uint32_t partition, uint64_t hash, uint64_t sort) {
    const struct partition_place cut = {hash, sort};
    REQUIRE(partition_set_reserve(&set, 1, &err), "%s", err.text);
    return partition_set_split(&set, now_ns, partition, &cut, PARTITION_HEAT);
}

START_TEST(children_have_the_two_sides_of_the_cut) {
    open_set(2);
    const uint32_t low = split(7, 1, UINT64_C(0xc000000000000000), 5);
    ck_assert_uint_eq(low, 2);
    ck_assert_uint_eq(set.count, 4);
    ck_assert_uint_eq(set.open_count, 3);
    const struct partition *parent = &set.partitions[1];
    const struct partition *below = &set.partitions[2], *above = &set.partitions[3];
    ck_assert(!partition_is_open(parent));
    ck_assert_int_eq(parent->closed_ns, 7);
    ck_assert_int_eq(below->born_ns, 7);
    ck_assert_int_eq(below->closed_ns, -1);
    ck_assert_uint_eq(below->parent_id, 1);
    ck_assert_uint_eq(above->parent_id, 1);
    ck_assert_int_eq((int)above->cause, PARTITION_HEAT);
    ck_assert_uint_eq(below->hash_lo, parent->hash_lo);
    ck_assert_uint_eq(below->hash_hi, UINT64_C(0xc000000000000000));
    ck_assert_uint_eq(below->sort_hi, 4);
    ck_assert_uint_eq(above->hash_lo, UINT64_C(0xc000000000000000));
    ck_assert_uint_eq(above->sort_lo, 5);
    ck_assert_uint_eq(above->hash_hi, UINT64_MAX);
    ck_assert_uint_eq(above->sort_hi, UINT64_MAX);
    partition_set_audit(&set, 7);
}
END_TEST

START_TEST(children_share_what_the_parent_has_or_owes) {
    static const int64_t taken[] = {0, 1, 500 * NCU_PER_CU, 1000 * NCU_PER_CU - 1,
                                    1400 * NCU_PER_CU + 1};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        open_set(1);
        token_bucket_refill(&set.partitions[0].write, 10);
        token_bucket_take(&set.partitions[0].write, taken[i]);
        split(10, 0, UINT64_C(1) << 63, 0);
        const struct token_bucket *low = &set.partitions[1].write;
        const struct token_bucket *high = &set.partitions[2].write;
        ck_assert_int_eq(low->level_ncu + high->level_ncu, 1000 * NCU_PER_CU - taken[i]);
        ck_assert_int_le(high->level_ncu - low->level_ncu, 1);
        ck_assert_int_ge(high->level_ncu - low->level_ncu, -1);
        ck_assert_int_eq(low->cap_ncu, 1000 * NCU_PER_CU);
        ck_assert_int_eq(high->rate_cu_per_s, 1000);
        ck_assert(token_bucket_is_closed(&set.partitions[0].write));
        ck_assert(token_bucket_is_closed(&set.partitions[0].read));
        ck_assert_uint_eq(partition_taken_ncu(&set.partitions[0], true), (uint64_t)taken[i]);
        partition_set_audit(&set, 10);
        partition_set_audit(&set, 2 * SIM_NS_PER_S);
        ck_assert_int_eq(low->level_ncu, 1000 * NCU_PER_CU);
        ck_assert_uint_eq(partition_taken_ncu(&set.partitions[0], true), (uint64_t)taken[i]);
        ck_assert_uint_eq(partition_taken_ncu(&set.partitions[1], true), 0);
    }
}
END_TEST

START_TEST(a_cut_is_within_the_range_and_not_at_its_lower_end) {
    open_set(2);
    const uint64_t half = UINT64_C(1) << 63;
    const struct {
        uint32_t partition;
        struct partition_place cut;
        bool may;
    } cases[] = {
        {0, {0, 0}, false},    {0, {0, 1}, true},
        {0, {1, 0}, true},     {0, {half - 1, 0}, true},
        {0, {half, 0}, false}, {1, {half, 0}, false},
        {1, {half, 1}, true},  {1, {UINT64_MAX, UINT64_MAX}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(partition_set_may_split(&set, cases[i].partition, &cases[i].cut),
                         cases[i].may);
    }
    split(0, 1, half, 9); /* partition 2 holds sort keys 0 to 8 of one partition key */
    const struct partition_place within = {half, 8}, behind = {half, 9};
    ck_assert(partition_set_may_split(&set, 2, &within));
    ck_assert(!partition_set_may_split(&set, 2, &behind));
    ck_assert(!partition_set_may_split(&set, 1, &within)); /* closed */
}
END_TEST

START_TEST(the_middle_is_that_of_the_ring_then_of_the_sort_keys) {
    struct partition_place middle;
    open_set(1);
    ck_assert(partition_set_middle(&set, 0, &middle));
    ck_assert_uint_eq(middle.hash, UINT64_C(1) << 63);
    ck_assert_uint_eq(middle.sort, 0);
    split(0, 0, 1, 0); /* 1: the single hash 0 */
    ck_assert(partition_set_middle(&set, 1, &middle));
    ck_assert_uint_eq(middle.hash, 0);
    ck_assert_uint_eq(middle.sort, UINT64_C(1) << 63);
    split(0, 1, 0, 1); /* 3: the single place (0, 0) */
    ck_assert(!partition_set_middle(&set, 3, &middle));
}
END_TEST

static uint32_t holder_by_search(const struct partition_place *place) {
    uint32_t holder = UINT32_MAX;
    for (uint32_t i = 0; i < set.count; i++) {
        const struct partition *partition = &set.partitions[i];
        const bool from = place->hash > partition->hash_lo ||
                          (place->hash == partition->hash_lo && place->sort >= partition->sort_lo);
        const bool to = place->hash < partition->hash_hi ||
                        (place->hash == partition->hash_hi && place->sort <= partition->sort_hi);
        if (partition_is_open(partition) && from && to) {
            REQUIRE(holder == UINT32_MAX, "two partitions hold a place");
            holder = i;
        }
    }
    REQUIRE(holder != UINT32_MAX, "no partition holds a place");
    return holder;
}

/* Few hashes and sort keys, so that cuts come within keys, and again beside earlier ones. */
static struct partition_place draw_place(uint64_t seed, uint64_t i) {
    const uint64_t draw = hash_draw(seed, i, 3);
    return (struct partition_place){
        .hash = draw % 5 * (UINT64_MAX / 4),
        .sort = (draw >> 8) % 4 == 0 ? 0 : (draw >> 16) % 1000,
    };
}

START_TEST(every_place_has_one_open_partition_and_descent_finds_it) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        const uint32_t roots = 1 + (uint32_t)(seed % 4);
        open_set(roots);
        for (uint64_t i = 0; i < 60; i++) {
            const struct partition_place cut = draw_place(seed, i);
            const uint32_t at = holder_by_search(&cut);
            if (partition_set_may_split(&set, at, &cut)) {
                split((sim_ns)i, at, cut.hash, cut.sort);
            }
            const struct partition_place place = draw_place(seed + 1000, i);
            const uint32_t known = partition_set_find(&set, place.hash);
            REQUIRE(partition_set_descend(&set, known, &place) == holder_by_search(&place),
                    "seed %" PRIu64 ", place %" PRIu64, seed, i);
        }
        partition_set_audit(&set, 60);
        REQUIRE(set.count - set.open_count == (set.count - roots) / 2, "seed %" PRIu64, seed);
    }
}
END_TEST

START_TEST(aborts_on_a_split_of_a_closed_partition) {
    open_set(1);
    split(0, 0, 5, 0);
    split(0, 0, 5, 0);
}
END_TEST

START_TEST(aborts_when_children_do_not_tile) {
    open_set(1);
    split(0, 0, 5, 0);
    set.partitions[1].hash_hi++;
    partition_set_audit(&set, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/partition_split");
    TCase *tcase = tcase_create("partition_split");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, children_have_the_two_sides_of_the_cut);
    tcase_add_test(tcase, children_share_what_the_parent_has_or_owes);
    tcase_add_test(tcase, a_cut_is_within_the_range_and_not_at_its_lower_end);
    tcase_add_test(tcase, the_middle_is_that_of_the_ring_then_of_the_sort_keys);
    tcase_add_test(tcase, every_place_has_one_open_partition_and_descent_finds_it);
    tcase_add_test_raise_signal(tcase, aborts_on_a_split_of_a_closed_partition, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_children_do_not_tile, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
