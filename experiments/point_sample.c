#include "experiments/point_sample.h"

#include "sim/check.h"

#include <math.h>
#include <stdlib.h>

bool point_sample_init(struct point_sample *sample, const enum metric *metrics,
                       uint32_t metric_count, uint32_t replications_max, struct err *err) {
    SIM_CHECK(replications_max >= 1);
    *sample = (struct point_sample){
        .metrics = metrics,
        .metric_count = metric_count,
        .replications_max = replications_max,
        .values = calloc((size_t)metric_count * replications_max + 1, sizeof(double)),
    };
    return sample->values != NULL || err_no_memory(err, "sample");
}

void point_sample_fini(struct point_sample *sample) {
    free(sample->values);
    *sample = (struct point_sample){.values = NULL};
}

void point_sample_open(struct point_sample *sample, uint64_t point) {
    sample->point = point;
    sample->count = sample->failed = sample->throttled = 0;
}

void point_sample_add(struct point_sample *sample, const struct experiment_result *result) {
    SIM_CHECK(sample->count < sample->replications_max);
    SIM_CHECK(result->point == sample->point && result->replication == sample->count);
    for (uint32_t i = 0; i < sample->metric_count; i++) {
        sample->values[(size_t)i * sample->replications_max + sample->count] =
            result->failed ? NAN : result->metrics[sample->metrics[i]];
    }
    sample->failed += result->failed;
    sample->throttled += !result->failed && result->total.throttled > 0;
    sample->count++;
}

const double *point_sample_values(const struct point_sample *sample, uint32_t metric) {
    SIM_CHECK(metric < sample->metric_count);
    return &sample->values[(size_t)metric * sample->replications_max];
}

struct interval point_sample_mean(const struct point_sample *sample, uint32_t metric,
                                  double confidence, uint32_t *counted) {
    const double *values = point_sample_values(sample, metric);
    struct moments moments = {.count = 0};
    for (uint32_t i = 0; i < sample->count; i++) {
        if (!isnan(values[i])) {
            moments_add(&moments, values[i]);
        }
    }
    *counted = (uint32_t)moments.count;
    struct interval mean = statistics_mean(&moments, confidence);
    if (metric_is_share(sample->metrics[metric]) && !isnan(mean.low)) { /* no share lies outside */
        mean.low = fmax(mean.low, 0);
        mean.high = fmin(mean.high, 1);
    }
    return mean;
}

struct interval point_sample_difference(const struct point_sample *from,
                                        const struct point_sample *to, uint32_t metric,
                                        double confidence, uint32_t *counted) {
    const double *a = point_sample_values(from, metric), *b = point_sample_values(to, metric);
    const uint32_t count = from->count < to->count ? from->count : to->count;
    struct moments differences = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!isnan(a[i]) && !isnan(b[i])) {
            moments_add(&differences, b[i] - a[i]);
        }
    }
    *counted = (uint32_t)differences.count;
    return statistics_mean(&differences, confidence);
}

struct interval point_sample_throttled(const struct point_sample *sample, double confidence) {
    const uint32_t made = sample->count - sample->failed;
    return made == 0 ? (struct interval){NAN, NAN, NAN}
                     : statistics_share(sample->throttled, made, confidence);
}
