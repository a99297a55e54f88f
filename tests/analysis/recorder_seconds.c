#include "analysis/recorder.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>

#define PROVISIONED 50

static struct recorder recorder;
static struct err err;

/* A table of one partition and one key; what it sees in a second. */
struct second {
    uint32_t admitted, throttled, retries; /* retries: of the throttled */
    enum throttle_reason reason;
    int64_t burst_cu;
};

static void setup(void) {
    static const struct recorder_resource_config resource = {"orders", NULL, 1, 0};
    static const struct recorder_workload_config workload = {"w", 0, DDB_PUT_ITEM, false};
    const struct recorder_config config = {&resource, &workload, 1, 1, NULL};
    ck_assert(recorder_init(&recorder, &config, &err));
    ck_assert(recorder_add_key(&recorder, 0, 0, &err));
}

static void teardown(void) {
    recorder_fini(&recorder);
}

static void record(const struct second *second, uint32_t i) {
    const bool throttled = i >= second->admitted;
    const struct outcome outcome = {
        .at_ns = recorder.second * SIM_NS_PER_S,
        .cost_ncu = NCU_PER_CU,
        .operation = DDB_PUT_ITEM,
        .attempt = throttled && i - second->admitted < second->retries,
        .fate = throttled ? FATE_THROTTLED : FATE_ADMITTED,
        .reasons = (uint16_t)(throttled ? REASON_BIT(second->reason) : 0),
    };
    ck_assert(recorder_record(&recorder, &outcome, 1, &err));
}

static void run_second(const struct second *second, bool last) {
    for (uint32_t i = 0; i < second->admitted + second->throttled; i++) {
        record(second, i);
    }
    const struct resource_sample sample = {
        .provisioned_rcu = -1,
        .provisioned_wcu = PROVISIONED,
        .burst_rncu = -1,
        .burst_wncu = second->burst_cu * NCU_PER_CU,
        .burst_max_wncu = 300 * PROVISIONED * NCU_PER_CU,
        .partitions = 1,
    };
    recorder_close_second(&recorder, &sample, last);
    if (!last) {
        recorder_open_second(&recorder);
    }
}

static const struct recorder_direction *writes(void) {
    return &recorder.resources[0].directions[RECORDER_WRITES];
}

/* Refused seconds by t_s. */
static const struct {
    int64_t refused[4];
    uint32_t between; /* admitted in seconds without refusals */
    uint64_t seconds, episode_seconds;
} episodes[] = {
    {{5, 6, 7, -1}, 100, 3, 3},    {{5, 15, -1}, 100, 2, 11}, /* 10 s apart: one episode */
    {{5, 16, -1}, 100, 2, 2},                                 /* 11 s apart: two */
    {{5, 35, -1}, 1, 2, 31},                                  /* hardly anything in between */
    {{5, 36, -1}, 1, 2, 2},                                   /* but too far */
    {{5, 35, -1}, 2, 2, 2},                                   /* 58 attempts in between */
    {{5, 15, 60, 64}, 100, 4, 16},                            /* two episodes of 11 s and 5 s */
};

START_TEST(an_episode_reaches_over_short_gaps) {
    for (int64_t t_s = 0; t_s < 80; t_s++) {
        struct second second = {.admitted = episodes[_i].between, .burst_cu = 1000};
        for (int i = 0; i < 4 && episodes[_i].refused[i] >= 0; i++) {
            if (episodes[_i].refused[i] == t_s) {
                second = (struct second){.admitted = 50,
                                         .throttled = 30,
                                         .retries = 10,
                                         .reason = REASON_TABLE_WRITE_PROVISIONED,
                                         .burst_cu = 0};
            }
        }
        run_second(&second, t_s == 79);
    }
    const struct recorder_limit *limit = &writes()->limits[RECORDER_PROVISIONED];
    const uint64_t refused = episodes[_i].seconds;
    const uint64_t others = episodes[_i].episode_seconds - refused;
    ck_assert_int_eq(limit->first_s, 5);
    ck_assert_uint_eq(limit->seconds, refused);
    ck_assert_uint_eq(limit->episodes.seconds, episodes[_i].episode_seconds);
    ck_assert_uint_eq(limit->episodes.attempts, 80 * refused + episodes[_i].between * others);
    ck_assert_uint_eq(limit->episodes.admitted, 50 * refused + episodes[_i].between * others);
    ck_assert_uint_eq(limit->episodes.retries, 10 * refused);
    const uint64_t asked = 70 * refused + episodes[_i].between * others;
    ck_assert_int_eq(limit->episodes.asked_ncu, (int64_t)asked * NCU_PER_CU);
    ck_assert_int_eq(writes()->limits[RECORDER_KEY_RANGE].first_s, -1);
    ck_assert_uint_eq(recorder.resources[0].partition_refusals[0].seconds[RECORDER_WRITES],
                      refused);
}
END_TEST

/* 1,000 a second by the partition for 3 s, then 60 by the pool: neither's rate tells of the
 * other. */
START_TEST(each_limit_has_rates_of_its_own) {
    for (int64_t t_s = 0; t_s < 100; t_s++) {
        const struct second partition = {1000, 500, 0, REASON_TABLE_WRITE_KEY_RANGE, 1000};
        const struct second pool = {60, 1440, 0, REASON_TABLE_WRITE_PROVISIONED, 0};
        run_second(t_s < 3 ? &partition : &pool, t_s == 99);
    }
    const struct recorder_limit *limits = writes()->limits;
    ck_assert_int_eq(limits[RECORDER_KEY_RANGE].last_s, 2);
    ck_assert_uint_eq(limits[RECORDER_KEY_RANGE].episodes.seconds, 3);
    ck_assert_uint_eq(limits[RECORDER_KEY_RANGE].episodes.admitted, 3000);
    ck_assert_int_eq(limits[RECORDER_PROVISIONED].first_s, 3);
    ck_assert_uint_eq(limits[RECORDER_PROVISIONED].episodes.seconds, 97);
    ck_assert_uint_eq(limits[RECORDER_PROVISIONED].episodes.admitted, 60 * 97);
}
END_TEST

/* Gone below 10 s' worth (500), full from 98 % (14,700) after it was gone last. */
static const struct {
    int64_t burst_cu[6];
    int64_t gone_s, full_s;
} bursts[] = {
    {{15000, 14000, 600, 500, 15000, 15000}, -1, -1},
    {{15000, 499, 7000, 14699, 14700, 15000}, 1, 4},
    {{499, 14699, 14699, 14699, 14699, 14699}, 0, -1},
    {{-100, 15000, 400, 300, 15000, 15000}, 0, 4},
    {{100, 15000, 15000, 15000, 15000, 0}, 0, -1},
};

START_TEST(burst_is_full_again_after_it_was_gone_last) {
    for (int i = 0; i < 6; i++) {
        const struct second second = {.admitted = 1, .burst_cu = bursts[_i].burst_cu[i]};
        run_second(&second, i == 5);
    }
    ck_assert_int_eq(writes()->burst_gone_s, bursts[_i].gone_s);
    ck_assert_int_eq(writes()->burst_full_s, bursts[_i].full_s);
    ck_assert_int_eq(recorder.resources[0].directions[RECORDER_READS].burst_gone_s, -1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/recorder_seconds");
    TCase *tcase = tcase_create("recorder_seconds");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, an_episode_reaches_over_short_gaps, 0,
                        sizeof episodes / sizeof *episodes);
    tcase_add_test(tcase, each_limit_has_rates_of_its_own);
    tcase_add_loop_test(tcase, burst_is_full_again_after_it_was_gone_last, 0,
                        sizeof bursts / sizeof *bursts);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
