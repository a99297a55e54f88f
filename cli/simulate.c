#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/simulate.h"

#include <sched.h>

/* A core beside the one that a single run keeps busy. */
static bool has_spare_core(void) {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1;
}

enum simulate_result simulate(const struct simulation_config *config, struct progress *progress,
                              struct interrupt *interrupt, struct simulation **simulation,
                              struct summary *summary, struct err *err) {
    struct simulation_config own = *config;
    own.has_second_thread = has_spare_core();
    *simulation = simulation_new(&own, err);
    if (*simulation == NULL) {
        return SIMULATE_FAILED;
    }
    enum simulate_result result = SIMULATE_DONE;
    bool done = false;
    while (!done && result == SIMULATE_DONE) {
        if (!simulation_step(*simulation, &done, err)) {
            result = SIMULATE_FAILED;
        } else if (!done && interrupt_pending(interrupt)) {
            result = SIMULATE_INTERRUPTED;
        } else {
            progress_step(progress, *simulation);
        }
    }
    if (result == SIMULATE_DONE && !simulation_finish(*simulation, summary, err)) {
        result = SIMULATE_FAILED;
    }
    progress_run_done(progress, *simulation);
    if (result != SIMULATE_DONE) {
        simulation_free(*simulation);
        *simulation = NULL;
    }
    return result;
}
