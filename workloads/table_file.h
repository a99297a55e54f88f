/*
 * table_file.h - The properties of one table out of a file of AWS's tools; see table_reader.h.
 *
 * Owns: nothing; nodes are in the reader's arena, marked literal: ${…} is not the scenario's.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_FILE_H
#define DDBSIM_WORKLOADS_TABLE_FILE_H

#include "workloads/reader.h"

#include <stdbool.h>

struct table_file {
    struct document_node *properties;       /* a mapping with TableName in it */
    const struct document_node *parameters; /* "Parameters:" of a template, or NULL */
};

/* from: the text "FILE" or "FILE#LogicalId"; a relative FILE is looked for in folder. */
bool table_file_read(struct reader *reader, const char *folder, struct document_node *from,
                     struct table_file *file);

/* Resolves Ref and Fn::Sub in the properties that the model reads, where they are still the file's;
 * other functions are refused. A Ref means a scenario's parameter, then a template's default. */
bool table_file_resolve(struct reader *reader, const struct table_file *file);

#endif
