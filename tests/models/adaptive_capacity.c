#include "models/adaptive_capacity.h"

#include "models/request.h"
#include "models/token_bucket.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define UNIT NCU_PER_CU
#define S SIM_NS_PER_S
#define PARTITIONS_MAX 65536

static struct arena arena;
static struct err err;
static struct model_parameters parameters;
static struct adaptive_capacity_setup setup;

/* The guide's table: 400 units over 4 partitions, an empty burst, a boost after 10 minutes. */
static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
    parameters.era = ERA_ADAPTIVE;
    parameters.adaptive_delay_min = 600 * S;
    parameters.adaptive_delay_max = 600 * S;
    setup = (struct adaptive_capacity_setup){
        .provisioned_cu_per_s = 400, .part_max_cu_per_s = 1000, .partitions = 4};
}

static void tear_down(void) {
    arena_fini(&arena);
}

static struct adaptive_capacity *open_capacity(void) {
    struct adaptive_capacity *capacity = adaptive_capacity_open(&arena, &setup, &parameters, &err);
    ck_assert_ptr_nonnull(capacity);
    return capacity;
}

static bool submit(struct adaptive_capacity *capacity, sim_ns now_ns, uint32_t partition,
                   int64_t cost_ncu) {
    const bool admitted = adaptive_capacity_admits(capacity, now_ns, partition, cost_ncu, false);
    if (admitted) {
        adaptive_capacity_take(capacity, partition, cost_ncu);
    }
    return admitted;
}

/* Whole units a second on each of the four partitions, spread over each second; returns how many
 * were refused. */
static int64_t load(struct adaptive_capacity *capacity, sim_ns from_ns, sim_ns to_ns,
                    const int64_t per_s[4]) {
    int64_t refused = 0;
    for (sim_ns second_ns = from_ns; second_ns < to_ns; second_ns += S) {
        for (int64_t tick = 0; tick < 1000; tick++) {
            for (uint32_t i = 0; i < 4; i++) {
                const int64_t count = per_s[i] * (tick + 1) / 1000 - per_s[i] * tick / 1000;
                for (int64_t j = 0; j < count; j++) {
                    refused += !submit(capacity, second_ns + tick * SIM_NS_PER_MS, i, UNIT);
                }
            }
        }
    }
    adaptive_capacity_audit(capacity, to_ns);
    return refused;
}

static double units(int64_t ncu) {
    return (double)ncu / (double)UNIT;
}

static void expect_allocations(struct adaptive_capacity *capacity, sim_ns now_ns,
                               const double expected[4]) {
    (void)adaptive_capacity_saved_ncu(capacity, now_ns);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(units(capacity->shares[i].alloc_ncu_per_s), expected[i], 0.05);
    }
}

START_TEST(shares_sum_to_what_is_provisioned_and_differ_by_a_nano_unit) {
    static const struct {
        int64_t rate;
        uint32_t partitions;
    } rows[] = {{1, 1}, {5, 4}, {1, 3}, {1, PARTITIONS_MAX}, {1000000, 7}, {999999, 65535}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setup.provisioned_cu_per_s = rows[i].rate;
        setup.partitions = rows[i].partitions;
        struct adaptive_capacity *capacity = open_capacity();
        const int64_t floor_ncu = rows[i].rate * UNIT / rows[i].partitions;
        int64_t sum_ncu = 0;
        for (uint32_t j = 0; j < rows[i].partitions; j++) {
            const int64_t base_ncu = capacity->shares[j].base_ncu_per_s;
            REQUIRE(base_ncu == floor_ncu || base_ncu == floor_ncu + 1, "row %zu", i);
            sum_ncu += base_ncu;
        }
        ck_assert_int_eq(sum_ncu, rows[i].rate * UNIT);
        adaptive_capacity_audit(capacity, 100 * S);
    }
}
END_TEST

