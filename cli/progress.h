/*
 * progress.h - One line on a terminal while a run takes longer than a second.
 *
 *   42 %  0:04:12 of 0:10:00  3,120,000 attempts/s  4 s left
 *
 * Written to stderr only when that is a terminal that can go back (TERM is set and not "dumb"), at
 * most ten times a second, and erased at the end. No colours, so NO_COLOR has nothing to forbid.
 * Owns: nothing.
 */
#ifndef DDBSIM_CLI_PROGRESS_H
#define DDBSIM_CLI_PROGRESS_H

#include "experiments/simulation.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *out;
    bool enabled, shown;
    const char *label;
    uint64_t run, runs;        /* replication under way, from 0 */
    int64_t start_ns, last_ns; /* wall clock */
    uint64_t attempts_before;  /* of the runs that are done */
};

/* label stands in front, NULL: nothing. */
void progress_begin(struct progress *progress, const char *label, uint64_t runs, bool quiet);
/* After each step of the simulation. */
void progress_step(struct progress *progress, const struct simulation *simulation);
void progress_run_done(struct progress *progress, const struct simulation *simulation);
/* Whether stderr is a terminal that can go back, and nanoseconds of the wall clock. */
bool progress_is_terminal(void);
int64_t progress_wall_ns(void);
/* Erases the line; call before anything else is printed. */
void progress_clear(struct progress *progress);

/* The line itself for given figures, so that it can be tested; share < 0: the end is open. */
struct progress_figures {
    double share, wall_s, attempts;
    int64_t elapsed_s, duration_s; /* duration -1: open */
    uint64_t run, runs;
};
void progress_line(const char *label, const struct progress_figures *figures, char *line,
                   size_t line_bytes);

#endif
