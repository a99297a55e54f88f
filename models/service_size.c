/* service.h, data: how much lies in each partition, splits for size, item collections. */
#include "models/service_parts.h"

#include "models/split_for_heat.h"
#include "models/split_for_size.h"
#include "sim/random.h"

#define COLLECTIONS_CHUNK 4096
#define BYTES_PER_UNIT 1024
#define WINDOW_S (HEAT_WINDOW_NS / SIM_NS_PER_S)

/* What a resource stores of one item, and where. */
struct size_entry {
    struct partition_place place;
    uint32_t partition;
    uint64_t bytes; /* 0: nothing */
};

/* Where the data of a resource comes from: the items of a table. */
struct size_source {
    struct service_table *table;
    const struct secondary_index *index; /* NULL: the table's own */
    struct partition_set *set;
};

static struct size_source source_of(const struct service *service, uint32_t resource) {
    const struct service_resource of = service_resource_at(service, resource);
    uint32_t position;
    return (struct size_source){
        .table = service_owner_of(service, resource, &position),
        .index = of.index,
        .set = of.set,
    };
}

uint64_t service_item_stored(const struct service_table *table, uint32_t item) {
    const uint32_t bytes = keyspace_item(&table->keyspace, item)->bytes;
    return bytes + (table->indexes == NULL || bytes == 0
                        ? 0
                        : secondary_indexes_local_bytes(table->indexes, item, bytes));
}

static uint64_t *collection_of(const struct service_table *table, uint32_t key) {
    return grow_array_at(&table->collections, key);
}

void service_appear(struct service_table *table, uint32_t item, uint64_t bytes) {
    const uint32_t key = keyspace_item(&table->keyspace, item)->key;
    table->appeared_bytes += bytes;
    if (table->follows_collections && key < table->collections.count) {
        *collection_of(table, key) += bytes;
    }
}

/* The item's data there. Its place only when asked for: it is another look at memory. */
static struct size_entry entry_of(const struct size_source *source, uint32_t item,
                                  bool with_place) {
    const struct keyspace *keyspace = &source->table->keyspace;
    const struct item_state *state = keyspace_item(keyspace, item);
    struct size_entry entry = {.bytes = 0};
    if (state->bytes == 0) {
        return entry;
    }
    if (source->index != NULL) {
        const struct index_holding holding =
            secondary_indexes_holding(source->table->indexes, source->index, item, state->bytes);
        entry.bytes = holding.bytes;
        if (holding.bytes > 0) {
            entry.place = keyspace_key_place(&source->index->keyspace, holding.key);
            entry.place.sort = holding.sort;
            entry.partition = keyspace_partition(&source->index->keyspace, source->set, holding.key,
                                                 holding.sort);
        }
        return entry;
    }
    entry.bytes = service_item_stored(source->table, item);
    entry.partition = partition_is_open(&source->set->partitions[state->partition])
                          ? state->partition
                          : keyspace_move_item(keyspace, source->set, item);
    if (with_place) {
        entry.place = keyspace_item_place(keyspace, item);
    }
    return entry;
}

/* Data from before the run that no request has met yet. */
__extension__ static uint64_t untouched_bytes(const struct size_source *source) {
    const uint64_t table_bytes = source->table->initial_bytes;
    const uint64_t appeared_bytes = source->table->appeared_bytes;
    const uint64_t left = table_bytes > appeared_bytes ? table_bytes - appeared_bytes : 0;
    if (source->index == NULL) {
        return left;
    }
    const int64_t index_bytes = source->index->spec->index_size_bytes;
    if (index_bytes <= 0) {
        return 0;
    }
    return table_bytes == 0
               ? (uint64_t)index_bytes
               : (uint64_t)((unsigned __int128)(uint64_t)index_bytes * left / table_bytes);
}

uint64_t service_stored_bytes(const struct service *service, uint32_t resource) {
    const struct size_source source = source_of(service, resource);
    uint64_t bytes = untouched_bytes(&source);
    for (uint32_t i = 0; i < source.table->keyspace.items.count; i++) {
        bytes += entry_of(&source, i, false).bytes;
    }
    return bytes;
}

bool service_follows_collections(const struct service *service, uint32_t table) {
    return service_table_at(service, table)->follows_collections;
}

