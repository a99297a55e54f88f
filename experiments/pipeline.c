#include "experiments/pipeline.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BATCHES 16 /* a source */
#define BLOCKS 8
#define PATIENCE 200    /* looks for something to do, some 60 us, before the thread sleeps */
#define FEW_OUTCOMES 64 /* are not worth to be handed over when somebody waits for them */

struct drawn {
    struct operation_batch batch;
    sim_ns latencies_ns[GENERATOR_BATCH];
};

/* The batches of one source. Whoever sets is_busy draws the next one and counts it; only the run
 * takes. */
struct draw_queue {
    struct draw_source source;
    struct drawn *drawn; /* BATCHES of them, by number modulo BATCHES */
    atomic_bool is_busy;
    atomic_bool is_over; /* the last batch is made, an empty one */
    _Atomic uint64_t made, taken;
};

/* The blocks: [recorded, published) wait for the thread. What the recorder has written lately is
 * near the processor that ran it, so the run leaves it to the thread unless that sleeps. */
struct record_queue {
    struct recorder *recorder;
    struct outcome_block *blocks; /* by number modulo BLOCKS; NULL: no thread */
    atomic_bool failed;
    _Atomic uint64_t published, recorded;
    struct err err; /* failed: why */
};

struct pipeline {
    const struct client *client;
    sim_ns until_ns;
    struct check_context check;
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock; /* of sleep only */
    pthread_cond_t work;
    atomic_bool sleeps, stops;
    struct record_queue record;
    struct outcome_block filling;
    uint32_t source_count;
    struct draw_queue draw[];
};

void draw_batch(const struct draw_source *source, const struct client *client, sim_ns until_ns,
                struct operation_batch *batch, sim_ns *latencies_ns) {
    generator_next(source->generator, until_ns, batch);
    client_latencies_ns(client, source->workload, batch->first_sequence, batch->count,
                        latencies_ns);
}

static bool record_block(struct recorder *recorder, const struct outcome_block *block,
                         struct err *err) {
    for (uint32_t i = 0; i < block->key_count; i++) {
        const struct new_key *key = &block->keys[i];
        if (!recorder_add_key(recorder, key->resource, key->ring_position, err)) {
            return false;
        }
    }
    return recorder_record(recorder, block->outcomes, block->outcome_count, err);
}

static void copy_block(struct outcome_block *block, const struct outcome_block *from) {
    memcpy(block->outcomes, from->outcomes, from->outcome_count * sizeof from->outcomes[0]);
    memcpy(block->keys, from->keys, from->key_count * sizeof from->keys[0]);
    block->outcome_count = from->outcome_count;
    block->key_count = from->key_count;
}

static uint64_t waiting_blocks(const struct record_queue *queue) {
    return queue->published - queue->recorded;
}

/* After a failure blocks are forgotten. */
static void record(struct record_queue *queue, const struct outcome_block *block) {
    if (!queue->failed && !record_block(queue->recorder, block, &queue->err)) {
        queue->failed = true;
    }
}

/* The thread's: records the next block that waits. False: none. */
static bool record_next(struct record_queue *queue) {
    if (waiting_blocks(queue) == 0) {
        return false;
    }
    record(queue, &queue->blocks[queue->recorded % BLOCKS]);
    queue->recorded++;
    return true;
}

