#include "experiments/simulation_parts.h"

#include "models/capacity_units.h"
#include "sim/hash.h"

#define SEND_RUN_MAX 64 /* items are made ready for that many at a time */

static void observe(struct simulation *simulation) {
    if (service_observes(&simulation->service)) {
        service_observe(&simulation->service, simulation->block->outcomes,
                        simulation->block->outcome_count);
    }
}

bool simulation_publish(struct simulation *simulation, struct err *err) {
    observe(simulation);
    return pipeline_publish(simulation->pipeline, err);
}

bool simulation_flush(struct simulation *simulation, struct err *err) {
    observe(simulation);
    return pipeline_flush(simulation->pipeline, err);
}

bool simulation_send_later(struct simulation *simulation, const struct attempt *attempt,
                           sim_ns at_ns, struct err *err) {
    uint32_t index;
    struct attempt *waiting = slab_take(&simulation->waiting, &index, err);
    if (waiting == NULL) {
        return false;
    }
    *waiting = *attempt;
    if (attempt->values != NULL && !simulation_keep_values(simulation, index, waiting, err)) {
        return false;
    }
    return loop_schedule(&simulation->loop, at_ns, TIMER_RETRY, index, err);
}

/* A refused member: the client waits and sends it again, or gives up. */
static bool refuse(struct simulation *simulation, const struct attempt *attempt, struct err *err) {
    sim_ns response_ns =
        simulation->loop.now_ns + simulation->config.scenario->client.throttle_latency_ns;
    const struct client_attempt refused = simulation_client_attempt(attempt);
    sim_ns wait_ns = client_retry_wait_ns(&simulation->client, &refused, RETRY_AFTER_THROTTLE);
    if (wait_ns == CLIENT_GIVES_UP || simulation_is_cancelled(simulation, attempt)) {
        return simulation_end_member(simulation, attempt, OPERATION_GAVE_UP, response_ns, err);
    }
    struct attempt next = *attempt;
    next.number++;
    return simulation_send_later(simulation, &next, response_ns + wait_ns, err);
}

/* The page of a Query that attempt is about. */
static uint32_t query_page(const struct simulation_workload *state, const struct attempt *attempt) {
    return attempt->member / state->generator.key_template.members;
}

/* How many of its items lie on that page and on those after it. */
static uint64_t query_items_left(const struct simulation_workload *state,
                                 const struct attempt *attempt) {
    const uint64_t before =
        (uint64_t)query_page(state, attempt) * capacity_units_page_items(attempt->bytes);
    return state->spec->returns_items - before;
}

static uint32_t query_bytes(const struct simulation_workload *state,
                            const struct attempt *attempt) {
    const uint64_t left = query_items_left(state, attempt);
    const uint32_t most = capacity_units_page_items(attempt->bytes);
    return (uint32_t)(left < most ? left : most) * attempt->bytes;
}

bool simulation_answer(struct simulation *simulation, const struct attempt *attempt,
                       enum operation_fate fate, sim_ns response_ns, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    if (state->spec->batch > 0 && !ddb_operation_transacts(state->spec->operation)) {
        return simulation_batch_answer(simulation, attempt, response_ns, err);
    }
    if (state->scan != NULL) {
        return simulation_scan_answer(simulation, attempt, fate, response_ns, err);
    }
    if (state->spec->operation == DDB_QUERY &&
        query_items_left(state, attempt) > capacity_units_page_items(attempt->bytes)) {
        struct attempt next = *attempt;
        next.number = 0;
        next.member += state->generator.key_template.members;
        return simulation_send_later(simulation, &next, response_ns, err);
    }
    return simulation_end_member(simulation, attempt, fate, response_ns, err);
}

enum write_condition simulation_condition(const struct simulation_workload *state,
                                          const struct attempt *attempt) {
    const struct condition_spec *condition = &state->spec->condition;
    if (condition->kind != CONDITION_FAILS) {
        return condition->kind;
    }
    const uint64_t draw = hash_draw(state->condition_stream, attempt->sequence,
                                    (uint64_t)attempt->member << 32 | attempt->number);
    return draw < condition->fails_below ? CONDITION_FAILS : CONDITION_NONE;
}

