/* Scan: pages, segments, what is counted, and what a page takes. */
#include "models/scan.h"

#include "models/service_scan.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct model_parameters parameters;
static struct partition_set set;
static struct scan_contents contents;
static struct service service;
static struct table_spec table;
static struct service_scan scan;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
    parameters.routers = 0;
    contents = (struct scan_contents){.is_counted = false};
    table = (struct table_spec){
        .table_name = "items",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 25,
        .write_capacity_units = 25,
        .hash_key = {"PK", 'S'},
        .item_count = 5000,
        .table_size_bytes = 5209783,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
}

static void tear_down(void) {
    arena_fini(&arena);
    service_fini(&service);
}

static void open_set(uint32_t count, uint64_t items, uint64_t bytes) {
    ck_assert(partition_set_init(&set, &arena, count, &parameters, &err));
    ck_assert(scan_contents_begin(&contents, &arena, &set, 0, &err));
    scan_contents_spread(&contents, &set, items, bytes);
}

/* Splits at random places, within keys, too. */
static void split_at_random(uint64_t seed, uint32_t splits) {
    for (uint32_t i = 0; i < splits; i++) {
        const uint32_t partition = (uint32_t)hash_below(hash_draw(seed, i, 0), set.count);
        const struct partition *of = &set.partitions[partition];
        const uint64_t span = of->hash_hi - of->hash_lo, draw = hash_draw(seed, i, 1);
        const struct partition_place cut = {
            .hash = of->hash_lo + (span == UINT64_MAX ? draw : hash_below(draw, span + 1)),
            .sort = draw % 3 == 0 ? hash_draw(seed, i, 2) : 0};
        ck_assert(partition_set_reserve(&set, 1, &err));
        if (partition_set_may_split(&set, partition, &cut)) {
            partition_set_split(&set, 0, partition, &cut, PARTITION_HEAT);
        }
    }
}

START_TEST(full_pages_end_with_the_item_that_crosses_1_mb) {
    open_set(1, 5000, 5209783);
    struct scan_range range = scan_range_of(0, 1);
    static const uint64_t items[] = {1007, 1007, 1007, 1007, 972},
                          half_units[] = {257, 257, 257, 257, 248};
    for (size_t i = 0; i < 5; i++) {
        struct scan_page page;
        uint64_t halves[SCAN_PARTS_MAX];
        scan_page_read(&contents, &set, &range, 0, SCAN_PARTS_MAX, &page);
        ck_assert_uint_eq(page.count, 1);
        ck_assert_uint_eq(page.parts[0].items, items[i]);
        scan_page_half_units(&page, false, halves);
        ck_assert_uint_eq(halves[0], half_units[i]);
        scan_page_half_units(&page, true, halves);
        ck_assert_uint_eq(halves[0], 2 * half_units[i]);
        range = page.rest;
        ck_assert_int_eq(range.is_done, i == 4);
    }
}
END_TEST

/* Partitions in the order of their places tile the key space. */
START_TEST(open_partitions_follow_one_another) {
    open_set(3, 0, 0);
    split_at_random((uint64_t)_i, 40);
    uint32_t open = 0, before = UINT32_MAX;
    for (uint32_t i = partition_set_first_open(&set); i != UINT32_MAX;
         i = partition_set_next_open(&set, i)) {
        const struct partition *of = &set.partitions[i];
        ck_assert(partition_is_open(of));
        if (before == UINT32_MAX) {
            ck_assert_uint_eq(of->hash_lo, 0);
        } else {
            const struct partition *last = &set.partitions[before];
            ck_assert(of->sort_lo == 0
                          ? last->hash_hi + 1 == of->hash_lo
                          : last->hash_hi == of->hash_lo && last->sort_hi + 1 == of->sort_lo);
        }
        before = i;
        open++;
    }
    ck_assert_uint_eq(open, set.open_count);
    ck_assert_uint_eq(set.partitions[before].hash_hi, UINT64_MAX);
}
END_TEST

