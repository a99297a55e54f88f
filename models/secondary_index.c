#include "models/secondary_index.h"

#include "models/item_size.h"
#include "sim/check.h"
#include "sim/hash.h"

#include <string.h>

/* Seeds of the hashes of values: any fixed numbers do, as long as they differ. */
#define VALUE_NUMBER_SEED UINT64_C(0x76616c75652d6e75)
#define VALUE_CHECK_SEED UINT64_C(0x76616c75652d6368)

uint64_t secondary_index_salt(uint64_t table_salt, const char *index_name) {
    return hash64(index_name, strlen(index_name), table_salt);
}

uint32_t secondary_indexes_attribute(const struct secondary_indexes *indexes, const char *name) {
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        if (strcmp(indexes->attributes[i].name, name) == 0) {
            return i;
        }
    }
    return ATTRIBUTE_OF_NO_INDEX;
}

/* A new value is a new key of each global index that is keyed by the attribute. */
static bool add_keys(struct secondary_indexes *indexes, uint32_t attribute, const char *text,
                     size_t text_bytes, uint32_t value, struct err *err) {
    const struct key_text key_text = {.hash_key = text, .hash_key_bytes = text_bytes};
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        struct secondary_index *index = &indexes->list[i];
        struct intern_result result;
        if (index->key_attributes[0] != attribute) {
            continue;
        }
        if (!keyspace_append(&index->keyspace, &index->set, &key_text, 0, &result, err)) {
            return false;
        }
        SIM_CHECK(result.key == value);
    }
    return true;
}

bool secondary_indexes_value(struct secondary_indexes *indexes, uint32_t attribute,
                             const char *text, size_t text_bytes, struct attribute_value *value,
                             struct err *err) {
    SIM_CHECK(attribute < indexes->attribute_count);
    struct index_attribute *of = &indexes->attributes[attribute];
    const uint64_t check = hash64(text, text_bytes, VALUE_CHECK_SEED);
    uint64_t number = hash64(text, text_bytes, VALUE_NUMBER_SEED);
    uint32_t found = id_map_find(&of->by_text, number);
    while (found != ID_MAP_NONE) {
        const struct value_text *known = grow_array_at(&of->texts, found);
        if (known->check == check) {
            *value = (struct attribute_value){.value = found, .bytes = known->bytes};
            return true;
        }
        number = hash_mix(number + 1);
        found = id_map_find(&of->by_text, number);
    }
    if (of->is_sort_key && (text_bytes < 1 || text_bytes > RANGE_KEY_BYTES_MAX)) {
        return err_set(err, ERR_INPUT,
                       "table '%s': '%s', an index's sort key, of %zu bytes, expected 1 to %d "
                       "bytes",
                       indexes->table->table_name, of->name, text_bytes, RANGE_KEY_BYTES_MAX);
    }
    if (!grow_array_append(&of->texts, 1, &value->value, err)) {
        return false;
    }
    uint64_t sort = 0;
    if (of->is_sort_key) {
        const struct sort_text of_text = {text, text_bytes};
        if (!sort_position(&of->sort_reference, of->type, of_text, indexes->values.arena, &sort,
                           err)) {
            return false;
        }
    }
    value->bytes = item_size_attribute(of->name, of->type, text, text_bytes);
    *(struct value_text *)grow_array_at(&of->texts, value->value) =
        (struct value_text){.check = check, .bytes = value->bytes, .sort = sort};
    return add_keys(indexes, attribute, text, text_bytes, value->value, err) &&
           id_map_insert(&of->by_text, number, value->value, err);
}

static struct attribute_value *values_of(const struct secondary_indexes *indexes, uint32_t item) {
    return grow_array_at(&indexes->values, item);
}

static bool set_own_value(struct secondary_indexes *indexes, uint32_t item, uint32_t attribute,
                          const struct key_text *text, struct err *err) {
    const bool is_hash = indexes->attributes[attribute].origin == ATTRIBUTE_HASH_KEY;
    struct attribute_value value;
    if (!secondary_indexes_value(indexes, attribute, is_hash ? text->hash_key : text->range_key,
                                 is_hash ? text->hash_key_bytes : text->range_key_bytes, &value,
                                 err)) {
        return false;
    }
    values_of(indexes, item)[attribute] = value;
    return true;
}

