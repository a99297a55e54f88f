#include "workloads/generator.h"

#include "tests/law_cells.h"
#include "tests/suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S SIM_NS_PER_S
#define TOTAL_MAX 20000

static const struct field_spec fields[] = {
    {.name = "player", .law = FIELD_ZIPF, .n = 1000, .exponent = 0.99},
    {.name = "other", .law = FIELD_UNIFORM, .n = 50},
};

static const struct rate_point thousand_a_second = {0, 1000};

static const struct workload_spec poisson = {
    .name = "score",
    .arrivals = ARRIVALS_POISSON,
    .points = &thousand_a_second,
    .point_count = 1,
    .stop_ns = -1,
    .after = SCENARIO_NONE,
    .hash_key = {"P#{player}", {"s.yaml", 9, 11}, NULL},
    .item_size = {.law = SIZE_UNIFORM, .min_bytes = 100, .max_bytes = 299},
};

/* Everything that a generator needs, and what it gave. */
struct opened {
    char path[64];
    struct workload_spec workload;
    struct scenario scenario;
    struct arena arena;
    struct generator generator;
    struct operation_batch batch;
    struct err err;
    bool good;
};

static struct opened *open_any(const struct workload_spec *workload, const char *csv,
                               uint64_t replication) {
    struct opened *opened = calloc(1, sizeof *opened);
    ck_assert_ptr_nonnull(opened);
    opened->workload = *workload;
    if (csv != NULL) {
        snprintf(opened->path, sizeof opened->path, "/tmp/ddbsim-generator-XXXXXX");
        int descriptor = mkstemp(opened->path);
        ck_assert_int_ge(descriptor, 0);
        ck_assert_int_eq(write(descriptor, csv, strlen(csv)), (ssize_t)strlen(csv));
        close(descriptor);
        opened->workload.trace.file = opened->path;
    }
    opened->scenario = (struct scenario){
        .fields = fields, .field_count = 2, .workloads = &opened->workload, .workload_count = 1};
    arena_init(&opened->arena);
    opened->good = generator_init(&opened->generator, &opened->arena, &opened->scenario, 0, 1,
                                  replication, &opened->err);
    if (csv != NULL) {
        unlink(opened->path);
    }
    return opened;
}

static struct opened *open_generator(const struct workload_spec *workload, const char *csv) {
    struct opened *opened = open_any(workload, csv, 0);
    ck_assert_msg(opened->good, "%s", opened->err.text);
    return opened;
}

static void close_generator(struct opened *opened) {
    generator_fini(&opened->generator);
    arena_fini(&opened->arena);
    free(opened);
}

/* Operations one behind another. */
struct operations {
    sim_ns times_ns[TOTAL_MAX];
    uint64_t numbers[TOTAL_MAX];
    uint32_t sizes_bytes[TOTAL_MAX];
    uint32_t count;
    char digest[DIGEST_TEXT_BYTES];
};

static void append(struct operations *operations, const struct operation_batch *batch) {
    ck_assert_uint_le(operations->count + batch->count, TOTAL_MAX);
    ck_assert_uint_eq(batch->first_sequence, operations->count);
    ck_assert_uint_le(batch->count, GENERATOR_BATCH);
    size_t count = batch->count;
    memcpy(operations->times_ns + operations->count, batch->times_ns, count * sizeof(sim_ns));
    memcpy(operations->numbers + operations->count, batch->numbers, count * sizeof(uint64_t));
    memcpy(operations->sizes_bytes + operations->count, batch->sizes_bytes,
           count * sizeof(uint32_t));
    operations->count += batch->count;
}

