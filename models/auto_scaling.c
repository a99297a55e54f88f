#include "models/auto_scaling.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <string.h>

/* Of a minute at one unit a second, for each millionth of a target. */
#define MINUTE_NCU (60 * SIM_NS_PER_S / PARAMETER_FRACTION_ONE)

/* The first time after `after` at which an action is taken; SIM_NS_MAX: never. */
static sim_ns occurrence_ns(const struct scaling_action *action, sim_ns after_ns) {
    if (action->at_ns > after_ns) {
        return action->at_ns;
    }
    if (action->every_ns == 0) {
        return SIM_NS_MAX;
    }
    return action->at_ns + ((after_ns - action->at_ns) / action->every_ns + 1) * action->every_ns;
}

static sim_ns next_action_ns(const struct auto_scaling *scaling, sim_ns after_ns) {
    sim_ns next_ns = SIM_NS_MAX;
    for (uint32_t i = 0; i < scaling->spec->action_count; i++) {
        const sim_ns at_ns = occurrence_ns(&scaling->spec->actions[i], after_ns);
        next_ns = at_ns < next_ns ? at_ns : next_ns;
    }
    return next_ns;
}

void auto_scaling_init(struct auto_scaling *scaling, const struct scaling_spec *spec,
                       const struct scaling_parameters *parameters, uint64_t stream) {
    SIM_CHECK(spec->min_units >= 1 && spec->min_units <= spec->max_units);
    SIM_CHECK(spec->target > 0 && spec->target < PARAMETER_FRACTION_ONE);
    SIM_CHECK(parameters->as_alarm_delay_min <= parameters->as_alarm_delay_max);
    SIM_CHECK(parameters->as_out_points >= 1 && parameters->as_out_points <= SCALING_POINTS_MAX);
    SIM_CHECK(parameters->as_in_points >= 1 && parameters->as_in_points <= SCALING_POINTS_MAX);
    *scaling = (struct auto_scaling){
        .spec = spec,
        .parameters = parameters,
        .stream = stream,
        .min_units = spec->min_units,
        .max_units = spec->max_units,
        .due_ns = SIM_NS_MAX,
    };
    scaling->action_ns = next_action_ns(scaling, -1);
}

static void count_point(struct auto_scaling *scaling, int64_t ncu, int64_t units) {
    const struct scaling_parameters *parameters = scaling->parameters;
    const int64_t target = scaling->spec->target;
    const int64_t low = target > parameters->as_in_gap ? target - parameters->as_in_gap : 0;
    const bool counts = ncu > 0 || parameters->as_scale_in_at_zero;
    memmove(scaling->points_ncu + 1, scaling->points_ncu,
            (SCALING_POINTS_MAX - 1) * sizeof *scaling->points_ncu);
    scaling->points_ncu[0] = ncu;
    scaling->above = ncu > units * MINUTE_NCU * target ? scaling->above + 1 : 0;
    scaling->below = counts && ncu < units * MINUTE_NCU * low ? scaling->below + 1 : 0;
}

static enum scaling_cause alarm_of(const struct auto_scaling *scaling) {
    if (scaling->above >= scaling->parameters->as_out_points) {
        return SCALING_OUT;
    }
    return scaling->below >= scaling->parameters->as_in_points && !scaling->spec->disable_scale_in
               ? SCALING_IN
               : SCALING_NONE;
}

static sim_ns draw_delay_ns(struct auto_scaling *scaling) {
    const sim_ns least_ns = scaling->parameters->as_alarm_delay_min;
    const uint64_t span_ns = (uint64_t)(scaling->parameters->as_alarm_delay_max - least_ns) + 1;
    return least_ns + (sim_ns)(hash_draw(scaling->stream, scaling->alarms++, 0) % span_ns);
}

static void plan(struct auto_scaling *scaling, enum scaling_cause cause, sim_ns at_ns) {
    const sim_ns ready_ns = cause == SCALING_OUT  ? scaling->out_ready_ns
                            : cause == SCALING_IN ? scaling->in_ready_ns
                                                  : 0;
    scaling->due = cause;
    scaling->due_ns = at_ns > ready_ns ? at_ns : ready_ns;
}

enum scaling_cause auto_scaling_minute(struct auto_scaling *scaling, sim_ns now_ns, int64_t ncu,
                                       int64_t units) {
    SIM_CHECK(ncu >= 0 && units >= 1 && units <= TABLE_CAPACITY_UNITS_MAX);
    count_point(scaling, ncu, units);
    const enum scaling_cause before = scaling->alarm;
    const enum scaling_cause alarm = scaling->alarm = alarm_of(scaling);
    const bool begins = alarm != SCALING_NONE && alarm != before;
    const sim_ns delay_ns = begins ? draw_delay_ns(scaling) : 0;
    if (scaling->is_asking) {
        return begins ? alarm : SCALING_NONE;
    }
    if (units < scaling->min_units || units > scaling->max_units) {
        plan(scaling, SCALING_BOUNDS, now_ns);
    } else if (alarm != SCALING_NONE && (scaling->due_ns == SIM_NS_MAX ||
                                         (scaling->due == SCALING_IN && alarm == SCALING_OUT))) {
        plan(scaling, alarm, now_ns + delay_ns);
    }
    return begins ? alarm : SCALING_NONE;
}

