#include "workloads/permutation.h"

#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

static void check_order(uint64_t n) {
    struct permutation order;
    uint64_t *numbers = calloc(n, sizeof *numbers);
    bool *met = calloc(n, sizeof *met);
    ck_assert(numbers != NULL && met != NULL);
    for (uint64_t i = 0; i < n; i++) {
        numbers[i] = i;
    }
    permutation_init(&order, n);
    permutation_apply(&order, numbers, n);
    for (uint64_t i = 0; i < n; i++) {
        if (numbers[i] >= n || met[numbers[i]]) {
            ck_abort_msg("n %llu: %llu becomes %llu", (unsigned long long)n, (unsigned long long)i,
                         (unsigned long long)numbers[i]);
        }
        met[numbers[i]] = true;
    }
    free(numbers);
    free(met);
}

START_TEST(each_number_is_met_once) {
    for (uint64_t n = 1; n <= 700; n++) {
        check_order(n);
    }
    static const uint64_t larger[] = {1023, 1024, 1025, 65537, 1000000, (UINT64_C(1) << 20) + 1};
    for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++) {
        check_order(larger[i]);
    }
}
END_TEST

START_TEST(stays_below_n_at_the_largest_n) {
    static const uint64_t sizes[] = {UINT64_C(1) << 48, (UINT64_C(1) << 47) + 1, UINT64_C(1) << 63,
                                     (UINT64_C(1) << 62) + 1};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct permutation order;
        permutation_init(&order, sizes[s]);
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t numbers[2] = {i, sizes[s] - 1 - i};
            permutation_apply(&order, numbers, 2);
            ck_assert(numbers[0] < sizes[s] && numbers[1] < sizes[s] && numbers[0] != numbers[1]);
        }
    }
}
END_TEST

/* The hottest 2,000 of many over 50 equal cells, and the gap between one rank and the next. */
START_TEST(neighbours_are_spread_evenly) {
    enum { RANKS = 2000, CELLS = 50 };
    static const uint64_t sizes[] = {100000, 1000000, 1234567, UINT64_C(1) << 32,
                                     (UINT64_C(1) << 48) - 1};
    struct permutation order;
    const uint64_t n = sizes[_i];
    uint64_t numbers[RANKS], places[CELLS] = {0}, gaps[CELLS] = {0};
    for (uint64_t i = 0; i < RANKS; i++) {
        numbers[i] = i;
    }
    permutation_init(&order, n);
    permutation_apply(&order, numbers, RANKS);
    double place_statistic = 0.0, gap_statistic = 0.0;
    for (size_t i = 0; i < RANKS; i++) {
        uint64_t gap = (numbers[(i + 1) % RANKS] + n - numbers[i]) % n;
        places[(size_t)((double)numbers[i] / (double)n * CELLS)]++;
        gaps[(size_t)((double)gap / (double)n * CELLS)]++;
    }
    for (size_t c = 0; c < CELLS; c++) {
        double expected = (double)RANKS / CELLS;
        place_statistic += ((double)places[c] - expected) * ((double)places[c] - expected);
        gap_statistic += ((double)gaps[c] - expected) * ((double)gaps[c] - expected);
    }
    ck_assert_double_gt(gsl_cdf_chisq_Q(place_statistic * CELLS / RANKS, CELLS - 1), 1e-3);
    ck_assert_double_gt(gsl_cdf_chisq_Q(gap_statistic * CELLS / RANKS, CELLS - 1), 1e-3);
}
END_TEST

START_TEST(aborts_on_no_numbers) {
    struct permutation order;
    permutation_init(&order, 0);
}
END_TEST

START_TEST(aborts_on_too_many_numbers) {
    struct permutation order;
    permutation_init(&order, (UINT64_C(1) << 63) + 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/permutation");
    TCase *tcase = tcase_create("permutation");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, each_number_is_met_once);
    tcase_add_test(tcase, stays_below_n_at_the_largest_n);
    tcase_add_loop_test(tcase, neighbours_are_spread_evenly, 0, 5);
    tcase_add_test_raise_signal(tcase, aborts_on_no_numbers, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_too_many_numbers, SIGABRT);
    return suite_run(suite);
}
