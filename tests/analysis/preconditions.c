/* What callers of analysis/ must not do, and the check that stops them; more of it in the tests of
 * the single files. */
#include "analysis/latency_histogram.h"
#include "analysis/layout_odds.h"
#include "analysis/metric.h"
#include "analysis/statistics.h"
#include "analysis/store.h"
#include "analysis/store_merge.h"
#include "analysis/store_read.h"
#include "analysis/store_read_latency.h"
#include "analysis/store_read_table.h"
#include "analysis/words.h"
#include "tests/analysis/made_up_database.h"
#include "tests/analysis/outcomes.h"
#include "tests/death.h"
#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REQUIRE(condition) ck_assert_msg((condition), "%s", err.text)

static char folder[] = "/tmp/ddbsim-preconditions-XXXXXX";
static char read_path[64], write_path[64];
static struct err err;
static struct recorder recorder, other;
static struct resource_sample samples[MADE_UP_RESOURCES];
static struct store_read *reader;
static struct store_read_table *table;
static struct metric_watch watch;
static char text[8];
static struct phrase phrase;

static const struct recorder_resource_config one_table[] = {{"orders", NULL, 1, 0}};
static const struct recorder_workload_config elsewhere[] = {{"w", 1, DDB_PUT_ITEM, false}};
static const struct recorder_workload_config no_operation[] = {{"w", 0, 200, false}};
static const struct store_read_operation no_latencies = {.name = "PutItem"};

/* An open second of a run, and a database to read. */
static void set_up(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(read_path, sizeof read_path, "%s/x.db", folder);
    snprintf(write_path, sizeof write_path, "%s/y.db", folder);
    made_up_database(read_path);
    REQUIRE(made_up_init(&recorder, &err));
    made_up_samples(0, samples);
    REQUIRE((reader = store_read_open(read_path, &err)) != NULL);
    REQUIRE((table = store_read_table_open(reader, "runs", NULL, &err)) != NULL);
}

