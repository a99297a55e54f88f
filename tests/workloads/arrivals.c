#include "workloads/arrivals.h"

#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define S SIM_NS_PER_S
#define TIMES_MAX 200000

struct setting {
    enum arrivals_kind kind;
    sim_ns start_ns, stop_ns;
    uint64_t seed;
};

static void open_arrivals(struct arrivals *arrivals, const struct rate_point *points,
                          uint32_t point_count, const struct setting *setting) {
    struct workload_spec workload = {.arrivals = setting->kind,
                                     .points = points,
                                     .point_count = point_count,
                                     .stop_ns = setting->stop_ns};
    const struct random_name name = {setting->seed, 0, "score", "arrivals"};
    arrivals_init(arrivals, &workload, setting->start_ns, &name);
}

static sim_ns *new_times(void) {
    sim_ns *times_ns = calloc(TIMES_MAX, sizeof *times_ns);
    ck_assert_ptr_nonnull(times_ns);
    return times_ns;
}

START_TEST(uniform_arrival_k_is_exactly_at_k_over_the_rate) {
    static const double rates[] = {1, 3, 7, 2500, 999999, 1e9, 3e9, 1e12};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct arrivals arrivals;
        const struct rate_point point = {0, rates[r]};
        open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_UNIFORM, 5, -1, 1});
        for (int64_t k = 0; k < 100000; k++) {
            sim_ns time_ns = 0;
            size_t filled = arrivals_fill(&arrivals, &time_ns, 1);
            sim_ns expected_ns = 5 + k * S / (int64_t)rates[r];
            if (filled != 1 || time_ns != expected_ns) {
                ck_abort_msg("rate %g, arrival %lld: %lld, expected %lld", rates[r], (long long)k,
                             (long long)time_ns, (long long)expected_ns);
            }
        }
    }
}
END_TEST

/* A rate that is no fraction of small numbers, against 10^9 * k * 2^e / odd in long arithmetic. */
START_TEST(uniform_arrivals_do_not_drift_over_a_hundred_million) {
    const uint64_t odd = UINT64_C(0x1999999999999b); /* rate = odd / 2^44, about 409.6 */
    struct arrivals arrivals;
    const struct rate_point point = {0, (double)odd * 0x1p-44};
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_UNIFORM, 0, -1, 1});
    sim_ns *times_ns = new_times();
    uint64_t k = 0;
    while (k < 100000000) {
        size_t filled = arrivals_fill(&arrivals, times_ns, TIMES_MAX);
        ck_assert_uint_eq(filled, TIMES_MAX);
        k += filled;
        /* floor((k - 1) 10^9 2^44 / odd): (k - 1) 10^9 2^44 < 2^27 2^30 2^44. */
        __extension__ unsigned __int128 dividend = (unsigned __int128)(k - 1) * 1000000000;
        dividend <<= 44;
        ck_assert_int_eq(times_ns[TIMES_MAX - 1], (sim_ns)(dividend / odd));
    }
    free(times_ns);
}
END_TEST

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Kolmogorov-Smirnov of sorted values in [0, 1] that should be uniform, at p = 0.001. */
static void check_uniform(double *units, size_t count, const char *what) {
    qsort(units, count, sizeof *units, compare_doubles);
    double distance = 0.0;
    for (size_t i = 0; i < count; i++) {
        distance = fmax(distance, fmax(units[i] - (double)i / (double)count,
                                       (double)(i + 1) / (double)count - units[i]));
    }
    ck_assert_msg(distance < 1.95 / sqrt((double)count), "%s: distance %g", what, distance);
}

START_TEST(poisson_gaps_at_a_constant_rate_are_exponential) {
    static const double rates[] = {1e-5, 1, 40000, 1e7};
    double rate = rates[_i];
    struct arrivals arrivals;
    const struct rate_point point = {0, rate};
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_POISSON, 0, -1, 1});
    sim_ns *times_ns = new_times();
    size_t count = arrivals_fill(&arrivals, times_ns, TIMES_MAX);
    ck_assert_uint_gt(count, 2500);
    double *units = calloc(count, sizeof *units);
    for (size_t i = 0; i < count; i++) {
        sim_ns gap_ns = times_ns[i] - (i > 0 ? times_ns[i - 1] : 0);
        /* A gap in whole nanoseconds stands for its middle; at 10^7/s that is 1 % of a gap. */
        units[i] = 1.0 - exp(-((double)gap_ns + (i % 2 == 0 ? 0.25 : -0.25)) * rate / 1e9);
        units[i] = units[i] > 0.0 ? units[i] : 0.0;
    }
    if (rate < 1e6) {
        check_uniform(units, count, "gaps");
    }
    double mean_ns = (double)times_ns[count - 1] / (double)count;
    ck_assert_double_eq_tol(mean_ns * rate / 1e9, 1.0, 4.0 / sqrt((double)count));
    free(units);
    free(times_ns);
}
END_TEST

