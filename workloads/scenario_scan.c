#include "workloads/scenario_parts.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const scan_keys[] = {"TotalSegments", "Limit", "page_delay", NULL};

/* The first of the keys that node has; NULL: none. */
static const struct document_node *first_of(const struct document_node *node,
                                            const char *const *keys) {
    const struct document_node *found = NULL;
    for (size_t i = 0; keys[i] != NULL && found == NULL; i++) {
        found = document_get(node, keys[i]);
    }
    return found;
}

/* A Scan has segments in place of keys: members, numbered as {each N} does it. */
static bool set_members(struct scenario_build *build, struct workload_spec *workload) {
    char text[32];
    snprintf(text, sizeof text, "{each %" PRIu32 "}", workload->scan.segments);
    workload->hash_key =
        (struct scenario_text){.text = arena_strdup(build->reader.arena, text, build->reader.err),
                               .position = workload->position};
    return workload->hash_key.text != NULL;
}

/* Where nothing says what is there before the run, only what the run has written is read. */
static bool note_empty(struct scenario_build *build, const struct document_node *node,
                       const struct workload_spec *workload) {
    const struct table_spec *table = &build->scenario->tables[workload->table];
    const bool is_known =
        table->item_count == 0 ||
        (table->item_count > 0 &&
         (workload->index == SCENARIO_NONE ? table->table_size_bytes
                                           : table->indexes[workload->index].index_size_bytes) > 0);
    return is_known ||
           reader_note(&build->reader, &node->position,
                       "the Scan '%s' reads what the run has touched: %s", workload->name,
                       workload->index == SCENARIO_NONE
                           ? "the table has no ItemCount and TableSizeBytes"
                           : "there is no ItemCount of the table and IndexSizeBytes of the index");
}

bool scenario_scan_read(struct scenario_build *build, const struct document_node *node,
                        struct workload_spec *workload) {
    static const char *const others[] = {"item",      "item_size",  "exists", "returns",
                                         "condition", "attributes", "then",   NULL};
    struct reader *reader = &build->reader;
    const bool is_scan = workload->operation == DDB_SCAN;
    const struct document_node *wrong = first_of(node, is_scan ? others : scan_keys);
    int64_t segments = 1, limit = 0;
    if (wrong != NULL) {
        return is_scan ? reader_fail_key(reader, wrong,
                                         "a Scan has no '%s': it reads all items of its table or "
                                         "index (ItemCount, TableSizeBytes)",
                                         wrong->key)
                       : reader_fail_key(reader, wrong, "'%s' is for Scan, not %s", wrong->key,
                                         ddb_operation_name(workload->operation));
    }
    if (!is_scan) {
        return true;
    }
    if (!reader_count(reader, document_get(node, "TotalSegments"), 1, SCAN_SEGMENTS_MAX,
                      &segments) ||
        !reader_count(reader, document_get(node, "Limit"), 1, INT32_MAX, &limit) ||
        !reader_duration(reader, document_get(node, "page_delay"), 0, SIM_NS_MAX,
                         &workload->scan.page_delay_ns)) {
        return false;
    }
    workload->scan.segments = (uint32_t)segments;
    workload->scan.limit = (uint64_t)limit;
    return set_members(build, workload) && note_empty(build, node, workload);
}
