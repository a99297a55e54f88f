#include "sim/id_map.h"

#include "sim/check.h"
#include "sim/pages.h"

#include <stdlib.h>

#define SLOTS_MIN ((size_t)1024)

static struct id_map_slot *slots_new(size_t slot_count) {
    if (slot_count > SIZE_MAX / sizeof(struct id_map_slot)) {
        return NULL;
    }
    struct id_map_slot *slots = malloc(slot_count * sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < slot_count; i++) {
        slots[i] = (struct id_map_slot){.id = ID_MAP_NONE};
    }
    return slots;
}

static size_t written_words(uint64_t bound) {
    return (size_t)(bound / ID_MAP_PAGE_NUMBERS / 64) + 1;
}

bool id_map_init(struct id_map *map, uint64_t numbers_below, struct err *err) {
    *map = (struct id_map){.direct = NULL};
    if (numbers_below > 0 && numbers_below <= ID_MAP_DIRECT_MAX) {
        map->bound = numbers_below;
        map->direct = pages_new((size_t)numbers_below * sizeof *map->direct);
        map->written = calloc(written_words(numbers_below), sizeof *map->written);
        if (map->direct == NULL || map->written == NULL) {
            id_map_fini(map);
            return err_no_memory(err, "key numbers");
        }
        return true;
    }
    map->slots = slots_new(SLOTS_MIN);
    map->mask = SLOTS_MIN - 1;
    return map->slots != NULL || err_no_memory(err, "key numbers");
}

void id_map_fini(struct id_map *map) {
    pages_free(map->direct, (size_t)map->bound * sizeof *map->direct);
    free(map->written);
    free(map->slots);
    *map = (struct id_map){.direct = NULL};
}

size_t id_map_bytes(const struct id_map *map) {
    if (map->direct != NULL) {
        return (size_t)map->bound * sizeof *map->direct +
               written_words(map->bound) * sizeof *map->written;
    }
    return map->slots != NULL ? (size_t)(map->mask + 1) * sizeof *map->slots : 0;
}

/* The slot that holds number, or the free one where it belongs: there is always one, as a quarter
 * is free. */
static uint64_t probe(const struct id_map_slot *slots, uint64_t mask, uint64_t number) {
    uint64_t i = hash_mix(number) & mask;
    while (slots[i].id != ID_MAP_NONE && slots[i].number != number) {
        i = (i + 1) & mask;
    }
    return i;
}

uint32_t id_map_find_hashed(const struct id_map *map, uint64_t number) {
    return map->slots[probe(map->slots, map->mask, number)].id;
}

static bool double_slots(struct id_map *map, struct err *err) {
    uint64_t wider_mask = map->mask * 2 + 1;
    struct id_map_slot *wider = slots_new((size_t)wider_mask + 1);
    if (wider == NULL) {
        return err_no_memory(err, "key numbers");
    }
    for (uint64_t i = 0; i <= map->mask; i++) {
        if (map->slots[i].id != ID_MAP_NONE) {
            wider[probe(wider, wider_mask, map->slots[i].number)] = map->slots[i];
        }
    }
    free(map->slots);
    map->slots = wider;
    map->mask = wider_mask;
    return true;
}

bool id_map_insert(struct id_map *map, uint64_t number, uint32_t id, struct err *err) {
    SIM_CHECK(id != ID_MAP_NONE);
    if (map->direct != NULL) {
        SIM_CHECK(number < map->bound);
        SIM_CHECK(id_map_find(map, number) == ID_MAP_NONE);
        map->direct[number] = id + 1;
        const uint64_t page = number / ID_MAP_PAGE_NUMBERS;
        map->written[page / 64] |= UINT64_C(1) << (page % 64);
        map->count++;
        return true;
    }
    if (map->count >= (map->mask + 1) / 4 * 3 && !double_slots(map, err)) {
        return false;
    }
    struct id_map_slot *slot = &map->slots[probe(map->slots, map->mask, number)];
    SIM_CHECK(slot->id == ID_MAP_NONE);
    *slot = (struct id_map_slot){.number = number, .id = id};
    map->count++;
    return true;
}