/* At rates at which a nanosecond is a small part of a cell. */
START_TEST(poisson_gaps_follow_the_exact_law_at_ten_million_draws) {
    static const double rates[] = {0.5, 1000};
    static struct law_cells cells;
    const struct rate_point point = {0, rates[_i]};
    struct arrivals arrivals;
    sim_ns times_ns[500], last_ns = 0;
    for (int k = 0; k < LAW_CELLS - 1; k++) {
        cells.edges[k] = -log1p(-(k + 1.0) / LAW_CELLS) / rates[_i] * 1e9;
    }
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_POISSON, 0, -1, 2});
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

/* Ups, downs, steps, stretches of zero, a point away from 0, a held end. */
static const struct rate_point mixed[] = {
    {2 * S, 100}, {12 * S, 1100}, {22 * S, 1100}, {22 * S, 300}, {32 * S, 0},
    {42 * S, 0},  {42 * S, 500},  {52 * S, 0},    {52 * S, 0},   {62 * S, 2000},
};
enum { MIXED = sizeof mixed / sizeof mixed[0] };

/* Integral of the rate up to t_s after the start, by the trapezium rule over each stretch. */
static double mass_until(double t_s) {
    double mass = mixed[0].rate_per_s * fmin(t_s, (double)mixed[0].at_ns / 1e9);
    for (int i = 1; i < MIXED; i++) {
        double from_s = (double)mixed[i - 1].at_ns / 1e9, to_s = (double)mixed[i].at_ns / 1e9;
        double end_s = fmin(t_s, to_s);
        if (end_s > from_s) {
            double rise = mixed[i].rate_per_s - mixed[i - 1].rate_per_s;
            double at_end = mixed[i - 1].rate_per_s + rise * (end_s - from_s) / (to_s - from_s);
            mass += 0.5 * (mixed[i - 1].rate_per_s + at_end) * (end_s - from_s);
        }
    }
    double last_s = (double)mixed[MIXED - 1].at_ns / 1e9;
    return mass + mixed[MIXED - 1].rate_per_s * fmax(0.0, t_s - last_s);
}

START_TEST(uniform_arrivals_come_when_the_cumulative_rate_passes_whole_numbers) {
    struct arrivals arrivals;
    open_arrivals(&arrivals, mixed, MIXED, &(struct setting){ARRIVALS_UNIFORM, 7 * S, 87 * S, 1});
    sim_ns *times_ns = new_times();
    size_t count = arrivals_fill(&arrivals, times_ns, TIMES_MAX);
    ck_assert_uint_eq(count, (size_t)ceil(mass_until(80.0)));
    for (size_t k = 0; k < count; k++) {
        double mass = mass_until((double)(times_ns[k] - 7 * S) / 1e9);
        double after = mass_until((double)(times_ns[k] - 7 * S + 1) / 1e9);
        if (mass > (double)k + 1e-6 || after < (double)k - 1e-6) {
            ck_abort_msg("arrival %zu at %lld: mass %.9f", k, (long long)times_ns[k], mass);
        }
        bool in_pause = times_ns[k] > 39 * S && times_ns[k] < 49 * S;
        ck_assert(!in_pause);
    }
    free(times_ns);
}
END_TEST

