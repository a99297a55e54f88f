/*
 * index_queue.h - The entries that writes to a table owe one of its indexes, and where each is.
 *
 *   pushed ─▶ due ─┬──────────────────────▶ projected (written at at_ns) ─▶ taken by whoever counts
 *                  └▶ a list of its owner ─┘
 *
 * What is due is first in, first out; an entry that cannot be written when its time has come waits
 * in a list that its owner keeps (index_backlog.h).
 *
 * Invariant (audited by the owner): owed = projected + due + waiting, in entries and nano-units.
 * Owns:    entries in the arena, used over again: memory follows the longest backlog.
 * Cost:    O(1) a step; push needs room that _reserve made, so that it cannot fail.
 */
#ifndef DDBSIM_MODELS_INDEX_QUEUE_H
#define DDBSIM_MODELS_INDEX_QUEUE_H

#include "models/request.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define INDEX_QUEUE_CHUNK 1024 /* entries that are allocated at once */
#define INDEX_QUEUE_TAKEN 128  /* that are handed over at once */

struct index_entry {
    struct index_entry *next;
    struct index_write write; /* at_ns: from when on it may be written; then, when it was */
    uint32_t base;            /* partition_id in the table of the item that was written */
};

struct index_list {
    struct index_entry *first, *last;
};

static inline void index_list_append(struct index_list *list, struct index_entry *entry) {
    entry->next = NULL;
    if (list->first == NULL) {
        list->first = entry;
    } else {
        list->last->next = entry;
    }
    list->last = entry;
}

/* The list has one. */
static inline struct index_entry *index_list_remove(struct index_list *list) {
    struct index_entry *entry = list->first;
    list->first = entry->next;
    return entry;
}

struct index_queue {
    struct arena *arena;
    struct index_entry *free;
    uint64_t free_entries;
    struct index_list due, written;
    uint64_t owed, projected, taken; /* entries */
    uint64_t owed_ncu, projected_ncu;
    struct index_write out[INDEX_QUEUE_TAKEN];
};

bool index_queue_init(struct index_queue *queue, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;

/* Makes room for that many pushes. */
bool index_queue_reserve(struct index_queue *queue, uint32_t entries, struct err *err)
    ERR_WARN_UNUSED;

/* write->at_ns: from when on it may be written, never before that of an earlier one. */
void index_queue_push(struct index_queue *queue, const struct index_write *write, uint32_t base);

/* An entry that is in no list any more has been written; its at_ns says when. */
void index_queue_project(struct index_queue *queue, struct index_entry *entry);

/* Written entries that nobody has taken yet, in order, some at a time; 0: no more. They stay
 * readable until the next call. */
uint32_t index_queue_take(struct index_queue *queue, const struct index_write **writes);

/* Nano-units owed and not written. */
static inline int64_t index_queue_buffered_ncu(const struct index_queue *queue) {
    return (int64_t)(queue->owed_ncu - queue->projected_ncu);
}

#endif
