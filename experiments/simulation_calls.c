#include "experiments/simulation_parts.h"

/* A record of the slab, or NULL when memory for another chunk cannot be had. */
static void *slab_take(struct slab *slab, uint32_t *index, struct err *err) {
    if (slab->free == SIMULATION_NONE) {
        return grow_array_append(&slab->records, 1, index, err)
                   ? grow_array_at(&slab->records, *index)
                   : NULL;
    }
    *index = slab->free;
    uint32_t *record = grow_array_at(&slab->records, *index);
    slab->free = *record;
    return record;
}

static void slab_give(struct slab *slab, uint32_t index) {
    *(uint32_t *)grow_array_at(&slab->records, index) = slab->free;
    slab->free = index;
}

bool simulation_flush(struct simulation *simulation, struct err *err) {
    uint32_t count = simulation->outcome_count;
    simulation->outcome_count = 0;
    return count == 0 || recorder_record(&simulation->recorder, simulation->outcomes, count, err);
}

/* Starts whoever waits for workload, once it has neither arrivals nor open operations left. */
static bool end_if_over(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (state->ended || !state->exhausted || state->open_operations > 0) {
        return true;
    }
    state->ended = true;
    if (state->last_end_ns < simulation->loop.now_ns) {
        state->last_end_ns = simulation->loop.now_ns;
    }
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        const struct workload_spec *waiting = simulation->workloads[i].spec;
        if (waiting->after == workload &&
            !loop_schedule(&simulation->loop, state->last_end_ns + waiting->start_ns, TIMER_START,
                           i, err)) {
            return false;
        }
    }
    return true;
}

static bool exhaust(struct simulation *simulation, uint32_t workload, struct err *err) {
    simulation->workloads[workload].exhausted = true;
    return end_if_over(simulation, workload, err);
}

bool simulation_refill(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    state->batch.count = 0;
    if (state->started && state->spec->arrivals != ARRIVALS_CLOSED) {
        generator_next(&state->generator, simulation->duration_ns, &state->batch);
    }
    loop_feed(&simulation->loop, workload, state->batch.times_ns, state->batch.count);
    if (state->batch.count > 0) {
        return simulation_batch_items(simulation, workload, err);
    }
    if (state->started && state->spec->arrivals != ARRIVALS_CLOSED) {
        return exhaust(simulation, workload, err);
    }
    return true;
}

static inline void note_end(struct simulation *simulation, struct simulation_workload *state,
                            sim_ns end_ns) {
    if (end_ns > state->last_end_ns) {
        state->last_end_ns = end_ns;
        if (end_ns > simulation->recorder.last_operation_ns) {
            simulation->recorder.last_operation_ns = end_ns;
        }
    }
}

/* An operation has ended at end_ns, as its client sees it. */
static bool end_operation(struct simulation *simulation, const struct attempt *attempt,
                          bool succeeded, sim_ns end_ns, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[attempt->workload];
    recorder_operation(&simulation->recorder, (uint16_t)attempt->workload,
                       succeeded ? OPERATION_SUCCEEDED : OPERATION_GAVE_UP,
                       end_ns - attempt->arrival_ns);
    note_end(simulation, state, end_ns);
    SIM_CHECK(state->open_operations > 0);
    state->open_operations--;
    if (attempt->client != SIMULATION_NONE) {
        return loop_schedule(&simulation->loop, end_ns + state->spec->think_ns, TIMER_CLIENT,
                             (uint64_t)attempt->workload << 32 | attempt->client, err);
    }
    return !state->exhausted || end_if_over(simulation, attempt->workload, err);
}

/* A member has ended; its operation ends with its last member. */
static bool end_member(struct simulation *simulation, const struct attempt *attempt, bool succeeded,
                       sim_ns end_ns, struct err *err) {
    if (attempt->fan_out == SIMULATION_NONE) {
        return end_operation(simulation, attempt, succeeded, end_ns, err);
    }
    struct fan_out *fan_out = grow_array_at(&simulation->fan_outs.records, attempt->fan_out);
    fan_out->failed |= !succeeded;
    if (end_ns > fan_out->latest_ns) {
        fan_out->latest_ns = end_ns;
    }
    if (--fan_out->remaining > 0) {
        return true;
    }
    slab_give(&simulation->fan_outs, attempt->fan_out);
    return end_operation(simulation, attempt, !fan_out->failed, fan_out->latest_ns, err);
}

