/* Batches and steps of chains: generators whose draws are not one an operation. */
#include "workloads/generator.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct field_spec player = {.name = "player", .law = FIELD_UNIFORM, .n = 1000};
static const struct rate_point per_second = {0, 1000};

/* A root and its step, or a batch. */
static struct workload_spec workloads[2];
static struct scenario scenario;
static struct arena arena;
static struct generator root, step;
static struct operation_batch batch, of_step;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    workloads[0] = (struct workload_spec){
        .name = "root",
        .arrivals = ARRIVALS_UNIFORM,
        .points = &per_second,
        .point_count = 1,
        .stop_ns = -1,
        .after = SCENARIO_NONE,
        .hash_key = {"{player}-{seq}", {"s.yaml", 1, 1}, NULL},
        .item_size = {.law = SIZE_UNIFORM, .min_bytes = 1, .max_bytes = 1000},
    };
    workloads[1] = workloads[0];
    workloads[1].name = "step";
    workloads[1].arrivals = ARRIVALS_STEP;
    scenario = (struct scenario){
        .fields = &player, .field_count = 1, .workloads = workloads, .workload_count = 2};
    arena_init(&arena);
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void open_root(void) {
    ck_assert_msg(generator_init(&root, &arena, &scenario, 0, 1, 0, &err), "%s", err.text);
}

START_TEST(a_step_has_the_fields_and_its_own_sizes) {
    open_root();
    ck_assert(generator_init_step(&step, &root, &arena, &scenario, 1, 1, 0, &err));
    int same_sizes = 0, operations = 0;
    for (int i = 0; i < 20; i++) {
        generator_next(&root, INT64_MAX, &batch);
        generator_follow(&step, &root, &batch, &of_step);
        ck_assert_uint_eq(of_step.count, batch.count);
        for (uint32_t j = 0; j < batch.count; j++, operations++) {
            ck_assert_uint_eq(of_step.numbers[j], batch.numbers[j]);
            same_sizes += of_step.sizes_bytes[j] == batch.sizes_bytes[j];
        }
    }
    ck_assert_int_gt(operations, 5000);
    ck_assert_int_lt(same_sizes, operations / 200);
    generator_fini(&step);
    generator_fini(&root);
}
END_TEST

static const struct attribute_spec attributes[] = {
    {.name = "state", .template = {"S{player}", {"s.yaml", 1, 1}, NULL}},
    {.name = "photo", .size = {.law = SIZE_UNIFORM, .min_bytes = 1, .max_bytes = 1000}},
    {.name = "owner", .is_removed = true},
};

/* A step begins later: what was drawn for it comes back when other batches have been drawn. */
START_TEST(what_a_step_was_drawn_comes_back) {
    uint64_t drawn[3], again[3];
    workloads[1].attributes = attributes;
    workloads[1].given_count = 3;
    open_root();
    ck_assert(generator_init_step(&step, &root, &arena, &scenario, 1, 1, 0, &err));
    generator_next(&root, INT64_MAX, &batch);
    generator_follow(&step, &root, &batch, &of_step);
    generator_note_attributes(&step, 7, drawn);
    ck_assert_uint_eq(drawn[0], step.attributes[0].numbers[7]);
    ck_assert_uint_lt(drawn[0], 1000);
    ck_assert_uint_eq(drawn[1], step.attributes[1].sizes_bytes[7]);
    ck_assert_uint_ge(drawn[1], 1);
    ck_assert_uint_le(drawn[1], 1000);
    generator_next(&root, INT64_MAX, &batch);
    generator_follow(&step, &root, &batch, &of_step);
    generator_recall_attributes(&step, drawn);
    generator_note_attributes(&step, 7, again);
    ck_assert(again[0] != drawn[0] || again[1] != drawn[1]); /* of the second batch, untouched */
    ck_assert_uint_eq(step.attributes[0].numbers[GENERATOR_RECALLED], drawn[0]);
    ck_assert_uint_eq(step.attributes[1].sizes_bytes[GENERATOR_RECALLED], drawn[1]);
    generator_fini(&step);
    generator_fini(&root);
}
END_TEST

