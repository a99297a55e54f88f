#include "cli/simulate.h"

enum simulate_result simulate(const struct simulation_config *config, struct progress *progress,
                              struct interrupt *interrupt, struct simulation **simulation,
                              struct summary *summary, struct err *err) {
    *simulation = simulation_new(config, err);
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
