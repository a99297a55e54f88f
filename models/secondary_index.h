/*
 * secondary_index.h - The indexes of one table: what each write owes them, and when it is written.
 *
 * An item is, for its indexes, a value for each attribute that an index has: the number of a text,
 * a mere size, or nothing. From the values before and after a write follows what becomes of each
 * entry (index_units.h); an entry is there when the item has all of the index's key attributes.
 *
 *   PutItem      the item holds what is given, nothing else        DeleteItem   nothing
 *   UpdateItem   what is given is set, the rest stays
 *   size of an entry = table key + index key + projected attributes; ALL: the item; never more
 *   an item's other attributes are new with each PutItem, and with an UpdateItem that gives none,
 *   or gives one that no index has
 *
 * A local index shares the table's partitions: its units are part of the write's price. A global
 * index is a resource of its own: partitions, keys, provisioned read and write capacity. When its
 * entries are written, and what happens when it falls behind, is index_backlog.h. It is worked out
 * when somebody asks (_advance), like a token bucket's refill: exact, however seldom it is asked.
 *
 * Source:  AWS Developer Guide, "Global secondary indexes", "Local secondary indexes":
 *          docs/models/secondary_index.md.
 * Invariants (audited): index_backlog.h, token_bucket.h; what partitions took = what was projected.
 * Owns:    its indexes (arena), maps of values (_fini).  Cost: O(attributes + indexes) a write,
 *          O(1) an entry; a table without indexes has none of this.
 */
#ifndef DDBSIM_MODELS_SECONDARY_INDEX_H
#define DDBSIM_MODELS_SECONDARY_INDEX_H

#include "models/adaptive_capacity.h"
#include "models/global_admission.h"
#include "models/index_backfill.h"
#include "models/index_backlog.h"
#include "models/index_units.h"
#include "models/keyspace.h"
#include "models/on_demand.h"
#include "models/on_demand_limits.h"
#include "models/partition.h"
#include "models/request.h"
#include "models/spec.h"
#include "sim/arena.h"
#include "sim/check.h"
#include "sim/err.h"
#include "sim/grow_array.h"
#include "sim/id_map.h"

#include <stdbool.h>
#include <stdint.h>

/* Where an attribute's value comes from. */
enum attribute_origin { ATTRIBUTE_GIVEN, ATTRIBUTE_HASH_KEY, ATTRIBUTE_RANGE_KEY };

/* Two hashes are taken as the text, as in keyspace.h. */
struct value_text {
    uint64_t check;
    uint32_t bytes; /* with the attribute's name */
    uint64_t sort;  /* of an index's sort key: its place by sort_position.h */
};

/* An attribute that some index of the table has, and its texts so far, numbered by first use. */
struct index_attribute {
    const char *name;
    char type;
    enum attribute_origin origin; /* the table's own key: fixed for an item */
    bool is_sort_key;             /* of an index */
    struct id_map by_text;
    struct grow_array texts;         /* struct value_text by value */
    struct sort_text sort_reference; /* of a sort key, the first one; bytes NULL: none yet */
};

struct secondary_index {
    const struct index_spec *spec;
    /* a global one's partition key first; the table's own only there */
    uint32_t key_attributes[2], key_attribute_count;
    const uint32_t *projected_attributes; /* INCLUDE: beside all keys */
    uint32_t projected_attribute_count;
    /* what the write that is under way does to it */
    struct index_entries entries;
    enum index_change change;
    uint32_t old_key, new_key;
    uint64_t old_sort, new_sort; /* of the entries, within their key */
    /* global ones only; a key's number is the value's of its attribute */
    struct global_admission read;
    struct adaptive_capacity *read_shares; /* in place of read; NULL: era gac. The service's */
    struct capacity_units provisioned;     /* on-demand: 0 */
    struct on_demand_limits read_limits;   /* on-demand, in place of read */
    bool is_on_demand;
    struct on_demand peak;
    struct token_bucket write; /* on-demand: the least of what limits it */
    uint16_t write_reason;     /* what a debt of it is a case of */
    struct partition_set set;
    struct keyspace keyspace;
    struct index_backlog backlog;
    enum index_stage stage;
    struct index_backfill *backfill; /* NULL: there from the start */
    uint64_t early_reads;            /* that came before it was active */
    uint16_t refuses;                /* why it refuses the write that is under way */
    struct index_refusals refusals;  /* since somebody asked */
};

