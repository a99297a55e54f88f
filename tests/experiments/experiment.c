#include "experiments/experiment.h"

#include "experiments/point_sample.h"
#include "experiments/results_log.h"
#include "tests/suite.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLICATIONS 3
#define POINTS 6

/* One hot key on two partitions of 1,000 writes/s; `rate` is swept, and 'x' is no rate. */
static const char scenario_text[] =
    "name: hot\n"
    "source: test\n"
    "duration: 5s\n"
    "parameters: {rate: 100, shards: 1}\n"
    "tables:\n"
    "  - TableName: hot\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 2000}\n"
    "    AttributeDefinitions:\n"
    "      - {AttributeName: PK, AttributeType: S}\n"
    "    KeySchema:\n"
    "      - {AttributeName: PK, KeyType: HASH}\n"
    "fields:\n"
    "  n: {uniform: {n: 1000}}\n"
    "workload:\n"
    "  - name: w\n"
    "    operation: UpdateItem\n"
    "    rate: \"${rate}\"\n"
    "    item: {PK: \"K#{hash(n) % ${shards}}\"}\n"
    "    item_size: 100B\n"
    "client: {retry: none}\n";

static const struct design_source source = {
    .path = "hot.yaml", .text = scenario_text, .length = sizeof scenario_text - 1, .name = "hot"};

static struct arena arena;
static struct vary varies[2];
static struct design design;

static void open_design(const char *rates) {
    struct err err = {ERR_NONE, ""};
    arena_init(&arena);
    ck_assert(vary_read(&varies[0], rates, &arena, &err));
    ck_assert(vary_read(&varies[1], "shards=1,2", &arena, &err));
    design =
        (struct design){.sources = &source, .source_count = 1, .varies = varies, .vary_count = 2};
    ck_assert_msg(design_init(&design, 0, &arena, &err), "%s", err.text);
}

static void set_up(void) {
    open_design("rate=100,1500,x");
}

static void tear_down(void) {
    arena_fini(&arena);
}

static struct experiment_config config_of(uint32_t jobs) {
    return (struct experiment_config){.design = &design,
                                      .seed = 5,
                                      .has_seed = true,
                                      .replications = REPLICATIONS,
                                      .jobs = jobs,
                                      .parts = 1};
}

/* All results in the order in which they are handed out; returns how many. */
static uint32_t run_all(const struct experiment_config *config, struct experiment_result *results) {
    struct err err = {ERR_NONE, ""};
    struct experiment *experiment = experiment_new(config, &err);
    ck_assert_msg(experiment != NULL, "%s", err.text);
    uint32_t count = 0;
    for (enum experiment_event event;
         (event = experiment_next(experiment, 100, &results[count])) != EXPERIMENT_ENDED;) {
        count += event == EXPERIMENT_RESULT;
        ck_assert_uint_lt(count, POINTS * REPLICATIONS + 1);
    }
    experiment_free(experiment);
    return count;
}

static struct experiment_result *room(void) {
    struct experiment_result *results = calloc(POINTS * REPLICATIONS + 1, sizeof *results);
    ck_assert_ptr_nonnull(results);
    return results;
}

START_TEST(points_are_every_combination_and_the_last_changes_fastest) {
    ck_assert_uint_eq(design.point_count, POINTS);
    ck_assert_str_eq(design_value(&design, 0, 0), "100");
    ck_assert_str_eq(design_value(&design, 0, 1), "1");
    ck_assert_str_eq(design_value(&design, 1, 1), "2");
    ck_assert_str_eq(design_value(&design, 2, 0), "1500");
    ck_assert_str_eq(design_value(&design, 5, 0), "x");
}
END_TEST

START_TEST(results_come_in_order_and_are_those_of_one_thread) {
    struct experiment_result *one = room(), *several = room();
    const struct experiment_config alone = config_of(1), together = config_of(4);
    ck_assert_uint_eq(run_all(&alone, one), POINTS * REPLICATIONS);
    ck_assert_uint_eq(run_all(&together, several), POINTS * REPLICATIONS);
    for (uint32_t i = 0; i < POINTS * REPLICATIONS; i++) {
        ck_assert_uint_eq(several[i].point, i / REPLICATIONS);
        ck_assert_uint_eq(several[i].replication, i % REPLICATIONS);
        ck_assert_str_eq(several[i].digest, one[i].digest);
        ck_assert_int_eq(several[i].failed, one[i].failed);
        ck_assert_str_eq(several[i].message, one[i].message);
    }
    free(one);
    free(several);
}
END_TEST

