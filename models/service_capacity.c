/* service.h, capacity that changes while a table runs: UpdateTable, and on-demand peaks. */
#include "models/service_parts.h"

#include "sim/random.h"

uint32_t service_resource_of(const struct service_table *table, uint32_t number,
                             uint32_t position) {
    return position == 0 ? number : table->first_index_resource + position - 1;
}

static struct on_demand *peak_at(const struct service *service, uint32_t resource) {
    return resource < service->table_count ? &service->tables[resource].peak
                                           : &service_index_at(service, resource)->peak;
}

void service_taken_ncu(struct service *service, sim_ns now_ns, uint32_t resource,
                       uint64_t *read_ncu, uint64_t *write_ncu) {
    const struct service_resource of = service_resource_at(service, resource);
    if (of.index != NULL) {
        index_backlog_advance(&of.index->backlog, now_ns);
    }
    *read_ncu = *write_ncu = 0;
    for (uint32_t i = 0; i < of.set->count; i++) {
        *read_ncu += partition_taken_ncu(&of.set->partitions[i], false);
        *write_ncu += partition_taken_ncu(&of.set->partitions[i], true);
    }
}

static bool schedule_peak(struct service *service, uint32_t resource, struct err *err) {
    const sim_ns next_ns = on_demand_next_ns(peak_at(service, resource));
    return next_ns == INT64_MAX ||
           timer_queue_push(&service->timers, next_ns, MODEL_TIMER_PEAK, resource, err);
}

static bool begin_peaks(struct service *service, sim_ns now_ns, uint32_t resource,
                        struct err *err) {
    uint64_t read_ncu, write_ncu;
    service_taken_ncu(service, now_ns, resource, &read_ncu, &write_ncu);
    on_demand_begin(peak_at(service, resource), now_ns, read_ncu, write_ncu);
    return schedule_peak(service, resource, err);
}

/* All partitions double until there are as many. */
static bool grow(struct service *service, sim_ns now_ns, uint32_t resource, int64_t partitions,
                 enum partition_cause cause, struct err *err) {
    const struct partition_set *set = service_resource_at(service, resource).set;
    while (set->open_count < partitions) {
        const uint32_t before = set->open_count;
        if (!service_double(service, now_ns, resource, cause, err)) {
            return false;
        }
        if (set->open_count == before) {
            break; /* single places: nothing is left to cut */
        }
    }
    return true;
}

struct service_table *service_owner_of(const struct service *service, uint32_t resource,
                                       uint32_t *position) {
    uint32_t table = resource;
    *position = 0;
    if (resource >= service->table_count) {
        for (table = service->table_count - 1;
             service->tables[table].first_index_resource > resource ||
             service->tables[table].indexes == NULL;
             table--) {
        }
        *position = 1 + resource - service->tables[table].first_index_resource;
    }
    return &service->tables[table];
}

bool service_on_peak(struct service *service, sim_ns now_ns, uint32_t resource, struct err *err) {
    struct on_demand *peak = peak_at(service, resource);
    const struct partition_set *set = service_resource_at(service, resource).set;
    uint64_t read_ncu, write_ncu;
    if (on_demand_next_ns(peak) != now_ns) {
        return true; /* of a time before the mode was switched */
    }
    service_taken_ncu(service, now_ns, resource, &read_ncu, &write_ncu);
    const bool rises = on_demand_advance(peak, now_ns, read_ncu, write_ncu);
    const int64_t partitions = on_demand_partitions(peak, &service->parameters);
    if (rises && partitions > set->open_count) {
        const struct model_event event = {
            .at_ns = now_ns,
            .resource = resource,
            .kind = MODEL_EVENT_PEAK_RAISED,
            .numbers = {peak->peak.read, peak->peak.write, set->open_count, partitions},
        };
        if (!service_note(service, &event, err) ||
            !grow(service, now_ns, resource, partitions, PARTITION_PEAK, err)) {
            return false;
        }
        uint32_t position;
        struct service_table *table = service_owner_of(service, resource, &position);
        service_audit_table(service, (uint32_t)(table - service->tables), now_ns);
        service_reach_quota(table, now_ns, position, &service->parameters);
    }
    return schedule_peak(service, resource, err);
}

