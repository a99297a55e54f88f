/* Transactions: all members or none, and what they cost. */
#include "models/service_transaction.h"

#include "tests/suite.h"

#include <check.h>
#include <string.h>

#define MEMBERS 4

static struct err err;
static struct service service;
static struct model_parameters parameters;
static struct table_spec table;
static struct request members[MEMBERS];
static struct outcome outcomes[MEMBERS];

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    model_parameters_default(&parameters);
    parameters.routers = 0;
    table = (struct table_spec){
        .table_name = "ledger",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 10,
        .write_capacity_units = 10,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = 5 * SIM_NS_PER_S, /* 50 units */
    };
}

static void tear_down(void) {
    service_fini(&service);
}

/* Items "0" … "3" of 2,000 bytes, and a member for each. */
static void open_service(enum ddb_operation operation, uint32_t new_bytes) {
    const struct service_config config = {
        .tables = &table, .table_count = 1, .seed = 1, .parameters = parameters};
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const char name[] = {(char)('0' + i), '\0'};
        const struct key_text text = {.hash_key = name, .hash_key_bytes = 1};
        struct intern_result result;
        ck_assert(service_intern(&service, 0, &text, 2000, &result, &err));
        members[i] = (struct request){
            .item = result.item,
            .new_bytes = new_bytes,
            .router = ROUTER_ANY,
            .operation = (uint8_t)operation,
        };
    }
}

static uint32_t transact(sim_ns now_ns, uint32_t count) {
    if (table.index_count > 0) {
        ck_assert(service_reserve(&service, 0, count, &err));
    }
    return service_transact(&service, now_ns, members, count, outcomes);
}

/* What a consistent read of an item costs now: its size. */
static int64_t read_ncu(sim_ns now_ns, uint32_t item) {
    const struct request request = {
        .item = item, .router = ROUTER_ANY, .operation = DDB_GET_ITEM, .consistent_read = true};
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
    return outcome.cost_ncu;
}

static int64_t burst_wncu(sim_ns now_ns) {
    struct resource_sample sample;
    service_sample(&service, now_ns, 0, &sample);
    return sample.burst_wncu;
}

START_TEST(each_member_costs_twice_its_own_units_and_is_an_outcome) {
    open_service(DDB_PUT_ITEM, 5000);
    ck_assert_uint_eq(transact(0, 3), 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(outcomes[i].fate, FATE_ADMITTED);
        ck_assert_int_eq(outcomes[i].operation, DDB_TRANSACT_WRITE_ITEMS);
        ck_assert_int_eq(outcomes[i].cost_ncu, 2 * 5 * NCU_PER_CU);
        ck_assert_uint_eq(outcomes[i].key, i);
        ck_assert_int_eq(outcomes[i].is_part, i > 0);
        ck_assert_int_eq(read_ncu(0, members[i].item), 2 * NCU_PER_CU); /* 5,000 B */
    }
    ck_assert_int_eq(burst_wncu(0), 20 * NCU_PER_CU);
    service_audit(&service, 1);
}
END_TEST

START_TEST(reads_cost_twice_a_consistent_read) {
    open_service(DDB_GET_ITEM, 0);
    ck_assert_uint_eq(transact(0, 4), 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(outcomes[i].operation, DDB_TRANSACT_GET_ITEMS);
        ck_assert_int_eq(outcomes[i].cost_ncu, 2 * NCU_PER_CU);
    }
}
END_TEST

START_TEST(what_does_not_fit_as_a_whole_is_refused_as_a_whole) {
    open_service(DDB_PUT_ITEM, 8 * 1024);
    ck_assert_uint_eq(transact(0, 4), 4); /* 64 units of 50, though three would fit */
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(outcomes[i].fate, FATE_THROTTLED);
        ck_assert_uint_eq(outcomes[i].reasons, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED));
        ck_assert_int_eq(outcomes[i].is_part, i > 0);
        ck_assert_int_eq(outcomes[i].cost_ncu, i == 0 ? 64 * NCU_PER_CU : 0);
        ck_assert_int_eq(read_ncu(0, members[i].item), NCU_PER_CU); /* 2,000 B as before */
    }
    ck_assert_int_eq(burst_wncu(0), 50 * NCU_PER_CU);
    ck_assert_uint_eq(transact(0, 3), 3);
    ck_assert_int_eq(outcomes[0].fate, FATE_ADMITTED);
    service_audit(&service, 1);
}
END_TEST

