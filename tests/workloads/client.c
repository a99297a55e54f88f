#include "workloads/client.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#define DRAWS 400000
#define MEDIAN_NS (3 * SIM_NS_PER_MS)
#define P99_NS (9 * SIM_NS_PER_MS)

static const struct client_spec lognormal = {
    .latency_law = LATENCY_LOGNORMAL,
    .latency_median_ns = MEDIAN_NS,
    .latency_p99_ns = P99_NS,
};

struct opened {
    struct arena arena;
    struct client client;
};

static void open_client(struct opened *opened, const struct client_spec *spec, uint64_t seed,
                        uint64_t replication) {
    struct err err = {.kind = ERR_NONE};
    arena_init(&opened->arena);
    ck_assert(client_init(&opened->client, &opened->arena, spec, seed, replication, &err));
}

static void close_client(struct opened *opened) {
    arena_fini(&opened->arena);
}

static int compare_ns(const void *a, const void *b) {
    sim_ns left = *(const sim_ns *)a, right = *(const sim_ns *)b;
    return (left > right) - (left < right);
}

/* The table read as its header says: by the place of a draw's leading 1. */
static sim_ns read_table(const struct client *client, uint64_t draw) {
    draw |= UINT64_C(1) << 32;
    const uint32_t halving = (uint32_t)__builtin_clzll(draw);
    const uint64_t below = ~(draw << halving) << 1;
    const uint32_t entry = halving * 128 + (uint32_t)(below >> 57);
    const sim_ns *around_ns = &client->latency_quantiles_ns[entry];
    __extension__ const __int128 rise_ns = around_ns[1] - around_ns[0];
    return around_ns[0] + (sim_ns)(rise_ns * (int64_t)((below << 7) >> 48) >> 16);
}

/* Few draws are small: of many, those below 2^48 and each 64th. */
START_TEST(a_latency_is_what_the_table_says_at_its_draw) {
    struct opened opened;
    open_client(&opened, &lognormal, 5, 0);
    const uint64_t stream = hash_mix(opened.client.latency_stream + 2);
    uint32_t small = 0;
    for (uint64_t i = 0; i < 8000000; i++) {
        const uint64_t draw = hash_draw(stream, i, 0);
        small += draw >> 44 == 0;
        if (draw >> 48 == 0 || i % 64 == 0) {
            ck_assert_int_eq(client_latency_ns(&opened.client, 2, i, 0, 0),
                             read_table(&opened.client, draw));
        }
    }
    ck_assert_uint_gt(small, 0);
    close_client(&opened);
}
END_TEST

/* Kolmogorov-Smirnov against the exact law: 1.95 / sqrt(n) is the critical value at p = 0.001. */
START_TEST(latencies_are_lognormal_with_the_given_median_and_p99) {
    struct opened opened;
    open_client(&opened, &lognormal, 1, 0);
    sim_ns *latencies_ns = calloc(DRAWS, sizeof *latencies_ns);
    ck_assert_ptr_nonnull(latencies_ns);
    for (uint64_t i = 0; i < DRAWS; i++) {
        latencies_ns[i] = client_latency_ns(&opened.client, 0, i, 0, 0);
    }
    qsort(latencies_ns, DRAWS, sizeof *latencies_ns, compare_ns);
    double sigma = log(3.0) / gsl_cdf_ugaussian_Pinv(0.99);
    double distance = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double p = gsl_cdf_lognormal_P((double)latencies_ns[i], log((double)MEDIAN_NS), sigma);
        distance = fmax(distance, fmax(p - (double)i / DRAWS, (double)(i + 1) / DRAWS - p));
    }
    ck_assert_double_lt(distance, 1.95 / sqrt(DRAWS));
    ck_assert_double_eq_tol((double)latencies_ns[DRAWS / 2], (double)MEDIAN_NS, MEDIAN_NS * 0.01);
    ck_assert_double_eq_tol((double)latencies_ns[DRAWS / 100 * 99], (double)P99_NS, P99_NS * 0.02);
    free(latencies_ns);
    close_client(&opened);
}
END_TEST

/* Far tails too: the hash is inverted for none, so the largest of many draws is looked at. */
START_TEST(the_largest_of_many_latencies_is_that_of_the_law) {
    enum { MANY = 20000000 };
    struct opened opened;
    open_client(&opened, &lognormal, 5, 0);
    sim_ns largest_ns = 0, least_ns = INT64_MAX;
    for (uint64_t i = 0; i < MANY; i++) {
        sim_ns ns = client_latency_ns(&opened.client, 3, i, 0, 0);
        largest_ns = ns > largest_ns ? ns : largest_ns;
        least_ns = ns < least_ns ? ns : least_ns;
    }
    double sigma = log(3.0) / gsl_cdf_ugaussian_Pinv(0.99);
    double z = log((double)largest_ns / (double)MEDIAN_NS) / sigma;
    double tail = gsl_cdf_ugaussian_Q(z) * MANY; /* exponential(1) for the largest of many */
    ck_assert_double_gt(tail, 0.001);
    ck_assert_double_lt(tail, 7.0);
    double least = exp(sigma * gsl_cdf_ugaussian_Pinv(0x1p-10)) * (double)MEDIAN_NS;
    ck_assert_double_ge((double)least_ns, least - 1.0);
    close_client(&opened);
}
END_TEST

