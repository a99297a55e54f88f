#include "tests/analysis/made_up_store.h"

#include "tests/suite.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *db;

static void close_and_tear_down(void) {
    sqlite3_close(db);
    tear_down();
}

static void write_database(void) {
    struct store *store = store_create(path, false, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    ck_assert_msg(write_run(store) && store_commit(store, &err), "%s", err.text);
    store_close(store);
    ck_assert_int_eq(file_count(), 1);
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
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

/* Columns as the design names them. */
START_TEST(has_the_tables_of_the_contract) {
    static const char *const tables[][2] = {
        {"scenarios", "name,text"},
        {"parameters", "run_id,name,value,source"},
        {"points", "point,parameters"},
        {"parts", "part,part_count,points,plan"},
        {"timings", "run_id,wall_s,requests_per_wall_s,peak_rss_bytes"},
        {"runs", "run_id,scenario,point,seed,replication,duration_s,digest,arrivals_digest,"
                 "version,offered,succeeded,condition_failed,rejected,gave_up,in_flight,"
                 "unprocessed,attempts,admitted,throttled,errored"},
        {"resources", "run_id,resource_id,table_name,index_name"},
        {"operations", "run_id,resource_id,workload,operation,t_s,calls,attempts,succeeded,"
                       "throttled_calls,gave_up"},
        {"seconds", "run_id,resource_id,t_s,consumed_rcu,consumed_wcu,provisioned_rcu,"
                    "provisioned_wcu,burst_rcu,burst_wcu,partitions,buffered_wcu"},
        {"throttles", "run_id,resource_id,t_s,reason,events"},
        {"partitions", "run_id,resource_id,partition_id,parent_id,born_s,closed_s,cause,hash_lo,"
                       "hash_hi,sort_lo,sort_hi"},
        {"partition_seconds", "run_id,resource_id,partition_id,t_s,consumed_rcu,consumed_wcu,"
                              "throttled_reads,throttled_writes"},
        {"ring_seconds", "run_id,resource_id,t_s,span_s,slice,consumed_rcu,consumed_wcu,"
                         "throttled_reads,throttled_writes"},
        {"keys", "run_id,resource_id,key,reads,writes,consumed_rcu,consumed_wcu,throttled_reads,"
                 "throttled_writes"},
        {"key_minutes", "run_id,resource_id,t_s,key,kind,units"},
        {"latencies", "run_id,operation,le_us,requests"},
        {"events", "run_id,t_s,resource_id,kind,detail"},
        {"cloudwatch", "run_id,minute,metric,resource,value"},
    };
    write_database();
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT group_concat(name) FROM pragma_table_info('%s')",
                 tables[i][0]);
        ck_assert_str_eq(ask(sql), tables[i][1]);
        bool is_view = strcmp(tables[i][0], "cloudwatch") == 0;
        snprintf(sql, sizeof sql, "SELECT type, strict FROM pragma_table_list('%s')", tables[i][0]);
        ck_assert_str_eq(ask(sql), is_view ? "view|0" : "table|1");
    }
    ck_assert_str_eq(ask("PRAGMA user_version"), "2");
    ck_assert_str_eq(ask("PRAGMA integrity_check"), "ok");
    ck_assert_str_eq(ask("PRAGMA page_size"), "16384");
}
END_TEST

