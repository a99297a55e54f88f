/* Global indexes that actions make while the scenario runs: part of their tables from the start, as
 * far as names, attributes and quotas go. */
#include "workloads/scenario_parts.h"

#include "workloads/table_reader_parts.h"

static const struct document_node *nth(const struct document_node *list, uint32_t number) {
    const struct document_node *node = list->first;
    while (number-- > 0) {
        node = node->next;
    }
    return node;
}

/* What else is wrong with a call is for the reader of actions to say. */
static bool read_call(struct scenario_build *build, const struct document_node *call) {
    const struct document_node *updates = document_get(call, "GlobalSecondaryIndexUpdates");
    const struct document_node *tables = document_get(build->root, "tables");
    uint32_t table;
    if (updates == NULL || updates->kind != DOCUMENT_SEQUENCE) {
        return true;
    }
    for (const struct document_node *each = updates->first; each != NULL; each = each->next) {
        const struct document_node *create =
            each->kind == DOCUMENT_MAPPING ? document_get(each, "Create") : NULL;
        if (create == NULL) {
            continue;
        }
        if (!scenario_table_read(build, call, "TableName", &table) ||
            !table_reader_add_index(&build->reader, nth(tables, table), call, create,
                                    &build->tables[table])) {
            return false;
        }
    }
    return true;
}

bool scenario_new_indexes_read(struct scenario_build *build) {
    const struct document_node *actions = document_get(build->root, "actions");
    if (actions == NULL || actions->kind != DOCUMENT_SEQUENCE) {
        return true;
    }
    for (const struct document_node *each = actions->first; each != NULL; each = each->next) {
        const struct document_node *call =
            each->kind == DOCUMENT_MAPPING ? document_get(each, "UpdateTable") : NULL;
        if (call != NULL && call->kind == DOCUMENT_MAPPING && !read_call(build, call)) {
            return false;
        }
    }
    return true;
}
