/* service.h, what the model does at a time of its own: timers, events, splits. */
#include "models/service_parts.h"

#define TIMERS_INITIAL 16
#define EVENTS_CHUNK 64

bool service_open_events(struct service *service, struct err *err) {
    grow_array_init(&service->splits, &service->arena, sizeof(struct service_split), EVENTS_CHUNK);
    grow_array_init(&service->events, &service->arena, sizeof(struct model_event), EVENTS_CHUNK);
    leader_failover_init(&service->failover, &service->arena);
    return timer_queue_init(&service->timers, TIMERS_INITIAL, err);
}

uint32_t service_event_count(const struct service *service) {
    return service->events.count;
}

const struct model_event *service_event(const struct service *service, uint32_t number) {
    SIM_CHECK(number < service->events.count);
    return grow_array_at(&service->events, number);
}

bool service_note(struct service *service, const struct model_event *event, struct err *err) {
    uint32_t number;
    if (!grow_array_append(&service->events, 1, &number, err)) {
        return false;
    }
    SIM_CHECK(number == 0 || service_event(service, number - 1)->at_ns <= event->at_ns);
    *(struct model_event *)grow_array_at(&service->events, number) = *event;
    return true;
}

struct service_resource service_resource_at(const struct service *service, uint32_t resource) {
    if (resource >= service->table_count) {
        struct secondary_index *index = service_index_at(service, resource);
        return (struct service_resource){
            .set = &index->set,
            .keyspace = &index->keyspace,
            .read_shares = index->read_shares,
            .index = index,
        };
    }
    struct service_table *table = service_table_at(service, resource);
    return (struct service_resource){
        .set = &table->set,
        .keyspace = &table->keyspace,
        .read_shares = table->read_shares,
        .write_shares = table->write_shares,
    };
}

bool service_split(struct service *service, sim_ns now_ns, const struct split_order *order,
                   struct err *err) {
    const struct service_resource of = service_resource_at(service, order->resource);
    if (of.index != NULL) {
        index_backlog_advance(&of.index->backlog,
                              now_ns); /* what was written before, was by the parent */
    }
    if (!partition_set_reserve(of.set, 1, err) ||
        (of.read_shares != NULL && !adaptive_capacity_split(of.read_shares, &service->arena, now_ns,
                                                            order->partition, err)) ||
        (of.write_shares != NULL && !adaptive_capacity_split(of.write_shares, &service->arena,
                                                             now_ns, order->partition, err))) {
        return false;
    }
    const uint32_t low =
        partition_set_split(of.set, now_ns, order->partition, &order->cut, order->cause);
    struct secondary_indexes *indexes =
        of.index == NULL ? service_table_at(service, order->resource)->indexes : NULL;
    if (indexes != NULL && !secondary_indexes_reserve(indexes, 0, of.set->count, err)) {
        return false;
    }
    if (of.index != NULL && !index_backlog_reroute(&of.index->backlog, &service->arena, now_ns,
                                                   order->partition, err)) {
        return false;
    }
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = order->resource,
        .kind = MODEL_EVENT_SPLIT_COMPLETED,
        .numbers = {order->partition, (int64_t)order->cause, low, (int64_t)low + 1,
                    (int64_t)order->cut.hash, (int64_t)order->cut.sort},
    };
    return service_note(service, &event, err);
}

bool service_may_split(const struct service *service, const struct split_order *order) {
    const struct partition_set *set = service_resource_at(service, order->resource).set;
    return partition_set_may_split(set, order->partition, &order->cut);
}

bool service_start_split(struct service *service, sim_ns now_ns, const struct split_order *order,
                         struct err *err) {
    uint32_t number;
    SIM_CHECK(order->duration_ns >= 0 && service_may_split(service, order));
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = order->resource,
        .kind = MODEL_EVENT_SPLIT_STARTED,
        .numbers = {order->partition, (int64_t)order->cause, now_ns + order->duration_ns,
                    (int64_t)order->cut.hash, (int64_t)order->cut.sort},
    };
    if (!service_note(service, &event, err) ||
        !grow_array_append(&service->splits, 1, &number, err)) {
        return false;
    }
    *(struct service_split *)grow_array_at(&service->splits, number) =
        (struct service_split){.order = *order};
    return timer_queue_push(&service->timers, now_ns + order->duration_ns, MODEL_TIMER_SPLIT,
                            number, err);
}

bool service_double(struct service *service, sim_ns now_ns, uint32_t resource,
                    enum partition_cause cause, struct err *err) {
    const struct partition_set *set = service_resource_at(service, resource).set;
    const uint32_t count = set->count;
    for (uint32_t i = 0; i < count; i++) {
        struct split_order order = {.resource = resource, .partition = i, .cause = cause};
        if (partition_is_open(&set->partitions[i]) && partition_set_middle(set, i, &order.cut) &&
            partition_set_may_split(set, i, &order.cut) &&
            !service_split(service, now_ns, &order, err)) {
            return false;
        }
    }
    return true;
}

/* A split is over, unless the partition was split otherwise on the way. */
static bool end_split(struct service *service, sim_ns now_ns, uint32_t number, struct err *err) {
    const struct service_split *split = grow_array_at(&service->splits, number);
    return !service_may_split(service, &split->order) ||
           service_split(service, now_ns, &split->order, err);
}

bool service_on_timer(struct service *service, sim_ns now_ns, struct err *err) {
    while (service_next_event_ns(service) <= now_ns) {
        const struct timer timer = timer_queue_pop(&service->timers);
        bool done = false;
        switch ((enum model_timer)timer_kind(&timer)) {
        case MODEL_TIMER_CHANGE:
            done = service_on_change(service, timer.at_ns, (uint32_t)timer.subject, err);
            break;
        case MODEL_TIMER_PEAK:
            done = service_on_peak(service, timer.at_ns, (uint32_t)timer.subject, err);
            break;
        case MODEL_TIMER_SCALING:
            done = service_on_scaling(service, timer.at_ns, (uint32_t)timer.subject, err);
            break;
        case MODEL_TIMER_LEADER:
            done = service_on_leader(service, timer.at_ns, (uint32_t)timer.subject, err);
            break;
        case MODEL_TIMER_SPLIT:
            done = end_split(service, timer.at_ns, (uint32_t)timer.subject, err);
            break;
        }
        if (!done) {
            return false;
        }
    }
    return true;
}
