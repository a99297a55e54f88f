/*
 * advise_options.h - What `ddbsim advise` was asked to do.
 */
#ifndef DDBSIM_CLI_ADVISE_OPTIONS_H
#define DDBSIM_CLI_ADVISE_OPTIONS_H

#include "cli/sweep_options.h"
#include "experiments/goal.h"

#include <stdbool.h>
#include <stdint.h>

#define ADVISE_GOALS_MAX 8
#define ADVISE_REPLICATIONS 100

struct advise_options {
    struct sweep_options sweep; /* first: sweep_options_parser reads into it */
    struct goal goals[ADVISE_GOALS_MAX];
    uint32_t goal_count;
    bool largest, sensitivity;
    double share, confidence;
};

/* Afterwards sweep_options_free(&options->sweep) is due. */
enum options_result advise_options_parse(struct advise_options *options, int argc, char **argv,
                                         struct err *err);

#endif
