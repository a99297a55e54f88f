#include "experiments/experiment.h"

#include "experiments/simulation.h"
#include "sim/check.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS_PER_JOB 4

enum slot_state { SLOT_FREE, SLOT_BUSY, SLOT_DONE };

/* A run from when a worker takes it until its result is handed out. */
struct slot {
    enum slot_state state;
    struct experiment_result result;
};

struct experiment {
    struct experiment_config config;
    pthread_mutex_t lock; /* of all that follows but `cancelled` */
    pthread_cond_t room, ready;
    struct slot *slots; /* runs taken and not handed out, by sequence % slot_count */
    uint64_t slot_count;
    uint64_t taken, handed; /* sequence numbers */
    uint64_t next_point;    /* to be taken, with next_replication */
    uint32_t next_replication;
    uint64_t last_point;    /* of the last result */
    uint64_t stopped_point; /* UINT64_MAX: none */
    atomic_bool cancelled;
    pthread_t *threads;
    uint32_t thread_count;
};

/* One thread's: the scenario of the point that it last worked on. */
struct worker {
    struct experiment *experiment;
    struct scenario scenario;
    uint64_t point; /* UINT64_MAX: none read */
    struct metric_query queries[METRIC_COUNT];
    struct metric_watch watches[METRIC_COUNT];
    uint32_t watch_metrics[METRIC_COUNT]; /* which metric watch i is of */
    uint32_t watch_count;
};

static bool point_is_over(const struct experiment *experiment) {
    return experiment->next_replication == experiment->config.replications ||
           experiment->next_point == experiment->stopped_point;
}

/* Goes on to the next run; called under the lock. */
static void advance(struct experiment *experiment) {
    if (point_is_over(experiment)) {
        experiment->next_point += experiment->config.parts;
        experiment->next_replication = 0;
    }
}

static bool all_taken(struct experiment *experiment) {
    advance(experiment);
    return experiment->next_point >= experiment->config.design->point_count;
}

/* The whole run's value of every metric that makes sense without a table's name, or with that of
 * the only one. */
static void watch_metrics(struct worker *worker) {
    worker->watch_count = 0;
    for (uint32_t metric = 0; metric < METRIC_COUNT; metric++) {
        struct metric_query query = {
            .metric = (enum metric)metric,
            .resource = METRIC_ANY,
            .workload = METRIC_ANY,
            .reason = METRIC_ANY,
            .to_s = INT64_MAX,
            .per = METRIC_PER_RUN,
            .stat = metric_rows()[metric].is_level ? METRIC_MEAN : METRIC_SUM,
        };
        if (metric_query_fault(&query) != NULL && worker->scenario.table_count == 1) {
            query.resource = 0;
        }
        if (metric_query_fault(&query) == NULL) {
            metric_watch_init(&worker->watches[worker->watch_count], &query);
            worker->watch_metrics[worker->watch_count++] = metric;
        }
    }
}

static bool read_point(struct worker *worker, uint64_t point, struct err *err) {
    if (worker->point == point) {
        return true;
    }
    if (worker->point != UINT64_MAX) {
        scenario_fini(&worker->scenario);
        worker->point = UINT64_MAX;
    }
    if (!design_read(worker->experiment->config.design, point, &worker->scenario, err)) {
        scenario_fini(&worker->scenario);
        return false;
    }
    worker->point = point;
    return true;
}

static void keep_summary(const struct worker *worker, const struct simulation *simulation,
                         const struct summary *summary, struct experiment_result *result) {
    result->seed = summary->seed;
    result->duration_s = summary->duration_s;
    memcpy(result->digest, summary->digest, sizeof result->digest);
    memcpy(result->arrivals_digest, summary->arrivals_digest, sizeof result->arrivals_digest);
    result->closed_loop = summary->closed_loop;
    result->total = summary->total;
    result->in_flight = summary->in_flight;
    result->wall_s = summary->wall_s;
    result->peak_rss_bytes = summary->peak_rss_bytes;
    for (uint32_t i = 0; i < worker->watch_count; i++) {
        result->metrics[worker->watch_metrics[i]] = simulation_watch_value(simulation, i);
    }
}

