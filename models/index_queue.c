#include "models/index_queue.h"

#include "sim/check.h"

struct index_queue_chunk {
    struct index_queue_chunk *next;
    struct index_write writes[INDEX_QUEUE_CHUNK];
};

static bool add_chunk(struct index_queue *queue, struct err *err) {
    struct index_queue_chunk *chunk =
        ARENA_NEW(queue->arena, struct index_queue_chunk, "index entries", err);
    if (chunk == NULL) {
        return false;
    }
    chunk->next = queue->free;
    queue->free = chunk;
    queue->free_chunks++;
    return true;
}

static struct index_queue_chunk *use_chunk(struct index_queue *queue) {
    struct index_queue_chunk *chunk = queue->free;
    SIM_CHECK(chunk != NULL); /* _reserve saw to it */
    queue->free = chunk->next;
    queue->free_chunks--;
    chunk->next = NULL;
    return chunk;
}

bool index_queue_init(struct index_queue *queue, struct arena *arena, struct err *err) {
    *queue = (struct index_queue){.arena = arena};
    if (!add_chunk(queue, err)) {
        return false;
    }
    queue->push.chunk = use_chunk(queue);
    queue->take = queue->project = queue->push;
    return true;
}

bool index_queue_reserve(struct index_queue *queue, uint32_t entries, struct err *err) {
    while ((uint64_t)queue->free_chunks * INDEX_QUEUE_CHUNK + INDEX_QUEUE_CHUNK - queue->push.at <
           entries) {
        if (!add_chunk(queue, err)) {
            return false;
        }
    }
    return true;
}

void index_queue_push(struct index_queue *queue, const struct index_write *write) {
    struct index_queue_place *push = &queue->push;
    SIM_CHECK(write->cost_ncu > 0);
    if (push->at == INDEX_QUEUE_CHUNK) {
        push->chunk->next = use_chunk(queue);
        *push = (struct index_queue_place){.chunk = push->chunk->next};
    }
    push->chunk->writes[push->at++] = *write;
    queue->owed++;
    queue->owed_ncu += (uint64_t)write->cost_ncu;
}

/* The same place, at the beginning of the next chunk rather than at the end of one. */
static struct index_queue_place normal(struct index_queue_place place) {
    if (place.at == INDEX_QUEUE_CHUNK && place.chunk->next != NULL) {
        return (struct index_queue_place){.chunk = place.chunk->next};
    }
    return place;
}

struct index_write *index_queue_head(const struct index_queue *queue) {
    const struct index_queue_place place = normal(queue->project);
    return queue->projected == queue->owed ? NULL : &place.chunk->writes[place.at];
}

void index_queue_project(struct index_queue *queue) {
    SIM_CHECK(queue->projected < queue->owed);
    queue->project = normal(queue->project);
    const struct index_write *write = &queue->project.chunk->writes[queue->project.at++];
    queue->projected++;
    queue->projected_ncu += (uint64_t)write->cost_ncu;
}

/* Goes on to the next chunk; the one that is left can be used again. */
static void leave_chunk(struct index_queue *queue) {
    struct index_queue_chunk *left = queue->take.chunk;
    queue->project = normal(queue->project);
    queue->take = normal(queue->take);
    left->next = queue->free;
    queue->free = left;
    queue->free_chunks++;
}

uint32_t index_queue_take(struct index_queue *queue, const struct index_write **writes) {
    if (queue->take.at == INDEX_QUEUE_CHUNK && queue->take.chunk->next != NULL) {
        leave_chunk(queue);
    }
    const struct index_queue_place *take = &queue->take;
    const uint64_t left = queue->projected - queue->taken;
    const uint64_t room = INDEX_QUEUE_CHUNK - take->at;
    const uint32_t count = (uint32_t)(left < room ? left : room);
    *writes = &take->chunk->writes[take->at < INDEX_QUEUE_CHUNK ? take->at : 0];
    queue->take.at += count;
    queue->taken += count;
    return count;
}

int64_t index_queue_buffered_ncu(const struct index_queue *queue) {
    return (int64_t)(queue->owed_ncu - queue->projected_ncu);
}

void index_queue_audit(const struct index_queue *queue) {
    uint64_t entries = 0, ncu = 0;
    struct index_queue_place place = queue->project;
    while (place.chunk != queue->push.chunk || place.at != queue->push.at) {
        place = normal(place);
        ncu += (uint64_t)place.chunk->writes[place.at++].cost_ncu;
        entries++;
    }
    SIM_CHECK(queue->owed == queue->projected + entries);
    SIM_CHECK(queue->owed_ncu == queue->projected_ncu + ncu);
    SIM_CHECK(queue->taken <= queue->projected);
}
