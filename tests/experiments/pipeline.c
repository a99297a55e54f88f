#include "experiments/pipeline.h"

#include "experiments/simulation.h"
#include "tests/analysis/outcomes.h"
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
    struct draw_source sources[SOURCES];
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
        drawing->sources[i] = (struct draw_source){&drawing->generators[i], i};
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

static struct pipeline *open_pipeline(struct drawing *drawing, struct recorder *recorder,
                                      bool has_thread) {
    static const struct check_context check = {.seed = 1};
    struct err err = {ERR_NONE, ""};
    const struct pipeline_config config = {
        .sources = drawing == NULL ? NULL : drawing->sources,
        .source_count = drawing == NULL ? 0 : SOURCES,
        .client = drawing == NULL ? NULL : &drawing->client,
        .recorder = recorder,
        .until_ns = drawing == NULL ? 0 : drawing->scenario.duration_ns,
        .check = &check,
        .has_thread = has_thread,
    };
    struct pipeline *pipeline = pipeline_new(&config, &err);
    ck_assert_msg(pipeline != NULL, "%s", err.text);
    return pipeline;
}

/* With a thread, and without. */
START_TEST(it_draws_what_its_reader_would) {
    static struct drawing ours, theirs;
    open_drawing(&ours);
    open_drawing(&theirs);
    struct pipeline *pipeline = open_pipeline(&theirs, NULL, _i == 1);
    uint32_t left = SOURCES, turn = 0, empty[SOURCES] = {0};
    uint64_t operations = 0;
    while (left > 0) {
        static struct taken mine, its;
        const uint32_t source = turn++ % 7 % SOURCES; /* not evenly in turn */
        draw_batch(&ours.sources[source], &ours.client, ours.scenario.duration_ns, &mine.batch,
                   mine.latencies_ns);
        pipeline_take(pipeline, source, &its.batch, its.latencies_ns);
        assert_equal(&mine, &its);
        operations += mine.batch.count;
        left -= mine.batch.count == 0 && empty[source] == 0;
        empty[source] += mine.batch.count == 0; /* and again when it is over already */
    }
    ck_assert_uint_gt(operations, 30000);
    ck_assert_uint_gt(empty[2], 1);
    pipeline_free(pipeline);
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
        struct pipeline *pipeline = open_pipeline(&drawing, NULL, true);
        for (uint32_t i = 0; i < takes; i++) {
            pipeline_take(pipeline, 0, &taken.batch, taken.latencies_ns);
        }
        pipeline_free(pipeline);
        close_drawing(&drawing);
    }
    pipeline_free(NULL);
}
END_TEST

static uint32_t fill_block(struct outcome_block *block, uint64_t second, uint64_t from) {
    const uint32_t count = (uint32_t)(hash_draw(21, second, from) % (PIPELINE_OUTCOMES + 1));
    for (uint32_t i = 0; i < count; i++) {
        block->outcomes[i] = made_up_outcome(
            22, from + i, (sim_ns)second * SIM_NS_PER_S + (sim_ns)(from % 1000000 + i) * 100);
    }
    block->outcome_count = count;
    if (from % 5 == 0) {
        block->keys[block->key_count++] = (struct new_key){hash_draw(23, second, from), 0};
    }
    return count;
}

/* Seconds of up to 40 blocks, some of which the run waits for, and its digest. */
static uint64_t record_made_up(bool has_thread, char *digest) {
    struct err err = {ERR_NONE, ""};
    static struct recorder recorder;
    ck_assert(made_up_init(&recorder, &err));
    struct pipeline *pipeline = open_pipeline(NULL, &recorder, has_thread);
    struct outcome_block *block = pipeline_block(pipeline);
    uint64_t keys = 0, outcomes = 0;
    for (uint64_t second = 0; second < 30; second++) {
        const uint64_t blocks = hash_draw(24, second, 0) % 40;
        for (uint64_t i = 0; i < blocks; i++) {
            outcomes += fill_block(block, second, outcomes + second * 1000000);
            keys += block->key_count;
            const bool flushes = hash_draw(25, second, i) % 8 == 0;
            ck_assert(flushes ? pipeline_flush(pipeline, &err) : pipeline_publish(pipeline, &err));
            ck_assert_uint_eq(block->outcome_count, 0);
            ck_assert_uint_eq(block->key_count, 0);
            ck_assert(!flushes || recorder.resources[0].keys.count == MADE_UP_KEYS + keys);
        }
        ck_assert(pipeline_flush(pipeline, &err));
        struct resource_sample samples[MADE_UP_RESOURCES];
        made_up_samples((int64_t)second, samples);
        recorder_close_second(&recorder, samples, second == 29);
        if (second < 29) {
            recorder_open_second(&recorder);
        }
    }
    pipeline_free(pipeline);
    digest_text(&recorder.digest, digest);
    recorder_fini(&recorder);
    return outcomes;
}

START_TEST(it_records_what_its_writer_would) {
    char alone[DIGEST_TEXT_BYTES], behind[DIGEST_TEXT_BYTES];
    ck_assert_uint_gt(record_made_up(false, alone), 30000);
    for (int i = 0; i < 5; i++) {
        record_made_up(true, behind);
        ck_assert_str_eq(alone, behind);
    }
}
END_TEST

/* The recorder refuses the blocks of a run that consumes too much; one of them says so. */
START_TEST(a_failure_is_said_until_the_end) {
    struct err err = {ERR_NONE, ""};
    static struct recorder recorder;
    ck_assert(made_up_init(&recorder, &err));
    struct pipeline *pipeline = open_pipeline(NULL, &recorder, _i == 1);
    struct outcome_block *block = pipeline_block(pipeline);
    fill_block(block, 0, 3);
    ck_assert(pipeline_flush(pipeline, &err));
    recorder.consumed_ncu[RECORDER_WRITES] = RECORDER_CONSUMED_NCU_MAX + 1;
    bool published = true;
    for (uint64_t i = 1; i < 1000; i++) {
        fill_block(block, 0, i * PIPELINE_OUTCOMES);
        const bool again = pipeline_publish(pipeline, &err);
        ck_assert(published || !again);
        published = again;
    }
    ck_assert(!published);
    err = (struct err){ERR_NONE, ""};
    ck_assert(!pipeline_flush(pipeline, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "more than can be counted exactly"));
    pipeline_free(pipeline);
    recorder_fini(&recorder);
}
END_TEST

START_TEST(a_run_is_the_same_with_a_second_thread) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct test_run alone = test_run_scenario(three_workloads, seed, 0);
        const struct test_run two = test_run_threads(three_workloads, seed, 0);
        ck_assert_str_eq(alone.digest, two.digest);
        ck_assert_str_eq(alone.arrivals_digest, two.arrivals_digest);
        ck_assert_double_eq(alone.latency_ms_p50, two.latency_ms_p50);
        ck_assert_double_eq(alone.latency_ms_max, two.latency_ms_max);
        ck_assert_uint_gt(two.total.throttled, 0); /* so that some are sent again */
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pipeline");
    TCase *tests = tcase_create("pipeline");
    tcase_add_loop_test(tests, it_draws_what_its_reader_would, 0, 2);
    tcase_add_test(tests, it_ends_wherever_it_is);
    tcase_add_test(tests, it_records_what_its_writer_would);
    tcase_add_loop_test(tests, a_failure_is_said_until_the_end, 0, 2);
    tcase_add_test(tests, a_run_is_the_same_with_a_second_thread);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
