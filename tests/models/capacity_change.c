/* UpdateTable against AWS's rules, on a table with one global index. */
#include "models/capacity_change.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

#define MINUTE_NS SIM_NS_PER_MIN
#define HOUR_NS (60 * SIM_NS_PER_MIN)
#define MIDNIGHT_EPOCH_S INT64_C(1767225600) /* 2026-01-01T00:00:00Z */

static struct change_account account;
static struct model_parameters parameters;
static struct capacity_change change;

static const struct index_spec index_spec = {
    .index_name = "byStatus",
    .is_global = true,
    .read_capacity_units = 100,
    .write_capacity_units = 100,
    .index_size_bytes = SPEC_UNKNOWN,
};

static void open_change(int64_t reads, int64_t writes, int64_t start_epoch_s) {
    const struct table_spec table = {
        .table_name = "table",
        .billing_mode = reads == 0 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED,
        .read_capacity_units = reads,
        .write_capacity_units = writes,
        .indexes = &index_spec,
        .index_count = reads == 0 ? 0 : 1,
        .global_index_count = reads == 0 ? 0 : 1,
    };
    model_parameters_default(&parameters);
    account = (struct change_account){.quotas = {40000, 40000, 80000, 80000}};
    capacity_change_init(&change, &(struct change_setup){.table = &table,
                                                         .account = &account,
                                                         .parameters = &parameters,
                                                         .start_epoch_s = start_epoch_s,
                                                         .stream = 1});
}

static struct change_reply ask(sim_ns now_ns, uint32_t position, int64_t reads, int64_t writes) {
    struct table_update update = table_update_nothing();
    update.provisioned[position] = (struct capacity_units){reads, writes};
    return capacity_change_request(&change, now_ns, &update);
}

static void complete(void) {
    struct table_update done;
    ck_assert(capacity_change_complete(&change, change.done_ns, &done));
}

static struct table_update to_mode(enum billing_mode mode) {
    struct table_update update = table_update_nothing();
    update.sets_billing_mode = true;
    update.billing_mode = mode;
    return update;
}

START_TEST(the_old_units_hold_until_the_drawn_time_has_passed) {
    struct table_update done;
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    const struct change_reply reply = ask(MINUTE_NS, 0, 200, 300);
    ck_assert_int_eq(reply.answer, CHANGE_ACCEPTED);
    ck_assert_int_gt(reply.done_ns, MINUTE_NS);
    ck_assert(!capacity_change_complete(&change, reply.done_ns - 1, &done));
    ck_assert_int_eq(change.resources[0].provisioned.write, 100);
    ck_assert(capacity_change_complete(&change, reply.done_ns, &done));
    ck_assert_int_eq(change.resources[0].provisioned.read, 200);
    ck_assert_int_eq(change.resources[0].provisioned.write, 300);
    ck_assert_int_eq(done.provisioned[0].write, 300);
    ck_assert(!capacity_change_complete(&change, reply.done_ns + HOUR_NS, &done));
}
END_TEST

START_TEST(a_table_that_is_updating_takes_no_other_call_not_even_for_its_index) {
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    ck_assert_int_eq(ask(0, 0, 200, 100).answer, CHANGE_ACCEPTED);
    ck_assert_int_eq(ask(SIM_NS_PER_S / 100, 1, 200, 100).answer, CHANGE_IN_USE);
    complete();
    ck_assert_int_eq(ask(HOUR_NS, 1, 200, 100).answer, CHANGE_ACCEPTED);
}
END_TEST

START_TEST(asking_for_what_is_there_is_refused) {
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    ck_assert_int_eq(ask(0, 0, 100, 100).answer, CHANGE_NOTHING);
    ck_assert_int_eq(ask(0, 0, UPDATE_KEEPS, UPDATE_KEEPS).answer, CHANGE_NOTHING);
}
END_TEST

/* A day of calls as fast as they go: 4 decreases at midnight, then 1 each hour. */
START_TEST(a_table_decreases_27_times_a_utc_day) {
    open_change(30000, 100, MIDNIGHT_EPOCH_S);
    parameters.update_table_median = parameters.update_table_p99 = SIM_NS_PER_S;
    int64_t reads = 30000;
    uint32_t today = 0, in_first_hour = 0;
    for (sim_ns now_ns = 0; now_ns < 24 * HOUR_NS; now_ns += MINUTE_NS) {
        const struct change_reply reply = ask(now_ns, 0, reads - 1, 100);
        if (reply.answer == CHANGE_ACCEPTED) {
            complete();
            reads--;
            today++;
            in_first_hour += now_ns < HOUR_NS;
        } else {
            ck_assert_int_eq(reply.answer, CHANGE_DECREASES_SPENT);
        }
    }
    ck_assert_uint_eq(today, 27);
    ck_assert_uint_eq(in_first_hour, 4);
    ck_assert_int_eq(capacity_change_decreases(&change, 0, 24 * HOUR_NS), 4);
    ck_assert_int_eq(capacity_change_decreases(&change, 1, 24 * HOUR_NS - 1), 4);
}
END_TEST