static bool has_room(const struct draw_queue *queue) {
    return !queue->is_over && queue->made - queue->taken < BATCHES;
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

/* The same for a source's next batch, if there is room for it. */
static bool draw_next(struct pipeline *pipeline, struct draw_queue *queue) {
    if (!has_room(queue) || atomic_exchange(&queue->is_busy, true)) {
        return false;
    }
    const bool draws = has_room(queue);
    if (draws) {
        struct drawn *drawn = &queue->drawn[queue->made % BATCHES];
        draw_batch(&queue->source, pipeline->client, pipeline->until_ns, &drawn->batch,
                   drawn->latencies_ns);
        queue->is_over = drawn->batch.count == 0;
        queue->made++;
    }
    queue->is_busy = false;
    return draws;
}

/* For the source that has fewest ahead. */
static bool draw_any(struct pipeline *pipeline) {
    struct draw_queue *found = NULL;
    uint64_t fewest = BATCHES;
    for (uint32_t i = 0; i < pipeline->source_count; i++) {
        struct draw_queue *queue = &pipeline->draw[i];
        const uint64_t ahead = queue->made - queue->taken;
        if (!queue->is_over && ahead < fewest) {
            fewest = ahead;
            found = queue;
        }
    }
    return found != NULL && draw_next(pipeline, found);
}

static void wake(struct pipeline *pipeline) {
    pthread_mutex_lock(&pipeline->lock);
    pipeline->sleeps = false;
    pthread_cond_signal(&pipeline->work);
    pthread_mutex_unlock(&pipeline->lock);
}

/* A call that comes too early is lost; the run calls again when it next looks. */
static void fall_asleep(struct pipeline *pipeline) {
    pthread_mutex_lock(&pipeline->lock);
    pipeline->sleeps = true;
    while (pipeline->sleeps && !pipeline->stops) {
        pthread_cond_wait(&pipeline->work, &pipeline->lock);
    }
    pthread_mutex_unlock(&pipeline->lock);
}

/* Records first: the run waits for that at the end of each second, and holds few blocks. */
static void *work(void *argument) {
    struct pipeline *pipeline = argument;
    check_context_set(&pipeline->check);
    uint32_t idle = 0;
    while (!pipeline->stops) {
        if (record_next(&pipeline->record) || draw_any(pipeline)) {
            idle = 0;
        } else if (++idle < PATIENCE) {
            sched_yield();
        } else {
            fall_asleep(pipeline);
            idle = 0;
        }
    }
    check_context_set(NULL);
    return NULL;
}

/* Signals are for the threads that were there before. */
static void start(struct pipeline *pipeline) {
    sigset_t all, before;
    sigfillset(&all);
    int fault = pthread_sigmask(SIG_SETMASK, &all, &before);
    SIM_CHECK(fault == 0);
    pipeline->has_thread = pthread_create(&pipeline->thread, NULL, work, pipeline) == 0;
    fault = pthread_sigmask(SIG_SETMASK, &before, NULL);
    SIM_CHECK(fault == 0);
}

static bool has_queues(const struct pipeline *pipeline) {
    bool has = pipeline->record.blocks != NULL;
    for (uint32_t i = 0; i < pipeline->source_count; i++) {
        has &= pipeline->draw[i].drawn != NULL;
    }
    return has;
}

struct pipeline *pipeline_new(const struct pipeline_config *config, struct err *err) {
    const uint32_t sources = config->source_count;
    struct pipeline *pipeline = calloc(1, sizeof *pipeline + sources * sizeof pipeline->draw[0]);
    if (pipeline == NULL) {
        err_no_memory(err, "pipeline");
        return NULL;
    }
    pipeline->client = config->client;
    pipeline->until_ns = config->until_ns;
    pipeline->check = (struct check_context){.seed = config->check->seed,
                                             .replication = config->check->replication};
    pipeline->record.recorder = config->recorder;
    pipeline->record.blocks =
        config->has_thread ? calloc(BLOCKS, sizeof(struct outcome_block)) : NULL;
    pipeline->source_count = sources;
    for (uint32_t i = 0; i < sources; i++) {
        pipeline->draw[i].source = config->sources[i];
        pipeline->draw[i].drawn = config->has_thread ? calloc(BATCHES, sizeof(struct drawn)) : NULL;
    }
    int fault = pthread_mutex_init(&pipeline->lock, NULL);
    fault |= pthread_cond_init(&pipeline->work, NULL);
    SIM_CHECK(fault == 0); /* none of them takes memory on Linux */
    if (config->has_thread && !has_queues(pipeline)) {
        err_no_memory(err, "pipeline");
        pipeline_free(pipeline);
        return NULL;
    }
    if (config->has_thread) {
        start(pipeline);
    }
    return pipeline;
}

void pipeline_stop(struct pipeline *pipeline) {
    if (!pipeline->has_thread) {
        return;
    }
    pipeline->stops = true;
    wake(pipeline);
    const int fault = pthread_join(pipeline->thread, NULL);
    SIM_CHECK(fault == 0);
    pipeline->has_thread = false;
}

void pipeline_free(struct pipeline *pipeline) {
    if (pipeline == NULL) {
        return;
    }
    pipeline_stop(pipeline);
    for (uint32_t i = 0; i < pipeline->source_count; i++) {
        free(pipeline->draw[i].drawn);
    }
    free(pipeline->record.blocks);
    pthread_mutex_destroy(&pipeline->lock);
    pthread_cond_destroy(&pipeline->work);
    free(pipeline);
}

void pipeline_take(struct pipeline *pipeline, uint32_t source, struct operation_batch *batch,
                   sim_ns *latencies_ns) {
    SIM_CHECK(source < pipeline->source_count);
    struct draw_queue *queue = &pipeline->draw[source];
    if (!pipeline->has_thread) {
        draw_batch(&queue->source, pipeline->client, pipeline->until_ns, batch, latencies_ns);
        return;
    }
    while (queue->made == queue->taken && !queue->is_over) {
        if (!draw_next(pipeline, queue)) {
            sched_yield(); /* the thread is at it, for some microseconds */
        }
    }
    if (queue->made == queue->taken) { /* it has been over before */
        batch->count = batch->draws = 0;
        return;
    }
    const struct drawn *drawn = &queue->drawn[queue->taken % BATCHES];
    SIM_CHECK(drawn->batch.draws == drawn->batch.count);
    copy_batch(batch, &drawn->batch);
    memcpy(latencies_ns, drawn->latencies_ns, batch->count * sizeof latencies_ns[0]);
    queue->taken++;
    if (pipeline->sleeps && queue->made - queue->taken <= BATCHES / 2 && !queue->is_over) {
        wake(pipeline);
    }
}

struct outcome_block *pipeline_block(struct pipeline *pipeline) {
    return &pipeline->filling;
}

/* Waits until at most that many blocks wait. */
static void wait_for_thread(struct pipeline *pipeline, uint64_t blocks) {
    while (waiting_blocks(&pipeline->record) > blocks) {
        if (pipeline->sleeps) {
            wake(pipeline);
        }
        sched_yield();
    }
}

/* Hands the block on that the run has filled, or records it at once. */
static bool publish(struct pipeline *pipeline, bool flushes, struct err *err) {
    struct record_queue *queue = &pipeline->record;
    struct outcome_block *filling = &pipeline->filling;
    const bool is_small = flushes && filling->outcome_count < FEW_OUTCOMES;
    if (!pipeline->has_thread || pipeline->sleeps || is_small) {
        wait_for_thread(pipeline, 0);
        record(queue, filling);
    } else {
        wait_for_thread(pipeline, BLOCKS - 1);
        copy_block(&queue->blocks[queue->published % BLOCKS], filling);
        queue->published++;
        if (flushes) {
            wait_for_thread(pipeline, 0);
        }
    }
    filling->outcome_count = filling->key_count = 0;
    if (queue->failed) {
        *err = queue->err;
    }
    return !queue->failed;
}

bool pipeline_publish(struct pipeline *pipeline, struct err *err) {
    return publish(pipeline, false, err);
}

bool pipeline_flush(struct pipeline *pipeline, struct err *err) {
    return publish(pipeline, true, err);
}