/* Only members on the partition that has not enough are refused, and none is carried out. */
START_TEST(one_partition_without_capacity_refuses_all) {
    static const struct table_pin pins[] = {{"0", 0}, {"1", 1}, {"2", 1}, {"3", 1}};
    table.write_capacity_units = 1000;
    table.initial_partitions = 2;
    table.pins = pins;
    table.pin_count = 4;
    parameters.part_max_w = 20;
    open_service(DDB_PUT_ITEM, 5 * 1024);
    struct outcome single;
    service_submit(&service, 0, &members[1], &single); /* 15 of 20 are left there */
    ck_assert_uint_eq(transact(0, 4), 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(outcomes[i].partition, 1);
        ck_assert_uint_eq(outcomes[i].reasons, REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE));
    }
    ck_assert_int_eq(read_ncu(0, members[0].item), NCU_PER_CU);
    ck_assert_uint_eq(transact(SIM_NS_PER_S, 4), 4); /* a full bucket is enough, and owes 10 */
    ck_assert_int_eq(outcomes[0].fate, FATE_ADMITTED);
    ck_assert_uint_eq(transact(SIM_NS_PER_S + 1, 4), 4 - 1);
    service_audit(&service, SIM_NS_PER_S + 1);
}
END_TEST

START_TEST(a_condition_that_fails_cancels_and_all_pay) {
    open_service(DDB_PUT_ITEM, 5000);
    members[1].condition = CONDITION_NOT_EXISTS;
    members[2].operation = DDB_DELETE_ITEM;
    ck_assert_uint_eq(transact(0, 3), 3);
    int64_t cost_ncu = 0;
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(outcomes[i].fate, FATE_ADMITTED);
        ck_assert(outcomes[i].condition_failed);
        cost_ncu += outcomes[i].cost_ncu;
        ck_assert_int_eq(read_ncu(0, members[i].item), NCU_PER_CU);
    }
    ck_assert_int_eq(cost_ncu, (10 + 10 + 4) * NCU_PER_CU);
    members[1].condition = CONDITION_EXISTS;
    ck_assert_uint_eq(transact(0, 3), 3);
    ck_assert(!outcomes[0].condition_failed && !outcomes[2].item_missing);
    ck_assert_uint_eq(transact(5 * SIM_NS_PER_S, 3), 3);
    ck_assert(outcomes[2].item_missing);
    service_audit(&service, 5 * SIM_NS_PER_S);
}
END_TEST

START_TEST(entries_of_indexes_are_paid_once) {
    static const struct index_spec indexes[] = {
        {.index_name = "byStatus",
         .is_global = true,
         .hash_key = {"status", 'S'},
         .projection = PROJECTION_ALL,
         .read_capacity_units = 10,
         .write_capacity_units = 10,
         .index_size_bytes = SPEC_UNKNOWN,
         .initial_burst_ns = SPEC_UNKNOWN},
    };
    table.indexes = indexes;
    table.index_count = table.global_index_count = 1;
    open_service(DDB_PUT_ITEM, 3 * 1024);
    struct attribute_value open;
    static const uint32_t attributes[] = {0};
    ck_assert(service_intern_value(&service, 0, 0, "OPEN", 4, &open, &err));
    for (uint32_t i = 0; i < 2; i++) {
        members[i].attributes = attributes;
        members[i].values = &open;
        members[i].attribute_count = 1;
    }
    ck_assert_uint_eq(transact(0, 2), 2);
    ck_assert_int_eq(outcomes[0].cost_ncu, 6 * NCU_PER_CU);
    const struct index_write *writes;
    int64_t entries_ncu = 0;
    for (uint32_t count; (count = service_index_writes(&service, 1, SIM_NS_PER_S, &writes)) > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            entries_ncu += writes[i].cost_ncu;
        }
    }
    ck_assert_int_eq(entries_ncu, 2 * 3 * NCU_PER_CU);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/service_transaction");
    TCase *tcase = tcase_create("transaction");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, each_member_costs_twice_its_own_units_and_is_an_outcome);
    tcase_add_test(tcase, reads_cost_twice_a_consistent_read);
    tcase_add_test(tcase, what_does_not_fit_as_a_whole_is_refused_as_a_whole);
    tcase_add_test(tcase, one_partition_without_capacity_refuses_all);
    tcase_add_test(tcase, a_condition_that_fails_cancels_and_all_pay);
    tcase_add_test(tcase, entries_of_indexes_are_paid_once);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
