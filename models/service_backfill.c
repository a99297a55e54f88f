/* service.h, global indexes that are made or deleted while the service runs (index_backfill.h). */
#include "models/capacity_units.h"
#include "models/service_parts.h"

#define REPORT_S 60

bool service_open_backfills(struct service *service, const struct service_config *config,
                            struct err *err) {
    for (uint32_t i = 0; i < service->table_count; i++) {
        const struct table_spec *spec = &config->tables[i];
        for (uint32_t k = 0; k < spec->global_index_count; k++) {
            struct secondary_index *index = &service->tables[i].indexes->list[k];
            if (!spec->indexes[k].is_added) {
                continue;
            }
            index->backfill =
                ARENA_NEW(&service->arena, struct index_backfill, "index to be built", err);
            if (index->backfill == NULL) {
                return false;
            }
            index_backfill_init(index->backfill, &service->arena);
            index->stage = INDEX_ABSENT;
        }
    }
    return true;
}

static bool note(struct service *service, sim_ns now_ns, uint32_t resource,
                 enum model_event_kind kind, const struct index_backfill *backfill,
                 struct err *err) {
    const bool counts = backfill != NULL && kind != MODEL_EVENT_INDEX_DELETED;
    const int64_t total = counts ? backfill->total_ncu / NCU_PER_CU : MODEL_EVENT_NONE;
    const int64_t left = counts ? backfill->left_total_ncu / NCU_PER_CU : MODEL_EVENT_NONE;
    const struct model_event event = {
        .at_ns = now_ns, .resource = resource, .kind = kind, .numbers = {total, left}};
    return service_note(service, &event, err);
}

/* What the table's items have in the index. */
static void count_entries(const struct service_table *table, struct secondary_index *index) {
    uint64_t known = 0;
    for (uint32_t i = 0; i < table->keyspace.items.count; i++) {
        const uint32_t item_bytes = keyspace_item(&table->keyspace, i)->bytes;
        if (item_bytes == 0) {
            continue;
        }
        const struct index_holding holding =
            secondary_indexes_holding(table->indexes, index, i, item_bytes);
        known++;
        if (holding.bytes > 0) {
            const uint32_t partition =
                keyspace_partition(&index->keyspace, &index->set, holding.key, holding.sort);
            index_backfill_add(index->backfill, partition,
                               capacity_units_of(holding.bytes, WRITE_UNIT_BYTES) * NCU_PER_CU);
        }
    }
    const struct table_spec *spec = table->indexes->table;
    const int64_t items = spec->item_count, table_bytes = spec->table_size_bytes;
    if (items <= 0 || (uint64_t)items <= known) {
        return;
    }
    const bool is_whole = index->spec->projection == PROJECTION_ALL && table_bytes > 0;
    const int64_t bytes = index->spec->index_size_bytes > 0 ? index->spec->index_size_bytes
                          : is_whole                        ? table_bytes
                                                            : 0;
    const int64_t entry_bytes = bytes / items < ITEM_BYTES_MAX ? bytes / items : ITEM_BYTES_MAX;
    const int64_t units = capacity_units_of((uint32_t)entry_bytes, WRITE_UNIT_BYTES);
    const int64_t untouched = items - (int64_t)known;
    index_backfill_spread(index->backfill, &index->set,
                          untouched < INT64_MAX / 4 / NCU_PER_CU / units
                              ? untouched * units * NCU_PER_CU
                              : INT64_MAX / 4);
}

