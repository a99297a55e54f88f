/*
 * Any bytes as the life of a service: tables, indexes and parameters, then calls in an order that
 * models/service.h allows, one case each. Outcomes are judged by a second book (service_life.h) and
 * by what the headers promise; the service audits itself now and then, and at the end.
 */
#include "models/capacity_units.h"
#include "tests/fuzz/service_changes.h"
#include "tests/fuzz/service_life.h"

#define EVENTS_MAX 4000
#define RUN_MAX 12

enum event {
    EVENT_WAIT,
    EVENT_INTERN,
    EVENT_INTERN_KEY,
    EVENT_SUBMIT,
    EVENT_BURST, /* the same request many times, to the point of refusals */
    EVENT_RUN,
    EVENT_QUERY,
    EVENT_QUERY_INDEX,
    EVENT_LOSE,
    EVENT_INDEX_WRITES,
    EVENT_SAMPLE,
    EVENT_AUDIT,
    EVENT_UPDATE,
    EVENT_LEADER, /* a partition loses its leader, or a replica */
    EVENT_LOAD,   /* minutes of traffic that is due to split, to scale, to hold back */
    EVENT_COUNT
};

/* What a write gives. */
struct gift {
    uint32_t attributes[LIFE_ATTRIBUTES];
    struct attribute_value values[LIFE_ATTRIBUTES];
    uint32_t count;
};

static uint32_t choose_bytes(struct life *life) {
    static const uint32_t bytes[] = {1, 1024, 1025, 4097, 30000, ITEM_BYTES_MAX};
    const uint32_t choice = choices_below(life->choices, 12);
    return choice < 6 ? bytes[choice] : 1 + choices_below(life->choices, 4096);
}

static sim_ns choose_wait_ns(struct life *life) {
    static const sim_ns waits_ns[] = {0,
                                      1,
                                      SIM_NS_PER_MS,
                                      70 * SIM_NS_PER_MS,
                                      SIM_NS_PER_S,
                                      SIM_NS_PER_S + 1,
                                      9 * SIM_NS_PER_S,
                                      400 * SIM_NS_PER_S};
    return waits_ns[choices_below(life->choices, sizeof waits_ns / sizeof *waits_ns)];
}

/* What is due by then. */
static void run_timers(struct life *life, sim_ns until_ns) {
    struct err err = {.kind = ERR_NONE};
    for (sim_ns at_ns; (at_ns = service_next_event_ns(&life->service)) <= until_ns;) {
        bool ready = service_on_timer(&life->service, at_ns, &err);
        SIM_CHECKF(ready, "%s", err.text);
    }
}

/* Time passes: timers when they are due, and the end of each second behind them. */
static void wait_ns(struct life *life, sim_ns duration_ns) {
    const sim_ns until_ns = life->now_ns + duration_ns;
    struct err err = {.kind = ERR_NONE};
    while (until_ns - life->now_ns >= SIM_NS_PER_S - life->now_ns % SIM_NS_PER_S) {
        life->now_ns += SIM_NS_PER_S - life->now_ns % SIM_NS_PER_S;
        run_timers(life, life->now_ns - 1);
        bool ready = service_close_second(&life->service, life->now_ns, &err);
        SIM_CHECKF(ready, "%s", err.text);
    }
    run_timers(life, until_ns);
    life->now_ns = until_ns;
}

static void observe(struct life *life, const struct outcome *outcomes, uint32_t count) {
    if (service_observes(&life->service)) {
        service_observe(&life->service, outcomes, count);
    }
}

/* The value of a text is one number, whoever asks when; VALUE_RENEWED is no index key's. */
static struct attribute_value choose_value(struct life *life, uint32_t table, uint32_t attribute,
                                           bool may_be_key) {
    const uint32_t choice = choices_below(life->choices, LIFE_VALUES + 2);
    struct attribute_value value = {.value = VALUE_ABSENT};
    if (choice == LIFE_VALUES) {
        return value;
    }
    if (choice > LIFE_VALUES && !may_be_key) {
        return (struct attribute_value){VALUE_RENEWED, 1 + choices_below(life->choices, 3000)};
    }
    const char text[] = {(char)('0' + choice % LIFE_VALUES)};
    struct attribute_value again;
    struct err err = {.kind = ERR_NONE};
    bool known =
        service_intern_value(&life->service, table, attribute, text, sizeof text, &value, &err) &&
        service_intern_value(&life->service, table, attribute, text, sizeof text, &again, &err);
    SIM_CHECKF(known, "%s", err.text);
    SIM_CHECK(value.value == again.value && value.bytes == again.bytes);
    SIM_CHECK(service_value_bytes(&life->service, table, attribute, value.value) == value.bytes);
    return value;
}

