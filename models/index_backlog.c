#include "models/index_backlog.h"

#include "sim/check.h"

#define NOT_WAITING UINT32_MAX
#define LINES_CHUNK 64

static struct index_wait *wait_at(const struct index_backlog *backlog, uint32_t partition) {
    SIM_CHECK(partition < backlog->waits.count);
    return grow_array_at(&backlog->waits, partition);
}

/* For all partitions of the index, of which there may be more than before. */
static bool make_room(struct index_backlog *backlog, struct arena *arena, struct err *err) {
    const uint32_t count = backlog->set->count;
    while (backlog->waits.count < count) {
        uint32_t added;
        if (!grow_array_append(&backlog->waits, 1, &added, err)) {
            return false;
        }
        wait_at(backlog, added)->heap_at = NOT_WAITING;
    }
    if (backlog->heap_room >= count) {
        return true;
    }
    uint32_t *heap = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)count, "index partitions", err);
    if (heap == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < backlog->heap_count; i++) {
        heap[i] = backlog->heap[i];
    }
    backlog->heap = heap;
    backlog->heap_room = 2 * count;
    return true;
}

bool index_backlog_init(struct index_backlog *backlog, struct arena *arena,
                        const struct partition_set *set, const struct keyspace *keyspace,
                        struct token_bucket *pool, const struct model_parameters *parameters,
                        struct err *err) {
    *backlog = (struct index_backlog){
        .set = set,
        .keyspace = keyspace,
        .pool = pool,
        .limit_ncu = parameters->gsi_buffer_units * NCU_PER_CU,
        .scope = (enum gsi_block_scope)parameters->gsi_block_scope,
        .lag_ns = parameters->gsi_lag,
    };
    grow_array_init(&backlog->waits, arena, sizeof(struct index_wait), LINES_CHUNK);
    grow_array_init(&backlog->lines, arena, sizeof(struct index_line), LINES_CHUNK);
    return make_room(backlog, arena, err) && index_queue_init(&backlog->queue, arena, err);
}

bool index_backlog_reserve(struct index_backlog *backlog, uint32_t entries, uint32_t bases,
                           struct err *err) {
    uint32_t first;
    return (backlog->lines.count >= bases ||
            grow_array_append(&backlog->lines, bases - backlog->lines.count, &first, err)) &&
           index_queue_reserve(&backlog->queue, entries, err);
}

static struct index_line *line_at(const struct index_backlog *backlog, uint32_t base) {
    SIM_CHECK(base < backlog->lines.count);
    return grow_array_at(&backlog->lines, base);
}

void index_backlog_owe(struct index_backlog *backlog, sim_ns now_ns, uint32_t base, uint32_t key,
                       uint64_t sort, int64_t cost_ncu) {
    const struct index_write write = {.at_ns = now_ns + backlog->lag_ns,
                                      .owed_ns = now_ns,
                                      .cost_ncu = cost_ncu,
                                      .key = key,
                                      .sort = sort};
    struct index_line *line = line_at(backlog, base);
    index_queue_push(&backlog->queue, &write, base);
    line->owed++;
    line->owed_ncu += (uint64_t)cost_ncu;
}

/* When a bucket that is at now has the units; it may be now. */
static sim_ns admitted_ns(const struct token_bucket *bucket, int64_t cost_ncu) {
    const int64_t need_ncu = cost_ncu < bucket->cap_ncu ? cost_ncu : bucket->cap_ncu;
    const int64_t missing_ncu = need_ncu - bucket->level_ncu;
    if (missing_ncu <= 0) {
        return bucket->updated_ns;
    }
    return bucket->updated_ns + missing_ncu / bucket->rate_cu_per_s +
           (missing_ncu % bucket->rate_cu_per_s != 0);
}

/* The heap: by time, then by position. */
static bool is_before(const struct index_backlog *backlog, uint32_t a, uint32_t b) {
    const sim_ns a_ns = wait_at(backlog, a)->ready_ns, b_ns = wait_at(backlog, b)->ready_ns;
    return a_ns < b_ns || (a_ns == b_ns && a < b);
}

static void put(struct index_backlog *backlog, uint32_t place, uint32_t partition) {
    backlog->heap[place] = partition;
    wait_at(backlog, partition)->heap_at = place;
}

static void sift_up(struct index_backlog *backlog, uint32_t place, uint32_t partition) {
    for (; place > 0 && is_before(backlog, partition, backlog->heap[(place - 1) / 2]);
         place = (place - 1) / 2) {
        put(backlog, place, backlog->heap[(place - 1) / 2]);
    }
    put(backlog, place, partition);
}

