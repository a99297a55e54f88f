#include "sim/random.h"

#include "sim/hash.h"
#include "sim/ziggurat_table.h"
#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 1000000

static const struct random_name base = {
    .seed = 1, .replication = 0, .workload = "score", .variable = "arrivals"};

START_TEST(equal_names_give_equal_values) {
    struct random_stream a;
    struct random_stream b;
    random_init(&a, &base);
    random_init(&b, &base);
    for (size_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(random_next(&a), random_next(&b));
    }
    ck_assert_uint_eq(random_name_hash(&base), random_name_hash(&base));
}
END_TEST

/* Names that differ in one part, or only in where one text ends and the next begins. */
START_TEST(different_names_give_different_streams) {
    static const struct random_name names[] = {
        {1, 0, "score", "arrivals"},
        {2, 0, "score", "arrivals"},
        {1, 1, "score", "arrivals"},
        {0, 1, "score", "arrivals"},
        {1, 0, "top", "arrivals"},
        {1, 0, "score", "field:player"},
        {1, 0, "", "scorearrivals"},
        {1, 0, "scorearrivals", ""},
        {1, 0, "scorea", "rrivals"},
        {1, 0, "arrivals", "score"},
        {1, 0, "", ""},
        {0, 0, "", ""},
    };
    enum { COUNT = sizeof names / sizeof names[0] };
    uint64_t first[COUNT];
    uint64_t hashes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        struct random_stream stream;
        random_init(&stream, &names[i]);
        first[i] = random_next(&stream);
        hashes[i] = random_name_hash(&names[i]);
        for (size_t j = 0; j < i; j++) {
            ck_assert_uint_ne(first[i], first[j]);
            ck_assert_uint_ne(hashes[i], hashes[j]);
        }
    }
}
END_TEST

/* Pins the encoding of names: a change would silently change every published figure. */
START_TEST(named_stream_has_not_changed) {
    struct random_stream stream;
    random_init(&stream, &base);
    uint64_t first = random_next(&stream);
    ck_assert_uint_eq(first, UINT64_C(0xc398c7c8e087e733));
    ck_assert_uint_eq(random_name_hash(&base), UINT64_C(0x24f39ec30c3ffbcd));
}
END_TEST

START_TEST(takes_names_of_any_length) {
    static char longest[100001];
    memset(longest, 'x', sizeof longest - 1);
    struct random_name name = {.seed = 1, .workload = longest, .variable = "v"};
    uint64_t whole = random_name_hash(&name);
    longest[sizeof longest - 2] = '\0';
    ck_assert_uint_ne(random_name_hash(&name), whole);
}
END_TEST

/* Single draws and fills of every size in a drawn order, against single draws alone. */
START_TEST(fills_what_single_draws_would_give) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random_name name = base;
        name.seed = seed;
        struct random_stream mixed;
        struct random_stream single;
        random_init(&mixed, &name);
        random_init(&single, &name);
        static uint64_t values[2048];
        for (uint64_t i = 0; i < 200; i++) {
            uint64_t draw = hash_draw(seed, i, 0);
            size_t count = (size_t)(draw % (UINT64_C(1) << (draw >> 32) % 12));
            if (draw >> 63 != 0) {
                count = 1;
                values[0] = random_next(&mixed);
            } else {
                random_fill(&mixed, values, count);
            }
            for (size_t j = 0; j < count; j++) {
                if (values[j] != random_next(&single)) {
                    ck_abort_msg("seed %llu, step %llu, value %zu", (unsigned long long)seed,
                                 (unsigned long long)i, j);
                }
            }
        }
    }
}
END_TEST

START_TEST(units_lie_in_the_half_open_interval) {
    struct random_stream stream;
    random_init(&stream, &base);
    double sum = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double unit = random_unit(&stream);
        if (!(unit >= 0.0 && unit < 1.0)) {
            ck_abort_msg("draw %zu is %g", i, unit);
        }
        sum += unit;
    }
    ck_assert_double_eq_tol(sum / DRAWS, 0.5, 5.0 / sqrt(12.0 * DRAWS));
    stream.buffer[0] = UINT64_MAX;
    stream.buffer[1] = 0;
    stream.next = 0;
    ck_assert_double_lt(random_unit(&stream), 1.0);
    ck_assert_double_eq(random_unit(&stream), 0.0);
}
END_TEST

