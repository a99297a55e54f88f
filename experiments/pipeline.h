/*
 * pipeline.h - What a run hands to a second thread: drawing what comes, recording what has been.
 *
 *   draw ─▶ batches of operations ─▶ run (one thread, the caller's) ─▶ blocks of outcomes ─▶ record
 *
 * What an open workload's operations are, and how long an admitted one of them takes, depends on
 * scenario and seed alone. What becomes of an outcome in the recorder changes nothing in the run
 * before its second is closed. So one thread draws some batches ahead and records some blocks
 * behind, in their order. Without the thread, or while it sleeps, the run does all of it itself, at
 * the moment of need. The results are the same.
 *
 * Owns: the thread, its batches and blocks (malloc); the generators until pipeline_stop; what
 *       recorder_add_key and recorder_record write, until pipeline_flush.
 * Cost: with the thread, a copy of each batch and each block: some 5 ns an operation.
 */
#ifndef DDBSIM_EXPERIMENTS_PIPELINE_H
#define DDBSIM_EXPERIMENTS_PIPELINE_H

#include "analysis/recorder.h"
#include "models/request.h"
#include "sim/check.h"
#include "sim/err.h"
#include "workloads/client.h"
#include "workloads/generator.h"

#include <stdbool.h>
#include <stdint.h>

#define PIPELINE_OUTCOMES 256 /* a block: they stay in the first-level cache */
#define PIPELINE_KEYS 256

struct pipeline; /* opaque */

/* A workload whose generator no one else uses, with operations before until_ns. */
struct draw_source {
    struct generator *generator;
    uint32_t workload; /* as the client's latencies are drawn for */
};

struct pipeline_config {
    const struct draw_source *sources; /* copied */
    uint32_t source_count;
    const struct client *client; /* borrowed, as is the recorder */
    struct recorder *recorder;
    sim_ns until_ns;
    const struct check_context *check;
    bool has_thread; /* if one is to be had */
};

/* A key that a run has met for the first time, as recorder_add_key is told. */
struct new_key {
    uint64_t ring_position;
    uint16_t resource;
};

/* What the run fills: outcomes in the order of time, all of one second, and the keys that they or
 * later ones are the first to have. */
struct outcome_block {
    struct outcome outcomes[PIPELINE_OUTCOMES];
    struct new_key keys[PIPELINE_KEYS];
    uint32_t outcome_count, key_count;
};

struct pipeline *pipeline_new(const struct pipeline_config *config, struct err *err)
    ERR_WARN_UNUSED;
/* Ends the thread, wherever it is; what is not recorded is lost. NULL: nothing. */
void pipeline_free(struct pipeline *pipeline);

/* What draw_batch gives for that source, which takes its batches in their order. */
void pipeline_take(struct pipeline *pipeline, uint32_t source, struct operation_batch *batch,
                   sim_ns *latencies_ns);

/* The block to fill. */
struct outcome_block *pipeline_block(struct pipeline *pipeline);
/* Hands it on, to be recorded some time before the next flush, and empties it. False: the recorder
 * has failed with *err, maybe at an earlier block. */
bool pipeline_publish(struct pipeline *pipeline, struct err *err) ERR_WARN_UNUSED;
/* The same, and all is recorded: the recorder is the caller's until he publishes again. */
bool pipeline_flush(struct pipeline *pipeline, struct err *err) ERR_WARN_UNUSED;

/* Ends the thread after a flush; the generators are the caller's again. */
void pipeline_stop(struct pipeline *pipeline);

/* The next batch, and the latency of each operation's first attempt at its only member, if it is
 * admitted. latencies_ns: GENERATOR_BATCH of them. */
void draw_batch(const struct draw_source *source, const struct client *client, sim_ns until_ns,
                struct operation_batch *batch, sim_ns *latencies_ns);

#endif
