/*
 * capacity_units.h - What an operation costs, in nano capacity units.
 *
 *   strong read      max(1, ceil(bytes / 4096))           eventual read  half of that
 *   put, update      max(1, ceil(max(old, new) / 1024))   delete         max(1, ceil(old / 1024))
 *   failed condition as the write; 1 when the item does not exist
 *   batches          member by member
 *   transactions     twice each member (service_transaction.h)
 *   query, scan      a read of all its items' bytes together, page by page of 1 MB
 *
 * Source:  AWS Developer Guide, "DynamoDB read and write operations"; a missing item costs one unit
 *          (half a unit when eventual); DeleteItem of a missing item: 1, inferred.
 * Units:   bytes are item sizes with attribute names, 1 KB = 1024 B. Pure functions, O(1).
 */
#ifndef DDBSIM_MODELS_CAPACITY_UNITS_H
#define DDBSIM_MODELS_CAPACITY_UNITS_H

#include "models/request.h"
#include "models/spec.h"

#include <stdbool.h>
#include <stdint.h>

#define READ_UNIT_BYTES 4096
#define WRITE_UNIT_BYTES 1024
#define PAGE_BYTES (1024 * 1024) /* a Query stops after the item that crosses it */

/* Aborts: an operation or a size that no reader lets through. */
_Noreturn void capacity_units_refuse(int operation, uint32_t old_bytes, uint32_t new_bytes)
    __attribute__((cold));

static inline int64_t capacity_units_of(uint32_t bytes, uint32_t unit_bytes) {
    return bytes == 0 ? 1 : (int64_t)((bytes + unit_bytes - 1) / unit_bytes);
}

/* old_bytes 0: the item does not exist. new_bytes is ignored by reads and deletes. */
static inline int64_t capacity_units_ncu(enum ddb_operation operation, bool consistent_read,
                                         uint32_t old_bytes, uint32_t new_bytes) {
    if (__builtin_expect(old_bytes > ITEM_BYTES_MAX, 0)) {
        capacity_units_refuse((int)operation, old_bytes, new_bytes);
    }
    switch (operation) {
    case DDB_GET_ITEM:
    case DDB_BATCH_GET_ITEM:
        return capacity_units_of(old_bytes, READ_UNIT_BYTES) *
               (consistent_read ? NCU_PER_CU : NCU_PER_CU / 2);
    case DDB_PUT_ITEM:
    case DDB_UPDATE_ITEM:
    case DDB_BATCH_WRITE_ITEM:
        if (__builtin_expect(new_bytes < 1 || new_bytes > ITEM_BYTES_MAX, 0)) {
            capacity_units_refuse((int)operation, old_bytes, new_bytes);
        }
        return capacity_units_of(old_bytes > new_bytes ? old_bytes : new_bytes, WRITE_UNIT_BYTES) *
               NCU_PER_CU;
    case DDB_DELETE_ITEM: return capacity_units_of(old_bytes, WRITE_UNIT_BYTES) * NCU_PER_CU;
    case DDB_QUERY:
    case DDB_SCAN:
    case DDB_TRANSACT_GET_ITEMS:
    case DDB_TRANSACT_WRITE_ITEMS:
    case DDB_OPERATION_COUNT: break;
    }
    capacity_units_refuse((int)operation, old_bytes, new_bytes);
}

/* A write whose condition failed. */
static inline int64_t capacity_units_failed_ncu(enum ddb_operation operation, uint32_t old_bytes,
                                                uint32_t new_bytes) {
    return old_bytes == 0 ? NCU_PER_CU : capacity_units_ncu(operation, false, old_bytes, new_bytes);
}

/* One page of a Query that evaluates items of `bytes` together; 0: it finds nothing. */
static inline int64_t capacity_units_page_ncu(bool consistent_read, uint32_t bytes) {
    return capacity_units_of(bytes, READ_UNIT_BYTES) *
           (consistent_read ? NCU_PER_CU : NCU_PER_CU / 2);
}

/* How many items of that size a full page has: the one that crosses 1 MB is in it. */
static inline uint32_t capacity_units_page_items(uint32_t item_bytes) {
    if (__builtin_expect(item_bytes < 1 || item_bytes > ITEM_BYTES_MAX, 0)) {
        capacity_units_refuse(DDB_QUERY, item_bytes, 0);
    }
    return (PAGE_BYTES + item_bytes - 1) / item_bytes;
}

#endif
