/*
 * id_map.h - From a 64-bit number (the packed fields of a key template) to a dense 32-bit id.
 *
 * Two shapes behind one interface: a direct table when the numbers are known to lie below a bound
 * that is small enough, else open addressing with linear probing at most 3/4 full. Nothing is
 * removed.
 *
 * Owns:  its slots, in memory of its own (freed by _fini): the table is replaced when it doubles.
 * Cost:  find O(1): one cache miss, which id_map_prefetch hides.
 */
#ifndef DDBSIM_SIM_ID_MAP_H
#define DDBSIM_SIM_ID_MAP_H

#include "sim/err.h"
#include "sim/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID_MAP_NONE UINT32_MAX
#define ID_MAP_DIRECT_MAX (UINT64_C(1) << 25) /* 32 Mi numbers: 128 MiB, lazily touched */

#define ID_MAP_PAGE_NUMBERS 1024 /* 4 KiB of them, as a power of 2 */

struct id_map_slot {
    uint64_t number;
    uint32_t id; /* ID_MAP_NONE: free */
};

struct id_map {
    uint32_t *direct;          /* id + 1 by number (0: none), or NULL */
    struct id_map_slot *slots; /* or NULL */
    uint64_t bound;            /* direct: numbers below it */
    uint64_t mask, count;      /* slots - 1, used slots */
    uint64_t *written;         /* bit i: ID_MAP_PAGE_NUMBERS of direct, from i times as many on */
};

/* numbers_below = 0 when no bound is known. */
bool id_map_init(struct id_map *map, uint64_t numbers_below, struct err *err) ERR_WARN_UNUSED;
void id_map_fini(struct id_map *map);
size_t id_map_bytes(const struct id_map *map); /* memory held now */

/* What id_map_find does when there is no direct table. */
uint32_t id_map_find_hashed(const struct id_map *map, uint64_t number);

/* Gives number its id. The number has none yet, lies below the bound of a direct table, and id is
 * not ID_MAP_NONE (checked). False with *err set only when memory for growth cannot be had. */
bool id_map_insert(struct id_map *map, uint64_t number, uint32_t id, struct err *err)
    ERR_WARN_UNUSED;

/* Any number will do, and nothing need be in the map yet. */
static inline void id_map_prefetch(const struct id_map *map, uint64_t number) {
    if (map->direct != NULL) {
        __builtin_prefetch(&map->direct[number < map->bound ? number : 0]);
    } else {
        __builtin_prefetch(&map->slots[hash_mix(number) & map->mask]);
    }
}

/* A page that is read before it is written costs two faults, and the second one stops the other
 * threads: so nothing is read where nothing was written. */
static inline bool id_map_is_written(const struct id_map *map, uint64_t number) {
    const uint64_t page = number / ID_MAP_PAGE_NUMBERS;
    return (map->written[page / 64] >> (page % 64) & 1) != 0;
}

/* The id of number, ID_MAP_NONE when it has none. */
static inline uint32_t id_map_find(const struct id_map *map, uint64_t number) {
    if (map->direct != NULL) {
        return number < map->bound && id_map_is_written(map, number) ? map->direct[number] - 1
                                                                     : ID_MAP_NONE;
    }
    return id_map_find_hashed(map, number);
}

#endif