static void sift_down(struct index_backlog *backlog, uint32_t place, uint32_t partition) {
    for (uint32_t child; (child = 2 * place + 1) < backlog->heap_count; place = child) {
        child += child + 1 < backlog->heap_count &&
                 is_before(backlog, backlog->heap[child + 1], backlog->heap[child]);
        if (!is_before(backlog, backlog->heap[child], partition)) {
            break;
        }
        put(backlog, place, backlog->heap[child]);
    }
    put(backlog, place, partition);
}

static struct token_bucket *bucket_of(const struct index_backlog *backlog, uint32_t partition) {
    return &backlog->set->partitions[partition].write;
}

/* The line's first entry, whose time has come, waits for its index partition, behind others. */
static void join(struct index_backlog *backlog, struct index_line *line, sim_ns now_ns) {
    const struct index_entry *entry = line->waiting.first;
    const uint32_t partition =
        keyspace_partition(backlog->keyspace, backlog->set, entry->write.key, entry->write.sort);
    struct index_wait *wait = wait_at(backlog, partition);
    line->next = NULL;
    if (wait->first != NULL) {
        wait->last->next = line;
        wait->last = line;
        return;
    }
    struct token_bucket *bucket = bucket_of(backlog, partition);
    token_bucket_refill(bucket, now_ns);
    wait->first = wait->last = line;
    wait->ready_ns = admitted_ns(bucket, entry->write.cost_ncu);
    sift_up(backlog, backlog->heap_count++, partition);
}

static void write_entry(struct index_backlog *backlog, struct index_entry *entry,
                        uint32_t partition, sim_ns now_ns) {
    struct index_line *line = line_at(backlog, entry->base);
    struct token_bucket *bucket = bucket_of(backlog, partition);
    token_bucket_refill(bucket, now_ns);
    token_bucket_take(bucket, entry->write.cost_ncu);
    token_bucket_refill(backlog->pool, now_ns);
    token_bucket_take(backlog->pool, entry->write.cost_ncu);
    line->projected++;
    line->projected_ncu += (uint64_t)entry->write.cost_ncu;
    entry->write.at_ns = now_ns;
    entry->write.partition = partition;
    index_queue_project(&backlog->queue, entry);
}

/* An entry's time has come. */
static void arrive(struct index_backlog *backlog, sim_ns now_ns) {
    struct index_entry *entry = index_list_remove(&backlog->queue.due);
    struct index_line *line = line_at(backlog, entry->base);
    if (line->waiting.first != NULL) {
        index_list_append(&line->waiting, entry);
        return;
    }
    const uint32_t partition =
        keyspace_partition(backlog->keyspace, backlog->set, entry->write.key, entry->write.sort);
    struct token_bucket *bucket = bucket_of(backlog, partition);
    token_bucket_refill(bucket, now_ns);
    if (wait_at(backlog, partition)->first == NULL &&
        token_bucket_admits(bucket, entry->write.cost_ncu)) {
        write_entry(backlog, entry, partition, now_ns);
        return;
    }
    index_list_append(&line->waiting, entry);
    join(backlog, line, now_ns);
}

static void leave_heap(struct index_backlog *backlog, struct index_wait *wait) {
    const uint32_t place = wait->heap_at, last = backlog->heap[--backlog->heap_count];
    wait->heap_at = NOT_WAITING;
    if (place < backlog->heap_count) { /* the last one takes the place, and may go either way */
        sift_down(backlog, place, last);
        sift_up(backlog, wait_at(backlog, last)->heap_at, last);
    }
}

bool index_backlog_reroute(struct index_backlog *backlog, struct arena *arena, sim_ns now_ns,
                           uint32_t partition, struct err *err) {
    SIM_CHECK(now_ns == backlog->advanced_ns);
    if (!make_room(backlog, arena, err)) {
        return false;
    }
    struct index_wait *wait = wait_at(backlog, partition);
    struct index_line *line = wait->first;
    if (line != NULL) {
        wait->first = NULL;
        leave_heap(backlog, wait);
    }
    while (line != NULL) {
        struct index_line *next = line->next;
        join(backlog, line, now_ns);
        line = next;
    }
    return true;
}

/* The first line that waits for the readiest index partition has its entry written, and goes on
 * with the next one. */
