#include "workloads/arrivals.h"

#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define S SIM_NS_PER_S
#define ARRIVALS 400000

static const struct rate_point hundred = {0, 100};

static struct workload_spec bursty(sim_ns on_ns, sim_ns off_ns, double factor) {
    return (struct workload_spec){
        .arrivals = ARRIVALS_POISSON,
        .points = &hundred,
        .point_count = 1,
        .bursts = {on_ns, off_ns, factor},
        .stop_ns = -1,
    };
}

static void open_arrivals(struct arrivals *arrivals, const struct workload_spec *spec,
                          sim_ns start_ns, uint64_t seed) {
    const struct random_name name = {.seed = seed, .workload = "w", .variable = "arrivals"};
    arrivals_init(arrivals, spec, start_ns, &name);
}

/* Counts of arrivals by second: their mean and variance. */
static void count_seconds(const struct workload_spec *spec, uint64_t seed, double *mean,
                          double *variance) {
    struct arrivals arrivals;
    sim_ns times_ns[500];
    open_arrivals(&arrivals, spec, 0, seed);
    double count = 0, sum = 0, squares = 0, seconds = 0;
    sim_ns end_ns = S;
    for (int done = 0; done < ARRIVALS; done += 500) {
        ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 500), 500);
        for (int i = 0; i < 500; i++) {
            for (; times_ns[i] >= end_ns; end_ns += S) {
                sum += count;
                squares += count * count;
                seconds++;
                count = 0;
            }
            count++;
        }
    }
    *mean = sum / seconds;
    *variance = squares / seconds - *mean * *mean;
}

/* Modulation of variance V = p (1 - p) (on - off)^2 and rate of change c = 1/on + 1/off: a second's
 * count has variance m + 2 V (c - 1 + e^-c) / c^2. */
START_TEST(counts_have_the_mean_and_the_variance_of_their_law) {
    static const struct {
        double on_s, off_s, factor;
    } cases[] = {{1, 1, 2}, {0.5, 2, 3}, {2, 8, 5}, {0.1, 0.1, 1.5}, {3, 1, 1.25}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct workload_spec spec =
            bursty((sim_ns)(cases[i].on_s * S), (sim_ns)(cases[i].off_s * S), cases[i].factor);
        const double p = cases[i].on_s / (cases[i].on_s + cases[i].off_s);
        const double on = 100 * cases[i].factor, off = (100 - on * p) / (1 - p);
        const double c = 1 / cases[i].on_s + 1 / cases[i].off_s;
        const double v = p * (1 - p) * (on - off) * (on - off);
        const double expected = 100 + 2 * v * (c - 1 + exp(-c)) / (c * c);
        double mean = 0, variance = 0;
        count_seconds(&spec, 3 + i, &mean, &variance);
        /* the mean of 4,000 seconds, correlated over some of them */
        const double error = sqrt((100 + 2 * v / c) / 4000);
        ck_assert_msg(fabs(mean - 100) < 4 * error, "case %zu: mean %g", i, mean);
        ck_assert_msg(fabs(variance / expected - 1) < 0.2, "case %zu: variance %g, expected %g", i,
                      variance, expected);
    }
}
END_TEST

START_TEST(at_the_largest_factor_pauses_are_silent) {
    const struct workload_spec spec =
        bursty(10 * S, 90 * S, bursts_factor_max(10 * S, 90 * S)); /* 1,000/s, or nothing */
    struct arrivals arrivals;
    sim_ns times_ns[500], last_ns = 0, silent_ns = 0;
    open_arrivals(&arrivals, &spec, 0, 5);
    for (int done = 0; done < ARRIVALS; done += 500) {
        ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 500), 500);
        for (int i = 0; i < 500; i++) {
            ck_assert_int_ge(times_ns[i], last_ns);
            silent_ns += times_ns[i] - last_ns > S / 10 ? times_ns[i] - last_ns : 0;
            last_ns = times_ns[i];
        }
    }
    ck_assert_double_eq_tol((double)silent_ns / (double)last_ns, 0.9, 0.05);
}
END_TEST

