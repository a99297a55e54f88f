/*
 * latency_histogram.h - Latencies in log-linear buckets: 2^7 an octave of nanoseconds, mergeable.
 *
 *   below 2^8 ns every value has a bucket of its own; above, a bucket is 1/128 of its octave wide
 *
 * A quantile is the upper bound of its bucket (or the largest value, if smaller), so it is at most
 * 1/128 above the exact one.
 *
 * Source: the layout of G. Tene's HdrHistogram, with a power of two in place of decimal digits.
 * Owns:   one array in the arena, 57 x 128 counters.  Cost: record O(1), about 2 ns.
 */
#ifndef DDBSIM_ANALYSIS_LATENCY_HISTOGRAM_H
#define DDBSIM_ANALYSIS_LATENCY_HISTOGRAM_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct latency_histogram {
    uint64_t *counts;
    uint64_t total;
    sim_ns max_ns; /* 0 when empty */
};

struct latency_bucket {
    sim_ns le_ns; /* inclusive upper bound */
    uint64_t count;
};

#define LATENCY_HISTOGRAM_SUB_BITS 7

/* As latency_histogram_bucket, for any latency. */
uint32_t latency_histogram_bucket_any(sim_ns latency_ns) __attribute__((cold, const));

/* Aborts: a latency below 0. */
_Noreturn void latency_histogram_refuse(sim_ns latency_ns) __attribute__((cold));

/* The largest value that a double holds exactly, as are all below it. */
#define LATENCY_HISTOGRAM_EXACT_NS ((INT64_C(1) << 53) - 1)

/* A double's exponent and the first bits behind its leading 1 are the bucket: no search for that
 * bit. */
static inline uint32_t latency_histogram_bucket(sim_ns latency_ns) {
    const uint64_t value = (uint64_t)latency_ns;
    if (__builtin_expect(value - (UINT64_C(1) << LATENCY_HISTOGRAM_SUB_BITS) <
                             LATENCY_HISTOGRAM_EXACT_NS - (1 << LATENCY_HISTOGRAM_SUB_BITS),
                         1)) {
        const double exact = (double)latency_ns;
        uint64_t bits;
        memcpy(&bits, &exact, sizeof bits);
        return (uint32_t)(bits >> (52 - LATENCY_HISTOGRAM_SUB_BITS)) -
               ((1023 + LATENCY_HISTOGRAM_SUB_BITS - 1) << LATENCY_HISTOGRAM_SUB_BITS);
    }
    return latency_histogram_bucket_any(latency_ns);
}

bool latency_histogram_init(struct latency_histogram *histogram, struct arena *arena,
                            struct err *err) ERR_WARN_UNUSED;
/* latency_ns >= 0. */
static inline void latency_histogram_record(struct latency_histogram *histogram,
                                            sim_ns latency_ns) {
    if (__builtin_expect(latency_ns < 0, 0)) {
        latency_histogram_refuse(latency_ns);
    }
    histogram->counts[latency_histogram_bucket(latency_ns)]++;
    histogram->total++;
    if (latency_ns > histogram->max_ns) {
        histogram->max_ns = latency_ns;
    }
}
static inline void latency_histogram_record_all(struct latency_histogram *histogram,
                                                const sim_ns *latencies_ns, uint32_t count) {
    uint64_t *const counts = histogram->counts;
    sim_ns max_ns = histogram->max_ns;
    for (uint32_t i = 0; i < count; i++) {
        const sim_ns latency_ns = latencies_ns[i];
        if (__builtin_expect(latency_ns < 0, 0)) {
            latency_histogram_refuse(latency_ns);
        }
        counts[latency_histogram_bucket(latency_ns)]++;
        max_ns = latency_ns > max_ns ? latency_ns : max_ns;
    }
    histogram->max_ns = max_ns;
    histogram->total += count;
}
void latency_histogram_merge(struct latency_histogram *into, const struct latency_histogram *from);

/* The smallest bucket bound (or the largest value) that at least fraction of the values do not
 * exceed, 0 < fraction <= 1; -1 when empty. */
sim_ns latency_histogram_quantile_ns(const struct latency_histogram *histogram, double fraction);
/* The same over the values of several histograms, as if merged. */
sim_ns latency_histograms_quantile_ns(const struct latency_histogram *histograms, uint32_t count,
                                      double fraction);

/* Iterates over non-empty buckets in order: *cursor from 0; false after the last. */
bool latency_histogram_next(const struct latency_histogram *histogram, uint32_t *cursor,
                            struct latency_bucket *bucket);

#endif
