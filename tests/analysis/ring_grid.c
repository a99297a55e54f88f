#include "analysis/ring_grid.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct ring_grid grid;

static void set_up(void) {
    arena_init(&arena);
    err = (struct err){.kind = ERR_NONE};
    ck_assert(ring_grid_init(&grid, &arena, &err));
}

static void tear_down(void) {
    arena_fini(&arena);
}

/* What second t_s adds to one of the slices. */
static uint32_t slice_at(int64_t t_s) {
    return (uint32_t)(hash_draw(3, (uint64_t)t_s, 0) % RING_GRID_SLICES);
}

static struct ring_cell cell_at(int64_t t_s) {
    uint64_t bits = hash_draw(4, (uint64_t)t_s, 0);
    return (struct ring_cell){bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff, bits >> 24 & 0xff};
}

static void add(struct ring_cell *into, struct ring_cell from) {
    into->half_rcu += from.half_rcu;
    into->half_wcu += from.half_wcu;
    into->throttled_reads += from.throttled_reads;
    into->throttled_writes += from.throttled_writes;
}

static const struct {
    int64_t seconds, step_s, span_s;
} runs[] = {
    {1, 1, 1},
    {10, 1, 1},
    {511, 1, 1},
    {512, 1, 1},
    {513, 1, 2},
    {1024, 1, 2},
    {1025, 1, 4},
    {5000, 1, 16},
    {5000, 7, 16},
    {100000, 1, 256},
    {3000, 3, 8},
    {600000, 997, 2048},
    {10000000, 9999991, 32768},
};

START_TEST(equals_the_sum_of_its_seconds_at_any_length) {
    static struct ring_cell expected[RING_GRID_SPANS][RING_GRID_SLICES];
    int64_t last_s = 0;
    for (int64_t t_s = 0; t_s < runs[_i].seconds; t_s += runs[_i].step_s) {
        ring_grid_open_second(&grid, t_s);
        add(ring_grid_cell(&grid, slice_at(t_s)), cell_at(t_s));
        last_s = t_s;
    }
    ck_assert_int_eq(grid.span_s, runs[_i].span_s);
    ck_assert_int_eq(grid.span, last_s / grid.span_s);
    for (int64_t t_s = 0; t_s < runs[_i].seconds; t_s += runs[_i].step_s) {
        add(&expected[t_s / runs[_i].span_s][slice_at(t_s)], cell_at(t_s));
    }
    ck_assert_mem_eq(grid.cells, expected, sizeof expected);
}
END_TEST

START_TEST(slices_are_the_top_byte_of_the_position) {
    ck_assert_uint_eq(ring_grid_slice(0), 0);
    ck_assert_uint_eq(ring_grid_slice(UINT64_MAX), RING_GRID_SLICES - 1);
    ck_assert_uint_eq(ring_grid_slice(UINT64_C(1) << 56), 1);
    ck_assert_uint_eq(ring_grid_slice((UINT64_C(1) << 56) - 1), 0);
}
END_TEST

START_TEST(aborts_when_time_goes_back) {
    ring_grid_open_second(&grid, 5);
    ring_grid_open_second(&grid, 4);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/ring_grid");
    TCase *tcase = tcase_create("ring_grid");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, equals_the_sum_of_its_seconds_at_any_length, 0,
                        (int)(sizeof runs / sizeof runs[0]));
    tcase_add_test(tcase, slices_are_the_top_byte_of_the_position);
    tcase_add_test_raise_signal(tcase, aborts_when_time_goes_back, SIGABRT);
    return suite_run(suite);
}
