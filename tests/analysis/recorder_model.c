/* Partitions that appear, and events, in the recorder. */
#include "analysis/recorder.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct recorder recorder;
static struct err err;

static void set_up(void) {
    static struct recorder_resource_config resources[] = {
        {.table_name = "jobs", .partition_count = 2},
        {.table_name = "jobs", .index_name = "byStatus", .partition_count = 2}};
    static struct recorder_workload_config workloads[] = {
        {.name = "put", .operation = DDB_PUT_ITEM}};
    const struct recorder_config config = {resources, workloads, 2, 1, NULL};
    err = (struct err){.kind = ERR_NONE};
    ck_assert_msg(recorder_init(&recorder, &config, &err), "%s", err.text);
    ck_assert(recorder_add_key(&recorder, 1, 0, &err));
}

static void tear_down(void) {
    recorder_fini(&recorder);
}

static void write_entry(uint32_t partition, int64_t units) {
    const struct index_write write = {
        .at_ns = 5, .cost_ncu = units * NCU_PER_CU, .key = 0, .partition = partition};
    ck_assert(recorder_index_writes(&recorder, 1, &write, 1, &err));
}

/* As splits do, one by one, beyond the room that there is; in the middle of a second. */
START_TEST(counts_survive_when_partitions_appear) {
    static const struct resource_sample samples[2];
    write_entry(1, 3);
    for (uint32_t count = 3; count <= 200; count++) {
        ck_assert(recorder_grow_partitions(&recorder, 1, count, &err));
        write_entry(count - 1, count);
    }
    recorder_close_second(&recorder, samples, true);
    const struct recorder_resource *index = &recorder.resources[1];
    ck_assert_uint_eq(index->partition_count, 200);
    ck_assert_uint_eq(index->touched_partition_count, 199);
    ck_assert_int_eq(index->partition_totals[0].consumed_wncu, 0);
    ck_assert_int_eq(index->partition_totals[1].consumed_wncu, 3 * NCU_PER_CU);
    for (uint32_t i = 2; i < 200; i++) {
        ck_assert_int_eq(index->partition_totals[i].consumed_wncu, (i + 1) * NCU_PER_CU);
    }
    ck_assert_uint_eq(recorder.resources[0].partition_count, 2);
    recorder_finish(&recorder, 0); /* every sum is checked */
}
END_TEST

START_TEST(partitions_never_become_fewer) {
    ck_assert(recorder_grow_partitions(&recorder, 0, 2, &err));
    ck_assert(recorder_grow_partitions(&recorder, 0, 1, &err));
}
END_TEST

static const struct model_event event = {
    .at_ns = 7, .resource = 1, .kind = MODEL_EVENT_SPLIT_COMPLETED, .numbers = {1, 1, 2, 3, 4, 5}};

static void digest_of(const struct model_event *of, char text[DIGEST_TEXT_BYTES]) {
    tear_down();
    set_up();
    if (of != NULL) {
        recorder_event(&recorder, of);
    }
    digest_text(&recorder.digest, text);
}

/* Time, resource, kind and each number of the kind, but nothing beyond its labels. */
START_TEST(an_event_is_all_of_it_in_the_digest) {
    char without[DIGEST_TEXT_BYTES], plain[DIGEST_TEXT_BYTES], other[DIGEST_TEXT_BYTES];
    digest_of(NULL, without);
    digest_of(&event, plain);
    ck_assert_str_ne(plain, without);
    struct model_event changed[9];
    for (size_t i = 0; i < 9; i++) {
        changed[i] = event;
    }
    for (size_t i = 0; i < MODEL_EVENT_NUMBERS; i++) {
        changed[i].numbers[i]++;
    }
    changed[6].at_ns++;
    changed[7].resource--;
    changed[8].kind = MODEL_EVENT_UPDATE_ACCEPTED;
    for (size_t i = 0; i < 9; i++) {
        digest_of(&changed[i], other);
        ck_assert_msg(strcmp(plain, other) != 0, "change %zu", i);
    }
    const struct model_event refused = {
        .at_ns = 7, .kind = MODEL_EVENT_SPLIT_REFUSED, .numbers = {1, 2, 9, 9, 9, 9}};
    struct model_event beyond = refused;
    beyond.numbers[model_event_numbers(refused.kind)] = 8;
    digest_of(&refused, plain);
    digest_of(&beyond, other);
    ck_assert_str_eq(plain, other);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/recorder_model");
    TCase *tcase = tcase_create("model");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, counts_survive_when_partitions_appear);
    tcase_add_test_raise_signal(tcase, partitions_never_become_fewer, SIGABRT);
    tcase_add_test(tcase, an_event_is_all_of_it_in_the_digest);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
