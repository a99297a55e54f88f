/* What happens to the tables while the scenario runs, against AWS's rules. */
#include "workloads/scenario_parts.h"

#include "sim/check.h"
#include "workloads/table_reader_parts.h"

#include <string.h>

#define ACTIONS_MAX 10000
#define UPDATE_GIVES_NOTHING INT64_MAX /* no count that can be written */
#define DAY_NS (24 * 3600 * SIM_NS_PER_S)

/* What the actions read so far make of a table. */
struct table_course {
    enum billing_mode mode;
    sim_ns switches_ns[TABLE_SWITCHES_MAX]; /* the latest to on-demand, oldest first */
    uint32_t switch_count;                  /* of those */
    bool has_index[GLOBAL_INDEXES_MAX];     /* by then */
    sim_ns busy_until_ns;                   /* by a switch of the mode: its time is no draw */
};

struct action_reader {
    struct scenario_build *build;
    struct table_course *courses; /* by table */
    struct action_spec *actions;
    uint32_t count;
};

static bool read_mode(struct reader *reader, struct document_node *node,
                      struct table_update *update) {
    update->sets_billing_mode = node != NULL;
    return node == NULL || table_reader_mode(reader, node, &update->billing_mode);
}

static bool check_quota(struct action_reader *of, const struct document_node *node,
                        struct capacity_units units) {
    return scenario_quota_check(of->build, node, node->key, units);
}

static bool read_provisioned(struct action_reader *of, const struct document_node *node,
                             enum billing_mode mode, struct capacity_units *units) {
    struct reader *reader = &of->build->reader;
    if (node == NULL) {
        return true;
    }
    if (mode == BILLING_PAY_PER_REQUEST) {
        return reader_fail_key(reader, node,
                               "the table is on-demand by then, and has no ProvisionedThroughput "
                               "(DynamoDB's rule)");
    }
    return table_reader_units(reader, node, units) && check_quota(of, node, *units);
}

static bool read_maximum(struct action_reader *of, const struct document_node *node,
                         enum billing_mode mode, struct capacity_units *units) {
    struct reader *reader = &of->build->reader;
    if (node == NULL) {
        return true;
    }
    if (mode == BILLING_PROVISIONED) {
        return reader_fail_key(reader, node,
                               "the table is provisioned by then, and OnDemandThroughput is for "
                               "on-demand tables (DynamoDB's rule)");
    }
    struct capacity_units given = {UPDATE_GIVES_NOTHING, UPDATE_GIVES_NOTHING};
    if (!table_reader_maximum(reader, node, &given)) {
        return false;
    }
    units->read = given.read == UPDATE_GIVES_NOTHING ? UPDATE_KEEPS : given.read;
    units->write = given.write == UPDATE_GIVES_NOTHING ? UPDATE_KEEPS : given.write;
    return check_quota(of, node, *units);
}

/* ProvisionedThroughput, OnDemandThroughput and WarmThroughput of the table or of an index. */
static bool read_throughput(struct action_reader *of, const struct document_node *owner,
                            enum billing_mode mode, uint32_t position,
                            struct table_update *update) {
    const struct document_node *warm = document_get(owner, "WarmThroughput");
    return read_provisioned(of, document_get(owner, "ProvisionedThroughput"), mode,
                            &update->provisioned[position]) &&
           read_maximum(of, document_get(owner, "OnDemandThroughput"), mode,
                        &update->max_on_demand[position]) &&
           table_reader_warm(&of->build->reader, warm, &update->warm[position]) &&
           (warm == NULL || check_quota(of, warm, update->warm[position]));
}

static bool find_index(struct reader *reader, struct document_node *node,
                       const struct table_spec *table, uint32_t *position) {
    const char *names[GLOBAL_INDEXES_MAX + 1] = {NULL};
    const char *name;
    if (!reader_text(reader, node, &name)) {
        return false;
    }
    for (uint32_t i = 0; i < table->global_index_count; i++) {
        names[i] = table->indexes[i].index_name;
        if (strcmp(names[i], name) == 0) {
            *position = 1 + i;
            return true;
        }
    }
    const struct reader_keys words = {names, NULL};
    return names[0] == NULL
               ? reader_fail(reader, node, "table '%s' has no global index", table->table_name)
               : reader_fail_word(reader, &node->position, "global index", name, &words);
}

