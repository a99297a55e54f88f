#include "workloads/scenario_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RETURNS_MAX 1000000000
#define RETURNS_BYTES_MAX (INT64_C(1) << 30) /* some thousand pages: beyond it is a typing error */

static bool read_template(struct reader *reader, struct document_node *node,
                          struct scenario_text *template) {
    if (!reader_text(reader, node, &template->text)) {
        return false;
    }
    template->position = node->position;
    template->splices = node->splices;
    return template->text[0] != '\0' || reader_fail(reader, node, "a key may not be empty");
}

/* item: {attribute: template}, one for each key attribute of the table; of the partition key alone
 * for a Query. */
static bool read_keys(struct scenario_build *build, const struct document_node *node,
                      struct workload_spec *workload, struct scenario_workload_nodes *nodes) {
    struct reader *reader = &build->reader;
    const struct table_spec *table = &build->scenario->tables[workload->table];
    const struct index_spec *index =
        workload->index == SCENARIO_NONE ? NULL : &table->indexes[workload->index];
    const struct key_attribute *hash = index == NULL ? &table->hash_key : &index->hash_key;
    const struct key_attribute *range = index == NULL ? &table->range_key : &index->range_key;
    const bool by_key = workload->operation == DDB_QUERY;
    const char *names[] = {hash->name, by_key ? NULL : range->name, NULL};
    const struct reader_keys words = {names, NULL};
    struct document_node *item, *hash_key, *range_key = NULL;
    if (!reader_require(reader, node, "item", &item) || !reader_mapping(reader, item, NULL)) {
        return false;
    }
    for (const struct document_node *each = item->first; each != NULL; each = each->next) {
        bool is_range = names[1] != NULL && strcmp(each->key, names[1]) == 0;
        if (by_key && range->name != NULL && strcmp(each->key, range->name) == 0) {
            return reader_fail_key(reader, each,
                                   "a Query has the partition key only; 'returns' says how many "
                                   "items its sort key condition selects");
        }
        if (strcmp(each->key, names[0]) != 0 && !is_range) {
            return reader_fail_word(reader, &each->key_position, "key attribute", each->key,
                                    &words);
        }
    }
    if (!reader_require(reader, item, names[0], &hash_key) ||
        (names[1] != NULL && !reader_require(reader, item, names[1], &range_key))) {
        return false;
    }
    nodes->hash_key = hash_key;
    nodes->range_key = range_key;
    return read_template(reader, hash_key, &workload->hash_key) &&
           (range_key == NULL || read_template(reader, range_key, &workload->range_key));
}

/* The size of items that exist before the run when the workload does not say: the table's mean. */
static bool mean_size(struct scenario_build *build, const struct document_node *node,
                      struct workload_spec *workload) {
    const struct table_spec *table = &build->scenario->tables[workload->table];
    const char *operation = ddb_operation_name(workload->operation);
    bool is_empty = workload->exists == 0 || (workload->exists < 0 && table->item_count == 0);
    struct size_spec *size = &workload->item_size;
    size->law = SIZE_CONSTANT;
    size->min_bytes = size->max_bytes = 1;
    if (is_empty) {
        return true; /* nothing is there that could have a size */
    }
    const int64_t mean = table_mean_item_bytes(table);
    if (mean == SPEC_UNKNOWN) {
        return reader_fail(
            &build->reader, node,
            "'item_size' is missing: how large are the items that %s finds? Give "
            "'item_size', 'exists: false', or the table's ItemCount and TableSizeBytes",
            operation);
    }
    if (mean > ITEM_BYTES_MAX) {
        return reader_fail(&build->reader, node,
                           "'item_size' is missing, and TableSizeBytes / ItemCount is %" PRId64
                           " bytes: DynamoDB takes at most 400 KB",
                           mean);
    }
    size->min_bytes = size->max_bytes = (uint32_t)mean;
    return true;
}