/* Everything before until_ns, asked for up to step_ns further each time. */
static struct operations *take_all(struct opened *opened, sim_ns until_ns, sim_ns step_ns) {
    struct operations *operations = calloc(1, sizeof *operations);
    ck_assert_ptr_nonnull(operations);
    sim_ns end_ns = step_ns < until_ns ? step_ns : until_ns;
    for (;;) {
        generator_next(&opened->generator, end_ns, &opened->batch);
        append(operations, &opened->batch);
        for (uint32_t i = 0; i < opened->batch.count; i++) {
            if (opened->batch.times_ns[i] >= end_ns) {
                ck_abort_msg("%lld is not before %lld", (long long)opened->batch.times_ns[i],
                             (long long)end_ns);
            }
        }
        if (opened->batch.count == 0 && end_ns == until_ns) {
            break;
        }
        if (opened->batch.count == 0) {
            end_ns = step_ns < until_ns - end_ns ? end_ns + step_ns : until_ns;
        }
    }
    generator_digest_text(&opened->generator, operations->digest);
    return operations;
}

static bool are_equal(const struct operations *a, const struct operations *b) {
    return a->count == b->count &&
           memcmp(a->times_ns, b->times_ns, a->count * sizeof a->times_ns[0]) == 0 &&
           memcmp(a->numbers, b->numbers, a->count * sizeof a->numbers[0]) == 0 &&
           memcmp(a->sizes_bytes, b->sizes_bytes, a->count * sizeof a->sizes_bytes[0]) == 0 &&
           strcmp(a->digest, b->digest) == 0;
}

static const struct workload_spec timed = {
    .name = "replay",
    .arrivals = ARRIVALS_TRACE,
    .stop_ns = -1,
    .after = SCENARIO_NONE,
    .start_ns = 10 * S,
    .trace = {.has_header = true,
              .time_column = "t",
              .time_unit_ns = S,
              .repeat = 3,
              .position = {"s.yaml", 5, 3}},
    .hash_key = {"{host}", {"s.yaml", 9, 11}, NULL},
    .item_size = {.law = SIZE_COLUMN, .column = "bytes"},
};
#define TIMED_CSV "t,host,bytes\n100,a,10\n101,b,20\n101,c,30\n106,a,40\n"

START_TEST(parts_are_drawn_from_their_own_streams) {
    struct opened *opened = open_generator(&poisson, NULL);
    struct operations *operations = take_all(opened, 10 * S, 10 * S);
    struct arrivals arrivals;
    struct arena arena;
    struct field player;
    struct random_stream sizes;
    struct err err = {.kind = ERR_NONE};
    struct random_name name = {1, 0, "score", "arrivals"};
    arena_init(&arena);
    arrivals_init(&arrivals, &poisson, 0, &name);
    name.variable = "field:player";
    ck_assert(field_init(&player, &arena, &fields[0], &name, &err));
    name.variable = "size";
    random_init(&sizes, &name);
    ck_assert_uint_gt(operations->count, 9000);
    for (uint32_t i = 0; i < operations->count; i++) {
        sim_ns time_ns = 0;
        uint64_t number = 0;
        arrivals_fill(&arrivals, &time_ns, 1);
        field_fill(&player, &number, 1);
        uint64_t size_bytes = 100 + random_below(&sizes, 200);
        if (operations->times_ns[i] != time_ns || operations->numbers[i] != number ||
            operations->sizes_bytes[i] != size_bytes) {
            ck_abort_msg("operation %u", i);
        }
    }
    arena_fini(&arena);
    free(operations);
    close_generator(opened);
}
END_TEST

