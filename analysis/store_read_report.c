#include "analysis/store_read_report.h"

#include "analysis/store_read_query.h"
#include "sim/check.h"

#include <stdio.h>

#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define LIMIT " LIMIT " NUMBER_TEXT(STORE_READ_REPORT_ROWS_MAX)

/* "table" or "table / index" */
#define RESOURCE_NAME "r.table_name || coalesce(' / ' || r.index_name, '')"
#define OF_RESOURCE(table)                                                                         \
    " FROM " table " AS t JOIN resources AS r ON r.run_id = t.run_id"                              \
    " AND r.resource_id = t.resource_id WHERE t.run_id = ?1"
#define USED(column) "round(sum(" column "), 1)"

static const struct report_row {
    const char *select; /* up to FROM */
    const char *from;   /* from FROM on, without order */
    const char *order;
} rows[STORE_READ_REPORT_COUNT] = {
    [STORE_READ_REPORT_RUN] =
        {"SELECT scenario, seed, replication, duration_s, digest, arrivals_digest, version,"
         " offered, succeeded, condition_failed, rejected, gave_up, in_flight, unprocessed,"
         " attempts, admitted, throttled, errored",
         " FROM runs WHERE run_id = ?1", ""},
    [STORE_READ_REPORT_VERDICT] = {"SELECT verdict", " FROM verdicts WHERE run_id = ?1", ""},
    [STORE_READ_REPORT_SCENARIO] =
        {"SELECT text",
         " FROM scenarios WHERE name = (SELECT scenario FROM runs WHERE run_id = ?1)", " LIMIT 1"},
    [STORE_READ_REPORT_COMMAND] = {"SELECT name, value",
                                   " FROM parameters WHERE run_id = ?1 AND source = '--set'", ""},
    [STORE_READ_REPORT_WORKLOADS] =
        {"SELECT t.workload AS \"workload\", t.operation AS \"operation\"," RESOURCE_NAME
         " AS \"table\", sum(t.calls) AS \"calls\", sum(t.attempts) AS \"attempts\","
         " sum(t.succeeded) AS \"succeeded\", sum(t.throttled_calls) AS \"throttled calls\","
         " sum(t.gave_up) AS \"given up\"",
         OF_RESOURCE("operations") " GROUP BY t.workload, t.operation, t.resource_id",
         " ORDER BY sum(t.attempts) DESC"},
    [STORE_READ_REPORT_RESOURCES] =
        {"SELECT " RESOURCE_NAME
         " AS \"table or index\", " USED("t.consumed_rcu") " AS \"consumed RCU\", " USED(
             "t.consumed_wcu") " AS \"consumed WCU\","
                               " max(t.consumed_rcu) AS \"peak RCU/s\", max(t.consumed_wcu) AS "
                               "\"peak WCU/s\","
                               " max(t.provisioned_rcu) AS \"provisioned RCU/s\","
                               " max(t.provisioned_wcu) AS \"provisioned WCU/s\", "
                               "max(t.partitions) AS \"partitions\"",
         OF_RESOURCE("seconds") " GROUP BY t.resource_id", " ORDER BY t.resource_id"},
    [STORE_READ_REPORT_REASONS] = {"SELECT " RESOURCE_NAME
                                   " AS \"table or index\", t.reason AS \"reason\","
                                   " sum(t.events) AS \"events\", count(*) AS \"seconds with any\","
                                   " min(t.t_s) AS \"first at s\", max(t.t_s) AS \"last at s\"",
                                   OF_RESOURCE("throttles") " GROUP BY t.resource_id, t.reason",
                                   " ORDER BY sum(t.events) DESC"},
    [STORE_READ_REPORT_KEYS] =
        {"SELECT t.key AS \"key\", " RESOURCE_NAME " AS \"table or index\","
         " t.throttled_reads AS \"throttled reads\", t.throttled_writes AS \"throttled writes\","
         " t.reads AS \"reads\", t.writes AS \"writes\", t.consumed_rcu AS \"consumed RCU\","
         " t.consumed_wcu AS \"consumed WCU\"",
         OF_RESOURCE("keys"),
         " ORDER BY t.throttled_reads + t.throttled_writes DESC,"
         " t.consumed_rcu + 3 * t.consumed_wcu DESC, t.rowid" LIMIT},
    [STORE_READ_REPORT_PARTITIONS] =
        {"SELECT p.partition_id AS \"partition\", " RESOURCE_NAME " AS \"table or index\","
         " p.cause AS \"made by\", p.parent_id AS \"parent\", p.born_s AS \"from s\","
         " p.closed_s AS \"to s\", p.hash_lo AS \"first hash\","
         " coalesce(sum(s.throttled_reads), 0) AS \"throttled reads\","
         " coalesce(sum(s.throttled_writes), 0) AS \"throttled writes\","
         " coalesce(" USED("s.consumed_rcu") ", 0) AS \"consumed RCU\","
                                             " coalesce(" USED(
                                                 "s.consumed_wcu") ", 0) AS \"consumed WCU\","
                                                                   " coalesce(max(s.consumed_rcu), "
                                                                   "0) AS \"peak RCU/s\","
                                                                   " coalesce(max(s.consumed_wcu), "
                                                                   "0) AS \"peak WCU/s\"",
         " FROM partitions AS p JOIN resources AS r ON r.run_id = p.run_id"
         " AND r.resource_id = p.resource_id LEFT JOIN partition_seconds AS s"
         " ON s.run_id = p.run_id AND s.resource_id = p.resource_id"
         " AND s.partition_id = p.partition_id WHERE p.run_id = ?1"
         " GROUP BY p.resource_id, p.partition_id",
         " ORDER BY coalesce(sum(s.throttled_reads + s.throttled_writes), 0) DESC,"
         " coalesce(sum(s.consumed_rcu + 3 * s.consumed_wcu), 0) DESC, p.resource_id,"
         " p.partition_id" LIMIT},
    [STORE_READ_REPORT_EVENTS] =
        {"SELECT t.t_s AS \"at s\", " RESOURCE_NAME
         " AS \"table or index\", t.kind AS \"what\", t.detail AS \"detail\"",
         OF_RESOURCE("events"), " ORDER BY t.t_s, t.rowid" LIMIT},
    [STORE_READ_REPORT_PARAMETERS] =
        {"SELECT name AS \"parameter\", value AS \"value\", source AS \"where it is from\"",
         " FROM parameters WHERE run_id = ?1",
         " ORDER BY source NOT IN ('scenario', '--set'), name"},
    [STORE_READ_REPORT_FAILURES] =
        {"SELECT point AS \"point\", replication AS \"replication\", message AS \"message\"",
         " FROM failures", " ORDER BY point, replication" LIMIT},
    [STORE_READ_REPORT_PLAN] = {"SELECT plan", " FROM parts", " ORDER BY part LIMIT 1"},
};

struct store_read_table *store_read_report_open(struct store_read *reader,
                                                enum store_read_report which, int64_t run_id,
                                                struct err *err) {
    SIM_CHECK((unsigned)which < STORE_READ_REPORT_COUNT);
    char sql[STORE_READ_QUERY_BYTES_MAX];
    const int length = snprintf(sql, sizeof sql, "%s%s%s", rows[which].select, rows[which].from,
                                rows[which].order);
    SIM_CHECK(length > 0 && (size_t)length < sizeof sql);
    return store_read_table_query(reader, sql, run_id, err);
}

bool store_read_report_count(struct store_read *reader, enum store_read_report which,
                             int64_t run_id, double *count, struct err *err) {
    SIM_CHECK((unsigned)which < STORE_READ_REPORT_COUNT);
    char sql[STORE_READ_QUERY_BYTES_MAX];
    const struct store_read_view view = {.run_id = run_id};
    const int length =
        snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1%s)", rows[which].from);
    SIM_CHECK(length > 0 && (size_t)length < sizeof sql);
    return store_read_one(reader, sql, &view, count, err);
}