START_TEST(the_budget_is_that_of_the_utc_day_not_of_the_run) {
    open_change(100, 100, MIDNIGHT_EPOCH_S - 90); /* a minute and a half to midnight */
    parameters.update_table_median = parameters.update_table_p99 = SIM_NS_PER_S;
    for (int64_t i = 1; i <= 4; i++) {
        ck_assert_int_eq(ask(10 * i * SIM_NS_PER_S, 0, 100 - i, 100).answer, CHANGE_ACCEPTED);
        complete();
    }
    ck_assert_int_eq(ask(89 * SIM_NS_PER_S, 0, 90, 100).answer, CHANGE_DECREASES_SPENT);
    ck_assert_int_eq(ask(90 * SIM_NS_PER_S, 0, 90, 100).answer, CHANGE_ACCEPTED);
    ck_assert_int_eq(capacity_change_decreases(&change, 0, 90 * SIM_NS_PER_S), 3);
}
END_TEST

START_TEST(a_call_that_breaks_one_budget_is_refused_whole_and_costs_none) {
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    parameters.update_table_median = parameters.update_table_p99 = SIM_NS_PER_S;
    for (int64_t i = 1; i <= 4; i++) {
        ck_assert_int_eq(ask(i * MINUTE_NS, 1, 100 - i, 100).answer, CHANGE_ACCEPTED);
        complete();
    }
    struct table_update both = table_update_nothing();
    both.provisioned[0] = both.provisioned[1] = (struct capacity_units){50, 50};
    const struct change_reply reply = capacity_change_request(&change, 10 * MINUTE_NS, &both);
    ck_assert_int_eq(reply.answer, CHANGE_DECREASES_SPENT);
    ck_assert_uint_eq(reply.position, 1);
    ck_assert_int_eq(capacity_change_decreases(&change, 0, 10 * MINUTE_NS), 4);
    /* to raise one direction is no decrease, to raise one and lower the other is */
    ck_assert_int_eq(ask(11 * MINUTE_NS, 1, 200, 100).answer, CHANGE_ACCEPTED);
    complete();
    ck_assert_int_eq(ask(12 * MINUTE_NS, 1, 300, 99).answer, CHANGE_DECREASES_SPENT);
}
END_TEST

START_TEST(quotas_refuse_a_table_and_the_sum_of_the_account) {
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    ck_assert_int_eq(account.provisioned.write, 200);
    ck_assert_int_eq(ask(0, 0, 100, 40001).answer, CHANGE_TABLE_QUOTA);
    account.quotas.account_max_write = 30000;
    ck_assert_int_eq(ask(0, 0, 100, 29901).answer, CHANGE_ACCOUNT_QUOTA);
    ck_assert_int_eq(ask(0, 0, 100, 29900).answer, CHANGE_ACCEPTED);
    ck_assert_int_eq(account.provisioned.write, 30000); /* it counts from the call on */
    complete();
    ck_assert_int_eq(ask(HOUR_NS, 0, 100, 50).answer, CHANGE_ACCEPTED);
    ck_assert_int_eq(account.provisioned.write, 30000); /* until it is in force */
    complete();
    ck_assert_int_eq(account.provisioned.write, 150);
    account.quotas = (struct quotas_spec){0};
    ck_assert_int_eq(ask(2 * HOUR_NS, 0, 100, 900000).answer, CHANGE_ACCEPTED);
}
END_TEST

START_TEST(a_table_switches_to_on_demand_four_times_in_24_hours_and_back_at_any_time) {
    const struct table_update on_demand = to_mode(BILLING_PAY_PER_REQUEST);
    struct table_update provisioned = to_mode(BILLING_PROVISIONED);
    provisioned.provisioned[0] = provisioned.provisioned[1] = (struct capacity_units){10, 10};
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    sim_ns now_ns = 0;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(capacity_change_request(&change, now_ns, &on_demand).done_ns,
                         now_ns + 5 * MINUTE_NS);
        complete();
        ck_assert_int_eq(change.resources[0].provisioned.read, 0);
        now_ns += HOUR_NS;
        ck_assert_int_eq(capacity_change_request(&change, now_ns, &provisioned).answer,
                         CHANGE_ACCEPTED);
        complete();
        ck_assert_int_eq(change.resources[1].provisioned.write, 10);
        now_ns += HOUR_NS;
    }
    const sim_ns day_ns = 24 * HOUR_NS;
    ck_assert_int_eq(capacity_change_request(&change, day_ns - 1, &on_demand).answer,
                     CHANGE_SWITCHES_SPENT);
    ck_assert_int_eq(capacity_change_request(&change, day_ns, &on_demand).answer, CHANGE_ACCEPTED);
    complete();
    ck_assert_int_eq(account.provisioned.read, 0);
}
END_TEST

