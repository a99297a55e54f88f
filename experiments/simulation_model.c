/* What the model does at a time of its own, and what the recorder learns of it. */
#include "experiments/simulation_parts.h"

#include "analysis/summary.h"
#include "sim/hash.h"
#include "sim/random.h"

#include <inttypes.h>

bool simulation_schedule_model(struct simulation *simulation, struct err *err) {
    const sim_ns next_ns = service_next_event_ns(&simulation->service);
    if (next_ns >= simulation->service_timer_ns) {
        return true;
    }
    /* a later one that is pending finds nothing to do */
    simulation->service_timer_ns = next_ns;
    return loop_schedule(&simulation->loop, next_ns, TIMER_SERVICE, 0, err);
}

static bool store_model_event(struct simulation *simulation, const struct model_event *event,
                              struct err *err) {
    if (simulation->config.store == NULL) {
        return true;
    }
    char detail[MODEL_EVENT_DETAIL_BYTES];
    model_event_detail(event, detail, sizeof detail);
    return store_event(simulation->config.store, simulation->config.run_id,
                       (double)event->at_ns / (double)SIM_NS_PER_S, (uint16_t)event->resource,
                       model_event_name(event->kind), detail, err);
}

/* What has happened since the last time, and the partitions that came of it. */
static bool record(struct simulation *simulation, struct err *err) {
    const struct service *service = &simulation->service;
    const uint32_t count = service_event_count(service);
    if (simulation->recorded_events == count) {
        return true;
    }
    while (simulation->recorded_events < count) {
        const struct model_event *event = service_event(service, simulation->recorded_events++);
        recorder_event(&simulation->recorder, event);
        if (!store_model_event(simulation, event, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < service_resource_count(service); i++) {
        if (!recorder_grow_partitions(&simulation->recorder, (uint16_t)i,
                                      service_partition_count(service, i), err)) {
            return false;
        }
    }
    return true;
}

bool simulation_model_timer(struct simulation *simulation, struct err *err) {
    simulation->service_timer_ns = INT64_MAX;
    return simulation_flush(simulation, err) &&
           service_on_timer(&simulation->service, simulation->loop.now_ns, err) &&
           record(simulation, err) && simulation_schedule_model(simulation, err);
}

bool simulation_close_model(struct simulation *simulation, sim_ns end_ns, struct err *err) {
    return service_close_second(&simulation->service, end_ns, err) && record(simulation, err) &&
           simulation_schedule_model(simulation, err);
}

/* A partition that an action names is there at the start. */
static bool check_action(const struct simulation *simulation, const struct action_spec *action,
                         struct err *err) {
    const uint32_t partitions = service_partition_count(&simulation->service, action->table);
    return action->kind == ACTION_UPDATE_TABLE || action->partition < partitions ||
           scenario_error(err, &action->position,
                          "partition %" PRIu32 " of table '%s', expected 0 to %" PRIu32
                          ", which it has at the start",
                          action->partition,
                          simulation->config.scenario->tables[action->table].table_name,
                          partitions - 1);
}

bool simulation_schedule_actions(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        if (!check_action(simulation, &scenario->actions[i], err) ||
            !loop_schedule(&simulation->loop, scenario->actions[i].at_ns, TIMER_ACTION, i, err)) {
            return false;
        }
    }
    return true;
}

/* Each of a partition's replicas is its leader as likely as another. */
static bool lost_leader(const struct simulation *simulation, uint32_t action) {
    const struct random_name name = {
        .seed = simulation->config.seed,
        .replication = simulation->config.replication,
        .workload = "actions",
        .variable = "replica",
    };
    return hash_below(hash_draw(random_name_hash(&name), action, 0), PARTITION_REPLICAS) == 0;
}

static bool act(struct simulation *simulation, uint32_t action, struct err *err) {
    const struct action_spec *spec = &simulation->config.scenario->actions[action];
    struct change_reply reply;
    const sim_ns now_ns = simulation->loop.now_ns;
    switch (spec->kind) {
    case ACTION_UPDATE_TABLE:
        return service_update_table(&simulation->service, now_ns, spec->table, &spec->update,
                                    &reply, err);
    case ACTION_LEADER_LOST:
        return service_lose_leader(&simulation->service, now_ns, spec->table, spec->partition, err);
    case ACTION_NODE_LOST:
        return service_lose_node(&simulation->service, now_ns, spec->table, spec->partition,
                                 lost_leader(simulation, action), err);
    }
    SIM_CHECKF(false, "action of kind %d", (int)spec->kind);
    return false;
}

bool simulation_action(struct simulation *simulation, uint32_t action, struct err *err) {
    return simulation_flush(simulation, err) && act(simulation, action, err) &&
           record(simulation, err) && simulation_schedule_model(simulation, err);
}

static double seconds(sim_ns time_ns) {
    return (double)time_ns / (double)SIM_NS_PER_S;
}

static void add_event(const struct model_event *event, struct summary_splits *splits) {
    if (event->kind == MODEL_EVENT_SPLIT_COMPLETED) {
        splits->completed++;
        splits->for_heat += event->numbers[1] == PARTITION_HEAT;
        splits->for_size += event->numbers[1] == PARTITION_SIZE;
        splits->last_s = seconds(event->at_ns);
        splits->first_s = splits->completed == 1 ? splits->last_s : splits->first_s;
    } else if (event->kind == MODEL_EVENT_SPLIT_REFUSED) {
        splits->refusal = (enum split_refusal)event->numbers[1];
        splits->refused_partition = (uint32_t)event->numbers[0];
        splits->refused_s = seconds(event->at_ns);
    }
}

/* Of those in flight at the end, the one that is over first. */
static void find_next(const struct simulation *simulation, uint32_t resource,
                      struct summary_splits *splits) {
    splits->in_flight = 0;
    splits->next_s = -1;
    for (uint32_t i = 0; i < service_event_count(&simulation->service); i++) {
        const struct model_event *event = service_event(&simulation->service, i);
        struct partition_sample partition;
        if (event->resource != resource || event->kind != MODEL_EVENT_SPLIT_STARTED) {
            continue;
        }
        service_partition(&simulation->service, resource, (uint32_t)event->numbers[0], &partition);
        const double until_s = seconds(event->numbers[2]);
        if (partition.closed_ns == -1) {
            splits->in_flight++;
            splits->next_s =
                splits->next_s < 0 || until_s < splits->next_s ? until_s : splits->next_s;
        }
    }
}

void simulation_summarise_splits(const struct simulation *simulation, uint32_t resource,
                                 struct summary_splits *splits) {
    *splits = (struct summary_splits){
        .first_s = -1,
        .last_s = -1,
        .next_s = -1,
        .refusal = SPLIT_NO_REFUSAL,
        .refused_s = -1,
    };
    for (uint32_t i = 0; i < service_event_count(&simulation->service); i++) {
        const struct model_event *event = service_event(&simulation->service, i);
        if (event->resource == resource) {
            add_event(event, splits);
        }
    }
    find_next(simulation, resource, splits);
}

void simulation_summarise_collections(const struct simulation *simulation, uint32_t resource,
                                      struct summary_resource *summary) {
    const struct service *service = &simulation->service;
    summary->early_reads = service_early_reads(service, resource);
    summary->active_s = -1;
    for (uint32_t i = 0; i < service_event_count(service); i++) {
        const struct model_event *event = service_event(service, i);
        if (event->resource == resource && event->kind == MODEL_EVENT_INDEX_ACTIVE) {
            summary->active_s = seconds(event->at_ns);
        }
    }
    if (resource >= simulation->config.scenario->table_count) {
        return;
    }
    summary->rejections = service_collection_rejections(service, resource);
    summary->collection_max_bytes = simulation->config.scenario->model.part_max_bytes;
    summary->rejected_s = -1;
    for (uint32_t i = 0; i < service_event_count(service) && summary->rejected_s < 0; i++) {
        const struct model_event *event = service_event(service, i);
        if (event->resource == resource && event->kind == MODEL_EVENT_COLLECTION_FULL) {
            summary->rejected_s = seconds(event->at_ns);
        }
    }
}
