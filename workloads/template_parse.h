/*
 * template_parse.h - The grammar of key templates: a text with {…} becomes a list of parts.
 *
 * key_template.h says what the parts are; here they are only recognised and checked one by one.
 * Owns: parts and literal texts in the arena.  Cost: O(length), and O(fields) a part.
 */
#ifndef DDBSIM_WORKLOADS_TEMPLATE_PARSE_H
#define DDBSIM_WORKLOADS_TEMPLATE_PARSE_H

#include "sim/arena.h"
#include "sim/err.h"
#include "workloads/calendar.h"
#include "workloads/field.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEMPLATE_BYTES_MAX 16384
#define TEMPLATE_MODULUS_MAX (UINT32_C(1) << 20)

enum key_part_kind {
    KEY_PART_LITERAL,
    KEY_PART_FIELD,
    KEY_PART_HASH,
    KEY_PART_RANDOM,
    KEY_PART_EACH,
    KEY_PART_NOW,
    KEY_PART_SEQ,
};

struct key_part {
    enum key_part_kind kind;
    uint32_t offset;  /* in the template's text, for messages */
    const char *text; /* literal, or the format of {now:…} */
    size_t text_bytes;
    uint32_t field;          /* FIELD, HASH */
    uint32_t modulus;        /* HASH, RANDOM, EACH */
    enum calendar_unit unit; /* NOW: the finest of its format */
    uint32_t digit;          /* which digit of the item number it shows; key_template.c's */
};

struct key_part_list {
    struct key_part *parts;
    uint32_t count;
};

/* What templates may refer to. */
struct template_scope {
    const struct field *fields;
    uint32_t field_count;
};

/* False with *err at the fault's column, or on no memory. */
bool template_parse(struct key_part_list *list, struct arena *arena,
                    const struct scenario_text *text, const struct template_scope *scope,
                    struct err *err) ERR_WARN_UNUSED;

/* The position of an offset in the text of a scalar. A quoted scalar's text starts one column
 * later than the scalar, which is not known here: the column is that of an unquoted one. A text of
 * several lines is pointed at as a whole, what a parameter brought in at its ${name}. */
struct source_position template_position(const struct scenario_text *text, size_t offset);

#endif
