/*
 * auto_scaling.h - Application Auto Scaling with target tracking: the reads or the writes of one
 * table or global index.
 *
 *   minute closes ─▶ points in a row ─▶ alarm ─▶ delay ─▶ wanted ─▶ UpdateTable, by the caller
 *
 *   out   as_out_points minutes in a row with consumed > target · provisioned
 *         wanted = ⌈consumed / target⌉, of these points' mean (as_out_statistic)
 *   in    as_in_points minutes in a row with consumed < (target − as_in_gap) · provisioned
 *         wanted = ⌈consumed / target⌉, of these points' largest (as_in_statistic)
 *   both  within MinCapacity and MaxCapacity; what would change nothing asks for nothing
 *
 * Consumed is what was admitted, so refusals clip it: with an empty burst one cycle raises capacity
 * by 1/target at most, whatever the load. A scheduled action sets minimum and maximum; capacity
 * outside of them is brought there at once. Capacity that comes into force begins the count of
 * points anew. An alarm whose request was refused asks again each minute while it lasts.
 *
 * Source:  AWS Developer Guide, "Managing throughput capacity automatically": 2 minutes above;
 *          Knowledge Center: 15 points 20 below; API TargetTrackingScalingPolicyConfiguration:
 *          cooldowns. The new value is target tracking by definition (inferred); the alarm's delay
 *          and the statistics are unpublished: docs/models/auto_scaling.md.
 * Owns:    nothing.  Cost: O(points) a minute, none to a request.
 */
#ifndef DDBSIM_MODELS_AUTO_SCALING_H
#define DDBSIM_MODELS_AUTO_SCALING_H

#include "models/parameters.h"
#include "models/spec.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define SCALING_POINTS_MAX 60

enum scaling_statistic { SCALING_MEAN, SCALING_LAST, SCALING_MAX };

/* What AWS documents, and what it does not publish; docs/models/auto_scaling.md. */
struct scaling_parameters {
    sim_ns as_alarm_delay_min, as_alarm_delay_max;
    uint32_t as_out_points, as_in_points; /* 1 … SCALING_POINTS_MAX */
    int64_t as_in_gap;                    /* in millionths */
    enum scaling_statistic as_out_statistic, as_in_statistic;
    bool as_scale_in_at_zero;
};

static inline struct scaling_parameters scaling_parameters_default(void) {
    return (struct scaling_parameters){
        .as_alarm_delay_max = 120 * SIM_NS_PER_S,
        .as_out_points = 2,
        .as_in_points = 15,
        .as_in_gap = PARAMETER_FRACTION_ONE / 5,
        .as_out_statistic = SCALING_MEAN,
        .as_in_statistic = SCALING_MAX,
    };
}

enum scaling_cause { SCALING_NONE, SCALING_OUT, SCALING_IN, SCALING_BOUNDS };

/* Capacity that is asked for, and why. */
struct scaling_request {
    int64_t units;
    enum scaling_cause cause;
};

struct auto_scaling {
    const struct scaling_spec *spec; /* borrowed, as are: */
    const struct scaling_parameters *parameters;
    uint64_t stream, alarms;                /* name the draws of delays */
    int64_t min_units, max_units;           /* in force: scheduled actions change them */
    int64_t points_ncu[SCALING_POINTS_MAX]; /* consumed by minute, the latest first */
    uint32_t above, below;                  /* points in a row beyond the thresholds */
    enum scaling_cause alarm;               /* as of the latest minute */
    enum scaling_cause due;                 /* what is to be done at due_ns */
    sim_ns due_ns;                          /* SIM_NS_MAX: nothing */
    bool is_asking;                         /* a request is under way */
    sim_ns out_ready_ns, in_ready_ns;       /* the ends of cooldowns */
    sim_ns action_ns;                       /* of the next scheduled one; SIM_NS_MAX: none */
};

void auto_scaling_init(struct auto_scaling *scaling, const struct scaling_spec *spec,
                       const struct scaling_parameters *parameters, uint64_t stream);

/* A minute has ended at now in which ncu were consumed, of units a second that are provisioned.
 * Returns the alarm that begins with it. */
enum scaling_cause auto_scaling_minute(struct auto_scaling *scaling, sim_ns now_ns, int64_t ncu,
                                       int64_t units);

/* When it acts next, as far as is known: SIM_NS_MAX, before another minute has ended. */
sim_ns auto_scaling_next_ns(const struct auto_scaling *scaling);

/* At that time: whether it asks for other units than those that are provisioned. */
bool auto_scaling_act(struct auto_scaling *scaling, sim_ns now_ns, int64_t units,
                      struct scaling_request *request);

/* At that time, while nothing is provisioned: bounds change as scheduled, what was due is
 * dropped. */
void auto_scaling_pass(struct auto_scaling *scaling, sim_ns now_ns);

/* The request that it made has come into force at now, or was refused. */
void auto_scaling_done(struct auto_scaling *scaling, sim_ns now_ns, enum scaling_cause cause);
void auto_scaling_refused(struct auto_scaling *scaling);

/* Somebody else has changed the capacity: points before it say nothing of it. */
void auto_scaling_restart(struct auto_scaling *scaling);

#endif
