#include "analysis/store_rows.h"

#include "tests/analysis/made_up_store.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *db;

static void close_and_tear_down(void) {
    sqlite3_close(db);
    tear_down();
}

/* The answer of one row; columns joined by '|', NULL as the empty text. */
static const char *ask(const char *sql) {
    static char answer[512];
    sqlite3_stmt *question;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &question, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(db));
    ck_assert_msg(sqlite3_step(question) == SQLITE_ROW, "no row: %s", sql);
    size_t at = 0;
    for (int i = 0; i < sqlite3_column_count(question); i++) {
        const unsigned char *text = sqlite3_column_text(question, i);
        int length = snprintf(answer + at, sizeof answer - at, "%s%s", i == 0 ? "" : "|",
                              text == NULL ? "" : (const char *)text);
        ck_assert(length >= 0 && (size_t)length < sizeof answer - at);
        at += (size_t)length;
    }
    ck_assert_msg(sqlite3_step(question) == SQLITE_DONE, "more than one row: %s", sql);
    sqlite3_finalize(question);
    return answer;
}

/* Rows that fill whole inserts, one more, one less; long names. */
START_TEST(keeps_every_row_around_the_size_of_an_insert) {
    static const uint32_t counts[] = {0, 1, 31, 32, 33, 64, 1000};
    static char name[9000];
    memset(name, 'k', sizeof name - 1);
    struct store *store = store_create(path, false, &err);
    ck_assert_ptr_nonnull(store);
    for (uint32_t run = 0; run < sizeof counts / sizeof counts[0]; run++) {
        for (uint32_t i = 0; i < counts[run]; i++) {
            const struct key_counters counters = {.reads = i, .consumed_rncu = NCU_PER_CU / 2};
            const char *key = name + hash_mix(i) % sizeof name;
            ck_assert(store_key(store, run, 0, key, &counters, &err));
        }
    }
    /* the room for texts is that of one insert, whatever came before */
    ck_assert_uint_le(store->buffers[STORE_KEYS].text_capacity_bytes,
                      2 * STORE_ROWS_AT_ONCE * sizeof name);
    ck_assert(store_commit(store, &err));
    store_close(store);
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    for (uint32_t run = 0; run < sizeof counts / sizeof counts[0]; run++) {
        uint64_t bytes = 0, sum = 0;
        for (uint32_t i = 0; i < counts[run]; i++) {
            sum += i;
            bytes += strlen(name + hash_mix(i) % sizeof name);
        }
        char sql[160], expected[96];
        snprintf(sql, sizeof sql,
                 "SELECT count(*), total(reads), total(consumed_rcu), cast(total(length(key)) AS"
                 " INTEGER) FROM keys WHERE run_id = %u",
                 run);
        snprintf(expected, sizeof expected, "%u|%.1f|%.1f|%" PRIu64, counts[run], (double)sum,
                 (double)counts[run] / 2, bytes);
        ck_assert_str_eq(ask(sql), expected);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_rows");
    TCase *tcase = tcase_create("store_rows");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, close_and_tear_down);
    tcase_add_test(tcase, keeps_every_row_around_the_size_of_an_insert);
    return suite_run(suite);
}
