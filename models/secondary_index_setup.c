/* secondary_index.h, before the first event: which attributes count, partitions, capacity. */
#include "models/secondary_index.h"

#include "sim/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VALUES_CHUNK 4096
#define ITEMS_CHUNK 4096

static enum attribute_origin origin_of(const struct table_spec *table, const char *name) {
    if (strcmp(name, table->hash_key.name) == 0) {
        return ATTRIBUTE_HASH_KEY;
    }
    return table->range_key.name != NULL && strcmp(name, table->range_key.name) == 0
               ? ATTRIBUTE_RANGE_KEY
               : ATTRIBUTE_GIVEN;
}

/* The attribute's number; attributes has room for one more. */
static bool add_attribute(struct secondary_indexes *indexes, struct arena *arena, const char *name,
                          char type, uint32_t *number, struct err *err) {
    *number = secondary_indexes_attribute(indexes, name);
    if (*number != ATTRIBUTE_OF_NO_INDEX) {
        struct index_attribute *known = &indexes->attributes[*number];
        known->type = known->type == 'S' ? type : known->type; /* a key's type is defined */
        return true;
    }
    struct index_attribute *attribute = &indexes->attributes[indexes->attribute_count];
    *attribute = (struct index_attribute){
        .name = name,
        .type = type,
        .origin = origin_of(indexes->table, name),
    };
    if (!id_map_init(&attribute->by_text, 0, err)) {
        return false;
    }
    grow_array_init(&attribute->texts, arena, sizeof(struct value_text), VALUES_CHUNK);
    *number = indexes->attribute_count++;
    return true;
}

/* The key's attribute, unless it is the table's own and nothing hangs on its value. */
static bool add_key(struct secondary_indexes *indexes, struct arena *arena,
                    struct secondary_index *index, const struct key_attribute *key, bool is_needed,
                    struct err *err) {
    uint32_t *number = &index->key_attributes[index->key_attribute_count];
    if (key->name == NULL ||
        (!is_needed && origin_of(indexes->table, key->name) != ATTRIBUTE_GIVEN)) {
        return true;
    }
    if (!add_attribute(indexes, arena, key->name, key->type, number, err)) {
        return false;
    }
    index->key_attribute_count++;
    indexes->attributes[*number].is_sort_key |= key == &index->spec->range_key;
    return true;
}

static bool add_attributes(struct secondary_indexes *indexes, struct arena *arena,
                           struct secondary_index *index, struct err *err) {
    const struct index_spec *spec = index->spec;
    if (!add_key(indexes, arena, index, &spec->hash_key, spec->is_global, err) ||
        !add_key(indexes, arena, index, &spec->range_key, false, err)) {
        return false;
    }
    uint32_t *projected =
        ARENA_ARRAY(arena, uint32_t, spec->non_key_attribute_count, "projected attributes", err);
    if (projected == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < spec->non_key_attribute_count; i++) {
        const char *name = spec->non_key_attributes[i];
        if (spec_index_key(spec, name) != NULL ||
            origin_of(indexes->table, name) != ATTRIBUTE_GIVEN) {
            continue; /* in every entry anyway */
        }
        if (!add_attribute(indexes, arena, name, 'S', &projected[index->projected_attribute_count],
                           err)) {
            return false;
        }
        index->projected_attribute_count++;
    }
    index->projected_attributes = projected;
    return true;
}

/* A global index is laid out and paid for as a table is. */
static struct table_spec as_table(const struct index_spec *index, const char *name,
                                  enum billing_mode billing_mode) {
    return (struct table_spec){
        .table_name = name,
        .billing_mode = billing_mode,
        .throughput = index->throughput,
        .read_capacity_units = index->read_capacity_units,
        .write_capacity_units = index->write_capacity_units,
        .hash_key = index->hash_key,
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = index->index_size_bytes,
        .initial_partitions = index->initial_partitions,
        .initial_burst_ns = index->initial_burst_ns,
        .pins = index->pins,
        .pin_count = index->pin_count,
    };
}

static const char *full_name(struct arena *arena, const char *table, const char *index,
                             struct err *err) {
    const size_t bytes = strlen(table) + strlen(index) + sizeof "/index/";
    char *name = arena_alloc(arena, bytes, 1, "index", err);
    if (name != NULL) {
        snprintf(name, bytes, "%s/index/%s", table, index);
    }
    return name;
}

/* Idle in an on-demand index. */
static int64_t pool_rate(enum billing_mode billing_mode, int64_t capacity_units) {
    SIM_CHECK((billing_mode == BILLING_PROVISIONED) == (capacity_units >= 1));
    return billing_mode == BILLING_PROVISIONED ? capacity_units : 1;
}

