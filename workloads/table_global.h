/*
 * table_global.h - AWS::DynamoDB::GlobalTable in the words of AWS::DynamoDB::Table.
 *
 *   WriteProvisionedThroughputSettings                     -> ProvisionedThroughput, write units
 *   Replicas[0].ReadProvisionedThroughputSettings          -> ProvisionedThroughput, read units
 *   the same of each GlobalSecondaryIndex, by IndexName    -> its ProvisionedThroughput
 *
 * A setting that scales itself counts as its MinCapacity, which a new table begins with. The first
 * replica is the one that is simulated. What is decided so is noted.
 * Source: CloudFormation user guide, AWS::DynamoDB::GlobalTable.
 */
#ifndef DDBSIM_WORKLOADS_TABLE_GLOBAL_H
#define DDBSIM_WORKLOADS_TABLE_GLOBAL_H

#include "workloads/reader.h"

#include <stdbool.h>

/* Rewrites properties in place, after the intrinsic functions in it are resolved. */
bool table_global_translate(struct reader *reader, struct document_node *properties);

#endif
