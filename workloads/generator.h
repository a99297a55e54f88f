/*
 * generator.h - One workload as a stream of operations, in batches: time, item number, size.
 *
 *   times (arrivals or trace) -> field numbers -> item number (key_template) -> item size
 *
 * The owner asks for a batch of times, then draws the operations at those times; a closed loop draws one operation
 * at the time it is due. arrivals_digest covers (time, every field's value) of this workload, so that two designs
 * that were offered the same traffic can be told: times of a closed loop are not covered, they depend on responses.
 *
 * Owns: its fields, streams and trace in the arena. Cost: about 15 ns an operation with one Zipf field.
 */
#ifndef DDBSIM_WORKLOADS_GENERATOR_H
#define DDBSIM_WORKLOADS_GENERATOR_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/digest.h"
#include "sim/err.h"
#include "workloads/arrivals.h"
#include "workloads/field.h"
#include "workloads/key_template.h"
#include "workloads/scenario.h"
#include "workloads/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENERATOR_BATCH 512

struct generator {
    const struct workload_spec *workload;
    struct arrivals arrivals;
    struct trace trace;
    struct field *fields; /* the scenario's fields, then the trace's columns */
    uint32_t field_count, column_count;
    struct key_template key_template;
    struct random_stream size_stream;
    uint64_t *values;    /* field_count rows of GENERATOR_BATCH */
    uint64_t sequence;   /* operations drawn */
    uint64_t row;        /* trace rows taken, over all repeats */
    struct digest digest;
};

struct operation_batch {
    sim_ns times_ns[GENERATOR_BATCH];
    uint64_t numbers[GENERATOR_BATCH]; /* item number of member 0 */
    uint32_t sizes_bytes[GENERATOR_BATCH];
    uint64_t first_sequence;
    uint32_t count;
};

/* start_ns: when the workload begins (after `after` is resolved; for one that waits for another it is set by
 * generator_start). False: trace unreadable, template faulty, no memory. */
bool generator_init(struct generator *generator, struct arena *arena, const struct scenario *scenario,
                    uint32_t workload, uint64_t seed, uint64_t replication, struct err *err)
    ERR_WARN_UNUSED;
void generator_fini(struct generator *generator);
void generator_start(struct generator *generator, sim_ns start_ns);

/* The next batch of an open workload, no arrival at or after until_ns; count 0: it has ended. */
void generator_next(struct generator *generator, sim_ns until_ns, struct operation_batch *batch);

/* One operation of a closed loop at now; false when its trace is used up (or stop is reached). */
bool generator_draw(struct generator *generator, sim_ns now_ns, struct operation_batch *batch);

/* Whether the workload ends by itself (trace, or stop). */
bool generator_is_finite(const struct generator *generator);

void generator_digest_text(struct generator *generator, char text[DIGEST_TEXT_BYTES]);

#endif
