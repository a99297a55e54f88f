#include "analysis/store_schema.h"

#include <stddef.h>

static const char *const statements[] = {
    "CREATE TABLE scenarios(name TEXT NOT NULL, text TEXT NOT NULL) STRICT",
    "CREATE TABLE parameters(run_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " source TEXT NOT NULL) STRICT",
    "CREATE TABLE points(point INTEGER NOT NULL, parameters TEXT NOT NULL) STRICT",
    "CREATE TABLE parts(part INTEGER NOT NULL, part_count INTEGER NOT NULL,"
    " points INTEGER NOT NULL, plan TEXT NOT NULL) STRICT",
    "CREATE TABLE timings(run_id INTEGER NOT NULL, wall_s REAL, requests_per_wall_s REAL,"
    " peak_rss_bytes INTEGER) STRICT",
    "CREATE TABLE runs(run_id INTEGER NOT NULL, scenario TEXT NOT NULL, point INTEGER NOT NULL,"
    " seed ANY NOT NULL, replication INTEGER NOT NULL, duration_s REAL NOT NULL,"
    " digest TEXT NOT NULL, arrivals_digest TEXT NOT NULL, version TEXT NOT NULL,"
    " offered INTEGER NOT NULL, succeeded INTEGER NOT NULL, condition_failed INTEGER NOT NULL,"
    " rejected INTEGER NOT NULL, gave_up INTEGER NOT NULL, in_flight INTEGER NOT NULL,"
    " unprocessed INTEGER NOT NULL, attempts INTEGER NOT NULL, admitted INTEGER NOT NULL,"
    " throttled INTEGER NOT NULL, errored INTEGER NOT NULL) STRICT",
    "CREATE TABLE metrics(run_id INTEGER NOT NULL, metric TEXT NOT NULL, value REAL NOT NULL) "
    "STRICT",
    "CREATE TABLE failures(point INTEGER NOT NULL, replication INTEGER NOT NULL,"
    " message TEXT NOT NULL) STRICT",
    "CREATE TABLE resources(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " table_name TEXT NOT NULL, index_name TEXT) STRICT",
    "CREATE TABLE operations(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " workload TEXT NOT NULL, operation TEXT NOT NULL, t_s INTEGER NOT NULL,"
    " calls INTEGER NOT NULL, attempts INTEGER NOT NULL, succeeded INTEGER NOT NULL,"
    " throttled_calls INTEGER NOT NULL, gave_up INTEGER NOT NULL) STRICT",
    "CREATE TABLE seconds(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " t_s INTEGER NOT NULL, consumed_rcu REAL NOT NULL, consumed_wcu REAL NOT NULL,"
    " provisioned_rcu INTEGER, provisioned_wcu INTEGER, burst_rcu REAL, burst_wcu REAL,"
    " partitions INTEGER NOT NULL, buffered_wcu REAL) STRICT",
    "CREATE TABLE throttles(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " t_s INTEGER NOT NULL, reason TEXT NOT NULL, events INTEGER NOT NULL) STRICT",
    "CREATE TABLE partitions(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " partition_id INTEGER NOT NULL, parent_id INTEGER, born_s REAL NOT NULL, closed_s REAL,"
    " cause TEXT NOT NULL, hash_lo TEXT NOT NULL, hash_hi TEXT NOT NULL,"
    " sort_lo TEXT, sort_hi TEXT) STRICT",
    "CREATE TABLE partition_seconds(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " partition_id INTEGER NOT NULL, t_s INTEGER NOT NULL, consumed_rcu REAL NOT NULL,"
    " consumed_wcu REAL NOT NULL, throttled_reads INTEGER NOT NULL,"
    " throttled_writes INTEGER NOT NULL) STRICT",
    "CREATE TABLE ring_seconds(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " t_s INTEGER NOT NULL, span_s INTEGER NOT NULL, slice INTEGER NOT NULL,"
    " consumed_rcu REAL NOT NULL, consumed_wcu REAL NOT NULL, throttled_reads INTEGER NOT NULL,"
    " throttled_writes INTEGER NOT NULL) STRICT",
    "CREATE TABLE keys(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL, key TEXT NOT "
    "NULL,"
    " reads INTEGER NOT NULL, writes INTEGER NOT NULL, consumed_rcu REAL NOT NULL,"
    " consumed_wcu REAL NOT NULL, throttled_reads INTEGER NOT NULL,"
    " throttled_writes INTEGER NOT NULL) STRICT",
    "CREATE TABLE key_minutes(run_id INTEGER NOT NULL, resource_id INTEGER NOT NULL,"
    " t_s INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, units REAL NOT NULL) STRICT",
    "CREATE TABLE latencies(run_id INTEGER NOT NULL, operation TEXT NOT NULL,"
    " le_us REAL NOT NULL, requests INTEGER NOT NULL) STRICT",
    "CREATE TABLE events(run_id INTEGER NOT NULL, t_s REAL NOT NULL, resource_id INTEGER,"
    " kind TEXT NOT NULL, detail TEXT NOT NULL) STRICT",
    "CREATE TABLE verdicts(run_id INTEGER NOT NULL, verdict TEXT NOT NULL) STRICT",
    /* Beside max(t_s), SQLite takes the other columns from the row that has it: the last value
     * of the minute. TableReadKeyRangeThroughputExceeded becomes
     * ReadKeyRangeThroughputThrottleEvents: Table and Index have 5 letters, Exceeded has 8. */
    "CREATE VIEW cloudwatch(run_id, minute, metric, resource, value) AS"
    " WITH named AS (SELECT run_id, resource_id, table_name,"
    " table_name || coalesce('/index/' || index_name, '') AS resource FROM resources)"
    " SELECT run_id, t_s / 60, 'ConsumedReadCapacityUnits', resource, sum(consumed_rcu)"
    " FROM seconds JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, resource_id, t_s / 60"
    " UNION ALL"
    " SELECT run_id, t_s / 60, 'ConsumedWriteCapacityUnits', resource, sum(consumed_wcu)"
    " FROM seconds JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, resource_id, t_s / 60"
    " UNION ALL"
    " SELECT run_id, minute, 'ProvisionedReadCapacityUnits', resource, provisioned_rcu"
    " FROM (SELECT run_id, t_s / 60 AS minute, resource, provisioned_rcu, max(t_s)"
    " FROM seconds JOIN named USING (run_id, resource_id) WHERE provisioned_rcu IS NOT NULL"
    " GROUP BY run_id, resource_id, t_s / 60)"
    " UNION ALL"
    " SELECT run_id, minute, 'ProvisionedWriteCapacityUnits', resource, provisioned_wcu"
    " FROM (SELECT run_id, t_s / 60 AS minute, resource, provisioned_wcu, max(t_s)"
    " FROM seconds JOIN named USING (run_id, resource_id) WHERE provisioned_wcu IS NOT NULL"
    " GROUP BY run_id, resource_id, t_s / 60)"
    " UNION ALL"
    " SELECT run_id, t_s / 60, 'ReadThrottleEvents', resource, sum(throttled_reads)"
    " FROM partition_seconds JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, resource_id, t_s / 60 HAVING sum(throttled_reads) > 0"
    " UNION ALL"
    " SELECT run_id, t_s / 60, 'WriteThrottleEvents', resource, sum(throttled_writes)"
    " FROM partition_seconds JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, resource_id, t_s / 60 HAVING sum(throttled_writes) > 0"
    " UNION ALL"
    /* of an index: writes to its table, each for one reason */
    " SELECT run_id, t_s / 60, 'WriteThrottleEvents', resource, sum(events)"
    " FROM throttles JOIN named USING (run_id, resource_id) WHERE reason LIKE 'IndexWrite%'"
    " GROUP BY run_id, resource_id, t_s / 60"
    " UNION ALL"
    " SELECT run_id, t_s / 60, substr(reason, 6, length(reason) - 13) || 'ThrottleEvents',"
    " resource, sum(events) FROM throttles JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, resource_id, t_s / 60, reason"
    " UNION ALL"
    " SELECT run_id, t_s / 60, 'ThrottledRequests', table_name, sum(throttled_calls)"
    " FROM operations JOIN named USING (run_id, resource_id)"
    " GROUP BY run_id, table_name, t_s / 60 HAVING sum(throttled_calls) > 0",
    NULL,
};

const char *const *store_schema_statements(void) {
    return statements;
}
