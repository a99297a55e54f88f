#include "workloads/field.h"

#include "sim/hash.h"
#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "", "blue"};
static const double colour_weights[] = {0.5, 3.0, 0.0, 1.5};

static const struct field_spec specs[] = {
    {.name = "constant", .law = FIELD_CONSTANT, .n = 1, .values = (const char *const[]){"only"}},
    {.name = "uniform", .law = FIELD_UNIFORM, .n = 1000, .first = -3},
    {.name = "zipf", .law = FIELD_ZIPF, .n = 1000, .first = 1, .exponent = 0.99},
    {.name = "sequence", .law = FIELD_SEQUENCE, .n = 7, .first = 100},
    {.name = "choice", .law = FIELD_CHOICE, .n = 4, .values = colours, .weights = colour_weights},
    {.name = "ycsb", .law = FIELD_YCSB_ZIPFIAN, .n = 1000, .first = 1, .exponent = 0.99},
    {.name = "ycsb_scrambled",
     .law = FIELD_YCSB_ZIPFIAN,
     .n = 1000,
     .exponent = 0.99,
     .is_scrambled = true},
    {.name = "scrambled", .law = FIELD_SCRAMBLED, .n = 1000, .first = -1, .exponent = 1.2},
    {.name = "hotset",
     .law = FIELD_HOTSET,
     .n = 100,
     .ranges = (const struct field_range[]){{0, 20}, {20, 80}},
     .range_count = 2,
     .weights = (const double[]){0.9, 0.1}},
    {.name = "latest",
     .law = FIELD_LATEST,
     .n = 100 + (UINT64_C(1) << 30),
     .first = 5,
     .exponent = 0.99,
     .recent = 100,
     .growth = UINT64_C(1) << 30},
    {.name = "normal", .law = FIELD_NORMAL, .n = 100, .first = -50, .mean = 10, .sd = 15},
    {.name = "lognormal", .law = FIELD_LOGNORMAL, .n = 1000, .median = 30, .p99 = 300},
    {.name = "exponential", .law = FIELD_EXPONENTIAL, .n = 500, .mean = 60},
    {.name = "histogram",
     .law = FIELD_HISTOGRAM,
     .n = 20,
     .first = 5,
     .ranges = (const struct field_range[]){{0, 1}, {5, 10}, {10, 10}, {3, 1}},
     .range_count = 4,
     .weights = (const double[]){2, 3, 5, 0}},
};
enum { SPECS = sizeof specs / sizeof specs[0] };

struct opened {
    struct arena arena;
    struct field field;
};

static void open_field(struct opened *opened, const struct field_spec *spec, uint64_t seed) {
    struct err err = {.kind = ERR_NONE};
    arena_init(&opened->arena);
    const struct random_name name = {seed, 0, "fields", spec->name};
    ck_assert(field_init(&opened->field, &opened->arena, spec, &name, &err));
}

static void close_field(struct opened *opened) {
    arena_fini(&opened->arena);
}

static double chi_square_p(const uint64_t *seen, const double *share, uint64_t count,
                           uint64_t draws) {
    double statistic = 0.0;
    int cells = 0;
    for (uint64_t i = 0; i < count; i++) {
        double expected = share[i] * (double)draws;
        if (expected > 0.0) {
            double surplus = (double)seen[i] - expected;
            statistic += surplus * surplus / expected;
            cells++;
        }
    }
    return gsl_cdf_chisq_Q(statistic, cells - 1);
}

static double law_p(const struct field_spec *spec, const double *share) {
    struct opened opened;
    uint64_t seen[1000] = {0}, numbers[500];
    open_field(&opened, spec, 1);
    for (int done = 0; done < LAW_DRAWS; done += 500) {
        field_fill(&opened.field, numbers, 500);
        for (size_t i = 0; i < 500; i++) {
            if (numbers[i] >= spec->n) {
                ck_abort_msg("%s: %llu", spec->name, (unsigned long long)numbers[i]);
            }
            seen[numbers[i]]++;
        }
    }
    close_field(&opened);
    for (uint64_t i = 0; i < spec->n; i++) {
        ck_assert(share[i] > 0.0 || seen[i] == 0);
    }
    return chi_square_p(seen, share, spec->n, LAW_DRAWS);
}

