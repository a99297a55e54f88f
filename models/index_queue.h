/*
 * index_queue.h - The entries that writes to a table owe one of its indexes, first in, first out.
 *
 *   pushed ─▶ owed ─▶ projected (written at at_ns) ─▶ taken by whoever counts
 *
 * Invariant (audited): owed = projected + buffered, in entries and in nano-units.
 * Owns:    chunks in the arena, used over again: memory follows the longest backlog.
 * Cost:    O(1) a step; push needs room that _reserve made, so that it cannot fail.
 */
#ifndef DDBSIM_MODELS_INDEX_QUEUE_H
#define DDBSIM_MODELS_INDEX_QUEUE_H

#include "models/request.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define INDEX_QUEUE_CHUNK 1024

struct index_queue_chunk;

/* A place in the list of chunks. */
struct index_queue_place {
    struct index_queue_chunk *chunk;
    uint32_t at;
};

struct index_queue {
    struct arena *arena;
    struct index_queue_chunk *free;
    struct index_queue_place take, project, push;
    uint32_t free_chunks;
    uint64_t owed, projected, taken; /* entries */
    uint64_t owed_ncu, projected_ncu;
};

bool index_queue_init(struct index_queue *queue, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;

/* Makes room for that many pushes. */
bool index_queue_reserve(struct index_queue *queue, uint32_t entries, struct err *err)
    ERR_WARN_UNUSED;

/* at_ns: from when on it may be written, never before that of an earlier one. */
void index_queue_push(struct index_queue *queue, const struct index_write *write);

/* The first entry that is not written yet, NULL: none. */
struct index_write *index_queue_head(const struct index_queue *queue);
/* It has been written; its at_ns says when. */
void index_queue_project(struct index_queue *queue);

/* Written entries that nobody has taken yet, in order, as many as lie side by side; 0: no more.
 * They stay readable until the next push or reserve. */
uint32_t index_queue_take(struct index_queue *queue, const struct index_write **writes);

/* Nano-units owed and not written. */
int64_t index_queue_buffered_ncu(const struct index_queue *queue);

/* Aborts on a breach. O(backlog). */
void index_queue_audit(const struct index_queue *queue);

#endif
