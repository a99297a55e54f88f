/* Tables: CloudFormation's properties inline, and files of AWS's tools by TableFrom. */
#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#include <stdio.h>
#include <unistd.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

/* A folder with one table file and a scenario that takes it. */
struct table_file {
    char folder[40], path[80], scenario_path[80];
};

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static struct table_file write_table(const char *name, const char *text) {
    struct table_file file = {.folder = "/tmp/ddbsim-table-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(file.folder));
    snprintf(file.path, sizeof file.path, "%s/%s", file.folder, name);
    snprintf(file.scenario_path, sizeof file.scenario_path, "%s/hot.yaml", file.folder);
    write_text(file.path, text);
    return file;
}

static void remove_table(const struct table_file *file) {
    unlink(file->path);
    unlink(file->scenario_path);
    rmdir(file->folder);
}

/* Reads a scenario whose table is `table` (YAML lines under "tables:"); keys PK (and SK). */
static bool read_table(struct scenario *scenario, const struct table_file *file, const char *table,
                       const char *item, const struct scenario_override *override,
                       struct err *err) {
    char text[2000];
    snprintf(text, sizeof text,
             "duration: 1m\nparameters: {stage: beta, units: 40}\ntables:\n%s"
             "workload:\n  - {name: w, operation: PutItem, rate: 1, item_size: 9, item: %s}\n",
             table, item);
    *err = (struct err){.kind = ERR_NONE};
    if (file != NULL) {
        write_text(file->scenario_path, text);
        return scenario_read(scenario, file->scenario_path, override, override != NULL, err);
    }
    return scenario_read_text(scenario, "hot.yaml", text, strlen(text), override, override != NULL,
                              err);
}

static const char described[] =
    "{\n"
    "  \"Table\": {\n"
    "    \"AttributeDefinitions\": [\n"
    "      {\"AttributeName\": \"PK\", \"AttributeType\": \"S\"},\n"
    "      {\"AttributeName\": \"host\", \"AttributeType\": \"S\"}\n"
    "    ],\n"
    "    \"TableName\": \"logs\",\n"
    "    \"KeySchema\": [{\"AttributeName\": \"PK\", \"KeyType\": \"HASH\"}],\n"
    "    \"TableStatus\": \"ACTIVE\",\n"
    "    \"CreationDateTime\": 1421866952.062,\n"
    "    \"ProvisionedThroughput\": {\"NumberOfDecreasesToday\": 0, \"ReadCapacityUnits\": 5,\n"
    "                              \"WriteCapacityUnits\": 6},\n"
    "    \"TableSizeBytes\": 2000, \"ItemCount\": 10,\n"
    "    \"GlobalSecondaryIndexes\": [{\"IndexName\": \"byHost\", \"IndexStatus\": \"ACTIVE\",\n"
    "      \"KeySchema\": [{\"AttributeName\": \"host\", \"KeyType\": \"HASH\"}],\n"
    "      \"Projection\": {\"ProjectionType\": \"ALL\"}, \"IndexSizeBytes\": 1500,\n"
    "      \"ProvisionedThroughput\": {\"ReadCapacityUnits\": 7, \"WriteCapacityUnits\": 8},\n"
    "      \"WarmThroughput\": {\"Status\": \"ACTIVE\"}}]\n"
    "  }\n"
    "}\n";

START_TEST(takes_what_describe_table_prints) {
    struct table_file file = write_table("logs.json", described);
    struct scenario scenario;
    struct err err;
    char note[200];
    ck_assert_msg(read_table(&scenario, &file, "  - TableFrom: logs.json\n", "{PK: a}", NULL, &err),
                  "%s", err.text);
    const struct table_spec *table = &scenario.tables[0];
    ck_assert_str_eq(table->table_name, "logs");
    ck_assert_int_eq(table->billing_mode, BILLING_PROVISIONED);
    ck_assert_int_eq(table->read_capacity_units, 5);
    ck_assert_int_eq(table->write_capacity_units, 6);
    ck_assert_str_eq(table->hash_key.name, "PK");
    ck_assert_int_eq(table->hash_key.type, 'S');
    ck_assert_ptr_null(table->range_key.name);
    ck_assert_int_eq(table->item_count, 10);
    ck_assert_int_eq(table->table_size_bytes, 2000);
    ck_assert_int_eq(table->initial_partitions, 0);
    ck_assert_int_eq(table->initial_burst_ns, SPEC_UNKNOWN);
    ck_assert_uint_eq(scenario.note_count, 5);
    snprintf(note, sizeof note, "%s:9:6: TableStatus is accepted, not modelled", file.path);
    ck_assert_str_eq(scenario.notes[0], note);
    ck_assert_uint_eq(table->global_index_count, 1);
    ck_assert_uint_eq(table->index_count, 1);
    const struct index_spec *index = &table->indexes[0];
    ck_assert_str_eq(index->index_name, "byHost");
    ck_assert_str_eq(index->hash_key.name, "host");
    ck_assert_int_eq(index->projection, PROJECTION_ALL);
    ck_assert_int_eq(index->read_capacity_units, 7);
    ck_assert_int_eq(index->write_capacity_units, 8);
    ck_assert_int_eq(index->index_size_bytes, 1500);
    scenario_fini(&scenario);
    remove_table(&file);
}
END_TEST

START_TEST(lets_what_stands_beside_win) {
    struct table_file file = write_table("logs.json", described);
    const struct scenario_override override = {
        "tables.logs.ProvisionedThroughput.ReadCapacityUnits", "500"};
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_table(&scenario, &file,
                             "  - TableFrom: logs.json#logs\n    ItemCount: 99\n"
                             "    ProvisionedThroughput: {WriteCapacityUnits: \"${units}\"}\n"
                             "    state: {Partitions: 3, BurstSeconds: 1.5}\n"
                             "    pin: {\"a#${units}\": 2}\n",
                             "{PK: a}", &override, &err),
                  "%s", err.text);
    const struct table_spec *table = &scenario.tables[0];
    ck_assert_int_eq(table->read_capacity_units, 500);
    ck_assert_int_eq(table->write_capacity_units, 40);
    ck_assert_int_eq(table->item_count, 99);
    ck_assert_int_eq(table->table_size_bytes, 2000);
    ck_assert_int_eq(table->initial_partitions, 3);
    ck_assert_int_eq(table->initial_burst_ns, 1500 * SIM_NS_PER_MS);
    ck_assert_uint_eq(table->pin_count, 1);
    ck_assert_str_eq(table->pins[0].key, "a#40");
    ck_assert_uint_eq(table->pins[0].partition, 2);
    scenario_fini(&scenario);
    remove_table(&file);
}
END_TEST

