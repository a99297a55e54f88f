#include "sim/timer_queue.h"

#include "sim/hash.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

static struct timer_queue queue;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert(timer_queue_init(&queue, 4, &err));
}

static void tear_down(void) {
    timer_queue_fini(&queue);
}

static void push(sim_ns at_ns, uint8_t kind, uint64_t subject) {
    if (!timer_queue_push(&queue, at_ns, kind, subject, &err)) {
        ck_abort_msg("%s", err.text);
    }
}

START_TEST(pops_by_time_then_kind_then_push) {
    const struct {
        sim_ns at_ns;
        uint8_t kind;
    } pushed[] = {{5, 1}, {3, 2},  {5, 0}, {INT64_MAX, 0}, {3, 255},
                  {5, 1}, {-4, 7}, {0, 0}, {3, 2}};
    static const uint64_t order[] = {6, 7, 1, 8, 4, 2, 0, 5, 3};
    enum { COUNT = sizeof order / sizeof order[0] };
    for (uint64_t i = 0; i < COUNT; i++) {
        push(pushed[i].at_ns, pushed[i].kind, i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(timer_queue_peek(&queue)->subject, order[i]);
        struct timer timer = timer_queue_pop(&queue);
        ck_assert_uint_eq(timer.subject, order[i]);
        ck_assert_int_eq(timer.at_ns, pushed[order[i]].at_ns);
        ck_assert_uint_eq(timer_kind(&timer), pushed[order[i]].kind);
    }
    ck_assert_uint_eq(queue.count, 0);
}
END_TEST

START_TEST(pops_equal_times_in_fifo_order) {
    for (uint64_t i = 0; i < 1000; i++) {
        push(7, 3, i);
    }
    for (uint64_t i = 0; i < 500; i++) {
        ck_assert_uint_eq(timer_queue_pop(&queue).subject, i);
    }
    for (uint64_t i = 1000; i < 1500; i++) {
        push(7, 3, i);
    }
    for (uint64_t i = 500; i < 1500; i++) {
        ck_assert_uint_eq(timer_queue_pop(&queue).subject, i);
    }
}
END_TEST

/* The oracle: a textbook binary heap that compares time, kind and push number one after the other.
 * */
struct oracle_timer {
    sim_ns at_ns;
    uint8_t kind;
    uint64_t number;
};

#define ORACLE_MAX 20000

struct oracle {
    struct oracle_timer heap[ORACLE_MAX];
    size_t count;
};

static bool oracle_is_before(const struct oracle_timer *a, const struct oracle_timer *b) {
    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind;
    }
    return a->number < b->number;
}

static void oracle_swap(struct oracle *oracle, size_t a, size_t b) {
    struct oracle_timer timer = oracle->heap[a];
    oracle->heap[a] = oracle->heap[b];
    oracle->heap[b] = timer;
}

static void oracle_push(struct oracle *oracle, struct oracle_timer timer) {
    size_t i = oracle->count++;
    oracle->heap[i] = timer;
    while (i > 0 && oracle_is_before(&oracle->heap[i], &oracle->heap[(i - 1) / 2])) {
        oracle_swap(oracle, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static struct oracle_timer oracle_pop(struct oracle *oracle) {
    struct oracle_timer top = oracle->heap[0];
    oracle->heap[0] = oracle->heap[--oracle->count];
    size_t i = 0;
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < oracle->count; child++) {
            if (oracle_is_before(&oracle->heap[child], &oracle->heap[least])) {
                least = child;
            }
        }
        if (least == i) {
            return top;
        }
        oracle_swap(oracle, i, least);
        i = least;
    }
}

static void pop_both(struct oracle *oracle, uint64_t seed) {
    struct oracle_timer expected = oracle_pop(oracle);
    struct timer timer = timer_queue_pop(&queue);
    bool equal = timer.at_ns == expected.at_ns && timer.subject == expected.number &&
                 timer_kind(&timer) == expected.kind;
    if (!equal) {
        ck_abort_msg("seed %llu: %llu instead of %llu", (unsigned long long)seed,
                     (unsigned long long)timer.subject, (unsigned long long)expected.number);
    }
}

/* Pushes and pops in a drawn order; times from 1, 4, 16 … different values, so ties are many to
 * few. Odd seeds push at or after the last pop, as the loop does; even ones anywhere. */
START_TEST(agrees_with_a_binary_heap) {
    static struct oracle oracle;
    for (uint64_t seed = 0; seed < 60; seed++) {
        oracle.count = 0;
        sim_ns last_ns = 0;
        uint64_t spread = UINT64_C(1) << (seed % 30);
        for (uint64_t i = 0; i < ORACLE_MAX; i++) {
            uint64_t draw = hash_draw(seed, i, 0);
            bool growing = (i / 3000) % 2 == 0;
            if (draw % 8 < (growing ? 6u : 3u) || oracle.count == 0) {
                sim_ns at_ns = (sim_ns)((draw >> 16) % spread) + (seed % 2 == 1 ? last_ns : 0);
                uint8_t kind = (uint8_t)((draw >> 8) % 3);
                oracle_push(&oracle, (struct oracle_timer){at_ns, kind, i});
                push(at_ns, kind, i);
            } else {
                last_ns = oracle.heap[0].at_ns;
                pop_both(&oracle, seed);
            }
        }
        ck_assert_uint_eq(queue.count, oracle.count);
        while (oracle.count > 0) {
            pop_both(&oracle, seed);
        }
    }
}
END_TEST

START_TEST(starts_from_no_capacity) {
    struct timer_queue empty;
    ck_assert(timer_queue_init(&empty, 0, &err));
    ck_assert(timer_queue_push(&empty, 1, 0, 11, &err));
    ck_assert(timer_queue_push(&empty, 0, 0, 12, &err));
    ck_assert_uint_eq(timer_queue_pop(&empty).subject, 12);
    timer_queue_fini(&empty);
}
END_TEST

START_TEST(refuses_a_capacity_that_no_machine_holds) {
    struct timer_queue huge;
    ck_assert(!timer_queue_init(&huge, SIZE_MAX / 4, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    timer_queue_fini(&huge);
}
END_TEST

START_TEST(aborts_on_pop_from_empty) {
    timer_queue_pop(&queue);
}
END_TEST

START_TEST(aborts_on_peek_at_empty) {
    ck_assert_ptr_nonnull(timer_queue_peek(&queue));
}
END_TEST

START_TEST(aborts_when_the_sequence_runs_out) {
    queue.sequence = (UINT64_C(1) << 56) - 1;
    push(0, 0, 0);
    push(0, 0, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/timer_queue");
    TCase *tcase = tcase_create("timer_queue");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, pops_by_time_then_kind_then_push);
    tcase_add_test(tcase, pops_equal_times_in_fifo_order);
    tcase_add_test(tcase, agrees_with_a_binary_heap);
    tcase_add_test(tcase, starts_from_no_capacity);
    tcase_add_test(tcase, refuses_a_capacity_that_no_machine_holds);
    tcase_add_test_raise_signal(tcase, aborts_on_pop_from_empty, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_peek_at_empty, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_sequence_runs_out, SIGABRT);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