START_TEST(a_static_share_loses_50_a_second_after_600_seconds) {
    parameters.era = ERA_STATIC;
    setup.initial_burst_ns = 300 * S;
    struct adaptive_capacity *capacity = open_capacity();
    const int64_t per_s[4] = {50, 50, 50, 150};
    ck_assert_int_eq(load(capacity, 0, 599 * S, per_s), 0);
    (void)load(capacity, 599 * S, 601 * S, per_s);
    ck_assert_int_eq(load(capacity, 601 * S, 661 * S, per_s), 60 * 50);
    ck_assert_int_eq(load(capacity, 661 * S, 7200 * S, per_s), (7200 - 661) * 50);
    expect_allocations(capacity, 7200 * S, (const double[]){100, 100, 100, 100});
    /* three full buckets, nothing in the fourth */
    ck_assert_double_eq_tol(units(adaptive_capacity_saved_ncu(capacity, 7200 * S)), 90000, 4);
    ck_assert_int_eq(adaptive_capacity_saved_max_ncu(capacity), 400 * 300 * UNIT);
}
END_TEST

START_TEST(saved_capacity_at_the_start_is_bounded_by_the_window) {
    setup.initial_burst_ns = 4000 * S;
    struct adaptive_capacity *capacity = open_capacity();
    ck_assert_int_eq(adaptive_capacity_saved_ncu(capacity, 0), 400 * 300 * UNIT);
    adaptive_capacity_audit(capacity, 0);
}
END_TEST

START_TEST(a_boost_comes_after_the_delay_and_closes_half_of_the_gap_each_minute) {
    struct adaptive_capacity *capacity = open_capacity();
    const int64_t per_s[4] = {50, 50, 50, 150};
    (void)load(capacity, 0, 599 * S, per_s);
    expect_allocations(capacity, 599 * S, (const double[]){100, 100, 100, 100});
    (void)load(capacity, 599 * S, 600 * S, per_s);
    sim_ns now_ns = 600 * S;
    double boost = 0;
    for (int i = 0; i < 12; i++, now_ns += 60 * S) {
        boost += 0.5 * (50 - boost);
        const double others = 100 - boost / 3;
        (void)load(capacity, now_ns, now_ns + S, per_s); /* the period ends within this second */
        expect_allocations(capacity, now_ns + S,
                           (const double[]){others, others, others, 100 + boost});
        const int64_t refused = load(capacity, now_ns + S, now_ns + 60 * S, per_s);
        ck_assert_double_eq_tol((double)refused, 59 * (50 - boost), 2);
    }
}
END_TEST

START_TEST(the_delay_is_uniform_between_its_bounds) {
    enum { DRAWS = 4000 };
    parameters.adaptive_delay_min = 300 * S;
    parameters.adaptive_delay_max = 1800 * S;
    double sum_s = 0, squares = 0;
    for (uint64_t stream = 0; stream < DRAWS; stream++) {
        setup.delay_stream = hash_mix(stream);
        struct adaptive_capacity *capacity = open_capacity();
        REQUIRE(!submit(capacity, 7, 0, UNIT), "nothing is saved");
        const sim_ns delay_ns = capacity->next_ns + parameters.adaptive_period - 7;
        REQUIRE(delay_ns >= 300 * S && delay_ns <= 1800 * S, "%" PRId64 " ns", delay_ns);
        const double delay_s = (double)delay_ns / (double)S;
        sum_s += delay_s;
        squares += (delay_s - 1050) * (delay_s - 1050);
    }
    /* standard deviation 1500 / sqrt(12) = 433 s; of the mean 6.8 s */
    ck_assert_double_eq_tol(sum_s / DRAWS, 1050, 4 * 433.0 / sqrt(DRAWS));
    ck_assert_double_eq_tol(sqrt(squares / DRAWS), 433, 13);
}
END_TEST

START_TEST(a_delay_below_the_period_still_waits_for_a_whole_period) {
    parameters.adaptive_delay_min = parameters.adaptive_delay_max = 0;
    struct adaptive_capacity *capacity = open_capacity();
    (void)load(capacity, 0, 59 * S, (const int64_t[]){0, 0, 0, 200});
    expect_allocations(capacity, 59 * S, (const double[]){100, 100, 100, 100});
    (void)load(capacity, 59 * S, 61 * S, (const int64_t[]){0, 0, 0, 200});
    ck_assert_int_gt(capacity->shares[3].alloc_ncu_per_s, 100 * UNIT);
}
END_TEST

