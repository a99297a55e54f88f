#include "workloads/table_reader.h"

#include "workloads/table_file.h"
#include "workloads/table_reader_parts.h"

#include <string.h>

#define TABLE_NAME_BYTES_MIN 3
#define TABLE_NAME_BYTES_MAX 255
#define ATTRIBUTE_NAME_BYTES_MAX 255
#define COUNT_MAX (INT64_C(1) << 53)

/* Known to AWS, without effect on throughput or not modelled: accepted, and noted. The last rows
 * are of describe-table's answer. */
#define UNMODELLED                                                                                 \
    "StreamSpecification", "Tags", "SSESpecification", "PointInTimeRecoverySpecification",         \
        "TimeToLiveSpecification", "DeletionProtectionEnabled", "TableClass",                      \
        "ContributorInsightsSpecification", "KinesisStreamSpecification",                          \
        "ImportSourceSpecification", "ResourcePolicy", "TableStatus", "TableArn", "TableId",       \
        "CreationDateTime", "LatestStreamLabel", "LatestStreamArn", "GlobalTableVersion",          \
        "Replicas", "RestoreSummary", "SSEDescription", "ArchivalSummary", "TableClassSummary",    \
        "MultiRegionConsistency", "GlobalTableWitnesses", "GlobalTableSettingsReplicationMode",    \
        "NumberOfDecreasesToday", "LastIncreaseDateTime", "LastDecreaseDateTime",                  \
        "LastUpdateToPayPerRequestDateTime"
/* Of the coming grammar; accepted from a table's file, with a note. */
#define LATER "WriteOnDemandThroughputSettings", "ReadOnDemandThroughputSettings"
#define MODELLED                                                                                   \
    "TableName", "BillingMode", "BillingModeSummary", "ProvisionedThroughput",                     \
        "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "LocalSecondaryIndexes",    \
        "ItemCount", "TableSizeBytes", "OnDemandThroughput", "WarmThroughput", "AutoScaling",      \
        "state", "pin"

static const char *const unmodelled_keys[] = {UNMODELLED, NULL};
static const char *const later_in_file_keys[] = {LATER, NULL};
static const char *const known_keys[] = {MODELLED, UNMODELLED, "TableFrom", NULL};
static const char *const later_keys[] = {LATER, NULL};

