/* What writes give the attributes that indexes have, and which index a Query reads. */
#include "workloads/scenario_parts.h"

#include "workloads/spelling.h"
#include "workloads/value.h"

#include <string.h>

/* The index of which name is a key, or NULL. */
static const struct index_spec *index_keyed_by(const struct table_spec *table, const char *name) {
    for (uint32_t i = 0; i < table->index_count; i++) {
        const struct index_spec *index = &table->indexes[i];
        if (spec_index_key(index, name) != NULL) {
            return index;
        }
    }
    return NULL;
}

static bool is_key_of_table(const struct table_spec *table, const char *name) {
    return strcmp(table->hash_key.name, name) == 0 ||
           (table->range_key.name != NULL && strcmp(table->range_key.name, name) == 0);
}

/* A number of bytes with its unit; without one it is a text like any other. */
static bool is_size(const char *text) {
    int64_t bytes;
    return text[strspn(text, "-.0123456789")] != '\0' && value_bytes(text, &bytes) != VALUE_SYNTAX;
}

/* Nothing is written there, or null. */
static bool is_null(const struct document_node *node) {
    return node->kind == DOCUMENT_SCALAR &&
           (node->text == NULL || strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0);
}

static bool read_removal(struct reader *reader, const struct document_node *node,
                         const struct workload_spec *workload, bool is_held,
                         struct attribute_spec *attribute) {
    attribute->is_removed = true;
    if (!reader_asks(reader, node, READER_NULL, NULL)) {
        return false;
    }
    if (is_held) {
        return reader_fail(reader, node, "an item holds an attribute or not: leave '%s' out",
                           reader_shown(reader, node->key));
    }
    return workload->operation == DDB_UPDATE_ITEM ||
           reader_fail(reader, node, "%s replaces the whole item: leave '%s' out",
                       ddb_operation_name(workload->operation), reader_shown(reader, node->key));
}

static bool read_size(struct reader *reader, struct document_node *node,
                      const struct workload_spec *workload, const struct index_spec *index,
                      struct attribute_spec *attribute) {
    if (index != NULL) {
        return reader_fail(reader, node, "'%s' is a key of index '%s': it needs a text, not a size",
                           reader_shown(reader, node->key), index->index_name);
    }
    if (!scenario_size_read(reader, node, &workload->trace, &attribute->size)) {
        return false;
    }
    return attribute->size.law != SIZE_COLUMN ||
           reader_fail(reader, node,
                       "'column' is for 'item_size'; write the value itself: '%s: \"{%s}\"'",
                       reader_shown(reader, node->key), attribute->size.column);
}

static bool read_attribute(struct scenario_build *build, struct document_node *node,
                           const struct workload_spec *workload, bool is_held,
                           struct attribute_spec *attribute) {
    struct reader *reader = &build->reader;
    const struct table_spec *table = &build->scenario->tables[workload->table];
    const struct index_spec *index = index_keyed_by(table, node->key);
    *attribute = (struct attribute_spec){.name = node->key, .position = node->position};
    if (is_key_of_table(table, node->key)) {
        return reader_fail_key(reader, node, "'%s' is part of the table's key: give it in 'item'",
                               reader_shown(reader, node->key));
    }
    if (is_null(node)) {
        return read_removal(reader, node, workload, is_held, attribute);
    }
    if (node->kind == DOCUMENT_MAPPING) {
        return read_size(reader, node, workload, index, attribute);
    }
    if (!reader_text(reader, node, &attribute->template.text)) {
        return false;
    }
    if (index == NULL && is_size(attribute->template.text)) {
        attribute->template.text = NULL;
        return scenario_size_read(reader, node, &workload->trace, &attribute->size);
    }
    attribute->template.position = node->position;
    attribute->template.splices = node->splices;
    return attribute->template.text[0] != '\0' ||
           reader_fail(reader, node, "'%s' may not be empty", reader_shown(reader, node->key));
}

