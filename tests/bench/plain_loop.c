#include "tests/bench/plain_loop.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* PCG64 (XSL-RR), inline: the plain loop shall not lose by its generator. */
struct generator {
    __extension__ unsigned __int128 state;
};

#define WIDE(high, low) (__extension__((unsigned __int128)(high) << 64 | (low)))
#define PCG_MULTIPLIER WIDE(2549297995355413924ULL, 4865540595714422341ULL)
#define PCG_INCREMENT WIDE(6364136223846793005ULL, 1442695040888963407ULL)

static inline double next_unit(struct generator *generator) {
    generator->state = generator->state * PCG_MULTIPLIER + PCG_INCREMENT;
    uint64_t folded = (uint64_t)(generator->state >> 64) ^ (uint64_t)generator->state;
    unsigned turn = (unsigned)(generator->state >> 122);
    uint64_t value = folded >> turn | folded << ((64 - turn) & 63);
    return ((double)(value >> 11) + 0.5) * 0x1p-53;
}

/* The law's constants: H is the integral of the density's envelope x^-s. */
struct zipf_inversion {
    double exponent, h_first, h_last, threshold;
    uint64_t n;
};

/* (exp(x) - 1) / x and log(1 + x) / x without loss near 0. */
static inline double expm1_over(double x) {
    return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}
static inline double log1p_over(double x) {
    return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

static inline double h_integral(double exponent, double x) {
    double log_x = log(x);
    return expm1_over((1 - exponent) * log_x) * log_x;
}

static inline double h_inverse(double exponent, double x) {
    double t = x * (1 - exponent);
    if (t < -1) {
        t = -1;
    }
    return exp(log1p_over(t) * x);
}

static struct zipf_inversion zipf_inversion_make(uint64_t n, double exponent) {
    return (struct zipf_inversion){
        .exponent = exponent,
        .h_first = h_integral(exponent, 1.5) - 1,
        .h_last = h_integral(exponent, (double)n + 0.5),
        .threshold = 2 - h_inverse(exponent, h_integral(exponent, 2.5) - pow(2, -exponent)),
        .n = n,
    };
}

static inline uint64_t zipf_inversion_rank(const struct zipf_inversion *zipf,
                                           struct generator *generator) {
    for (;;) {
        double u = zipf->h_last + next_unit(generator) * (zipf->h_first - zipf->h_last);
        double x = h_inverse(zipf->exponent, u);
        double rank = floor(x + 0.5);
        rank = rank < 1 ? 1 : rank > (double)zipf->n ? (double)zipf->n : rank;
        if (rank - x <= zipf->threshold ||
            u >= h_integral(zipf->exponent, rank + 0.5) - pow(rank, -zipf->exponent)) {
            return (uint64_t)rank;
        }
    }
}

struct bucket {
    double tokens, last_s;
};

struct counters {
    uint32_t accepted, throttled;
};

double bench_now_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool bucket_take(struct bucket *bucket, double now_s, double rate_per_s) {
    double tokens = bucket->tokens + (now_s - bucket->last_s) * rate_per_s;
    bucket->tokens = tokens > rate_per_s ? rate_per_s : tokens;
    bucket->last_s = now_s;
    if (bucket->tokens < 1) {
        return false;
    }
    bucket->tokens -= 1;
    return true;
}

struct plain_loop_result plain_loop_run(const struct plain_loop_config *config) {
    struct counters *counters = calloc(config->keys, sizeof(*counters));
    struct bucket *buckets = calloc(config->partitions, sizeof(*buckets));
    SIM_CHECK(counters != NULL && buckets != NULL);
    struct generator generator = {.state = config->seed};
    struct zipf_inversion zipf = zipf_inversion_make(config->keys, config->exponent);
    struct plain_loop_result result = {0, 0, 0};
    double start_s = bench_now_s();
    double now_s = 0;
    for (uint64_t i = 0; i < config->requests; i++) {
        now_s += -log(next_unit(&generator)) / config->rate_per_s;
        uint64_t key = zipf_inversion_rank(&zipf, &generator) - 1;
        struct bucket *bucket = &buckets[hash_mix(key) & (config->partitions - 1)];
        if (bucket_take(bucket, now_s, config->partition_rate_per_s)) {
            counters[key].accepted++;
            result.accepted++;
        } else {
            counters[key].throttled++;
            result.throttled++;
        }
    }
    result.wall_s = bench_now_s() - start_s;
    free(counters);
    free(buckets);
    return result;
}