static const char template[] = "AWSTemplateFormatVersion: 2010-09-09\n"
                               "Parameters:\n"
                               "  units: {Type: Number, Default: 7}\n"
                               "  reads: {Type: Number, Default: 8}\n"
                               "Resources:\n"
                               "  Bucket: {Type: AWS::S3::Bucket}\n"
                               "  Orders:\n"
                               "    Type: AWS::DynamoDB::Table\n"
                               "    Properties:\n"
                               "      TableName: !Sub \"${stage}-orders-${AWS}\"\n"
                               "      KeySchema:\n"
                               "        - AttributeName: PK\n"
                               "          KeyType: HASH\n"
                               "        - {AttributeName: SK, KeyType: RANGE}\n"
                               "      AttributeDefinitions:\n"
                               "        - {AttributeName: PK, AttributeType: S}\n"
                               "        - {AttributeName: SK, AttributeType: B}\n"
                               "      ProvisionedThroughput:\n"
                               "        ReadCapacityUnits: !Ref reads\n"
                               "        WriteCapacityUnits: {Ref: units}\n"
                               "      SSESpecification: {KMSMasterKeyId: !GetAtt Key.Arn}\n";

static char *edit_template(const char *from, const char *to) {
    char *at = strstr(template, from), *text = malloc(sizeof template + strlen(to));
    ck_assert(at != NULL && text != NULL);
    size_t before = (size_t)(at - template);
    memcpy(text, template, before);
    strcpy(text + before, to);
    strcat(text, at + strlen(from));
    return text;
}

