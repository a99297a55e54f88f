#include "analysis/statistics.h"

#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdint.h>

#define EXPERIMENTS 10000
#define SAMPLE 20

static struct moments moments_of(const double *values, uint32_t count) {
    struct moments moments = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        moments_add(&moments, values[i]);
    }
    return moments;
}

START_TEST(means_and_deviations_are_those_of_the_text_book) {
    const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    const struct moments moments = moments_of(values, 4);
    ck_assert_double_eq(moments.mean, 1e9 + 10);
    ck_assert_double_eq_tol(moments_deviation(&moments), sqrt(30), 1e-12);
    const struct interval interval = statistics_mean(&moments, 0.95);
    /* t(0.975, 3) = 3.182446 */
    ck_assert_double_eq_tol(interval.high - interval.estimate, 3.182446 * sqrt(30) / 2, 1e-5);
    ck_assert_double_eq_tol(interval.estimate - interval.low, 3.182446 * sqrt(30) / 2, 1e-5);
}
END_TEST

START_TEST(one_value_has_no_interval_and_none_has_no_mean) {
    const double value = 3;
    struct moments moments = moments_of(&value, 1);
    const struct interval one = statistics_mean(&moments, 0.95);
    ck_assert_double_eq(one.estimate, 3);
    ck_assert(isnan(one.low) && isnan(one.high) && isnan(moments_deviation(&moments)));
    ck_assert(!statistics_is_precise(&one, 1e9) && !statistics_differs(&one));
    moments = (struct moments){.count = 0};
    ck_assert(isnan(statistics_mean(&moments, 0.95).estimate));
}
END_TEST

/* Exact bounds, from tables of Clopper and Pearson's intervals. */
static const struct {
    uint64_t hits, count;
    double low, high;
} shares[] = {
    {0, 10, 0, 0.308497},        {10, 10, 0.691503, 1},         {5, 10, 0.187086, 0.812914},
    {1, 20, 0.001265, 0.248733}, {95, 100, 0.887165, 0.983568},
};

START_TEST(bounds_of_shares_are_exact) {
    const struct interval share = statistics_share(shares[_i].hits, shares[_i].count, 0.95);
    ck_assert_double_eq_tol(share.low, shares[_i].low, 1e-6);
    ck_assert_double_eq_tol(share.high, shares[_i].high, 1e-6);
}
END_TEST

/* No failure in n trials: the bound is α^(1/n); 59 of 59 show 95 %, 58 of 58 do not. */
START_TEST(samples_without_a_failure_have_a_bound) {
    ck_assert_double_eq_tol(statistics_share_low(59, 59, 0.95), pow(0.05, 1.0 / 59), 1e-12);
    ck_assert(statistics_share_low(59, 59, 0.95) > 0.95);
    ck_assert(statistics_share_low(58, 58, 0.95) < 0.95);
    ck_assert_double_eq(statistics_share_low(0, 7, 0.95), 0);
}
END_TEST

/* 971 of 1,000 is where GSL's own inverse gives up. */
START_TEST(bounds_of_shares_rise_with_the_hits_wherever_they_are) {
    double before = 0;
    for (uint64_t hits = 1; hits <= 1000; hits++) {
        const double low = statistics_share_low(hits, 1000, 0.95);
        ck_assert_msg(low > before && low < (double)hits / 1000, "%d hits: %g", (int)hits, low);
        before = low;
    }
    ck_assert_double_eq_tol(statistics_share_low(971, 1000, 0.95), 0.960668, 1e-6);
}
END_TEST

/* A standard normal variate: Marsaglia's polar method. */
static double draw_normal(struct random_stream *stream) {
    double x, squares;
    do {
        x = 2 * random_unit(stream) - 1;
        const double y = 2 * random_unit(stream) - 1;
        squares = x * x + y * y;
    } while (squares >= 1 || squares == 0);
    return x * sqrt(-2 * log(squares) / squares);
}

static struct random_stream open_stream(const char *variable) {
    const struct random_name name = {
        .seed = 1, .replication = 0, .workload = "", .variable = variable};
    struct random_stream stream;
    random_init(&stream, &name);
    return stream;
}

START_TEST(means_of_normal_samples_are_covered) {
    struct random_stream stream = open_stream("normal");
    uint32_t covered = 0;
    for (uint32_t i = 0; i < EXPERIMENTS; i++) {
        struct moments moments = {.count = 0};
        for (uint32_t k = 0; k < SAMPLE; k++) {
            moments_add(&moments, 7 + 3 * draw_normal(&stream));
        }
        const struct interval interval = statistics_mean(&moments, 0.95);
        covered += interval.low <= 7 && 7 <= interval.high;
    }
    ck_assert_uint_ge(covered, EXPERIMENTS * 94 / 100);
    ck_assert_uint_le(covered, EXPERIMENTS * 96 / 100);
}
END_TEST