/* Under the time change a Poisson stream of any schedule has exponential(1) gaps in mass. */
START_TEST(poisson_arrivals_are_exponential_in_cumulative_rate) {
    struct arrivals arrivals;
    open_arrivals(&arrivals, mixed, MIXED,
                  &(struct setting){ARRIVALS_POISSON, 7 * S, 87 * S, (uint64_t)_i});
    sim_ns *times_ns = new_times();
    size_t count = arrivals_fill(&arrivals, times_ns, TIMES_MAX);
    double expected = mass_until(80.0);
    ck_assert_double_eq_tol((double)count, expected, 4.0 * sqrt(expected));
    double *units = calloc(count, sizeof *units);
    double before = 0.0;
    for (size_t k = 0; k < count; k++) {
        double mass = mass_until((double)(times_ns[k] - 7 * S) / 1e9);
        units[k] = 1.0 - exp(before - mass);
        before = mass;
        ck_assert(times_ns[k] <= 39 * S || times_ns[k] >= 49 * S);
    }
    check_uniform(units, count, "gaps in mass");
    /* Given their number, arrivals are spread as the cumulative rate is. */
    for (size_t k = 0; k < count; k++) {
        units[k] = mass_until((double)(times_ns[k] - 7 * S) / 1e9) / expected;
    }
    check_uniform(units, count, "spread");
    free(units);
    free(times_ns);
}
END_TEST

START_TEST(a_ramp_from_zero_begins_with_its_first_arrival_and_holds_its_end) {
    static const struct rate_point ramp[] = {{0, 0}, {60 * S, 4000}};
    struct arrivals arrivals;
    open_arrivals(&arrivals, ramp, 2, &(struct setting){ARRIVALS_UNIFORM, 0, 61 * S, 1});
    sim_ns *times_ns = new_times();
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, TIMES_MAX), 124000);
    ck_assert_int_eq(times_ns[0], 0);
    /* Half of the time is a quarter of the mass; doubles may end a nanosecond early. */
    ck_assert_int_le(llabs(times_ns[30000] - 30 * S), 1);
    ck_assert_int_le(llabs(times_ns[120000] - 60 * S), 1);
    ck_assert_int_le(llabs(times_ns[123999] - (61 * S - 250000)), 1);
    free(times_ns);
}
END_TEST

START_TEST(a_step_changes_the_rate_at_once) {
    static const struct rate_point step[] = {{0, 10}, {S, 10}, {S, 0}, {11 * S, 0}, {11 * S, 20}};
    struct arrivals arrivals;
    sim_ns times_ns[15];
    open_arrivals(&arrivals, step, 5, &(struct setting){ARRIVALS_UNIFORM, 0, -1, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 15), 15);
    for (int k = 0; k < 15; k++) {
        sim_ns expected_ns = k < 10 ? k * S / 10 : 11 * S + (k - 10) * S / 20;
        ck_assert_int_le(llabs(times_ns[k] - expected_ns), 1);
    }
}
END_TEST

START_TEST(a_rate_of_zero_held_at_the_end_ends_the_stream) {
    static const struct rate_point down[] = {{0, 100}, {10 * S, 0}};
    sim_ns times_ns[1000];
    struct arrivals arrivals;
    open_arrivals(&arrivals, down, 2, &(struct setting){ARRIVALS_UNIFORM, 0, -1, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 1000), 500);
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 1000), 0);
    open_arrivals(&arrivals, down, 2, &(struct setting){ARRIVALS_POISSON, 0, -1, 1});
    size_t count = arrivals_fill(&arrivals, times_ns, 1000);
    ck_assert_double_eq_tol((double)count, 500.0, 90.0);
    ck_assert_int_lt(times_ns[count - 1], 10 * S);
    const struct rate_point never = {0, 0};
    open_arrivals(&arrivals, &never, 1, &(struct setting){ARRIVALS_POISSON, 0, -1, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 1000), 0);
}
END_TEST

START_TEST(no_arrival_comes_at_or_after_the_stop) {
    const struct rate_point point = {0, 10};
    struct arrivals arrivals;
    sim_ns times_ns[100];
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_UNIFORM, S, 3 * S, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 100), 20);
    ck_assert_int_eq(times_ns[19], 2900 * SIM_NS_PER_MS);
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_UNIFORM, 3 * S, 3 * S, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 100), 0);
    open_arrivals(&arrivals, &point, 1, &(struct setting){ARRIVALS_POISSON, 4 * S, 3 * S, 1});
    ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 100), 0);
}
END_TEST

