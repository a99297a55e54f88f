/*
 * table_intrinsic.h - CloudFormation's intrinsic functions, as far as a table's properties need
 * them.
 *
 *   Ref, Fn::Sub     a scenario's parameter, then the template's default, then a pseudo parameter
 *   Fn::FindInMap    of the template's Mappings
 *   Fn::If           by the template's Conditions: Fn::Equals, Fn::And, Fn::Or, Fn::Not, Condition
 *   Fn::Join, Fn::Select
 *
 * The short forms (!Ref) are the same. Others are refused: their value is known at deployment only.
 * Owns: nothing; texts are in the reader's arena.  Cost: O(nodes); a circle of conditions is
 * refused.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_INTRINSIC_H
#define DDBSIM_WORKLOADS_TABLE_INTRINSIC_H

#include "workloads/reader.h"

#include <stdbool.h>

/* The sections of a template, NULL when it lacks them. With resources, a Ref to one of them is the
 * text "${NAME}", which no name of a table or index can be. */
struct table_scope {
    const struct document_node *parameters, *mappings, *conditions, *resources;
};

/* Replaces every function in node by its value, in place. *is_absent: node itself stands for
 * AWS::NoValue, and is to be taken out; what is so below it is taken out. */
bool table_intrinsic_resolve(struct reader *reader, const struct table_scope *scope,
                             struct document_node *node, bool *is_absent);

/* Whether the template's condition holds that node names. */
bool table_intrinsic_holds(struct reader *reader, const struct table_scope *scope,
                           const struct document_node *node, bool *holds);

#endif