bool service_begin_backfill(struct service *service, sim_ns now_ns, uint32_t resource,
                            struct err *err) {
    struct secondary_index *index = service_index_at(service, resource);
    uint32_t position;
    struct service_table *table = service_owner_of(service, resource, &position);
    SIM_CHECK(index->stage == INDEX_ABSENT && index->backfill != NULL);
    index->stage = INDEX_BACKFILLING;
    index->backfill->begun_ns = now_ns;
    if (!table->is_on_demand) { /* as of a new table; audited by the caller */
        const sim_ns saved_ns = spec_saved_ns(index->spec->initial_burst_ns, &service->parameters);
        secondary_index_set_writes(index, now_ns, index->provisioned.write, saved_ns,
                                   &service->parameters);
        global_admission_restart(&index->read, now_ns, index->provisioned.read, saved_ns,
                                 &service->parameters);
    }
    for (uint32_t i = 0; index->set.count == index->set.root_count && i < index->set.count; i++) {
        index->set.partitions[i].born_ns = now_ns;
    }
    if (!index_backfill_follow(index->backfill, &index->set, err)) {
        return false;
    }
    count_entries(table, index);
    service->backfills++;
    table->change->is_building = true;
    return note(service, now_ns, resource, MODEL_EVENT_INDEX_BACKFILLING, index->backfill, err);
}

bool service_delete_index(struct service *service, sim_ns now_ns, uint32_t resource,
                          struct err *err) {
    struct secondary_index *index = service_index_at(service, resource);
    index->stage = INDEX_ABSENT;
    return note(service, now_ns, resource, MODEL_EVENT_INDEX_DELETED, NULL, err);
}

/* One second of the build. Entries of new writes that wait for a partition go first. */
static void write_some(struct secondary_index *index, sim_ns now_ns, bool uses_pool) {
    struct index_backfill *backfill = index->backfill;
    index_backlog_advance(&index->backlog, now_ns);
    token_bucket_refill(&index->write, now_ns);
    int64_t most_ncu = uses_pool ? index->write.level_ncu : INT64_MAX;
    for (uint32_t i = 0; i < index->set.count; i++) {
        struct partition *partition = &index->set.partitions[i];
        if (!partition_is_open(partition) || index_backlog_waits(&index->backlog, i)) {
            continue;
        }
        const int64_t ncu = index_backfill_write(backfill, partition, now_ns, most_ncu);
        if (ncu > 0 && uses_pool) {
            token_bucket_take(&index->write, ncu);
            most_ncu -= ncu;
        } else {
            backfill->own_ncu += (uint64_t)ncu;
        }
    }
}

static bool close_second(struct service *service, sim_ns now_ns, uint32_t resource,
                         struct err *err) {
    struct secondary_index *index = service_index_at(service, resource);
    uint32_t position;
    struct service_table *table = service_owner_of(service, resource, &position);
    const bool uses_pool =
        service->parameters.backfill_capacity == BACKFILL_INDEX && !table->is_on_demand;
    if (!index_backfill_follow(index->backfill, &index->set, err)) {
        return false;
    }
    write_some(index, now_ns, uses_pool);
    if (index->backfill->left_total_ncu == 0) {
        index->stage = INDEX_ACTIVE;
        table->change->is_building = false;
        service->backfills--;
        return note(service, now_ns, resource, MODEL_EVENT_INDEX_ACTIVE, index->backfill, err);
    }
    const int64_t second = (now_ns - index->backfill->begun_ns) / SIM_NS_PER_S;
    return second == 0 || second % REPORT_S != 0 ||
           note(service, now_ns, resource, MODEL_EVENT_INDEX_PROGRESS, index->backfill, err);
}

bool service_close_backfills(struct service *service, sim_ns now_ns, struct err *err) {
    for (uint32_t i = service->table_count; service->backfills > 0 && i < service->resource_count;
         i++) {
        if (service_index_at(service, i)->stage == INDEX_BACKFILLING &&
            !close_second(service, now_ns, i, err)) {
            return false;
        }
    }
    return true;
}

uint64_t service_early_reads(const struct service *service, uint32_t resource) {
    return resource < service->table_count ? 0 : service_index_at(service, resource)->early_reads;
}

void service_read_early(struct secondary_index *index, sim_ns now_ns, const struct request *request,
                        struct outcome *outcome) {
    *outcome = (struct outcome){
        .at_ns = now_ns,
        .item = request->item,
        .resource = (uint16_t)request->table,
        .operation = request->operation,
        .fate = FATE_ERRORED,
        .rejected = true,
    };
    index->early_reads++;
}