/* A bound of 3/4 of 2^64: without rejection a third of the values would come twice as often. */
START_TEST(below_is_exact_for_bounds_that_divide_badly) {
    struct random_stream stream;
    random_init(&stream, &base);
    const uint64_t n = UINT64_C(3) << 62;
    size_t thirds[3] = {0};
    for (size_t i = 0; i < 3 * 100000; i++) {
        uint64_t value = random_below(&stream, n);
        if (value >= n) {
            ck_abort_msg("draw %zu is %llu", i, (unsigned long long)value);
        }
        thirds[value % 3]++;
    }
    double chi_square = 0;
    for (size_t i = 0; i < 3; i++) {
        chi_square += ((double)thirds[i] - 1e5) * ((double)thirds[i] - 1e5) / 1e5;
    }
    ck_assert_double_lt(chi_square, 18.4); /* 2 degrees of freedom, 99.99 % */
}
END_TEST

/* The rejected value is the one whose product's low half falls below 2^64 mod n. */
START_TEST(below_draws_again_in_the_biased_tail) {
    struct random_stream stream;
    random_init(&stream, &base);
    stream.buffer[0] = 0; /* low half 0: rejected unless n is a power of two */
    stream.buffer[1] = UINT64_MAX;
    stream.next = 0;
    ck_assert_uint_eq(random_below(&stream, 3), 2);
    ck_assert_uint_eq(stream.next, 2);
    stream.next = 0;
    ck_assert_uint_eq(random_below(&stream, 4), 0);
    ck_assert_uint_eq(stream.next, 1);
    ck_assert_uint_eq(random_below(&stream, 1), 0);
    ck_assert_uint_eq(stream.next, 2);
}
END_TEST

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double exponentials[DRAWS];

static void draw_exponentials(uint64_t seed) {
    struct random_name name = base;
    name.seed = seed;
    struct random_stream stream;
    random_init(&stream, &name);
    for (size_t i = 0; i < DRAWS; i++) {
        exponentials[i] = random_exponential(&stream);
    }
}

/* Kolmogorov-Smirnov against 1 - exp(-x): sqrt(n) D exceeds 2.2 in one of 8,000 sound generators.
 * */
START_TEST(exponentials_follow_the_exact_law) {
    draw_exponentials((uint64_t)_i);
    qsort(exponentials, DRAWS, sizeof exponentials[0], compare_doubles);
    double distance = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double exact = -expm1(-exponentials[i]);
        distance = fmax(distance, fmax(exact - (double)i / DRAWS, (double)(i + 1) / DRAWS - exact));
    }
    ck_assert_msg(sqrt(DRAWS) * distance < 2.2, "seed %d: sqrt(n) D = %g", _i,
                  sqrt(DRAWS) * distance);
    ck_assert_double_ge(exponentials[0], 0.0);
}
END_TEST

/* Moments of the law are k!; the sample's k-th has standard error sqrt(((2k)! - k!^2) / n). */
START_TEST(exponentials_have_the_exact_moments) {
    draw_exponentials((uint64_t)_i);
    double sums[3] = {0};
    size_t beyond_tail = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double x = exponentials[i];
        sums[0] += x;
        sums[1] += (x - 1) * (x - 1);
        sums[2] += x * x * x;
        beyond_tail += x > ZIGGURAT_TAIL;
    }
    ck_assert_double_eq_tol(sums[0] / DRAWS, 1.0, 5 * sqrt(1.0 / DRAWS));
    ck_assert_double_eq_tol(sums[1] / DRAWS, 1.0, 5 * sqrt(8.0 / DRAWS));
    ck_assert_double_eq_tol(sums[2] / DRAWS, 6.0, 5 * sqrt(684.0 / DRAWS));
    double expected = DRAWS * exp(-ZIGGURAT_TAIL);
    ck_assert_double_eq_tol((double)beyond_tail, expected, 5 * sqrt(expected));
}
END_TEST

/* Chi-square over 2,000 equally likely cells: finer than the 256 layers, so that a wrong one shows.
 * */
START_TEST(exponentials_are_even_on_a_fine_grid) {
    enum { CELLS = 2000 };
    static uint32_t cells[CELLS];
    for (uint64_t round = 0; round < LAW_DRAWS / DRAWS; round++) {
        draw_exponentials((uint64_t)_i * 100 + round);
        for (size_t i = 0; i < DRAWS; i++) {
            cells[(size_t)(exp(-exponentials[i]) * CELLS) % CELLS]++;
        }
    }
    const double expected = (double)LAW_DRAWS / CELLS;
    double chi_square = 0;
    for (size_t i = 0; i < CELLS; i++) {
        chi_square += ((double)cells[i] - expected) * ((double)cells[i] - expected) / expected;
    }
    double spread = sqrt(2.0 * (CELLS - 1));
    ck_assert_msg(fabs(chi_square - (CELLS - 1)) < 4.5 * spread, "seed %d: chi-square %g on %d", _i,
                  chi_square, CELLS - 1);
}
END_TEST

