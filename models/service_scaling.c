/* service.h, auto scaling: alarms by the minute, calls of UpdateTable (auto_scaling.h). */
#include "models/auto_scaling.h"
#include "models/service_parts.h"

#include "sim/random.h"

/* Reads or writes of a table or global index that are scaled. */
struct service_scaling {
    struct auto_scaling scaling;
    struct scaling_parameters parameters;
    uint32_t table, position, resource;
    bool writes;
    uint64_t taken_ncu;        /* as of the last minute, modulo 2^64 */
    enum scaling_cause asking; /* of the call under way */
};

static struct scaling_parameters parameters_of(const struct model_parameters *model) {
    return (struct scaling_parameters){
        .as_alarm_delay_min = model->as_alarm_delay_min,
        .as_alarm_delay_max = model->as_alarm_delay_max,
        .as_out_points = (uint32_t)model->as_out_points,
        .as_in_points = (uint32_t)model->as_in_points,
        .as_in_gap = model->as_in_gap,
        .as_out_statistic = (enum scaling_statistic)model->as_out_statistic,
        .as_in_statistic = (enum scaling_statistic)model->as_in_statistic,
        .as_scale_in_at_zero = model->as_scale_in_at_zero != 0,
    };
}

static int64_t units_of(const struct service *service, const struct service_scaling *of) {
    const struct capacity_units units =
        service->tables[of->table].change->resources[of->position].provisioned;
    return of->writes ? units.write : units.read;
}

static uint64_t taken_of(struct service *service, sim_ns now_ns, const struct service_scaling *of) {
    uint64_t read_ncu, write_ncu;
    service_taken_ncu(service, now_ns, of->resource, &read_ncu, &write_ncu);
    return of->writes ? write_ncu : read_ncu;
}

static bool schedule(struct service *service, uint32_t number, struct err *err) {
    const sim_ns next_ns = auto_scaling_next_ns(&service->scalings[number].scaling);
    return next_ns == SIM_NS_MAX ||
           timer_queue_push(&service->timers, next_ns, MODEL_TIMER_SCALING, number, err);
}

static uint32_t count_of(const struct throughput_spec *throughput) {
    return (throughput->read_scaling != NULL ? 1U : 0U) +
           (throughput->write_scaling != NULL ? 1U : 0U);
}

static bool open_one(struct service *service, const struct service_config *config, uint32_t table,
                     uint32_t position, bool writes, struct err *err) {
    const struct table_spec *spec = &config->tables[table];
    const struct throughput_spec *throughput = table_throughput(spec, position);
    const struct scaling_spec *scaled =
        writes ? throughput->write_scaling : throughput->read_scaling;
    if (scaled == NULL) {
        return true;
    }
    const uint32_t number = service->scaling_count++;
    struct service_scaling *of = &service->scalings[number];
    const struct random_name name = {
        .seed = config->seed,
        .replication = config->replication,
        .workload = spec->table_name,
        .variable = "auto scaling",
    };
    *of = (struct service_scaling){
        .parameters = parameters_of(&config->parameters),
        .table = table,
        .position = position,
        .resource = service_resource_of(&service->tables[table], table, position),
        .writes = writes,
    };
    auto_scaling_init(&of->scaling, scaled, &of->parameters,
                      hash_mix(random_name_hash(&name) + 2 * position + writes));
    return schedule(service, number, err);
}

bool service_open_scaling(struct service *service, const struct service_config *config,
                          struct err *err) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->table_count; i++) {
        for (uint32_t k = 0; k <= config->tables[i].global_index_count; k++) {
            count += count_of(table_throughput(&config->tables[i], k));
        }
    }
    service->scalings =
        ARENA_ARRAY(&service->arena, struct service_scaling, count, "auto scaling", err);
    bool opened = service->scalings != NULL;
    for (uint32_t i = 0; opened && i < config->table_count; i++) {
        for (uint32_t k = 0; opened && k <= config->tables[i].global_index_count; k++) {
            opened = open_one(service, config, i, k, false, err) &&
                     open_one(service, config, i, k, true, err);
        }
    }
    return opened;
}

static bool close_minute(struct service *service, sim_ns now_ns, uint32_t number, struct err *err) {
    struct service_scaling *of = &service->scalings[number];
    const uint64_t taken_ncu = taken_of(service, now_ns, of);
    const int64_t consumed_ncu = (int64_t)(taken_ncu - of->taken_ncu);
    const int64_t units = units_of(service, of);
    of->taken_ncu = taken_ncu;
    const bool is_active =
        of->position == 0 || service_index_at(service, of->resource)->stage == INDEX_ACTIVE;
    if (units < 1 || !is_active) {
        return true; /* on-demand meanwhile, or not built yet: there is nothing to scale */
    }
    const enum scaling_cause alarm = auto_scaling_minute(&of->scaling, now_ns, consumed_ncu, units);
    if (alarm != SCALING_NONE) {
        const struct model_event event = {
            .at_ns = now_ns,
            .resource = of->resource,
            .kind = MODEL_EVENT_SCALING_ALARM,
            .numbers = {of->writes, (int64_t)alarm, consumed_ncu / NCU_PER_CU / 60, units},
        };
        if (!service_note(service, &event, err)) {
            return false;
        }
    }
    return schedule(service, number, err);
}

bool service_scale_minute(struct service *service, sim_ns now_ns, struct err *err) {
    if (service->scaling_count == 0 || now_ns % SIM_NS_PER_MIN != 0) {
        return true;
    }
    for (uint32_t i = 0; i < service->scaling_count; i++) {
        if (!close_minute(service, now_ns, i, err)) {
            return false;
        }
    }
    return true;
}

static bool ask(struct service *service, sim_ns now_ns, struct service_scaling *of,
                const struct scaling_request *request, struct err *err) {
    struct table_update update = table_update_nothing();
    struct change_reply reply;
    *(of->writes ? &update.provisioned[of->position].write
                 : &update.provisioned[of->position].read) = request->units;
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = of->resource,
        .kind = MODEL_EVENT_SCALING_ACTION,
        .numbers = {of->writes, (int64_t)request->cause, request->units},
    };
    if (!service_note(service, &event, err) ||
        !service_update_table(service, now_ns, of->table, &update, &reply, err)) {
        return false;
    }
    if (reply.answer == CHANGE_ACCEPTED) {
        of->asking = request->cause;
    } else {
        auto_scaling_refused(&of->scaling);
    }
    return true;
}

bool service_on_scaling(struct service *service, sim_ns now_ns, uint32_t number, struct err *err) {
    struct service_scaling *of = &service->scalings[number];
    struct scaling_request request;
    const int64_t units = units_of(service, of);
    if (auto_scaling_next_ns(&of->scaling) != now_ns) {
        return true; /* planned otherwise since */
    }
    if (units < 1) { /* on-demand meanwhile */
        auto_scaling_pass(&of->scaling, now_ns);
        return schedule(service, number, err);
    }
    if (auto_scaling_act(&of->scaling, now_ns, units, &request) &&
        !ask(service, now_ns, of, &request, err)) {
        return false;
    }
    return schedule(service, number, err);
}

void service_scaling_changed(struct service *service, sim_ns now_ns, uint32_t table) {
    for (uint32_t i = 0; i < service->scaling_count; i++) {
        struct service_scaling *of = &service->scalings[i];
        if (of->table != table) {
            continue;
        }
        if (of->asking != SCALING_NONE) {
            auto_scaling_done(&of->scaling, now_ns, of->asking);
            of->asking = SCALING_NONE;
        }
    }
}
