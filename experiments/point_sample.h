/*
 * point_sample.h - The replications of one point, as samples of the metrics that were asked for.
 *
 * A replication without a value of a metric (no refusal, so no time of the first one) does not
 * count for that metric; how many did is told. Runs that failed count for none.
 * Owns:    one array.  Cost: O(metrics) a replication; memory metrics x replications.
 */
#ifndef DDBSIM_EXPERIMENTS_POINT_SAMPLE_H
#define DDBSIM_EXPERIMENTS_POINT_SAMPLE_H

#include "analysis/statistics.h"
#include "experiments/experiment.h"

#include <stdbool.h>
#include <stdint.h>

struct point_sample {
    const enum metric *metrics; /* borrowed */
    uint32_t metric_count, replications_max;
    uint64_t point;
    uint32_t count;     /* replications so far, failed ones included */
    uint32_t failed;    /* could not be run */
    uint32_t throttled; /* had a refusal */
    double *values;     /* [metric][replication]; NAN: none */
};

/* At least one replication (checked). False with *err set: no memory. */
bool point_sample_init(struct point_sample *sample, const enum metric *metrics,
                       uint32_t metric_count, uint32_t replications_max, struct err *err)
    ERR_WARN_UNUSED;
void point_sample_fini(struct point_sample *sample);

/* Forgets all, for the next point. */
void point_sample_open(struct point_sample *sample, uint64_t point);
void point_sample_add(struct point_sample *sample, const struct experiment_result *result);

/* The values of a metric (position in the list), [0 … count - 1]. */
const double *point_sample_values(const struct point_sample *sample, uint32_t metric);

/* Mean and interval of a metric; *counted: replications that have a value. */
struct interval point_sample_mean(const struct point_sample *sample, uint32_t metric,
                                  double confidence, uint32_t *counted);

/* Of the difference to the same replications of another sample; those where both have a value. */
struct interval point_sample_difference(const struct point_sample *from,
                                        const struct point_sample *to, uint32_t metric,
                                        double confidence, uint32_t *counted);

/* The share of layouts in which something is refused; NAN without a run. */
struct interval point_sample_throttled(const struct point_sample *sample, double confidence);

#endif