/* A refused member: the client waits and sends it again, or gives up. */
static bool refuse(struct simulation *simulation, const struct attempt *attempt, struct err *err) {
    sim_ns response_ns =
        simulation->loop.now_ns + simulation->config.scenario->client.throttle_latency_ns;
    sim_ns wait_ns = client_retry_wait_ns(&simulation->client, attempt->number);
    if (wait_ns == CLIENT_GIVES_UP) {
        return end_member(simulation, attempt, false, response_ns, err);
    }
    uint32_t index;
    struct attempt *waiting = slab_take(&simulation->waiting, &index, err);
    if (waiting == NULL) {
        return false;
    }
    *waiting = *attempt;
    waiting->number++;
    return loop_schedule(&simulation->loop, response_ns + wait_ns, TIMER_RETRY, index, err);
}

static bool send(struct simulation *simulation, const struct attempt *attempt, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    const struct workload_spec *spec = state->spec;
    if (simulation->outcome_count == SIMULATION_OUTCOMES && !simulation_flush(simulation, err)) {
        return false;
    }
    struct outcome *outcome = &simulation->outcomes[simulation->outcome_count++];
    struct request request = {
        .table = spec->table,
        .item = attempt->item,
        .new_bytes = attempt->bytes,
        .router =
            attempt->client == SIMULATION_NONE ? ROUTER_ANY : state->router_base + attempt->client,
        .operation = (uint8_t)spec->operation,
        .consistent_read = spec->consistent_read,
    };
    sim_ns now_ns = simulation->loop.now_ns;
    service_submit(&simulation->service, now_ns, &request, outcome);
    recorder_prefetch_key(&simulation->recorder, outcome->resource, outcome->key);
    outcome->workload = (uint16_t)attempt->workload;
    outcome->attempt = (uint16_t)attempt->number;
    outcome->member = attempt->member;
    outcome->sequence = attempt->sequence;
    simulation->attempts++;
    if (outcome->fate == FATE_THROTTLED) {
        return refuse(simulation, attempt, err);
    }
    sim_ns latency_ns = client_latency_ns(&simulation->client, attempt->workload, attempt->sequence,
                                          attempt->member, attempt->number);
    return end_member(simulation, attempt, true, now_ns + latency_ns, err);
}

/* Sends every member of an {each N} operation at once. */
static bool send_all(struct simulation *simulation, struct attempt attempt, uint64_t number,
                     struct err *err) {
    const struct key_template *template =
        &simulation->workloads[attempt.workload].generator.key_template;
    struct fan_out *fan_out = slab_take(&simulation->fan_outs, &attempt.fan_out, err);
    if (fan_out == NULL) {
        return false;
    }
    *fan_out = (struct fan_out){.latest_ns = attempt.arrival_ns, .remaining = template->members};
    for (uint32_t member = 0; member < template->members; member++) {
        attempt.member = member;
        if (!simulation_item(simulation, attempt.workload,
                             number + member * template->member_stride, attempt.bytes,
                             &attempt.item, err) ||
            !send(simulation, &attempt, err)) {
            return false;
        }
    }
    return true;
}

/* Opens the operation at position index of the batch: its first attempt, not sent yet. */
static struct attempt arrive(struct simulation *simulation, uint32_t workload, uint32_t index,
                             uint32_t client) {
    struct simulation_workload *state = &simulation->workloads[workload];
    state->open_operations++;
    recorder_offered(&simulation->recorder, (uint16_t)workload);
    return (struct attempt){
        .arrival_ns = simulation->loop.now_ns,
        .sequence = state->batch.first_sequence + index,
        .workload = workload,
        .item = state->items[index],
        .bytes = state->batch.sizes_bytes[index],
        .client = client,
        .fan_out = SIMULATION_NONE,
    };
}

static bool begin_operation(struct simulation *simulation, uint32_t workload, uint32_t index,
                            uint32_t client, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    const struct attempt attempt = arrive(simulation, workload, index, client);
    if (state->generator.key_template.members > 1) {
        return send_all(simulation, attempt, state->batch.numbers[index], err);
    }
    return send(simulation, &attempt, err);
}

/* Operations of one member, arrived from position index of the batch on, that have ended with their
 * first attempt: outcomes[0 … count - 1]. */
static void end_run(struct simulation *simulation, uint32_t workload, uint32_t index,
                    const struct outcome *outcomes, uint32_t count) {
    struct simulation_workload *state = &simulation->workloads[workload];
    sim_ns latencies_ns[SIMULATION_OUTCOMES];
    client_latencies_ns(&simulation->client, workload, state->batch.first_sequence + index, count,
                        latencies_ns);
    const sim_ns refusal_ns = simulation->config.scenario->client.throttle_latency_ns;
    sim_ns latest_ns = state->last_end_ns;
    uint32_t succeeded = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool admitted = outcomes[i].fate == FATE_ADMITTED;
        const sim_ns latency_ns = latencies_ns[i];
        const sim_ns end_ns = outcomes[i].at_ns + (admitted ? latency_ns : refusal_ns);
        latest_ns = end_ns > latest_ns ? end_ns : latest_ns;
        latencies_ns[succeeded] = latency_ns;
        succeeded += admitted;
    }
    recorder_run(&simulation->recorder, (uint16_t)workload, latencies_ns, succeeded,
                 count - succeeded);
    note_end(simulation, state, latest_ns);
}

