#include "analysis/metric.h"

#include "tests/analysis/outcomes.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY METRIC_ANY
#define END INT64_MAX
#define ITEMS(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

static struct recorder recorder;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert(made_up_init(&recorder, &err));
}

static void tear_down(void) {
    recorder_fini(&recorder);
}

static void record(uint16_t workload, uint32_t count, enum attempt_fate fate, uint16_t reasons,
                   double units) {
    for (uint32_t i = 0; i < count; i++) {
        const struct outcome outcome = {
            .at_ns = recorder.second * SIM_NS_PER_S,
            .cost_ncu = (int64_t)(units * (double)NCU_PER_CU),
            .key = workload,
            .resource = made_up_workloads[workload].resource,
            .reasons = reasons,
            .operation = made_up_workloads[workload].operation,
            .fate = (uint8_t)fate,
            .attempt = (uint16_t)(workload == 0 && fate == FATE_THROTTLED ? i : 0),
            .item_missing = workload == 3,
            .workload = workload,
        };
        ck_assert(recorder_record(&recorder, &outcome, 1, &err));
    }
}

static void operations(uint16_t workload, uint32_t succeeded, uint32_t gave_up) {
    for (uint32_t i = 0; i < succeeded + gave_up; i++) {
        recorder_offered(&recorder, workload);
        recorder_operation(&recorder, workload,
                           i < succeeded ? OPERATION_SUCCEEDED : OPERATION_GAVE_UP,
                           (sim_ns)(1 + i) * SIM_NS_PER_MS);
    }
}

/* 125 seconds. Workloads: 0 updates and 1 reads table 0, 2 puts and 3 deletes table 1.
 *   0 … 124   4 updates of 1.5 units; 10 reads of 0.5
 *   61, 62    and an update refused 6 times, each for reasons 1 and 5; 1 operation given up
 *   100       and 2 refused puts for reason 7, 1 delete of nothing, 1 lost put; the client's counts
 * Burst of table 0: 1000, 999, 998, … write units; provisioned 50; table 1 has none. */
static void second(int64_t t_s) {
    record(0, 4, FATE_ADMITTED, 0, 1.5);
    record(1, 10, FATE_ADMITTED, 0, 0.5);
    operations(0, 4, 0);
    if (t_s == 61 || t_s == 62) {
        record(0, 6, FATE_THROTTLED, REASON_BIT(1) | REASON_BIT(5), 1.5);
        operations(0, 0, 1);
    }
    if (t_s == 100) {
        record(2, 2, FATE_THROTTLED, REASON_BIT(7), 3.0);
        record(3, 1, FATE_ADMITTED, 0, 1.0);
        record(2, 1, FATE_ERRORED, 0, 1.0);
        struct workload_bin *puts = &recorder.workloads[2].second;
        puts->timed_out += 4;
        puts->lost_replies += 5;
        puts->quota_stops += 6;
        puts->queued += 3;
        puts->queued_ns += 1500 * (uint64_t)SIM_NS_PER_MS;
        puts->held_back += 2;
        puts->held_back_ns += 250 * (uint64_t)SIM_NS_PER_MS;
    }
}

static double watched(const struct metric_query *query) {
    struct metric_watch watch;
    metric_watch_init(&watch, query);
    for (int64_t t_s = 0; t_s < 125; t_s++) {
        second(t_s);
        if (t_s == 124) {
            recorder_offered(&recorder, 1);
        }
        const struct resource_sample samples[MADE_UP_RESOURCES] = {
            {.provisioned_rcu = 200,
             .provisioned_wcu = 50,
             .burst_wncu = (1000 - t_s) * NCU_PER_CU,
             .partitions = 5},
            {.provisioned_rcu = -1,
             .provisioned_wcu = -1,
             .burst_rncu = -1,
             .burst_wncu = -1,
             .partitions = 1},
        };
        recorder_close_second(&recorder, samples, t_s == 124);
        metric_watch_second(&watch, &recorder);
        if (t_s < 124) {
            recorder_open_second(&recorder);
        }
    }
    recorder.last_operation_ns = 124 * SIM_NS_PER_S + SIM_NS_PER_S / 2;
    struct pricing pricing;
    pricing_default(&pricing);
    recorder.pricing = &pricing;
    recorder.duration_ns = 125 * SIM_NS_PER_S;
    recorder_finish(&recorder, 1);
    if (query->key == NULL) {
        return metric_watch_value(&watch, &recorder, NULL);
    }
    const struct key_counters key =
        recorder_key(&recorder.resources[query->resource], query->key[0] == '0' ? 0U : 1U);
    return metric_watch_value(&watch, &recorder, &key);
}