START_TEST(operations_do_not_depend_on_how_they_are_asked_for) {
    static const struct rate_point ramp[] = {{0, 0}, {3 * S, 2000}, {6 * S, 100}};
    struct workload_spec workload = poisson;
    workload.points = ramp;
    workload.point_count = _i % 2 == 0 ? 1 : 3;
    workload.hash_key.text = "{random % 9}{hash(player) % 7}";
    workload.range_key = (struct scenario_text){"{now:%S}", {"s.yaml", 9, 30}, NULL};
    workload.points = _i % 2 == 0 ? &thousand_a_second : ramp;
    const struct workload_spec *specs[] = {&workload, &timed};
    const char *const csvs[] = {NULL, TIMED_CSV};
    for (int k = 0; k < 2; k++) {
        struct opened *whole = open_generator(specs[k], csvs[k]);
        struct opened *steps = open_generator(specs[k], csvs[k]);
        struct operations *expected = take_all(whole, 15 * S, 15 * S);
        struct operations *found = take_all(steps, 15 * S, (1 + _i) * S / 7);
        ck_assert_uint_gt(expected->count, 0);
        ck_assert_msg(are_equal(expected, found), "step %d", _i);
        free(expected);
        free(found);
        close_generator(whole);
        close_generator(steps);
    }
}
END_TEST

START_TEST(the_digest_covers_traffic_and_not_the_design) {
    struct workload_spec design = poisson, load = poisson, sized = poisson;
    static const struct rate_point faster = {0, 1001};
    design.hash_key.text = "{random % 4}{hash(player) % 4}";
    load.points = &faster;
    sized.item_size = (struct size_spec){.law = SIZE_CONSTANT, .min_bytes = 1, .max_bytes = 1};
    const struct workload_spec *specs[] = {&poisson, &design, &sized, &load, &poisson};
    static const bool is_same[] = {true, true, true, false, false};
    char first[DIGEST_TEXT_BYTES] = "";
    for (int i = 0; i < 5; i++) {
        struct opened *opened = open_any(specs[i], NULL, i == 4 ? 1 : 0);
        struct operations *operations = take_all(opened, S, S);
        if (i == 0) {
            strcpy(first, operations->digest);
        }
        ck_assert_msg((strcmp(first, operations->digest) == 0) == is_same[i], "design %d", i);
        free(operations);
        close_generator(opened);
    }
}
END_TEST

/* Equal under every compiler and level of optimisation. */
START_TEST(the_digest_has_not_changed) {
    struct opened *opened = open_generator(&poisson, NULL);
    struct operations *operations = take_all(opened, 10 * S, 10 * S);
    ck_assert_str_eq(operations->digest, "b6671789537de8a78cd3e022964e8a2b");
    free(operations);
    close_generator(opened);
}
END_TEST

START_TEST(a_timed_trace_is_replayed_with_a_mean_gap_between_repeats) {
    static const sim_ns at_s[] = {10, 11, 11, 16, 18, 19, 19, 24, 26, 27, 27, 32};
    static const char *const hosts[] = {"a", "b", "c", "a"};
    struct opened *opened = open_generator(&timed, TIMED_CSV);
    struct operations *operations = take_all(opened, INT64_MAX, INT64_MAX);
    ck_assert_uint_eq(operations->count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        struct key_template_text text;
        ck_assert_int_eq(operations->times_ns[i], at_s[i] * S);
        ck_assert_uint_eq(operations->sizes_bytes[i], 10 * (i % 4 + 1));
        ck_assert(key_template_render(&opened->generator.key_template, operations->numbers[i],
                                      &text, &opened->err));
        ck_assert_str_eq(text.hash_key, hosts[i % 4]);
    }
    free(operations);
    close_generator(opened);
}
END_TEST

START_TEST(a_timed_trace_ends_at_its_stop) {
    struct workload_spec workload = timed;
    workload.stop_ns = 19 * S;
    struct opened *opened = open_generator(&workload, TIMED_CSV);
    struct operations *operations = take_all(opened, INT64_MAX, INT64_MAX);
    ck_assert_uint_eq(operations->count, 5);
    free(operations);
    close_generator(opened);
}
END_TEST

