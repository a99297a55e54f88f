#include "analysis/verdict.h"

#include "tests/analysis/verdict_rows.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct made_up {
    struct summary summary;
    struct summary_resource resource;
    struct resource_bin total;
    struct recorder_direction directions[RECORDER_DIRECTIONS];
    struct recorder_workload workload;
    struct partition_bin partitions[PARTITIONS_MAX];
    struct partition_refusals refusals[PARTITIONS_MAX];
    int64_t consumed_ncu, asked_ncu;
    uint64_t outside; /* attempts when nothing was refused */
    int64_t outside_ncu;
};

static int64_t ncu(double units) {
    return (int64_t)(units * 1e9 + 0.5);
}

static void add_key(struct made_up *made, const struct made_run *run, const struct made_key *key,
                    uint32_t number) {
    struct partition_bin *bin = &made->partitions[key->partition];
    struct summary_key summary = {
        .key = number,
        .partition = key->partition,
        .name = key->name,
        .partition_total = bin,
        .partition_refusals = &made->refusals[key->partition],
    };
    const double units_each = key->units_each > 0 ? key->units_each : run->units_each;
    const int64_t consumed = ncu((double)key->admitted * units_each);
    struct partition_refusals *refusals = &made->refusals[key->partition];
    const int64_t outside_ncu = ncu((double)key->outside * units_each);
    made->outside += key->outside;
    made->outside_ncu += outside_ncu;
    refusals->consumed_ncu[run->writes] += consumed - outside_ncu;
    made->consumed_ncu += consumed;
    made->asked_ncu += consumed + ncu((double)key->throttled * units_each);
    if (key->throttled > 0) {
        refusals->seconds[run->writes] = run->seconds;
    }
    if (run->writes) {
        summary.counters.writes = key->admitted;
        summary.counters.throttled_writes = key->throttled;
        summary.counters.consumed_wncu = consumed;
        bin->consumed_wncu += consumed;
        bin->throttled_writes += key->throttled;
    } else {
        summary.counters.reads = key->admitted;
        summary.counters.throttled_reads = key->throttled;
        summary.counters.consumed_rncu = consumed;
        bin->consumed_rncu += consumed;
        bin->throttled_reads += key->throttled;
    }
    struct workload_bin *total = &made->workload.total;
    total->admitted += key->admitted;
    total->throttled += key->throttled;
    made->resource.hottest[made->resource.hottest_count++] = summary;
    if (key->throttled > 0) {
        made->resource.throttled[made->resource.throttled_count++] = summary;
    }
}

static void make_totals(struct made_up *made, const struct made_run *run) {
    struct workload_bin *total = &made->workload.total;
    total->attempts = total->admitted + total->throttled;
    total->retries = run->retries;
    total->gave_up = run->gave_up;
    total->offered = run->offered == 0 ? total->attempts - run->retries : run->offered;
    total->succeeded = total->offered - run->gave_up - run->in_flight;
    made->summary.total = *total;
    made->summary.in_flight = run->in_flight;
    const int64_t consumed = made->consumed_ncu;
    const enum throttle_reason range =
        run->writes ? REASON_TABLE_WRITE_KEY_RANGE : REASON_TABLE_READ_KEY_RANGE;
    const enum throttle_reason pool =
        run->writes ? REASON_TABLE_WRITE_PROVISIONED : REASON_TABLE_READ_PROVISIONED;
    made->total.events[range] = made->summary.events[range] = run->key_range;
    made->total.events[pool] = made->summary.events[pool] = run->provisioned_events;
    made->total.missing = run->missing;
    *(run->writes ? &made->total.consumed_wncu : &made->total.consumed_rncu) = consumed;
}

