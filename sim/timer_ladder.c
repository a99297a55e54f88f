#include "sim/timer_ladder.h"

#include "sim/check.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_TIMERS 10 /* 256 bytes with its header */
/* A slot of so many is taken whole: a heap sorts them faster than the levels below. */
#define TAKEN_WHOLE 16
#define SIGN_BIT (UINT64_C(1) << 63)
#define FINEST_MASK ((UINT64_C(1) << TIMER_LADDER_FINEST_BITS) - 1)

struct timer_chunk {
    struct timer_chunk *next;
    uint32_t count;
    struct timer timers[CHUNK_TIMERS];
};

/* Times as numbers without a sign, in the same order. */
static inline uint64_t key_of(sim_ns at_ns) {
    return (uint64_t)at_ns ^ SIGN_BIT;
}
static inline sim_ns time_of(uint64_t key) {
    return (sim_ns)(key ^ SIGN_BIT);
}

static inline unsigned shift_of(unsigned level) {
    return TIMER_LADDER_FINEST_BITS + TIMER_LADDER_DIGIT_BITS * level;
}

struct timer_ladder *timer_ladder_new(struct err *err) {
    struct timer_ladder *ladder = calloc(1, sizeof *ladder);
    if (ladder == NULL) {
        err_no_memory(err, "timers");
        return NULL;
    }
    arena_init(&ladder->arena);
    return ladder;
}

void timer_ladder_free(struct timer_ladder *ladder) {
    if (ladder != NULL) {
        arena_fini(&ladder->arena);
        free(ladder);
    }
}

static void give_chunk(struct timer_ladder *ladder, struct timer_chunk *chunk) {
    chunk->next = ladder->free;
    ladder->free = chunk;
}

/* Chunks are enough when each slot has one that is not full: then moving timers never fails. */
bool timer_ladder_reserve(struct timer_ladder *ladder, size_t count, struct err *err) {
    size_t wanted = count / CHUNK_TIMERS + TIMER_LADDER_LEVELS * TIMER_LADDER_SLOTS + 1;
    if (wanted <= ladder->chunk_count) {
        return true;
    }
    size_t more = wanted - ladder->chunk_count;
    struct timer_chunk *fresh =
        ARENA_ARRAY(&ladder->arena, struct timer_chunk, more, "timers", err);
    if (fresh == NULL) {
        return false;
    }
    for (size_t i = 0; i < ladder->fresh_count; i++) {
        give_chunk(ladder, &ladder->fresh[i]);
    }
    ladder->fresh = fresh;
    ladder->fresh_count = more;
    ladder->chunk_count = wanted;
    return true;
}

static struct timer_chunk *take_chunk(struct timer_ladder *ladder) {
    struct timer_chunk *chunk = ladder->free;
    if (chunk != NULL) {
        ladder->free = chunk->next;
    } else {
        SIM_CHECK(ladder->fresh_count > 0);
        chunk = ladder->fresh++;
        ladder->fresh_count--;
    }
    chunk->next = NULL;
    chunk->count = 0;
    return chunk;
}

sim_ns timer_ladder_begin(struct timer_ladder *ladder, sim_ns at_ns) {
    SIM_CHECK(ladder->count == 0);
    ladder->base = key_of(at_ns) | FINEST_MASK;
    return time_of(ladder->base);
}

static inline void put(struct timer_ladder *ladder, const struct timer *timer) {
    uint64_t key = key_of(timer->at_ns);
    uint64_t differing = (key ^ ladder->base) | (FINEST_MASK + 1);
    unsigned highest = 63 - (unsigned)__builtin_clzll(differing);
    unsigned level = (highest - TIMER_LADDER_FINEST_BITS) / TIMER_LADDER_DIGIT_BITS;
    unsigned digit = (unsigned)(key >> shift_of(level)) % TIMER_LADDER_SLOTS;
    struct timer_slot *slot = &ladder->slots[level][digit];
    struct timer_chunk *chunk = slot->last;
    if (slot->count == 0 || chunk->count == CHUNK_TIMERS) {
        chunk = take_chunk(ladder);
        *(slot->count == 0 ? &slot->first : &slot->last->next) = chunk;
        slot->last = chunk;
        ladder->in_use[level][digit / 64] |= UINT64_C(1) << digit % 64;
    }
    chunk->timers[chunk->count++] = *timer;
    slot->count++;
}