/* Open loops have a new connection for each call; the members of a batch share theirs. */
uint32_t simulation_router(const struct simulation_workload *state, const struct attempt *attempt) {
    if (attempt->client != SIMULATION_NONE) {
        return state->router_base + attempt->client;
    }
    return state->spec->batch > 0 ? (uint32_t)(attempt->sequence & INT32_MAX) : ROUTER_ANY;
}

const struct outcome *simulation_submit(struct simulation *simulation,
                                        const struct attempt *attempt, bool arrives,
                                        struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    const struct workload_spec *spec = state->spec;
    if (simulation->block->outcome_count == PIPELINE_OUTCOMES &&
        !simulation_publish(simulation, err)) {
        return NULL;
    }
    struct outcome *outcome = &simulation->block->outcomes[simulation->block->outcome_count++];
    const struct request request = {
        .table = state->resource,
        .item = attempt->item,
        .new_bytes = spec->operation == DDB_QUERY ? query_bytes(state, attempt) : attempt->bytes,
        .router = simulation_router(state, attempt),
        .operation = (uint8_t)(attempt->deletes ? DDB_DELETE_ITEM : spec->operation),
        .condition = (uint8_t)simulation_condition(state, attempt),
        .consistent_read = spec->consistent_read,
        .attributes = state->attributes,
        .values = attempt->values,
        .attribute_count = attempt->deletes ? 0 : spec->given_count,
    };
    if (state->writes_indexes && !service_reserve(&simulation->service, spec->table, 1, err)) {
        return NULL;
    }
    if (arrives) {
        service_submit(&simulation->service, simulation->loop.now_ns, &request, outcome);
    } else {
        service_lose(simulation->loop.now_ns, &request, outcome);
    }
    outcome->workload = (uint16_t)attempt->workload;
    outcome->attempt = (uint16_t)attempt->number;
    outcome->member = attempt->member;
    outcome->sequence = attempt->sequence;
    simulation->attempts++;
    return outcome;
}

bool simulation_call(struct simulation *simulation, const struct attempt *attempt, bool arrives,
                     struct simulation_reply *reply, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    if (state->spec->batch > 0) {
        return simulation_batch_submit(simulation, attempt, arrives, reply, err);
    }
    if (state->scan != NULL) {
        return simulation_scan_submit(simulation, attempt, arrives, reply, err);
    }
    const struct outcome *outcome = simulation_submit(simulation, attempt, arrives, err);
    if (outcome == NULL) {
        return false;
    }
    *reply =
        (struct simulation_reply){.fate = (enum attempt_fate)outcome->fate,
                                  .ends = outcome->rejected           ? OPERATION_REJECTED
                                          : outcome->condition_failed ? OPERATION_CONDITION_FAILED
                                                                      : OPERATION_SUCCEEDED};
    return true;
}

bool simulation_send(struct simulation *simulation, const struct attempt *attempt,
                     struct err *err) {
    if (simulation->clients != NULL) {
        return simulation_clients_send(simulation, attempt, err);
    }
    struct simulation_reply reply;
    if (!simulation_call(simulation, attempt, true, &reply, err)) {
        return false;
    }
    if (reply.fate == FATE_THROTTLED) {
        return refuse(simulation, attempt, err);
    }
    sim_ns latency_ns = client_latency_ns(&simulation->client, attempt->workload, attempt->sequence,
                                          attempt->member, attempt->number);
    return simulation_answer(simulation, attempt, reply.ends, simulation->loop.now_ns + latency_ns,
                             err);
}

bool simulation_retry(struct simulation *simulation, uint32_t index, struct err *err) {
    const struct attempt attempt = *(const struct attempt *)slab_at(&simulation->waiting, index);
    slab_give(&simulation->waiting, index);
    return simulation_send(simulation, &attempt, err);
}

/* Operations of one member, arrived from position index of the batch on, that have ended with their
 * first attempt: outcomes[0 … count - 1]. */
