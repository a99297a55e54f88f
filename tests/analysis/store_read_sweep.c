#include "analysis/store_read_sweep.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/ddbsim-sweep-XXXXXX";
static char path[64];
static struct store_read *reader;
static struct store_read_point *points;
static size_t count;

/* The points after the database was made to hold these rows. */
static void read_sweep(const char *change) {
    struct err err = {.kind = ERR_NONE};
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    database_exec(database, "DELETE FROM points; DELETE FROM metrics; UPDATE runs SET point = 0");
    database_exec(database, change);
    sqlite3_close(database);
    store_read_close(reader);
    reader = store_read_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
    ck_assert_msg(store_read_sweep(reader, "throttled_share", &points, &count, &err), "%s",
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

START_TEST(points_have_their_parameters_and_the_mean_of_their_runs) {
    read_sweep("INSERT INTO points VALUES (0, '{\"a\":\"1\",\"b\":\"x y\"}'), (1, '{\"a\":\"2\"}');"
               "UPDATE runs SET point = run_id > 1;"
               "INSERT INTO metrics VALUES (1, 'throttled_share', 0.25), (1, 'offered', 9.0),"
               " (2, 'throttled_share', 0.5)");
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(points[0].factor_count, 2);
    ck_assert_str_eq(points[0].factors[1].name, "b");
    ck_assert_str_eq(points[0].factors[1].value, "x y");
    ck_assert_uint_eq(points[0].runs, 1);
    ck_assert_double_eq(points[0].value.estimate, 0.25);
    ck_assert(isnan(points[0].value.low)); /* of one run */
    ck_assert_double_eq(points[1].value.estimate, 0.5);
}
END_TEST

/* Three replications of two designs, and a fourth that the first design has not. */
START_TEST(differences_are_of_the_same_draws) {
    struct err err = {.kind = ERR_NONE};
    read_sweep(
        "INSERT INTO points VALUES (0, '{\"a\":\"1\"}'), (1, '{\"a\":\"2\"}'),"
        " (2, '{\"a\":\"3\"}');"
        "DELETE FROM runs; INSERT INTO runs SELECT column1, 'x', column2, 5, column3, 9.0,"
        " 'd', 'a', '0', 9, 9, 0, 0, 0, 0, 0, 9, 9, 0, 0 FROM (VALUES (1, 0, 0), (2, 0, 1),"
        " (3, 0, 2), (4, 1, 2), (5, 1, 0), (6, 1, 1), (7, 1, 3));"
        "INSERT INTO metrics VALUES (1, 'throttled_share', 0.1), (2, 'throttled_share', 0.5),"
        " (3, 'throttled_share', 0.9), (4, 'throttled_share', 0.8),"
        " (5, 'throttled_share', 0.0), (6, 'throttled_share', 0.4),"
        " (7, 'throttled_share', 0.7)");
    ck_assert_msg(store_read_differences(reader, "throttled_share", points, count, &err), "%s",
                  err.text);
    ck_assert_uint_eq(count, 3);
    ck_assert(isnan(points[0].difference.estimate));
    ck_assert_uint_eq(points[1].runs, 4);
    ck_assert_uint_eq(points[1].pairs, 3);
    ck_assert_double_eq_tol(points[1].difference.estimate, -0.1, 1e-12);
    ck_assert_double_eq_tol(points[1].difference.low, -0.1, 1e-9); /* each pair differs alike */
    ck_assert_uint_eq(points[2].pairs, 0);
    ck_assert(isnan(points[2].difference.estimate));
}
END_TEST

START_TEST(a_database_without_a_sweep_has_no_points) {
    read_sweep("INSERT INTO points VALUES (0, '{}')");
    ck_assert_uint_eq(count, 0);
    read_sweep("");
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(what_is_no_point_is_left_out) {
    read_sweep("INSERT INTO points VALUES (0, 'no json'), (1, '{\"a\":null}'), (2, '[]'),"
               " (3, '{\"a\":\"1\"}');"
               "INSERT INTO metrics VALUES (77, 'throttled_share', 1.0)");
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(points[0].point, 3);
    ck_assert_uint_eq(points[0].runs, 0);
    ck_assert(isnan(points[0].value.estimate));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_read_sweep");
    TCase *tcase = tcase_create("store_read_sweep");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, points_have_their_parameters_and_the_mean_of_their_runs);
    tcase_add_test(tcase, differences_are_of_the_same_draws);
    tcase_add_test(tcase, a_database_without_a_sweep_has_no_points);
    tcase_add_test(tcase, what_is_no_point_is_left_out);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