/* Whatever the layout, segments, Limit and partitions a page: all items once, and their bytes. */
START_TEST(pages_read_every_item_once) {
    const uint64_t seed = (uint64_t)_i;
    const uint64_t items = hash_below(hash_draw(seed, 0, 7), 30000);
    const uint64_t bytes = items * (1 + hash_below(hash_draw(seed, 1, 7), 3000));
    const uint32_t segments = 1 + (uint32_t)hash_below(hash_draw(seed, 2, 7), 9);
    const uint64_t limit = seed % 2 == 0 ? 0 : 1 + hash_below(hash_draw(seed, 3, 7), 5000);
    const uint32_t parts_max = 1 + (uint32_t)hash_below(hash_draw(seed, 4, 7), SCAN_PARTS_MAX);
    ck_assert(partition_set_init(&set, &arena, 1 + (uint32_t)(seed % 5), &parameters, &err));
    split_at_random(seed, (uint32_t)(seed % 30));
    ck_assert(scan_contents_begin(&contents, &arena, &set, 0, &err));
    scan_contents_spread(&contents, &set, items, bytes);
    uint64_t items_read = 0, bytes_read = 0;
    for (uint32_t segment = 0; segment < segments; segment++) {
        struct scan_range range = scan_range_of(segment, segments);
        uint64_t last_place = 0;
        while (!range.is_done) {
            struct scan_page page;
            uint64_t page_items = 0, page_bytes = 0;
            scan_page_read(&contents, &set, &range, limit, parts_max, &page);
            REQUIRE(page.count >= 1 && page.count <= parts_max, "seed %" PRIu64, seed);
            for (uint32_t i = 0; i < page.count; i++) {
                REQUIRE(partition_is_open(&set.partitions[page.parts[i].partition]),
                        "seed %" PRIu64, seed);
                page_items += page.parts[i].items;
                page_bytes += page.parts[i].bytes;
            }
            REQUIRE(limit == 0 || page_items <= limit, "seed %" PRIu64, seed);
            REQUIRE(page_bytes < 1048576 + 3001 + SCAN_PARTS_MAX, "seed %" PRIu64, seed);
            REQUIRE(page.parts[0].hash >= last_place, "seed %" PRIu64, seed);
            last_place = page.parts[0].hash;
            items_read += page_items;
            bytes_read += page_bytes;
            range = page.rest;
        }
    }
    ck_assert_msg(items_read == items && bytes_read == bytes,
                  "seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " items, %" PRIu64 " of %" PRIu64
                  " bytes",
                  seed, items_read, items, bytes_read, bytes);
}
END_TEST

START_TEST(a_page_costs_a_unit_for_each_partition_it_searches) {
    open_set(8, 0, 0);
    const struct scan_range range = scan_range_of(0, 1);
    struct scan_page page;
    uint64_t halves[SCAN_PARTS_MAX], sum = 0;
    scan_page_read(&contents, &set, &range, 0, SCAN_PARTS_MAX, &page);
    ck_assert_uint_eq(page.count, 8);
    ck_assert(page.rest.is_done);
    scan_page_half_units(&page, false, halves);
    for (uint32_t i = 0; i < 8; i++) {
        sum += halves[i];
    }
    ck_assert_uint_eq(sum, 8);
    scan_page_read(&contents, &set, &range, 0, 3, &page);
    ck_assert_uint_eq(page.count, 3);
    ck_assert(!page.rest.is_done);
}
END_TEST

static void open_service(uint32_t index) {
    const struct service_config config = {
        .tables = &table, .table_count = 1, .seed = 1, .parameters = parameters};
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    service_scan_init(&scan, &service, 0, index, &table);
}

static struct outcome outcomes[SCAN_PARTS_MAX];
static struct scan_range rest;

/* One page from the beginning on; how many outcomes it has. */
static uint32_t read_page(sim_ns now_ns, bool consistent_read) {
    const struct scan_range all = scan_range_of(0, 1);
    const struct service_scan_request request = {
        .range = &all, .router = ROUTER_ANY, .consistent_read = consistent_read};
    uint32_t count;
    REQUIRE(service_scan_page(&service, &scan, now_ns, &request, outcomes, &count, &rest, &err),
            "%s", err.text);
    return count;
}

