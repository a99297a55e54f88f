/* Draws against exact laws that are worked out here: YCSB's formula inverted, GSL's cumulative laws
 * at the edges of rounding. */
#include "workloads/binned_law.h"

#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 4096
#define GROUPS_MAX 4096

struct sampler {
    struct arena arena;
    struct binned_law law;
};

static void open_sampler(struct sampler *sampler, const struct field_spec *spec) {
    struct err err = {.kind = ERR_NONE};
    arena_init(&sampler->arena);
    ck_assert(binned_law_init(&sampler->law, &sampler->arena, spec, &err));
}

static void close_sampler(struct sampler *sampler) {
    arena_fini(&sampler->arena);
}

static void open_stream(struct random_stream *stream, uint64_t seed) {
    random_init(stream, &(struct random_name){seed, 0, "binned_law", "field:number"});
}

/* P(number below k) of YCSB's nextLong: u at which the formula reaches k. */
static double ycsb_below(const struct field_spec *spec, double zeta, uint64_t k) {
    const double s = spec->exponent, n = (double)spec->n;
    if (k == 0) {
        return 0.0;
    }
    if (k <= 2) {
        return (k == 1 ? 1.0 : 1.0 + pow(0.5, s)) / zeta;
    }
    double eta = (1.0 - pow(2.0 / n, 1.0 - s)) / (1.0 - (1.0 + pow(0.5, s)) / zeta);
    return (pow((double)k / n, 1.0 - s) - 1.0 + eta) / eta;
}

static double zeta_of(const struct field_spec *spec) {
    if (spec->n > 100000000) {
        return 26.46902820178302; /* ScrambledZipfianGenerator.ZETAN, of 1e10 items at 0.99 */
    }
    double zeta = 0.0;
    for (uint64_t k = spec->n; k >= 1; k--) {
        zeta += pow((double)k, -spec->exponent);
    }
    return zeta;
}

static double share_below(const struct field_spec *spec, double zeta, uint64_t k) {
    double edge = (double)spec->first + (double)k - 0.5;
    if (k == 0) {
        return 0.0;
    }
    if (k >= spec->n) {
        return 1.0;
    }
    switch (spec->law) {
    case FIELD_YCSB_ZIPFIAN: return ycsb_below(spec, zeta, k);
    case FIELD_NORMAL: return gsl_cdf_gaussian_P(edge - spec->mean, spec->sd);
    case FIELD_LOGNORMAL: {
        double sigma = log(spec->p99 / spec->median) / gsl_cdf_ugaussian_Pinv(0.99);
        return gsl_cdf_lognormal_P(edge, log(spec->median), sigma);
    }
    default: return gsl_cdf_exponential_P((double)k, spec->mean);
    }
}

/* Neighbouring numbers in groups that expect at least 50 draws and at least 1 in 500 of all, single
 * numbers where those are more likely. */
struct groups {
    uint64_t first[GROUPS_MAX];
    double expected[GROUPS_MAX];
    uint64_t seen[GROUPS_MAX];
    uint32_t count;
};

static void cut_groups(struct groups *groups, const struct field_spec *spec, uint64_t draws) {
    const double zeta = spec->law == FIELD_YCSB_ZIPFIAN ? zeta_of(spec) : 0.0;
    const double least = fmax(50.0 / (double)draws, 0.002);
    *groups = (struct groups){.count = 0};
    for (uint64_t first = 0; first < spec->n;) {
        double before = share_below(spec, zeta, first);
        uint64_t low = first + 1, high = spec->n; /* of the next group's first number */
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (share_below(spec, zeta, middle) - before >= least) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (1.0 - share_below(spec, zeta, low) < least) {
            low = spec->n; /* too few are left for a group of their own */
        }
        ck_assert_uint_lt(groups->count, GROUPS_MAX);
        groups->first[groups->count] = first;
        groups->expected[groups->count++] = (share_below(spec, zeta, low) - before) * (double)draws;
        first = low;
    }
}