/* A transaction of that many members, each as large as it may be. */
static bool check_transaction(struct reader *reader, const struct document_node *item_size,
                              const struct workload_spec *workload) {
    const struct size_spec *size = &workload->item_size;
    const int64_t bytes =
        (int64_t)workload->batch * (size->law == SIZE_COLUMN ? 0 : (int64_t)size->max_bytes);
    return !ddb_operation_transacts(workload->operation) || bytes <= TRANSACTION_BYTES_MAX ||
           reader_fail(reader, item_size,
                       "%" PRIu32 " items of up to %" PRIu32
                       " bytes: a transaction has at most 4 MB",
                       workload->batch, size->max_bytes);
}

static bool read_size(struct scenario_build *build, const struct document_node *node,
                      struct workload_spec *workload) {
    struct reader *reader = &build->reader;
    struct document_node *item_size = document_get(node, "item_size");
    if (item_size == NULL) {
        return ddb_operation_stores(workload->operation)
                   ? reader_fail(reader, node, "'item_size' is missing: %s needs it",
                                 ddb_operation_name(workload->operation))
                   : mean_size(build, node, workload);
    }
    return scenario_size_read(reader, item_size, &workload->trace, &workload->item_size) &&
           check_transaction(reader, item_size, workload);
}

/* returns: {items: N, item_size: S} of a Query. */
static bool read_returns(struct scenario_build *build, const struct document_node *node,
                         struct workload_spec *workload) {
    static const char *const keys[] = {"items", "item_size", NULL};
    static const struct reader_keys returns_keys = {keys, NULL};
    static const char *const others[] = {"item_size", "exists", NULL};
    struct reader *reader = &build->reader;
    const bool one_a_key = workload->index == SCENARIO_NONE &&
                           build->scenario->tables[workload->table].range_key.name == NULL;
    struct document_node *returns, *items, *item_size;
    int64_t count = 0;
    for (size_t i = 0; others[i] != NULL; i++) {
        const struct document_node *other = document_get(node, others[i]);
        if (other != NULL) {
            return reader_fail_key(reader, other,
                                   "a Query has no '%s': 'returns: {items: N, item_size: S}' says "
                                   "what it finds",
                                   others[i]);
        }
    }
    if (!reader_require(reader, node, "returns", &returns) ||
        !reader_mapping(reader, returns, &returns_keys) ||
        !reader_require(reader, returns, "items", &items) ||
        !reader_require(reader, returns, "item_size", &item_size) ||
        !reader_count(reader, items, 0, RETURNS_MAX, &count) ||
        !scenario_size_read(reader, item_size, &workload->trace, &workload->item_size)) {
        return false;
    }
    const int64_t item_bytes =
        workload->item_size.law == SIZE_COLUMN ? ITEM_BYTES_MAX : workload->item_size.max_bytes;
    if (count * item_bytes > RETURNS_BYTES_MAX) {
        return reader_fail(reader, items,
                           "%" PRId64 " items of up to %" PRId64
                           " bytes: a Query evaluates at most 1 GB here",
                           count, item_bytes);
    }
    workload->returns_items = (uint64_t)count;
    return !one_a_key || count <= 1 ||
           reader_fail(reader, items,
                       "a table without a sort key has one item a key at most: 'items' is 0 or 1");
}

bool scenario_probability_read(struct reader *reader, struct document_node *node, double *value,
                               uint64_t *below) {
    if (!reader_number(reader, node, 0, 1, value)) {
        return false;
    }
    *below = *value >= 1 ? UINT64_MAX : (uint64_t)ldexp(*value, 64);
    return true;
}

