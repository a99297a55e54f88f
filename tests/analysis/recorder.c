#include "analysis/recorder.h"

#include "sim/hash.h"
#include "tests/analysis/outcomes.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 130
#define OUTCOMES_MAX (SECONDS * 100)

static struct recorder recorder;
static struct err err;

/* The oracle: every attempt of the run, kept, and looked through again for each question. */
static struct outcome outcomes[OUTCOMES_MAX];
static uint32_t outcome_count;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    outcome_count = 0;
    ck_assert(made_up_init(&recorder, &err));
}

static void tear_down(void) {
    recorder_fini(&recorder);
}

static bool is_write(const struct outcome *outcome) {
    return ddb_operation_writes((enum ddb_operation)outcome->operation);
}

static bool is_within(const struct outcome *outcome, int64_t from_s, int64_t to_s) {
    return outcome->at_ns >= from_s * SIM_NS_PER_S && outcome->at_ns < to_s * SIM_NS_PER_S;
}

static struct resource_bin expected_resource(uint32_t resource, int64_t from_s, int64_t to_s) {
    struct resource_bin bin = {0};
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->resource != resource || !is_within(outcome, from_s, to_s)) {
            continue;
        }
        bin.attempts++;
        if (outcome->fate == FATE_ADMITTED) {
            bin.admitted++;
            *(is_write(outcome) ? &bin.consumed_wncu : &bin.consumed_rncu) += outcome->cost_ncu;
            if (outcome->item_missing) {
                bin.missing++;
            }
        } else if (outcome->fate == FATE_THROTTLED) {
            bin.throttled++;
            ++*(is_write(outcome) ? &bin.throttled_writes : &bin.throttled_reads);
            for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
                if ((outcome->reasons & REASON_BIT(reason)) != 0) {
                    bin.events[reason]++;
                }
            }
        } else {
            bin.errored++;
        }
    }
    return bin;
}

static struct workload_bin expected_workload(uint32_t workload, int64_t from_s, int64_t to_s) {
    struct workload_bin bin = {0};
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->workload != workload || !is_within(outcome, from_s, to_s)) {
            continue;
        }
        bin.calls++;
        bin.attempts++;
        bin.admitted += outcome->fate == FATE_ADMITTED;
        bin.throttled += outcome->fate == FATE_THROTTLED;
        bin.throttled_calls += outcome->fate == FATE_THROTTLED;
        bin.errored_calls += outcome->fate == FATE_ERRORED;
        bin.errored += outcome->fate == FATE_ERRORED;
        bin.retries += outcome->attempt > 0;
        bin.retried += outcome->attempt == 1;
    }
    return bin;
}

static struct partition_bin expected_partition(uint32_t resource, uint32_t partition,
                                               int64_t from_s, int64_t to_s) {
    struct partition_bin bin = {0};
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->resource != resource || outcome->partition != partition ||
            !is_within(outcome, from_s, to_s)) {
            continue;
        }
        if (outcome->fate == FATE_ADMITTED) {
            *(is_write(outcome) ? &bin.consumed_wncu : &bin.consumed_rncu) += outcome->cost_ncu;
        } else if (outcome->fate == FATE_THROTTLED) {
            ++*(is_write(outcome) ? &bin.throttled_writes : &bin.throttled_reads);
        }
    }
    return bin;
}

/* Of one key: units (3 W + R, in half units) or refused attempts. */
static uint64_t expected_key_minute(uint32_t resource, uint32_t key, int64_t from_s, int64_t to_s,
                                    bool throttled) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->resource != resource || outcome->key != key ||
            !is_within(outcome, from_s, to_s)) {
            continue;
        }
        if (throttled && outcome->fate == FATE_THROTTLED) {
            sum += 2;
        } else if (!throttled && outcome->fate == FATE_ADMITTED) {
            sum += (uint64_t)(outcome->cost_ncu / (NCU_PER_CU / 2)) * (is_write(outcome) ? 3 : 1);
        }
    }
    return sum;
}

