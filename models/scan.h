/*
 * scan.h - Scan: all items of a table or index, page by page, in the order of the partitions.
 *
 *   page     ends with the item that crosses 1 MB, with the Limit-th item, after
 *            scan_page_partitions partitions, or where its segment ends; what it evaluates counts,
 *            whatever a filter keeps
 *   segment  s of n: places on the ring from ceil(s * 2^64 / n) on, up to the next one's
 *   items    those that the run has touched are counted where they lie; those that existed before
 *            and were not touched lie evenly on the ring; within a partition all lie evenly and are
 *            of its mean size
 *
 * What there is (scan_contents) is counted again when somebody scans a second later or partitions
 * have split: a page may miss what was written within the last second.
 *
 * Source:  AWS Developer Guide, "Scan", "DynamoDB read and write operations": docs/models/scan.md.
 * Owns:    counters by partition, in the arena.  Cost: counting O(items touched + partitions), at
 *          most once a simulated second; a page O(its partitions).
 */
#ifndef DDBSIM_MODELS_SCAN_H
#define DDBSIM_MODELS_SCAN_H

#include "models/partition.h"
#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define SCAN_PARTS_MAX 64 /* scan_page_partitions */

/* What open partitions hold. */
struct scan_contents {
    uint64_t *items, *bytes; /* by partition_id */
    uint32_t capacity;
    uint32_t partition_count; /* of the set when it was counted */
    sim_ns counted_ns;
    bool is_counted;
};

/* Whether it must be counted (again) for a page at now. */
bool scan_contents_is_old(const struct scan_contents *contents, const struct partition_set *set,
                          sim_ns now_ns);
/* Begins to count at now: nothing so far. Counters begin as {0}. */
bool scan_contents_begin(struct scan_contents *contents, struct arena *arena,
                         const struct partition_set *set, sim_ns now_ns, struct err *err)
    ERR_WARN_UNUSED;
static inline void scan_contents_add(struct scan_contents *contents, uint32_t partition,
                                     uint64_t items, uint64_t bytes) {
    contents->items[partition] += items;
    contents->bytes[partition] += bytes;
}
/* Items of one size that lie evenly on the ring. */
void scan_contents_spread(struct scan_contents *contents, const struct partition_set *set,
                          uint64_t items, uint64_t bytes);

/* What is left to read of a segment. */
struct scan_range {
    struct partition_place next;
    uint64_t hash_end; /* the last place on the ring */
    bool is_done;
};

/* segment < segments <= SCAN_SEGMENTS_MAX (checked). */
struct scan_range scan_range_of(uint32_t segment, uint32_t segments);

/* What one page reads of one partition. */
struct scan_part {
    uint32_t partition;
    uint64_t hash; /* where it begins */
    uint64_t items, bytes;
};

struct scan_page {
    struct scan_part parts[SCAN_PARTS_MAX];
    uint32_t count; /* at least 1 */
    struct scan_range rest;
};

/* The next page of a range that is not done (checked). limit: items at most, 0: no limit; parts_max
 * 1 … SCAN_PARTS_MAX. */
void scan_page_read(const struct scan_contents *contents, const struct partition_set *set,
                    const struct scan_range *range, uint64_t limit, uint32_t parts_max,
                    struct scan_page *page);

/* Units of a page, as half units of its parts in their order: the bytes of all together rounded up,
 * at least one unit for each partition. */
void scan_page_half_units(const struct scan_page *page, bool consistent_read,
                          uint64_t half_units[SCAN_PARTS_MAX]);

#endif
