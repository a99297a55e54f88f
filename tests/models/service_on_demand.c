/* On-demand tables and their indexes: who refuses, and that runs agree with single requests. */
#include "models/service.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096 };

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct err err;

static void set_up(void) {
    table = (struct table_spec){
        .table_name = "table",
        .billing_mode = BILLING_PAY_PER_REQUEST,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    config = (struct service_config){
        .tables = &table,
        .table_count = 1,
        .seed = 1,
        .quotas = {40000, 40000, 80000, 80000},
    };
    model_parameters_default(&config.parameters);
}

static void open_service(void) {
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < ITEMS; i++) {
        char key[16];
        const int length = snprintf(key, sizeof key, "k%u", i);
        const struct key_text text = {.hash_key = key, .hash_key_bytes = (size_t)length};
        struct intern_result result;
        if (!service_intern(&service, 0, &text, 500, &result, &err)) {
            ck_abort_msg("%s", err.text);
        }
    }
}

static uint16_t send(sim_ns now_ns, uint32_t item, enum ddb_operation operation) {
    const struct request request = {.item = item,
                                    .new_bytes = 500,
                                    .router = ROUTER_ANY,
                                    .operation = (uint8_t)operation,
                                    .consistent_read = true};
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    return outcome.reasons;
}

/* Evenly over all keys for so many seconds; returns what was admitted, and all reasons. */
static uint64_t load(enum ddb_operation operation, int64_t per_s, int64_t seconds,
                     uint16_t *reasons) {
    uint64_t admitted = 0;
    *reasons = 0;
    for (int64_t i = 0; i < per_s * seconds; i++) {
        const uint16_t refused = send(i * SIM_NS_PER_S / per_s,
                                      (uint32_t)hash_draw(3, (uint64_t)i, 0) % ITEMS, operation);
        admitted += refused == 0;
        *reasons |= refused;
    }
    service_audit(&service, seconds * SIM_NS_PER_S);
    return admitted;
}

START_TEST(a_new_table_takes_4000_writes_and_12000_reads_a_second) {
    uint16_t reasons;
    set_up();
    open_service();
    ck_assert_uint_eq(service_partition_count(&service, 0), 4);
    /* 10 seconds and the second that the partitions have saved */
    const uint64_t writes = load(DDB_PUT_ITEM, 8000, 10, &reasons);
    ck_assert_uint_gt(writes, 43000);
    ck_assert_uint_le(writes, 44004);
    ck_assert_uint_eq(reasons, REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE));
    service_fini(&service);
    open_service();
    const uint64_t reads = load(DDB_GET_ITEM, 24000, 4, &reasons);
    ck_assert_uint_gt(reads, 58000);
    ck_assert_uint_le(reads, 60004);
    ck_assert_uint_eq(reasons, REASON_BIT(REASON_TABLE_READ_KEY_RANGE));
    service_fini(&service);
}
END_TEST

START_TEST(partitions_follow_what_was_warmed_up_provisioned_or_consumed) {
    const struct {
        struct throughput_spec throughput;
        uint32_t partitions;
    } rows[] = {
        {{.warm = {12000, 4000}}, 4},
        {{.warm = {12000, 4001}}, 5},
        {{.warm = {40000, 1}}, 14},
        {{.highest_provisioned = {100, 100}}, 4},
        {{.highest_provisioned = {24000, 8000}}, 8},
        {{.highest_provisioned = {10000, 10000}}, 10},
        {{.previous_peak = {0, 2000}}, 4},
        {{.previous_peak = {0, 5000}}, 10},
        {{.previous_peak = {9000, 0}}, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_up();
        table.throughput = rows[i].throughput;
        ck_assert(service_init(&service, &config, &err));
        ck_assert_msg(service_partition_count(&service, 0) == rows[i].partitions, "row %zu: %u", i,
                      service_partition_count(&service, 0));
        service_fini(&service);
    }
}
END_TEST

START_TEST(a_provisioned_table_has_partitions_for_what_it_was_warmed_up_for) {
    set_up();
    table.billing_mode = BILLING_PROVISIONED;
    table.read_capacity_units = 8000;
    table.write_capacity_units = 4000;
    table.throughput.warm = (struct capacity_units){30000, 10000};
    ck_assert(service_init(&service, &config, &err));
    ck_assert_uint_eq(service_partition_count(&service, 0), 10);
    service_fini(&service);
}
END_TEST

START_TEST(a_maximum_refuses_by_its_own_name) {
    uint16_t reasons;
    set_up();
    table.throughput.max_on_demand = (struct capacity_units){100, 300};
    table.initial_burst_ns = 0;
    open_service();
    const uint64_t writes = load(DDB_PUT_ITEM, 1000, 20, &reasons);
    ck_assert_uint_ge(writes, 5990);
    ck_assert_uint_le(writes, 6001);
    ck_assert_uint_eq(reasons, REASON_BIT(REASON_TABLE_WRITE_MAX_ON_DEMAND));
    struct resource_sample sample;
    service_sample(&service, 20 * SIM_NS_PER_S, 0, &sample);
    ck_assert_int_eq(sample.provisioned_wcu, -1);
    ck_assert_int_ge(sample.burst_wncu, 0);
    ck_assert_int_eq(sample.burst_max_wncu, 300 * 300 * NCU_PER_CU);
    ck_assert_int_eq(sample.burst_max_rncu, 100 * 300 * NCU_PER_CU);
    service_fini(&service);
}
END_TEST

START_TEST(the_account_quota_refuses_what_partitions_could_take) {
    uint16_t reasons;
    set_up();
    config.quotas.table_max_write = 3000;
    open_service();
    const uint64_t writes = load(DDB_PUT_ITEM, 3900, 20, &reasons);
    ck_assert_uint_ge(writes, 62900); /* 20 s and the second that is saved */
    ck_assert_uint_le(writes, 63001);
    ck_assert_uint_eq(reasons, REASON_BIT(REASON_TABLE_WRITE_ACCOUNT_LIMIT));
    service_fini(&service);
}
END_TEST

/* Maximum, quota and the partition of one key are spent together. */
START_TEST(every_limit_that_refuses_is_named) {
    set_up();
    config.quotas.table_max_write = 1000;
    table.throughput.max_on_demand.write = 1000;
    table.initial_burst_ns = SIM_NS_PER_S;
    open_service();
    for (uint32_t i = 0; i < 1000; i++) {
        if (send(0, 0, DDB_PUT_ITEM) != 0) {
            ck_abort_msg("request %u", i);
        }
    }
    ck_assert_uint_eq(send(0, 0, DDB_PUT_ITEM), REASON_BIT(REASON_TABLE_WRITE_MAX_ON_DEMAND) |
                                                    REASON_BIT(REASON_TABLE_WRITE_ACCOUNT_LIMIT) |
                                                    REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE));
    ck_assert_uint_eq(send(0, 0, DDB_GET_ITEM), 0);
    service_audit(&service, SIM_NS_PER_S);
    service_fini(&service);
}
END_TEST

