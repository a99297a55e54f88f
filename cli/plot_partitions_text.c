/* The heat map of the key space in characters, for a terminal. */
#include "cli/plot_partitions_text.h"

#include <math.h>

#define MARGIN 8 /* columns left of the map: the partition that begins in the row */

static const char ramp[] = " .:-=+*#%@";

struct text_grid {
    size_t rows, columns; /* cells */
    size_t cell_columns;  /* characters of a cell, even: heat, then heat or marks */
};

/* Sums the cells of the ring that fall into a cell of text. */
static void gather(const struct ring_picture *ring, const struct text_grid *grid, size_t row,
                   size_t column, double *rate, double *throttled) {
    size_t spans = ring->ring.span_count;
    size_t slice_from = row * STORE_READ_SLICES / grid->rows;
    size_t slice_to = (row + 1) * STORE_READ_SLICES / grid->rows;
    size_t span_from = column * spans / grid->columns;
    size_t span_to = (column + 1) * spans / grid->columns;
    *rate = 0;
    *throttled = 0;
    for (size_t slice = slice_from; slice < slice_to; slice++) {
        for (size_t span = span_from; span < span_to; span++) {
            *rate += ring->ring.units_per_s[slice * spans + span] / (double)(span_to - span_from);
            *throttled += ring->ring.throttled[slice * spans + span];
        }
    }
}

static char shade(double rate, double lowest, double highest) {
    if (rate <= 0) {
        return ramp[0];
    }
    double part = log(rate / lowest) / log(highest / lowest);
    int last = (int)sizeof ramp - 2;
    int step = 1 + (int)floor(part * (last - 1) + 0.5);
    return ramp[step < 1 ? 1 : step > last ? last : step];
}

/* "p3" when the row is the first of a partition, "p3+" when others begin there as well. */
static void row_name(const struct plot_picture *picture, const struct ring_picture *ring,
                     const struct text_grid *grid, size_t row, char text[32]) {
    long long first = -1;
    bool more = false;
    for (size_t i = 0; i < ring->partition_count; i++) {
        const struct store_read_partition *partition = &ring->partitions[i];
        double lo = (double)partition->hash_lo / 0x1p64;
        size_t begins = (size_t)floor(lo * (double)grid->rows);
        bool is_open = partition->closed_s < 0 || partition->closed_s >= (double)picture->view.to_s;
        if (is_open && begins == row) {
            more = more || first >= 0;
            first = first >= 0 ? first : (long long)partition->partition_id;
        }
    }
    text[0] = '\0';
    if (first >= 0) {
        snprintf(text, 32, "p%lld%s", first, more ? "+" : "");
    }
}

void plot_partitions_text_print(const struct plot_picture *picture,
                                const struct ring_picture *ring) {
    int room = picture->lines - 7, wide = (picture->columns - MARGIN - 4) / 2;
    room = room < 8 ? 8 : room > 64 ? 64 : room;
    wide = wide < 8 ? 8 : wide;
    struct text_grid grid = {(size_t)room, (size_t)wide, 2};
    if (grid.columns > ring->ring.span_count) {
        grid.columns = ring->ring.span_count;
        grid.cell_columns = 2 * ((size_t)wide / grid.columns);
    }
    double highest = 0;
    for (size_t i = 0; i < grid.rows * grid.columns; i++) {
        double rate, throttled;
        gather(ring, &grid, i / grid.columns, i % grid.columns, &rate, &throttled);
        highest = fmax(highest, rate);
    }
    double lowest = highest / 300;
    printf("\n");
    for (size_t row = grid.rows; row-- > 0;) { /* the ring begins at the bottom */
        char name[32];
        row_name(picture, ring, &grid, row, name);
        printf("%*.*s |", MARGIN - 1, MARGIN - 1, name);
        for (size_t column = 0; column < grid.columns; column++) {
            double rate, throttled;
            gather(ring, &grid, row, column, &rate, &throttled);
            char heat = shade(rate, lowest, highest);
            for (size_t i = 0; i < grid.cell_columns; i++) {
                putchar(2 * i >= grid.cell_columns && throttled > 0 ? '!' : heat);
            }
        }
        printf("|\n");
    }
    char a[PLOT_NUMBER_BYTES], b[PLOT_NUMBER_BYTES];
    int gap = (int)(grid.cell_columns * grid.columns) - 7;
    printf("%*s  %-*s%s\n", MARGIN - 1, "", gap > 8 ? gap : 8,
           words_clock(picture->view.from_s).text, words_clock(picture->view.to_s).text);
    printf("%*s  %s/s in 1/%zu of the ring: '.' up to %s, '@' %s; '!' throttled\n", MARGIN - 1, "",
           plot_unit(ring->side), grid.rows, plot_number(lowest, a), plot_number(highest, b));
}
