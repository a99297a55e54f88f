/*
 * drive.h - Drives an experiment from the command line: its log, progress, interruption.
 *
 * Results come in order: first those that the log holds already (--resume), then those of the
 * workers, which are appended to it and synced about once a second. On a terminal a line tells runs
 * done, rate and time left; elsewhere a plain line now and then.
 * Owns: the experiment and the open log.
 */
#ifndef DDBSIM_CLI_DRIVE_H
#define DDBSIM_CLI_DRIVE_H

#include "cli/interrupt.h"
#include "experiments/experiment.h"
#include "experiments/results_log.h"

#include <stdbool.h>
#include <stdint.h>

struct drive {
    struct experiment_config config;
    struct experiment *experiment; /* NULL: not begun */
    struct results_log log;        /* file -1: none */
    struct interrupt interrupt;
    uint64_t read, runs, runs_max; /* of the log; in all; at most, as far as is known */
    bool last_is_stopped;          /* the last result was its point's last */
    uint64_t last_point;
    uint32_t last_replication;
    bool quiet, is_terminal, shown;
    int64_t start_ns, line_ns, sync_ns; /* wall clock */
    uint64_t runs_before;               /* when the workers began */
};

enum drive_event { DRIVE_RESULT, DRIVE_ENDED, DRIVE_INTERRUPTED, DRIVE_FAILED };

/* config is copied, its design borrowed. log_path NULL: no log; borrowed, else. Signals are blocked
 * until drive_close, which is due after a failure, too. */
bool drive_open(struct drive *drive, const struct experiment_config *config, const char *log_path,
                struct hash128 identity, bool resume, bool quiet, struct err *err) ERR_WARN_UNUSED;

enum drive_event drive_next(struct drive *drive, struct experiment_result *result, struct err *err);

/* No further replications of the point of the last result. */
void drive_stop_point(struct drive *drive);

/* Erases the progress line; before anything else is printed. */
void drive_clear(struct drive *drive);

/* done: the log has served. */
void drive_close(struct drive *drive, bool done);

/* Points of the config's part, and processors that this process may use. */
uint64_t drive_point_count(const struct experiment_config *config);
uint32_t drive_processors(void);

#endif
