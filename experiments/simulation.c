#include "experiments/simulation.h"

#include "experiments/simulation_parts.h"

#include "sim/random.h"

#include <stdlib.h>

/* What the model refuses is a fault of the scenario, whose name the model does not know. */
static bool open_service(struct service *service, const struct simulation_config *run,
                         struct err *err) {
    const struct scenario *scenario = run->scenario;
    const struct service_config config = {
        .tables = scenario->tables,
        .table_count = scenario->table_count,
        .parameters = scenario->model,
        .seed = run->seed,
        .replication = run->replication,
        .quotas = scenario->quotas,
        .start_epoch_s = scenario->start_epoch_s,
    };
    if (service_init(service, &config, err)) {
        return true;
    }
    if (err->kind == ERR_INPUT) {
        struct err longer = {ERR_NONE, ""};
        err_set(&longer, ERR_INPUT, "%s: %s", scenario->path, err->text);
        *err = longer;
    }
    return false;
}

bool simulation_check(const struct scenario *scenario, struct err *err) {
    const struct simulation_config config = {.scenario = scenario, .seed = scenario->seed};
    struct service service;
    if (!open_service(&service, &config, err)) {
        return false;
    }
    service_fini(&service);
    return true;
}

/* Tables, then the global indexes of each, as the service numbers them. */
static struct recorder_resource_config *recorder_resources(struct simulation *simulation,
                                                           struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    const struct service *service = &simulation->service;
    struct recorder_resource_config *resources =
        ARENA_ARRAY(&simulation->arena, struct recorder_resource_config,
                    service_resource_count(service), "resources", err);
    for (uint32_t i = 0; i < scenario->table_count && resources != NULL; i++) {
        const struct table_spec *table = &scenario->tables[i];
        resources[i] = (struct recorder_resource_config){
            .table_name = table->table_name,
            .partition_count = service_partition_count(service, i),
            .stored_bytes = pricing_table_bytes(&scenario->pricing, table),
        };
        for (uint32_t j = 0; j < table->global_index_count; j++) {
            const uint32_t resource = service_index_resource(service, i, j);
            resources[resource] = (struct recorder_resource_config){
                .table_name = table->table_name,
                .index_name = table->indexes[j].index_name,
                .partition_count = service_partition_count(service, resource),
                .stored_bytes = pricing_index_bytes(&table->indexes[j]),
            };
        }
    }
    return resources;
}

static uint32_t resource_of(const struct simulation *simulation, const struct workload_spec *spec) {
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    return spec->index != SCENARIO_NONE && table->indexes[spec->index].is_global
               ? service_index_resource(&simulation->service, spec->table, spec->index)
               : spec->table;
}

static bool start_recorder(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    struct recorder_resource_config *resources = recorder_resources(simulation, err);
    struct recorder_workload_config *workloads =
        ARENA_ARRAY(&simulation->arena, struct recorder_workload_config, scenario->workload_count,
                    "workloads", err);
    if (resources == NULL || workloads == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scenario->workload_count; i++) {
        const struct workload_spec *spec = &scenario->workloads[i];
        workloads[i] = (struct recorder_workload_config){
            .name = spec->name,
            .resource = (uint16_t)resource_of(simulation, spec),
            .operation = (uint8_t)spec->operation,
            .has_batches = spec->batch > 0 && !ddb_operation_transacts(spec->operation),
        };
    }
    struct recorder_config config = {
        .resources = resources,
        .workloads = workloads,
        .resource_count = service_resource_count(&simulation->service),
        .workload_count = scenario->workload_count,
        .pricing = &scenario->pricing,
    };
    return recorder_init(&simulation->recorder, &config, err);
}

