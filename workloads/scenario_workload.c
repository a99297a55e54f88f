#include "workloads/scenario_parts.h"

#include "sim/check.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <stdio.h>
#include <string.h>

/* "OTHER" or "OTHER + 30s": resolved when all workloads are known. */
struct after {
    struct document_node *node; /* NULL: none */
    const char *other;
};

static bool read_operation(struct reader *reader, struct document_node *node,
                           enum ddb_operation *operation) {
    const char *names[DDB_OPERATION_COUNT + 1] = {NULL};
    for (uint32_t i = 0; i < DDB_OPERATION_COUNT; i++) {
        names[i] = ddb_operation_name((enum ddb_operation)i);
    }
    const struct reader_keys words = {names, NULL};
    uint32_t which = 0;
    if (!reader_word(reader, node, &words, &which)) {
        return false;
    }
    *operation = (enum ddb_operation)which;
    return true;
}

bool scenario_table_find(struct scenario_build *build, const struct scenario_text *name,
                         uint32_t *table) {
    const struct scenario *scenario = build->scenario;
    const char *names[SCENARIO_TABLES_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < scenario->table_count; i++) {
        names[i] = scenario->tables[i].table_name;
        if (strcmp(names[i], name->text) == 0) {
            *table = i;
            return true;
        }
    }
    const struct reader_keys words = {names, NULL};
    return reader_fail_word(&build->reader, &name->position, "table", name->text, &words);
}

bool scenario_table_read(struct scenario_build *build, const struct document_node *node,
                         const char *key, uint32_t *table) {
    struct reader *reader = &build->reader;
    const struct scenario *scenario = build->scenario;
    struct document_node *name_node = document_get(node, key);
    if (name_node == NULL) {
        *table = 0;
        return scenario->table_count == 1 ||
               reader_fail(reader, node, "'%s' is missing: there are %u tables", key,
                           scenario->table_count);
    }
    struct scenario_text name = {.position = name_node->position};
    return reader_text(reader, name_node, &name.text) && scenario_table_find(build, &name, table);
}

/* Splits "OTHER + 30s" at the plus; the delay becomes start_ns. */
static bool read_after(struct reader *reader, struct document_node *node,
                       struct workload_spec *workload, struct after *after) {
    static const char expected[] = "'OTHER' or 'OTHER + 30s'";
    const char *text;
    after->node = node;
    if (node == NULL) {
        return true;
    }
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    const char *plus = strchr(text, '+');
    size_t bytes = plus == NULL ? strlen(text) : (size_t)(plus - text);
    while (bytes > 0 && text[bytes - 1] == ' ') {
        bytes--;
    }
    after->other = arena_strndup(reader->arena, text, bytes, reader->err);
    if (after->other == NULL) {
        return false;
    }
    if (plus != NULL) {
        const char *delay = plus + 1 + strspn(plus + 1, " ");
        enum value_fault fault = value_duration_ns(delay, false, &workload->start_ns);
        if (fault != VALUE_OK || workload->start_ns < 0 || workload->start_ns > SIM_NS_MAX) {
            return reader_fail_expected(reader, node, expected);
        }
    }
    return bytes > 0 || reader_fail_expected(reader, node, expected);
}

static bool read_times(struct scenario_build *build, const struct document_node *node,
                       struct workload_spec *workload, struct after *after) {
    struct reader *reader = &build->reader;
    struct document_node *start = document_get(node, "start"), *stop = document_get(node, "stop");
    sim_ns duration_ns = build->scenario->duration_ns;
    workload->stop_ns = -1;
    if (!reader_duration(reader, start, 0, SIM_NS_MAX, &workload->start_ns) ||
        !reader_duration(reader, stop, 1, SIM_NS_MAX, &workload->stop_ns)) {
        return false;
    }
    if (start != NULL && document_get(node, "after") != NULL) {
        return reader_fail_key(
            reader, start, "'start' and 'after' exclude one another; write 'after: OTHER + 30s'");
    }
    if (start != NULL && duration_ns >= 0 && workload->start_ns >= duration_ns) {
        return reader_fail(reader, start, "'start' is not before the end of the run ('duration')");
    }
    if (stop != NULL && workload->stop_ns <= workload->start_ns) {
        return reader_fail(reader, stop, "'stop' must be later than 'start'");
    }
    return read_after(reader, document_get(node, "after"), workload, after);
}

static bool check_name(struct scenario_build *build, const struct document_node *name_node,
                       const struct workload_spec *workloads, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(workloads[i].name, workloads[count].name) == 0) {
            return reader_fail(&build->reader, name_node, "two workloads are named '%s'",
                               workloads[count].name);
        }
    }
    return true;
}

