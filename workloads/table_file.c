#include "workloads/table_file.h"

#include "workloads/table_global.h"
#include "workloads/table_scaling.h"

#include <stdio.h>
#include <string.h>

/* The properties in which intrinsic functions are resolved: those that the model reads. */
static const char *const resolved_properties[] = {"TableName",
                                                  "BillingMode",
                                                  "BillingModeSummary",
                                                  "ProvisionedThroughput",
                                                  "OnDemandThroughput",
                                                  "WarmThroughput",
                                                  "AttributeDefinitions",
                                                  "KeySchema",
                                                  "GlobalSecondaryIndexes",
                                                  "LocalSecondaryIndexes",
                                                  "ItemCount",
                                                  "TableSizeBytes",
                                                  NULL};

/* Of a GlobalTable, besides those; translated afterwards. */
static const char *const global_properties[] = {"WriteProvisionedThroughputSettings", "Replicas",
                                                "GlobalSecondaryIndexes", NULL};

/* CloudFormation would make up a name from the logical one. */
static bool put_logical_name(struct reader *reader, const struct table_file *file) {
    if (file->resource == NULL) {
        return true;
    }
    struct document_node *name = document_new(reader->arena, DOCUMENT_SCALAR, file->resource->key,
                                              &file->resource->key_position, reader->err);
    if (name == NULL) {
        return false;
    }
    name->is_literal = true;
    document_put(file->properties, "TableName", name);
    return true;
}

static bool resolve_properties(struct reader *reader, const struct table_file *file,
                               const char *const *names) {
    for (size_t i = 0; names[i] != NULL; i++) {
        struct document_node *property = document_get(file->properties, names[i]);
        bool is_absent = false;
        if (property != NULL &&
            !table_intrinsic_resolve(reader, &file->scope, property, &is_absent)) {
            return false;
        }
        if (is_absent) {
            document_remove(file->properties, names[i]);
            if (strcmp(names[i], "TableName") == 0 && !put_logical_name(reader, file)) {
                return false;
            }
        }
    }
    return true;
}

/* What targets of auto scaling may call the table; NULL: only its logical name. */
static const char *name_in_template(const struct table_file *file) {
    const struct document_node *name = file->table_name;
    const bool is_kept = name != NULL && document_get(file->properties, "TableName") == name;
    return name != NULL && name->kind == DOCUMENT_SCALAR && (is_kept || name->tag == NULL)
               ? name->text
               : NULL;
}

bool table_file_resolve(struct reader *reader, const struct table_file *file) {
    struct table_scope scope = file->scope;
    scope.resources = file->resources;
    return resolve_properties(reader, file, resolved_properties) &&
           (file->resources == NULL ||
            (table_scaling_translate(reader, &scope, file->resource, name_in_template(file),
                                     file->properties) &&
             table_scaling_check_mode(reader, file->properties)));
}

static bool has_type(const struct document_node *resource, const char *type) {
    const struct document_node *node = document_get(resource, "Type");
    return node != NULL && node->text != NULL && strcmp(node->text, type) == 0;
}

/* The resource that is meant: the one of that name, or the only table of the template. */
static bool find_resource(struct reader *reader, const struct document_node *from,
                          const struct document_node *resources, const char *logical_id,
                          struct document_node **found) {
    char names[200] = "";
    uint32_t count = 0;
    *found = logical_id == NULL ? NULL : document_get(resources, logical_id);
    for (struct document_node *each = resources->first; each && logical_id == NULL;
         each = each->next) {
        if (has_type(each, "AWS::DynamoDB::Table") ||
            has_type(each, "AWS::DynamoDB::GlobalTable")) {
            *found = each;
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", count++ > 0 ? ", " : "",
                     reader_shown(reader, each->key));
        }
    }
    if (count > 1) {
        return reader_fail(reader, from, "the template has %u tables; write one as '#NAME': %s",
                           count, names);
    }
    if (*found == NULL && logical_id != NULL) {
        return reader_fail(reader, from, "the template has no resource '%s'",
                           reader_shown(reader, logical_id));
    }
    return *found != NULL || reader_fail(reader, from, "the template has no AWS::DynamoDB::Table");
}