static void make_direction(struct made_up *made, const struct made_run *run) {
    const struct workload_bin *total = &made->workload.total;
    const struct recorder_limit never = {.first_s = -1, .last_s = -1};
    const struct recorder_direction none = {
        .limits = {never, never}, .burst_gone_s = -1, .burst_full_s = -1};
    made->directions[0] = made->directions[1] = none;
    struct recorder_direction *direction = &made->directions[run->writes];
    direction->burst_gone_s = run->burst_gone_s;
    direction->burst_full_s = run->burst_full_s > 0 ? run->burst_full_s : -1;
    direction->peak_asked_ncu = ncu((double)run->peak_asked_cu);
    /* retries cost as much as first attempts */
    const double first = total->attempts == 0
                             ? 0
                             : (double)(total->attempts - run->retries) / (double)total->attempts;
    direction->asked_ncu = (int64_t)((double)made->asked_ncu * first);
    direction->peak_second_ncu = ncu((double)run->peak_second_cu);
    direction->peak_minute_ncu = ncu((double)run->peak_minute_cu);
    const struct recorder_limit refusing = {
        .first_s = run->first_s,
        .last_s = run->first_s + (int64_t)run->seconds - 1,
        .seconds = run->seconds,
        .episodes = {.seconds = run->seconds,
                     .attempts = total->attempts - made->outside,
                     .admitted = total->admitted - made->outside,
                     .retries = run->retries,
                     .asked_ncu = direction->asked_ncu - made->outside_ncu,
                     .consumed_ncu = made->consumed_ncu - made->outside_ncu},
    };
    if (run->key_range > 0) {
        direction->limits[RECORDER_KEY_RANGE] = refusing;
    }
    if (run->provisioned_events > 0) {
        direction->limits[RECORDER_PROVISIONED] = refusing;
    }
}

static void make(struct made_up *made, const struct made_run *run) {
    memset(made, 0, sizeof *made);
    made->workload = (struct recorder_workload){
        .name = "w", .operation = run->writes ? DDB_PUT_ITEM : DDB_GET_ITEM};
    made->resource = (struct summary_resource){
        .table_name = "orders",
        .total = &made->total,
        .directions = made->directions,
        .partitions_start = run->partitions,
        .partitions_end = run->partitions,
        .provisioned_rcu = run->provisioned,
        .provisioned_wcu = run->provisioned,
        .part_max_r = 3000,
        .part_max_w = 1000,
        .keys = run->keys_total,
        .throttled_keys = run->keys_throttled,
        .throttled_partitions = 1,
    };
    for (uint32_t i = 0; i < KEYS_MAX && run->keys[i].name != NULL; i++) {
        add_key(made, run, &run->keys[i], i);
    }
    make_totals(made, run);
    make_direction(made, run);
    const struct resource_sample first = {.burst_rncu = ncu((double)run->burst_first_cu),
                                          .burst_wncu = ncu((double)run->burst_first_cu)};
    const int64_t burst_max_ncu = 300 * ncu((double)run->provisioned);
    const struct resource_sample last = {.burst_rncu = ncu((double)run->burst_last_cu),
                                         .burst_wncu = ncu((double)run->burst_last_cu),
                                         .burst_max_rncu = burst_max_ncu,
                                         .burst_max_wncu = burst_max_ncu};
    made->resource.first_sample = first;
    made->resource.last_sample = last;
    made->summary.resources = &made->resource;
    made->summary.resource_count = 1;
    made->summary.workloads = &made->workload;
    made->summary.workload_count = 1;
    made->summary.era = run->era;
    made->summary.duration_s = run->duration_s;
    made->summary.closed_loop = run->closed;
    made->summary.latency_ms_p50 = 3;
    made->summary.latency_ms_p99 = 750;
    made->summary.latency_ms_max = 6350;
}

