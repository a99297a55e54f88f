/* CloudFormation templates: intrinsic functions, GlobalTable. */
#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#include <stdio.h>
#include <unistd.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

#define SCENARIO                                                                                   \
    "duration: 1m\nparameters: {stage: beta, units: 40}\ntables:\n  - TableFrom: stack.yaml\n"     \
    "workload:\n  - {name: w, operation: PutItem, rate: 1, item_size: 9, item: {PK: a}}\n"

/* A template whose table has the throughput and the name that are put in. */
static const char format[] =
    "Parameters:\n"
    "  Size: {Type: String, Default: small}\n"
    "  Prod: {Type: String, Default: \"no\"}\n"
    "Mappings:\n"
    "  Sizes: {small: {r: 5, w: 6}, large: {r: 500, w: 600}}\n"
    "Conditions:\n"
    "  IsProd: !Equals [!Ref Prod, \"yes\"]\n"
    "  IsBeta: {\"Fn::Equals\": [{Ref: stage}, beta]}\n"
    "  IsBoth: !And [!Condition IsBeta, !Not [!Condition IsProd]]\n"
    "  IsEither: {\"Fn::Or\": [{Condition: IsProd}, {Condition: IsBeta}]}\n"
    "  Around: !Not [!Condition Around]\n"
    "Resources:\n"
    "  Orders:\n"
    "    Type: AWS::DynamoDB::Table\n"
    "    Properties:\n"
    "      KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
    "      %s\n";

