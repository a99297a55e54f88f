/* Secondary indexes of a table: what is read, and AWS's rules as one sentence each. */
#include "workloads/scenario.h"

#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table with both kinds of index; @ is where a case puts its own lines. */
static const char before[] =
    "tables:\n"
    "  - TableName: jobs\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}\n"
    "    AttributeDefinitions:\n"
    "      - {AttributeName: PK, AttributeType: S}\n"
    "      - {AttributeName: SK, AttributeType: S}\n"
    "      - {AttributeName: status, AttributeType: S}\n"
    "      - {AttributeName: due, AttributeType: N}\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: SK, KeyType: RANGE}]\n";
static const char good[] =
    "    GlobalSecondaryIndexes:\n"
    "      - IndexName: byStatus\n"
    "        KeySchema: [{AttributeName: status, KeyType: HASH}]\n"
    "        Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [owner, note]}\n"
    "        ProvisionedThroughput: {ReadCapacityUnits: 7, WriteCapacityUnits: 8}\n"
    "        state: {Partitions: 4, BurstSeconds: 30}\n"
    "        pin: {PENDING: 3}\n"
    "    LocalSecondaryIndexes:\n"
    "      - IndexName: byDue\n"
    "        KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: due, KeyType: "
    "RANGE}]\n"
    "        Projection: {ProjectionType: KEYS_ONLY}\n";
static const char after[] = "duration: 1s\n"
                            "workload:\n"
                            "  - {name: look, operation: GetItem, rate: 1, item_size: 1KB,\n"
                            "     item: {PK: a, SK: b}}\n";

static bool read_indexes(struct scenario *scenario, const char *indexes, struct err *err) {
    char text[16384];
    const int length = snprintf(text, sizeof text, "%s%s%s", before, indexes, after);
    ck_assert_int_lt(length, (int)sizeof text);
    *err = (struct err){.kind = ERR_NONE};
    return scenario_read_text(scenario, "jobs.yaml", text, (size_t)length, NULL, 0, err);
}

START_TEST(reads_global_and_local_indexes) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_indexes(&scenario, good, &err), "%s", err.text);
    const struct table_spec *table = &scenario.tables[0];
    ck_assert_uint_eq(table->index_count, 2);
    ck_assert_uint_eq(table->global_index_count, 1);
    const struct index_spec *global = &table->indexes[0], *local = &table->indexes[1];
    ck_assert(global->is_global && !local->is_global);
    ck_assert_str_eq(global->index_name, "byStatus");
    ck_assert_str_eq(global->hash_key.name, "status");
    ck_assert_ptr_null(global->range_key.name);
    ck_assert_int_eq(global->projection, PROJECTION_INCLUDE);
    ck_assert_uint_eq(global->non_key_attribute_count, 2);
    ck_assert_str_eq(global->non_key_attributes[1], "note");
    ck_assert_int_eq(global->read_capacity_units, 7);
    ck_assert_int_eq(global->write_capacity_units, 8);
    ck_assert_int_eq(global->initial_partitions, 4);
    ck_assert_int_eq(global->initial_burst_ns, 30 * SIM_NS_PER_S);
    ck_assert_int_eq(global->index_size_bytes, SPEC_UNKNOWN);
    ck_assert_uint_eq(global->pin_count, 1);
    ck_assert_str_eq(local->range_key.name, "due");
    ck_assert_int_eq(local->range_key.type, 'N');
    ck_assert_int_eq(local->projection, PROJECTION_KEYS_ONLY);
    scenario_fini(&scenario);
}
END_TEST

struct refusal {
    const char *from, *to, *message;
};

