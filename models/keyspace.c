#include "models/keyspace.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK_ELEMENTS (UINT32_C(1) << KEYSPACE_CHUNK_SHIFT)
#define HASH_KEY_BYTES_MAX 2048 /* AWS guide, constraints */

/* Seeds of the further hashes: any fixed numbers do, as long as they differ. */
#define CHECK_SEED UINT64_C(0x6b65792d63686563)
#define ITEM_NUMBER_SEED UINT64_C(0x6974656d2d6e756d)
#define ITEM_CHECK_SEED UINT64_C(0x6974656d2d636865)

bool keyspace_init(struct keyspace *keyspace, struct arena *arena, const struct table_spec *table,
                   uint64_t salt, struct err *err) {
    *keyspace = (struct keyspace){
        .salt = salt,
        .table_name = table->table_name,
        .has_range_key = table->range_key.name != NULL,
        .range_key_type = table->range_key.type,
        .pins = table->pins,
        .pin_count = table->pin_count,
    };
    grow_array_init(&keyspace->keys, arena, sizeof(struct key_place), CHUNK_ELEMENTS);
    grow_array_init(&keyspace->key_checks, arena, sizeof(uint64_t), CHUNK_ELEMENTS);
    grow_array_init(&keyspace->items, arena, sizeof(struct item_state), CHUNK_ELEMENTS);
    grow_array_init(&keyspace->item_identities, arena, sizeof(uint64_t), CHUNK_ELEMENTS);
    grow_array_init(&keyspace->item_sorts, arena, sizeof(uint64_t), CHUNK_ELEMENTS);
    keyspace->pin_checks = ARENA_ARRAY(arena, uint64_t, table->pin_count, "pinned keys", err);
    if (keyspace->pin_checks == NULL || !id_map_init(&keyspace->keys_by_hash, 0, err)) {
        return false;
    }
    if (!id_map_init(&keyspace->items_by_hash, 0, err)) {
        id_map_fini(&keyspace->keys_by_hash);
        return false;
    }
    for (uint32_t i = 0; i < table->pin_count; i++) {
        const char *key = table->pins[i].key;
        keyspace->pin_checks[i] = hash64(key, strlen(key), CHECK_SEED);
    }
    return true;
}

void keyspace_fini(struct keyspace *keyspace) {
    id_map_fini(&keyspace->keys_by_hash);
    id_map_fini(&keyspace->items_by_hash);
}

size_t keyspace_map_bytes(const struct keyspace *keyspace) {
    return id_map_bytes(&keyspace->keys_by_hash) + id_map_bytes(&keyspace->items_by_hash);
}

/* The number under which a hash is looked up in its map at the i-th try: another one each time, for
 * the texts whose hashes collide. */
static uint64_t probe_number(uint64_t hash, uint64_t i) {
    return i == 0 ? hash : hash_mix(hash + i);
}

static bool append_key(struct keyspace *keyspace, const struct partition_set *set,
                       uint64_t position, uint32_t *key, struct err *err) {
    if (!grow_array_append(&keyspace->keys, 1, key, err)) {
        return false;
    }
    *(struct key_place *)grow_array_at(&keyspace->keys, *key) = (struct key_place){
        .position = position,
        .partition = partition_set_find(set, position),
    };
    return true;
}

bool keyspace_intern_key(struct keyspace *keyspace, const struct partition_set *set,
                         const struct key_identity *identity, uint32_t *key, struct err *err) {
    uint64_t number = identity->check;
    uint32_t found = id_map_find(&keyspace->keys_by_hash, number);
    for (uint64_t i = 1; found != ID_MAP_NONE; i++) {
        const struct key_place *place = grow_array_at(&keyspace->keys, found);
        const uint64_t *check = grow_array_at(&keyspace->key_checks, found);
        if (place->position == identity->position && *check == identity->check) {
            *key = found;
            return true;
        }
        number = probe_number(identity->check, i);
        found = id_map_find(&keyspace->keys_by_hash, number);
    }
    uint32_t index = 0;
    if (!append_key(keyspace, set, identity->position, key, err) ||
        !grow_array_append(&keyspace->key_checks, 1, &index, err)) {
        return false;
    }
    SIM_CHECK(index == *key);
    *(uint64_t *)grow_array_at(&keyspace->key_checks, index) = identity->check;
    return id_map_insert(&keyspace->keys_by_hash, number, *key, err);
}

static struct key_place *place_of(const struct keyspace *keyspace, uint32_t key) {
    return grow_array_at(&keyspace->keys, key);
}

static void start_item(struct keyspace *keyspace, uint32_t item, uint32_t key,
                       uint32_t initial_bytes) {
    *keyspace_item(keyspace, item) = (struct item_state){
        .key = key,
        .bytes = initial_bytes,
        .partition = place_of(keyspace, key)->partition,
        .is_known = true,
    };
    keyspace->found_items += initial_bytes > 0;
    keyspace->found_bytes += initial_bytes;
}

