#include "experiments/simulation_parts.h"

void simulation_batch_init(struct simulation *simulation, uint32_t workload) {
    struct simulation_workload *state = &simulation->workloads[workload];
    if (state->spec->batch > 0) {
        slab_init(&state->records, &simulation->arena,
                  sizeof(struct batch_members) + state->spec->batch * sizeof(struct batch_member));
    }
}

/* DynamoDB takes no key twice in one call: the client sends what was drawn last. */
static void keep_last(struct batch_members *batch, const struct batch_member *member) {
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->members[i].item == member->item) {
            batch->members[i].bytes = member->bytes;
            return;
        }
    }
    batch->members[batch->count++] = *member;
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
    for (uint32_t i = 0; i < drawn; i++) {
        const struct batch_member member = {
            .member = i,
            .item = state->items[first + i],
            .bytes = state->batch.sizes_bytes[first + i],
        };
        keep_last(batch, &member);
    }
    return true;
}

bool simulation_batch_submit(struct simulation *simulation, const struct attempt *attempt,
                             bool arrives, struct simulation_reply *reply, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct batch_members *batch = slab_at(&state->records, attempt->record);
    uint32_t served = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct batch_member *member = &batch->members[i];
        struct attempt one = *attempt;
        one.member = member->member;
        one.item = member->item;
        one.bytes = member->bytes;
        const struct outcome *outcome = simulation_submit(simulation, &one, arrives, err);
        if (outcome == NULL) {
            return false;
        }
        member->is_served = outcome->fate == FATE_ADMITTED;
        served += member->is_served;
    }
    *reply = (struct simulation_reply){.fate = !arrives     ? FATE_ERRORED
                                               : served > 0 ? FATE_ADMITTED
                                                            : FATE_THROTTLED};
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
        return simulation_end_member(simulation, attempt, OPERATION_SUCCEEDED, response_ns, err);
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
