/*
 * trace.h - A CSV file as columns of interned values: the rows of a real log, replayed.
 *
 * Each column keeps its distinct texts once; a row is one number a column. Quoted fields may hold
 * commas, quotes ("") and line ends; blank lines are skipped, and so is a byte order mark. Blanks
 * around a field that is not quoted are no part of it.
 * A time column is read as decimal numbers, exactly, and is relative to the first row.
 *
 * Reads:   RFC 4180 by libcsv, strict. Errors carry file:line, the line on which the row starts.
 * Owns:    everything, in the given arena.  Cost: O(bytes) once; 4 bytes a value and the texts.
 */
#ifndef DDBSIM_WORKLOADS_TRACE_H
#define DDBSIM_WORKLOADS_TRACE_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_TEXT_BYTES_MAX ITEM_BYTES_MAX /* a longer field is most likely an unclosed quote */
#define TRACE_COLUMNS_MAX 4096

struct trace_column {
    const char *name;
    const uint32_t *numbers;  /* by row */
    const char *const *texts; /* by number */
    uint32_t n;               /* distinct texts */
    uint32_t shortest_bytes, longest_bytes;
};

struct trace {
    uint32_t row_count, column_count;
    struct trace_column *columns;
    const sim_ns *times_ns;     /* by row, from 0; NULL: no time column */
    const uint32_t *size_bytes; /* by row; NULL: no size column */
};

/* Reads the file of spec; size_column may be NULL. Fails with one sentence for: unreadable file,
 * missing column (with the near name), two columns of one name, a ragged row, an unclosed or stray
 * quote, a time that goes back or is no number, a size outside 1 … ITEM_BYTES_MAX, no rows, a NUL
 * byte. spec->time_unit_ns is at least 1 when there is a time column. */
bool trace_read(struct trace *trace, struct arena *arena, const struct trace_spec *spec,
                const char *size_column, struct err *err) ERR_WARN_UNUSED;

/* NULL when there is no such column. */
const struct trace_column *trace_find(const struct trace *trace, const char *name);

#endif