/* An index that is there, or to come, by the call's time. */
static bool check_index(struct reader *reader, const struct document_node *name,
                        const struct table_course *course, const struct table_spec *table,
                        uint32_t position) {
    return course->has_index[position - 1] ||
           reader_fail(reader, name, "table '%s' has no index '%s' by then", table->table_name,
                       table->indexes[position - 1].index_name);
}

/* Create or Delete: one of them a call. */
static bool read_existence(struct action_reader *of, const struct document_node *element,
                           const struct table_spec *table, enum billing_mode mode,
                           struct table_update *update) {
    static const char *const delete_keys[] = {"IndexName", NULL};
    static const struct reader_keys delete_words = {delete_keys, NULL};
    struct reader *reader = &of->build->reader;
    struct table_course *course = &of->courses[table - of->build->scenario->tables];
    const struct document_node *create = document_get(element, "Create");
    const struct document_node *node = create != NULL ? create : document_get(element, "Delete");
    struct document_node *name = document_get(node, "IndexName");
    uint32_t position = 0;
    if (element->child_count != 1 || update->creates > 0 || update->deletes > 0) {
        return reader_fail(reader, element,
                           "one index is created or deleted by a call (DynamoDB's rule)");
    }
    if ((create == NULL && (!reader_mapping(reader, node, &delete_words) ||
                            !reader_require(reader, node, "IndexName", &name))) ||
        !find_index(reader, name, table, &position)) {
        return false;
    }
    if (create == NULL) {
        update->deletes = position;
        if (!check_index(reader, name, course, table, position)) {
            return false;
        }
    } else {
        update->creates = position;
        if (mode != table->billing_mode) {
            return reader_fail(reader, node,
                               "an index made after a switch of the mode is not modelled");
        }
    }
    course->has_index[position - 1] = create != NULL;
    return true;
}

static bool read_index(struct action_reader *of, const struct document_node *element,
                       const struct table_spec *table, enum billing_mode mode,
                       struct table_update *update) {
    static const char *const update_keys[] = {"Update", "Create", "Delete", NULL};
    static const char *const index_keys[] = {"IndexName", "ProvisionedThroughput",
                                             "OnDemandThroughput", "WarmThroughput", NULL};
    static const struct reader_keys element_words = {update_keys, NULL},
                                    index_words = {index_keys, NULL};
    struct reader *reader = &of->build->reader;
    struct document_node *name;
    uint32_t position = 0;
    const struct table_course *course = &of->courses[table - of->build->scenario->tables];
    if (!reader_mapping(reader, element, &element_words)) {
        return false;
    }
    if (document_get(element, "Create") != NULL || document_get(element, "Delete") != NULL) {
        return read_existence(of, element, table, mode, update);
    }
    const struct document_node *index = document_get(element, "Update");
    if (index == NULL) {
        return reader_fail_expected(reader, element, "an Update, a Create or a Delete");
    }
    return reader_mapping(reader, index, &index_words) &&
           reader_require(reader, index, "IndexName", &name) &&
           find_index(reader, name, table, &position) &&
           check_index(reader, name, course, table, position) &&
           read_throughput(of, index, mode, position, update);
}

static bool read_indexes(struct action_reader *of, const struct document_node *list,
                         const struct table_spec *table, enum billing_mode mode,
                         struct table_update *update) {
    if (list == NULL) {
        return true;
    }
    if (!reader_sequence(&of->build->reader, list)) {
        return false;
    }
    for (const struct document_node *each = list->first; each != NULL; each = each->next) {
        if (!read_index(of, each, table, mode, update)) {
            return false;
        }
    }
    return true;
}

/* A provisioned table needs units for itself and every global index. */
static bool check_units(struct reader *reader, const struct document_node *call,
                        const struct table_spec *table, const struct table_update *update) {
    for (uint32_t i = 0; i <= table->global_index_count; i++) {
        if (update->provisioned[i].read == UPDATE_KEEPS) {
            return reader_fail(reader, call,
                               "BillingMode PROVISIONED needs ProvisionedThroughput for %s%s%s "
                               "(DynamoDB's rule)",
                               i == 0 ? "the table" : "index '",
                               i == 0 ? "" : table->indexes[i - 1].index_name, i == 0 ? "" : "'");
        }
    }
    return true;
}

