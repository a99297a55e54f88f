/*
 * on_demand.h - An on-demand table's previous peak, and the partitions that it is worth.
 *
 *   a window    peak_window of traffic; its mean, reads and writes each, may be a peak
 *   peak        the largest mean over the windows that ended peak_delay ago or earlier, and what
 *               the table had before the run
 *   partitions  at least max(ceil(2 peak / cap) of reads and of writes, on_demand_partitions); when
 *               there are fewer, all of them split, as often as it takes: for even traffic a table
 *               takes what its fullest partition allows
 *
 * So a table takes twice its previous peak at once, and a new peak counts peak_delay after it was
 * reached. Partitions are never merged.
 *
 * Source:  AWS Developer Guide, on-demand capacity mode (twice the previous peak; 30 minutes);
 *          ATC 2022 s4.5; window and doubling are inferred: docs/models/on_demand.md.
 * Owns:    a ring of windows that are not old enough (arena).  Cost: O(partitions) a window.
 */
#ifndef DDBSIM_MODELS_ON_DEMAND_H
#define DDBSIM_MODELS_ON_DEMAND_H

#include "models/parameters.h"
#include "models/spec.h"
#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Mean of a window that ended at ends_ns, in whole units a second, rounded up. */
struct on_demand_window {
    sim_ns ends_ns;
    struct capacity_units mean;
};

struct on_demand {
    sim_ns window_ns, delay_ns;
    sim_ns window_end_ns; /* of the open window; INT64_MAX: the table is provisioned */
    uint64_t read_before_ncu, write_before_ncu; /* taken up to its beginning, modulo 2^64 */
    struct on_demand_window *windows;           /* a ring */
    uint32_t first, count, capacity;
    struct capacity_units peak; /* the previous one */
};

/* Closed: on_demand_begin opens its first window. */
bool on_demand_init(struct on_demand *state, struct arena *arena, struct capacity_units peak,
                    const struct model_parameters *parameters, struct err *err) ERR_WARN_UNUSED;

/* The table is on-demand from now on, having consumed so much; or no more. What it consumed when it
 * was on-demand before counts as it grows old. */
void on_demand_begin(struct on_demand *state, sim_ns now_ns, uint64_t read_ncu, uint64_t write_ncu);
void on_demand_end(struct on_demand *state);

/* When there is something to do next; INT64_MAX: never. */
sim_ns on_demand_next_ns(const struct on_demand *state);
/* At that time: reads and writes consumed so far, modulo 2^64. True when the previous peak has
 * risen. */
bool on_demand_advance(struct on_demand *state, sim_ns now_ns, uint64_t read_ncu,
                       uint64_t write_ncu);

/* Partitions that the previous peak is worth; at least 1. */
int64_t on_demand_partitions(const struct on_demand *state,
                             const struct model_parameters *parameters);

#endif
