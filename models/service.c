#include "models/service.h"

#include "models/capacity_units.h"
#include "models/lane.h"
#include "models/service_parts.h"
#include "sim/check.h"
#include "sim/random.h"

#include <inttypes.h>

static uint64_t placement_salt(const struct service_config *config, const char *table_name) {
    const bool fixed = config->parameters.placement == PLACEMENT_FIXED;
    const struct random_name name = {
        .seed = fixed ? 0 : config->seed,
        .replication = fixed ? 0 : config->replication,
        .workload = table_name,
        .variable = "placement",
    };
    return random_name_hash(&name);
}

static bool open_indexes(struct service_table *table, struct arena *arena,
                         const struct table_spec *spec, const struct model_parameters *parameters,
                         uint64_t salt, struct err *err) {
    if (spec->index_count == 0) {
        return true;
    }
    struct secondary_indexes *indexes =
        arena_alloc(arena, sizeof *indexes, _Alignof(struct secondary_indexes), "indexes", err);
    if (indexes == NULL || !secondary_indexes_init(indexes, arena, spec, parameters, salt, err)) {
        return false;
    }
    table->indexes = indexes;
    return true;
}

static void fini_table(struct service_table *table) {
    keyspace_fini(&table->keyspace);
    if (table->indexes != NULL) {
        secondary_indexes_fini(table->indexes);
    }
}

static bool service_table_init(struct service_table *table, struct arena *arena,
                               const struct service_config *config, const struct table_spec *spec,
                               struct err *err) {
    const struct model_parameters *parameters = &config->parameters;
    const uint64_t salt = placement_salt(config, spec->table_name);
    const bool is_on_demand = spec->billing_mode == BILLING_PAY_PER_REQUEST;
    SIM_CHECK(spec->read_capacity_units >= !is_on_demand &&
              spec->read_capacity_units <= TABLE_CAPACITY_UNITS_MAX * !is_on_demand);
    SIM_CHECK(spec->write_capacity_units >= !is_on_demand &&
              spec->write_capacity_units <= TABLE_CAPACITY_UNITS_MAX * !is_on_demand);
    /* the pools of an on-demand table are idle */
    const int64_t read_rate = is_on_demand ? 1 : spec->read_capacity_units;
    const int64_t write_rate = is_on_demand ? 1 : spec->write_capacity_units;
    table->read_capacity_units = spec->read_capacity_units;
    table->write_capacity_units = spec->write_capacity_units;
    const int64_t partitions = partition_count_initial(spec, parameters);
    const sim_ns saved_ns = spec_saved_ns(spec->initial_burst_ns, parameters);
    if (!partition_layout_check(spec, partitions, err) ||
        !partition_set_init(&table->set, arena, (uint32_t)partitions, parameters, err) ||
        !global_admission_init(&table->read, arena, read_rate, saved_ns, parameters, err) ||
        !global_admission_init(&table->write, arena, write_rate, saved_ns, parameters, err) ||
        !keyspace_init(&table->keyspace, arena, spec, salt, err)) {
        return false;
    }
    if (!open_indexes(table, arena, spec, parameters, salt, err)) {
        keyspace_fini(&table->keyspace);
        return false;
    }
    if (!service_open_shares(table, arena, config, spec, err)) {
        fini_table(table);
        return false;
    }
    service_open_on_demand(table, config, spec);
    return true;
}

/* Resources: the tables, then the global indexes of each. */
static bool number_resources(struct service *service, struct err *err) {
    uint32_t count = service->table_count;
    for (uint32_t i = 0; i < service->table_count; i++) {
        struct service_table *table = &service->tables[i];
        table->first_index_resource = count;
        count += table->indexes == NULL ? 0 : table->indexes->global_count;
    }
    SIM_CHECK(count <= UINT16_MAX); /* the resource of an outcome */
    service->resource_count = count;
    service->indexes = ARENA_ARRAY(&service->arena, struct secondary_index *,
                                   count - service->table_count, "indexes", err);
    if (service->indexes == NULL) {
        return false;
    }
    for (uint32_t i = 0, at = 0; i < service->table_count; i++) {
        struct secondary_indexes *indexes = service->tables[i].indexes;
        for (uint32_t j = 0; indexes != NULL && j < indexes->global_count; j++) {
            service->indexes[at++] = &indexes->list[j];
        }
    }
    return true;
}

bool service_init(struct service *service, const struct service_config *config, struct err *err) {
    *service = (struct service){.routers = (uint32_t)config->parameters.routers,
                                .parameters = config->parameters};
    arena_init(&service->arena);
    if (!service_open_events(service, err)) {
        arena_fini(&service->arena);
        return false;
    }
    service->tables =
        ARENA_ARRAY(&service->arena, struct service_table, config->table_count, "tables", err);
    bool ready = service->tables != NULL;
    for (uint32_t i = 0; ready && i < config->table_count; i++) {
        ready = service_table_init(&service->tables[i], &service->arena, config, &config->tables[i],
                                   err);
        service->table_count += ready;
    }
    ready = ready && number_resources(service, err) && service_open_changes(service, config, err) &&
            service_open_heat(service, config, err) && service_open_size(service, config, err) &&
            service_open_backfills(service, config, err);
    if (!ready) {
        service_fini(service);
    }
    return ready;
}