struct secondary_indexes {
    struct secondary_index *list;
    uint32_t count, global_count; /* global ones first */
    struct index_attribute *attributes;
    uint32_t attribute_count;
    const struct table_spec *table; /* borrowed */
    struct grow_array values;       /* attribute_count struct attribute_value by item */
    struct grow_array key_bytes;    /* uint32_t by item: table key with names */
    struct attribute_value *next;   /* by attribute: after the write that is under way */
    bool *changed;
};

/* Salts the places of an index's keys: by the table's salt and the index's name. */
uint64_t secondary_index_salt(uint64_t table_salt, const char *index_name);

/* The table's spec has at least one index; it is borrowed until _fini. False: no memory, too many
 * partitions, a pin to none; nothing to free. */
bool secondary_indexes_init(struct secondary_indexes *indexes, struct arena *arena,
                            const struct table_spec *table,
                            const struct model_parameters *parameters, uint64_t table_salt,
                            struct err *err) ERR_WARN_UNUSED;
void secondary_indexes_fini(struct secondary_indexes *indexes);

/* ATTRIBUTE_OF_NO_INDEX when no index has it. */
uint32_t secondary_indexes_attribute(const struct secondary_indexes *indexes, const char *name);

/* The value that text is. New ones become keys of the global indexes that are keyed by the
 * attribute. False: a text of no bytes or more than DynamoDB takes for a key, no memory. */
bool secondary_indexes_value(struct secondary_indexes *indexes, uint32_t attribute,
                             const char *text, size_t text_bytes, struct attribute_value *value,
                             struct err *err) ERR_WARN_UNUSED;

/* After an item was interned: a new one holds its own key and no attributes. */
bool secondary_indexes_add_item(struct secondary_indexes *indexes, uint32_t item,
                                const struct key_text *text, struct err *err) ERR_WARN_UNUSED;

/* What a write of an item does to every index. */
struct index_plan {
    enum ddb_operation operation;
    uint32_t item, old_bytes, new_bytes; /* of the item; old_bytes 0: it does not exist */
    const uint32_t *attributes;          /* that are given */
    const struct attribute_value *values;
    uint32_t attribute_count;
};

/* Prices the write and remembers it; returns the local indexes' nano-units. Changes nothing yet. */
int64_t secondary_indexes_plan(struct secondary_indexes *indexes, const struct index_plan *plan);
/* By how much the planned write makes the local entries larger. */
int64_t secondary_indexes_local_growth(const struct secondary_indexes *indexes);
/* What an item of that size has in a global index; bytes 0: no entry. */
struct index_holding {
    uint32_t bytes, key;
    uint64_t sort;
};
struct index_holding secondary_indexes_holding(const struct secondary_indexes *indexes,
                                               const struct secondary_index *index, uint32_t item,
                                               uint32_t item_bytes);
/* Bytes that it has in all local ones. */
uint64_t secondary_indexes_local_bytes(const struct secondary_indexes *indexes, uint32_t item,
                                       uint32_t item_bytes);
/* Reasons for which the indexes refuse any write at now to that base partition of the table's
 * `bases`; 0: none. */
uint16_t secondary_indexes_refuse(struct secondary_indexes *indexes, sim_ns now_ns, uint32_t base,
                                  uint32_t bases);
/* A write for which _refuse has given reasons was refused: an event on each index that has one. */
void secondary_indexes_count_refusal(struct secondary_indexes *indexes);
/* The planned write to an item of that base partition was admitted at now: the item changes, global
 * indexes are owed their entries. Room for two entries an index must have been reserved. */
void secondary_indexes_commit(struct secondary_indexes *indexes, uint32_t item, uint32_t base,
                              sim_ns now_ns);
bool secondary_indexes_reserve(struct secondary_indexes *indexes, uint32_t writes, uint32_t bases,
                               struct err *err) ERR_WARN_UNUSED;

/* Sets what an item holds that exists before its first use. */
void secondary_indexes_hold(struct secondary_indexes *indexes, uint32_t item,
                            const uint32_t *attributes, const struct attribute_value *values,
                            uint32_t attribute_count);

/* Provisioned write capacity from now on, with so much saved. */
void secondary_index_set_writes(struct secondary_index *index, sim_ns now_ns, int64_t rate_cu_per_s,
                                sim_ns saved_ns, const struct model_parameters *parameters);

/* Checks what is written to a global index and opens the next window; aborts on a breach. Its reads
 * are audited by the service, before. */
void secondary_index_audit(struct secondary_index *index, sim_ns now_ns);

static inline const struct value_text *
secondary_indexes_text(const struct index_attribute *attribute, uint32_t value) {
    SIM_CHECK(value < attribute->texts.count);
    return grow_array_at(&attribute->texts, value);
}

size_t secondary_indexes_map_bytes(const struct secondary_indexes *indexes);

#endif
