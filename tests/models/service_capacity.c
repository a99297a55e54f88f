/* UpdateTable and on-demand peaks, on tables that are served meanwhile. */
#include "models/service.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1024 };

static struct service service;
static struct service_config config;
static struct table_spec table;
static struct err err;

static const struct index_spec index_spec = {
    .index_name = "byStatus",
    .is_global = true,
    .hash_key = {"status", 'S'},
    .read_capacity_units = 100,
    .write_capacity_units = 100,
    .index_size_bytes = SPEC_UNKNOWN,
    .initial_burst_ns = SPEC_UNKNOWN,
};

static void set_up(int64_t reads, int64_t writes) {
    table = (struct table_spec){
        .table_name = "table",
        .billing_mode = reads == 0 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED,
        .read_capacity_units = reads,
        .write_capacity_units = writes,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = 0,
    };
    config = (struct service_config){
        .tables = &table,
        .table_count = 1,
        .seed = 1,
        .quotas = {40000, 40000, 80000, 80000},
        .start_epoch_s = INT64_C(1767225600),
    };
    model_parameters_default(&config.parameters);
    config.parameters.update_table_median = config.parameters.update_table_p99 = 10 * SIM_NS_PER_S;
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

static uint32_t open_partitions(uint32_t resource, sim_ns now_ns) {
    struct resource_sample sample;
    service_sample(&service, now_ns, resource, &sample);
    return sample.partitions;
}

static struct change_reply update(sim_ns now_ns, const struct table_update *call) {
    struct change_reply reply;
    ck_assert(service_update_table(&service, now_ns, 0, call, &reply, &err));
    return reply;
}

/* Puts at an even rate from … to, all timers on the way; returns what was admitted. */
static uint64_t load(sim_ns from_ns, sim_ns to_ns, int64_t per_s) {
    uint64_t admitted = 0;
    for (sim_ns now_ns = from_ns; now_ns < to_ns; now_ns += SIM_NS_PER_S / per_s) {
        const struct request request = {.item = (uint32_t)hash_draw(5, (uint64_t)now_ns, 0) % ITEMS,
                                        .new_bytes = 500,
                                        .router = ROUTER_ANY,
                                        .operation = DDB_PUT_ITEM};
        struct outcome outcome;
        if (service_next_event_ns(&service) <= now_ns &&
            !service_on_timer(&service, now_ns, &err)) {
            ck_abort_msg("%s", err.text);
        }
        service_submit(&service, now_ns, &request, &outcome);
        admitted += outcome.fate == FATE_ADMITTED;
    }
    if (service_next_event_ns(&service) <= to_ns && !service_on_timer(&service, to_ns, &err)) {
        ck_abort_msg("%s", err.text);
    }
    service_audit(&service, to_ns);
    return admitted;
}

/* To on-demand, by AWS's examples: D4. */
START_TEST(a_switch_keeps_what_was_ever_provisioned_and_gives_at_least_4000_writes) {
    const struct {
        struct capacity_units now, once;
        uint32_t partitions;
    } rows[] = {{{100, 100}, {0, 0}, 4},
                {{24000, 8000}, {0, 0}, 8},
                {{10, 10}, {10000, 10000}, 10},
                {{3000, 3000}, {0, 0}, 6}}; /* 3 partitions double */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table_update call = table_update_nothing();
        set_up(rows[i].now.read, rows[i].now.write);
        table.throughput.highest_provisioned = rows[i].once;
        open_service();
        call.sets_billing_mode = true;
        call.billing_mode = BILLING_PAY_PER_REQUEST;
        const struct change_reply reply = update(SIM_NS_PER_S, &call);
        ck_assert_int_eq(reply.answer, CHANGE_ACCEPTED);
        ck_assert_int_eq(reply.done_ns, SIM_NS_PER_S + 5 * SIM_NS_PER_MIN);
        ck_assert_int_eq(service_next_event_ns(&service), reply.done_ns);
        ck_assert(service_on_timer(&service, reply.done_ns, &err));
        ck_assert_msg(open_partitions(0, reply.done_ns) == rows[i].partitions, "row %zu: %u", i,
                      open_partitions(0, reply.done_ns));
        service_audit(&service, reply.done_ns);
        service_fini(&service);
    }
}
END_TEST

