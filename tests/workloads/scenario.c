#include "workloads/scenario.h"

#include "tests/suite.h"
#include "tests/workloads/scenario_fixture.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

struct reading {
    struct scenario scenario;
    struct err err;
};

/* Reads the fixture with one place of it changed; it must be good. */
static struct reading read_edited(const char *from, const char *to) {
    struct reading reading;
    char *text = fixture_edit(from, to);
    bool is_good = fixture_read(&reading.scenario, text, NULL, &reading.err);
    ck_assert_msg(is_good, "%s", reading.err.text);
    free(text);
    return reading;
}

START_TEST(reads_the_top_level) {
    struct reading reading =
        read_edited("seed: 7\n", "seed: 7\nreplications: 20\nabout: two words\n"
                                 "source: a book\nstart: 2026-03-01\n");
    const struct scenario *scenario = &reading.scenario;
    ck_assert_str_eq(scenario->path, "hot.yaml");
    ck_assert_ptr_nonnull(strstr(scenario->text, "TableName: orders"));
    ck_assert_str_eq(scenario->name, "hot");
    ck_assert_str_eq(scenario->about, "two words");
    ck_assert_str_eq(scenario->source, "a book");
    ck_assert_int_eq(scenario->start_epoch_s, 1772323200);
    ck_assert_int_eq(scenario->duration_ns, 600 * SIM_NS_PER_S);
    ck_assert_uint_eq(scenario->seed, 7);
    ck_assert_uint_eq(scenario->replications, 20);
    ck_assert_uint_eq(scenario->parameter_count, 2);
    ck_assert_str_eq(scenario->parameters[1].name, "rate");
    ck_assert_str_eq(scenario->parameters[1].value, "2500");
    ck_assert_str_eq(scenario->parameters[1].source, "scenario");
    ck_assert_uint_eq(scenario->note_count, 0);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(has_documented_defaults) {
    struct reading reading = read_edited("client:\n  retry: none\nmodel:\n  routers: 2\n", "");
    const struct scenario *scenario = &reading.scenario;
    struct model_parameters model;
    model_parameters_default(&model);
    ck_assert_str_eq(scenario->about, "");
    ck_assert_int_eq(scenario->start_epoch_s, 1767225600);
    ck_assert_uint_eq(scenario->replications, 1);
    ck_assert_uint_eq(scenario->client.count, 1);
    ck_assert_int_eq(scenario->client.retry.profile, RETRY_BOTOCORE_LEGACY);
    ck_assert_int_eq(scenario->client.latency_law, LATENCY_LOGNORMAL);
    ck_assert_int_eq(scenario->client.latency_median_ns, 3 * SIM_NS_PER_MS);
    ck_assert_int_eq(scenario->client.latency_p99_ns, 9 * SIM_NS_PER_MS);
    ck_assert_int_eq(scenario->client.throttle_latency_ns, SIM_NS_PER_MS);
    ck_assert_mem_eq(&scenario->model, &model, sizeof model);
    ck_assert_uint_eq(scenario->model_set, 0);
    const struct workload_spec *workload = &scenario->workloads[0];
    ck_assert_int_eq(workload->arrivals, ARRIVALS_POISSON);
    ck_assert_int_eq(workload->start_ns, 0);
    ck_assert_int_eq(workload->stop_ns, -1);
    ck_assert_uint_eq(workload->after, SCENARIO_NONE);
    ck_assert_int_eq(workload->exists, -1);
    ck_assert(!workload->consistent_read);
    scenario_fini(&reading.scenario);
    reading = read_edited("name: hot\n", "");
    ck_assert_str_eq(reading.scenario.name, "hot"); /* of hot.yaml */
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(reads_each_field_law) {
    struct reading reading =
        read_edited("fields:\n", "fields:\n"
                                 "  one: {constant: eu}\n"
                                 "  two: {uniform: {n: 10}}\n"
                                 "  three: {uniform: {min: -5, max: 5}}\n"
                                 "  four: {zipf: {n: 1e6, s: 1.2, first: 1}}\n"
                                 "  five: {sequence: {first: 100, n: 50}}\n"
                                 "  six: {sequence:}\n"
                                 "  seven: {choice: [get, put]}\n"
                                 "  eight: {choice: {get: 3, put: 1, \"${rate}\": 0}}\n");
    const struct field_spec *fields = reading.scenario.fields;
    ck_assert_uint_eq(reading.scenario.field_count, 9);
    ck_assert_int_eq(fields[0].law, FIELD_CONSTANT);
    ck_assert_str_eq(fields[0].values[0], "eu");
    ck_assert_uint_eq(fields[0].n, 1);
    ck_assert(fields[1].law == FIELD_UNIFORM && fields[1].n == 10 && fields[1].first == 0);
    ck_assert(fields[2].law == FIELD_UNIFORM && fields[2].n == 11 && fields[2].first == -5);
    ck_assert(fields[3].law == FIELD_ZIPF && fields[3].n == 1000000 && fields[3].first == 1);
    ck_assert(fields[3].exponent == 1.2);
    ck_assert(fields[4].law == FIELD_SEQUENCE && fields[4].n == 50 && fields[4].first == 100);
    ck_assert(fields[5].law == FIELD_SEQUENCE && fields[5].n == UINT64_C(1) << 32);
    ck_assert(fields[6].law == FIELD_CHOICE && fields[6].n == 2);
    ck_assert(fields[6].weights[0] == 1 && fields[6].weights[1] == 1);
    ck_assert_str_eq(fields[6].values[1], "put");
    ck_assert(fields[7].n == 3 && fields[7].weights[0] == 3 && fields[7].weights[2] == 0);
    ck_assert_str_eq(fields[7].values[2], "2500");
    ck_assert_str_eq(fields[8].name, "player");
    ck_assert_uint_eq(fields[8].position.line, 23);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(reads_a_workload) {
    struct reading reading = read_edited("    item_size: 200B\n", "    item_size: 1.5KB\n"
                                                                  "    exists: true\n"
                                                                  "    start: 1m\n"
                                                                  "    stop: 90s\n");
    const struct workload_spec *workload = &reading.scenario.workloads[0];
    ck_assert_uint_eq(reading.scenario.workload_count, 1);
    ck_assert_str_eq(workload->name, "score");
    ck_assert_int_eq(workload->operation, DDB_UPDATE_ITEM);
    ck_assert_uint_eq(workload->table, 0);
    ck_assert_uint_eq(workload->point_count, 1);
    ck_assert(workload->points[0].at_ns == 0 && workload->points[0].rate_per_s == 2500);
    ck_assert_str_eq(workload->hash_key.text, "L#{hash(player) % 4}");
    ck_assert_uint_eq(workload->hash_key.position.line, 20);
    ck_assert_uint_eq(workload->hash_key.position.column, 17);
    ck_assert_str_eq(workload->range_key.text, "{player}");
    ck_assert_int_eq(workload->item_size.law, SIZE_CONSTANT);
    ck_assert_uint_eq(workload->item_size.min_bytes, 1536);
    ck_assert_uint_eq(workload->item_size.max_bytes, 1536);
    ck_assert_int_eq(workload->exists, 1);
    ck_assert_int_eq(workload->start_ns, 60 * SIM_NS_PER_S);
    ck_assert_int_eq(workload->stop_ns, 90 * SIM_NS_PER_S);
    ck_assert_uint_eq(workload->position.line, 17);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(reads_schedules_with_steps) {
    struct reading reading = read_edited(
        "    rate: \"${rate}\"\n", "    arrivals: uniform\n"
                                   "    rate: [[0s, 0], [1m, 4000], [1m, \"${rate}\"], [2m, 0]]\n");
    const struct workload_spec *workload = &reading.scenario.workloads[0];
    ck_assert_int_eq(workload->arrivals, ARRIVALS_UNIFORM);
    ck_assert_uint_eq(workload->point_count, 4);
    ck_assert(workload->points[1].rate_per_s == 4000 && workload->points[2].rate_per_s == 2500);
    ck_assert_int_eq(workload->points[2].at_ns, SIM_NS_PER_MIN);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(reads_closed_loops) {
    struct reading reading = read_edited(
        "    rate: \"${rate}\"\n", "    arrivals: {closed: {clients: \"${rate}\", think: 5ms}}\n");
    const struct workload_spec *workload = &reading.scenario.workloads[0];
    ck_assert_int_eq(workload->arrivals, ARRIVALS_CLOSED);
    ck_assert_uint_eq(workload->clients, 2500);
    ck_assert_int_eq(workload->think_ns, 5 * SIM_NS_PER_MS);
    ck_assert_uint_eq(workload->point_count, 0);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(reads_a_trace_and_what_comes_after_it) {
    struct reading reading =
        read_edited("    rate: \"${rate}\"\n"
                    "    item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n"
                    "    item_size: 200B\n",
                    "    trace: {file: none-such.csv, columns: [t, host, bytes], time: t, unit: "
                    "ms, repeat: 3}\n"
                    "    item: {PK: \"{host}\", SK: \"{player}\"}\n"
                    "    item_size: {column: bytes}\n"
                    "  - name: top\n"
                    "    operation: GetItem\n"
                    "    rate: 20\n"
                    "    after: score + 30s\n"
                    "    ConsistentRead: true\n"
                    "    exists: false\n"
                    "    item: {PK: x, SK: \"{seq}\"}\n");
    const struct workload_spec *score = &reading.scenario.workloads[0], *top = score + 1;
    ck_assert_int_eq(score->arrivals, ARRIVALS_TRACE);
    ck_assert_str_eq(score->trace.file, "none-such.csv");
    ck_assert_uint_eq(score->trace.column_count, 3);
    ck_assert_str_eq(score->trace.columns[2], "bytes");
    ck_assert(!score->trace.has_header);
    ck_assert_str_eq(score->trace.time_column, "t");
    ck_assert_int_eq(score->trace.time_unit_ns, SIM_NS_PER_MS);
    ck_assert_uint_eq(score->trace.repeat, 3);
    ck_assert_int_eq(score->item_size.law, SIZE_COLUMN);
    ck_assert_str_eq(score->item_size.column, "bytes");
    ck_assert_uint_eq(top->after, 0);
    ck_assert_int_eq(top->start_ns, 30 * SIM_NS_PER_S);
    ck_assert(top->consistent_read);
    ck_assert_int_eq(top->exists, 0);
    ck_assert_uint_eq(reading.scenario.note_count, 3);
    ck_assert_str_eq(
        reading.scenario.notes[0],
        "hot.yaml:19:19: trace 'none-such.csv' is not there: its rows were not checked");
    ck_assert_str_eq(reading.scenario.notes[1],
                     "hot.yaml:4:22: parameter 'shards' is not used anywhere");
    scenario_fini(&reading.scenario);
}
END_TEST

struct end_case {
    const char *line;
    bool ends;
};

static const struct end_case ends[] = {
    {"    rate: 5\n    stop: 10s\n", true},
    {"    rate: 5\n    trace: {file: no.csv, columns: [a]}\n", true},
    {"    rate: [[0s, 5], [10s, 0]]\n", true},
    {"    rate: [[0s, 0], [10s, 5]]\n", false},
    {"    rate: 5\n", false},
};

static void check_which_workloads_end(const struct end_case *row) {
    char text[sizeof FIXTURE_TEXT + 200],
        *edited = fixture_edit("    rate: \"${rate}\"\n", row->line);
    struct scenario scenario;
    struct err err;
    strcpy(text, edited);
    char *duration = strstr(text, "duration: 10m\n");
    memmove(duration, duration + strlen("duration: 10m\n"),
            strlen(duration + strlen("duration: 10m\n")) + 1);
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err) == row->ends, "%s%s", row->line,
                  err.text);
    if (row->ends) {
        ck_assert_int_eq(scenario.duration_ns, -1);
    } else {
        ck_assert_str_eq(err.text, "hot.yaml:1:1: 'duration' is missing: workload 'score' has no "
                                   "end of its own (a trace, 'stop', or a rate that ends at 0)");
    }
    scenario_fini(&scenario);
    free(edited);
}

START_TEST(knows_which_workloads_end) {
    for (size_t i = 0; i < ROWS(ends); i++) {
        check_which_workloads_end(&ends[i]);
    }
}
END_TEST

START_TEST(takes_sizes_of_existing_items_from_the_table) {
    static const char from[] =
        "    operation: UpdateItem\n    rate: \"${rate}\"\n"
        "    item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n"
        "    item_size: 200B\n";
    static const char to[] = "    operation: GetItem\n    rate: \"${rate}\"\n"
                             "    item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n";
    char *text = fixture_edit(from, to);
    struct scenario scenario;
    struct err err;
    static const struct scenario_override overrides[] = {
        {"tables.orders.ItemCount", "1000"},
        {"tables.orders.TableSizeBytes", "1500500"},
        {NULL, NULL}};
    ck_assert(!fixture_read(&scenario, text, NULL, &err));
    ck_assert_str_eq(err.text,
                     "hot.yaml:17:5: 'item_size' is missing: how large are the items that GetItem "
                     "finds? Give 'item_size', 'exists: false', or the table's ItemCount and "
                     "TableSizeBytes");
    scenario_fini(&scenario);
    ck_assert_msg(fixture_read(&scenario, text, overrides, &err), "%s", err.text);
    ck_assert_int_eq(scenario.workloads[0].item_size.min_bytes, 1501); /* half is rounded up */
    scenario_fini(&scenario);
    free(text);
}
END_TEST

START_TEST(reads_client_and_model) {
    struct reading reading =
        read_edited("client:\n  retry: none\nmodel:\n  routers: 2\n",
                    "client:\n  count: 16\n  latency: 2ms\n  throttle_latency: 500us\n"
                    "model: {era: gac, gac_refresh: 2, token_ttl: 4s, part_max_bytes: 1GB,\n"
                    "        partition_formula: sum, placement: fixed, part_max_w: 500}\n");
    const struct scenario *scenario = &reading.scenario;
    ck_assert_uint_eq(scenario->client.count, 16);
    ck_assert_int_eq(scenario->client.latency_law, LATENCY_CONSTANT);
    ck_assert_int_eq(scenario->client.latency_median_ns, 2 * SIM_NS_PER_MS);
    ck_assert_int_eq(scenario->client.throttle_latency_ns, 500 * SIM_NS_PER_US);
    ck_assert_int_eq(scenario->model.gac_refresh, 2 * SIM_NS_PER_S);
    ck_assert_int_eq(scenario->model.token_ttl, 4 * SIM_NS_PER_S);
    ck_assert_int_eq(scenario->model.part_max_bytes, INT64_C(1) << 30);
    ck_assert_int_eq(scenario->model.partition_formula, PARTITION_FORMULA_SUM);
    ck_assert_int_eq(scenario->model.placement, PLACEMENT_FIXED);
    ck_assert_int_eq(scenario->model.part_max_w, 500);
    ck_assert_int_eq(__builtin_popcountll(scenario->model_set), 7);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(older_eras_count_partitions_by_the_sum_unless_told_otherwise) {
    static const struct {
        const char *model;
        int64_t era, formula;
    } rows[] = {
        {"era: gac", ERA_GAC, PARTITION_FORMULA_MAX},
        {"era: static", ERA_STATIC, PARTITION_FORMULA_SUM},
        {"era: adaptive", ERA_ADAPTIVE, PARTITION_FORMULA_SUM},
        {"era: static, partition_formula: max", ERA_STATIC, PARTITION_FORMULA_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, "model: {%s, adaptive_gain: 0.25, adaptive_delay_max: 5m}\n",
                 rows[i].model);
        struct reading reading = read_edited("model:\n  routers: 2\n", text);
        ck_assert_int_eq(reading.scenario.model.era, rows[i].era);
        ck_assert_int_eq(reading.scenario.model.partition_formula, rows[i].formula);
        ck_assert_int_eq(reading.scenario.model.adaptive_gain, 250000);
        ck_assert_int_eq(reading.scenario.model.adaptive_delay_max, 300 * SIM_NS_PER_S);
        scenario_fini(&reading.scenario);
    }
}
END_TEST

START_TEST(reads_expectations) {
    struct reading reading = read_edited(
        "  - {metric: throttled_share, max: 0.001}\n",
        "  - {metric: consumed_wcu, table: orders, workload: score, key: \"L#0\", from: 1m, to: "
        "2m,\n"
        "     per: minute, stat: mean, equals: 1000, tolerance: 0.03, share_of_seeds: 0.95,\n"
        "     published: about a thousand}\n"
        "  - {metric: throttle_events, reason: TableWriteKeyRangeThroughputExceeded, min: 1, max: "
        "9}\n");
    const struct expect_spec *expect = reading.scenario.expects;
    ck_assert_uint_eq(reading.scenario.expect_count, 2);
    ck_assert_str_eq(expect->metric.text, "consumed_wcu");
    ck_assert_str_eq(expect->table.text, "orders");
    ck_assert_str_eq(expect->workload.text, "score");
    ck_assert_str_eq(expect->key.text, "L#0");
    ck_assert_ptr_null(expect->reason.text);
    ck_assert_int_eq(expect->from_ns, 60 * SIM_NS_PER_S);
    ck_assert_int_eq(expect->to_ns, 120 * SIM_NS_PER_S);
    ck_assert(expect->per == PER_MINUTE && expect->stat == STAT_MEAN && expect->has_stat);
    ck_assert(expect->has_equals && !expect->has_min && !expect->has_max);
    ck_assert(expect->equals == 1000 && expect->tolerance == 0.03);
    ck_assert(expect->share_of_seeds == 0.95);
    ck_assert_str_eq(expect->published, "about a thousand");
    expect++;
    ck_assert_str_eq(expect->reason.text, "TableWriteKeyRangeThroughputExceeded");
    ck_assert(expect->has_min && expect->has_max && expect->min == 1 && expect->max == 9);
    ck_assert(expect->to_ns == -1 && expect->per == PER_RUN && !expect->has_stat);
    ck_assert(expect->share_of_seeds == 1);
    ck_assert_ptr_null(expect->published);
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(substitutes_parameters_in_parameters) {
    struct reading reading =
        read_edited("{shards: 4, rate: 2500}", "{shards: 4, rate: \"${shards}000\", unused: x}");
    ck_assert(reading.scenario.workloads[0].points[0].rate_per_s == 4000);
    ck_assert_uint_eq(reading.scenario.note_count, 1);
    ck_assert_str_eq(reading.scenario.notes[0],
                     "hot.yaml:4:55: parameter 'unused' is not used anywhere");
    scenario_fini(&reading.scenario);
}
END_TEST

START_TEST(notes_parameters_of_another_era) {
    static const struct {
        const char *model, *note;
    } rows[] = {
        {"{era: static, routers: 5}", "'routers' belongs to era gac, it has no effect"},
        {"{era: static, adaptive_gain: 0.1}",
         "'adaptive_gain' belongs to era adaptive, it has no effect"},
        {"{adaptive_period: 1m}", "'adaptive_period' belongs to era adaptive, it has no effect"},
        {"{era: adaptive, adaptive_period: 1m}", NULL},
        {"{era: gac, token_ttl: 1s}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char model[128];
        snprintf(model, sizeof model, "model: %s\n", rows[i].model);
        struct reading reading = read_edited("model:\n  routers: 2\n", model);
        ck_assert_uint_eq(reading.scenario.note_count, rows[i].note != NULL);
        if (rows[i].note != NULL) {
            ck_assert_ptr_nonnull(strstr(reading.scenario.notes[0], rows[i].note));
        }
        scenario_fini(&reading.scenario);
    }
}
END_TEST

START_TEST(notes_errors_that_begin_after_the_run) {
    static const struct {
        const char *errors, *note;
    } rows[] = {
        {"{probability: 0.1, from: 10m}",
         "hot.yaml:23:36: 'from' is not before the end of the run ('duration'): there are no "
         "errors"},
        {"{probability: 0.1, from: 9m, to: 20m}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char client[128];
        snprintf(client, sizeof client, "  errors: %s\n", rows[i].errors);
        struct reading reading = read_edited("  retry: none\n", client);
        ck_assert_uint_eq(reading.scenario.note_count, rows[i].note != NULL);
        if (rows[i].note != NULL) {
            ck_assert_str_eq(reading.scenario.notes[0], rows[i].note);
        }
        scenario_fini(&reading.scenario);
    }
}
END_TEST

/* A trace that is there is read, so that a template over its columns is checked. */
START_TEST(reads_traces_beside_the_scenario) {
    char folder[] = "/tmp/ddbsim-scenario-XXXXXX", csv[64], yaml[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(csv, sizeof csv, "%s/log.csv", folder);
    snprintf(yaml, sizeof yaml, "%s/a.yaml", folder);
    FILE *file = fopen(csv, "w");
    ck_assert_ptr_nonnull(file);
    fputs("id,host\n1,a\n2,b\n", file);
    fclose(file);
    static const char *const items[] = {"{host}", "{hots}"};
    for (size_t i = 0; i < 2; i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "    trace: {file: log.csv, header: true}\n    item: {PK: \"%s\", SK: \"{id}\"}\n",
                 items[i]);
        char *text = fixture_edit(
            "    item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n", line);
        file = fopen(yaml, "w");
        ck_assert_ptr_nonnull(file);
        fputs(text, file);
        fclose(file);
        struct scenario scenario;
        struct err err = {.kind = ERR_NONE};
        char message[200];
        snprintf(message, sizeof message, "%s:21:18: unknown field 'hots'; did you mean 'host'?",
                 yaml);
        ck_assert_int_eq(scenario_read(&scenario, yaml, NULL, 0, &err), i == 0);
        ck_assert_str_eq(err.text, i == 0 ? "" : message);
        scenario_fini(&scenario);
        free(text);
    }
    unlink(csv);
    unlink(yaml);
    rmdir(folder);
}
END_TEST

START_TEST(reads_json) {
    static const char text[] =
        "{\"name\": \"j\", \"duration\": \"1m\", \"tables\": [{\"TableName\": \"abc\",\n"
        "\"ProvisionedThroughput\": {\"ReadCapacityUnits\": 1, \"WriteCapacityUnits\": 1},\n"
        "\"AttributeDefinitions\": [{\"AttributeName\": \"P\", \"AttributeType\": \"S\"}],\n"
        "\"KeySchema\": [{\"AttributeName\": \"P\", \"KeyType\": \"HASH\"}]}],\n"
        "\"workload\": [{\"name\": \"w\", \"operation\": \"PutItem\", \"rate\": 1.5,\n"
        "\"item_size\": 10, \"item\": {\"P\": \"{seq}\"}}]}";
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    ck_assert_msg(scenario_read_text(&scenario, "j.json", text, strlen(text), NULL, 0, &err), "%s",
                  err.text);
    ck_assert_ptr_null(scenario.workloads[0].range_key.text);
    ck_assert(scenario.workloads[0].points[0].rate_per_s == 1.5);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(says_that_a_file_is_not_there) {
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    ck_assert(!scenario_read(&scenario, "/none/such.yaml", NULL, 0, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_str_eq(err.text, "cannot read '/none/such.yaml': No such file or directory");
    scenario_fini(&scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario");
    TCase *tcase = tcase_create("scenario");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_the_top_level);
    tcase_add_test(tcase, has_documented_defaults);
    tcase_add_test(tcase, reads_each_field_law);
    tcase_add_test(tcase, reads_a_workload);
    tcase_add_test(tcase, reads_schedules_with_steps);
    tcase_add_test(tcase, reads_closed_loops);
    tcase_add_test(tcase, reads_a_trace_and_what_comes_after_it);
    tcase_add_test(tcase, knows_which_workloads_end);
    tcase_add_test(tcase, takes_sizes_of_existing_items_from_the_table);
    tcase_add_test(tcase, reads_client_and_model);
    tcase_add_test(tcase, older_eras_count_partitions_by_the_sum_unless_told_otherwise);
    tcase_add_test(tcase, reads_expectations);
    tcase_add_test(tcase, substitutes_parameters_in_parameters);
    tcase_add_test(tcase, notes_parameters_of_another_era);
    tcase_add_test(tcase, notes_errors_that_begin_after_the_run);
    tcase_add_test(tcase, reads_traces_beside_the_scenario);
    tcase_add_test(tcase, reads_json);
    tcase_add_test(tcase, says_that_a_file_is_not_there);
    return suite_run(suite);
}
