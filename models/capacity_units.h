/*
 * capacity_units.h - What an operation costs, in nano capacity units.
 *
 *   strong read      max(1, ceil(bytes / 4096))           eventual read  half of that
 *   put, update      max(1, ceil(max(old, new) / 1024))   delete         max(1, ceil(old / 1024))
 *
 * Source:  AWS Developer Guide, "DynamoDB read and write operations"; a missing item costs one unit
 *          (half a unit when eventual); DeleteItem of a missing item: 1, inferred.
 * Units:   bytes are item sizes with attribute names, 1 KB = 1024 B. Pure functions, O(1).
 */
#ifndef DDBSIM_MODELS_CAPACITY_UNITS_H
#define DDBSIM_MODELS_CAPACITY_UNITS_H

#include "models/request.h"

#include <stdbool.h>
#include <stdint.h>

/* old_bytes 0: the item does not exist. new_bytes is ignored by reads and deletes. */
int64_t capacity_units_ncu(enum ddb_operation operation, bool consistent_read, uint32_t old_bytes,
                           uint32_t new_bytes);

#endif