START_TEST(boosts_that_the_others_cannot_spare_are_cut_in_proportion) {
    parameters.adaptive_gain = PARAMETER_FRACTION_ONE;
    struct adaptive_capacity *capacity = open_capacity();
    /* 50 and 50 are spare; 60 and 240 are wanted */
    (void)load(capacity, 0, 600 * S, (const int64_t[]){50, 50, 160, 340});
    expect_allocations(capacity, 601 * S, (const double[]){50, 50, 120, 180});
}
END_TEST

START_TEST(what_is_lent_comes_back_when_its_owner_needs_it) {
    parameters.adaptive_gain = PARAMETER_FRACTION_ONE;
    struct adaptive_capacity *capacity = open_capacity();
    (void)load(capacity, 0, 600 * S, (const int64_t[]){10, 10, 10, 350});
    expect_allocations(capacity, 601 * S,
                       (const double[]){16.666666667, 16.666666667, 16.666666667, 350});
    (void)load(capacity, 601 * S, 660 * S, (const int64_t[]){100, 10, 10, 350});
    (void)load(capacity, 660 * S, 720 * S, (const int64_t[]){100, 10, 10, 350});
    expect_allocations(capacity, 721 * S, (const double[]){100, 10, 10, 280});
}
END_TEST

START_TEST(a_boost_that_nobody_needs_ends_and_the_next_one_waits_again) {
    parameters.adaptive_delay_max = 1200 * S;
    struct adaptive_capacity *capacity = open_capacity();
    (void)load(capacity, 0, 1300 * S, (const int64_t[]){50, 50, 50, 150});
    ck_assert_int_gt(capacity->shares[3].boost_ncu_per_s, 0);
    ck_assert_uint_eq(capacity->episode, 1);
    const sim_ns first_ns = capacity->next_ns;
    (void)load(capacity, 1300 * S, 6000 * S, (const int64_t[]){50, 50, 50, 50});
    ck_assert_int_eq(capacity->phase, ADAPTIVE_IDLE);
    expect_allocations(capacity, 6000 * S, (const double[]){100, 100, 100, 100});
    (void)load(capacity, 6300 * S, 6301 * S, (const int64_t[]){50, 50, 50, 50});
    const int64_t refused = load(capacity, 6301 * S, 6900 * S, (const int64_t[]){50, 50, 50, 200});
    ck_assert_int_gt(refused, 20000);
    ck_assert_uint_eq(capacity->episode, 2);
    ck_assert_int_eq(capacity->phase, ADAPTIVE_WAITING);
    ck_assert_int_ne(capacity->next_ns - 6601 * S, first_ns);
}
END_TEST

START_TEST(no_partition_is_boosted_above_its_cap) {
    setup.provisioned_cu_per_s = 4000;
    setup.part_max_cu_per_s = 1000;
    setup.partitions = 8;
    parameters.adaptive_gain = PARAMETER_FRACTION_ONE;
    struct adaptive_capacity *capacity = open_capacity();
    (void)load(capacity, 0, 700 * S, (const int64_t[]){0, 0, 0, 2500});
    ck_assert_double_eq_tol(units(capacity->shares[3].alloc_ncu_per_s), 1000, 1e-6);
}
END_TEST

START_TEST(a_query_may_leave_a_debt_that_other_shares_do_not_pay) {
    setup.initial_burst_ns = S;
    struct adaptive_capacity *capacity = open_capacity();
    ck_assert(adaptive_capacity_admits(capacity, 0, 1, 500 * UNIT, true));
    adaptive_capacity_take(capacity, 1, 500 * UNIT);
    ck_assert_int_eq(adaptive_capacity_saved_ncu(capacity, 0), 300 * UNIT);
    ck_assert(!adaptive_capacity_admits(capacity, 4 * S, 1, UNIT, true));
    ck_assert(adaptive_capacity_admits(capacity, 4 * S + 1, 1, UNIT, true));
    adaptive_capacity_audit(capacity, 5 * S);
}
END_TEST

