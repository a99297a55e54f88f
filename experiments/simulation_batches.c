#include "experiments/simulation_parts.h"

#include "models/service_transaction.h"
#include "sim/hash.h"
#include "sim/random.h"

#include <string.h>

void simulation_batch_init(struct simulation *simulation, uint32_t workload) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct workload_spec *spec = state->spec;
    if (spec->batch == 0) {
        return;
    }
    const size_t member_bytes =
        sizeof(struct batch_member) + spec->given_count * sizeof(struct attribute_value);
    slab_init(&state->records, &simulation->arena,
              sizeof(struct batch_members) + spec->batch * member_bytes);
    const struct random_name name = {
        .seed = simulation->config.seed,
        .replication = simulation->config.replication,
        .workload = spec->name,
        .variable = "deletes",
    };
    state->deletes_stream = random_name_hash(&name);
}

/* The values of a slot: behind all members that there can be. */
static struct attribute_value *values_of(const struct simulation_workload *state,
                                         struct batch_members *batch, uint32_t slot) {
    const uint32_t given = state->spec->given_count;
    if (given == 0 || !state->writes_indexes) {
        return NULL;
    }
    return (struct attribute_value *)(void *)&batch->members[state->spec->batch] + slot * given;
}

/* DynamoDB takes no key twice in one call: the client sends what was drawn last. */
static struct batch_member *keep_last(struct batch_members *batch,
                                      const struct batch_member *drawn) {
    struct batch_member *member = batch->members;
    struct batch_member *const end = batch->members + batch->count;
    while (member < end && member->item != drawn->item) {
        member++;
    }
    if (member == end) {
        *member = *drawn;
        member->slot = batch->count++;
    }
    member->bytes = drawn->bytes;
    member->deletes = drawn->deletes;
    return member;
}

static bool is_delete(const struct simulation_workload *state, uint64_t sequence, uint32_t member) {
    const uint64_t below = state->spec->deletes_below;
    return below > 0 && hash_draw(state->deletes_stream, sequence, member) < below;
}

bool simulation_batch_open(struct simulation *simulation, struct attempt *attempt, uint32_t index,
                           struct err *err) {
    struct simulation_workload *state = &simulation->workloads[attempt->workload];
    const uint32_t most = state->generator.members, first = index * most;
    const uint32_t drawn = state->batch.draws - first < most ? state->batch.draws - first : most;
    struct batch_members *batch = slab_take(&state->records, &attempt->record, err);
    if (batch == NULL) {
        return false;
    }
    batch->count = 0;
    batch->is_rejected = false;
    attempt->values = NULL; /* its members have their own */
    for (uint32_t i = 0; i < drawn; i++) {
        const struct batch_member member = {
            .member = i,
            .item = state->items[first + i],
            .bytes = state->batch.sizes_bytes[first + i],
            .deletes = is_delete(state, attempt->sequence, i),
        };
        struct attribute_value *values = values_of(state, batch, keep_last(batch, &member)->slot);
        const uint32_t given = state->spec->given_count;
        if (values != NULL) {
            memcpy(values, state->values + (size_t)(first + i) * given, given * sizeof *values);
        }
    }
    return true;
}

/* Members of a transaction, as the service takes them. */
static void transaction_requests(const struct simulation_workload *state,
                                 const struct attempt *attempt, struct batch_members *batch,
                                 struct request *requests) {
    const bool writes = ddb_operation_writes(state->spec->operation);
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct batch_member *member = &batch->members[i];
        struct attempt one = *attempt;
        one.member = member->member;
        requests[i] = (struct request){
            .table = state->resource,
            .item = member->item,
            .new_bytes = member->bytes,
            .router = simulation_router(state, attempt),
            .operation = (uint8_t)(!writes           ? DDB_GET_ITEM
                                   : member->deletes ? DDB_DELETE_ITEM
                                                     : DDB_PUT_ITEM),
            .condition = (uint8_t)simulation_condition(state, &one),
            .attributes = state->attributes,
            .values = values_of(state, batch, member->slot),
            .attribute_count = member->deletes ? 0 : state->spec->given_count,
        };
    }
}