void service_fini(struct service *service) {
    for (uint32_t i = 0; i < service->table_count; i++) {
        fini_table(&service->tables[i]);
    }
    timer_queue_fini(&service->timers);
    arena_fini(&service->arena);
    *service = (struct service){0};
}

void service_prefetch_items(const struct service *service, uint32_t table, const uint32_t *items,
                            uint32_t count) {
    const struct grow_array array = service_table_at(service, table)->keyspace.items;
    for (uint32_t i = 0; i < count; i++) {
        SIM_CHECK(items[i] < array.count);
        __builtin_prefetch(keyspace_item_at(&array, items[i]), 1);
    }
}

uint32_t service_known_items(const struct service *service, uint32_t table, const uint32_t *items,
                             uint32_t count) {
    const struct grow_array array = service_table_at(service, table)->keyspace.items;
    uint32_t known = 0;
    while (known < count) {
        SIM_CHECK(items[known] < array.count);
        if (__builtin_expect(!keyspace_item_at(&array, items[known])->is_known, 0)) {
            break;
        }
        known++;
    }
    return known;
}

uint32_t lane_move_item(const struct keyspace *keyspace, const struct partition_set *set,
                        uint32_t item) {
    return keyspace_move_item(keyspace, set, item);
}

/* Why indexes that are behind refuse a write of that item; 0: they do not. */
static uint16_t indexes_refuse(const struct service_table *table, const struct lane *lane,
                               sim_ns now_ns, uint32_t item) {
    const uint32_t partition = lane_partition(lane, keyspace_item_at(&lane->items, item), item);
    return secondary_indexes_refuse(table->indexes, now_ns, partition, table->set.open_count);
}

/* A write that changes nothing, whatever comes of it. */
static bool submit_in_vain(const struct service_table *table, const struct lane *lane,
                           sim_ns now_ns, uint32_t router, const struct request *request,
                           struct outcome *outcome) {
    const struct item_state *item = keyspace_item_at(&lane->items, request->item);
    const struct lane_ask ask = {
        .key = item->key,
        .item = request->item,
        .partition = lane_partition(lane, item, request->item),
        .cost_ncu = capacity_units_failed_ncu(lane->operation, item->bytes, request->new_bytes),
        .index_reasons =
            table->indexes == NULL ? 0 : indexes_refuse(table, lane, now_ns, request->item),
    };
    const bool admitted = lane_admit(lane, now_ns, router, &ask, outcome);
    if (!admitted && ask.index_reasons != 0) {
        secondary_indexes_count_refusal(table->indexes);
    }
    return admitted;
}

/* A write to a table with indexes: priced with its local ones, then owed to the global ones. */
static bool submit_indexed(struct service_table *table, const struct lane *lane, sim_ns now_ns,
                           uint32_t router, const struct request *request,
                           struct outcome *outcome) {
    SIM_CHECK(request->item < lane->items.count);
    const struct index_plan plan = {
        .operation = lane->operation,
        .item = request->item,
        .old_bytes = keyspace_item_at(&lane->items, request->item)->bytes,
        .new_bytes = request->new_bytes,
        .attributes = request->attributes,
        .values = request->values,
        .attribute_count = request->attribute_count,
    };
    const int64_t local_ncu = secondary_indexes_plan(table->indexes, &plan);
    if (table->follows_collections && service_collection_is_full(table, &plan)) {
        outcome->rejected = submit_in_vain(table, lane, now_ns, router, request, outcome);
        table->rejections += outcome->rejected;
        return outcome->rejected;
    }
    const uint16_t index_reasons = indexes_refuse(table, lane, now_ns, request->item);
    const bool admitted = lane_submit(lane, now_ns, router, request->item, request->new_bytes,
                                      local_ncu, index_reasons, outcome);
    if (admitted) {
        if (table->follows_collections) {
            service_collection_grow(table, &plan);
        }
        secondary_indexes_commit(table->indexes, request->item, outcome->partition, now_ns);
    } else if (index_reasons != 0) {
        secondary_indexes_count_refusal(table->indexes);
    }
    return admitted;
}

static bool submit_write(struct service_table *table, const struct lane *lane, sim_ns now_ns,
                         uint32_t router, const struct request *request, struct outcome *outcome) {
    return table->indexes == NULL
               ? lane_submit(lane, now_ns, router, request->item, request->new_bytes, 0, 0, outcome)
               : submit_indexed(table, lane, now_ns, router, request, outcome);
}

