/* table_reader.h, AutoScaling of a table or global index: target tracking, scheduled actions. */
#include "workloads/table_reader_parts.h"

#define TARGET_MIN 20.0 /* percent; AWS guide, auto scaling */
#define TARGET_MAX 90.0
#define ACTIONS_MAX 64

static bool read_bounds(struct reader *reader, const struct document_node *node, bool are_needed,
                        int64_t *least, int64_t *most) {
    struct document_node *min = document_get(node, "MinCapacity");
    struct document_node *max = document_get(node, "MaxCapacity");
    if (are_needed && (!reader_require(reader, node, "MinCapacity", &min) ||
                       !reader_require(reader, node, "MaxCapacity", &max))) {
        return false;
    }
    if (!reader_count(reader, min, 1, TABLE_CAPACITY_UNITS_MAX, least) ||
        !reader_count(reader, max, 1, TABLE_CAPACITY_UNITS_MAX, most)) {
        return false;
    }
    return min == NULL || max == NULL || *least <= *most ||
           reader_fail(reader, min,
                       "MinCapacity %lld is above MaxCapacity %lld (Application Auto Scaling's "
                       "rule)",
                       (long long)*least, (long long)*most);
}

static bool read_action(struct reader *reader, const struct document_node *node,
                        struct scaling_action *action) {
    static const char *const keys[] = {"at", "every", "MinCapacity", "MaxCapacity", NULL};
    static const struct reader_keys action_keys = {keys, NULL};
    struct document_node *at;
    *action = (struct scaling_action){.min_units = UPDATE_KEEPS, .max_units = UPDATE_KEEPS};
    if (!reader_mapping(reader, node, &action_keys) || !reader_require(reader, node, "at", &at) ||
        !reader_duration(reader, at, 1, SIM_NS_MAX, &action->at_ns) ||
        !reader_duration(reader, document_get(node, "every"), SIM_NS_PER_MIN, SIM_NS_MAX,
                         &action->every_ns) ||
        !read_bounds(reader, node, false, &action->min_units, &action->max_units)) {
        return false;
    }
    return action->min_units != UPDATE_KEEPS || action->max_units != UPDATE_KEEPS ||
           reader_fail(reader, node, "a scheduled action needs MinCapacity or MaxCapacity");
}

static bool read_actions(struct reader *reader, const struct document_node *list,
                         struct scaling_spec *scaling) {
    if (list == NULL) {
        return true;
    }
    if (!reader_sequence(reader, list)) {
        return false;
    }
    if (list->child_count > ACTIONS_MAX) {
        return reader_fail(reader, list, "more than %d scheduled actions", ACTIONS_MAX);
    }
    struct scaling_action *actions = ARENA_ARRAY(reader->arena, struct scaling_action,
                                                 list->child_count, "actions", reader->err);
    if (actions == NULL) {
        return false;
    }
    for (const struct document_node *node = list->first; node != NULL; node = node->next) {
        if (!read_action(reader, node, &actions[scaling->action_count++])) {
            return false;
        }
    }
    scaling->actions = actions;
    return true;
}

/* One direction; *scaling NULL when it is not scaled. */
static bool read_side(struct reader *reader, const struct document_node *node,
                      const struct scaling_spec **scaling) {
    static const char *const keys[] = {
        "MinCapacity",     "MaxCapacity",    "TargetValue",      "ScaleOutCooldown",
        "ScaleInCooldown", "DisableScaleIn", "ScheduledActions", NULL};
    static const struct reader_keys side_keys = {keys, NULL};
    if (node == NULL) {
        return true;
    }
    struct scaling_spec *spec =
        ARENA_NEW(reader->arena, struct scaling_spec, "auto scaling", reader->err);
    struct document_node *target;
    double percent = 0;
    if (spec == NULL) {
        return false;
    }
    *spec = (struct scaling_spec){.min_units = 0};
    if (!reader_mapping(reader, node, &side_keys) ||
        !read_bounds(reader, node, true, &spec->min_units, &spec->max_units) ||
        !reader_require(reader, node, "TargetValue", &target) ||
        !reader_number(reader, target, TARGET_MIN, TARGET_MAX, &percent) ||
        !reader_duration(reader, document_get(node, "ScaleOutCooldown"), 0, SIM_NS_MAX,
                         &spec->out_cooldown_ns) ||
        !reader_duration(reader, document_get(node, "ScaleInCooldown"), 0, SIM_NS_MAX,
                         &spec->in_cooldown_ns) ||
        !reader_bool(reader, document_get(node, "DisableScaleIn"), &spec->disable_scale_in) ||
        !read_actions(reader, document_get(node, "ScheduledActions"), spec)) {
        return false;
    }
    spec->target = (int64_t)(percent * (double)PARAMETER_FRACTION_ONE / 100 + 0.5);
    *scaling = spec;
    return true;
}

bool table_reader_scaling(struct reader *reader, const struct document_node *node,
                          enum billing_mode mode, struct throughput_spec *throughput) {
    static const char *const keys[] = {"ReadCapacityUnits", "WriteCapacityUnits", NULL};
    static const struct reader_keys scaling_keys = {keys, NULL};
    if (node == NULL) {
        return true;
    }
    if (mode != BILLING_PROVISIONED) {
        return reader_fail_key(reader, node,
                               "AutoScaling is for BillingMode PROVISIONED: an on-demand table "
                               "has no capacity to scale (DynamoDB's rule)");
    }
    return reader_mapping(reader, node, &scaling_keys) &&
           read_side(reader, document_get(node, keys[0]), &throughput->read_scaling) &&
           read_side(reader, document_get(node, keys[1]), &throughput->write_scaling);
}
