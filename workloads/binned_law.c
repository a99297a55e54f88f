#include "workloads/binned_law.h"

#include "sim/check.h"
#include "workloads/alias_table.h"

#include <math.h>
#include <stdlib.h>

#define FLATNESS (31.0 / 32.0) /* least over largest mass of a bin */
#define MODE_SINGLES 2         /* numbers on both sides of the mode that stand alone */
#define CHUNK_NUMBERS 256      /* draws of a chunk stay in the first-level cache */

struct binned_law_bin {
    uint64_t keep_below; /* alias table over the bins */
    uint64_t first, length;
    double largest; /* mass */
    uint32_t alias;
    uint32_t accept; /* below it (in 2^-32), any number of the bin is accepted */
};
_Static_assert(sizeof(struct binned_law_bin) == 40, "as the header says");

/* The last number that a bin from first on may have: it ends before what stands alone. */
static uint64_t bin_limit(const struct mass *mass, uint64_t first) {
    uint64_t last = mass->n - 1;
    if (first == 0 || first == last) {
        return first;
    }
    uint64_t mode_first = mass->mode > MODE_SINGLES ? mass->mode - MODE_SINGLES : 0;
    if (first < mode_first) {
        return mode_first - 1;
    }
    return first <= mass->mode + MODE_SINGLES ? first : last - 1;
}

static bool is_flat(double a, double b) {
    return fmin(a, b) >= FLATNESS * fmax(a, b);
}

/* How many numbers from first on form a bin: those up to the limit, or a power of two. */
static uint64_t bin_length(const struct mass *mass, uint64_t first) {
    uint64_t left = bin_limit(mass, first) - first + 1, length = 1;
    double mass_first = mass_of(mass, first);
    while (length < left) {
        uint64_t longer = length * 2 < left ? length * 2 : left;
        if (!is_flat(mass_first, mass_of(mass, first + longer - 1))) {
            break;
        }
        length = longer;
    }
    return length;
}

/* Where the next bin begins: numbers that are never drawn are passed over. */
static uint64_t pass_over(const struct mass *mass, uint64_t next) {
    if (next < mass->lowest) {
        return mass->lowest;
    }
    return next > mass->highest && next < mass->n ? mass->n - 1 : next;
}

static uint32_t count_bins(const struct mass *mass) {
    uint32_t count = 0;
    for (uint64_t first = 0; first < mass->n; count++) {
        first = pass_over(mass, first + bin_length(mass, first));
    }
    return count;
}

static void cut_bins(struct binned_law *law, double *weights) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < law->bin_count; i++) {
        uint64_t length = bin_length(&law->mass, first);
        double from = mass_of(&law->mass, first), to = mass_of(&law->mass, first + length - 1);
        double largest = fmax(from, to);
        double share = largest > 0.0 ? fmin(from, to) / largest * 0x1p32 : 0x1p32;
        law->bins[i] = (struct binned_law_bin){
            .first = first,
            .length = length,
            .largest = largest,
            .accept = share < 0x1p32 ? (uint32_t)share : UINT32_MAX,
        };
        weights[i] = (double)length * largest;
        first = pass_over(&law->mass, first + length);
    }
}

bool binned_law_init(struct binned_law *law, struct arena *arena, const struct field_spec *spec,
                     struct err *err) {
    *law = (struct binned_law){.bins = NULL};
    mass_init(&law->mass, spec);
    law->bin_count = count_bins(&law->mass);
    SIM_CHECK(law->bin_count > 0);
    law->bins = ARENA_ARRAY(arena, struct binned_law_bin, law->bin_count, "field law", err);
    if (law->bins == NULL) {
        return false;
    }
    double *weights = calloc(law->bin_count, sizeof *weights);
    struct alias_column *columns = calloc(law->bin_count, sizeof *columns);
    bool built = false;
    if (weights == NULL || columns == NULL) {
        err_no_memory(err, "field law");
    } else {
        cut_bins(law, weights);
        built = alias_table_build(columns, weights, law->bin_count, err);
    }
    for (uint32_t i = 0; built && i < law->bin_count; i++) {
        law->bins[i].keep_below = columns[i].keep_below;
        law->bins[i].alias = columns[i].alias;
    }
    free(weights);
    free(columns);
    return built;
}

/* The exact test, for the few that the bin's lower bound does not decide. */
static __attribute__((noinline)) bool is_accepted(const struct binned_law *law,
                                                  const struct binned_law_bin *bin, uint64_t number,
                                                  uint64_t draw) {
    return (double)draw * 0x1p-64 * bin->largest < mass_of(&law->mass, number);
}

/* Turns pairs of draws into numbers; returns how many were accepted. */
static size_t fill_chunk(const struct binned_law *law, const uint64_t *draws, size_t pairs,
                         uint64_t *numbers) {
    const struct binned_law_bin *bins = law->bins;
    const uint64_t bin_count = law->bin_count;
    size_t done = 0;
    for (size_t i = 0; i < pairs; i++) {
        __extension__ unsigned __int128 pick = (unsigned __int128)draws[2 * i] * bin_count;
        uint64_t column = (uint64_t)(pick >> 64);
        uint64_t alias = bins[column].alias;
        const struct binned_law_bin *bin =
            &bins[(uint64_t)pick < bins[column].keep_below ? column : alias];
        __extension__ unsigned __int128 place = (unsigned __int128)draws[2 * i + 1] * bin->length;
        uint64_t number = bin->first + (uint64_t)(place >> 64);
        uint64_t acceptance = (uint64_t)place;
        numbers[done] = number;
        if (__builtin_expect((acceptance >> 32) < bin->accept, 1)) {
            done++;
        } else {
            done += is_accepted(law, bin, number, acceptance);
        }
    }
    return done;
}

void binned_law_fill(const struct binned_law *law, struct random_stream *stream, uint64_t *numbers,
                     size_t count) {
    uint64_t draws[2 * CHUNK_NUMBERS];
    size_t done = 0;
    while (done < count) {
        /* Never more pairs than numbers wanted: the stream stands after the last number's draws. */
        size_t pairs = count - done < CHUNK_NUMBERS ? count - done : CHUNK_NUMBERS;
        random_fill(stream, draws, 2 * pairs);
        done += fill_chunk(law, draws, pairs, numbers + done);
    }
}
