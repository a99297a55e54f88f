#include "models/pricing.h"

#include "models/request.h"
#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MONTH_S INT64_C(2628000)

static struct pricing defaults(void) {
    struct pricing pricing;
    pricing_default(&pricing);
    return pricing;
}

static struct pricing_bill bill_of(const struct pricing *pricing, const struct pricing_use *use,
                                   sim_ns duration_ns) {
    int64_t free_bytes = pricing->free_storage;
    return pricing_month(pricing, use, duration_ns, &free_bytes);
}

START_TEST(rows_are_complete_and_their_defaults_are_the_list_of_today) {
    size_t count;
    const struct parameter_row *rows = pricing_rows(&count);
    ck_assert_uint_eq(count * sizeof(int64_t), sizeof(struct pricing));
    struct pricing pricing = defaults(), listed = pricing;
    pricing_apply_list(&listed, 0);
    ck_assert_mem_eq(&pricing, &listed, sizeof pricing);
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(rows[i].default_value >= rows[i].min && rows[i].default_value <= rows[i].max,
                      "%s", rows[i].name);
        ck_assert_msg(rows[i].source[0] != '\0' && rows[i].about[0] != '\0', "%s", rows[i].name);
        ck_assert_uint_eq(rows[i].offset, i * sizeof(int64_t));
    }
}
END_TEST

/* 1,000 units for a run of that length, and what a month of it costs at published prices. */
START_TEST(a_month_costs_what_the_price_list_says) {
    static const struct {
        int64_t list, replicas;
        bool writes, provisioned;
        int64_t nusd; /* of one unit a second, or one provisioned, for 730 hours */
    } rows[] = {
        {PRICE_LIST_US_EAST_1, 0, true, true, INT64_C(474500000)},
        {PRICE_LIST_US_EAST_1, 0, false, true, INT64_C(94900000)},
        {PRICE_LIST_US_EAST_1, 0, true, false, INT64_C(1642500000)},
        {PRICE_LIST_US_EAST_1, 0, false, false, INT64_C(328500000)},
        {PRICE_LIST_US_EAST_1, 2, true, true, 3 * INT64_C(474500000)},
        {PRICE_LIST_US_EAST_1, 2, true, false, 3 * INT64_C(1642500000)},
        {PRICE_LIST_US_EAST_1, 2, false, true, INT64_C(94900000)},
        {PRICE_LIST_US_EAST_1_2018, 0, true, true, INT64_C(474500000)},
        {PRICE_LIST_US_EAST_1_2018, 0, true, false, INT64_C(3285000000)},
        {PRICE_LIST_US_EAST_1_2018, 0, false, false, INT64_C(657000000)},
        {PRICE_LIST_US_EAST_1_2018, 1, true, true, 2 * INT64_C(711750000)},
        {PRICE_LIST_US_EAST_1_2018, 1, true, false, 2 * INT64_C(4927500000)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pricing pricing = defaults();
        pricing.price_list = rows[i].list;
        pricing.replicas = rows[i].replicas;
        pricing_apply_list(&pricing, 0);
        struct pricing_use use = {.bytes = 0};
        const struct resource_sample sample = {
            .provisioned_rcu = rows[i].provisioned ? 1000 * !rows[i].writes : -1,
            .provisioned_wcu = rows[i].provisioned ? 1000 * rows[i].writes : -1,
        };
        for (int second = 0; second < 7; second++) {
            const int64_t ncu = 1000 * NCU_PER_CU;
            pricing_use_second(&use, &sample, rows[i].writes ? 0 : ncu, rows[i].writes ? ncu : 0);
        }
        const struct pricing_bill bill = bill_of(&pricing, &use, 7 * SIM_NS_PER_S);
        ck_assert_int_eq(bill.flows[rows[i].writes], 1000 * rows[i].nusd);
        ck_assert_int_eq(bill.flows[!rows[i].writes], 0);
        ck_assert_int_eq(pricing_bill_sum(&bill), 1000 * rows[i].nusd);
        ck_assert_int_eq(bill.hours[rows[i].writes], rows[i].provisioned ? 1000 * rows[i].nusd : 0);
    }
}
END_TEST

START_TEST(on_demand_is_3_46_times_as_expensive_and_pays_below_28_9_percent) {
    struct pricing pricing = defaults();
    ck_assert_int_eq(pricing_break_even(&pricing, true), 288889);
    ck_assert_int_eq(pricing_break_even(&pricing, false), 288889);
    pricing.price_list = PRICE_LIST_US_EAST_1_2018;
    pricing_apply_list(&pricing, 0);
    ck_assert_int_eq(pricing_break_even(&pricing, true), 144444);
    pricing.on_demand_read_usd_per_million = 0;
    ck_assert_int_eq(pricing_break_even(&pricing, false), -1);
    ck_assert_int_eq(pricing_break_even(&pricing, true), 144444);
}
END_TEST

/* At the break-even use both modes cost the same, to a part in a million. */
START_TEST(both_modes_cost_the_same_at_the_break_even_use) {
    struct pricing pricing = defaults();
    for (int writes = 0; writes < 2; writes++) {
        struct pricing_use use = {.seconds = 10};
        use.flows[writes].provisioned_unit_s = 10 * 1000;
        use.flows[writes].consumed_ncu = 10 * pricing_break_even(&pricing, writes) * 1000 * 1000;
        const struct pricing_bill bill = bill_of(&pricing, &use, 10 * SIM_NS_PER_S);
        ck_assert_double_eq_tol((double)bill.on_demand[writes] / (double)bill.flows[writes], 1,
                                2e-6);
    }
}
END_TEST

START_TEST(a_price_that_is_given_wins_over_the_list) {
    size_t count;
    const struct parameter_row *rows = pricing_rows(&count);
    struct pricing pricing = defaults();
    pricing.price_list = PRICE_LIST_US_EAST_1_2018;
    pricing.on_demand_write_usd_per_million = 7;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, "on_demand_write_usd_per_million") == 0) {
            pricing_apply_list(&pricing, UINT64_C(1) << i);
        }
    }
    ck_assert_int_eq(pricing.on_demand_write_usd_per_million, 7);
    ck_assert_int_eq(pricing.on_demand_read_usd_per_million, 250000000);
}
END_TEST

