/*
 * experiment.h - Many runs: every point of a design, several replications each, on several threads.
 *
 *   experiment_new    starts the workers; they take (point, replication) in order
 *   experiment_next   hands out results, in that order whatever finished first
 *   experiment_free   stops what is under way, and frees
 *
 * Replications differ in draws and in layout. A run that fails (a value that the scenario does not
 * take, a trace that cannot be read) is a result, too: the others go on. Results are the same for
 * any number of workers; workers run at most some runs ahead of what is handed out, so memory does
 * not grow with the number of points.
 * Owns:    threads, one scenario and one run a thread, results not handed out.
 * Cost:    a lock a run.
 */
#ifndef DDBSIM_EXPERIMENTS_EXPERIMENT_H
#define DDBSIM_EXPERIMENTS_EXPERIMENT_H

#include "analysis/metric.h"
#include "experiments/design.h"
#include "sim/digest.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define EXPERIMENT_JOBS_MAX 1024

struct experiment; /* opaque */

struct experiment_config {
    const struct design *design; /* borrowed until experiment_free */
    uint64_t seed;
    bool has_seed;         /* else the scenarios' own */
    uint32_t replications; /* of each point, at most */
    uint32_t jobs;         /* threads, 1 … EXPERIMENT_JOBS_MAX */
    uint32_t part, parts;  /* the points p with p % parts == part */
    uint64_t first_point;  /* where to begin, one of the part's; not before it is known already */
    uint32_t first_replication;
};

/* What a run leaves: no series. */
struct experiment_result {
    uint64_t point;
    uint32_t replication;
    bool failed;
    char message[ERR_TEXT_BYTES]; /* of a failure */
    uint64_t seed;
    double duration_s;
    char digest[DIGEST_TEXT_BYTES], arrivals_digest[DIGEST_TEXT_BYTES];
    bool closed_loop; /* arrivals_digest does not cover all arrivals */
    struct workload_bin total;
    uint64_t in_flight;
    double metrics[METRIC_COUNT]; /* NAN: nothing seen, or it belongs to one of several tables */
    double wall_s;
    uint64_t peak_rss_bytes;
};

enum experiment_event { EXPERIMENT_RESULT, EXPERIMENT_WAITS, EXPERIMENT_ENDED };

/* NULL with *err set: no memory, no threads. */
struct experiment *experiment_new(const struct experiment_config *config, struct err *err);

/* The next result in order; WAITS after timeout_ms without one. */
enum experiment_event experiment_next(struct experiment *experiment, uint32_t timeout_ms,
                                      struct experiment_result *result);

/* No further replications of the point of the last result: those under way are dropped. */
void experiment_stop_point(struct experiment *experiment);

void experiment_free(struct experiment *experiment);

#endif