void secondary_index_set_writes(struct secondary_index *index, sim_ns now_ns, int64_t rate_cu_per_s,
                                sim_ns saved_ns, const struct model_parameters *parameters) {
    token_bucket_init(&index->write, now_ns, rate_cu_per_s,
                      rate_cu_per_s * parameters->burst_window_s, rate_cu_per_s * saved_ns);
    index->write_reason = REASON_BIT(REASON_INDEX_WRITE_PROVISIONED);
}

static bool open_index(struct secondary_indexes *indexes, struct arena *arena,
                       struct secondary_index *index, const struct model_parameters *parameters,
                       uint64_t table_salt, struct err *err) {
    const struct index_spec *spec = index->spec;
    const char *name = full_name(arena, indexes->table->table_name, spec->index_name, err);
    if (name == NULL) {
        return false;
    }
    const struct table_spec table = as_table(spec, name, indexes->table->billing_mode);
    const int64_t partitions = partition_count_initial(&table, parameters);
    const sim_ns saved_ns = spec_saved_ns(spec->initial_burst_ns, parameters);
    const int64_t read_rate = pool_rate(table.billing_mode, table.read_capacity_units);
    const int64_t write_rate = pool_rate(table.billing_mode, table.write_capacity_units);
    index->provisioned =
        (struct capacity_units){spec->read_capacity_units, spec->write_capacity_units};
    secondary_index_set_writes(index, 0, write_rate, saved_ns, parameters);
    return partition_layout_check(&table, partitions, err) &&
           partition_set_init(&index->set, arena, (uint32_t)partitions, parameters, err) &&
           global_admission_init(&index->read, arena, read_rate, saved_ns, parameters, err) &&
           index_backlog_init(&index->backlog, arena, &index->set, &index->keyspace, &index->write,
                              parameters, err) &&
           keyspace_init(&index->keyspace, arena, &table,
                         secondary_index_salt(table_salt, spec->index_name), err);
}

static bool open_arrays(struct secondary_indexes *indexes, struct arena *arena, struct err *err) {
    const struct table_spec *table = indexes->table;
    /* two keys an index, and what INCLUDE names */
    size_t attributes = 2 * (size_t)table->index_count;
    for (uint32_t i = 0; i < table->index_count; i++) {
        attributes += table->indexes[i].non_key_attribute_count;
    }
    indexes->attributes = ARENA_ARRAY(arena, struct index_attribute, attributes, "attributes", err);
    indexes->list = arena_array(arena, table->index_count, sizeof(struct secondary_index),
                                _Alignof(struct secondary_index), "indexes", err);
    indexes->next = ARENA_ARRAY(arena, struct attribute_value, attributes, "attributes", err);
    indexes->changed = ARENA_ARRAY(arena, bool, attributes, "attributes", err);
    return indexes->attributes != NULL && indexes->list != NULL && indexes->next != NULL &&
           indexes->changed != NULL;
}

bool secondary_indexes_init(struct secondary_indexes *indexes, struct arena *arena,
                            const struct table_spec *table,
                            const struct model_parameters *parameters, uint64_t table_salt,
                            struct err *err) {
    SIM_CHECK(table->index_count >= 1 && table->global_index_count <= table->index_count);
    *indexes = (struct secondary_indexes){.table = table};
    bool ready = open_arrays(indexes, arena, err);
    for (uint32_t i = 0; ready && i < table->index_count; i++) {
        struct secondary_index *index = &indexes->list[i];
        index->spec = &table->indexes[i];
        SIM_CHECK(index->spec->is_global == (i < table->global_index_count));
        ready = add_attributes(indexes, arena, index, err) &&
                (!index->spec->is_global ||
                 open_index(indexes, arena, index, parameters, table_salt, err));
        indexes->count += ready;
        indexes->global_count += ready && index->spec->is_global;
    }
    if (!ready) {
        secondary_indexes_fini(indexes);
        return false;
    }
    const uint32_t width = indexes->attribute_count > 0 ? indexes->attribute_count : 1;
    grow_array_init(&indexes->values, arena, sizeof(struct attribute_value) * width, ITEMS_CHUNK);
    grow_array_init(&indexes->key_bytes, arena, sizeof(uint32_t), ITEMS_CHUNK);
    return true;
}

void secondary_indexes_fini(struct secondary_indexes *indexes) {
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        id_map_fini(&indexes->attributes[i].by_text);
    }
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        keyspace_fini(&indexes->list[i].keyspace);
    }
    *indexes = (struct secondary_indexes){0};
}
