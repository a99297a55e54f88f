#include "models/service.h"

#include "models/capacity_units.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT NCU_PER_CU

static struct service service;
static struct service_config config;
static struct table_spec tables[2];
static struct err err;

/* Two tables; the first has one partition, 5 units each way and no sort key. */
static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    service = (struct service){0};
    tables[0] = (struct table_spec){
        .table_name = "first",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 5,
        .write_capacity_units = 5,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    tables[1] = tables[0];
    tables[1].table_name = "second";
    tables[1].range_key = (struct key_attribute){"SK", 'S'};
    config = (struct service_config){.tables = tables, .table_count = 2, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.routers = 0;
}

static void tear_down(void) {
    service_fini(&service);
}

static void open_service(void) {
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
}

static struct intern_result intern(uint32_t table, const char *hash_key, const char *range_key,
                                   uint32_t bytes) {
    const struct key_text text = {hash_key, strlen(hash_key), range_key,
                                  range_key == NULL ? 0 : strlen(range_key)};
    struct intern_result result = {0};
    REQUIRE(service_intern(&service, table, &text, bytes, &result, &err), "%s", err.text);
    return result;
}

static struct outcome submit(sim_ns now_ns, enum ddb_operation operation, uint32_t item,
                             uint32_t new_bytes) {
    const struct request request = {
        .item = item,
        .new_bytes = new_bytes,
        .router = ROUTER_ANY,
        .operation = (uint8_t)operation,
        .consistent_read = true,
    };
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

START_TEST(an_item_lives_through_its_operations) {
    tables[0].write_capacity_units = 1000;
    tables[0].read_capacity_units = 3000;
    open_service();
    const uint32_t item = intern(0, "a", NULL, 0).item;
    static const struct {
        enum ddb_operation operation;
        uint32_t new_bytes;
        int64_t units;
        bool missing;
    } steps[] = {
        {DDB_GET_ITEM, 0, 1, true},       {DDB_DELETE_ITEM, 0, 1, true},
        {DDB_PUT_ITEM, 5000, 5, false},   {DDB_GET_ITEM, 0, 2, false},
        {DDB_UPDATE_ITEM, 100, 5, false}, {DDB_UPDATE_ITEM, 100, 1, false},
        {DDB_PUT_ITEM, 9000, 9, false},   {DDB_DELETE_ITEM, 0, 9, false},
        {DDB_DELETE_ITEM, 0, 1, true},    {DDB_UPDATE_ITEM, 1025, 2, false},
        {DDB_GET_ITEM, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct outcome outcome =
            submit((sim_ns)i, steps[i].operation, item, steps[i].new_bytes);
        ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
        ck_assert_int_eq(outcome.reasons, 0);
        ck_assert_int_eq(outcome.cost_ncu, steps[i].units * UNIT);
        ck_assert_int_eq(outcome.item_missing, steps[i].missing);
        ck_assert_int_eq(outcome.at_ns, (sim_ns)i);
        ck_assert_int_eq(outcome.operation, steps[i].operation);
    }
    service_audit(&service, 100);
}
END_TEST

START_TEST(an_outcome_names_its_key_item_partition_and_resource) {
    tables[1].initial_partitions = 8;
    static const struct table_pin pins[] = {{"b", 6}};
    tables[1].pins = pins;
    tables[1].pin_count = 1;
    open_service();
    intern(1, "a", "1", 10);
    const struct intern_result second = intern(1, "b", "2", 3000);
    const struct request request = {
        .table = 1, .item = second.item, .router = ROUTER_ANY, .operation = DDB_GET_ITEM};
    struct outcome outcome;
    ck_assert_uint_eq(service_known_items(&service, 1, (const uint32_t[]){second.item, 0}, 2), 2);
    service_submit(&service, 7, &request, &outcome);
    ck_assert_uint_eq(outcome.key, 1);
    ck_assert_uint_eq(outcome.item, 1);
    ck_assert_uint_eq(outcome.partition, 6);
    ck_assert_uint_eq(outcome.resource, 1);
    ck_assert_int_eq(outcome.cost_ncu, UNIT / 2); /* eventual */
    ck_assert_uint_eq(service_key_count(&service, 1), 2);
    ck_assert_uint_eq(service_key_count(&service, 0), 0);
    const uint64_t position = service_key_position(&service, 1, outcome.key);
    struct partition_sample sample;
    service_partition(&service, 1, outcome.partition, &sample);
    ck_assert(position >= sample.hash_lo && position <= sample.hash_hi);
    ck_assert_uint_eq(sample.partition_id, 6);
    ck_assert_uint_eq(sample.parent_id, UINT32_MAX);
    ck_assert_int_eq(sample.closed_ns, -1);
    ck_assert_int_eq((int)sample.cause, PARTITION_CREATED);
    ck_assert_uint_gt(service_memory_bytes(&service), 0);
}
END_TEST

START_TEST(every_failing_check_is_a_reason) {
    static const struct {
        int64_t burst_s; /* of the table */
        enum ddb_operation operation;
        uint32_t bytes;
        uint16_t reasons;
    } cases[] = {
        /* 1,000 units of partition depth, 5 units/s of table */
        {300, DDB_PUT_ITEM, 400 * 1024, REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE)},
        {100, DDB_PUT_ITEM, 400 * 1024, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED)},
        {161, DDB_PUT_ITEM, 400 * 1024,
         REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE) | REASON_BIT(REASON_TABLE_WRITE_PROVISIONED)},
        {100, DDB_GET_ITEM, 400 * 1024, REASON_BIT(REASON_TABLE_READ_PROVISIONED)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tables[0].initial_burst_ns = cases[i].burst_s * SIM_NS_PER_S;
        open_service();
        const uint32_t item = intern(0, "a", NULL, cases[i].bytes).item;
        struct outcome outcome = submit(0, cases[i].operation, item, cases[i].bytes);
        int admitted = 0;
        while (outcome.fate == FATE_ADMITTED) {
            admitted++;
            outcome = submit(0, cases[i].operation, item, cases[i].bytes);
        }
        ck_assert_int_ge(admitted, 1);
        ck_assert_int_eq(outcome.fate, FATE_THROTTLED);
        ck_assert_msg(outcome.reasons == cases[i].reasons, "case %zu: %x", i, outcome.reasons);
        ck_assert_int_eq(outcome.cost_ncu, (cases[i].operation == DDB_GET_ITEM ? 100 : 400) * UNIT);
        service_audit(&service, 0);
        service_fini(&service);
    }
}
END_TEST

START_TEST(a_refused_request_consumes_and_changes_nothing) {
    tables[0].initial_burst_ns = 2 * SIM_NS_PER_S;
    open_service();
    const uint32_t item = intern(0, "a", NULL, 100).item;
    struct resource_sample before, after;
    service_sample(&service, 0, 0, &before);
    for (int i = 0; i < 5; i++) {
        const struct outcome outcome = submit(0, DDB_PUT_ITEM, item, 300 * 1024);
        ck_assert_int_eq(outcome.fate, FATE_THROTTLED);
        ck_assert(!outcome.item_missing);
    }
    service_sample(&service, 0, 0, &after);
    ck_assert_int_eq(before.burst_wncu, 10 * UNIT);
    ck_assert_int_eq(after.burst_wncu, 10 * UNIT);
    const struct outcome read = submit(0, DDB_GET_ITEM, item, 0);
    ck_assert_int_eq(read.cost_ncu, UNIT); /* still 100 bytes */
    service_audit(&service, 0);
}
END_TEST

START_TEST(reads_and_writes_are_limited_apart) {
    open_service();
    const uint32_t item = intern(0, "a", NULL, 100).item;
    while (submit(0, DDB_PUT_ITEM, item, 100).fate == FATE_ADMITTED) {
    }
    ck_assert_int_eq(submit(0, DDB_GET_ITEM, item, 0).fate, FATE_ADMITTED);
    while (submit(0, DDB_GET_ITEM, item, 0).fate == FATE_ADMITTED) {
    }
    struct resource_sample sample;
    service_sample(&service, 0, 0, &sample);
    ck_assert_int_eq(sample.burst_rncu, 0);
    ck_assert_int_eq(sample.burst_wncu, 500 * UNIT); /* the partition's 1,000 of 1,500 */
}
END_TEST

START_TEST(a_sample_shows_a_debt_as_nothing_saved) {
    tables[0].write_capacity_units = 1;
    open_service();
    const uint32_t item = intern(0, "a", NULL, 0).item;
    ck_assert_int_eq(submit(0, DDB_PUT_ITEM, item, 400 * 1024).fate, FATE_ADMITTED);
    struct resource_sample sample;
    service_sample(&service, 0, 0, &sample);
    ck_assert_int_eq(sample.burst_wncu, 0);
    ck_assert_int_eq(sample.burst_rncu, 1500 * UNIT);
    ck_assert_int_eq(sample.provisioned_wcu, 1);
    ck_assert_int_eq(sample.provisioned_rcu, 5);
    ck_assert_uint_eq(sample.partitions, 1);
    service_audit(&service, SIM_NS_PER_S);
}
END_TEST

/* Writes of one unit to item i % items, per_s of them a second, from 0 until the first refusal. */
static struct outcome first_refusal(uint32_t items, int64_t per_s) {
    int64_t i = 0;
    struct outcome outcome;
    do {
        outcome = submit(i * SIM_NS_PER_S / per_s, DDB_PUT_ITEM, (uint32_t)(i % items), 100);
        i++;
    } while (outcome.fate == FATE_ADMITTED);
    return outcome;
}

/* AWS talk DAT321: 500 WCU burst to one partition's 1,000/s for 300 s, to two's for 100 s. */
START_TEST(burst_is_drained_up_to_the_partition_caps) {
    static const struct table_pin pins[] = {{"a", 0}, {"b", 1}};
    static const struct {
        uint32_t partitions;
        int64_t per_s, lasts_s;
    } cases[] = {{1, 1000, 300}, {2, 2000, 100}};
    tables[0].write_capacity_units = 500;
    tables[0].pins = pins;
    for (size_t i = 0; i < 2; i++) {
        tables[0].initial_partitions = cases[i].partitions;
        tables[0].pin_count = cases[i].partitions;
        open_service();
        intern(0, "a", NULL, 0);
        intern(0, "b", NULL, 0);
        const struct outcome outcome = first_refusal(cases[i].partitions, cases[i].per_s);
        ck_assert_int_eq(outcome.reasons, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED));
        const sim_ns off_ns = llabs(outcome.at_ns - cases[i].lasts_s * SIM_NS_PER_S);
        ck_assert_msg(off_ns * 100 <= cases[i].lasts_s * SIM_NS_PER_S, "%" PRId64 " ns",
                      outcome.at_ns);
        service_audit(&service, outcome.at_ns);
        service_fini(&service);
    }
}
END_TEST