uint64_t service_collection_rejections(const struct service *service, uint32_t table) {
    return service_table_at(service, table)->rejections;
}

static int64_t growth_of(const struct service_table *table, const struct index_plan *plan) {
    const int64_t new_bytes = plan->operation == DDB_DELETE_ITEM ? 0 : (int64_t)plan->new_bytes;
    return new_bytes - (int64_t)plan->old_bytes + secondary_indexes_local_growth(table->indexes);
}

static uint64_t *planned_collection(const struct service_table *table,
                                    const struct index_plan *plan) {
    return collection_of(table, keyspace_item(&table->keyspace, plan->item)->key);
}

bool service_collection_is_full(const struct service_table *table, const struct index_plan *plan) {
    const int64_t growth = growth_of(table, plan);
    return growth > 0 &&
           *planned_collection(table, plan) + (uint64_t)growth > table->collection_max_bytes;
}

void service_collection_grow(const struct service_table *table, const struct index_plan *plan) {
    *planned_collection(table, plan) += (uint64_t)growth_of(table, plan); /* modulo 2^64 */
}

bool service_reserve_collections(struct service_table *table, struct err *err) {
    const uint32_t known = table->collections.count, keys = table->keyspace.keys.count;
    uint32_t first;
    if (known == keys) {
        return true;
    }
    if (!grow_array_append(&table->collections, keys - known, &first, err)) {
        return false;
    }
    for (uint32_t i = known; i < keys; i++) {
        *collection_of(table, i) = 0;
    }
    return true;
}

/* Counts every item anew. */
static bool count_items(const struct size_source *source, struct split_for_size *size,
                        struct err *err) {
    struct service_table *table = source->table;
    const bool is_table = source->index == NULL;
    split_for_size_begin(size, source->set, untouched_bytes(source), table->appeared_bytes);
    if (is_table && table->follows_collections) {
        if (!service_reserve_collections(table, err)) {
            return false;
        }
        for (uint32_t i = 0; i < table->collections.count; i++) {
            *collection_of(table, i) = 0;
        }
    }
    for (uint32_t i = 0; i < table->keyspace.items.count; i++) {
        const struct size_entry entry = entry_of(source, i, false);
        if (entry.bytes == 0) {
            continue;
        }
        split_for_size_add(size, entry.partition, entry.bytes);
        if (is_table && table->follows_collections) {
            *collection_of(table, keyspace_item(&table->keyspace, i)->key) += entry.bytes;
        }
    }
    return true;
}

/* Looks for a cut of a partition that holds too much. */
static bool split_full(struct service *service, sim_ns now_ns, uint32_t resource,
                       uint32_t partition, struct err *err) {
    const struct size_source source = source_of(service, resource);
    struct split_for_size *size = &service->sizes[resource];
    struct size_decision decision;
    if (!split_for_size_begin_sample(size, &source.set->partitions[partition],
                                     untouched_bytes(&source), err)) {
        return false;
    }
    for (uint32_t i = 0; i < source.table->keyspace.items.count; i++) {
        const struct size_entry entry = entry_of(&source, i, true);
        if (entry.bytes > 0 && entry.partition == partition) {
            split_for_size_sample(size, &entry.place, entry.bytes);
        }
    }
    split_for_size_decide(size, source.set, partition, &decision);
    if (decision.splits) {
        const struct split_order order = {
            .resource = resource,
            .partition = partition,
            .cut = decision.cut,
            .cause = PARTITION_SIZE,
            .duration_ns = decision.duration_ns,
        };
        return service_start_split(service, now_ns, &order, err);
    }
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = resource,
        .kind = MODEL_EVENT_SPLIT_REFUSED,
        .numbers = {partition, (int64_t)decision.refusal},
    };
    return service_note(service, &event, err);
}

/* What writes may add to a partition before somebody looks again, and once more. */
static uint64_t margin_bytes(const struct model_parameters *parameters) {
    return (uint64_t)parameters->part_max_w * BYTES_PER_UNIT * 2 * WINDOW_S;
}