START_TEST(a_cost_above_the_burst_needs_a_full_share) {
    setup.provisioned_cu_per_s = 4; /* 300 units a share at most */
    setup.initial_burst_ns = 299 * S;
    struct adaptive_capacity *capacity = open_capacity();
    ck_assert(!submit(capacity, 0, 2, 400 * UNIT));
    ck_assert(submit(capacity, S, 2, 400 * UNIT));
    ck_assert(!submit(capacity, 400 * S, 2, 400 * UNIT));
    ck_assert(submit(capacity, 401 * S, 2, 400 * UNIT));
    adaptive_capacity_audit(capacity, 500 * S);
}
END_TEST

/* F(b) - F(a) with F(t) = floor(rate t / 1e9): capacity earned by a share of era static. */
static int64_t earned_ncu(int64_t rate_ncu_per_s, sim_ns until_ns) {
    return __extension__(int64_t)((__int128)rate_ncu_per_s * until_ns / S);
}

START_TEST(a_static_share_earns_its_rate_to_the_nano_unit_over_random_traffic) {
    parameters.era = ERA_STATIC;
    parameters.burst_window_s = 3600 * S; /* never full: what is earned stays */
    for (uint64_t seed = 0; seed < 50; seed++) {
        setup.provisioned_cu_per_s = 1 + (int64_t)hash_below(hash_draw(seed, 0, 0), 50);
        setup.partitions = 1 + (uint32_t)hash_below(hash_draw(seed, 0, 1), 9);
        struct adaptive_capacity *capacity = open_capacity();
        int64_t used_ncu[9] = {0};
        sim_ns now_ns = 0;
        for (uint64_t i = 1; i < 3000; i++) {
            now_ns += (sim_ns)hash_below(hash_draw(seed, i, 2), S);
            const uint32_t at = (uint32_t)hash_below(hash_draw(seed, i, 3), setup.partitions);
            const int64_t cost_ncu =
                (1 + (int64_t)hash_below(hash_draw(seed, i, 4), 40)) * UNIT / 2;
            const struct capacity_share *share = &capacity->shares[at];
            const int64_t level_ncu = earned_ncu(share->base_ncu_per_s, now_ns) - used_ncu[at];
            const bool admitted = submit(capacity, now_ns, at, cost_ncu);
            REQUIRE(admitted == (level_ncu >= cost_ncu), "seed %" PRIu64 " request %" PRIu64, seed,
                    i);
            used_ncu[at] += admitted ? cost_ncu : 0;
            if (i % 100 == 0) {
                adaptive_capacity_audit(capacity, now_ns);
            }
        }
    }
}
END_TEST

START_TEST(asking_more_often_changes_no_answer) {
    parameters.adaptive_delay_min = 0;
    parameters.adaptive_delay_max = 30 * S;
    parameters.adaptive_period = 7 * S;
    for (uint64_t seed = 0; seed < 30; seed++) {
        setup.delay_stream = seed;
        struct adaptive_capacity *lazy = open_capacity(), *eager = open_capacity();
        sim_ns now_ns = 0;
        uint64_t refused = 0, episodes = 0;
        for (uint64_t i = 0; i < 4000; i++) {
            /* busy and silent stretches of a minute or two, hot partitions that change */
            const bool is_busy = i / 400 % 2 == 0;
            now_ns += (sim_ns)hash_below(hash_draw(seed, i, 0), is_busy ? S / 2 : 2 * S);
            const uint32_t hot = (uint32_t)(i / 600 % 4);
            const uint64_t draw = hash_draw(seed, i, 1);
            const uint32_t at = draw % 3 == 0 ? (uint32_t)(draw >> 32) % 4 : hot;
            const int64_t cost_ncu = (int64_t)(draw >> 40) % 500 * UNIT;
            for (uint64_t j = hash_draw(seed, i, 2) % 3; j > 0; j--) {
                (void)adaptive_capacity_saved_ncu(eager, now_ns);
            }
            const bool admitted = submit(lazy, now_ns, at, cost_ncu);
            REQUIRE(submit(eager, now_ns, at, cost_ncu) == admitted,
                    "seed %" PRIu64 " request %" PRIu64, seed, i);
            refused += !admitted;
            episodes = lazy->episode;
            if (i % 50 == 0) {
                adaptive_capacity_audit(eager, now_ns);
            }
        }
        adaptive_capacity_audit(lazy, now_ns);
        adaptive_capacity_audit(eager, now_ns);
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(lazy->shares[i].level_ncu, eager->shares[i].level_ncu);
            ck_assert_int_eq(lazy->shares[i].alloc_ncu_per_s, eager->shares[i].alloc_ncu_per_s);
        }
        ck_assert_msg(refused > 100 && episodes > 0, "%" PRIu64 " refused", refused);
    }
}
END_TEST