START_TEST(rows_can_come_at_a_rate_of_their_own) {
    struct workload_spec workload = timed;
    workload.arrivals = ARRIVALS_UNIFORM;
    workload.points = &thousand_a_second;
    workload.point_count = 1;
    workload.trace.time_column = NULL;
    workload.trace.repeat = 700;
    struct opened *opened = open_generator(&workload, TIMED_CSV);
    struct operations *operations = take_all(opened, INT64_MAX, INT64_MAX);
    ck_assert_uint_eq(operations->count, 2800);
    for (uint32_t i = 0; i < operations->count; i++) {
        ck_assert_int_eq(operations->times_ns[i], 10 * S + i * SIM_NS_PER_MS);
        ck_assert_uint_eq(operations->sizes_bytes[i], 10 * (i % 4 + 1));
    }
    free(operations);
    close_generator(opened);
}
END_TEST

/* A hundred rows, each of its own size, in another order for each replication's stream. */
START_TEST(shuffled_rows_come_once_a_repeat) {
    char csv[2000] = "t,host,bytes\n";
    size_t used = strlen(csv);
    for (uint32_t i = 1; i <= 100; i++) {
        used += (size_t)snprintf(csv + used, sizeof csv - used, "%u,h%u,%u\n", i, i, i);
    }
    struct workload_spec workload = timed;
    workload.arrivals = ARRIVALS_UNIFORM;
    workload.points = &thousand_a_second;
    workload.point_count = 1;
    workload.trace.time_column = NULL;
    workload.trace.is_shuffled = true;
    struct opened *opened = open_generator(&workload, csv);
    struct operations *operations = take_all(opened, INT64_MAX, INT64_MAX);
    ck_assert_uint_eq(operations->count, 300);
    uint32_t met[101] = {0}, in_place = 0;
    for (uint32_t i = 0; i < 300; i++) {
        struct key_template_text text;
        char host[8];
        const uint32_t row = operations->sizes_bytes[i];
        ck_assert_uint_eq(row, operations->sizes_bytes[i % 100]);
        ck_assert(key_template_render(&opened->generator.key_template, operations->numbers[i],
                                      &text, &opened->err));
        snprintf(host, sizeof host, "h%u", row);
        ck_assert_str_eq(text.hash_key, host);
        met[row]++;
        in_place += row == i % 100 + 1;
    }
    for (uint32_t row = 1; row <= 100; row++) {
        ck_assert_uint_eq(met[row], 3);
    }
    ck_assert_uint_lt(in_place, 30); /* a random order leaves one row of hundred on the average */
    free(operations);
    close_generator(opened);
}
END_TEST

static const struct workload_spec closed = {
    .name = "loop",
    .arrivals = ARRIVALS_CLOSED,
    .clients = 1,
    .stop_ns = -1,
    .after = SCENARIO_NONE,
    .hash_key = {"{player}{seq}", {"s.yaml", 9, 11}, NULL},
    .item_size = {.law = SIZE_CONSTANT, .min_bytes = 5, .max_bytes = 5},
};

START_TEST(a_closed_loop_draws_one_operation_when_it_is_due) {
    char digests[2][DIGEST_TEXT_BYTES];
    for (int pace = 0; pace < 2; pace++) {
        struct opened *opened = open_generator(&closed, NULL);
        for (uint64_t i = 0; i < 2000; i++) {
            sim_ns now_ns = (sim_ns)i * (pace + 1);
            ck_assert(generator_draw(&opened->generator, now_ns, &opened->batch));
            ck_assert_uint_eq(opened->batch.count, 1);
            ck_assert_int_eq(opened->batch.times_ns[0], now_ns);
            ck_assert_uint_eq(opened->batch.first_sequence, i);
            ck_assert_uint_eq(opened->batch.sizes_bytes[0], 5);
        }
        generator_digest_text(&opened->generator, digests[pace]);
        close_generator(opened);
    }
    ck_assert_str_eq(digests[0], digests[1]); /* responses come when they come */
}
END_TEST

