#include "analysis/verdict.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 4
#define PARTITIONS_MAX 8

/* A key of a made-up run: attempts of the whole run. */
struct made_key {
    const char *name;
    uint32_t partition;
    uint64_t admitted, throttled;
};

/* A made-up run of one table with traffic in one direction; rates follow from counts and seconds. */
struct made_run {
    bool writes;
    int64_t provisioned;
    uint32_t partitions;
    double duration_s;
    uint64_t seconds; /* with refusals, from first_s on */
    int64_t first_s, burst_gone_s;
    uint64_t key_range, provisioned_events;
    double units_each;
    uint64_t retries, gave_up, offered, in_flight, missing;
    int64_t burst_first_cu, burst_last_cu, peak_second_cu, peak_minute_cu;
    bool closed;
    uint64_t keys_total, keys_throttled;
    struct made_key keys[KEYS_MAX];
};

struct made_up {
    struct summary summary;
    struct summary_resource resource;
    struct resource_bin total;
    struct recorder_direction directions[RECORDER_DIRECTIONS];
    struct recorder_workload workload;
    struct partition_bin partitions[PARTITIONS_MAX];
};

static int64_t ncu(double units) {
    return (int64_t)(units * 1e9 + 0.5);
}

static void add_key(struct made_up *made, const struct made_run *run, const struct made_key *key,
                    uint32_t number) {
    struct partition_bin *bin = &made->partitions[key->partition];
    struct summary_key summary = {
        .key = number, .partition = key->partition, .name = key->name, .partition_total = bin};
    const int64_t consumed = ncu((double)key->admitted * run->units_each);
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
    const int64_t consumed = ncu((double)total->admitted * run->units_each);
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
    const struct recorder_direction none = {
        .first_throttle_s = -1, .last_throttle_s = -1, .burst_gone_s = -1};
    made->directions[0] = made->directions[1] = none;
    struct recorder_direction *direction = &made->directions[run->writes];
    direction->burst_gone_s = run->burst_gone_s;
    direction->peak_second_ncu = ncu((double)run->peak_second_cu);
    direction->peak_minute_ncu = ncu((double)run->peak_minute_cu);
    if (total->throttled > 0) {
        direction->first_throttle_s = run->first_s;
        direction->last_throttle_s = run->first_s + (int64_t)run->seconds - 1;
        direction->throttled_seconds = run->seconds;
        direction->attempts = total->attempts;
        direction->admitted = total->admitted;
        direction->retries = run->retries;
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
    const struct resource_sample last = {.burst_rncu = ncu((double)run->burst_last_cu),
                                         .burst_wncu = ncu((double)run->burst_last_cu)};
    made->resource.first_sample = first;
    made->resource.last_sample = last;
    made->summary.resources = &made->resource;
    made->summary.resource_count = 1;
    made->summary.workloads = &made->workload;
    made->summary.workload_count = 1;
    made->summary.duration_s = run->duration_s;
    made->summary.closed_loop = run->closed;
    made->summary.latency_ms_p50 = 3;
    made->summary.latency_ms_p99 = 750;
    made->summary.latency_ms_max = 6350;
}

/* The rows of docs/verdict.md, by a run that shows the symptom and by what must be said. */
static const struct {
    const char *name;
    struct made_run run;
    const char *said[8], *not_said[4];
} rows[] = {
    {"hot-key",
     {.writes = true,
      .provisioned = 4000,
      .partitions = 8,
      .duration_s = 600,
      .seconds = 600,
      .burst_gone_s = -1,
      .key_range = 900000,
      .units_each = 1,
      .gave_up = 900000,
      .keys_total = 1,
      .keys_throttled = 1,
      .keys = {{"LEADERBOARD#0", 5, 600000, 900000}}},
     {"throttled: TableWriteKeyRangeThroughputExceeded on key LEADERBOARD#0: 1,000 of 2,500 "
      "writes/s accepted, the table is at 25 % of its 4,000 WCU/s (from 0 s to the end, in 600 of "
      "600 s); one partition gives 1,000 WCU/s, whatever is provisioned; 3 shards would do if they "
      "land apart (66 % of layouts on 8 partitions), 8 hold in 91 %",
      "failed: the client gave up 900,000 of 1,500,000 operations (60 %), it does not retry",
      "rests on: one layout"},
     {"suffers", "ProvisionedThroughput"}},
    {"hot-key with a neighbour",
     {.writes = true,
      .provisioned = 8000,
      .partitions = 8,
      .duration_s = 100,
      .seconds = 100,
      .burst_gone_s = -1,
      .key_range = 110000,
      .units_each = 1,
      .gave_up = 110000,
      .keys_total = 2,
      .keys_throttled = 2,
      .keys = {{"hot", 3, 95000, 105000}, {"mild", 3, 5000, 5000}}},
     {"on key hot: 950 of 2,000 writes/s accepted", "; mild suffers with it on partition 3;",
      "2 shards would do if they land apart (88 % of layouts on 8 partitions)"},
     {"2 others"}},
    {"hot-key of reads, eventually consistent",
     {.writes = false,
      .provisioned = 12000,
      .partitions = 4,
      .duration_s = 60,
      .seconds = 60,
      .burst_gone_s = -1,
      .key_range = 180000,
      .units_each = 0.5,
      .gave_up = 180000,
      .keys_total = 1,
      .keys_throttled = 1,
      .keys = {{"item", 1, 360000, 180000}}},
     {"TableReadKeyRangeThroughputExceeded on key item: 6,000 of 9,000 reads/s (0.5 RCU each) "
      "accepted, the table is at 25 % of its 12,000 RCU/s",
      "2 copies under other keys would do if they land apart (75 % of layouts on 4 partitions)"},
     {"shards"}},
    {"hot-key on the only partition",
     {.writes = true,
      .provisioned = 1000,
      .partitions = 1,
      .duration_s = 100,
      .seconds = 100,
      .burst_gone_s = -1,
      .key_range = 50000,
      .units_each = 1,
      .gave_up = 50000,
      .keys_total = 1,
      .keys_throttled = 1,
      .keys = {{"one", 0, 100000, 50000}}},
     {"1,000 of 1,500 writes/s accepted", "it needs 2 shards, which 1 partition cannot hold apart"},
     {"would do"}},
    {"hot-key for two seconds of an hour",
     {.writes = true,
      .provisioned = 5000,
      .partitions = 5,
      .duration_s = 3600,
      .first_s = 1800,
      .seconds = 2,
      .burst_gone_s = -1,
      .key_range = 1000,
      .units_each = 1,
      .keys_total = 1,
      .gave_up = 1000,
      .keys_throttled = 1,
      .keys = {{"k", 0, 2000, 1000}}},
     {"1,000 of 1,500 writes/s accepted", "(from 30 min to 30 min 2 s, in 2 of 3,600 s)"},
     {"to the end"}},
    {"few-keys",
     {.writes = true,
      .provisioned = 10000,
      .partitions = 8,
      .duration_s = 100,
      .seconds = 100,
      .burst_gone_s = -1,
      .key_range = 250000,
      .units_each = 1,
      .gave_up = 250000,
      .keys_total = 2,
      .keys_throttled = 2,
      .keys = {{"A", 0, 100000, 130000}, {"B", 4, 100000, 120000}}},
     {"on key A and 1 other, each alone more than a partition gives: of the first 1,000 of 2,300 "
      "writes/s accepted",
      "each has to be split further, for the first: 3 shards would do"},
     {"suffers"}},
    {"all-partitions",
     {.writes = true,
      .provisioned = 4000,
      .partitions = 2,
      .duration_s = 100,
      .seconds = 100,
      .burst_gone_s = -1,
      .key_range = 100000,
      .units_each = 1,
      .gave_up = 100000,
      .keys_total = 4,
      .keys_throttled = 4,
      .keys = {{"a", 0, 50000, 25000},
               {"b", 0, 50000, 25000},
               {"c", 1, 50000, 25000},
               {"d", 1, 50000, 25000}}},
     {"2,000 of 3,000 writes/s accepted where 2 x 1,000 WCU/s is all that they give",
      "no key alone exceeds a partition: it needs at least 3 partitions"},
     {"shards would do"}},
    {"shared-partition",
     {.writes = true,
      .provisioned = 8000,
      .partitions = 8,
      .duration_s = 100,
      .seconds = 100,
      .burst_gone_s = -1,
      .key_range = 25000,
      .units_each = 1,
      .gave_up = 25000,
      .keys_total = 3,
      .keys_throttled = 2,
      .keys = {{"A", 2, 50000, 12600}, {"B", 2, 50000, 12400}, {"C", 5, 62500, 0}}},
     {"on partition 2, which keys A (626 writes/s) and B (624/s) share: it is asked for 1,250 "
      "writes/s, more than the 1,000 WCU/s of a partition",
      "3 such keys land apart on 8 partitions in 66 % of layouts; 6 keys of half the load hold in"},
     {"hot", "needs"}},
    {"hot-partition at the edge",
     {.writes = true,
      .provisioned = 5000,
      .partitions = 5,
      .duration_s = 600,
      .first_s = 100,
      .seconds = 5,
      .burst_gone_s = -1,
      .key_range = 5,
      .units_each = 1,
      .gave_up = 5,
      .keys_total = 3,
      .keys_throttled = 1,
      .keys = {{"edge", 0, 4900, 5}, {"filler", 0, 2000, 0}, {"other", 1, 1000, 0}}},
     {"throttled: TableWriteKeyRangeThroughputExceeded on key edge",
      "the key is at the edge of a partition and exceeds it for moments; 2 shards give it room"},
     {"land apart"}},
    {"over-provisioned, open loop",
     {.writes = false,
      .provisioned = 150,
      .partitions = 1,
      .duration_s = 1000,
      .first_s = 900,
      .seconds = 100,
      .burst_gone_s = 870,
      .provisioned_events = 5000,
      .units_each = 1,
      .gave_up = 5000,
      .burst_first_cu = 44950,
      .burst_last_cu = 1,
      .peak_second_cu = 200,
      .peak_minute_cu = 12000,
      .keys_total = 1000,
      .keys_throttled = 990,
      .keys = {{"k", 0, 15000, 5000}}},
     {"throttled: TableReadProvisionedThroughputExceeded on table orders: 150 of 200 reads/s "
      "accepted while 150 RCU/s are provisioned (from 15 min to the end, in 100 of 1,000 s); the "
      "saved burst (44,950 RCU after the first second) lasted 15 min, 1 RCU are left at the end",
      "refusals hit 990 of 1,000 keys", "it needs 200 RCU/s, or 286 for 70 % use",
      "rests on: unpublished parameters"},
     {"KeyRange", "at least", "layout"}},
    {"over-provisioned, closed loop with retries",
     {.writes = true,
      .provisioned = 5,
      .partitions = 1,
      .duration_s = 200,
      .first_s = 10,
      .seconds = 100,
      .burst_gone_s = 12,
      .provisioned_events = 100,
      .units_each = 1,
      .retries = 100,
      .burst_first_cu = 1400,
      .burst_last_cu = 20,
      .peak_second_cu = 118,
      .peak_minute_cu = 1300,
      .closed = true,
      .keys_total = 2000,
      .keys_throttled = 20,
      .keys = {{"request#1", 0, 500, 100}}},
     {"5 of 6 writes/s accepted, retries included (5/s without), while 5 WCU/s are provisioned",
      "its clients reach 118 WCU/s when nothing holds them back",
      "needs at least 118 WCU/s, or at least 169 for 70 % use",
      "absorbed: no operation failed, retries turned refusals into waiting: latency p50 3 ms, p99 "
      "750 ms, at most 6,350 ms",
      "client slowed down: "},
     {"failed:", "client-limited"}},
    {"over-provisioned by one key",
     {.writes = true,
      .provisioned = 100,
      .partitions = 1,
      .duration_s = 100,
      .first_s = 0,
      .seconds = 100,
      .burst_gone_s = 0,
      .provisioned_events = 30000,
      .units_each = 1,
      .gave_up = 30000,
      .burst_last_cu = -40,
      .peak_second_cu = 100,
      .peak_minute_cu = 6100,
      .keys_total = 2,
      .keys_throttled = 2,
      .keys = {{"big", 0, 6000, 24000}, {"small", 0, 4000, 6000}}},
     {"there was hardly any saved burst, a debt of 40 WCU is left at the end",
      "key big makes 75 % of it, and refusals hit 2 of 2 keys"},
     {"no key stands out"}},
    {"large-item",
     {.writes = true,
      .provisioned = 5,
      .partitions = 1,
      .duration_s = 100,
      .first_s = 20,
      .seconds = 1,
      .burst_gone_s = 15,
      .provisioned_events = 1,
      .units_each = 400,
      .gave_up = 1,
      .burst_first_cu = 1100,
      .burst_last_cu = 300,
      .peak_second_cu = 400,
      .peak_minute_cu = 1200,
      .keys_total = 1,
      .keys_throttled = 1,
      .keys = {{"file", 0, 3, 1}}},
     {"one of its writes costs 400 WCU, what 5 WCU/s earn in 80 s",
      "smaller items help (large parts elsewhere), or more capacity"},
     {"spikes"}},
    {"router-shares",
     {.writes = true,
      .provisioned = 500,
      .partitions = 2,
      .duration_s = 60,
      .first_s = 5,
      .seconds = 1,
      .burst_gone_s = -1,
      .provisioned_events = 40,
      .units_each = 1,
      .gave_up = 40,
      .burst_first_cu = 149000,
      .burst_last_cu = 100000,
      .peak_second_cu = 2000,
      .peak_minute_cu = 90000,
      .keys_total = 2,
      .keys_throttled = 2,
      .keys = {{"left", 0, 1000, 20}, {"right", 1, 1000, 20}}},
     {"the saved burst never ran out, 100,000 WCU are left at the end: it is granted to request "
      "routers in shares every few seconds",
      "--set model.routers=0"},
     {"it needs"}},
    {"spikes",
     {.writes = true,
      .provisioned = 60,
      .partitions = 1,
      .duration_s = 600,
      .first_s = 30,
      .seconds = 3,
      .burst_gone_s = 2,
      .provisioned_events = 3000,
      .units_each = 1,
      .gave_up = 3000,
      .burst_first_cu = 600,
      .burst_last_cu = 18000,
      .peak_second_cu = 700,
      .peak_minute_cu = 3500,
      .keys_total = 500,
      .keys_throttled = 300,
      .keys = {{"k", 0, 600, 3000}}},
     {"short spikes: 200 of 1,200 writes/s accepted",
      "the fullest minute has a mean of 58.3 WCU/s, so a graph by the minute shows no reason; "
      "limits hold by the second",
      "provision for the spike: 1,200 WCU/s"},
     {"auto scaling"}},
    {"both limits",
     {.writes = true,
      .provisioned = 1500,
      .partitions = 2,
      .duration_s = 400,
      .first_s = 300,
      .seconds = 100,
      .burst_gone_s = 290,
      .key_range = 90000,
      .provisioned_events = 60000,
      .units_each = 1,
      .gave_up = 150000,
      .burst_first_cu = 450000,
      .burst_last_cu = 0,
      .peak_second_cu = 2000,
      .peak_minute_cu = 120000,
      .keys_total = 2,
      .keys_throttled = 2,
      .keys = {{"hot", 0, 90000, 110000}, {"warm", 1, 60000, 40000}}},
     {"throttled: TableWriteKeyRangeThroughputExceeded on key hot",
      "\nthrottled: TableWriteProvisionedThroughputExceeded on table orders",
      "rests on: one layout of keys on partitions", "; unpublished parameters"},
     {"absorbed"}},
    {"not throttled",
     {.writes = true,
      .provisioned = 1000,
      .partitions = 1,
      .duration_s = 600,
      .burst_gone_s = -1,
      .units_each = 1,
      .burst_first_cu = 300000,
      .burst_last_cu = 300000,
      .peak_minute_cu = 37200,
      .keys_total = 2,
      .keys = {{"a", 0, 186000, 0}, {"b", 0, 114000, 0}}},
     {"not throttled: writes use 62 % of 1,000 WCU/s in their fullest minute, the busiest key, a, "
      "31 % of the 1,000 WCU/s of a partition"},
     {"rests on", "absorbed", "failed", "burst"}},
    {"not throttled, on burst, closed loop",
     {.writes = true,
      .provisioned = 100,
      .partitions = 1,
      .duration_s = 17,
      .burst_gone_s = -1,
      .units_each = 1,
      .burst_first_cu = 29983,
      .burst_last_cu = 29700,
      .peak_minute_cu = 2000,
      .closed = true,
      .keys_total = 2000,
      .keys = {{"request#1", 0, 2000, 0}}},
     {"writes use 118 % of 100 WCU/s, on saved burst, of which 29,700 WCU are left at the end",
      "client-limited: a closed loop sends its next call after the last response, 118 "
      "operations/s on average"},
     {"slowed down", "fullest minute"}},
    {"missing items",
     {.writes = false,
      .provisioned = 100,
      .partitions = 1,
      .duration_s = 100,
      .burst_gone_s = -1,
      .units_each = 0.5,
      .missing = 40,
      .keys_total = 1,
      .keys = {{"gone", 0, 100, 0}}},
     {"missing items: 40 of 100 attempts read or deleted an item that does not exist"},
     {"accepted"}},
    {"in flight",
     {.writes = true,
      .provisioned = 10,
      .partitions = 1,
      .duration_s = 100,
      .first_s = 1,
      .seconds = 99,
      .burst_gone_s = 0,
      .provisioned_events = 2000,
      .units_each = 1,
      .retries = 1800,
      .gave_up = 100,
      .in_flight = 100,
      .peak_second_cu = 10,
      .peak_minute_cu = 600,
      .keys_total = 1,
      .keys_throttled = 1,
      .keys = {{"k", 0, 1000, 2000}}},
     {"failed: the client gave up 100 of 1,200 operations (8.3 %) after retrying; 1,800 of 3,000 "
      "attempts were retries",
      "unfinished: 100 operations were still under way or waiting for a retry at the end",
      "all of it is for key k"},
     {"absorbed"}},
};

START_TEST(says_what_the_symptom_calls_for) {
    struct made_up made;
    make(&made, &rows[_i].run);
    verdict_write(&made.summary);
    const char *verdict = made.summary.verdict;
    for (size_t i = 0; i < 8 && rows[_i].said[i] != NULL; i++) {
        ck_assert_msg(strstr(verdict, rows[_i].said[i]) != NULL, "%s: no '%s' in:\n%s",
                      rows[_i].name, rows[_i].said[i], verdict);
    }
    for (size_t i = 0; i < 4 && rows[_i].not_said[i] != NULL; i++) {
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
    tcase_add_test(tcase, never_leaves_its_room);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