/* How operations of a workload are served, decided once. */
static void start_operations(const struct simulation *simulation,
                             struct simulation_workload *workload) {
    const struct workload_spec *spec = workload->spec;
    const struct table_spec *table = &simulation->config.scenario->tables[spec->table];
    const struct random_name name = {
        .seed = simulation->config.seed,
        .replication = simulation->config.replication,
        .workload = spec->name,
        .variable = "condition",
    };
    workload->condition_stream = random_name_hash(&name);
    workload->resource = resource_of(simulation, spec);
    workload->by_key = spec->operation == DDB_QUERY &&
                       (table->range_key.name != NULL || workload->resource != spec->table);
    workload->is_single =
        simulation->clients == NULL && workload->generator.key_template.members == 1 &&
        spec->operation != DDB_QUERY && spec->operation != DDB_SCAN &&
        spec->condition.kind == CONDITION_NONE && spec->step_count == 0 && spec->batch == 0 &&
        spec->arrivals != ARRIVALS_CLOSED && spec->arrivals != ARRIVALS_STEP;
}

static bool start_generator(struct simulation *simulation, uint32_t workload, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    struct simulation_workload *state = &simulation->workloads[workload];
    const uint64_t seed = simulation->config.seed, replication = simulation->config.replication;
    if (state->spec->arrivals == ARRIVALS_STEP) {
        struct generator *root = &simulation->workloads[state->spec->root].generator;
        return generator_init_step(&state->generator, root, &simulation->arena, scenario, workload,
                                   seed, replication, err);
    }
    return generator_init(&state->generator, &simulation->arena, scenario, workload, seed,
                          replication, err);
}

/* Draws the workloads whose generator nobody else needs while the run goes on. */
static bool start_pipeline(struct simulation *simulation, struct err *err) {
    struct draw_source *sources = ARENA_ARRAY(&simulation->arena, struct draw_source,
                                              simulation->workload_count, "sources", err);
    uint32_t count = 0;
    if (sources == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        struct simulation_workload *workload = &simulation->workloads[i];
        workload->source = SIMULATION_NONE;
        if (workload->is_single && workload->spec->after == SCENARIO_NONE &&
            workload->generator.attribute_count == 0) {
            workload->source = count;
            sources[count++] = (struct draw_source){&workload->generator, i};
        }
    }
    const struct pipeline_config config = {
        .sources = sources,
        .source_count = count,
        .client = &simulation->client,
        .recorder = &simulation->recorder,
        .until_ns = simulation->duration_ns,
        .check = &simulation->check,
        .has_thread = simulation->config.has_second_thread,
    };
    simulation->pipeline = pipeline_new(&config, err);
    if (simulation->pipeline == NULL) {
        return false;
    }
    simulation->block = pipeline_block(simulation->pipeline);
    return true;
}

/* Generators; those that wait for no other workload get a timer at their start. */
static bool start_workloads(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    uint32_t routers = 0;
    for (uint32_t i = 0; i < scenario->workload_count; i++) {
        struct simulation_workload *workload = &simulation->workloads[i];
        workload->spec = &scenario->workloads[i];
        workload->router_base = routers;
        simulation->workload_count = i + 1;
        routers += workload->spec->arrivals == ARRIVALS_CLOSED ? workload->spec->clients : 0;
        if (!start_generator(simulation, i, err)) {
            return false;
        }
        simulation_chain_init(simulation, i);
        simulation_batch_init(simulation, i);
        start_operations(simulation, workload);
        if (workload->spec->operation == DDB_SCAN && !simulation_scan_init(simulation, i, err)) {
            return false;
        }
        loop_feed(&simulation->loop, i, NULL, 0);
        if (workload->spec->after == SCENARIO_NONE && workload->spec->arrivals != ARRIVALS_STEP &&
            !loop_schedule(&simulation->loop, workload->spec->start_ns, TIMER_START, i, err)) {
            return false;
        }
    }
    return simulation_number_items(simulation, err) && simulation_start_indexes(simulation, err);
}

