/* Eras in which each partition has a share of the table's capacity. */
#include "models/service.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNIT NCU_PER_CU
#define S SIM_NS_PER_S

static const struct table_pin pins[] = {{"a", 0}, {"b", 1}, {"c", 2}, {"d", 3}};

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct index_spec by_status;
static struct err err;
static uint32_t items[4];

/* 400 units each way on 4 partitions, one key on each; nothing is saved. */
static void set_up(void) {
    table = (struct table_spec){
        .table_name = "table",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 400,
        .write_capacity_units = 400,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 4,
        .pins = pins,
        .pin_count = 4,
    };
    config = (struct service_config){.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.era = ERA_STATIC;
}

static void tear_down(void) {
    service_fini(&service);
}

static void open_service(void) {
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < 4; i++) {
        const struct key_text text = {.hash_key = pins[i].key, .hash_key_bytes = 1};
        struct intern_result result;
        ck_assert(service_intern(&service, 0, &text, 100, &result, &err));
        items[i] = result.item;
    }
}

static struct outcome put(sim_ns now_ns, uint32_t partition, uint32_t bytes) {
    const struct request request = {.item = items[partition],
                                    .new_bytes = bytes,
                                    .router = ROUTER_ANY,
                                    .operation = DDB_PUT_ITEM};
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

START_TEST(an_exhausted_share_is_the_provisioned_reason_and_others_are_served) {
    table.initial_burst_ns = S;
    open_service();
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(put(0, 3, 100).fate, FATE_ADMITTED);
    }
    const struct outcome refused = put(0, 3, 100);
    ck_assert_int_eq(refused.fate, FATE_THROTTLED);
    ck_assert_int_eq(refused.reasons, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED));
    ck_assert_int_eq(put(0, 2, 100).fate, FATE_ADMITTED);
    service_audit(&service, S);
}
END_TEST

START_TEST(a_partitions_cap_binds_while_its_share_has_burst) {
    table.initial_burst_ns = 300 * S;
    open_service();
    for (int i = 0; i < 1000; i++) {
        REQUIRE(put(0, 3, 100).fate == FATE_ADMITTED, "%d", i);
    }
    ck_assert_int_eq(put(0, 3, 100).reasons, REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE));
    service_audit(&service, S);
}
END_TEST

START_TEST(both_limits_are_reported_when_both_refuse) {
    table.initial_burst_ns = 10 * S;
    open_service();
    for (int i = 0; i < 1000; i++) {
        REQUIRE(put(0, 3, 100).fate == FATE_ADMITTED, "%d", i);
    }
    ck_assert_int_eq(put(0, 3, 100).reasons, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED) |
                                                 REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE));
}
END_TEST

START_TEST(a_sample_shows_what_the_shares_have_saved) {
    table.initial_burst_ns = 100 * S;
    open_service();
    for (int i = 0; i < 500; i++) {
        (void)put(0, 1, 100);
    }
    struct resource_sample sample;
    service_sample(&service, 0, 0, &sample);
    ck_assert_int_eq(sample.burst_wncu, (40000 - 500) * UNIT);
    ck_assert_int_eq(sample.burst_rncu, 40000 * UNIT);
    ck_assert_int_eq(sample.burst_max_wncu, 120000 * UNIT);
    ck_assert_int_eq(sample.burst_max_rncu, 120000 * UNIT);
    service_sample(&service, 1000 * S, 0, &sample);
    ck_assert_int_eq(sample.burst_wncu, 120000 * UNIT);
    service_audit(&service, 1000 * S);
}
END_TEST

