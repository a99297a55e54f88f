/*
 * draw_ahead.h - The next batches of open workloads, drawn by a second thread while the first runs.
 *
 * What an open workload's operations are and how long an admitted one of them takes depends on the
 * scenario and the seed alone, not on what happens in the run. So a thread draws some batches
 * ahead; the run takes them in order, and they are those that it would have drawn itself.
 *
 *   one thread for all sources, AHEAD batches each; it sleeps while all are full
 *
 * Owns: the thread and its batches (malloc). Generators belong to the thread until _free.
 * Cost: a take copies a batch and locks once, some 100 ns.
 */
#ifndef DDBSIM_EXPERIMENTS_DRAW_AHEAD_H
#define DDBSIM_EXPERIMENTS_DRAW_AHEAD_H

#include "sim/check.h"
#include "workloads/client.h"
#include "workloads/generator.h"

#include <stdint.h>

struct draw_ahead; /* opaque */

/* A workload whose generator no one else uses, with operations before until_ns. */
struct draw_ahead_source {
    struct generator *generator;
    uint32_t workload; /* as the client's latencies are drawn for */
};

/* sources: copied. NULL: no memory or no thread to be had; the caller draws for himself. */
struct draw_ahead *draw_ahead_new(const struct draw_ahead_source *sources, uint32_t count,
                                  const struct client *client, sim_ns until_ns,
                                  const struct check_context *check);
/* Ends the thread, wherever it is. NULL: nothing. */
void draw_ahead_free(struct draw_ahead *ahead);

/* What draw_batch would give for that source; waits when it is not drawn yet. */
void draw_ahead_take(struct draw_ahead *ahead, uint32_t source, struct operation_batch *batch,
                     sim_ns *latencies_ns);

/* The next batch, and the latency of each operation's first attempt at its only member, if it is
 * admitted. latencies_ns: GENERATOR_BATCH of them. */
void draw_batch(const struct draw_ahead_source *source, const struct client *client,
                sim_ns until_ns, struct operation_batch *batch, sim_ns *latencies_ns);

#endif