static bool submit_transaction(struct simulation *simulation, const struct attempt *attempt,
                               bool arrives, struct simulation_reply *reply, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct batch_members *batch = slab_at(&state->records, attempt->record);
    struct request requests[TRANSACTION_ITEMS_MAX];
    if ((simulation->block->outcome_count + batch->count > PIPELINE_OUTCOMES &&
         !simulation_publish(simulation, err)) ||
        (state->writes_indexes &&
         !service_reserve(&simulation->service, state->spec->table, batch->count, err))) {
        return false;
    }
    struct outcome *outcomes = &simulation->block->outcomes[simulation->block->outcome_count];
    uint32_t count = 1;
    if (arrives) {
        transaction_requests(state, attempt, batch, requests);
        count = service_transact(&simulation->service, simulation->loop.now_ns, requests,
                                 batch->count, outcomes);
    } else {
        const struct request lost = {.table = state->resource,
                                     .operation = (uint8_t)state->spec->operation};
        service_lose(simulation->loop.now_ns, &lost, outcomes);
    }
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i].workload = (uint16_t)attempt->workload;
        outcomes[i].attempt = (uint16_t)attempt->number;
        outcomes[i].member = i;
        outcomes[i].sequence = attempt->sequence;
    }
    simulation->block->outcome_count += count;
    simulation->attempts++;
    *reply = (struct simulation_reply){
        .fate = (enum attempt_fate)outcomes[0].fate,
        .ends = outcomes[0].condition_failed ? OPERATION_CONDITION_FAILED
                : outcomes[0].rejected       ? OPERATION_REJECTED
                                             : OPERATION_SUCCEEDED,
    };
    return true;
}

bool simulation_batch_submit(struct simulation *simulation, const struct attempt *attempt,
                             bool arrives, struct simulation_reply *reply, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct batch_members *batch = slab_at(&state->records, attempt->record);
    uint32_t served = 0, throttled = 0;
    if (ddb_operation_transacts(state->spec->operation)) {
        return submit_transaction(simulation, attempt, arrives, reply, err);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        struct batch_member *member = &batch->members[i];
        struct attempt one = *attempt;
        one.member = member->member;
        one.item = member->item;
        one.bytes = member->bytes;
        one.deletes = member->deletes;
        one.values = values_of(state, batch, member->slot);
        const struct outcome *outcome = simulation_submit(simulation, &one, arrives, err);
        if (outcome == NULL) {
            return false;
        }
        member->is_served = outcome->fate == FATE_ADMITTED;
        served += member->is_served;
        throttled += outcome->fate == FATE_THROTTLED;
        batch->is_rejected |= outcome->rejected;
    }
    *reply = (struct simulation_reply){.fate = served > 0      ? FATE_ADMITTED
                                               : throttled > 0 ? FATE_THROTTLED
                                                               : FATE_ERRORED};
    recorder_call(&simulation->recorder, (uint16_t)attempt->workload, reply->fate);
    return true;
}

/* Those that the response hands back. */
static void keep_unserved(struct batch_members *batch) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!batch->members[i].is_served) {
            batch->members[left++] = batch->members[i];
        }
    }
    batch->count = left;
}

bool simulation_batch_answer(struct simulation *simulation, const struct attempt *attempt,
                             sim_ns response_ns, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct batch_members *batch = slab_at(&state->records, attempt->record);
    keep_unserved(batch);
    if (batch->count == 0) {
        return simulation_end_member(simulation, attempt,
                                     batch->is_rejected ? OPERATION_REJECTED : OPERATION_SUCCEEDED,
                                     response_ns, err);
    }
    const struct client_attempt handed_back = simulation_client_attempt(attempt);
    const sim_ns wait_ns =
        client_retry_wait_ns(&simulation->client, &handed_back, RETRY_AFTER_THROTTLE);
    if (wait_ns == CLIENT_GIVES_UP) {
        recorder_unprocessed(&simulation->recorder, (uint16_t)attempt->workload, batch->count);
        return simulation_end_member(simulation, attempt, OPERATION_GAVE_UP, response_ns, err);
    }
    struct attempt next = *attempt;
    next.number++;
    return simulation_send_later(simulation, &next, response_ns + wait_ns, err);
}
