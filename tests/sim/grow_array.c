#include "sim/grow_array.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct grow_array array;
static struct err err;

static void set_up(void) {
    arena_init(&arena);
    err = (struct err){.kind = ERR_NONE};
}

static void tear_down(void) {
    arena_fini(&arena);
}

struct element {
    uint64_t number;
    uint32_t twice;
    uint32_t unused;
};

/* Chunk sizes of 1 (a directory entry each) to 1024; the first elements' addresses are held on to.
 * */
START_TEST(keeps_addresses_and_values_while_it_grows) {
    static const uint32_t chunk_elements[] = {1, 2, 64, 1024};
    grow_array_init(&array, &arena, sizeof(struct element), chunk_elements[_i]);
    static struct element *addresses[5000];
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t index = 0;
        ck_assert(grow_array_append(&array, 1, &index, &err));
        ck_assert_uint_eq(index, i);
        addresses[i] = grow_array_at(&array, i);
        ck_assert_uint_eq(addresses[i]->number, 0);
        ck_assert_uint_eq(addresses[i]->twice, 0);
        *addresses[i] = (struct element){.number = i, .twice = 2 * i};
    }
    for (uint32_t i = 0; i < 5000; i++) {
        ck_assert_ptr_eq(grow_array_at(&array, i), addresses[i]);
        ck_assert_uint_eq(addresses[i]->number, i);
        ck_assert_uint_eq(addresses[i]->twice, 2 * i);
    }
    ck_assert_uint_ge(array.capacity, array.count);
    ck_assert_uint_eq(array.count, 5000);
}
END_TEST

START_TEST(appends_many_across_chunks) {
    grow_array_init(&array, &arena, 3, 16);
    static const uint32_t counts[] = {0, 1, 15, 16, 17, 1000, 0, 5};
    uint32_t expected = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t index = UINT32_MAX;
        ck_assert(grow_array_append(&array, counts[i], &index, &err));
        ck_assert_uint_eq(index, expected);
        expected += counts[i];
        for (uint32_t j = index; j < expected; j++) {
            const unsigned char *element = grow_array_at(&array, j);
            ck_assert_uint_eq(element[0] | element[1] | element[2], 0);
            memset(grow_array_at(&array, j), 0xff, 3);
        }
    }
    ck_assert_uint_eq(array.count, expected);
}
END_TEST

START_TEST(aligns_chunks_for_any_element) {
    grow_array_init(&array, &arena, 64, 4);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t index = 0;
        ck_assert(grow_array_append(&array, 1, &index, &err));
        ck_assert_uint_eq((uintptr_t)grow_array_at(&array, index) % 64, 0);
        ck_assert_ptr_nonnull(arena_alloc(&arena, 1, 1, "disturbance", &err));
    }
}
END_TEST

START_TEST(refuses_more_elements_than_an_index_names) {
    grow_array_init(&array, &arena, 1, 1 << 10);
    uint32_t index = 0;
    ck_assert(grow_array_append(&array, 2, &index, &err));
    ck_assert(!grow_array_append(&array, UINT32_MAX - 1, &index, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_uint_eq(array.count, 2);
}
END_TEST

START_TEST(leaves_the_array_as_it_was_without_memory) {
    grow_array_init(&array, &arena, UINT32_MAX, UINT32_C(1) << 31); /* 8 EiB a chunk */
    uint32_t index = 0;
    ck_assert(!grow_array_append(&array, 1, &index, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_str_eq(err.text, "out of memory (array chunk)");
    ck_assert_uint_eq(array.count, 0);
}
END_TEST

static const uint32_t bad_chunks[] = {0, 3, 100};

START_TEST(aborts_on_chunks_that_are_no_power_of_two) {
    grow_array_init(&array, &arena, 8, bad_chunks[_i]);
}
END_TEST

START_TEST(aborts_on_elements_without_size) {
    grow_array_init(&array, &arena, 0, 8);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/grow_array");
    TCase *tcase = tcase_create("grow_array");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, keeps_addresses_and_values_while_it_grows, 0, 4);
    tcase_add_test(tcase, appends_many_across_chunks);
    tcase_add_test(tcase, aligns_chunks_for_any_element);
    tcase_add_test(tcase, refuses_more_elements_than_an_index_names);
    tcase_add_test(tcase, leaves_the_array_as_it_was_without_memory);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_chunks_that_are_no_power_of_two, SIGABRT, 0,
                                     3);
    tcase_add_test_raise_signal(tcase, aborts_on_elements_without_size, SIGABRT);
    return suite_run(suite);
}
