/*
 * table_reader.h - Tables out of AWS's own words: CloudFormation properties, describe-table,
 * create-table.
 *
 *   tables:
 *     - TableName: orders              properties of AWS::DynamoDB::Table, verbatim
 *       …
 *     - TableFrom: stack.yaml#Orders   a file that has them; what stands beside it wins, key by key
 *
 * A file is one of: what `aws dynamodb describe-table` (or create-table, update-table) prints,
 * wrapped in Table or TableDescription; `create-table --cli-input-json`; a CloudFormation template,
 * whose Ref and Fn::Sub are resolved from the scenario's parameters, then from the template's
 * defaults. Properties that AWS knows and the model does not are accepted and noted.
 *
 * Source: AWS CloudFormation reference, AWS::DynamoDB::Table; DynamoDB API, TableDescription.
 * Owns:   nothing; everything is in the reader's arena.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_READER_H
#define DDBSIM_WORKLOADS_TABLE_READER_H

#include "models/spec.h"
#include "workloads/reader.h"

#include <stdbool.h>

/* Replaces TableFrom in the table's mapping by the properties of that file; folder: of relative
 * names. True when there is no TableFrom. */
bool table_reader_expand(struct reader *reader, const char *folder, struct document_node *table);

/* Checks the properties as AWS does and fills *spec. */
bool table_reader_read(struct reader *reader, const struct document_node *table,
                       struct table_spec *spec);

#endif