/* To on-demand at most four times in any 24 hours. */
static bool note_switch(struct reader *reader, const struct document_node *node,
                        struct table_course *course, sim_ns at_ns) {
    if (course->switch_count == TABLE_SWITCHES_MAX) {
        if (at_ns - course->switches_ns[0] < DAY_NS) {
            return reader_fail(reader, node,
                               "a switch too soon: a table goes to on-demand at most %d times in "
                               "24 hours (DynamoDB's rule)",
                               TABLE_SWITCHES_MAX);
        }
        memmove(course->switches_ns, course->switches_ns + 1,
                (TABLE_SWITCHES_MAX - 1) * sizeof course->switches_ns[0]);
        course->switch_count--;
    }
    course->switches_ns[course->switch_count++] = at_ns;
    return true;
}

static bool change_mode(struct action_reader *of, const struct document_node *call,
                        const struct action_spec *action) {
    struct reader *reader = &of->build->reader;
    struct table_course *course = &of->courses[action->table];
    const struct table_update *update = &action->update;
    const struct document_node *node = document_get(call, "BillingMode");
    if (action->at_ns < course->busy_until_ns) {
        return reader_fail(reader, call,
                           "the table is still UPDATING: a switch of the mode takes "
                           "model.mode_switch_time, and DynamoDB takes one change at a time");
    }
    if (!update->sets_billing_mode || update->billing_mode == course->mode) {
        return true;
    }
    course->mode = update->billing_mode;
    course->busy_until_ns = action->at_ns + of->build->scenario->model.mode_switch_time;
    return course->mode == BILLING_PAY_PER_REQUEST
               ? note_switch(reader, node, course, action->at_ns)
               : check_units(reader, call, &of->build->scenario->tables[action->table], update);
}

static bool asks_nothing(const struct table_update *update) {
    const struct table_update nothing = table_update_nothing();
    bool asks = update->sets_billing_mode || update->creates > 0 || update->deletes > 0;
    for (uint32_t i = 0; i < UPDATE_POSITIONS; i++) {
        asks |= memcmp(&update->provisioned[i], &nothing.provisioned[i],
                       sizeof nothing.provisioned[i]) != 0 ||
                memcmp(&update->warm[i], &nothing.warm[i], sizeof nothing.warm[i]) != 0 ||
                memcmp(&update->max_on_demand[i], &nothing.max_on_demand[i],
                       sizeof nothing.max_on_demand[i]) != 0;
    }
    return !asks;
}

/* Local indexes in a call, by whichever name. */
static const struct document_node *find_local(const struct document_node *call) {
    const struct document_node *local = document_get(call, "LocalSecondaryIndexes");
    return local != NULL ? local : document_get(call, "LocalSecondaryIndexUpdates");
}

static bool read_update(struct action_reader *of, const struct document_node *call,
                        struct action_spec *action) {
    static const char *const keys[] = {"TableName",
                                       "BillingMode",
                                       "AttributeDefinitions",
                                       "ProvisionedThroughput",
                                       "OnDemandThroughput",
                                       "WarmThroughput",
                                       "GlobalSecondaryIndexUpdates",
                                       NULL};
    static const struct reader_keys words = {keys, NULL};
    struct reader *reader = &of->build->reader;
    struct table_update *update = &action->update;
    *update = table_update_nothing();
    if (of->build->scenario->model.era != ERA_GAC) {
        return reader_fail_key(reader, call,
                               "UpdateTable needs model.era gac: the shares of the older eras are "
                               "not divided anew while a table runs");
    }
    const struct document_node *local = call->kind == DOCUMENT_MAPPING ? find_local(call) : NULL;
    if (local != NULL) {
        return reader_fail_key(reader, local,
                               "local indexes are made with their table, none can be added later "
                               "(DynamoDB's rule)");
    }
    if (!reader_mapping(reader, call, &words) ||
        !scenario_table_read(of->build, call, "TableName", &action->table) ||
        !read_mode(reader, document_get(call, "BillingMode"), update)) {
        return false;
    }
    const struct table_spec *table = &of->build->scenario->tables[action->table];
    const enum billing_mode mode =
        update->sets_billing_mode ? update->billing_mode : of->courses[action->table].mode;
    return read_throughput(of, call, mode, 0, update) &&
           read_indexes(of, document_get(call, "GlobalSecondaryIndexUpdates"), table, mode,
                        update) &&
           (!asks_nothing(update) || reader_fail(reader, call, "UpdateTable asks for nothing")) &&
           change_mode(of, call, action);
}

