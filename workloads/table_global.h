/*
 * table_global.h - AWS::DynamoDB::GlobalTable in the words of AWS::DynamoDB::Table.
 *
 *   WriteProvisionedThroughputSettings                     -> ProvisionedThroughput, write units
 *   Replicas[0].ReadProvisionedThroughputSettings          -> ProvisionedThroughput, read units
 *   the same of each GlobalSecondaryIndex, by IndexName    -> its ProvisionedThroughput
 *
 *   …CapacityAutoScalingSettings of them                   -> its AutoScaling; table_scaling.h
 *
 * Units that scale begin at MinCapacity, as a new table does. The first replica is the one that is
 * simulated, which is noted.
 * Source: CloudFormation user guide, AWS::DynamoDB::GlobalTable.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_GLOBAL_H
#define DDBSIM_WORKLOADS_TABLE_GLOBAL_H

#include "workloads/reader.h"

#include <stdbool.h>

/* Rewrites properties in place, after the intrinsic functions in it are resolved. */
bool table_global_translate(struct reader *reader, struct document_node *properties);

#endif
