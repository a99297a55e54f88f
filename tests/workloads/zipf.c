#include "workloads/zipf.h"

#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 4096
#define GROUPS_MAX 1024

struct sampler {
    struct arena arena;
    struct zipf zipf;
};

static void open_sampler(struct sampler *sampler, uint64_t n, double exponent) {
    struct err err = {.kind = ERR_NONE};
    arena_init(&sampler->arena);
    ck_assert(zipf_init(&sampler->zipf, &sampler->arena, n, exponent, &err));
}

static void close_sampler(struct sampler *sampler) {
    arena_fini(&sampler->arena);
}

static void open_stream(struct random_stream *stream, uint64_t seed) {
    random_init(stream, &(struct random_name){seed, 0, "zipf", "field:rank"});
}

/* Groups of neighbouring ranks: single ones up to 64, then 3 % wide. */
struct groups {
    uint64_t last[GROUPS_MAX]; /* last rank of each */
    double share[GROUPS_MAX];
    uint64_t seen[GROUPS_MAX];
    uint32_t count;
};

static void cut_groups(struct groups *groups, uint64_t n) {
    *groups = (struct groups){.count = 0};
    for (uint64_t first = 1; first <= n && groups->count < GROUPS_MAX;) {
        uint64_t last = first + first * 3 / 200;
        last = last < n ? last : n;
        groups->last[groups->count++] = last;
        first = last + 1;
    }
    ck_assert_uint_lt(groups->count, GROUPS_MAX);
}

/* Exact shares by adding up k^-s, smallest terms first. */
static void sum_shares(struct groups *groups, double exponent) {
    double total = 0.0;
    for (uint32_t g = groups->count; g > 0; g--) {
        uint64_t before = g > 1 ? groups->last[g - 2] : 0;
        double sum = 0.0;
        for (uint64_t k = groups->last[g - 1]; k > before; k--) {
            sum += pow((double)k, -exponent);
        }
        groups->share[g - 1] = sum;
        total += sum;
    }
    for (uint32_t g = 0; g < groups->count; g++) {
        groups->share[g] /= total;
    }
}

static void count_rank(struct groups *groups, uint64_t rank) {
    uint32_t low = 0, high = groups->count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (groups->last[middle] < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    groups->seen[low]++;
}

/* Upper tail probability of the chi-square statistic; groups that expect few are joined. */
static double chi_square_p(const struct groups *groups, uint64_t draws) {
    double statistic = 0.0, expected = 0.0;
    uint64_t seen = 0;
    int cells = 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        expected += groups->share[g] * (double)draws;
        seen += groups->seen[g];
        bool is_last = g + 1 == groups->count;
        if (expected >= 20.0 || (is_last && expected > 0.0)) {
            double surplus = (double)seen - expected;
            statistic += surplus * surplus / expected;
            cells++;
            expected = 0.0;
            seen = 0;
        }
    }
    return cells > 1 ? gsl_cdf_chisq_Q(statistic, cells - 1) : 1.0;
}

static void draw_groups(const struct zipf *zipf, struct groups *groups, uint64_t seed,
                        uint64_t draws) {
    struct random_stream stream;
    open_stream(&stream, seed);
    uint64_t numbers[BATCH];
    for (uint64_t done = 0; done < draws; done += BATCH) {
        size_t count = draws - done < BATCH ? (size_t)(draws - done) : BATCH;
        zipf_fill(zipf, &stream, numbers, count);
        for (size_t i = 0; i < count; i++) {
            if (numbers[i] >= zipf->n) {
                ck_abort_msg("seed %llu: number %llu", (unsigned long long)seed,
                             (unsigned long long)numbers[i]);
            }
            count_rank(groups, numbers[i] + 1);
        }
    }
}

static const double exponents[] = {0.0, 0.5, 0.99, 1.2, 2.0};
static const uint64_t sizes[] = {1, 2, 10, 1000, 1000000};

static void check_law(uint64_t n, double exponent, uint64_t seed, uint64_t draws) {
    struct groups groups;
    struct sampler sampler;
    open_sampler(&sampler, n, exponent);
    cut_groups(&groups, n);
    sum_shares(&groups, exponent);
    draw_groups(&sampler.zipf, &groups, seed, draws);
    close_sampler(&sampler);
    double p = chi_square_p(&groups, draws);
    if (p < 1e-3) {
        ck_abort_msg("n %llu, exponent %g, seed %llu: p = %g", (unsigned long long)n, exponent,
                     (unsigned long long)seed, p);
    }
}

START_TEST(numbers_follow_the_exact_law) {
    double exponent = exponents[_i % 5];
    uint64_t n = sizes[_i / 5];
    check_law(n, exponent, 1, 1000000);
}
END_TEST

START_TEST(numbers_follow_the_exact_law_at_ten_million_draws) {
    check_law(1000000, exponents[_i], 2, LAW_DRAWS);
}
END_TEST

