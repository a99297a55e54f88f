/*
 * index_units.h - What a write to a table costs one of its indexes, in nano capacity units.
 *
 *   inserted   none -> entry                              put of the new entry
 *   removed    entry -> none                              delete of the old one
 *   moved      another index key                          both: delete of the old, put of the new
 *   changed    same key, something projected changed      one write, of the larger entry
 *   unchanged  no entry, or nothing in it changed         nothing
 *
 * Every single write is ceil(entry bytes / 1024) units. A transaction doubles the table's units,
 * not the index's.
 *
 * Source:  AWS Developer Guide, "Global secondary indexes" and "Local secondary indexes", write
 *          costs; the larger entry of a change is inferred from the rule for items; transactions:
 *          measured on the service (docs/models/secondary_index.md).
 * Units:   bytes are sizes of entries: table key, index key and projected attributes, with names.
 *          Pure functions, O(1).
 */
#ifndef DDBSIM_MODELS_INDEX_UNITS_H
#define DDBSIM_MODELS_INDEX_UNITS_H

#include "models/capacity_units.h"

#include <stdbool.h>
#include <stdint.h>

/* X(ENUM, name) */
#define INDEX_CHANGES(X)                                                                           \
    X(UNCHANGED, "unchanged")                                                                      \
    X(INSERTED, "inserted")                                                                        \
    X(REMOVED, "removed")                                                                          \
    X(MOVED, "moved")                                                                              \
    X(CHANGED, "changed")

enum index_change {
#define INDEX_CHANGE_ENUM(id, name) INDEX_##id,
    INDEX_CHANGES(INDEX_CHANGE_ENUM)
#undef INDEX_CHANGE_ENUM
        INDEX_CHANGE_COUNT
};

/* An index entry before and after a write; bytes 0: there is none. */
struct index_entries {
    uint32_t old_bytes, new_bytes;
    bool key_changed, projection_changed; /* looked at when there are both */
};

static inline enum index_change index_change_of(const struct index_entries *entries) {
    if (entries->old_bytes == 0 || entries->new_bytes == 0) {
        return entries->new_bytes > 0   ? INDEX_INSERTED
               : entries->old_bytes > 0 ? INDEX_REMOVED
                                        : INDEX_UNCHANGED;
    }
    return entries->key_changed          ? INDEX_MOVED
           : entries->projection_changed ? INDEX_CHANGED
                                         : INDEX_UNCHANGED;
}

/* Units of the delete of an old entry: of INDEX_REMOVED and INDEX_MOVED, else 0. */
static inline int64_t index_delete_ncu(enum index_change change,
                                       const struct index_entries *entries) {
    return change == INDEX_REMOVED || change == INDEX_MOVED
               ? capacity_units_of(entries->old_bytes, WRITE_UNIT_BYTES) * NCU_PER_CU
               : 0;
}

/* Units of the put of a new entry, or of the write that changes one; else 0. */
static inline int64_t index_put_ncu(enum index_change change, const struct index_entries *entries) {
    uint32_t bytes = entries->new_bytes;
    if (change == INDEX_CHANGED && entries->old_bytes > bytes) {
        bytes = entries->old_bytes;
    }
    return change == INDEX_INSERTED || change == INDEX_MOVED || change == INDEX_CHANGED
               ? capacity_units_of(bytes, WRITE_UNIT_BYTES) * NCU_PER_CU
               : 0;
}

#endif
