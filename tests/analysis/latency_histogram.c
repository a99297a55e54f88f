#include "analysis/latency_histogram.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct latency_histogram histogram;

static void set_up(void) {
    arena_init(&arena);
    err = (struct err){.kind = ERR_NONE};
    ck_assert(latency_histogram_init(&histogram, &arena, &err));
}

static void tear_down(void) {
    arena_fini(&arena);
}

static int compare(const void *a, const void *b) {
    sim_ns x = *(const sim_ns *)a, y = *(const sim_ns *)b;
    return (x > y) - (x < y);
}

/* Log-uniform over all of sim_ns: every octave is hit. */
static sim_ns draw_ns(uint64_t seed, uint64_t i) {
    uint64_t bits = hash_draw(seed, i, 0);
    return (sim_ns)(bits >> (1 + hash_draw(seed, i, 1) % 63));
}

START_TEST(quantiles_are_at_most_a_128th_above_the_exact_ones) {
    static const double fractions[] = {1e-9, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0};
    enum { VALUES = 20011 };
    static sim_ns values[VALUES];
    printf("seed %d\n", _i);
    for (uint64_t i = 0; i < VALUES; i++) {
        values[i] = draw_ns((uint64_t)_i, i);
        latency_histogram_record(&histogram, values[i]);
    }
    qsort(values, VALUES, sizeof values[0], compare);
    for (size_t i = 0; i < sizeof fractions / sizeof fractions[0]; i++) {
        size_t rank = (size_t)ceil(fractions[i] * VALUES);
        sim_ns exact_ns = values[rank - 1];
        sim_ns found_ns = latency_histogram_quantile_ns(&histogram, fractions[i]);
        ck_assert_msg(found_ns >= exact_ns && found_ns - exact_ns <= exact_ns / 128,
                      "fraction %g: exact %" PRId64 ", found %" PRId64, fractions[i], exact_ns,
                      found_ns);
        if (exact_ns < 256) {
            ck_assert_int_eq(found_ns, exact_ns);
        }
    }
    ck_assert_int_eq(latency_histogram_quantile_ns(&histogram, 1.0), values[VALUES - 1]);
}
END_TEST

START_TEST(counts_each_value_in_the_bucket_that_covers_it) {
    enum { VALUES = 100000 };
    for (sim_ns value_ns = 0; value_ns < VALUES; value_ns++) {
        latency_histogram_record(&histogram, value_ns);
    }
    uint32_t cursor = 0;
    struct latency_bucket bucket;
    sim_ns next_ns = 0;
    uint64_t total = 0;
    while (latency_histogram_next(&histogram, &cursor, &bucket)) {
        sim_ns last_ns = bucket.le_ns < VALUES ? bucket.le_ns : VALUES - 1;
        ck_assert_uint_eq(bucket.count, (uint64_t)(last_ns - next_ns + 1));
        ck_assert_int_le(bucket.le_ns - next_ns, next_ns / 128);
        next_ns = bucket.le_ns + 1;
        total += bucket.count;
    }
    ck_assert_uint_eq(total, VALUES);
    ck_assert(!latency_histogram_next(&histogram, &cursor, &bucket));
}
END_TEST

START_TEST(holds_the_largest_time) {
    latency_histogram_record(&histogram, INT64_MAX);
    uint32_t cursor = 0;
    struct latency_bucket bucket;
    ck_assert(latency_histogram_next(&histogram, &cursor, &bucket));
    ck_assert_int_eq(bucket.le_ns, INT64_MAX);
    ck_assert_uint_eq(bucket.count, 1);
    ck_assert_int_eq(latency_histogram_quantile_ns(&histogram, 0.5), INT64_MAX);
}
END_TEST