START_TEST(a_page_takes_of_the_table_once_and_of_each_partition_its_part) {
    table.initial_partitions = 4;
    table.item_count = 400;
    table.table_size_bytes = 400 * 1000;
    open_service(SERVICE_SCAN_TABLE);
    ck_assert_uint_eq(read_page(0, true), 4);
    int64_t cost_ncu = 0;
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(outcomes[i].fate, FATE_ADMITTED);
        ck_assert_int_eq(outcomes[i].is_part, i > 0);
        ck_assert_uint_eq(outcomes[i].key, OUTCOME_NO_KEY);
        ck_assert_uint_eq(outcomes[i].partition, i);
        ck_assert_uint_eq(outcomes[i].item, i << 30);
        cost_ncu += outcomes[i].cost_ncu;
    }
    ck_assert_int_eq(cost_ncu, 98 * NCU_PER_CU); /* 400,000 / 4,096, rounded up */
    ck_assert(rest.is_done);
    struct resource_sample sample;
    service_sample(&service, 0, 0, &sample);
    ck_assert_int_eq(sample.burst_rncu, (7500 - 98) * NCU_PER_CU);
    service_audit(&service, 1);
}
END_TEST

START_TEST(a_page_is_let_in_while_anything_is_left_and_leaves_a_debt) {
    table.initial_burst_ns = 4 * SIM_NS_PER_S; /* 100 units */
    open_service(SERVICE_SCAN_TABLE);
    ck_assert_uint_eq(read_page(0, false), 1);
    ck_assert_int_eq(outcomes[0].fate, FATE_ADMITTED);
    ck_assert(!rest.is_done);
    ck_assert_uint_eq(read_page(SIM_NS_PER_S, false), 1); /* 28.5 are owed, 25 have come */
    ck_assert_int_eq(outcomes[0].fate, FATE_THROTTLED);
    ck_assert_uint_eq(outcomes[0].reasons, REASON_BIT(REASON_TABLE_READ_PROVISIONED));
    ck_assert_int_eq(outcomes[0].cost_ncu, 257 * HALF_UNIT_NCU);
    ck_assert_uint_eq(rest.next.hash, 0); /* nothing was read */
    ck_assert_uint_eq(read_page(2 * SIM_NS_PER_S, false), 1);
    ck_assert_int_eq(outcomes[0].fate, FATE_ADMITTED);
    service_audit(&service, 2 * SIM_NS_PER_S);
}
END_TEST

START_TEST(eras_with_shares_ask_the_share_of_each_partition) {
    parameters.era = ERA_STATIC;
    table.initial_partitions = 5;
    table.item_count = 100;
    table.table_size_bytes = 100 * 40000;
    table.initial_burst_ns = 2 * SIM_NS_PER_S;
    open_service(SERVICE_SCAN_TABLE);
    ck_assert_uint_eq(read_page(0, true), 2); /* a fifth of the 100 items, and 7 more */
    ck_assert_int_eq(outcomes[0].fate, FATE_ADMITTED);
    ck_assert_uint_eq(read_page(1, true), 1);
    ck_assert_int_eq(outcomes[0].fate, FATE_THROTTLED);
    ck_assert_uint_eq(outcomes[0].reasons, REASON_BIT(REASON_TABLE_READ_PROVISIONED));
    service_audit(&service, 1);
}
END_TEST

/* Half units that a full scan of one page costs. */
static int64_t scan_half_units(sim_ns now_ns) {
    const uint32_t count = read_page(now_ns, false);
    int64_t half_units = 0;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(outcomes[i].fate == FATE_ADMITTED, "refused");
        half_units += outcomes[i].cost_ncu / HALF_UNIT_NCU;
    }
    REQUIRE(rest.is_done, "a second page");
    return half_units;
}

static struct intern_result intern(const char *name, uint32_t bytes) {
    const struct key_text text = {.hash_key = name, .hash_key_bytes = strlen(name)};
    struct intern_result result;
    REQUIRE(service_intern(&service, 0, &text, bytes, &result, &err), "%s", err.text);
    return result;
}