/* With silent pauses the gaps are independent, of two exponentials mixed: Kuczura, "The Interrupted
 * Poisson Process as an Overflow Process", Bell System Technical Journal 52(3), 1973. */
START_TEST(gaps_with_silent_pauses_follow_the_exact_law_at_ten_million_draws) {
    static struct law_cells cells;
    const double on_s = 0.1, off_s = 0.3, rate = 400, leaves = 1 / on_s, comes = 1 / off_s;
    const double sum = rate + leaves + comes, root = sqrt(sum * sum - 4 * rate * comes);
    const double fast = (sum + root) / 2, slow = (sum - root) / 2;
    const double share = (rate - slow) / (fast - slow); /* of the fast one */
    for (int k = 0; k < LAW_CELLS - 1; k++) {
        double low_s = 0, high_s = 100;
        for (int i = 0; i < 200; i++) {
            const double middle_s = (low_s + high_s) / 2;
            const double longer =
                share * exp(-fast * middle_s) + (1 - share) * exp(-slow * middle_s);
            *(1 - longer < (k + 1.0) / LAW_CELLS ? &low_s : &high_s) = middle_s;
        }
        cells.edges[k] = low_s * 1e9;
    }
    const struct workload_spec spec = bursty((sim_ns)(on_s * S), (sim_ns)(off_s * S), 4);
    struct arrivals arrivals;
    sim_ns times_ns[500], last_ns = 0;
    open_arrivals(&arrivals, &spec, 0, 11);
    ck_assert_uint_eq(arrivals_fill(&arrivals, &last_ns, 1), 1); /* not after an arrival */
    for (int done = 0; done < LAW_DRAWS; done += 500) {
        ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 500), 500);
        for (int i = 0; i < 500; i++) {
            law_cells_add(&cells, (double)(times_ns[i] - last_ns));
            last_ns = times_ns[i];
        }
    }
    ck_assert_double_gt(law_cells_p(&cells), 1e-3);
}
END_TEST

START_TEST(how_times_are_split_into_calls_does_not_change_them) {
    struct workload_spec spec = bursty(S, 3 * S, 2.5);
    spec.stop_ns = 60 * S;
    struct arrivals whole, parts;
    static sim_ns expected_ns[20000], times_ns[20000];
    open_arrivals(&whole, &spec, 7 * S, 9);
    open_arrivals(&parts, &spec, 7 * S, 9);
    const size_t count = arrivals_fill(&whole, expected_ns, 20000);
    ck_assert_uint_gt(count, 1000);
    ck_assert_uint_lt(count, 20000);
    ck_assert_int_ge(expected_ns[0], 7 * S);
    ck_assert_int_lt(expected_ns[count - 1], 60 * S);
    size_t done = 0, step = 1, filled = 0;
    do {
        filled = arrivals_fill(&parts, times_ns + done, step);
        done += filled;
        step = step % 37 + 1;
    } while (filled > 0);
    ck_assert_uint_eq(done, count);
    ck_assert_mem_eq(times_ns, expected_ns, count * sizeof *times_ns);
}
END_TEST

START_TEST(aborts_on_a_factor_that_leaves_less_than_nothing) {
    const struct workload_spec spec = bursty(S, S, 2.1);
    struct arrivals arrivals;
    open_arrivals(&arrivals, &spec, 0, 1);
}
END_TEST

START_TEST(aborts_on_bursts_of_no_length) {
    const struct bursts_spec spec = {0, S, 2};
    const struct random_name name = {.workload = "", .variable = ""};
    struct bursts bursts;
    bursts_init(&bursts, &spec, &name);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/bursts");
    TCase *tcase = tcase_create("bursts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, counts_have_the_mean_and_the_variance_of_their_law);
    tcase_add_test(tcase, at_the_largest_factor_pauses_are_silent);
    tcase_add_test(tcase, gaps_with_silent_pauses_follow_the_exact_law_at_ten_million_draws);
    tcase_add_test(tcase, how_times_are_split_into_calls_does_not_change_them);
    tcase_add_test_raise_signal(tcase, aborts_on_a_factor_that_leaves_less_than_nothing, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_bursts_of_no_length, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