/* One key of 1,500 writes/s on 50,000 WCU: a partition serves 1,000. */
START_TEST(a_counter_of_1500_writes_per_second_loses_a_third) {
    tables[0].write_capacity_units = 50000;
    config.parameters.routers = 8;
    open_service();
    const uint32_t item = intern(0, "counter", NULL, 100).item;
    int64_t throttled = 0;
    for (int64_t i = 0; i < 1500 * 60; i++) {
        const struct outcome outcome = submit(i * SIM_NS_PER_S / 1500, DDB_UPDATE_ITEM, item, 100);
        REQUIRE(outcome.fate == FATE_ADMITTED ||
                    outcome.reasons == REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE),
                "reasons %x", outcome.reasons);
        throttled += outcome.fate == FATE_THROTTLED && i >= 1500 * 10;
    }
    ck_assert_msg(llabs(throttled - 25000) < 50, "%" PRId64, throttled);
}
END_TEST

/* The share that partitions serve of per_s writes spread over keys: another layout for each family
 * of keys. */
static double served_by_layout(uint64_t family, uint32_t keys, int64_t per_s) {
    uint32_t keys_in[64] = {0};
    for (uint32_t i = 0; i < keys; i++) {
        char text[48];
        snprintf(text, sizeof text, "key#%" PRIu64 "#%u", family, i);
        const struct intern_result key = intern(0, text, NULL, 0);
        const struct outcome outcome = submit(0, DDB_GET_ITEM, key.item, 0);
        keys_in[outcome.partition]++;
    }
    double served = 0;
    for (uint32_t i = 0; i < service_partition_count(&service, 0); i++) {
        const double load = (double)per_s * keys_in[i] / keys;
        served += load < 1000 ? load : 1000;
    }
    return served / (double)per_s;
}