START_TEST(aborts_on_a_position_behind_the_batch) {
    uint64_t drawn[1];
    open_root();
    generator_note_attributes(&root, GENERATOR_BATCH, drawn);
}
END_TEST

START_TEST(a_batch_takes_consecutive_draws_and_counts_operations) {
    open_root();
    uint64_t numbers[3000];
    uint32_t count = 0;
    while (count < 2000) {
        generator_next(&root, INT64_MAX, &batch);
        memcpy(numbers + count, batch.numbers, batch.count * sizeof *numbers);
        count += batch.count;
    }
    generator_fini(&root);
    workloads[0].operation = DDB_BATCH_WRITE_ITEM;
    workloads[0].batch = 7;
    open_root();
    uint64_t operations = 0, draws = 0;
    while (draws < 1900) {
        generator_next(&root, INT64_MAX, &batch);
        ck_assert_uint_eq(batch.first_sequence, operations);
        ck_assert_uint_eq(batch.draws, 7 * batch.count);
        for (uint32_t i = 0; i < batch.count; i++) {
            ck_assert_int_eq(batch.times_ns[i], (sim_ns)(operations + i) * SIM_NS_PER_MS);
        }
        for (uint32_t i = 0; i < batch.draws && draws + i < 2000; i++) {
            ck_assert_uint_eq(batch.numbers[i], numbers[draws + i]);
        }
        operations += batch.count;
        draws += batch.draws;
    }
    generator_fini(&root);
}
END_TEST

START_TEST(the_last_batch_of_a_trace_has_what_is_left) {
    char path[] = "/tmp/ddbsim-draws-XXXXXX";
    const int descriptor = mkstemp(path);
    static const char csv[] = "page,bytes\na,10\nb,20\nc,30\nd,40\n";
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, csv, strlen(csv)), (ssize_t)strlen(csv));
    close(descriptor);
    workloads[0].operation = DDB_BATCH_WRITE_ITEM;
    workloads[0].batch = 3;
    workloads[0].trace = (struct trace_spec){.file = path, .has_header = true, .repeat = 2};
    workloads[0].hash_key.text = "{page}";
    workloads[0].item_size = (struct size_spec){.law = SIZE_COLUMN, .column = "bytes"};
    open_root();
    unlink(path);
    generator_next(&root, INT64_MAX, &batch);
    ck_assert_uint_eq(batch.count, 3);
    ck_assert_uint_eq(batch.draws, 8);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(batch.numbers[i], i % 4);
        ck_assert_uint_eq(batch.sizes_bytes[i], 10 * (i % 4 + 1));
    }
    generator_next(&root, INT64_MAX, &batch);
    ck_assert_uint_eq(batch.count, 0);
    generator_fini(&root);
}
END_TEST

START_TEST(aborts_on_a_step_that_misses_a_batch) {
    open_root();
    ck_assert(generator_init_step(&step, &root, &arena, &scenario, 1, 1, 0, &err));
    generator_next(&root, INT64_MAX, &batch);
    generator_next(&root, INT64_MAX, &batch);
    generator_follow(&step, &root, &batch, &of_step);
}
END_TEST

START_TEST(aborts_on_a_step_that_begins_by_itself) {
    ck_assert(generator_init(&root, &arena, &scenario, 1, 1, 0, &err));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/generator_draws");
    TCase *tcase = tcase_create("draws");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_step_has_the_fields_and_its_own_sizes);
    tcase_add_test(tcase, what_a_step_was_drawn_comes_back);
    tcase_add_test_raise_signal(tcase, aborts_on_a_position_behind_the_batch, SIGABRT);
    tcase_add_test(tcase, a_batch_takes_consecutive_draws_and_counts_operations);
    tcase_add_test(tcase, the_last_batch_of_a_trace_has_what_is_left);
    tcase_add_test_raise_signal(tcase, aborts_on_a_step_that_misses_a_batch, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_step_that_begins_by_itself, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
