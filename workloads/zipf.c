#include "workloads/zipf.h"

#include "sim/check.h"
#include "workloads/alias_table.h"

#include <math.h>
#include <stdlib.h>

#define BIN_SHIFT 7       /* a bin starts at a and has 1 + a / 2^7 ranks */
#define CHUNK_NUMBERS 256 /* draws of a chunk stay in the first-level cache */
#define DIRECT_TERMS 1024 /* of zipf_top_share's sum */

struct zipf_bin {
    uint64_t keep_below; /* alias table over the bins */
    uint64_t first;      /* rank a of the bin */
    uint32_t alias;
    uint32_t accept; /* below it (in 2^-32), any rank of the bin is accepted */
};
_Static_assert(sizeof(struct zipf_bin) == 24, "as the header says");

static bool is_valid(uint64_t n, double exponent) {
    return n >= 1 && n <= ZIPF_N_MAX && exponent >= 0.0 && exponent <= ZIPF_EXPONENT_MAX;
}

static inline uint64_t bin_length(uint64_t first, uint64_t n) {
    uint64_t length = 1 + (first >> BIN_SHIFT);
    uint64_t left = n - first + 1;
    return length < left ? length : left;
}

static uint32_t count_bins(uint64_t n) {
    uint32_t count = 0;
    for (uint64_t first = 1; first <= n; first += bin_length(first, n)) {
        count++;
    }
    return count;
}

static void cut_bins(struct zipf *zipf, double *weights) {
    uint64_t first = 1;
    for (uint64_t i = 0; i < zipf->bin_count; i++) {
        uint64_t length = bin_length(first, zipf->n);
        double last_share =
            pow((double)first / (double)(first + length - 1), zipf->exponent) * 0x1p32;
        zipf->bins[i].first = first;
        zipf->bins[i].accept = last_share < 0x1p32 ? (uint32_t)last_share : UINT32_MAX;
        weights[i] = (double)length * pow((double)first, -zipf->exponent);
        first += length;
    }
}

bool zipf_init(struct zipf *zipf, struct arena *arena, uint64_t n, double exponent,
               struct err *err) {
    SIM_CHECKF(is_valid(n, exponent), "n %llu, exponent %g", (unsigned long long)n, exponent);
    uint32_t bin_count = count_bins(n);
    *zipf = (struct zipf){.bin_count = bin_count, .n = n, .exponent = exponent};
    zipf->bins = ARENA_ARRAY(arena, struct zipf_bin, bin_count, "Zipf table", err);
    if (zipf->bins == NULL) {
        return false;
    }
    double *weights = calloc(bin_count, sizeof *weights);
    struct alias_column *columns = calloc(bin_count, sizeof *columns);
    bool built = false;
    if (weights == NULL || columns == NULL) {
        err_no_memory(err, "Zipf table");
    } else {
        cut_bins(zipf, weights);
        built = alias_table_build(columns, weights, bin_count, err);
    }
    for (uint32_t i = 0; built && i < bin_count; i++) {
        zipf->bins[i].keep_below = columns[i].keep_below;
        zipf->bins[i].alias = columns[i].alias;
    }
    free(weights);
    free(columns);
    return built;
}

/* The exact test, for the few that the bin's lower bound does not decide. */
static __attribute__((noinline)) bool is_accepted(const struct zipf *zipf, uint64_t first,
                                                  uint64_t rank, uint64_t draw) {
    return (double)draw * 0x1p-64 < pow((double)first / (double)rank, zipf->exponent);
}

/* Turns pairs of draws into numbers; returns how many were accepted. */
static size_t fill_chunk(const struct zipf *zipf, const uint64_t *draws, size_t pairs,
                         uint64_t *numbers) {
    const struct zipf_bin *bins = zipf->bins;
    const uint64_t n = zipf->n, bin_count = zipf->bin_count;
    size_t done = 0;
    for (size_t i = 0; i < pairs; i++) {
        __extension__ unsigned __int128 pick = (unsigned __int128)draws[2 * i] * bin_count;
        uint64_t column = (uint64_t)(pick >> 64);
        uint64_t alias = bins[column].alias;
        /* by arithmetic: the compiler's branch is mispredicted every other time */
        uint64_t keeps = -(uint64_t)((uint64_t)pick < bins[column].keep_below);
        uint64_t chosen = alias ^ ((alias ^ column) & keeps);
        uint64_t first = bins[chosen].first;
        __extension__ unsigned __int128 place =
            (unsigned __int128)draws[2 * i + 1] * bin_length(first, n);
        uint64_t rank = first + (uint64_t)(place >> 64);
        uint64_t acceptance = (uint64_t)place;
        numbers[done] = rank - 1;
        if (__builtin_expect((acceptance >> 32) < bins[chosen].accept, 1)) {
            done++;
        } else {
            done += is_accepted(zipf, first, rank, acceptance);
        }
    }
    return done;
}

void zipf_fill(const struct zipf *zipf, struct random_stream *stream, uint64_t *numbers,
               size_t count) {
    uint64_t draws[2 * CHUNK_NUMBERS];
    size_t done = 0;
    while (done < count) {
        /* Never more pairs than numbers wanted: the stream stands after the last number's draws. */
        size_t pairs = count - done < CHUNK_NUMBERS ? count - done : CHUNK_NUMBERS;
        random_fill(stream, draws, 2 * pairs);
        done += fill_chunk(zipf, draws, pairs, numbers + done);
    }
}

/* Sum of x^-s over x = from … to, by Euler-Maclaurin; what is left out is s^3 from^-s-3 / 720. */
static double tail_sum(double from, double to, double s) {
    double ratio = log(to / from);
    double integral = s == 1.0 ? ratio : pow(from, 1.0 - s) * expm1((1.0 - s) * ratio) / (1.0 - s);
    double low = pow(from, -s), high = pow(to, -s);
    return integral + 0.5 * (low + high) + s * (low / from - high / to) / 12.0;
}

double zipf_top_share(uint64_t n, double exponent) {
    SIM_CHECKF(is_valid(n, exponent), "n %llu, exponent %g", (unsigned long long)n, exponent);
    uint64_t direct = n <= DIRECT_TERMS ? n : DIRECT_TERMS - 1;
    double sum = n > direct ? tail_sum((double)(direct + 1), (double)n, exponent) : 0.0;
    for (uint64_t k = direct; k >= 1; k--) {
        sum += pow((double)k, -exponent);
    }
    return 1.0 / sum;
}
