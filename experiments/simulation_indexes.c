/* What writes give the indexes of their table, and what the service has written there. */
#include "experiments/simulation_parts.h"

#include <inttypes.h>
#include <string.h>

#define VALUES_CHUNK 1024

static bool start_workload(struct simulation *simulation, struct simulation_workload *state,
                           struct err *err) {
    const struct workload_spec *spec = state->spec;
    const uint32_t count = spec->given_count + spec->held_count;
    struct arena *arena = &simulation->arena;
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    state->writes_indexes = table->index_count > 0 && ddb_operation_writes(spec->operation);
    state->attributes = ARENA_ARRAY(arena, uint32_t, count, "attributes", err);
    state->values =
        ARENA_ARRAY(arena, struct attribute_value,
                    (size_t)spec->given_count * (GENERATOR_BATCH + 1), "attributes", err);
    state->held_values =
        ARENA_ARRAY(arena, struct attribute_value, spec->held_count, "attributes", err);
    state->values_by_number = ARENA_ARRAY(arena, struct id_map, count, "attributes", err);
    if (state->attributes == NULL || state->values == NULL || state->held_values == NULL ||
        state->values_by_number == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        state->attributes[i] =
            service_attribute(&simulation->service, spec->table, spec->attributes[i].name);
        if (!id_map_init(&state->values_by_number[i],
                         state->generator.attributes[i].key_template.items_below, err)) {
            return false;
        }
        state->value_map_count++;
    }
    return true;
}

bool simulation_start_indexes(struct simulation *simulation, struct err *err) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        struct simulation_workload *state = &simulation->workloads[i];
        most = state->spec->given_count > most ? state->spec->given_count : most;
        if (!start_workload(simulation, state, err)) {
            return false;
        }
    }
    grow_array_init(&simulation->waiting_values, &simulation->arena,
                    sizeof(struct attribute_value) * most, VALUES_CHUNK);
    return true;
}

void simulation_end_indexes(struct simulation_workload *state) {
    for (uint32_t i = 0; i < state->value_map_count; i++) {
        id_map_fini(&state->values_by_number[i]);
    }
}

bool simulation_add_keys(struct simulation *simulation, uint32_t resource,
                         const struct key_source *source, struct err *err) {
    struct grow_array *sources = &simulation->key_sources[resource];
    while (sources->count < service_key_count(&simulation->service, resource)) {
        uint32_t key;
        if (!grow_array_append(sources, 1, &key, err)) {
            return false;
        }
        if (simulation->workloads[source->workload].has_numbered_items) {
            *(uint32_t *)grow_array_at(sources, key) = (uint32_t)source->number;
        } else {
            *(struct key_source *)grow_array_at(sources, key) = *source;
        }
        if (simulation->block->key_count == PIPELINE_KEYS && !simulation_publish(simulation, err)) {
            return false;
        }
        simulation->block->keys[simulation->block->key_count++] = (struct new_key){
            .ring_position = service_key_position(&simulation->service, resource, key),
            .resource = (uint16_t)resource,
        };
    }
    return true;
}

bool simulation_add_index_keys(struct simulation *simulation, uint32_t table,
                               const struct key_source *source, struct err *err) {
    const struct table_spec *spec = &simulation->config.scenario->tables[table];
    /* a Query's key is one text, whichever attribute it is of */
    const bool has_sort_key = source->attribute == SIMULATION_ITEM_KEY &&
                              simulation->workloads[source->workload].spec->range_key.text != NULL;
    for (uint32_t i = 0; i < spec->global_index_count; i++) {
        const uint32_t resource = service_index_resource(&simulation->service, table, i);
        struct key_source of_index = *source;
        if (has_sort_key && strcmp(spec->indexes[i].hash_key.name, spec->range_key.name) == 0) {
            of_index.attribute = SIMULATION_ITEM_SORT_KEY;
        }
        if (!simulation_add_keys(simulation, resource, &of_index, err)) {
            return false;
        }
    }
    return true;
}

/* The value of the workload's attribute (those given, then those held) in an operation of the
 * batch. */
