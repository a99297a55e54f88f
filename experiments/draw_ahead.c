#include "experiments/draw_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 32 /* batches a source: while the thread wakes up, half of them last */

struct drawn {
    struct operation_batch batch;
    sim_ns latencies_ns[GENERATOR_BATCH];
};

struct queue {
    struct draw_ahead_source source;
    struct drawn *drawn;  /* AHEAD of them, by number modulo AHEAD */
    uint64_t made, taken; /* under the lock */
    bool is_over;         /* its last batch is made, an empty one */
};

struct draw_ahead {
    const struct client *client;
    sim_ns until_ns;
    struct check_context check;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows and of the queues' counts */
    pthread_cond_t room, ready;
    bool stops;
    uint32_t count;
    struct queue queues[];
};

void draw_batch(const struct draw_ahead_source *source, const struct client *client,
                sim_ns until_ns, struct operation_batch *batch, sim_ns *latencies_ns) {
    generator_next(source->generator, until_ns, batch);
    client_latencies_ns(client, source->workload, batch->first_sequence, batch->count,
                        latencies_ns);
}

/* The queue that has most room; NULL: none has any. */
static struct queue *emptiest(struct draw_ahead *ahead) {
    struct queue *found = NULL;
    uint64_t fewest = AHEAD;
    for (uint32_t i = 0; i < ahead->count; i++) {
        struct queue *queue = &ahead->queues[i];
        const uint64_t waiting = queue->made - queue->taken;
        if (!queue->is_over && waiting < fewest) {
            fewest = waiting;
            found = queue;
        }
    }
    return found;
}

static void *draw(void *argument) {
    struct draw_ahead *ahead = argument;
    check_context_set(&ahead->check);
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->stops) {
        struct queue *queue = emptiest(ahead);
        if (queue == NULL) {
            pthread_cond_wait(&ahead->room, &ahead->lock);
            continue;
        }
        struct drawn *drawn = &queue->drawn[queue->made % AHEAD];
        pthread_mutex_unlock(&ahead->lock);
        draw_batch(&queue->source, ahead->client, ahead->until_ns, &drawn->batch,
                   drawn->latencies_ns);
        pthread_mutex_lock(&ahead->lock);
        queue->made++;
        queue->is_over = drawn->batch.count == 0;
        pthread_cond_signal(&ahead->ready);
    }
    pthread_mutex_unlock(&ahead->lock);
    check_context_set(NULL);
    return NULL;
}

static void destroy(struct draw_ahead *ahead) {
    for (uint32_t i = 0; i < ahead->count; i++) {
        free(ahead->queues[i].drawn);
    }
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->room);
    pthread_cond_destroy(&ahead->ready);
    free(ahead);
}

/* Signals are for the threads that were there before. */
static bool start(struct draw_ahead *ahead) {
    sigset_t all, before;
    sigfillset(&all);
    int fault = pthread_sigmask(SIG_SETMASK, &all, &before);
    SIM_CHECK(fault == 0);
    const bool started = pthread_create(&ahead->thread, NULL, draw, ahead) == 0;
    fault = pthread_sigmask(SIG_SETMASK, &before, NULL);
    SIM_CHECK(fault == 0);
    return started;
}

struct draw_ahead *draw_ahead_new(const struct draw_ahead_source *sources, uint32_t count,
                                  const struct client *client, sim_ns until_ns,
                                  const struct check_context *check) {
    struct draw_ahead *ahead = calloc(1, sizeof *ahead + count * sizeof ahead->queues[0]);
    if (ahead == NULL) {
        return NULL;
    }
    ahead->client = client;
    ahead->until_ns = until_ns;
    ahead->check = (struct check_context){.seed = check->seed, .replication = check->replication};
    ahead->count = count;
    int fault = pthread_mutex_init(&ahead->lock, NULL);
    fault |= pthread_cond_init(&ahead->room, NULL);
    fault |= pthread_cond_init(&ahead->ready, NULL);
    SIM_CHECK(fault == 0); /* none of them takes memory on Linux */
    bool has_memory = true;
    for (uint32_t i = 0; i < count; i++) {
        ahead->queues[i].source = sources[i];
        ahead->queues[i].drawn = calloc(AHEAD, sizeof(struct drawn));
        has_memory &= ahead->queues[i].drawn != NULL;
    }
    if (!has_memory || !start(ahead)) {
        destroy(ahead);
        return NULL;
    }
    return ahead;
}

void draw_ahead_free(struct draw_ahead *ahead) {
    if (ahead == NULL) {
        return;
    }
    pthread_mutex_lock(&ahead->lock);
    ahead->stops = true;
    pthread_cond_signal(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
    const int fault = pthread_join(ahead->thread, NULL);
    SIM_CHECK(fault == 0);
    destroy(ahead);
}

static void copy_batch(struct operation_batch *batch, const struct operation_batch *from) {
    const size_t count = from->count;
    memcpy(batch->times_ns, from->times_ns, count * sizeof from->times_ns[0]);
    memcpy(batch->numbers, from->numbers, count * sizeof from->numbers[0]);
    memcpy(batch->sizes_bytes, from->sizes_bytes, count * sizeof from->sizes_bytes[0]);
    batch->first_sequence = from->first_sequence;
    batch->count = from->count;
    batch->draws = from->draws;
}

void draw_ahead_take(struct draw_ahead *ahead, uint32_t source, struct operation_batch *batch,
                     sim_ns *latencies_ns) {
    SIM_CHECK(source < ahead->count);
    struct queue *queue = &ahead->queues[source];
    pthread_mutex_lock(&ahead->lock);
    while (queue->made == queue->taken && !queue->is_over) {
        pthread_cond_wait(&ahead->ready, &ahead->lock);
    }
    const bool has_batch = queue->made > queue->taken;
    pthread_mutex_unlock(&ahead->lock);
    if (!has_batch) { /* it has been over before */
        batch->count = batch->draws = 0;
        return;
    }
    const struct drawn *drawn = &queue->drawn[queue->taken % AHEAD];
    SIM_CHECK(drawn->batch.draws == drawn->batch.count);
    copy_batch(batch, &drawn->batch);
    memcpy(latencies_ns, drawn->latencies_ns, batch->count * sizeof latencies_ns[0]);
    pthread_mutex_lock(&ahead->lock);
    queue->taken++;
    if (queue->made - queue->taken == AHEAD / 2) { /* not each time: waking takes longer */
        pthread_cond_signal(&ahead->room);
    }
    pthread_mutex_unlock(&ahead->lock);
}
