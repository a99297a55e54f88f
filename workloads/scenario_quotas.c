#include "workloads/scenario_parts.h"

#include <inttypes.h>

/* AWS guide, quotas: provisioned units a second, reads and writes alike; both can be raised. The
 * keys are those of DescribeLimits. */
#define TABLE_MAX_DEFAULT 40000
#define ACCOUNT_MAX_DEFAULT 80000
#define QUOTA_MAX (INT64_C(1) << 40)

static bool read_quotas(struct scenario_build *build, struct quotas_spec *quotas) {
    static const char *const keys[] = {"TableMaxReadCapacityUnits", "TableMaxWriteCapacityUnits",
                                       "AccountMaxReadCapacityUnits",
                                       "AccountMaxWriteCapacityUnits", NULL};
    static const struct reader_keys quota_keys = {keys, NULL};
    struct reader *reader = &build->reader;
    const struct document_node *node = document_get(build->root, "quotas");
    int64_t *const values[] = {&quotas->table_max_read, &quotas->table_max_write,
                               &quotas->account_max_read, &quotas->account_max_write};
    quotas->table_max_read = quotas->table_max_write = TABLE_MAX_DEFAULT;
    quotas->account_max_read = quotas->account_max_write = ACCOUNT_MAX_DEFAULT;
    if (node == NULL) {
        return true;
    }
    if (!reader_mapping(reader, node, &quota_keys)) {
        return false;
    }
    for (size_t i = 0; keys[i] != NULL; i++) {
        if (!reader_count(reader, document_get(node, keys[i]), 1, QUOTA_MAX, values[i])) {
            return false;
        }
    }
    return true;
}

/* One direction of a table, at the number that is too high. */
static bool check_table(struct scenario_build *build, const struct document_node *node,
                        const struct table_spec *table, bool writes) {
    const struct quotas_spec *quotas = &build->scenario->quotas;
    const int64_t units = writes ? table->write_capacity_units : table->read_capacity_units;
    const int64_t most = writes ? quotas->table_max_write : quotas->table_max_read;
    const char *direction = writes ? "Write" : "Read";
    const struct document_node *throughput = document_get(node, "ProvisionedThroughput");
    const struct document_node *at =
        throughput == NULL
            ? NULL
            : document_get(throughput, writes ? "WriteCapacityUnits" : "ReadCapacityUnits");
    return units <= most ||
           reader_fail(&build->reader, at != NULL ? at : node,
                       "table '%s' has %" PRId64 " %s units a second, above the quota of %" PRId64
                       " a table; AWS raises it on request, "
                       "'quotas: {TableMax%sCapacityUnits: %" PRId64 "}' says that it has",
                       table->table_name, units, writes ? "write" : "read", most, direction, units);
}

/* The number in the scenario that is too high; what has it when a file does. */
static const struct document_node *index_number(const struct document_node *table,
                                                const struct index_spec *index, bool writes) {
    const struct document_node *node = scenario_index_node(table, index);
    const struct document_node *own = document_get(node, "ProvisionedThroughput");
    const struct document_node *number =
        own == NULL || node == table
            ? NULL
            : document_get(own, writes ? "WriteCapacityUnits" : "ReadCapacityUnits");
    return number != NULL ? number : node;
}

/* A global index has a table's quota to itself. */
static bool check_index(struct scenario_build *build, const struct document_node *node,
                        const struct table_spec *table, const struct index_spec *index) {
    const struct quotas_spec *quotas = &build->scenario->quotas;
    const bool reads = index->read_capacity_units > quotas->table_max_read;
    const bool writes = index->write_capacity_units > quotas->table_max_write;
    if (!index->is_global || (!reads && !writes)) {
        return true;
    }
    const int64_t units = reads ? index->read_capacity_units : index->write_capacity_units;
    const int64_t most = reads ? quotas->table_max_read : quotas->table_max_write;
    return reader_fail(&build->reader, index_number(node, index, !reads),
                       "index '%s' of table '%s' has %" PRId64
                       " %s units a second, above the quota of %" PRId64
                       " a table or index; AWS raises it on request, "
                       "'quotas: {TableMax%sCapacityUnits: %" PRId64 "}' says that it has",
                       index->index_name, table->table_name, units, reads ? "read" : "write", most,
                       reads ? "Read" : "Write", units);
}

bool scenario_quota_check(struct scenario_build *build, const struct document_node *at,
                          const char *what, struct capacity_units units) {
    const struct quotas_spec *quotas = &build->scenario->quotas;
    const bool reads = units.read > quotas->table_max_read;
    return (!reads && units.write <= quotas->table_max_write) ||
           reader_fail(&build->reader, at,
                       "'%s' is %" PRId64 " %s units a second, above the quota of %" PRId64
                       " a table or index (DynamoDB's rule; 'quotas:' says when AWS has raised it)",
                       what, reads ? units.read : units.write, reads ? "read" : "write",
                       reads ? quotas->table_max_read : quotas->table_max_write);
}

/* Warm throughput and on-demand maximums have a table's quota, too. */
static bool check_throughput(struct scenario_build *build, const struct document_node *node,
                             const struct throughput_spec *throughput) {
    const struct {
        const char *key;
        struct capacity_units units;
    } rows[] = {{"WarmThroughput", throughput->warm},
                {"OnDemandThroughput", throughput->max_on_demand}};
    bool within = true;
    for (size_t i = 0; within && i < sizeof rows / sizeof *rows; i++) {
        const struct document_node *at = document_get(node, rows[i].key);
        within = scenario_quota_check(build, at != NULL ? at : node, rows[i].key, rows[i].units);
    }
    return within;
}

static bool check_account(struct scenario_build *build, const struct document_node *tables,
                          int64_t units, bool writes) {
    const struct quotas_spec *quotas = &build->scenario->quotas;
    const int64_t most = writes ? quotas->account_max_write : quotas->account_max_read;
    return units <= most ||
           reader_fail(&build->reader, tables,
                       "the tables and indexes have %" PRId64
                       " %s units a second together, above the quota of "
                       "%" PRId64 " an account and Region; AWS raises it on request, "
                       "'quotas: {AccountMax%sCapacityUnits: %" PRId64 "}' says that it has",
                       units, writes ? "write" : "read", most, writes ? "Write" : "Read", units);
}

bool scenario_quotas_read(struct scenario_build *build) {
    const struct scenario *scenario = build->scenario;
    const struct document_node *tables = document_get(build->root, "tables");
    const struct document_node *node = tables->first;
    int64_t reads = 0, writes = 0;
    if (!read_quotas(build, &build->scenario->quotas)) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->table_count; i++, node = node->next) {
        const struct table_spec *table = &scenario->tables[i];
        if (!check_table(build, node, table, false) || !check_table(build, node, table, true) ||
            !check_throughput(build, node, &table->throughput)) {
            return false;
        }
        reads += table->read_capacity_units;
        writes += table->write_capacity_units;
        for (uint32_t j = 0; j < table->index_count; j++) {
            const struct index_spec *index = &table->indexes[j];
            if (!check_index(build, node, table, index) ||
                !check_throughput(build, scenario_index_node(node, index), &index->throughput)) {
                return false;
            }
            reads += table->indexes[j].is_global ? table->indexes[j].read_capacity_units : 0;
            writes += table->indexes[j].is_global ? table->indexes[j].write_capacity_units : 0;
        }
    }
    return check_account(build, tables, reads, false) && check_account(build, tables, writes, true);
}
