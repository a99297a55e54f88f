#include "models/request.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(operations_have_the_names_of_the_api) {
    static const struct {
        enum ddb_operation operation;
        const char *name;
        bool writes, stores;
    } cases[] = {
        {DDB_GET_ITEM, "GetItem", false, false},
        {DDB_PUT_ITEM, "PutItem", true, true},
        {DDB_UPDATE_ITEM, "UpdateItem", true, true},
        {DDB_DELETE_ITEM, "DeleteItem", true, false},
        {DDB_QUERY, "Query", false, false},
        {DDB_BATCH_GET_ITEM, "BatchGetItem", false, false},
        {DDB_BATCH_WRITE_ITEM, "BatchWriteItem", true, true},
        {DDB_SCAN, "Scan", false, false},
        {DDB_TRANSACT_GET_ITEMS, "TransactGetItems", false, false},
        {DDB_TRANSACT_WRITE_ITEMS, "TransactWriteItems", true, true},
    };
    ck_assert_uint_eq(sizeof cases / sizeof cases[0], DDB_OPERATION_COUNT);
    for (size_t i = 0; i < DDB_OPERATION_COUNT; i++) {
        ck_assert_str_eq(ddb_operation_name(cases[i].operation), cases[i].name);
        ck_assert_int_eq(ddb_operation_writes(cases[i].operation), cases[i].writes);
        ck_assert_int_eq(ddb_operation_stores(cases[i].operation), cases[i].stores);
        ck_assert_int_eq((int)ddb_operation_by_name(cases[i].name), (int)cases[i].operation);
    }
}
END_TEST

START_TEST(names_are_matched_whole_and_by_case) {
    static const char *const wrong[] = {"", "getitem", "GetItem ", "GetIte", "Scans"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq((int)ddb_operation_by_name(wrong[i]), DDB_OPERATION_COUNT);
        ck_assert_int_eq((int)throttle_reason_by_name(wrong[i]), THROTTLE_REASON_COUNT);
    }
}
END_TEST

/* {Table,Index} x {Read,Write} x limit, as AWS composes them. */
START_TEST(the_sixteen_reasons_are_all_combinations) {
    static const char *const kinds[] = {"Table", "Index"};
    static const char *const directions[] = {"Read", "Write"};
    static const char *const limits[] = {"Provisioned", "KeyRange", "Account", "MaxOnDemand"};
    unsigned set = 0;
    for (size_t i = 0; i < 16; i++) {
        const char *limit = limits[i / 4];
        char name[64];
        snprintf(name, sizeof name, "%s%s%s%s", kinds[i / 2 % 2], directions[i % 2], limit,
                 strcmp(limit, "Account") == 0 ? "LimitExceeded" : "ThroughputExceeded");
        const enum throttle_reason reason = throttle_reason_by_name(name);
        ck_assert_msg(reason != THROTTLE_REASON_COUNT, "%s", name);
        ck_assert_str_eq(throttle_reason_name(reason), name);
        set |= REASON_BIT(reason);
    }
    ck_assert_uint_eq(set, 0xffff);
}
END_TEST

START_TEST(aborts_on_the_name_of_no_operation) {
    ddb_operation_name(DDB_OPERATION_COUNT);
}
END_TEST

START_TEST(aborts_on_the_direction_of_no_operation) {
    ddb_operation_writes(DDB_OPERATION_COUNT);
}
END_TEST

START_TEST(aborts_on_the_name_of_no_reason) {
    throttle_reason_name(THROTTLE_REASON_COUNT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/request");
    TCase *tcase = tcase_create("request");
    tcase_add_test(tcase, operations_have_the_names_of_the_api);
    tcase_add_test(tcase, names_are_matched_whole_and_by_case);
    tcase_add_test(tcase, the_sixteen_reasons_are_all_combinations);
    tcase_add_test_raise_signal(tcase, aborts_on_the_name_of_no_operation, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_the_direction_of_no_operation, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_the_name_of_no_reason, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
