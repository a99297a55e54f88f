#include "experiments/simulation_parts.h"

#include "analysis/printable.h"

#include <string.h>

#define NUMBERED_ITEMS_MAX (UINT64_C(1) << 24) /* 16 bytes each, made as they are touched */
#define ITEMS_AHEAD 64

/* Equal templates over the scenario's fields give equal numbers to equal keys; a trace's columns
 * are numbered by the trace. */
static bool numbers_alike(const struct workload_spec *a, const struct workload_spec *b) {
    return a->table == b->table && a->trace.file == NULL && b->trace.file == NULL &&
           a->index == b->index && strcmp(a->hash_key.text, b->hash_key.text) == 0 &&
           (a->range_key.text == NULL) == (b->range_key.text == NULL) &&
           (a->range_key.text == NULL || strcmp(a->range_key.text, b->range_key.text) == 0);
}

/* Workloads of one table share what they can, and tables learn what holds for all of theirs. */
static void compare_workloads(struct simulation *simulation, uint32_t number) {
    struct simulation_workload *workload = &simulation->workloads[number];
    bool *differ = &simulation->keys_differ[workload->spec->table];
    if (workload->scan != NULL) {
        return; /* it names no key */
    }
    for (uint32_t other = 0; other < number; other++) {
        struct simulation_workload *earlier = &simulation->workloads[other];
        if (earlier->spec->table != workload->spec->table || earlier->scan != NULL) {
            continue;
        }
        if (numbers_alike(earlier->spec, workload->spec)) {
            workload->items_by_number = earlier->items_by_number;
        } else {
            *differ = false;
        }
    }
    *differ &= key_template_texts_differ(&workload->generator.key_template) && !workload->by_key;
    if (workload->items_by_number == NULL) {
        workload->items_by_number = &workload->own_items;
    }
}

/* A table whose workloads all number their keys alike, each with a text of its own, takes these
 * numbers for its items when they are few enough; the others need a map. */
static bool number_workload(struct simulation *simulation, struct simulation_workload *workload,
                            struct err *err) {
    const uint64_t below = workload->generator.key_template.items_below;
    const uint32_t table = workload->spec->table;
    workload->has_numbered_items = simulation->keys_differ[table] && below > 0 &&
                                   below <= NUMBERED_ITEMS_MAX &&
                                   workload->spec->range_key.text == NULL &&
                                   simulation->config.scenario->tables[table].index_count == 0;
    if (workload->items_by_number != &workload->own_items) {
        return true;
    }
    if (!workload->has_numbered_items) {
        return id_map_init(&workload->own_items, below, err);
    }
    grow_array_init(&simulation->key_sources[table], &simulation->arena, sizeof(uint32_t),
                    KEY_SOURCES_CHUNK);
    return service_number_items(&simulation->service, table, (uint32_t)below, err);
}

bool simulation_number_items(struct simulation *simulation, struct err *err) {
    for (uint32_t i = 0; i < simulation->config.scenario->table_count; i++) {
        simulation->keys_differ[i] = true;
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        compare_workloads(simulation, i);
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        if (simulation->workloads[i].scan == NULL &&
            !number_workload(simulation, &simulation->workloads[i], err)) {
            return false;
        }
    }
    return true;
}

/* Whether an item that nobody has touched yet exists, and how large it is (0: absent).
 * `exists:` decides; else ItemCount: the first ItemCount numbers of the workload's keys exist; else
 * what the operation takes for granted: reads, updates and deletes find their item, puts
 * make it. What reads and deletes find is as large as they say; what a write finds is of the
 * table's mean size, or as large as what it writes. */
static uint32_t initial_bytes(const struct simulation *simulation, const struct workload_spec *spec,
                              uint64_t number, uint32_t bytes) {
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    bool exists = spec->operation != DDB_PUT_ITEM && spec->operation != DDB_BATCH_WRITE_ITEM &&
                  spec->operation != DDB_TRANSACT_WRITE_ITEMS;
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
    const int64_t mean_bytes = table_mean_item_bytes(table);
    if (ddb_operation_stores(spec->operation) && mean_bytes != SPEC_UNKNOWN) {
        return (uint32_t)(mean_bytes < ITEM_BYTES_MAX ? mean_bytes : ITEM_BYTES_MAX);
    }
    return bytes;
}

/* The number of a key of the index that a Query reads. */
static bool intern_index_key(struct simulation *simulation, const struct workload_spec *spec,
                             const struct key_text *text, struct intern_result *result,
                             struct err *err) {
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    struct service *service = &simulation->service;
    const uint32_t attribute =
        service_attribute(service, spec->table, table->indexes[spec->index].hash_key.name);
    struct attribute_value value;
    if (!service_intern_value(service, spec->table, attribute, text->hash_key, text->hash_key_bytes,
                              &value, err)) {
        return false;
    }
    *result = (struct intern_result){.item = value.value, .key = value.value};
    return true;
}

/* The service's item, or for a Query by_key its key, of a text that this workload meets first. */
static bool intern_text(struct simulation *simulation, uint32_t workload,
                        const struct key_text *text, uint32_t first_bytes,
                        struct intern_result *result, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t table = state->spec->table;
    struct service *service = &simulation->service;
    if (state->resource != table) {
        return intern_index_key(simulation, state->spec, text, result, err);
    }
    if (state->by_key) {
        const bool known = service_intern_key(service, table, text, &result->key, err);
        result->item = result->key;
        return known;
    }
    return simulation->keys_differ[table]
               ? service_append(service, table, text, first_bytes, result, err)
               : service_intern(service, table, text, first_bytes, result, err);
}

