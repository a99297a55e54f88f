#include "workloads/table_scaling.h"

#include <stdio.h>
#include <string.h>

#define COOLDOWN_S_MAX 1000000

static const char *const unit_names[] = {"ReadCapacityUnits", "WriteCapacityUnits"};
static const char *const metric_names[] = {"DynamoDBReadCapacityUtilization",
                                           "DynamoDBWriteCapacityUtilization"};

/* What a scalable target scales. */
struct target {
    const char *resource_id;
    const char *index_name; /* NULL: the table */
    enum table_scaling_direction direction;
    struct document_node *properties, *dimension;
};

struct translation {
    struct reader *reader;
    struct table_scope scope; /* with the template's resources */
    const struct document_node *resource;
    const char *name;
    struct document_node *table;
};

static struct document_node *new_mapping(struct reader *reader, const struct document_node *at) {
    struct document_node *node =
        document_new(reader->arena, DOCUMENT_MAPPING, NULL, &at->position, reader->err);
    if (node != NULL) {
        node->is_literal = true;
        node->key_position = at->key_position;
    }
    return node;
}

/* Copies a scalar; CloudFormation's seconds become a duration. */
static bool put_seconds(struct reader *reader, struct document_node *from, const char *key,
                        struct document_node *side) {
    struct document_node *node = document_get(from, key);
    int64_t seconds = 0;
    char text[32];
    if (node == NULL) {
        return true;
    }
    if (!reader_count(reader, node, 0, COOLDOWN_S_MAX, &seconds)) {
        return false;
    }
    (void)snprintf(text, sizeof text, "%llds", (long long)seconds);
    const char *kept = arena_strndup(reader->arena, text, strlen(text), reader->err);
    struct document_node *duration =
        kept == NULL
            ? NULL
            : document_new(reader->arena, DOCUMENT_SCALAR, kept, &node->position, reader->err);
    if (duration == NULL) {
        return false;
    }
    duration->is_literal = true;
    duration->key_position = node->key_position;
    document_put(side, key, duration);
    return true;
}

static void move(struct document_node *from, const char *key, struct document_node *side) {
    struct document_node *node = document_get(from, key);
    if (node != NULL) {
        document_remove(from, key);
        document_put(side, key, node);
    }
}

static bool check_metric(struct reader *reader, const struct document_node *configuration,
                         enum table_scaling_direction direction) {
    const struct document_node *metric =
        document_get(configuration, "PredefinedMetricSpecification");
    struct document_node *type;
    const char *text = NULL;
    if (metric == NULL) {
        return true;
    }
    if (!reader_mapping(reader, metric, NULL) ||
        !reader_require(reader, metric, "PredefinedMetricType", &type) ||
        !reader_text(reader, type, &text)) {
        return false;
    }
    return strcmp(text, metric_names[direction]) == 0 ||
           reader_fail(reader, type,
                       "'%s' does not measure %s; expected '%s' (Application Auto "
                       "Scaling's rule)",
                       reader_shown(reader, text), unit_names[direction], metric_names[direction]);
}

/* One direction of AutoScaling, out of the nodes of a file. */
static struct document_node *make_side(struct reader *reader,
                                       enum table_scaling_direction direction,
                                       struct document_node *bounds,
                                       struct document_node *configuration) {
    static const char *const keys[] = {"PredefinedMetricSpecification",
                                       "TargetValue",
                                       "ScaleInCooldown",
                                       "ScaleOutCooldown",
                                       "DisableScaleIn",
                                       NULL};
    static const char *const later[] = {"CustomizedMetricSpecification", NULL};
    static const struct reader_keys configuration_keys = {keys, later};
    struct document_node *side = new_mapping(reader, configuration);
    if (side == NULL || !reader_mapping(reader, configuration, &configuration_keys) ||
        !check_metric(reader, configuration, direction) ||
        !put_seconds(reader, configuration, "ScaleInCooldown", side) ||
        !put_seconds(reader, configuration, "ScaleOutCooldown", side)) {
        return NULL;
    }
    move(bounds, "MinCapacity", side);
    move(bounds, "MaxCapacity", side);
    move(bounds, "ScheduledActions", side);
    move(configuration, "TargetValue", side);
    move(configuration, "DisableScaleIn", side);
    return side;
}

