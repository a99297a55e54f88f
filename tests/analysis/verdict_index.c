/* What is said when an index refuses the writes of its table. */
#include "analysis/verdict.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE, INDEX };

static struct summary summary;
static struct summary_resource resources[2];
static struct resource_bin totals[2];
static struct recorder_direction directions[2][RECORDER_DIRECTIONS];
static struct recorder_workload workload;
static struct partition_bin partition;
static struct partition_refusals refusals;

static int64_t ncu(int64_t units) {
    return units * NCU_PER_CU;
}

/* 10 minutes of 1,000 writes a second, each with an entry of one unit; from second 130 on 620 a
 * second are accepted. `share` of the entries are for the key OPEN. */
static void set_up(void) {
    memset(resources, 0, sizeof resources);
    memset(totals, 0, sizeof totals);
    memset(&workload, 0, sizeof workload);
    for (int resource = 0; resource < 2; resource++) {
        for (int direction = 0; direction < RECORDER_DIRECTIONS; direction++) {
            directions[resource][direction] =
                (struct recorder_direction){.burst_gone_s = -1, .burst_full_s = -1};
            for (int limit = 0; limit < RECORDER_LIMITS; limit++) {
                directions[resource][direction].limits[limit] =
                    (struct recorder_limit){.first_s = -1, .last_s = -1};
            }
        }
        resources[resource] = (struct summary_resource){
            .table_name = "jobs",
            .total = &totals[resource],
            .directions = directions[resource],
            .partitions_end = 8,
            .provisioned_wcu = 2000,
            .provisioned_rcu = 2000,
            .part_max_w = 1000,
            .part_max_r = 3000,
            .first_throttle_s = -1,
            .index_limit_wcu = -1,
            .lag_ms_p99 = -1,
            .lag_ms_max = -1,
        };
    }
    resources[INDEX].index_name = "byStatus";
    resources[INDEX].index_limit_wcu = 120000;
    resources[INDEX].lag_ms_max = 15000;
    const uint64_t admitted = 130 * 1000 + 470 * 620, refused = 470 * 380;
    workload = (struct recorder_workload){.name = "put", .operation = DDB_PUT_ITEM};
    workload.total = (struct workload_bin){.offered = admitted + refused,
                                           .attempts = admitted + refused,
                                           .admitted = admitted,
                                           .throttled = refused,
                                           .succeeded = admitted,
                                           .gave_up = refused};
    totals[TABLE].consumed_wncu = ncu((int64_t)admitted);
    totals[INDEX].consumed_wncu = ncu((int64_t)admitted);
    totals[INDEX].index_writes = admitted;
    directions[TABLE][RECORDER_WRITES].limits[RECORDER_INDEXES] = (struct recorder_limit){
        .first_s = 130,
        .last_s = 599,
        .seconds = 470,
        .episodes = {.seconds = 470,
                     .attempts = 470 * 1000,
                     .admitted = 470 * 620,
                     .asked_ncu = ncu(470 * 1000),
                     .consumed_ncu = ncu(470 * 620)},
    };
    summary = (struct summary){
        .duration_s = 600,
        .resources = resources,
        .resource_count = 2,
        .workloads = &workload,
        .workload_count = 1,
        .total = workload.total,
        .attempts_max = 1,
    };
}

static void refuse(enum throttle_reason reason) {
    totals[INDEX].events[reason] = summary.events[reason] = workload.total.throttled;
}

static void add_hottest(const char *name, double share) {
    resources[INDEX].hottest[resources[INDEX].hottest_count++] = (struct summary_key){
        .resource = INDEX,
        .name = name,
        .counters = {.consumed_wncu = (int64_t)(share * (double)totals[INDEX].consumed_wncu)},
        .partition_total = &partition,
        .partition_refusals = &refusals,
    };
}

static void says(const char *text) {
    ck_assert_msg(strstr(summary.verdict, text) != NULL, "'%s' is not in\n%s", text,
                  summary.verdict);
}