static void check_second(int64_t t_s) {
    for (uint32_t resource = 0; resource < MADE_UP_RESOURCES; resource++) {
        const struct recorder_resource *found = &recorder.resources[resource];
        struct resource_bin expected = expected_resource(resource, t_s, t_s + 1);
        ck_assert_mem_eq(&found->second, &expected, sizeof expected);
        uint32_t touched = 0;
        for (uint32_t i = 0; i < made_up_partitions[resource]; i++) {
            struct partition_bin bin = expected_partition(resource, i, t_s, t_s + 1);
            ck_assert_mem_eq(&found->partitions[i], &bin, sizeof bin);
            const struct partition_bin none = {0};
            touched += memcmp(&bin, &none, sizeof bin) != 0;
        }
        ck_assert_uint_eq(found->touched_partition_count, touched);
    }
    for (uint32_t workload = 0; workload < MADE_UP_WORKLOADS; workload++) {
        struct workload_bin expected = expected_workload(workload, t_s, t_s + 1);
        expected.offered = recorder.workloads[workload].second.offered;
        expected.gave_up = expected.offered;
        ck_assert_mem_eq(&recorder.workloads[workload].second, &expected, sizeof expected);
    }
}

/* The rows of one resource and kind: every key's value, the largest taken out again and again. */
static uint32_t check_top_keys(uint32_t row, uint16_t resource, bool throttled, int64_t t_s) {
    uint64_t values[MADE_UP_KEYS];
    for (uint32_t key = 0; key < MADE_UP_KEYS; key++) {
        values[key] = expected_key_minute(resource, key, t_s, t_s + 60, throttled);
    }
    for (uint32_t rank = 0; rank < RECORDER_TOP_KEYS; rank++, row++) {
        uint32_t best = 0;
        for (uint32_t key = 1; key < MADE_UP_KEYS; key++) {
            best = values[key] > values[best] ? key : best;
        }
        if (values[best] == 0) {
            break;
        }
        ck_assert_uint_lt(row, recorder.top_key_count);
        const struct key_minute *found = &recorder.top_keys[row];
        ck_assert_uint_eq(found->key, best);
        ck_assert_uint_eq(found->half_units, values[best]);
        ck_assert_uint_eq(found->resource, resource);
        ck_assert_int_eq(found->throttled, throttled);
        ck_assert_int_eq(found->t_s, t_s);
        values[best] = 0;
    }
    return row;
}

static void check_minute(int64_t t_s, bool last) {
    if (t_s % 60 != 59 && !last) {
        ck_assert_uint_eq(recorder.top_key_count, 0);
        return;
    }
    uint32_t row = 0;
    for (uint16_t resource = 0; resource < MADE_UP_RESOURCES; resource++) {
        row = check_top_keys(row, resource, false, t_s / 60 * 60);
        row = check_top_keys(row, resource, true, t_s / 60 * 60);
    }
    ck_assert_uint_eq(recorder.top_key_count, row);
    ck_assert_uint_gt(row, RECORDER_TOP_KEYS); /* full lists are part of the test */
}

/* Runs all seconds; batch_max cuts the attempts. Returns the operations offered: all gave up. */
static uint64_t run(uint64_t seed, uint32_t batch_max, bool checked) {
    uint64_t offered = 0;
    for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
        struct outcome *batch = &outcomes[outcome_count];
        uint32_t count = made_up_second(seed, t_s, outcome_count, batch);
        outcome_count += count;
        for (uint32_t from = 0; from < count; from += batch_max) {
            uint32_t left = count - from;
            ck_assert(recorder_record(&recorder, batch + from, left < batch_max ? left : batch_max,
                                      &err));
        }
        uint16_t workload = (uint16_t)(t_s % MADE_UP_WORKLOADS);
        for (int64_t i = 0; i < t_s % 7; i++, offered++) {
            recorder_offered(&recorder, workload);
            recorder_operation(&recorder, workload, OPERATION_GAVE_UP, 0);
        }
        struct resource_sample samples[MADE_UP_RESOURCES];
        made_up_samples(t_s, samples);
        bool last = t_s == SECONDS - 1;
        recorder_close_second(&recorder, samples, last);
        if (checked) {
            check_second(t_s);
            check_minute(t_s, last);
        }
        if (!last) {
            recorder_open_second(&recorder);
        }
    }
    recorder_finish(&recorder, 0);
    return offered;
}

