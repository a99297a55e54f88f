/*
 * units_index.h - `--index KIND[:NEW[:OLD]]` of the calculator: what a write does to one index.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_CLI_UNITS_INDEX_H
#define DDBSIM_CLI_UNITS_INDEX_H

#include "cli/json.h"
#include "models/index_units.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define UNITS_INDEXES_MAX 25 /* 20 global and 5 local ones */

struct units_index {
    enum index_change change;
    bool is_local, has_new, has_old;
    struct index_entries entries;
};

/* KIND is unchanged, inserted, removed, moved or changed; NEW and OLD are sizes of the entry. */
bool units_index_parse(struct units_index *index, const char *text, bool is_local, struct err *err)
    ERR_WARN_UNUSED;

/* Entries without a size are as large as the item before and after (projection ALL). False: the
 * change is none that the write could make, or an entry is larger than its item. */
bool units_index_complete(struct units_index *index, uint32_t old_bytes, uint32_t new_bytes,
                          struct err *err) ERR_WARN_UNUSED;

int64_t units_index_ncu(const struct units_index *index);

/* "  index 1, entry moved: 2 WCU (…)", and {"change":"moved","local":false,"wcu":2}; of that many
 * writes. */
void units_index_explain(const struct units_index *index, uint32_t number, uint64_t writes);
void units_index_json(const struct units_index *index, uint64_t writes, struct json *json);

/* "400B", "1.4KB": a size of option, at most an item's. */
bool units_size(const char *option, const char *text, uint32_t *bytes, struct err *err)
    ERR_WARN_UNUSED;

#endif