static bool open_peaks(struct service *service, uint32_t resource,
                       const struct throughput_spec *throughput, bool is_on_demand,
                       struct err *err) {
    return on_demand_init(peak_at(service, resource), &service->arena, throughput->previous_peak,
                          &service->parameters, err) &&
           (!is_on_demand || begin_peaks(service, 0, resource, err));
}

static bool open_change(struct service *service, uint32_t number,
                        const struct service_config *config, struct err *err) {
    const struct table_spec *spec = &config->tables[number];
    struct service_table *table = &service->tables[number];
    const bool is_on_demand = spec->billing_mode == BILLING_PAY_PER_REQUEST;
    const struct random_name name = {
        .seed = config->seed,
        .replication = config->replication,
        .workload = spec->table_name,
        .variable = "update table",
    };
    const struct change_setup setup = {
        .table = spec,
        .account = &service->account,
        .parameters = &service->parameters,
        .start_epoch_s = config->start_epoch_s,
        .stream = random_name_hash(&name),
    };
    table->change = ARENA_NEW(&service->arena, struct capacity_change, "changes", err);
    if (table->change == NULL) {
        return false;
    }
    capacity_change_init(table->change, &setup);
    bool ready = true;
    for (uint32_t i = 0; ready && i <= spec->global_index_count; i++) {
        ready = open_peaks(service, service_resource_of(table, number, i),
                           table_throughput(spec, i), is_on_demand, err);
    }
    return ready;
}

bool service_open_changes(struct service *service, const struct service_config *config,
                          struct err *err) {
    bool ready = true;
    service->account = (struct change_account){.quotas = config->quotas};
    for (uint32_t i = 0; ready && i < service->table_count; i++) {
        ready = open_change(service, i, config, err);
    }
    return ready && service_open_scaling(service, config, err);
}

static const struct change_resource *changed(const struct service_table *table, uint32_t position) {
    return &table->change->resources[position];
}

static bool keeps(struct capacity_units units) {
    return units.read == UPDATE_KEEPS && units.write == UPDATE_KEEPS;
}

static bool is_about(const struct table_update *update, uint32_t position) {
    return update->sets_billing_mode || !keeps(update->provisioned[position]) ||
           !keeps(update->warm[position]);
}

/* A call that sets nothing but units of global indexes leaves the table as it was. */
static bool is_of_indexes(const struct table_update *update, uint32_t resource_count) {
    bool indexes = false;
    for (uint32_t i = 1; i < resource_count; i++) {
        indexes = indexes || is_about(update, i);
    }
    return indexes && !is_about(update, 0) && keeps(update->max_on_demand[0]) &&
           update->creates == 0 && update->deletes == 0;
}

/* The table's events of a call: one for each position that it is about. */
static bool note_positions(struct service *service, sim_ns now_ns, uint32_t number,
                           const struct table_update *update, enum model_event_kind kind,
                           int64_t first, struct err *err) {
    const struct service_table *table = service_table_at(service, number);
    const bool skips_table = is_of_indexes(update, table->change->resource_count);
    for (uint32_t i = 0; i < table->change->resource_count; i++) {
        const struct capacity_units units = update->provisioned[i], warm = update->warm[i];
        if (i == 0 ? skips_table : !is_about(update, i)) {
            continue;
        }
        const int64_t mode = update->sets_billing_mode ? (int64_t)update->billing_mode
                                                       : (int64_t)table->change->billing_mode;
        const struct model_event event = {
            .at_ns = now_ns,
            .resource = service_resource_of(table, number, i),
            .kind = kind,
            .numbers = {first, mode, units.read == UPDATE_KEEPS ? MODEL_EVENT_NONE : units.read,
                        units.write == UPDATE_KEEPS ? MODEL_EVENT_NONE : units.write,
                        warm.read == UPDATE_KEEPS ? MODEL_EVENT_NONE : warm.read,
                        warm.write == UPDATE_KEEPS ? MODEL_EVENT_NONE : warm.write},
        };
        if (!service_note(service, &event, err)) {
            return false;
        }
    }
    return true;
}

