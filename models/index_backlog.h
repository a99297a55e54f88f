/*
 * index_backlog.h - What an index is behind by, and when that holds up the writes to its table.
 *
 *   base partition 0 ─▶ line ─┐                        ┌─▶ index partition 0 ─┐
 *   base partition 1 ─▶ line ─┼─▶ by the entry's key ──┼─▶ index partition 1 ─┼─▶ written
 *   base partition 2 ─▶ line ─┘                        └─▶ index partition 2 ─┘    (pool: may owe)
 *
 * An entry is written a lag after the write that owes it, or when the cap of its index partition
 * has the units. Until then it and all behind it from the same base partition wait (first in, first
 * out); lines that wait for one index partition are served in turn. The index's own write pool
 * delays nothing: it goes into debt. Both together are bounded:
 *
 *   load    = buffered + debt                buffered: owed and not written; debt: of the pool
 *   refused = load > gsi_buffer_units · base partitions                   (gsi_block_scope table)
 *             buffered by this base partition + debt / base partitions > gsi_buffer_units
 *                                                                     (gsi_block_scope partition)
 *   reason    that of the pool, when it is in debt: without the partitions' caps all would be debt;
 *             else IndexWriteKeyRangeThroughputExceeded: a partition of the index is hot
 *
 * Advancing never raises the load (what is written moves from the buffer to the pool), so a stale
 * load within the bound needs no advance: a write to a table whose indexes keep up costs a compare.
 *
 * Source:  AWS guide, throttling of global secondary indexes; AWS lab, design patterns, exercise 1,
 *          step 7: a bounded buffer between table and index, all writes refused while it is full.
 *          Its size and order are unpublished: docs/models/index_backlog.md.
 * Invariants (audited): owed = projected + due + waiting, in entries and nano-units, over all lines
 *          and by line; a line waits for one partition, and that partition knows of it.
 * Owns:    lines and waits in the arena.  Cost: O(1) an entry that need not wait, O(log index
 *          partitions) one that does.
 */
#ifndef DDBSIM_MODELS_INDEX_BACKLOG_H
#define DDBSIM_MODELS_INDEX_BACKLOG_H

#include "models/index_queue.h"
#include "models/keyspace.h"
#include "models/parameters.h"
#include "models/partition.h"
#include "models/token_bucket.h"
#include "sim/arena.h"
#include "sim/err.h"
#include "sim/grow_array.h"

#include <stdbool.h>
#include <stdint.h>

/* The entries of one base partition that wait. */
struct index_line {
    struct index_list waiting;
    struct index_line *next;                           /* that waits for the same index partition */
    uint64_t owed, projected, owed_ncu, projected_ncu; /* by this base partition */
};

/* The lines whose first entry waits for one index partition. */
struct index_wait {
    struct index_line *first, *last;
    sim_ns ready_ns;  /* when the first one is served */
    uint32_t heap_at; /* UINT32_MAX: nobody waits */
};

/* What refuses a write. */
enum backlog_refusal { BACKLOG_ADMITS, BACKLOG_DEBT, BACKLOG_BUFFER };

struct index_backlog {
    struct index_queue queue;
    struct grow_array lines; /* struct index_line, by partition_id of the table */
    struct grow_array waits; /* struct index_wait, by position in the set */
    uint32_t *heap;          /* positions with somebody waiting, the readiest first */
    uint32_t heap_count, heap_room;
    const struct partition_set *set; /* of the index: the owner's, as are: */
    const struct keyspace *keyspace;
    struct token_bucket *pool;
    int64_t limit_ncu; /* for each base partition */
    enum gsi_block_scope scope;
    sim_ns lag_ns, advanced_ns;
};

bool index_backlog_init(struct index_backlog *backlog, struct arena *arena,
                        const struct partition_set *set, const struct keyspace *keyspace,
                        struct token_bucket *pool, const struct model_parameters *parameters,
                        struct err *err) ERR_WARN_UNUSED;

/* Room for that many entries, of base partitions whose partition_id is below `bases`. */
bool index_backlog_reserve(struct index_backlog *backlog, uint32_t entries, uint32_t bases,
                           struct err *err) ERR_WARN_UNUSED;

/* A write at now to an item of that base partition owes an entry of that key and place by
 * its sort key. */
void index_backlog_owe(struct index_backlog *backlog, sim_ns now_ns, uint32_t base, uint32_t key,
                       uint64_t sort, int64_t cost_ncu);

/* Writes the entries whose time is before until. */
void index_backlog_advance(struct index_backlog *backlog, sim_ns until_ns);

/* After one of the index's partitions was split at now, up to which the backlog had been advanced
 * before: what waited for it goes on to where its keys lie now. */
bool index_backlog_reroute(struct index_backlog *backlog, struct arena *arena, sim_ns now_ns,
                           uint32_t partition, struct err *err) ERR_WARN_UNUSED;

/* Whether a write at now to that base partition, one of `bases` open ones, is refused. */
enum backlog_refusal index_backlog_refuses(struct index_backlog *backlog, sim_ns now_ns,
                                           uint32_t base, uint32_t bases);

/* Whether an entry waits for a partition of the index. */
bool index_backlog_waits(const struct index_backlog *backlog, uint32_t partition);

/* Aborts on a breach. O(backlog). */
void index_backlog_audit(const struct index_backlog *backlog);

#endif