void timer_ladder_push(struct timer_ladder *ladder, const struct timer *timer) {
    SIM_CHECK(key_of(timer->at_ns) > ladder->base);
    put(ladder, timer);
    ladder->count++;
}

/* Takes the list of a slot off. */
static struct timer_slot clear_slot(struct timer_ladder *ladder, unsigned level, unsigned digit) {
    struct timer_slot *slot = &ladder->slots[level][digit];
    struct timer_slot cleared = *slot;
    *slot = (struct timer_slot){NULL, NULL, 0};
    ladder->in_use[level][digit / 64] &= ~(UINT64_C(1) << digit % 64);
    return cleared;
}

static size_t move_out(struct timer_ladder *ladder, struct timer_chunk *chunks,
                       struct timer *timers) {
    size_t moved = 0;
    while (chunks != NULL) {
        struct timer_chunk *next = chunks->next;
        memcpy(&timers[moved], chunks->timers, chunks->count * sizeof *timers);
        moved += chunks->count;
        give_chunk(ladder, chunks);
        chunks = next;
    }
    return moved;
}

/* Over the levels below that of the slot, from the new base on. */
static void spread(struct timer_ladder *ladder, struct timer_chunk *chunks) {
    while (chunks != NULL) {
        struct timer_chunk *next = chunks->next;
        for (uint32_t i = 0; i < chunks->count; i++) {
            put(ladder, &chunks->timers[i]);
        }
        give_chunk(ladder, chunks);
        chunks = next;
    }
}

static bool find_slot(const struct timer_ladder *ladder, unsigned *level, unsigned *digit) {
    for (unsigned l = 0; l < TIMER_LADDER_LEVELS; l++) {
        for (unsigned word = 0; word < TIMER_LADDER_SLOTS / 64; word++) {
            uint64_t in_use = ladder->in_use[l][word];
            if (in_use != 0) {
                *level = l;
                *digit = word * 64 + (unsigned)__builtin_ctzll(in_use);
                return true;
            }
        }
    }
    return false;
}

/* Of the slot that lies in the same slots as base of all higher levels. */
static uint64_t first_key(const struct timer_ladder *ladder, unsigned level, unsigned digit) {
    unsigned shift = shift_of(level);
    unsigned above = shift + TIMER_LADDER_DIGIT_BITS;
    uint64_t higher = above < 64 ? ladder->base >> above << above : 0;
    return higher | (uint64_t)digit << shift;
}

size_t timer_ladder_take(struct timer_ladder *ladder, struct timer *timers, sim_ns *last_ns) {
    unsigned level, digit;
    while (find_slot(ladder, &level, &digit)) {
        uint64_t first = first_key(ladder, level, digit);
        struct timer_slot slot = clear_slot(ladder, level, digit);
        if (level == 0 || slot.count <= TAKEN_WHOLE) {
            ladder->base = first + ((UINT64_C(1) << shift_of(level)) - 1);
            *last_ns = time_of(ladder->base);
            ladder->count -= slot.count;
            return move_out(ladder, slot.first, timers);
        }
        ladder->base = first;
        spread(ladder, slot.first);
    }
    SIM_CHECK(ladder->count > 0); /* there is a slot in use as long as there are timers */
    return 0;
}

void timer_ladder_take_all(struct timer_ladder *ladder, struct timer *timers) {
    unsigned level, digit;
    size_t moved = 0;
    while (find_slot(ladder, &level, &digit)) {
        struct timer_slot slot = clear_slot(ladder, level, digit);
        moved += move_out(ladder, slot.first, &timers[moved]);
    }
    SIM_CHECK(moved == ladder->count);
    ladder->count = 0;
}