/* The mapping under key, made when it is not there; NULL on no memory or when it is no mapping. */
static struct document_node *mapping_under(struct reader *reader, struct document_node *owner,
                                           const char *key, const struct document_node *at) {
    struct document_node *node = document_get(owner, key);
    if (node != NULL) {
        return reader_mapping(reader, node, NULL) ? node : NULL;
    }
    node = new_mapping(reader, at);
    if (node != NULL) {
        document_put(owner, key, node);
    }
    return node;
}

bool table_scaling_put(struct reader *reader, struct document_node *owner,
                       enum table_scaling_direction direction, struct document_node *bounds,
                       struct document_node *configuration) {
    struct document_node *side = make_side(reader, direction, bounds, configuration);
    struct document_node *scaling =
        side == NULL ? NULL : mapping_under(reader, owner, "AutoScaling", configuration);
    if (scaling == NULL) {
        return false;
    }
    struct document_node *given = document_get(scaling, unit_names[direction]);
    if (given != NULL && !reader_mapping(reader, given, NULL)) {
        return false;
    }
    if (given != NULL && given->is_literal) {
        return reader_fail(reader, configuration, "%s are scaled twice", unit_names[direction]);
    }
    if (given != NULL) {
        document_put_over(side, given);
    }
    document_put(scaling, unit_names[direction], side);
    return true;
}

static bool has_type(const struct document_node *resource, const char *type) {
    const struct document_node *node =
        resource->kind == DOCUMENT_MAPPING ? document_get(resource, "Type") : NULL;
    return node != NULL && node->text != NULL && strcmp(node->text, type) == 0;
}

/* Resolves a property and gives its text; NULL when it is not there, or no text. What cannot be
 * resolved is noted, as it may be of another table. */
static bool property_text(struct translation *translation, const struct document_node *properties,
                          const char *key, const char **text) {
    struct reader *reader = translation->reader;
    struct document_node *node = document_get(properties, key);
    struct err *const kept = reader->err;
    struct err fault = {.kind = ERR_NONE};
    bool is_absent = false;
    *text = NULL;
    if (node == NULL) {
        return true;
    }
    reader->err = &fault;
    const bool is_told = table_intrinsic_resolve(reader, &translation->scope, node, &is_absent);
    reader->err = kept;
    if (!is_told) {
        return reader_note(reader, &node->key_position,
                           "%s cannot be told here: this auto scaling is left out", key);
    }
    *text = is_absent || node->kind != DOCUMENT_SCALAR ? NULL : node->text;
    return true;
}

/* Whether a resource of that type is there; *properties: its own. */
static bool find_properties(struct translation *translation, const struct document_node *resource,
                            const char *type, struct document_node **properties) {
    struct reader *reader = translation->reader;
    const struct document_node *condition;
    bool holds = true;
    *properties = NULL;
    if (!has_type(resource, type)) {
        return true;
    }
    condition = document_get(resource, "Condition");
    if (condition != NULL &&
        !table_intrinsic_holds(reader, &translation->scope, condition, &holds)) {
        return false;
    }
    return !holds || (reader_require(reader, resource, "Properties", properties) &&
                      reader_mapping(reader, *properties, NULL));
}

/* Whether the text begins with the table's name, by itself or as a Ref; *rest: what follows. */
static bool is_named(const struct translation *translation, const char *text, const char **rest) {
    const char *id = translation->resource->key, *name = translation->name;
    const size_t id_bytes = strlen(id);
    if (strncmp(text, "${", 2) == 0 && strncmp(text + 2, id, id_bytes) == 0 &&
        text[2 + id_bytes] == '}') {
        *rest = text + 2 + id_bytes + 1;
        return true;
    }
    if (name == NULL || strncmp(text, name, strlen(name)) != 0) {
        return false;
    }
    *rest = text + strlen(name);
    return **rest == '\0' || **rest == '/';
}

