/* Partitions without a leader, alone and through the service. */
#include "models/leader_failover.h"
#include "models/service.h"
#include "models/service_scan.h"
#include "models/service_transaction.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S SIM_NS_PER_S
enum { ITEMS = 40, PARTITIONS = 4 };

static struct err err;
static struct service service;
static struct table_spec table;
static uint32_t items[ITEMS];

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    table = (struct table_spec){
        .table_name = "orders",
        .read_capacity_units = 9000,
        .write_capacity_units = 4000,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = PARTITIONS,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    struct service_config config = {.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < ITEMS; i++) {
        char name[12];
        (void)snprintf(name, sizeof name, "k%u", (unsigned)i);
        const struct key_text text = {name, strlen(name), NULL, 0};
        struct intern_result result;
        ck_assert(service_intern(&service, 0, &text, 500, &result, &err));
        items[i] = result.item;
    }
}

static void tear_down(void) {
    service_audit(&service, 100 * S);
    service_fini(&service);
}

static bool lies_in(uint32_t item, uint32_t partition) {
    return service_key_partition(&service, 0, items[item]) == partition;
}

static struct request request_of(enum ddb_operation operation, bool consistent, uint32_t item) {
    return (struct request){
        .item = items[item],
        .new_bytes = 500,
        .router = ROUTER_ANY,
        .operation = (uint8_t)operation,
        .consistent_read = consistent,
    };
}

static enum attempt_fate fate_of(sim_ns now_ns, enum ddb_operation operation, bool consistent,
                                 uint32_t item) {
    const struct request request = request_of(operation, consistent, item);
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    ck_assert_uint_eq(outcome.reasons, 0);
    return (enum attempt_fate)outcome.fate;
}

static void lose(sim_ns now_ns, uint32_t partition) {
    ck_assert_msg(service_lose_leader(&service, now_ns, 0, partition, &err), "%s", err.text);
}

static void run_timers(sim_ns until_ns) {
    for (sim_ns at_ns; (at_ns = service_next_event_ns(&service)) <= until_ns;) {
        ck_assert(service_on_timer(&service, at_ns, &err));
    }
}

/* Who fails: of each operation, with the leader of partition 1 lost. */
struct who {
    enum ddb_operation operation;
    bool consistent, fails;
};
static const struct who who[] = {
    {DDB_PUT_ITEM, false, true}, {DDB_UPDATE_ITEM, false, true}, {DDB_DELETE_ITEM, false, true},
    {DDB_GET_ITEM, true, true},  {DDB_GET_ITEM, false, false},   {DDB_QUERY, true, true},
    {DDB_QUERY, false, false},
};

START_TEST(fails_what_only_a_leader_serves_and_only_there) {
    lose(S, 1);
    ck_assert(service_lacks_leader(&service));
    uint64_t failed = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const bool fails = who[_i].fails && lies_in(i, 1);
        ck_assert_int_eq((int)fate_of(2 * S, who[_i].operation, who[_i].consistent, i),
                         fails ? FATE_ERRORED : FATE_ADMITTED);
        failed += fails;
    }
    ck_assert_uint_eq(service_leaderless_attempts(&service), failed);
    ck_assert(!who[_i].fails || failed > 0);
    struct resource_sample sample;
    service_sample(&service, 2 * S, 0, &sample);
    ck_assert_uint_eq(service_event_count(&service), 1);
}
END_TEST

START_TEST(the_gap_is_as_long_as_the_parameter_says) {
    uint32_t item = 0;
    while (!lies_in(item, 2)) {
        item++;
    }
    lose(S, 2);
    ck_assert_int_eq(service_next_event_ns(&service), 3 * S);
    run_timers(3 * S - 1);
    ck_assert_int_eq((int)fate_of(3 * S - 1, DDB_PUT_ITEM, false, item), FATE_ERRORED);
    run_timers(3 * S);
    ck_assert(!service_lacks_leader(&service));
    ck_assert_int_eq((int)fate_of(3 * S, DDB_PUT_ITEM, false, item), FATE_ADMITTED);
    ck_assert_uint_eq(service_event_count(&service), 2);
    const struct model_event *elected = service_event(&service, 1);
    ck_assert_int_eq((int)elected->kind, MODEL_EVENT_LEADER_ELECTED);
    ck_assert_int_eq(elected->numbers[0], 2);
}
END_TEST

START_TEST(a_loss_within_the_gap_makes_it_longer) {
    lose(S, 0);
    lose(2 * S, 0);
    lose(2 * S, 3);
    run_timers(3 * S);
    ck_assert_uint_eq(service_event_count(&service), 3); /* nobody is elected yet */
    ck_assert(leader_failover_holds(&service.failover, 0, 0));
    run_timers(4 * S);
    ck_assert_uint_eq(service_event_count(&service), 5);
    ck_assert(!service_lacks_leader(&service));
}
END_TEST