START_TEST(takes_a_template_and_resolves_its_references) {
    char *text = edit_template("-${AWS}", "");
    struct table_file file = write_table("stack.yaml", text);
    static const char *const froms[] = {"  - TableFrom: stack.yaml\n",
                                        "  - TableFrom: stack.yaml#Orders\n"};
    for (size_t i = 0; i < 2; i++) {
        struct scenario scenario;
        struct err err;
        ck_assert_msg(read_table(&scenario, &file, froms[i], "{PK: a, SK: b}", NULL, &err), "%s",
                      err.text);
        const struct table_spec *table = &scenario.tables[0];
        ck_assert_str_eq(table->table_name, "beta-orders");
        ck_assert_int_eq(table->read_capacity_units, 8);   /* the template's default */
        ck_assert_int_eq(table->write_capacity_units, 40); /* the scenario's parameter */
        ck_assert_int_eq(table->range_key.type, 'B');
        ck_assert_uint_eq(scenario.note_count, 1);
        scenario_fini(&scenario);
    }
    remove_table(&file);
    free(text);
}
END_TEST

START_TEST(names_a_nameless_table_by_its_logical_id) {
    char *text = edit_template("      TableName: !Sub \"${stage}-orders-${AWS}\"\n", "");
    struct table_file file = write_table("stack.yaml", text);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(
        read_table(&scenario, &file, "  - TableFrom: stack.yaml\n", "{PK: a, SK: b}", NULL, &err),
        "%s", err.text);
    ck_assert_str_eq(scenario.tables[0].table_name, "Orders");
    scenario_fini(&scenario);
    remove_table(&file);
    free(text);
}
END_TEST

struct file_case {
    const char *from, *to; /* one place of the template changed */
    const char *table;     /* NULL: the plain TableFrom */
    const char *message;   /* after the folder's name */
};

static const struct file_case bad_templates[] = {
    {"-${AWS}", "-${AWS}", NULL,
     "stack.yaml:10:24: 'AWS' has no value: the scenario's 'parameters' lack it, the template "
     "gives "
     "no default"},
    {"!Sub \"${stage}-orders-${AWS}\"", "!GetAtt X.Y", NULL,
     "stack.yaml:10:26: '!GetAtt' is not supported here; give the property beside TableFrom"},
    {"!Sub \"${stage}-orders-${AWS}\"", "{\"Fn::Base64\": [a, b]}", NULL,
     "stack.yaml:10:18: 'Fn::Base64' is not supported here; give the property beside TableFrom"},
    {"!Sub \"${stage}-orders-${AWS}\"", "!Sub \"${stage\"", NULL,
     "stack.yaml:10:24: '${' without '}'"},
    {"AWS::DynamoDB::Table", "AWS::SQS::Queue", NULL,
     "hot.yaml:4:16: the template has no AWS::DynamoDB::Table"},
    {"AWS::S3::Bucket", "AWS::DynamoDB::Table", NULL,
     "hot.yaml:4:16: the template has 2 tables; write one as '#NAME': Bucket, Orders"},
    {"Bucket", "Bucket", "  - TableFrom: stack.yaml#Ordres\n",
     "hot.yaml:4:16: the template has no resource 'Ordres'"},
    {"Bucket", "Bucket", "  - TableFrom: stack.yaml#Bucket\n",
     "stack.yaml:6:18: 'AWS::S3::Bucket' is no table; expected 'AWS::DynamoDB::Table' or "
     "'AWS::DynamoDB::GlobalTable'"},
    {"Bucket", "Bucket", "  - TableFrom: none.yaml\n",
     "hot.yaml:4:16: cannot read 'FOLDER/none.yaml': No such file or directory"},
    {"Bucket", "Bucket", "  - TableFrom: stack.yaml#\n",
     "hot.yaml:4:16: 'TableFrom' must be FILE or FILE#LogicalId, got 'stack.yaml#'"},
    {"Resources:", "Resources: [{Type: AWS::DynamoDB::Table}]\nOther:", NULL,
     "stack.yaml:5:12: 'Resources' must be a mapping of keys, got a list"},
    {"Resources:", "DataModel:", NULL,
     "stack.yaml:1:1: a NoSQL Workbench model is not supported yet; expected what 'aws dynamodb "
     "describe-table' prints, the input of create-table, or a CloudFormation template"},
    {"Resources:", "Resource:", NULL,
     "stack.yaml:1:1: no table in it; expected what 'aws dynamodb describe-table' prints, the "
     "input "
     "of create-table, or a CloudFormation template"},
    {"Resources:", "Resources: [", NULL, "stack.yaml:7:3: missing comma in flow sequence"},
    {"      SSE", "      SSX: 1\n      SSE", "  - {TableFrom: stack.yaml, TableName: abc}\n",
     "stack.yaml:21:7: unknown property 'SSX'"},
};