/* Whether the target is of this table: *is_ours. */
static bool read_target(struct translation *translation, struct document_node *properties,
                        struct target *target, bool *is_ours) {
    static const char index_word[] = "/index/";
    const char *space, *rest;
    *target = (struct target){.properties = properties};
    *is_ours = false;
    if (!property_text(translation, properties, "ServiceNamespace", &space) ||
        (space != NULL && strcmp(space, "dynamodb") != 0)) {
        return space != NULL;
    }
    if (!property_text(translation, properties, "ResourceId", &target->resource_id)) {
        return false;
    }
    const char *id = target->resource_id;
    if (id == NULL || strncmp(id, "table/", 6) != 0 || !is_named(translation, id + 6, &rest)) {
        return true;
    }
    *is_ours = true;
    if (*rest == '\0') {
        return true;
    }
    const size_t bytes = sizeof index_word - 1;
    target->index_name = rest + bytes;
    return (strncmp(rest, index_word, bytes) == 0 && rest[bytes] != '\0') ||
           reader_fail_expected(translation->reader, document_get(properties, "ResourceId"),
                                "table/NAME or table/NAME/index/INDEX");
}

static bool read_dimension(struct translation *translation, struct target *target) {
    static const char *const words[] = {
        "dynamodb:table:ReadCapacityUnits", "dynamodb:table:WriteCapacityUnits",
        "dynamodb:index:ReadCapacityUnits", "dynamodb:index:WriteCapacityUnits", NULL};
    static const struct reader_keys dimensions = {words, NULL};
    struct reader *reader = translation->reader;
    const char *text;
    uint32_t which = 0;
    if (!reader_require(reader, target->properties, "ScalableDimension", &target->dimension) ||
        !property_text(translation, target->properties, "ScalableDimension", &text) ||
        !reader_word(reader, target->dimension, &dimensions, &which)) {
        return false;
    }
    target->direction = which % 2 == 0 ? TABLE_SCALING_READ : TABLE_SCALING_WRITE;
    return (which >= 2) == (target->index_name != NULL) ||
           reader_fail(reader, target->dimension,
                       "ScalableDimension '%s' is not of ResourceId '%s' (Application Auto "
                       "Scaling's rule)",
                       words[which], reader_shown(reader, target->resource_id));
}

/* Whether a policy is of the target: by its logical id, or by what it scales. */
static bool is_policy_of(struct translation *translation, const struct document_node *policy,
                         const struct target *target, const char *target_id, bool *is_of) {
    const char *by_id, *resource_id, *dimension;
    if (!property_text(translation, policy, "ScalingTargetId", &by_id) ||
        !property_text(translation, policy, "ResourceId", &resource_id) ||
        !property_text(translation, policy, "ScalableDimension", &dimension)) {
        return false;
    }
    const size_t bytes = strlen(target_id);
    *is_of = by_id != NULL
                 ? strncmp(by_id, "${", 2) == 0 && strncmp(by_id + 2, target_id, bytes) == 0 &&
                       strcmp(by_id + 2 + bytes, "}") == 0
                 : resource_id != NULL && dimension != NULL &&
                       strcmp(resource_id, target->resource_id) == 0 &&
                       strcmp(dimension, target->dimension->text) == 0;
    return true;
}