START_TEST(merging_equals_recording_together) {
    struct latency_histogram parts[3];
    for (size_t i = 0; i < 3; i++) {
        ck_assert(latency_histogram_init(&parts[i], &arena, &err));
    }
    for (uint64_t i = 0; i < 5000; i++) {
        sim_ns value_ns = draw_ns(7, i);
        latency_histogram_record(&parts[i % 3], value_ns);
        latency_histogram_record(&histogram, value_ns);
    }
    static const double fractions[] = {0.001, 0.5, 0.99, 1.0};
    sim_ns quantiles_ns[4];
    for (size_t i = 0; i < 4; i++) {
        quantiles_ns[i] = latency_histograms_quantile_ns(parts, 3, fractions[i]);
    }
    latency_histogram_merge(&parts[0], &parts[1]);
    latency_histogram_merge(&parts[0], &parts[2]);
    ck_assert_uint_eq(parts[0].total, histogram.total);
    ck_assert_int_eq(parts[0].max_ns, histogram.max_ns);
    for (size_t i = 0; i < 4; i++) {
        sim_ns together_ns = latency_histogram_quantile_ns(&histogram, fractions[i]);
        ck_assert_int_eq(latency_histogram_quantile_ns(&parts[0], fractions[i]), together_ns);
        ck_assert_int_eq(quantiles_ns[i], together_ns);
    }
    uint32_t merged = 0, together = 0;
    struct latency_bucket a, b;
    while (latency_histogram_next(&histogram, &together, &b)) {
        ck_assert(latency_histogram_next(&parts[0], &merged, &a));
        ck_assert_int_eq(a.le_ns, b.le_ns);
        ck_assert_uint_eq(a.count, b.count);
    }
    ck_assert(!latency_histogram_next(&parts[0], &merged, &a));
}
END_TEST

START_TEST(says_when_it_is_empty) {
    uint32_t cursor = 0;
    struct latency_bucket bucket;
    ck_assert_int_eq(latency_histogram_quantile_ns(&histogram, 0.5), -1);
    ck_assert(!latency_histogram_next(&histogram, &cursor, &bucket));
    latency_histogram_record(&histogram, 0);
    ck_assert_int_eq(latency_histogram_quantile_ns(&histogram, 0.5), 0);
}
END_TEST

START_TEST(aborts_on_a_negative_latency) {
    latency_histogram_record(&histogram, -1);
}
END_TEST

START_TEST(records_many_as_one_by_one) {
    static const sim_ns values_ns[] = {0, 1, 127, 128, 129, 5000, 5000, 3000000, INT64_MAX, 7};
    enum { VALUES = sizeof values_ns / sizeof values_ns[0] };
    struct latency_histogram all, single;
    ck_assert(latency_histogram_init(&all, &arena, &err));
    ck_assert(latency_histogram_init(&single, &arena, &err));
    latency_histogram_record_all(&all, values_ns, 0);
    ck_assert_uint_eq(all.total, 0);
    latency_histogram_record_all(&all, values_ns, 4);
    latency_histogram_record_all(&all, values_ns + 4, VALUES - 4);
    for (int i = 0; i < VALUES; i++) {
        latency_histogram_record(&single, values_ns[i]);
    }
    ck_assert_uint_eq(all.total, single.total);
    ck_assert_int_eq(all.max_ns, single.max_ns);
    uint32_t cursor = 0, other = 0;
    struct latency_bucket bucket, expected;
    while (latency_histogram_next(&single, &other, &expected)) {
        ck_assert(latency_histogram_next(&all, &cursor, &bucket));
        ck_assert_int_eq(bucket.le_ns, expected.le_ns);
        ck_assert_uint_eq(bucket.count, expected.count);
    }
    ck_assert(!latency_histogram_next(&all, &cursor, &bucket));
}
END_TEST

START_TEST(aborts_on_a_negative_latency_among_many) {
    static const sim_ns values_ns[] = {3, -1};
    struct latency_histogram all;
    ck_assert(latency_histogram_init(&all, &arena, &err));
    latency_histogram_record_all(&all, values_ns, 2);
}
END_TEST

START_TEST(a_bucket_is_the_same_by_either_way) {
    static const int64_t around[] = {-1, 0, 1};
    for (int bit = 1; bit < 63; bit++) {
        for (int i = 0; i < 3; i++) {
            const sim_ns value_ns = (INT64_C(1) << bit) + around[i];
            ck_assert_uint_eq(latency_histogram_bucket(value_ns),
                              latency_histogram_bucket_any(value_ns));
        }
    }
    for (uint64_t i = 0; i < 100000; i++) {
        const sim_ns value_ns = draw_ns(9, i);
        ck_assert_uint_eq(latency_histogram_bucket(value_ns),
                          latency_histogram_bucket_any(value_ns));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/latency_histogram");
    TCase *tcase = tcase_create("latency_histogram");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, quantiles_are_at_most_a_128th_above_the_exact_ones, 1, 11);
    tcase_add_test(tcase, counts_each_value_in_the_bucket_that_covers_it);
    tcase_add_test(tcase, records_many_as_one_by_one);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_latency_among_many, SIGABRT);
    tcase_add_test(tcase, a_bucket_is_the_same_by_either_way);
    tcase_add_test(tcase, holds_the_largest_time);
    tcase_add_test(tcase, merging_equals_recording_together);
    tcase_add_test(tcase, says_when_it_is_empty);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_latency, SIGABRT);
    return suite_run(suite);
}