/* b = a + 1 + noise, with most of the spread in a: pairing takes it out. */
START_TEST(differences_under_common_numbers_are_covered_and_narrow) {
    struct random_stream stream = open_stream("paired");
    uint32_t covered = 0;
    double paired_width = 0, unpaired_width = 0;
    for (uint32_t i = 0; i < EXPERIMENTS; i++) {
        struct moments differences = {.count = 0}, alone = {.count = 0};
        for (uint32_t k = 0; k < SAMPLE; k++) {
            const double a = 10 * draw_normal(&stream);
            const double b = a + 1 + draw_normal(&stream);
            moments_add(&differences, b - a);
            moments_add(&alone, b);
        }
        const struct interval difference = statistics_mean(&differences, 0.95);
        const struct interval mean = statistics_mean(&alone, 0.95);
        covered += difference.low <= 1 && 1 <= difference.high;
        paired_width += difference.high - difference.low;
        unpaired_width += mean.high - mean.low;
    }
    ck_assert_uint_ge(covered, EXPERIMENTS * 94 / 100);
    ck_assert_uint_le(covered, EXPERIMENTS * 96 / 100);
    ck_assert_double_lt(paired_width * 5, unpaired_width);
}
END_TEST

/* The M/D/1 queue at a load of 0.5 waits for half a service time in the mean (Pollaczek and
 * Khinchine); batches are long against its memory. */
START_TEST(batch_means_of_a_queue_are_covered) {
    enum { WARM_UP = 200, BATCHES = 20, BATCH = 200, QUEUES = 1000 };
    struct random_stream stream = open_stream("queue");
    uint32_t covered = 0;
    for (uint32_t i = 0; i < QUEUES; i++) {
        struct moments batches = {.count = 0};
        double wait = 0;
        for (uint32_t k = 0; k < WARM_UP; k++) {
            wait = fmax(0, wait + 1 - 2 * random_exponential(&stream));
        }
        for (uint32_t k = 0; k < BATCHES; k++) {
            double sum = 0;
            for (uint32_t j = 0; j < BATCH; j++) {
                wait = fmax(0, wait + 1 - 2 * random_exponential(&stream));
                sum += wait;
            }
            moments_add(&batches, sum / BATCH);
        }
        const struct interval interval = statistics_mean(&batches, 0.95);
        covered += interval.low <= 0.5 && 0.5 <= interval.high;
    }
    /* 1,000 queues: 95 % ± 1.35 % are two deviations, and batches lean a little */
    ck_assert_uint_ge(covered, QUEUES * 92 / 100);
    ck_assert_uint_le(covered, QUEUES * 97 / 100);
}
END_TEST

static const double probabilities[] = {0.001, 0.05, 0.5, 0.95};

START_TEST(exact_bounds_cover_at_least_what_they_say) {
    struct random_stream stream = open_stream("trials");
    uint32_t covered = 0, covered_low = 0;
    for (uint32_t i = 0; i < EXPERIMENTS; i++) {
        uint64_t hits = 0;
        for (uint32_t k = 0; k < SAMPLE; k++) {
            hits += random_unit(&stream) < probabilities[_i];
        }
        const struct interval share = statistics_share(hits, SAMPLE, 0.95);
        covered += share.low <= probabilities[_i] && probabilities[_i] <= share.high;
        covered_low += statistics_share_low(hits, SAMPLE, 0.95) <= probabilities[_i];
    }
    ck_assert_uint_ge(covered, EXPERIMENTS * 95 / 100);
    ck_assert_uint_ge(covered_low, EXPERIMENTS * 95 / 100);
}
END_TEST

START_TEST(several_intervals_are_wider_so_that_all_hold) {
    ck_assert_double_eq_tol(statistics_each(0.95, 1), 0.95, 1e-15);
    ck_assert_double_eq_tol(statistics_each(0.95, 10), 0.995, 1e-15);
    struct random_stream stream = open_stream("several");
    uint32_t all = 0;
    for (uint32_t i = 0; i < EXPERIMENTS / 10; i++) {
        bool held = true;
        for (uint32_t m = 0; m < 10; m++) {
            struct moments moments = {.count = 0};
            for (uint32_t k = 0; k < SAMPLE; k++) {
                moments_add(&moments, draw_normal(&stream));
            }
            const struct interval interval = statistics_mean(&moments, statistics_each(0.95, 10));
            held = held && interval.low <= 0 && 0 <= interval.high;
        }
        all += held;
    }
    ck_assert_uint_ge(all, EXPERIMENTS / 10 * 93 / 100);
}
END_TEST

START_TEST(precision_and_difference_look_at_the_bounds) {
    const struct interval wide = {100, 98, 102}, below = {-2, -3, -1}, around = {0.1, -0.1, 0.3};
    ck_assert(statistics_is_precise(&wide, 0.02) && !statistics_is_precise(&wide, 0.019));
    ck_assert(statistics_differs(&below) && !statistics_differs(&around));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/statistics");
    TCase *tcase = tcase_create("statistics");
    tcase_add_test(tcase, means_and_deviations_are_those_of_the_text_book);
    tcase_add_test(tcase, one_value_has_no_interval_and_none_has_no_mean);
    tcase_add_test(tcase, bounds_of_shares_rise_with_the_hits_wherever_they_are);
    tcase_add_loop_test(tcase, bounds_of_shares_are_exact, 0,
                        (int)(sizeof shares / sizeof *shares));
    tcase_add_test(tcase, samples_without_a_failure_have_a_bound);
    tcase_add_test(tcase, means_of_normal_samples_are_covered);
    tcase_add_test(tcase, differences_under_common_numbers_are_covered_and_narrow);
    tcase_add_test(tcase, batch_means_of_a_queue_are_covered);
    tcase_add_loop_test(tcase, exact_bounds_cover_at_least_what_they_say, 0,
                        (int)(sizeof probabilities / sizeof *probabilities));
    tcase_add_test(tcase, several_intervals_are_wider_so_that_all_hold);
    tcase_add_test(tcase, precision_and_difference_look_at_the_bounds);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
