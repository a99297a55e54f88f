/*
 * store_keys - Writing the rows of `keys` against the fastest plain way to write the same columns.
 *
 * 200,000 keys, names and counters at hand. The yardstick binds them, 40 rows a statement, in one
 * transaction of a database with the same pages, journal and columns. Both sync once.
 */
#include "analysis/store.h"
#include "sim/check.h"
#include "tests/bench/alternation.h"
#include "tests/bench/plain_loop.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYS 200000
#define ROWS_AT_ONCE 40
#define COLUMNS 9
#define NAME_BYTES 24
#define RATIO_MAX 1.5

static char names[KEYS][NAME_BYTES];
static struct key_counters counters[KEYS];
static char path[] = "/tmp/ddbsim-store-keys-XXXXXX";

static void die(bool done, const char *what) {
    if (!done) {
        fprintf(stderr, "store_keys: %s\n", what);
        exit(2);
    }
}

static void make_up(void) {
    for (uint32_t i = 0; i < KEYS; i++) {
        snprintf(names[i], NAME_BYTES, "PRODUCT#%u", i * 37 % 1000003);
        counters[i] = (struct key_counters){
            .reads = i % 7,
            .writes = i % 100,
            .consumed_rncu = (int64_t)(i % 7) * NCU_PER_CU / 2,
            .consumed_wncu = (int64_t)(i % 100) * NCU_PER_CU,
            .throttled_writes = i % 3,
        };
    }
}

static double write_ours(void) {
    struct err err = {ERR_NONE, ""};
    double start_s = bench_now_s();
    struct store *store = store_create(path, true, &err);
    die(store != NULL, err.text);
    for (uint32_t i = 0; i < KEYS; i++) {
        die(store_key(store, 1, 0, names[i], &counters[i], &err), err.text);
    }
    die(store_commit(store, &err), err.text);
    store_close(store);
    return (bench_now_s() - start_s) * 1e9 / KEYS;
}

static void bind_row(sqlite3_stmt *insert, int place, uint32_t key) {
    const struct key_counters *row = &counters[key];
    sqlite3_bind_int64(insert, place, 1);
    sqlite3_bind_int64(insert, place + 1, 0);
    sqlite3_bind_text(insert, place + 2, names[key], -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, place + 3, (int64_t)row->reads);
    sqlite3_bind_int64(insert, place + 4, (int64_t)row->writes);
    sqlite3_bind_double(insert, place + 5, (double)row->consumed_rncu / (double)NCU_PER_CU);
    sqlite3_bind_double(insert, place + 6, (double)row->consumed_wncu / (double)NCU_PER_CU);
    sqlite3_bind_int64(insert, place + 7, (int64_t)row->throttled_reads);
    sqlite3_bind_int64(insert, place + 8, (int64_t)row->throttled_writes);
}

static double write_plain(void) {
    static const char set_up[] =
        "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
        "PRAGMA locking_mode = EXCLUSIVE; BEGIN;"
        "CREATE TABLE keys(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL, key TEXT NOT "
        "NULL, reads INTEGER NOT NULL, writes INTEGER NOT NULL, consumed_rcu REAL NOT NULL,"
        " consumed_wcu REAL NOT NULL, throttled_reads INTEGER NOT NULL,"
        " throttled_writes INTEGER NOT NULL) STRICT";
    char sql[64 + ROWS_AT_ONCE * 2 * (COLUMNS + 2)] = "INSERT INTO keys VALUES";
    for (int i = 0; i < ROWS_AT_ONCE; i++) {
        strcat(sql, i == 0 ? "(?,?,?,?,?,?,?,?,?)" : ",(?,?,?,?,?,?,?,?,?)");
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    double start_s = bench_now_s();
    unlink(path);
    die(sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, set_up, 0, 0, 0) == SQLITE_OK &&
            sqlite3_prepare_v2(db, sql, -1, &insert, NULL) == SQLITE_OK,
        sqlite3_errmsg(db));
    for (uint32_t i = 0; i < KEYS; i += ROWS_AT_ONCE) {
        for (uint32_t row = 0; row < ROWS_AT_ONCE; row++) {
            bind_row(insert, (int)(row * COLUMNS) + 1, i + row);
        }
        die(sqlite3_step(insert) == SQLITE_DONE, sqlite3_errmsg(db));
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    die(sqlite3_exec(db, "COMMIT", 0, 0, 0) == SQLITE_OK, sqlite3_errmsg(db));
    sqlite3_close(db);
    int file = open(path, O_RDONLY);
    die(file >= 0 && fsync(file) == 0, "cannot sync");
    close(file);
    return (bench_now_s() - start_s) * 1e9 / KEYS;
}

_Static_assert(KEYS % ROWS_AT_ONCE == 0, "statements are whole");

int main(void) {
    make_up();
    int file = mkstemp(path);
    die(file >= 0, "cannot make a file");
    close(file);
    struct alternation ways = {.name = "rows of keys against a plain insert", .unit = "ns a row"};
    for (int i = 0; i < ALTERNATIONS; i++) {
        ways.theirs[i] = write_plain();
        ways.ours[i] = write_ours();
        printf("%2d: plain %6.1f, store %6.1f ns a row\n", i, ways.theirs[i], ways.ours[i]);
    }
    unlink(path);
    return alternation_judge(&ways, RATIO_MAX) ? 0 : 1;
}