bool secondary_indexes_add_item(struct secondary_indexes *indexes, uint32_t item,
                                const struct key_text *text, struct err *err) {
    const struct table_spec *table = indexes->table;
    uint32_t place, other;
    if (item < indexes->key_bytes.count) {
        return true;
    }
    if (!grow_array_append(&indexes->key_bytes, 1, &place, err) ||
        !grow_array_append(&indexes->values, 1, &other, err)) {
        return false;
    }
    SIM_CHECK(place == item && other == item);
    uint32_t bytes = item_size_attribute(table->hash_key.name, table->hash_key.type, text->hash_key,
                                         text->hash_key_bytes);
    if (text->range_key != NULL) {
        bytes += item_size_attribute(table->range_key.name, table->range_key.type, text->range_key,
                                     text->range_key_bytes);
    }
    *(uint32_t *)grow_array_at(&indexes->key_bytes, item) = bytes;
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        values_of(indexes, item)[i] = (struct attribute_value){.value = VALUE_ABSENT};
        if (indexes->attributes[i].origin != ATTRIBUTE_GIVEN &&
            !set_own_value(indexes, item, i, text, err)) {
            return false;
        }
    }
    return true;
}

void secondary_indexes_hold(struct secondary_indexes *indexes, uint32_t item,
                            const uint32_t *attributes, const struct attribute_value *values,
                            uint32_t attribute_count) {
    for (uint32_t i = 0; i < attribute_count; i++) {
        if (attributes[i] != ATTRIBUTE_OF_NO_INDEX) {
            values_of(indexes, item)[attributes[i]] = values[i];
        }
    }
}

/* The values after the write, and which of them it changes. Returns whether it changes anything
 * that is no index's own attribute. */
static bool apply(struct secondary_indexes *indexes, const struct index_plan *plan) {
    const struct attribute_value *old = values_of(indexes, plan->item);
    const bool keeps = plan->operation == DDB_UPDATE_ITEM;
    bool rest_changed = plan->operation != DDB_UPDATE_ITEM || plan->attribute_count == 0;
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        const bool stays = keeps || indexes->attributes[i].origin != ATTRIBUTE_GIVEN;
        indexes->next[i] = stays ? old[i] : (struct attribute_value){.value = VALUE_ABSENT};
        indexes->changed[i] = indexes->next[i].value != old[i].value;
    }
    for (uint32_t i = 0; i < plan->attribute_count; i++) {
        const uint32_t attribute = plan->attributes[i];
        if (attribute == ATTRIBUTE_OF_NO_INDEX) {
            rest_changed = true;
            continue;
        }
        SIM_CHECK(attribute < indexes->attribute_count);
        SIM_CHECK(indexes->attributes[attribute].origin == ATTRIBUTE_GIVEN);
        const struct attribute_value value = plan->values[i];
        indexes->next[attribute] = value;
        indexes->changed[attribute] =
            value.value != old[attribute].value || value.value == VALUE_RENEWED;
    }
    return rest_changed;
}

/* 0: no entry. */
static uint32_t entry_bytes(const struct secondary_indexes *indexes,
                            const struct secondary_index *index,
                            const struct attribute_value *values, uint32_t key_bytes,
                            uint32_t item_bytes) {
    uint32_t bytes = key_bytes;
    if (item_bytes == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < index->key_attribute_count; i++) {
        const uint32_t attribute = index->key_attributes[i];
        if (values[attribute].value == VALUE_ABSENT) {
            return 0;
        }
        if (indexes->attributes[attribute].origin == ATTRIBUTE_GIVEN) {
            bytes += values[attribute].bytes;
        }
    }
    for (uint32_t i = 0; i < index->projected_attribute_count; i++) {
        bytes += values[index->projected_attributes[i]].bytes;
    }
    if (index->spec->projection == PROJECTION_ALL || bytes > item_bytes) {
        return item_bytes;
    }
    return bytes;
}

