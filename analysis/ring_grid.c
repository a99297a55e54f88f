#include "analysis/ring_grid.h"

#include "sim/check.h"

#define CELLS ((size_t)RING_GRID_SPANS * RING_GRID_SLICES)

_Static_assert(RING_GRID_SLICES == 1 << (64 - 56), "a slice is the top byte of the ring position");
_Static_assert(RING_GRID_SPANS % 2 == 0, "spans pair up");

bool ring_grid_init(struct ring_grid *grid, struct arena *arena, struct err *err) {
    *grid = (struct ring_grid){
        .cells = arena_array(arena, CELLS, sizeof(struct ring_cell), sizeof(struct ring_cell),
                             "heat of the key space", err),
        .span_s = 1,
    };
    return grid->cells != NULL;
}

static bool cell_is_empty(const struct ring_cell *cell) {
    return (cell->half_rcu | cell->half_wcu | cell->throttled_reads | cell->throttled_writes) == 0;
}

static void cell_move(struct ring_cell *into, struct ring_cell *from) {
    into->half_rcu += from->half_rcu;
    into->half_wcu += from->half_wcu;
    into->throttled_reads += from->throttled_reads;
    into->throttled_writes += from->throttled_writes;
    *from = (struct ring_cell){0};
}

/* Span s goes to span s / 2, in ascending order, so that the target was emptied before. Empty cells
 * are not written: pages that nothing has touched stay untouched. */
static void double_span(struct ring_grid *grid) {
    for (size_t span = 1; span < RING_GRID_SPANS; span++) {
        struct ring_cell *from = &grid->cells[span * RING_GRID_SLICES];
        struct ring_cell *into = &grid->cells[span / 2 * RING_GRID_SLICES];
        for (size_t slice = 0; slice < RING_GRID_SLICES; slice++) {
            if (!cell_is_empty(&from[slice])) {
                cell_move(&into[slice], &from[slice]);
            }
        }
    }
    grid->span_s *= 2;
}

void ring_grid_open_second(struct ring_grid *grid, int64_t t_s) {
    SIM_CHECK(t_s >= 0 && t_s / grid->span_s >= grid->span);
    while (t_s / grid->span_s >= RING_GRID_SPANS) {
        double_span(grid);
    }
    grid->span = (uint32_t)(t_s / grid->span_s);
}
