#include "analysis/recorder.h"

#include "tests/analysis/outcomes.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct recorder recorder;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert(made_up_init(&recorder, &err));
}

static void tear_down(void) {
    recorder_fini(&recorder);
}

static void close_second(bool last) {
    struct resource_sample samples[MADE_UP_RESOURCES];
    made_up_samples(recorder.second, samples);
    recorder_close_second(&recorder, samples, last);
}

static struct outcome whole_table_write(int64_t cost_ncu) {
    struct outcome outcome = made_up_outcome(1, 1, recorder.second * SIM_NS_PER_S);
    outcome.fate = FATE_ADMITTED;
    outcome.reasons = 0;
    outcome.resource = 0;
    outcome.workload = 0;
    outcome.operation = DDB_UPDATE_ITEM;
    outcome.cost_ncu = cost_ncu;
    return outcome;
}

START_TEST(refuses_to_count_beyond_what_is_exact) {
    const int64_t third_ncu = RECORDER_CONSUMED_NCU_MAX / NCU_PER_CU / 3 * NCU_PER_CU;
    for (int i = 0; i < 4; i++) {
        struct outcome outcome = whole_table_write(third_ncu);
        ck_assert(recorder_record(&recorder, &outcome, 1, &err));
        close_second(false);
        recorder_open_second(&recorder);
    }
    struct outcome outcome = whole_table_write(NCU_PER_CU);
    ck_assert(!recorder_record(&recorder, &outcome, 1, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text,
                     "the run consumes more than 4611686018 capacity units by second 4, more than "
                     "can be counted exactly; expected a shorter 'duration'");
}
END_TEST

static void too_early(struct outcome *outcome) {
    outcome->at_ns = -1;
}
static void too_late(struct outcome *outcome) {
    outcome->at_ns = SIM_NS_PER_S;
}
static void admitted_with_a_reason(struct outcome *outcome) {
    outcome->reasons = 1;
}
static void refused_without_a_reason(struct outcome *outcome) {
    outcome->fate = FATE_THROTTLED;
}
static void unknown_key(struct outcome *outcome) {
    outcome->key = MADE_UP_KEYS;
}
static void unknown_partition(struct outcome *outcome) {
    outcome->partition = made_up_partitions[0];
}
static void unknown_resource(struct outcome *outcome) {
    outcome->resource = MADE_UP_RESOURCES;
}
static void unknown_workload(struct outcome *outcome) {
    outcome->workload = MADE_UP_WORKLOADS;
}
static void free_of_charge(struct outcome *outcome) {
    outcome->cost_ncu = 0;
}

static const struct {
    const char *what;
    void (*change)(struct outcome *outcome);
} breaches[] = {
    {"too early", too_early},
    {"too late", too_late},
    {"admitted with a reason", admitted_with_a_reason},
    {"refused without a reason", refused_without_a_reason},
    {"unknown key", unknown_key},
    {"unknown partition", unknown_partition},
    {"unknown resource", unknown_resource},
    {"unknown workload", unknown_workload},
    {"free of charge", free_of_charge},
};

START_TEST(aborts_on_an_impossible_outcome) {
    struct outcome outcome = whole_table_write(NCU_PER_CU);
    breaches[_i].change(&outcome);
    printf("%s\n", breaches[_i].what);
    fflush(stdout);
    if (!recorder_record(&recorder, &outcome, 1, &err)) {
        ck_abort_msg("not an error of the world");
    }
}
END_TEST

START_TEST(aborts_on_a_cost_that_is_not_in_half_units) {
    struct outcome outcome = whole_table_write(NCU_PER_CU / 4);
    ck_assert(recorder_record(&recorder, &outcome, 1, &err));
}
END_TEST

/* A run of one write and one refused read, with one figure changed behind the recorder's back. */
static void lose_partition(void) {
    recorder.resources[0].partition_totals[0].consumed_wncu -= NCU_PER_CU;
}
static void lose_partition_refusal(void) {
    recorder.resources[0].partition_totals[0].throttled_reads--;
}
static struct key_tally *first_key(void) {
    return grow_array_at(&recorder.resources[0].keys, 0);
}
static void lose_key(void) {
    first_key()->counts[KEY_HALF_WCU] = 0;
}
static void lose_key_refusal(void) {
    first_key()->counts[KEY_THROTTLED_READS]++;
}
static void lose_admitted(void) {
    first_key()->counts[KEY_WRITES]++;
}
static void lose_ring_refusal(void) {
    ring_grid_cell(&recorder.resources[0].grid, key_tally_slice(first_key()))->throttled_reads++;
}
static void lose_reason(void) {
    recorder.resources[0].total.events[4] = 0;
}
static void lose_attempt(void) {
    recorder.total.attempts++;
}
static void lose_latency(void) {
    recorder.latencies[DDB_PUT_ITEM].total++;
}
static void lose_nothing(void) {
}

static const struct {
    const char *what;
    void (*change)(void);
} losses[] = {
    {"partition", lose_partition},
    {"partition's refusal", lose_partition_refusal},
    {"key", lose_key},
    {"key's refusal", lose_key_refusal},
    {"key's attempt", lose_admitted},
    {"refusal on the ring", lose_ring_refusal},
    {"reason", lose_reason},
    {"attempt", lose_attempt},
    {"latency", lose_latency},
    {"nothing", lose_nothing},
};

static void finish_after(int loss) {
    struct outcome outcomes[2] = {whole_table_write(NCU_PER_CU), whole_table_write(NCU_PER_CU)};
    outcomes[0].key = outcomes[1].key = 0;
    outcomes[0].partition = outcomes[1].partition = 0;
    outcomes[1].operation = DDB_GET_ITEM;
    outcomes[1].fate = FATE_THROTTLED;
    outcomes[1].reasons = REASON_BIT(4);
    if (!recorder_record(&recorder, outcomes, 2, &err)) {
        ck_abort_msg("%s", err.text);
    }
    close_second(true);
    losses[loss].change();
    recorder_finish(&recorder, 0);
}

START_TEST(aborts_when_a_figure_is_lost) {
    printf("%s\n", losses[_i].what);
    fflush(stdout);
    finish_after(_i);
}
END_TEST

START_TEST(finishes_when_nothing_is_lost) {
    finish_after((int)(sizeof losses / sizeof losses[0]) - 1);
}
END_TEST

START_TEST(aborts_when_operations_are_lost) {
    recorder_offered(&recorder, 0);
    recorder_offered(&recorder, 0);
    close_second(true);
    recorder_finish(&recorder, 1);
}
END_TEST

START_TEST(aborts_when_a_closed_second_is_recorded) {
    struct outcome outcome = whole_table_write(NCU_PER_CU);
    close_second(false);
    if (!recorder_record(&recorder, &outcome, 1, &err)) {
        ck_abort_msg("not an error of the world");
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/recorder_audit");
    TCase *tcase = tcase_create("recorder_audit");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, refuses_to_count_beyond_what_is_exact);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_an_impossible_outcome, SIGABRT, 0,
                                     (int)(sizeof breaches / sizeof breaches[0]));
    tcase_add_test_raise_signal(tcase, aborts_on_a_cost_that_is_not_in_half_units, SIGABRT);
    tcase_add_loop_test_raise_signal(tcase, aborts_when_a_figure_is_lost, SIGABRT, 0,
                                     (int)(sizeof losses / sizeof losses[0]) - 1);
    tcase_add_test(tcase, finishes_when_nothing_is_lost);
    tcase_add_test_raise_signal(tcase, aborts_when_operations_are_lost, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_a_closed_second_is_recorded, SIGABRT);
    return suite_run(suite);
}
