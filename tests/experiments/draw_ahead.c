#include "experiments/draw_ahead.h"

#include "experiments/simulation.h"
#include "tests/experiments/run.h"
#include "tests/suite.h"

#include <string.h>

#define SOURCES 3

/* Three open workloads that end at different times; the third has no arrivals. */
static const char three_workloads[] =
    "name: ahead\n"
    "source: test\n"
    "duration: 20s\n"
    "tables:\n"
    "  - TableName: things\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 900, WriteCapacityUnits: 900}\n"
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "fields:\n"
    "  player: {zipf: {n: 1000, s: 0.99}}\n"
    "workload:\n"
    "  - {name: put, operation: PutItem, rate: 1500, item: {PK: \"{player}\"}, "
    "item_size: {uniform: {min: 100B, max: 3KB}}}\n"
    "  - {name: get, operation: GetItem, rate: 400, stop: 7s, item: {PK: \"{player}\"}, "
    "item_size: 1KB}\n"
    "  - {name: late, operation: GetItem, rate: 0.000001, start: 19s, item: {PK: \"{player}\"}, "
    "item_size: 1KB}\n";

struct drawing {
    struct arena arena;
    struct scenario scenario;
    struct client client;
    struct generator generators[SOURCES];
    struct draw_ahead_source sources[SOURCES];
};

static void open_drawing(struct drawing *drawing) {
    struct err err = {ERR_NONE, ""};
    arena_init(&drawing->arena);
    ck_assert_msg(scenario_read_text(&drawing->scenario, "ahead.yaml", three_workloads,
                                     strlen(three_workloads), NULL, 0, &err),
                  "%s", err.text);
    ck_assert(
        client_init(&drawing->client, &drawing->arena, &drawing->scenario.client, 1, 0, &err));
    for (uint32_t i = 0; i < SOURCES; i++) {
        ck_assert(generator_init(&drawing->generators[i], &drawing->arena, &drawing->scenario, i, 1,
                                 0, &err));
        drawing->sources[i] = (struct draw_ahead_source){&drawing->generators[i], i};
    }
}

static void close_drawing(struct drawing *drawing) {
    for (uint32_t i = 0; i < SOURCES; i++) {
        generator_fini(&drawing->generators[i]);
    }
    scenario_fini(&drawing->scenario);
    arena_fini(&drawing->arena);
}

struct taken {
    struct operation_batch batch;
    sim_ns latencies_ns[GENERATOR_BATCH];
};

static void assert_equal(const struct taken *a, const struct taken *b) {
    ck_assert_uint_eq(a->batch.count, b->batch.count);
    ck_assert_uint_eq(a->batch.draws, b->batch.draws);
    const uint32_t count = a->batch.count;
    if (count == 0) {
        return;
    }
    ck_assert_uint_eq(a->batch.first_sequence, b->batch.first_sequence);
    ck_assert_mem_eq(a->batch.times_ns, b->batch.times_ns, count * sizeof a->batch.times_ns[0]);
    ck_assert_mem_eq(a->batch.numbers, b->batch.numbers, count * sizeof a->batch.numbers[0]);
    ck_assert_mem_eq(a->batch.sizes_bytes, b->batch.sizes_bytes,
                     count * sizeof a->batch.sizes_bytes[0]);
    ck_assert_mem_eq(a->latencies_ns, b->latencies_ns, count * sizeof a->latencies_ns[0]);
}

START_TEST(the_thread_draws_what_its_reader_would) {
    static struct drawing ours, theirs;
    open_drawing(&ours);
    open_drawing(&theirs);
    const struct check_context check = {.seed = 1};
    struct draw_ahead *ahead = draw_ahead_new(theirs.sources, SOURCES, &theirs.client,
                                              theirs.scenario.duration_ns, &check);
    ck_assert_ptr_nonnull(ahead);
    uint32_t left = SOURCES, turn = 0, empty[SOURCES] = {0};
    uint64_t operations = 0;
    while (left > 0) {
        static struct taken mine, its;
        const uint32_t source = turn++ % 7 % SOURCES; /* not evenly in turn */
        draw_batch(&ours.sources[source], &ours.client, ours.scenario.duration_ns, &mine.batch,
                   mine.latencies_ns);
        draw_ahead_take(ahead, source, &its.batch, its.latencies_ns);
        assert_equal(&mine, &its);
        operations += mine.batch.count;
        left -= mine.batch.count == 0 && empty[source] == 0;
        empty[source] += mine.batch.count == 0; /* and again when it is over already */
    }
    ck_assert_uint_gt(operations, 30000);
    ck_assert_uint_gt(empty[2], 1);
    draw_ahead_free(ahead);
    for (uint32_t i = 0; i < SOURCES; i++) {
        char mine[DIGEST_TEXT_BYTES], its[DIGEST_TEXT_BYTES];
        generator_digest_text(&ours.generators[i], mine);
        generator_digest_text(&theirs.generators[i], its);
        ck_assert_str_eq(mine, its);
    }
    close_drawing(&ours);
    close_drawing(&theirs);
}
END_TEST

START_TEST(it_ends_wherever_it_is) {
    for (uint32_t takes = 0; takes < 40; takes++) {
        static struct drawing drawing;
        static struct taken taken;
        open_drawing(&drawing);
        const struct check_context check = {.seed = 1};
        struct draw_ahead *ahead = draw_ahead_new(drawing.sources, SOURCES, &drawing.client,
                                                  drawing.scenario.duration_ns, &check);
        ck_assert_ptr_nonnull(ahead);
        for (uint32_t i = 0; i < takes; i++) {
            draw_ahead_take(ahead, 0, &taken.batch, taken.latencies_ns);
        }
        draw_ahead_free(ahead);
        close_drawing(&drawing);
    }
    draw_ahead_free(NULL);
}
END_TEST

START_TEST(a_run_is_the_same_whether_it_draws_ahead_or_not) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct test_run alone = test_run_scenario(three_workloads, seed, 0);
        const struct test_run ahead = test_run_ahead(three_workloads, seed, 0);
        ck_assert_str_eq(alone.digest, ahead.digest);
        ck_assert_str_eq(alone.arrivals_digest, ahead.arrivals_digest);
        ck_assert_double_eq(alone.latency_ms_p50, ahead.latency_ms_p50);
        ck_assert_double_eq(alone.latency_ms_max, ahead.latency_ms_max);
        ck_assert_uint_gt(ahead.total.throttled, 0); /* so that some are sent again */
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("draw_ahead");
    TCase *tests = tcase_create("draw_ahead");
    tcase_add_test(tests, the_thread_draws_what_its_reader_would);
    tcase_add_test(tests, it_ends_wherever_it_is);
    tcase_add_test(tests, a_run_is_the_same_whether_it_draws_ahead_or_not);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