static bool is_key_of_index(const struct table_spec *table, const char *name) {
    for (uint32_t i = 0; i < table->index_count; i++) {
        if (spec_index_key(&table->indexes[i], name) != NULL) {
            return true;
        }
    }
    return false;
}

static void choose_gift(struct life *life, uint32_t table, struct gift *gift) {
    static const char *const names[LIFE_ATTRIBUTES] = {"a0", "a1"};
    gift->count = 0;
    if (life->specs[table].index_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < LIFE_ATTRIBUTES; i++) {
        if (choices_below(life->choices, 3) == 0) {
            continue;
        }
        const uint32_t attribute = service_attribute(&life->service, table, names[i]);
        const struct attribute_value of_none = {VALUE_RENEWED, 10};
        gift->attributes[gift->count] = attribute;
        gift->values[gift->count++] =
            attribute == ATTRIBUTE_OF_NO_INDEX
                ? of_none
                : choose_value(life, table, attribute,
                               is_key_of_index(&life->specs[table], names[i]));
    }
}

/* The text's first use, in one of three ways; false: it was known. */
static bool meet_text(struct life *life, uint32_t number, uint32_t text_number, uint32_t bytes) {
    struct life_table *table = &life->tables[number];
    const bool has_range_key = table->spec->range_key.name != NULL;
    char hash_key[12], range_key[12];
    snprintf(hash_key, sizeof hash_key, "k%u", has_range_key ? text_number % 16 : text_number);
    snprintf(range_key, sizeof range_key, "r%u", text_number / 16);
    const struct key_text text = {.hash_key = hash_key,
                                  .hash_key_bytes = strlen(hash_key),
                                  .range_key = has_range_key ? range_key : NULL,
                                  .range_key_bytes = has_range_key ? strlen(range_key) : 0};
    const bool was_known = table->is_known[text_number];
    struct intern_result result = {.item = text_number};
    struct err err = {.kind = ERR_NONE};
    bool ready = true;
    switch (table->numbering) {
    case NUMBERED_BY_FIRST_USE:
        ready = service_intern(&life->service, number, &text, bytes, &result, &err);
        SIM_CHECK(!was_known || result.item == table->item_of[text_number]);
        break;
    case NUMBERED_IN_ORDER:
        ready = was_known || service_append(&life->service, number, &text, bytes, &result, &err);
        break;
    case NUMBERED_BY_CALLER:
        ready = was_known || service_append_numbered(&life->service, number, &text, bytes,
                                                     text_number, &result.key, &err);
        break;
    }
    SIM_CHECKF(ready, "%s", err.text);
    if (was_known) {
        return false;
    }
    SIM_CHECK(result.item < service_item_count(&life->service, number));
    table->is_known[text_number] = true;
    table->item_of[text_number] = result.item;
    table->items[table->item_count++] = result.item;
    table->bytes[result.item] = bytes;
    return true;
}

static void intern(struct life *life, uint32_t number) {
    const uint32_t text_number = choices_below(life->choices, LIFE_ITEMS_MAX);
    const uint32_t bytes = choices_below(life->choices, 2) == 0 ? 0 : choose_bytes(life);
    struct gift gift;
    if (!meet_text(life, number, text_number, bytes) || bytes == 0 ||
        life->specs[number].index_count == 0) {
        return;
    }
    choose_gift(life, number, &gift);
    service_hold(&life->service, number, life->tables[number].item_of[text_number], gift.attributes,
                 gift.values, gift.count);
}

