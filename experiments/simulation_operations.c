#include "experiments/simulation_parts.h"

/* Starts whoever waits for workload, once it has neither arrivals nor open operations left. */
static bool end_if_over(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (state->ended || !state->exhausted || state->open_operations > 0 || state->open_chains > 0) {
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

/* What follows from a batch that the generator has just made. */
static bool open_batch(struct simulation *simulation, uint32_t workload, struct err *err) {
    if (simulation->workloads[workload].spec->step_count > 0) {
        simulation_chain_follow(simulation, workload);
    }
    return simulation_batch_items(simulation, workload, err);
}

/* The next batch of an open workload, and what else is known of it without the service. */
static void next_batch(struct simulation *simulation, uint32_t workload) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct draw_source source = {&state->generator, workload};
    if (state->source != SIMULATION_NONE) {
        pipeline_take(simulation->pipeline, state->source, &state->batch, state->latencies_ns);
    } else if (state->is_single) {
        draw_batch(&source, &simulation->client, simulation->duration_ns, &state->batch,
                   state->latencies_ns);
    } else {
        generator_next(&state->generator, simulation->duration_ns, &state->batch);
    }
}

bool simulation_refill(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    state->batch.count = 0;
    if (state->started && state->spec->arrivals != ARRIVALS_CLOSED) {
        next_batch(simulation, workload);
    }
    loop_feed(&simulation->loop, workload, state->batch.times_ns, state->batch.count);
    if (state->batch.count > 0) {
        return open_batch(simulation, workload, err);
    }
    if (state->started && state->spec->arrivals != ARRIVALS_CLOSED) {
        return exhaust(simulation, workload, err);
    }
    return true;
}

bool simulation_end_arrival(struct simulation *simulation, uint32_t workload, uint32_t client,
                            sim_ns end_ns, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    simulation_note_end(state, end_ns);
    if (client != SIMULATION_NONE) {
        return loop_schedule(&simulation->loop, end_ns + state->spec->think_ns, TIMER_CLIENT,
                             (uint64_t)workload << 32 | client, err);
    }
    return !state->exhausted || end_if_over(simulation, workload, err);
}

/* An operation has ended at end_ns, as its client sees it. */
static bool end_operation(struct simulation *simulation, const struct attempt *attempt,
                          enum operation_fate fate, sim_ns end_ns, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[attempt->workload];
    recorder_operation(&simulation->recorder, (uint16_t)attempt->workload, fate,
                       end_ns - attempt->arrival_ns);
    SIM_CHECK(state->open_operations > 0);
    state->open_operations--;
    if (state->spec->batch > 0) {
        slab_give(&state->records, attempt->record);
    } else if (state->scan == NULL && attempt->record != SIMULATION_NONE) {
        return simulation_chain_next(simulation, attempt, fate, end_ns, err);
    }
    return simulation_end_arrival(simulation, attempt->workload, attempt->client, end_ns, err);
}

/* A member has ended; its operation ends with its last member. */
bool simulation_end_member(struct simulation *simulation, const struct attempt *attempt,
                           enum operation_fate fate, sim_ns end_ns, struct err *err) {
    if (simulation->workloads[attempt->workload].scan != NULL) {
        simulation_scan_close(simulation, attempt);
    }
    if (attempt->fan_out == SIMULATION_NONE) {
        return end_operation(simulation, attempt, fate, end_ns, err);
    }
    struct fan_out *fan_out = slab_at(&simulation->fan_outs, attempt->fan_out);
    fan_out->fate = fate > fan_out->fate ? fate : fan_out->fate;
    if (end_ns > fan_out->latest_ns) {
        fan_out->latest_ns = end_ns;
    }
    if (--fan_out->remaining > 0) {
        return true;
    }
    slab_give(&simulation->fan_outs, attempt->fan_out);
    return end_operation(simulation, attempt, fan_out->fate, fan_out->latest_ns, err);
}

/* Sends every member of an {each N} operation at once. */
static bool send_all(struct simulation *simulation, struct attempt attempt, uint64_t number,
                     struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt.workload];
    const struct key_template *template = &state->generator.key_template;
    const uint32_t position = state->spec->arrivals == ARRIVALS_STEP
                                  ? GENERATOR_RECALLED
                                  : (uint32_t)(attempt.sequence - state->batch.first_sequence);
    struct fan_out *fan_out = slab_take(&simulation->fan_outs, &attempt.fan_out, err);
    if (fan_out == NULL) {
        return false;
    }
    *fan_out = (struct fan_out){.latest_ns = attempt.arrival_ns, .remaining = template->members};
    for (uint32_t member = 0; member < template->members; member++) {
        attempt.member = member;
        const uint64_t of_member = number + member * template->member_stride;
        const bool opened = state->scan != NULL
                                ? simulation_scan_open(simulation, &attempt, err)
                                : simulation_item(simulation, attempt.workload, position, of_member,
                                                  attempt.bytes, &attempt.item, err);
        if (!opened || !simulation_send(simulation, &attempt, err)) {
            return false;
        }
    }
    return true;
}