bool scenario_operation_read(struct scenario_build *build, struct document_node *node,
                             struct workload_spec *workloads, uint32_t which) {
    struct reader *reader = &build->reader;
    struct document_node *name, *operation;
    return reader_require(reader, node, "name", &name) &&
           reader_name(reader, name, true, &workloads[which].name) &&
           check_name(build, name, workloads, which) &&
           reader_require(reader, node, "operation", &operation) &&
           read_operation(reader, operation, &workloads[which].operation);
}

/* Members that DynamoDB takes in one call; 0: the operation has none. */
static int64_t members_max(enum ddb_operation operation) {
    switch (operation) {
    case DDB_BATCH_GET_ITEM: return BATCH_GETS_MAX;
    case DDB_BATCH_WRITE_ITEM: return BATCH_WRITES_MAX;
    case DDB_TRANSACT_GET_ITEMS:
    case DDB_TRANSACT_WRITE_ITEMS: return TRANSACTION_ITEMS_MAX;
    default: return 0;
    }
}

/* batch: N, as many as DynamoDB takes in one call; deletes: P. */
static bool read_batch(struct reader *reader, const struct document_node *node,
                       struct workload_spec *workload) {
    struct document_node *batch = document_get(node, "batch");
    struct document_node *deletes = document_get(node, "deletes");
    const struct document_node *other;
    const int64_t most = members_max(workload->operation);
    int64_t members = 0;
    double share = 0;
    if (deletes != NULL && (most == 0 || !ddb_operation_writes(workload->operation))) {
        return reader_fail_key(reader, deletes,
                               "'deletes' is for BatchWriteItem and TransactWriteItems, not %s",
                               ddb_operation_name(workload->operation));
    }
    if (most == 0) {
        return batch == NULL ||
               reader_fail_key(reader, batch, "'batch' is for batches and transactions, not %s",
                               ddb_operation_name(workload->operation));
    }
    if (!reader_require(reader, node, "batch", &batch) ||
        !reader_count(reader, batch, 1, most, &members)) {
        return false;
    }
    workload->batch = (uint32_t)members;
    if (deletes != NULL &&
        !scenario_probability_read(reader, deletes, &share, &workload->deletes_below)) {
        return false;
    }
    if ((other = document_get(node, "then")) != NULL) {
        return reader_fail_key(reader, other, "%s has no steps: leave 'then' out",
                               ddb_operation_name(workload->operation));
    }
    if (workload->arrivals == ARRIVALS_TRACE) {
        return reader_fail_key(
            reader, batch,
            "its members take the trace's rows as they come, not at their times: "
            "leave 'time' out and give 'rate' or a closed loop");
    }
    return true;
}

static bool read_workload(struct scenario_build *build, struct document_node *node,
                          struct workload_spec *workloads, uint32_t count, struct after *after) {
    static const char *const keys[] = {
        "name",       "operation", "table",         "rate",           "arrivals",   "item",
        "item_size",  "exists",    "returns",       "condition",      "start",      "stop",
        "after",      "trace",     "IndexName",     "ConsistentRead", "then",       "batch",
        "attributes", "deletes",   "TotalSegments", "Limit",          "page_delay", NULL};
    static const char *const later[] = {"order",       "repeat", "actions", "delay",
                                        "probability", "retry",  NULL};
    static const struct reader_keys workload_keys = {keys, later};
    struct reader *reader = &build->reader;
    struct workload_spec *workload = &workloads[count];
    *workload = (struct workload_spec){.after = SCENARIO_NONE, .exists = -1};
    workload->position = node->position;
    return reader_mapping(reader, node, &workload_keys) &&
           scenario_operation_read(build, node, workloads, count) &&
           scenario_table_read(build, node, "table", &workload->table) &&
           read_times(build, node, workload, after) &&
           scenario_arrivals_read(build, node, workload) && read_batch(reader, node, workload) &&
           scenario_item_read(build, node, workload, &build->workload_nodes[count]);
}

/* The steps of node, whose workload is the last one before count. */
static bool read_steps(struct scenario_build *build, const struct document_node *node,
                       struct workload_spec *workloads, uint32_t *count) {
    struct document_node *then = document_get(node, "then");
    const uint32_t root = *count - 1;
    if (then == NULL) {
        return true;
    }
    if (!reader_sequence(&build->reader, then)) {
        return false;
    }
    for (struct document_node *each = then->first; each != NULL; each = each->next) {
        if (!scenario_step_read(build, each, workloads, root, *count)) {
            return false;
        }
        workloads[root].step_count++;
        (*count)++;
    }
    return true;
}

