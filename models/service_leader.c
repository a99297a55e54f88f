/* service.h, partitions that have lost their leader: leader_failover.h. */
#include "models/service_parts.h"

/* The partition, or the lowest of those that came of it. */
static uint32_t open_partition(const struct partition_set *set, uint32_t partition) {
    SIM_CHECK(partition < set->count);
    while (!partition_is_open(&set->partitions[partition])) {
        partition = set->partitions[partition].first_child;
    }
    return partition;
}

bool service_lose_leader(struct service *service, sim_ns now_ns, uint32_t table, uint32_t partition,
                         struct err *err) {
    const uint32_t open = open_partition(&service_table_at(service, table)->set, partition);
    const sim_ns until_ns = now_ns + service->parameters.failover_gap;
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = table,
        .kind = MODEL_EVENT_LEADER_LOST,
        .numbers = {open, until_ns},
    };
    uint32_t gap;
    return leader_failover_lose(&service->failover, table, open, &gap, err) &&
           service_note(service, &event, err) &&
           timer_queue_push(&service->timers, until_ns, MODEL_TIMER_LEADER, gap, err);
}

bool service_lose_node(struct service *service, sim_ns now_ns, uint32_t table, uint32_t partition,
                       bool was_leader, struct err *err) {
    const uint32_t open = open_partition(&service_table_at(service, table)->set, partition);
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = table,
        .kind = MODEL_EVENT_NODE_LOST,
        .numbers = {open, was_leader},
    };
    return service_note(service, &event, err) &&
           (!was_leader || service_lose_leader(service, now_ns, table, open, err));
}

void service_lose_leaderless(struct service *service, sim_ns now_ns, const struct request *request,
                             struct outcome *outcome) {
    service->failover.lost_attempts++;
    service_lose(now_ns, request, outcome);
}

uint64_t service_leaderless_attempts(const struct service *service) {
    return service->failover.lost_attempts;
}

bool service_on_leader(struct service *service, sim_ns now_ns, uint32_t gap, struct err *err) {
    const struct leader_gap over = leader_failover_gap(&service->failover, gap);
    if (!leader_failover_elect(&service->failover, gap)) {
        return true;
    }
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = over.table,
        .kind = MODEL_EVENT_LEADER_ELECTED,
        .numbers = {over.partition},
    };
    return service_note(service, &event, err);
}
