/*
 * keyspace.h - The keys and items that a run has touched: identity, place on the ring, state.
 *
 *   ring position = XXH3-64(partition key, salt); salt by (seed, replication, table), or by table
 *                   alone with placement = fixed; a pinned key lies within its pin's partition
 *   identity      = the text, taken as equal when position and a second XXH3-64 agree (128 bits;
 *                   fewer for a pinned key)
 *
 * Keys are numbered from 0 by first use, and so are items unless the caller numbers them
 * (keyspace_number_items). If not, item = key in a table without a sort key.
 * Source:  AWS Developer Guide, "Partitions and data distribution"; the hash is unpublished.
 * Owns:    maps and arrays; no text is kept: whoever interned a key can print it again.
 * Cost:    intern: two hashes and a map probe, first use only. Hot path: one array read. About 70
 *          bytes a key without sort key: 40 in arrays, 21 to 43 in the map. After a split: a
 *          descent, once an item.
 */
#ifndef DDBSIM_MODELS_KEYSPACE_H
#define DDBSIM_MODELS_KEYSPACE_H

#include "models/partition.h"
#include "models/sort_position.h"
#include "models/spec.h"
#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"
#include "sim/id_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGE_KEY_BYTES_MAX 1024 /* AWS guide, constraints */
#define KEYSPACE_CHUNK_SHIFT 12  /* keys and items a chunk, as a power of 2 */

struct key_identity {
    uint64_t position; /* on the ring */
    uint64_t check;    /* second hash of the text */
};

struct key_place {
    uint64_t position;  /* on the ring */
    uint32_t partition; /* that holds or once held all of the key's items */
};

/* What a request needs of an item, never across two cache lines. */
struct item_state {
    _Alignas(16) uint32_t key;
    uint32_t bytes;     /* 0: the item does not exist */
    uint32_t partition; /* that holds it, or held it at its last use and was split since */
    bool is_known;      /* false: a number that nobody has touched yet (keyspace_number_items) */
};

struct keyspace {
    uint64_t salt;
    const char *table_name; /* borrowed, for messages */
    bool has_range_key;
    bool has_numbered_items;      /* keyspace_number_items */
    struct grow_array keys;       /* struct key_place by key */
    struct grow_array key_checks; /* uint64_t by key: second hash; only of interned keys */
    struct grow_array items;      /* struct item_state by item */
    struct grow_array
        item_identities; /* tables with a sort key: second hash of (key, sort key) by item */
    struct grow_array item_sorts; /* the same: uint64_t by item, its place by sort_position.h */
    char range_key_type;
    struct sort_text sort_reference;   /* the first sort key; bytes NULL: none yet */
    uint64_t found_items, found_bytes; /* that existed before their first use */
    struct id_map keys_by_hash, items_by_hash;
    const struct table_pin *pins; /* borrowed */
    uint64_t *pin_checks;         /* second hash of the pinned keys */
    uint32_t pin_count;
};

struct key_text {
    const char *hash_key;
    size_t hash_key_bytes;
    const char *range_key; /* NULL: the table has none */
    size_t range_key_bytes;
};

struct intern_result {
    uint32_t item, key;
};

/* table and its texts are borrowed until _fini. On failure there is nothing to free. */
bool keyspace_init(struct keyspace *keyspace, struct arena *arena, const struct table_spec *table,
                   uint64_t salt, struct err *err) ERR_WARN_UNUSED;
void keyspace_fini(struct keyspace *keyspace);

/* Numbers the key and the item of text; a new item starts with initial_bytes (0: absent), one that
 * is known keeps its state. False with *err set: a key that is empty or longer than DynamoDB takes
 * (2,048 bytes, sort key 1,024), no memory. */
bool keyspace_intern(struct keyspace *keyspace, const struct partition_set *set,
                     const struct key_text *text, uint32_t initial_bytes,
                     struct intern_result *result, struct err *err) ERR_WARN_UNUSED;

/* Numbers the key of a text alone, in a table with a sort key: it may have no item yet. */
bool keyspace_intern_hash(struct keyspace *keyspace, const struct partition_set *set,
                          const struct key_text *text, uint32_t *key, struct err *err)
    ERR_WARN_UNUSED;

/* The two halves of interning after hashing, apart so that tests can make hashes collide. */
bool keyspace_intern_key(struct keyspace *keyspace, const struct partition_set *set,
                         const struct key_identity *identity, uint32_t *key, struct err *err)
    ERR_WARN_UNUSED;
/* number: first hash of (key, sort key), check: second one. */
bool keyspace_intern_item(struct keyspace *keyspace, uint32_t key, uint64_t number, uint64_t check,
                          uint32_t initial_bytes, uint32_t *item, struct err *err) ERR_WARN_UNUSED;

/* Memory held outside of the arena. */
size_t keyspace_map_bytes(const struct keyspace *keyspace);

/* The same for a text that the caller knows to be new, in a table without a sort key of which every
 * key comes this way: no map is kept, which saves time and about 30 bytes a key. */
bool keyspace_append(struct keyspace *keyspace, const struct partition_set *set,
                     const struct key_text *text, uint32_t initial_bytes,
                     struct intern_result *result, struct err *err) ERR_WARN_UNUSED;

/* Lets the caller number the items of a table without a sort key: 0 … count - 1. Before the first
 * key; every one comes by keyspace_append_numbered then. 16 bytes a number, made as they are
 * touched. */
bool keyspace_number_items(struct keyspace *keyspace, uint32_t count, struct err *err)
    ERR_WARN_UNUSED;
/* keyspace_append to the item of that number, which is not known yet (checked). */
bool keyspace_append_numbered(struct keyspace *keyspace, const struct partition_set *set,
                              const struct key_text *text, uint32_t initial_bytes, uint32_t item,
                              uint32_t *key, struct err *err) ERR_WARN_UNUSED;

/* An item of the array `items`. */
static inline struct item_state *keyspace_item_at(const struct grow_array *items, uint32_t item) {
    return grow_array_at_known(items, item, sizeof(struct item_state), KEYSPACE_CHUNK_SHIFT);
}
static inline struct item_state *keyspace_item(const struct keyspace *keyspace, uint32_t item) {
    return keyspace_item_at(&keyspace->items, item);
}

/* Where an item lies, or the first of a key's. */
struct partition_place keyspace_item_place(const struct keyspace *keyspace, uint32_t item);
struct partition_place keyspace_key_place(const struct keyspace *keyspace, uint32_t key);
/* The open partition of an item whose own was split; it is remembered. */
uint32_t keyspace_move_item(const struct keyspace *keyspace, const struct partition_set *set,
                            uint32_t item);
/* The open partition of a place within a key; sort 0: of the first of its items. */
uint32_t keyspace_partition(const struct keyspace *keyspace, const struct partition_set *set,
                            uint32_t key, uint64_t sort);

#endif
