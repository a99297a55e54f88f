/*
 * ring_grid.h - Heat of the key space over time in bounded memory: slices of the ring by spans.
 *
 *   cell [span][slice] = what happened in seconds [span * span_s, (span + 1) * span_s) to the keys
 *                        whose ring position lies in [slice, slice + 1) * 2^56
 *
 * RING_GRID_SLICES equal slices of the hash ring by at most RING_GRID_SPANS spans. When the run
 * outgrows the spans, neighbours are added together and the span doubles: every run fits, and short
 * ones stay at 1 s. Nothing is lost by it: the sum over all cells does not change.
 *
 * Owns: one grid in the arena, 4 MiB a resource, touched as far as there was traffic.
 * Cost: O(1) an attempt; doubling O(cells), at most 30 times a run.
 */
#ifndef DDBSIM_ANALYSIS_RING_GRID_H
#define DDBSIM_ANALYSIS_RING_GRID_H

#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define RING_GRID_SLICES 256
#define RING_GRID_SPANS 512

struct ring_cell {
    uint64_t half_rcu, half_wcu; /* consumed, in half units */
    uint64_t throttled_reads, throttled_writes;
};

struct ring_grid {
    struct ring_cell *cells; /* [span][slice] */
    int64_t span_s;          /* seconds a span: 1, 2, 4, … */
    uint32_t span;           /* the open one */
};

bool ring_grid_init(struct ring_grid *grid, struct arena *arena, struct err *err) ERR_WARN_UNUSED;

static inline uint32_t ring_grid_slice(uint64_t ring_position) {
    return (uint32_t)(ring_position >> 56);
}

/* The bin [t_s, t_s + 1) begins; t_s never goes back. */
void ring_grid_open_second(struct ring_grid *grid, int64_t t_s);

static inline struct ring_cell *ring_grid_cell(const struct ring_grid *grid, uint32_t slice) {
    return &grid->cells[(uint64_t)grid->span * RING_GRID_SLICES + slice];
}

#endif