static bool append_item(struct keyspace *keyspace, uint32_t key, uint32_t initial_bytes,
                        uint32_t *item, struct err *err) {
    if (!grow_array_append(&keyspace->items, 1, item, err)) {
        return false;
    }
    start_item(keyspace, *item, key, initial_bytes);
    return true;
}

bool keyspace_intern_item(struct keyspace *keyspace, uint32_t key, uint64_t number, uint64_t check,
                          uint32_t initial_bytes, uint32_t *item, struct err *err) {
    SIM_CHECK(key < keyspace->keys.count);
    uint64_t probe = number;
    uint32_t found = id_map_find(&keyspace->items_by_hash, probe);
    for (uint64_t i = 1; found != ID_MAP_NONE; i++) {
        if (keyspace_item(keyspace, found)->key == key &&
            *(const uint64_t *)grow_array_at(&keyspace->item_identities, found) == check) {
            *item = found;
            return true;
        }
        probe = probe_number(number, i);
        found = id_map_find(&keyspace->items_by_hash, probe);
    }
    uint32_t place = 0;
    if (!append_item(keyspace, key, initial_bytes, item, err) ||
        !grow_array_append(&keyspace->item_identities, 1, &place, err) ||
        !id_map_insert(&keyspace->items_by_hash, probe, *item, err)) {
        return false;
    }
    SIM_CHECK(place == *item);
    *(uint64_t *)grow_array_at(&keyspace->item_identities, place) = check;
    return true;
}

struct partition_place keyspace_item_place(const struct keyspace *keyspace, uint32_t item) {
    return (struct partition_place){
        .hash = place_of(keyspace, keyspace_item(keyspace, item)->key)->position,
        .sort = keyspace->has_range_key
                    ? *(const uint64_t *)grow_array_at(&keyspace->item_sorts, item)
                    : 0,
    };
}

struct partition_place keyspace_key_place(const struct keyspace *keyspace, uint32_t key) {
    return (struct partition_place){.hash = place_of(keyspace, key)->position};
}

uint32_t keyspace_move_item(const struct keyspace *keyspace, const struct partition_set *set,
                            uint32_t item) {
    struct item_state *state = keyspace_item(keyspace, item);
    const struct partition_place place = keyspace_item_place(keyspace, item);
    state->partition = partition_set_descend(set, state->partition, &place);
    return state->partition;
}

uint32_t keyspace_partition(const struct keyspace *keyspace, const struct partition_set *set,
                            uint32_t key, uint64_t sort) {
    const uint32_t known = place_of(keyspace, key)->partition;
    if (partition_is_open(&set->partitions[known])) {
        return known;
    }
    const struct partition_place place = {place_of(keyspace, key)->position, sort};
    return partition_set_descend(set, known, &place);
}

/* Where a key lies: by its hash, scaled into the range of the partition that it is pinned to. */
static uint64_t key_position(const struct keyspace *keyspace, const struct partition_set *set,
                             const struct key_text *text, uint64_t check) {
    const uint64_t position = hash64(text->hash_key, text->hash_key_bytes, keyspace->salt);
    for (uint32_t i = 0; i < keyspace->pin_count; i++) {
        const struct table_pin *pin = &keyspace->pins[i];
        if (keyspace->pin_checks[i] != check || strlen(pin->key) != text->hash_key_bytes ||
            memcmp(pin->key, text->hash_key, text->hash_key_bytes) != 0) {
            continue;
        }
        SIM_CHECKF(pin->partition < set->count, "pin of '%s'", pin->key);
        const struct partition *partition = &set->partitions[pin->partition];
        const uint64_t span = partition->hash_hi - partition->hash_lo + 1; /* 0: the whole ring */
        return span == 0 ? position : partition->hash_lo + hash_below(position, span);
    }
    return position;
}

static bool key_text_check(const struct keyspace *keyspace, const struct key_text *text,
                           struct err *err) {
    if (text->hash_key_bytes < 1 || text->hash_key_bytes > HASH_KEY_BYTES_MAX) {
        return err_set(err, ERR_INPUT,
                       "table '%s': a partition key of %zu bytes, expected 1 to %d bytes",
                       keyspace->table_name, text->hash_key_bytes, HASH_KEY_BYTES_MAX);
    }
    if (text->range_key != NULL &&
        (text->range_key_bytes < 1 || text->range_key_bytes > RANGE_KEY_BYTES_MAX)) {
        return err_set(err, ERR_INPUT,
                       "table '%s': a sort key of %zu bytes, expected 1 to %d bytes",
                       keyspace->table_name, text->range_key_bytes, RANGE_KEY_BYTES_MAX);
    }
    return true;
}

