#include "workloads/table_file.h"

#include <stdio.h>
#include <string.h>

/* The properties in which intrinsic functions are resolved: those that the model reads. */
static const char *const resolved_properties[] = {"TableName",
                                                  "BillingMode",
                                                  "BillingModeSummary",
                                                  "ProvisionedThroughput",
                                                  "AttributeDefinitions",
                                                  "KeySchema",
                                                  "GlobalSecondaryIndexes",
                                                  "LocalSecondaryIndexes",
                                                  "ItemCount",
                                                  "TableSizeBytes",
                                                  NULL};

static bool find_value(struct reader *reader, const struct table_file *file,
                       const struct document_node *node, const char *name, const char **value) {
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        if (strcmp(reader->parameters[i].name, name) == 0) {
            reader->parameter_is_used[i] = true;
            *value = reader->parameters[i].value;
            return true;
        }
    }
    const struct document_node *parameter =
        file->parameters == NULL ? NULL : document_get(file->parameters, name);
    const struct document_node *standard =
        parameter == NULL ? NULL : document_get(parameter, "Default");
    if (standard == NULL || standard->text == NULL) {
        return reader_fail(reader, node,
                           "'%s' has no value: the scenario's 'parameters' lack it, the template "
                           "gives no default",
                           reader_shown(reader, name));
    }
    *value = standard->text;
    return true;
}

/* "a-${b}-c" with the values put in. */
static bool substitute(struct reader *reader, const struct table_file *file,
                       struct document_node *node, const char *text, const char **result) {
    char output[READER_TEXT_BYTES_MAX];
    size_t length = 0;
    const char *open;
    for (const char *rest = text;; rest = strchr(open, '}') + 1) {
        open = strstr(rest, "${");
        size_t plain = open == NULL ? strlen(rest) : (size_t)(open - rest);
        const char *close = open == NULL ? NULL : strchr(open, '}');
        const char *value = "";
        if (open != NULL && close == NULL) {
            return reader_fail(reader, node, "'${' without '}'");
        }
        if (close != NULL) {
            size_t bytes = (size_t)(close - open) - 2;
            char *name = arena_strndup(reader->arena, open + 2, bytes, reader->err);
            if (name == NULL || !find_value(reader, file, node, name, &value)) {
                return false;
            }
        }
        if (length + plain + strlen(value) >= READER_TEXT_BYTES_MAX) {
            return reader_fail(reader, node, "the text is too long after substitution");
        }
        memcpy(output + length, rest, plain);
        memcpy(output + length + plain, value, strlen(value));
        length += plain + strlen(value);
        if (open == NULL) {
            break;
        }
    }
    *result = arena_strndup(reader->arena, output, length, reader->err);
    return *result != NULL;
}

/* Turns {Ref: NAME}, {Fn::Sub: TEXT}, !Ref NAME, !Sub TEXT into a text; other functions are
 * refused. */
static bool resolve(struct reader *reader, const struct table_file *file,
                    struct document_node *node) {
    if (!node->is_literal) {
        return true; /* of the scenario, in the file's place */
    }
    const struct document_node *only = node->child_count == 1 ? node->first : NULL;
    const char *function = node->tag, *argument = node->text;
    if (only != NULL && only->key != NULL &&
        (strcmp(only->key, "Ref") == 0 || strncmp(only->key, "Fn::", 4) == 0)) {
        function = only->key;
        argument = only->text;
    }
    if (function == NULL) {
        for (struct document_node *child = node->first; child != NULL; child = child->next) {
            if (!resolve(reader, file, child)) {
                return false;
            }
        }
        return true;
    }
    bool is_ref = strcmp(function, "!Ref") == 0 || strcmp(function, "Ref") == 0;
    bool is_sub = strcmp(function, "!Sub") == 0 || strcmp(function, "Fn::Sub") == 0;
    if (argument == NULL || (!is_ref && !is_sub)) {
        return reader_fail(reader, node,
                           "'%s' is not supported here; give the property beside TableFrom",
                           reader_shown(reader, function));
    }
    const char *text = NULL;
    if (is_ref ? !find_value(reader, file, node, argument, &text)
               : !substitute(reader, file, node, argument, &text)) {
        return false;
    }
    node->kind = DOCUMENT_SCALAR;
    node->text = text;
    node->tag = NULL;
    node->first = node->last = NULL;
    node->child_count = 0;
    return true;
}

bool table_file_resolve(struct reader *reader, const struct table_file *file) {
    for (size_t i = 0; resolved_properties[i] != NULL; i++) {
        struct document_node *property = document_get(file->properties, resolved_properties[i]);
        if (property != NULL && !resolve(reader, file, property)) {
            return false;
        }
    }
    return true;
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

static bool read_template(struct reader *reader, const struct document_node *from,
                          const struct document_node *root, const char *logical_id,
                          struct table_file *file) {
    struct document_node *resource;
    const struct document_node *resources = document_get(root, "Resources");
    if (!find_resource(reader, from, resources, logical_id, &resource)) {
        return false;
    }
    if (!has_type(resource, "AWS::DynamoDB::Table")) {
        const struct document_node *type = document_get(resource, "Type");
        const char *text =
            type != NULL && type->text != NULL ? type->text : "a resource without Type";
        return reader_fail(reader, type != NULL ? type : resource,
                           "'%s' is not supported yet; expected 'AWS::DynamoDB::Table'",
                           reader_shown(reader, text));
    }
    if (!reader_require(reader, resource, "Properties", &file->properties) ||
        !reader_mapping(reader, file->properties, NULL)) {
        return false;
    }
    file->parameters = document_get(root, "Parameters");
    if (document_get(file->properties, "TableName") == NULL) {
        /* CloudFormation would make up a name from the logical one. */
        struct document_node *name = document_new(reader->arena, DOCUMENT_SCALAR, resource->key,
                                                  &resource->key_position, reader->err);
        if (name == NULL) {
            return false;
        }
        name->is_literal = true;
        document_put(file->properties, "TableName", name);
    }
    return true;
}

static bool read_root(struct reader *reader, const struct document_node *from,
                      struct document_node *root, const char *logical_id, struct table_file *file) {
    if (!reader_mapping(reader, root, NULL)) {
        return false;
    }
    if (document_get(root, "Resources") != NULL) {
        return read_template(reader, from, root, logical_id, file);
    }
    if (document_get(root, "DataModel") != NULL) {
        return reader_fail(reader, root, "a NoSQL Workbench model is not supported yet");
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
