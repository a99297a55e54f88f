#include "models/capacity_units.h"

#include "models/spec.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

#define KB 1024
#define UNITS(n) ((n)*NCU_PER_CU)
#define HALF (NCU_PER_CU / 2)

/* Units of published examples and of every border of the rules. */
START_TEST(prices_are_the_documented_ones) {
    static const struct {
        enum ddb_operation operation;
        bool consistent;
        uint32_t old_bytes, new_bytes;
        int64_t ncu;
    } cases[] = {
        /* AWS guide and facts: strong reads of 3,500, 4,096 and 4,097 bytes */
        {DDB_GET_ITEM, true, 3500, 0, UNITS(1)},
        {DDB_GET_ITEM, true, 4096, 0, UNITS(1)},
        {DDB_GET_ITEM, true, 4097, 0, UNITS(2)},
        {DDB_GET_ITEM, true, 1, 0, UNITS(1)},
        {DDB_GET_ITEM, true, 20 * KB, 0, UNITS(5)},
        {DDB_GET_ITEM, true, 400 * KB, 0, UNITS(100)},
        {DDB_GET_ITEM, false, 8 * KB, 0, UNITS(1)},
        {DDB_GET_ITEM, false, 1, 0, HALF},
        {DDB_GET_ITEM, false, 4096, 0, HALF},
        {DDB_GET_ITEM, false, 4097, 0, UNITS(1)},
        {DDB_GET_ITEM, false, 8 * KB + 1, 0, UNITS(1) + HALF},
        /* a missing item */
        {DDB_GET_ITEM, true, 0, 0, UNITS(1)},
        {DDB_GET_ITEM, false, 0, 0, HALF},
        {DDB_DELETE_ITEM, false, 0, 0, UNITS(1)},
        /* writes */
        {DDB_PUT_ITEM, false, 0, 1, UNITS(1)},
        {DDB_PUT_ITEM, false, 0, 1024, UNITS(1)},
        {DDB_PUT_ITEM, false, 0, 1025, UNITS(2)},
        {DDB_PUT_ITEM, false, 0, 1638, UNITS(2)}, /* 1.6 KB */
        {DDB_PUT_ITEM, false, 0, 400 * KB, UNITS(400)},
        /* the larger of old and new */
        {DDB_PUT_ITEM, false, 3 * KB, 100, UNITS(3)},
        {DDB_PUT_ITEM, false, 100, 3 * KB, UNITS(3)},
        {DDB_UPDATE_ITEM, false, 3 * KB, 3 * KB + 1, UNITS(4)},
        {DDB_UPDATE_ITEM, false, 3 * KB + 1, 10, UNITS(4)},
        {DDB_UPDATE_ITEM, false, 0, 200, UNITS(1)},
        /* deletes: what was there */
        {DDB_DELETE_ITEM, false, 1, 0, UNITS(1)},
        {DDB_DELETE_ITEM, false, 1025, 0, UNITS(2)},
        {DDB_DELETE_ITEM, false, 400 * KB, 0, UNITS(400)},
        {DDB_DELETE_ITEM, false, 100, 9 * KB, UNITS(1)}, /* the new size means nothing */
        {DDB_GET_ITEM, true, 100, 9 * KB, UNITS(1)},
        {DDB_PUT_ITEM, true, 0, 100, UNITS(1)}, /* consistency means nothing to a write */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t ncu = capacity_units_ncu(cases[i].operation, cases[i].consistent,
                                               cases[i].old_bytes, cases[i].new_bytes);
        ck_assert_msg(ncu == cases[i].ncu, "case %zu: %lld, expected %lld", i, (long long)ncu,
                      (long long)cases[i].ncu);
    }
}
END_TEST

/* Counts whole units by stepping through the item. */
static int64_t units_by_stepping(uint32_t bytes, uint32_t unit_bytes) {
    int64_t units = 1;
    for (uint64_t reach = unit_bytes; reach < bytes; reach += unit_bytes) {
        units++;
    }
    return units;
}

START_TEST(every_size_agrees_with_stepping_through_the_item) {
    for (uint32_t bytes = 1; bytes <= ITEM_BYTES_MAX; bytes += bytes < 20000 ? 1 : 509) {
        const int64_t reads = units_by_stepping(bytes, 4096);
        const int64_t writes = units_by_stepping(bytes, 1024);
        ck_assert_int_eq(capacity_units_ncu(DDB_GET_ITEM, true, bytes, 0), UNITS(reads));
        ck_assert_int_eq(2 * capacity_units_ncu(DDB_GET_ITEM, false, bytes, 0), UNITS(reads));
        ck_assert_int_eq(capacity_units_ncu(DDB_PUT_ITEM, false, 0, bytes), UNITS(writes));
        ck_assert_int_eq(capacity_units_ncu(DDB_UPDATE_ITEM, false, bytes, 1), UNITS(writes));
        ck_assert_int_eq(capacity_units_ncu(DDB_DELETE_ITEM, false, bytes, 0), UNITS(writes));
    }
}
END_TEST

