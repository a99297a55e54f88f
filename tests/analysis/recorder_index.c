/* Entries written to indexes, in the recorder. */
#include "analysis/recorder.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

static struct recorder recorder;
static struct err err;
static struct resource_sample samples[2];

static void set_up(void) {
    static struct recorder_resource_config resources[] = {
        {.table_name = "jobs", .partition_count = 1},
        {.table_name = "jobs", .index_name = "byStatus", .partition_count = 2}};
    static struct recorder_workload_config workloads[] = {
        {.name = "put", .operation = DDB_PUT_ITEM}};
    const struct recorder_config config = {resources, workloads, 2, 1, NULL};
    ck_assert_msg(recorder_init(&recorder, &config, &err), "%s", err.text);
    ck_assert(recorder_add_key(&recorder, 1, 0, &err));
    ck_assert(recorder_add_key(&recorder, 1, UINT64_MAX, &err));
}

static void tear_down(void) {
    recorder_fini(&recorder);
}

static const struct index_write writes[] = {
    {.at_ns = 5, .cost_ncu = NCU_PER_CU, .key = 0, .partition = 0},
    {.at_ns = 7, .cost_ncu = 3 * NCU_PER_CU, .key = 1, .partition = 1},
    {.at_ns = 7, .cost_ncu = 2 * NCU_PER_CU, .key = 0, .partition = 0},
};

START_TEST(entries_count_as_units_of_second_partition_and_key_but_not_as_attempts) {
    ck_assert(recorder_index_writes(&recorder, 1, writes, 3, &err));
    recorder_close_second(&recorder, samples, true);
    const struct recorder_resource *index = &recorder.resources[1];
    ck_assert_int_eq(index->second.consumed_wncu, 6 * NCU_PER_CU);
    ck_assert_uint_eq(index->second.index_writes, 3);
    ck_assert_uint_eq(index->second.attempts, 0);
    ck_assert_uint_eq(recorder.total.attempts, 0);
    ck_assert_uint_eq(index->touched_partition_count, 2);
    ck_assert_int_eq(index->partition_totals[1].consumed_wncu, 3 * NCU_PER_CU);
    ck_assert_int_eq(recorder_key(&recorder.resources[1], 0).consumed_wncu, 3 * NCU_PER_CU);
    ck_assert_uint_eq(recorder_key(&recorder.resources[1], 0).writes, 2);
    ck_assert_uint_eq(recorder.top_key_count, 2);
    ck_assert_uint_eq(recorder.top_keys[0].key, 0); /* of equal units the first */
    ck_assert_uint_eq(recorder.top_keys[0].half_units, 2 * 3 * 3);
    ck_assert_int_eq(recorder.resources[0].total.consumed_wncu, 0);
    recorder_finish(&recorder, 0); /* every sum is checked */
}
END_TEST

START_TEST(how_entries_are_cut_changes_no_digest) {
    char whole[DIGEST_TEXT_BYTES], cut[DIGEST_TEXT_BYTES];
    ck_assert(recorder_index_writes(&recorder, 1, writes, 3, &err));
    digest_text(&recorder.digest, whole);
    tear_down();
    set_up();
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(recorder_index_writes(&recorder, 1, &writes[i], 1, &err));
    }
    digest_text(&recorder.digest, cut);
    ck_assert_str_eq(whole, cut);
}
END_TEST

START_TEST(an_entry_of_a_table_aborts) {
    (void)!recorder_index_writes(&recorder, 0, writes, 1, &err);
}
END_TEST

START_TEST(an_entry_of_another_second_aborts) {
    const struct index_write late = {
        .at_ns = SIM_NS_PER_S, .cost_ncu = NCU_PER_CU, .key = 0, .partition = 0};
    (void)!recorder_index_writes(&recorder, 1, &late, 1, &err);
}
END_TEST

/* Two writes that the index refuses, one of them also by its own partition. */
START_TEST(what_an_index_refuses_counts_at_no_partition_and_no_key_of_the_table) {
    ck_assert(recorder_add_key(&recorder, 0, 0, &err));
    struct outcome outcomes[2] = {{.cost_ncu = NCU_PER_CU,
                                   .operation = DDB_PUT_ITEM,
                                   .fate = FATE_THROTTLED,
                                   .reasons = REASON_BIT(REASON_INDEX_WRITE_PROVISIONED)}};
    outcomes[1] = outcomes[0];
    outcomes[1].reasons |= REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE);
    const struct index_refusals refusals = {.events = {[REASON_INDEX_WRITE_PROVISIONED] = 2}};
    ck_assert(recorder_record(&recorder, outcomes, 2, &err));
    recorder_index_refusals(&recorder, 1, &refusals);
    recorder_close_second(&recorder, samples, true);
    const struct recorder_resource *table = &recorder.resources[0], *index = table + 1;
    ck_assert_uint_eq(table->total.throttled, 2);
    ck_assert_uint_eq(table->total.index_refused, 2);
    ck_assert_uint_eq(table->total.index_only, 1);
    ck_assert_uint_eq(table->total.events[REASON_INDEX_WRITE_PROVISIONED], 0);
    ck_assert_uint_eq(table->total.events[REASON_TABLE_WRITE_KEY_RANGE], 1);
    ck_assert_uint_eq(table->partition_totals[0].throttled_writes, 1);
    ck_assert_uint_eq(recorder_key(table, 0).throttled_writes, 1);
    ck_assert_uint_eq(index->total.events[REASON_INDEX_WRITE_PROVISIONED], 2);
    ck_assert_uint_eq(index->total.throttled, 0);
    ck_assert_int_eq(index->first_throttle_s, 0);
    const struct recorder_limit *limits = table->directions[RECORDER_WRITES].limits;
    ck_assert_uint_eq(limits[RECORDER_INDEXES].episodes.attempts, 2);
    ck_assert_int_eq(limits[RECORDER_INDEXES].episodes.asked_ncu, 2 * NCU_PER_CU);
    ck_assert_int_eq(limits[RECORDER_PROVISIONED].first_s, -1);
    recorder_finish(&recorder, 0);
}
END_TEST

START_TEST(lags_are_from_the_write_to_the_entry) {
    struct index_write late[2] = {writes[0], writes[1]};
    late[1].owed_ns = 7;
    ck_assert(recorder_index_writes(&recorder, 1, late, 2, &err));
    ck_assert_int_eq(recorder.resources[1].lags.max_ns, 5);
    ck_assert_uint_eq(recorder.resources[1].lags.total, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/recorder_index");
    TCase *tcase = tcase_create("recorder_index");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, entries_count_as_units_of_second_partition_and_key_but_not_as_attempts);
    tcase_add_test(tcase, how_entries_are_cut_changes_no_digest);
    tcase_add_test_raise_signal(tcase, an_entry_of_a_table_aborts, SIGABRT);
    tcase_add_test_raise_signal(tcase, an_entry_of_another_second_aborts, SIGABRT);
    tcase_add_test(tcase, what_an_index_refuses_counts_at_no_partition_and_no_key_of_the_table);
    tcase_add_test(tcase, lags_are_from_the_write_to_the_entry);
    return suite_run(suite);
}