static const char *const answers[][2] = {
    {"SELECT * FROM scenarios", "made up|name: 'made up'\n"},
    {"SELECT * FROM parameters", "7|shards|8|--set"},
    {"SELECT * FROM points", "0|{}"},
    {"SELECT * FROM timings", "7|0.25|1000000.0|12345678"},
    {"SELECT run_id, scenario, point, seed, replication, duration_s, digest, arrivals_digest,"
     " typeof(seed), offered, succeeded, gave_up, in_flight, version <> '' FROM runs",
     "7|made up|0|18446744073709551615|3|130.0|0123|4567|text|130|104|26|0|1"},
    {"SELECT attempts = admitted + throttled + errored, attempts > 1000 FROM runs", "1|1"},
    {"SELECT group_concat(run_id || resource_id || table_name || coalesce(index_name, '-'))"
     " FROM resources",
     "70orders-,71ordersby_day"},
    {"SELECT * FROM partitions WHERE partition_id = 4",
     "7|0|4||0.0||created|cccccccccccccccd|ffffffffffffffff||"},
    {"SELECT * FROM partitions WHERE partition_id = 5",
     "7|0|5|4|0.5|2.0|created|0000000000000000|00000000000000ff||000000000000001f"},
    {"SELECT * FROM events", "7|1.5|1|note|a 'quoted' text"},
    {"SELECT count(*), min(t_s), max(t_s) FROM seconds", "260|0|129"},
    {"SELECT provisioned_rcu, provisioned_wcu, burst_rcu, burst_wcu, partitions, buffered_wcu"
     " FROM seconds WHERE t_s = 3 AND resource_id = 0",
     "103|50|4880.000000003|0.75|5|"},
    {"SELECT DISTINCT provisioned_rcu, provisioned_wcu, burst_rcu, burst_wcu, partitions,"
     " buffered_wcu FROM seconds WHERE resource_id = 1",
     "||||1|0.0"},
    {"SELECT sum(requests), max(le_us) BETWEEN 129000 AND 130100 FROM latencies", "104|1"},
    {"SELECT DISTINCT operation FROM latencies", "UpdateItem"},
    {"SELECT group_concat(DISTINCT operation) FROM operations",
     "UpdateItem,GetItem,PutItem,DeleteItem,Query"},
    {"SELECT sum(gave_up) FROM operations", "26"},
    {"SELECT DISTINCT span_s FROM ring_seconds", "1"},
    {"SELECT group_concat(kind) FROM (SELECT DISTINCT kind FROM key_minutes)",
     "accessed,throttled"},
    {"SELECT group_concat(t_s) FROM (SELECT DISTINCT t_s FROM key_minutes)", "0,60,120"},
    {"SELECT max(n) FROM (SELECT count(*) AS n FROM key_minutes GROUP BY t_s, resource_id, kind)",
     "20"},
    {"SELECT count(*), count(DISTINCT key) FROM keys", "120|60"},
    /* keys come in the order of their numbers: rowid order is key order */
    {"SELECT group_concat(key) FROM (SELECT key FROM keys WHERE resource_id = 1 ORDER BY rowid"
     " LIMIT 40) WHERE key LIKE 'KEY#3%'",
     "KEY#3,KEY#30,KEY#31,KEY#32,KEY#33,KEY#34,KEY#35,KEY#36,KEY#37,KEY#38,KEY#39"},
};

START_TEST(holds_what_was_given) {
    write_database();
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        ck_assert_str_eq(ask(answers[i][0]), answers[i][1]);
    }
}
END_TEST

