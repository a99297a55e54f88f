/* service.h, splits for heat: what hot partitions see, and what becomes of them each minute. */
#include "models/service_parts.h"

#include "models/split_for_heat.h"
#include "sim/random.h"

bool service_open_heat(struct service *service, const struct service_config *config,
                       struct err *err) {
    if (config->parameters.era != ERA_GAC ||
        config->parameters.split_for_heat == SPLIT_FOR_HEAT_OFF) {
        return true;
    }
    service->heat = ARENA_ARRAY(&service->arena, struct split_for_heat, service->resource_count,
                                "hot partitions", err);
    if (service->heat == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < service->table_count; i++) {
        const struct table_spec *table = &config->tables[i];
        const struct random_name name = {
            .seed = config->seed,
            .replication = config->replication,
            .workload = table->table_name,
            .variable = "split for heat",
        };
        struct split_for_heat_setup setup = {
            .parameters = &config->parameters,
            .stream = random_name_hash(&name),
            .has_sort_keys = table->range_key.name != NULL,
            .has_local_index = table->index_count > table->global_index_count,
        };
        split_for_heat_init(&service->heat[i], &service->arena, &setup);
        setup.has_sort_keys = true; /* an index's entries lie in an order of their own */
        setup.has_local_index = false;
        for (uint32_t j = 0; j < table->global_index_count; j++) {
            const uint32_t resource = service_index_resource(service, i, j);
            setup.stream =
                secondary_index_salt(random_name_hash(&name), table->indexes[j].index_name);
            split_for_heat_init(&service->heat[resource], &service->arena, &setup);
        }
    }
    for (uint32_t i = 0; i < service->resource_count; i++) {
        if (!split_for_heat_open(&service->heat[i], service_resource_at(service, i).set, err)) {
            return false;
        }
    }
    return true;
}

/* An access to a partition that may be hot. */
static void observe(struct service *service, uint32_t resource, uint32_t partition, bool writes,
                    const struct partition_place *place, int64_t cost_ncu) {
    const struct partition *of = &service_resource_at(service, resource).set->partitions[partition];
    const int64_t rate = writes ? of->write.rate_cu_per_s : of->read.rate_cu_per_s;
    const struct heat_access access = {.place = *place, .weight = cost_ncu / rate};
    split_for_heat_observe(&service->heat[resource], partition, &access);
}

void service_observe(struct service *service, const struct outcome *outcomes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct outcome *outcome = &outcomes[i];
        if (outcome->fate != FATE_ADMITTED || outcome->key == OUTCOME_NO_KEY ||
            split_for_heat_sample(&service->heat[outcome->resource], outcome->partition) == NULL) {
            continue;
        }
        const struct keyspace *keyspace = service_resource_at(service, outcome->resource).keyspace;
        const bool is_query = outcome->operation == DDB_QUERY;
        const struct partition_place place = is_query
                                                 ? keyspace_key_place(keyspace, outcome->key)
                                                 : keyspace_item_place(keyspace, outcome->item);
        observe(service, outcome->resource, outcome->partition,
                ddb_operation_writes((enum ddb_operation)outcome->operation), &place,
                outcome->cost_ncu);
    }
}

void service_observe_index(struct service *service, uint32_t resource,
                           const struct index_write *writes, uint32_t count) {
    const struct keyspace *keyspace = service_resource_at(service, resource).keyspace;
    for (uint32_t i = 0; i < count; i++) {
        const struct index_write *write = &writes[i];
        if (split_for_heat_sample(&service->heat[resource], write->partition) != NULL) {
            struct partition_place place = keyspace_key_place(keyspace, write->key);
            place.sort = write->sort;
            observe(service, resource, write->partition, true, &place, write->cost_ncu);
        }
    }
}

static bool follow(struct service *service, sim_ns now_ns, uint32_t resource, uint32_t partition,
                   const struct heat_decision *decision, struct err *err) {
    if (decision->splits) {
        const struct split_order order = {
            .resource = resource,
            .partition = partition,
            .cut = decision->cut,
            .cause = PARTITION_HEAT,
            .duration_ns = decision->duration_ns,
        };
        return service_start_split(service, now_ns, &order, err);
    }
    if (decision->refusal == SPLIT_NO_REFUSAL) {
        return true;
    }
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = resource,
        .kind = MODEL_EVENT_SPLIT_REFUSED,
        .numbers = {partition, (int64_t)decision->refusal},
    };
    return service_note(service, &event, err);
}

static bool close_window(struct service *service, sim_ns now_ns, uint32_t resource,
                         struct err *err) {
    const struct service_resource of = service_resource_at(service, resource);
    struct split_for_heat *heat = &service->heat[resource];
    const uint32_t count = of.set->count;
    if (of.index != NULL) {
        index_backlog_advance(&of.index->backlog, now_ns);
    }
    if (!split_for_heat_open(heat, of.set, err)) {
        return false;
    }
    service->observed -= heat->sample_count;
    for (uint32_t i = 0; i < count; i++) {
        struct heat_decision decision;
        if (!split_for_heat_close_window(heat, of.set, i, &decision, err) ||
            !follow(service, now_ns, resource, i, &decision, err)) {
            return false;
        }
    }
    service->observed += heat->sample_count;
    return true;
}

bool service_close_second(struct service *service, sim_ns now_ns, struct err *err) {
    if (!service_scale_minute(service, now_ns, err)) {
        return false;
    }
    if (service->backfills > 0 && !service_close_backfills(service, now_ns, err)) {
        return false;
    }
    if (now_ns % HEAT_WINDOW_NS != 0) {
        return true;
    }
    for (uint32_t i = 0; service->heat != NULL && i < service->resource_count; i++) {
        if (!close_window(service, now_ns, i, err)) {
            return false;
        }
    }
    return service_close_size(service, now_ns, err);
}