/* One direction of a resource in one second. */
static struct recorder_flow flow_of(uint32_t resource, int direction, int64_t t_s) {
    struct recorder_flow flow = {.seconds = 1};
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->resource == resource && is_write(outcome) == direction &&
            is_within(outcome, t_s, t_s + 1)) {
            const bool reached = outcome->fate != FATE_ERRORED;
            flow.attempts++;
            flow.admitted += outcome->fate == FATE_ADMITTED;
            flow.retries += outcome->attempt > 0;
            flow.asked_ncu += reached && outcome->attempt == 0 ? outcome->cost_ncu : 0;
            flow.consumed_ncu += outcome->fate == FATE_ADMITTED ? outcome->cost_ncu : 0;
        }
    }
    return flow;
}

static void add_flow(struct recorder_flow *sum, const struct recorder_flow *flow) {
    sum->seconds += flow->seconds;
    sum->attempts += flow->attempts;
    sum->admitted += flow->admitted;
    sum->retries += flow->retries;
    sum->asked_ncu += flow->asked_ncu;
    sum->consumed_ncu += flow->consumed_ncu;
}

#define EITHER(of) (REASON_BIT(REASON_TABLE_##of) | REASON_BIT(REASON_INDEX_##of))

static bool refuses(uint32_t resource, int direction, int limit, int64_t t_s) {
    static const uint32_t reasons[RECORDER_DIRECTIONS][RECORDER_LIMITS] = {
        {EITHER(READ_KEY_RANGE), EITHER(READ_PROVISIONED), EITHER(READ_MAX_ON_DEMAND),
         EITHER(READ_ACCOUNT_LIMIT)},
        {EITHER(WRITE_KEY_RANGE), EITHER(WRITE_PROVISIONED), EITHER(WRITE_MAX_ON_DEMAND),
         EITHER(WRITE_ACCOUNT_LIMIT)}};
    for (uint32_t i = 0; i < outcome_count; i++) {
        if (outcomes[i].resource == resource && (outcomes[i].reasons & reasons[direction][limit]) &&
            is_within(&outcomes[i], t_s, t_s + 1)) {
            return true;
        }
    }
    return false;
}

/* By the definition: refused seconds, and what lies between two that are one episode. */
static struct recorder_limit expected_limit(uint32_t resource, int direction, int limit) {
    struct recorder_limit expected = {.first_s = -1, .last_s = -1};
    for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
        const struct recorder_flow flow = flow_of(resource, direction, t_s);
        if (!refuses(resource, direction, limit, t_s)) {
            add_flow(&expected.since, &flow);
            continue;
        }
        const int64_t gap_s = t_s - expected.last_s;
        if (expected.first_s >= 0 &&
            (gap_s <= 10 || (gap_s <= 30 && expected.since.attempts < 30))) {
            add_flow(&expected.episodes, &expected.since);
        }
        add_flow(&expected.episodes, &flow);
        expected.first_s = expected.first_s < 0 ? t_s : expected.first_s;
        expected.last_s = t_s;
        expected.seconds++;
        expected.since = (struct recorder_flow){0};
    }
    return expected;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void check_direction(uint32_t resource, int direction) {
    static const int64_t burst_gone_s[MADE_UP_RESOURCES][2] = {{81, 0}, {-1, -1}};
    struct recorder_direction expected = {
        .limits = {expected_limit(resource, direction, RECORDER_KEY_RANGE),
                   expected_limit(resource, direction, RECORDER_PROVISIONED),
                   expected_limit(resource, direction, RECORDER_MAX_ON_DEMAND),
                   expected_limit(resource, direction, RECORDER_ACCOUNT),
                   expected_limit(resource, direction, RECORDER_INDEXES)},
        .burst_gone_s = burst_gone_s[resource][direction],
        .burst_full_s = -1,
    };
    int64_t minute_ncu = 0;
    for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
        const struct recorder_flow flow = flow_of(resource, direction, t_s);
        expected.asked_ncu += flow.asked_ncu;
        minute_ncu = t_s % 60 == 0 ? flow.consumed_ncu : minute_ncu + flow.consumed_ncu;
        expected.peak_second_ncu = larger(expected.peak_second_ncu, flow.consumed_ncu);
        expected.peak_minute_ncu = larger(expected.peak_minute_ncu, minute_ncu);
        expected.peak_asked_ncu = larger(expected.peak_asked_ncu, flow.asked_ncu);
    }
    ck_assert_mem_eq(&recorder.resources[resource].directions[direction], &expected,
                     sizeof expected);
}