/* Workloads and steps, as far as the lists go. */
static uint32_t count_workloads(const struct document_node *section) {
    uint32_t count = section->child_count;
    for (const struct document_node *node = section->first; node != NULL; node = node->next) {
        const struct document_node *then =
            node->kind == DOCUMENT_MAPPING ? document_get(node, "then") : NULL;
        count += then == NULL || then->child_count > SCENARIO_WORKLOADS_MAX ? 0 : then->child_count;
    }
    return count;
}

static bool is_finite(const struct workload_spec *workload) {
    bool ends_at_zero =
        workload->point_count > 0 && workload->points[workload->point_count - 1].rate_per_s == 0;
    return workload->trace.file != NULL || workload->stop_ns >= 0 || ends_at_zero;
}

static bool resolve_after(struct scenario_build *build, const struct after *after,
                          struct workload_spec *workloads, uint32_t count, uint32_t which) {
    struct reader *reader = &build->reader;
    const char *names[SCENARIO_WORKLOADS_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < count; i++) {
        names[i] = workloads[i].name;
        if (strcmp(names[i], after->other) == 0) {
            workloads[which].after = i;
        }
    }
    uint32_t other = workloads[which].after;
    if (other == SCENARIO_NONE) {
        const struct reader_keys words = {names, NULL};
        return reader_fail_word(reader, &after->node->position, "workload", after->other, &words);
    }
    if (workloads[other].arrivals == ARRIVALS_STEP) {
        return reader_fail(reader, after->node,
                           "'%s' is a step; its chain ends with '%s', so write 'after: %s'",
                           after->other, workloads[workloads[other].root].name,
                           workloads[workloads[other].root].name);
    }
    if (!is_finite(&workloads[other])) {
        return reader_fail(
            reader, after->node,
            "workload '%s' never ends: it needs a trace, 'stop', or a rate that ends at 0",
            after->other);
    }
    return true;
}

/* Each workload waits for at most one other, so a walk of more steps than workloads is a circle. */
static bool check_circle(struct scenario_build *build, const struct after *after,
                         const struct workload_spec *workloads, uint32_t count, uint32_t which) {
    uint32_t at = which;
    for (uint32_t steps = 0; at != SCENARIO_NONE; steps++) {
        if (steps > count) {
            return reader_fail(&build->reader, after->node,
                               "workloads wait for one another in a circle");
        }
        at = workloads[at].after;
    }
    return true;
}

static bool resolve_all(struct scenario_build *build, const struct after *afters,
                        struct workload_spec *workloads, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (afters[i].node != NULL && !resolve_after(build, &afters[i], workloads, count, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (afters[i].node != NULL && !check_circle(build, &afters[i], workloads, count, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count && build->scenario->duration_ns < 0; i++) {
        if (workloads[i].arrivals != ARRIVALS_STEP && !is_finite(&workloads[i])) {
            return reader_fail(&build->reader, build->root,
                               "'duration' is missing: workload '%s' has no end of its own "
                               "(a trace, 'stop', or a rate that ends at 0)",
                               workloads[i].name);
        }
    }
    return true;
}

bool scenario_workloads_read(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct document_node *section;
    if (!reader_require(reader, build->root, "workload", &section) ||
        !reader_sequence(reader, section)) {
        return false;
    }
    const uint32_t most = count_workloads(section);
    if (most == 0 || most > SCENARIO_WORKLOADS_MAX) {
        return reader_fail(reader, section, "'workload' has 1 … %d workloads, steps included",
                           SCENARIO_WORKLOADS_MAX);
    }
    struct workload_spec *workloads =
        ARENA_ARRAY(reader->arena, struct workload_spec, most, "workloads", reader->err);
    struct after *afters = ARENA_ARRAY(reader->arena, struct after, most, "workloads", reader->err);
    build->workload_nodes =
        ARENA_ARRAY(reader->arena, struct scenario_workload_nodes, most, "workloads", reader->err);
    if (workloads == NULL || afters == NULL || build->workload_nodes == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (struct document_node *node = section->first; node != NULL; node = node->next) {
        if (!read_workload(build, node, workloads, count, &afters[count])) {
            return false;
        }
        count++;
        if (!read_steps(build, node, workloads, &count)) {
            return false;
        }
    }
    SIM_CHECK(count == most);
    build->scenario->workloads = workloads;
    build->scenario->workload_count = count;
    return resolve_all(build, afters, workloads, count);
}