/* Balls into bins: 4,000 writes/s over K equal keys on 4 partitions; exact up to K = 4. */
START_TEST(equal_keys_are_served_as_balls_in_bins) {
    enum { LAYOUTS = 4000 };
    static const struct {
        uint32_t keys;
        double served, tolerance;
    } cases[] = {
        {1, .25, 1e-9},  {2, .4375, .005}, {4, .6836, .005},  {8, .77, .006},
        {16, .83, .006}, {64, .914, .005}, {256, .957, .005},
    };
    tables[0].initial_partitions = 4;
    config.table_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t layouts = cases[i].keys > 16 ? LAYOUTS / 20 : LAYOUTS;
        double sum = 0;
        open_service();
        for (uint64_t layout = 0; layout < layouts; layout++) {
            sum += served_by_layout(layout, cases[i].keys, 4000);
        }
        service_fini(&service);
        const double mean = sum / (double)layouts;
        ck_assert_msg(mean > cases[i].served - cases[i].tolerance &&
                          mean < cases[i].served + cases[i].tolerance,
                      "%u keys: %.4f", cases[i].keys, mean);
    }
}
END_TEST

/* 2,500 writes/s over N shards on 8 partitions: the share of layouts that exceed no cap. */
START_TEST(more_shards_do_not_always_help) {
    enum { LAYOUTS = 3000 };
    static const struct {
        uint32_t shards;
        double share;
    } cases[] = {{3, .66}, {4, .41}, {5, .87}, {6, .77}, {7, .64}, {8, .91}, {10, .97}};
    tables[0].initial_partitions = 8;
    config.table_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t clean = 0;
        open_service();
        for (uint64_t layout = 0; layout < LAYOUTS; layout++) {
            clean += served_by_layout(layout, cases[i].shards, 2500) > 1 - 1e-9;
        }
        service_fini(&service);
        const double share = (double)clean / LAYOUTS;
        ck_assert_msg(share > cases[i].share - .02 && share < cases[i].share + .02,
                      "%u shards: %.3f", cases[i].shards, share);
    }
}
END_TEST