/* Partitions come and go; the one that was open holds the key. */
static void check_place(struct life *life, const struct outcome *outcome) {
    const uint32_t resource = outcome->resource;
    const uint64_t position = service_key_position(&life->service, resource, outcome->key);
    const uint32_t count = service_partition_count(&life->service, resource);
    struct partition_sample sample = {.partition_id = UINT32_MAX};
    SIM_CHECK(outcome->key < service_key_count(&life->service, resource));
    for (uint32_t i = 0; i < count && sample.partition_id != outcome->partition; i++) {
        service_partition(&life->service, resource, i, &sample);
    }
    SIM_CHECK(sample.partition_id == outcome->partition);
    SIM_CHECK(sample.closed_ns == -1 || sample.closed_ns >= outcome->at_ns);
    SIM_CHECK(sample.hash_lo <= position && position <= sample.hash_hi);
}

static bool condition_holds(const struct request *request, uint32_t bytes) {
    switch ((enum write_condition)request->condition) {
    case CONDITION_NONE: return true;
    case CONDITION_EXISTS: return bytes > 0;
    case CONDITION_NOT_EXISTS: return bytes == 0;
    case CONDITION_FAILS: return false;
    }
    return true;
}

/* Whether it met no leader; it has changed nothing then. */
static bool is_leaderless(const struct life *life, const struct request *request,
                          const struct outcome *outcome) {
    if (outcome->fate != FATE_ERRORED || outcome->rejected) {
        return false;
    }
    SIM_CHECK(service_lacks_leader(&life->service));
    SIM_CHECK(request->consistent_read ||
              ddb_operation_writes((enum ddb_operation)request->operation));
    SIM_CHECK(outcome->reasons == 0 && outcome->cost_ncu == 0);
    return true;
}

/* What became of a request on an item, by the second book, which it goes into. */
static void check_outcome(struct life *life, const struct request *request,
                          const struct outcome *outcome) {
    struct life_table *table = &life->tables[request->table];
    const enum ddb_operation operation = (enum ddb_operation)request->operation;
    const bool writes = ddb_operation_writes(operation);
    if (is_leaderless(life, request, outcome)) {
        return;
    }
    const bool admitted = outcome->fate == FATE_ADMITTED;
    uint32_t *bytes = &table->bytes[request->item];
    const bool holds = condition_holds(request, *bytes);
    const bool has_local = table->spec->index_count > table->spec->global_index_count;
    SIM_CHECK(outcome->at_ns == life->now_ns && outcome->resource == request->table);
    SIM_CHECK(outcome->item == request->item && outcome->operation == request->operation);
    SIM_CHECK(admitted == (outcome->reasons == 0));
    SIM_CHECK(admitted || outcome->fate == FATE_THROTTLED);
    SIM_CHECK(outcome->condition_failed == (admitted && !holds));
    SIM_CHECK(outcome->item_missing ==
              (admitted && *bytes == 0 && holds && (!writes || operation == DDB_DELETE_ITEM)));
    const int64_t failed_ncu = capacity_units_failed_ncu(operation, *bytes, request->new_bytes);
    const int64_t cost_ncu =
        holds && !outcome->rejected
            ? capacity_units_ncu(operation, request->consistent_read, *bytes, request->new_bytes)
            : failed_ncu;
    if (holds && writes && has_local && !outcome->rejected) {
        /* with its entries; refused, it may have been to a collection that is full */
        SIM_CHECK(outcome->cost_ncu >= (admitted || failed_ncu > cost_ncu ? cost_ncu : failed_ncu));
    } else {
        SIM_CHECK(outcome->cost_ncu == cost_ncu);
    }
    SIM_CHECK(outcome->cost_ncu % HALF_UNIT_NCU == 0);
    SIM_CHECK(!outcome->rejected || (admitted && writes && holds && has_local));
    check_place(life, outcome);
    if (outcome->cost_ncu > table->cost_ncu_max) {
        table->cost_ncu_max = outcome->cost_ncu;
    }
    if (admitted) {
        table->admitted_ncu[writes] += outcome->cost_ncu;
        if (writes && holds && !outcome->rejected) {
            *bytes = operation == DDB_DELETE_ITEM ? 0 : request->new_bytes;
        }
    }
}

static void reserve(struct life *life, uint32_t table, uint32_t writes) {
    struct err err = {.kind = ERR_NONE};
    if (life->specs[table].index_count > 0) {
        bool ready = service_reserve(&life->service, table, writes, &err);
        SIM_CHECKF(ready, "%s", err.text);
    }
}