START_TEST(the_old_throughput_holds_during_a_switch_and_the_new_one_after_it) {
    struct table_update call = table_update_nothing();
    set_up(100, 100);
    open_service();
    call.sets_billing_mode = true;
    call.billing_mode = BILLING_PAY_PER_REQUEST;
    (void)update(0, &call);
    const uint64_t during = load(0, 100 * SIM_NS_PER_S, 1000);
    ck_assert_uint_le(during, 10001);
    ck_assert_uint_ge(during, 9000);
    (void)load(100 * SIM_NS_PER_S, 301 * SIM_NS_PER_S, 100);
    const uint64_t after = load(301 * SIM_NS_PER_S, 311 * SIM_NS_PER_S, 3000);
    ck_assert_uint_ge(after, 30000); /* all of it */
    /* and back: as a new table, with what burst_initial_s says */
    struct table_update back = table_update_nothing();
    back.sets_billing_mode = true;
    back.billing_mode = BILLING_PROVISIONED;
    back.provisioned[0] = (struct capacity_units){50, 50};
    ck_assert_int_eq(update(311 * SIM_NS_PER_S, &back).answer, CHANGE_ACCEPTED);
    ck_assert_uint_eq(load(311 * SIM_NS_PER_S, 611 * SIM_NS_PER_S, 500), 150000);
    (void)load(611 * SIM_NS_PER_S, 700 * SIM_NS_PER_S, 500);
    const uint64_t provisioned = load(700 * SIM_NS_PER_S, 800 * SIM_NS_PER_S, 500);
    ck_assert_uint_le(provisioned, 5600);
    ck_assert_uint_eq(open_partitions(0, 800 * SIM_NS_PER_S), 4); /* never merged */
    service_fini(&service);
}
END_TEST

START_TEST(more_units_come_when_they_are_in_force_and_split_what_cannot_carry_them) {
    struct table_update call = table_update_nothing();
    set_up(1000, 1000);
    config.parameters.split_duration_min = config.parameters.split_duration_max = 20 * SIM_NS_PER_S;
    open_service();
    call.provisioned[0] = (struct capacity_units){1000, 3000};
    const struct change_reply reply = update(0, &call);
    ck_assert_int_eq(reply.done_ns, 50 * SIM_NS_PER_S); /* two doublings */
    ck_assert_uint_le(load(0, 49 * SIM_NS_PER_S, 2500), 50100);
    ck_assert_uint_eq(open_partitions(0, 49 * SIM_NS_PER_S), 1);
    (void)load(49 * SIM_NS_PER_S, 60 * SIM_NS_PER_S, 2500);
    ck_assert_uint_eq(open_partitions(0, 60 * SIM_NS_PER_S), 4);
    ck_assert_uint_ge(load(60 * SIM_NS_PER_S, 80 * SIM_NS_PER_S, 2500), 49000);
    service_fini(&service);
}
END_TEST

START_TEST(less_units_cut_what_is_saved) {
    struct table_update call = table_update_nothing();
    struct resource_sample sample;
    set_up(1000, 1000);
    table.initial_burst_ns = SPEC_UNKNOWN;
    open_service();
    call.provisioned[0] = (struct capacity_units){10, 10};
    (void)update(0, &call);
    (void)load(0, 20 * SIM_NS_PER_S, 10);
    service_sample(&service, 20 * SIM_NS_PER_S, 0, &sample);
    ck_assert_int_eq(sample.provisioned_wcu, 10);
    ck_assert_int_eq(sample.burst_max_wncu, 3000 * NCU_PER_CU);
    ck_assert_int_le(sample.burst_wncu, 3000 * NCU_PER_CU);
    service_audit(&service, 20 * SIM_NS_PER_S);
    service_fini(&service);
}
END_TEST