/* Its partition is looked for when the run begins: the model says how many there are. */
static bool read_failure(struct action_reader *of, const struct document_node *node,
                         struct action_spec *action) {
    static const char *const keys[] = {"TableName", "partition", NULL};
    static const struct reader_keys words = {keys, NULL};
    struct reader *reader = &of->build->reader;
    struct document_node *partition;
    int64_t number = 0;
    if (!reader_mapping(reader, node, &words) ||
        !scenario_table_read(of->build, node, "TableName", &action->table) ||
        !reader_require(reader, node, "partition", &partition) ||
        !reader_count(reader, partition, 0, TABLE_PARTITIONS_MAX - 1, &number)) {
        return false;
    }
    action->partition = (uint32_t)number;
    action->position = partition->position;
    return true;
}

bool scenario_loses_leaders(const struct scenario *scenario) {
    bool loses = false;
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        loses |= scenario->actions[i].kind != ACTION_UPDATE_TABLE;
    }
    return loses;
}

static bool read_action(struct action_reader *of, const struct document_node *node) {
    static const char *const keys[] = {"at", "UpdateTable", "LeaderLost", "NodeLost", NULL};
    static const struct reader_keys words = {keys, NULL};
    struct reader *reader = &of->build->reader;
    struct action_spec *action = &of->actions[of->count];
    struct document_node *at;
    *action = (struct action_spec){.at_ns = 0};
    if (!reader_mapping(reader, node, &words) || !reader_require(reader, node, "at", &at) ||
        !reader_duration(reader, at, 0, SIM_NS_MAX, &action->at_ns)) {
        return false;
    }
    const struct document_node *update = document_get(node, "UpdateTable");
    const struct document_node *leader = document_get(node, "LeaderLost");
    const struct document_node *of_node = document_get(node, "NodeLost");
    if ((update != NULL) + (leader != NULL) + (of_node != NULL) != 1) {
        return reader_fail(reader, node,
                           "expected one of 'UpdateTable', 'LeaderLost' and 'NodeLost'");
    }
    action->kind = update != NULL   ? ACTION_UPDATE_TABLE
                   : leader != NULL ? ACTION_LEADER_LOST
                                    : ACTION_NODE_LOST;
    if (of->count > 0 && action->at_ns < of->actions[of->count - 1].at_ns) {
        return reader_fail(reader, at, "'at' is before the action above it");
    }
    of->count++;
    return update != NULL ? read_update(of, update, action)
                          : read_failure(of, leader != NULL ? leader : of_node, action);
}

static bool is_scaled(const struct throughput_spec *throughput) {
    return throughput->read_scaling != NULL || throughput->write_scaling != NULL;
}

/* Auto scaling calls UpdateTable, as actions do. */
static bool check_scaling(struct scenario_build *build) {
    const struct scenario *scenario = build->scenario;
    bool any = false;
    for (uint32_t i = 0; i < scenario->table_count; i++) {
        const struct table_spec *table = &scenario->tables[i];
        for (uint32_t k = 0; k <= table->global_index_count; k++) {
            any = any || is_scaled(table_throughput(table, k));
        }
    }
    return !any || scenario->model.era == ERA_GAC ||
           reader_fail_key(&build->reader, document_get(build->root, "tables"),
                           "AutoScaling needs model.era gac: the shares of the older eras are not "
                           "divided anew while a table runs");
}

bool scenario_actions_read(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct scenario *scenario = build->scenario;
    const struct document_node *section = document_get(build->root, "actions");
    if (!check_scaling(build)) {
        return false;
    }
    if (section == NULL) {
        return true;
    }
    if (!reader_sequence(reader, section)) {
        return false;
    }
    if (section->child_count > ACTIONS_MAX) {
        return reader_fail(reader, section, "more than %d actions", ACTIONS_MAX);
    }
    struct action_reader of = {
        .build = build,
        .courses = ARENA_ARRAY(reader->arena, struct table_course, scenario->table_count, "actions",
                               reader->err),
        .actions = ARENA_ARRAY(reader->arena, struct action_spec, section->child_count, "actions",
                               reader->err),
    };
    if (of.courses == NULL || of.actions == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->table_count; i++) {
        const struct table_spec *table = &scenario->tables[i];
        of.courses[i] = (struct table_course){.mode = table->billing_mode};
        for (uint32_t k = 0; k < table->global_index_count; k++) {
            of.courses[i].has_index[k] = !table->indexes[k].is_added;
        }
    }
    for (const struct document_node *node = section->first; node != NULL; node = node->next) {
        if (!read_action(&of, node)) {
            return false;
        }
    }
    scenario->actions = of.actions;
    scenario->action_count = of.count;
    return true;
}