START_TEST(submitting_serves_what_the_layout_promises) {
    tables[0].initial_partitions = 4;
    tables[0].write_capacity_units = 4000;
    for (uint64_t layout = 0; layout < 20; layout++) {
        config.replication = layout;
        open_service();
        const double promised = served_by_layout(0, 4, 4000);
        int64_t admitted = 0;
        for (int64_t i = 0; i < 4000 * 20; i++) { /* depth is gone after 10 s */
            const sim_ns now_ns = i * SIM_NS_PER_S / 4000;
            const bool passed =
                submit(now_ns, DDB_PUT_ITEM, (uint32_t)(i % 4), 100).fate == FATE_ADMITTED;
            admitted += passed && i >= 4000 * 10;
        }
        const double served = (double)admitted / (4000 * 10);
        ck_assert_msg(served > promised - .003 && served < promised + .003, "%f of %f", served,
                      promised);
        service_audit(&service, 20 * SIM_NS_PER_S);
        service_fini(&service);
    }
}
END_TEST

START_TEST(the_layout_is_named_by_seed_replication_and_table) {
    static const struct {
        enum placement placement;
        uint64_t seed, replication;
        uint32_t table;
        bool same;
    } cases[] = {
        {PLACEMENT_RANDOM, 1, 0, 0, true},  {PLACEMENT_RANDOM, 2, 0, 0, false},
        {PLACEMENT_RANDOM, 1, 1, 0, false}, {PLACEMENT_RANDOM, 1, 0, 1, false},
        {PLACEMENT_FIXED, 2, 3, 0, true},   {PLACEMENT_FIXED, 1, 0, 1, false},
    };
    tables[1].range_key.name = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        config.parameters.placement = cases[i].placement;
        config.seed = 1;
        config.replication = 0;
        open_service();
        const uint64_t base = service_key_position(&service, 0, intern(0, "a", NULL, 1).key);
        service_fini(&service);
        config.seed = cases[i].seed;
        config.replication = cases[i].replication;
        open_service();
        const uint32_t table = cases[i].table;
        const uint64_t position =
            service_key_position(&service, table, intern(table, "a", NULL, 1).key);
        service_fini(&service);
        ck_assert_msg((position == base) == cases[i].same, "case %zu", i);
    }
}
END_TEST