/* Everything that is counted twice agrees; each question counts the rows that do not. */
static const char *const contradictions[] = {
    /* Σ partitions = table, second by second */
    "SELECT count(*) FROM seconds s LEFT JOIN (SELECT resource_id, t_s, sum(consumed_rcu) AS r,"
    " sum(consumed_wcu) AS w FROM partition_seconds GROUP BY 1, 2) p USING (resource_id, t_s)"
    " WHERE s.consumed_rcu <> coalesce(r, 0) OR s.consumed_wcu <> coalesce(w, 0)",
    /* Σ keys = table = Σ ring */
    "SELECT count(*) FROM (SELECT resource_id, sum(consumed_rcu) AS r, sum(consumed_wcu) AS w"
    " FROM keys GROUP BY 1) JOIN (SELECT resource_id, sum(consumed_rcu) AS sr,"
    " sum(consumed_wcu) AS sw FROM seconds GROUP BY 1) USING (resource_id)"
    " JOIN (SELECT resource_id, sum(consumed_rcu) AS gr, sum(consumed_wcu) AS gw"
    " FROM ring_seconds GROUP BY 1) USING (resource_id)"
    " WHERE r <> sr OR w <> sw OR r <> gr OR w <> gw OR r + w = 0",
    "SELECT count(*) FROM (SELECT sum(throttled_reads + throttled_writes) AS k FROM keys),"
    " (SELECT sum(throttled_reads + throttled_writes) AS p FROM partition_seconds),"
    " (SELECT sum(throttled_reads + throttled_writes) AS g FROM ring_seconds), runs"
    " WHERE k <> p OR k <> g OR k <> throttled OR k = 0",
    "SELECT count(*) FROM (SELECT sum(reads + writes) AS k FROM keys), runs WHERE k <> admitted",
    "SELECT count(*) FROM (SELECT sum(attempts) AS a, sum(succeeded) AS s,"
    " sum(throttled_calls) AS t FROM operations), runs"
    " WHERE a <> attempts OR s <> admitted OR t <> throttled",
    /* non-zero rows only */
    "SELECT count(*) FROM partition_seconds WHERE consumed_rcu = 0 AND consumed_wcu = 0"
    " AND throttled_reads = 0 AND throttled_writes = 0",
    "SELECT count(*) FROM ring_seconds WHERE consumed_rcu = 0 AND consumed_wcu = 0"
    " AND throttled_reads = 0 AND throttled_writes = 0",
    "SELECT count(*) FROM throttles WHERE events = 0",
    /* the accessed units of a minute are at most 3 W + R of the table */
    "SELECT count(*) FROM (SELECT resource_id, t_s / 60 AS m, sum(units) AS u FROM key_minutes"
    " WHERE kind = 'accessed' GROUP BY 1, 2) JOIN (SELECT resource_id, t_s / 60 AS m,"
    " sum(3 * consumed_wcu + consumed_rcu) AS s FROM seconds GROUP BY 1, 2)"
    " USING (resource_id, m) WHERE u > s OR u = 0",
    /* CloudWatch: minutes add up to the seconds, and each limit to its reasons */
    "SELECT count(*) FROM (SELECT metric, sum(value) AS v FROM cloudwatch GROUP BY 1),"
    " (SELECT sum(consumed_rcu) AS r, sum(consumed_wcu) AS w FROM seconds), (SELECT"
    " sum(throttled_reads) AS tr, sum(throttled_writes) AS tw FROM partition_seconds), runs"
    " WHERE (metric = 'ConsumedReadCapacityUnits' AND v <> r)"
    " OR (metric = 'ConsumedWriteCapacityUnits' AND v <> w)"
    " OR (metric = 'ReadThrottleEvents' AND v <> tr)"
    " OR (metric = 'WriteThrottleEvents' AND v <> tw)"
    " OR (metric = 'ThrottledRequests' AND v <> throttled)",
    /* calls of one item: requests refused = events, reads and writes together, minute by minute */
    "SELECT count(*) FROM (SELECT minute, sum(value) AS requests FROM cloudwatch"
    " WHERE metric = 'ThrottledRequests' GROUP BY 1) FULL JOIN (SELECT minute, sum(value)"
    " AS events FROM cloudwatch WHERE metric IN ('ReadThrottleEvents', 'WriteThrottleEvents')"
    " GROUP BY 1) USING (minute) WHERE requests IS NOT events",
    "SELECT count(*) FROM (SELECT metric, sum(value) AS v FROM cloudwatch"
    " WHERE metric LIKE '%_imit%vents' OR metric LIKE '%_hroughputThrottleEvents' GROUP BY 1),"
    " (SELECT sum(value) AS events FROM cloudwatch WHERE metric LIKE '%ThrottleEvents')"
    " WHERE v > events",
};

START_TEST(what_is_counted_twice_agrees) {
    write_database();
    for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
        ck_assert_msg(strcmp(ask(contradictions[i]), "0") == 0, "%s", contradictions[i]);
    }
}
END_TEST