START_TEST(a_point_that_fails_stops_no_other) {
    struct experiment_result *results = room();
    const struct experiment_config config = config_of(2);
    run_all(&config, results);
    for (uint32_t i = 0; i < POINTS * REPLICATIONS; i++) {
        ck_assert_msg(results[i].failed == (i >= 4 * REPLICATIONS), "%s", results[i].message);
    }
    ck_assert_ptr_nonnull(strstr(results[4 * REPLICATIONS].message, "from --set rate=x"));
    ck_assert_double_eq(results[0].metrics[METRIC_THROTTLED_SHARE], 0);
    ck_assert_double_gt(results[2 * REPLICATIONS].metrics[METRIC_THROTTLED_SHARE], 0.1);
    ck_assert(isnan(results[0].metrics[METRIC_FIRST_THROTTLE_S]));
    free(results);
}
END_TEST

/* Common random numbers: the same arrivals at each point, other ones in each replication. */
START_TEST(points_see_the_same_arrivals) {
    struct experiment_result *results = room();
    const struct experiment_config config = config_of(2);
    run_all(&config, results);
    ck_assert_str_eq(results[0].arrivals_digest, results[REPLICATIONS].arrivals_digest);
    ck_assert_str_ne(results[0].arrivals_digest, results[1].arrivals_digest);
    free(results);
}
END_TEST

START_TEST(parts_are_the_whole) {
    struct experiment_result *whole = room(), *part = room();
    const struct experiment_config config = config_of(2);
    uint32_t count = 0;
    run_all(&config, whole);
    for (uint32_t i = 0; i < 4; i++) {
        struct experiment_config of_part = config;
        of_part.parts = 4;
        of_part.part = i;
        of_part.first_point = i;
        const uint32_t made = run_all(&of_part, part);
        count += made;
        for (uint32_t k = 0; k < made; k++) {
            const uint64_t at = part[k].point * REPLICATIONS + part[k].replication;
            ck_assert_uint_eq(part[k].point % 4, i);
            ck_assert_str_eq(part[k].digest, whole[at].digest);
        }
    }
    ck_assert_uint_eq(count, POINTS * REPLICATIONS);
    free(whole);
    free(part);
}
END_TEST

START_TEST(begins_where_it_is_told_to) {
    struct experiment_result *whole = room(), *rest = room();
    const struct experiment_config config = config_of(3);
    struct experiment_config later = config;
    later.first_point = 2;
    later.first_replication = 1;
    run_all(&config, whole);
    ck_assert_uint_eq(run_all(&later, rest), POINTS * REPLICATIONS - 7);
    ck_assert_str_eq(rest[0].digest, whole[7].digest);
    later.first_replication = REPLICATIONS; /* that is the next point's first */
    ck_assert_uint_eq(run_all(&later, rest), POINTS * REPLICATIONS - 9);
    free(whole);
    free(rest);
}
END_TEST

START_TEST(a_stopped_point_has_no_further_results) {
    struct err err = {ERR_NONE, ""};
    const struct experiment_config config = config_of(4);
    struct experiment *experiment = experiment_new(&config, &err);
    struct experiment_result result;
    uint32_t of_point[POINTS] = {0};
    ck_assert_ptr_nonnull(experiment);
    for (enum experiment_event event;
         (event = experiment_next(experiment, 100, &result)) != EXPERIMENT_ENDED;) {
        if (event == EXPERIMENT_RESULT) {
            of_point[result.point]++;
            if (result.point % 2 == 0) {
                experiment_stop_point(experiment);
            }
        }
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        ck_assert_uint_eq(of_point[i], i % 2 == 0 ? 1 : REPLICATIONS);
    }
    experiment_free(experiment);
}
END_TEST

START_TEST(ends_early_without_waiting_for_all) {
    struct err err = {ERR_NONE, ""};
    const struct experiment_config config = config_of(2);
    struct experiment_result result;
    for (uint32_t wanted = 0; wanted < 4; wanted++) {
        struct experiment *experiment = experiment_new(&config, &err);
        ck_assert_ptr_nonnull(experiment);
        for (uint32_t got = 0; got < wanted;) {
            got += experiment_next(experiment, 100, &result) == EXPERIMENT_RESULT;
        }
        experiment_free(experiment);
    }
}
END_TEST