/* The table from its formulas, in long double: no entry may be off by more than its rounding. */
START_TEST(ziggurat_table_fits_its_formulas) {
    const long double r = ZIGGURAT_TAIL;
    const long double area = (r + 1) * expl(-r);
    long double x = r + 1;
    long double next = r;
    long double density = expl(-r);
    for (size_t i = 0; i < ZIGGURAT_LAYERS; i++) {
        const struct ziggurat_layer *layer = &ziggurat_layers[i];
        ck_assert_double_eq_tol(layer->width * 0x1p53, (double)x, 1e-12);
        ck_assert_double_eq_tol((double)layer->accept * 0x1p-53, (double)(next / x), 1e-12);
        ck_assert_double_eq_tol(ziggurat_density[i + 1], (double)density, 1e-13);
        x = next;
        density += area / x;
        next = i + 2 < ZIGGURAT_LAYERS ? -logl(density) : 0.0L;
    }
    ck_assert_uint_eq(ziggurat_layers[ZIGGURAT_LAYERS - 1].accept, 0);
    ck_assert_double_eq(ziggurat_density[ZIGGURAT_LAYERS], 1.0);
}
END_TEST

/* Drives each way through the sampler by hand: layer in bits 0-7, position in bits 11-63. */
START_TEST(exponential_takes_the_way_of_its_layer) {
    struct random_stream stream;
    random_init(&stream, &base);
    const uint64_t top = UINT64_MAX << 11;
    stream.buffer[0] = (UINT64_C(1) << 63) | 9; /* half of layer 9: inside */
    stream.buffer[1] = top;                     /* base, past r: tail, begins again … */
    stream.buffer[2] = 1;                       /* … at 0 of layer 1 */
    stream.buffer[3] = top | 9;                 /* right end of layer 9, wedge … */
    stream.buffer[4] = UINT64_MAX;              /* … at its upper edge: refused */
    stream.buffer[5] = top | 9;                 /* … again … */
    stream.buffer[6] = 0;                       /* … at its lower edge: taken */
    stream.next = 0;
    const double x9 = ziggurat_layers[9].width * 0x1p53;
    ck_assert_double_eq_tol(random_exponential(&stream), x9 / 2, 1e-12);
    ck_assert_double_eq_tol(random_exponential(&stream), ZIGGURAT_TAIL, 1e-12);
    ck_assert_uint_eq(stream.next, 3);
    stream.buffer[5] = 2; /* the refused wedge starts over: 0 of layer 2 */
    ck_assert_double_eq(random_exponential(&stream), 0.0);
    ck_assert_uint_eq(stream.next, 6);
    stream.buffer[5] = top | 9;
    stream.next = 5;
    ck_assert_double_eq_tol(random_exponential(&stream), x9, 1e-12);
    ck_assert_uint_eq(stream.next, 7);
    stream.buffer[7] = top; /* beyond the tail's start twice: a tail of a tail */
    stream.buffer[8] = top;
    stream.buffer[9] = 1;
    ck_assert_double_eq_tol(random_exponential(&stream), 2 * ZIGGURAT_TAIL, 1e-12);
    ck_assert_uint_eq(stream.next, 10);
}
END_TEST

START_TEST(aborts_on_below_nothing) {
    struct random_stream stream;
    random_init(&stream, &base);
    random_below(&stream, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/random");
    TCase *tcase = tcase_create("random");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, equal_names_give_equal_values);
    tcase_add_test(tcase, different_names_give_different_streams);
    tcase_add_test(tcase, named_stream_has_not_changed);
    tcase_add_test(tcase, takes_names_of_any_length);
    tcase_add_test(tcase, fills_what_single_draws_would_give);
    tcase_add_test(tcase, units_lie_in_the_half_open_interval);
    tcase_add_test(tcase, below_is_exact_for_bounds_that_divide_badly);
    tcase_add_test(tcase, below_draws_again_in_the_biased_tail);
    tcase_add_loop_test(tcase, exponentials_follow_the_exact_law, 1, 4);
    tcase_add_loop_test(tcase, exponentials_have_the_exact_moments, 1, 4);
    tcase_add_loop_test(tcase, exponentials_are_even_on_a_fine_grid, 1, 4);
    tcase_add_test(tcase, ziggurat_table_fits_its_formulas);
    tcase_add_test(tcase, exponential_takes_the_way_of_its_layer);
    tcase_add_test_raise_signal(tcase, aborts_on_below_nothing, SIGABRT);
    return suite_run(suite);
}