static void check_refusals(uint32_t resource) {
    for (uint32_t i = 0; i < made_up_partitions[resource]; i++) {
        struct partition_refusals expected = {{0}, {0}};
        for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
            const struct partition_bin bin = expected_partition(resource, i, t_s, t_s + 1);
            expected.seconds[0] += bin.throttled_reads > 0;
            expected.seconds[1] += bin.throttled_writes > 0;
            expected.consumed_ncu[0] += bin.throttled_reads > 0 ? bin.consumed_rncu : 0;
            expected.consumed_ncu[1] += bin.throttled_writes > 0 ? bin.consumed_wncu : 0;
        }
        ck_assert_mem_eq(&recorder.resources[resource].partition_refusals[i], &expected,
                         sizeof expected);
    }
}

static void check_key(uint16_t resource, uint32_t key) {
    struct key_counters expected = {.reads = 0};
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->resource != resource || outcome->key != key) {
            continue;
        }
        if (outcome->fate == FATE_ADMITTED && is_write(outcome)) {
            expected.writes++;
            expected.consumed_wncu += outcome->cost_ncu;
        } else if (outcome->fate == FATE_ADMITTED) {
            expected.reads++;
            expected.consumed_rncu += outcome->cost_ncu;
        } else if (outcome->fate == FATE_THROTTLED) {
            ++*(is_write(outcome) ? &expected.throttled_writes : &expected.throttled_reads);
        }
    }
    const struct key_counters found = recorder_key(&recorder.resources[resource], key);
    ck_assert_mem_eq(&found, &expected, sizeof expected);
    ck_assert_uint_eq(key_tally_slice(recorder_key_at(&recorder.resources[resource].keys, key)),
                      ring_grid_slice(hash_draw(11, resource, key)));
}

static void check_throttled_seconds(uint32_t resource) {
    int64_t first_s = -1, last_s = -1;
    uint64_t seconds = 0, admitted = 0, attempts = 0;
    for (int64_t t_s = 0; t_s < SECONDS; t_s++) {
        struct resource_bin bin = expected_resource(resource, t_s, t_s + 1);
        if (bin.throttled > 0) {
            first_s = first_s < 0 ? t_s : first_s;
            last_s = t_s;
            seconds++;
            admitted += bin.admitted;
            attempts += bin.attempts;
        }
    }
    const struct recorder_resource *found = &recorder.resources[resource];
    ck_assert_int_eq(found->first_throttle_s, first_s);
    ck_assert_int_eq(found->last_throttle_s, last_s);
    ck_assert_uint_eq(found->throttled_seconds, seconds);
    ck_assert_uint_eq(found->admitted_in_throttled_seconds, admitted);
    ck_assert_uint_eq(found->offered_in_throttled_seconds, attempts);
}

START_TEST(equals_a_recount_of_every_attempt) {
    printf("seed %d\n", _i);
    uint64_t offered = run((uint64_t)_i, 100, true);
    ck_assert_uint_eq(recorder.total.offered, offered);
    ck_assert_uint_eq(recorder.total.gave_up, offered);
    ck_assert_uint_eq(recorder.total.attempts, outcome_count);
    for (uint16_t resource = 0; resource < MADE_UP_RESOURCES; resource++) {
        struct resource_bin expected = expected_resource(resource, 0, SECONDS);
        ck_assert_mem_eq(&recorder.resources[resource].total, &expected, sizeof expected);
        for (uint32_t i = 0; i < made_up_partitions[resource]; i++) {
            struct partition_bin bin = expected_partition(resource, i, 0, SECONDS);
            ck_assert_mem_eq(&recorder.resources[resource].partition_totals[i], &bin, sizeof bin);
        }
        for (uint32_t key = 0; key < MADE_UP_KEYS; key++) {
            check_key(resource, key);
        }
        check_direction(resource, RECORDER_READS);
        check_direction(resource, RECORDER_WRITES);
        check_throttled_seconds(resource);
        check_refusals(resource);
    }
    for (uint32_t workload = 0; workload < MADE_UP_WORKLOADS; workload++) {
        struct workload_bin expected = expected_workload(workload, 0, SECONDS);
        ck_assert_uint_eq(recorder.workloads[workload].total.attempts, expected.attempts);
        ck_assert_uint_eq(recorder.workloads[workload].total.throttled, expected.throttled);
        ck_assert_uint_eq(recorder.workloads[workload].total.retries, expected.retries);
        ck_assert_uint_eq(recorder.workloads[workload].total.retried, expected.retried);
    }
}
END_TEST

