#include "cli/run_report.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run of one table in which nothing succeeded, so that there are no latencies. */
struct made_up {
    struct summary summary;
    struct summary_resource resource;
    struct resource_bin total;
    struct recorder_direction directions[RECORDER_DIRECTIONS];
};

static void make(struct made_up *made) {
    memset(made, 0, sizeof *made);
    made->total.consumed_rncu = 500000000;
    made->total.throttled_writes = 3;
    made->total.events[REASON_TABLE_WRITE_PROVISIONED] = 3;
    made->resource = (struct summary_resource){
        .table_name = "orders",
        .total = &made->total,
        .directions = made->directions,
        .partitions_start = 1,
        .partitions_end = 2,
        .provisioned_rcu = 5,
        .provisioned_wcu = 5,
        .keys = 1,
        .hottest_count = 1,
        .hottest = {{.name = "a \"key\" of many words that does not fit its column",
                     .counters = {.reads = 1, .consumed_rncu = 500000000}}},
    };
    made->summary = (struct summary){
        .scenario = "made up",
        .seed = UINT64_MAX,
        .digest = "00",
        .arrivals_digest = "11",
        .duration_s = 2.5,
        .total = {.offered = 4, .gave_up = 3, .attempts = 4, .admitted = 1, .throttled = 3},
        .in_flight = 1,
        .first_throttle_s = -1,
        .latency_ms_p50 = -1,
        .latency_ms_p99 = -1,
        .latency_ms_max = -1,
        .consumed_rncu = 500000000,
        .resources = &made->resource,
        .resource_count = 1,
        .verdict = "one\ntwo",
        .requests_per_wall_s = (double)INFINITY,
    };
    made->summary.events[REASON_TABLE_WRITE_PROVISIONED] = 3;
}

START_TEST(writes_every_key_once_in_order_with_null_for_what_is_not) {
    struct made_up made;
    make(&made);
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    run_report_json(out, &made.summary);
    fclose(out);
    ck_assert_str_eq(
        text,
        "{\"scenario\":\"made up\",\"seed\":18446744073709551615,\"replication\":0,"
        "\"digest\":\"00\",\"arrivals_digest\":\"11\",\"duration_s\":2.5,\"offered\":4,"
        "\"succeeded\":0,\"condition_failed\":0,\"rejected\":0,\"gave_up\":3,\"in_flight\":1,"
        "\"unprocessed\":0,\"attempts\":4,\"admitted\":1,\"throttled\":3,\"errored\":0,"
        "\"throttled_share\":0.75,\"failed_share\":0.75,\"consumed_rcu\":0.5,\"consumed_wcu\":0,"
        "\"reasons\":{\"TableWriteProvisionedThroughputExceeded\":3},\"first_throttle_s\":null,"
        "\"latency_ms\":{\"p50\":null,\"p99\":null,\"max\":null},\"tables\":[{\"name\":\"orders\","
        "\"consumed_rcu\":0.5,\"consumed_wcu\":0,\"throttle_events\":3,\"partitions_start\":1,"
        "\"partitions_end\":2,\"indexes\":[]}],\"hottest_keys\":[{\"table\":\"orders\","
        "\"index\":null,\"key\":\"a \\\"key\\\" of many words that does not fit its column\","
        "\"partition\":0,\"reads\":1,\"writes\":0,\"consumed_rcu\":0.5,\"consumed_wcu\":0,"
        "\"throttled_reads\":0,\"throttled_writes\":0}],\"cost\":null,\"verdict\":\"one\\ntwo\","
        "\"wall_s\":0,"
        "\"requests_per_wall_s\":null,\"peak_rss_bytes\":0}\n");
    free(text);
}
END_TEST

START_TEST(keeps_the_text_within_100_columns) {
    struct made_up made;
    make(&made);
    memset(made.summary.verdict, 'w', 1500);
    for (size_t i = 7; i < 1500; i += 8) {
        made.summary.verdict[i] = ' ';
    }
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    run_report_text(out, &made.summary);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "a \"key\" of many word..its column"));
    ck_assert_ptr_nonnull(strstr(text, "1 in flight at the end (25 %)"));
    ck_assert_ptr_null(strstr(text, "latency"));
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        ck_assert_msg(length <= 100, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(text);
}
END_TEST

START_TEST(tallies_runs) {
    struct made_up made;
    make(&made);
    struct run_tally tally = {.runs = 0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    run_report_line(out, &made.summary, &tally);
    made.summary.total.throttled = 0;
    run_report_line(out, &made.summary, &tally);
    run_report_tally(out, &tally, true);
    fclose(out);
    ck_assert_uint_eq(tally.runs, 2);
    ck_assert_uint_eq(tally.throttled_runs, 1);
    ck_assert_ptr_nonnull(strstr(text, "throttled in 1 of 2 layouts (50 %)"));
    ck_assert_ptr_nonnull(strstr(text, "0 % … 75 %, mean 38 %"));
    free(text);
}
END_TEST

/* 100 WCU, half of them used, and a GB beyond what is free. */
START_TEST(tells_costs_of_a_table_what_is_used_and_what_on_demand_would_be) {
    struct made_up made;
    make(&made);
    struct pricing pricing;
    pricing_default(&pricing);
    made.resource.use = (struct pricing_use){
        .seconds = 10,
        .bytes = INT64_C(26) << 30,
        .flows = {{.consumed_ncu = 0},
                  {.consumed_ncu = 500 * NCU_PER_CU, .provisioned_unit_s = 1000}},
    };
    int64_t free_bytes = pricing.free_storage;
    made.resource.bill =
        pricing_month(&pricing, &made.resource.use, 10 * SIM_NS_PER_S, &free_bytes);
    made.summary.pricing = &pricing;
    made.summary.bill = made.resource.bill;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    run_report_cost(out, &made.summary);
    fclose(out);
    ck_assert_str_eq(text,
                     "\ncost: $47.70 a month at this rate (us-east-1, September 2026)\n"
                     "    orders: $47.70, reads $0.00, writes $47.45, storage of 26 GB $0.25; "
                     "$82.13 on demand (1.73 times)\n"
                     "    writes use 50 % of what is provisioned; on demand costs less below 29 %\n"
                     "    the same units $82.13 on demand (1.73 times)\n");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/run_report");
    TCase *tcase = tcase_create("run_report");
    tcase_add_test(tcase, writes_every_key_once_in_order_with_null_for_what_is_not);
    tcase_add_test(tcase, tells_costs_of_a_table_what_is_used_and_what_on_demand_would_be);
    tcase_add_test(tcase, keeps_the_text_within_100_columns);
    tcase_add_test(tcase, tallies_runs);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
