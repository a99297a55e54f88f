/*
 * run_options.h - What `ddbsim run` was asked to do.
 */
#ifndef DDBSIM_CLI_RUN_OPTIONS_H
#define DDBSIM_CLI_RUN_OPTIONS_H

#include "cli/options.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define RUN_REPLICATIONS_MAX 1000000

struct run_options {
    const char *scenario, *output; /* output NULL: no database */
    struct option_sets sets;
    bool has_seed, has_replications, force, quiet;
    uint64_t seed, replications;
    enum output_format format;
    struct err *err;
};

/* Reads the command line; with OPTIONS_READ, and also otherwise, run_options_free is due. */
enum options_result run_options_parse(struct run_options *options, int argc, char **argv,
                                      struct err *err);
void run_options_free(struct run_options *options);

#endif