static void write(sim_ns now_ns, uint32_t item, enum ddb_operation operation, uint32_t bytes,
                  const struct attribute_value *value) {
    static const uint32_t first[] = {0};
    const struct request request = {
        .item = item,
        .new_bytes = bytes,
        .router = ROUTER_ANY,
        .operation = (uint8_t)operation,
        .attributes = first,
        .values = value,
        .attribute_count = value != NULL,
    };
    struct outcome outcome;
    REQUIRE(table.index_count == 0 || service_reserve(&service, 0, 1, &err), "%s", err.text);
    service_submit(&service, now_ns, &request, &outcome);
    REQUIRE(outcome.fate == FATE_ADMITTED, "refused");
}

START_TEST(what_the_run_writes_is_read_and_what_it_deletes_is_not) {
    table.item_count = 10;
    table.table_size_bytes = 10 * 4096;
    table.write_capacity_units = 1000;
    open_service(SERVICE_SCAN_TABLE);
    ck_assert_int_eq(scan_half_units(0), 10);
    const uint32_t found = intern("found", 4096).item, made = intern("made", 0).item;
    ck_assert_int_eq(scan_half_units(SIM_NS_PER_S), 10); /* one of the ten, and none yet */
    write(SIM_NS_PER_S, made, DDB_PUT_ITEM, 3 * 4096, NULL);
    ck_assert_int_eq(scan_half_units(3 * SIM_NS_PER_S / 2), 10); /* counted once a second */
    ck_assert_int_eq(scan_half_units(2 * SIM_NS_PER_S), 13);
    write(2 * SIM_NS_PER_S, found, DDB_DELETE_ITEM, 0, NULL);
    ck_assert_int_eq(scan_half_units(3 * SIM_NS_PER_S), 12);
}
END_TEST

START_TEST(a_scan_of_an_index_reads_its_entries) {
    static const struct index_spec by_status = {.index_name = "byStatus",
                                                .is_global = true,
                                                .hash_key = {"status", 'S'},
                                                .projection = PROJECTION_ALL,
                                                .read_capacity_units = 100,
                                                .write_capacity_units = 100,
                                                .index_size_bytes = 5 * 4096,
                                                .initial_burst_ns = SPEC_UNKNOWN};
    table.indexes = &by_status;
    table.index_count = table.global_index_count = 1;
    table.item_count = 10;
    table.table_size_bytes = 10 * 4096;
    table.write_capacity_units = 1000;
    open_service(0);
    ck_assert_uint_eq(scan.resource, 1);
    ck_assert_int_eq(scan_half_units(0), 5);
    struct attribute_value open;
    ck_assert(service_intern_value(&service, 0, 0, "OPEN", 4, &open, &err));
    const uint32_t with = intern("with", 0).item, without = intern("without", 0).item;
    write(0, with, DDB_PUT_ITEM, 4096, &open);
    write(0, without, DDB_PUT_ITEM, 4096, NULL);
    ck_assert_int_eq(scan_half_units(SIM_NS_PER_S), 6);
    ck_assert_uint_eq(outcomes[0].resource, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/scan");
    TCase *tcase = tcase_create("scan");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, full_pages_end_with_the_item_that_crosses_1_mb);
    tcase_add_loop_test(tcase, open_partitions_follow_one_another, 0, 20);
    tcase_add_loop_test(tcase, pages_read_every_item_once, 0, 60);
    tcase_add_test(tcase, a_page_costs_a_unit_for_each_partition_it_searches);
    tcase_add_test(tcase, a_page_takes_of_the_table_once_and_of_each_partition_its_part);
    tcase_add_test(tcase, a_page_is_let_in_while_anything_is_left_and_leaves_a_debt);
    tcase_add_test(tcase, eras_with_shares_ask_the_share_of_each_partition);
    tcase_add_test(tcase, what_the_run_writes_is_read_and_what_it_deletes_is_not);
    tcase_add_test(tcase, a_scan_of_an_index_reads_its_entries);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
