/* Masses against what they are said to be: YCSB's formula evaluated as YCSB does, and cumulative
 * laws by GSL. */
#include "workloads/mass.h"

#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

/* ZipfianGenerator.nextLong for u, with its constants; theta and items as there. */
struct ycsb {
    double items, theta, zeta, eta, alpha;
};

static void open_ycsb(struct ycsb *ycsb, uint64_t items, double theta) {
    double zeta = 0.0, zeta_2 = 1.0 + pow(0.5, theta);
    for (uint64_t i = 1; i <= items; i++) {
        zeta += 1.0 / pow((double)i, theta);
    }
    *ycsb = (struct ycsb){.items = (double)items, .theta = theta, .zeta = zeta};
    ycsb->alpha = 1.0 / (1.0 - theta);
    ycsb->eta = (1.0 - pow(2.0 / ycsb->items, 1.0 - theta)) / (1.0 - zeta_2 / zeta);
}

static uint64_t ycsb_number(const struct ycsb *ycsb, double u) {
    double uz = u * ycsb->zeta;
    if (uz < 1.0) {
        return 0;
    }
    if (uz < 1.0 + pow(0.5, ycsb->theta)) {
        return 1;
    }
    return (uint64_t)(ycsb->items * pow(ycsb->eta * u - ycsb->eta + 1.0, ycsb->alpha));
}

/* The least u that gives number or more, by halving: the formula's own P(below number). */
static double share_below(const struct ycsb *ycsb, uint64_t number) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (ycsb_number(ycsb, middle) >= number) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

START_TEST(ycsb_masses_are_those_of_its_formula) {
    static const double exponents[] = {0.0, 0.3, 0.5, 0.9, 0.99};
    static const uint64_t sizes[] = {1, 2, 3, 10, 1000, 1000000};
    const uint64_t n = sizes[_i];
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        struct field_spec spec = {.law = FIELD_YCSB_ZIPFIAN, .n = n, .exponent = exponents[e]};
        struct mass mass;
        struct ycsb ycsb;
        double sum = 0.0;
        open_ycsb(&ycsb, n, exponents[e]);
        mass_init(&mass, &spec);
        for (uint64_t k = 0; k < n; k++) {
            bool is_looked_at = k < 300 || k % 9973 == 0 || k == n - 1;
            if (is_looked_at && n > 2) {
                double expected = share_below(&ycsb, k);
                ck_assert_msg(fabs(sum - expected) < 1e-10, "n %llu, s %g, below %llu: %g, not %g",
                              (unsigned long long)n, exponents[e], (unsigned long long)k, sum,
                              expected);
            }
            sum += mass_of(&mass, k);
        }
        ck_assert_double_eq_tol(sum, 1.0, 1e-10);
    }
}
END_TEST

/* The published bias at s = 0.99 and 1e6 items: ranks 3, 4, 5, 10 are drawn 19, 13, 10 and 3.5 %
 * too often, those far down about 1 % too seldom. */
START_TEST(ycsb_masses_are_off_zipf_as_published) {
    static const struct {
        uint64_t rank;
        double factor, tolerance;
    } rows[] = {{1, 1.0, 1e-9},   {2, 1.0, 1e-9},     {3, 1.19, 0.005},    {4, 1.13, 0.005},
                {5, 1.10, 0.005}, {10, 1.035, 0.005}, {1000, 0.985, 0.005}};
    const struct field_spec spec = {.law = FIELD_YCSB_ZIPFIAN, .n = 1000000, .exponent = 0.99};
    struct mass mass;
    struct ycsb ycsb;
    mass_init(&mass, &spec);
    open_ycsb(&ycsb, spec.n, spec.exponent);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double zipf = pow((double)rows[i].rank, -spec.exponent) / ycsb.zeta;
        ck_assert_double_eq_tol(mass_of(&mass, rows[i].rank - 1) / zipf, rows[i].factor,
                                rows[i].tolerance);
    }
}
END_TEST

/* ScrambledZipfianGenerator.ZETAN, the sum over 1e10 items that YCSB carries as a constant. */
START_TEST(ycsb_share_of_ten_thousand_million_items_is_its_constant) {
    const struct field_spec spec = {
        .law = FIELD_YCSB_ZIPFIAN, .n = UINT64_C(10000000000) + 1, .exponent = 0.99};
    struct mass mass;
    mass_init(&mass, &spec);
    ck_assert_double_eq_tol(1.0 / mass_of(&mass, 0), 26.46902820178302, 1e-6);
}
END_TEST

static const struct field_spec bells[] = {
    {.law = FIELD_NORMAL, .n = 101, .mean = 50.3, .sd = 10},
    {.law = FIELD_NORMAL, .n = 201, .first = -100, .mean = -20, .sd = 70},
    {.law = FIELD_NORMAL, .n = 10, .first = 5, .mean = 8, .sd = 0.001},
    {.law = FIELD_NORMAL, .n = 10, .first = 5, .mean = 100, .sd = 1},
    {.law = FIELD_NORMAL, .n = 40001, .first = -20000, .mean = 3, .sd = 3000},
    {.law = FIELD_NORMAL, .n = 1, .first = 7, .mean = 0, .sd = 1},
    {.law = FIELD_NORMAL, .n = 2, .first = 7, .mean = 7, .sd = 1},
    {.law = FIELD_LOGNORMAL, .n = 1000, .median = 50, .p99 = 400},
    {.law = FIELD_LOGNORMAL, .n = 30000, .first = 10, .median = 5000, .p99 = 6000},
    {.law = FIELD_LOGNORMAL, .n = 100, .median = 0.2, .p99 = 500},
    {.law = FIELD_EXPONENTIAL, .n = 1000, .first = -4, .mean = 77.7},
    {.law = FIELD_EXPONENTIAL, .n = 5, .mean = 0.001},
    {.law = FIELD_EXPONENTIAL, .n = 1, .mean = 10},
    {.law = FIELD_EXPONENTIAL, .n = 20000, .mean = 1e6},
};
enum { BELLS = sizeof bells / sizeof bells[0] };

