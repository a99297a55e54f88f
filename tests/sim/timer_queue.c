#include "sim/timer_queue.h"

#include "sim/hash.h"
#include "sim/timer_ladder.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

#define TEN_YEARS_NS (INT64_C(3653) * 86400 * SIM_NS_PER_S)

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

static size_t pending(void) {
    return queue.near_count + queue.far_count;
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
    ck_assert_uint_eq(pending(), 0);
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
        ck_assert_uint_eq(pending(), oracle.count);
        while (oracle.count > 0) {
            pop_both(&oracle, seed);
        }
    }
}
END_TEST

/* Waits from one nanosecond to ten years; evenly drawn magnitudes use every level. */
static sim_ns any_wait_ns(uint64_t draw) {
    uint64_t magnitude = UINT64_C(1) << (draw >> 58) % 59;
    sim_ns wait_ns = (sim_ns)(draw % magnitude);
    return wait_ns < TEN_YEARS_NS ? wait_ns : TEN_YEARS_NS;
}

static void push_both(struct oracle *oracle, sim_ns at_ns, uint64_t draw, uint64_t number) {
    uint8_t kind = (uint8_t)(draw % 3);
    oracle_push(oracle, (struct oracle_timer){at_ns, kind, number});
    push(at_ns, kind, number);
}

/* As the loop asks: pushes at or after the last pop, bursts of hundreds at one time or within a
 * microsecond, waits of any magnitude, a few thousand pending that run down to none again. */
START_TEST(agrees_with_a_binary_heap_in_bursts_and_over_ten_years) {
    static struct oracle oracle;
    size_t far_most = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        oracle.count = 0;
        sim_ns now_ns = 0;
        uint64_t number = 0;
        for (uint64_t i = 0; i < 4000; i++) {
            uint64_t draw = hash_draw(seed, i, 1);
            uint64_t burst = draw % 64 == 0 ? (draw >> 8) % 700 : 1;
            sim_ns wait_ns = any_wait_ns(hash_draw(seed, i, 2));
            bool is_late = now_ns > INT64_MAX / 2; /* the end of time stays out of reach */
            sim_ns burst_ns = now_ns + (is_late ? wait_ns % SIM_NS_PER_S : wait_ns);
            for (uint64_t k = 0; k < burst && oracle.count < ORACLE_MAX; k++) {
                uint64_t more = hash_draw(seed, number, 3);
                push_both(&oracle, burst_ns + (sim_ns)(more % (1 + seed % 2 * 1000)), more, number);
                number++;
            }
            far_most = queue.far_count > far_most ? queue.far_count : far_most;
            uint64_t pops = (draw >> 24) % (i / 1000 % 2 == 0 ? 8 : 40);
            for (uint64_t k = 0; k < pops && oracle.count > 0; k++) {
                now_ns = oracle.heap[0].at_ns;
                pop_both(&oracle, seed);
            }
        }
        while (oracle.count > 0) {
            pop_both(&oracle, seed);
        }
        ck_assert_uint_eq(pending(), 0);
    }
    ck_assert_uint_gt(far_most, 1000);
}
END_TEST

/* The ladder was opened for a far time; what comes now is earlier than all of it. */
START_TEST(takes_earlier_timers_after_far_ones) {
    for (uint64_t i = 0; i < 1000; i++) {
        push(TEN_YEARS_NS - (sim_ns)i * SIM_NS_PER_S, 0, i);
    }
    for (uint64_t i = 1000; i < 3000; i++) {
        push((sim_ns)(3000 - i), 0, i);
    }
    for (uint64_t i = 0; i < 2000; i++) {
        ck_assert_int_eq(timer_queue_next_ns(&queue), (sim_ns)i + 1);
        ck_assert_uint_eq(timer_queue_pop(&queue).subject, 2999 - i);
    }
    for (uint64_t i = 1000; i > 0; i--) {
        ck_assert_uint_eq(timer_queue_pop(&queue).subject, i - 1);
    }
    ck_assert_int_eq(timer_queue_next_ns(&queue), INT64_MAX);
}
END_TEST

/* A second of warm-up with 5,000 pending, then a simulated day: no byte more. */
START_TEST(memory_follows_the_largest_number_pending) {
    for (uint64_t i = 0; i < 5000; i++) {
        push(any_wait_ns(hash_draw(1, i, 0)) % SIM_NS_PER_S, 0, i);
    }
    size_t capacity = queue.capacity;
    size_t ladder_bytes = queue.ladder->arena.used_bytes;
    ck_assert_uint_eq(capacity, 8192);
    for (uint64_t i = 0; i < 300000; i++) {
        struct timer timer = timer_queue_pop(&queue);
        push(timer.at_ns + any_wait_ns(hash_draw(2, i, 0)) % (1440 * SIM_NS_PER_S), 0, i);
    }
    ck_assert_uint_eq(pending(), 5000);
    ck_assert_uint_eq(queue.capacity, capacity);
    ck_assert_uint_eq(queue.ladder->arena.used_bytes, ladder_bytes);
    ck_assert_uint_le(ladder_bytes, 8192 * 26 + 460000);
}
END_TEST

START_TEST(few_timers_need_no_ladder) {
    for (uint64_t i = 0; i < 100000; i++) {
        push((sim_ns)(i * 1000 + hash_draw(1, i, 0) % 100000), 0, i);
        if (i >= 100) {
            timer_queue_pop(&queue);
        }
    }
    ck_assert_ptr_null(queue.ladder);
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
    tcase_add_test(tcase, agrees_with_a_binary_heap_in_bursts_and_over_ten_years);
    tcase_add_test(tcase, takes_earlier_timers_after_far_ones);
    tcase_add_test(tcase, memory_follows_the_largest_number_pending);
    tcase_add_test(tcase, few_timers_need_no_ladder);
    tcase_add_test(tcase, starts_from_no_capacity);
    tcase_add_test(tcase, refuses_a_capacity_that_no_machine_holds);
    tcase_add_test_raise_signal(tcase, aborts_on_pop_from_empty, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_peek_at_empty, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_sequence_runs_out, SIGABRT);
    return suite_run(suite);
}