static bool read_stack(struct scenario *scenario, const char *stack, struct err *err) {
    char folder[] = "/tmp/ddbsim-stack-XXXXXX", path[64], scenario_path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/stack.yaml", folder);
    (void)snprintf(scenario_path, sizeof scenario_path, "%s/hot.yaml", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(stack, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    *err = (struct err){.kind = ERR_NONE};
    const bool read =
        scenario_read_text(scenario, scenario_path, SCENARIO, strlen(SCENARIO), NULL, 0, err);
    unlink(path);
    rmdir(folder);
    return read;
}

#define PLAIN "ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}"

START_TEST(functions_give_what_cloudformation_gives) {
    static const struct {
        const char *properties, *name;
        int64_t reads, writes;
    } cases[] = {
        {PLAIN, "Orders", 1, 2},
        {PLAIN "\n      TableName: !Join [\"-\", [a, !Ref stage, {Ref: Size}]]", "a-beta-small", 1,
         2},
        {PLAIN "\n      TableName: {\"Fn::Join\": [\"\", [x, y, z]]}", "xyz", 1, 2},
        {PLAIN "\n      TableName: !Sub \"${AWS::StackName}-${AWS::Region}\"", "stack-us-east-1", 1,
         2},
        {PLAIN "\n      TableName: !Select [1, [abc, def]]", "def", 1, 2},
        {PLAIN "\n      TableName: !If [IsProd, abc, !Ref \"AWS::NoValue\"]", "Orders", 1, 2},
        {PLAIN "\n      BillingMode: !If [IsBoth, PROVISIONED, PAY_PER_REQUEST]", "Orders", 1, 2},
        {PLAIN "\n      BillingMode: {\"Fn::If\": [IsEither, PROVISIONED, X]}", "Orders", 1, 2},
        {"ProvisionedThroughput:\n        ReadCapacityUnits: !FindInMap [Sizes, !Ref Size, r]\n"
         "        WriteCapacityUnits: {\"Fn::FindInMap\": [Sizes, large, w]}",
         "Orders", 5, 600},
        {"ProvisionedThroughput: !If\n        - IsProd\n"
         "        - {ReadCapacityUnits: 7, WriteCapacityUnits: 8}\n"
         "        - {ReadCapacityUnits: 3, WriteCapacityUnits: !Ref units}",
         "Orders", 3, 40},
    };
    for (size_t i = 0; i < ROWS(cases); i++) {
        char stack[4000];
        struct scenario scenario;
        struct err err;
        (void)snprintf(stack, sizeof stack, format, cases[i].properties);
        ck_assert_msg(read_stack(&scenario, stack, &err), "case %zu: %s", i, err.text);
        ck_assert_str_eq(scenario.tables[0].table_name, cases[i].name);
        ck_assert_int_eq(scenario.tables[0].read_capacity_units, cases[i].reads);
        ck_assert_int_eq(scenario.tables[0].write_capacity_units, cases[i].writes);
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(refuses_what_is_known_at_deployment_only) {
    static const struct {
        const char *properties, *message; /* after the folder's name */
    } cases[] = {
        {PLAIN "\n      TableName: !GetAtt X.Y",
         "stack.yaml:19:26: '!GetAtt' is not supported here; give the property beside TableFrom"},
        {PLAIN "\n      TableName: {\"Fn::ImportValue\": x}",
         "stack.yaml:19:18: 'Fn::ImportValue' is not supported here; give the property beside "
         "TableFrom"},
        {PLAIN "\n      TableName: !Join [a]",
         "stack.yaml:19:24: '!Join' takes a list of 2 values"},
        {PLAIN "\n      TableName: !Join [a, b]",
         "stack.yaml:19:24: '!Join' takes a list of 0 or more values"},
        {PLAIN "\n      TableName: !Select [2, [abc, def]]",
         "stack.yaml:19:27: 'Select' needs the number of a value of a list"},
        {PLAIN "\n      TableName: !FindInMap [Sizes, medium, r]",
         "stack.yaml:19:37: the template's Mappings have no 'medium' here"},
        {PLAIN "\n      TableName: !If [IsProdd, a, b]",
         "stack.yaml:19:23: the template's Conditions have no 'IsProdd'"},
        {PLAIN "\n      TableName: !If [Around, a, b]",
         "stack.yaml:11:28: conditions that name one another in a circle"},
        {PLAIN "\n      TableName: !Ref Orders",
         "stack.yaml:19:23: 'Orders' has no value: the scenario's 'parameters' lack it, the "
         "template gives no default"},
    };
    for (size_t i = 0; i < ROWS(cases); i++) {
        char stack[4000];
        struct scenario scenario;
        struct err err;
        (void)snprintf(stack, sizeof stack, format, cases[i].properties);
        ck_assert_msg(!read_stack(&scenario, stack, &err), "case %zu", i);
        const char *text = strstr(err.text, "stack.yaml:");
        ck_assert_msg(text != NULL && strcmp(text, cases[i].message) == 0, "case %zu: %s", i,
                      err.text);
        scenario_fini(&scenario);
    }
}
END_TEST

#define GLOBAL                                                                                     \
    "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n"               \
    "      KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"                                      \
    "      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"                        \
    "      BillingMode: PROVISIONED\n"
#define SCALING(kind, least)                                                                       \
    "{" kind "CapacityAutoScalingSettings: {MinCapacity: " #least ", MaxCapacity: 900,"            \
    " TargetTrackingScalingPolicyConfiguration: {TargetValue: 70}}}"

START_TEST(a_global_table_is_its_first_replica) {
    static const char *const stacks[] = {
        GLOBAL "      WriteProvisionedThroughputSettings: " SCALING(
            "Write",
            12) "\n"
                "      Replicas:\n"
                "        - {Region: eu-west-1, ReadProvisionedThroughputSettings: " SCALING(
                    "Read",
                    34) "}\n        - {Region: us-east-1, ReadProvisionedThroughputSettings: "
                        "{ReadCapacityUnits: 99}}\n",
        GLOBAL "      WriteProvisionedThroughputSettings: {WriteCapacityUnits: 12}\n"
               "      Replicas: [{Region: eu-west-1, ReadProvisionedThroughputSettings: "
               "{ReadCapacityUnits: 34}}]\n",
    };
    static const uint32_t notes[] = {1 + 2, 2}; /* two parameters are not used */
    static const bool scales[] = {true, false};
    for (size_t i = 0; i < ROWS(stacks); i++) {
        struct scenario scenario;
        struct err err;
        ck_assert_msg(read_stack(&scenario, stacks[i], &err), "%s", err.text);
        ck_assert_int_eq(scenario.tables[0].write_capacity_units, 12);
        ck_assert_int_eq(scenario.tables[0].read_capacity_units, 34);
        ck_assert_uint_eq(scenario.note_count, notes[i]);
        const struct scaling_spec *reads = scenario.tables[0].throughput.read_scaling;
        const struct scaling_spec *writes = scenario.tables[0].throughput.write_scaling;
        ck_assert((reads != NULL) == scales[i] && (writes != NULL) == scales[i]);
        ck_assert(!scales[i] || (reads->min_units == 34 && writes->min_units == 12 &&
                                 reads->max_units == 900 && writes->target == 700000));
        scenario_fini(&scenario);
    }
}
END_TEST

/* By name, in whatever order the replica has them. */
START_TEST(indexes_of_a_global_table_take_the_reads_of_its_replica) {
    static const char stack[] =
        "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n"
        "      KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
        "      AttributeDefinitions: [{AttributeName: PK, AttributeType: S},"
        " {AttributeName: G, AttributeType: S}]\n"
        "      WriteProvisionedThroughputSettings: {WriteCapacityUnits: 12}\n"
        "      GlobalSecondaryIndexes:\n"
        "        - IndexName: one\n"
        "          KeySchema: [{AttributeName: G, KeyType: HASH}]\n"
        "          Projection: {ProjectionType: ALL}\n"
        "          WriteProvisionedThroughputSettings: {WriteCapacityUnits: 7}\n"
        "        - IndexName: two\n"
        "          KeySchema: [{AttributeName: G, KeyType: HASH}]\n"
        "          Projection: {ProjectionType: KEYS_ONLY}\n"
        "          WriteProvisionedThroughputSettings: " SCALING(
            "Write", 8) "\n"
                        "      Replicas:\n"
                        "        - Region: eu-west-1\n"
                        "          ReadProvisionedThroughputSettings: {ReadCapacityUnits: 34}\n"
                        "          GlobalSecondaryIndexes:\n"
                        "            - {IndexName: two, ReadProvisionedThroughputSettings: "
                        "{ReadCapacityUnits: 3}}\n"
                        "            - {IndexName: one, ReadProvisionedThroughputSettings: "
                        "{ReadCapacityUnits: 5}}\n";
    static const int64_t units[2][2] = {{5, 7}, {3, 8}}; /* read, write */
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_stack(&scenario, stack, &err), "%s", err.text);
    ck_assert_uint_eq(scenario.tables[0].global_index_count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(scenario.tables[0].indexes[i].read_capacity_units, units[i][0]);
        ck_assert_int_eq(scenario.tables[0].indexes[i].write_capacity_units, units[i][1]);
    }
    scenario_fini(&scenario);
}
END_TEST

START_TEST(a_global_table_without_units_says_which_are_missing) {
    static const struct {
        const char *stack, *message;
    } cases[] = {
        {GLOBAL "      Replicas: [{Region: eu-west-1}]\n",
         "'ProvisionedThroughput' is missing: BillingMode is PROVISIONED, also when it is not "
         "given, "
         "and needs read and write units (DynamoDB's rule)"},
        {GLOBAL "      WriteProvisionedThroughputSettings: {WriteCapacityUnits: 12}\n"
                "      Replicas: [{Region: eu-west-1}]\n",
         "'ReadCapacityUnits' is missing"},
        {GLOBAL "      WriteProvisionedThroughputSettings: "
                "{WriteCapacityAutoScalingSettings: {MaxCapacity: 5}}\n",
         "'MinCapacity' is missing"},
        {GLOBAL "      Replicas: 5\n", "'Replicas' must be a list, got '5'"},
    };
    for (size_t i = 0; i < ROWS(cases); i++) {
        struct scenario scenario;
        struct err err;
        ck_assert(!read_stack(&scenario, cases[i].stack, &err));
        ck_assert_msg(strstr(err.text, cases[i].message) != NULL, "case %zu: %s", i, err.text);
        scenario_fini(&scenario);
    }
}
END_TEST

/* A table of 5 units with one index, and what scales it. */
#define SCALED(billing)                                                                            \
    "Parameters:\n  Env: {Type: String, Default: beta}\n"                                          \
    "Conditions:\n  Never: !Equals [!Ref Env, x]\n  Always: !Equals [!Ref Env, beta]\n"            \
    "Resources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n"                     \
    "      TableName: !Sub \"${Env}-orders\"\n      BillingMode: " billing "\n"                    \
    "      KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"                                      \
    "      AttributeDefinitions: [{AttributeName: PK, AttributeType: S},"                          \
    " {AttributeName: G, AttributeType: S}]\n"                                                     \
    "      ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}\n"                 \
    "      GlobalSecondaryIndexes:\n        - IndexName: ByG\n"                                    \
    "          KeySchema: [{AttributeName: G, KeyType: HASH}]\n"                                   \
    "          Projection: {ProjectionType: ALL}\n"                                                \
    "          ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}\n"
#define TARGET(name, resource, dimension, rest)                                                    \
    "  " name ":\n    Type: AWS::ApplicationAutoScaling::ScalableTarget\n    Properties:\n"        \
    "      ServiceNamespace: dynamodb\n      RoleARN: !GetAtt Role.Arn\n"                          \
    "      ResourceId: " resource "\n      ScalableDimension: dynamodb:" dimension "\n" rest
#define BOUNDS "      MinCapacity: 6\n      MaxCapacity: 90\n"
#define POLICY(name, of, rest)                                                                     \
    "  " name ":\n    Type: AWS::ApplicationAutoScaling::ScalingPolicy\n    Properties:\n"         \
    "      PolicyType: TargetTrackingScaling\n" of                                                 \
    "      TargetTrackingScalingPolicyConfiguration: {" rest "}\n"
#define OF(name) "      ScalingTargetId: !Ref " name "\n"

/* How much of what is scaled: reads and writes of the table, then of the index; 0: not. */
static void check_minimums(const struct scenario *scenario, const int64_t expected[4], size_t row) {
    const struct throughput_spec *table = &scenario->tables[0].throughput;
    const struct throughput_spec *index = &scenario->tables[0].indexes[0].throughput;
    const struct scaling_spec *const sides[4] = {table->read_scaling, table->write_scaling,
                                                 index->read_scaling, index->write_scaling};
    for (size_t i = 0; i < 4; i++) {
        const int64_t minimum = sides[i] == NULL ? 0 : sides[i]->min_units;
        ck_assert_msg(minimum == expected[i], "row %zu, side %zu: %lld", row, i,
                      (long long)minimum);
    }
}

START_TEST(scalable_targets_of_the_template_scale_the_table_and_its_indexes) {
    static const struct {
        const char *stack;
        int64_t minimums[4];
    } rows[] = {
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                                      BOUNDS) POLICY("P", OF("W"), "TargetValue: 70"),
         {0, 6, 0, 0}},
        {SCALED("PROVISIONED")
             TARGET("R", "!Join [\"/\", [table, !Ref Orders]]", "table:ReadCapacityUnits", BOUNDS)
                 POLICY("P", OF("R"), "TargetValue: 70"),
         {6, 0, 0, 0}},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Env}-orders\"", "table:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70"),
         {0, 6, 0, 0}},
        {SCALED("PROVISIONED")
             TARGET("I", "!Sub \"table/${Orders}/index/ByG\"", "index:WriteCapacityUnits", BOUNDS)
                 TARGET("J", "table/beta-orders/index/ByG", "index:ReadCapacityUnits", BOUNDS)
                     POLICY("P", OF("I"), "TargetValue: 70")
                         POLICY("Q",
                                "      ResourceId: table/beta-orders/index/ByG\n"
                                "      ScalableDimension: dynamodb:index:ReadCapacityUnits\n",
                                "TargetValue: 70"),
         {0, 0, 6, 6}},
        /* other tables, other services' targets, and those without a policy are not its own */
        {SCALED("PROVISIONED") TARGET("W", "table/beta-orders2", "table:WriteCapacityUnits", BOUNDS)
             TARGET("X", "!ImportValue elsewhere", "table:WriteCapacityUnits", BOUNDS)
                 TARGET("Y", "table/beta-orders", "table:WriteCapacityUnits", BOUNDS)
                     POLICY("P", OF("W"), "TargetValue: 70") POLICY("Q", OF("X"), "TargetValue: 9"),
         {0, 0, 0, 0}},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct scenario scenario;
        struct err err;
        ck_assert_msg(read_stack(&scenario, rows[i].stack, &err), "row %zu: %s", i, err.text);
        check_minimums(&scenario, rows[i].minimums, i);
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(a_policy_gives_target_cooldowns_and_actions) {
    static const char stack[] = SCALED("PROVISIONED")
        TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
               BOUNDS "      ScheduledActions:\n"
                      "        - {ScheduledActionName: a, Schedule: \"at(2026-01-01T00:00:40)\","
                      " Timezone: UTC, ScalableTargetAction: {MinCapacity: 40}}\n"
                      "        - {ScheduledActionName: b, Schedule: \"rate(20 minutes)\","
                      " ScalableTargetAction: {MinCapacity: 1, MaxCapacity: 7}}\n")
            POLICY("P", OF("W"),
                   "TargetValue: !FindInMap [T, t, v], ScaleInCooldown: 61, ScaleOutCooldown: 62,"
                   " DisableScaleIn: true, PredefinedMetricSpecification: {PredefinedMetricType: "
                   "DynamoDBWriteCapacityUtilization}") "Mappings: {T: {t: {v: 55}}}\n";
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_stack(&scenario, stack, &err), "%s", err.text);
    const struct scaling_spec *spec = scenario.tables[0].throughput.write_scaling;
    ck_assert_ptr_nonnull(spec);
    ck_assert_int_eq(spec->target, 550000);
    ck_assert_int_eq(spec->in_cooldown_ns, 61 * SIM_NS_PER_S);
    ck_assert_int_eq(spec->out_cooldown_ns, 62 * SIM_NS_PER_S);
    ck_assert(spec->disable_scale_in);
    /* the second one comes when the run of a minute is over */
    ck_assert_uint_eq(spec->action_count, 1);
    ck_assert_int_eq(spec->actions[0].at_ns, 40 * SIM_NS_PER_S);
    ck_assert_int_eq(spec->actions[0].every_ns, 0);
    ck_assert_int_eq(spec->actions[0].min_units, 40);
    ck_assert_int_eq(spec->actions[0].max_units, UPDATE_KEEPS);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(auto_scaling_that_aws_would_refuse_is_refused) {
    static const struct {
        const char *stack, *message;
    } rows[] = {
        {SCALED("PAY_PER_REQUEST")
             TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70"),
         "an on-demand table has no capacity to scale (DynamoDB's rule)"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                                      "      MinCapacity: 60\n      MaxCapacity: 50\n")
             POLICY("P", OF("W"), "TargetValue: 70"),
         "MinCapacity 60 is above MaxCapacity 50 (Application Auto Scaling's rule)"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                                      BOUNDS) POLICY("P", OF("W"), "TargetValue: 95"),
         "'TargetValue' is 95, outside of 20 … 90 percent (DynamoDB's rule)"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "index:WriteCapacityUnits",
                                      BOUNDS) POLICY("P", OF("W"), "TargetValue: 70"),
         "is not of ResourceId"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:Units", BOUNDS)
             POLICY("P", OF("W"), "TargetValue: 70"),
         "unknown ScalableDimension 'dynamodb:table:Units'"},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Orders}/index/ByH\"", "index:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70"),
         "the table has no global index 'ByH'"},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Orders}/indexes/ByG\"", "index:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70"),
         "'ResourceId' must be table/NAME or table/NAME/index/INDEX"},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"),
                        "TargetValue: 70, PredefinedMetricSpecification: "
                        "{PredefinedMetricType: DynamoDBReadCapacityUtilization}"),
         "'DynamoDBReadCapacityUtilization' does not measure WriteCapacityUnits"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                                      BOUNDS) "  P:\n    Type: "
                                              "AWS::ApplicationAutoScaling::ScalingPolicy\n"
                                              "    Properties:\n      PolicyType: StepScaling\n"
                                              "      ScalingTargetId: !Ref W\n",
         "DynamoDB has target tracking only"},
        {SCALED("PROVISIONED") TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                                      BOUNDS)
             TARGET("V", "table/beta-orders", "table:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70") POLICY("Q", OF("V"), "TargetValue: 70"),
         "WriteCapacityUnits are scaled twice"},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
                    BOUNDS "      ScheduledActions: [{Schedule: \"cron(0 8 L * ? *)\","
                           " ScalableTargetAction: {MinCapacity: 40}}]\n")
                 POLICY("P", OF("W"), "TargetValue: 70"),
         "'Schedule' must be at(yyyy-mm-ddThh:mm:ss), rate(N minutes) or cron("},
        {SCALED("PROVISIONED")
             TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits", BOUNDS)
                 POLICY("P", OF("W"), "TargetValue: 70, CustomizedMetricSpecification: {}"),
         "'CustomizedMetricSpecification' is not supported yet"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct scenario scenario;
        struct err err;
        ck_assert_msg(!read_stack(&scenario, rows[i].stack, &err), "row %zu", i);
        ck_assert_msg(strstr(err.text, rows[i].message) != NULL, "row %zu: %s", i, err.text);
        ck_assert_msg(strstr(err.text, "stack.yaml:") != NULL, "row %zu: %s", i, err.text);
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(resources_whose_condition_does_not_hold_are_not_there) {
    static const char format_of[] = SCALED("PROVISIONED")
        TARGET("W", "!Sub \"table/${Orders}\"", "table:WriteCapacityUnits",
               BOUNDS) "    Condition: %s\n" POLICY("P", OF("W"), "TargetValue: 70");
    static const int64_t minimums[2][4] = {{0, 6, 0, 0}, {0, 0, 0, 0}};
    static const char *const conditions[2] = {"Always", "Never"};
    for (size_t i = 0; i < 2; i++) {
        char stack[4000];
        struct scenario scenario;
        struct err err;
        (void)snprintf(stack, sizeof stack, format_of, conditions[i]);
        ck_assert_msg(read_stack(&scenario, stack, &err), "%s", err.text);
        check_minimums(&scenario, minimums[i], i);
        scenario_fini(&scenario);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/table_template");
    TCase *tcase = tcase_create("template");
    tcase_add_test(tcase, functions_give_what_cloudformation_gives);
    tcase_add_test(tcase, refuses_what_is_known_at_deployment_only);
    tcase_add_test(tcase, a_global_table_is_its_first_replica);
    tcase_add_test(tcase, indexes_of_a_global_table_take_the_reads_of_its_replica);
    tcase_add_test(tcase, a_global_table_without_units_says_which_are_missing);
    tcase_add_test(tcase, scalable_targets_of_the_template_scale_the_table_and_its_indexes);
    tcase_add_test(tcase, a_policy_gives_target_cooldowns_and_actions);
    tcase_add_test(tcase, auto_scaling_that_aws_would_refuse_is_refused);
    tcase_add_test(tcase, resources_whose_condition_does_not_hold_are_not_there);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
