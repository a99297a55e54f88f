#include "analysis/key_tally.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static struct arena arena;
static struct key_carries carries;
static struct err err;

static void set_up(void) {
    arena_init(&arena);
    ck_assert(key_carries_init(&carries, &arena, &err));
}

static void tear_down(void) {
    key_carries_fini(&carries);
    arena_fini(&arena);
}

START_TEST(starts_empty_at_its_place_on_the_ring) {
    struct key_tally tally;
    key_tally_init(&tally, 255);
    const struct key_counters counters = key_tally_counters(&tally, 0, &carries);
    const struct key_counters nothing = {.reads = 0};
    ck_assert_mem_eq(&counters, &nothing, sizeof nothing);
    ck_assert_uint_eq(key_tally_slice(&tally), 255);
    ck_assert(!key_tally_is_marked(&tally, 1));
}
END_TEST

START_TEST(a_mark_leaves_the_place_on_the_ring) {
    struct key_tally tally;
    key_tally_init(&tally, 7);
    for (uint32_t mark = 1; mark < UINT32_C(1) << KEY_TALLY_MARK_BITS; mark = mark * 3 + 1) {
        key_tally_mark(&tally, mark);
        ck_assert(key_tally_is_marked(&tally, mark));
        ck_assert(!key_tally_is_marked(&tally, mark - 1));
        ck_assert_uint_eq(key_tally_slice(&tally), 7);
    }
}
END_TEST

/* Against counters of 64 bits, which need no carries; amounts so large that carries come, and no
 * sum passes what nano-units can count. */
START_TEST(counts_as_64_bits_do) {
    enum { KEYS = 9, STEPS = 20000 };
    struct key_tally tallies[KEYS];
    uint64_t expected[KEYS][KEY_COUNTS] = {{0}};
    for (uint32_t key = 0; key < KEYS; key++) {
        key_tally_init(&tallies[key], key);
    }
    printf("seed %d\n", _i);
    for (uint64_t step = 0; step < STEPS; step++) {
        const uint64_t draw = hash_draw((uint64_t)_i, step, 0);
        const uint32_t key = (uint32_t)(draw % KEYS);
        const enum key_count which = (enum key_count)(draw / KEYS % KEY_COUNTS);
        const uint32_t amount = (uint32_t)(draw >> 39) >> (key % 3 * 8);
        ck_assert(key_tally_add(&tallies[key], which, amount, key, &carries, &err));
        expected[key][which] += amount;
    }
    for (uint32_t key = 0; key < KEYS; key++) {
        const struct key_counters counters = key_tally_counters(&tallies[key], key, &carries);
        const uint64_t *counts = expected[key];
        ck_assert_int_eq(counters.consumed_rncu, (int64_t)counts[KEY_HALF_RCU] * HALF_UNIT_NCU);
        ck_assert_int_eq(counters.consumed_wncu, (int64_t)counts[KEY_HALF_WCU] * HALF_UNIT_NCU);
        ck_assert_uint_eq(counters.reads, counts[KEY_READS]);
        ck_assert_uint_eq(counters.writes, counts[KEY_WRITES]);
        ck_assert_uint_eq(counters.throttled_reads, counts[KEY_THROTTLED_READS]);
        ck_assert_uint_eq(counters.throttled_writes, counts[KEY_THROTTLED_WRITES]);
        ck_assert_uint_eq(key_tally_slice(&tallies[key]), key);
    }
    ck_assert_uint_gt(carries.records.count, 0);
    ck_assert_uint_le(carries.records.count, KEYS);
}
END_TEST

START_TEST(what_a_carry_leaves_is_as_before) {
    struct key_tally tally;
    key_tally_init(&tally, 9);
    key_tally_mark(&tally, 77);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(carries.records.count, 0);
        ck_assert(key_tally_add(&tally, KEY_READS, 0x7fff + (i == 1), 4, &carries, &err));
    }
    ck_assert_uint_eq(carries.records.count, 1);
    ck_assert_uint_eq(key_tally_count(&tally, KEY_READS, 4, &carries), 3 * 0x7fff + 1);
    ck_assert_uint_eq(key_tally_count(&tally, KEY_WRITES, 4, &carries), 0);
    ck_assert_uint_eq(key_tally_slice(&tally), 9);
    ck_assert(key_tally_is_marked(&tally, 77));
}
END_TEST

START_TEST(aborts_on_a_slice_beyond_the_ring) {
    struct key_tally tally;
    key_tally_init(&tally, 256);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/key_tally");
    TCase *tcase = tcase_create("key_tally");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, starts_empty_at_its_place_on_the_ring);
    tcase_add_test(tcase, a_mark_leaves_the_place_on_the_ring);
    tcase_add_test(tcase, what_a_carry_leaves_is_as_before);
    tcase_add_loop_test(tcase, counts_as_64_bits_do, 1, 6);
    tcase_add_test_raise_signal(tcase, aborts_on_a_slice_beyond_the_ring, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