/* The policy's configuration, all functions in it resolved. */
static bool read_policy(struct translation *translation, struct document_node *policy,
                        struct document_node **configuration) {
    static const char key[] = "TargetTrackingScalingPolicyConfiguration";
    struct reader *reader = translation->reader;
    struct document_node *type = document_get(policy, "PolicyType");
    const char *text;
    bool is_absent = false;
    if (!property_text(translation, policy, "PolicyType", &text)) {
        return false;
    }
    if (text != NULL && strcmp(text, "TargetTrackingScaling") != 0) {
        return reader_fail(reader, type,
                           "PolicyType '%s': DynamoDB has target tracking only, "
                           "'TargetTrackingScaling' (Application Auto Scaling's rule)",
                           reader_shown(reader, text));
    }
    return reader_require(reader, policy, key, configuration) &&
           table_intrinsic_resolve(reader, &translation->scope, *configuration, &is_absent);
}

/* NULL when the target has no policy. */
static bool find_policy(struct translation *translation, const struct target *target,
                        const char *target_id, struct document_node **configuration) {
    const struct document_node *each = translation->scope.resources->first;
    *configuration = NULL;
    for (; each != NULL; each = each->next) {
        struct document_node *policy;
        bool is_of = false;
        if (!find_properties(translation, each, "AWS::ApplicationAutoScaling::ScalingPolicy",
                             &policy) ||
            (policy != NULL && !is_policy_of(translation, policy, target, target_id, &is_of))) {
            return false;
        }
        if (!is_of) {
            continue;
        }
        if (*configuration != NULL) {
            return reader_fail_key(translation->reader, each,
                                   "'%s' has two policies; expected one that tracks a target",
                                   reader_shown(translation->reader, target_id));
        }
        if (!read_policy(translation, policy, configuration)) {
            return false;
        }
    }
    return true;
}

/* The table, or its global index of that name; NULL, noted, when the scenario has put indexes of
 * its own in the place of the file's. */
static bool find_owner(struct translation *translation, const struct target *target,
                       struct document_node **owner) {
    struct reader *reader = translation->reader;
    const struct document_node *list = document_get(translation->table, "GlobalSecondaryIndexes");
    struct document_node *at = document_get(target->properties, "ResourceId");
    *owner = target->index_name == NULL ? translation->table : NULL;
    if (*owner != NULL) {
        return true;
    }
    struct document_node *each =
        list != NULL && list->kind == DOCUMENT_SEQUENCE ? list->first : NULL;
    for (; each != NULL && *owner == NULL; each = each->next) {
        const struct document_node *name =
            each->kind == DOCUMENT_MAPPING ? document_get(each, "IndexName") : NULL;
        if (name != NULL && name->text != NULL && strcmp(name->text, target->index_name) == 0) {
            *owner = each;
        }
    }
    if (*owner != NULL) {
        return true;
    }
    if (list != NULL && !list->is_literal) {
        return reader_note(reader, &at->position,
                           "the table has no global index '%s' here: its "
                           "auto scaling is left out",
                           reader_shown(reader, target->index_name));
    }
    return reader_fail(reader, at, "the table has no global index '%s'",
                       reader_shown(reader, target->index_name));
}

/* Scheduled actions in the words of AutoScaling: ScalableTargetAction's bounds beside Schedule. */
static bool flatten_actions(struct reader *reader, const struct document_node *properties) {
    static const char *const keys[] = {"ScheduledActionName", "Schedule", "ScalableTargetAction",
                                       "Timezone", NULL};
    static const char *const later[] = {"StartTime", "EndTime", NULL};
    static const char *const bound_keys[] = {"MinCapacity", "MaxCapacity", NULL};
    static const char *const zones[] = {"UTC", "Etc/UTC", NULL};
    static const struct reader_keys action_keys = {keys, later}, bounds = {bound_keys, NULL};
    static const struct reader_keys zone_words = {zones, NULL};
    struct document_node *list = document_get(properties, "ScheduledActions"), *action;
    uint32_t zone;
    if (list != NULL && !reader_sequence(reader, list)) {
        return false;
    }
    for (struct document_node *each = list == NULL ? NULL : list->first; each; each = each->next) {
        if (!reader_mapping(reader, each, &action_keys) ||
            !reader_word(reader, document_get(each, "Timezone"), &zone_words, &zone) ||
            !reader_require(reader, each, "ScalableTargetAction", &action) ||
            !reader_mapping(reader, action, &bounds)) {
            return false;
        }
        document_remove(each, "ScheduledActionName");
        document_remove(each, "Timezone");
        document_remove(each, "ScalableTargetAction");
        move(action, "MinCapacity", each);
        move(action, "MaxCapacity", each);
    }
    return true;
}