START_TEST(a_hot_key_of_an_index_is_named_with_what_it_does_to_the_table) {
    add_hottest("OPEN", 0.9);
    resources[INDEX].part_max_w = 300;
    refuse(REASON_INDEX_WRITE_KEY_RANGE);
    verdict_write(&summary);
    says("throttled: index byStatus: IndexWriteKeyRangeThroughputExceeded on key OPEN: writes to "
         "table jobs are refused, whatever their key, though it is at 31 % of its 2,000 WCU/s: "
         "620 of 1,000 writes/s accepted (from 2 min 10 s to the end, in 470 of 600 s); they would "
         "owe that key 900 WCU/s, of which a partition of the index writes 300; its entries were "
         "up to 15 s late; spread OPEN over ");
    says("of layouts on 8 partitions)");
    says("rests on: one layout of keys on partitions");
    says("(gsi_buffer_units)");
}
END_TEST

START_TEST(a_key_that_would_fit_alone_is_said_to_share_its_partition) {
    add_hottest("OPEN", 0.2);
    resources[INDEX].part_max_w = 300;
    refuse(REASON_INDEX_WRITE_KEY_RANGE);
    verdict_write(&summary);
    says("on the partition of key OPEN: ");
    says("they would owe that key 200 WCU/s, of which a partition of the index writes 300 with all "
         "its other keys (1,000 WCU/s on 8 partitions)");
}
END_TEST

START_TEST(one_partition_cannot_be_spread_over) {
    add_hottest("OPEN", 1);
    resources[INDEX].part_max_w = 300;
    resources[INDEX].partitions_end = 1;
    refuse(REASON_INDEX_WRITE_KEY_RANGE);
    verdict_write(&summary);
    says("; spread OPEN over 4 values or more, on more than its 1 partition");
}
END_TEST

START_TEST(an_index_in_debt_needs_what_it_is_owed) {
    add_hottest("OPEN", 0.9);
    resources[INDEX].provisioned_wcu = 1;
    refuse(REASON_INDEX_WRITE_PROVISIONED);
    verdict_write(&summary);
    says("throttled: index byStatus: IndexWriteProvisionedThroughputExceeded: writes to table jobs "
         "are refused, whatever their key, though it is at 31 % of its 2,000 WCU/s: ");
    says("they would owe the index 1,000 WCU/s, it has 1, and may be behind by 120,000 WCU; "
         "give it that (1,000 WCU/s, or 1,429 for 70 % use)");
    says("rests on: how much an index may be behind by is unpublished");
}
END_TEST

START_TEST(a_closed_loop_needs_what_its_clients_reach) {
    summary.closed_loop = true;
    directions[TABLE][RECORDER_WRITES].peak_second_ncu = ncu(1800);
    directions[TABLE][RECORDER_WRITES].asked_ncu = totals[TABLE].consumed_wncu;
    resources[INDEX].provisioned_wcu = 1;
    refuse(REASON_INDEX_WRITE_PROVISIONED);
    verdict_write(&summary);
    says("; its clients reach ");
    says(" when nothing holds them back; give it that (");
}
END_TEST

START_TEST(an_index_that_falls_behind_is_not_throttled_yet) {
    workload.total.throttled = summary.total.throttled = 0;
    directions[TABLE][RECORDER_WRITES].limits[RECORDER_INDEXES].first_s = -1;
    add_hottest("OPEN", 0.9);
    resources[INDEX].last_sample =
        (struct resource_sample){.provisioned_wcu = 2000, .buffered_wncu = ncu(60000)};
    verdict_write(&summary);
    says("not throttled yet: ");
    says("it may be behind by 120,000 WCU, 60,000 WCU wait for partitions that are full");
    says("writes to the table will be refused when that grows to the bound");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/verdict_index");
    TCase *tcase = tcase_create("verdict_index");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, a_hot_key_of_an_index_is_named_with_what_it_does_to_the_table);
    tcase_add_test(tcase, a_key_that_would_fit_alone_is_said_to_share_its_partition);
    tcase_add_test(tcase, one_partition_cannot_be_spread_over);
    tcase_add_test(tcase, an_index_in_debt_needs_what_it_is_owed);
    tcase_add_test(tcase, a_closed_loop_needs_what_its_clients_reach);
    tcase_add_test(tcase, an_index_that_falls_behind_is_not_throttled_yet);
    return suite_run(suite);
}
