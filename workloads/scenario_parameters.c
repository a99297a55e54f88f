#include "workloads/scenario_parts.h"

#include "sim/check.h"

#include <string.h>

static bool is_top_key(const char *name) {
    for (size_t i = 0; scenario_top_keys.known[i] != NULL; i++) {
        if (strcmp(scenario_top_keys.known[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_parameter(struct scenario_build *build, struct document_node *node) {
    struct reader *reader = &build->reader;
    struct scenario_parameter *parameter = &reader->parameters[reader->parameter_count];
    if (!reader_is_name(node->key, false)) {
        return reader_fail_key(
            reader, node, "a parameter's name is letters, digits and '_', at most 64; got '%s'",
            reader_shown(reader, node->key));
    }
    if (is_top_key(node->key)) {
        /* --set could not tell them apart. */
        return reader_fail_key(
            reader, node, "a parameter may not have the name of a top-level key, '%s'", node->key);
    }
    bool is_set = node->set != NULL;
    if (!reader_text(reader, node, &parameter->value)) {
        return false;
    }
    parameter->name = node->key;
    parameter->source = is_set ? "--set" : "scenario";
    parameter->position = node->position;
    reader->parameter_count++; /* from here on others may use it */
    return true;
}

bool scenario_parameters_read(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct document_node *section = document_get(build->root, "parameters");
    if (section == NULL) {
        return true;
    }
    if (!reader_mapping(reader, section, NULL)) {
        return false;
    }
    if (section->child_count > SCENARIO_PARAMETERS_MAX) {
        return reader_fail(reader, section, "more than %d parameters", SCENARIO_PARAMETERS_MAX);
    }
    reader->parameters = ARENA_ARRAY(reader->arena, struct scenario_parameter, section->child_count,
                                     "parameters", reader->err);
    reader->parameter_is_used =
        ARENA_ARRAY(reader->arena, bool, section->child_count, "parameters", reader->err);
    if (reader->parameters == NULL || reader->parameter_is_used == NULL) {
        return false;
    }
    reader->is_in_parameters = true;
    for (struct document_node *node = section->first; node != NULL; node = node->next) {
        if (!read_parameter(build, node)) {
            return false;
        }
    }
    reader->is_in_parameters = false;
    build->scenario->parameters = reader->parameters;
    build->scenario->parameter_count = reader->parameter_count;
    return true;
}

bool scenario_parameters_note_unused(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        const struct scenario_parameter *parameter = &reader->parameters[i];
        if (!reader->parameter_is_used[i] &&
            !reader_note(reader, &parameter->position, "parameter '%s' is not used anywhere",
                         parameter->name)) {
            return false;
        }
    }
    return true;
}