/* Of an operation on one item; false: the table has none yet. */
static bool choose_request(struct life *life, uint32_t number, struct request *request,
                           struct gift *gift) {
    static const enum ddb_operation operations[] = {DDB_GET_ITEM,       DDB_PUT_ITEM,
                                                    DDB_UPDATE_ITEM,    DDB_DELETE_ITEM,
                                                    DDB_BATCH_GET_ITEM, DDB_BATCH_WRITE_ITEM};
    const struct life_table *table = &life->tables[number];
    if (table->item_count == 0) {
        return false;
    }
    const enum ddb_operation operation =
        operations[choices_below(life->choices, sizeof operations / sizeof *operations)];
    const uint32_t router = choices_below(life->choices, 6);
    *request = (struct request){
        .table = number,
        .item = table->items[choices_below(life->choices, table->item_count)],
        .new_bytes = choose_bytes(life),
        .router = router == 0 ? ROUTER_ANY : router - 1,
        .operation = (uint8_t)operation,
        .consistent_read = choices_below(life->choices, 2) == 1,
    };
    if (ddb_operation_writes(operation)) {
        request->condition = (uint8_t)choices_below(life->choices, 4);
    }
    gift->count = 0;
    if (ddb_operation_stores(operation)) {
        choose_gift(life, number, gift);
    }
    request->attributes = gift->attributes;
    request->values = gift->values;
    request->attribute_count = gift->count;
    return true;
}

static void submit(struct life *life, uint32_t number, uint32_t times) {
    struct request request;
    struct gift gift;
    if (!choose_request(life, number, &request, &gift)) {
        return;
    }
    reserve(life, number, times);
    for (uint32_t i = 0; i < times; i++) {
        struct outcome outcome;
        service_submit(&life->service, life->now_ns, &request, &outcome);
        check_outcome(life, &request, &outcome);
        observe(life, &outcome, 1);
    }
}

static void submit_run(struct life *life, uint32_t number) {
    struct request request;
    struct gift gift;
    sim_ns times_ns[RUN_MAX];
    uint32_t items[RUN_MAX], new_bytes[RUN_MAX];
    struct attribute_value values[RUN_MAX * LIFE_ATTRIBUTES];
    struct outcome outcomes[RUN_MAX];
    if (!choose_request(life, number, &request, &gift) || service_lacks_leader(&life->service)) {
        return;
    }
    const struct life_table *table = &life->tables[number];
    uint32_t count = choices_below(life->choices, RUN_MAX + 1);
    sim_ns time_ns = life->now_ns;
    for (uint32_t i = 0; i < count; i++) {
        time_ns += choose_wait_ns(life);
        if (time_ns >= service_next_event_ns(&life->service) ||
            time_ns / SIM_NS_PER_S > life->now_ns / SIM_NS_PER_S) {
            count = i; /* a run ends before the next timer, and with its second */
            break;
        }
        times_ns[i] = time_ns;
        items[i] = table->items[choices_below(life->choices, table->item_count)];
        new_bytes[i] = choose_bytes(life);
        memcpy(&values[i * gift.count], gift.values, gift.count * sizeof *values);
    }
    const struct service_run run = {.times_ns = times_ns,
                                    .items = items,
                                    .new_bytes = new_bytes,
                                    .count = count,
                                    .table = number,
                                    .operation = request.operation,
                                    .consistent_read = request.consistent_read,
                                    .past_refusals = choices_below(life->choices, 2) == 1,
                                    .attributes = gift.attributes,
                                    .values = values,
                                    .attribute_count = gift.count};
    reserve(life, number, count);
    const uint32_t done = service_submit_run(&life->service, &run, outcomes);
    SIM_CHECK(done == count || (done > 0 && !run.past_refusals && done < count &&
                                outcomes[done - 1].fate == FATE_THROTTLED));
    observe(life, outcomes, done);
    for (uint32_t i = 0; i < done; i++) {
        life->now_ns = times_ns[i];
        request.item = items[i];
        request.new_bytes = new_bytes[i];
        request.condition = CONDITION_NONE;
        check_outcome(life, &request, &outcomes[i]);
    }
}