struct contradiction {
    bool is_on_demand;
    enum billing_mode mode;
    struct capacity_units table, index, max_on_demand;
    enum change_answer answer;
};

START_TEST(contradictory_calls_are_refused_by_aws_rules) {
    const struct capacity_units none = {UPDATE_KEEPS, UPDATE_KEEPS}, some = {10, 10};
    const struct contradiction rows[] = {
        {false, BILLING_PAY_PER_REQUEST, some, none, none, CHANGE_ON_DEMAND},
        {false, BILLING_PAY_PER_REQUEST, none, some, none, CHANGE_ON_DEMAND},
        {true, BILLING_PAY_PER_REQUEST, some, none, none, CHANGE_ON_DEMAND},
        {true, BILLING_PROVISIONED, none, none, none, CHANGE_UNITS_MISSING},
        {true, BILLING_PROVISIONED, some, none, none, CHANGE_ACCEPTED},
        {false, BILLING_PROVISIONED, some, none, some, CHANGE_PROVISIONED},
        {true, BILLING_PAY_PER_REQUEST, none, none, some, CHANGE_ACCEPTED},
        {true, BILLING_PAY_PER_REQUEST, none, none, {40001, 10}, CHANGE_TABLE_QUOTA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table_update update = to_mode(rows[i].mode);
        update.provisioned[0] = rows[i].table;
        update.provisioned[1] = rows[i].index;
        update.max_on_demand[0] = rows[i].max_on_demand;
        open_change(rows[i].is_on_demand ? 0 : 100, rows[i].is_on_demand ? 0 : 100,
                    MIDNIGHT_EPOCH_S);
        ck_assert_msg(capacity_change_request(&change, 0, &update).answer == rows[i].answer,
                      "row %zu", i);
        ck_assert(strlen(capacity_change_rule(rows[i].answer)) > 0);
        ck_assert((strlen(capacity_change_exception(rows[i].answer)) == 0) ==
                  (rows[i].answer == CHANGE_ACCEPTED));
    }
}
END_TEST

START_TEST(warm_throughput_is_raised_only) {
    struct table_update update = table_update_nothing();
    open_change(0, 0, MIDNIGHT_EPOCH_S);
    change.resources[0].partitions = 4;
    ck_assert_int_eq(capacity_change_warm(&change, 0).read, 12000);
    update.warm[0] = (struct capacity_units){12000, 3999};
    ck_assert_int_eq(capacity_change_request(&change, 0, &update).answer, CHANGE_WARM_LOWER);
    update.warm[0] = (struct capacity_units){12000, 40001};
    ck_assert_int_eq(capacity_change_request(&change, 0, &update).answer, CHANGE_TABLE_QUOTA);
    update.warm[0] = (struct capacity_units){12000, 10000};
    ck_assert_int_eq(capacity_change_request(&change, 0, &update).answer, CHANGE_ACCEPTED);
    complete();
    ck_assert_int_eq(capacity_change_warm(&change, 0).write, 10000);
}
END_TEST

/* 16 partitions carry 48,000 reads a second, whatever the quota is; nobody asks for them. */
START_TEST(the_side_that_is_left_alone_is_held_to_no_quota) {
    struct table_update update = table_update_nothing();
    open_change(0, 0, MIDNIGHT_EPOCH_S);
    change.resources[0].partitions = 16;
    update.warm[0] = (struct capacity_units){UPDATE_KEEPS, 15000};
    ck_assert_int_eq(capacity_change_request(&change, 0, &update).answer, CHANGE_WARM_LOWER);
    update.warm[0].write = 17000;
    ck_assert_int_eq(capacity_change_request(&change, 0, &update).answer, CHANGE_ACCEPTED);
    complete();
    ck_assert_int_eq(capacity_change_warm(&change, 0).write, 17000);
}
END_TEST

START_TEST(what_needs_more_partitions_takes_a_split_for_each_doubling) {
    open_change(100, 100, MIDNIGHT_EPOCH_S);
    parameters.update_table_median = parameters.update_table_p99 = SIM_NS_PER_S;
    parameters.split_duration_min = parameters.split_duration_max = 100 * SIM_NS_PER_S;
    const struct {
        int64_t writes;
        uint32_t partitions;
        sim_ns time_ns;
    } rows[] = {{1000, 1, SIM_NS_PER_S},       {1001, 1, 101 * SIM_NS_PER_S},
                {2001, 1, 201 * SIM_NS_PER_S}, {4001, 4, 101 * SIM_NS_PER_S},
                {4000, 4, SIM_NS_PER_S},       {8001, 1, 401 * SIM_NS_PER_S}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sim_ns now_ns = (sim_ns)i * HOUR_NS;
        change.resources[0].partitions = rows[i].partitions;
        const struct change_reply reply = ask(now_ns, 0, 100, rows[i].writes);
        ck_assert_msg(reply.done_ns == now_ns + rows[i].time_ns, "row %zu: %" PRId64, i,
                      reply.done_ns - now_ns);
        complete();
    }
}
END_TEST

START_TEST(times_are_drawn_anew_and_equal_for_an_equal_name) {
    sim_ns first_ns[2][20];
    for (int run = 0; run < 2; run++) {
        open_change(100, 100, MIDNIGHT_EPOCH_S);
        for (int i = 0; i < 20; i++) {
            const sim_ns now_ns = i * 10 * HOUR_NS;
            first_ns[run][i] = ask(now_ns, 0, 101 + i, 100).done_ns - now_ns;
            complete();
        }
    }
    ck_assert_mem_eq(first_ns[0], first_ns[1], sizeof first_ns[0]);
    ck_assert_int_ne(first_ns[0][0], first_ns[0][1]);
}
END_TEST

/* Thousands of calls at random: what the control says of itself stays true. */
START_TEST(the_account_is_the_sum_of_its_tables_over_random_calls) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        sim_ns now_ns = 0;
        open_change(100, 100, MIDNIGHT_EPOCH_S);
        for (uint64_t i = 0; i < 200; i++) {
            struct table_update update = table_update_nothing(), done;
            const uint64_t draw = hash_draw(seed, i, 0);
            now_ns += (sim_ns)(draw % (uint64_t)HOUR_NS);
            if (change.done_ns < now_ns) {
                (void)capacity_change_complete(&change, change.done_ns, &done);
            }
            update.sets_billing_mode = draw >> 32 & 1;
            update.billing_mode = draw >> 33 & 1 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED;
            if (draw >> 34 & 3) {
                update.provisioned[0].read = (int64_t)(1 + (draw >> 36 & 0xffff));
                update.provisioned[0].write = (int64_t)(1 + (draw >> 44 & 0xffff));
                update.provisioned[1] = update.provisioned[0];
            }
            (void)capacity_change_request(&change, now_ns, &update);
            const struct capacity_units now[] = {change.resources[0].provisioned,
                                                 change.resources[1].provisioned};
            const bool is_active = change.done_ns == SIM_NS_MAX;
            ck_assert_msg(
                account.provisioned.read >= now[0].read + now[1].read &&
                    (!is_active || account.provisioned.read == now[0].read + now[1].read) &&
                    account.provisioned.read <= 80000,
                "seed %" PRIu64 ", call %" PRIu64, seed, i);
            ck_assert_int_ge(change.resources[0].decreases, 0);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("capacity_change");
    TCase *cases = tcase_create("capacity_change");
    tcase_add_test(cases, the_old_units_hold_until_the_drawn_time_has_passed);
    tcase_add_test(cases, a_table_that_is_updating_takes_no_other_call_not_even_for_its_index);
    tcase_add_test(cases, asking_for_what_is_there_is_refused);
    tcase_add_test(cases, a_table_decreases_27_times_a_utc_day);
    tcase_add_test(cases, the_budget_is_that_of_the_utc_day_not_of_the_run);
    tcase_add_test(cases, a_call_that_breaks_one_budget_is_refused_whole_and_costs_none);
    tcase_add_test(cases, quotas_refuse_a_table_and_the_sum_of_the_account);
    tcase_add_test(cases,
                   a_table_switches_to_on_demand_four_times_in_24_hours_and_back_at_any_time);
    tcase_add_test(cases, contradictory_calls_are_refused_by_aws_rules);
    tcase_add_test(cases, warm_throughput_is_raised_only);
    tcase_add_test(cases, the_side_that_is_left_alone_is_held_to_no_quota);
    tcase_add_test(cases, what_needs_more_partitions_takes_a_split_for_each_doubling);
    tcase_add_test(cases, times_are_drawn_anew_and_equal_for_an_equal_name);
    tcase_add_test(cases, the_account_is_the_sum_of_its_tables_over_random_calls);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
