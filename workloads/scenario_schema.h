/*
 * scenario_schema.h - A JSON Schema of scenario files, for editors, learnt from what the reader
 * asks.
 *
 * While a scenario is read, each of its values is noted with what was asked of it: a number, a
 * duration, one of some words, a mapping with these keys (reader.h). The schema is the union over
 * the scenarios that it was shown: the keys are the reader's own lists, also those that no scenario
 * has; a key is required when every scenario had to have it; a value that was never read may be
 * anything. ${…} is allowed wherever a value is.
 *
 * So there is one source of truth, and the scenarios only have to show each form of a value once:
 * grammar.yaml is there for that.
 * Source: JSON Schema, draft 2020-12.
 * Owns:   everything, in an arena of its own.  Cost: O(values * depth).
 */
#ifndef DDBSIM_WORKLOADS_SCENARIO_SCHEMA_H
#define DDBSIM_WORKLOADS_SCENARIO_SCHEMA_H

#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>

struct schema_node;

struct scenario_schema {
    struct arena arena;
    struct schema_node *root;
};

/* False on no memory; _fini is due anyway. */
bool scenario_schema_init(struct scenario_schema *schema, struct err *err) ERR_WARN_UNUSED;
void scenario_schema_fini(struct scenario_schema *schema);

/* Reads a scenario as scenario_read_text does, and learns from it. */
bool scenario_schema_learn(struct scenario_schema *schema, const char *path, const char *text,
                           size_t length, struct err *err) ERR_WARN_UNUSED;

/* The schema as JSON, in the schema's arena; NULL on no memory. */
const char *scenario_schema_text(struct scenario_schema *schema, struct err *err);

#endif