#define RUN METRIC_PER_RUN
#define MINUTE METRIC_PER_MINUTE
#define SECOND METRIC_PER_SECOND
#define SUM METRIC_SUM
#define MEAN METRIC_MEAN
#define MAX METRIC_MAX
#define LAST METRIC_LAST
#define FIRST METRIC_FIRST_TIME

static const struct {
    struct metric_query query;
    double value; /* NAN: nothing seen */
} rows[] = {
    {{METRIC_OFFERED, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 503},
    {{METRIC_SUCCEEDED, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 500},
    {{METRIC_GAVE_UP, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2},
    {{METRIC_GAVE_UP, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_TIMED_OUT, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 4},
    {{METRIC_LOST_REPLIES, 1, 2, ANY, NULL, 0, END, RUN, SUM}, 5},
    {{METRIC_LOST_REPLIES, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_QUOTA_STOPS, ANY, ANY, ANY, NULL, 0, END, MINUTE, MAX}, 6},
    {{METRIC_RETRIES, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 10},
    {{METRIC_RETRIED, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2},
    {{METRIC_RETRIED, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_RETRIED_SHARE, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2.0 / (14 * 125 + 6)},
    {{METRIC_RETRIED_SHARE, 0, 0, ANY, NULL, 60, 63, SECOND, MAX}, 0.2},
    {{METRIC_QUEUED, ANY, 2, ANY, NULL, 0, END, RUN, SUM}, 3},
    {{METRIC_QUEUED_S, ANY, 2, ANY, NULL, 0, END, RUN, SUM}, 1.5},
    {{METRIC_QUEUED_S, ANY, ANY, ANY, NULL, 101, END, RUN, SUM}, 0},
    {{METRIC_HELD_BACK, ANY, ANY, ANY, NULL, 100, 101, SECOND, MAX}, 2},
    {{METRIC_HELD_BACK_S, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 0.25},
    {{METRIC_IN_FLIGHT, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 1},
    {{METRIC_ATTEMPTS, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 14 * 125 + 12 + 4},
    {{METRIC_ATTEMPTS, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 4},
    {{METRIC_ATTEMPTS, ANY, 1, ANY, NULL, 0, END, RUN, SUM}, 1250},
    {{METRIC_ATTEMPTS, 1, 1, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 60, 63, RUN, SUM}, 54},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 60, 63, SECOND, MAX}, 20},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 60, 63, SECOND, MEAN}, 18},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 0, END, MINUTE, MAX}, 852},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 0, END, MINUTE, LAST}, 70},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 0, END, MINUTE, MEAN}, (14 * 125 + 12) / 3.0},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, NULL, 50, 70, MINUTE, MAX}, 152},
    {{METRIC_ADMITTED, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 1750},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 14},
    {{METRIC_THROTTLED, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 12},
    {{METRIC_THROTTLED, 0, ANY, 5, NULL, 0, END, RUN, SUM}, 12},
    {{METRIC_THROTTLED, ANY, ANY, 7, NULL, 0, END, RUN, SUM}, 2},
    {{METRIC_THROTTLED, ANY, 2, ANY, NULL, 0, END, RUN, SUM}, 2},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 0, END, SECOND, FIRST}, 61},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 62, END, SECOND, FIRST}, 62},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 0, END, RUN, FIRST}, 61},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 0, END, MINUTE, FIRST}, 60},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 0, 61, SECOND, FIRST}, (double)NAN},
    {{METRIC_ERRORED, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 1},
    {{METRIC_THROTTLE_EVENTS, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 26},
    {{METRIC_THROTTLE_EVENTS, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 24},
    {{METRIC_THROTTLE_EVENTS, ANY, ANY, 1, NULL, 0, END, RUN, SUM}, 12},
    {{METRIC_THROTTLE_EVENTS, 1, ANY, 1, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_THROTTLED_WRITES, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 14},
    {{METRIC_THROTTLED_READS, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_THROTTLED_SHARE, ANY, ANY, ANY, NULL, 61, 62, RUN, SUM}, 6 / 20.0},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, NULL, 60, 63, RUN, MEAN}, 12 / 54.0},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, NULL, 60, 63, SECOND, MEAN}, 0.2},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, NULL, 0, END, SECOND, MAX}, 0.3},
    {{METRIC_THROTTLED_SHARE, 0, 0, ANY, NULL, 0, END, SECOND, MAX}, 0.6},
    {{METRIC_THROTTLED_SHARE, 1, ANY, ANY, NULL, 0, END, SECOND, MEAN}, 0.5},
    {{METRIC_THROTTLED_SHARE, 1, ANY, ANY, NULL, 0, 100, SECOND, MEAN}, (double)NAN},
    {{METRIC_FAILED_SHARE, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2 / 503.0},
    {{METRIC_FAILED_SHARE, ANY, ANY, ANY, NULL, 61, 62, RUN, SUM}, 0.2},
    {{METRIC_FAILED_SHARE, ANY, 1, ANY, NULL, 0, 124, RUN, SUM}, (double)NAN},
    {{METRIC_CONSUMED_WCU, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 750},
    {{METRIC_CONSUMED_WCU, 0, ANY, ANY, NULL, 0, END, MINUTE, MAX}, 360},
    {{METRIC_CONSUMED_WCU, 0, ANY, ANY, NULL, 0, END, SECOND, MAX}, 6},
    {{METRIC_CONSUMED_RCU, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 625},
    {{METRIC_MISSING_ITEMS, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 1},
    {{METRIC_PROVISIONED_WCU, 0, ANY, ANY, NULL, 0, END, RUN, MEAN}, 50},
    {{METRIC_PROVISIONED_RCU, 0, ANY, ANY, NULL, 0, END, SECOND, LAST}, 200},
    {{METRIC_PROVISIONED_WCU, 1, ANY, ANY, NULL, 0, END, RUN, MEAN}, (double)NAN},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 0, END, RUN, LAST}, 876},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 0, END, RUN, MAX}, 1000},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 0, END, RUN, MEAN}, 938},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 938},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 60, 63, SECOND, MEAN}, 939},
    {{METRIC_BURST_WCU, 0, ANY, ANY, NULL, 0, END, MINUTE, LAST}, 878},
    {{METRIC_BURST_RCU, 0, ANY, ANY, NULL, 0, END, RUN, FIRST}, (double)NAN},
    {{METRIC_PARTITIONS, 0, ANY, ANY, NULL, 0, END, RUN, MEAN}, 5},
    {{METRIC_KEYS, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2 * MADE_UP_KEYS},
    {{METRIC_KEYS, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, MADE_UP_KEYS},
    {{METRIC_FIRST_THROTTLE_S, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 61},
    {{METRIC_FIRST_THROTTLE_S, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 100},
    {{METRIC_LAST_THROTTLE_S, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 100},
    {{METRIC_LAST_THROTTLE_S, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 62},
    {{METRIC_LATENCY_MS_MAX, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 4},
    {{METRIC_LATENCY_MS_P50, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 2},
    {{METRIC_LATENCY_MS_P99, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 4},
    {{METRIC_ELAPSED_S, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 124.5},
    /* 200 RCU and 50 WCU for 730 hours; one unit in 125 s on demand */
    {{METRIC_COST_USD_PER_MONTH, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 42.705},
    {{METRIC_COST_USD_PER_MONTH, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 0.01314},
    {{METRIC_COST_USD_PER_MONTH, ANY, ANY, ANY, NULL, 0, END, RUN, MEAN}, 42.71814},
    {{METRIC_ON_DEMAND_USD_PER_MONTH, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 11.4975},
    {{METRIC_ON_DEMAND_COST_RATIO, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, 11.4975 / 42.705},
    {{METRIC_ON_DEMAND_COST_RATIO, 1, ANY, ANY, NULL, 0, END, RUN, SUM}, 1},
    /* writes: 512 attempts on table 0 and 4 on table 1; one read has arrived, none has ended */
    {{METRIC_WRITE_THROTTLED_SHARE, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 14.0 / 516},
    {{METRIC_READ_THROTTLED_SHARE, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 0},
    {{METRIC_REQUESTS_PER_READ, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 1250},
    {{METRIC_RCU_PER_READ, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, NAN},
    {{METRIC_WCU_PER_WRITE, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, 1.502},
    {{METRIC_READ_LATENCY_MS_P50, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, NAN},
    {{METRIC_READ_LATENCY_MS_P99, ANY, ANY, ANY, NULL, 0, END, RUN, SUM}, NAN},
    {{METRIC_CONSUMED_WCU, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 750},
    {{METRIC_CONSUMED_RCU, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 0},
    {{METRIC_CONSUMED_RCU, 0, ANY, ANY, "1", 0, END, RUN, SUM}, 625},
    {{METRIC_ATTEMPTS, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 512},
    {{METRIC_ADMITTED, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 500},
    {{METRIC_THROTTLED, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 12},
    {{METRIC_THROTTLED_WRITES, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 12},
    {{METRIC_THROTTLED_READS, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 0},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, "0", 0, END, RUN, SUM}, 12 / 512.0},
    {{METRIC_THROTTLED_SHARE, 1, ANY, ANY, "0", 0, END, RUN, SUM}, (double)NAN},
};

START_TEST(watches_what_the_query_says) {
    double value = watched(&rows[_i].query);
    const char *name = metric_rows()[rows[_i].query.metric].name;
    if (isnan(rows[_i].value)) {
        ck_assert_msg(isnan(value), "row %d, %s: %g, expected nothing", _i, name, value);
        return;
    }
    /* A median is the bound of its bucket; all others are exact up to the last digit. */
    double tolerance = rows[_i].query.metric == METRIC_LATENCY_MS_P50 ? 1.0 / 64 : 1e-12;
    ck_assert_msg(fabs(value - rows[_i].value) <= tolerance * (1 + fabs(rows[_i].value)),
                  "row %d, %s: %.15g, expected %.15g", _i, name, value, rows[_i].value);
}
END_TEST

START_TEST(is_nan_when_nothing_was_seen) {
    const struct metric_query queries[] = {
        {METRIC_THROTTLED, ANY, ANY, ANY, NULL, 200, 300, RUN, SUM},
        {METRIC_LATENCY_MS_P99, ANY, ANY, ANY, NULL, 0, END, RUN, SUM},
        {METRIC_FIRST_THROTTLE_S, ANY, ANY, ANY, NULL, 0, END, RUN, SUM},
        {METRIC_CONSUMED_WCU, 0, ANY, ANY, "never touched", 0, END, RUN, SUM},
    };
    for (int i = 0; i < ITEMS(queries); i++) {
        struct metric_watch watch;
        metric_watch_init(&watch, &queries[i]);
        metric_watch_second(&watch, &recorder);
        ck_assert(isnan(metric_watch_value(&watch, &recorder, NULL)));
    }
}
END_TEST

static const struct {
    struct metric_query query;
    const char *fault;
} faults[] = {
    {{METRIC_KEYS, ANY, ANY, 3, NULL, 0, END, RUN, SUM}, "metric 'keys' has no reason"},
    {{METRIC_ATTEMPTS, ANY, ANY, 3, NULL, 0, END, RUN, SUM}, "metric 'attempts' has no reason"},
    {{METRIC_CONSUMED_WCU, 0, 1, ANY, NULL, 0, END, RUN, SUM},
     "metric 'consumed_wcu' has no workload"},
    {{METRIC_BURST_RCU, 0, 1, ANY, NULL, 0, END, RUN, MEAN}, "metric 'burst_rcu' has no workload"},
    {{METRIC_IN_FLIGHT, 0, ANY, ANY, NULL, 0, END, RUN, SUM}, "metric 'in_flight' has no table"},
    {{METRIC_LATENCY_MS_P50, 0, ANY, ANY, NULL, 0, END, RUN, SUM},
     "metric 'latency_ms_p50' has no table"},
    {{METRIC_LATENCY_MS_P50, ANY, 0, ANY, NULL, 0, END, RUN, SUM},
     "metric 'latency_ms_p50' has no workload"},
    {{METRIC_BURST_RCU, ANY, ANY, ANY, NULL, 0, END, RUN, MEAN},
     "metric 'burst_rcu' needs a table"},
    {{METRIC_OFFERED, 0, ANY, ANY, "k", 0, END, RUN, SUM}, "metric 'offered' has no key"},
    {{METRIC_THROTTLED, ANY, ANY, ANY, "k", 0, END, RUN, SUM}, "a key needs a table"},
    {{METRIC_THROTTLED, 0, 1, ANY, "k", 0, END, RUN, SUM},
     "keys are counted by table, not by workload or reason; expected one of them"},
    {{METRIC_THROTTLED, ANY, 1, 2, NULL, 0, END, RUN, SUM},
     "reasons are counted by table, not by workload; expected one of the two"},
    {{METRIC_THROTTLED, 0, ANY, ANY, "k", 1, END, RUN, SUM},
     "metric 'throttled' is known for the whole run only, without 'from', 'to' and 'per'"},
    {{METRIC_THROTTLED, 0, ANY, ANY, "k", 0, END, SECOND, SUM},
     "metric 'throttled' is known for the whole run only, without 'from', 'to' and 'per'"},
    {{METRIC_KEYS, ANY, ANY, ANY, NULL, 0, 60, RUN, SUM},
     "metric 'keys' is known for the whole run only, without 'from', 'to' and 'per'"},
    {{METRIC_ELAPSED_S, ANY, ANY, ANY, NULL, 0, END, RUN, FIRST},
     "metric 'elapsed_s' is known for the whole run only, without 'from', 'to' and 'per'"},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, 60, 60, RUN, SUM}, "'to' must be after 'from'"},
    {{METRIC_THROTTLED, ANY, ANY, ANY, NULL, -1, 60, RUN, SUM}, "'to' must be after 'from'"},
    {{METRIC_BURST_RCU, 0, ANY, ANY, NULL, 0, END, SECOND, SUM},
     "metric 'burst_rcu' cannot be added up; expected stat mean, max, last or first_time"},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, NULL, 0, END, MINUTE, SUM},
     "metric 'throttled_share' cannot be added up; expected stat mean, max, last or first_time"},
    {{METRIC_THROTTLED_SHARE, 0, 1, ANY, NULL, 0, END, MINUTE, MAX}, NULL},
    {{METRIC_THROTTLED_SHARE, 0, ANY, ANY, "k", 0, END, RUN, SUM}, NULL},
    {{METRIC_FAILED_SHARE, 0, 1, ANY, NULL, 0, END, RUN, SUM}, NULL},
    {{METRIC_THROTTLE_EVENTS, ANY, ANY, 15, NULL, 5, 6, MINUTE, LAST}, NULL},
};

START_TEST(says_what_makes_no_sense) {
    const char *fault = metric_query_fault(&faults[_i].query);
    if (faults[_i].fault == NULL) {
        ck_assert_ptr_null(fault);
    } else {
        ck_assert_ptr_nonnull(fault);
        ck_assert_str_eq(fault, faults[_i].fault);
    }
}
END_TEST

START_TEST(finds_each_metric_by_its_name) {
    for (int metric = 0; metric < METRIC_COUNT; metric++) {
        const struct metric_row *row = &metric_rows()[metric];
        ck_assert_int_eq(metric_by_name(row->name), metric);
        ck_assert(row->unit[0] != '\0' && row->about[0] != '\0');
    }
    ck_assert_int_eq(metric_by_name("throttle"), METRIC_COUNT);
    ck_assert_int_eq(metric_by_name(""), METRIC_COUNT);
}
END_TEST

/* Of every count and any span: seconds and minutes add up to the run, in each scope. */
START_TEST(bins_add_up_to_the_run) {
    enum { SECONDS = 150, SCOPES = 3 };
    static const struct {
        int resource, workload;
    } scopes[SCOPES] = {{ANY, ANY}, {0, ANY}, {ANY, 2}};
    static struct metric_watch watches[METRIC_COUNT][SCOPES][3];
    static bool is_watched[METRIC_COUNT][SCOPES];
    int64_t from_s = _i * 17, to_s = from_s + 1 + _i * 31;
    for (int metric = 0; metric < METRIC_COUNT; metric++) {
        for (int scope = 0; scope < SCOPES; scope++) {
            struct metric_query query = {(enum metric)metric,
                                         scopes[scope].resource,
                                         scopes[scope].workload,
                                         ANY,
                                         NULL,
                                         from_s,
                                         to_s,
                                         SECOND,
                                         SUM};
            is_watched[metric][scope] = metric_query_fault(&query) == NULL;
            for (int per = 0; per < 3 && is_watched[metric][scope]; per++) {
                query.per = (enum metric_per)per;
                metric_watch_init(&watches[metric][scope][per], &query);
            }
        }
    }
    struct outcome outcomes[100];
    uint64_t first = 0;
    for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
        uint32_t count = made_up_second(5, t_s, first, outcomes);
        first += count;
        ck_assert(recorder_record(&recorder, outcomes, count, &err));
        struct resource_sample samples[MADE_UP_RESOURCES];
        made_up_samples(t_s, samples);
        recorder_close_second(&recorder, samples, false);
        for (int i = 0; i < METRIC_COUNT * SCOPES * 3; i++) {
            if (is_watched[i / 3 / SCOPES][i / 3 % SCOPES]) {
                metric_watch_second(&watches[i / 3 / SCOPES][i / 3 % SCOPES][i % 3], &recorder);
            }
        }
        recorder_open_second(&recorder);
    }
    int compared = 0;
    for (int i = 0; i < METRIC_COUNT * SCOPES; i++) {
        if (is_watched[i / SCOPES][i % SCOPES]) {
            const struct metric_watch *of = watches[i / SCOPES][i % SCOPES];
            double run = metric_watch_value(&of[RUN], &recorder, NULL);
            ck_assert_double_eq(metric_watch_value(&of[SECOND], &recorder, NULL), run);
            ck_assert_double_eq(metric_watch_value(&of[MINUTE], &recorder, NULL), run);
            compared++;
        }
    }
    ck_assert_int_gt(compared, 30);
}
END_TEST

START_TEST(aborts_on_a_query_with_a_fault) {
    struct metric_watch watch;
    metric_watch_init(&watch, &faults[0].query);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/metric");
    TCase *tcase = tcase_create("metric");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, watches_what_the_query_says, 0, ITEMS(rows));
    tcase_add_test(tcase, is_nan_when_nothing_was_seen);
    tcase_add_loop_test(tcase, says_what_makes_no_sense, 0, ITEMS(faults));
    tcase_add_test(tcase, finds_each_metric_by_its_name);
    tcase_add_loop_test(tcase, bins_add_up_to_the_run, 0, 5);
    tcase_add_test_raise_signal(tcase, aborts_on_a_query_with_a_fault, SIGABRT);
    return suite_run(suite);
}
