/* What the model does at a time of its own, and what the recorder learns of it. */
#include "experiments/simulation_parts.h"

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

bool simulation_schedule_actions(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    for (uint32_t i = 0; i < scenario->action_count; i++) {
        if (!loop_schedule(&simulation->loop, scenario->actions[i].at_ns, TIMER_ACTION, i, err)) {
            return false;
        }
    }
    return true;
}

bool simulation_action(struct simulation *simulation, uint32_t action, struct err *err) {
    const struct action_spec *spec = &simulation->config.scenario->actions[action];
    struct change_reply reply;
    return simulation_flush(simulation, err) &&
           service_update_table(&simulation->service, simulation->loop.now_ns, spec->table,
                                &spec->update, &reply, err) &&
           record(simulation, err) && simulation_schedule_model(simulation, err);
}