static bool start_arrays(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    struct arena *arena = &simulation->arena;
    slab_init(&simulation->waiting, arena, sizeof(struct attempt));
    slab_init(&simulation->fan_outs, arena, sizeof(struct fan_out));
    simulation->workloads =
        ARENA_ARRAY(arena, struct simulation_workload, scenario->workload_count, "workloads", err);
    const uint32_t resource_count = service_resource_count(&simulation->service);
    simulation->key_sources =
        ARENA_ARRAY(arena, struct grow_array, resource_count, "key names", err);
    simulation->keys_differ = ARENA_ARRAY(arena, bool, scenario->table_count, "tables", err);
    simulation->samples =
        ARENA_ARRAY(arena, struct resource_sample, resource_count, "samples", err);
    simulation->watch_keys =
        ARENA_ARRAY(arena, uint32_t, simulation->config.watch_count, "watched keys", err);
    if (simulation->workloads == NULL || simulation->key_sources == NULL ||
        simulation->keys_differ == NULL || simulation->samples == NULL ||
        simulation->watch_keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < resource_count; i++) {
        grow_array_init(&simulation->key_sources[i], arena, sizeof(struct key_source),
                        KEY_SOURCES_CHUNK);
    }
    return true;
}

static bool start(struct simulation *simulation, struct err *err) {
    const struct scenario *scenario = simulation->config.scenario;
    return open_service(&simulation->service, &simulation->config, err) &&
           start_arrays(simulation, err) &&
           loop_init(&simulation->loop, scenario->workload_count, 0, err) &&
           client_init(&simulation->client, &simulation->arena, &scenario->client,
                       simulation->config.seed, simulation->config.replication, err) &&
           simulation_clients_init(simulation, err) && start_recorder(simulation, err) &&
           start_workloads(simulation, err) && simulation_schedule_model(simulation, err) &&
           simulation_schedule_actions(simulation, err) &&
           (simulation->config.store == NULL || simulation_store_start(simulation, err));
}

struct simulation *simulation_new(const struct simulation_config *config, struct err *err) {
    struct simulation *simulation = calloc(1, sizeof(*simulation));
    if (simulation == NULL) {
        err_no_memory(err, "simulation");
        return NULL;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &simulation->wall_start);
    simulation->config = *config;
    simulation->duration_ns =
        config->scenario->duration_ns < 0 ? INT64_MAX : config->scenario->duration_ns;
    simulation->service_timer_ns = INT64_MAX;
    simulation->check = (struct check_context){
        .seed = config->seed,
        .replication = config->replication,
        .now_ns = &simulation->loop.now_ns,
    };
    arena_init(&simulation->arena);
    check_context_set(&simulation->check);
    if (!start(simulation, err) || !start_pipeline(simulation, err)) {
        simulation_free(simulation);
        return NULL;
    }
    return simulation;
}

void simulation_free(struct simulation *simulation) {
    if (simulation == NULL) {
        return;
    }
    check_context_set(NULL);
    pipeline_free(simulation->pipeline);
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        generator_fini(&simulation->workloads[i].generator);
        id_map_fini(&simulation->workloads[i].own_items);
        simulation_end_indexes(&simulation->workloads[i]);
    }
    recorder_fini(&simulation->recorder);
    loop_fini(&simulation->loop);
    service_fini(&simulation->service);
    arena_fini(&simulation->arena);
    free(simulation);
}

/* The loop's one switch. *paused: events are left before the horizon. */
static bool run_events(struct simulation *simulation, bool *paused, struct err *err) {
    const uint64_t pause_at = simulation->attempts + SIMULATION_STEP_ATTEMPTS;
    *paused = false;
    while (simulation->attempts < pause_at) {
        struct loop_step step;
        bool ok = true;
        switch (loop_next(&simulation->loop, &step)) {
        case LOOP_ARRIVAL: ok = simulation_arrivals(simulation, &step, err); break;
        case LOOP_TIMER: ok = simulation_timer(simulation, &step.timer, err); break;
        case LOOP_REFILL: ok = simulation_refill(simulation, step.stream, err); break;
        case LOOP_END: return true;
        }
        if (!ok) {
            return false;
        }
    }
    *paused = true;
    return true;
}

