/* table_reader.h, the secondary indexes of a table. */
#include "workloads/table_reader_parts.h"

#include <string.h>

#define INDEX_NAME_BYTES_MIN 3
#define INDEX_NAME_BYTES_MAX 255
#define SIZE_BYTES_MAX (INT64_C(1) << 53)

/* What describe-table says of an index beside its definition. */
#define DESCRIBED "IndexStatus", "IndexArn", "IndexSizeBytes", "ItemCount", "Backfilling"
#define UNMODELLED "ContributorInsightsSpecification"

static bool is_among(const char *word, const char *const *words) {
    while (*words != NULL && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

static bool check_keys(struct reader *reader, const struct document_node *node, bool is_global) {
    static const char *const global_index[] = {"IndexName",
                                               "KeySchema",
                                               "Projection",
                                               "ProvisionedThroughput",
                                               "OnDemandThroughput",
                                               "WarmThroughput",
                                               "AutoScaling",
                                               "state",
                                               "pin",
                                               NULL};
    static const char *const local_index[] = {"IndexName", "KeySchema", "Projection", NULL};
    static const char *const described_unmodelled[] = {DESCRIBED, NULL};
    static const char *const unmodelled[] = {UNMODELLED, NULL};
    const struct reader_keys keys = {is_global ? global_index : local_index, NULL};
    if (!reader_mapping(reader, node, NULL) ||
        !reader_asks(reader, node, READER_MAPPING, keys.known) ||
        !reader_asks(reader, node, READER_MAPPING, unmodelled)) {
        return false;
    }
    for (const struct document_node *child = node->first; child != NULL; child = child->next) {
        if (is_among(child->key, unmodelled)) {
            if (!reader_note(reader, &child->key_position, "%s is accepted, not modelled",
                             child->key)) {
                return false;
            }
        } else if (!is_among(child->key, keys.known) &&
                   !is_among(child->key, described_unmodelled)) {
            return reader_fail_word(reader, &child->key_position, "property of an index",
                                    child->key, &keys);
        }
    }
    return true;
}

static bool read_index_name(struct reader *reader, const struct document_node *node,
                            const struct index_spec *indexes, uint32_t count,
                            struct index_spec *index) {
    struct document_node *name;
    if (!reader_require(reader, node, "IndexName", &name) ||
        !reader_text(reader, name, &index->index_name)) {
        return false;
    }
    const size_t length = strlen(index->index_name);
    const size_t good =
        strspn(index->index_name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_.-");
    if (good != length || length < INDEX_NAME_BYTES_MIN || length > INDEX_NAME_BYTES_MAX) {
        return reader_fail_expected(reader, name,
                                    "3 to 255 letters, digits, '_', '-' and '.' (DynamoDB's rule)");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(indexes[i].index_name, index->index_name) == 0) {
            return reader_fail(reader, name, "two indexes are named '%s'", index->index_name);
        }
    }
    return true;
}

static bool read_non_key_attributes(struct reader *reader, const struct document_node *list,
                                    struct index_spec *index) {
    const char **names = ARENA_ARRAY(reader->arena, const char *, list->child_count,
                                     "NonKeyAttributes", reader->err);
    if (names == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (struct document_node *name = list->first; name != NULL; name = name->next) {
        if (!reader_text(reader, name, &names[count])) {
            return false;
        }
        if (names[count][0] == '\0') {
            return reader_fail_expected(reader, name, "the name of an attribute");
        }
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(names[i], names[count]) == 0) {
                return reader_fail(reader, name, "attribute '%s' is projected twice",
                                   reader_shown(reader, names[i]));
            }
        }
        count++;
    }
    index->non_key_attributes = names;
    index->non_key_attribute_count = count;
    return true;
}

static bool read_projection(struct reader *reader, const struct document_node *node,
                            struct index_spec *index) {
    static const char *const keys[] = {"ProjectionType", "NonKeyAttributes", NULL};
    static const char *const types[] = {"KEYS_ONLY", "INCLUDE", "ALL", NULL};
    static const struct reader_keys projection_keys = {keys, NULL}, type_words = {types, NULL};
    struct document_node *projection, *type_node;
    uint32_t type = 0;
    if (!reader_require(reader, node, "Projection", &projection) ||
        !reader_mapping(reader, projection, &projection_keys) ||
        !reader_require(reader, projection, "ProjectionType", &type_node) ||
        !reader_word(reader, type_node, &type_words, &type)) {
        return false;
    }
    index->projection = (enum index_projection)type;
    struct document_node *list = document_get(projection, "NonKeyAttributes");
    if (list != NULL && !reader_sequence(reader, list)) {
        return false;
    }
    const bool has_names = list != NULL && list->child_count > 0;
    if (index->projection == PROJECTION_INCLUDE) {
        return has_names
                   ? read_non_key_attributes(reader, list, index)
                   : reader_fail(reader, projection, "projection INCLUDE needs NonKeyAttributes");
    }
    return !has_names ||
           reader_fail_key(reader, list, "NonKeyAttributes are for projection INCLUDE, not %s",
                           types[type]);
}

static bool read_global(struct reader *reader, const struct document_node *node,
                        enum billing_mode mode, struct index_spec *index) {
    struct table_capacity capacity;
    if (mode == BILLING_PROVISIONED && document_get(node, "ProvisionedThroughput") == NULL) {
        return reader_fail(reader, node,
                           "index '%s' needs ProvisionedThroughput of its own: its table's "
                           "BillingMode is PROVISIONED (DynamoDB's rule)",
                           index->index_name);
    }
    if (!table_reader_capacity(reader, node, mode, &capacity)) {
        return false;
    }
    index->read_capacity_units = capacity.read_capacity_units;
    index->write_capacity_units = capacity.write_capacity_units;
    index->throughput = capacity.throughput;
    index->initial_partitions = capacity.initial_partitions;
    index->initial_burst_ns = capacity.initial_burst_ns;
    return reader_bytes(reader, document_get(node, "IndexSizeBytes"), 0, SIZE_BYTES_MAX,
                        &index->index_size_bytes) &&
           table_reader_pins(reader, document_get(node, "pin"), index->initial_partitions,
                             &index->pins, &index->pin_count);
}

static bool check_local(struct reader *reader, const struct document_node *node,
                        const struct table_spec *table, const struct index_spec *index) {
    if (table->range_key.name == NULL) {
        return reader_fail(reader, node,
                           "index '%s' is local: its table needs a sort key (DynamoDB's rule)",
                           index->index_name);
    }
    if (strcmp(index->hash_key.name, table->hash_key.name) != 0) {
        return reader_fail(reader, node,
                           "index '%s' is local: its partition key must be the table's, '%s', not "
                           "'%s'",
                           index->index_name, reader_shown(reader, table->hash_key.name),
                           reader_shown(reader, index->hash_key.name));
    }
    return index->range_key.name != NULL ||
           reader_fail(reader, node, "index '%s' is local: it needs a sort key of its own",
                       index->index_name);
}

static bool read_index(struct reader *reader, const struct document_node *node, bool is_global,
                       struct table_attributes *attributes, struct table_spec *spec,
                       struct index_spec *indexes) {
    struct index_spec *index = &indexes[spec->index_count];
    *index = (struct index_spec){
        .is_global = is_global,
        .index_size_bytes = SPEC_UNKNOWN,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    if (!check_keys(reader, node, is_global) ||
        !read_index_name(reader, node, indexes, spec->index_count, index) ||
        !table_reader_key_schema(reader, node, attributes, &index->hash_key, &index->range_key) ||
        !read_projection(reader, node, index) ||
        !(is_global ? read_global(reader, node, spec->billing_mode, index)
                    : check_local(reader, node, spec, index))) {
        return false;
    }
    spec->index_count++;
    spec->global_index_count += is_global;
    return true;
}

static bool read_list(struct reader *reader, const struct document_node *list, bool is_global,
                      struct table_attributes *attributes, struct table_spec *spec,
                      struct index_spec *indexes) {
    const uint32_t most = is_global ? GLOBAL_INDEXES_MAX : LOCAL_INDEXES_MAX;
    if (list == NULL) {
        return true;
    }
    if (list->child_count > most) {
        return reader_fail(reader, list, "%u %s indexes, DynamoDB has at most %u a table",
                           list->child_count, is_global ? "global" : "local", most);
    }
    for (const struct document_node *node = list->first; node != NULL; node = node->next) {
        if (!read_index(reader, node, is_global, attributes, spec, indexes)) {
            return false;
        }
    }
    return true;
}

static bool check_projected(struct reader *reader, const struct document_node *list,
                            const struct table_spec *spec) {
    uint32_t projected = 0;
    for (uint32_t i = 0; i < spec->index_count; i++) {
        projected += spec->indexes[i].non_key_attribute_count;
    }
    return projected <= PROJECTED_ATTRIBUTES_MAX ||
           reader_fail(reader, list,
                       "%u NonKeyAttributes over all indexes, DynamoDB has at most %d a table",
                       projected, PROJECTED_ATTRIBUTES_MAX);
}

bool table_reader_indexes(struct reader *reader, const struct document_node *table,
                          struct table_attributes *attributes, struct table_spec *spec) {
    const struct document_node *global = document_get(table, "GlobalSecondaryIndexes");
    const struct document_node *local = document_get(table, "LocalSecondaryIndexes");
    if ((global != NULL && !reader_sequence(reader, global)) ||
        (local != NULL && !reader_sequence(reader, local))) {
        return false;
    }
    struct index_spec *indexes =
        ARENA_ARRAY(reader->arena, struct index_spec, GLOBAL_INDEXES_MAX + LOCAL_INDEXES_MAX,
                    "indexes", reader->err);
    if (indexes == NULL) {
        return false;
    }
    spec->indexes = indexes;
    return read_list(reader, global, true, attributes, spec, indexes) &&
           read_list(reader, local, false, attributes, spec, indexes) &&
           check_projected(reader, global != NULL ? global : local, spec);
}

bool table_reader_new_index(struct reader *reader, const struct document_node *create,
                            struct table_attributes *attributes, struct table_spec *spec) {
    const struct table_spec before = *spec;
    const uint32_t global_count = before.global_index_count;
    if (global_count == GLOBAL_INDEXES_MAX) {
        return reader_fail(reader, create, "DynamoDB has at most %d global indexes a table",
                           GLOBAL_INDEXES_MAX);
    }
    struct index_spec *indexes =
        ARENA_ARRAY(reader->arena, struct index_spec, GLOBAL_INDEXES_MAX + LOCAL_INDEXES_MAX + 1,
                    "indexes", reader->err);
    if (indexes == NULL) {
        return false;
    }
    /* read behind all of them, so that names are compared with all */
    for (uint32_t i = 0; i < before.index_count; i++) {
        indexes[i] = before.indexes[i];
    }
    if (!read_index(reader, create, true, attributes, spec, indexes)) {
        return false;
    }
    struct index_spec added = indexes[before.index_count];
    added.is_added = true;
    for (uint32_t i = before.index_count; i > global_count; i--) {
        indexes[i] = indexes[i - 1];
    }
    indexes[global_count] = added;
    spec->indexes = indexes;
    return check_projected(reader, create, spec);
}
