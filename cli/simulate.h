/*
 * simulate.h - One replication from the command line: progress, interruption, result.
 */
#ifndef DDBSIM_CLI_SIMULATE_H
#define DDBSIM_CLI_SIMULATE_H

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "experiments/simulation.h"

#include <stdbool.h>

enum simulate_result { SIMULATE_DONE, SIMULATE_INTERRUPTED, SIMULATE_FAILED };

/* Runs to the end. DONE: *simulation must be freed, *summary points into it; else nothing is left,
 * and FAILED has
 * filled *err. An interruption is noticed within some milliseconds. */
enum simulate_result simulate(const struct simulation_config *config, struct progress *progress,
                              struct interrupt *interrupt, struct simulation **simulation,
                              struct summary *summary, struct err *err);

#endif