static bool any_changed(const bool *changed, const uint32_t *attributes, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        any |= changed[attributes[i]];
    }
    return any;
}

/* ALL: whatever the table's indexes have, and the rest. */
static bool whole_item_changed(const struct secondary_indexes *indexes,
                               const struct index_plan *plan, bool rest_changed) {
    bool any = rest_changed || plan->old_bytes != plan->new_bytes;
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        any |= indexes->changed[i];
    }
    return any;
}

/* Where an entry lies within its key: by the index's sort key, else by the table's key. */
static uint64_t entry_sort(const struct secondary_indexes *indexes,
                           const struct secondary_index *index,
                           const struct attribute_value *values, uint32_t item) {
    const uint32_t attribute =
        index->spec->range_key.name == NULL
            ? ATTRIBUTE_OF_NO_INDEX
            : secondary_indexes_attribute(indexes, index->spec->range_key.name);
    if (attribute == ATTRIBUTE_OF_NO_INDEX) { /* the table's own key */
        return hash_mix(item + UINT64_C(1));
    }
    const uint32_t value = values[attribute].value;
    return value < VALUE_RENEWED
               ? secondary_indexes_text(&indexes->attributes[attribute], value)->sort
               : 0;
}

static void plan_index(const struct secondary_indexes *indexes, struct secondary_index *index,
                       const struct index_plan *plan, bool item_changed) {
    const struct attribute_value *old = values_of(indexes, plan->item);
    const uint32_t key_bytes = *(const uint32_t *)grow_array_at(&indexes->key_bytes, plan->item);
    const uint32_t new_bytes = plan->operation == DDB_DELETE_ITEM ? 0 : plan->new_bytes;
    index->entries = (struct index_entries){
        .old_bytes = entry_bytes(indexes, index, old, key_bytes, plan->old_bytes),
        .new_bytes = entry_bytes(indexes, index, indexes->next, key_bytes, new_bytes),
        .key_changed =
            any_changed(indexes->changed, index->key_attributes, index->key_attribute_count),
        .projection_changed = index->spec->projection == PROJECTION_ALL
                                  ? item_changed
                                  : any_changed(indexes->changed, index->projected_attributes,
                                                index->projected_attribute_count),
    };
    index->change = index_change_of(&index->entries);
    if (index->spec->is_global) {
        index->old_key = old[index->key_attributes[0]].value;
        index->new_key = indexes->next[index->key_attributes[0]].value;
        index->old_sort = entry_sort(indexes, index, old, plan->item);
        index->new_sort = entry_sort(indexes, index, indexes->next, plan->item);
    }
}

int64_t secondary_indexes_plan(struct secondary_indexes *indexes, const struct index_plan *plan) {
    SIM_CHECK(ddb_operation_writes(plan->operation));
    const bool rest_changed = apply(indexes, plan);
    const bool item_changed = whole_item_changed(indexes, plan, rest_changed);
    int64_t local_ncu = 0;
    for (uint32_t i = 0; i < indexes->count; i++) {
        struct secondary_index *index = &indexes->list[i];
        plan_index(indexes, index, plan, item_changed);
        if (!index->spec->is_global) {
            local_ncu += index_delete_ncu(index->change, &index->entries) +
                         index_put_ncu(index->change, &index->entries);
        }
    }
    return local_ncu;
}

int64_t secondary_indexes_local_growth(const struct secondary_indexes *indexes) {
    int64_t growth = 0;
    for (uint32_t i = indexes->global_count; i < indexes->count; i++) {
        const struct index_entries *entries = &indexes->list[i].entries;
        growth += (int64_t)entries->new_bytes - (int64_t)entries->old_bytes;
    }
    return growth;
}

static uint32_t held_bytes(const struct secondary_indexes *indexes,
                           const struct secondary_index *index, uint32_t item,
                           uint32_t item_bytes) {
    const uint32_t key_bytes = *(const uint32_t *)grow_array_at(&indexes->key_bytes, item);
    return entry_bytes(indexes, index, values_of(indexes, item), key_bytes, item_bytes);
}