static void submit_conditional(struct service_table *table, const struct lane *lane, sim_ns now_ns,
                               uint32_t router, const struct request *request,
                               struct outcome *outcome) {
    SIM_CHECK(lane->writes);
    SIM_CHECK(request->item < lane->items.count);
    const struct item_state *item = keyspace_item_at(&lane->items, request->item);
    if (!lane_condition_fails((enum write_condition)request->condition, item)) {
        (void)submit_write(table, lane, now_ns, router, request, outcome);
        return;
    }
    outcome->condition_failed = submit_in_vain(table, lane, now_ns, router, request, outcome);
}

static void submit_query(const struct lane *lane, sim_ns now_ns, const struct request *request,
                         struct outcome *outcome) {
    SIM_CHECK(request->condition == CONDITION_NONE);
    SIM_CHECK(request->item < lane->keyspace->keys.count);
    const uint32_t router = lane_route(lane, request->router);
    const struct lane_ask ask = {
        .key = request->item,
        .item = request->item,
        .partition = keyspace_partition(lane->keyspace, lane->set, request->item, 0),
        .cost_ncu = capacity_units_page_ncu(request->consistent_read, request->new_bytes),
        .may_owe = true,
    };
    (void)lane_admit(lane, now_ns, router, &ask, outcome);
}

/* Whether only a leader can serve a request, and its partition has none. */
static bool finds_no_leader(const struct service *service, const struct request *request) {
    const enum ddb_operation operation = (enum ddb_operation)request->operation;
    if (request->table >= service->table_count ||
        (!ddb_operation_writes(operation) && !request->consistent_read)) {
        return false; /* any replica does */
    }
    const struct service_table *table = service_table_at(service, request->table);
    const uint32_t partition =
        operation == DDB_QUERY ? keyspace_partition(&table->keyspace, &table->set, request->item, 0)
                               : keyspace_move_item(&table->keyspace, &table->set, request->item);
    return service_is_leaderless(service, request->table, partition);
}

void service_submit(struct service *service, sim_ns now_ns, const struct request *request,
                    struct outcome *outcome) {
    if (__builtin_expect(service_lacks_leader(service), 0) && finds_no_leader(service, request)) {
        service_lose_leaderless(service, now_ns, request, outcome);
        return;
    }
    if (__builtin_expect(request->table >= service->table_count, 0)) {
        struct secondary_index *index = service_index_at(service, request->table);
        if (__builtin_expect(index->stage != INDEX_ACTIVE, 0)) {
            service_read_early(index, now_ns, request, outcome);
            return;
        }
        const struct lane lane = lane_open_index(index, request->table);
        SIM_CHECK(request->operation == DDB_QUERY && !request->consistent_read);
        submit_query(&lane, now_ns, request, outcome);
        return;
    }
    struct service_table *table = service_table_at(service, request->table);
    const struct lane lane =
        lane_open(table, request->table, request->operation, request->consistent_read);
    if (request->operation == DDB_QUERY) {
        submit_query(&lane, now_ns, request, outcome);
        return;
    }
    const uint32_t router = lane_route(&lane, request->router);
    if (request->condition != CONDITION_NONE) {
        submit_conditional(table, &lane, now_ns, router, request, outcome);
        return;
    }
    if (lane.writes) {
        (void)submit_write(table, &lane, now_ns, router, request, outcome);
        return;
    }
    (void)lane_submit(&lane, now_ns, router, request->item, request->new_bytes, 0, 0, outcome);
}

static uint32_t run_indexed(struct service_table *table, const struct lane *lane,
                            const struct service_run *run, struct outcome *outcomes) {
    struct request request = {.attributes = run->attributes,
                              .attribute_count = run->attribute_count};
    uint32_t done = 0;
    bool goes_on = true;
    while (done < run->count && goes_on) {
        const uint32_t router = lane_route(lane, ROUTER_ANY);
        request.item = run->items[done];
        request.new_bytes = run->new_bytes[done];
        request.values =
            run->attribute_count == 0 ? NULL : run->values + (size_t)done * run->attribute_count;
        goes_on =
            submit_indexed(table, lane, run->times_ns[done], router, &request, &outcomes[done]) ||
            run->past_refusals;
        outcomes[done].workload = run->workload;
        outcomes[done].sequence = run->first_sequence + done;
        done++;
    }
    return done;
}

void service_lose(sim_ns now_ns, const struct request *request, struct outcome *outcome) {
    *outcome = (struct outcome){
        .at_ns = now_ns,
        .item = request->item,
        .resource = (uint16_t)request->table,
        .operation = request->operation,
        .fate = FATE_ERRORED,
    };
}

uint32_t service_submit_run(struct service *service, const struct service_run *run,
                            struct outcome *outcomes) {
    SIM_CHECK(!service_lacks_leader(service));
    struct service_table *table = service_table_at(service, run->table);
    const struct lane lane = lane_open(table, run->table, run->operation, run->consistent_read);
    if (table->indexes != NULL && lane.writes) {
        return run_indexed(table, &lane, run, outcomes);
    }
    return lane_run(&lane, run, outcomes);
}
