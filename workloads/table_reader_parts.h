/*
 * table_reader_parts.h - What tables and their indexes read alike; used only by table_reader*.c.
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
/* owner's ProvisionedThroughput. */
bool table_reader_throughput(struct reader *reader, const struct document_node *owner,
                             int64_t *read_capacity_units, int64_t *write_capacity_units);
/* owner's `state:`; NULL is none. */
bool table_reader_state(struct reader *reader, const struct document_node *state,
                        int64_t *initial_partitions, sim_ns *initial_burst_ns);
/* owner's `pin:`; initial_partitions 0: by formula. */
bool table_reader_pins(struct reader *reader, const struct document_node *pins,
                       int64_t initial_partitions, const struct table_pin **rows, uint32_t *count);

/* GlobalSecondaryIndexes and LocalSecondaryIndexes of a table whose keys are read. */
bool table_reader_indexes(struct reader *reader, const struct document_node *table,
                          struct table_attributes *attributes, struct table_spec *spec);

#endif
