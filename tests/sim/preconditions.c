/* What callers of sim/ must not do, and the check that stops them; more of it in the tests of the
 * single files. */
#include "sim/arena.h"
#include "sim/grow_array.h"
#include "sim/id_map.h"
#include "sim/lognormal.h"
#include "sim/loop.h"
#include "sim/random_gsl.h"
#include "tests/death.h"
#include "tests/suite.h"

#include <check.h>

static struct err err;
static struct arena arena, no_arena;
static struct grow_array array;
static struct id_map direct, hashed;
static struct loop loop, other_loop;
static struct loop_step step;
static const sim_ns times_ns[] = {10, 20, 30}, unsorted_ns[] = {20, 10}, late_ns[] = {INT64_MAX};

#define REQUIRE(condition) ck_assert_msg((condition), "%s", err.text)

/* Maps with number 1; a loop that has given its first arrival, at 10 ns. */
static void set_up(void) {
    arena_init(&arena);
    REQUIRE(id_map_init(&direct, 4, &err) && id_map_insert(&direct, 1, 0, &err));
    REQUIRE(id_map_init(&hashed, 0, &err) && id_map_insert(&hashed, 1, 0, &err));
    REQUIRE(loop_init(&loop, 2, 1000, &err));
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_REFILL);
    loop_feed(&loop, 0, times_ns, 3);
    loop_feed(&loop, 1, NULL, 0);
    ck_assert_int_eq(loop_next(&loop, &step), LOOP_ARRIVAL);
}

static void tear_down(void) {
    loop_fini(&loop);
    id_map_fini(&direct);
    id_map_fini(&hashed);
    arena_fini(&arena);
}

static void name_other_generator(void) {
    gsl_rng *other = gsl_rng_alloc(gsl_rng_mt19937);
    random_gsl_name(other, &(struct random_name){.workload = "", .variable = ""});
}

#define MISUSES(X)                                                                                 \
    X("is_alignment(alignment_bytes)", arena_alloc(&arena, 1, 3, "x", &err))                       \
    X("is_alignment(alignment_bytes)", arena_alloc(&arena, 1, 8192, "x", &err))                    \
    X("arena->chunk_bytes != 0", arena_alloc(&no_arena, 1, 1, "x", &err))                          \
    X("median_ns >= 1 && p99_ns >= median_ns", lognormal_ns(0, 2, 1))                              \
    X("err != NULL", err_set(NULL, ERR_IO, "x"))                                                   \
    X("element_bytes > 0", grow_array_init(&array, &arena, 0, 2))                                  \
    X("chunk_elements != 0", grow_array_init(&array, &arena, 1, 0))                                \
    X("chunk_elements != 0", grow_array_init(&array, &arena, 1, 3))                                \
    X("id != ID_MAP_NONE", death_ignore(id_map_insert(&hashed, 2, ID_MAP_NONE, &err)))             \
    X("number < map->bound", death_ignore(id_map_insert(&direct, 4, 1, &err)))                     \
    X("id_map_find(map, number) == ID_MAP_NONE", death_ignore(id_map_insert(&direct, 1, 1, &err))) \
    X("slot->id == ID_MAP_NONE", death_ignore(id_map_insert(&hashed, 1, 1, &err)))                 \
    X("stream_count <= LOOP_STREAMS_MAX", death_ignore(loop_init(&other_loop, 65, 0, &err)))       \
    X("horizon_ns >= 0", death_ignore(loop_init(&other_loop, 1, -1, &err)))                        \
    X("stream < loop->stream_count", loop_feed(&loop, 2, NULL, 0))                                 \
    X("stream 0 asked for nothing", loop_feed(&loop, 0, times_ns, 3))                              \
    X("times_ns[0] >= loop->now_ns", loop_reopen(&loop, 1), loop_feed(&loop, 1, &(sim_ns){9}, 1))  \
    X("times_ns[0] >= loop->now_ns", loop_reopen(&loop, 1), loop_feed(&loop, 1, late_ns, 1))       \
    X("is_sorted(times_ns, count)", loop_reopen(&loop, 1), loop_feed(&loop, 1, unsorted_ns, 2))    \
    X("stream < loop->stream_count", loop_reopen(&loop, 2))                                        \
    X("stream 0 has not ended", loop_reopen(&loop, 0))                                             \
    X("at_ns >= loop->now_ns", death_ignore(loop_schedule(&loop, 9, 0, 0, &err)))                  \
    X("at_ns >= loop->now_ns", death_ignore(loop_schedule(&loop, INT64_MAX, 0, 0, &err)))          \
    X("next >= loop->streams[step->stream].next", loop_skip(&loop, &step, 0))                      \
    X("next <= step->end", loop_skip(&loop, &step, 4))                                             \
    X("rng->type == random_gsl_type()", name_other_generator())

DEATHS(MISUSES)

int main(void) {
    Suite *suite = suite_create("sim/preconditions");
    TCase *tcase = tcase_create("preconditions");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, misuse_dies_by_its_check);
    return suite_run(suite);
}
