/* table_reader.h, AutoScaling of a table or global index: target tracking, scheduled actions. */
#include "workloads/scaling_schedule.h"
#include "workloads/table_reader_parts.h"

#define TARGET_MIN 20.0 /* percent; AWS guide, auto scaling */
#define TARGET_MAX 90.0
#define TARGET_NONSENSE 1e9
#define ACTIONS_MAX 64
#define UNKNOWN_DURATION_NS (366 * 24 * 60 * SIM_NS_PER_MIN) /* of a trace, for calendars */

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

/* Appends the action at each time that its Schedule names within the run. */
static bool put_scheduled(struct reader *reader, struct document_node *node,
                          struct scaling_action action, struct scaling_action *actions,
                          uint32_t *count) {
    const int64_t start_s = reader->start_epoch_s;
    const sim_ns end_ns = reader->duration_ns < 0 ? UNKNOWN_DURATION_NS : reader->duration_ns;
    const int64_t end_s = start_s + end_ns / SIM_NS_PER_S + 1;
    struct scaling_schedule schedule;
    const char *text;
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    if (!scaling_schedule_read(&schedule, text)) {
        return reader_fail_expected(reader, node,
                                    "at(yyyy-mm-ddThh:mm:ss), rate(N minutes) or cron(minute hour "
                                    "day month weekday year)");
    }
    int64_t at_s = scaling_schedule_next(&schedule, start_s, end_s);
    if (at_s == SCALING_SCHEDULE_NEVER) {
        return reader_note(reader, &node->position, "'%s' does not come within the run",
                           reader_shown(reader, text));
    }
    action.every_ns = schedule.period_s * SIM_NS_PER_S;
    for (; at_s != SCALING_SCHEDULE_NEVER;
         at_s = action.every_ns > 0 ? SCALING_SCHEDULE_NEVER
                                    : scaling_schedule_next(&schedule, at_s + 1, end_s)) {
        if (*count == ACTIONS_MAX) {
            return reader_fail(reader, node, "more than %d scheduled actions within the run",
                               ACTIONS_MAX);
        }
        action.at_ns = at_s == start_s ? 1 : (at_s - start_s) * SIM_NS_PER_S;
        actions[(*count)++] = action;
    }
    return true;
}

static bool read_action(struct reader *reader, const struct document_node *node,
                        struct scaling_action *actions, uint32_t *count) {
    static const char *const keys[] = {"at",          "every",       "Schedule",
                                       "MinCapacity", "MaxCapacity", NULL};
    static const struct reader_keys action_keys = {keys, NULL};
    struct scaling_action action = {.min_units = UPDATE_KEEPS, .max_units = UPDATE_KEEPS};
    if (!reader_mapping(reader, node, &action_keys) ||
        !read_bounds(reader, node, false, &action.min_units, &action.max_units)) {
        return false;
    }
    if (action.min_units == UPDATE_KEEPS && action.max_units == UPDATE_KEEPS) {
        return reader_fail(reader, node, "a scheduled action needs MinCapacity or MaxCapacity");
    }
    struct document_node *at = document_get(node, "at"), *every = document_get(node, "every");
    struct document_node *schedule = document_get(node, "Schedule");
    if (schedule != NULL && (at != NULL || every != NULL)) {
        return reader_fail_key(reader, schedule, "a scheduled action has 'at' or 'Schedule'");
    }
    if (schedule != NULL) {
        return put_scheduled(reader, schedule, action, actions, count);
    }
    if (!reader_require(reader, node, "at", &at) ||
        !reader_duration(reader, at, 1, SIM_NS_MAX, &action.at_ns) ||
        !reader_duration(reader, every, SIM_NS_PER_MIN, SIM_NS_MAX, &action.every_ns)) {
        return false;
    }
    if (*count == ACTIONS_MAX) {
        return reader_fail(reader, node, "more than %d scheduled actions", ACTIONS_MAX);
    }
    actions[(*count)++] = action;
    return true;
}

static bool read_actions(struct reader *reader, const struct document_node *list,
                         struct scaling_spec *scaling) {
    if (list == NULL) {
        return true;
    }
    if (!reader_sequence(reader, list)) {
        return false;
    }
    struct scaling_action *actions =
        ARENA_ARRAY(reader->arena, struct scaling_action, ACTIONS_MAX, "actions", reader->err);
    if (actions == NULL) {
        return false;
    }
    for (const struct document_node *node = list->first; node != NULL; node = node->next) {
        if (!read_action(reader, node, actions, &scaling->action_count)) {
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
        !reader_number(reader, target, 0, TARGET_NONSENSE, &percent) ||
        !reader_duration(reader, document_get(node, "ScaleOutCooldown"), 0, SIM_NS_MAX,
                         &spec->out_cooldown_ns) ||
        !reader_duration(reader, document_get(node, "ScaleInCooldown"), 0, SIM_NS_MAX,
                         &spec->in_cooldown_ns) ||
        !reader_bool(reader, document_get(node, "DisableScaleIn"), &spec->disable_scale_in) ||
        !read_actions(reader, document_get(node, "ScheduledActions"), spec)) {
        return false;
    }
    if (percent < TARGET_MIN || percent > TARGET_MAX) {
        return reader_fail(reader, target,
                           "'TargetValue' is %s, outside of 20 … 90 percent (DynamoDB's rule)",
                           target->text);
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
        return table_reader_refuse_other_mode(
            reader, node,
            "AutoScaling is for BillingMode PROVISIONED: an on-demand table has no capacity to "
            "scale (DynamoDB's rule)");
    }
    return reader_mapping(reader, node, &scaling_keys) &&
           read_side(reader, document_get(node, keys[0]), &throughput->read_scaling) &&
           read_side(reader, document_get(node, keys[1]), &throughput->write_scaling);
}
