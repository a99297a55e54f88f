/* service.h, the secondary indexes of its tables. */
#include "models/service_parts.h"

uint32_t service_resource_count(const struct service *service) {
    return service->resource_count;
}

uint32_t service_index_resource(const struct service *service, uint32_t table, uint32_t index) {
    const struct service_table *of = service_table_at(service, table);
    SIM_CHECK(of->indexes != NULL && index < of->indexes->global_count);
    return of->first_index_resource + index;
}

static struct secondary_indexes *indexes_of(const struct service *service, uint32_t table) {
    struct secondary_indexes *indexes = service_table_at(service, table)->indexes;
    SIM_CHECK(indexes != NULL);
    return indexes;
}

uint32_t service_attribute(const struct service *service, uint32_t table, const char *name) {
    const struct secondary_indexes *indexes = service_table_at(service, table)->indexes;
    return indexes == NULL ? ATTRIBUTE_OF_NO_INDEX : secondary_indexes_attribute(indexes, name);
}

uint32_t service_item_count(const struct service *service, uint32_t table) {
    return service_table_at(service, table)->keyspace.items.count;
}

uint32_t service_value_bytes(const struct service *service, uint32_t table, uint32_t attribute,
                             uint32_t value) {
    const struct secondary_indexes *indexes = indexes_of(service, table);
    SIM_CHECK(attribute < indexes->attribute_count);
    return secondary_indexes_text(&indexes->attributes[attribute], value)->bytes;
}

bool service_intern_value(struct service *service, uint32_t table, uint32_t attribute,
                          const char *text, size_t text_bytes, struct attribute_value *value,
                          struct err *err) {
    return secondary_indexes_value(indexes_of(service, table), attribute, text, text_bytes, value,
                                   err);
}

void service_hold(struct service *service, uint32_t table, uint32_t item,
                  const uint32_t *attributes, const struct attribute_value *values,
                  uint32_t attribute_count) {
    struct service_table *of = service_table_at(service, table);
    const uint64_t before = service_item_stored(of, item);
    secondary_indexes_hold(indexes_of(service, table), item, attributes, values, attribute_count);
    service_appear(of, item, service_item_stored(of, item) - before);
}

bool service_reserve(struct service *service, uint32_t table, uint32_t writes, struct err *err) {
    struct service_table *of = service_table_at(service, table);
    return secondary_indexes_reserve(indexes_of(service, table), writes, of->set.count, err) &&
           (!of->follows_collections || service_reserve_collections(of, err));
}

bool service_index_waits(struct service *service, uint32_t resource, sim_ns until_ns) {
    struct secondary_index *index = service_index_at(service, resource);
    index_backlog_advance(&index->backlog, until_ns);
    return index_queue_buffered_ncu(&index->backlog.queue) > 0;
}

uint32_t service_index_writes(struct service *service, uint32_t resource, sim_ns until_ns,
                              const struct index_write **writes) {
    struct secondary_index *index = service_index_at(service, resource);
    index_backlog_advance(&index->backlog, until_ns);
    const uint32_t count = index_queue_take(&index->backlog.queue, writes);
    if (service_observes(service)) {
        service_observe_index(service, resource, *writes, count);
    }
    return count;
}

struct index_refusals service_index_refusals(struct service *service, uint32_t resource) {
    struct secondary_index *index = service_index_at(service, resource);
    const struct index_refusals refusals = index->refusals;
    index->refusals = (struct index_refusals){.events = {0}};
    return refusals;
}