START_TEST(a_query_rounds_once_a_page) {
    static const struct {
        bool consistent;
        uint32_t items, item_bytes;
        int64_t half_units;
    } cases[] = {
        {true, 1500, 64, 48},     {false, 1500, 64, 24}, /* 96 KB, the guide's example */
        {true, 1, 41780, 22},     {false, 8, 2000, 4},   {false, 4, 3072, 3},
        {false, 1007, 1042, 257}, /* a page of 1,042 B items is measured at 128.5 */
        {true, 0, 1042, 2},       {false, 0, 1042, 1},   {true, 1, 4096, 2},
        {true, 1, 4097, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t ncu =
            capacity_units_page_ncu(cases[i].consistent, cases[i].items * cases[i].item_bytes);
        ck_assert_msg(2 * ncu == UNITS(cases[i].half_units), "case %zu: %lld", i, (long long)ncu);
    }
}
END_TEST

START_TEST(a_page_ends_with_the_item_that_crosses_1_mb) {
    for (uint32_t bytes = 1; bytes <= ITEM_BYTES_MAX; bytes += bytes < 2000 ? 1 : 997) {
        const uint64_t items = capacity_units_page_items(bytes);
        ck_assert_uint_ge(items * bytes, 1024 * 1024);
        ck_assert_uint_lt((items - 1) * bytes, 1024 * 1024);
    }
    ck_assert_uint_eq(capacity_units_page_items(1042), 1007);
    ck_assert_uint_eq(capacity_units_page_items(1024), 1024);
}
END_TEST

START_TEST(a_failed_condition_costs_the_larger_item_or_one_unit) {
    ck_assert_int_eq(capacity_units_failed_ncu(DDB_PUT_ITEM, 300 * 1024, 310 * 1024), UNITS(310));
    ck_assert_int_eq(capacity_units_failed_ncu(DDB_PUT_ITEM, 310 * 1024, 300 * 1024), UNITS(310));
    ck_assert_int_eq(capacity_units_failed_ncu(DDB_PUT_ITEM, 0, 310 * 1024), UNITS(1));
    ck_assert_int_eq(capacity_units_failed_ncu(DDB_DELETE_ITEM, 3000, 0), UNITS(3));
    ck_assert_int_eq(capacity_units_failed_ncu(DDB_UPDATE_ITEM, 1, 1025), UNITS(2));
}
END_TEST

START_TEST(aborts_on_a_query_of_nothing) {
    capacity_units_page_items(0);
}
END_TEST

START_TEST(aborts_on_a_query_priced_as_one_item) {
    capacity_units_ncu(DDB_QUERY, false, 1, 1);
}
END_TEST

START_TEST(aborts_on_a_write_of_nothing) {
    capacity_units_ncu(DDB_PUT_ITEM, false, 0, 0);
}
END_TEST

START_TEST(aborts_on_an_item_above_400_kb) {
    capacity_units_ncu(DDB_UPDATE_ITEM, false, 0, ITEM_BYTES_MAX + 1);
}
END_TEST

START_TEST(aborts_on_an_old_item_above_400_kb) {
    capacity_units_ncu(DDB_GET_ITEM, false, ITEM_BYTES_MAX + 1, 0);
}
END_TEST

START_TEST(aborts_on_no_operation) {
    capacity_units_ncu(DDB_OPERATION_COUNT, false, 1, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/capacity_units");
    TCase *tcase = tcase_create("capacity_units");
    tcase_add_test(tcase, prices_are_the_documented_ones);
    tcase_add_test(tcase, every_size_agrees_with_stepping_through_the_item);
    tcase_add_test(tcase, a_query_rounds_once_a_page);
    tcase_add_test(tcase, a_page_ends_with_the_item_that_crosses_1_mb);
    tcase_add_test(tcase, a_failed_condition_costs_the_larger_item_or_one_unit);
    tcase_add_test_raise_signal(tcase, aborts_on_a_query_of_nothing, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_query_priced_as_one_item, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_write_of_nothing, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_item_above_400_kb, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_old_item_above_400_kb, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_no_operation, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