/* message with FOLDER replaced, and the folder before it. */
static void expect_message(const struct table_file *file, const char *message, const char *text) {
    char expected[600];
    const char *folder = strstr(message, "FOLDER");
    snprintf(expected, sizeof expected, "%s/%.*s%s%s", file->folder,
             folder == NULL ? (int)strlen(message) : (int)(folder - message), message,
             folder == NULL ? "" : file->folder, folder == NULL ? "" : folder + strlen("FOLDER"));
    ck_assert_str_eq(text, expected);
}

static void check_bad_table_files_with_their_place(const struct file_case *row) {
    char *text = edit_template(row->from, row->to);
    struct table_file file = write_table("stack.yaml", text);
    const char *table = row->table == NULL ? "  - TableFrom: stack.yaml\n" : row->table;
    struct scenario scenario;
    struct err err;
    ck_assert(!read_table(&scenario, &file, table, "{PK: a, SK: b}", NULL, &err));
    expect_message(&file, row->message, err.text);
    scenario_fini(&scenario);
    remove_table(&file);
    free(text);
}

START_TEST(refuses_bad_table_files_with_their_place) {
    for (size_t i = 0; i < ROWS(bad_templates); i++) {
        check_bad_table_files_with_their_place(&bad_templates[i]);
    }
}
END_TEST

START_TEST(takes_an_on_demand_table_or_makes_it_provisioned) {
    static const char created[] =
        "{\"TableName\": \"every\", \"BillingMode\": \"PAY_PER_REQUEST\",\n"
        "\"AttributeDefinitions\": [{\"AttributeName\": \"PK\", \"AttributeType\": \"S\"}],\n"
        "\"KeySchema\": [{\"AttributeName\": \"PK\", \"KeyType\": \"HASH\"}],\n"
        "\"ProvisionedThroughput\": {\"ReadCapacityUnits\": 0, \"WriteCapacityUnits\": 0},\n"
        "\"OnDemandThroughput\": {\"MaxReadRequestUnits\": -1, \"MaxWriteRequestUnits\": 500},\n"
        "\"WarmThroughput\": {\"ReadUnitsPerSecond\": 12000, \"WriteUnitsPerSecond\": 30000}}\n";
    struct table_file file = write_table("every.json", created);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(
        read_table(&scenario, &file, "  - TableFrom: every.json\n", "{PK: a}", NULL, &err), "%s",
        err.text);
    const struct table_spec *table = &scenario.tables[0];
    ck_assert_int_eq(table->billing_mode, BILLING_PAY_PER_REQUEST);
    ck_assert_int_eq(table->write_capacity_units, 0);
    ck_assert_int_eq(table->throughput.warm.read, 12000);
    ck_assert_int_eq(table->throughput.warm.write, 30000);
    ck_assert_int_eq(table->throughput.max_on_demand.read, 0);
    ck_assert_int_eq(table->throughput.max_on_demand.write, 500);
    ck_assert_uint_eq(scenario.note_count, 2); /* of parameters */
    scenario_fini(&scenario);
    ck_assert_msg(
        read_table(&scenario, &file,
                   "  - TableFrom: every.json\n    BillingMode: PROVISIONED\n"
                   "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}\n",
                   "{PK: a}", NULL, &err),
        "%s", err.text);
    ck_assert_int_eq(scenario.tables[0].write_capacity_units, 2);
    ck_assert_uint_eq(scenario.note_count, 3); /* the file's OnDemandThroughput has no effect */
    scenario_fini(&scenario);
    remove_table(&file);
}
END_TEST

struct inline_case {
    const char *from, *to, *message;
};

