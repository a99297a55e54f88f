/*
 * scenario_parts.h - The sections of a scenario file and the order in which they are read; used
 * only by the scenario_*.c files.
 *
 *   parse -> --set of parameters -> parameters -> --set of TableFrom -> TableFrom -> --set of paths
 *         -> tables, fields, client, model, workload, expect -> templates and traces
 *
 * Owns: nothing; everything is in the scenario's arena.
 */
#ifndef DDBSIM_WORKLOADS_SCENARIO_PARTS_H
#define DDBSIM_WORKLOADS_SCENARIO_PARTS_H

#include "workloads/reader.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENARIO_FIELDS_MAX 256
#define SCENARIO_EXPECTS_MAX 10000
#define SCENARIO_PARAMETERS_MAX 1000

#define SCENARIO_ATTRIBUTES_MAX 256 /* of one workload */

/* Where a workload's texts come from, for messages of what is compiled last. */
struct scenario_workload_nodes {
    const struct document_node *hash_key, *range_key;
};

struct scenario_build {
    struct reader reader;
    struct scenario *scenario;
    struct table_spec *tables; /* the scenario's */
    const char *folder;        /* of relative file names: "" or ending in '/' */
    struct document_node *root;
    const struct scenario_override *overrides;
    size_t override_count;
    struct scenario_workload_nodes *workload_nodes;
};

/* The keys of the top level, known and to come. */
extern const struct reader_keys scenario_top_keys;

/* parameters: with what --set says of them. */
bool scenario_override_parameters(struct scenario_build *build);
bool scenario_parameters_read(struct scenario_build *build);
bool scenario_parameters_note_unused(struct scenario_build *build);
/* The other paths of --set: those that end in TableFrom, or those that do not. */
bool scenario_override_paths(struct scenario_build *build, bool is_table_from);

/* quotas: and whether the tables, which are read, keep to them. */
bool scenario_quotas_read(struct scenario_build *build);
/* Units that no table or index may have more of; `what` has them, at that node. */
bool scenario_quota_check(struct scenario_build *build, const struct document_node *at,
                          const char *what, struct capacity_units units);
bool scenario_fields_read(struct scenario_build *build);
bool scenario_client_read(struct scenario_build *build);
/* client's retry: a profile's name, or {profile, and what differs from it}. */
bool scenario_retry_read(struct reader *reader, struct document_node *node,
                         struct retry_policy *policy);
bool scenario_model_read(struct scenario_build *build);
bool scenario_pricing_read(struct scenario_build *build);
/* A section of parameters by their rows, into the struct that the rows belong to; bit i of *given:
 * row i is there. */
bool scenario_rows_read(struct reader *reader, const struct document_node *section,
                        const struct parameter_row *rows, size_t row_count, void *into,
                        uint64_t *given);
bool scenario_workloads_read(struct scenario_build *build);
/* name and operation of workloads[which]; the workloads before it are read. */
bool scenario_operation_read(struct scenario_build *build, struct document_node *node,
                             struct workload_spec *workloads, uint32_t which);
/* The table of that name, which is there. */
bool scenario_table_find(struct scenario_build *build, const struct scenario_text *name,
                         uint32_t *table);
/* The table that node's `key` names: the only one when it does not. */
bool scenario_table_read(struct scenario_build *build, const struct document_node *node,
                         const char *key, uint32_t *table);
/* A step of then: into workloads[which]; its root is read. */
bool scenario_step_read(struct scenario_build *build, struct document_node *node,
                        struct workload_spec *workloads, uint32_t root, uint32_t which);
/* rate, arrivals, trace of one workload. */
bool scenario_arrivals_read(struct scenario_build *build, const struct document_node *node,
                            struct workload_spec *workload);
/* A probability as a bound: a draw of 64 bits below it is one that comes true. 1 is the largest
 * bound, which all draws but one are below. */
bool scenario_probability_read(struct reader *reader, struct document_node *node, double *value,
                               uint64_t *below);
/* Whether the columns that the scenario names have this one; true when it names none. */
bool scenario_column_check(struct reader *reader, const struct document_node *node,
                           const struct trace_spec *trace, const char *name);
/* TotalSegments, Limit, page_delay of a Scan, whose table and index are known; other operations
 * have none of them. */
bool scenario_scan_read(struct scenario_build *build, const struct document_node *node,
                        struct workload_spec *workload);
/* item, item_size, returns, condition, exists, ConsistentRead of one workload whose table and trace
 * are known. */
bool scenario_item_read(struct scenario_build *build, const struct document_node *node,
                        struct workload_spec *workload, struct scenario_workload_nodes *nodes);
/* A size: 200B, {column: NAME}, or a law such as {uniform: {min, max}}. */
bool scenario_size_read(struct reader *reader, struct document_node *node,
                        const struct trace_spec *trace, struct size_spec *size);
/* `attributes:` and `exists: {…}` of a workload whose table, operation and trace are known. */
bool scenario_attributes_read(struct scenario_build *build, const struct document_node *node,
                              struct workload_spec *workload);
/* IndexName of a workload whose table and operation are known. */
bool scenario_index_read(struct scenario_build *build, const struct document_node *node,
                         struct workload_spec *workload);
/* A global index's node in the scenario, or its table's when a file has the index. */
const struct document_node *scenario_index_node(const struct document_node *table,
                                                const struct index_spec *index);
/* Tables and indexes as they start, against the model that has been read. */
bool scenario_states_check(struct scenario_build *build);
/* actions: of tables that are read, under the model that is. */
bool scenario_actions_read(struct scenario_build *build);
/* Before the actions, after the tables: the indexes that actions make are their tables'. */
bool scenario_new_indexes_read(struct scenario_build *build);
bool scenario_expects_read(struct scenario_build *build);
/* Reads the traces that are there, compiles every field and template, in memory that is freed. */
bool scenario_check_templates(struct scenario_build *build);

#endif
