/* Limits of leader and node, through a service. */
#include "models/replica_limits.h"
#include "models/service.h"
#include "models/service_transaction.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define S SIM_NS_PER_S
enum { SECONDS = 20 };

static struct err err;
static struct service service;
static struct model_parameters parameters;
static struct table_spec table;
static uint32_t item;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    model_parameters_default(&parameters);
    parameters.routers = 0;
    parameters.split_for_heat = SPLIT_FOR_HEAT_OFF;
    table = (struct table_spec){
        .table_name = "products",
        .read_capacity_units = 40000,
        .write_capacity_units = 40000,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 1,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
}

static void open_service(void) {
    const struct service_config config = {
        .tables = &table, .table_count = 1, .seed = 1, .parameters = parameters};
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    const struct key_text text = {"k", 1, NULL, 0};
    struct intern_result result;
    ck_assert(service_intern(&service, 0, &text, 4096, &result, &err));
    item = result.item;
}

static void close_service(void) {
    service_audit(&service, SECONDS * S);
    service_fini(&service);
}

/* What is offered a second, of each kind, and what is admitted a second once what was saved is
 * gone. */
struct mix {
    double factor;
    int64_t node;
    int eventual, strong, writes;                /* offered */
    int eventual_kept, strong_kept, writes_kept; /* admitted; -1: not pinned */
};

static const struct mix mixes[] = {
    {1, 0, 9000, 0, 0, 6000, 0, 0}, /* half a unit each */
    {1, 0, 0, 9000, 0, 0, 3000, 0},
    {1.5, 0, 12000, 0, 0, 9000, 0, 0}, /* AWS's test: 4,500 units */
    {1.5, 0, 0, 9000, 0, 0, 3000, 0},  /* the leader's alone */
    {1.5, 0, 3000, 9000, 0, -1, 3000, 0},
    {1.5, 0, 0, 0, 1500, 0, 0, 1000},
    {1, 500, 0, 0, 900, 0, 0, 500}, /* a node below the caps */
    {1, 500, 0, 900, 0, 0, 500, 0},
    {1.5, 700, 9000, 0, 0, 1400, 0, 0},
};

static bool is_admitted(sim_ns now_ns, enum ddb_operation operation, bool consistent) {
    const struct request request = {
        .item = item,
        .new_bytes = operation == DDB_GET_ITEM ? 4096 : 1024,
        .router = ROUTER_ANY,
        .operation = (uint8_t)operation,
        .consistent_read = consistent,
    };
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    ck_assert(outcome.fate == FATE_ADMITTED ||
              outcome.reasons == REASON_BIT(operation == DDB_GET_ITEM
                                                ? REASON_TABLE_READ_KEY_RANGE
                                                : REASON_TABLE_WRITE_KEY_RANGE));
    return outcome.fate == FATE_ADMITTED;
}

START_TEST(a_partition_serves_what_its_leader_and_its_node_do) {
    const struct mix *mix = &mixes[_i];
    parameters.ec_read_factor = (int64_t)(mix->factor * (double)PARAMETER_FRACTION_ONE);
    parameters.node_capacity = mix->node;
    open_service();
    const int offered = mix->eventual + mix->strong + mix->writes;
    int eventual = 0, strong = 0, writes = 0;
    for (int second = 0; second < SECONDS; second++) {
        const bool counts = second >= SECONDS / 2;
        for (int i = 0; i < offered; i++) {
            const sim_ns now_ns = second * S + i * (S / offered);
            const int turn = (int)((int64_t)i * 7919 % offered); /* mixed evenly */
            if (turn < mix->eventual) {
                eventual += is_admitted(now_ns, DDB_GET_ITEM, false) && counts;
            } else if (turn < mix->eventual + mix->strong) {
                strong += is_admitted(now_ns, DDB_GET_ITEM, true) && counts;
            } else {
                writes += is_admitted(now_ns, DDB_UPDATE_ITEM, false) && counts;
            }
        }
    }
    const int half = SECONDS / 2;
    ck_assert(mix->eventual_kept < 0 || abs(eventual / half - mix->eventual_kept) <= 2);
    ck_assert_int_le(abs(strong / half - mix->strong_kept), 2);
    ck_assert_int_le(abs(writes / half - mix->writes_kept), 2);
    close_service();
}
END_TEST

START_TEST(a_transaction_is_held_to_both) {
    parameters.ec_read_factor = 2 * PARAMETER_FRACTION_ONE;
    parameters.node_capacity = 3;
    open_service();
    const struct request member = {.item = item, .router = ROUTER_ANY, .operation = DDB_GET_ITEM};
    struct outcome outcome;
    ck_assert_uint_eq(service_transact(&service, 0, &member, 1, &outcome), 1); /* 2 units */
    ck_assert_int_eq((int)outcome.fate, FATE_ADMITTED);
    ck_assert_uint_eq(service_transact(&service, 0, &member, 1, &outcome), 1);
    ck_assert_int_eq((int)outcome.fate, FATE_THROTTLED); /* 1 of 3 is left */
    close_service();
}
END_TEST

START_TEST(children_have_limits_of_their_own) {
    parameters.node_capacity = 100;
    open_service();
    int before = 0;
    while (is_admitted(0, DDB_UPDATE_ITEM, false)) {
        before++;
    }
    ck_assert_int_eq(before, 97); /* the first one finds 4 KB */
    ck_assert(service_double(&service, 0, 0, PARTITION_THROUGHPUT, &err));
    ck_assert(!is_admitted(0, DDB_UPDATE_ITEM, false)); /* they share what was left: nothing */
    int admitted = 0;
    for (int i = 0; i < 200; i++) {
        admitted += is_admitted(S, DDB_UPDATE_ITEM, false);
    }
    ck_assert_int_eq(admitted, 100);
    close_service();
}
END_TEST

START_TEST(by_default_there_is_none) {
    ck_assert_uint_eq(replica_limits_of(&parameters), 0);
    ck_assert_int_eq(replica_limits_read_rate(&parameters), 3000);
    parameters.part_max_r = TOKEN_BUCKET_RATE_MAX;
    parameters.ec_read_factor = 3 * PARAMETER_FRACTION_ONE;
    ck_assert_int_eq(replica_limits_read_rate(&parameters), TOKEN_BUCKET_RATE_MAX);
}
END_TEST

START_TEST(aborts_on_a_partition_that_is_closed) {
    parameters.node_capacity = 100;
    struct replica_limits limits = {.node = {.cap_ncu = 0}};
    (void)replica_limits_serve(&limits, REPLICA_NODE, 0, 1, false);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/replica_limits");
    TCase *tcase = tcase_create("replica_limits");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_loop_test(tcase, a_partition_serves_what_its_leader_and_its_node_do, 0,
                        (int)(sizeof mixes / sizeof *mixes));
    tcase_add_test(tcase, a_transaction_is_held_to_both);
    tcase_add_test(tcase, children_have_limits_of_their_own);
    tcase_add_test(tcase, by_default_there_is_none);
    tcase_add_test_raise_signal(tcase, aborts_on_a_partition_that_is_closed, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