START_TEST(an_index_has_changes_of_its_own_and_follows_its_table_to_on_demand) {
    struct table_update call = table_update_nothing();
    struct resource_sample sample;
    set_up(100, 100);
    table.indexes = &index_spec;
    table.index_count = table.global_index_count = 1;
    open_service();
    call.provisioned[1] = (struct capacity_units){200, 2500};
    (void)update(0, &call);
    ck_assert(service_on_timer(&service, 3600 * SIM_NS_PER_S, &err));
    service_sample(&service, 3600 * SIM_NS_PER_S, 1, &sample);
    ck_assert_int_eq(sample.provisioned_wcu, 2500);
    ck_assert_uint_eq(sample.partitions, 4);
    service_sample(&service, 3600 * SIM_NS_PER_S, 0, &sample);
    ck_assert_int_eq(sample.provisioned_wcu, 100);
    ck_assert_uint_eq(sample.partitions, 1);
    call = table_update_nothing();
    call.sets_billing_mode = true;
    call.billing_mode = BILLING_PAY_PER_REQUEST;
    (void)update(3600 * SIM_NS_PER_S, &call);
    ck_assert(service_on_timer(&service, 4000 * SIM_NS_PER_S, &err));
    service_sample(&service, 4000 * SIM_NS_PER_S, 1, &sample);
    ck_assert_int_eq(sample.provisioned_wcu, -1);
    ck_assert_uint_eq(sample.partitions, 4);
    service_audit(&service, 4000 * SIM_NS_PER_S);
    service_fini(&service);
}
END_TEST

