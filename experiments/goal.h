/*
 * goal.h - `--goal 'M<=X'`: what a run must reach.
 *
 *   throttled_share<=1%      latency_ms_p99<=25      first_throttle_s>=600      partitions==4
 *
 * X is a number, or a percentage for a metric that is a share. A run without a value of M meets no
 * goal, but for the second of a refusal that never came: that one is later than any.
 * Owns: nothing.
 */
#ifndef DDBSIM_EXPERIMENTS_GOAL_H
#define DDBSIM_EXPERIMENTS_GOAL_H

#include "analysis/metric.h"
#include "sim/err.h"

#include <stdbool.h>

#define GOAL_NAME_BYTES 64

enum goal_relation { GOAL_AT_MOST, GOAL_BELOW, GOAL_AT_LEAST, GOAL_ABOVE, GOAL_EQUALS };

struct goal {
    const char *text; /* as given; borrowed */
    char name[GOAL_NAME_BYTES];
    enum metric metric; /* METRIC_COUNT: no metric has that name */
    enum goal_relation relation;
    double bound;
};

/* False with *err set: no relation, no number. Whether the metric is known is the caller's to see.
 */
bool goal_read(struct goal *goal, const char *text, struct err *err) ERR_WARN_UNUSED;

/* value NAN: the run has none. */
bool goal_met(const struct goal *goal, double value);

#endif