/* From when on the collections of a table with a local index are followed, write by write. */
static bool begin_collections(struct service *service, uint32_t number, struct err *err) {
    struct service_table *table = service_table_at(service, number);
    const struct size_source source = source_of(service, number);
    const uint64_t margin = margin_bytes(&service->parameters);
    if (table->follows_collections || table->indexes == NULL ||
        table->indexes->count == table->indexes->global_count ||
        (table->collection_max_bytes > margin &&
         !split_for_size_may_exceed(&service->sizes[number], &table->set, table->appeared_bytes,
                                    table->collection_max_bytes - margin))) {
        return true;
    }
    grow_array_init(&table->collections, &service->arena, sizeof(uint64_t), COLLECTIONS_CHUNK);
    table->follows_collections = true;
    return count_items(&source, &service->sizes[number], err);
}

/* Rejected writes of the last minute, when there were none in the one before. */
static bool note_rejections(struct service *service, sim_ns now_ns, uint32_t number,
                            struct err *err) {
    struct service_table *table = service_table_at(service, number);
    const uint64_t rejected = table->rejections - table->noted_rejections;
    const bool begins = rejected > 0 && !table->rejected_before;
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = number,
        .kind = MODEL_EVENT_COLLECTION_FULL,
        .numbers = {(int64_t)rejected, (int64_t)table->collection_max_bytes},
    };
    table->noted_rejections = table->rejections;
    table->rejected_before = rejected > 0;
    return !begins || service_note(service, &event, err);
}

static bool close_resource(struct service *service, sim_ns now_ns, uint32_t resource,
                           struct err *err) {
    const struct size_source source = source_of(service, resource);
    struct split_for_size *size = &service->sizes[resource];
    const uint64_t appeared_bytes = source.table->appeared_bytes;
    if (source.index != NULL && source.index->stage == INDEX_ABSENT) {
        return true;
    }
    if (!split_for_size_open(size, source.set, untouched_bytes(&source), appeared_bytes, err) ||
        (source.index == NULL && !begin_collections(service, resource, err))) {
        return false;
    }
    if (!split_for_size_may_exceed(size, source.set, appeared_bytes, size->limit_bytes)) {
        return true;
    }
    if (!count_items(&source, size, err)) {
        return false;
    }
    for (uint32_t i = 0; (i = split_for_size_due(size, source.set, i)) != UINT32_MAX; i++) {
        const bool splits_for_heat =
            service->heat != NULL && split_for_heat_is_splitting(&service->heat[resource], i);
        if (!splits_for_heat && !split_full(service, now_ns, resource, i, err)) {
            return false;
        }
    }
    return true;
}

bool service_close_size(struct service *service, sim_ns now_ns, struct err *err) {
    for (uint32_t i = 0; i < service->resource_count; i++) {
        if (!close_resource(service, now_ns, i, err) ||
            (i < service->table_count && !note_rejections(service, now_ns, i, err))) {
            return false;
        }
    }
    return true;
}

bool service_open_size(struct service *service, const struct service_config *config,
                       struct err *err) {
    service->sizes = ARENA_ARRAY(&service->arena, struct split_for_size, service->resource_count,
                                 "sizes of partitions", err);
    if (service->sizes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < service->resource_count; i++) {
        uint32_t position;
        struct service_table *table = service_owner_of(service, i, &position);
        const struct table_spec *spec = &config->tables[table - service->tables];
        const struct random_name name = {
            .seed = config->seed,
            .replication = config->replication,
            .workload = spec->table_name,
            .variable = "split for size",
        };
        const struct split_for_size_setup setup = {
            .parameters = &config->parameters,
            .stream = random_name_hash(&name) + position,
            .has_local_index = position == 0 && spec->index_count > spec->global_index_count,
        };
        split_for_size_init(&service->sizes[i], &service->arena, &setup);
        table->initial_bytes = spec->table_size_bytes > 0 ? (uint64_t)spec->table_size_bytes : 0;
        table->collection_max_bytes = (uint64_t)config->parameters.part_max_bytes;
        const struct size_source source = source_of(service, i);
        if (!split_for_size_open(&service->sizes[i], source.set, untouched_bytes(&source), 0,
                                 err) ||
            (position == 0 && !begin_collections(service, i, err))) {
            return false;
        }
    }
    return true;
}
