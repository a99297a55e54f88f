/*
 * key_template.h - Key templates, the sharding strategies: text with {…} parts, compiled to arithmetic.
 *
 *   {field}             a field's or trace column's value
 *   {hash(field) % N}   calculated suffix: XXH3-64 of the field's text
 *   {random % N}        random suffix, a draw of its own
 *   {each N}            fan-out: one member for each of 0 … N-1; at most one an item
 *   {now:%Y-%m-%d}      arrival time, UTC; %Y %m %d %H %M %S
 *   {seq}               0, 1, 2 … per workload
 *   {{ and }}           a brace
 *
 * An item of a template pair (hash key, sort key) is one number in mixed radix: each part contributes a digit, so no text is
 * made on the hot path; key_template_render turns a number back into its texts when a key is first touched.
 * {now:…} is a digit of whole units (day, hour, …) since the start of the run.
 */
#ifndef DDBSIM_WORKLOADS_KEY_TEMPLATE_H
#define DDBSIM_WORKLOADS_KEY_TEMPLATE_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "sim/random.h"
#include "workloads/field.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_HASH_BYTES_MAX 2048  /* AWS guide, constraints */
#define KEY_RANGE_BYTES_MAX 1024

struct key_part;

struct key_template {
    struct key_part *parts; /* hash key's first, then the sort key's */
    uint32_t part_count, hash_part_count;
    uint64_t items_below;   /* numbers are below it; 0: no bound that is worth a direct table */
    uint32_t members;       /* N of {each N}, else 1 */
    uint64_t member_stride; /* number(member m) = number(member 0) + m * member_stride */
    int64_t start_epoch_s;
};

/* Compiles both texts over the fields; range_key->text NULL for a table without a sort key. An error stands at the
 * fault's column: unknown field with suggestion, N not 1 … 2^20, unclosed brace, two {each}, too many combinations. */
bool key_template_compile(struct key_template *key_template, struct arena *arena,
                          const struct scenario_text *hash_key, const struct scenario_text *range_key,
                          const struct field *fields, uint32_t field_count, const struct random_name *name,
                          int64_t start_epoch_s, struct err *err) ERR_WARN_UNUSED;

/* Numbers of count operations: values[f][i] is field f's number in operation i, sequences count on from first_sequence. */
void key_template_fill(struct key_template *key_template, const uint64_t *const *values,
                       const sim_ns *times_ns, uint64_t first_sequence, uint64_t *numbers, size_t count);

struct key_template_text {
    char hash_key[KEY_HASH_BYTES_MAX + 1], range_key[KEY_RANGE_BYTES_MAX + 1];
    size_t hash_key_bytes, range_key_bytes;
};

/* False with *err set when a text is empty or longer than DynamoDB takes. */
bool key_template_render(const struct key_template *key_template, uint64_t number,
                         struct key_template_text *text, struct err *err) ERR_WARN_UNUSED;

#endif