static void serve(struct index_backlog *backlog) {
    const uint32_t partition = backlog->heap[0];
    struct index_wait *wait = wait_at(backlog, partition);
    struct index_line *line = wait->first;
    const sim_ns now_ns = wait->ready_ns;
    write_entry(backlog, index_list_remove(&line->waiting), partition, now_ns);
    wait->first = line->next;
    if (wait->first == NULL) {
        leave_heap(backlog, wait);
    } else {
        const struct index_entry *next = wait->first->waiting.first;
        wait->ready_ns = admitted_ns(bucket_of(backlog, partition), next->write.cost_ncu);
        sift_down(backlog, 0, partition);
    }
    if (line->waiting.first != NULL) {
        join(backlog, line, now_ns);
    }
}

void index_backlog_advance(struct index_backlog *backlog, sim_ns until_ns) {
    SIM_CHECK(until_ns >= backlog->advanced_ns);
    while (true) {
        const struct index_entry *due = backlog->queue.due.first;
        const sim_ns ready_ns =
            backlog->heap_count > 0 ? wait_at(backlog, backlog->heap[0])->ready_ns : until_ns;
        if (due != NULL && due->write.at_ns < ready_ns && due->write.at_ns < until_ns) {
            arrive(backlog, due->write.at_ns);
        } else if (ready_ns < until_ns) {
            serve(backlog);
        } else {
            break;
        }
    }
    backlog->advanced_ns = until_ns;
}

static int64_t debt_ncu(const struct index_backlog *backlog) {
    return backlog->pool->level_ncu < 0 ? -backlog->pool->level_ncu : 0;
}

enum backlog_refusal index_backlog_refuses(struct index_backlog *backlog, sim_ns now_ns,
                                           uint32_t base, uint32_t bases) {
    const struct index_line *line = line_at(backlog, base);
    if (backlog->scope == GSI_BLOCK_NONE) {
        return BACKLOG_ADMITS;
    }
    for (bool is_stale = true;; is_stale = false) {
        /* of all base partitions, or of as many as this one */
        const int64_t limit_ncu = backlog->limit_ncu * bases;
        const int64_t buffered_ncu = backlog->scope == GSI_BLOCK_PARTITION
                                         ? (int64_t)(line->owed_ncu - line->projected_ncu) * bases
                                         : index_queue_buffered_ncu(&backlog->queue);
        if (buffered_ncu + debt_ncu(backlog) <= limit_ncu) {
            return BACKLOG_ADMITS;
        }
        if (!is_stale) {
            return debt_ncu(backlog) > 0 ? BACKLOG_DEBT : BACKLOG_BUFFER;
        }
        index_backlog_advance(backlog, now_ns);
        token_bucket_refill(backlog->pool, now_ns);
    }
}

static void audit_list(const struct index_list *list, uint64_t *entries, uint64_t *ncu) {
    for (const struct index_entry *entry = list->first; entry != NULL; entry = entry->next) {
        ++*entries;
        *ncu += (uint64_t)entry->write.cost_ncu;
    }
}

void index_backlog_audit(const struct index_backlog *backlog) {
    const struct index_queue *queue = &backlog->queue;
    uint64_t entries = 0, ncu = 0, owed = 0, owed_ncu = 0, lines = 0, waiting = 0;
    audit_list(&queue->due, &entries, &ncu);
    for (uint32_t i = 0; i < backlog->lines.count; i++) {
        const struct index_line *line = line_at(backlog, i);
        audit_list(&line->waiting, &entries, &ncu);
        lines += line->waiting.first != NULL;
        owed += line->owed - line->projected;
        owed_ncu += line->owed_ncu - line->projected_ncu;
    }
    for (uint32_t i = 0; i < backlog->heap_count; i++) {
        const struct index_wait *wait = wait_at(backlog, backlog->heap[i]);
        SIM_CHECK(wait->heap_at == i && wait->first != NULL);
        for (const struct index_line *line = wait->first; line != NULL; line = line->next) {
            waiting++;
        }
    }
    SIM_CHECK(queue->owed == queue->projected + entries && entries == owed);
    SIM_CHECK(queue->owed_ncu == queue->projected_ncu + ncu && ncu == owed_ncu);
    SIM_CHECK(queue->taken <= queue->projected);
    SIM_CHECK(lines == waiting);
}

bool index_backlog_waits(const struct index_backlog *backlog, uint32_t partition) {
    return partition < backlog->waits.count && wait_at(backlog, partition)->heap_at != NOT_WAITING;
}