static bool intern_hash(struct keyspace *keyspace, const struct partition_set *set,
                        const struct key_text *text, uint32_t *key, struct err *err) {
    if (!key_text_check(keyspace, text, err)) {
        return false;
    }
    struct key_identity identity;
    identity.check = hash64(text->hash_key, text->hash_key_bytes, CHECK_SEED);
    identity.position = key_position(keyspace, set, text, identity.check);
    return keyspace_intern_key(keyspace, set, &identity, key, err);
}

bool keyspace_intern_hash(struct keyspace *keyspace, const struct partition_set *set,
                          const struct key_text *text, uint32_t *key, struct err *err) {
    SIM_CHECK(keyspace->has_range_key); /* else a key is an item */
    SIM_CHECK(text->range_key == NULL);
    return intern_hash(keyspace, set, text, key, err);
}

/* Of an item that is new. */
static bool add_sort(struct keyspace *keyspace, uint32_t item, const struct key_text *text,
                     struct err *err) {
    uint64_t sort;
    uint32_t place;
    if (item < keyspace->item_sorts.count) {
        return true;
    }
    const struct sort_text range_key = {text->range_key, text->range_key_bytes};
    if (!sort_position(&keyspace->sort_reference, keyspace->range_key_type, range_key,
                       keyspace->items.arena, &sort, err) ||
        !grow_array_append(&keyspace->item_sorts, 1, &place, err)) {
        return false;
    }
    SIM_CHECK(place == item);
    *(uint64_t *)grow_array_at(&keyspace->item_sorts, place) = sort;
    return true;
}

bool keyspace_intern(struct keyspace *keyspace, const struct partition_set *set,
                     const struct key_text *text, uint32_t initial_bytes,
                     struct intern_result *result, struct err *err) {
    SIM_CHECK(initial_bytes <= ITEM_BYTES_MAX);
    SIM_CHECK((text->range_key != NULL) == keyspace->has_range_key);
    const uint32_t keys_before = keyspace->keys.count;
    if (!intern_hash(keyspace, set, text, &result->key, err)) {
        return false;
    }
    if (keyspace->has_range_key) {
        const uint64_t place = hash_mix(result->key);
        const uint64_t number =
            hash64(text->range_key, text->range_key_bytes, place ^ ITEM_NUMBER_SEED);
        const uint64_t check =
            hash64(text->range_key, text->range_key_bytes, place ^ ITEM_CHECK_SEED);
        return keyspace_intern_item(keyspace, result->key, number, check, initial_bytes,
                                    &result->item, err) &&
               add_sort(keyspace, result->item, text, err);
    }
    result->item = result->key;
    if (keyspace->keys.count == keys_before) {
        return true;
    }
    return append_item(keyspace, result->key, initial_bytes, &result->item, err);
}

/* The key of a text that is new. */
static bool append_text(struct keyspace *keyspace, const struct partition_set *set,
                        const struct key_text *text, uint32_t *key, struct err *err) {
    SIM_CHECK(text->range_key == NULL && !keyspace->has_range_key);
    SIM_CHECK(keyspace->keys_by_hash.count == 0); /* none was interned */
    if (!key_text_check(keyspace, text, err)) {
        return false;
    }
    const uint64_t check = keyspace->pin_count > 0
                               ? hash64(text->hash_key, text->hash_key_bytes, CHECK_SEED)
                               : 0; /* for the look-up of pins only */
    const uint64_t position = key_position(keyspace, set, text, check);
    return append_key(keyspace, set, position, key, err);
}

bool keyspace_append(struct keyspace *keyspace, const struct partition_set *set,
                     const struct key_text *text, uint32_t initial_bytes,
                     struct intern_result *result, struct err *err) {
    SIM_CHECK(initial_bytes <= ITEM_BYTES_MAX);
    SIM_CHECK(!keyspace->has_numbered_items);
    return append_text(keyspace, set, text, &result->key, err) &&
           append_item(keyspace, result->key, initial_bytes, &result->item, err);
}

bool keyspace_number_items(struct keyspace *keyspace, uint32_t count, struct err *err) {
    SIM_CHECK(!keyspace->has_range_key);
    SIM_CHECK(keyspace->keys.count == 0 && keyspace->items.count == 0);
    keyspace->has_numbered_items = true;
    uint32_t first;
    return grow_array_append(&keyspace->items, count, &first, err);
}

bool keyspace_append_numbered(struct keyspace *keyspace, const struct partition_set *set,
                              const struct key_text *text, uint32_t initial_bytes, uint32_t item,
                              uint32_t *key, struct err *err) {
    SIM_CHECK(initial_bytes <= ITEM_BYTES_MAX);
    SIM_CHECK(keyspace->has_numbered_items && item < keyspace->items.count);
    SIM_CHECK(!keyspace_item(keyspace, item)->is_known);
    if (!append_text(keyspace, set, text, key, err)) {
        return false;
    }
    start_item(keyspace, item, *key, initial_bytes);
    return true;
}