/* false: it failed, or there is no hurry to end it any more. */
static bool simulate(struct worker *worker, struct simulation *simulation,
                     struct experiment_result *result, struct err *err) {
    struct experiment *experiment = worker->experiment;
    bool done = false;
    while (!done) {
        if (!simulation_step(simulation, &done, err)) {
            return false;
        }
        if (atomic_load_explicit(&experiment->cancelled, memory_order_relaxed)) {
            return err_set(err, ERR_IO, "interrupted");
        }
    }
    struct summary summary;
    if (!simulation_finish(simulation, &summary, err)) {
        return false;
    }
    keep_summary(worker, simulation, &summary, result);
    return true;
}

static bool run(struct worker *worker, struct experiment_result *result, struct err *err) {
    const struct experiment_config *config = &worker->experiment->config;
    if (!read_point(worker, result->point, err)) {
        return false;
    }
    watch_metrics(worker);
    const struct simulation_config run_config = {
        .scenario = &worker->scenario,
        .seed = config->has_seed ? config->seed : worker->scenario.seed,
        .replication = result->replication,
        .watches = worker->watches,
        .watch_count = worker->watch_count,
    };
    struct simulation *simulation = simulation_new(&run_config, err);
    const bool done = simulation != NULL && simulate(worker, simulation, result, err);
    simulation_free(simulation);
    return done;
}

/* Takes the next run, waiting for room; NULL: there is none left. */
static struct slot *take(struct experiment *experiment) {
    struct slot *slot = NULL;
    pthread_mutex_lock(&experiment->lock);
    while (!atomic_load(&experiment->cancelled) && !all_taken(experiment) &&
           experiment->taken - experiment->handed == experiment->slot_count) {
        pthread_cond_wait(&experiment->room, &experiment->lock);
    }
    if (!atomic_load(&experiment->cancelled) && !all_taken(experiment)) {
        slot = &experiment->slots[experiment->taken++ % experiment->slot_count];
        slot->state = SLOT_BUSY;
        slot->result = (struct experiment_result){
            .point = experiment->next_point,
            .replication = experiment->next_replication++,
        };
        for (uint32_t i = 0; i < METRIC_COUNT; i++) {
            slot->result.metrics[i] = NAN;
        }
    }
    pthread_mutex_unlock(&experiment->lock);
    return slot;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct experiment *experiment = worker->experiment;
    for (struct slot *slot; (slot = take(experiment)) != NULL;) {
        struct err err = {ERR_NONE, ""};
        if (!run(worker, &slot->result, &err)) {
            slot->result.failed = true;
            memcpy(slot->result.message, err.text, sizeof slot->result.message);
        }
        pthread_mutex_lock(&experiment->lock);
        slot->state = SLOT_DONE;
        pthread_cond_signal(&experiment->ready);
        pthread_mutex_unlock(&experiment->lock);
    }
    if (worker->point != UINT64_MAX) {
        scenario_fini(&worker->scenario);
    }
    free(worker);
    pthread_mutex_lock(&experiment->lock);
    pthread_cond_signal(&experiment->ready); /* it may have waited for a run that nobody takes */
    pthread_mutex_unlock(&experiment->lock);
    return NULL;
}

static bool start_worker(struct experiment *experiment, struct err *err) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        return err_no_memory(err, "worker");
    }
    worker->experiment = experiment;
    worker->point = UINT64_MAX;
    const int fault =
        pthread_create(&experiment->threads[experiment->thread_count], NULL, work, worker);
    if (fault != 0) {
        free(worker);
        return err_set(err, ERR_IO, "cannot start a thread: %s", strerror(fault));
    }
    experiment->thread_count++;
    return true;
}

static void init_locks(struct experiment *experiment) {
    pthread_condattr_t monotonic;
    int fault = pthread_mutex_init(&experiment->lock, NULL);
    fault |= pthread_cond_init(&experiment->room, NULL);
    fault |= pthread_condattr_init(&monotonic);
    fault |= pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    fault |= pthread_cond_init(&experiment->ready, &monotonic);
    fault |= pthread_condattr_destroy(&monotonic);
    SIM_CHECK(fault == 0); /* none of them takes memory or time on Linux */
}

