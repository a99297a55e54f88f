#include "workloads/field.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 200000

static const char *const colours[] = {"red", "green", "", "blue"};
static const double colour_weights[] = {0.5, 3.0, 0.0, 1.5};

static const struct field_spec specs[] = {
    {.name = "constant", .law = FIELD_CONSTANT, .n = 1, .values = (const char *const[]){"only"}},
    {.name = "uniform", .law = FIELD_UNIFORM, .n = 1000, .first = -3},
    {.name = "zipf", .law = FIELD_ZIPF, .n = 1000, .first = 1, .exponent = 0.99},
    {.name = "sequence", .law = FIELD_SEQUENCE, .n = 7, .first = 100},
    {.name = "choice", .law = FIELD_CHOICE, .n = 4, .values = colours, .weights = colour_weights},
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
    for (int done = 0; done < DRAWS; done += 500) {
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
    return chi_square_p(seen, share, spec->n, DRAWS);
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
    field_fill(&opened.field, numbers, 20);
    for (uint64_t i = 0; i < 20; i++) {
        ck_assert_uint_eq(numbers[i], i % 7);
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
    } rows[] = {{0, 0, "only"}, {1, 0, "-3"},  {1, 3, "0"}, {1, 999, "996"}, {2, 0, "1"},
                {3, 6, "106"},  {4, 0, "red"}, {4, 2, ""},  {4, 3, "blue"}};
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
    } rows[SPECS] = {{4, 4}, {1, 3}, {1, 4}, {1, 3}, {0, 5}};
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
    tcase_add_test_raise_signal(tcase, aborts_on_the_text_of_a_number_out_of_range, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_copying_a_text_that_does_not_fit, SIGABRT);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
