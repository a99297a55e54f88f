/* `attributes`, `exists: {…}` and IndexName of workloads, as data and as what a generator draws. */
#include "tests/suite.h"
#include "workloads/generator.h"
#include "workloads/scenario.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "tables:\n"
    "  - TableName: jobs\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}\n"
    "    AttributeDefinitions:\n"
    "      - {AttributeName: PK, AttributeType: S}\n"
    "      - {AttributeName: SK, AttributeType: S}\n"
    "      - {AttributeName: status, AttributeType: S}\n"
    "      - {AttributeName: due, AttributeType: N}\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: SK, KeyType: RANGE}]\n"
    "    GlobalSecondaryIndexes:\n"
    "      - IndexName: byStatus\n"
    "        KeySchema: [{AttributeName: status, KeyType: HASH}]\n"
    "        Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [owner]}\n"
    "        ProvisionedThroughput: {ReadCapacityUnits: 7, WriteCapacityUnits: 8}\n"
    "    LocalSecondaryIndexes:\n"
    "      - IndexName: byDue\n"
    "        KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: due, KeyType: "
    "RANGE}]\n"
    "        Projection: {ProjectionType: KEYS_ONLY}\n"
    "duration: 1s\n"
    "fields: {job: {uniform: {n: 100}}}\n"
    "workload:\n"
    "  - name: work\n"; /* line 22 */

static bool read_workload(struct scenario *scenario, const char *lines, struct err *err) {
    char text[4096];
    const int length = snprintf(text, sizeof text, "%s%s", head, lines);
    *err = (struct err){.kind = ERR_NONE};
    return scenario_read_text(scenario, "jobs.yaml", text, (size_t)length, NULL, 0, err);
}

START_TEST(texts_sizes_and_removals_are_told_apart) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_workload(&scenario,
                                "    operation: UpdateItem\n"
                                "    rate: 10\n"
                                "    item: {PK: \"{job}\", SK: a}\n"
                                "    item_size: 1KB\n"
                                "    exists: {status: OPEN}\n"
                                "    attributes: {status: \"DONE#{random % 4}\", owner: 40B, "
                                "note: 12, due: null, photo: {uniform: {min: 512B, max: 2KB}}}\n",
                                &err),
                  "%s", err.text);
    const struct workload_spec *work = &scenario.workloads[0];
    ck_assert_uint_eq(work->given_count, 5);
    ck_assert_uint_eq(work->held_count, 1);
    ck_assert_int_eq(work->exists, 1);
    ck_assert_str_eq(work->attributes[0].template.text, "DONE#{random % 4}");
    ck_assert_ptr_null(work->attributes[1].template.text);
    ck_assert_uint_eq(work->attributes[1].size.min_bytes, 40);
    ck_assert_str_eq(work->attributes[2].template.text, "12"); /* without a unit: a text */
    ck_assert(work->attributes[3].is_removed);
    ck_assert_int_eq(work->attributes[4].size.law, SIZE_UNIFORM);
    ck_assert_str_eq(work->attributes[5].template.text, "OPEN");
    scenario_fini(&scenario);
}
END_TEST

