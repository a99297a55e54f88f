#include "experiments/simulation_parts.h"

#include "analysis/printable.h"

#include <string.h>

/* Equal templates over the scenario's fields give equal numbers to equal keys; a trace's columns
 * are numbered by the trace. */
static bool numbers_alike(const struct workload_spec *a, const struct workload_spec *b) {
    return a->table == b->table && a->trace.file == NULL && b->trace.file == NULL &&
           strcmp(a->hash_key.text, b->hash_key.text) == 0 &&
           (a->range_key.text == NULL) == (b->range_key.text == NULL) &&
           (a->range_key.text == NULL || strcmp(a->range_key.text, b->range_key.text) == 0);
}

bool simulation_number_items(struct simulation *simulation, struct err *err) {
    for (uint32_t i = 0; i < simulation->config.scenario->table_count; i++) {
        simulation->keys_differ[i] = true;
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        struct simulation_workload *workload = &simulation->workloads[i];
        const struct key_template *template = &workload->generator.key_template;
        for (uint32_t other = 0; other < i; other++) {
            struct simulation_workload *earlier = &simulation->workloads[other];
            if (earlier->spec->table != workload->spec->table) {
                continue;
            }
            if (numbers_alike(earlier->spec, workload->spec)) {
                workload->items_by_number = earlier->items_by_number;
            } else {
                simulation->keys_differ[workload->spec->table] = false;
            }
        }
        simulation->keys_differ[workload->spec->table] &=
            key_template_texts_differ(template) && !workload->by_key;
        if (workload->items_by_number == NULL) {
            workload->items_by_number = &workload->own_items;
            if (!id_map_init(&workload->own_items, template->items_below, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether an item that nobody has touched yet exists, and how large it is (0: absent).
 * `exists:` decides; else ItemCount: the first ItemCount numbers of the workload's keys exist; else
 * what the operation takes for granted: reads, updates and deletes find their item, puts
 * make it. */
static uint32_t initial_bytes(const struct simulation *simulation, const struct workload_spec *spec,
                              uint64_t number, uint32_t bytes) {
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    bool exists = spec->operation != DDB_PUT_ITEM;
    if (spec->operation == DDB_QUERY) {
        exists = spec->returns_items > 0;
    } else if (spec->exists >= 0) {
        exists = spec->exists == 1;
    } else if (table->item_count >= 0) {
        exists = number < (uint64_t)table->item_count;
    }
    if (!exists) {
        return 0;
    }
    if (table->item_count > 0 && table->table_size_bytes > 0) {
        int64_t mean_bytes = table->table_size_bytes / table->item_count;
        return (uint32_t)(mean_bytes < 1                ? 1
                          : mean_bytes > ITEM_BYTES_MAX ? ITEM_BYTES_MAX
                                                        : mean_bytes);
    }
    return bytes;
}

/* The service's item, or for a Query by_key its key, of a text that this workload meets first. */
static bool intern_text(struct simulation *simulation, uint32_t workload,
                        const struct key_text *text, uint32_t first_bytes,
                        struct intern_result *result, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t table = state->spec->table;
    struct service *service = &simulation->service;
    if (state->by_key) {
        const bool known = service_intern_key(service, table, text, &result->key, err);
        result->item = result->key;
        return known;
    }
    return simulation->keys_differ[table]
               ? service_append(service, table, text, first_bytes, result, err)
               : service_intern(service, table, text, first_bytes, result, err);
}

static bool intern(struct simulation *simulation, uint32_t workload, uint64_t number,
                   uint32_t bytes, uint32_t *item, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct workload_spec *spec = state->spec;
    struct key_template_text text;
    if (!key_template_render(&state->generator.key_template, number, &text, err)) {
        return false;
    }
    struct key_text key_text = {
        .hash_key = text.hash_key,
        .hash_key_bytes = text.hash_key_bytes,
        .range_key = spec->range_key.text == NULL ? NULL : text.range_key,
        .range_key_bytes = text.range_key_bytes,
    };
    struct intern_result result;
    const uint32_t first_bytes = initial_bytes(simulation, spec, number, bytes);
    if (!intern_text(simulation, workload, &key_text, first_bytes, &result, err)) {
        return false;
    }
    struct grow_array *sources = &simulation->key_sources[spec->table];
    if (result.key == sources->count) {
        uint32_t index;
        if (!grow_array_append(sources, 1, &index, err)) {
            return false;
        }
        *(struct key_source *)grow_array_at(sources, index) =
            (struct key_source){.number = number, .workload = workload};
        uint64_t position = service_key_position(&simulation->service, spec->table, result.key);
        if (!recorder_add_key(&simulation->recorder, (uint16_t)spec->table, position, err)) {
            return false;
        }
    }
    *item = result.item;
    return id_map_insert(state->items_by_number, number, result.item, err);
}

bool simulation_item(struct simulation *simulation, uint32_t workload, uint64_t number,
                     uint32_t bytes, uint32_t *item, struct err *err) {
    *item = id_map_find(simulation->workloads[workload].items_by_number, number);
    return *item != ID_MAP_NONE || intern(simulation, workload, number, bytes, item, err);
}

bool simulation_batch_items(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct operation_batch *batch = &state->batch;
    for (uint32_t i = 0; i < batch->count; i++) {
        id_map_prefetch(state->items_by_number, batch->numbers[i]);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!simulation_item(simulation, workload, batch->numbers[i], batch->sizes_bytes[i],
                             &state->items[i], err)) {
            return false;
        }
    }
    if (state->by_key) {
        return true;
    }
    uint32_t keys[GENERATOR_BATCH];
    service_item_keys(&simulation->service, state->spec->table, state->items, batch->count, keys);
    for (uint32_t i = 0; i < batch->count; i++) {
        recorder_prefetch_key(&simulation->recorder, (uint16_t)state->spec->table, keys[i]);
    }
    return true;
}

bool simulation_key_name(const struct simulation *simulation, uint32_t table, uint32_t key,
                         char *name, size_t name_bytes, struct err *err) {
    const struct key_source *source = grow_array_at(&simulation->key_sources[table], key);
    const struct generator *generator = &simulation->workloads[source->workload].generator;
    struct key_template_text text;
    if (!key_template_render(&generator->key_template, source->number, &text, err)) {
        return false;
    }
    printable_text(text.hash_key, text.hash_key_bytes, name, name_bytes);
    return true;
}