START_TEST(rates_at_both_ends_of_the_range_are_safe) {
    static const double rates[] = {5e-324, 1e-300, 1e-40, 1e-12, 1e-9, 1e12};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        for (int kind = 0; kind < 4; kind++) {
            const struct rate_point points[] = {{0, rates[r]}, {S, kind < 2 ? rates[r] : 0}};
            const struct setting setting = {kind % 2 == 0 ? ARRIVALS_POISSON : ARRIVALS_UNIFORM,
                                            SIM_NS_MAX - S, -1, 1};
            struct arrivals arrivals;
            sim_ns times_ns[1000];
            open_arrivals(&arrivals, points, 2, &setting);
            size_t count = arrivals_fill(&arrivals, times_ns, 1000);
            for (size_t i = 0; i < count; i++) {
                ck_assert_int_lt(times_ns[i], SIM_NS_MAX);
                ck_assert_int_ge(times_ns[i], i > 0 ? times_ns[i - 1] : SIM_NS_MAX - S);
            }
            ck_assert(count == 1000 || rates[r] < 1.0);
        }
    }
}
END_TEST

static uint32_t random_schedule(struct random_stream *stream, struct rate_point *points) {
    uint32_t count = 1 + (uint32_t)random_below(stream, 6);
    sim_ns at_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_step = random_below(stream, 3) == 0, is_zero = random_below(stream, 3) == 0;
        at_ns += is_step ? 0 : (sim_ns)random_below(stream, 20 * (uint64_t)S);
        double rate = random_unit(stream) * 500.0;
        points[i] = (struct rate_point){at_ns, is_zero ? 0.0 : rate};
    }
    return count;
}

START_TEST(times_are_sorted_and_do_not_depend_on_how_they_are_split) {
    enum { TOTAL = 6000 };
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "schedules"});
    for (int round = 0; round < 20; round++) {
        struct rate_point points[6];
        uint32_t count = random_schedule(&stream, points);
        const struct setting setting = {round % 2 == 0 ? ARRIVALS_POISSON : ARRIVALS_UNIFORM,
                                        (sim_ns)random_below(&stream, 5 * (uint64_t)S),
                                        round % 3 == 0 ? 40 * S : -1, (uint64_t)_i};
        struct arrivals whole, split;
        sim_ns expected_ns[TOTAL], times_ns[TOTAL];
        open_arrivals(&whole, points, count, &setting);
        open_arrivals(&split, points, count, &setting);
        size_t total = arrivals_fill(&whole, expected_ns, TOTAL);
        size_t done = 0;
        while (done < TOTAL) {
            size_t wanted = 1 + (size_t)random_below(&stream, 700);
            wanted = wanted < TOTAL - done ? wanted : TOTAL - done;
            size_t filled = arrivals_fill(&split, times_ns + done, wanted);
            done += filled;
            if (filled < wanted) {
                break;
            }
        }
        ck_assert_uint_eq(done, total);
        ck_assert_msg(memcmp(expected_ns, times_ns, total * sizeof times_ns[0]) == 0,
                      "seed %d, round %d", _i, round);
        for (size_t i = 1; i < total; i++) {
            if (times_ns[i] < times_ns[i - 1]) {
                ck_abort_msg("seed %d, round %d, arrival %zu", _i, round, i);
            }
        }
    }
}
END_TEST

START_TEST(a_later_start_moves_all_times) {
    static const struct rate_point ramp[] = {{0, 0}, {60 * S, 4000}};
    for (int kind = 0; kind < 2; kind++) {
        const struct setting setting = {kind == 0 ? ARRIVALS_POISSON : ARRIVALS_UNIFORM, 0, -1, 3};
        for (uint32_t points = 1; points <= 2; points++) {
            struct arrivals early, late;
            sim_ns early_ns[100], late_ns[100];
            open_arrivals(&early, points == 1 ? &ramp[1] : ramp, points, &setting);
            open_arrivals(&late, points == 1 ? &ramp[1] : ramp, points, &setting);
            arrivals_start(&late, 12345);
            arrivals_fill(&early, early_ns, 100);
            arrivals_fill(&late, late_ns, 100);
            for (int i = 0; i < 100; i++) {
                ck_assert_int_eq(late_ns[i], early_ns[i] + 12345);
            }
        }
    }
}
END_TEST

