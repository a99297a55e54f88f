#include "sim/random.h"

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/pcg.h"
#include "sim/ziggurat_table.h"

#include <endian.h>
#include <math.h>
#include <string.h>

_Static_assert(RANDOM_STATE_BYTES == PCG_STATE_BYTES, "the generator's state is held by value");
_Static_assert(RANDOM_BUFFER_COUNT % PCG_BLOCK_COUNT == 0,
               "refills take the fast path of pcg_fill");

/* Seeds of the three hashes of a name; any three different numbers. */
enum name_hash_use { NAME_HASH_STATE = 1, NAME_HASH_STREAM = 2, NAME_HASH_DRAW = 3 };

#define NAME_WORDS 8

/* The name as words of fixed places: numbers as they are, texts as length and hash. So no two names
 * share an encoding, whatever bytes their texts hold, and texts may be of any length. */
static void encode_name(const struct random_name *name, uint64_t words[NAME_WORDS]) {
    size_t workload_length = strlen(name->workload);
    size_t variable_length = strlen(name->variable);
    struct hash128 workload = hash128(name->workload, workload_length, 0);
    struct hash128 variable = hash128(name->variable, variable_length, 0);
    const uint64_t encoded[NAME_WORDS] = {
        name->seed,    name->replication, workload_length, workload.low,
        workload.high, variable_length,   variable.low,    variable.high,
    };
    for (size_t i = 0; i < NAME_WORDS; i++) {
        words[i] = htole64(encoded[i]);
    }
}

void random_init(struct random_stream *stream, const struct random_name *name) {
    uint64_t words[NAME_WORDS];
    encode_name(name, words);
    struct hash128 state = hash128(words, sizeof words, NAME_HASH_STATE);
    struct hash128 sequence = hash128(words, sizeof words, NAME_HASH_STREAM);
    const uint64_t state_words[2] = {state.low, state.high};
    const uint64_t sequence_words[2] = {sequence.low, sequence.high};
    pcg_seed(stream->state, state_words, sequence_words);
    stream->next = RANDOM_BUFFER_COUNT;
}

uint64_t random_name_hash(const struct random_name *name) {
    uint64_t words[NAME_WORDS];
    encode_name(name, words);
    return hash64(words, sizeof words, NAME_HASH_DRAW);
}

void random_refill(struct random_stream *stream) {
    pcg_fill(stream->state, stream->buffer, RANDOM_BUFFER_COUNT);
    stream->next = 0;
}

/* Hands out what is left in the buffer, at most count values; returns how many. */
static size_t take_buffered(struct random_stream *stream, uint64_t *values, size_t count) {
    size_t buffered = RANDOM_BUFFER_COUNT - stream->next;
    size_t taken = buffered < count ? buffered : count;
    memcpy(values, stream->buffer + stream->next, taken * sizeof *values);
    stream->next += (uint32_t)taken;
    return taken;
}

void random_fill(struct random_stream *stream, uint64_t *values, size_t count) {
    if (count == 0) {
        return;
    }
    size_t done = take_buffered(stream, values, count);
    size_t whole = (count - done) / RANDOM_BUFFER_COUNT * RANDOM_BUFFER_COUNT;
    pcg_fill(stream->state, values + done, whole);
    done += whole;
    if (done < count) {
        random_refill(stream);
        take_buffered(stream, values + done, count - done);
    }
}

/* Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29(1), 2019. */
uint64_t random_below(struct random_stream *stream, uint64_t n) {
    SIM_CHECK(n > 0);
    __extension__ unsigned __int128 product = (unsigned __int128)random_next(stream) * n;
    if ((uint64_t)product < n) {
        uint64_t biased = -n % n; /* 2^64 mod n: low halves below it are one too many */
        while ((uint64_t)product < biased) {
            product = __extension__((unsigned __int128)random_next(stream) * n);
        }
    }
    return (uint64_t)(product >> 64);
}

/* The draws that the fast path does not settle, about one in 45: bits are the value it drew. Apart,
 * so that the fast path needs no stack. */
__attribute__((noinline)) static double exponential_slow(struct random_stream *stream,
                                                         uint64_t bits) {
    double beyond_tails = 0.0; /* the law has no memory: past the tail's start, it starts again */
    for (;;) {
        uint32_t layer = (uint32_t)(bits % ZIGGURAT_LAYERS);
        uint64_t position = bits >> 11;
        double x = (double)position * ziggurat_layers[layer].width;
        if (position < ziggurat_layers[layer].accept) {
            return beyond_tails + x;
        }
        if (layer == 0) {
            beyond_tails += ZIGGURAT_TAIL;
        } else {
            double low = ziggurat_density[layer];
            double height = ziggurat_density[layer + 1] - low;
            double unit = random_unit(stream);
            if (low + unit * height < exp(-x)) {
                return beyond_tails + x;
            }
        }
        bits = random_next(stream);
    }
}

/* Layer from bits 0-7, position in it from bits 11-63. */
double random_exponential(struct random_stream *stream) {
    uint64_t bits = random_next(stream);
    const struct ziggurat_layer *layer = &ziggurat_layers[bits % ZIGGURAT_LAYERS];
    uint64_t position = bits >> 11;
    if (__builtin_expect(position < layer->accept, 1)) {
        return (double)(int64_t)position * layer->width; /* signed: one instruction */
    }
    return exponential_slow(stream, bits);
}