START_TEST(a_call_is_an_event_of_what_it_sets_units_of) {
    const struct {
        struct capacity_units of_table, of_index;
        uint32_t count, resources[2]; /* events of each of accepted and completed */
    } rows[] = {{{200, 200}, {UPDATE_KEEPS, UPDATE_KEEPS}, 1, {0}},
                {{UPDATE_KEEPS, UPDATE_KEEPS}, {UPDATE_KEEPS, 300}, 1, {1}},
                {{UPDATE_KEEPS, 200}, {200, UPDATE_KEEPS}, 2, {0, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table_update call = table_update_nothing();
        set_up(100, 100);
        table.indexes = &index_spec;
        table.index_count = table.global_index_count = 1;
        open_service();
        call.provisioned[0] = rows[i].of_table;
        call.provisioned[1] = rows[i].of_index;
        ck_assert_int_eq(update(0, &call).answer, CHANGE_ACCEPTED);
        ck_assert(service_on_timer(&service, 3600 * SIM_NS_PER_S, &err));
        ck_assert_uint_eq(service_event_count(&service), 2 * rows[i].count);
        for (uint32_t k = 0; k < 2 * rows[i].count; k++) {
            const struct model_event *event = service_event(&service, k);
            ck_assert_int_eq((int)event->kind, k < rows[i].count ? MODEL_EVENT_UPDATE_ACCEPTED
                                                                 : MODEL_EVENT_UPDATE_COMPLETED);
            ck_assert_uint_eq(event->resource, rows[i].resources[k % rows[i].count]);
        }
        service_fini(&service);
    }
}
END_TEST

START_TEST(what_is_refused_changes_nothing_and_is_an_event) {
    struct table_update call = table_update_nothing();
    set_up(100, 100);
    open_service();
    call.provisioned[0] = (struct capacity_units){100, 40001};
    ck_assert_int_eq(update(0, &call).answer, CHANGE_TABLE_QUOTA);
    ck_assert_int_eq(service_next_event_ns(&service), INT64_MAX);
    ck_assert_uint_eq(service_event_count(&service), 1);
    ck_assert_int_eq((int)service_event(&service, 0)->kind, MODEL_EVENT_UPDATE_REFUSED);
    service_fini(&service);
}
END_TEST

START_TEST(a_peak_doubles_the_partitions_of_an_on_demand_table) {
    set_up(0, 0);
    config.parameters.part_max_w = 100;
    config.parameters.peak_delay = 5 * SIM_NS_PER_MIN;
    config.quotas.table_max_write = 1200;
    open_service();
    (void)load(0, 60 * SIM_NS_PER_S, 350);
    (void)load(60 * SIM_NS_PER_S, 359 * SIM_NS_PER_S, 50);
    ck_assert_uint_eq(open_partitions(0, 359 * SIM_NS_PER_S), 4);
    (void)load(359 * SIM_NS_PER_S, 361 * SIM_NS_PER_S, 50);
    ck_assert_uint_eq(open_partitions(0, 361 * SIM_NS_PER_S), 8); /* 2 x 350 */
    /* 16 partitions could take more than the quota, which refuses from then on */
    (void)load(361 * SIM_NS_PER_S, 719 * SIM_NS_PER_S, 700);
    ck_assert_uint_eq(open_partitions(0, 719 * SIM_NS_PER_S), 8);
    (void)load(719 * SIM_NS_PER_S, 800 * SIM_NS_PER_S, 700);
    ck_assert_uint_eq(open_partitions(0, 800 * SIM_NS_PER_S), 16);
    ck_assert_uint_le(load(800 * SIM_NS_PER_S, 810 * SIM_NS_PER_S, 2000), 13201);
    service_fini(&service);
}
END_TEST

/* Calls at random on a table that is loaded: the audits of every second hold. */
START_TEST(units_are_conserved_over_random_changes) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        set_up(50, 50);
        config.parameters.part_max_w = 40;
        config.parameters.mode_switch_time = 7 * SIM_NS_PER_S;
        config.parameters.peak_delay = 20 * SIM_NS_PER_S;
        config.parameters.peak_window = 5 * SIM_NS_PER_S;
        config.parameters.split_duration_min = 0;
        config.parameters.split_duration_max = SIM_NS_PER_S;
        config.parameters.routers = seed & 1 ? 8 : 0;
        config.quotas.table_max_write = 300;
        table.indexes = &index_spec;
        table.index_count = table.global_index_count = seed & 2 ? 1 : 0;
        open_service();
        if (table.index_count > 0) {
            ck_assert(service_reserve(&service, 0, 100000, &err));
        }
        for (int64_t second = 0; second < 200; second++) {
            const uint64_t draw = hash_draw(seed, (uint64_t)second, 9);
            struct table_update call = table_update_nothing();
            if (draw % 5 == 0) {
                call.sets_billing_mode = (draw >> 8 & 1) != 0;
                call.billing_mode = draw >> 9 & 1 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED;
                call.provisioned[0].read = 1 + (int64_t)(draw >> 16 & 127);
                call.provisioned[0].write = 1 + (int64_t)(draw >> 24 & 255);
                call.provisioned[1] = call.provisioned[0];
                if (call.billing_mode == BILLING_PAY_PER_REQUEST && call.sets_billing_mode) {
                    call.provisioned[0] = call.provisioned[1] =
                        (struct capacity_units){UPDATE_KEEPS, UPDATE_KEEPS};
                }
                call.warm[0].write =
                    draw >> 40 & 1 ? (int64_t)(draw >> 41 & 255) + 1 : UPDATE_KEEPS;
                (void)update(second * SIM_NS_PER_S, &call);
            }
            (void)load(second * SIM_NS_PER_S, (second + 1) * SIM_NS_PER_S,
                       50 + (int64_t)(draw >> 48 & 127));
        }
        service_fini(&service);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("service_capacity");
    TCase *cases = tcase_create("service_capacity");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, a_switch_keeps_what_was_ever_provisioned_and_gives_at_least_4000_writes);
    tcase_add_test(cases, the_old_throughput_holds_during_a_switch_and_the_new_one_after_it);
    tcase_add_test(cases, more_units_come_when_they_are_in_force_and_split_what_cannot_carry_them);
    tcase_add_test(cases, less_units_cut_what_is_saved);
    tcase_add_test(cases, an_index_has_changes_of_its_own_and_follows_its_table_to_on_demand);
    tcase_add_test(cases, a_call_is_an_event_of_what_it_sets_units_of);
    tcase_add_test(cases, what_is_refused_changes_nothing_and_is_an_event);
    tcase_add_test(cases, a_peak_doubles_the_partitions_of_an_on_demand_table);
    tcase_add_test(cases, units_are_conserved_over_random_changes);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