START_TEST(reads_of_an_index_draw_on_shares_of_its_own) {
    by_status = (struct index_spec){
        .index_name = "by-status",
        .is_global = true,
        .hash_key = {"status", 'S'},
        .projection = PROJECTION_KEYS_ONLY,
        .read_capacity_units = 10,
        .write_capacity_units = 10,
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 2,
        .pins = (const struct table_pin[]){{"open", 0}, {"done", 1}},
        .pin_count = 2,
    };
    table.indexes = &by_status;
    table.index_count = table.global_index_count = 1;
    open_service();
    struct attribute_value open, done;
    const uint32_t status = service_attribute(&service, 0, "status");
    ck_assert(service_intern_value(&service, 0, status, "open", 4, &open, &err));
    ck_assert(service_intern_value(&service, 0, status, "done", 4, &done, &err));
    struct request request = {.table = service_index_resource(&service, 0, 0),
                              .item = open.value,
                              .new_bytes = 80 * 1024,
                              .router = ROUTER_ANY,
                              .operation = DDB_QUERY};
    struct outcome outcome;
    service_submit(&service, S, &request, &outcome); /* 5 units saved, 10 spent */
    ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
    service_submit(&service, S, &request, &outcome);
    ck_assert_int_eq(outcome.reasons, REASON_BIT(REASON_INDEX_READ_PROVISIONED));
    struct resource_sample sample;
    service_sample(&service, S, request.table, &sample);
    ck_assert_int_eq(sample.burst_rncu, 5 * UNIT);
    ck_assert_int_eq(sample.burst_max_rncu, 3000 * UNIT);
    request.item = done.value;
    service_submit(&service, S, &request, &outcome);
    ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
    service_audit(&service, 2 * S);
}
END_TEST

/* When the hot partition of era adaptive gets more than its share, in seconds. */
static double boosted_s(uint64_t seed, uint64_t replication) {
    config.seed = seed;
    config.replication = replication;
    open_service();
    int admitted = 0;
    sim_ns now_ns = 0;
    for (; admitted <= 110; now_ns += S) {
        admitted = 0;
        for (int i = 0; i < 200; i++) {
            admitted += put(now_ns, 3, 100).fate == FATE_ADMITTED;
        }
    }
    service_audit(&service, now_ns);
    service_fini(&service);
    return (double)now_ns / (double)S;
}

START_TEST(the_boost_comes_5_to_30_minutes_after_the_first_refusal_by_seed_and_replication) {
    config.parameters.era = ERA_ADAPTIVE;
    double least = 1e9, most = 0;
    for (uint64_t i = 0; i < 20; i++) {
        const double at_s = boosted_s(i / 10, i % 10);
        ck_assert_double_eq(boosted_s(i / 10, i % 10), at_s);
        least = at_s < least ? at_s : least;
        most = at_s > most ? at_s : most;
    }
    ck_assert_double_ge(least, 300);
    ck_assert_double_le(most, 1803);
    ck_assert_double_ge(most - least, 600);
    open_service();
}
END_TEST

START_TEST(audits_hold_over_random_traffic) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        config.seed = seed;
        config.parameters.era = seed % 2 == 0 ? ERA_STATIC : ERA_ADAPTIVE;
        config.parameters.adaptive_delay_min = 10 * S;
        config.parameters.adaptive_delay_max = 60 * S;
        open_service();
        sim_ns now_ns = 0;
        uint32_t refused = 0;
        for (uint64_t i = 0; i < 20000; i++) {
            const uint64_t draw = hash_draw(seed, i, 0);
            now_ns += (sim_ns)(draw % (S / 20));
            const uint32_t at = (draw >> 32) % 3 == 0 ? (uint32_t)(draw >> 48) % 4 : 2;
            refused += put(now_ns, at, 1 + (uint32_t)(draw >> 40) % 9000).fate == FATE_THROTTLED;
            if (i % 997 == 0) {
                service_audit(&service, now_ns);
            }
        }
        service_audit(&service, now_ns);
        ck_assert_msg(refused > 100 && refused < 19000, "seed %" PRIu64 ": %u", seed, refused);
        service_fini(&service);
    }
    open_service();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/service_shares");
    TCase *tcase = tcase_create("service_shares");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, an_exhausted_share_is_the_provisioned_reason_and_others_are_served);
    tcase_add_test(tcase, a_partitions_cap_binds_while_its_share_has_burst);
    tcase_add_test(tcase, both_limits_are_reported_when_both_refuse);
    tcase_add_test(tcase, a_sample_shows_what_the_shares_have_saved);
    tcase_add_test(tcase, reads_of_an_index_draw_on_shares_of_its_own);
    tcase_add_test(tcase,
                   the_boost_comes_5_to_30_minutes_after_the_first_refusal_by_seed_and_replication);
    tcase_add_test(tcase, audits_hold_over_random_traffic);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