static const struct inline_case bad_inline[] = {
    {"TableName: orders", "TableNaem: orders",
     "hot.yaml:6:5: unknown property 'TableNaem'; did you mean 'TableName'?"},
    {"TableName: orders", "ItemCount: 1", "hot.yaml:6:5: 'TableName' is missing"},
    {"TableName: orders", "TableName: ab",
     "hot.yaml:6:16: 'TableName' must be 3 to 255 letters, digits, '_', '-' and '.' (DynamoDB's "
     "rule), got 'ab'"},
    {"TableName: orders", "TableName: my orders",
     "hot.yaml:6:16: 'TableName' must be 3 to 255 letters, digits, '_', '-' and '.' (DynamoDB's "
     "rule), got 'my orders'"},
    {"TableName: orders", "TableName: orders\n    BillingMode: PAY_PER_REQUEST",
     "hot.yaml:8:5: BillingMode is PAY_PER_REQUEST, and an on-demand table or index has no "
     "ProvisionedThroughput (DynamoDB's rule)"},
    {"TableName: orders", "TableName: orders\n    BillingMode: PROVISONED",
     "hot.yaml:7:18: unknown BillingMode 'PROVISONED'; did you mean 'PROVISIONED'?"},
    {"TableName: orders", "TableName: orders\n    OnDemandThroughput: {MaxReadRequestUnits: 5}",
     "hot.yaml:7:5: BillingMode is PROVISIONED, and OnDemandThroughput is for on-demand tables "
     "(DynamoDB's rule)"},
    {"TableName: orders", "TableName: orders\n    WarmThroughput: {WriteUnitsPerSecond: 1}",
     "hot.yaml:7:5: 'WarmThroughput' is below the write units that are provisioned: warm "
     "throughput is at least that (DynamoDB's rule)"},
    {"TableName: orders", "TableName: orders\n    WarmThroughput: {WriteUnitsPerSecond: 40001}",
     "hot.yaml:7:21: 'WarmThroughput' is 40001 write units a second, above the quota of 40000 a "
     "table or index (DynamoDB's rule; 'quotas:' says when AWS has raised it)"},
    {"TableName: orders", "TableName: orders\n    WarmThroughput: {ReadCapacityUnits: 1}",
     "hot.yaml:7:22: unknown key 'ReadCapacityUnits'; expected ReadUnitsPerSecond, "
     "WriteUnitsPerSecond or Status"},
    {"TableName: orders", "TableName: orders\n    AutoScaling: {WriteUnits: {}}",
     "hot.yaml:7:19: unknown key 'WriteUnits'; expected ReadCapacityUnits or WriteCapacityUnits"},
    {"TableName: orders",
     "TableName: orders\n    AutoScaling: {ReadCapacityUnits: {MinCapacity: 5}}",
     "hot.yaml:7:38: 'MaxCapacity' is missing"},
    {"TableName: orders",
     "TableName: orders\n    AutoScaling: {ReadCapacityUnits: {MinCapacity: 5, MaxCapacity: 4, "
     "TargetValue: 70}}",
     "hot.yaml:7:52: MinCapacity 5 is above MaxCapacity 4 (Application Auto Scaling's rule)"},
    {"TableName: orders",
     "TableName: orders\n    AutoScaling: {ReadCapacityUnits: {MinCapacity: 5, MaxCapacity: 9, "
     "TargetValue: 95}}",
     "hot.yaml:7:84: 'TargetValue' is 95, outside of 20 … 90 percent (DynamoDB's rule)"},
    {"TableName: orders",
     "TableName: orders\n    AutoScaling: {ReadCapacityUnits: {MinCapacity: 5, MaxCapacity: 9, "
     "TargetValue: 70, ScheduledActions: [{at: 1h}]}}",
     "hot.yaml:7:107: a scheduled action needs MinCapacity or MaxCapacity"},
    {"TableName: orders", "TableName: orders\n    state: {PreviousPeak: 1}",
     "hot.yaml:7:27: 'PreviousPeak' must be a mapping of keys, got '1'"},
    {"TableName: orders",
     "TableName: orders\n    state: {HighestProvisioned: {ReadCapacityUnits: 1}}",
     "hot.yaml:7:13: 'HighestProvisioned' is below the read units that are provisioned: it is the "
     "highest ever"},
    {"TableName: orders", "TableName: orders\n    state: {Partitions: 0}",
     "hot.yaml:7:25: 'Partitions' is 0, outside of 1 … 65536"},
    {"TableName: orders", "TableName: orders\n    state: {BurstSeconds: 301}",
     "hot.yaml:7:27: 'BurstSeconds' is above model.burst_window_s (5m)"},
    {"TableName: orders", "TableName: orders\n    state: {Partitions: 2}\n    pin: {a: 2}",
     "hot.yaml:8:14: 'a' is 2, outside of 0 … 1"},
    {"TableName: orders", "TableName: orders\n    ItemCount: -1",
     "hot.yaml:7:16: 'ItemCount' is -1, outside of 0 … 9007199254740992"},
    {"ReadCapacityUnits: 5", "ReadCapacityUnits: 0",
     "hot.yaml:7:48: 'ReadCapacityUnits' is 0, outside of 1 … 1000000"},
    {"ReadCapacityUnits: 5, ", "", "hot.yaml:7:28: 'ReadCapacityUnits' is missing"},
    {"{AttributeName: SK, AttributeType: N}", "{AttributeName: SK, AttributeType: X}",
     "hot.yaml:10:44: unknown AttributeType 'X'; expected S, N or B"},
    {"{AttributeName: SK, AttributeType: N}", "{AttributeName: PK, AttributeType: N}",
     "hot.yaml:10:25: attribute 'PK' is defined twice"},
    {"{AttributeName: SK, AttributeType: N}", "{AttributeName: SKK, AttributeType: N}",
     "hot.yaml:13:25: key attribute 'SK' is not in AttributeDefinitions"},
    {"      - {AttributeName: SK, KeyType: RANGE}\n", "",
     "hot.yaml:10:25: attribute 'SK' is defined but in no key (DynamoDB refuses that)"},
    {"SK, KeyType: RANGE", "SK, KeyType: HASH",
     "hot.yaml:13:38: KeySchema must be HASH, then at most one RANGE"},
    {"PK, KeyType: HASH", "PK, KeyType: RANGE",
     "hot.yaml:12:38: KeySchema must be HASH, then at most one RANGE"},
    {"{AttributeName: SK, KeyType: RANGE}", "{AttributeName: PK, KeyType: RANGE}",
     "hot.yaml:13:9: 'PK' is both HASH and RANGE"},
    {"fields:\n",
     "  - TableName: orders\n"
     "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}\n"
     "    AttributeDefinitions: [{AttributeName: A, AttributeType: S}]\n"
     "    KeySchema: [{AttributeName: A, KeyType: HASH}]\nfields:\n",
     "hot.yaml:14:16: two tables are named 'orders'"},
};