static const struct refusal refusals[] = {
    {"IndexName: byStatus", "IndexNaem: byStatus",
     "jobs.yaml:11:9: unknown property of an index 'IndexNaem'; did you mean 'IndexName'?"},
    {"IndexName: byStatus", "IndexName: by",
     "jobs.yaml:11:20: 'IndexName' must be 3 to 255 letters, digits, '_', '-' and '.' (DynamoDB's "
     "rule), got 'by'"},
    {"IndexName: byDue", "IndexName: byStatus",
     "jobs.yaml:18:20: two indexes are named 'byStatus'"},
    {"AttributeName: status, KeyType: HASH", "AttributeName: state, KeyType: HASH",
     "jobs.yaml:12:37: key attribute 'state' is not in AttributeDefinitions"},
    {"{AttributeName: status, KeyType: HASH}", "{AttributeName: status, KeyType: RANGE}",
     "jobs.yaml:12:54: KeySchema must be HASH, then at most one RANGE"},
    {"{AttributeName: status, KeyType: HASH}", "{AttributeName: due, KeyType: HASH}",
     "jobs.yaml:7:25: attribute 'status' is defined but in no key (DynamoDB refuses that)"},
    {", NonKeyAttributes: [owner, note]", "",
     "jobs.yaml:13:21: projection INCLUDE needs NonKeyAttributes"},
    {"INCLUDE", "ALL", "jobs.yaml:13:43: NonKeyAttributes are for projection INCLUDE, not ALL"},
    {"INCLUDE", "SOME",
     "jobs.yaml:13:38: unknown ProjectionType 'SOME'; expected KEYS_ONLY, INCLUDE or ALL"},
    {"[owner, note]", "[owner, owner]", "jobs.yaml:13:73: attribute 'owner' is projected twice"},
    {"        ProvisionedThroughput: {ReadCapacityUnits: 7, WriteCapacityUnits: 8}\n", "",
     "jobs.yaml:11:9: index 'byStatus' needs ProvisionedThroughput of its own: its table's "
     "BillingMode is PROVISIONED (DynamoDB's rule)"},
    {"WriteCapacityUnits: 8", "WriteCapacityUnits: 0",
     "jobs.yaml:14:75: 'WriteCapacityUnits' is 0, outside of 1 … 1000000"},
    {"{AttributeName: PK, KeyType: HASH}, {AttributeName: due",
     "{AttributeName: status, KeyType: HASH}, {AttributeName: due",
     "jobs.yaml:18:9: index 'byDue' is local: its partition key must be the table's, 'PK', not "
     "'status'"},
    {", {AttributeName: due, KeyType: RANGE}]", "]",
     "jobs.yaml:18:9: index 'byDue' is local: it needs a sort key of its own"},
    {"pin: {PENDING: 3}", "pin: {PENDING: 4}", "jobs.yaml:16:24: 'PENDING' is 4, outside of 0 … 3"},
    {"KEYS_ONLY}", "KEYS_ONLY}\n        state: {Partitions: 2}",
     "jobs.yaml:21:9: unknown property of an index 'state'; expected IndexName, KeySchema or "
     "Projection"},
    {"state: {Partitions: 4, BurstSeconds: 30}", "state: {Partitions: 4, BurstSeconds: 400}",
     "jobs.yaml:15:46: 'BurstSeconds' is above model.burst_window_s (5m)"},
    {"WriteCapacityUnits: 8", "WriteCapacityUnits: 40001",
     "jobs.yaml:14:75: index 'byStatus' of table 'jobs' has 40001 write units a second, above the "
     "quota of 40000 a table or index; AWS raises it on request, 'quotas: "
     "{TableMaxWriteCapacityUnits: 40001}' says that it has"},
};

START_TEST(an_index_that_dynamodb_refuses_is_refused) {
    const struct refusal *row = &refusals[_i];
    char text[4096];
    const char *at = strstr(good, row->from);
    ck_assert_ptr_nonnull(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, row->to,
             at + strlen(row->from));
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!read_indexes(&scenario, text, &err), "taken: %s", row->to);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
}
END_TEST

/* count indexes of that kind, with `projected` attributes each. */
static void write_indexes(char *text, size_t bytes, bool is_global, int count, int projected) {
    size_t length =
        (size_t)snprintf(text, bytes, "    %sSecondaryIndexes:\n", is_global ? "Global" : "Local");
    for (int i = 0; i < count; i++) {
        length += (size_t)snprintf(
            text + length, bytes - length,
            "      - {IndexName: index%d, KeySchema: [{AttributeName: %s, KeyType: HASH}, "
            "{AttributeName: due, KeyType: RANGE}], Projection: {ProjectionType: INCLUDE, "
            "NonKeyAttributes: [a0",
            i, is_global ? "status" : "PK");
        for (int k = 1; k < projected; k++) {
            length += (size_t)snprintf(text + length, bytes - length, ", a%d", k);
        }
        length += (size_t)snprintf(
            text + length, bytes - length, "]}%s}\n",
            is_global ? ", ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}"
                      : "");
    }
}

START_TEST(the_quotas_are_dynamodbs) {
    static const struct {
        bool is_global;
        int count, projected;
        const char *message; /* NULL: taken */
    } cases[] = {
        {true, 20, 5, NULL},
        {true, 21, 1, "jobs.yaml:11:7: 21 global indexes, DynamoDB has at most 20 a table"},
        {false, 6, 1, "jobs.yaml:11:7: 6 local indexes, DynamoDB has at most 5 a table"},
        {true, 20, 6,
         "jobs.yaml:11:7: 120 NonKeyAttributes over all indexes, DynamoDB has at most 100 a table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[12000];
        struct scenario scenario;
        struct err err;
        write_indexes(text, sizeof text, cases[i].is_global, cases[i].count, cases[i].projected);
        const bool taken = read_indexes(&scenario, text, &err);
        ck_assert_str_eq(taken ? "" : err.text, cases[i].message == NULL ? "" : cases[i].message);
        scenario_fini(&scenario);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/table_reader_index");
    TCase *tcase = tcase_create("table_reader_index");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_global_and_local_indexes);
    tcase_add_loop_test(tcase, an_index_that_dynamodb_refuses_is_refused, 0,
                        sizeof refusals / sizeof *refusals);
    tcase_add_test(tcase, the_quotas_are_dynamodbs);
    return suite_run(suite);
}
