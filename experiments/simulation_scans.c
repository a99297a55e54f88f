#include "experiments/simulation_parts.h"

#include "models/parameters.h"

_Static_assert(SCAN_PARTS_MAX < PIPELINE_OUTCOMES, "a page's outcomes fit the buffer");

bool simulation_scan_init(struct simulation *simulation, uint32_t workload, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[workload];
    const struct workload_spec *spec = state->spec;
    state->scan = ARENA_NEW(&simulation->arena, struct service_scan, "scan", err);
    if (state->scan == NULL) {
        return false;
    }
    service_scan_init(state->scan, &simulation->service, spec->table,
                      spec->index == SCENARIO_NONE ? SERVICE_SCAN_TABLE : spec->index,
                      &simulation->config.scenario->tables[spec->table]);
    slab_init(&state->records, &simulation->arena, sizeof(struct scan_segment));
    return true;
}

/* Pages of a segment count on as members beyond all segments. */
static uint32_t segment_of(const struct simulation_workload *state, const struct attempt *attempt) {
    return attempt->member % state->spec->scan.segments;
}

bool simulation_scan_open(struct simulation *simulation, struct attempt *attempt, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct scan_segment *segment = slab_take(&state->records, &attempt->record, err);
    if (segment == NULL) {
        return false;
    }
    segment->at = scan_range_of(segment_of(state, attempt), state->spec->scan.segments);
    return true;
}

bool simulation_scan_submit(struct simulation *simulation, const struct attempt *attempt,
                            bool arrives, struct simulation_reply *reply, struct err *err) {
    struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct scan_segment *segment = slab_at(&state->records, attempt->record);
    const sim_ns now_ns = simulation->loop.now_ns;
    if (simulation->block->outcome_count + SCAN_PARTS_MAX > PIPELINE_OUTCOMES &&
        !simulation_publish(simulation, err)) {
        return false;
    }
    struct outcome *outcomes = &simulation->block->outcomes[simulation->block->outcome_count];
    uint32_t count = 1;
    if (arrives) {
        const struct service_scan_request request = {
            .range = &segment->at,
            .limit = state->spec->scan.limit,
            .router = simulation_router(state, attempt),
            .consistent_read = state->spec->consistent_read,
        };
        if (!service_scan_page(&simulation->service, state->scan, now_ns, &request, outcomes,
                               &count, &segment->behind, err)) {
            return false;
        }
    } else {
        const struct request lost = {.table = state->resource, .operation = DDB_SCAN};
        service_lose(now_ns, &lost, outcomes);
    }
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i].workload = (uint16_t)attempt->workload;
        outcomes[i].attempt = (uint16_t)attempt->number;
        outcomes[i].member = attempt->member;
        outcomes[i].sequence = attempt->sequence;
    }
    simulation->block->outcome_count += count;
    simulation->attempts++;
    *reply = (struct simulation_reply){.fate = (enum attempt_fate)outcomes[0].fate,
                                       .ends = outcomes[0].rejected ? OPERATION_REJECTED
                                                                    : OPERATION_SUCCEEDED};
    return true;
}

bool simulation_scan_answer(struct simulation *simulation, const struct attempt *attempt,
                            enum operation_fate fate, sim_ns response_ns, struct err *err) {
    const struct simulation_workload *state = &simulation->workloads[attempt->workload];
    struct scan_segment *segment = slab_at(&state->records, attempt->record);
    segment->at = segment->behind;
    if (segment->at.is_done) {
        return simulation_end_member(simulation, attempt, fate, response_ns, err);
    }
    struct attempt next = *attempt;
    next.number = 0;
    next.member += state->spec->scan.segments;
    return simulation_send_later(simulation, &next, response_ns + state->spec->scan.page_delay_ns,
                                 err);
}

void simulation_scan_close(struct simulation *simulation, const struct attempt *attempt) {
    slab_give(&simulation->workloads[attempt->workload].records, attempt->record);
}
