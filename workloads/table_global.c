#include "workloads/table_global.h"

#include "workloads/table_scaling.h"

#include <stdio.h>
#include <string.h>

struct direction {
    const char *units, *settings, *scaling;
    enum table_scaling_direction scaled;
};

static const struct direction read_direction = {
    "ReadCapacityUnits", "ReadProvisionedThroughputSettings", "ReadCapacityAutoScalingSettings",
    TABLE_SCALING_READ};
static const struct direction write_direction = {
    "WriteCapacityUnits", "WriteProvisionedThroughputSettings", "WriteCapacityAutoScalingSettings",
    TABLE_SCALING_WRITE};

static bool is_mapping(const struct document_node *node) {
    return node != NULL && node->kind == DOCUMENT_MAPPING;
}

/* The element of a list of mappings whose IndexName is name. */
static struct document_node *find_index(const struct document_node *list, const char *name) {
    if (list == NULL || list->kind != DOCUMENT_SEQUENCE || name == NULL) {
        return NULL;
    }
    for (struct document_node *each = list->first; each != NULL; each = each->next) {
        const struct document_node *of = is_mapping(each) ? document_get(each, "IndexName") : NULL;
        if (of != NULL && of->text != NULL && strcmp(of->text, name) == 0) {
            return each;
        }
    }
    return NULL;
}

/* Moves the units of one direction out of from's settings into throughput, and how they scale into
 * owner's AutoScaling. */
static bool move_units(struct reader *reader, struct document_node *from,
                       const struct direction *direction, struct document_node *owner,
                       struct document_node *throughput) {
    static const char configuration_key[] = "TargetTrackingScalingPolicyConfiguration";
    static const char *const keys[] = {"MinCapacity", "MaxCapacity", "SeedCapacity",
                                       configuration_key, NULL};
    static const struct reader_keys scaling_keys = {keys, NULL};
    struct document_node *settings = from == NULL ? NULL : document_get(from, direction->settings);
    if (settings == NULL) {
        return true;
    }
    if (!reader_mapping(reader, settings, NULL)) {
        return false;
    }
    struct document_node *units = document_get(settings, direction->units), *configuration;
    struct document_node *scaling = document_get(settings, direction->scaling);
    if (units != NULL) {
        document_remove(settings, direction->units);
        document_put(throughput, direction->units, units);
        return true;
    }
    if (scaling == NULL) {
        return true;
    }
    if (!reader_mapping(reader, scaling, &scaling_keys) ||
        !reader_require(reader, scaling, "MinCapacity", &units) ||
        !reader_require(reader, scaling, configuration_key, &configuration)) {
        return false;
    }
    struct document_node *initial =
        document_new(reader->arena, units->kind, units->text, &units->position, reader->err);
    if (initial == NULL) {
        return false;
    }
    initial->is_literal = true;
    document_put(throughput, direction->units, initial);
    return table_scaling_put(reader, owner, direction->scaled, scaling, configuration);
}

/* A mapping with what both settings say, put beside them when it says anything. */
static bool translate(struct reader *reader, struct document_node *table,
                      struct document_node *replica) {
    struct document_node *throughput =
        document_new(reader->arena, DOCUMENT_MAPPING, NULL, &table->position, reader->err);
    if (throughput == NULL) {
        return false;
    }
    throughput->is_literal = true;
    if (!move_units(reader, table, &write_direction, table, throughput) ||
        !move_units(reader, replica, &read_direction, table, throughput)) {
        return false;
    }
    document_remove(table, write_direction.settings);
    if (throughput->child_count > 0) {
        document_put(table, "ProvisionedThroughput", throughput);
    }
    return true;
}

static bool note_replicas(struct reader *reader, const struct document_node *replicas) {
    const struct document_node *region =
        is_mapping(replicas->first) ? document_get(replicas->first, "Region") : NULL;
    return replicas->child_count < 2 ||
           reader_note(reader, &replicas->key_position,
                       "of %u replicas the first is simulated (%s); replicated writes are not "
                       "modelled",
                       replicas->child_count,
                       region == NULL || region->text == NULL ? "?" : region->text);
}

bool table_global_translate(struct reader *reader, struct document_node *properties) {
    struct document_node *replicas = document_get(properties, "Replicas");
    struct document_node *replica = NULL;
    if (replicas != NULL) {
        if (!reader_sequence(reader, replicas) || !note_replicas(reader, replicas)) {
            return false;
        }
        replica = is_mapping(replicas->first) ? replicas->first : NULL;
    }
    if (!translate(reader, properties, replica)) {
        return false;
    }
    const struct document_node *indexes = document_get(properties, "GlobalSecondaryIndexes");
    const struct document_node *of_replica =
        replica == NULL ? NULL : document_get(replica, "GlobalSecondaryIndexes");
    struct document_node *index =
        indexes != NULL && indexes->kind == DOCUMENT_SEQUENCE ? indexes->first : NULL;
    for (; index != NULL; index = index->next) {
        const struct document_node *name =
            is_mapping(index) ? document_get(index, "IndexName") : NULL;
        if (name != NULL && !translate(reader, index, find_index(of_replica, name->text))) {
            return false;
        }
    }
    document_remove(properties, "Replicas");
    return true;
}
