/* Splits in a service that goes on: in flight, at once, in every era, of tables and indexes. */
#include "models/service.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define UNIT NCU_PER_CU
#define S SIM_NS_PER_S

enum { KEYS = 5, SORTS = 40 };

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct index_spec by_status;
static struct err err;
static uint32_t items[KEYS][SORTS];

static void set_up(void) {
    by_status = (struct index_spec){
        .index_name = "byStatus",
        .is_global = true,
        .hash_key = {"status", 'S'},
        .projection = PROJECTION_KEYS_ONLY,
        .read_capacity_units = 100,
        .write_capacity_units = 1000,
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 1,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    table = (struct table_spec){
        .table_name = "table",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 20000,
        .write_capacity_units = 20000,
        .hash_key = {"PK", 'S'},
        .range_key = {"SK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 2,
        .initial_burst_ns = SPEC_UNKNOWN,
        .indexes = &by_status,
    };
    config = (struct service_config){.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
}

static void tear_down(void) {
    service_fini(&service);
}

static void open_service(void) {
    REQUIRE(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t key = 0; key < KEYS; key++) {
        for (uint32_t sort = 0; sort < SORTS; sort++) {
            char hash_key[8], range_key[8];
            (void)snprintf(hash_key, sizeof hash_key, "k%u", key);
            (void)snprintf(range_key, sizeof range_key, "%04u", sort);
            const struct key_text text = {hash_key, strlen(hash_key), range_key, 4};
            struct intern_result result;
            REQUIRE(service_intern(&service, 0, &text, 100, &result, &err), "%s", err.text);
            items[key][sort] = result.item;
        }
    }
}

static struct outcome submit(sim_ns now_ns, enum ddb_operation operation, uint32_t item,
                             uint32_t bytes) {
    const struct request request = {
        .item = item,
        .new_bytes = bytes,
        .router = ROUTER_ANY,
        .operation = (uint8_t)operation,
        .consistent_read = true,
    };
    struct outcome outcome;
    if (table.index_count > 0) {
        REQUIRE(service_reserve(&service, 0, 1, &err), "%s", err.text);
    }
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

static struct partition_place middle_of(uint32_t partition) {
    struct partition_sample sample;
    service_partition(&service, 0, partition, &sample);
    return (struct partition_place){sample.hash_lo + (sample.hash_hi - sample.hash_lo) / 2 + 1, 0};
}

START_TEST(the_parents_limits_hold_until_the_split_is_over) {
    open_service();
    const uint32_t parent = submit(0, DDB_PUT_ITEM, items[0][0], 1).partition;
    const struct split_order order = {
        .partition = parent,
        .cut = middle_of(parent),
        .cause = PARTITION_HEAT,
        .duration_ns = 90 * S,
    };
    ck_assert_int_eq(service_next_event_ns(&service), INT64_MAX);
    ck_assert(service_start_split(&service, 5 * S, &order, &err));
    ck_assert_int_eq(service_next_event_ns(&service), 95 * S);
    ck_assert(service_on_timer(&service, 95 * S - 1, &err));
    ck_assert_uint_eq(service_partition_count(&service, 0), 2);
    ck_assert_uint_eq(submit(95 * S - 1, DDB_PUT_ITEM, items[0][0], 1).partition, parent);
    ck_assert(service_on_timer(&service, 95 * S, &err));
    ck_assert_int_eq(service_next_event_ns(&service), INT64_MAX);
    ck_assert_uint_eq(service_partition_count(&service, 0), 4);
    ck_assert_uint_ge(submit(95 * S, DDB_PUT_ITEM, items[0][0], 1).partition, 2);
    struct resource_sample sample;
    service_sample(&service, 95 * S, 0, &sample);
    ck_assert_uint_eq(sample.partitions, 3);
    struct partition_sample closed;
    service_partition(&service, 0, parent, &closed);
    ck_assert_int_eq(closed.closed_ns, 95 * S);
    ck_assert_uint_eq(service_event_count(&service), 2);
    ck_assert_int_eq((int)service_event(&service, 0)->kind, MODEL_EVENT_SPLIT_STARTED);
    ck_assert_int_eq(service_event(&service, 0)->at_ns, 5 * S);
    ck_assert_int_eq((int)service_event(&service, 1)->kind, MODEL_EVENT_SPLIT_COMPLETED);
    ck_assert_int_eq(service_event(&service, 1)->at_ns, 95 * S);
    service_audit(&service, 95 * S);
}
END_TEST

START_TEST(a_cut_within_a_partition_key_parts_its_items) {
    table.initial_partitions = 1;
    open_service();
    const struct split_order order = {
        .cut = service_item_place(&service, 0, items[3][SORTS / 2]),
        .cause = PARTITION_HEAT,
    };
    ck_assert(service_start_split(&service, 0, &order, &err));
    ck_assert(service_on_timer(&service, 0, &err));
    for (uint32_t sort = 0; sort < SORTS; sort++) {
        const uint32_t partition = submit(sort, DDB_GET_ITEM, items[3][sort], 0).partition;
        ck_assert_uint_eq(partition, sort < SORTS / 2 ? 1 : 2);
    }
    service_audit(&service, SORTS);
}
END_TEST

START_TEST(doubling_splits_every_open_partition_at_once) {
    table.initial_partitions = 3;
    open_service();
    ck_assert(service_double(&service, S, 0, PARTITION_THROUGHPUT, &err));
    ck_assert(service_double(&service, 2 * S, 0, PARTITION_PEAK, &err));
    struct resource_sample sample;
    service_sample(&service, 2 * S, 0, &sample);
    ck_assert_uint_eq(sample.partitions, 12);
    ck_assert_uint_eq(service_partition_count(&service, 0), 3 + 6 + 12);
    struct partition_sample child;
    service_partition(&service, 0, 3 + 6 + 11, &child);
    ck_assert_int_eq((int)child.cause, PARTITION_PEAK);
    service_audit(&service, 2 * S);
}
END_TEST

/* Most that was admitted over any window of a line of descent, less what may be: <= 0. The line is
 * that of an item, so its partitions follow one another. */
struct line {
    int64_t excess_ncu; /* a bucket that is full at the start and may owe one request */
    sim_ns updated_ns;
};

static void admit_in_line(struct line *line, sim_ns now_ns, int64_t cost_ncu, int64_t rate) {
    const int64_t refill_ncu = (now_ns - line->updated_ns) * rate;
    const int64_t before = line->excess_ncu - refill_ncu;
    line->excess_ncu = (before > 0 ? before : 0) + cost_ncu;
    line->updated_ns = now_ns;
}

/* Requests of random items, splits that take a while, doublings; all at random. Whatever happens,
 * the audit holds, and no item's line of descent admits more than one partition may. */
static void go_through(uint64_t seed) {
    struct line lines[KEYS][SORTS] = {{{0, 0}}};
    sim_ns now_ns = 0;
    open_service();
    for (uint64_t i = 0; i < 3000; i++) {
        const uint64_t draw = hash_draw(seed, i, 0);
        now_ns += (sim_ns)(draw % (S / 100));
        REQUIRE(service_on_timer(&service, now_ns, &err), "%s", err.text);
        const uint32_t key = (draw >> 20) % 3 == 0 ? 0 : (uint32_t)((draw >> 24) % KEYS);
        const uint32_t sort = (uint32_t)((draw >> 32) % SORTS);
        const uint32_t bytes = 1 + (uint32_t)((draw >> 40) % 100000);
        const struct outcome outcome = submit(now_ns, DDB_PUT_ITEM, items[key][sort], bytes);
        if (outcome.fate == FATE_ADMITTED) {
            admit_in_line(&lines[key][sort], now_ns, outcome.cost_ncu, 1000);
            /* the level goes from full to the debt of one request above the depth */
            REQUIRE(lines[key][sort].excess_ncu <= 1000 * UNIT + outcome.cost_ncu,
                    "seed %" PRIu64 ", request %" PRIu64, seed, i);
        }
        const uint32_t count = service_partition_count(&service, 0);
        struct split_order order = {
            .partition = (uint32_t)(hash_draw(seed, i, 1) % count),
            .cause = PARTITION_HEAT,
            .duration_ns = (sim_ns)(hash_draw(seed, i, 2) % (3 * S)),
        };
        order.cut = i % 2 == 0 ? service_item_place(&service, 0, items[key][sort])
                               : middle_of(order.partition);
        if (i % 50 == 0 && service_may_split(&service, &order)) {
            REQUIRE(service_start_split(&service, now_ns, &order, &err), "%s", err.text);
        }
        if (i % 1000 == 999) {
            REQUIRE(service_double(&service, now_ns, 0, PARTITION_PEAK, &err), "%s", err.text);
        }
        if (i % 100 == 0) {
            service_audit(&service, now_ns);
        }
    }
    service_audit(&service, now_ns);
    REQUIRE(service_event_count(&service) > 20, "seed %" PRIu64 ": few splits", seed);
    service_fini(&service);
}

START_TEST(whatever_splits_and_when_units_are_conserved_and_lines_bounded) {
    for (uint64_t seed = 0; seed < 24; seed++) {
        config.seed = seed;
        config.parameters.era = (int64_t)(seed % 3);
        config.parameters.routers = seed % 2 == 0 ? 0 : 8;
        table.initial_partitions = 1 + (int64_t)(seed % 4);
        table.index_count = (uint32_t)(seed / 3 % 2);
        table.global_index_count = table.index_count;
        go_through(seed);
    }
    open_service(); /* for the end of the fixture */
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/service_splits");
    TCase *tcase = tcase_create("service_splits");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, the_parents_limits_hold_until_the_split_is_over);
    tcase_add_test(tcase, a_cut_within_a_partition_key_parts_its_items);
    tcase_add_test(tcase, doubling_splits_every_open_partition_at_once);
    tcase_add_test(tcase, whatever_splits_and_when_units_are_conserved_and_lines_bounded);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