static bool read_scope(struct reader *reader, const struct document_node *root,
                       struct table_scope *scope) {
    static const char *const names[] = {"Parameters", "Mappings", "Conditions"};
    const struct document_node **const sections[] = {&scope->parameters, &scope->mappings,
                                                     &scope->conditions};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *sections[i] = document_get(root, names[i]);
        if (*sections[i] != NULL && !reader_mapping(reader, *sections[i], NULL)) {
            return false;
        }
    }
    return true;
}

static bool read_template(struct reader *reader, const struct document_node *from,
                          const struct document_node *root, const char *logical_id,
                          struct table_file *file) {
    struct document_node *resource;
    const struct document_node *resources = document_get(root, "Resources");
    if (!find_resource(reader, from, resources, logical_id, &resource)) {
        return false;
    }
    const bool is_global = has_type(resource, "AWS::DynamoDB::GlobalTable");
    if (!is_global && !has_type(resource, "AWS::DynamoDB::Table")) {
        const struct document_node *type = document_get(resource, "Type");
        const char *text =
            type != NULL && type->text != NULL ? type->text : "a resource without Type";
        return reader_fail(reader, type != NULL ? type : resource,
                           "'%s' is no table; expected 'AWS::DynamoDB::Table' or "
                           "'AWS::DynamoDB::GlobalTable'",
                           reader_shown(reader, text));
    }
    if (!reader_require(reader, resource, "Properties", &file->properties) ||
        !reader_mapping(reader, file->properties, NULL)) {
        return false;
    }
    if (!read_scope(reader, root, &file->scope)) {
        return false;
    }
    file->resource = resource;
    file->resources = resources;
    file->table_name = document_get(file->properties, "TableName");
    if (file->table_name == NULL && !put_logical_name(reader, file)) {
        return false;
    }
    return !is_global || (resolve_properties(reader, file, global_properties) &&
                          table_global_translate(reader, file->properties));
}

static bool read_root(struct reader *reader, const struct document_node *from,
                      struct document_node *root, const char *logical_id, struct table_file *file) {
    if (!reader_mapping(reader, root, NULL)) {
        return false;
    }
    const struct document_node *resources = document_get(root, "Resources");
    if (resources != NULL) {
        return reader_mapping(reader, resources, NULL) &&
               read_template(reader, from, root, logical_id, file);
    }
    if (document_get(root, "DataModel") != NULL) {
        return reader_fail(reader, root,
                           "a NoSQL Workbench model is not supported yet; expected what 'aws "
                           "dynamodb describe-table' prints, the input of create-table, or a "
                           "CloudFormation template");
    }
    struct document_node *table = document_get(root, "Table");
    table = table != NULL ? table : document_get(root, "TableDescription");
    table = table != NULL ? table : root;
    if (!reader_mapping(reader, table, NULL)) {
        return false;
    }
    const struct document_node *name = document_get(table, "TableName");
    if (name == NULL || name->text == NULL) {
        return reader_fail(reader, table,
                           "no table in it; expected what 'aws dynamodb describe-table' prints, "
                           "the input of create-table, or a CloudFormation template");
    }
    if (logical_id != NULL && strcmp(logical_id, name->text) != 0) {
        return reader_fail(reader, from, "the file holds table '%s', not '%s'",
                           reader_shown(reader, name->text), reader_shown(reader, logical_id));
    }
    file->properties = table;
    return true;
}

bool table_file_read(struct reader *reader, const char *folder, struct document_node *from,
                     struct table_file *file) {
    const char *text;
    if (!reader_text(reader, from, &text)) {
        return false;
    }
    const char *hash = strrchr(text, '#');
    size_t length = hash == NULL ? strlen(text) : (size_t)(hash - text);
    const char *name = arena_strndup(reader->arena, text, length, reader->err);
    if (name == NULL) {
        return false;
    }
    if (length == 0 || (hash != NULL && hash[1] == '\0')) {
        return reader_fail_expected(reader, from, "FILE or FILE#LogicalId");
    }
    struct document_source source = {.is_json = document_is_json(name), .is_literal = true};
    source.file = reader_path(reader, folder, name);
    struct err loading = {.kind = ERR_NONE};
    if (source.file == NULL) {
        return false;
    }
    if (!document_load(reader->arena, source.file, &source.text, &source.length, &loading)) {
        return reader_fail_io(reader, from, loading.text);
    }
    struct document_node *root;
    return document_parse(reader->arena, &source, &root, reader->err) &&
           read_root(reader, from, root, hash == NULL ? NULL : hash + 1, file);
}
