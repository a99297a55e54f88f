#include "analysis/store_read_table.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/ddbsim-table-XXXXXX";
static char path[64];
static struct err err;
static struct store_read *reader;

/* Changes the database and opens it again. */
static void change(const char *sql) {
    store_read_close(reader);
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    database_exec(database, sql);
    sqlite3_close(database);
    reader = store_read_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
}

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.db", folder);
    made_up_database(path);
    reader = store_read_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
}

static void tear_down(void) {
    store_read_close(reader);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Rows of a table, and the sum of one of its columns where that is a number. */
static size_t count_rows(const char *name, const int64_t *run_id, size_t column, double *sum) {
    struct store_read_table *table = store_read_table_open(reader, name, run_id, &err);
    ck_assert_msg(table != NULL, "%s: %s", name, err.text);
    size_t rows = 0;
    *sum = 0;
    enum store_read_table_step step;
    while ((step = store_read_table_next(table, &err)) == STORE_READ_TABLE_ROW) {
        struct store_value value = store_read_table_value(table, column);
        *sum += value.type == STORE_VALUE_INTEGER ? (double)value.integer : value.real;
        rows++;
    }
    ck_assert_msg(step == STORE_READ_TABLE_DONE, "%s: %s", name, err.text);
    store_read_table_close(table);
    return rows;
}

static bool has_name(const char *name) {
    size_t count;
    const char *const *names = store_read_table_names(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

START_TEST(every_table_and_view_of_the_schema_can_be_read_and_nothing_else) {
    size_t count, found = 0;
    store_read_table_names(&count);
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(database,
                                        "SELECT name, type FROM sqlite_schema WHERE type IN"
                                        " ('table', 'view')",
                                        -1, &statement, NULL),
                     SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        double sum;
        ck_assert_msg(has_name(name), "%s", name);
        count_rows(name, NULL, 0, &sum);
        found++;
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    ck_assert_uint_eq(found, count);
    ck_assert_ptr_null(store_read_table_open(reader, "sqlite_schema", NULL, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
}
END_TEST

START_TEST(reads_all_rows_or_those_of_one_run) {
    double sum;
    ck_assert_uint_eq(count_rows("seconds", NULL, 2, &sum), 121);
    ck_assert_double_eq(sum, 119 * 120 / 2 + 3);
    ck_assert_uint_eq(count_rows("seconds", &(int64_t){1}, 2, &sum), 120);
    ck_assert_double_eq(sum, 119 * 120 / 2);
    ck_assert_uint_eq(count_rows("seconds", &(int64_t){2}, 2, &sum), 1);
    ck_assert_uint_eq(count_rows("events", &(int64_t){2}, 0, &sum), 0);
    ck_assert_ptr_null(store_read_table_open(reader, "seconds", &(int64_t){3}, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "has no run 3"));
}
END_TEST

START_TEST(a_table_without_runs_is_read_as_a_whole) {
    double sum;
    count_rows("points", NULL, 0, &sum);
    ck_assert_ptr_null(store_read_table_open(reader, "points", &(int64_t){1}, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, "the rows of 'points' belong to no run: it is read as a whole");
}
END_TEST

START_TEST(rows_come_as_inserted_though_an_index_would_sort_them) {
    change("CREATE INDEX by_units ON keys(run_id, consumed_wcu);"
           "INSERT INTO keys VALUES (1, 0, 'z', 1, 1, 0.0, 0.5, 0, 0)");
    static const char *const expected[] = {"a", "b", "c", "d", "victim", "z"};
    struct store_read_table *table = store_read_table_open(reader, "keys", &(int64_t){1}, &err);
    ck_assert_ptr_nonnull(table);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_int_eq(store_read_table_next(table, &err), STORE_READ_TABLE_ROW);
        struct store_value key = store_read_table_value(table, 2);
        ck_assert_int_eq(key.type, STORE_VALUE_TEXT);
        ck_assert_uint_eq(key.length, strlen(expected[i]));
        ck_assert_mem_eq(key.bytes, expected[i], key.length);
    }
    ck_assert_int_eq(store_read_table_next(table, &err), STORE_READ_TABLE_DONE);
    store_read_table_close(table);
}
END_TEST

START_TEST(the_view_comes_by_run_minute_resource_and_metric) {
    struct store_read_table *table = store_read_table_open(reader, "cloudwatch", NULL, &err);
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_eq(store_read_table_columns(table), 5);
    ck_assert_str_eq(store_read_table_column(table, 2), "metric");
    char last[256] = "";
    size_t rows = 0;
    while (store_read_table_next(table, &err) == STORE_READ_TABLE_ROW) {
        char now[256];
        snprintf(now, sizeof now, "%04lld %06lld %s %s",
                 (long long)store_read_table_value(table, 0).integer,
                 (long long)store_read_table_value(table, 1).integer,
                 store_read_table_value(table, 3).bytes, store_read_table_value(table, 2).bytes);
        ck_assert_int_lt(strcmp(last, now), 0);
        snprintf(last, sizeof last, "%s", now);
        rows++;
    }
    ck_assert_uint_gt(rows, 8);
    store_read_table_close(table);
}
END_TEST

START_TEST(every_type_of_value_comes_as_it_is_stored) {
    change("DROP TABLE events; CREATE TABLE events(run_id, a, b, c, d, e, f);"
           "INSERT INTO events VALUES (1, NULL, -9223372036854775808, 0.1, 'a' || char(0) || 'b',"
           " x'00ff', '')");
    struct store_read_table *table = store_read_table_open(reader, "events", NULL, &err);
    ck_assert_msg(table != NULL, "%s", err.text);
    ck_assert_int_eq(store_read_table_next(table, &err), STORE_READ_TABLE_ROW);
    ck_assert_int_eq(store_read_table_value(table, 1).type, STORE_VALUE_NULL);
    ck_assert(store_read_table_value(table, 2).integer == INT64_MIN);
    ck_assert_double_eq(store_read_table_value(table, 3).real, 0.1);
    struct store_value text = store_read_table_value(table, 4);
    ck_assert_int_eq(text.type, STORE_VALUE_TEXT);
    ck_assert_uint_eq(text.length, 3);
    ck_assert_mem_eq(text.bytes, "a\0b", 3);
    struct store_value blob = store_read_table_value(table, 5);
    ck_assert_int_eq(blob.type, STORE_VALUE_BLOB);
    ck_assert_uint_eq(blob.length, 2);
    struct store_value empty = store_read_table_value(table, 6);
    ck_assert_int_eq(empty.type, STORE_VALUE_TEXT);
    ck_assert_uint_eq(empty.length, 0);
    ck_assert_ptr_nonnull(empty.bytes);
    store_read_table_close(table);
}
END_TEST

START_TEST(a_database_that_lacks_the_table_is_an_error_in_sqlites_words) {
    change("DROP TABLE points");
    ck_assert_ptr_null(store_read_table_open(reader, "points", NULL, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "x.db': no such table: points"));
}
END_TEST

static int stop(void *context) {
    ++*(int *)context;
    return 1;
}

/* A view of our name that would count to the end of days. */
START_TEST(a_query_without_end_is_stopped_from_outside) {
    change("DROP VIEW cloudwatch; CREATE VIEW cloudwatch(run_id, minute, metric, resource, value)"
           " AS WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t)"
           " SELECT n, n, n, n, n FROM t WHERE n < 0");
    int asked = 0;
    store_read_on_progress(reader, &(struct store_read_progress){stop, &asked});
    struct store_read_table *table = store_read_table_open(reader, "cloudwatch", NULL, &err);
    ck_assert_msg(table != NULL, "%s", err.text);
    ck_assert_int_eq(store_read_table_next(table, &err), STORE_READ_TABLE_FAILED);
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(err.kind, ERR_IO);
    store_read_table_close(table);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("store_read_table");
    TCase *tests = tcase_create("store_read_table");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, every_table_and_view_of_the_schema_can_be_read_and_nothing_else);
    tcase_add_test(tests, reads_all_rows_or_those_of_one_run);
    tcase_add_test(tests, a_table_without_runs_is_read_as_a_whole);
    tcase_add_test(tests, rows_come_as_inserted_though_an_index_would_sort_them);
    tcase_add_test(tests, the_view_comes_by_run_minute_resource_and_metric);
    tcase_add_test(tests, every_type_of_value_comes_as_it_is_stored);
    tcase_add_test(tests, a_database_that_lacks_the_table_is_an_error_in_sqlites_words);
    tcase_add_test(tests, a_query_without_end_is_stopped_from_outside);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
