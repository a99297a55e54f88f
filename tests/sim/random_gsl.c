#include "sim/random_gsl.h"

#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

static gsl_rng *rng;

static void set_up(void) {
    rng = gsl_rng_alloc(random_gsl_type());
    ck_assert_ptr_nonnull(rng);
}

static void tear_down(void) {
    gsl_rng_free(rng);
}

START_TEST(draws_the_values_of_its_named_stream) {
    const struct random_name name = {
        .seed = 5, .replication = 2, .workload = "score", .variable = "field:size"};
    struct random_stream stream;
    random_init(&stream, &name);
    random_gsl_name(rng, &name);
    for (size_t i = 0; i < 1000; i++) {
        unsigned long integer = gsl_rng_get(rng);
        ck_assert_uint_eq(integer, random_next(&stream) >> 32);
        double unit = gsl_rng_uniform(rng);
        ck_assert_double_eq(unit, random_unit(&stream));
    }
    ck_assert_uint_eq(gsl_rng_max(rng), UINT32_MAX);
    ck_assert_uint_eq(gsl_rng_min(rng), 0);
}
END_TEST

START_TEST(set_names_the_stream_by_its_seed) {
    const struct random_name name = {.seed = 9, .workload = "", .variable = "gsl"};
    struct random_stream stream;
    random_init(&stream, &name);
    gsl_rng_set(rng, 9);
    for (size_t i = 0; i < 600; i++) {
        ck_assert_uint_eq(gsl_rng_get(rng), random_next(&stream) >> 32);
    }
}
END_TEST

START_TEST(copies_go_on_alike) {
    gsl_rng_set(rng, 3);
    gsl_rng_get(rng);
    gsl_rng *copy = gsl_rng_clone(rng);
    ck_assert_ptr_nonnull(copy);
    for (size_t i = 0; i < 600; i++) {
        ck_assert_uint_eq(gsl_rng_get(rng), gsl_rng_get(copy));
    }
    gsl_rng_free(copy);
}
END_TEST

START_TEST(feeds_the_laws_of_gsl) {
    enum { DRAWS = 200000 };
    gsl_rng_set(rng, 1);
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double x = gsl_ran_gaussian_ziggurat(rng, 1.0);
        sum += x;
        squares += x * x;
    }
    ck_assert_double_eq_tol(sum / DRAWS, 0.0, 5 / sqrt(DRAWS));
    ck_assert_double_eq_tol(squares / DRAWS, 1.0, 5 * sqrt(2.0 / DRAWS));
}
END_TEST

START_TEST(aborts_on_a_generator_of_another_type) {
    const struct random_name name = {.workload = "", .variable = ""};
    gsl_rng *other = gsl_rng_alloc(gsl_rng_mt19937);
    random_gsl_name(other, &name);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/random_gsl");
    TCase *tcase = tcase_create("random_gsl");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, draws_the_values_of_its_named_stream);
    tcase_add_test(tcase, set_names_the_stream_by_its_seed);
    tcase_add_test(tcase, copies_go_on_alike);
    tcase_add_test(tcase, feeds_the_laws_of_gsl);
    tcase_add_test_raise_signal(tcase, aborts_on_a_generator_of_another_type, SIGABRT);
    return suite_run(suite);
}
