/*
 * scenario_field_law.h - Readers of the laws of fields that are numbers spread unevenly: skewed
 * ranks, hot sets, bell curves, histograms; used only by scenario_field.c.
 *
 * Owns: nothing; ranges and weights are in the reader's arena.
 */
#ifndef DDBSIM_WORKLOADS_SCENARIO_FIELD_LAW_H
#define DDBSIM_WORKLOADS_SCENARIO_FIELD_LAW_H

#include "workloads/reader.h"

#include <stdbool.h>
#include <stdint.h>

#define FIELD_N_MAX (INT64_C(1) << 48)
#define FIELD_FIRST_MAX (INT64_C(1) << 60)
#define FIELD_EXPONENT_MAX 20.0
#define FIELD_WEIGHT_MAX 1e12

/* n and first from "min" and "max" of a mapping, both required, min at least `least`. */
bool scenario_field_range_read(struct reader *reader, const struct document_node *node,
                               int64_t least, struct field_spec *field);

/* One law, field->law, from its mapping or list. */
bool scenario_field_ranked_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field); /* zipf, scrambled */
bool scenario_field_ycsb_read(struct reader *reader, const struct document_node *node,
                              struct field_spec *field);
bool scenario_field_latest_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field);
bool scenario_field_hotset_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field);
bool scenario_field_normal_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field);
bool scenario_field_lognormal_read(struct reader *reader, const struct document_node *node,
                                   struct field_spec *field);
bool scenario_field_exponential_read(struct reader *reader, const struct document_node *node,
                                     struct field_spec *field);
bool scenario_field_histogram_read(struct reader *reader, const struct document_node *node,
                                   struct field_spec *field);

#endif
