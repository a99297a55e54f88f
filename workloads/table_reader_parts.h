/*
 * table_reader_parts.h - What tables and their indexes read alike; used only by table_reader*.c and
 * scenario_actions.c.
 *
 * Owns: nothing; everything is in the reader's arena.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_READER_PARTS_H
#define DDBSIM_WORKLOADS_TABLE_READER_PARTS_H

#include "models/spec.h"
#include "workloads/reader.h"

#include <stdbool.h>
#include <stdint.h>

#define TABLE_ATTRIBUTES_MAX 64

/* AttributeDefinitions, and which of them some key has. */
struct table_attributes {
    struct key_attribute rows[TABLE_ATTRIBUTES_MAX];
    const struct document_node *nodes[TABLE_ATTRIBUTES_MAX];
    bool is_used[TABLE_ATTRIBUTES_MAX];
    uint32_t count;
};

/* The KeySchema of a table or an index. */
bool table_reader_key_schema(struct reader *reader, const struct document_node *owner,
                             struct table_attributes *attributes, struct key_attribute *hash_key,
                             struct key_attribute *range_key);
/* What a table or a global index is given. */
struct table_capacity {
    int64_t read_capacity_units, write_capacity_units; /* on-demand: 0 */
    struct throughput_spec throughput;
    int64_t initial_partitions;
    sim_ns initial_burst_ns;
};

/* A BillingMode; NULL: PROVISIONED. */
bool table_reader_mode(struct reader *reader, struct document_node *node, enum billing_mode *mode);
/* owner's ProvisionedThroughput or OnDemandThroughput, WarmThroughput, AutoScaling and `state:`. */
bool table_reader_capacity(struct reader *reader, const struct document_node *owner,
                           enum billing_mode mode, struct table_capacity *capacity);
/* A ProvisionedThroughput; an OnDemandThroughput, a WarmThroughput, NULL: none. What is left out
 * stays as it is; -1, no maximum, is 0. */
bool table_reader_units(struct reader *reader, const struct document_node *throughput,
                        struct capacity_units *units);
bool table_reader_maximum(struct reader *reader, const struct document_node *node,
                          struct capacity_units *units);
bool table_reader_warm(struct reader *reader, const struct document_node *node,
                       struct capacity_units *units);
/* Refuses a property of the other billing mode. A file may have it, as describe-table prints both:
 * then it is noted. NULL: none. */
bool table_reader_refuse_other_mode(struct reader *reader, const struct document_node *node,
                                    const char *rule);
/* AutoScaling, NULL: none. */
bool table_reader_scaling(struct reader *reader, const struct document_node *node,
                          enum billing_mode mode, struct throughput_spec *throughput);
/* owner's `pin:`; initial_partitions 0: by formula. */
bool table_reader_pins(struct reader *reader, const struct document_node *pins,
                       int64_t initial_partitions, const struct table_pin **rows, uint32_t *count);

/* GlobalSecondaryIndexes and LocalSecondaryIndexes of a table whose keys are read. */
bool table_reader_indexes(struct reader *reader, const struct document_node *table,
                          struct table_attributes *attributes, struct table_spec *spec);

/* An index that a call of UpdateTable makes, as its Create says: behind the global ones that the
 * table has. */
bool table_reader_new_index(struct reader *reader, const struct document_node *create,
                            struct table_attributes *attributes, struct table_spec *spec);
/* The same with the attributes that the table and the call define. table: its node. */
bool table_reader_add_index(struct reader *reader, const struct document_node *table,
                            const struct document_node *call, const struct document_node *create,
                            struct table_spec *spec);

#endif