/* Random requests on both tables against prices from sizes that the test keeps itself. */
static void replay_against_sizes(uint64_t seed) {
    enum { ITEMS = 20 };
    uint32_t bytes[ITEMS];
    config.parameters.routers = (int64_t)(seed % 4) * 3;
    tables[0].initial_partitions = (int64_t)(1 + seed % 5);
    tables[0].write_capacity_units = tables[0].read_capacity_units = (int64_t)(1 + seed % 300);
    open_service();
    for (uint32_t i = 0; i < ITEMS; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", i);
        bytes[i] = i % 2 == 0 ? 0 : 100 * i;
        intern(0, text, NULL, bytes[i]);
    }
    sim_ns now_ns = 0;
    for (uint64_t i = 0; i < 300; i++) {
        const uint64_t bits = hash_draw(seed, i, 3);
        now_ns += (sim_ns)(bits % 200) * SIM_NS_PER_MS;
        const uint32_t item = (uint32_t)(bits >> 10) % ITEMS;
        const enum ddb_operation operation = (enum ddb_operation)((bits >> 20) % 4);
        const uint32_t size = 1 + (uint32_t)(bits >> 30) % (bits % 8 == 0 ? ITEM_BYTES_MAX : 5000);
        const struct outcome outcome = submit(now_ns, operation, item, size);
        REQUIRE(outcome.cost_ncu == capacity_units_ncu(operation, true, bytes[item], size),
                "seed %" PRIu64 " step %" PRIu64, seed, i);
        REQUIRE((outcome.fate == FATE_ADMITTED) == (outcome.reasons == 0),
                "seed %" PRIu64 " step %" PRIu64, seed, i);
        if (outcome.fate == FATE_ADMITTED && ddb_operation_writes(operation)) {
            bytes[item] = operation == DDB_DELETE_ITEM ? 0 : size;
        }
        if (bits >> 60 == 0) {
            service_audit(&service, now_ns);
        }
    }
    service_audit(&service, now_ns);
    service_fini(&service);
}

START_TEST(prices_follow_the_state_over_random_requests) {
    for (uint64_t seed = 1; seed <= 100; seed++) {
        replay_against_sizes(seed);
    }
}
END_TEST

