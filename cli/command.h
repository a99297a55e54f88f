/*
 * command.h - Sub-commands: one file each, one row each in commands.c.
 *
 * Everything but main.c is a library that tests link. Results go to stdout, everything else to
 * stderr. Only this folder prints and decides on exit statuses.
 */
#ifndef DDBSIM_CLI_COMMAND_H
#define DDBSIM_CLI_COMMAND_H

#include "sim/err.h"

#include <stddef.h>

enum exit_status {
    EXIT_STATUS_DONE = 0,
    EXIT_STATUS_FAILED = 1, /* an expectation or a point failed */
    EXIT_STATUS_INPUT = 2,  /* usage or scenario */
    EXIT_STATUS_IO = 3,
    EXIT_STATUS_INTERRUPTED = 130,
};

struct command {
    const char *name, *about;
    int (*run)(int argc, char **argv); /* argv[0] is "ddbsim NAME"; returns an exit_status */
};

const struct command *command_list(size_t *count);
/* The whole program but for the process: what main returns. */
int command_main(int argc, char **argv);

int command_run(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_advise(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_report(int argc, char **argv);
int command_export(int argc, char **argv);
int command_check(int argc, char **argv);
int command_units(int argc, char **argv);
int command_scenarios(int argc, char **argv);
int command_parameters(int argc, char **argv);

/* Prints "ddbsim: error: …" and returns the exit status of err's kind. */
int command_fail(const struct err *err);

#endif