START_TEST(a_latency_depends_on_its_own_attempt_only) {
    struct opened a, b;
    open_client(&a, &lognormal, 1, 2);
    open_client(&b, &lognormal, 1, 2);
    sim_ns first_ns = client_latency_ns(&a.client, 1, 77, 3, 2);
    for (uint64_t i = 0; i < 100; i++) {
        client_latency_ns(&b.client, 1, i, 0, 0);
    }
    ck_assert_int_eq(client_latency_ns(&b.client, 1, 77, 3, 2), first_ns);
    ck_assert_int_ne(client_latency_ns(&b.client, 2, 77, 3, 2), first_ns);
    ck_assert_int_ne(client_latency_ns(&b.client, 1, 78, 3, 2), first_ns);
    ck_assert_int_ne(client_latency_ns(&b.client, 1, 77, 2, 3), first_ns);
    ck_assert_int_ne(client_latency_ns(&b.client, 1, 77, 3, 3), first_ns);
    close_client(&b);
    open_client(&b, &lognormal, 1, 3);
    ck_assert_int_ne(client_latency_ns(&b.client, 1, 77, 3, 2), first_ns);
    close_client(&b);
    open_client(&b, &lognormal, 2, 2);
    ck_assert_int_ne(client_latency_ns(&b.client, 1, 77, 3, 2), first_ns);
    close_client(&b);
    close_client(&a);
}
END_TEST

START_TEST(a_constant_latency_is_that_constant) {
    const struct client_spec spec = {.latency_law = LATENCY_CONSTANT, .latency_median_ns = 8500000};
    struct opened opened;
    open_client(&opened, &spec, 1, 0);
    for (uint64_t i = 0; i < 100; i++) {
        ck_assert_int_eq(client_latency_ns(&opened.client, 0, i, 0, 0), 8500000);
    }
    close_client(&opened);
}
END_TEST

START_TEST(a_lognormal_without_spread_is_its_median) {
    struct client_spec spec = lognormal;
    spec.latency_p99_ns = spec.latency_median_ns;
    struct opened opened;
    open_client(&opened, &spec, 1, 0);
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(client_latency_ns(&opened.client, 0, i, 0, 0), MEDIAN_NS);
    }
    close_client(&opened);
}
END_TEST

START_TEST(latencies_stay_within_a_run_at_the_widest_spread) {
    struct client_spec spec = lognormal;
    spec.latency_median_ns = 1;
    spec.latency_p99_ns = SIM_NS_MAX;
    struct opened opened;
    open_client(&opened, &spec, 1, 0);
    for (uint64_t i = 0; i < 100000; i++) {
        sim_ns ns = client_latency_ns(&opened.client, 0, i, 0, 0);
        if (ns < 0 || ns > SIM_NS_MAX) {
            ck_abort_msg("operation %llu: %lld", (unsigned long long)i, (long long)ns);
        }
    }
    close_client(&opened);
}
END_TEST

static void open_spec(sim_ns median_ns, sim_ns p99_ns, sim_ns throttle_ns, enum latency_law law) {
    const struct client_spec spec = {.latency_law = law,
                                     .latency_median_ns = median_ns,
                                     .latency_p99_ns = p99_ns,
                                     .throttle_latency_ns = throttle_ns};
    struct opened opened;
    open_client(&opened, &spec, 1, 0);
}

START_TEST(aborts_on_a_p99_below_the_median) {
    open_spec(10, 9, 0, LATENCY_LOGNORMAL);
}
END_TEST

START_TEST(aborts_on_a_lognormal_median_of_zero) {
    open_spec(0, 9, 0, LATENCY_LOGNORMAL);
}
END_TEST

START_TEST(aborts_on_a_p99_beyond_any_run) {
    open_spec(1, SIM_NS_MAX + 1, 0, LATENCY_LOGNORMAL);
}
END_TEST

START_TEST(aborts_on_a_negative_constant) {
    open_spec(-1, 0, 0, LATENCY_CONSTANT);
}
END_TEST

START_TEST(aborts_on_a_negative_latency_of_refusals) {
    open_spec(1, 1, -1, LATENCY_CONSTANT);
}
END_TEST

START_TEST(latencies_of_a_run_are_those_of_its_operations) {
    static const struct client_spec constant = {.latency_law = LATENCY_CONSTANT,
                                                .latency_median_ns = 1234};
    const struct client_spec *specs[] = {&lognormal, &constant};
    for (size_t s = 0; s < 2; s++) {
        struct opened opened;
        open_client(&opened, specs[s], 7, 1);
        for (uint32_t count = 0; count < 70; count += 23) {
            sim_ns latencies_ns[70] = {0};
            client_latencies_ns(&opened.client, 5, 1000, count, latencies_ns);
            for (uint32_t i = 0; i < count; i++) {
                ck_assert_int_eq(latencies_ns[i],
                                 client_latency_ns(&opened.client, 5, 1000 + i, 0, 0));
            }
            ck_assert_int_eq(latencies_ns[count], 0);
        }
        close_client(&opened);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/client");
    TCase *tcase = tcase_create("client");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, latencies_of_a_run_are_those_of_its_operations);
    tcase_add_test(tcase, a_latency_is_what_the_table_says_at_its_draw);
    tcase_add_test(tcase, latencies_are_lognormal_with_the_given_median_and_p99);
    tcase_add_test(tcase, the_largest_of_many_latencies_is_that_of_the_law);
    tcase_add_test(tcase, a_latency_depends_on_its_own_attempt_only);
    tcase_add_test(tcase, a_constant_latency_is_that_constant);
    tcase_add_test(tcase, a_lognormal_without_spread_is_its_median);
    tcase_add_test(tcase, latencies_stay_within_a_run_at_the_widest_spread);
    tcase_add_test_raise_signal(tcase, aborts_on_a_p99_below_the_median, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_lognormal_median_of_zero, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_p99_beyond_any_run, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_constant, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_latency_of_refusals, SIGABRT);
    return suite_run(suite);
}