/* attribute_exists or attribute_not_exists; the message names the mapping too. */
static bool read_condition_word(struct reader *reader, struct document_node *node,
                                struct condition_spec *condition) {
    static const char *const forms[] = {"attribute_exists", "attribute_not_exists", "{fails: P}",
                                        NULL};
    static const struct reader_keys condition_forms = {forms, NULL};
    static const enum write_condition kinds[] = {CONDITION_EXISTS, CONDITION_NOT_EXISTS};
    const char *text;
    if (!reader_scalar(reader, node, &text)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(forms[i], text) == 0) {
            condition->kind = kinds[i];
            return true;
        }
    }
    return reader_fail_word(reader, &node->position, "condition", text, &condition_forms);
}

/* attribute_exists, attribute_not_exists, or {fails: P}. */
static bool read_condition(struct reader *reader, struct document_node *node,
                           struct workload_spec *workload) {
    static const char *const words[] = {"attribute_exists", "attribute_not_exists", NULL};
    static const char *const keys[] = {"fails", NULL};
    static const struct reader_keys condition_keys = {keys, NULL};
    struct condition_spec *condition = &workload->condition;
    if (node == NULL) {
        return true;
    }
    if (!ddb_operation_writes(workload->operation)) {
        return reader_fail_key(reader, node, "'condition' is for writes; %s reads",
                               ddb_operation_name(workload->operation));
    }
    if (workload->operation == DDB_BATCH_WRITE_ITEM) {
        return reader_fail_key(reader, node, "BatchWriteItem takes no 'condition'");
    }
    if (!reader_asks(reader, node, READER_WORD, words) ||
        !reader_asks(reader, node, READER_MAPPING, keys)) {
        return false;
    }
    if (!reader_word_or_mapping(reader, node,
                                "attribute_exists, attribute_not_exists or {fails: P}")) {
        return false;
    }
    if (node->kind != DOCUMENT_MAPPING) {
        return read_condition_word(reader, node, condition);
    }
    struct document_node *fails;
    double share = 0;
    if (!reader_mapping(reader, node, &condition_keys) ||
        !reader_require(reader, node, "fails", &fails) ||
        !scenario_probability_read(reader, fails, &share, &condition->fails_below)) {
        return false;
    }
    condition->kind = CONDITION_FAILS;
    return true;
}

bool scenario_item_read(struct scenario_build *build, const struct document_node *node,
                        struct workload_spec *workload, struct scenario_workload_nodes *nodes) {
    struct reader *reader = &build->reader;
    struct document_node *consistent = document_get(node, "ConsistentRead");
    struct document_node *exists_node = document_get(node, "exists");
    bool exists = false;
    const bool has_exists = exists_node != NULL && exists_node->kind != DOCUMENT_MAPPING;
    if ((has_exists && !reader_bool(reader, exists_node, &exists)) ||
        !reader_bool(reader, consistent, &workload->consistent_read)) {
        return false;
    }
    workload->exists = exists_node == NULL ? -1 : exists || !has_exists;
    if (consistent != NULL && workload->operation == DDB_TRANSACT_GET_ITEMS) {
        return reader_fail_key(reader, consistent,
                               "TransactGetItems has no 'ConsistentRead': it always is");
    }
    if (consistent != NULL && ddb_operation_writes(workload->operation)) {
        return reader_fail_key(reader, consistent, "'ConsistentRead' is for reads; %s writes",
                               ddb_operation_name(workload->operation));
    }
    if (!scenario_index_read(build, node, workload) || !scenario_scan_read(build, node, workload)) {
        return false;
    }
    if (workload->operation == DDB_SCAN) {
        return true; /* it reads what is there */
    }
    const bool by_key = workload->operation == DDB_QUERY;
    const struct document_node *returns = document_get(node, "returns");
    if (returns != NULL && !by_key) {
        return reader_fail_key(reader, returns, "'returns' is for Query, not %s",
                               ddb_operation_name(workload->operation));
    }
    return read_condition(reader, document_get(node, "condition"), workload) &&
           scenario_attributes_read(build, node, workload) &&
           read_keys(build, node, workload, nodes) &&
           (by_key ? read_returns(build, node, workload) : read_size(build, node, workload));
}
