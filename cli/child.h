/*
 * child.h - Another program, run to its end: its messages are the user's to read.
 *
 * Signals that came to ddbsim alone are passed on, so that nothing runs on behind it.
 * Owns: nothing after it returned.
 */
#ifndef DDBSIM_CLI_CHILD_H
#define DDBSIM_CLI_CHILD_H

#include "cli/interrupt.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>

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