struct index_holding secondary_indexes_holding(const struct secondary_indexes *indexes,
                                               const struct secondary_index *index, uint32_t item,
                                               uint32_t item_bytes) {
    const struct attribute_value *values = values_of(indexes, item);
    const uint32_t bytes = held_bytes(indexes, index, item, item_bytes);
    if (bytes == 0) {
        return (struct index_holding){.bytes = 0};
    }
    return (struct index_holding){
        .bytes = bytes,
        .key = values[index->key_attributes[0]].value,
        .sort = entry_sort(indexes, index, values, item),
    };
}

uint64_t secondary_indexes_local_bytes(const struct secondary_indexes *indexes, uint32_t item,
                                       uint32_t item_bytes) {
    uint64_t bytes = 0;
    for (uint32_t i = indexes->global_count; i < indexes->count; i++) {
        bytes += held_bytes(indexes, &indexes->list[i], item, item_bytes);
    }
    return bytes;
}

uint16_t secondary_indexes_refuse(struct secondary_indexes *indexes, sim_ns now_ns, uint32_t base,
                                  uint32_t bases) {
    uint16_t reasons = 0;
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        struct secondary_index *index = &indexes->list[i];
        if (index->stage == INDEX_ABSENT) {
            index->refuses = 0;
            continue;
        }
        switch (index_backlog_refuses(&index->backlog, now_ns, base, bases)) {
        case BACKLOG_ADMITS: index->refuses = 0; break;
        case BACKLOG_DEBT: index->refuses = index->write_reason; break;
        case BACKLOG_BUFFER: index->refuses = REASON_BIT(REASON_INDEX_WRITE_KEY_RANGE); break;
        }
        reasons |= index->refuses;
    }
    return reasons;
}

void secondary_indexes_count_refusal(struct secondary_indexes *indexes) {
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        struct secondary_index *index = &indexes->list[i];
        if (index->refuses != 0) {
            index->refusals.events[__builtin_ctz(index->refuses)]++;
        }
    }
}

void secondary_indexes_commit(struct secondary_indexes *indexes, uint32_t item, uint32_t base,
                              sim_ns now_ns) {
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        struct secondary_index *index = &indexes->list[i];
        if (index->stage == INDEX_ABSENT) {
            continue;
        }
        const int64_t delete_ncu = index_delete_ncu(index->change, &index->entries);
        const int64_t put_ncu = index_put_ncu(index->change, &index->entries);
        if (delete_ncu > 0) {
            index_backlog_owe(&index->backlog, now_ns, base, index->old_key, index->old_sort,
                              delete_ncu);
        }
        if (put_ncu > 0) {
            index_backlog_owe(&index->backlog, now_ns, base, index->new_key, index->new_sort,
                              put_ncu);
        }
    }
    struct attribute_value *values = values_of(indexes, item);
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        values[i] = indexes->next[i];
    }
}

bool secondary_indexes_reserve(struct secondary_indexes *indexes, uint32_t writes, uint32_t bases,
                               struct err *err) {
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        if (!index_backlog_reserve(&indexes->list[i].backlog, 2 * writes, bases, err)) {
            return false;
        }
    }
    return true;
}

void secondary_index_audit(struct secondary_index *index, sim_ns now_ns) {
    uint64_t write_ncu = 0;
    for (uint32_t i = 0; i < index->set.count; i++) {
        write_ncu += index->set.partitions[i].write.taken_ncu;
    }
    if (index->backfill != NULL) {
        write_ncu -= index->backfill->own_ncu;
        index->backfill->own_ncu = 0;
    }
    SIM_CHECK(write_ncu == index->write.taken_ncu);
    token_bucket_audit(&index->write, now_ns);
    partition_set_audit(&index->set, now_ns);
    index_backlog_audit(&index->backlog);
}

size_t secondary_indexes_map_bytes(const struct secondary_indexes *indexes) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < indexes->attribute_count; i++) {
        bytes += id_map_bytes(&indexes->attributes[i].by_text);
    }
    for (uint32_t i = 0; i < indexes->global_count; i++) {
        bytes += keyspace_map_bytes(&indexes->list[i].keyspace);
    }
    return bytes;
}
