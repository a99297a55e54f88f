#include "workloads/scenario_parts.h"

#include <string.h>

/* 2s, {constant: 2s}, {uniform: {min, max}} or {exponential: {mean}}. */
static bool read_delay(struct reader *reader, struct document_node *node,
                       struct delay_spec *delay) {
    static const char *const laws[] = {"constant", "uniform", "exponential", NULL};
    static const char *const later[] = {"normal", "lognormal", "histogram", "choice", NULL};
    static const char *const bounds[] = {"min", "max", NULL}, *const means[] = {"mean", NULL};
    static const struct reader_keys law_keys = {laws, later}, bound_keys = {bounds, NULL},
                                    mean_keys = {means, NULL};
    *delay = (struct delay_spec){.law = DELAY_CONSTANT};
    if (node != NULL && (!reader_asks(reader, node, READER_DURATION, NULL) ||
                         !reader_asks(reader, node, READER_MAPPING, laws))) {
        return false;
    }
    if (node == NULL || node->kind != DOCUMENT_MAPPING) {
        const bool read = reader_duration(reader, node, 0, SIM_NS_MAX, &delay->min_ns);
        delay->max_ns = delay->min_ns;
        return read;
    }
    if (!reader_mapping(reader, node, &law_keys)) {
        return false;
    }
    if (node->child_count != 1) {
        return reader_fail(reader, node,
                           "'delay' needs one of 'constant', 'uniform' and 'exponential'");
    }
    struct document_node *law = node->first, *min, *max;
    if (strcmp(law->key, "constant") == 0) {
        return reader_duration(reader, law, 0, SIM_NS_MAX, &delay->min_ns) &&
               (delay->max_ns = delay->min_ns, true);
    }
    if (strcmp(law->key, "exponential") == 0) {
        delay->law = DELAY_EXPONENTIAL;
        return reader_mapping(reader, law, &mean_keys) &&
               reader_require(reader, law, "mean", &min) &&
               reader_duration(reader, min, 1, SIM_NS_MAX, &delay->min_ns) &&
               (delay->max_ns = delay->min_ns, true);
    }
    delay->law = DELAY_UNIFORM;
    return reader_mapping(reader, law, &bound_keys) && reader_require(reader, law, "min", &min) &&
           reader_require(reader, law, "max", &max) &&
           reader_duration(reader, min, 0, SIM_NS_MAX, &delay->min_ns) &&
           reader_duration(reader, max, 0, SIM_NS_MAX, &delay->max_ns) &&
           (delay->min_ns <= delay->max_ns || reader_fail(reader, max, "'max' is below 'min'"));
}

static bool read_probability(struct reader *reader, struct document_node *node,
                             struct workload_spec *step) {
    double probability = 1;
    const bool read = scenario_probability_read(reader, node, &probability, &step->begins_below);
    step->begins_always = probability >= 1;
    return read;
}

static bool check_operation(struct reader *reader, const struct document_node *node,
                            const struct workload_spec *step) {
    switch (step->operation) {
    case DDB_BATCH_GET_ITEM:
    case DDB_BATCH_WRITE_ITEM:
    case DDB_SCAN:
    case DDB_TRANSACT_GET_ITEMS:
    case DDB_TRANSACT_WRITE_ITEMS:
        return reader_fail(reader, document_get(node, "operation"),
                           "%s is no step of a chain; expected an operation on one item, or Query",
                           ddb_operation_name(step->operation));
    default: return true;
    }
}

bool scenario_step_read(struct scenario_build *build, struct document_node *node,
                        struct workload_spec *workloads, uint32_t root, uint32_t which) {
    static const char *const keys[] = {
        "name",    "operation", "table", "item",        "item_size",  "exists",    "ConsistentRead",
        "returns", "condition", "delay", "probability", "attributes", "IndexName", NULL};
    static const char *const later[] = {"then", "batch", "repeat", NULL};
    static const struct reader_keys step_keys = {keys, later};
    struct reader *reader = &build->reader;
    struct workload_spec *step = &workloads[which];
    *step = (struct workload_spec){
        .after = SCENARIO_NONE,
        .exists = -1,
        .arrivals = ARRIVALS_STEP,
        .root = root,
        .stop_ns = -1,
        .table = workloads[root].table,
        .trace = workloads[root].trace,
        .position = node->position,
    };
    return reader_mapping(reader, node, &step_keys) &&
           scenario_operation_read(build, node, workloads, which) &&
           check_operation(reader, node, step) &&
           (document_get(node, "table") == NULL ||
            scenario_table_read(build, node, "table", &step->table)) &&
           read_delay(reader, document_get(node, "delay"), &step->delay) &&
           read_probability(reader, document_get(node, "probability"), step) &&
           scenario_item_read(build, node, step, &build->workload_nodes[which]);
}
