/*
 * table_file.h - The properties of one table out of a file of AWS's tools; see table_reader.h.
 *
 * Owns: nothing; nodes are in the reader's arena, marked literal: ${…} in them is not the scenario's.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_FILE_H
#define DDBSIM_WORKLOADS_TABLE_FILE_H

#include "workloads/reader.h"

#include <stdbool.h>

/* from: the text "FILE" or "FILE#LogicalId"; a relative FILE is looked for in folder. *properties is a
 * mapping with TableName in it; Ref and Fn::Sub are resolved in all but the properties that are not
 * modelled. */
bool table_file_read(struct reader *reader, const char *folder, struct document_node *from,
                     struct document_node **properties);

#endif