static void check_faults_of_inline_tables(const struct inline_case *row) {
    char *text = fixture_edit(row->from, row->to);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!fixture_read(&scenario, text, NULL, &err), "taken: %s", row->to);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
    free(text);
}

START_TEST(refuses_faults_of_inline_tables) {
    for (size_t i = 0; i < ROWS(bad_inline); i++) {
        check_faults_of_inline_tables(&bad_inline[i]);
    }
}
END_TEST

START_TEST(notes_what_is_not_modelled) {
    char *text =
        fixture_edit("TableName: orders",
                     "TableName: orders\n    StreamSpecification: {StreamEnabled: !If [a, b]}\n"
                     "    Tags: [{Key: \"${nothing}\"}]");
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err), "%s", err.text);
    ck_assert_uint_eq(scenario.note_count, 2);
    ck_assert_str_eq(scenario.notes[0],
                     "hot.yaml:7:5: StreamSpecification is accepted, not modelled");
    ck_assert_str_eq(scenario.notes[1], "hot.yaml:8:5: Tags is accepted, not modelled");
    scenario_fini(&scenario);
    free(text);
}
END_TEST

START_TEST(resolves_references_inline) {
    char *text = fixture_edit("TableName: orders", "TableName: !Sub \"t-${rate}\"");
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err), "%s", err.text);
    ck_assert_str_eq(scenario.tables[0].table_name, "t-2500");
    scenario_fini(&scenario);
    free(text);
    text = fixture_edit("WriteCapacityUnits: 6", "WriteCapacityUnits: !Ref rate");
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err), "%s", err.text);
    ck_assert_int_eq(scenario.tables[0].write_capacity_units, 2500);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/table_reader");
    TCase *tcase = tcase_create("table_reader");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, takes_what_describe_table_prints);
    tcase_add_test(tcase, lets_what_stands_beside_win);
    tcase_add_test(tcase, takes_a_template_and_resolves_its_references);
    tcase_add_test(tcase, names_a_nameless_table_by_its_logical_id);
    tcase_add_test(tcase, refuses_bad_table_files_with_their_place);
    tcase_add_test(tcase, takes_an_on_demand_table_or_makes_it_provisioned);
    tcase_add_test(tcase, refuses_faults_of_inline_tables);
    tcase_add_test(tcase, notes_what_is_not_modelled);
    tcase_add_test(tcase, resolves_references_inline);
    return suite_run(suite);
}