START_TEST(a_closed_loop_ends_with_its_trace_or_at_its_stop) {
    struct workload_spec workload = closed;
    workload.trace = (struct trace_spec){.has_header = true, .repeat = 2};
    workload.hash_key.text = "{host}";
    workload.stop_ns = 100;
    struct opened *opened = open_generator(&workload, TIMED_CSV);
    for (int i = 0; i < 8; i++) {
        ck_assert(!generator_draw(&opened->generator, 100, &opened->batch));
        ck_assert_uint_eq(opened->batch.count, 0);
        ck_assert(generator_draw(&opened->generator, i, &opened->batch));
    }
    ck_assert(!generator_draw(&opened->generator, 9, &opened->batch));
    close_generator(opened);
}
END_TEST

START_TEST(a_workload_that_waits_begins_where_it_is_started) {
    struct workload_spec workload = poisson;
    workload.after = 3;
    struct opened *now = open_generator(&poisson, NULL);
    struct opened *later = open_generator(&workload, NULL);
    generator_start(&later->generator, 77 * S);
    struct operations *early = take_all(now, S, S), *late = take_all(later, 78 * S, 78 * S);
    ck_assert_uint_eq(early->count, late->count);
    for (uint32_t i = 0; i < early->count; i++) {
        ck_assert_int_eq(late->times_ns[i], early->times_ns[i] + 77 * S);
        ck_assert_uint_eq(late->numbers[i], early->numbers[i]);
    }
    free(early);
    free(late);
    close_generator(now);
    close_generator(later);
}
END_TEST

START_TEST(knows_whether_it_ends_by_itself) {
    static const struct rate_point down[] = {{0, 5}, {S, 0}};
    struct workload_spec stopped = poisson, fading = poisson;
    stopped.stop_ns = S;
    fading.points = down;
    fading.point_count = 2;
    const struct workload_spec *specs[] = {&poisson, &stopped, &fading, &timed, &closed};
    static const bool is_finite[] = {false, true, true, true, false};
    for (int i = 0; i < 5; i++) {
        struct opened *opened = open_generator(specs[i], specs[i] == &timed ? TIMED_CSV : NULL);
        ck_assert_msg(generator_is_finite(&opened->generator) == is_finite[i], "workload %d", i);
        close_generator(opened);
    }
}
END_TEST