bool simulation_send_members(struct simulation *simulation, const struct attempt *attempt,
                             uint64_t number, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    if (state->generator.key_template.members > 1) {
        return send_all(simulation, *attempt, number, err);
    }
    struct attempt only = *attempt;
    return (state->scan == NULL || simulation_scan_open(simulation, &only, err)) &&
           simulation_send(simulation, &only, err);
}

/* Opens the operation at position index of the batch: its first attempt, not sent yet. */
struct attempt simulation_arrive(struct simulation *simulation, uint32_t workload, uint32_t index,
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
        .values = state->spec->given_count > 0
                      ? state->values + (size_t)index * state->spec->given_count
                      : NULL,
        .record = SIMULATION_NONE,
    };
}

static bool begin_operation(struct simulation *simulation, uint32_t workload, uint32_t index,
                            uint32_t client, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[workload];
    struct attempt attempt = simulation_arrive(simulation, workload, index, client);
    if (state->spec->batch > 0) {
        return simulation_batch_open(simulation, &attempt, index, err) &&
               simulation_send(simulation, &attempt, err);
    }
    return (state->spec->step_count == 0 ||
            simulation_chain_open(simulation, &attempt, index, err)) &&
           simulation_send_members(simulation, &attempt, state->batch.numbers[index], err);
}

bool simulation_arrivals(struct simulation *simulation, struct loop_step *step, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[step->stream];
    /* what may be rejected goes the long way */
    const bool may_reject = state->writes_indexes &&
                            service_follows_collections(&simulation->service, state->spec->table);
    return state->is_single && !may_reject
               ? simulation_singles(simulation, step, err)
               : begin_operation(simulation, step->stream, step->index, SIMULATION_NONE, err);
}

/* A closed-loop client is ready for its next call. */
static bool client_calls(struct simulation *simulation, uint32_t workload, uint32_t client,
                         struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (!generator_draw(&state->generator, simulation->loop.now_ns, &state->batch)) {
        SIM_CHECK(state->open_clients > 0);
        return --state->open_clients > 0 || exhaust(simulation, workload, err);
    }
    return open_batch(simulation, workload, err) &&
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
    case TIMER_SERVICE: return simulation_model_timer(simulation, err);
    case TIMER_ACTION: return simulation_action(simulation, low, err);
    case TIMER_RETRY: return simulation_retry(simulation, low, err);
    case TIMER_CALL: return simulation_clients_call(simulation, low, err);
    case TIMER_START: return simulation_start(simulation, low, err);
    case TIMER_STEP:
        return simulation_chain_step(simulation, (uint32_t)(timer->subject >> 32), low, err);
    case TIMER_CLIENT: return client_calls(simulation, (uint32_t)(timer->subject >> 32), low, err);
    case TIMER_TOKEN: return simulation_clients_token(simulation, low, err);
    }
    SIM_CHECKF(false, "timer of unknown kind %u", timer_kind(timer));
    return false;
}
