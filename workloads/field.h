/*
 * field.h - Fields: the random variables of a workload, drawn in batches of numbers.
 *
 * One stream a (workload, field), so every field takes one value an operation whether used or not,
 * and no design shifts the draws of another. A number's text is made only when a key is first
 * touched. How numbers are split into calls does not change them.
 *
 *   constant 0 · sequence 0, 1, … wrapping after n · uniform, zipf by rank · choice by alias table
 *   scrambled: zipf's ranks in a fixed order (permutation.h) · hotset, histogram: a range by alias
 *   table, uniform within · normal, lognormal, exponential, ycsb-zipfian by mass (binned_law.h)
 *   latest: newest - (rank - 1), and the newest number grows with the operations
 *   ycsb-zipfian scrambled: FNV-1a-64 of one of 1e10 + 1 ranks, modulo n, as YCSB does it
 *
 * Source:  YCSB's ScrambledZipfianGenerator (ITEM_COUNT 1e10), HotspotIntegerGenerator (hotset) and
 *          SkewedLatestGenerator (latest; ours keeps the number of recent items constant).
 * Owns:    tables in the arena.  Cost: 1 to 5 ns a number, scrambled ones about 10.
 */
#ifndef DDBSIM_WORKLOADS_FIELD_H
#define DDBSIM_WORKLOADS_FIELD_H

#include "sim/arena.h"
#include "sim/err.h"
#include "sim/random.h"
#include "workloads/alias_table.h"
#include "workloads/binned_law.h"
#include "workloads/permutation.h"
#include "workloads/scenario.h"
#include "workloads/trace.h"
#include "workloads/zipf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELD_TEXT_BYTES 2048 /* = the largest partition key value that DynamoDB takes */
#define FIELD_OPERATIONS_MAX (UINT64_C(1) << 32)     /* latest grows no further after so many */
#define FIELD_YCSB_ITEMS (UINT64_C(10000000000) + 1) /* that YCSB's scrambled variant draws from */
#define FIELD_DIGITS_BYTES 24                        /* a 64-bit number with its sign and NUL */

struct field {
    const struct field_spec *spec;     /* NULL: a trace column */
    const struct trace_column *column; /* NULL: a field */
    const char *name;
    uint64_t n; /* numbers are below it */
    struct random_stream stream;
    struct zipf zipf;
    struct binned_law law;
    struct permutation order;     /* scrambled */
    struct alias_column *choices; /* choice; hotset and histogram: of ranges */
    uint64_t next;                /* sequence; latest: operations before the next one */
};

/* spec: n at least 1, first + n - 1 within int64_t, weights as alias_table_build wants them, ranges
 * within n, n = recent + growth; else as zipf_init, mass_init want it (all checked). name gives the
 * stream. False only on no memory. */
bool field_init(struct field *field, struct arena *arena, const struct field_spec *spec,
                const struct random_name *name, struct err *err) ERR_WARN_UNUSED;

/* A column of a trace as a field; the trace gives its numbers, row by row. */
void field_init_column(struct field *field, const struct trace_column *column);

/* The next count numbers; not for a trace column (checked). */
void field_fill(struct field *field, uint64_t *numbers, size_t count);

/* The text of number, of any length and not always NUL-terminated: in the scenario, the trace, or
 * written to digits. */
const char *field_view(const struct field *field, uint64_t number, char digits[FIELD_DIGITS_BYTES],
                       size_t *length);

/* A copy of the text of number, without NUL; returns its length, at most FIELD_TEXT_BYTES (checked:
 * for columns and choices of unknown length there is field_view). */
size_t field_text(const struct field *field, uint64_t number, char text[FIELD_TEXT_BYTES]);

/* Lower bound and maximum of the length of the field's texts. */
void field_text_lengths(const struct field *field, size_t *shortest, size_t *longest);

/* The next count values of random_below(stream, n), in the same order. */
void field_fill_below(struct random_stream *stream, uint64_t n, uint64_t *numbers, size_t count);

/* Decimal digits of value, no NUL; returns their number. */
size_t field_write_unsigned(uint64_t value, char digits[FIELD_DIGITS_BYTES]);

#endif