static bool is_among(const char *word, const char *const *words) {
    while (*words != NULL && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Refuses what is unknown, notes what is not modelled. */
static bool check_keys(struct reader *reader, const struct document_node *table) {
    const struct reader_keys keys = {known_keys, later_keys};
    if (!reader_mapping(reader, table, NULL) ||
        !reader_asks(reader, table, READER_MAPPING, known_keys)) {
        return false;
    }
    for (const struct document_node *child = table->first; child != NULL; child = child->next) {
        bool noted = true;
        if (is_among(child->key, later_in_file_keys) && child->is_literal) {
            noted = reader_note(reader, &child->key_position, "%s is not modelled in this version",
                                child->key);
        } else if (!is_among(child->key, known_keys)) {
            return reader_fail_word(reader, &child->key_position, "property", child->key, &keys);
        } else if (is_among(child->key, unmodelled_keys)) {
            noted = reader_note(reader, &child->key_position, "%s is accepted, not modelled",
                                child->key);
        }
        if (!noted) {
            return false;
        }
    }
    return true;
}

static bool read_name(struct reader *reader, const struct document_node *table,
                      struct table_spec *spec) {
    struct document_node *node;
    if (!reader_require(reader, table, "TableName", &node) ||
        !reader_text(reader, node, &spec->table_name)) {
        return false;
    }
    size_t length = strlen(spec->table_name);
    size_t good = strspn(spec->table_name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_.-");
    if (good != length || length < TABLE_NAME_BYTES_MIN || length > TABLE_NAME_BYTES_MAX) {
        return reader_fail_expected(reader, node,
                                    "3 to 255 letters, digits, '_', '-' and '.' (DynamoDB's rule)");
    }
    return true;
}

bool table_reader_mode(struct reader *reader, struct document_node *node, enum billing_mode *mode) {
    static const char *const modes[] = {"PROVISIONED", "PAY_PER_REQUEST", NULL};
    static const struct reader_keys words = {modes, NULL};
    uint32_t which = 0;
    if (!reader_word(reader, node, &words, &which)) {
        return false;
    }
    *mode = which == 0 ? BILLING_PROVISIONED : BILLING_PAY_PER_REQUEST;
    return true;
}

static bool read_billing(struct reader *reader, const struct document_node *table,
                         struct table_spec *spec) {
    struct document_node *node = document_get(table, "BillingMode");
    struct document_node *summary = document_get(table, "BillingModeSummary");
    if (node == NULL && summary != NULL) {
        if (!reader_mapping(reader, summary, NULL)) {
            return false;
        }
        node = document_get(summary, "BillingMode");
    }
    return table_reader_mode(reader, node, &spec->billing_mode);
}

/* Its position, or count. */
static uint32_t find_attribute(const struct table_attributes *attributes, const char *name) {
    uint32_t i = 0;
    while (i < attributes->count && strcmp(attributes->rows[i].name, name) != 0) {
        i++;
    }
    return i;
}

static bool read_attribute_name(struct reader *reader, const struct document_node *entry,
                                struct document_node **node, const char **name) {
    if (!reader_require(reader, entry, "AttributeName", node) ||
        !reader_text(reader, *node, name)) {
        return false;
    }
    size_t length = strlen(*name);
    if (length == 0 || length > ATTRIBUTE_NAME_BYTES_MAX) {
        return reader_fail_expected(reader, *node, "a name of 1 to 255 bytes");
    }
    return true;
}

static bool read_attribute(struct reader *reader, const struct document_node *entry,
                           struct table_attributes *attributes) {
    static const char *const keys[] = {"AttributeName", "AttributeType", NULL};
    static const char *const types[] = {"S", "N", "B", NULL};
    static const struct reader_keys entry_keys = {keys, NULL}, type_words = {types, NULL};
    struct document_node *name_node, *type_node;
    struct key_attribute attribute = {0};
    uint32_t type = 0;
    if (!reader_mapping(reader, entry, &entry_keys) ||
        !read_attribute_name(reader, entry, &name_node, &attribute.name) ||
        !reader_require(reader, entry, "AttributeType", &type_node) ||
        !reader_word(reader, type_node, &type_words, &type)) {
        return false;
    }
    attribute.type = types[type][0];
    if (find_attribute(attributes, attribute.name) < attributes->count) {
        return reader_fail(reader, name_node, "attribute '%s' is defined twice",
                           reader_shown(reader, attribute.name));
    }
    if (attributes->count == TABLE_ATTRIBUTES_MAX) {
        return reader_fail(reader, entry, "more than %d attributes", TABLE_ATTRIBUTES_MAX);
    }
    attributes->nodes[attributes->count] = name_node;
    attributes->rows[attributes->count++] = attribute;
    return true;
}

/* Definitions of a call that changes a table: those that the table has may be given again. */
static bool read_further_attributes(struct reader *reader, const struct document_node *call,
                                    struct table_attributes *attributes) {
    const struct document_node *list = document_get(call, "AttributeDefinitions");
    if (list == NULL) {
        return true;
    }
    if (!reader_sequence(reader, list)) {
        return false;
    }
    for (const struct document_node *entry = list->first; entry != NULL; entry = entry->next) {
        struct table_attributes given = {.count = 0};
        if (!read_attribute(reader, entry, &given)) {
            return false;
        }
        const uint32_t known = find_attribute(attributes, given.rows[0].name);
        if (known < attributes->count) {
            if (attributes->rows[known].type != given.rows[0].type) {
                return reader_fail(reader, given.nodes[0], "attribute '%s' is of another type",
                                   reader_shown(reader, given.rows[0].name));
            }
            continue;
        }
        if (attributes->count == TABLE_ATTRIBUTES_MAX) {
            return reader_fail(reader, entry, "more than %d attributes", TABLE_ATTRIBUTES_MAX);
        }
        attributes->nodes[attributes->count] = given.nodes[0];
        attributes->rows[attributes->count++] = given.rows[0];
    }
    return true;
}

static bool read_attributes(struct reader *reader, const struct document_node *table,
                            struct table_attributes *attributes) {
    struct document_node *list;
    if (!reader_require(reader, table, "AttributeDefinitions", &list) ||
        !reader_sequence(reader, list)) {
        return false;
    }
    for (const struct document_node *entry = list->first; entry != NULL; entry = entry->next) {
        if (!read_attribute(reader, entry, attributes)) {
            return false;
        }
    }
    return true;
}

/* One KeySchema entry; position 0 must be HASH, 1 RANGE. */
static bool read_key(struct reader *reader, const struct document_node *entry,
                     struct table_attributes *attributes, uint32_t position,
                     struct key_attribute *key) {
    static const char *const keys[] = {"AttributeName", "KeyType", NULL};
    static const char *const types[] = {"HASH", "RANGE", NULL};
    static const struct reader_keys entry_keys = {keys, NULL}, type_words = {types, NULL};
    struct document_node *name_node, *type_node;
    const char *name;
    uint32_t type = 0;
    if (!reader_mapping(reader, entry, &entry_keys) ||
        !read_attribute_name(reader, entry, &name_node, &name) ||
        !reader_require(reader, entry, "KeyType", &type_node) ||
        !reader_word(reader, type_node, &type_words, &type)) {
        return false;
    }
    if (type != position) {
        return reader_fail(reader, type_node, "KeySchema must be HASH, then at most one RANGE");
    }
    const uint32_t attribute = find_attribute(attributes, name);
    if (attribute == attributes->count) {
        return reader_fail(reader, name_node, "key attribute '%s' is not in AttributeDefinitions",
                           reader_shown(reader, name));
    }
    attributes->is_used[attribute] = true;
    *key = attributes->rows[attribute];
    return true;
}

/* AWS refuses definitions that no key uses. */
static bool check_all_used(struct reader *reader, const struct table_attributes *attributes) {
    for (uint32_t i = 0; i < attributes->count; i++) {
        if (!attributes->is_used[i]) {
            return reader_fail(reader, attributes->nodes[i],
                               "attribute '%s' is defined but in no key (DynamoDB refuses that)",
                               reader_shown(reader, attributes->rows[i].name));
        }
    }
    return true;
}

bool table_reader_key_schema(struct reader *reader, const struct document_node *owner,
                             struct table_attributes *attributes, struct key_attribute *hash_key,
                             struct key_attribute *range_key) {
    struct document_node *schema;
    if (!reader_require(reader, owner, "KeySchema", &schema) || !reader_sequence(reader, schema)) {
        return false;
    }
    if (schema->child_count < 1 || schema->child_count > 2) {
        return reader_fail(reader, schema, "KeySchema must be HASH, then at most one RANGE");
    }
    if (!read_key(reader, schema->first, attributes, 0, hash_key)) {
        return false;
    }
    const struct document_node *second = schema->first->next;
    if (second == NULL) {
        return true;
    }
    if (!read_key(reader, second, attributes, 1, range_key)) {
        return false;
    }
    return strcmp(hash_key->name, range_key->name) != 0 ||
           reader_fail(reader, second, "'%s' is both HASH and RANGE",
                       reader_shown(reader, range_key->name));
}

static bool read_keys(struct reader *reader, const struct document_node *table,
                      struct table_spec *spec) {
    struct table_attributes attributes = {.count = 0};
    return read_attributes(reader, table, &attributes) &&
           table_reader_key_schema(reader, table, &attributes, &spec->hash_key, &spec->range_key) &&
           table_reader_indexes(reader, table, &attributes, spec) &&
           check_all_used(reader, &attributes);
}

bool table_reader_add_index(struct reader *reader, const struct document_node *table,
                            const struct document_node *call, const struct document_node *create,
                            struct table_spec *spec) {
    struct table_attributes attributes = {.count = 0};
    const bool notes_questions = reader->notes_questions;
    reader->notes_questions = false; /* they were asked when the table was read */
    const bool is_read = read_attributes(reader, table, &attributes);
    reader->notes_questions = notes_questions;
    if (!is_read) {
        return false;
    }
    for (uint32_t i = 0; i < attributes.count; i++) {
        attributes.is_used[i] = true; /* checked with the table */
    }
    return read_further_attributes(reader, call, &attributes) &&
           table_reader_new_index(reader, create, &attributes, spec) &&
           check_all_used(reader, &attributes);
}

bool table_reader_pins(struct reader *reader, const struct document_node *pins,
                       int64_t initial_partitions, const struct table_pin **result,
                       uint32_t *pin_count) {
    if (pins == NULL) {
        return true;
    }
    if (!reader_mapping(reader, pins, NULL)) {
        return false;
    }
    struct table_pin *rows =
        ARENA_ARRAY(reader->arena, struct table_pin, pins->child_count, "pins", reader->err);
    if (rows == NULL) {
        return false;
    }
    int64_t most = initial_partitions > 0 ? initial_partitions : TABLE_PARTITIONS_MAX;
    uint32_t count = 0;
    for (struct document_node *pin = pins->first; pin != NULL; pin = pin->next) {
        int64_t partition = 0;
        if (!reader_key(reader, pin, &rows[count].key) ||
            !reader_count(reader, pin, 0, most - 1, &partition)) {
            return false;
        }
        rows[count++].partition = (uint32_t)partition;
    }
    *result = rows;
    *pin_count = count;
    return true;
}

bool table_reader_expand(struct reader *reader, const char *folder, struct document_node *table) {
    struct document_node *from = document_get(table, "TableFrom");
    struct table_file file = {.properties = NULL};
    if (from == NULL) {
        return true;
    }
    if (!table_file_read(reader, folder, from, &file)) {
        return false;
    }
    document_remove(table, "TableFrom");
    document_put_over(file.properties, table);
    if (!table_file_resolve(reader, &file)) {
        return false;
    }
    table->first = file.properties->first;
    table->last = file.properties->last;
    table->child_count = file.properties->child_count;
    return true;
}

static bool read_capacity(struct reader *reader, const struct document_node *table,
                          struct table_spec *spec) {
    struct table_capacity capacity;
    if (!table_reader_capacity(reader, table, spec->billing_mode, &capacity)) {
        return false;
    }
    spec->read_capacity_units = capacity.read_capacity_units;
    spec->write_capacity_units = capacity.write_capacity_units;
    spec->throughput = capacity.throughput;
    spec->initial_partitions = capacity.initial_partitions;
    spec->initial_burst_ns = capacity.initial_burst_ns;
    return true;
}

bool table_reader_read(struct reader *reader, const struct document_node *table,
                       struct table_spec *spec) {
    *spec = (struct table_spec){.item_count = SPEC_UNKNOWN,
                                .table_size_bytes = SPEC_UNKNOWN,
                                .initial_burst_ns = SPEC_UNKNOWN};
    return check_keys(reader, table) && read_name(reader, table, spec) &&
           read_billing(reader, table, spec) && read_capacity(reader, table, spec) &&
           read_keys(reader, table, spec) &&
           reader_count(reader, document_get(table, "ItemCount"), 0, COUNT_MAX,
                        &spec->item_count) &&
           reader_bytes(reader, document_get(table, "TableSizeBytes"), 0, COUNT_MAX,
                        &spec->table_size_bytes) &&
           table_reader_pins(reader, document_get(table, "pin"), spec->initial_partitions,
                             &spec->pins, &spec->pin_count);
}