static void count_number(struct groups *groups, uint64_t number) {
    uint32_t low = 0, high = groups->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (groups->first[middle] <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    groups->seen[low]++;
}

/* Upper tail probability of chi-square for draws of `spec` against the shares of `expected`. */
static double law_p(const struct field_spec *spec, const struct field_spec *expected, uint64_t seed,
                    uint64_t draws) {
    static struct groups groups;
    static uint64_t numbers[BATCH];
    struct sampler sampler;
    struct random_stream stream;
    open_sampler(&sampler, spec);
    open_stream(&stream, seed);
    cut_groups(&groups, expected, draws);
    for (uint64_t done = 0; done < draws; done += BATCH) {
        size_t count = draws - done < BATCH ? (size_t)(draws - done) : BATCH;
        binned_law_fill(&sampler.law, &stream, numbers, count);
        for (size_t i = 0; i < count; i++) {
            if (numbers[i] >= spec->n) {
                ck_abort_msg("%llu", (unsigned long long)numbers[i]);
            }
            count_number(&groups, numbers[i]);
        }
    }
    close_sampler(&sampler);
    double statistic = 0.0;
    for (uint32_t g = 0; g < groups.count; g++) {
        double surplus = (double)groups.seen[g] - groups.expected[g];
        statistic += surplus * surplus / groups.expected[g];
    }
    return groups.count > 1 ? gsl_cdf_chisq_Q(statistic, groups.count - 1) : 1.0;
}

static const struct field_spec specs[] = {
    {.law = FIELD_YCSB_ZIPFIAN, .n = 1, .exponent = 0.99},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 2, .exponent = 0.99},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 3, .exponent = 0.5},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 1000, .exponent = 0.0},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 1000, .exponent = 0.9},
    {.law = FIELD_YCSB_ZIPFIAN, .n = 1000000, .exponent = 0.99},
    {.law = FIELD_YCSB_ZIPFIAN, .n = UINT64_C(10000000000) + 1, .exponent = 0.99},
    {.law = FIELD_NORMAL, .n = 101, .first = 0, .mean = 50.3, .sd = 10},
    {.law = FIELD_NORMAL, .n = 101, .first = -50, .mean = 20, .sd = 30},
    {.law = FIELD_NORMAL, .n = 8, .first = 3, .mean = 5.5, .sd = 0.01},
    {.law = FIELD_NORMAL, .n = 8, .first = 3, .mean = 1000, .sd = 1},
    {.law = FIELD_NORMAL, .n = UINT64_C(1) << 48, .mean = 0x1p47, .sd = 0x1p43},
    {.law = FIELD_NORMAL, .n = UINT64_C(1) << 48, .mean = 1e6, .sd = 20},
    {.law = FIELD_LOGNORMAL, .n = 1000, .median = 50, .p99 = 400},
    {.law = FIELD_LOGNORMAL, .n = 1000000, .median = 20000, .p99 = 400000},
    {.law = FIELD_LOGNORMAL, .n = 1000000, .first = 100, .median = 50000, .p99 = 60000},
    {.law = FIELD_LOGNORMAL, .n = UINT64_C(1) << 48, .median = 1000, .p99 = 1e9},
    {.law = FIELD_EXPONENTIAL, .n = 1000, .first = 5, .mean = 77.7},
    {.law = FIELD_EXPONENTIAL, .n = 3, .mean = 0.5},
    {.law = FIELD_EXPONENTIAL, .n = UINT64_C(1) << 48, .mean = 1e12},
    {.law = FIELD_EXPONENTIAL, .n = 100, .mean = 1e9},
};
enum { SPECS = sizeof specs / sizeof specs[0] };

START_TEST(numbers_follow_the_exact_law) {
    double p = law_p(&specs[_i], &specs[_i], 1, LAW_DRAWS);
    ck_assert_msg(p > 1e-3, "law %d, seed 1: p = %g", _i, p);
}
END_TEST

START_TEST(draws_of_nearly_the_law_are_told_apart) {
    struct field_spec wider = specs[7];
    wider.sd *= 1.01;
    ck_assert_double_lt(law_p(&wider, &specs[7], 1, 1000000), 1e-6);
}
END_TEST

START_TEST(numbers_do_not_depend_on_how_they_are_split) {
    enum { TOTAL = 20000 };
    static uint64_t whole[TOTAL], split[TOTAL];
    for (size_t s = 0; s < SPECS; s++) {
        uint64_t seed = (uint64_t)_i;
        struct sampler sampler;
        struct random_stream stream, splits;
        open_sampler(&sampler, &specs[s]);
        open_stream(&stream, seed);
        binned_law_fill(&sampler.law, &stream, whole, TOTAL);
        uint64_t after_whole = random_next(&stream);
        open_stream(&stream, seed);
        random_init(&splits, &(struct random_name){seed, 0, "", "splits"});
        for (size_t done = 0; done < TOTAL;) {
            size_t count = (size_t)random_below(&splits, 700);
            count = count < TOTAL - done ? count : TOTAL - done;
            binned_law_fill(&sampler.law, &stream, split + done, count);
            done += count;
        }
        ck_assert_msg(memcmp(whole, split, sizeof whole) == 0, "seed %d, law %zu", _i, s);
        ck_assert_uint_eq(random_next(&stream), after_whole);
        close_sampler(&sampler);
    }
}
END_TEST

START_TEST(tables_are_small) {
    for (size_t s = 0; s < SPECS; s++) {
        struct sampler sampler;
        open_sampler(&sampler, &specs[s]);
        ck_assert_msg(sampler.law.bin_count <= 8000, "law %zu: %u bins", s, sampler.law.bin_count);
        close_sampler(&sampler);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/binned_law");
    TCase *tcase = tcase_create("binned_law");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, numbers_follow_the_exact_law, 0, SPECS);
    tcase_add_test(tcase, draws_of_nearly_the_law_are_told_apart);
    tcase_add_loop_test(tcase, numbers_do_not_depend_on_how_they_are_split, 1, 4);
    tcase_add_test(tcase, tables_are_small);
    return suite_run(suite);
}
