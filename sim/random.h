/*
 * random.h - Random streams keyed by name: PCG64 (XSL-RR 128/64), one stream a random variable.
 *
 * A stream's state and increment are the XXH3-128 hashes of its name, so that adding a workload or
 * a variable shifts no other stream, and compared runs see the same draws (common random numbers).
 * The generator is Debian's libpcg-cpp-dev behind sim/pcg.cpp, the only C++ of the product; its
 * known answer (seed 42, stream 54) is a test.
 *
 * Source:  O'Neill, "PCG", HMC-CS-2014-0905; ziggurat: Marsaglia & Tsang, J. Stat. Software 5(8),
 *          2000.
 * Rule:    draws go into named variables, never two in one argument list (the order would be open).
 * Cost:    bulk fill about 2 ns a number; exponential about 3 ns; no libm on the fast path.
 */
#ifndef DDBSIM_SIM_RANDOM_H
#define DDBSIM_SIM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define RANDOM_STATE_BYTES 32
#define RANDOM_BUFFER_COUNT 256

/* What a stream is for. Texts are borrowed during random_init only; "" where there is none. */
struct random_name {
    uint64_t seed;
    uint64_t replication;
    const char *workload; /* or table */
    const char *variable; /* "arrivals", "field:player", "placement", … */
};

struct random_stream {
    _Alignas(16) unsigned char state[RANDOM_STATE_BYTES];
    uint64_t buffer[RANDOM_BUFFER_COUNT];
    uint32_t next; /* first unread value of buffer; RANDOM_BUFFER_COUNT: refill */
};

void random_init(struct random_stream *stream, const struct random_name *name);

/* One 64-bit number that names the same variable: the `stream` argument of hash_draw. */
uint64_t random_name_hash(const struct random_name *name);

/* The next count values, the same ones in the same order as random_next would give. */
void random_fill(struct random_stream *stream, uint64_t *values, size_t count);

void random_refill(struct random_stream *stream);

static inline uint64_t random_next(struct random_stream *stream) {
    if (__builtin_expect(stream->next == RANDOM_BUFFER_COUNT, 0)) {
        random_refill(stream);
    }
    return stream->buffer[stream->next++];
}

/* Uniform in [0, 1): the top 53 bits. */
static inline double random_unit(struct random_stream *stream) {
    return (double)(int64_t)(random_next(stream) >> 11) * 0x1p-53;
}

/* Uniform in 0 … n-1, n ≥ 1; exact (rejects the biased tail). */
uint64_t random_below(struct random_stream *stream, uint64_t n);

/* Exponential with mean 1, by a 256-layer ziggurat whose acceptance test is on integers. */
double random_exponential(struct random_stream *stream);

#endif