/* An attribute that is in no index costs nothing there, and is then often a typing error. */
static bool note_unknown(struct reader *reader, const struct document_node *node,
                         const struct table_spec *table, bool is_held) {
    const char *known[SCENARIO_ATTRIBUTES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->index_count; i++) {
        const struct index_spec *index = &table->indexes[i];
        const char *keys[] = {index->hash_key.name, index->range_key.name};
        for (uint32_t j = 0; j < 2 + index->non_key_attribute_count; j++) {
            const char *name = j < 2 ? keys[j] : index->non_key_attributes[j - 2];
            if (name != NULL && strcmp(name, node->key) == 0) {
                return true;
            }
            if (name != NULL && count < SCENARIO_ATTRIBUTES_MAX) {
                known[count++] = name;
            }
        }
    }
    const char *nearest = spelling_nearest(node->key, known, count);
    if (nearest == NULL && !is_held) {
        return true; /* part of the item's size, and a change that a projection ALL sees */
    }
    return reader_note(reader, &node->key_position, "no index has '%s'%s%s%s",
                       reader_shown(reader, node->key), nearest == NULL ? "" : "; did you mean '",
                       nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static bool read_all(struct scenario_build *build, const struct document_node *mapping,
                     const struct workload_spec *workload, bool is_held,
                     struct attribute_spec *attributes, uint32_t *count) {
    if (mapping == NULL || (is_held && mapping->kind != DOCUMENT_MAPPING)) {
        return true;
    }
    if (!reader_mapping(&build->reader, mapping, NULL)) {
        return false;
    }
    if (mapping->child_count > SCENARIO_ATTRIBUTES_MAX) {
        return reader_fail(&build->reader, mapping, "more than %d attributes",
                           SCENARIO_ATTRIBUTES_MAX);
    }
    for (struct document_node *node = mapping->first; node != NULL; node = node->next) {
        if (!read_attribute(build, node, workload, is_held, &attributes[*count]) ||
            !note_unknown(&build->reader, node, &build->scenario->tables[workload->table],
                          is_held)) {
            return false;
        }
        (*count)++;
    }
    return true;
}

static bool gives(const struct workload_spec *workload, const char *name) {
    for (uint32_t i = 0; i < workload->given_count; i++) {
        if (strcmp(workload->attributes[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* An item without an index's key is in the index no more: nobody should learn it from the bill. */
static bool note_sparse(struct scenario_build *build, const struct document_node *node,
                        const struct workload_spec *workload) {
    const struct table_spec *table = &build->scenario->tables[workload->table];
    for (uint32_t i = 0; i < table->index_count; i++) {
        const struct index_spec *index = &table->indexes[i];
        const char *keys[] = {index->hash_key.name, index->range_key.name};
        for (int k = 0; k < 2 && keys[k] != NULL; k++) {
            if (is_key_of_table(table, keys[k]) || gives(workload, keys[k])) {
                continue;
            }
            if (!reader_note(&build->reader, &node->position,
                             "workload '%s' gives no '%s': its items have no entry in index '%s'",
                             workload->name, reader_shown(&build->reader, keys[k]),
                             index->index_name)) {
                return false;
            }
            break;
        }
    }
    return true;
}

bool scenario_attributes_read(struct scenario_build *build, const struct document_node *node,
                              struct workload_spec *workload) {
    struct reader *reader = &build->reader;
    const struct document_node *given = document_get(node, "attributes");
    const struct document_node *held = document_get(node, "exists");
    if (given != NULL && !ddb_operation_stores(workload->operation)) {
        return reader_fail_key(
            reader, given, "'attributes' are for PutItem, UpdateItem and BatchWriteItem, not %s",
            ddb_operation_name(workload->operation));
    }
    const size_t most =
        (given == NULL ? 0 : given->child_count) + (held == NULL ? 0 : (size_t)held->child_count);
    struct attribute_spec *attributes =
        ARENA_ARRAY(reader->arena, struct attribute_spec, most, "attributes", reader->err);
    uint32_t count = 0;
    if (attributes == NULL || !read_all(build, given, workload, false, attributes, &count)) {
        return false;
    }
    workload->attributes = attributes;
    workload->given_count = count;
    if (!read_all(build, held, workload, true, attributes, &count)) {
        return false;
    }
    workload->held_count = count - workload->given_count;
    const bool replaces = workload->operation == DDB_PUT_ITEM ||
                          workload->operation == DDB_BATCH_WRITE_ITEM ||
                          workload->operation == DDB_TRANSACT_WRITE_ITEMS;
    return !replaces || note_sparse(build, node, workload);
}

bool scenario_index_read(struct scenario_build *build, const struct document_node *node,
                         struct workload_spec *workload) {
    struct reader *reader = &build->reader;
    const struct table_spec *table = &build->scenario->tables[workload->table];
    struct document_node *name_node = document_get(node, "IndexName");
    const char *names[GLOBAL_INDEXES_MAX + LOCAL_INDEXES_MAX + 1] = {NULL};
    const char *name;
    workload->index = SCENARIO_NONE;
    if (name_node == NULL) {
        return true;
    }
    if (workload->operation != DDB_QUERY && workload->operation != DDB_SCAN) {
        return reader_fail_key(reader, name_node,
                               "'IndexName' is for Query and Scan; %s goes to the table",
                               ddb_operation_name(workload->operation));
    }
    if (!reader_text(reader, name_node, &name)) {
        return false;
    }
    for (uint32_t i = 0; i < table->index_count; i++) {
        names[i] = table->indexes[i].index_name;
        if (strcmp(names[i], name) == 0) {
            workload->index = i;
        }
    }
    if (workload->index == SCENARIO_NONE) {
        const struct reader_keys words = {names, NULL};
        return reader_fail_word(reader, &name_node->position, "index", name, &words);
    }
    return !workload->consistent_read || !table->indexes[workload->index].is_global ||
           reader_fail_key(reader, document_get(node, "ConsistentRead"),
                           "a global secondary index has no consistent reads (DynamoDB's rule)");
}