START_TEST(a_partition_that_was_split_stands_for_a_child) {
    ck_assert(service_double(&service, S, 0, PARTITION_THROUGHPUT, &err));
    const uint32_t events = service_event_count(&service);
    lose(S, 1);
    const struct model_event *lost = service_event(&service, events);
    struct partition_sample sample;
    service_partition(&service, 0, (uint32_t)lost->numbers[0], &sample);
    ck_assert_int_eq(sample.closed_ns, -1);
    ck_assert_uint_eq(sample.parent_id, 1);
}
END_TEST

START_TEST(transactions_and_consistent_pages_fail_whole) {
    struct request members[PARTITIONS * 3];
    struct outcome outcomes[SCAN_PARTS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < PARTITIONS * 3; i++) {
        members[i] = request_of(DDB_PUT_ITEM, false, i);
        count += lies_in(i, 1);
    }
    ck_assert_uint_gt(count, 0);
    lose(S, 1);
    ck_assert_uint_eq(service_transact(&service, S, members, PARTITIONS * 3, outcomes), 1);
    ck_assert_int_eq((int)outcomes[0].fate, FATE_ERRORED);
    struct service_scan scan;
    service_scan_init(&scan, &service, 0, SERVICE_SCAN_TABLE, &table);
    const struct scan_range range = scan_range_of(0, 1);
    struct service_scan_request page = {
        .range = &range, .router = ROUTER_ANY, .consistent_read = true};
    struct scan_range rest;
    ck_assert(service_scan_page(&service, &scan, S, &page, outcomes, &count, &rest, &err));
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq((int)outcomes[0].fate, FATE_ERRORED);
    ck_assert_mem_eq(&rest, &range, sizeof rest);
    page.consistent_read = false;
    ck_assert(service_scan_page(&service, &scan, S, &page, outcomes, &count, &rest, &err));
    ck_assert_int_eq((int)outcomes[0].fate, FATE_ADMITTED);
    ck_assert_uint_eq(service_leaderless_attempts(&service), 2);
}
END_TEST

START_TEST(a_node_takes_the_leader_with_it_or_does_not) {
    ck_assert(service_lose_node(&service, S, 0, 1, false, &err));
    ck_assert(!service_lacks_leader(&service));
    ck_assert(service_lose_node(&service, S, 0, 1, true, &err));
    ck_assert(leader_failover_holds(&service.failover, 0, 1));
    ck_assert_uint_eq(service_event_count(&service), 3);
    ck_assert_int_eq((int)service_event(&service, 0)->kind, MODEL_EVENT_NODE_LOST);
    ck_assert_int_eq(service_event(&service, 1)->numbers[1], 1);
    ck_assert_int_eq((int)service_event(&service, 2)->kind, MODEL_EVENT_LEADER_LOST);
}
END_TEST

START_TEST(aborts_on_a_run_without_a_leader) {
    lose(S, 1);
    const sim_ns times_ns[1] = {S};
    const uint32_t bytes[1] = {500};
    const struct service_run run = {.times_ns = times_ns,
                                    .items = items,
                                    .new_bytes = bytes,
                                    .count = 1,
                                    .operation = DDB_PUT_ITEM};
    struct outcome outcome;
    service_submit_run(&service, &run, &outcome);
}
END_TEST

START_TEST(aborts_on_a_partition_that_is_not_there) {
    lose(S, PARTITIONS);
}
END_TEST

START_TEST(aborts_on_a_gap_that_is_over) {
    ck_assert(leader_failover_lose(&service.failover, 0, 0, &items[0], &err));
    ck_assert(leader_failover_elect(&service.failover, items[0]));
    (void)leader_failover_elect(&service.failover, items[0]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/leader_failover");
    TCase *tcase = tcase_create("leader_failover");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, fails_what_only_a_leader_serves_and_only_there, 0,
                        (int)(sizeof who / sizeof *who));
    tcase_add_test(tcase, the_gap_is_as_long_as_the_parameter_says);
    tcase_add_test(tcase, a_loss_within_the_gap_makes_it_longer);
    tcase_add_test(tcase, a_partition_that_was_split_stands_for_a_child);
    tcase_add_test(tcase, transactions_and_consistent_pages_fail_whole);
    tcase_add_test(tcase, a_node_takes_the_leader_with_it_or_does_not);
    tcase_add_test_raise_signal(tcase, aborts_on_a_run_without_a_leader, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_partition_that_is_not_there, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_gap_that_is_over, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
