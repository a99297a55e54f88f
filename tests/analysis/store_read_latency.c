#include "analysis/store_read_latency.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/ddbsim-latency-XXXXXX";
static char path[64];
static struct err err;
static struct store_read *reader;
static struct store_read_operation *rows;
static size_t count;
static double gave_up;

/* The latencies of a run after a change of the database. */
static void read_latencies(const char *change, int64_t run_id) {
    err = (struct err){.kind = ERR_NONE};
    reader = made_up_reopen(reader, path, change, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
    struct store_read_run run;
    ck_assert(store_read_run(reader, &run_id, &run, &err));
    ck_assert_msg(store_read_latencies(reader, &run, &rows, &count, &gave_up, &err), "%s",
                  err.text);
}

static void set_up(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.db", folder);
    made_up_database(path);
}

static void tear_down(void) {
    store_read_close(reader);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(operations_come_by_requests_with_their_buckets_added_up) {
    read_latencies("UPDATE runs SET gave_up = 4 WHERE run_id = 1", 1);
    ck_assert_double_eq(gave_up, 4);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(rows[0].name, "PutItem");
    ck_assert_uint_eq(rows[0].bucket_count, 3);
    ck_assert_double_eq(rows[0].buckets[1].le_us, 9000);
    ck_assert_double_eq(rows[0].buckets[1].up_to, 99);
    ck_assert_double_eq(store_read_latency_requests(&rows[0]), 100);
    ck_assert_str_eq(rows[1].name, "GetItem");
    ck_assert_double_eq(store_read_latency_requests(&rows[1]), 50);
}
END_TEST

/* Of the values 3000 (90 times), 9000 (9 times), 1500000: the one at rank ceil(fraction * 100). */
START_TEST(a_quantile_is_the_value_at_its_rank) {
    static const struct {
        double fraction, us;
    } cases[] = {{0.000001, 3000}, {0.5, 3000},      {0.9, 3000}, {0.900001, 9000},
                 {0.99, 9000},     {0.991, 1500000}, {1, 1500000}};
    read_latencies("", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_double_eq(store_read_latency_us(&rows[0], cases[i].fraction), cases[i].us);
    }
}
END_TEST

START_TEST(rows_that_stand_twice_are_one_bucket) {
    read_latencies("INSERT INTO latencies VALUES (1, 'PutItem', 3000.0, 900)", 1);
    ck_assert_uint_eq(rows[0].bucket_count, 3);
    ck_assert_double_eq(rows[0].buckets[0].up_to, 990);
}
END_TEST

START_TEST(what_cannot_be_a_latency_is_left_out) {
    read_latencies("INSERT INTO latencies VALUES (1, 'a', -1.0, 5), (1, 'b', 1e999, 5),"
                   " (1, 'c', 5.0, -1), (2, 'd', 5.0, 1)",
                   1);
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(a_run_without_latencies_has_no_operations) {
    read_latencies("", 2);
    ck_assert_uint_eq(count, 0);
    ck_assert_double_eq(gave_up, 0);
}
END_TEST

START_TEST(a_quantile_of_nothing_aborts) {
    read_latencies("", 1);
    store_read_latency_us(&rows[0], 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("store_read_latency");
    TCase *tests = tcase_create("store_read_latency");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, operations_come_by_requests_with_their_buckets_added_up);
    tcase_add_test(tests, a_quantile_is_the_value_at_its_rank);
    tcase_add_test(tests, rows_that_stand_twice_are_one_bucket);
    tcase_add_test(tests, what_cannot_be_a_latency_is_left_out);
    tcase_add_test(tests, a_run_without_latencies_has_no_operations);
    tcase_add_test_raise_signal(tests, a_quantile_of_nothing_aborts, 6);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
