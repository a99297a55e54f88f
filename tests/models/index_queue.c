#include "models/index_queue.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

static struct arena arena;
static struct index_queue queue;
static struct err err;

static void set_up(void) {
    arena_init(&arena);
    ck_assert(index_queue_init(&queue, &arena, &err));
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void push(uint64_t number) {
    const struct index_write write = {
        .at_ns = (sim_ns)number, .cost_ncu = (int64_t)number % 5 + 1, .key = (uint32_t)number};
    index_queue_push(&queue, &write, (uint32_t)(number % 3));
}

/* Random pushes, projections and takings; every entry comes out once, in order. */
START_TEST(entries_come_out_in_order_however_they_are_cut) {
    const uint64_t seed = (uint64_t)_i;
    uint64_t pushed = 0, projected = 0, taken = 0, buffered_ncu = 0;
    for (uint64_t step = 0; step < 3000; step++) {
        const uint64_t draw = hash_draw(seed, step, 0);
        const uint32_t count = (uint32_t)(draw >> 8) % 900;
        if (draw % 3 == 0) {
            ck_assert(index_queue_reserve(&queue, count, &err));
            for (uint32_t i = 0; i < count; i++) {
                buffered_ncu += pushed % 5 + 1;
                push(pushed++);
            }
        } else if (draw % 3 == 1) {
            for (uint32_t i = 0; i < count && projected < pushed; i++, projected++) {
                struct index_entry *entry = index_list_remove(&queue.due);
                if (entry->write.key != (uint32_t)projected || entry->base != projected % 3) {
                    ck_abort_msg("seed %" PRIu64 ", step %" PRIu64, seed, step);
                }
                buffered_ncu -= (uint64_t)entry->write.cost_ncu;
                index_queue_project(&queue, entry);
            }
        } else {
            const struct index_write *writes;
            for (uint32_t some; (some = index_queue_take(&queue, &writes)) > 0;) {
                for (uint32_t i = 0; i < some; i++, taken++) {
                    if (writes[i].key != (uint32_t)taken) {
                        ck_abort_msg("seed %" PRIu64 ", step %" PRIu64, seed, step);
                    }
                }
            }
            ck_assert_uint_eq(taken, projected);
        }
        ck_assert_int_eq(index_queue_buffered_ncu(&queue), (int64_t)buffered_ncu);
    }
    ck_assert_uint_gt(taken, 100000);
    ck_assert((queue.due.first == NULL) == (pushed == projected));
}
END_TEST

START_TEST(memory_follows_the_longest_backlog) {
    size_t after_first = 0;
    for (uint64_t round = 0; round < 100; round++) {
        const struct index_write *writes;
        ck_assert(index_queue_reserve(&queue, 5000, &err));
        for (uint64_t i = 0; i < 5000; i++) {
            push(i + round * 5000);
            index_queue_project(&queue, index_list_remove(&queue.due));
        }
        while (index_queue_take(&queue, &writes) > 0) {
        }
        after_first = round == 1 ? arena.used_bytes : after_first;
    }
    ck_assert_uint_eq(arena.used_bytes, after_first);
}
END_TEST

START_TEST(a_push_without_room_aborts) {
    for (uint64_t i = 0; i <= INDEX_QUEUE_CHUNK; i++) {
        push(i);
    }
}
END_TEST

START_TEST(a_push_that_is_due_before_another_aborts) {
    push(7);
    push(6);
}
END_TEST

START_TEST(a_projection_of_nothing_aborts) {
    struct index_entry entry = {.write = {.cost_ncu = 1}};
    index_queue_project(&queue, &entry);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/index_queue");
    TCase *tcase = tcase_create("index_queue");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, entries_come_out_in_order_however_they_are_cut, 1, 4);
    tcase_add_test(tcase, memory_follows_the_longest_backlog);
    tcase_add_test_raise_signal(tcase, a_push_without_room_aborts, SIGABRT);
    tcase_add_test_raise_signal(tcase, a_push_that_is_due_before_another_aborts, SIGABRT);
    tcase_add_test_raise_signal(tcase, a_projection_of_nothing_aborts, SIGABRT);
    return suite_run(suite);
}