START_TEST(uniform_numbers_are_equally_frequent) {
    double share[1000];
    for (size_t i = 0; i < 1000; i++) {
        share[i] = 1e-3;
    }
    ck_assert_double_gt(law_p(&specs[1], share), 1e-3);
}
END_TEST

START_TEST(zipf_numbers_follow_their_law) {
    double share[1000], sum = 0.0;
    for (size_t i = 0; i < 1000; i++) {
        share[i] = pow((double)(i + 1), -0.99);
        sum += share[i];
    }
    for (size_t i = 0; i < 1000; i++) {
        share[i] /= sum;
    }
    ck_assert_double_gt(law_p(&specs[2], share), 1e-3);
}
END_TEST

START_TEST(choices_follow_their_weights) {
    const double share[] = {0.1, 0.6, 0.0, 0.3};
    ck_assert_double_gt(law_p(&specs[4], share), 1e-3);
}
END_TEST

START_TEST(scrambled_ranks_follow_zipf_and_are_no_neighbours) {
    struct permutation order;
    uint64_t places[1000];
    double share[1000], sum = 0.0;
    for (size_t i = 0; i < 1000; i++) {
        places[i] = i;
        sum += pow((double)(i + 1), -1.2);
    }
    permutation_init(&order, 1000);
    permutation_apply(&order, places, 1000);
    for (size_t i = 0; i < 1000; i++) {
        share[places[i]] = pow((double)(i + 1), -1.2) / sum;
    }
    ck_assert_double_gt(law_p(&specs[7], share), 1e-3);
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < i; j++) {
            ck_assert_int_gt(llabs((long long)places[i] - (long long)places[j]), 1);
        }
    }
}
END_TEST

START_TEST(hot_numbers_take_their_share) {
    double share[100];
    for (size_t i = 0; i < 100; i++) {
        share[i] = i < 20 ? 0.9 / 20 : 0.1 / 80;
    }
    ck_assert_double_gt(law_p(&specs[8], share), 1e-3);
}
END_TEST

START_TEST(histograms_are_even_within_their_ranges) {
    double share[20];
    for (size_t i = 0; i < 20; i++) {
        share[i] = i == 0 ? 0.2 : i < 5 ? 0.0 : i < 10 ? 0.03 : i < 15 ? 0.08 : 0.05;
    }
    ck_assert_double_gt(law_p(&specs[13], share), 1e-3);
}
END_TEST

/* Utils.fnvhash64 as YCSB writes it, on signed numbers. */
static int64_t fnvhash64(int64_t value) {
    int64_t hash = (int64_t)UINT64_C(0xCBF29CE484222325);
    for (int i = 0; i < 8; i++) {
        hash = hash ^ (value & 0xff);
        value = value >> 8;
        hash = (int64_t)((uint64_t)hash * UINT64_C(1099511628211));
    }
    return hash < 0 ? (int64_t) - (uint64_t)hash : hash;
}

/* The exact law over 1,000 numbers: the first ranks by YCSB's formula and its hash, one by one; the
 * ranks behind them, hashed, are even but for less than what so many draws show. */