START_TEST(samples_tell_means_differences_and_layouts) {
    static const enum metric metrics[] = {METRIC_THROTTLED_SHARE, METRIC_FIRST_THROTTLE_S};
    struct experiment_result *results = room();
    const struct experiment_config config = config_of(2);
    struct err err = {ERR_NONE, ""};
    struct point_sample cold, hot;
    uint32_t counted;
    run_all(&config, results);
    ck_assert(point_sample_init(&cold, metrics, 2, REPLICATIONS, &err));
    ck_assert(point_sample_init(&hot, metrics, 2, REPLICATIONS, &err));
    point_sample_open(&cold, 0);
    point_sample_open(&hot, 2);
    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        point_sample_add(&cold, &results[i]);
        point_sample_add(&hot, &results[2 * REPLICATIONS + i]);
    }
    const struct interval difference = point_sample_difference(&cold, &hot, 0, 0.95, &counted);
    const struct interval mean = point_sample_mean(&hot, 0, 0.95, &counted);
    ck_assert_uint_eq(counted, REPLICATIONS);
    ck_assert_double_eq_tol(difference.estimate, mean.estimate, 1e-12); /* the other has none */
    ck_assert(statistics_differs(&difference));
    ck_assert(isnan(point_sample_mean(&cold, 1, 0.95, &counted).estimate) && counted == 0);
    ck_assert_uint_eq(hot.throttled, REPLICATIONS);
    ck_assert_double_eq(point_sample_throttled(&cold, 0.95).low, 0);
    ck_assert_double_eq(point_sample_throttled(&hot, 0.95).high, 1);
    point_sample_fini(&cold);
    point_sample_fini(&hot);
    free(results);
}
END_TEST

static const struct hash128 ours = {1, 2}, theirs = {1, 3};

START_TEST(a_log_holds_what_was_whole_and_knows_its_sweep) {
    char path[] = "/tmp/ddbsim-log-XXXXXX";
    struct err err = {ERR_NONE, ""};
    struct results_log log, other;
    struct experiment_result result = {.point = 7}, read;
    ck_assert_int_ge(close(mkstemp(path)), 0);
    ck_assert(!results_log_open(&log, path, ours, false, &err)); /* it is there */
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert(results_log_open(&log, path, ours, true, &(struct err){ERR_NONE, ""}));
    for (uint32_t i = 0; i < 3; i++) {
        result.replication = i;
        ck_assert(results_log_append(&log, &result, &err));
    }
    ck_assert(results_log_sync(&log, &err));
    err = (struct err){ERR_NONE, ""};
    ck_assert(!results_log_open(&other, path, ours, true, &err)); /* in use */
    ck_assert_ptr_nonnull(strstr(err.text, "in use"));
    results_log_close(&log, false);
    err = (struct err){ERR_NONE, ""};
    ck_assert(!results_log_open(&log, path, theirs, true, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "another sweep"));
    /* a crash tears the last record */
    const int file = open(path, O_RDWR);
    ck_assert_int_eq(ftruncate(file, lseek(file, 0, SEEK_END) - 1), 0);
    close(file);
    ck_assert(results_log_open(&log, path, ours, true, &err));
    ck_assert_uint_eq(log.count, 2);
    ck_assert(results_log_read(&log, 1, &read, &err));
    ck_assert_uint_eq(read.point, 7);
    ck_assert_uint_eq(read.replication, 1);
    results_log_close(&log, true);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(sobol_points_fill_their_box) {
    struct err err = {ERR_NONE, ""};
    struct vary spans[2];
    ck_assert(vary_read(&spans[0], "rate=0:1000", &arena, &err));
    ck_assert(vary_read(&spans[1], "shards=1:8:1", &arena, &err));
    struct design box = {.sources = &source, .source_count = 1, .varies = spans, .vary_count = 2};
    ck_assert(design_init(&box, 64, &arena, &err));
    ck_assert_uint_eq(box.point_count, 64);
    uint32_t low = 0, of_shard[9] = {0};
    for (uint64_t i = 0; i < 64; i++) {
        low += atoi(design_value(&box, i, 0)) < 500;
        of_shard[atoi(design_value(&box, i, 1))]++;
    }
    ck_assert_uint_ge(low, 31);
    ck_assert_uint_le(low, 33);
    for (uint32_t i = 1; i <= 8; i++) {
        ck_assert_uint_ge(of_shard[i], 7);
        ck_assert_uint_le(of_shard[i], 9);
    }
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, points_are_every_combination_and_the_last_changes_fastest);
    tcase_add_test(tcase, results_come_in_order_and_are_those_of_one_thread);
    tcase_add_test(tcase, a_point_that_fails_stops_no_other);
    tcase_add_test(tcase, points_see_the_same_arrivals);
    tcase_add_test(tcase, parts_are_the_whole);
    tcase_add_test(tcase, begins_where_it_is_told_to);
    tcase_add_test(tcase, a_stopped_point_has_no_further_results);
    tcase_add_test(tcase, ends_early_without_waiting_for_all);
    tcase_add_test(tcase, samples_tell_means_differences_and_layouts);
    tcase_add_test(tcase, a_log_holds_what_was_whole_and_knows_its_sweep);
    tcase_add_test(tcase, sobol_points_fill_their_box);
}

int main(void) {
    Suite *suite = suite_create("experiments/experiment");
    TCase *tcase = tcase_create("experiment");
    add_tests(tcase);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
