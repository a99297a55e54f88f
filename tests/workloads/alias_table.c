#include "workloads/alias_table.h"

#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define COUNT_MAX 5000

/* Chance of each choice, from the table itself. */
static void chances(const struct alias_column *columns, uint32_t count, double *chance) {
    for (uint32_t i = 0; i < count; i++) {
        chance[i] = 0.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        double keep =
            columns[i].keep_below == UINT64_MAX ? 1.0 : (double)columns[i].keep_below * 0x1p-64;
        chance[i] += keep / count;
        chance[columns[i].alias] += (1.0 - keep) / count;
    }
}

static void check_table(const double *weights, uint32_t count, uint64_t seed) {
    struct alias_column columns[COUNT_MAX];
    double chance[COUNT_MAX];
    struct err err = {.kind = ERR_NONE};
    ck_assert(alias_table_build(columns, weights, count, &err));
    chances(columns, count, chance);
    double largest = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        largest = fmax(largest, weights[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        sum += weights[i] / largest;
    }
    for (uint32_t i = 0; i < count; i++) {
        double expected = weights[i] / largest / sum;
        bool good = weights[i] == 0.0 ? chance[i] == 0.0
                                      : fabs(chance[i] - expected) < 1e-13 + expected * 1e-12;
        if (!good) {
            ck_abort_msg("seed %llu, choice %u of %u: %g, expected %g", (unsigned long long)seed, i,
                         count, chance[i], expected);
        }
    }
}

START_TEST(gives_each_choice_its_share_of_the_weights) {
    uint64_t seed = (uint64_t)_i;
    struct random_stream stream;
    random_init(&stream, &(struct random_name){seed, 0, "", "alias_table"});
    double weights[COUNT_MAX];
    for (int round = 0; round < 40; round++) {
        uint32_t count = 1 + (uint32_t)random_below(&stream, round % 4 == 0 ? COUNT_MAX : 20);
        for (uint32_t i = 0; i < count; i++) {
            double unit = random_unit(&stream);
            bool is_zero = random_below(&stream, 4) == 0;
            weights[i] = is_zero ? 0.0 : exp2(unit * 60.0 - 30.0);
        }
        weights[random_below(&stream, count)] = 1.0;
        check_table(weights, count, seed);
    }
}
END_TEST

START_TEST(takes_weights_of_any_magnitude) {
    static const double huge[] = {1.7e308, 1.7e308, 0.0, 1.7e308};
    static const double tiny[] = {5e-324, 5e-324};
    static const double equal[] = {7.0, 7.0, 7.0, 7.0, 7.0};
    static const double one[] = {0.25};
    static const double alone[] = {0.0, 0.0, 1e-300, 0.0};
    check_table(huge, 4, 0);
    check_table(tiny, 2, 0);
    check_table(equal, 5, 0);
    check_table(one, 1, 0);
    check_table(alone, 4, 0);
}
END_TEST

START_TEST(picks_by_the_high_half_and_compares_the_low_half) {
    static const struct alias_column columns[] = {{UINT64_C(1) << 63, 1}, {0, 0}};
    ck_assert_uint_eq(alias_table_pick(columns, 2, 0), 0);
    ck_assert_uint_eq(alias_table_pick(columns, 2, (UINT64_C(1) << 62) - 1), 0);
    ck_assert_uint_eq(alias_table_pick(columns, 2, UINT64_C(1) << 62), 1);
    ck_assert_uint_eq(alias_table_pick(columns, 2, UINT64_C(1) << 63), 0);
    ck_assert_uint_eq(alias_table_pick(columns, 2, UINT64_MAX), 0);
}
END_TEST

static void build(const double *weights, uint32_t count) {
    struct alias_column columns[4];
    struct err err = {.kind = ERR_NONE};
    ck_assert(alias_table_build(columns, weights, count, &err));
}

START_TEST(aborts_on_no_choice) {
    build((const double[]){1.0}, 0);
}
END_TEST

START_TEST(aborts_on_weights_that_are_all_zero) {
    build((const double[]){0.0, 0.0}, 2);
}
END_TEST

START_TEST(aborts_on_a_negative_weight) {
    build((const double[]){1.0, -1e-9}, 2);
}
END_TEST

START_TEST(aborts_on_an_infinite_weight) {
    build((const double[]){1.0, (double)INFINITY}, 2);
}
END_TEST

START_TEST(aborts_on_a_weight_that_is_no_number) {
    build((const double[]){1.0, (double)NAN}, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/alias_table");
    TCase *tcase = tcase_create("alias_table");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, gives_each_choice_its_share_of_the_weights, 1, 11);
    tcase_add_test(tcase, takes_weights_of_any_magnitude);
    tcase_add_test(tcase, picks_by_the_high_half_and_compares_the_low_half);
    tcase_add_test_raise_signal(tcase, aborts_on_no_choice, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_weights_that_are_all_zero, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_weight, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_infinite_weight, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_weight_that_is_no_number, SIGABRT);
    return suite_run(suite);
}