START_TEST(scrambled_ycsb_numbers_are_the_hashed_ranks_of_its_formula) {
    enum { HEAD = LAW_DRAWS };
    /* YCSB's first two keys are user6284781860667377211 and user8517097267634966620. */
    ck_assert_int_eq(fnvhash64(0), INT64_C(6284781860667377211));
    ck_assert_int_eq(fnvhash64(1), INT64_C(8517097267634966620));
    const double n = 10000000001.0, zeta = 26.46902820178302, s = 0.99;
    const double zeta_2 = 1.0 + pow(0.5, s);
    const double eta = (1.0 - pow(2.0 / n, 1.0 - s)) / (1.0 - zeta_2 / zeta);
    double share[1000] = {0.0}, before = 0.0;
    for (int64_t k = 0; k < HEAD; k++) {
        double up_to = k == 0   ? 1.0 / zeta
                       : k == 1 ? zeta_2 / zeta
                                : (pow((double)(k + 1) / n, 1.0 - s) - 1.0 + eta) / eta;
        share[fnvhash64(k) % 1000] += up_to - before;
        before = up_to;
    }
    for (size_t i = 0; i < 1000; i++) {
        share[i] += (1.0 - before) / 1000.0;
    }
    ck_assert_double_gt(law_p(&specs[6], share), 1e-3);
}
END_TEST

/* A quarter of a new number an operation: the rank is taken from the newest one. */
START_TEST(latest_numbers_are_ranks_below_the_newest) {
    enum { TOTAL = 4000 };
    static uint64_t numbers[TOTAL], ranks[TOTAL];
    struct opened latest, zipf;
    struct field_spec spec = {.name = "latest", .law = FIELD_ZIPF, .n = 100, .exponent = 0.99};
    open_field(&latest, &specs[9], 3);
    open_field(&zipf, &spec, 3);
    field_fill(&latest.field, numbers, TOTAL);
    field_fill(&zipf.field, ranks, TOTAL);
    for (uint64_t i = 0; i < TOTAL; i++) {
        ck_assert_uint_eq(numbers[i], 99 + i / 4 - ranks[i]);
    }
    close_field(&latest);
    close_field(&zipf);
}
END_TEST

START_TEST(latest_ranks_follow_zipf) {
    struct opened opened;
    uint64_t numbers[500], seen[100] = {0};
    double share[100], sum = 0.0;
    for (int i = 0; i < 100; i++) {
        share[i] = pow(i + 1, -0.99);
        sum += share[i];
    }
    open_field(&opened, &specs[9], 1);
    for (uint64_t done = 0; done < LAW_DRAWS; done += 500) {
        field_fill(&opened.field, numbers, 500);
        for (uint64_t i = 0; i < 500; i++) {
            const uint64_t newest = 99 + (done + i) / 4;
            if (newest - numbers[i] >= 100) {
                ck_abort_msg("draw %llu", (unsigned long long)(done + i));
            }
            seen[newest - numbers[i]]++;
        }
    }
    for (int i = 0; i < 100; i++) {
        share[i] /= sum;
    }
    ck_assert_double_gt(chi_square_p(seen, share, 100, LAW_DRAWS), 1e-3);
    close_field(&opened);
}
END_TEST

START_TEST(latest_numbers_end_where_the_operations_do) {
    struct opened opened;
    uint64_t numbers[100];
    open_field(&opened, &specs[9], 1);
    opened.field.next = FIELD_OPERATIONS_MAX - 50;
    field_fill(&opened.field, numbers, 100);
    uint64_t largest = 0;
    for (size_t i = 0; i < 100; i++) {
        ck_assert_uint_lt(numbers[i], specs[9].n);
        largest = numbers[i] > largest ? numbers[i] : largest;
    }
    ck_assert_uint_eq(largest, specs[9].n - 1);
    close_field(&opened);
}
END_TEST

START_TEST(uniform_numbers_are_those_of_random_below) {
    static const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(3) << 61, (UINT64_C(1) << 63) - 5};
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
        const struct random_name name = {7, 0, "fields", "below"};
        struct random_stream one, many;
        random_init(&one, &name);
        random_init(&many, &name);
        uint64_t numbers[3000];
        field_fill_below(&many, bounds[b], numbers, 3000);
        for (size_t i = 0; i < 3000; i++) {
            uint64_t expected = random_below(&one, bounds[b]);
            if (numbers[i] != expected) {
                ck_abort_msg("bound %llu, number %zu", (unsigned long long)bounds[b], i);
            }
        }
        ck_assert_uint_eq(random_next(&one), random_next(&many));
    }
}
END_TEST

