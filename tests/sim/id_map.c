#include "sim/id_map.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

static struct id_map map;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
}

static void tear_down(void) {
    id_map_fini(&map);
}

/* Sparse, dense and extreme numbers; distinct by construction (hash_mix is a bijection). */
static uint64_t number_at(uint64_t i) {
    static const uint64_t extremes[] = {0,         1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63,
                                        UINT32_MAX};
    if (i < sizeof extremes / sizeof extremes[0]) {
        return extremes[i];
    }
    return i % 2 == 0 ? hash_mix(i) : 1000 + i;
}

START_TEST(finds_every_number_that_was_inserted) {
    enum { NUMBERS = 100000 };
    ck_assert(id_map_init(&map, 0, &err));
    for (uint32_t i = 0; i < NUMBERS; i++) {
        id_map_prefetch(&map, number_at(i));
        ck_assert_uint_eq(id_map_find(&map, number_at(i)), ID_MAP_NONE);
        ck_assert(id_map_insert(&map, number_at(i), i, &err));
        ck_assert_uint_eq(map.count, i + 1);
    }
    for (uint32_t i = 0; i < NUMBERS; i++) {
        ck_assert_uint_eq(id_map_find(&map, number_at(i)), i);
    }
    for (uint32_t i = NUMBERS; i < 2 * NUMBERS; i++) {
        ck_assert_uint_eq(id_map_find(&map, number_at(i)), ID_MAP_NONE);
    }
    ck_assert_uint_le(map.count * 4, (map.mask + 1) * 3);
    ck_assert_uint_eq(id_map_bytes(&map), (map.mask + 1) * sizeof(struct id_map_slot));
}
END_TEST

/* The inverse of hash_mix gives numbers of one home slot, which must all be probed past each other.
 * */
static uint64_t unmix(uint64_t x) {
    x ^= (x >> 31) ^ (x >> 62);
    x *= UINT64_C(0x319642b2d24d8ec3);
    x ^= (x >> 27) ^ (x >> 54);
    x *= UINT64_C(0x96de1b173f119089);
    return x ^ (x >> 30) ^ (x >> 60);
}

START_TEST(tells_numbers_of_one_slot_apart_across_the_end) {
    ck_assert(id_map_init(&map, 0, &err));
    for (uint64_t i = 0; i < 700; i++) {
        uint64_t number = unmix((i << 40) | 1023); /* home: the last of the first 1024 slots */
        ck_assert_uint_eq(hash_mix(number), (i << 40) | 1023);
        ck_assert(id_map_insert(&map, number, (uint32_t)i, &err));
    }
    for (uint64_t i = 0; i < 1400; i++) {
        ck_assert_uint_eq(id_map_find(&map, unmix((i << 40) | 1023)),
                          i < 700 ? (uint32_t)i : ID_MAP_NONE);
    }
}
END_TEST

START_TEST(uses_a_direct_table_up_to_the_bound) {
    const struct {
        uint64_t numbers_below;
        bool direct;
    } rows[] = {
        {0, false},
        {1, true},
        {1000, true},
        {ID_MAP_DIRECT_MAX, true},
        {ID_MAP_DIRECT_MAX + 1, false},
        {UINT64_MAX, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert(id_map_init(&map, rows[i].numbers_below, &err));
        ck_assert_int_eq(map.direct != NULL, rows[i].direct);
        ck_assert_uint_eq(id_map_find(&map, 0), ID_MAP_NONE);
        uint64_t last = rows[i].numbers_below == 0 ? 77 : rows[i].numbers_below - 1;
        ck_assert(id_map_insert(&map, last, 7, &err));
        ck_assert_uint_eq(id_map_find(&map, last), 7);
        ck_assert_uint_eq(map.count, 1);
        id_map_fini(&map);
        ck_assert_uint_eq(id_map_bytes(&map), 0);
    }
}
END_TEST

/* At both ends of pages and of words of 64 of them: what is written is found, no neighbour is. */
START_TEST(finds_in_a_direct_table_what_was_written_and_no_more) {
    const uint64_t page = ID_MAP_PAGE_NUMBERS, bound = 130 * page;
    const uint64_t numbers[] = {0,         page - 1,       page,           63 * page + 5,
                                64 * page, 128 * page - 1, 128 * page + 1, bound - 1};
    const uint32_t count = sizeof numbers / sizeof *numbers;
    struct id_map direct;
    ck_assert(id_map_init(&direct, bound, &err));
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(id_map_find(&direct, numbers[i]), ID_MAP_NONE);
        ck_assert(id_map_insert(&direct, numbers[i], i, &err));
    }
    uint32_t found = 0;
    for (uint64_t number = 0; number < bound; number++) {
        const uint32_t id = id_map_find(&direct, number);
        ck_assert(id == ID_MAP_NONE || (id < count && numbers[id] == number));
        found += id != ID_MAP_NONE;
    }
    ck_assert_uint_eq(found, count);
    id_map_fini(&direct);
}
END_TEST

START_TEST(finds_nothing_beyond_a_direct_table) {
    ck_assert(id_map_init(&map, 8, &err));
    ck_assert_uint_eq(id_map_bytes(&map), 8 * sizeof(uint32_t) + sizeof(uint64_t));
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(id_map_insert(&map, i, i, &err));
    }
    static const uint64_t beyond[] = {8, 9, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        id_map_prefetch(&map, beyond[i]);
        ck_assert_uint_eq(id_map_find(&map, beyond[i]), ID_MAP_NONE);
    }
    ck_assert_uint_eq(id_map_find(&map, 7), 7);
}
END_TEST

START_TEST(holds_the_largest_id) {
    for (uint64_t bound = 0; bound <= 10; bound += 10) {
        ck_assert(id_map_init(&map, bound, &err));
        ck_assert(id_map_insert(&map, 3, ID_MAP_NONE - 1, &err));
        ck_assert_uint_eq(id_map_find(&map, 3), ID_MAP_NONE - 1);
        id_map_fini(&map);
    }
}
END_TEST

static void insert_ignoring(uint64_t number, uint32_t id) {
    if (!id_map_insert(&map, number, id, &err)) {
        exit(EXIT_FAILURE); /* no memory: not the abort that is expected */
    }
}

START_TEST(aborts_on_a_number_that_has_an_id) {
    ck_assert(id_map_init(&map, _i == 0 ? 0 : 10, &err));
    insert_ignoring(3, 1);
    insert_ignoring(3, 2);
}
END_TEST

START_TEST(aborts_on_the_id_that_means_none) {
    ck_assert(id_map_init(&map, _i == 0 ? 0 : 10, &err));
    insert_ignoring(3, ID_MAP_NONE);
}
END_TEST

START_TEST(aborts_on_an_insert_beyond_the_bound) {
    ck_assert(id_map_init(&map, 10, &err));
    insert_ignoring(10, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/id_map");
    TCase *tcase = tcase_create("id_map");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, finds_every_number_that_was_inserted);
    tcase_add_test(tcase, tells_numbers_of_one_slot_apart_across_the_end);
    tcase_add_test(tcase, uses_a_direct_table_up_to_the_bound);
    tcase_add_test(tcase, finds_in_a_direct_table_what_was_written_and_no_more);
    tcase_add_test(tcase, finds_nothing_beyond_a_direct_table);
    tcase_add_test(tcase, holds_the_largest_id);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_a_number_that_has_an_id, SIGABRT, 0, 2);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_the_id_that_means_none, SIGABRT, 0, 2);
    tcase_add_test_raise_signal(tcase, aborts_on_an_insert_beyond_the_bound, SIGABRT);
    return suite_run(suite);
}
