#include "models/token_bucket.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#define UNIT INT64_C(1000000000) /* nano-units */

/* Draw number *count of a seed, below n. */
static uint64_t draw(uint64_t seed, uint64_t *count, uint64_t n) {
    return hash_below(hash_draw(seed, (*count)++, 0), n);
}

/* A span: mostly short, now and then nothing, a day or years. */
static sim_ns draw_span_ns(uint64_t seed, uint64_t *count) {
    static const uint64_t longest_ns[] = {
        1,
        1000,
        1000000,
        UINT64_C(1000000000),
        UINT64_C(86400000000000),
        UINT64_C(30000000000000000),
    };
    const uint64_t kind = draw(seed, count, sizeof longest_ns / sizeof longest_ns[0]);
    return (sim_ns)draw(seed, count, longest_ns[kind]);
}

START_TEST(refills_exactly_and_no_higher_than_the_cap) {
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, 7, 100 * UNIT, 0);
    token_bucket_refill(&bucket, 1);
    ck_assert_int_eq(bucket.level_ncu, 7);
    token_bucket_refill(&bucket, SIM_NS_PER_S);
    ck_assert_int_eq(bucket.level_ncu, 7 * UNIT);
    token_bucket_refill(&bucket, 1000 * SIM_NS_PER_S);
    ck_assert_int_eq(bucket.level_ncu, 100 * UNIT);
    token_bucket_audit(&bucket, 1000 * SIM_NS_PER_S);
}
END_TEST

START_TEST(admits_what_is_there_and_a_cost_above_the_cap_when_full) {
    static const struct {
        int64_t level_ncu, cost_ncu;
        bool admits;
    } cases[] = {
        {5 * UNIT, 5 * UNIT, true},
        {5 * UNIT - 1, 5 * UNIT, false},
        {0, 0, true},
        {0, 1, false},
        {10 * UNIT, 10 * UNIT, true},
        {10 * UNIT, 400 * UNIT, true},
        {10 * UNIT - 1, 400 * UNIT, false},
        {UNIT / 2, UNIT / 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct token_bucket bucket;
        token_bucket_init(&bucket, 0, 1, 10 * UNIT, cases[i].level_ncu);
        ck_assert_msg(token_bucket_admits(&bucket, cases[i].cost_ncu) == cases[i].admits,
                      "case %zu", i);
    }
}
END_TEST

START_TEST(a_debt_is_paid_before_anything_else_is_admitted) {
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, 1, 300 * UNIT, 300 * UNIT);
    ck_assert(token_bucket_admits(&bucket, 400 * UNIT));
    token_bucket_take(&bucket, 400 * UNIT);
    ck_assert_int_eq(bucket.level_ncu, -100 * UNIT);
    token_bucket_refill(&bucket, 101 * SIM_NS_PER_S - 1);
    ck_assert(!token_bucket_admits(&bucket, UNIT));
    token_bucket_refill(&bucket, 101 * SIM_NS_PER_S);
    ck_assert(token_bucket_admits(&bucket, UNIT));
    token_bucket_refill(&bucket, 400 * SIM_NS_PER_S - 1);
    ck_assert(!token_bucket_admits(&bucket, 400 * UNIT));
    token_bucket_refill(&bucket, 400 * SIM_NS_PER_S);
    ck_assert(token_bucket_admits(&bucket, 400 * UNIT));
    token_bucket_audit(&bucket, 400 * SIM_NS_PER_S);
}
END_TEST

#define HISTORY 60

struct history {
    int64_t rate, cap_ncu, initial_ncu;
    sim_ns at_ns[HISTORY];
    int64_t taken_ncu[HISTORY];
    size_t count;
};

/* The level at now by its closed form over the whole history, without a state: the smallest of what
 * a bucket without cap would hold and of what one that was full at the i-th take would hold. */
__extension__ static __int128 level_by_history(const struct history *history, sim_ns now_ns) {
    __extension__ __int128 taken_ncu = 0;
    __extension__ __int128 level_ncu = history->cap_ncu;
    for (size_t i = history->count; i-- > 0;) {
        taken_ncu += history->taken_ncu[i];
        __extension__ const __int128 full_ncu =
            history->cap_ncu + (__int128)history->rate * (now_ns - history->at_ns[i]) - taken_ncu;
        level_ncu = full_ncu < level_ncu ? full_ncu : level_ncu;
    }
    __extension__ const __int128 free_ncu =
        history->initial_ncu + (__int128)history->rate * now_ns - taken_ncu;
    return free_ncu < level_ncu ? free_ncu : level_ncu;
}