START_TEST(sequence_counts_and_wraps) {
    struct opened opened;
    uint64_t numbers[20];
    open_field(&opened, &specs[3], 1);
    for (uint64_t done = 0; done < LAW_DRAWS; done += 20) {
        field_fill(&opened.field, numbers, 20);
        for (uint64_t i = 0; i < 20; i++) {
            if (numbers[i] != (done + i) % 7) {
                ck_abort_msg("draw %llu: %llu", (unsigned long long)(done + i),
                             (unsigned long long)numbers[i]);
            }
        }
    }
    close_field(&opened);
}
END_TEST

START_TEST(constant_is_always_the_first) {
    struct opened opened;
    uint64_t numbers[3] = {9, 9, 9};
    open_field(&opened, &specs[0], 1);
    field_fill(&opened.field, numbers, 3);
    ck_assert(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0);
    close_field(&opened);
}
END_TEST

/* Equal under every compiler and level of optimisation: a hash of 5,000 numbers of each law. */
START_TEST(numbers_have_not_changed) {
    enum { TOTAL = 5000 };
    static const uint64_t expected[SPECS] = {
        0x1d23e08a2d117eac, 0x18cf89a52e026112, 0x627094b3587ac127, 0x36b17ac47f4c89a8,
        0xb2d89054261d469c, 0xc2d50a8f4ae03a4a, 0xd8b44112334093fc, 0x7d13941e79b03155,
        0x97f5c813ca7e2875, 0xda3f099138dca008, 0xcccf49dea2b6bd34, 0xfdbac0ad64743cf2,
        0x6d53a51e11db7bc4, 0xdc15bbbc3142f408};
    for (size_t s = 0; s < SPECS; s++) {
        struct opened opened;
        uint64_t numbers[TOTAL];
        open_field(&opened, &specs[s], 1);
        field_fill(&opened.field, numbers, TOTAL);
        uint64_t hash = hash64(numbers, sizeof numbers, 0);
        ck_assert_msg(hash == expected[s], "%s: 0x%llx", specs[s].name, (unsigned long long)hash);
        close_field(&opened);
    }
}
END_TEST

START_TEST(numbers_do_not_depend_on_how_they_are_split) {
    enum { TOTAL = 5000 };
    uint64_t seed = (uint64_t)_i;
    struct random_stream splits;
    random_init(&splits, &(struct random_name){seed, 0, "", "splits"});
    for (size_t s = 0; s < SPECS; s++) {
        struct opened whole, split;
        uint64_t expected[TOTAL], numbers[TOTAL];
        open_field(&whole, &specs[s], seed);
        open_field(&split, &specs[s], seed);
        field_fill(&whole.field, expected, TOTAL);
        for (size_t done = 0; done < TOTAL;) {
            size_t count = (size_t)random_below(&splits, 600);
            count = count < TOTAL - done ? count : TOTAL - done;
            field_fill(&split.field, numbers + done, count);
            done += count;
        }
        ck_assert_msg(memcmp(expected, numbers, sizeof expected) == 0, "seed %d, %s", _i,
                      specs[s].name);
        close_field(&whole);
        close_field(&split);
    }
}
END_TEST

static void check_text(const struct field *field, uint64_t number, const char *expected) {
    char digits[FIELD_DIGITS_BYTES], text[FIELD_TEXT_BYTES];
    size_t length = 0;
    const char *view = field_view(field, number, digits, &length);
    ck_assert_uint_eq(length, strlen(expected));
    ck_assert_mem_eq(view, expected, length);
    ck_assert_uint_eq(field_text(field, number, text), length);
    ck_assert_mem_eq(text, expected, length);
}