START_TEST(a_generator_draws_each_attribute_on_its_own) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_workload(&scenario,
                                "    operation: PutItem\n"
                                "    rate: 400\n"
                                "    item: {PK: \"{job}\", SK: \"{random % 64}\"}\n"
                                "    item_size: 4KB\n"
                                "    attributes: {status: \"{random % 64}\", due: \"{job}\", "
                                "owner: {uniform: {min: 1B, max: 1000B}}}\n",
                                &err),
                  "%s", err.text);
    struct arena arena;
    struct generator generator;
    static struct operation_batch batch;
    arena_init(&arena);
    ck_assert_msg(generator_init(&generator, &arena, &scenario, 0, 1, 0, &err), "%s", err.text);
    generator_next(&generator, SIM_NS_PER_S, &batch);
    ck_assert_uint_gt(batch.count, 200);
    const struct generator_attribute *attributes = generator.attributes;
    uint32_t equal = 0, small = 0;
    for (uint32_t i = 0; i < batch.count; i++) {
        struct key_template_text item, status, due;
        ck_assert(key_template_render(&generator.key_template, batch.numbers[i], &item, &err));
        ck_assert(key_template_render(&attributes[0].key_template, attributes[0].numbers[i],
                                      &status, &err));
        ck_assert(
            key_template_render(&attributes[1].key_template, attributes[1].numbers[i], &due, &err));
        ck_assert_str_eq(due.hash_key, item.hash_key); /* one draw of a field an operation */
        equal += strcmp(status.hash_key, item.range_key) == 0;
        small += attributes[2].sizes_bytes[i] <= 500;
    }
    ck_assert_uint_lt(equal, batch.count / 8);
    ck_assert_uint_gt(small, batch.count / 4);
    ck_assert_uint_lt(small, batch.count / 4 * 3);
    generator_fini(&generator);
    arena_fini(&arena);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(a_put_without_an_index_key_is_noted) {
    struct scenario scenario;
    struct err err;
    ck_assert(read_workload(&scenario,
                            "    operation: PutItem\n    rate: 1\n    item: {PK: a, SK: b}\n"
                            "    item_size: 1KB\n    attributes: {due: \"5\"}\n",
                            &err));
    ck_assert_uint_eq(scenario.note_count, 1);
    ck_assert_str_eq(scenario.notes[0], "jobs.yaml:22:5: workload 'work' gives no 'status': its "
                                        "items have no entry in index 'byStatus'");
    scenario_fini(&scenario);
}
END_TEST

START_TEST(a_query_names_its_index) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(read_workload(&scenario,
                                "    operation: Query\n    rate: 1\n    IndexName: byStatus\n"
                                "    item: {status: OPEN}\n"
                                "    returns: {items: 9, item_size: 100B}\n",
                                &err),
                  "%s", err.text);
    ck_assert_uint_eq(scenario.workloads[0].index, 0);
    scenario_fini(&scenario);
    ck_assert_msg(read_workload(&scenario,
                                "    operation: Query\n    rate: 1\n    IndexName: byDue\n"
                                "    item: {PK: a}\n    ConsistentRead: true\n"
                                "    returns: {items: 9, item_size: 100B}\n",
                                &err),
                  "%s", err.text);
    ck_assert_uint_eq(scenario.workloads[0].index, 1);
    scenario_fini(&scenario);
}
END_TEST

struct refusal {
    const char *lines, *message;
};

#define PUT "    operation: PutItem\n    rate: 1\n    item: {PK: a, SK: b}\n    item_size: 1KB\n"
#define QUERY "    operation: Query\n    rate: 1\n    returns: {items: 9, item_size: 100B}\n"

