/*
 * check.h - Checks that stay on in release builds: a failed one is a bug, never bad input.
 *
 * Prints `ddbsim: BUG: file:line: condition: detail (seed S, replication R, at T s)` and aborts.
 * The run publishes seed and simulated time through check_context_set; that pointer is thread-local
 * and the project's only mutable variable at file scope (docs/adr/0003-check-context.md).
 */
#ifndef DDBSIM_SIM_CHECK_H
#define DDBSIM_SIM_CHECK_H

#include "sim/clock.h"

#include <stdint.h>

struct check_context {
    uint64_t seed;
    uint64_t replication;
    const sim_ns *now_ns; /* the loop's clock, NULL outside of a run */
};

/* Names the run of this thread for messages; NULL takes it back. Borrowed, O(1). */
void check_context_set(const struct check_context *context);

_Noreturn void check_failed(const char *file, int line, const char *condition, const char *format,
                            ...) __attribute__((format(printf, 4, 5), cold));

/* The check itself; SIM_CHECKF adds a printf-formatted detail. Cost: one predicted branch. */
#define SIM_CHECK(condition)                                                                       \
    (__builtin_expect(!!(condition), 1) ? (void)0                                                  \
                                        : check_failed(__FILE__, __LINE__, #condition, "%s", ""))
#define SIM_CHECKF(condition, ...)                                                                 \
    (__builtin_expect(!!(condition), 1)                                                            \
         ? (void)0                                                                                 \
         : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

#endif