START_TEST(refuses_a_pin_to_no_partition) {
    static const struct table_pin pins[] = {{"a", 0}, {"b", 4}};
    tables[1].initial_partitions = 4;
    tables[1].pins = pins;
    tables[1].pin_count = 2;
    ck_assert(!service_init(&service, &config, &err));
    ck_assert_int_eq((int)err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text,
                     "key 'b' of table 'second' is pinned to partition 4, expected 0 to 3");
}
END_TEST

START_TEST(refuses_more_partitions_than_it_can_hold) {
    tables[0].table_size_bytes = INT64_MAX;
    ck_assert(!service_init(&service, &config, &err));
    ck_assert_str_eq(err.text, "table 'first' needs 858993460 partitions, expected at most 65536");
}
END_TEST

START_TEST(aborts_on_provisioned_units_of_an_on_demand_table) {
    tables[0].billing_mode = BILLING_PAY_PER_REQUEST;
    open_service();
}
END_TEST

START_TEST(aborts_on_no_capacity) {
    tables[1].write_capacity_units = 0;
    open_service();
}
END_TEST

START_TEST(aborts_on_too_much_capacity) {
    tables[0].read_capacity_units = TABLE_CAPACITY_UNITS_MAX + 1;
    open_service();
}
END_TEST

START_TEST(aborts_on_an_unknown_table) {
    open_service();
    struct resource_sample sample;
    service_sample(&service, 0, 2, &sample);
}
END_TEST

START_TEST(aborts_on_an_unknown_item) {
    open_service();
    submit(0, DDB_GET_ITEM, 0, 0);
}
END_TEST

START_TEST(aborts_on_a_write_of_nothing) {
    open_service();
    submit(0, DDB_PUT_ITEM, intern(0, "a", NULL, 0).item, 0);
}
END_TEST

START_TEST(aborts_when_time_goes_back) {
    open_service();
    const uint32_t item = intern(0, "a", NULL, 1).item;
    submit(10, DDB_GET_ITEM, item, 0);
    submit(9, DDB_GET_ITEM, item, 0);
}
END_TEST

START_TEST(aborts_on_an_unknown_partition) {
    open_service();
    struct partition_sample sample;
    service_partition(&service, 0, 1, &sample);
}
END_TEST

START_TEST(aborts_on_an_unknown_key) {
    open_service();
    service_key_position(&service, 0, 0);
}
END_TEST

static void add_aborts(TCase *tcase) {
    tcase_add_test_raise_signal(tcase, aborts_on_provisioned_units_of_an_on_demand_table, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_no_capacity, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_too_much_capacity, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_table, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_item, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_write_of_nothing, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_time_goes_back, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_partition, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_unknown_key, SIGABRT);
}

int main(void) {
    Suite *suite = suite_create("models/service");
    TCase *tcase = tcase_create("service");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 90);
    tcase_add_test(tcase, an_item_lives_through_its_operations);
    tcase_add_test(tcase, an_outcome_names_its_key_item_partition_and_resource);
    tcase_add_test(tcase, every_failing_check_is_a_reason);
    tcase_add_test(tcase, a_refused_request_consumes_and_changes_nothing);
    tcase_add_test(tcase, reads_and_writes_are_limited_apart);
    tcase_add_test(tcase, a_sample_shows_a_debt_as_nothing_saved);
    tcase_add_test(tcase, burst_is_drained_up_to_the_partition_caps);
    tcase_add_test(tcase, a_counter_of_1500_writes_per_second_loses_a_third);
    tcase_add_test(tcase, equal_keys_are_served_as_balls_in_bins);
    tcase_add_test(tcase, more_shards_do_not_always_help);
    tcase_add_test(tcase, submitting_serves_what_the_layout_promises);
    tcase_add_test(tcase, the_layout_is_named_by_seed_replication_and_table);
    tcase_add_test(tcase, prices_follow_the_state_over_random_requests);
    tcase_add_test(tcase, refuses_a_pin_to_no_partition);
    tcase_add_test(tcase, refuses_more_partitions_than_it_can_hold);
    add_aborts(tcase);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