START_TEST(says_what_the_symptom_calls_for) {
    struct made_up made;
    make(&made, &rows[_i].run);
    verdict_write(&made.summary);
    const char *verdict = made.summary.verdict;
    for (size_t i = 0; i < SAID_MAX && rows[_i].said[i] != NULL; i++) {
        ck_assert_msg(strstr(verdict, rows[_i].said[i]) != NULL, "%s: no '%s' in:\n%s",
                      rows[_i].name, rows[_i].said[i], verdict);
    }
    for (size_t i = 0; i < NOT_SAID_MAX && rows[_i].not_said[i] != NULL; i++) {
        ck_assert_msg(strstr(verdict, rows[_i].not_said[i]) == NULL, "%s: '%s' in:\n%s",
                      rows[_i].name, rows[_i].not_said[i], verdict);
    }
    ck_assert(verdict[strlen(verdict) - 1] != '\n');
}
END_TEST

START_TEST(says_that_nothing_arrived) {
    const struct made_run run = {
        .writes = true, .provisioned = 5, .partitions = 1, .duration_s = 10, .burst_gone_s = -1};
    struct made_up made;
    make(&made, &run);
    verdict_write(&made.summary);
    ck_assert_str_eq(made.summary.verdict, "not throttled: nothing arrived");
}
END_TEST

/* Most refusals first, and each says which table it is about. */
START_TEST(puts_the_worst_table_first_and_names_it) {
    struct made_up mild, hard;
    make(&mild, &rows[1].run);
    make(&hard, &rows[0].run);
    struct summary_resource resources[] = {mild.resource, hard.resource};
    struct recorder_workload workloads[] = {mild.workload, hard.workload};
    resources[0].table_name = "carts";
    workloads[1].resource = 1;
    hard.summary.resources = resources;
    hard.summary.resource_count = 2;
    hard.summary.workloads = workloads;
    hard.summary.workload_count = 2;
    verdict_write(&hard.summary);
    const char *first = strstr(hard.summary.verdict, "on key LEADERBOARD#0: on table orders, ");
    const char *second = strstr(hard.summary.verdict, "on key hot: on table carts, ");
    ck_assert_msg(first != NULL && second != NULL && first < second, "%s", hard.summary.verdict);
}
END_TEST

static void expect_said(const struct made_up *made, const char *said) {
    ck_assert_msg(strstr(made->summary.verdict, said) != NULL, "no '%s' in:\n%s", said,
                  made->summary.verdict);
}

START_TEST(names_what_limits_an_on_demand_table) {
    const struct made_run run = {.writes = true,
                                 .provisioned = -1,
                                 .partitions = 4,
                                 .duration_s = 100,
                                 .seconds = 100,
                                 .burst_gone_s = -1,
                                 .key_range = 1,
                                 .units_each = 1,
                                 .keys_total = 1,
                                 .keys_throttled = 1,
                                 .keys = {{"k", 0, 50000, 50000}}};
    struct made_up made;
    make(&made, &run);
    struct recorder_limit *limits = made.directions[1].limits;
    limits[RECORDER_MAX_ON_DEMAND] = limits[RECORDER_ACCOUNT] = limits[RECORDER_KEY_RANGE];
    made.total.events[REASON_TABLE_WRITE_KEY_RANGE] = 0;
    made.total.events[REASON_TABLE_WRITE_MAX_ON_DEMAND] = 30000;
    made.total.events[REASON_TABLE_WRITE_ACCOUNT_LIMIT] = 20000;
    verdict_write(&made.summary);
    expect_said(&made,
                "throttled: TableWriteMaxOnDemandThroughputExceeded on table orders: 500 of "
                "1,000 writes/s accepted (from 0 s to the end, in 100 of 100 s); the table's "
                "own OnDemandThroughput is the limit, not its 4 partitions, which take 4,000 "
                "WRU/s: it needs a maximum of 1,000 WRU/s, or none");
    expect_said(&made, "throttled: TableWriteAccountLimitExceeded on table orders: 500 of 1,000 "
                       "writes/s accepted (from 0 s to the end, in 100 of 100 s); the account's "
                       "quota of write units");
}
END_TEST

