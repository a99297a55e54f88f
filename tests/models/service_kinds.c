/* Queries and conditional writes: what they cost, when they are admitted, what they leave. */
#include "models/service.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define UNIT NCU_PER_CU

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct err err;

/* One partition, no routers, a sort key. */
static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    service = (struct service){0};
    table = (struct table_spec){
        .table_name = "orders",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 100,
        .write_capacity_units = 100,
        .hash_key = {"PK", 'S'},
        .range_key = {"SK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    config = (struct service_config){.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.routers = 0;
}

static void tear_down(void) {
    service_fini(&service);
}

static void open_service(void) {
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
}

static uint32_t intern_key(const char *hash_key) {
    const struct key_text text = {hash_key, strlen(hash_key), NULL, 0};
    uint32_t key = UINT32_MAX;
    ck_assert_msg(service_intern_key(&service, 0, &text, &key, &err), "%s", err.text);
    return key;
}

static uint32_t intern_item(const char *hash_key, const char *range_key, uint32_t bytes) {
    const struct key_text text = {hash_key, strlen(hash_key), range_key, strlen(range_key)};
    struct intern_result result = {0};
    ck_assert_msg(service_intern(&service, 0, &text, bytes, &result, &err), "%s", err.text);
    return result.item;
}

static struct outcome query(sim_ns now_ns, uint32_t key, uint32_t bytes, bool consistent) {
    const struct request request = {.item = key,
                                    .new_bytes = bytes,
                                    .router = ROUTER_ANY,
                                    .operation = DDB_QUERY,
                                    .consistent_read = consistent};
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

static struct outcome write_if(enum ddb_operation operation, enum write_condition condition,
                               uint32_t item, uint32_t bytes) {
    const struct request request = {.item = item,
                                    .new_bytes = bytes,
                                    .router = ROUTER_ANY,
                                    .operation = (uint8_t)operation,
                                    .condition = (uint8_t)condition};
    struct outcome outcome;
    service_submit(&service, 0, &request, &outcome);
    return outcome;
}

START_TEST(a_key_can_be_asked_for_before_it_has_an_item) {
    open_service();
    const uint32_t key = intern_key("a");
    const struct outcome outcome = query(0, key, 0, true);
    ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
    ck_assert_int_eq(outcome.cost_ncu, UNIT);
    ck_assert_int_eq(query(0, key, 0, false).cost_ncu, UNIT / 2);
    ck_assert_uint_eq(outcome.key, key);
    ck_assert(!outcome.item_missing);
    const struct key_text text = {"a", 1, "1", 1};
    struct intern_result result;
    ck_assert(service_intern(&service, 0, &text, 10, &result, &err));
    ck_assert_uint_eq(result.key, key); /* the same key */
    ck_assert_uint_eq(service_key_count(&service, 0), 1);
    service_audit(&service, 0);
}
END_TEST

/* 300 units saved; a page of 256 is admitted while one is left, and the next waits for the debt. */
START_TEST(a_query_needs_something_and_may_leave_a_debt) {
    table.initial_burst_ns = 3 * SIM_NS_PER_S;
    open_service();
    const uint32_t key = intern_key("a");
    ck_assert_int_eq(query(0, key, 1024 * 1024, true).fate, FATE_ADMITTED);
    ck_assert_int_eq(query(0, key, 1024 * 1024, true).fate, FATE_ADMITTED); /* 44 left */
    const struct outcome refused = query(0, key, 0, true);
    ck_assert_int_eq(refused.fate, FATE_THROTTLED);
    ck_assert_int_eq(refused.reasons, REASON_BIT(REASON_TABLE_READ_PROVISIONED));
    /* 212 units of debt at 100 a second: nothing is there at 2.12 s, something a moment later */
    ck_assert_int_eq(query(2120 * SIM_NS_PER_MS, key, 0, true).fate, FATE_THROTTLED);
    ck_assert_int_eq(query(2120 * SIM_NS_PER_MS + 1, key, 0, true).fate, FATE_ADMITTED);
    service_audit(&service, 3 * SIM_NS_PER_S);
}
END_TEST

/* 3,000 units of partition depth under a table that has more. */
START_TEST(a_partition_that_owes_refuses_queries) {
    table.read_capacity_units = 30000;
    table.initial_partitions = 1;
    open_service();
    const uint32_t key = intern_key("a");
    int admitted = 0;
    struct outcome outcome = query(0, key, 1024 * 1024, true);
    for (; outcome.fate == FATE_ADMITTED; admitted++) {
        outcome = query(0, key, 1024 * 1024, true);
    }
    ck_assert_int_eq(admitted, 12); /* 11 are 2,816; the twelfth makes a debt of 72 */
    ck_assert_int_eq(outcome.reasons, REASON_BIT(REASON_TABLE_READ_KEY_RANGE));
    ck_assert_int_eq(query(24 * SIM_NS_PER_MS, key, 0, true).fate, FATE_THROTTLED);
    ck_assert_int_eq(query(24 * SIM_NS_PER_MS + 1, key, 0, true).fate, FATE_ADMITTED);
    service_audit(&service, SIM_NS_PER_S);
}
END_TEST

START_TEST(a_debt_is_paid_through_routers_too) {
    config.parameters.routers = 2;
    table.initial_burst_ns = 0;
    open_service();
    const uint32_t key = intern_key("a");
    int64_t admitted_ncu = 0;
    for (int64_t ms = 0; ms < 60000; ms += 10) {
        const struct outcome outcome = query(ms * SIM_NS_PER_MS, key, 200 * 1024, true);
        admitted_ncu += outcome.fate == FATE_ADMITTED ? outcome.cost_ncu : 0;
    }
    /* what is earned in 60 s, and at most one page's debt a router */
    ck_assert_int_le(admitted_ncu, (60 * 100 + 2 * 50) * UNIT);
    ck_assert_int_ge(admitted_ncu, 45 * 100 * UNIT);
    service_audit(&service, 60 * SIM_NS_PER_S);
}
END_TEST

START_TEST(conditions_follow_the_state_of_the_item) {
    table.write_capacity_units = 1000;
    open_service();
    const uint32_t item = intern_item("a", "1", 0);
    static const struct {
        enum ddb_operation operation;
        enum write_condition condition;
        uint32_t bytes;
        int64_t units;
        bool fails;
    } steps[] = {
        {DDB_UPDATE_ITEM, CONDITION_EXISTS, 5000, 1, true},
        {DDB_DELETE_ITEM, CONDITION_EXISTS, 0, 1, true},
        {DDB_PUT_ITEM, CONDITION_FAILS, 5000, 1, true},
        {DDB_PUT_ITEM, CONDITION_NOT_EXISTS, 5000, 5, false},
        {DDB_PUT_ITEM, CONDITION_NOT_EXISTS, 9000, 9, true}, /* the larger of both */
        {DDB_PUT_ITEM, CONDITION_NOT_EXISTS, 100, 5, true},
        {DDB_UPDATE_ITEM, CONDITION_EXISTS, 2000, 5, false},
        {DDB_UPDATE_ITEM, CONDITION_FAILS, 100, 2, true},
        {DDB_DELETE_ITEM, CONDITION_NOT_EXISTS, 0, 2, true},
        {DDB_DELETE_ITEM, CONDITION_EXISTS, 0, 2, false},
        {DDB_DELETE_ITEM, CONDITION_NOT_EXISTS, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct outcome outcome =
            write_if(steps[i].operation, steps[i].condition, item, steps[i].bytes);
        ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
        ck_assert_int_eq(outcome.reasons, 0);
        ck_assert_msg(outcome.condition_failed == steps[i].fails, "step %zu", i);
        ck_assert_msg(outcome.cost_ncu == steps[i].units * UNIT, "step %zu", i);
    }
    service_audit(&service, 0);
}
END_TEST

START_TEST(a_write_that_would_fail_its_condition_is_throttled_like_any_other) {
    static const struct {
        int64_t rate, burst_s;
        uint16_t reasons;
    } cases[] = {
        {1, 300, REASON_BIT(REASON_TABLE_WRITE_PROVISIONED)},
        {1000, 300, REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE)},
        {500, 2,
         REASON_BIT(REASON_TABLE_WRITE_PROVISIONED) | REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        table.write_capacity_units = cases[i].rate;
        table.initial_burst_ns = cases[i].burst_s * SIM_NS_PER_S;
        open_service();
        const uint32_t item = intern_item("a", "1", 1000);
        struct outcome outcome;
        do {
            outcome = write_if(DDB_PUT_ITEM, CONDITION_NOT_EXISTS, item, 1000);
            ck_assert(outcome.condition_failed == (outcome.fate == FATE_ADMITTED));
        } while (outcome.fate == FATE_ADMITTED);
        ck_assert_msg(outcome.reasons == cases[i].reasons, "case %zu: %x", i, outcome.reasons);
        service_audit(&service, 0);
        service_fini(&service);
    }
}
END_TEST

START_TEST(aborts_on_a_key_that_is_not_there) {
    open_service();
    query(0, 0, 0, true);
}
END_TEST

START_TEST(aborts_on_a_condition_of_a_read) {
    open_service();
    write_if(DDB_GET_ITEM, CONDITION_EXISTS, intern_item("a", "1", 0), 0);
}
END_TEST

START_TEST(aborts_on_a_key_alone_where_keys_are_items) {
    table.range_key = (struct key_attribute){NULL, 0};
    open_service();
    intern_key("a");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/service_kinds");
    TCase *tcase = tcase_create("service_kinds");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_key_can_be_asked_for_before_it_has_an_item);
    tcase_add_test(tcase, a_query_needs_something_and_may_leave_a_debt);
    tcase_add_test(tcase, a_partition_that_owes_refuses_queries);
    tcase_add_test(tcase, a_debt_is_paid_through_routers_too);
    tcase_add_test(tcase, conditions_follow_the_state_of_the_item);
    tcase_add_test(tcase, a_write_that_would_fail_its_condition_is_throttled_like_any_other);
    tcase_add_test_raise_signal(tcase, aborts_on_a_key_that_is_not_there, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_condition_of_a_read, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_key_alone_where_keys_are_items, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
