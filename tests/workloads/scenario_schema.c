/* The JSON Schema that editors get, against every scenario that is shipped and against faults. */
#include "workloads/scenario_schema.h"

#include "tests/suite.h"
#include "workloads/document.h"

#include <check.h>
#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct document_node *schema;
static glob_t shipped;

/* As much of a JSON Schema validator as this schema needs. A value that is not quoted in YAML
 * counts as a string too: the parser does not tell. */
static bool is_valid(const struct document_node *rule, const struct document_node *value);

static bool matches_type(const char *type, const struct document_node *value) {
    if (value->kind != DOCUMENT_SCALAR) {
        return strcmp(type, value->kind == DOCUMENT_MAPPING ? "object" : "array") == 0;
    }
    if (value->text == NULL || strcmp(value->text, "null") == 0) {
        return strcmp(type, "null") == 0;
    }
    if (strcmp(type, "number") == 0) {
        char *end = NULL;
        (void)strtod(value->text, &end);
        return end != value->text && *end == '\0';
    }
    if (strcmp(type, "boolean") == 0) {
        return strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0;
    }
    return strcmp(type, "string") == 0;
}

static bool matches_pattern(const char *pattern, const char *text) {
    regex_t compiled;
    ck_assert_int_eq(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    const bool matches = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return matches;
}

static bool has_properties(const struct document_node *rule, const struct document_node *value) {
    const struct document_node *properties = document_get(rule, "properties");
    const struct document_node *required = document_get(rule, "required");
    const struct document_node *additional = document_get(rule, "additionalProperties");
    for (const struct document_node *key = required->first; key != NULL; key = key->next) {
        if (document_get(value, key->text) == NULL) {
            return false;
        }
    }
    for (const struct document_node *child = value->first; child != NULL; child = child->next) {
        const struct document_node *of = document_get(properties, child->key);
        if (of == NULL && additional->kind == DOCUMENT_SCALAR) {
            if (strcmp(additional->text, "false") == 0) {
                return false;
            }
            continue;
        }
        if (!is_valid(of != NULL ? of : additional, child)) {
            return false;
        }
    }
    return true;
}

static bool is_valid_as(const struct document_node *rule, const struct document_node *value) {
    const struct document_node *type = document_get(rule, "type");
    const struct document_node *items = document_get(rule, "items");
    const struct document_node *pattern = document_get(rule, "pattern");
    const struct document_node *only = document_get(rule, "const");
    const struct document_node *words = document_get(rule, "enum");
    const char *text = value->kind == DOCUMENT_SCALAR ? value->text : NULL;
    bool good = type == NULL || (type->text != NULL && matches_type(type->text, value));
    for (const struct document_node *each = type == NULL ? NULL : type->first; each != NULL;
         each = each->next) {
        good = good || matches_type(each->text, value);
    }
    if (good && only != NULL) {
        good = text != NULL && strcmp(text, only->text) == 0;
    }
    if (good && words != NULL) {
        good = false;
        for (const struct document_node *each = words->first; each != NULL; each = each->next) {
            good = good || (text != NULL && strcmp(text, each->text) == 0);
        }
    }
    if (good && pattern != NULL) {
        good = text != NULL && matches_pattern(pattern->text, text);
    }
    for (const struct document_node *each = value->first; good && items != NULL && each != NULL;
         each = each->next) {
        good = is_valid(items, each);
    }
    return good && (document_get(rule, "properties") == NULL || has_properties(rule, value));
}

static bool is_valid(const struct document_node *rule, const struct document_node *value) {
    const struct document_node *reference = document_get(rule, "$ref");
    const struct document_node *any = document_get(rule, "anyOf");
    if (reference != NULL) {
        const char *name = strrchr(reference->text, '/') + 1;
        return is_valid(document_get(document_get(schema, "$defs"), name), value);
    }
    bool good = any == NULL;
    for (const struct document_node *each = any == NULL ? NULL : any->first; each && !good;
         each = each->next) {
        good = is_valid(each, value);
    }
    return good && is_valid_as(rule, value);
}

static struct document_node *parse(const char *name, const char *text, size_t length,
                                   bool is_json) {
    struct document_node *root = NULL;
    const struct document_source source = {
        .file = name, .text = text, .length = length, .is_json = is_json};
    ck_assert_msg(document_parse(&arena, &source, &root, &err), "%s", err.text);
    return root;
}

static bool is_scenario(const struct document_node *root) {
    return is_valid(document_get(schema, "allOf")->first, root);
}

static void set_up(void) {
    struct scenario_schema learnt;
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    ck_assert_int_eq(glob(DDBSIM_SOURCE_DIR "/workloads/scenarios/*.yaml", 0, NULL, &shipped), 0);
    ck_assert(scenario_schema_init(&learnt, &err));
    for (size_t i = 0; i < shipped.gl_pathc; i++) {
        const char *text = NULL;
        size_t length = 0;
        ck_assert(document_load(&arena, shipped.gl_pathv[i], &text, &length, &err));
        ck_assert_msg(scenario_schema_learn(&learnt, shipped.gl_pathv[i], text, length, &err), "%s",
                      err.text);
    }
    const char *text = arena_strdup(&arena, scenario_schema_text(&learnt, &err), &err);
    ck_assert_ptr_nonnull(text);
    scenario_schema_fini(&learnt);
    schema = parse("schema.json", text, strlen(text), true);
}

static void tear_down(void) {
    globfree(&shipped);
    arena_fini(&arena);
}

START_TEST(every_shipped_scenario_is_one) {
    ck_assert_uint_gt(shipped.gl_pathc, 10);
    for (size_t i = 0; i < shipped.gl_pathc; i++) {
        const char *text = NULL;
        size_t length = 0;
        ck_assert(document_load(&arena, shipped.gl_pathv[i], &text, &length, &err));
        ck_assert_msg(is_scenario(parse(shipped.gl_pathv[i], text, length, false)), "%s",
                      shipped.gl_pathv[i]);
    }
}
END_TEST

/* One place of a good scenario changed, which stays good or does not. */
static const char good[] =
    "duration: 10m\nparameters: {rate: 5}\ntables:\n  - TableName: orders\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: \"${rate}\"}\n"
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "fields:\n  player: {zipf: {n: 1000, s: 0.99}}\n"
    "workload:\n  - name: score\n    operation: PutItem\n    rate: 5\n"
    "    item: {PK: \"{player}\"}\n    item_size: 1KB\n";

static const struct {
    const char *from, *to;
    bool is_good;
} edits[] = {
    {"duration: 10m", "duration: 1.5h", true},
    {"duration: 10m", "duration: 10", false},
    {"duration: 10m", "durration: 10m", false},
    {"duration: 10m", "duration: \"${long}\"", true},
    {"TableName: orders", "TableNaem: orders", false},
    {"ReadCapacityUnits: 5", "ReadCapacityUnits: five", false},
    {"ReadCapacityUnits: 5", "ReadCapacityUnits: \"${r}\"", true},
    {"KeyType: HASH", "KeyType: HASCH", false},
    {"TableName: orders", "TableName: orders\n    Tags: [{Key: a, Value: b}]", true},
    {"zipf: {n: 1000", "zipf: {m: 1000", false},
    {"player: {zipf", "anything: {zipf", true},
    {"operation: PutItem", "operation: PutItme", false},
    {"operation: PutItem", "operation: Query", true},
    {"    operation: PutItem\n", "", false},
    {"rate: 5\n    item", "rate: [[0s, 0], [1m, 5]]\n    item", true},
    {"rate: 5\n    item", "rate: fast\n    item", false},
    {"item: {PK:", "item: {AnyKey:", true},
    {"item_size: 1KB", "item_size: {uniform: {min: 1KB, max: 2KB}}", true},
    {"item_size: 1KB", "item_size: {uniform: {min: 1KB, mx: 2KB}}", false},
    {"item_size: 1KB", "item_size: 1XB", false},
    {"item_size: 1KB", "item_size: 1KB\n    exists: maybe", false},
    {"item_size: 1KB", "item_size: 1KB\n    then: [{name: a, operation: GetItem, item: {PK: a}}]",
     true},
    {"item_size: 1KB", "item_size: 1KB\n    then: [{name: a, operations: GetItem}]", false},
    {"workload:", "works:", false},
};

START_TEST(what_the_reader_refuses_at_sight_is_refused) {
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char text[4000];
        const char *at = strstr(good, edits[i].from);
        ck_assert_ptr_nonnull(at);
        const int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good,
                                    edits[i].to, at + strlen(edits[i].from));
        ck_assert_msg(is_scenario(parse("edit.yaml", text, (size_t)length, false)) ==
                          edits[i].is_good,
                      "row %zu: %s", i, edits[i].to);
    }
}
END_TEST

START_TEST(learns_from_no_faulty_scenario) {
    struct scenario_schema learnt;
    ck_assert(scenario_schema_init(&learnt, &err));
    ck_assert(!scenario_schema_learn(&learnt, "bad.yaml", "tables: 3\n", 10, &err));
    ck_assert_str_eq(err.text, "bad.yaml:1:9: 'tables' must be a list, got '3'");
    scenario_schema_fini(&learnt);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_schema");
    TCase *tcase = tcase_create("schema");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_shipped_scenario_is_one);
    tcase_add_test(tcase, what_the_reader_refuses_at_sight_is_refused);
    tcase_add_test(tcase, learns_from_no_faulty_scenario);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