/* Limits as AWS names their metrics; each is the sum of its two reasons. */
START_TEST(cloudwatch_splits_events_by_limit) {
    static const char *const limits[][2] = {
        {"ProvisionedThroughputExceeded", "ProvisionedThroughputThrottleEvents"},
        {"KeyRangeThroughputExceeded", "KeyRangeThroughputThrottleEvents"},
        {"AccountLimitExceeded", "AccountLimitThrottleEvents"},
        {"MaxOnDemandThroughputExceeded", "MaxOnDemandThroughputThrottleEvents"},
    };
    static const char *const directions[] = {"Read", "Write"};
    write_database();
    for (size_t i = 0; i < 8; i++) {
        const char *direction = directions[i % 2];
        char sql[256], expected[32];
        snprintf(sql, sizeof sql,
                 "SELECT sum(events) FROM throttles WHERE reason IN ('Table%s%s', 'Index%s%s')",
                 direction, limits[i / 2][0], direction, limits[i / 2][0]);
        snprintf(expected, sizeof expected, "%s", ask(sql));
        ck_assert_str_ne(expected, "");
        snprintf(sql, sizeof sql, "SELECT sum(value) FROM cloudwatch WHERE metric = '%s%s'",
                 direction, limits[i / 2][1]);
        ck_assert_str_eq(ask(sql), expected);
    }
    ck_assert_str_eq(ask("SELECT count(DISTINCT metric) FROM cloudwatch"), "15");
    ck_assert_str_eq(ask("SELECT value FROM cloudwatch WHERE metric ="
                         " 'ProvisionedReadCapacityUnits' AND minute = 1"),
                     "219");
    ck_assert_str_eq(ask("SELECT group_concat(DISTINCT resource) FROM cloudwatch"
                         " WHERE metric = 'ConsumedWriteCapacityUnits'"),
                     "orders,orders/index/by_day");
    ck_assert_str_eq(ask("SELECT group_concat(DISTINCT resource) FROM cloudwatch"
                         " WHERE metric = 'ThrottledRequests'"),
                     "orders");
}
END_TEST

START_TEST(stores_each_cell_of_the_grid) {
    struct ring_grid grid;
    ck_assert(ring_grid_init(&grid, &recorder.arena, &err));
    ring_grid_open_second(&grid, 3);
    *ring_grid_cell(&grid, 255) = (struct ring_cell){.half_rcu = 3};
    ring_grid_open_second(&grid, 1100); /* spans of 4 s by now */
    *ring_grid_cell(&grid, 0) = (struct ring_cell){.half_wcu = 4, .throttled_writes = 7};
    ring_grid_open_second(&grid, 1105);
    *ring_grid_cell(&grid, 200) = (struct ring_cell){.throttled_reads = 1};
    struct store *store = store_create(path, false, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(store_ring(store, RUN_ID, 1, &grid, &err) && store_commit(store, &err));
    store_close(store);
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_str_eq(
        ask("SELECT group_concat(run_id || ' ' || resource_id || ' ' || t_s || ' ' ||"
            " span_s || ' ' || slice || ' ' || consumed_rcu || ' ' || consumed_wcu ||"
            " ' ' || throttled_reads || ' ' || throttled_writes, '; ')"
            " FROM ring_seconds"),
        "7 1 0 4 255 1.5 0.0 0 0; 7 1 1100 4 0 0.0 2.0 0 7; 7 1 1104 4 200 0.0 0.0 1 0");
}
END_TEST

/* All but the timings is a function of the run. */
START_TEST(equal_runs_give_equal_files) {
    static char first[1 << 20], again[1 << 20];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        if (i > 0) {
            recorder_fini(&recorder);
            ck_assert(made_up_init(&recorder, &err));
            ck_assert_int_eq(unlink(path), 0);
        }
        struct store *store = store_create(path, false, &err);
        ck_assert_ptr_nonnull(store);
        ck_assert(write_run(store) && store_commit(store, &err));
        store_close(store);
        FILE *in = fopen(path, "r");
        ck_assert_ptr_nonnull(in);
        sizes[i] = fread(i == 0 ? first : again, 1, sizeof first, in);
        fclose(in);
    }
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_uint_lt(sizes[0], sizeof first);
    ck_assert(memcmp(first, again, sizes[0]) == 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_run");
    TCase *tcase = tcase_create("store_run");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, close_and_tear_down);
    tcase_add_test(tcase, has_the_tables_of_the_contract);
    tcase_add_test(tcase, holds_what_was_given);
    tcase_add_test(tcase, what_is_counted_twice_agrees);
    tcase_add_test(tcase, cloudwatch_splits_events_by_limit);
    tcase_add_test(tcase, stores_each_cell_of_the_grid);
    tcase_add_test(tcase, equal_runs_give_equal_files);
    return suite_run(suite);
}
