#include "analysis/latency_histogram.h"

#include "sim/check.h"

#include <math.h>

#define SUB_BUCKETS (UINT32_C(1) << LATENCY_HISTOGRAM_SUB_BITS)
/* The highest bit of a sim_ns is bit 62: shifts 0 … 55, 128 buckets each, and 128 exact ones. */
#define BUCKETS ((62 - LATENCY_HISTOGRAM_SUB_BITS + 2) * SUB_BUCKETS)

static sim_ns bucket_bound_ns(uint32_t bucket) {
    if (bucket < 2 * SUB_BUCKETS) {
        return bucket;
    }
    uint32_t shift = bucket / SUB_BUCKETS - 1;
    uint64_t sub = bucket - shift * SUB_BUCKETS;
    return (sim_ns)(((sub + 1) << shift) - 1);
}

uint32_t latency_histogram_bucket_any(sim_ns latency_ns) {
    const uint64_t value = (uint64_t)latency_ns;
    /* Setting bit 7 puts the values below 128 into the first octave without a branch. */
    const uint64_t leading = value | UINT64_C(1) << LATENCY_HISTOGRAM_SUB_BITS;
    const uint32_t shift = 63U - (uint32_t)__builtin_clzll(leading) - LATENCY_HISTOGRAM_SUB_BITS;
    return (shift << LATENCY_HISTOGRAM_SUB_BITS) + (uint32_t)(value >> shift);
}

bool latency_histogram_init(struct latency_histogram *histogram, struct arena *arena,
                            struct err *err) {
    *histogram = (struct latency_histogram){
        .counts = ARENA_ARRAY(arena, uint64_t, BUCKETS, "latency histogram", err),
    };
    return histogram->counts != NULL;
}

_Noreturn void latency_histogram_refuse(sim_ns latency_ns) {
    check_failed(__FILE__, __LINE__, "latency_ns >= 0", "a latency of %lld ns",
                 (long long)latency_ns);
}

void latency_histogram_merge(struct latency_histogram *into, const struct latency_histogram *from) {
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
        into->counts[bucket] += from->counts[bucket];
    }
    into->total += from->total;
    if (from->max_ns > into->max_ns) {
        into->max_ns = from->max_ns;
    }
}

sim_ns latency_histogram_quantile_ns(const struct latency_histogram *histogram, double fraction) {
    return latency_histograms_quantile_ns(histogram, 1, fraction);
}

static uint64_t bucket_count(const struct latency_histogram *histograms, uint32_t count,
                             uint32_t bucket) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += histograms[i].counts[bucket];
    }
    return sum;
}

sim_ns latency_histograms_quantile_ns(const struct latency_histogram *histograms, uint32_t count,
                                      double fraction) {
    SIM_CHECK(fraction > 0.0 && fraction <= 1.0);
    uint64_t total = 0;
    sim_ns max_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += histograms[i].total;
        max_ns = histograms[i].max_ns > max_ns ? histograms[i].max_ns : max_ns;
    }
    if (total == 0) {
        return -1;
    }
    double wanted = ceil(fraction * (double)total);
    uint64_t rank = wanted < 1.0 ? 1 : (uint64_t)wanted;
    rank = rank < total ? rank : total;
    uint32_t bucket = 0;
    uint64_t up_to = bucket_count(histograms, count, bucket);
    while (up_to < rank) {
        bucket++;
        SIM_CHECK(bucket < BUCKETS);
        up_to += bucket_count(histograms, count, bucket);
    }
    sim_ns bound_ns = bucket_bound_ns(bucket);
    return bound_ns < max_ns ? bound_ns : max_ns;
}

bool latency_histogram_next(const struct latency_histogram *histogram, uint32_t *cursor,
                            struct latency_bucket *bucket) {
    while (*cursor < BUCKETS && histogram->counts[*cursor] == 0) {
        ++*cursor;
    }
    if (*cursor == BUCKETS) {
        return false;
    }
    *bucket = (struct latency_bucket){
        .le_ns = bucket_bound_ns(*cursor),
        .count = histogram->counts[*cursor],
    };
    ++*cursor;
    return true;
}
