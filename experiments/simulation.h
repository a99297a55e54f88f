/*
 * simulation.h - One run: scenario and seed -> generators, service, client -> recorder -> summary.
 *
 * The only place where the folders meet. It owns the loop's switch over event kinds, the calls that
 * wait for a retry, and the closed-loop clients; the model decides what is throttled, the client
 * what is tried again.
 *
 *   simulation_new     sets everything up
 *   simulation_step    runs on, to the end of a simulated second at most; the caller may stop
 *   simulation_finish  counts what is in flight, checks the invariants, fills the summary
 *
 * Owns: all of the run. Nothing is shared, so runs may go on in parallel threads.
 */
#ifndef DDBSIM_EXPERIMENTS_SIMULATION_H
#define DDBSIM_EXPERIMENTS_SIMULATION_H

#include "analysis/metric.h"
#include "analysis/store.h"
#include "analysis/summary.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stdint.h>

struct simulation; /* opaque: see simulation_parts.h */

struct simulation_config {
    const struct scenario *scenario; /* borrowed until simulation_free */
    uint64_t seed, replication;
    struct store *store; /* NULL: no database */
    int64_t run_id;
    struct metric_watch *watches; /* borrowed, initialised by metric_watch_init */
    uint32_t watch_count;
    bool has_second_thread; /* pipeline.h: changes no result, only how soon */
};

/* Whether the model takes the scenario's tables: pins to partitions that are there, not too many
 * partitions. What scenario_read cannot know, without a run. */
bool simulation_check(const struct scenario *scenario, struct err *err) ERR_WARN_UNUSED;

/* NULL and *err on failure (trace unreadable, no memory). */
struct simulation *simulation_new(const struct simulation_config *config, struct err *err);
void simulation_free(struct simulation *simulation);

/* Runs to the end of the next second, or for some thousand attempts when it is a busy one: never
 * long. *done: the run is over (duration reached, or nothing is left to do). */
bool simulation_step(struct simulation *simulation, bool *done, struct err *err) ERR_WARN_UNUSED;

/* Simulated seconds so far, and in all (-1: open end). */
int64_t simulation_elapsed_s(const struct simulation *simulation);
int64_t simulation_duration_s(const struct simulation *simulation);
uint64_t simulation_attempts(const struct simulation *simulation);

/* Ends the run. *summary points into the simulation: valid until simulation_free. */
bool simulation_finish(struct simulation *simulation, struct summary *summary, struct err *err)
    ERR_WARN_UNUSED;

/* After _finish: the value of watch i (metric.h), NAN when nothing was seen. */
double simulation_watch_value(const struct simulation *simulation, uint32_t watch);

#endif
