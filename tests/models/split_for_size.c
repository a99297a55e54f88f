/* Splits for size and item collections, in a service that small partitions fill. */
#include "models/split_for_size.h"
#include "models/service.h"
#include "models/split_for_heat.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define S SIM_NS_PER_S
#define MB (UINT64_C(1) << 20)
#define ITEMS_MAX 4096

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct index_spec index_spec;
static struct err err;
static sim_ns now_ns;
static uint32_t items[ITEMS_MAX], bytes_of[ITEMS_MAX], item_count;

static void set_up(void) {
    index_spec = (struct index_spec){
        .index_name = "byDue",
        .hash_key = {"PK", 'S'},
        .range_key = {"due", 'S'},
        .projection = PROJECTION_ALL,
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 1,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    table = (struct table_spec){
        .table_name = "table",
        .read_capacity_units = 20000,
        .write_capacity_units = 20000,
        .hash_key = {"PK", 'S'},
        .range_key = {"SK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 2,
        .initial_burst_ns = SPEC_UNKNOWN,
        .indexes = &index_spec,
    };
    config = (struct service_config){.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.part_max_bytes = 8 * (int64_t)MB;
    config.parameters.split_for_heat = SPLIT_FOR_HEAT_OFF;
    config.parameters.part_max_w = 100000;
    now_ns = 0;
    item_count = 0;
}

static void tear_down(void) {
    service_fini(&service);
}

static void open_service(void) {
    REQUIRE(service_init(&service, &config, &err), "%s", err.text);
}

static uint32_t intern(uint32_t key, uint32_t sort, uint32_t initial_bytes) {
    char hash_key[12], range_key[12];
    (void)snprintf(hash_key, sizeof hash_key, "k%u", key);
    (void)snprintf(range_key, sizeof range_key, "%06u", sort);
    const struct key_text text = {hash_key, strlen(hash_key), range_key, 6};
    struct intern_result result;
    REQUIRE(service_intern(&service, 0, &text, initial_bytes, &result, &err), "%s", err.text);
    return result.item;
}

static struct outcome submit(enum ddb_operation operation, uint32_t item, uint32_t bytes) {
    const struct request request = {
        .item = item, .new_bytes = bytes, .router = ROUTER_ANY, .operation = (uint8_t)operation};
    struct outcome outcome;
    if (table.index_count > 0) {
        REQUIRE(service_reserve(&service, 0, 1, &err), "%s", err.text);
    }
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

/* Up to the end of the minute, with all that is due. */
static void close_minute(void) {
    const sim_ns until_ns = (now_ns / HEAT_WINDOW_NS + 1) * HEAT_WINDOW_NS;
    while (now_ns < until_ns) {
        now_ns = (now_ns / S + 1) * S;
        for (sim_ns at_ns; (at_ns = service_next_event_ns(&service)) < now_ns;) {
            REQUIRE(service_on_timer(&service, at_ns, &err), "%s", err.text);
        }
        REQUIRE(service_close_second(&service, now_ns, &err), "%s", err.text);
    }
}

static void put(uint32_t key, uint32_t sort, uint32_t bytes) {
    const uint32_t item = intern(key, sort, 0);
    while (submit(DDB_PUT_ITEM, item, bytes).fate != FATE_ADMITTED) {
        now_ns += S / 10;
    }
    REQUIRE(item < ITEMS_MAX, "%" PRIu32 " items", item);
    items[item] = item;
    bytes_of[item] = bytes;
    item_count = item >= item_count ? item + 1 : item_count;
}

static uint32_t open_partitions(void) {
    struct resource_sample sample;
    service_sample(&service, now_ns, 0, &sample);
    return sample.partitions;
}

/* Bytes by partition, found by a walk over its own book of items. */
static uint64_t bytes_in(uint32_t partition) {
    struct partition_sample of;
    uint64_t bytes = 0;
    service_partition(&service, 0, partition, &of);
    for (uint32_t i = 0; i < item_count; i++) {
        const struct partition_place at = service_item_place(&service, 0, i);
        const bool above = at.hash > of.hash_lo || (at.hash == of.hash_lo && at.sort >= of.sort_lo);
        const bool below = at.hash < of.hash_hi || (at.hash == of.hash_hi && at.sort <= of.sort_hi);
        bytes += above && below ? bytes_of[i] : 0;
    }
    return bytes;
}

START_TEST(a_partition_at_the_limit_is_cut_at_the_median_of_its_bytes) {
    table.initial_partitions = 1;
    open_service();
    for (uint32_t i = 0; i < 300; i++) {
        put(i, 0, i < 100 ? 60000 : 15000); /* 9 MB; key by key */
    }
    close_minute();
    ck_assert_uint_eq(open_partitions(), 1); /* splitting */
    for (int i = 0; i < 10; i++) {
        close_minute();
    }
    ck_assert_uint_eq(open_partitions(), 2);
    struct partition_sample low;
    service_partition(&service, 0, 1, &low);
    ck_assert_int_eq(low.cause, PARTITION_SIZE);
    const double share = (double)bytes_in(1) / (double)bytes_in(0);
    ck_assert_msg(share > 0.48 && share < 0.52, "%g", share);
    ck_assert_uint_eq(bytes_in(1) + bytes_in(2), bytes_in(0));
}
END_TEST

START_TEST(an_item_collection_is_cut_by_sort_keys_unless_there_is_a_local_index) {
    table.initial_partitions = 1;
    table.index_count = (uint32_t)_i;
    open_service();
    for (uint32_t i = 0; i < 200; i++) {
        put(7, i, 45000);
    }
    for (int i = 0; i < 12; i++) {
        close_minute();
    }
    ck_assert_uint_eq(open_partitions(), _i == 0 ? 2 : 1);
    if (_i == 0) {
        const double share = (double)bytes_in(1) / (double)bytes_in(0);
        ck_assert_msg(share > 0.48 && share < 0.52, "%g", share);
        return;
    }
    bool refused = false;
    for (uint32_t i = 0; i < service_event_count(&service); i++) {
        const struct model_event *event = service_event(&service, i);
        refused |=
            event->kind == MODEL_EVENT_SPLIT_REFUSED && event->numbers[1] == SPLIT_LOCAL_INDEX;
    }
    /* the writes beyond the limit were rejected: nothing to split */
    ck_assert(refused || service_stored_bytes(&service, 0) <= 8 * MB);
}
END_TEST

START_TEST(data_that_nobody_touches_counts) {
    table.index_count = 0;
    table.table_size_bytes = 15 * (int64_t)MB; /* 7.5 MB in each of 2 */
    open_service();
    ck_assert_uint_eq(service_stored_bytes(&service, 0), 15 * MB);
    for (uint32_t i = 0; i < 100; i++) {
        put(i, 0, 20000); /* 0.95 MB in each */
    }
    for (int i = 0; i < 11; i++) {
        close_minute();
    }
    ck_assert_uint_eq(open_partitions(), 4);
    ck_assert_uint_eq(service_stored_bytes(&service, 0), 15 * MB + 100 * 20000);
    /* what is met is no longer untouched */
    (void)intern(1000, 0, 4096);
    ck_assert_uint_eq(service_stored_bytes(&service, 0), 15 * MB + 100 * 20000);
}
END_TEST

START_TEST(writes_that_overwrite_never_split) {
    table.initial_partitions = 1;
    open_service();
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < 20; i++) {
            put(i, 0, 300000 - round);
        }
        close_minute();
    }
    ck_assert_uint_eq(open_partitions(), 1);
    ck_assert_uint_eq(service_partition_count(&service, 0), 1);
}
END_TEST

START_TEST(a_full_collection_rejects_what_would_grow_it_and_nothing_else) {
    table.index_count = 1;
    table.initial_partitions = 1;
    open_service();
    ck_assert(service_follows_collections(&service, 0));
    uint32_t stored = 0;
    struct outcome outcome = {.rejected = false};
    while (!outcome.rejected) {
        outcome = submit(DDB_PUT_ITEM, intern(1, stored, 0), 102400);
        ck_assert_int_eq(outcome.fate, FATE_ADMITTED);
        stored += !outcome.rejected;
        now_ns += S / 10;
    }
    ck_assert_uint_eq(stored, 81); /* floor(8 MB / 100 KB): no entry without `due` */
    ck_assert_uint_eq(service_stored_bytes(&service, 0), (uint64_t)81 * 102400);
    ck_assert_int_eq(outcome.cost_ncu, NCU_PER_CU); /* as of a condition that fails */
    ck_assert_uint_eq(service_collection_rejections(&service, 0), 1);
    ck_assert(!submit(DDB_UPDATE_ITEM, intern(1, 0, 0), 102400).rejected);
    ck_assert(submit(DDB_UPDATE_ITEM, intern(1, 0, 0), 102400 + 95000).rejected);
    ck_assert(!submit(DDB_PUT_ITEM, intern(1, 0, 0), 1000).rejected);
    ck_assert(!submit(DDB_PUT_ITEM, intern(2, 0, 0), 102400).rejected); /* another collection */
    ck_assert(!submit(DDB_PUT_ITEM, intern(1, 500, 0), 101400).rejected);
    ck_assert(submit(DDB_PUT_ITEM, intern(1, 501, 0), 102400).rejected);
    ck_assert(!submit(DDB_DELETE_ITEM, intern(1, 5, 0), 0).rejected);
    ck_assert(!submit(DDB_PUT_ITEM, intern(1, 501, 0), 102400).rejected);
    close_minute();
    const uint32_t last = service_event_count(&service) - 1;
    ck_assert_int_eq(service_event(&service, last)->kind, MODEL_EVENT_COLLECTION_FULL);
    ck_assert_int_eq(service_event(&service, last)->numbers[0], 3);
}
END_TEST

/* Random writes: whatever splits, no byte is lost, and each partition is below the limit or on its
 * way to be split. */
START_TEST(bytes_and_items_survive_random_splits) {
    const uint64_t seed = (uint64_t)_i + 1;
    table.initial_partitions = 1 + _i % 3;
    table.index_count = _i % 2 == 0 ? 0 : 1;
    config.seed = seed;
    config.parameters.part_max_bytes = 2 * (int64_t)MB;
    open_service();
    uint64_t total = 0;
    memset(bytes_of, 0, sizeof bytes_of);
    for (uint64_t n = 0; n < 2500; n++) {
        const uint64_t draw = hash_draw(seed, n, 0);
        const uint32_t item = intern((uint32_t)(draw % 11), (uint32_t)(draw >> 8) % 100, 0);
        const uint32_t bytes = 1 + (uint32_t)(draw >> 32) % 40000;
        const enum ddb_operation operation = draw >> 60 == 0 ? DDB_DELETE_ITEM : DDB_PUT_ITEM;
        const struct outcome outcome = submit(operation, item, bytes);
        item_count = item >= item_count ? item + 1 : item_count;
        if (outcome.fate == FATE_ADMITTED && !outcome.rejected) {
            total -= bytes_of[item];
            bytes_of[item] = operation == DDB_DELETE_ITEM ? 0 : bytes;
            total += bytes_of[item];
        }
        if (n % 100 == 99) {
            close_minute();
            REQUIRE(service_stored_bytes(&service, 0) == total,
                    "seed %" PRIu64 ": %" PRIu64 " bytes, expected %" PRIu64, seed,
                    service_stored_bytes(&service, 0), total);
            service_audit(&service, now_ns);
        }
    }
    uint64_t open_bytes = 0;
    for (uint32_t i = 0; i < service_partition_count(&service, 0); i++) {
        struct partition_sample of;
        service_partition(&service, 0, i, &of);
        open_bytes += of.closed_ns == -1 ? bytes_in(i) : 0;
        REQUIRE(of.closed_ns == -1 || of.cause == PARTITION_CREATED || of.cause == PARTITION_SIZE,
                "seed %" PRIu64, seed);
    }
    REQUIRE(open_bytes == total, "seed %" PRIu64, seed);
    REQUIRE(table.index_count == 1 || open_partitions() >= total / (2 * MB), "seed %" PRIu64, seed);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("split_for_size");
    TCase *tcase = tcase_create("split_for_size");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_partition_at_the_limit_is_cut_at_the_median_of_its_bytes);
    tcase_add_loop_test(tcase, an_item_collection_is_cut_by_sort_keys_unless_there_is_a_local_index,
                        0, 2);
    tcase_add_test(tcase, data_that_nobody_touches_counts);
    tcase_add_test(tcase, writes_that_overwrite_never_split);
    tcase_add_test(tcase, a_full_collection_rejects_what_would_grow_it_and_nothing_else);
    tcase_add_loop_test(tcase, bytes_and_items_survive_random_splits, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