/* Shares beyond what can be added up, by zipf_top_share: P(rank <= m) = H(m) / H(n). */
START_TEST(numbers_follow_the_law_at_the_largest_n) {
    struct groups groups = {.count = 0};
    struct sampler sampler;
    static const double slow[] = {0.0, 0.5, 0.99, 1.0, 1.05};
    double exponent = slow[_i];
    open_sampler(&sampler, ZIPF_N_MAX, exponent);
    for (int bit = 0; bit <= 48; bit++) {
        groups.last[groups.count++] = UINT64_C(1) << bit;
    }
    double top = zipf_top_share(ZIPF_N_MAX, exponent), before = 0.0;
    for (uint32_t g = 0; g < groups.count; g++) {
        double up_to = top / zipf_top_share(groups.last[g], exponent);
        groups.share[g] = up_to - before;
        before = up_to;
    }
    draw_groups(&sampler.zipf, &groups, 3, 300000);
    close_sampler(&sampler);
    ck_assert_double_gt(chi_square_p(&groups, 300000), 1e-3);
}
END_TEST

/* Both draws given by hand: bin, then place in the bin. What is refused goes on to the pair behind,
 * which is rank 1. Returns the rank, 0 when it was refused. */
static uint64_t rank_of_draws(const struct zipf *zipf, uint64_t bin, uint64_t place) {
    struct random_stream stream;
    __extension__ unsigned __int128 wide = (unsigned __int128)bin << 64;
    uint64_t *last = stream.buffer + RANDOM_BUFFER_COUNT - 4;
    last[0] = (uint64_t)(wide / zipf->bin_count) + (bin > 0); /* coin next to 0: no alias */
    last[1] = place;
    last[2] = 0;
    last[3] = 0;
    stream.next = RANDOM_BUFFER_COUNT - 4;
    uint64_t number = UINT64_MAX;
    zipf_fill(zipf, &stream, &number, 1);
    bool accepted = stream.next == RANDOM_BUFFER_COUNT - 2;
    return accepted ? number + 1 : 0;
}

/* Ranks of a bin against 4,096 evenly spread second draws a rank. */
static void check_bin(const struct zipf *zipf, uint64_t bin, uint64_t first, uint64_t length) {
    enum { PLACES = 4096 };
    for (uint64_t k = 0; k < length; k++) {
        uint32_t accepted = 0, misplaced = 0;
        for (uint64_t place = 0; place < PLACES; place++) {
            __extension__ unsigned __int128 share =
                ((unsigned __int128)(k * PLACES + place) << 64) / (length * PLACES);
            uint64_t rank = rank_of_draws(zipf, bin, (uint64_t)share + 1);
            misplaced += rank != 0 && rank != first + k;
            accepted += rank != 0;
        }
        double expected = PLACES * pow((double)first / (double)(first + k), zipf->exponent);
        ck_assert_uint_eq(misplaced, 0);
        ck_assert_double_le(fabs((double)accepted - expected), 1.0);
    }
}

START_TEST(ranks_within_a_bin_fall_as_the_law_says) {
    static const double steep[] = {0.5, 0.99, 1.5, 2.0};
    struct sampler sampler;
    open_sampler(&sampler, 20000, steep[_i]);
    const struct zipf *zipf = &sampler.zipf;
    uint64_t first = 1;
    for (uint64_t bin = 0; bin < zipf->bin_count; bin++) {
        uint64_t length = 1 + first / 128;
        length = first + length - 1 <= zipf->n ? length : zipf->n - first + 1;
        if (bin == 400 || bin == 600 || bin + 1 == zipf->bin_count) {
            check_bin(zipf, bin, first, length);
        }
        first += length;
    }
    ck_assert_uint_eq(first, zipf->n + 1);
    close_sampler(&sampler);
}
END_TEST

START_TEST(numbers_do_not_depend_on_how_they_are_split) {
    enum { TOTAL = 20000 };
    uint64_t whole[TOTAL], split[TOTAL];
    uint64_t seed = (uint64_t)_i;
    struct sampler sampler;
    open_sampler(&sampler, 1000000, 4.0 / (double)_i); /* many refusals, then few */
    const struct zipf *zipf = &sampler.zipf;
    struct random_stream stream, splits;
    open_stream(&stream, seed);
    zipf_fill(zipf, &stream, whole, TOTAL);
    uint64_t after_whole = random_next(&stream);
    open_stream(&stream, seed);
    random_init(&splits, &(struct random_name){seed, 0, "", "splits"});
    for (size_t done = 0; done < TOTAL;) {
        size_t count = (size_t)random_below(&splits, 700);
        count = count < TOTAL - done ? count : TOTAL - done;
        zipf_fill(zipf, &stream, split + done, count);
        done += count;
    }
    ck_assert_msg(memcmp(whole, split, sizeof whole) == 0, "seed %d", _i);
    ck_assert_uint_eq(random_next(&stream), after_whole);
    close_sampler(&sampler);
}
END_TEST