sim_ns auto_scaling_next_ns(const struct auto_scaling *scaling) {
    return scaling->due_ns < scaling->action_ns ? scaling->due_ns : scaling->action_ns;
}

static int64_t within(const struct auto_scaling *scaling, int64_t units) {
    const int64_t least = units > scaling->min_units ? units : scaling->min_units;
    return least < scaling->max_units ? least : scaling->max_units;
}

/* Of the latest count points. */
static int64_t statistic_ncu(const struct auto_scaling *scaling, int64_t count,
                             enum scaling_statistic statistic) {
    int64_t sum_ncu = 0, max_ncu = 0;
    SIM_CHECK(count >= 1);
    for (int64_t i = 0; i < count; i++) {
        const int64_t ncu = scaling->points_ncu[i];
        sum_ncu += ncu;
        max_ncu = ncu > max_ncu ? ncu : max_ncu;
    }
    return statistic == SCALING_MEAN   ? sum_ncu / count
           : statistic == SCALING_LAST ? scaling->points_ncu[0]
                                       : max_ncu;
}

/* Units at which so much a minute is the target's use. */
static int64_t tracked_units(const struct auto_scaling *scaling, int64_t ncu) {
    const int64_t minute_ncu = MINUTE_NCU * scaling->spec->target;
    return within(scaling, ncu / minute_ncu + (ncu % minute_ncu != 0));
}

/* What the cause wants; units: nothing else. */
static int64_t wanted_units(const struct auto_scaling *scaling, enum scaling_cause cause,
                            int64_t units) {
    const struct scaling_parameters *parameters = scaling->parameters;
    if (cause == SCALING_OUT) {
        const int64_t wanted =
            tracked_units(scaling, statistic_ncu(scaling, parameters->as_out_points,
                                                 parameters->as_out_statistic));
        return wanted > units ? wanted : units;
    }
    if (cause == SCALING_IN) {
        const int64_t wanted = tracked_units(
            scaling, statistic_ncu(scaling, parameters->as_in_points, parameters->as_in_statistic));
        return wanted < units ? wanted : units;
    }
    return within(scaling, units);
}

/* The scheduled actions of that time, in the order of the spec. */
static void take_actions(struct auto_scaling *scaling, sim_ns now_ns) {
    for (uint32_t i = 0; i < scaling->spec->action_count; i++) {
        const struct scaling_action *action = &scaling->spec->actions[i];
        if (occurrence_ns(action, now_ns - 1) == now_ns) {
            scaling->min_units =
                action->min_units == UPDATE_KEEPS ? scaling->min_units : action->min_units;
            scaling->max_units =
                action->max_units == UPDATE_KEEPS ? scaling->max_units : action->max_units;
        }
    }
    if (scaling->min_units > scaling->max_units) { /* AWS refuses what the two together make */
        scaling->max_units = scaling->min_units;
    }
    scaling->action_ns = next_action_ns(scaling, now_ns);
}

void auto_scaling_pass(struct auto_scaling *scaling, sim_ns now_ns) {
    SIM_CHECK(now_ns == auto_scaling_next_ns(scaling));
    if (now_ns == scaling->due_ns) {
        scaling->due_ns = SIM_NS_MAX;
    }
    if (now_ns == scaling->action_ns) {
        take_actions(scaling, now_ns);
    }
}

bool auto_scaling_act(struct auto_scaling *scaling, sim_ns now_ns, int64_t units,
                      struct scaling_request *request) {
    const bool is_due = now_ns == scaling->due_ns, is_scheduled = now_ns == scaling->action_ns;
    enum scaling_cause cause = is_due ? scaling->due : SCALING_NONE;
    auto_scaling_pass(scaling, now_ns);
    if (is_scheduled) {
        cause = within(scaling, units) != units ? SCALING_BOUNDS : cause;
    }
    const int64_t wanted = cause == SCALING_NONE ? units : wanted_units(scaling, cause, units);
    if (wanted == units || scaling->is_asking) {
        return false;
    }
    *request = (struct scaling_request){.units = wanted, .cause = cause};
    scaling->is_asking = true;
    return true;
}

void auto_scaling_restart(struct auto_scaling *scaling) {
    scaling->above = scaling->below = 0;
    scaling->alarm = SCALING_NONE;
    if (scaling->due != SCALING_BOUNDS) {
        scaling->due_ns = SIM_NS_MAX;
    }
}

void auto_scaling_done(struct auto_scaling *scaling, sim_ns now_ns, enum scaling_cause cause) {
    SIM_CHECK(scaling->is_asking);
    scaling->is_asking = false;
    auto_scaling_restart(scaling);
    if (cause == SCALING_OUT) {
        scaling->out_ready_ns = now_ns + scaling->spec->out_cooldown_ns;
    } else if (cause == SCALING_IN) {
        scaling->in_ready_ns = now_ns + scaling->spec->in_cooldown_ns;
    }
}

void auto_scaling_refused(struct auto_scaling *scaling) {
    SIM_CHECK(scaling->is_asking);
    scaling->is_asking = false;
}