/* P(value <= number's), by GSL's cumulative law at the edge that the rounding has. */
static double share_up_to(const struct field_spec *spec, uint64_t number) {
    double value = (double)spec->first + (double)number;
    if (number == spec->n - 1) {
        return 1.0;
    }
    switch (spec->law) {
    case FIELD_NORMAL: return gsl_cdf_gaussian_P(value + 0.5 - spec->mean, spec->sd);
    case FIELD_LOGNORMAL: {
        double sigma = log(spec->p99 / spec->median) / gsl_cdf_ugaussian_Pinv(0.99);
        return gsl_cdf_lognormal_P(value + 0.5, log(spec->median), sigma);
    }
    default: return gsl_cdf_exponential_P((double)number + 1.0, spec->mean);
    }
}

START_TEST(masses_add_up_to_the_cumulative_law) {
    struct mass mass;
    double sum = 0.0;
    mass_init(&mass, &bells[_i]);
    for (uint64_t k = 0; k < bells[_i].n; k++) {
        double each = mass_of(&mass, k);
        ck_assert_double_ge(each, 0.0);
        sum += each;
        ck_assert_msg(fabs(sum - share_up_to(&bells[_i], k)) < 1e-11, "law %d, up to %llu: %.15g",
                      _i, (unsigned long long)k, sum);
    }
}
END_TEST

START_TEST(masses_rise_to_the_mode_and_fall_from_it) {
    struct mass mass;
    mass_init(&mass, &bells[_i]);
    const uint64_t n = mass.n;
    ck_assert(mass.mode < n && mass.lowest < n && mass.highest < n);
    for (uint64_t k = 1; k + 2 < n; k++) {
        double here = mass_of(&mass, k), next = mass_of(&mass, k + 1);
        if (k + 1 < mass.mode) {
            ck_assert_double_le(here, next * (1.0 + 1e-10));
        } else if (k > mass.mode) {
            ck_assert_double_ge(here * (1.0 + 1e-10), next);
        }
        if (k < mass.lowest || k > mass.highest) {
            ck_assert_double_lt(here, 0x1p-70);
        }
    }
}
END_TEST

/* Far from what can be added up: the density times the width. */
START_TEST(masses_of_wide_laws_are_their_density) {
    struct mass mass;
    const double sd = 0x1p40;
    const struct field_spec spec = {.law = FIELD_NORMAL,
                                    .n = UINT64_C(1) << 48,
                                    .first = -(INT64_C(1) << 47),
                                    .mean = 12345,
                                    .sd = sd};
    mass_init(&mass, &spec);
    for (double z = -9.0; z <= 9.0; z += 0.5) {
        uint64_t number = (uint64_t)(0x1p47 + 12345 + z * sd);
        double density = exp(-0.5 * z * z) / sqrt(2.0 * M_PI) / sd;
        ck_assert_double_eq_tol(mass_of(&mass, number) / density, 1.0, 1e-9);
    }
}
END_TEST

static const struct field_spec refused[] = {
    {.law = FIELD_NORMAL, .n = 0, .mean = 1, .sd = 1},
    {.law = FIELD_NORMAL, .n = (UINT64_C(1) << 48) + 1, .mean = 1, .sd = 1},
    {.law = FIELD_NORMAL, .n = 5, .mean = 1, .sd = 0},
    {.law = FIELD_NORMAL, .n = 5, .mean = INFINITY, .sd = 1},
    {.law = FIELD_LOGNORMAL, .n = 5, .median = 0, .p99 = 1},
    {.law = FIELD_LOGNORMAL, .n = 5, .median = 2, .p99 = 2},
    {.law = FIELD_LOGNORMAL, .n = 5, .first = -1, .median = 2, .p99 = 3},
    {.law = FIELD_EXPONENTIAL, .n = 5, .mean = 0},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 5, .exponent = 1},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 5, .exponent = -0.1},
    {.law = FIELD_UNIFORM, .n = 5},
};
enum { REFUSED = sizeof refused / sizeof refused[0] };

START_TEST(aborts_on_a_law_out_of_range) {
    struct mass mass;
    mass_init(&mass, &refused[_i]);
}
END_TEST

START_TEST(aborts_on_a_number_out_of_range) {
    struct mass mass;
    mass_init(&mass, &bells[0]);
    mass_of(&mass, bells[0].n);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/mass");
    TCase *tcase = tcase_create("mass");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, ycsb_masses_are_those_of_its_formula, 0, 6);
    tcase_add_test(tcase, ycsb_masses_are_off_zipf_as_published);
    tcase_add_test(tcase, ycsb_share_of_ten_thousand_million_items_is_its_constant);
    tcase_add_loop_test(tcase, masses_add_up_to_the_cumulative_law, 0, BELLS);
    tcase_add_loop_test(tcase, masses_rise_to_the_mode_and_fall_from_it, 0, BELLS);
    tcase_add_test(tcase, masses_of_wide_laws_are_their_density);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_a_law_out_of_range, SIGABRT, 0, REFUSED);
    tcase_add_test_raise_signal(tcase, aborts_on_a_number_out_of_range, SIGABRT);
    return suite_run(suite);
}
