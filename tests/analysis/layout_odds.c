#include "analysis/layout_odds.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The share of all layouts in which no partition has more than most keys, by counting. */
static double by_counting(uint32_t keys, uint32_t partitions, uint32_t most) {
    uint64_t layouts = 1, good = 0;
    for (uint32_t i = 0; i < keys; i++) {
        layouts *= partitions;
    }
    for (uint64_t layout = 0; layout < layouts; layout++) {
        uint32_t loads[8] = {0};
        bool fits = true;
        uint64_t rest = layout;
        for (uint32_t i = 0; i < keys; i++) {
            fits = ++loads[rest % partitions] <= most && fits;
            rest /= partitions;
        }
        good += fits;
    }
    return (double)good / (double)layouts;
}

START_TEST(agrees_with_counting_every_layout) {
    for (uint32_t partitions = 1; partitions <= 5; partitions++) {
        for (uint32_t keys = 0; keys <= 6; keys++) {
            for (uint32_t most = 0; most <= keys; most++) {
                const double counted = by_counting(keys, partitions, most);
                ck_assert_double_eq_tol(layout_odds_at_most(keys, partitions, most), counted,
                                        1e-12);
            }
            ck_assert_double_eq_tol(layout_odds_apart(keys, partitions),
                                    by_counting(keys, partitions, 1), 1e-12);
        }
    }
}
END_TEST

/* Shards of a key with 2,500 writes/s on 8 partitions of 1,000: not monotone. */
static const struct {
    uint32_t shards;
    double odds;
} shards[] = {{3, .66}, {4, .41}, {5, .87}, {6, .77}, {7, .64}, {8, .91}, {10, .964}};

START_TEST(gives_the_published_shares_for_shards) {
    ck_assert_double_eq_tol(layout_odds_shards(2500, 1000, shards[_i].shards, 8), shards[_i].odds,
                            0.005);
}
END_TEST

START_TEST(keeps_a_load_that_equals_the_cap) {
    ck_assert_double_eq_tol(layout_odds_shards(2000, 1000, 2, 4), 0.75, 1e-12);
    ck_assert_double_eq_tol(layout_odds_shards(1000, 1000, 1, 4), 1, 1e-12);
    ck_assert_double_eq_tol(layout_odds_shards(1001, 1000, 1, 4), 0, 1e-12);
    ck_assert_double_eq_tol(layout_odds_shards(0, 1000, 5, 4), 1, 1e-12);
}
END_TEST

START_TEST(stays_a_probability_at_the_limits) {
    const uint32_t partitions[] = {1, 2, 1000, 65536};
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        for (uint32_t most = 0; most <= LAYOUT_ODDS_KEYS_MAX; most++) {
            const double odds = layout_odds_at_most(LAYOUT_ODDS_KEYS_MAX, partitions[i], most);
            ck_assert(isfinite(odds) && odds >= 0 && odds <= 1);
        }
        ck_assert_double_eq_tol(
            layout_odds_at_most(LAYOUT_ODDS_KEYS_MAX, partitions[i], LAYOUT_ODDS_KEYS_MAX), 1,
            1e-9);
        ck_assert_double_eq_tol(layout_odds_at_most(LAYOUT_ODDS_KEYS_MAX, partitions[i], 1),
                                layout_odds_apart(LAYOUT_ODDS_KEYS_MAX, partitions[i]), 1e-9);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/layout_odds");
    TCase *tcase = tcase_create("layout_odds");
    tcase_add_test(tcase, agrees_with_counting_every_layout);
    tcase_add_loop_test(tcase, gives_the_published_shares_for_shards, 0,
                        sizeof shards / sizeof *shards);
    tcase_add_test(tcase, keeps_a_load_that_equals_the_cap);
    tcase_add_test(tcase, stays_a_probability_at_the_limits);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