START_TEST(storage_has_overhead_by_item_and_its_first_25_gb_are_free) {
    const struct pricing pricing = defaults();
    const int64_t gb = INT64_C(1) << 30;
    const struct index_spec indexes[] = {{.is_global = true, .index_size_bytes = gb},
                                         {.index_size_bytes = 2 * gb},
                                         {.index_size_bytes = SPEC_UNKNOWN}};
    struct table_spec table = {.table_size_bytes = 20 * gb,
                               .item_count = gb / 100,
                               .indexes = indexes,
                               .index_count = 3,
                               .global_index_count = 1};
    ck_assert_int_eq(pricing_table_bytes(&pricing, &table), 22 * gb + gb / 100 * 100);
    ck_assert_int_eq(pricing_index_bytes(&indexes[0]), gb);
    table.item_count = INT64_MAX;
    ck_assert_int_eq(pricing_table_bytes(&pricing, &table), INT64_MAX);
    table.table_size_bytes = SPEC_UNKNOWN;
    ck_assert_int_eq(pricing_table_bytes(&pricing, &table), 0);

    int64_t free_bytes = pricing.free_storage;
    const struct pricing_use use = {.bytes = 20 * gb};
    ck_assert_int_eq(pricing_month(&pricing, &use, 1, &free_bytes).storage, 0);
    ck_assert_int_eq(free_bytes, 5 * gb);
    ck_assert_int_eq(pricing_month(&pricing, &use, 1, &free_bytes).storage,
                     15 * INT64_C(250000000));
    ck_assert_int_eq(free_bytes, 0);
}
END_TEST

/* Long double has 64 bits of mantissa: enough to know the nearest nano-dollar or its neighbour. */
START_TEST(random_uses_cost_what_long_double_says) {
    struct random_stream stream;
    const uint64_t seed = 20261130;
    random_init(&stream, &(struct random_name){.seed = seed, .workload = "", .variable = "use"});
    for (int i = 0; i < 2000; i++) {
        struct pricing pricing = defaults();
        pricing.on_demand_write_usd_per_million =
            (int64_t)random_below(&stream, (uint64_t)PRICING_MONEY_MAX + 1);
        const int64_t ncu = (int64_t)(random_next(&stream) >> (2 + random_below(&stream, 40)));
        const sim_ns duration_ns = 1 + (sim_ns)(random_next(&stream) >> (1 + i % 40));
        const struct pricing_use use = {.flows[1] = {.consumed_ncu = ncu, .on_demand_ncu = ncu}};
        const long double exact = (long double)ncu / 1e9L * MONTH_S /
                                  ((long double)duration_ns / 1e9L) *
                                  (long double)pricing.on_demand_write_usd_per_million / 1e6L;
        const int64_t told = bill_of(&pricing, &use, duration_ns).flows[1];
        if (exact > (long double)INT64_MAX) {
            ck_assert_msg(told == INT64_MAX, "seed %lu, use %d", (unsigned long)seed, i);
        } else {
            const long double off = (long double)told - exact;
            ck_assert_msg(off <= 1 + exact * 1e-17L && off >= -1 - exact * 1e-17L,
                          "seed %lu, use %d", (unsigned long)seed, i);
        }
    }
}
END_TEST

START_TEST(sums_are_held_at_the_largest_number) {
    ck_assert_int_eq(pricing_add(1, 2), 3);
    ck_assert_int_eq(pricing_add(INT64_MAX, 1), INT64_MAX);
    const struct pricing_bill bill = {.flows = {INT64_MAX, 1}, .storage = 1};
    ck_assert_int_eq(pricing_bill_sum(&bill), INT64_MAX);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/pricing");
    TCase *tcase = tcase_create("pricing");
    tcase_add_test(tcase, rows_are_complete_and_their_defaults_are_the_list_of_today);
    tcase_add_test(tcase, a_month_costs_what_the_price_list_says);
    tcase_add_test(tcase, on_demand_is_3_46_times_as_expensive_and_pays_below_28_9_percent);
    tcase_add_test(tcase, both_modes_cost_the_same_at_the_break_even_use);
    tcase_add_test(tcase, a_price_that_is_given_wins_over_the_list);
    tcase_add_test(tcase, storage_has_overhead_by_item_and_its_first_25_gb_are_free);
    tcase_add_test(tcase, random_uses_cost_what_long_double_says);
    tcase_add_test(tcase, sums_are_held_at_the_largest_number);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
