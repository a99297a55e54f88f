/*
 * generator.h - One workload as a stream of operations, in batches: time, item number, size.
 *
 *   times (arrivals or trace) -> field numbers -> item number (key_template) -> item size
 *
 * The owner asks for batches; a closed loop draws one operation at the time it is due.
 * arrivals_digest covers (time, every field's number, trace row) of this workload, so that two
 * designs that were offered the same traffic can be told; the times of a closed loop are not
 * covered, they depend on responses.
 * A batch (BatchGetItem) takes several draws an operation, one after another; {seq} counts draws.
 * A step of a chain has no draws of fields of its own: it follows its root's generator, with its
 * own template, {random} and size.
 *
 * A trace's rows are taken in order, `repeat` times over. With a time column a repeat begins one
 * mean gap after the last row of the one before.
 *
 * Owns: fields, streams and trace in the arena; a digest, freed by _fini.
 * Cost: about 15 ns an operation with one Zipf field.
 */
#ifndef DDBSIM_WORKLOADS_GENERATOR_H
#define DDBSIM_WORKLOADS_GENERATOR_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/digest.h"
#include "sim/err.h"
#include "workloads/arrivals.h"
#include "workloads/field.h"
#include "workloads/item_size.h"
#include "workloads/key_template.h"
#include "workloads/scenario.h"
#include "workloads/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENERATOR_BATCH 512
#define GENERATOR_RECALLED GENERATOR_BATCH /* the position of what a step was given back */

/* An attribute that the workload gives, or that its items hold at first. */
struct generator_attribute {
    const struct attribute_spec *spec;
    struct key_template key_template; /* when the spec has a text */
    struct item_size size;            /* when the spec has one */
    uint64_t *numbers;                /* of the text, by draw of the last batch; or NULL */
    uint32_t *sizes_bytes;            /* or NULL; both with GENERATOR_RECALLED behind the batch */
};

struct generator {
    const struct workload_spec *workload;
    struct arrivals arrivals;
    struct trace trace;
    struct field *fields;  /* the scenario's fields, then the trace's columns */
    uint32_t field_count;  /* of both */
    uint32_t column_count; /* the last ones of them */
    struct key_template key_template;
    struct item_size size;
    struct generator_attribute *attributes; /* as in the workload's spec */
    uint32_t attribute_count;
    uint64_t *values;                     /* field_count rows of GENERATOR_BATCH */
    const uint64_t **rows;                /* where each row of values begins */
    bool *column_used;                    /* by column: the template wants its numbers */
    uint32_t members;                     /* draws an operation; 1 but for a batch */
    uint64_t sequence;                    /* draws so far */
    uint64_t operations;                  /* so far */
    uint32_t rows_taken[GENERATOR_BATCH]; /* of the batch: which row of the trace each draw has */
    uint32_t *row_order;              /* by position, of a shuffled trace; NULL: as in the file */
    uint64_t row, rows_below;         /* trace rows taken, and in all, over the repeats */
    sim_ns period_ns;                 /* from a repeat of a timed trace to the next */
    sim_ns start_ns;                  /* -1: waits for generator_start */
    sim_ns later_ns[GENERATOR_BATCH]; /* arrivals at or after the last until_ns */
    uint32_t later_next, later_count;
    struct digest digest;
    uint64_t *digest_words; /* of a batch: digest_parts an operation, side by side */
    uint32_t digest_parts;
};

struct operation_batch {
    sim_ns times_ns[GENERATOR_BATCH];
    uint64_t numbers[GENERATOR_BATCH]; /* by draw: item number of member 0 */
    uint32_t sizes_bytes[GENERATOR_BATCH];
    uint64_t first_sequence; /* of its first operation */
    uint32_t count;          /* operations */
    uint32_t draws; /* = count; for a batch draw i * members + m is member m of operation i, and the
                       last operation of a trace may have fewer */
};

/* The workload begins at its start_ns; one that waits for another (`after`) begins by
 * generator_start. scenario and arena must outlive the generator. False: trace unreadable or longer
 * than SIM_NS_MAX with its repeats, template faulty, no memory; generator_fini is due anyway. */
bool generator_init(struct generator *generator, struct arena *arena,
                    const struct scenario *scenario, uint32_t workload, uint64_t seed,
                    uint64_t replication, struct err *err) ERR_WARN_UNUSED;
void generator_fini(struct generator *generator);

/* The same for a step of root's chain; root must outlive it, and its batches be followed from the
 * first on. */
bool generator_init_step(struct generator *generator, struct generator *root, struct arena *arena,
                         const struct scenario *scenario, uint32_t workload, uint64_t seed,
                         uint64_t replication, struct err *err) ERR_WARN_UNUSED;
/* Item numbers, sizes and attributes of a step for each operation of the batch that root has just
 * made. */
void generator_follow(struct generator *generator, const struct generator *root,
                      const struct operation_batch *of, struct operation_batch *batch);

/* What was drawn for the attributes at a position of the last batch, attribute_count numbers; and
 * the way back, to position GENERATOR_RECALLED: a step begins when other batches have been
 * drawn. */
void generator_note_attributes(const struct generator *generator, uint32_t position,
                               uint64_t *drawn);
void generator_recall_attributes(struct generator *generator, const uint64_t *drawn);

/* Once, for a workload with `after`: start_ns is absolute, the other's end plus its own start. */
void generator_start(struct generator *generator, sim_ns start_ns);

/* The next batch of an open workload, at most GENERATOR_BATCH operations, none at or after
 * until_ns; count 0: there is none before until_ns. How operations are split into batches changes
 * none. */
void generator_next(struct generator *generator, sim_ns until_ns, struct operation_batch *batch);

/* One operation of a closed loop at now_ns (below KEY_NOW_NS_MAX); false when its trace is used up
 * or its stop is reached. */
bool generator_draw(struct generator *generator, sim_ns now_ns, struct operation_batch *batch);

/* Whether the workload ends by itself: a trace, a stop, or a rate that ends at 0. */
bool generator_is_finite(const struct generator *generator);

void generator_digest_text(struct generator *generator, char text[DIGEST_TEXT_BYTES]);

#endif
