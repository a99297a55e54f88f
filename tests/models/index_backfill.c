/* Global indexes that are made and deleted while the service runs. */
#include "models/index_backfill.h"
#include "models/service.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define S SIM_NS_PER_S
enum { ITEMS = 3000 };

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct index_spec index_spec;
static struct err err;
static sim_ns now_ns;

static void set_up(void) {
    index_spec = (struct index_spec){
        .index_name = "byStatus",
        .is_global = true,
        .is_added = true,
        .hash_key = {"status", 'S'},
        .projection = PROJECTION_ALL,
        .read_capacity_units = 100,
        .write_capacity_units = 50,
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 2,
        .initial_burst_ns = 0,
    };
    table = (struct table_spec){
        .table_name = "table",
        .read_capacity_units = 4000,
        .write_capacity_units = 4000,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = 4,
        .initial_burst_ns = SPEC_UNKNOWN,
        .indexes = &index_spec,
        .index_count = 1,
        .global_index_count = 1,
    };
    config = (struct service_config){.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.update_table_median = 10 * S;
    config.parameters.update_table_p99 = 10 * S;
    now_ns = 0;
}

static void tear_down(void) {
    service_fini(&service);
}

static void run_timers(void) {
    for (sim_ns at_ns; (at_ns = service_next_event_ns(&service)) <= now_ns;) {
        REQUIRE(service_on_timer(&service, at_ns, &err), "%s", err.text);
    }
}

static struct outcome put(uint32_t number, uint32_t status, uint32_t bytes) {
    char name[12], text[4];
    (void)snprintf(name, sizeof name, "k%u", number);
    (void)snprintf(text, sizeof text, "s%u", status % 10);
    const struct key_text key = {name, strlen(name), NULL, 0};
    const uint32_t attribute = service_attribute(&service, 0, "status");
    struct intern_result result;
    struct attribute_value value;
    REQUIRE(service_intern(&service, 0, &key, 0, &result, &err) &&
                service_intern_value(&service, 0, attribute, text, 2, &value, &err) &&
                service_reserve(&service, 0, 1, &err),
            "%s", err.text);
    const struct request request = {
        .item = result.item,
        .new_bytes = bytes,
        .router = ROUTER_ANY,
        .operation = DDB_PUT_ITEM,
        .attributes = &attribute,
        .values = &value,
        .attribute_count = 1,
    };
    struct outcome outcome;
    run_timers();
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

static struct outcome query(void) {
    const struct request request = {
        .table = 1, .new_bytes = 100, .router = ROUTER_ANY, .operation = DDB_QUERY};
    struct outcome outcome;
    service_submit(&service, now_ns, &request, &outcome);
    return outcome;
}

static void close_second(void) {
    now_ns = (now_ns / S + 1) * S;
    for (sim_ns at_ns; (at_ns = service_next_event_ns(&service)) < now_ns;) {
        REQUIRE(service_on_timer(&service, at_ns, &err), "%s", err.text);
    }
    REQUIRE(service_close_second(&service, now_ns, &err), "%s", err.text);
}

static enum change_answer update(uint32_t creates, uint32_t deletes) {
    struct table_update call = table_update_nothing();
    struct change_reply reply;
    call.creates = creates;
    call.deletes = deletes;
    REQUIRE(service_update_table(&service, now_ns, 0, &call, &reply, &err), "%s", err.text);
    return reply.answer;
}

/* The time of the first event of that kind, -1: none. */
static sim_ns time_of(enum model_event_kind kind) {
    for (uint32_t i = 0; i < service_event_count(&service); i++) {
        if (service_event(&service, i)->kind == kind) {
            return service_event(&service, i)->at_ns;
        }
    }
    return -1;
}

static void fill(void) {
    REQUIRE(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < ITEMS; i++) {
        REQUIRE(put(i, i, 2048).fate == FATE_ADMITTED, "%" PRIu32, i);
        now_ns += S / 1000;
    }
}

static uint32_t entries_until(sim_ns until_ns) {
    const struct index_write *writes;
    uint32_t count, sum = 0;
    while ((count = service_index_writes(&service, 1, until_ns, &writes)) > 0) {
        sum += count;
    }
    return sum;
}

START_TEST(before_it_is_made_an_index_owes_nothing_and_is_not_read) {
    fill();
    ck_assert_uint_eq(entries_until(now_ns += S), 0);
    const struct outcome outcome = query();
    ck_assert(outcome.rejected);
    ck_assert_int_eq(outcome.cost_ncu, 0);
    ck_assert_uint_eq(service_early_reads(&service, 1), 1);
    struct resource_sample sample;
    service_sample(&service, now_ns, 1, &sample);
    ck_assert_uint_eq(sample.partitions, 0);
}
END_TEST

/* 6,000 units, of which the fuller of two partitions has at least half. */
START_TEST(a_build_lasts_by_the_caps_or_by_the_indexs_capacity) {
    config.parameters.backfill_capacity = _i == 0 ? BACKFILL_SYSTEM : BACKFILL_INDEX;
    fill();
    ck_assert_int_eq(update(1, 0), CHANGE_ACCEPTED);
    while (time_of(MODEL_EVENT_INDEX_ACTIVE) < 0) {
        close_second();
        REQUIRE(now_ns < 1000 * S, "not active");
    }
    const sim_ns lasted_ns =
        time_of(MODEL_EVENT_INDEX_ACTIVE) - time_of(MODEL_EVENT_INDEX_BACKFILLING);
    if (_i == 0) {
        ck_assert(lasted_ns >= 2 * S && lasted_ns <= 6 * S);
    } else {
        ck_assert(lasted_ns >= 119 * S && lasted_ns <= 121 * S); /* 6,000 / 50 */
    }
    ck_assert_int_eq(time_of(MODEL_EVENT_INDEX_BACKFILLING), 13 * S);
    ck_assert(!query().rejected);
    service_audit(&service, now_ns);
}
END_TEST

START_TEST(one_index_is_made_at_a_time) {
    config.parameters.backfill_capacity = BACKFILL_INDEX;
    fill();
    ck_assert_int_eq(update(1, 0), CHANGE_ACCEPTED);
    ck_assert_int_eq(update(1, 0), CHANGE_IN_USE);
    while (time_of(MODEL_EVENT_INDEX_BACKFILLING) < 0) {
        close_second();
    }
    ck_assert_int_eq(update(0, 1), CHANGE_INDEX_BUILDING);
    while (time_of(MODEL_EVENT_INDEX_ACTIVE) < 0) {
        close_second();
    }
    ck_assert_int_eq(update(0, 1), CHANGE_ACCEPTED);
    ck_assert(query().rejected);
    const uint32_t before = entries_until(now_ns += S);
    (void)put(1, 9, 2048);
    ck_assert_uint_eq(before, 0);
    ck_assert_uint_eq(entries_until(now_ns += S), 0);
}
END_TEST

START_TEST(items_that_nobody_touched_are_built_too) {
    table.item_count = 100000;
    table.table_size_bytes = 300000000; /* 3 units each */
    fill();
    ck_assert_int_eq(update(1, 0), CHANGE_ACCEPTED);
    while (time_of(MODEL_EVENT_INDEX_BACKFILLING) < 0) {
        close_second();
    }
    const struct model_event *event = service_event(&service, 1);
    ck_assert_int_eq(event->kind, MODEL_EVENT_INDEX_BACKFILLING);
    ck_assert_int_ge(event->numbers[0], 2 * ITEMS + 3 * (100000 - ITEMS) - 2);
    ck_assert_int_le(event->numbers[0], 2 * ITEMS + 3 * (100000 - ITEMS));
}
END_TEST

/* Writes, splits, audits while the index is made and deleted: audits hold, and it gets ready. */
START_TEST(a_build_survives_random_writes_and_splits) {
    const uint64_t seed = (uint64_t)_i + 1;
    config.seed = seed;
    config.parameters.backfill_capacity = _i % 2 == 0 ? BACKFILL_SYSTEM : BACKFILL_INDEX;
    config.parameters.part_max_w = 400;
    config.parameters.split_duration_max = config.parameters.split_duration_min;
    index_spec.write_capacity_units = 100 + 100 * (_i % 3);
    table.initial_partitions = 20;
    fill();
    uint32_t deleted = 0;
    for (uint64_t n = 0; n < 200; n++) {
        for (uint64_t k = 0; k < 20; k++) {
            const uint64_t draw = hash_draw(seed, n, k);
            (void)put((uint32_t)(draw % (2 * ITEMS)), (uint32_t)(draw >> 40) % 10, 1500);
            now_ns += (sim_ns)(draw >> 20) % (S / 25);
        }
        run_timers();
        if (n == 3) {
            REQUIRE(update(1, 0) == CHANGE_ACCEPTED, "seed %" PRIu64, seed);
        } else if (n % 17 == 16) {
            REQUIRE(service_double(&service, now_ns, 1, PARTITION_THROUGHPUT, &err), "%s",
                    err.text);
        } else if (time_of(MODEL_EVENT_INDEX_ACTIVE) >= 0 && deleted == 0 && n > 190) {
            deleted += update(0, 1) == CHANGE_ACCEPTED;
        }
        close_second();
        (void)entries_until(now_ns);
        service_audit(&service, now_ns);
    }
    REQUIRE(time_of(MODEL_EVENT_INDEX_ACTIVE) >= 0, "seed %" PRIu64, seed);
    REQUIRE(deleted == 1, "seed %" PRIu64, seed);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("index_backfill");
    TCase *tcase = tcase_create("index_backfill");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, before_it_is_made_an_index_owes_nothing_and_is_not_read);
    tcase_add_loop_test(tcase, a_build_lasts_by_the_caps_or_by_the_indexs_capacity, 0, 2);
    tcase_add_test(tcase, one_index_is_made_at_a_time);
    tcase_add_test(tcase, items_that_nobody_touched_are_built_too);
    tcase_add_loop_test(tcase, a_build_survives_random_writes_and_splits, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