static void history_draw(struct history *history, uint64_t seed, uint64_t *count) {
    static const int64_t rates[] = {1, 5, 1000, 3000, 999999, TOKEN_BUCKET_RATE_MAX};
    history->rate = rates[draw(seed, count, sizeof rates / sizeof rates[0])];
    history->cap_ncu = 1 + (int64_t)draw(seed, count, (uint64_t)history->rate * 3600 * UNIT);
    history->initial_ncu = (int64_t)draw(seed, count, (uint64_t)history->cap_ncu + 1);
    history->count = 0;
}

/* Refills in two steps or one, audits at times, takes whenever it may: the level and every answer
 * are those of the closed form. */
static void replay_against_history(uint64_t seed) {
    uint64_t count = 0;
    struct history history;
    history_draw(&history, seed, &count);
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, history.rate, history.cap_ncu, history.initial_ncu);
    sim_ns now_ns = 0;
    while (history.count < HISTORY) {
        const sim_ns first_ns = draw_span_ns(seed, &count), second_ns = draw_span_ns(seed, &count);
        now_ns += first_ns;
        if (draw(seed, &count, 2) == 0) {
            token_bucket_refill(&bucket, now_ns);
        }
        if (draw(seed, &count, 8) == 0) {
            token_bucket_audit(&bucket, now_ns);
        }
        now_ns += second_ns;
        if (now_ns > SIM_NS_MAX) {
            break;
        }
        token_bucket_refill(&bucket, now_ns);
        const int64_t cost_ncu =
            (int64_t)draw(seed, &count, draw(seed, &count, 3) == 0 ? 400 * UNIT : 3 * UNIT);
        __extension__ const __int128 level_ncu = level_by_history(&history, now_ns);
        REQUIRE(bucket.level_ncu == level_ncu, "seed %" PRIu64 " take %zu", seed, history.count);
        const int64_t needed_ncu = cost_ncu < history.cap_ncu ? cost_ncu : history.cap_ncu;
        REQUIRE(token_bucket_admits(&bucket, cost_ncu) == (level_ncu >= needed_ncu),
                "seed %" PRIu64 " take %zu", seed, history.count);
        history.at_ns[history.count] = now_ns;
        history.taken_ncu[history.count] = level_ncu >= needed_ncu ? cost_ncu : 0;
        token_bucket_take(&bucket, history.taken_ncu[history.count]);
        history.count++;
    }
    token_bucket_audit(&bucket, now_ns);
}

START_TEST(agrees_with_the_closed_form_over_random_histories) {
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        replay_against_history(seed);
    }
}
END_TEST

/* Greedy takers: between any two of their takes no more passes than depth, refill and one debt. */
static void window_bound_holds(uint64_t seed) {
    enum { TAKES = 150 };
    uint64_t count = 0;
    const int64_t cap_ncu = (int64_t)(1 + draw(seed, &count, 2000)) * UNIT;
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, 1000, cap_ncu, cap_ncu);
    sim_ns at_ns[TAKES];
    int64_t taken_ncu[TAKES];
    int64_t admitted_ncu = 0;
    sim_ns now_ns = 0;
    for (size_t i = 0; i < TAKES; i++) {
        now_ns += (sim_ns)draw(seed, &count, 300 * 1000000);
        token_bucket_refill(&bucket, now_ns);
        const int64_t cost_ncu = (int64_t)(1 + draw(seed, &count, 400)) * UNIT;
        at_ns[i] = now_ns;
        taken_ncu[i] = token_bucket_admits(&bucket, cost_ncu) ? cost_ncu : 0;
        token_bucket_take(&bucket, taken_ncu[i]);
        admitted_ncu += taken_ncu[i];
    }
    ck_assert_int_gt(admitted_ncu, 0);
    for (size_t i = 0; i < TAKES; i++) {
        int64_t window_ncu = 0, debt_ncu = 0;
        for (size_t j = i; j < TAKES; j++) {
            window_ncu += taken_ncu[j];
            debt_ncu = taken_ncu[j] - cap_ncu > debt_ncu ? taken_ncu[j] - cap_ncu : debt_ncu;
            REQUIRE(window_ncu <= cap_ncu + 1000 * (at_ns[j] - at_ns[i]) + debt_ncu,
                    "seed %" PRIu64 " from %zu to %zu", seed, i, j);
        }
    }
}

START_TEST(no_window_admits_more_than_depth_refill_and_one_debt) {
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        window_bound_holds(seed);
    }
}
END_TEST

START_TEST(conserves_units_over_the_longest_run_in_one_step) {
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, TOKEN_BUCKET_RATE_MAX, TOKEN_BUCKET_CAP_NCU_MAX, 0);
    token_bucket_refill(&bucket, SIM_NS_MAX);
    ck_assert_int_eq(bucket.level_ncu, TOKEN_BUCKET_CAP_NCU_MAX);
    token_bucket_take(&bucket, TOKEN_BUCKET_CAP_NCU_MAX);
    token_bucket_audit(&bucket, SIM_NS_MAX);
    ck_assert_int_eq(bucket.level_ncu, 0);
}
END_TEST