static bool resolve_target(struct translation *translation, const struct target *target) {
    static const char *const keys[] = {"MinCapacity", "MaxCapacity", "ScheduledActions"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct document_node *node = document_get(target->properties, keys[i]);
        bool is_absent = false;
        if (node != NULL &&
            !table_intrinsic_resolve(translation->reader, &translation->scope, node, &is_absent)) {
            return false;
        }
        if (is_absent) {
            document_remove(target->properties, keys[i]);
        }
    }
    return flatten_actions(translation->reader, target->properties);
}

static bool translate_one(struct translation *translation, const struct document_node *resource,
                          struct document_node *properties) {
    struct reader *reader = translation->reader;
    struct document_node *configuration, *owner;
    struct target target;
    bool is_ours;
    if (!read_target(translation, properties, &target, &is_ours) ||
        (is_ours && !read_dimension(translation, &target))) {
        return false;
    }
    if (!is_ours) {
        return true;
    }
    if (!find_policy(translation, &target, resource->key, &configuration) ||
        !find_owner(translation, &target, &owner)) {
        return false;
    }
    if (configuration == NULL) {
        return reader_note(reader, &resource->key_position,
                           "'%s' has no AWS::ApplicationAutoScaling::ScalingPolicy: it is left out",
                           reader_shown(reader, resource->key));
    }
    return owner == NULL ||
           (resolve_target(translation, &target) &&
            table_scaling_put(reader, owner, target.direction, properties, configuration));
}

bool table_scaling_translate(struct reader *reader, const struct table_scope *scope,
                             const struct document_node *resource, const char *name,
                             struct document_node *properties) {
    struct translation translation = {
        .reader = reader, .scope = *scope, .resource = resource, .name = name, .table = properties};
    const struct document_node *each = scope->resources->first;
    for (; each != NULL; each = each->next) {
        struct document_node *target;
        if (!find_properties(&translation, each, "AWS::ApplicationAutoScaling::ScalableTarget",
                             &target) ||
            (target != NULL && !translate_one(&translation, each, target))) {
            return false;
        }
    }
    return true;
}

static bool check_owner(struct reader *reader, const struct document_node *owner) {
    const struct document_node *scaling =
        owner->kind == DOCUMENT_MAPPING ? document_get(owner, "AutoScaling") : NULL;
    const struct document_node *side =
        scaling == NULL || scaling->kind != DOCUMENT_MAPPING ? NULL : scaling->first;
    for (; side != NULL; side = side->next) {
        if (side->is_literal) {
            return reader_fail(reader, side,
                               "auto scaling of a table whose BillingMode is PAY_PER_REQUEST: an "
                               "on-demand table has no capacity to scale (DynamoDB's rule)");
        }
    }
    return true;
}

bool table_scaling_check_mode(struct reader *reader, const struct document_node *properties) {
    const struct document_node *mode = document_get(properties, "BillingMode");
    const struct document_node *list = document_get(properties, "GlobalSecondaryIndexes");
    if (mode == NULL || !mode->is_literal || mode->text == NULL ||
        strcmp(mode->text, "PAY_PER_REQUEST") != 0) {
        return true;
    }
    if (!check_owner(reader, properties)) {
        return false;
    }
    const struct document_node *each =
        list != NULL && list->kind == DOCUMENT_SEQUENCE ? list->first : NULL;
    for (; each != NULL; each = each->next) {
        if (!check_owner(reader, each)) {
            return false;
        }
    }
    return true;
}