static const struct refusal refusals[] = {
    {PUT "    attributes: {PK: a}\n",
     "jobs.yaml:27:18: 'PK' is part of the table's key: give it in 'item'"},
    {PUT "    attributes: {status: null}\n",
     "jobs.yaml:27:26: PutItem replaces the whole item: leave 'status' out"},
    {PUT "    attributes: {status: {uniform: {min: 1B, max: 2B}}}\n",
     "jobs.yaml:27:26: 'status' is a key of index 'byStatus': it needs a text, not a size"},
    {PUT "    attributes: {status: \"\"}\n", "jobs.yaml:27:27: 'status' may not be empty"},
    {PUT "    attributes: {status: \"{jbo}\"}\n",
     "jobs.yaml:27:28: unknown field 'jbo'; did you mean 'job'?"},
    {PUT "    attributes: {status: \"{each 4}\"}\n",
     "jobs.yaml:27:27: {each N} is for 'item': every member of the operation writes the same "
     "attributes"},
    {PUT "    attributes: {owner: 500KB}\n",
     "jobs.yaml:27:25: an item of 512000 bytes: DynamoDB takes at most 400 KB (409600 bytes)"},
    {PUT "    attributes: {status: A, due: soon}\n",
     "jobs.yaml:27:34: 'due' is defined as a number (AttributeType N), and this gives 'soon'"},
    {PUT "    attributes: {status: A, due: \"{now:%Y-%m-%d}\"}\n",
     "jobs.yaml:27:35: 'due' is defined as a number (AttributeType N), and this gives "
     "'2026-01-01'"},
    {PUT "    attributes: {owner: 900B, photo: {uniform: {min: 200B, max: 300B}}}\n",
     "jobs.yaml:27:38: with 'photo' the attributes have at least 1100 bytes, the item itself at "
     "most 1024 (item_size)"},
    {PUT "    exists: {status: null}\n",
     "jobs.yaml:27:22: an item holds an attribute or not: leave 'status' out"},
    {"    operation: BatchWriteItem\n    rate: 1\n    item: {PK: a, SK: b}\n    item_size: 1KB\n"
     "    batch: 5\n    attributes: {status: null}\n",
     "jobs.yaml:28:26: BatchWriteItem replaces the whole item: leave 'status' out"},
    {PUT "    IndexName: byStatus\n",
     "jobs.yaml:27:5: 'IndexName' is for Query and Scan; PutItem goes to the table"},
    {"    operation: GetItem\n    rate: 1\n    item: {PK: a, SK: b}\n    item_size: 1KB\n"
     "    attributes: {status: A}\n",
     "jobs.yaml:27:5: 'attributes' are for PutItem, UpdateItem and BatchWriteItem, not "
     "GetItem"},
    {QUERY "    IndexName: byState\n    item: {status: A}\n",
     "jobs.yaml:26:16: unknown index 'byState'; did you mean 'byStatus'?"},
    {QUERY "    IndexName: byStatus\n    item: {PK: a}\n",
     "jobs.yaml:27:12: unknown key attribute 'PK'; expected status"},
    {QUERY "    IndexName: byStatus\n    ConsistentRead: true\n    item: {status: A}\n",
     "jobs.yaml:27:5: a global secondary index has no consistent reads (DynamoDB's rule)"},
};

START_TEST(an_attribute_of_no_index_is_noted_when_it_looks_like_a_mistake) {
    static const struct refusal rows[] = {
        {PUT "    attributes: {status: A, due: 1, ownr: 20B}\n",
         "jobs.yaml:27:37: no index has 'ownr'; did you mean 'owner'?"},
        {PUT "    attributes: {status: A, due: 1}\n    exists: {color: red}\n",
         "jobs.yaml:28:14: no index has 'color'"},
        {PUT "    attributes: {status: A, due: 1, color: red}\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scenario scenario;
        struct err err;
        ck_assert_msg(read_workload(&scenario, rows[i].lines, &err), "%s", err.text);
        ck_assert_uint_eq(scenario.note_count, rows[i].message != NULL);
        if (rows[i].message != NULL) {
            ck_assert_str_eq(scenario.notes[0], rows[i].message);
        }
        scenario_fini(&scenario);
    }
}
END_TEST

START_TEST(wrong_attributes_are_refused_with_their_place) {
    const struct refusal *row = &refusals[_i];
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!read_workload(&scenario, row->lines, &err), "taken: %s", row->lines);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_attributes");
    TCase *tcase = tcase_create("scenario_attributes");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, texts_sizes_and_removals_are_told_apart);
    tcase_add_test(tcase, a_generator_draws_each_attribute_on_its_own);
    tcase_add_test(tcase, a_put_without_an_index_key_is_noted);
    tcase_add_test(tcase, a_query_names_its_index);
    tcase_add_test(tcase, an_attribute_of_no_index_is_noted_when_it_looks_like_a_mistake);
    tcase_add_loop_test(tcase, wrong_attributes_are_refused_with_their_place, 0,
                        sizeof refusals / sizeof *refusals);
    return suite_run(suite);
}
