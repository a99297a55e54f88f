#include "analysis/store_read_report.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/ddbsim-report-XXXXXX";
static char path[64];
static struct err err;
static struct store_read *reader;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.db", folder);
    made_up_database(path);
    reader = made_up_reopen(NULL, path, "", &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
}

static void tear_down(void) {
    store_read_close(reader);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void change(const char *sql) {
    reader = made_up_reopen(reader, path, sql, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
}

/* Rows as "a|b|c" a line, NULL as "-". */
static const char *rows_of(enum store_read_report which) {
    static char text[20000];
    struct store_read_table *table = store_read_report_open(reader, which, 1, &err);
    ck_assert_msg(table != NULL, "%s", err.text);
    size_t used = 0;
    text[0] = '\0';
    while (store_read_table_next(table, &err) == STORE_READ_TABLE_ROW) {
        for (size_t i = 0; i < store_read_table_columns(table); i++) {
            const struct store_value value = store_read_table_value(table, i);
            const char *separator = i == 0 ? "" : "|";
            const size_t room = sizeof text - used;
            used +=
                (size_t)(value.type == STORE_VALUE_NULL
                             ? snprintf(text + used, room, "%s-", separator)
                         : value.type == STORE_VALUE_INTEGER
                             ? snprintf(text + used, room, "%s%" PRId64, separator, value.integer)
                         : value.type == STORE_VALUE_REAL
                             ? snprintf(text + used, room, "%s%g", separator, value.real)
                             : snprintf(text + used, room, "%s%.*s", separator, (int)value.length,
                                        value.bytes));
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    ck_assert_msg(err.kind == ERR_NONE, "%s", err.text);
    store_read_table_close(table);
    return text;
}

START_TEST(every_table_can_be_read) {
    struct store_read_table *table =
        store_read_report_open(reader, (enum store_read_report)_i, 1, &err);
    ck_assert_msg(table != NULL, "%s", err.text);
    store_read_table_close(table);
    double count;
    ck_assert_msg(store_read_report_count(reader, (enum store_read_report)_i, 1, &count, &err),
                  "%s", err.text);
}
END_TEST

START_TEST(sums_are_by_table_and_the_worst_comes_first) {
    change("DELETE FROM keys; DELETE FROM throttles; DELETE FROM operations; DELETE FROM events;"
           "DELETE FROM resources;"
           "INSERT INTO resources VALUES (1, 0, 'orders', NULL), (1, 1, 'orders', 'byDay'),"
           " (2, 0, 'others', NULL);"
           "INSERT INTO keys VALUES (1, 0, 'calm', 900, 0, 450.0, 0.0, 0, 0),"
           " (1, 0, 'hot', 5, 5, 2.5, 5.0, 1, 70), (1, 1, 'warm', 0, 400, 0.0, 400.0, 0, 0),"
           " (2, 0, 'elsewhere', 1, 1, 1.0, 1.0, 9, 9);"
           "INSERT INTO throttles VALUES (1, 0, 3, 'A', 5), (1, 0, 8, 'A', 6), (1, 1, 4, 'B', 20),"
           " (2, 0, 1, 'A', 100);"
           "INSERT INTO operations VALUES (1, 0, 'put', 'PutItem', 0, 10, 12, 9, 3, 1),"
           " (1, 0, 'put', 'PutItem', 1, 20, 21, 20, 1, 0), (1, 0, 'get', 'GetItem', 0, 5, 5, 5, "
           "0, 0);"
           "INSERT INTO events VALUES (1, 9.5, 0, 'Late', '{}'), (1, 2.0, 1, 'Early', '{}');");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_KEYS), "hot|orders|1|70|5|5|2.5|5\n"
                                                      "warm|orders / byDay|0|0|0|400|0|400\n"
                                                      "calm|orders|0|0|900|0|450|0\n");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_REASONS), "orders / byDay|B|20|1|4|4\n"
                                                         "orders|A|11|2|3|8\n");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_WORKLOADS), "put|PutItem|orders|30|33|29|4|1\n"
                                                           "get|GetItem|orders|5|5|5|0|0\n");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_EVENTS), "2|orders / byDay|Early|{}\n"
                                                        "9.5|orders|Late|{}\n");
}
END_TEST

START_TEST(given_parameters_come_first_and_those_of_the_command_line_are_told) {
    change("DELETE FROM parameters; INSERT INTO parameters VALUES (1, 'model.routers', '8', 'UNK'),"
           " (1, 'rate', '7', '--set'), (1, 'keys', '9', 'scenario'), (2, 'rate', '1', '--set');");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_PARAMETERS),
                     "keys|9|scenario\nrate|7|--set\nmodel.routers|8|UNK\n");
    ck_assert_str_eq(rows_of(STORE_READ_REPORT_COMMAND), "rate|7\n");
}
END_TEST

START_TEST(long_tables_are_cut_and_counted) {
    change("DELETE FROM keys; INSERT INTO keys SELECT 1, r.resource_id, 'k', 1, 0, 0.5, 0.0, 0, 0"
           " FROM (SELECT min(resource_id) AS resource_id FROM resources WHERE run_id = 1) AS r,"
           " (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
           " SELECT i FROM n);");
    size_t lines = 0;
    for (const char *at = rows_of(STORE_READ_REPORT_KEYS); *at != '\0'; at++) {
        lines += *at == '\n';
    }
    ck_assert_uint_eq(lines, STORE_READ_REPORT_ROWS_MAX);
    double count;
    ck_assert(store_read_report_count(reader, STORE_READ_REPORT_KEYS, 1, &count, &err));
    ck_assert_double_eq(count, 300);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_read_report");
    TCase *tcase = tcase_create("store_read_report");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, every_table_can_be_read, 0, STORE_READ_REPORT_COUNT);
    tcase_add_test(tcase, sums_are_by_table_and_the_worst_comes_first);
    tcase_add_test(tcase, given_parameters_come_first_and_those_of_the_command_line_are_told);
    tcase_add_test(tcase, long_tables_are_cut_and_counted);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