START_TEST(faults_of_trace_and_template_are_passed_on) {
    struct workload_spec unknown = timed, long_trace = timed, same_name = timed;
    unknown.hash_key.text = "{hots}";
    long_trace.trace.repeat = 40000000;
    same_name.hash_key.text = "{player}";
    const struct {
        const struct workload_spec *workload;
        const char *csv, *message;
    } rows[] = {
        {&unknown, TIMED_CSV, "s.yaml:9:12: unknown field 'hots'; did you mean 'host'?"},
        {&timed, "t,host\n1,a\n", "has no column 'bytes' for the item size"},
        {&long_trace, TIMED_CSV, "lasts 6 s, 40000000 times over more than a run can (ten years)"},
        {&same_name, "t,player,bytes\n1,a,1\n",
         "s.yaml:9:12: 'player' is both a field and a trace"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct opened *opened = open_any(rows[i].workload, rows[i].csv, 0);
        ck_assert(!opened->good);
        ck_assert_msg(strstr(opened->err.text, rows[i].message) != NULL, "%s", opened->err.text);
        close_generator(opened);
    }
}
END_TEST

START_TEST(sizes_are_even_between_their_bounds) {
    struct opened *opened = open_generator(&poisson, NULL);
    uint32_t seen[200] = {0}, draws = 0;
    while (draws < LAW_DRAWS) {
        generator_next(&opened->generator, INT64_MAX, &opened->batch);
        for (uint32_t i = 0; i < opened->batch.count; i++) {
            seen[opened->batch.sizes_bytes[i] - 100]++;
        }
        draws += opened->batch.count;
    }
    double statistic = 0.0, expected = draws / 200.0;
    for (int i = 0; i < 200; i++) {
        double surplus = (double)seen[i] - expected;
        statistic += surplus * surplus / expected;
    }
    ck_assert_double_gt(gsl_cdf_chisq_Q(statistic, 199), 1e-3);
    close_generator(opened);
}
END_TEST

START_TEST(aborts_on_batches_of_a_closed_loop) {
    struct opened *opened = open_generator(&closed, NULL);
    generator_next(&opened->generator, S, &opened->batch);
}
END_TEST

START_TEST(aborts_on_draws_of_an_open_workload) {
    struct opened *opened = open_generator(&poisson, NULL);
    generator_draw(&opened->generator, 0, &opened->batch);
}
END_TEST

START_TEST(aborts_before_a_waiting_workload_is_started) {
    struct workload_spec workload = poisson;
    workload.after = 0;
    struct opened *opened = open_generator(&workload, NULL);
    generator_next(&opened->generator, S, &opened->batch);
}
END_TEST

START_TEST(aborts_on_starting_twice) {
    struct opened *opened = open_generator(&poisson, NULL);
    generator_start(&opened->generator, S);
}
END_TEST

START_TEST(aborts_on_a_draw_before_the_start) {
    struct workload_spec workload = closed;
    workload.start_ns = 10;
    struct opened *opened = open_generator(&workload, NULL);
    generator_draw(&opened->generator, 9, &opened->batch);
}
END_TEST

START_TEST(aborts_on_a_draw_beyond_the_longest_run) {
    struct opened *opened = open_generator(&closed, NULL);
    generator_draw(&opened->generator, KEY_NOW_NS_MAX, &opened->batch);
}
END_TEST

START_TEST(aborts_on_sizes_of_no_trace) {
    struct workload_spec workload = poisson;
    workload.item_size = (struct size_spec){.law = SIZE_COLUMN, .column = "bytes"};
    open_generator(&workload, NULL);
}
END_TEST

START_TEST(aborts_on_no_repeat) {
    struct workload_spec workload = timed;
    workload.trace.repeat = 0;
    open_generator(&workload, TIMED_CSV);
}
END_TEST

static void add_abort_tests(TCase *tcase) {
    tcase_add_test_raise_signal(tcase, aborts_on_batches_of_a_closed_loop, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_draws_of_an_open_workload, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_before_a_waiting_workload_is_started, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_starting_twice, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_draw_before_the_start, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_draw_beyond_the_longest_run, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_sizes_of_no_trace, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_no_repeat, SIGABRT);
}

int main(void) {
    Suite *suite = suite_create("workloads/generator");
    TCase *tcase = tcase_create("generator");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, parts_are_drawn_from_their_own_streams);
    tcase_add_loop_test(tcase, operations_do_not_depend_on_how_they_are_asked_for, 0, 10);
    tcase_add_test(tcase, the_digest_covers_traffic_and_not_the_design);
    tcase_add_test(tcase, the_digest_has_not_changed);
    tcase_add_test(tcase, a_timed_trace_is_replayed_with_a_mean_gap_between_repeats);
    tcase_add_test(tcase, a_timed_trace_ends_at_its_stop);
    tcase_add_test(tcase, shuffled_rows_come_once_a_repeat);
    tcase_add_test(tcase, rows_can_come_at_a_rate_of_their_own);
    tcase_add_test(tcase, a_closed_loop_draws_one_operation_when_it_is_due);
    tcase_add_test(tcase, a_closed_loop_ends_with_its_trace_or_at_its_stop);
    tcase_add_test(tcase, a_workload_that_waits_begins_where_it_is_started);
    tcase_add_test(tcase, knows_whether_it_ends_by_itself);
    tcase_add_test(tcase, faults_of_trace_and_template_are_passed_on);
    tcase_add_test(tcase, sizes_are_even_between_their_bounds);
    add_abort_tests(tcase);
    return suite_run(suite);
}