static void end_run(struct simulation *simulation, uint32_t workload, uint32_t index,
                    const struct outcome *outcomes, uint32_t count) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const sim_ns *const drawn_ns = &state->latencies_ns[index];
    sim_ns latencies_ns[PIPELINE_OUTCOMES];
    const sim_ns refusal_ns = simulation->config.scenario->client.throttle_latency_ns;
    sim_ns latest_ns = state->last_end_ns;
    uint32_t succeeded = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t admitted = outcomes[i].fate == FATE_ADMITTED;
        const sim_ns latency_ns = drawn_ns[i];
        /* without a branch: nobody foresees which attempt is refused */
        const sim_ns end_ns =
            outcomes[i].at_ns + refusal_ns + ((latency_ns - refusal_ns) & -admitted);
        latest_ns = end_ns > latest_ns ? end_ns : latest_ns;
        latencies_ns[succeeded] = latency_ns;
        succeeded += (uint32_t)admitted;
    }
    recorder_run(&simulation->recorder, (uint16_t)workload, latencies_ns, succeeded,
                 count - succeeded);
    simulation_note_end(state, latest_ns);
}

/* The last arrival of the run so far was refused. */
static bool refuse_arrival(struct simulation *simulation, uint32_t workload, uint32_t index,
                           struct err *err) {
    const struct attempt attempt = simulation_arrive(simulation, workload, index, SIMULATION_NONE);
    return refuse(simulation, &attempt, err);
}

/* Sends arrivals from position index of the batch on, until the buffer of outcomes is full or one
 * is refused whose client may try again; returns how many. */
static uint32_t send_run(struct simulation *simulation, const struct loop_step *step,
                         uint32_t index, uint32_t end, bool past_refusals) {
    const struct simulation_workload *state = &simulation->workloads[step->stream];
    const uint32_t room = PIPELINE_OUTCOMES - simulation->block->outcome_count;
    const uint32_t left = end - index;
    const struct service_run run = {
        .times_ns = state->batch.times_ns + index,
        .items = state->items + index,
        .new_bytes = state->batch.sizes_bytes + index,
        .count = left < room ? left : room,
        .table = state->spec->table,
        .operation = (uint8_t)state->spec->operation,
        .consistent_read = state->spec->consistent_read,
        .past_refusals = past_refusals,
        .workload = (uint16_t)step->stream,
        .first_sequence = state->batch.first_sequence + index,
        .attributes = state->attributes,
        .values = state->values + (size_t)index * state->spec->given_count,
        .attribute_count = state->spec->given_count,
    };
    struct outcome *outcomes = &simulation->block->outcomes[simulation->block->outcome_count];
    const uint32_t count = service_submit_run(&simulation->service, &run, outcomes);
    simulation->block->outcome_count += count;
    simulation->attempts += count;
    return count;
}

/* The usual case: operations of one member, nearly all of them admitted at their first attempt, a
 * run at a time. What is refused and may be sent again goes the long way. */
bool simulation_singles(struct simulation *simulation, struct loop_step *step, struct err *err) {
    const bool gives_up = simulation->client.spec->retry.attempts_max == 1;
    const struct simulation_workload *state = &simulation->workloads[step->stream];
    if (state->writes_indexes &&
        !service_reserve(&simulation->service, state->spec->table, step->end - step->index, err)) {
        return false;
    }
    for (uint32_t index = step->index; index < step->end;) {
        if (simulation->block->outcome_count == PIPELINE_OUTCOMES &&
            !simulation_publish(simulation, err)) {
            return false;
        }
        uint32_t end = step->end - index < SEND_RUN_MAX ? step->end : index + SEND_RUN_MAX;
        if (!simulation_items_until(simulation, step->stream, end, err)) {
            return false;
        }
        const struct outcome *outcomes =
            &simulation->block->outcomes[simulation->block->outcome_count];
        const uint32_t count = send_run(simulation, step, index, end, gives_up);
        const bool pending = !gives_up && outcomes[count - 1].fate != FATE_ADMITTED;
        end_run(simulation, step->stream, index, outcomes, count - pending);
        index += count;
        loop_skip(&simulation->loop, step, index);
        if (pending) {
            if (!refuse_arrival(simulation, step->stream, index - 1, err)) {
                return false;
            }
            loop_shorten(&simulation->loop, step);
        }
    }
    return true;
}
