#include "workloads/bursts.h"

#include "sim/check.h"

/* Begins a state, where the last one has ended. */
static void enter(struct bursts *bursts, bool is_on) {
    const struct bursts_spec *spec = bursts->spec;
    const double mean_ns = (double)(is_on ? spec->on_ns : spec->off_ns);
    const double draw = random_exponential(&bursts->stream);
    bursts->is_on = is_on;
    bursts->speed = bursts->speeds[is_on];
    bursts->length_t = mean_ns * draw;
    bursts->begin_u = bursts->end_u;
    bursts->end_u = bursts->begin_u + bursts->length_t * bursts->speed;
}

double bursts_factor_max(sim_ns on_ns, sim_ns off_ns) {
    return ((double)on_ns + (double)off_ns) / (double)on_ns;
}

void bursts_init(struct bursts *bursts, const struct bursts_spec *spec,
                 const struct random_name *name) {
    SIM_CHECK(spec->on_ns >= 1 && spec->off_ns >= 1);
    SIM_CHECK(spec->factor > 1 && spec->factor <= bursts_factor_max(spec->on_ns, spec->off_ns));
    const double share = (double)spec->on_ns / ((double)spec->on_ns + (double)spec->off_ns);
    const double rest = (1 - spec->factor * share) / (1 - share);
    *bursts = (struct bursts){.spec = spec, .speeds = {rest > 0 ? rest : 0, spec->factor}};
    random_init(&bursts->stream, name);
    const double draw = random_unit(&bursts->stream);
    enter(bursts, draw < share);
}

void bursts_map(struct bursts *bursts, sim_ns *times_ns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double u = (double)times_ns[i];
        while (u >= bursts->end_u && bursts->begin_t < (double)SIM_NS_MAX) {
            bursts->begin_t += bursts->length_t;
            enter(bursts, !bursts->is_on);
        }
        const double within_t = bursts->speed > 0 ? (u - bursts->begin_u) / bursts->speed : 0;
        const double t = bursts->begin_t + within_t;
        const sim_ns time_ns = t < (double)SIM_NS_MAX ? (sim_ns)t : SIM_NS_MAX;
        bursts->last_ns = time_ns > bursts->last_ns ? time_ns : bursts->last_ns;
        times_ns[i] = bursts->last_ns;
    }
}
