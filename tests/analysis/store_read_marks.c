#include "analysis/store_read_marks.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <stdlib.h>

static char folder[] = "/tmp/ddbsim-marks-XXXXXX";
static char path[64];
static struct err err;
static struct store_read *reader;
static struct store_read_mark *rows;
static size_t count;

/* The marks of a resource of run 1 after a change of the database. */
static void read_marks(const char *change, int64_t resource_id, int64_t from_s, int64_t to_s) {
    const struct store_read_view view = {.run_id = 1,
                                         .resource_id = resource_id,
                                         .from_s = from_s,
                                         .to_s = to_s,
                                         .bin_s = 1,
                                         .end_s = 120};
    err = (struct err){.kind = ERR_NONE};
    reader = made_up_reopen(reader, path, change, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
    ck_assert_msg(store_read_marks(reader, &view, &rows, &count, &err), "%s", err.text);
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

static void check_mark(size_t at, double t_s, enum store_read_mark_kind kind) {
    ck_assert_double_eq(rows[at].t_s, t_s);
    ck_assert_int_eq(rows[at].kind, kind);
}

#define UPDATE(t, mode, more)                                                                      \
    "INSERT INTO events VALUES (1, " t ", 0, 'UpdateTableCompleted',"                              \
    " '{\"BillingMode\": \"" mode "\"" more "}');"

START_TEST(a_run_without_events_has_no_marks) {
    read_marks("", 0, 0, 120);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(events_of_the_table_are_marked_by_time) {
    read_marks("INSERT INTO events VALUES (1, 50.5, 0, 'SplitCompleted', '{}'),"
               " (1, 40.0, 0, 'SplitStarted', '{}'), (1, 41.0, 1, 'SplitCompleted', '{}'),"
               " (1, 70.0, 0, 'LeaderLost', '{}'), (1, 72.0, 0, 'LeaderElected', '{}');" UPDATE(
                   "10", "PROVISIONED", ", \"write_units\": 9")
                   UPDATE("20", "PROVISIONED", "") /* an index's call */
               UPDATE("30", "PAY_PER_REQUEST", "")
                   UPDATE("60", "PROVISIONED", ", \"read_units\": 3"),
               0, 0, 120);
    ck_assert_uint_eq(count, 5);
    check_mark(4, 70, STORE_READ_LEADERLESS);
    check_mark(0, 10, STORE_READ_SCALED);
    check_mark(1, 30, STORE_READ_SWITCHED);
    check_mark(2, 50.5, STORE_READ_SPLIT);
    check_mark(3, 60, STORE_READ_SWITCHED);
    /* in a part of the run, the mode is that of the last call before it */
    read_marks("", 0, 40, 120);
    ck_assert_uint_eq(count, 3);
    check_mark(1, 60, STORE_READ_SWITCHED);
    read_marks("", 1, 0, 120);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(an_episode_of_back_pressure_is_one_mark_of_index_and_table) {
    static const char refusals[] =
        "INSERT INTO throttles VALUES (1, 1, 5, 'IndexWriteKeyRangeThroughputExceeded', 2),"
        " (1, 1, 6, 'IndexWriteKeyRangeThroughputExceeded', 2),"
        " (1, 1, 66, 'IndexWriteProvisionedThroughputExceeded', 2),"
        " (1, 1, 100, 'IndexReadKeyRangeThroughputExceeded', 2)";
    for (int64_t resource_id = 0; resource_id < 2; resource_id++) {
        read_marks(resource_id == 0 ? refusals : "", resource_id, 0, 120);
        ck_assert_uint_eq(count, 1);
        check_mark(0, 5, STORE_READ_BEHIND);
    }
    read_marks("UPDATE throttles SET t_s = 67 WHERE resource_id = 1 AND t_s = 66", 0, 0, 120);
    ck_assert_uint_eq(count, 2);
    check_mark(1, 67, STORE_READ_BEHIND);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_read_marks");
    TCase *tcase = tcase_create("marks");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_run_without_events_has_no_marks);
    tcase_add_test(tcase, events_of_the_table_are_marked_by_time);
    tcase_add_test(tcase, an_episode_of_back_pressure_is_one_mark_of_index_and_table);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