/* With and without limits, a run gives what its requests give one by one. */
START_TEST(runs_agree_with_single_requests) {
    enum { COUNT = 3000 };
    static sim_ns times_ns[COUNT];
    static uint32_t items[COUNT], sizes[COUNT];
    static struct outcome singles[COUNT], outcomes[COUNT];
    for (uint64_t seed = 0; seed < 4; seed++) {
        set_up();
        config.parameters.part_max_w = 20;
        config.quotas.table_max_write = seed & 1 ? 60 : 40000;
        table.throughput.max_on_demand.write = seed & 2 ? 50 : 0;
        table.initial_burst_ns = SIM_NS_PER_S;
        sim_ns now_ns = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            const uint64_t draw = hash_draw(seed, i, 0);
            now_ns += (sim_ns)(draw % (SIM_NS_PER_S / 40));
            times_ns[i] = now_ns;
            items[i] = (uint32_t)(draw >> 32) % ITEMS;
            sizes[i] = 1 + (uint32_t)(draw >> 44) % 3000;
        }
        open_service();
        uint32_t refused = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            const struct request request = {.item = items[i],
                                            .new_bytes = sizes[i],
                                            .router = ROUTER_ANY,
                                            .operation = DDB_PUT_ITEM};
            service_submit(&service, times_ns[i], &request, &singles[i]);
            refused += singles[i].reasons != 0;
        }
        ck_assert_uint_gt(refused, 10);
        service_audit(&service, now_ns);
        service_fini(&service);
        open_service();
        const struct service_run run = {.times_ns = times_ns,
                                        .items = items,
                                        .new_bytes = sizes,
                                        .count = COUNT,
                                        .operation = DDB_PUT_ITEM,
                                        .past_refusals = true};
        ck_assert_uint_eq(service_submit_run(&service, &run, outcomes), COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (singles[i].reasons != outcomes[i].reasons || singles[i].fate != outcomes[i].fate ||
                singles[i].partition != outcomes[i].partition ||
                singles[i].cost_ncu != outcomes[i].cost_ncu) {
                ck_abort_msg("seed %" PRIu64 ", request %u", seed, i);
            }
        }
        service_audit(&service, now_ns);
        service_fini(&service);
    }
}
END_TEST

START_TEST(an_index_of_an_on_demand_table_has_four_partitions_of_its_own) {
    static const struct index_spec index = {
        .index_name = "byStatus",
        .is_global = true,
        .hash_key = {"status", 'S'},
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = 0,
        .throughput = {.max_on_demand = {50, 200}},
    };
    struct resource_sample sample;
    set_up();
    table.indexes = &index;
    table.index_count = table.global_index_count = 1;
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    ck_assert_uint_eq(service_partition_count(&service, 1), 4);
    service_sample(&service, SIM_NS_PER_S, 1, &sample);
    ck_assert_int_eq(sample.provisioned_rcu, -1);
    ck_assert_int_eq(sample.burst_rncu, 50 * NCU_PER_CU);
    ck_assert_int_eq(sample.debt_wncu, 0);
    service_audit(&service, SIM_NS_PER_S);
    service_fini(&service);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("service_on_demand");
    TCase *cases = tcase_create("service_on_demand");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, a_new_table_takes_4000_writes_and_12000_reads_a_second);
    tcase_add_test(cases, partitions_follow_what_was_warmed_up_provisioned_or_consumed);
    tcase_add_test(cases, a_provisioned_table_has_partitions_for_what_it_was_warmed_up_for);
    tcase_add_test(cases, a_maximum_refuses_by_its_own_name);
    tcase_add_test(cases, the_account_quota_refuses_what_partitions_could_take);
    tcase_add_test(cases, every_limit_that_refuses_is_named);
    tcase_add_test(cases, runs_agree_with_single_requests);
    tcase_add_test(cases, an_index_of_an_on_demand_table_has_four_partitions_of_its_own);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