START_TEST(keeps_the_first_and_the_last_levels) {
    run(1, 100, false);
    struct resource_sample first[MADE_UP_RESOURCES], last[MADE_UP_RESOURCES];
    made_up_samples(0, first);
    made_up_samples(SECONDS - 1, last);
    for (uint32_t i = 0; i < MADE_UP_RESOURCES; i++) {
        ck_assert_int_eq(recorder.resources[i].first_sample.burst_rncu, first[i].burst_rncu);
        ck_assert_int_eq(recorder.resources[i].last_sample.burst_rncu, last[i].burst_rncu);
        ck_assert_int_eq(recorder.resources[i].last_sample.provisioned_rcu,
                         last[i].provisioned_rcu);
    }
}
END_TEST

/* The packing as the header states it, hashed by itself. */
START_TEST(digest_is_the_hash_of_the_documented_words) {
    run(2, 100, false);
    struct digest expected;
    ck_assert(digest_init(&expected, &err));
    for (uint32_t i = 0; i < outcome_count; i++) {
        const struct outcome *outcome = &outcomes[i];
        digest_word(&expected, (uint64_t)outcome->at_ns);
        digest_word(&expected, outcome->sequence);
        digest_word(&expected, ((uint64_t)outcome->workload << 48) +
                                   ((uint64_t)outcome->attempt << 32) + outcome->member);
        digest_word(&expected, ((uint64_t)outcome->resource << 48) +
                                   ((uint64_t)outcome->reasons << 32) + outcome->partition);
        digest_word(&expected, ((uint64_t)outcome->fate << 62) + (uint64_t)outcome->cost_ncu);
    }
    struct resource_sample samples[MADE_UP_RESOURCES];
    made_up_samples(SECONDS - 1, samples);
    for (uint32_t i = 0; i < MADE_UP_RESOURCES; i++) {
        digest_word(&expected, (uint64_t)samples[i].provisioned_rcu);
        digest_word(&expected, (uint64_t)samples[i].provisioned_wcu);
        digest_word(&expected, (uint64_t)samples[i].burst_rncu);
        digest_word(&expected, (uint64_t)samples[i].burst_wncu);
        digest_word(&expected, samples[i].partitions);
        if (recorder.resources[i].index_name != NULL) {
            digest_word(&expected, (uint64_t)samples[i].buffered_wncu);
            digest_word(&expected, (uint64_t)samples[i].debt_wncu);
        }
    }
    char found_text[DIGEST_TEXT_BYTES], expected_text[DIGEST_TEXT_BYTES];
    digest_text(&recorder.digest, found_text);
    digest_text(&expected, expected_text);
    digest_fini(&expected);
    ck_assert_str_eq(found_text, expected_text);
}
END_TEST

START_TEST(batches_change_nothing) {
    char first[DIGEST_TEXT_BYTES] = "";
    static const uint32_t batches[] = {100, 1, 2, 7, 16, 17, 64};
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        if (i > 0) {
            tear_down();
            set_up();
        }
        run(3, batches[i], true);
        char text[DIGEST_TEXT_BYTES];
        digest_text(&recorder.digest, text);
        if (i == 0) {
            memcpy(first, text, sizeof text);
        }
        ck_assert_str_eq(text, first);
    }
}
END_TEST

/* One attempt is changed, field by field: every one of them shows in the digest. */
START_TEST(every_field_of_the_digest_counts) {
    struct outcome base = made_up_outcome(1, 1, 5);
    base.fate = FATE_THROTTLED;
    base.reasons = 4;
    base.resource = 0;
    base.workload = 0;
    base.operation = DDB_UPDATE_ITEM;
    base.partition = 1;
    struct outcome changed[10];
    for (size_t i = 0; i < 10; i++) {
        changed[i] = base;
    }
    changed[1].at_ns++;
    changed[2].sequence++;
    changed[3].member++;
    changed[4].attempt++;
    changed[5].resource = 1, changed[5].partition = 0;
    changed[6].partition++;
    changed[7].reasons = 8;
    changed[8].cost_ncu += NCU_PER_CU / 2;
    changed[9].fate = FATE_ADMITTED, changed[9].reasons = 0;
    char texts[10][DIGEST_TEXT_BYTES];
    for (size_t i = 0; i < 10; i++) {
        tear_down();
        set_up();
        ck_assert(recorder_record(&recorder, &changed[i], 1, &err));
        digest_text(&recorder.digest, texts[i]);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(texts[i], texts[j]);
        }
    }
}
END_TEST

