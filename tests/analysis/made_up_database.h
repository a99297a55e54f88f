/*
 * made_up_database.h - A small results database written row by row, so that tests know each number.
 *
 * Run 1: table "orders" (resource 0: reads and writes, throttled writes, 2 partitions, 120 s) and
 * its index "by-day" (resource 1: idle). Run 2: table "calm" (resource 0), nothing throttled, 10
 * s.
 */
#ifndef DDBSIM_TESTS_ANALYSIS_MADE_UP_DATABASE_H
#define DDBSIM_TESTS_ANALYSIS_MADE_UP_DATABASE_H

#include "analysis/store.h"
#include "analysis/store_read.h"
#include "analysis/store_schema.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

static inline void database_exec(sqlite3 *database, const char *sql) {
    char *message = NULL;
    int code = sqlite3_exec(database, sql, NULL, NULL, &message);
    ck_assert_msg(code == SQLITE_OK, "%s: %s", message, sql);
}

/* Second t of run 1: 100 + t WCU and 10 RCU; 7 writes refused in the seconds 60 … 89. */
static const char *const made_up_rows[] = {
    "INSERT INTO runs VALUES (1, 'it''s `x`', 0, 5, 0, 120.0, 'd', 'a', '0', 9, 9, 0, 0, 0, 0, 0,"
    " 9, 9, 0, 0), (2, 'calm', 0, 5, 1, 10.0, 'd', 'a', '0', 9, 9, 0, 0, 0, 0, 0, 9, 9, 0, 0)",
    "INSERT INTO resources VALUES (1, 0, 'orders', NULL), (1, 1, 'orders', 'by-day'),"
    " (2, 0, 'calm', NULL)",
    "INSERT INTO parameters VALUES (1, 'part_max_w', '500', 'test'), (1, 'routers', 'many', "
    "'test'), (1, 'model.era', 'gac', 'PUB a paper')",
    "WITH RECURSIVE t(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM t WHERE s < 119)"
    " INSERT INTO seconds SELECT 1, 0, s, 10.0, 100.0 + s, 50, 200, 1000.0, 300.0 - s, 2, NULL"
    " FROM t",
    "INSERT INTO seconds VALUES (2, 0, 3, 1.0, 0.0, NULL, NULL, NULL, NULL, 1, NULL)",
    "INSERT INTO operations SELECT 1, 0, 'w', 'PutItem', t_s, 10, 20, 10, 0, 0 FROM seconds"
    " WHERE run_id = 1",
    "INSERT INTO partitions VALUES"
    " (1, 0, 1, NULL, 0.0, NULL, 'created', '8000000000000000', 'ffffffffffffffff', NULL, NULL),"
    " (1, 0, 0, NULL, 0.0, NULL, 'created', '0000000000000000', '7fffffffffffffff', NULL, NULL),"
    " (1, 0, 2, NULL, 0.0, NULL, 'created', 'nonsense', 'ffffffffffffffff', NULL, NULL),"
    " (2, 0, 0, NULL, 0.0, NULL, 'created', '0000000000000000', 'ffffffffffffffff', NULL, NULL)",
    "INSERT INTO partition_seconds SELECT 1, 0, 0, t_s, consumed_rcu, 0.0, 0, 0 FROM seconds"
    " WHERE run_id = 1",
    "INSERT INTO partition_seconds SELECT 1, 0, 1, t_s, 0.0, consumed_wcu, 0,"
    " CASE WHEN t_s BETWEEN 60 AND 89 THEN 7 ELSE 0 END FROM seconds WHERE run_id = 1",
    "INSERT INTO throttles SELECT 1, 0, t_s, 'TableWriteKeyRangeThroughputExceeded', 7 FROM seconds"
    " WHERE run_id = 1 AND t_s BETWEEN 60 AND 89",
    "INSERT INTO throttles VALUES (1, 0, 70, 'TableWriteProvisionedThroughputExceeded', 3)",
    "INSERT INTO ring_seconds SELECT 1, 0, t_s, 2, 200, 0.0, 2 * consumed_wcu + 1, 0,"
    " CASE WHEN t_s BETWEEN 60 AND 89 THEN 14 ELSE 0 END FROM seconds"
    " WHERE run_id = 1 AND t_s % 2 = 0",
    "INSERT INTO ring_seconds VALUES (1, 0, 0, 2, 999, 1.0, 1.0, 1, 1)",
    "INSERT INTO keys VALUES (1, 0, 'a', 1, 1, 5.0, 90.0, 0, 0), (1, 0, 'b', 1, 1, 0.0, 80.0, 0, "
    "1),"
    " (1, 0, 'c', 1, 1, 0.0, 70.0, 0, 2), (1, 0, 'd', 1, 1, 0.0, 60.0, 0, 0),"
    " (1, 0, 'victim', 0, 0, 0.0, 1.0, 0, 207)",
    "INSERT INTO latencies VALUES (1, 'PutItem', 3000.0, 90), (1, 'PutItem', 9000.0, 9),"
    " (1, 'PutItem', 1500000.0, 1), (1, 'GetItem', 0, 50), (1, 'GetItem', -1.0, 7),"
    " (1, 'GetItem', 5.0, 0)",
    NULL,
};

static inline void made_up_database(const char *path) {
    unlink(path);
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    database_exec(database, "PRAGMA synchronous = OFF");
    database_exec(database, "BEGIN");
    for (const char *const *sql = store_schema_statements(); *sql != NULL; sql++) {
        database_exec(database, *sql);
    }
    for (const char *const *sql = made_up_rows; *sql != NULL; sql++) {
        database_exec(database, *sql);
    }
    char version[64];
    snprintf(version, sizeof version, "PRAGMA user_version = %d", STORE_SCHEMA_VERSION);
    database_exec(database, version);
    database_exec(database, "COMMIT");
    ck_assert_int_eq(sqlite3_close(database), SQLITE_OK);
}

/* Changes the database under a reader (NULL: none yet), which is closed, and opens it again. NULL
 * with *err: it cannot be read any more. */
static inline struct store_read *made_up_reopen(struct store_read *reader, const char *path,
                                                const char *change, struct err *err) {
    store_read_close(reader);
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    database_exec(database, change);
    sqlite3_close(database);
    return store_read_open(path, err);
}

#endif