static void check_query(struct life *life, const struct request *request) {
    struct outcome outcome;
    service_submit(&life->service, life->now_ns, request, &outcome);
    const int64_t cost_ncu = capacity_units_page_ncu(request->consistent_read, request->new_bytes);
    if (is_leaderless(life, request, &outcome)) {
        return;
    }
    if (outcome.rejected) { /* of an index that is not active */
        SIM_CHECK(request->table >= life->table_count && outcome.fate == FATE_ERRORED);
        return;
    }
    SIM_CHECK(outcome.cost_ncu == cost_ncu && outcome.key == request->item);
    SIM_CHECK((outcome.fate == FATE_ADMITTED) == (outcome.reasons == 0));
    check_place(life, &outcome);
    if (request->table < life->table_count) {
        struct life_table *table = &life->tables[request->table];
        table->admitted_ncu[0] += outcome.fate == FATE_ADMITTED ? cost_ncu : 0;
        table->cost_ncu_max = cost_ncu > table->cost_ncu_max ? cost_ncu : table->cost_ncu_max;
    }
}

static void query(struct life *life, uint32_t resource, bool may_be_consistent) {
    const uint32_t keys = service_key_count(&life->service, resource);
    if (keys > 0) {
        const struct request request = {.table = resource,
                                        .item = choices_below(life->choices, keys),
                                        .new_bytes = choices_below(life->choices, 65536) * 20,
                                        .router = ROUTER_ANY,
                                        .operation = DDB_QUERY,
                                        .consistent_read = may_be_consistent &&
                                                           choices_below(life->choices, 2) == 1};
        check_query(life, &request);
    }
}

static void intern_key(struct life *life, uint32_t number) {
    if (life->specs[number].range_key.name == NULL) {
        return;
    }
    const char text[] = {'k', (char)('0' + choices_below(life->choices, 10))};
    const struct key_text key_text = {.hash_key = text, .hash_key_bytes = sizeof text};
    uint32_t key;
    struct err err = {.kind = ERR_NONE};
    bool ready = service_intern_key(&life->service, number, &key_text, &key, &err);
    SIM_CHECKF(ready, "%s", err.text);
    SIM_CHECK(key < service_key_count(&life->service, number));
}

/* Entries come in the order of time, each once, to a partition that has the key. */
static void take_index_writes(struct life *life, uint32_t resource) {
    const struct index_write *writes;
    sim_ns last_ns = 0;
    for (uint32_t count;
         (count = service_index_writes(&life->service, resource, life->now_ns, &writes)) > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            SIM_CHECK(writes[i].at_ns >= last_ns && writes[i].at_ns < life->now_ns);
            SIM_CHECK(writes[i].cost_ncu > 0 && writes[i].cost_ncu % NCU_PER_CU == 0);
            SIM_CHECK(writes[i].key < service_key_count(&life->service, resource));
            last_ns = writes[i].at_ns;
        }
    }
}

static void check_saved(int64_t level_ncu, int64_t max_ncu) {
    SIM_CHECK(level_ncu == -1 ? max_ncu == 0 : level_ncu >= 0 && level_ncu <= max_ncu);
}

static void sample(struct life *life, uint32_t resource) {
    struct resource_sample levels;
    service_sample(&life->service, life->now_ns, resource, &levels);
    check_saved(levels.burst_rncu, levels.burst_max_rncu);
    check_saved(levels.burst_wncu, levels.burst_max_wncu);
    SIM_CHECK((levels.provisioned_rcu >= 1 && levels.provisioned_wcu >= 1) ||
              (levels.provisioned_rcu == -1 && levels.provisioned_wcu == -1));
    SIM_CHECK((levels.buffered_wncu >= 0) == (resource >= life->table_count));
    SIM_CHECK(levels.partitions >= 1 ||
              resource >= life->table_count); /* an index may be to come */
    SIM_CHECK(levels.partitions <= service_partition_count(&life->service, resource));
}

/* A shared pool gives no more than it got: what was saved, the rate since, and the debts that
 * routers may leave, one request each. */