bool service_update_table(struct service *service, sim_ns now_ns, uint32_t number,
                          const struct table_update *update, struct change_reply *reply,
                          struct err *err) {
    struct service_table *table = service_table_at(service, number);
    for (uint32_t i = 0; i < table->change->resource_count; i++) {
        table->change->resources[i].partitions =
            service_resource_at(service, service_resource_of(table, number, i)).set->open_count;
    }
    *reply = capacity_change_request(table->change, now_ns, update);
    if (reply->answer == CHANGE_ACCEPTED) {
        return note_positions(service, now_ns, number, update, MODEL_EVENT_UPDATE_ACCEPTED,
                              reply->done_ns, err) &&
               (update->deletes == 0 ||
                service_delete_index(service, now_ns,
                                     service_resource_of(table, number, update->deletes), err)) &&
               timer_queue_push(&service->timers, reply->done_ns, MODEL_TIMER_CHANGE, number, err);
    }
    const struct model_event event = {
        .at_ns = now_ns,
        .resource = service_resource_of(table, number, reply->position),
        .kind = MODEL_EVENT_UPDATE_REFUSED,
        .numbers = {(int64_t)reply->answer},
    };
    return service_note(service, &event, err);
}

/* What a switch of the mode leaves of the pools: as a new table's. */
static void restart_pools(struct service_table *table, const struct model_parameters *parameters,
                          sim_ns now_ns) {
    const struct capacity_units units = changed(table, 0)->provisioned;
    const sim_ns saved_ns = spec_saved_ns(SPEC_UNKNOWN, parameters);
    global_admission_restart(&table->read, now_ns, units.read, saved_ns, parameters);
    global_admission_restart(&table->write, now_ns, units.write, saved_ns, parameters);
    for (uint32_t i = 1; i < table->change->resource_count; i++) {
        struct secondary_index *index = &table->indexes->list[i - 1];
        const struct capacity_units of_index = changed(table, i)->provisioned;
        global_admission_restart(&index->read, now_ns, of_index.read, saved_ns, parameters);
        secondary_index_set_writes(index, now_ns, of_index.write, saved_ns, parameters);
    }
}

static void change_pools(struct service_table *table, const struct model_parameters *parameters,
                         sim_ns now_ns) {
    const struct capacity_units units = changed(table, 0)->provisioned;
    global_admission_change(&table->read, now_ns, units.read, parameters);
    global_admission_change(&table->write, now_ns, units.write, parameters);
    for (uint32_t i = 1; i < table->change->resource_count; i++) {
        struct secondary_index *index = &table->indexes->list[i - 1];
        const struct capacity_units of_index = changed(table, i)->provisioned;
        global_admission_change(&index->read, now_ns, of_index.read, parameters);
        token_bucket_change(&index->write, now_ns, of_index.write,
                            of_index.write * parameters->burst_window_s);
    }
}

static struct limits_setup limits_of(const struct service *service) {
    return (struct limits_setup){.quotas = service->account.quotas,
                                 .parameters = &service->parameters};
}