struct experiment *experiment_new(const struct experiment_config *config, struct err *err) {
    SIM_CHECK(config->jobs >= 1 && config->jobs <= EXPERIMENT_JOBS_MAX);
    SIM_CHECK(config->first_replication <= config->replications);
    SIM_CHECK(config->first_point % config->parts == config->part);
    struct experiment *experiment = calloc(1, sizeof *experiment);
    if (experiment == NULL) {
        err_no_memory(err, "experiment");
        return NULL;
    }
    experiment->config = *config;
    experiment->slot_count = (uint64_t)config->jobs * SLOTS_PER_JOB;
    experiment->next_point = config->first_point;
    experiment->next_replication = config->first_replication;
    experiment->stopped_point = UINT64_MAX;
    init_locks(experiment);
    experiment->slots = calloc(experiment->slot_count, sizeof *experiment->slots);
    experiment->threads = calloc(config->jobs, sizeof *experiment->threads);
    bool started = experiment->slots != NULL && experiment->threads != NULL;
    if (!started) {
        err_no_memory(err, "experiment");
    }
    for (uint32_t i = 0; i < config->jobs && started; i++) {
        started = start_worker(experiment, err);
    }
    if (!started) {
        experiment_free(experiment);
        return NULL;
    }
    return experiment;
}

static struct timespec time_in(uint32_t milliseconds) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

static struct slot *oldest(struct experiment *experiment) {
    return &experiment->slots[experiment->handed % experiment->slot_count];
}

/* Frees the slots of results that nobody wants: their point was stopped. */
static void drop_stopped(struct experiment *experiment) {
    while (experiment->handed < experiment->taken && oldest(experiment)->state == SLOT_DONE &&
           oldest(experiment)->result.point == experiment->stopped_point) {
        oldest(experiment)->state = SLOT_FREE;
        experiment->handed++;
        pthread_cond_broadcast(&experiment->room);
    }
}

enum experiment_event experiment_next(struct experiment *experiment, uint32_t timeout_ms,
                                      struct experiment_result *result) {
    const struct timespec until = time_in(timeout_ms);
    enum experiment_event event = EXPERIMENT_WAITS;
    pthread_mutex_lock(&experiment->lock);
    for (int waited = 0; event == EXPERIMENT_WAITS && waited == 0;) {
        drop_stopped(experiment);
        if (experiment->handed < experiment->taken && oldest(experiment)->state == SLOT_DONE) {
            *result = oldest(experiment)->result;
            oldest(experiment)->state = SLOT_FREE;
            experiment->handed++;
            experiment->last_point = result->point;
            pthread_cond_broadcast(&experiment->room);
            event = EXPERIMENT_RESULT;
        } else if (experiment->handed == experiment->taken && all_taken(experiment)) {
            event = EXPERIMENT_ENDED;
        } else {
            waited = pthread_cond_timedwait(&experiment->ready, &experiment->lock, &until);
        }
    }
    pthread_mutex_unlock(&experiment->lock);
    return event;
}

void experiment_stop_point(struct experiment *experiment) {
    pthread_mutex_lock(&experiment->lock);
    experiment->stopped_point = experiment->last_point;
    pthread_cond_broadcast(&experiment->room);
    pthread_mutex_unlock(&experiment->lock);
}

void experiment_free(struct experiment *experiment) {
    if (experiment == NULL) {
        return;
    }
    atomic_store(&experiment->cancelled, true);
    pthread_mutex_lock(&experiment->lock);
    pthread_cond_broadcast(&experiment->room);
    pthread_mutex_unlock(&experiment->lock);
    for (uint32_t i = 0; i < experiment->thread_count; i++) {
        (void)pthread_join(experiment->threads[i], NULL);
    }
    pthread_mutex_destroy(&experiment->lock);
    pthread_cond_destroy(&experiment->room);
    pthread_cond_destroy(&experiment->ready);
    free(experiment->threads);
    free(experiment->slots);
    free(experiment);
}
