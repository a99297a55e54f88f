/* What tables and indexes start with, against the model: saved capacity. */
#include "workloads/scenario_parts.h"

#include "workloads/value.h"

#include <string.h>

const struct document_node *scenario_index_node(const struct document_node *table,
                                                const struct index_spec *index) {
    const struct document_node *list = document_get(table, "GlobalSecondaryIndexes");
    for (const struct document_node *each = list == NULL ? NULL : list->first; each != NULL;
         each = each->next) {
        const struct document_node *name = document_get(each, "IndexName");
        if (name != NULL && name->text != NULL && strcmp(name->text, index->index_name) == 0) {
            return each;
        }
    }
    return table;
}

/* Saved capacity at the start is part of what can be saved at all. */
static bool check_burst(struct scenario_build *build, const struct document_node *node,
                        sim_ns initial_burst_ns) {
    const sim_ns window_ns = build->scenario->model.burst_window_s;
    if (initial_burst_ns <= window_ns) {
        return true;
    }
    const struct document_node *state = document_get(node, "state");
    const struct document_node *burst = state == NULL ? NULL : document_get(state, "BurstSeconds");
    char window[VALUE_TEXT_BYTES];
    value_print_duration(window_ns, window);
    return reader_fail(&build->reader, burst != NULL ? burst : node,
                       "'BurstSeconds' is above model.burst_window_s (%s)", window);
}

static bool check_index(struct scenario_build *build, const struct document_node *table,
                        const struct index_spec *index) {
    return check_burst(build, scenario_index_node(table, index), index->initial_burst_ns);
}

bool scenario_states_check(struct scenario_build *build) {
    const struct scenario *scenario = build->scenario;
    const struct document_node *node = document_get(build->root, "tables")->first;
    for (uint32_t i = 0; i < scenario->table_count; i++, node = node->next) {
        const struct table_spec *table = &scenario->tables[i];
        if (!check_burst(build, node, table->initial_burst_ns)) {
            return false;
        }
        for (uint32_t j = 0; j < table->index_count; j++) {
            if (table->indexes[j].is_global && !check_index(build, node, &table->indexes[j])) {
                return false;
            }
        }
    }
    return true;
}