static bool intern(struct simulation *simulation, uint32_t workload, uint32_t position,
                   uint64_t number, uint32_t bytes, uint32_t *item, struct err *err) {
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
    const uint32_t first_bytes = initial_bytes(simulation, spec, number, bytes);
    const struct key_source source = {
        .number = number, .workload = workload, .attribute = SIMULATION_ITEM_KEY};
    if (state->has_numbered_items) {
        uint32_t key;
        *item = (uint32_t)number;
        return service_append_numbered(&simulation->service, spec->table, &key_text, first_bytes,
                                       *item, &key, err) &&
               simulation_add_keys(simulation, spec->table, &source, err);
    }
    const uint32_t items_before = service_item_count(&simulation->service, spec->table);
    struct intern_result result;
    if (!intern_text(simulation, workload, &key_text, first_bytes, &result, err) ||
        (result.key == simulation->key_sources[state->resource].count &&
         !simulation_add_keys(simulation, state->resource, &source, err)) ||
        !simulation_add_index_keys(simulation, spec->table, &source, err)) {
        return false;
    }
    if (spec->held_count > 0 && first_bytes > 0 && result.item >= items_before &&
        !simulation_hold(simulation, workload, position, result.item, err)) {
        return false;
    }
    *item = result.item;
    return id_map_insert(state->items_by_number, number, result.item, err);
}

bool simulation_item(struct simulation *simulation, uint32_t workload, uint32_t position,
                     uint64_t number, uint32_t bytes, uint32_t *item, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (state->has_numbered_items) {
        *item = (uint32_t)number;
        return service_known_items(&simulation->service, state->spec->table, item, 1) == 1 ||
               intern(simulation, workload, position, number, bytes, item, err);
    }
    *item = id_map_find(state->items_by_number, number);
    return *item != ID_MAP_NONE || intern(simulation, workload, position, number, bytes, item, err);
}

bool simulation_batch_items(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct operation_batch *batch = &state->batch;
    state->items_coming = 0;
    state->items_near = 0;
    if (state->scan != NULL) {
        return true;
    }
    if (state->has_numbered_items && state->is_single) { /* simulation_items_until does the rest */
        for (uint32_t i = 0; i < batch->count; i++) {
            state->items[i] = (uint32_t)batch->numbers[i];
        }
        return true;
    }
    if (!state->has_numbered_items) {
        for (uint32_t i = 0; i < batch->draws; i++) {
            id_map_prefetch(state->items_by_number, batch->numbers[i]);
        }
    }
    for (uint32_t i = 0; i < batch->draws; i++) {
        if (!simulation_item(simulation, workload, i, batch->numbers[i], batch->sizes_bytes[i],
                             &state->items[i], err)) {
            return false;
        }
    }
    return simulation_batch_values(simulation, workload, err);
}

/* Asks for the memory of the next items. */
static void ask_for_items(const struct simulation *simulation, struct simulation_workload *state) {
    const uint32_t left = state->batch.count - state->items_coming;
    const uint32_t coming = left < ITEMS_AHEAD ? left : ITEMS_AHEAD;
    service_prefetch_items(&simulation->service, state->spec->table,
                           &state->items[state->items_coming], coming);
    state->items_coming += coming;
}

/* Interns the next items, whose memory has come. */
static bool intern_items(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct operation_batch *batch = &state->batch;
    const uint32_t table = state->spec->table, first = state->items_near;
    const uint32_t ready = batch->count - first < ITEMS_AHEAD ? batch->count - first : ITEMS_AHEAD;
    uint32_t known = 0;
    while ((known += service_known_items(&simulation->service, table, &state->items[first + known],
                                         ready - known)) < ready) {
        const uint32_t i = first + known;
        if (!intern(simulation, workload, i, batch->numbers[i], batch->sizes_bytes[i],
                    &state->items[i], err)) {
            return false;
        }
    }
    state->items_near += ready;
    return true;
}

/* Two steps ahead of the requests: an item's memory is asked for, then, when it has come, the item
 * is met. So the processor never waits for more than a few at once. */
bool simulation_items_until(struct simulation *simulation, uint32_t workload, uint32_t next,
                            struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    while (state->items_near < next) {
        while (state->items_coming < state->batch.count &&
               state->items_coming - state->items_near <= ITEMS_AHEAD) {
            ask_for_items(simulation, state);
        }
        if (!intern_items(simulation, workload, err)) {
            return false;
        }
    }
    return true;
}

static struct key_source source_of(const struct simulation *simulation, uint32_t resource,
                                   uint32_t key) {
    const void *source = grow_array_at(&simulation->key_sources[resource], key);
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        const struct simulation_workload *workload = &simulation->workloads[i];
        if (workload->resource == resource && workload->has_numbered_items) {
            return (struct key_source){.number = *(const uint32_t *)source,
                                       .workload = i,
                                       .attribute = SIMULATION_ITEM_KEY};
        }
    }
    return *(const struct key_source *)source;
}

bool simulation_key_name(const struct simulation *simulation, uint32_t resource, uint32_t key,
                         char *name, size_t name_bytes, struct err *err) {
    const struct key_source source = source_of(simulation, resource, key);
    const struct generator *generator = &simulation->workloads[source.workload].generator;
    const bool is_of_item = source.attribute >= SIMULATION_ITEM_SORT_KEY;
    const struct key_template *key_template =
        is_of_item ? &generator->key_template
                   : &generator->attributes[source.attribute].key_template;
    struct key_template_text text;
    if (!key_template_render(key_template, source.number, &text, err)) {
        return false;
    }
    if (source.attribute == SIMULATION_ITEM_SORT_KEY) {
        printable_text(text.range_key, text.range_key_bytes, name, name_bytes);
        return true;
    }
    printable_text(text.hash_key, text.hash_key_bytes, name, name_bytes);
    return true;
}
