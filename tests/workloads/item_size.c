#include "workloads/item_size.h"

#include "tests/suite.h"
#include "tests/workloads/scenario_fixture.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

#define DRAWS 100000
#define CHUNK 777 /* no divisor of the generator's or the laws' batches */

/* A law as a scenario writes it, and what must come of it; the tolerance is five standard errors of
 * the mean over DRAWS. */
static const struct law_row {
    const char *law;
    enum size_law kind;
    uint32_t min_bytes, max_bytes;
    double mean, tolerance;
} rows[] = {
    {"300B", SIZE_CONSTANT, 300, 300, 300, 0},
    {"{uniform: {min: 100B, max: 299B}}", SIZE_UNIFORM, 100, 299, 199.5, 0.92},
    {"{normal: {mean: 1000B, sd: 100B, min: 1B, max: 4KB}}", SIZE_DRAWN, 1, 4096, 1000, 1.6},
    /* sigma = ln 5 / 2.3263: the mean is exp(sigma^2 / 2) medians */
    {"{lognormal: {median: 1000B, p99: 5000B, min: 1B, max: 400KB}}", SIZE_DRAWN, 1, 409600, 1270.4,
     16},
    /* rounded down: half a byte less */
    {"{exponential: {mean: 500B, min: 100B, max: 400KB}}", SIZE_DRAWN, 100, 409600, 599.5, 8},
    /* 6, 3 and 2 of 11 */
    {"{zipf: {s: 1, min: 100B, max: 102B}}", SIZE_DRAWN, 100, 102, 100.0 + 7.0 / 11.0, 0.013},
    {"{choice: {200B: 3, 1KB: 1}}", SIZE_DRAWN, 200, 1024, 406, 5.7},
    {"{choice: [400B, 200B]}", SIZE_DRAWN, 200, 400, 300, 1.6},
    {"{histogram: [[200B, 1], [[300B, 500B], 1]]}", SIZE_DRAWN, 200, 500, 300, 1.8},
};

static struct arena arena;

static void read_law(struct scenario *scenario, const char *law) {
    struct err err;
    char *text = fixture_edit("200B", law);
    const bool was_read = fixture_read(scenario, text, NULL, &err);
    ck_assert_msg(was_read, "%s: %s", law, err.text);
    free(text);
}

static void open_size(struct item_size *size, const struct size_spec *spec) {
    struct err err = {.kind = ERR_NONE};
    const struct random_name name = {3, 0, "score", "size"};
    ck_assert(item_size_init(size, &arena, spec, &name, &err));
}

START_TEST(sizes_have_the_bounds_and_the_mean_of_their_law) {
    const struct law_row *row = &rows[_i];
    static uint32_t sizes_bytes[DRAWS];
    struct scenario scenario;
    struct item_size size;
    read_law(&scenario, row->law);
    const struct size_spec *spec = &scenario.workloads[0].item_size;
    ck_assert_int_eq(spec->law, row->kind);
    ck_assert_uint_eq(spec->min_bytes, row->min_bytes);
    ck_assert_uint_eq(spec->max_bytes, row->max_bytes);
    arena_init(&arena);
    open_size(&size, spec);
    item_size_fill(&size, sizes_bytes, DRAWS);
    double sum = 0;
    uint32_t outside = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        outside += sizes_bytes[i] < row->min_bytes || sizes_bytes[i] > row->max_bytes;
        sum += sizes_bytes[i];
    }
    ck_assert_uint_eq(outside, 0);
    const double mean = sum / DRAWS;
    ck_assert_msg(fabs(mean - row->mean) <= row->tolerance, "%s: mean %g", row->law, mean);
    arena_fini(&arena);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(sizes_do_not_depend_on_how_they_are_split_into_calls) {
    const struct law_row *row = &rows[_i];
    static uint32_t whole[4 * CHUNK], parts[4 * CHUNK];
    struct scenario scenario;
    struct item_size size;
    read_law(&scenario, row->law);
    arena_init(&arena);
    open_size(&size, &scenario.workloads[0].item_size);
    item_size_fill(&size, whole, (size_t)4 * CHUNK);
    open_size(&size, &scenario.workloads[0].item_size);
    for (size_t i = 0; i < 4; i++) {
        item_size_fill(&size, parts + i * CHUNK, CHUNK);
    }
    ck_assert(memcmp(whole, parts, sizeof whole) == 0);
    arena_fini(&arena);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(aborts_on_a_spread_that_leaves_the_bounds) {
    const struct field_spec spread = {.name = "size", .law = FIELD_UNIFORM, .n = 11, .first = 5};
    const struct size_spec spec = {
        .law = SIZE_DRAWN, .min_bytes = 5, .max_bytes = 14, .spread = &spread};
    struct item_size size;
    arena_init(&arena);
    open_size(&size, &spec);
}
END_TEST

START_TEST(aborts_on_the_column_of_a_trace) {
    const struct size_spec spec = {.law = SIZE_COLUMN, .column = "bytes"};
    struct item_size size;
    uint32_t bytes;
    arena_init(&arena);
    open_size(&size, &spec);
    item_size_fill(&size, &bytes, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/item_size");
    TCase *tcase = tcase_create("size");
    const int count = (int)(sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, sizes_have_the_bounds_and_the_mean_of_their_law, 0, count);
    tcase_add_loop_test(tcase, sizes_do_not_depend_on_how_they_are_split_into_calls, 0, count);
    tcase_add_test_raise_signal(tcase, aborts_on_a_spread_that_leaves_the_bounds, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_the_column_of_a_trace, SIGABRT);
    return suite_run(suite);
}
