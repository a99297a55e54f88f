/*
 * scenario_field_law.h - Readers of the laws of fields that are numbers spread unevenly: skewed
 * ranks, hot sets, bell curves, histograms; used only by scenario_field.c, rows of histograms by
 * scenario_size.c, too.
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

/* A row of a histogram: the values from min to max together have the weight. */
struct scenario_field_row {
    int64_t min, max;
    double weight;
};
/* What the values of rows are. */
struct scenario_field_values {
    const char *expected; /* "[value, weight] or [[min, max], weight]" */
    bool (*read)(struct reader *reader, struct document_node *node, int64_t *value);
};
bool scenario_field_row_read(struct reader *reader, struct document_node *node,
                             const struct scenario_field_values *values,
                             struct scenario_field_row *row);
/* Bounds, ranges and weights from the rows of law, at least one. */
bool scenario_field_rows_take(struct reader *reader, const struct document_node *law,
                              const struct scenario_field_row *rows, uint32_t count,
                              struct field_spec *field);

#endif
