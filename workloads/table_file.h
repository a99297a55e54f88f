/*
 * table_file.h - The properties of one table out of a file of AWS's tools; see table_reader.h.
 *
 * Owns: nothing; nodes are in the reader's arena, marked literal: ${…} is not the scenario's.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_FILE_H
#define DDBSIM_WORKLOADS_TABLE_FILE_H

#include "workloads/reader.h"
#include "workloads/table_intrinsic.h"

#include <stdbool.h>

struct table_file {
    struct document_node *properties;      /* a mapping with TableName in it */
    struct table_scope scope;              /* of a template; else empty */
    const struct document_node *resource;  /* of a template: its key names a table without a name */
    const struct document_node *resources; /* of a template: all of it */
    const struct document_node *table_name; /* as the template writes it, NULL when it does not */
};

/* from: the text "FILE" or "FILE#LogicalId"; a relative FILE is looked for in folder. */
bool table_file_read(struct reader *reader, const char *folder, struct document_node *from,
                     struct table_file *file);

/* Resolves intrinsic functions in the properties that the model reads, where they are still the
 * file's, and adds the template's auto scaling of the table. */
bool table_file_resolve(struct reader *reader, const struct table_file *file);

#endif