/* Equal under every compiler and level of optimisation. */
START_TEST(numbers_have_not_changed) {
    static const uint64_t expected[] = {0, 26990, 648056, 2, 1, 40654, 987353, 99278};
    struct sampler sampler;
    open_sampler(&sampler, 1000000, 0.99);
    struct random_stream stream;
    open_stream(&stream, 1);
    uint64_t numbers[8];
    zipf_fill(&sampler.zipf, &stream, numbers, 8);
    close_sampler(&sampler);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_uint_eq(numbers[i], expected[i]);
    }
}
END_TEST

START_TEST(table_is_as_small_as_its_header_says) {
    static const struct {
        uint64_t n, bins_min, bins_max;
    } rows[] = {{1, 1, 1}, {127, 127, 127}, {1000000, 1224, 1224}, {ZIPF_N_MAX, 3000, 4000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sampler sampler;
        open_sampler(&sampler, rows[i].n, 0.99);
        ck_assert_uint_ge(sampler.zipf.bin_count, rows[i].bins_min);
        ck_assert_uint_le(sampler.zipf.bin_count, rows[i].bins_max);
        close_sampler(&sampler);
    }
}
END_TEST

START_TEST(top_share_is_the_sum_of_all_terms) {
    static const double more[] = {0.0, 0.3, 0.99, 1.0, 1.0 + 1e-12, 1.5, 3.0, 20.0};
    static const uint64_t to[] = {1, 2, 1023, 1024, 1025, 5000, 1000000};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        for (size_t j = 0; j < sizeof to / sizeof to[0]; j++) {
            double sum = 0.0;
            for (uint64_t k = to[j]; k >= 1; k--) {
                sum += pow((double)k, -more[i]);
            }
            double share = zipf_top_share(to[j], more[i]);
            ck_assert_msg(fabs(share * sum - 1.0) < 1e-12, "n %llu, exponent %g: %.17g",
                          (unsigned long long)to[j], more[i], share);
        }
    }
}
END_TEST

/* Harmonic numbers: ln n + 0.5772… + 1 / 2n; Basel: pi^2 / 6 - 1 / n. */
START_TEST(top_share_is_right_where_no_sum_can_be_formed) {
    const double n = (double)ZIPF_N_MAX;
    double harmonic = log(n) + 0.57721566490153286 + 0.5 / n;
    ck_assert_double_eq_tol(zipf_top_share(ZIPF_N_MAX, 1.0) * harmonic, 1.0, 1e-13);
    double basel = M_PI * M_PI / 6.0 - 1.0 / n;
    ck_assert_double_eq_tol(zipf_top_share(ZIPF_N_MAX, 2.0) * basel, 1.0, 1e-13);
}
END_TEST

START_TEST(aborts_on_no_rank) {
    struct sampler sampler;
    open_sampler(&sampler, 0, 1.0);
}
END_TEST

START_TEST(aborts_on_too_many_ranks) {
    struct sampler sampler;
    open_sampler(&sampler, ZIPF_N_MAX + 1, 1.0);
}
END_TEST

START_TEST(aborts_on_a_negative_exponent) {
    struct sampler sampler;
    open_sampler(&sampler, 10, -0.1);
}
END_TEST

START_TEST(aborts_on_a_steep_exponent) {
    struct sampler sampler;
    open_sampler(&sampler, 10, ZIPF_EXPONENT_MAX + 1.0);
}
END_TEST

START_TEST(aborts_on_the_top_share_of_nothing) {
    zipf_top_share(0, 1.0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/zipf");
    TCase *tcase = tcase_create("zipf");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, numbers_follow_the_exact_law, 0, 25);
    tcase_add_loop_test(tcase, numbers_follow_the_exact_law_at_ten_million_draws, 0, 5);
    tcase_add_loop_test(tcase, numbers_follow_the_law_at_the_largest_n, 0, 5);
    tcase_add_loop_test(tcase, ranks_within_a_bin_fall_as_the_law_says, 0, 4);
    tcase_add_loop_test(tcase, numbers_do_not_depend_on_how_they_are_split, 1, 21);
    tcase_add_test(tcase, numbers_have_not_changed);
    tcase_add_test(tcase, table_is_as_small_as_its_header_says);
    tcase_add_test(tcase, top_share_is_the_sum_of_all_terms);
    tcase_add_test(tcase, top_share_is_right_where_no_sum_can_be_formed);
    tcase_add_test_raise_signal(tcase, aborts_on_no_rank, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_too_many_ranks, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_negative_exponent, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_steep_exponent, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_the_top_share_of_nothing, SIGABRT);
    return suite_run(suite);
}
