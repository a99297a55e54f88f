/*
 * table_scaling.h - Auto scaling of a CloudFormation template in the words of `AutoScaling:`.
 *
 *   AWS::ApplicationAutoScaling::ScalableTarget    -> MinCapacity, MaxCapacity, ScheduledActions
 *   AWS::ApplicationAutoScaling::ScalingPolicy     -> TargetValue, cooldowns, DisableScaleIn
 *   …CapacityAutoScalingSettings of a GlobalTable  -> all of these but actions
 *
 * A target belongs to the table when its ResourceId is table/NAME, or table/NAME/index/INDEX of one
 * of its global indexes, where NAME is the table's name or a Ref to it; a policy is of a target by
 * ScalingTargetId, or by the same ResourceId and ScalableDimension. Resources whose Condition
 * does not hold are not there. What cannot be told here is noted.
 *
 * Source: CloudFormation user guide, both types; Application Auto Scaling API, PutScalingPolicy and
 *         RegisterScalableTarget (which dimensions, metrics and policy types DynamoDB has).
 * Owns:   nothing; nodes are in the reader's arena.  Cost: O(targets · resources).
 */
#ifndef DDBSIM_WORKLOADS_TABLE_SCALING_H
#define DDBSIM_WORKLOADS_TABLE_SCALING_H

#include "workloads/reader.h"
#include "workloads/table_intrinsic.h"

#include <stdbool.h>

/* The directions, as a table names them. */
enum table_scaling_direction { TABLE_SCALING_READ, TABLE_SCALING_WRITE };

/* Adds to owner's AutoScaling what bounds (MinCapacity, MaxCapacity) and the configuration of a
 * target-tracking policy say; what owner has already of that direction wins, key by key. Nodes are
 * moved out of both. */
bool table_scaling_put(struct reader *reader, struct document_node *owner,
                       enum table_scaling_direction direction, struct document_node *bounds,
                       struct document_node *configuration);

/* Adds what the template's scalable targets say of the table, resource. name: the table's TableName
 * in the template, NULL when it has none or it is not known here. */
bool table_scaling_translate(struct reader *reader, const struct table_scope *scope,
                             const struct document_node *resource, const char *name,
                             struct document_node *properties);

/* Refuses auto scaling that the file gives a table which the file itself makes an on-demand one. */
bool table_scaling_check_mode(struct reader *reader, const struct document_node *properties);

#endif