START_TEST(survives_the_largest_numbers) {
    setup.provisioned_cu_per_s = TOKEN_BUCKET_RATE_MAX;
    setup.part_max_cu_per_s = TOKEN_BUCKET_RATE_MAX;
    setup.partitions = 4;
    parameters.burst_window_s = 3600 * S;
    parameters.adaptive_period = 3600 * S;
    struct adaptive_capacity *capacity = open_capacity();
    sim_ns now_ns = 0;
    for (int i = 0; i < 2000; i++, now_ns += 100 * S) {
        (void)submit(capacity, now_ns, i % 5 == 0, INT64_C(2000000000) * UNIT);
        (void)submit(capacity, now_ns, i % 5 == 0, INT64_C(60000000) * UNIT);
    }
    adaptive_capacity_audit(capacity, now_ns);
    adaptive_capacity_audit(capacity, SIM_NS_MAX - 1);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_units_from_nowhere) {
    struct adaptive_capacity *capacity = open_capacity();
    capacity->shares[2].level_ncu++;
    adaptive_capacity_audit(capacity, S);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_shares_above_what_is_provisioned) {
    struct adaptive_capacity *capacity = open_capacity();
    capacity->shares[2].alloc_ncu_per_s++;
    adaptive_capacity_audit(capacity, 0);
}
END_TEST

START_TEST(aborts_on_a_rate_of_zero) {
    setup.provisioned_cu_per_s = 0;
    (void)open_capacity();
}
END_TEST

START_TEST(aborts_on_a_partition_that_does_not_exist) {
    (void)submit(open_capacity(), 0, 4, UNIT);
}
END_TEST

START_TEST(aborts_when_time_goes_back) {
    struct adaptive_capacity *capacity = open_capacity();
    (void)submit(capacity, 10, 0, UNIT);
    (void)submit(capacity, 9, 0, UNIT);
}
END_TEST

static void add_aborts(TCase *tcase) {
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_units_from_nowhere, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_shares_above_what_is_provisioned,
                                SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_rate_of_zero, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_partition_that_does_not_exist, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_time_goes_back, SIGABRT);
}

int main(void) {
    Suite *suite = suite_create("models/adaptive_capacity");
    TCase *tcase = tcase_create("adaptive_capacity");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 90);
    tcase_add_test(tcase, shares_sum_to_what_is_provisioned_and_differ_by_a_nano_unit);
    tcase_add_test(tcase, a_static_share_loses_50_a_second_after_600_seconds);
    tcase_add_test(tcase, saved_capacity_at_the_start_is_bounded_by_the_window);
    tcase_add_test(tcase, a_boost_comes_after_the_delay_and_closes_half_of_the_gap_each_minute);
    tcase_add_test(tcase, the_delay_is_uniform_between_its_bounds);
    tcase_add_test(tcase, a_delay_below_the_period_still_waits_for_a_whole_period);
    tcase_add_test(tcase, boosts_that_the_others_cannot_spare_are_cut_in_proportion);
    tcase_add_test(tcase, what_is_lent_comes_back_when_its_owner_needs_it);
    tcase_add_test(tcase, a_boost_that_nobody_needs_ends_and_the_next_one_waits_again);
    tcase_add_test(tcase, no_partition_is_boosted_above_its_cap);
    tcase_add_test(tcase, a_query_may_leave_a_debt_that_other_shares_do_not_pay);
    tcase_add_test(tcase, a_cost_above_the_burst_needs_a_full_share);
    tcase_add_test(tcase, a_static_share_earns_its_rate_to_the_nano_unit_over_random_traffic);
    tcase_add_test(tcase, asking_more_often_changes_no_answer);
    tcase_add_test(tcase, survives_the_largest_numbers);
    add_aborts(tcase);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
