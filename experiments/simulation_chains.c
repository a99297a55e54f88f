#include "experiments/simulation_parts.h"

#include "sim/hash.h"
#include "sim/random.h"
#include "workloads/delay.h"

static uint64_t stream(const struct simulation *simulation, uint32_t workload,
                       const char *variable) {
    const struct random_name name = {
        .seed = simulation->config.seed,
        .replication = simulation->config.replication,
        .workload = simulation->workloads[workload].spec->name,
        .variable = variable,
    };
    return random_name_hash(&name);
}

/* How many numbers the attributes of the first count steps of a root take. */
static uint32_t drawn_count(const struct simulation *simulation, uint32_t root, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= count; i++) {
        const struct workload_spec *step = &simulation->config.scenario->workloads[root + i];
        sum += step->given_count + step->held_count;
    }
    return sum;
}

/* What was drawn for the attributes of the step at position `step` of the chain. */
static uint64_t *drawn_of(const struct simulation *simulation, struct chain *chain, uint32_t root,
                          uint32_t step) {
    const uint32_t steps = simulation->workloads[root].spec->step_count;
    return (uint64_t *)(void *)&chain->steps[steps] + drawn_count(simulation, root, step);
}

void simulation_chain_init(struct simulation *simulation, uint32_t workload) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t steps = state->spec->step_count;
    if (steps > 0) {
        slab_init(&state->records, &simulation->arena,
                  sizeof(struct chain) + steps * sizeof(struct chain_step) +
                      drawn_count(simulation, workload, steps) * sizeof(uint64_t));
    }
    if (state->spec->arrivals == ARRIVALS_STEP) {
        state->router_base = simulation->workloads[state->spec->root].router_base;
        state->delay_stream = stream(simulation, workload, "delay");
        state->probability_stream = stream(simulation, workload, "probability");
    }
}

void simulation_chain_follow(struct simulation *simulation, uint32_t root) {
    const struct simulation_workload *of = &simulation->workloads[root];
    for (uint32_t i = 1; i <= of->spec->step_count; i++) {
        struct simulation_workload *step = &simulation->workloads[root + i];
        generator_follow(&step->generator, &of->generator, &of->batch, &step->batch);
    }
}

bool simulation_chain_open(struct simulation *simulation, struct attempt *attempt, uint32_t index,
                           struct err *err) {
    struct simulation_workload *root = &simulation->workloads[attempt->workload];
    struct chain *chain = slab_take(&root->records, &attempt->record, err);
    if (chain == NULL) {
        return false;
    }
    chain->client = attempt->client;
    chain->sequence = attempt->sequence;
    for (uint32_t i = 0; i < root->spec->step_count; i++) {
        const struct simulation_workload *step = &simulation->workloads[attempt->workload + 1 + i];
        chain->steps[i] = (struct chain_step){.number = step->batch.numbers[index],
                                              .bytes = step->batch.sizes_bytes[index]};
        generator_note_attributes(&step->generator, index,
                                  drawn_of(simulation, chain, attempt->workload, i));
    }
    root->open_chains++;
    return true;
}

/* Whether step, which is due, begins: its own probability decides. */
static bool begins(const struct simulation_workload *step, uint64_t sequence) {
    return step->spec->begins_always ||
           hash_draw(step->probability_stream, sequence, 0) < step->spec->begins_below;
}

bool simulation_chain_next(struct simulation *simulation, const struct attempt *attempt,
                           enum operation_fate fate, sim_ns end_ns, struct err *err) {
    const struct workload_spec *spec = simulation->workloads[attempt->workload].spec;
    const uint32_t root = spec->arrivals == ARRIVALS_STEP ? spec->root : attempt->workload;
    const uint32_t next = attempt->workload + 1;
    struct simulation_workload *of = &simulation->workloads[root];
    simulation_note_end(&simulation->workloads[attempt->workload], end_ns);
    if (fate == OPERATION_SUCCEEDED && next <= root + of->spec->step_count) {
        const struct simulation_workload *step = &simulation->workloads[next];
        if (begins(step, attempt->sequence)) {
            const uint64_t draw = hash_draw(step->delay_stream, attempt->sequence, 0);
            return loop_schedule(&simulation->loop, end_ns + delay_ns(&step->spec->delay, draw),
                                 TIMER_STEP, (uint64_t)next << 32 | attempt->record, err);
        }
    }
    slab_give(&of->records, attempt->record);
    SIM_CHECK(of->open_chains > 0);
    of->open_chains--;
    return simulation_end_arrival(simulation, root, attempt->client, end_ns, err);
}

bool simulation_chain_step(struct simulation *simulation, uint32_t workload, uint32_t chain_index,
                           struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const uint32_t root = state->spec->root;
    struct chain *chain = slab_at(&simulation->workloads[root].records, chain_index);
    const struct chain_step *step = &chain->steps[workload - root - 1];
    struct attempt attempt = {
        .arrival_ns = simulation->loop.now_ns,
        .sequence = chain->sequence,
        .workload = workload,
        .bytes = step->bytes,
        .client = chain->client,
        .fan_out = SIMULATION_NONE,
        .record = chain_index,
    };
    state->open_operations++;
    recorder_offered(&simulation->recorder, (uint16_t)workload);
    generator_recall_attributes(&state->generator,
                                drawn_of(simulation, chain, root, workload - root - 1));
    return simulation_item(simulation, workload, GENERATOR_RECALLED, step->number, step->bytes,
                           &attempt.item, err) &&
           simulation_step_values(simulation, workload, &attempt.values, err) &&
           simulation_send_members(simulation, &attempt, step->number, err);
}
