/*
 * child.h - Another program, started; or run to its end, its messages the user's to read.
 *
 * Signals that came to ddbsim alone are passed on, so that nothing runs on behind it.
 * Owns: nothing after it returned.
 */
#ifndef DDBSIM_CLI_CHILD_H
#define DDBSIM_CLI_CHILD_H

#include "cli/interrupt.h"
#include "sim/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How a child is started: with no input, and no signal blocked. */
struct child_start {
    const char *const *arguments; /* the first is looked for in PATH; NULL behind the last */
    const char *folder;           /* where it runs; NULL: here */
    int out, messages;            /* descriptors for its output and its error messages */
    sigset_t defaulted;           /* signals that end it even when they are ignored here */
};
/* 0, or the errno of why it cannot be started. */
int child_spawn(const struct child_start *start, pid_t *child);

struct child_result {
    int status;       /* its exit status, or 128 + the signal that ended it */
    bool interrupted; /* a signal came meanwhile */
};

/* Runs arguments[0], looked for in PATH, without input. output NULL: what it prints goes to
 * standard error with its messages; else the first output_bytes - 1 of it, and a NUL. False with
 * *err: it cannot be started; missing says what it is when it is not installed. */
bool child_run(const char *const *arguments, const char *missing, char *output, size_t output_bytes,
               struct child_result *result, struct err *err) ERR_WARN_UNUSED;

#endif
