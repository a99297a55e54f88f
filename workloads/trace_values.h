/*
 * trace_values.h - What a trace is read into: growing columns of interned texts, and exact numbers.
 *
 * Owns: memory of its own while the file is read; interned_column_seal copies it to an arena.
 * Cost: interning O(length), amortised.
 */
#ifndef DDBSIM_WORKLOADS_TRACE_VALUES_H
#define DDBSIM_WORKLOADS_TRACE_VALUES_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "sim/id_map.h"
#include "workloads/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array that doubles. */
struct trace_array {
    void *elements;
    size_t count, capacity, element_bytes;
};

bool trace_array_push(struct trace_array *array, const void *element, struct err *err)
    ERR_WARN_UNUSED;
/* A copy of the elements in the arena. */
void *trace_array_seal(const struct trace_array *array, struct arena *arena, struct err *err);
void trace_array_fini(struct trace_array *array);

struct interned_column {
    struct id_map ids;          /* from a text's hash */
    struct trace_array texts;   /* const char *, in the arena */
    struct trace_array numbers; /* uint32_t by row */
    size_t shortest_bytes, longest_bytes;
};

bool interned_column_init(struct interned_column *column, struct err *err) ERR_WARN_UNUSED;
void interned_column_fini(struct interned_column *column);
/* Appends one row's text. */
bool interned_column_add(struct interned_column *column, struct arena *arena, const char *text,
                         size_t length, struct err *err) ERR_WARN_UNUSED;
bool interned_column_seal(const struct interned_column *column, struct arena *arena,
                          struct trace_column *sealed, struct err *err) ERR_WARN_UNUSED;

/* A time in nanoseconds from wherever the file counts, such as the year 1601. */
struct trace_time {
    __extension__ __int128 ns;
};

/* A decimal number such as -12.5 times unit_ns, exact down to the nanosecond below (towards minus
 * infinity); false when text is none, or has more than 19 digits before the point. */
bool trace_parse_time(const char *text, size_t length, sim_ns unit_ns, struct trace_time *time);

#endif
