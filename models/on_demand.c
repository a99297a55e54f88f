#include "models/on_demand.h"

#include "models/partition.h"
#include "models/request.h"
#include "sim/check.h"

bool on_demand_init(struct on_demand *state, struct arena *arena, struct capacity_units peak,
                    const struct model_parameters *parameters, struct err *err) {
    /* windows that have ended and are not old enough, and the one that ends now */
    const int64_t capacity = parameters->peak_delay / parameters->peak_window + 2;
    *state = (struct on_demand){
        .window_ns = parameters->peak_window,
        .delay_ns = parameters->peak_delay,
        .window_end_ns = INT64_MAX,
        .windows =
            ARENA_ARRAY(arena, struct on_demand_window, (size_t)capacity, "windows of peaks", err),
        .capacity = (uint32_t)capacity,
        .peak = peak,
    };
    return state->windows != NULL;
}

void on_demand_end(struct on_demand *state) {
    state->window_end_ns = INT64_MAX;
}

sim_ns on_demand_next_ns(const struct on_demand *state) {
    if (state->count == 0 || state->window_end_ns == INT64_MAX) {
        return state->window_end_ns;
    }
    const sim_ns old_ns = state->windows[state->first].ends_ns + state->delay_ns;
    return old_ns < state->window_end_ns ? old_ns : state->window_end_ns;
}

/* Units a second, rounded up. */
__extension__ static int64_t mean_of(uint64_t taken_ncu, sim_ns window_ns) {
    /* nano-units over nanoseconds are units a second */
    return (int64_t)(((unsigned __int128)taken_ncu + (uint64_t)window_ns - 1) /
                     (uint64_t)window_ns);
}

static void open_window(struct on_demand *state, sim_ns now_ns, uint64_t read_ncu,
                        uint64_t write_ncu) {
    state->window_end_ns = now_ns + state->window_ns;
    state->read_before_ncu = read_ncu;
    state->write_before_ncu = write_ncu;
}

static void close_window(struct on_demand *state, uint64_t read_ncu, uint64_t write_ncu) {
    SIM_CHECK(state->count < state->capacity);
    const uint32_t at = (state->first + state->count) % state->capacity;
    state->windows[at] = (struct on_demand_window){
        .ends_ns = state->window_end_ns,
        .mean = {mean_of(read_ncu - state->read_before_ncu, state->window_ns),
                 mean_of(write_ncu - state->write_before_ncu, state->window_ns)},
    };
    state->count++;
    open_window(state, state->window_end_ns, read_ncu, write_ncu);
}

static bool raise(int64_t *peak, int64_t mean) {
    const bool rises = mean > *peak;
    *peak = rises ? mean : *peak;
    return rises;
}

/* Windows that are old enough at now; whether the peak rises. */
static bool mature(struct on_demand *state, sim_ns now_ns) {
    bool rises = false;
    while (state->count > 0 && state->windows[state->first].ends_ns + state->delay_ns <= now_ns) {
        const struct capacity_units *mean = &state->windows[state->first].mean;
        rises |= raise(&state->peak.read, mean->read);
        rises |= raise(&state->peak.write, mean->write);
        state->first = (state->first + 1) % state->capacity;
        state->count--;
    }
    return rises;
}

void on_demand_begin(struct on_demand *state, sim_ns now_ns, uint64_t read_ncu,
                     uint64_t write_ncu) {
    open_window(state, now_ns, read_ncu, write_ncu);
    (void)mature(state, now_ns); /* of a time before in which it was on-demand */
}

bool on_demand_advance(struct on_demand *state, sim_ns now_ns, uint64_t read_ncu,
                       uint64_t write_ncu) {
    SIM_CHECK(now_ns <= state->window_end_ns);
    if (now_ns == state->window_end_ns) {
        close_window(state, read_ncu, write_ncu);
    }
    return mature(state, now_ns);
}

int64_t on_demand_partitions(const struct on_demand *state,
                             const struct model_parameters *parameters) {
    return partition_count_for((struct capacity_units){2 * state->peak.read, 2 * state->peak.write},
                               parameters);
}