static void check_pool(const struct life *life, uint32_t number) {
    const struct life_table *table = &life->tables[number];
    const struct table_spec *spec = table->spec;
    const sim_ns saved_ns = spec_saved_ns(spec->initial_burst_ns, &life->parameters);
    const bool is_pool = life->parameters.era == ERA_GAC &&
                         spec->billing_mode == BILLING_PROVISIONED && !table->is_changing;
    for (int way = 0; way < 2 && is_pool; way++) {
        __extension__ const __int128 units =
            way == 1 ? spec->write_capacity_units : spec->read_capacity_units;
        __extension__ const __int128 got_ncu =
            units * (life->now_ns + saved_ns) +
            (__int128)table->cost_ncu_max * (life->parameters.routers + 1);
        SIM_CHECK(table->admitted_ncu[way] <= got_ncu);
    }
}

static void audit(struct life *life) {
    service_audit(&life->service, life->now_ns);
    for (uint32_t i = 0; i < life->table_count; i++) {
        check_pool(life, i);
    }
}

static void lose(struct life *life, uint32_t number) {
    struct request request;
    struct gift gift;
    struct outcome outcome;
    if (choose_request(life, number, &request, &gift)) {
        service_lose(life->now_ns, &request, &outcome);
        SIM_CHECK(outcome.fate == FATE_ERRORED && outcome.reasons == 0 && outcome.cost_ncu == 0);
    }
}

/* The same traffic each second for some minutes. */
static void load(struct life *life, uint32_t number) {
    const uint32_t seconds = 60 + choices_below(life->choices, 300);
    const uint32_t attempts = 1 << choices_below(life->choices, 7);
    for (uint32_t i = 0; i < seconds; i++) {
        submit(life, number, attempts);
        wait_ns(life, SIM_NS_PER_S);
    }
    audit(life);
}

static void one_event(struct life *life) {
    const enum event event = (enum event)choices_below(life->choices, EVENT_COUNT);
    const uint32_t resource = choices_below(life->choices, service_resource_count(&life->service));
    const uint32_t table = resource % life->table_count;
    switch (event) {
    case EVENT_WAIT: wait_ns(life, choose_wait_ns(life)); break;
    case EVENT_INTERN: intern(life, table); break;
    case EVENT_INTERN_KEY: intern_key(life, table); break;
    case EVENT_SUBMIT: submit(life, table, 1); break;
    case EVENT_BURST: submit(life, table, 1 + choices_below(life->choices, 64)); break;
    case EVENT_RUN: submit_run(life, table); break;
    case EVENT_QUERY: query(life, table, true); break;
    case EVENT_QUERY_INDEX: query(life, resource, resource < life->table_count); break;
    case EVENT_LOSE: lose(life, table); break;
    case EVENT_INDEX_WRITES:
        if (resource >= life->table_count) {
            take_index_writes(life, resource);
        }
        break;
    case EVENT_SAMPLE: sample(life, resource); break;
    case EVENT_AUDIT: audit(life); break;
    case EVENT_UPDATE: changes_update_table(life, table); break;
    case EVENT_LEADER: changes_lose_leader(life, table); break;
    case EVENT_LOAD: load(life, table); break;
    case EVENT_COUNT: break;
    }
}

/* Time enough for whatever waits: the second book is compared to the end. */
static void end(struct life *life) {
    wait_ns(life, 1000 * SIM_NS_PER_S);
    for (uint32_t i = 0; i < service_resource_count(&life->service); i++) {
        sample(life, i);
        if (i >= life->table_count) {
            take_index_writes(life, i);
        }
    }
    audit(life);
    for (uint32_t i = 0; i < life->table_count; i++) {
        const struct life_table *table = &life->tables[i];
        for (uint32_t j = 0; j < table->item_count; j++) {
            const struct request request = {.table = i,
                                            .item = table->items[j],
                                            .router = ROUTER_ANY,
                                            .operation = DDB_GET_ITEM};
            struct outcome outcome;
            service_submit(&life->service, life->now_ns, &request, &outcome);
            check_outcome(life, &request, &outcome);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct choices choices = {.at = data, .end = data + size};
    struct life *life = malloc(sizeof *life);
    SIM_CHECK(life != NULL);
    if (life_init(life, &choices)) {
        for (uint32_t i = 0; i < EVENTS_MAX && choices_left(&choices); i++) {
            one_event(life);
        }
        end(life);
        service_fini(&life->service);
    }
    free(life);
    return 0;
}