static void tear_down(void) {
    store_read_table_close(table);
    store_read_close(reader);
    recorder_fini(&recorder);
    unlink(read_path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void init_recorder(const struct recorder_workload_config *workload, uint32_t resources) {
    const struct recorder_config config = {.resources = one_table,
                                           .workloads = workload,
                                           .resource_count = resources,
                                           .workload_count = 1};
    death_ignore(recorder_init(&other, &config, &err));
}

static void close_second(void) {
    recorder_close_second(&recorder, samples, true);
}

static void watch_metric(int metric, int resource) {
    const struct metric_query query = {.metric = (enum metric)metric,
                                       .resource = resource,
                                       .workload = METRIC_ANY,
                                       .reason = METRIC_ANY,
                                       .to_s = INT64_MAX};
    metric_watch_init(&watch, &query);
}

static void watch_level_beyond(void) {
    watch_metric(METRIC_BURST_RCU, MADE_UP_RESOURCES);
    close_second();
    metric_watch_second(&watch, &recorder);
}

static void record_odd_fate(void) {
    struct outcome outcome = made_up_outcome(1, 1, 0);
    outcome.fate = FATE_COUNT;
    outcome.reasons = 0;
    death_ignore(recorder_record(&recorder, &outcome, 1, &err));
}

static void record_closed(void) {
    const struct outcome outcome = made_up_outcome(1, 1, 0);
    close_second();
    death_ignore(recorder_record(&recorder, &outcome, 1, &err));
}

static void write_entry(uint32_t key, uint32_t partition, int64_t cost_ncu, uint16_t resource) {
    const struct index_write write = {.cost_ncu = cost_ncu, .key = key, .partition = partition};
    death_ignore(recorder_index_writes(&recorder, resource, &write, 1, &err));
}

/* In the child, whose locks SQLite would not give to another process. */
static struct store *new_store(bool is_committed) {
    struct store *store = store_create(write_path, false, &err);
    REQUIRE(store != NULL && (!is_committed || store_commit(store, &err)));
    unlink(is_committed ? write_path : store_temporary_path(store)); /* nobody closes it */
    return store;
}

static void read_past_the_end(void) {
    while (store_read_table_next(table, &err) == STORE_READ_TABLE_ROW) {
    }
    death_ignore(store_read_table_next(table, &err) == STORE_READ_TABLE_ROW);
}

static const struct partition_sample odd_partition = {.cause = (enum partition_cause)99};

#define MISUSES(X)                                                                                 \
    X("count >= 1", store_merge_open(NULL, 0, &err))                                               \
    X("fraction > 0.0", latency_histogram_quantile_ns(&recorder.latencies[0], 0))                  \
    X("fraction <= 1.0", latency_histogram_quantile_ns(&recorder.latencies[0], 1.5))               \
    X("count >= 1 && hits <= count", statistics_share(0, 0, 0.95))                                 \
    X("confidence > 0 && confidence < 1", statistics_mean(&(const struct moments){.count = 2}, 1)) \
    X("partitions >= 1", layout_odds_apart(1, 0))                                                  \
    X("keys <= LAYOUT_ODDS_KEYS_MAX", layout_odds_apart(LAYOUT_ODDS_KEYS_MAX + 1, 1))              \
    X("partitions >= 1", layout_odds_at_most(1, 0, 1))                                             \
    X("keys <= LAYOUT_ODDS_KEYS_MAX", layout_odds_at_most(LAYOUT_ODDS_KEYS_MAX + 1, 1, 1))         \
    X("shards >= 1", layout_odds_shards(1, 1, 0, 1))                                               \
    X("demand >= 0", layout_odds_shards(-1, 1, 1, 1))                                              \
    X("cap > 0", layout_odds_shards(1, 0, 1, 1))                                                   \
    X("query->metric < METRIC_COUNT", watch_metric(METRIC_COUNT, METRIC_ANY))                      \
    X("fault == NULL", watch_metric(METRIC_BURST_RCU, METRIC_ANY))                                 \
    X("config->resource < recorder->resource_count", init_recorder(elsewhere, 1))                  \
    X("config->operation < DDB_OPERATION_COUNT", init_recorder(no_operation, 1))                   \
    X("config->resource_count <= UINT16_MAX + 1", init_recorder(elsewhere, 65537))                 \
    X("resource < recorder->resource_count",                                                       \
      death_ignore(recorder_add_key(&recorder, MADE_UP_RESOURCES, 0, &err)))                       \
    X("query->resource < recorder->resource_count", watch_level_beyond())                          \
    X("outcome->fate < FATE_COUNT", record_odd_fate())                                             \
    X("recorder->is_open", record_closed())                                                        \
    X("workload < recorder->workload_count",                                                       \
      recorder_call(&recorder, MADE_UP_WORKLOADS, FATE_ADMITTED))                                  \
    X("from->has_batches", recorder_call(&recorder, 0, FATE_ADMITTED))                             \
    X("workload < recorder->workload_count",                                                       \
      recorder_unprocessed(&recorder, MADE_UP_WORKLOADS, 1))                                       \
    X("workload < recorder->workload_count",                                                       \
      recorder_operation(&recorder, MADE_UP_WORKLOADS, OPERATION_GAVE_UP, 0))                      \
    X("!recorder->is_open", recorder_finish(&recorder, 0))                                         \
    X("!recorder->is_open", recorder_open_second(&recorder))                                       \
    X("recorder->is_open", close_second(), close_second())                                         \
    X("recorder->is_open", close_second(), write_entry(0, 0, NCU_PER_CU, 1))                       \
    X("resource < recorder->resource_count", write_entry(0, 0, NCU_PER_CU, MADE_UP_RESOURCES))     \
    X("write->key < resource->keys.count", write_entry(MADE_UP_KEYS, 0, NCU_PER_CU, 1))            \
    X("write->partition < resource->partition_count", write_entry(0, 99, NCU_PER_CU, 1))           \
    X("write->cost_ncu > 0", write_entry(0, 0, 0, 1))                                              \
    X("!store->is_committed", death_ignore(store_commit(new_store(true), &err)))                   \
    X("!store->is_committed", death_ignore(store_scenario(new_store(true), "x", "y", &err)))       \
    X("cause 99", death_ignore(store_partition(new_store(false), 1, 0, &odd_partition, &err)))     \
    X("fraction > 0 && fraction <= 1", store_read_latency_us(&no_latencies, 0))                    \
    X("column < table->column_count", store_read_table_column(table, 99))                          \
    X("column < table->column_count", store_read_table_value(table, 99))                           \
    X("table->statement != NULL", read_past_the_end())                                             \
    X("bytes >= 8", phrase_init(&phrase, text, 7))

DEATHS(MISUSES)

int main(void) {
    Suite *suite = suite_create("analysis/preconditions");
    TCase *tcase = tcase_create("preconditions");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, misuse_dies_by_its_check);
    return suite_run(suite);
}