/* The last arrival of the run so far was refused. */
static bool refuse_arrival(struct simulation *simulation, uint32_t workload, uint32_t index,
                           struct err *err) {
    const struct attempt attempt = arrive(simulation, workload, index, SIMULATION_NONE);
    return refuse(simulation, &attempt, err);
}

/* Sends arrivals from position index of the batch on, until the buffer of outcomes is full or one
 * is refused whose client may try again; returns how many. */
static uint32_t send_run(struct simulation *simulation, const struct loop_step *step,
                         uint32_t index, bool past_refusals) {
    const struct simulation_workload *state = &simulation->workloads[step->stream];
    const uint32_t room = SIMULATION_OUTCOMES - simulation->outcome_count;
    const uint32_t left = step->end - index;
    const struct service_run run = {
        .times_ns = state->batch.times_ns + index,
        .items = state->items + index,
        .new_bytes = state->batch.sizes_bytes + index,
        .count = left < room ? left : room,
        .table = state->spec->table,
        .operation = (uint8_t)state->spec->operation,
        .consistent_read = state->spec->consistent_read,
        .past_refusals = past_refusals,
    };
    struct outcome *outcomes = &simulation->outcomes[simulation->outcome_count];
    const uint32_t count = service_submit_run(&simulation->service, &run, outcomes);
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i].workload = (uint16_t)step->stream;
        outcomes[i].sequence = state->batch.first_sequence + index + i;
    }
    simulation->outcome_count += count;
    simulation->attempts += count;
    return count;
}

/* The usual case: operations of one member, nearly all of them admitted at their first attempt, a
 * run at a time. What is refused and may be sent again goes the long way. */
static bool begin_singles(struct simulation *simulation, struct loop_step *step, struct err *err) {
    const bool gives_up = client_retry_wait_ns(&simulation->client, 0) == CLIENT_GIVES_UP;
    for (uint32_t index = step->index; index < step->end;) {
        if (simulation->outcome_count == SIMULATION_OUTCOMES &&
            !simulation_flush(simulation, err)) {
            return false;
        }
        const struct outcome *outcomes = &simulation->outcomes[simulation->outcome_count];
        const uint32_t count = send_run(simulation, step, index, gives_up);
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

bool simulation_arrivals(struct simulation *simulation, struct loop_step *step, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[step->stream];
    return state->generator.key_template.members == 1
               ? begin_singles(simulation, step, err)
               : begin_operation(simulation, step->stream, step->index, SIMULATION_NONE, err);
}

static bool retry(struct simulation *simulation, uint32_t index, struct err *err) {
    const struct attempt attempt =
        *(const struct attempt *)grow_array_at(&simulation->waiting.records, index);
    slab_give(&simulation->waiting, index);
    return send(simulation, &attempt, err);
}

/* A closed-loop client is ready for its next call. */
static bool client_calls(struct simulation *simulation, uint32_t workload, uint32_t client,
                         struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (!generator_draw(&state->generator, simulation->loop.now_ns, &state->batch)) {
        SIM_CHECK(state->open_clients > 0);
        return --state->open_clients > 0 || exhaust(simulation, workload, err);
    }
    return simulation_batch_items(simulation, workload, err) &&
           begin_operation(simulation, workload, 0, client, err);
}

bool simulation_start(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    state->started = true;
    if (state->spec->after != SCENARIO_NONE) {
        generator_start(&state->generator, simulation->loop.now_ns);
    }
    if (state->spec->arrivals != ARRIVALS_CLOSED) {
        loop_reopen(&simulation->loop, workload);
        return true;
    }
    state->open_clients = state->spec->clients;
    for (uint32_t client = 0; client < state->spec->clients; client++) {
        if (!loop_schedule(&simulation->loop, simulation->loop.now_ns, TIMER_CLIENT,
                           (uint64_t)workload << 32 | client, err)) {
            return false;
        }
    }
    return true;
}

bool simulation_timer(struct simulation *simulation, const struct timer *timer, struct err *err) {
    uint32_t low = (uint32_t)timer->subject;
    switch ((enum simulation_timer)timer_kind(timer)) {
    case TIMER_RETRY: return retry(simulation, low, err);
    case TIMER_START: return simulation_start(simulation, low, err);
    case TIMER_CLIENT: return client_calls(simulation, (uint32_t)(timer->subject >> 32), low, err);
    }
    SIM_CHECKF(false, "timer of unknown kind %u", timer_kind(timer));
    return false;
}