/* Equal under every compiler and level of optimisation. */
START_TEST(times_have_not_changed) {
    static const sim_ns expected_ns[2][4] = {{22901504, 3187686471, 6290638440, 9375304751},
                                             {22901504, 2837218806, 4095363772, 4968703755}};
    for (uint32_t points = 1; points <= 2; points++) {
        struct arrivals arrivals;
        sim_ns times_ns[1000];
        open_arrivals(&arrivals, mixed, points, &(struct setting){ARRIVALS_POISSON, 0, -1, 1});
        ck_assert_uint_eq(arrivals_fill(&arrivals, times_ns, 1000), 1000);
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(times_ns[i * 333], expected_ns[points - 1][i]);
        }
    }
}
END_TEST

static void open_points(const struct rate_point *points, uint32_t count, enum arrivals_kind kind) {
    struct arrivals arrivals;
    open_arrivals(&arrivals, points, count, &(struct setting){kind, 0, -1, 1});
}

START_TEST(aborts_without_points) {
    open_points(mixed, 0, ARRIVALS_POISSON);
}
END_TEST

START_TEST(aborts_on_points_out_of_order) {
    open_points((const struct rate_point[]){{2, 1}, {1, 1}}, 2, ARRIVALS_POISSON);
}
END_TEST

START_TEST(aborts_on_a_negative_rate) {
    open_points((const struct rate_point[]){{0, -1}}, 1, ARRIVALS_POISSON);
}
END_TEST

START_TEST(aborts_on_a_rate_that_is_no_number) {
    open_points((const struct rate_point[]){{0, (double)NAN}}, 1, ARRIVALS_POISSON);
}
END_TEST

START_TEST(aborts_on_a_rate_beyond_the_largest) {
    open_points((const struct rate_point[]){{0, ARRIVALS_RATE_PER_S_MAX * 2}}, 1, ARRIVALS_UNIFORM);
}
END_TEST

START_TEST(aborts_on_a_closed_loop) {
    open_points(mixed, MIXED, ARRIVALS_CLOSED);
}
END_TEST

START_TEST(aborts_on_a_negative_start) {
    struct arrivals arrivals;
    open_arrivals(&arrivals, mixed, MIXED, &(struct setting){ARRIVALS_POISSON, -1, -1, 1});
}
END_TEST

START_TEST(aborts_on_a_start_after_arrivals) {
    struct arrivals arrivals;
    sim_ns time_ns = 0;
    open_arrivals(&arrivals, mixed, MIXED, &(struct setting){ARRIVALS_POISSON, 0, -1, 1});
    arrivals_fill(&arrivals, &time_ns, 1);
    arrivals_start(&arrivals, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/arrivals");
    TCase *tcase = tcase_create("arrivals");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, uniform_arrival_k_is_exactly_at_k_over_the_rate);
    tcase_add_test(tcase, uniform_arrivals_do_not_drift_over_a_hundred_million);
    tcase_add_loop_test(tcase, poisson_gaps_at_a_constant_rate_are_exponential, 0, 4);
    tcase_add_loop_test(tcase, poisson_gaps_follow_the_exact_law_at_ten_million_draws, 0, 2);
    tcase_add_test(tcase, uniform_arrivals_come_when_the_cumulative_rate_passes_whole_numbers);
    tcase_add_loop_test(tcase, poisson_arrivals_are_exponential_in_cumulative_rate, 1, 4);
    tcase_add_test(tcase, a_ramp_from_zero_begins_with_its_first_arrival_and_holds_its_end);
    tcase_add_test(tcase, a_step_changes_the_rate_at_once);
    tcase_add_test(tcase, a_rate_of_zero_held_at_the_end_ends_the_stream);
    tcase_add_test(tcase, no_arrival_comes_at_or_after_the_stop);
    tcase_add_test(tcase, rates_at_both_ends_of_the_range_are_safe);
    tcase_add_loop_test(tcase, times_are_sorted_and_do_not_depend_on_how_they_are_split, 1, 11);
    tcase_add_test(tcase, a_later_start_moves_all_times);
    tcase_add_test(tcase, times_have_not_changed);
    tcase_add_test_raise_signal(tcase, aborts_without_points, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_points_out_of_order, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_rate, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_rate_that_is_no_number, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_rate_beyond_the_largest, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_closed_loop, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_start, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_start_after_arrivals, SIGABRT);
    return suite_run(suite);
}
