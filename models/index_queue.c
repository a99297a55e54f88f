#include "models/index_queue.h"

#include "sim/check.h"

static bool add_chunk(struct index_queue *queue, struct err *err) {
    struct index_entry *entries =
        ARENA_ARRAY(queue->arena, struct index_entry, INDEX_QUEUE_CHUNK, "index entries", err);
    if (entries == NULL) {
        return false;
    }
    for (uint32_t i = INDEX_QUEUE_CHUNK; i > 0; i--) { /* so that they are used in their order */
        entries[i - 1].next = queue->free;
        queue->free = &entries[i - 1];
    }
    queue->free_entries += INDEX_QUEUE_CHUNK;
    return true;
}

bool index_queue_init(struct index_queue *queue, struct arena *arena, struct err *err) {
    *queue = (struct index_queue){.arena = arena};
    return add_chunk(queue, err);
}

bool index_queue_reserve(struct index_queue *queue, uint32_t entries, struct err *err) {
    while (queue->free_entries < entries) {
        if (!add_chunk(queue, err)) {
            return false;
        }
    }
    return true;
}

void index_queue_push(struct index_queue *queue, const struct index_write *write, uint32_t base) {
    struct index_entry *entry = queue->free;
    SIM_CHECK(write->cost_ncu > 0);
    SIM_CHECK(entry != NULL); /* _reserve saw to it */
    SIM_CHECK(queue->due.first == NULL || write->at_ns >= queue->due.last->write.at_ns);
    queue->free = entry->next;
    queue->free_entries--;
    entry->write = *write;
    entry->base = base;
    index_list_append(&queue->due, entry);
    queue->owed++;
    queue->owed_ncu += (uint64_t)write->cost_ncu;
}

void index_queue_project(struct index_queue *queue, struct index_entry *entry) {
    SIM_CHECK(queue->projected < queue->owed);
    SIM_CHECK(queue->written.first == NULL ||
              entry->write.at_ns >= queue->written.last->write.at_ns);
    queue->projected++;
    queue->projected_ncu += (uint64_t)entry->write.cost_ncu;
    index_list_append(&queue->written, entry);
}

uint32_t index_queue_take(struct index_queue *queue, const struct index_write **writes) {
    uint32_t count = 0;
    while (count < INDEX_QUEUE_TAKEN && queue->written.first != NULL) {
        struct index_entry *entry = index_list_remove(&queue->written);
        queue->out[count++] = entry->write;
        entry->next = queue->free;
        queue->free = entry;
    }
    queue->free_entries += count;
    queue->taken += count;
    *writes = queue->out;
    return count;
}