static void close_second(bool last) {
    struct resource_sample samples[MADE_UP_RESOURCES];
    made_up_samples(recorder.second, samples);
    recorder_close_second(&recorder, samples, last);
}

START_TEST(counts_operations_by_their_fate) {
    static const struct {
        enum operation_fate fate;
        uint32_t count;
    } rows[] = {
        {OPERATION_SUCCEEDED, 5},
        {OPERATION_CONDITION_FAILED, 4},
        {OPERATION_REJECTED, 3},
        {OPERATION_GAVE_UP, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t j = 0; j < rows[i].count; j++) {
            recorder_offered(&recorder, 1);
            recorder_operation(&recorder, 1, rows[i].fate, 1000 + j);
        }
    }
    recorder_offered(&recorder, 1);
    close_second(true);
    const struct workload_bin *second = &recorder.workloads[1].second;
    ck_assert_uint_eq(second->offered, 15);
    ck_assert_uint_eq(second->succeeded, 5);
    ck_assert_uint_eq(second->condition_failed, 4);
    ck_assert_uint_eq(second->rejected, 3);
    ck_assert_uint_eq(second->gave_up, 2);
    recorder_finish(&recorder, 1);
    ck_assert_uint_eq(recorder.in_flight, 1);
    ck_assert_uint_eq(recorder.latencies[DDB_GET_ITEM].total, 5);
    ck_assert_int_eq(recorder.latencies[DDB_GET_ITEM].max_ns, 1004);
    ck_assert_uint_eq(recorder.latencies[DDB_UPDATE_ITEM].total, 0);
}
END_TEST

/* Many keys in one minute: the list of touched ones grows; all counters start anew after it. */
START_TEST(ranks_more_keys_than_it_lists) {
    enum { KEYS = 5000 };
    struct outcome outcome = made_up_outcome(1, 1, 0);
    outcome.fate = FATE_ADMITTED;
    outcome.reasons = 0;
    outcome.resource = 1;
    outcome.workload = 2;
    outcome.operation = DDB_PUT_ITEM;
    outcome.partition = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        if (key >= MADE_UP_KEYS) {
            ck_assert(recorder_add_key(&recorder, 1, 0, &err));
        }
        outcome.key = key;
        outcome.cost_ncu = (1 + (int64_t)(key * 7919 % KEYS)) * NCU_PER_CU;
        ck_assert(recorder_record(&recorder, &outcome, 1, &err));
    }
    while (recorder.second < 59) {
        close_second(false);
        ck_assert_uint_eq(recorder.top_key_count, 0);
        recorder_open_second(&recorder);
    }
    close_second(false);
    ck_assert_uint_eq(recorder.top_key_count, RECORDER_TOP_KEYS);
    for (uint32_t i = 0; i < RECORDER_TOP_KEYS; i++) {
        ck_assert_uint_eq(recorder.top_keys[i].half_units, 6 * (KEYS - i));
        ck_assert_uint_eq(recorder.top_keys[i].key * 7919 % KEYS, KEYS - 1 - i);
    }
    ck_assert_uint_eq(recorder.resources[1].touched_key_count, 0);
    recorder_open_second(&recorder);
    close_second(true);
    ck_assert_uint_eq(recorder.top_key_count, 0);
    recorder_finish(&recorder, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/recorder");
    TCase *tcase = tcase_create("recorder");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, equals_a_recount_of_every_attempt, 1, 7);
    tcase_add_test(tcase, keeps_the_first_and_the_last_levels);
    tcase_add_test(tcase, digest_is_the_hash_of_the_documented_words);
    tcase_add_test(tcase, batches_change_nothing);
    tcase_add_test(tcase, every_field_of_the_digest_counts);
    tcase_add_test(tcase, counts_operations_by_their_fate);
    tcase_add_test(tcase, ranks_more_keys_than_it_lists);
    return suite_run(suite);
}