START_TEST(the_longest_fast_step_and_the_next_one_agree) {
    for (sim_ns more_ns = 0; more_ns <= 2; more_ns++) {
        struct token_bucket bucket;
        token_bucket_init(&bucket, 0, 1, TOKEN_BUCKET_CAP_NCU_MAX, 0);
        const sim_ns step_ns = (sim_ns)TOKEN_BUCKET_STEP_NS_MAX + more_ns;
        token_bucket_refill(&bucket, step_ns);
        ck_assert_int_eq(bucket.level_ncu, step_ns);
        token_bucket_audit(&bucket, step_ns);
    }
}
END_TEST

START_TEST(what_is_given_back_counts_as_not_taken_and_spills_above_the_cap) {
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, 1, 10 * UNIT, 10 * UNIT);
    token_bucket_take(&bucket, 6 * UNIT);
    token_bucket_give(&bucket, 2 * UNIT);
    ck_assert_int_eq(bucket.level_ncu, 6 * UNIT);
    ck_assert_uint_eq(bucket.taken_ncu, (uint64_t)(4 * UNIT));
    token_bucket_refill(&bucket, 3 * SIM_NS_PER_S);
    token_bucket_give(&bucket, 4 * UNIT);
    ck_assert_int_eq(bucket.level_ncu, 10 * UNIT);
    ck_assert_uint_eq(bucket.spilled_ncu, (uint64_t)(3 * UNIT));
    token_bucket_spill(&bucket, UNIT);
    ck_assert_int_eq(bucket.level_ncu, 9 * UNIT);
    token_bucket_audit(&bucket, 3 * SIM_NS_PER_S);
}
END_TEST

static struct token_bucket full_bucket(void) {
    struct token_bucket bucket;
    token_bucket_init(&bucket, 10, 1, 10 * UNIT, 10 * UNIT);
    return bucket;
}

START_TEST(aborts_when_the_audit_finds_units_from_nowhere) {
    struct token_bucket bucket = full_bucket();
    bucket.level_ncu -= 1;
    token_bucket_audit(&bucket, 10);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_a_take_that_was_not_counted) {
    struct token_bucket bucket = full_bucket();
    token_bucket_take(&bucket, UNIT);
    bucket.taken_ncu = 0;
    token_bucket_audit(&bucket, 20);
}
END_TEST

START_TEST(aborts_when_time_goes_back) {
    struct token_bucket bucket = full_bucket();
    token_bucket_refill(&bucket, 9);
}
END_TEST

START_TEST(aborts_on_a_bucket_out_of_bounds) {
    static const struct {
        int64_t rate, cap_ncu, level_ncu;
    } cases[] = {
        {0, UNIT, 0},  {TOKEN_BUCKET_RATE_MAX + 1, UNIT, 0},
        {1, 0, 0},     {1, TOKEN_BUCKET_CAP_NCU_MAX + 1, 0},
        {1, UNIT, -1}, {1, UNIT, UNIT + 1},
    };
    struct token_bucket bucket;
    token_bucket_init(&bucket, 0, cases[_i].rate, cases[_i].cap_ncu, cases[_i].level_ncu);
}
END_TEST

START_TEST(aborts_on_giving_a_negative_amount) {
    struct token_bucket bucket = full_bucket();
    token_bucket_give(&bucket, -1);
}
END_TEST

START_TEST(aborts_on_spilling_more_than_there_is) {
    struct token_bucket bucket = full_bucket();
    token_bucket_spill(&bucket, 10 * UNIT + 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/token_bucket");
    TCase *tcase = tcase_create("token_bucket");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, refills_exactly_and_no_higher_than_the_cap);
    tcase_add_test(tcase, admits_what_is_there_and_a_cost_above_the_cap_when_full);
    tcase_add_test(tcase, a_debt_is_paid_before_anything_else_is_admitted);
    tcase_add_test(tcase, agrees_with_the_closed_form_over_random_histories);
    tcase_add_test(tcase, no_window_admits_more_than_depth_refill_and_one_debt);
    tcase_add_test(tcase, conserves_units_over_the_longest_run_in_one_step);
    tcase_add_test(tcase, the_longest_fast_step_and_the_next_one_agree);
    tcase_add_test(tcase, what_is_given_back_counts_as_not_taken_and_spills_above_the_cap);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_units_from_nowhere, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_a_take_that_was_not_counted,
                                SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_time_goes_back, SIGABRT);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_a_bucket_out_of_bounds, SIGABRT, 0, 6);
    tcase_add_test_raise_signal(tcase, aborts_on_giving_a_negative_amount, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_spilling_more_than_there_is, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