START_TEST(texts_are_values_or_decimal_numbers) {
    static const struct {
        size_t spec;
        uint64_t number;
        const char *text;
    } rows[] = {{0, 0, "only"}, {1, 0, "-3"},   {1, 3, "0"},    {1, 999, "996"}, {2, 0, "1"},
                {3, 6, "106"},  {4, 0, "red"},  {4, 2, ""},     {4, 3, "blue"},  {5, 0, "1"},
                {7, 0, "-1"},   {9, 99, "104"}, {10, 0, "-50"}, {13, 19, "24"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct opened opened;
        open_field(&opened, &specs[rows[i].spec], 1);
        check_text(&opened.field, rows[i].number, rows[i].text);
        close_field(&opened);
    }
}
END_TEST

START_TEST(texts_reach_both_ends_of_64_bits) {
    const struct field_spec low = {
        .name = "low", .law = FIELD_UNIFORM, .n = UINT64_C(1) << 63, .first = INT64_MIN};
    const struct field_spec high = {
        .name = "high", .law = FIELD_UNIFORM, .n = 2, .first = INT64_MAX - 1};
    struct opened opened;
    open_field(&opened, &low, 1);
    check_text(&opened.field, 0, "-9223372036854775808");
    check_text(&opened.field, low.n - 1, "-1");
    close_field(&opened);
    open_field(&opened, &high, 1);
    check_text(&opened.field, 1, "9223372036854775807");
    close_field(&opened);
}
END_TEST

START_TEST(knows_how_long_its_texts_are) {
    static const struct {
        size_t shortest, longest;
    } rows[SPECS] = {{4, 4}, {1, 3}, {1, 4},  {1, 3}, {0, 5}, {1, 4}, {1, 3},
                     {1, 3}, {1, 2}, {1, 10}, {1, 3}, {1, 3}, {1, 3}, {1, 2}};
    for (size_t i = 0; i < SPECS; i++) {
        struct opened opened;
        size_t shortest = 99, longest = 99;
        open_field(&opened, &specs[i], 1);
        field_text_lengths(&opened.field, &shortest, &longest);
        ck_assert_uint_eq(shortest, rows[i].shortest);
        ck_assert_uint_eq(longest, rows[i].longest);
        close_field(&opened);
    }
}
END_TEST

static const struct trace_column column = {.name = "host",
                                           .texts = (const char *const[]){"a", "long"},
                                           .n = 2,
                                           .shortest_bytes = 1,
                                           .longest_bytes = 4};

START_TEST(a_trace_column_is_a_field) {
    struct field field;
    size_t shortest = 0, longest = 0;
    field_init_column(&field, &column);
    ck_assert_str_eq(field.name, "host");
    ck_assert_uint_eq(field.n, 2);
    check_text(&field, 1, "long");
    field_text_lengths(&field, &shortest, &longest);
    ck_assert_uint_eq(shortest, 1);
    ck_assert_uint_eq(longest, 4);
}
END_TEST

START_TEST(aborts_on_filling_a_column) {
    struct field field;
    uint64_t number = 0;
    field_init_column(&field, &column);
    field_fill(&field, &number, 1);
}
END_TEST

static void open_spec(struct field_spec spec) {
    struct opened opened;
    spec.name = "bad";
    open_field(&opened, &spec, 1);
}

START_TEST(aborts_on_no_value) {
    open_spec((struct field_spec){.law = FIELD_UNIFORM, .n = 0});
}
END_TEST

START_TEST(aborts_on_values_beyond_64_bits) {
    open_spec((struct field_spec){.law = FIELD_SEQUENCE, .n = 2, .first = INT64_MAX});
}
END_TEST

START_TEST(aborts_on_a_choice_without_values) {
    open_spec((struct field_spec){.law = FIELD_CHOICE, .n = 2, .weights = colour_weights});
}
END_TEST

START_TEST(aborts_on_ranges_and_recents_out_of_range) {
    static const double weights[] = {1, 1};
    static const struct field_range beyond[] = {{0, 5}, {5, 6}}, empty[] = {{0, 5}, {5, 0}};
    static const struct field_range late[] = {{0, 5}, {10, 1}};
    const struct field_spec bad[] = {
        {.law = FIELD_HOTSET, .n = 10, .ranges = beyond, .range_count = 2, .weights = weights},
        {.law = FIELD_HISTOGRAM, .n = 10, .ranges = empty, .range_count = 2, .weights = weights},
        {.law = FIELD_HISTOGRAM, .n = 10, .ranges = late, .range_count = 2, .weights = weights},
        {.law = FIELD_HISTOGRAM, .n = 10, .ranges = late, .range_count = 0, .weights = weights},
        {.law = FIELD_HOTSET, .n = 10, .range_count = 2, .weights = weights},
        {.law = FIELD_LATEST, .n = 10, .recent = 0, .growth = 10, .exponent = 1},
        {.law = FIELD_LATEST, .n = 10, .recent = 8, .growth = 1, .exponent = 1},
        {.law = FIELD_LATEST, .n = 10, .recent = 11, .growth = 0, .exponent = 1},
    };
    open_spec(bad[_i]);
}
END_TEST

START_TEST(aborts_on_the_text_of_a_number_out_of_range) {
    struct opened opened;
    char digits[FIELD_DIGITS_BYTES];
    size_t length = 0;
    open_field(&opened, &specs[4], 1);
    field_view(&opened.field, 4, digits, &length);
}
END_TEST

START_TEST(aborts_on_copying_a_text_that_does_not_fit) {
    struct field field;
    char text[FIELD_TEXT_BYTES], *longer = calloc(1, FIELD_TEXT_BYTES + 2);
    memset(longer, 'x', FIELD_TEXT_BYTES + 1);
    const char *texts[] = {longer};
    struct trace_column wide = column;
    wide.texts = texts;
    wide.n = 1;
    field_init_column(&field, &wide);
    field_text(&field, 0, text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/field");
    TCase *tcase = tcase_create("field");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, uniform_numbers_are_equally_frequent);
    tcase_add_test(tcase, zipf_numbers_follow_their_law);
    tcase_add_test(tcase, choices_follow_their_weights);
    tcase_add_test(tcase, scrambled_ranks_follow_zipf_and_are_no_neighbours);
    tcase_add_test(tcase, hot_numbers_take_their_share);
    tcase_add_test(tcase, histograms_are_even_within_their_ranges);
    tcase_add_test(tcase, scrambled_ycsb_numbers_are_the_hashed_ranks_of_its_formula);
    tcase_add_test(tcase, latest_numbers_are_ranks_below_the_newest);
    tcase_add_test(tcase, latest_ranks_follow_zipf);
    tcase_add_test(tcase, latest_numbers_end_where_the_operations_do);
    tcase_add_test(tcase, numbers_have_not_changed);
    tcase_add_test(tcase, uniform_numbers_are_those_of_random_below);
    tcase_add_test(tcase, sequence_counts_and_wraps);
    tcase_add_test(tcase, constant_is_always_the_first);
    tcase_add_loop_test(tcase, numbers_do_not_depend_on_how_they_are_split, 1, 6);
    tcase_add_test(tcase, texts_are_values_or_decimal_numbers);
    tcase_add_test(tcase, texts_reach_both_ends_of_64_bits);
    tcase_add_test(tcase, knows_how_long_its_texts_are);
    tcase_add_test(tcase, a_trace_column_is_a_field);
    tcase_add_test_raise_signal(tcase, aborts_on_filling_a_column, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_no_value, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_values_beyond_64_bits, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_choice_without_values, SIGABRT);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_ranges_and_recents_out_of_range, SIGABRT, 0,
                                     8);
    tcase_add_test_raise_signal(tcase, aborts_on_the_text_of_a_number_out_of_range, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_copying_a_text_that_does_not_fit, SIGABRT);
    return suite_run(suite);
}