static bool value_at(struct simulation *simulation, uint32_t workload, uint32_t attribute,
                     uint32_t position, struct attribute_value *value, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct generator_attribute *drawn = &state->generator.attributes[attribute];
    const uint32_t table = state->spec->table;
    const uint32_t of_index = state->attributes[attribute];
    *value = (struct attribute_value){.value = VALUE_ABSENT};
    if (drawn->spec->is_removed) {
        return true;
    }
    if (drawn->numbers == NULL || of_index == ATTRIBUTE_OF_NO_INDEX) {
        const uint32_t bytes = drawn->numbers == NULL ? drawn->sizes_bytes[position] : 0;
        *value = (struct attribute_value){.value = VALUE_RENEWED, .bytes = bytes};
        return true;
    }
    const uint64_t number = drawn->numbers[position];
    value->value = id_map_find(&state->values_by_number[attribute], number);
    if (value->value != ID_MAP_NONE) {
        value->bytes = service_value_bytes(&simulation->service, table, of_index, value->value);
        return true;
    }
    struct key_template_text text;
    const struct key_source source = {
        .number = number, .workload = workload, .attribute = attribute};
    return key_template_render(&drawn->key_template, number, &text, err) &&
           service_intern_value(&simulation->service, table, of_index, text.hash_key,
                                text.hash_key_bytes, value, err) &&
           id_map_insert(&state->values_by_number[attribute], number, value->value, err) &&
           simulation_add_index_keys(simulation, table, &source, err);
}

/* What the draws of those positions give, into their rows of values. */
static bool fill_values(struct simulation *simulation, uint32_t workload, uint32_t from,
                        uint32_t end, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t given = state->spec->given_count;
    for (uint32_t attribute = 0; attribute < given; attribute++) {
        for (uint32_t i = from; i < end; i++) {
            if (!value_at(simulation, workload, attribute, i,
                          &state->values[(size_t)i * given + attribute], err)) {
                return false;
            }
        }
    }
    return true;
}

bool simulation_batch_values(struct simulation *simulation, uint32_t workload, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    return !state->writes_indexes || fill_values(simulation, workload, 0, state->batch.draws, err);
}

bool simulation_step_values(struct simulation *simulation, uint32_t workload,
                            const struct attribute_value **values, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t given = state->spec->given_count;
    *values = NULL;
    if (!state->writes_indexes || given == 0) {
        return true;
    }
    *values = state->values + (size_t)GENERATOR_RECALLED * given;
    return fill_values(simulation, workload, GENERATOR_RECALLED, GENERATOR_RECALLED + 1, err);
}

bool simulation_hold(struct simulation *simulation, uint32_t workload, uint32_t position,
                     uint32_t item, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const struct workload_spec *spec = state->spec;
    for (uint32_t i = 0; i < spec->held_count; i++) {
        if (!value_at(simulation, workload, spec->given_count + i, position, &state->held_values[i],
                      err)) {
            return false;
        }
    }
    service_hold(&simulation->service, spec->table, item, state->attributes + spec->given_count,
                 state->held_values, spec->held_count);
    return true;
}

bool simulation_keep_values(struct simulation *simulation, uint32_t index, struct attempt *waiting,
                            struct err *err) {
    const uint32_t given = simulation->workloads[waiting->workload].spec->given_count;
    struct grow_array *kept = &simulation->waiting_values;
    uint32_t added;
    while (kept->count <= index) {
        if (!grow_array_append(kept, 1, &added, err)) {
            return false;
        }
    }
    struct attribute_value *values = grow_array_at(kept, index);
    memmove(values, waiting->values, given * sizeof *values);
    waiting->values = values;
    return true;
}

bool simulation_indexes_wait(struct simulation *simulation, sim_ns until_ns) {
    bool waits = false;
    for (uint32_t i = simulation->config.scenario->table_count;
         i < service_resource_count(&simulation->service); i++) {
        waits |= service_index_waits(&simulation->service, i, until_ns);
    }
    return waits;
}

bool simulation_record_indexes(struct simulation *simulation, sim_ns until_ns, struct err *err) {
    const uint32_t tables = simulation->config.scenario->table_count;
    for (uint32_t i = tables; i < service_resource_count(&simulation->service); i++) {
        const struct index_write *writes;
        uint32_t count;
        while ((count = service_index_writes(&simulation->service, i, until_ns, &writes)) > 0) {
            if (!recorder_index_writes(&simulation->recorder, (uint16_t)i, writes, count, err)) {
                return false;
            }
        }
        const struct index_refusals refusals = service_index_refusals(&simulation->service, i);
        recorder_index_refusals(&simulation->recorder, (uint16_t)i, &refusals);
    }
    return true;
}

void simulation_check_indexes(const struct simulation *simulation) {
    uint64_t refused = 0, events = 0;
    for (uint32_t i = 0; i < simulation->recorder.resource_count; i++) {
        const struct resource_bin *total = &simulation->recorder.resources[i].total;
        refused += total->index_refused;
        for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
            const bool counts = (REASON_BIT(reason) & REASONS_OF_INDEX_WRITES) != 0;
            events += counts ? total->events[reason] : 0;
        }
    }
    SIM_CHECKF(refused <= events && (refused > 0) == (events > 0),
               "%" PRIu64 " writes refused by indexes, %" PRIu64 " events on them", refused,
               events);
}
