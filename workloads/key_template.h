/*
 * key_template.h - Key templates, the sharding strategies: text with {…} parts, compiled to
 * arithmetic.
 *
 *   {field}             a field's or trace column's value
 *   {hash(field) % N}   calculated suffix: XXH3-64 of the field's text
 *   {random % N}        random suffix, a draw of its own
 *   {each N}            fan-out: one member for each of 0 … N-1; at most one an item
 *   {now:%Y-%m-%d}      arrival time, UTC; %Y %m %d %H %M %S and %%
 *   {seq}               0, 1, 2 … per workload
 *   {{ and }}           a brace
 *
 * An item of a template pair (hash key, sort key) is one number in mixed radix: each source of
 * variation is a digit, so no text is made on the hot path; key_template_render turns a number back
 * into its texts when a key is first touched. Parts that show the same source share its digit: a
 * field used twice, all {now:…} (whole units of the finest since the start of the run's unit), and
 * {hash(f) % N} beside {f}. Equal numbers have equal texts; different numbers may have equal texts
 * too ("{a}{b}", hours of the day), which keyspace_intern merges.
 *
 *   number = sum of digit * stride; least significant: suffixes, then fields, then {seq} and {now}
 *
 * Owns: parts, digits, tables in the arena.  Cost: about 0.5 ns a digit; a hash digit is looked up
 * in a table by field value up to HASH_TABLE_N_MAX values, else computed (30 ns).
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

#define KEY_HASH_BYTES_MAX 2048 /* AWS guide, constraints */
#define KEY_RANGE_BYTES_MAX 1024
#define KEY_NUMBERS_MAX (UINT64_C(1) << 62)
#define KEY_SEQUENCES_MAX (UINT64_C(1) << 40)
#define KEY_NOW_NS_MAX (2 * SIM_NS_MAX)             /* a start and a trace, ten years each */
#define KEY_START_EPOCH_S_MAX INT64_C(252455616000) /* year 9970: {now} stays within 4 digits */
#define HASH_TABLE_N_MAX (UINT64_C(1) << 22)

struct key_part;
struct key_digit;

struct key_template {
    struct key_part *parts; /* hash key's first, then the sort key's */
    uint32_t part_count, hash_part_count;
    struct key_digit *digits;
    uint32_t digit_count;
    const struct field *fields; /* borrowed */
    uint32_t field_count;
    struct scenario_text hash_key, range_key; /* for messages */
    uint64_t items_below;   /* numbers are below it; 0: no bound that is worth a direct table */
    uint32_t members;       /* N of {each N}, else 1 */
    uint64_t member_stride; /* number(member m) = number(member 0) + m * member_stride */
    int64_t start_epoch_s;
};

/* Compiles both texts over the fields, which must outlive the template; range_key->text NULL for a
 * table without a sort key; start_epoch_s from year 1 to KEY_START_EPOCH_S_MAX. name: seed,
 * replication and workload of the random parts' streams. An error stands at the fault's column:
 * unknown field with suggestion, N not 1 … 2^20, unclosed brace, two {each}, a key that is empty or
 * longer than DynamoDB takes, too many combinations (the digits' product is over KEY_NUMBERS_MAX).
 */
bool key_template_compile(struct key_template *key_template, struct arena *arena,
                          const struct scenario_text *hash_key,
                          const struct scenario_text *range_key, const struct field *fields,
                          uint32_t field_count, const struct random_name *name,
                          int64_t start_epoch_s, struct err *err) ERR_WARN_UNUSED;

/* Whether the numbers depend on field f's values: the others' rows may be left NULL. */
bool key_template_uses(const struct key_template *key_template, uint32_t field);

/* Whether different numbers surely have different partition keys (in a table without a sort key):
 * every part is a number, and a character that is no digit stands between any two. */
bool key_template_texts_differ(const struct key_template *key_template);

/* Numbers of count operations, of member 0: values[f][i] is field f's number in operation i, times
 * are in 0 … KEY_NOW_NS_MAX - 1, sequences count on from first_sequence. */
void key_template_fill(struct key_template *key_template, const uint64_t *const *values,
                       const sim_ns *times_ns, uint64_t first_sequence, uint64_t *numbers,
                       size_t count);

struct key_template_text {
    char hash_key[KEY_HASH_BYTES_MAX + 1], range_key[KEY_RANGE_BYTES_MAX + 1];
    size_t hash_key_bytes, range_key_bytes; /* range_key_bytes 0: the table has none */
};

/* Texts of a number (of any member), NUL-terminated. False with *err set when a text is empty or
 * longer than DynamoDB takes. */
bool key_template_render(const struct key_template *key_template, uint64_t number,
                         struct key_template_text *text, struct err *err) ERR_WARN_UNUSED;

#endif