START_TEST(says_that_a_scan_took_what_reads_were_refused) {
    const struct made_run run = {.provisioned = 100,
                                 .partitions = 1,
                                 .duration_s = 100,
                                 .seconds = 50,
                                 .burst_gone_s = 9,
                                 .provisioned_events = 700,
                                 .units_each = 0.5,
                                 .keys_total = 1,
                                 .keys_throttled = 1,
                                 .keys = {{"k", 0, 4000, 700}}};
    struct made_up made;
    make(&made, &run);
    struct recorder_parts parts = {.keyless = {.consumed_rncu = ncu(400), .throttled_reads = 100}};
    made.resource.parts = &parts;
    made.total.throttled_reads = 700;
    made.total.consumed_rncu = ncu(2400);
    verdict_write(&made.summary);
    ck_assert(strstr(made.summary.verdict, "scan: ") == NULL); /* a sixth */
    parts.keyless.consumed_rncu = ncu(600);
    verdict_write(&made.summary);
    expect_said(&made, "scan: table orders: Scans took 25 % of its units read (600 RCU), 600 of "
                       "the 700 refused reads were those of others; ");
}
END_TEST

START_TEST(says_that_a_call_was_refused) {
    const struct made_run run = {
        .writes = true, .provisioned = 5, .partitions = 1, .duration_s = 10, .burst_gone_s = -1};
    struct made_up made;
    make(&made, &run);
    made.summary.refused_updates = 3;
    made.summary.refused_update_s = 90;
    made.summary.refused_update_exception = "ResourceInUseException";
    made.summary.refused_update_rule = "the table is UPDATING";
    verdict_write(&made.summary);
    expect_said(&made, "not changed: DynamoDB refused UpdateTable, first at 90 s "
                       "(ResourceInUseException): the table is UPDATING; 3 calls were refused");
}
END_TEST

START_TEST(says_that_a_leader_was_lost) {
    const struct made_run run = {
        .writes = true, .provisioned = 5, .partitions = 1, .duration_s = 100, .burst_gone_s = -1};
    struct made_up made;
    make(&made, &run);
    made.summary.leaders_lost = 3;
    made.summary.leader_partition = 7;
    made.summary.leader_lost_s = 60;
    made.summary.leader_gap_s = 2;
    made.summary.leaderless_attempts = 1234;
    made.summary.total.errored = 1234; /* none of which was lost on its way */
    verdict_write(&made.summary);
    expect_said(&made, "leader lost: partition 7 of table orders took no writes and no consistent "
                       "reads for 2 s, at 60 s, and 2 more were lost; 1,234 attempts failed with "
                       "InternalServerError (500), which SDKs send again");
    ck_assert_ptr_null(strstr(made.summary.verdict, "never reached DynamoDB"));
}
END_TEST

/* Whatever the figures, the text ends where its room ends. */
START_TEST(never_leaves_its_room) {
    char name[2049];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made_run run = rows[i].run;
        for (size_t k = 0; k < KEYS_MAX && run.keys[k].name != NULL; k++) {
            run.keys[k].name = name;
        }
        struct made_up made;
        make(&made, &run);
        verdict_write(&made.summary);
        ck_assert_uint_lt(strlen(made.summary.verdict), sizeof made.summary.verdict);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/verdict");
    TCase *tcase = tcase_create("verdict");
    tcase_add_loop_test(tcase, says_what_the_symptom_calls_for, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, says_that_nothing_arrived);
    tcase_add_test(tcase, puts_the_worst_table_first_and_names_it);
    tcase_add_test(tcase, names_what_limits_an_on_demand_table);
    tcase_add_test(tcase, says_that_a_scan_took_what_reads_were_refused);
    tcase_add_test(tcase, says_that_a_call_was_refused);
    tcase_add_test(tcase, says_that_a_leader_was_lost);
    tcase_add_test(tcase, never_leaves_its_room);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