static bool store_second_rows(struct simulation *simulation, struct err *err) {
    struct store *store = simulation->config.store;
    if (store == NULL) {
        return true;
    }
    int64_t run_id = simulation->config.run_id;
    const struct recorder *recorder = &simulation->recorder;
    if (!store_second(store, run_id, recorder, simulation->samples, err)) {
        return false;
    }
    char name[SIMULATION_KEY_NAME_BYTES];
    for (uint32_t i = 0; i < recorder->top_key_count; i++) {
        const struct key_minute *row = &recorder->top_keys[i];
        if (!simulation_key_name(simulation, row->resource, row->key, name, sizeof(name), err) ||
            !store_key_minute(store, run_id, row, name, err)) {
            return false;
        }
    }
    return true;
}

static bool close_second(struct simulation *simulation, sim_ns end_ns, bool last, struct err *err) {
    if (!simulation_flush(simulation, err)) {
        return false;
    }
    if (!simulation_record_indexes(simulation, end_ns, err)) {
        return false;
    }
    for (uint32_t i = 0; i < service_resource_count(&simulation->service); i++) {
        service_sample(&simulation->service, end_ns, i, &simulation->samples[i]);
    }
    recorder_close_second(&simulation->recorder, simulation->samples, last);
    for (uint32_t i = 0; i < simulation->config.watch_count; i++) {
        metric_watch_second(&simulation->config.watches[i], &simulation->recorder);
    }
    if (!store_second_rows(simulation, err)) {
        return false;
    }
    if (last || simulation->second % SIMULATION_AUDIT_S == 0) {
        service_audit(&simulation->service, end_ns);
    }
    if (last) {
        return true;
    }
    recorder_open_second(&simulation->recorder);
    return simulation_close_model(simulation, end_ns, err);
}

static void note_last_end(struct simulation *simulation) {
    sim_ns *last_ns = &simulation->recorder.last_operation_ns;
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        const sim_ns end_ns = simulation->workloads[i].last_end_ns;
        *last_ns = end_ns > *last_ns ? end_ns : *last_ns;
    }
}

/* Without a duration the run is over when nobody has anything left to do. */
static bool is_idle(struct simulation *simulation) {
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        const struct simulation_workload *workload = &simulation->workloads[i];
        if (!workload->ended && workload->spec->arrivals != ARRIVALS_STEP) {
            return false;
        }
    }
    return simulation->recorder.last_operation_ns <= simulation->second * SIM_NS_PER_S &&
           !simulation_indexes_wait(simulation, simulation->second * SIM_NS_PER_S);
}

bool simulation_step(struct simulation *simulation, bool *done, struct err *err) {
    sim_ns end_ns = (simulation->second + 1) * SIM_NS_PER_S;
    if (end_ns > simulation->duration_ns) {
        end_ns = simulation->duration_ns;
    }
    simulation->loop.horizon_ns = end_ns;
    bool paused;
    if (!run_events(simulation, &paused, err)) {
        return false;
    }
    if (paused) {
        *done = false;
        return true;
    }
    simulation->second++;
    note_last_end(simulation);
    *done = end_ns == simulation->duration_ns ||
            (simulation->duration_ns == INT64_MAX && is_idle(simulation));
    if (*done && simulation->duration_ns == INT64_MAX) {
        /* not the end of the second, which would lower every mean of a short run */
        const sim_ns last_ns = simulation->recorder.last_operation_ns;
        simulation->duration_ns = last_ns > 0 ? last_ns : end_ns;
    }
    return close_second(simulation, end_ns, *done, err);
}

int64_t simulation_elapsed_s(const struct simulation *simulation) {
    return simulation->second;
}

int64_t simulation_duration_s(const struct simulation *simulation) {
    sim_ns duration_ns = simulation->config.scenario->duration_ns;
    return duration_ns < 0 ? -1 : (duration_ns + SIM_NS_PER_S - 1) / SIM_NS_PER_S;
}

uint64_t simulation_attempts(const struct simulation *simulation) {
    return simulation->attempts;
}