static bool switch_mode(struct service *service, sim_ns now_ns, uint32_t number, struct err *err) {
    struct service_table *table = service_table_at(service, number);
    const struct limits_setup setup = limits_of(service);
    bool done = true;
    table->is_on_demand = table->change->billing_mode == BILLING_PAY_PER_REQUEST;
    if (!table->is_on_demand) {
        restart_pools(table, &service->parameters, now_ns);
    }
    for (uint32_t i = 0; done && i < table->change->resource_count; i++) {
        const uint32_t resource = service_resource_of(table, number, i);
        if (i > 0) {
            table->indexes->list[i - 1].is_on_demand = table->is_on_demand;
        }
        if (table->is_on_demand) {
            service_open_limits(table, now_ns, i, changed(table, i)->max_on_demand, 0, &setup);
            done = begin_peaks(service, now_ns, resource, err);
        } else {
            on_demand_end(peak_at(service, resource));
        }
    }
    return done;
}

/* Maximums that a call has set. */
static void set_maximums(struct service *service, sim_ns now_ns, uint32_t number,
                         const struct table_update *done) {
    struct service_table *table = service_table_at(service, number);
    const struct limits_setup setup = limits_of(service);
    for (uint32_t i = 0; i < table->change->resource_count; i++) {
        if (done->max_on_demand[i].read != UPDATE_KEEPS ||
            done->max_on_demand[i].write != UPDATE_KEEPS) {
            service_open_limits(table, now_ns, i, changed(table, i)->max_on_demand, 0, &setup);
        }
    }
}

/* Partitions that a position needs for what is in force now. */
static int64_t needed(const struct service *service, const struct service_table *table,
                      uint32_t position, const struct table_update *done) {
    const struct model_parameters *parameters = &service->parameters;
    const struct capacity_units warm = {
        done->warm[position].read > 0 ? done->warm[position].read : 0,
        done->warm[position].write > 0 ? done->warm[position].write : 0};
    const int64_t for_warm = partition_count_for(warm, parameters);
    int64_t for_mode =
        capacity_change_partitions(table->change, changed(table, position)->provisioned);
    if (table->is_on_demand) {
        const struct on_demand *peak =
            position == 0 ? &table->peak : &table->indexes->list[position - 1].peak;
        const int64_t for_peak = on_demand_partitions(peak, parameters);
        for_mode = for_peak > parameters->on_demand_partitions ? for_peak
                                                               : parameters->on_demand_partitions;
    }
    return for_warm > for_mode ? for_warm : for_mode;
}

bool service_on_change(struct service *service, sim_ns now_ns, uint32_t number, struct err *err) {
    struct service_table *table = service_table_at(service, number);
    struct table_update done;
    const enum billing_mode before = table->change->billing_mode;
    if (!capacity_change_complete(table->change, now_ns, &done)) {
        return true;
    }
    service_audit_table(service, number, now_ns); /* what comes is counted by itself */
    const struct capacity_units units = changed(table, 0)->provisioned;
    table->read_capacity_units = units.read;
    table->write_capacity_units = units.write;
    for (uint32_t i = 1; i < table->change->resource_count; i++) {
        table->indexes->list[i - 1].provisioned = changed(table, i)->provisioned;
    }
    if (table->change->billing_mode != before) {
        if (!switch_mode(service, now_ns, number, err)) {
            return false;
        }
    } else if (!table->is_on_demand) {
        change_pools(table, &service->parameters, now_ns);
    } else {
        set_maximums(service, now_ns, number, &done);
    }
    for (uint32_t i = 0; i < table->change->resource_count; i++) {
        if (!grow(service, now_ns, service_resource_of(table, number, i),
                  needed(service, table, i, &done), PARTITION_THROUGHPUT, err)) {
            return false;
        }
    }
    service_audit_table(service, number, now_ns);
    for (uint32_t i = 0; i < table->change->resource_count; i++) {
        service_reach_quota(table, now_ns, i, &service->parameters);
    }
    service_scaling_changed(service, now_ns, number);
    if (done.creates > 0 &&
        !service_begin_backfill(service, now_ns, service_resource_of(table, number, done.creates),
                                err)) {
        return false;
    }
    return note_positions(service, now_ns, number, &done, MODEL_EVENT_UPDATE_COMPLETED,
                          MODEL_EVENT_NONE, err);
}
