#include "sim/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The run of this thread: docs/adr/0003-check-context.md. */
static _Thread_local const struct check_context *thread_context;

void check_context_set(const struct check_context *context) {
    thread_context = context;
}

static void print_context(FILE *out, const struct check_context *context) {
    fprintf(out, " (seed %" PRIu64 ", replication %" PRIu64, context->seed, context->replication);
    if (context->now_ns != NULL) {
        sim_ns now_ns = *context->now_ns;
        uint64_t magnitude_ns = now_ns < 0 ? -(uint64_t)now_ns : (uint64_t)now_ns;
        fprintf(out, ", at %s%" PRIu64 ".%09" PRIu64 " s", now_ns < 0 ? "-" : "",
                magnitude_ns / (uint64_t)SIM_NS_PER_S, magnitude_ns % (uint64_t)SIM_NS_PER_S);
    }
    fputc(')', out);
}

/* The lock of stderr is held throughout: two runs that fail at once do not mix their lines. */
void check_failed(const char *file, int line, const char *condition, const char *format, ...) {
    flockfile(stderr);
    fprintf(stderr, "ddbsim: BUG: %s:%d: %s", file, line, condition);
    if (format[0] != '\0') {
        char detail[512];
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(detail, sizeof detail, format, arguments);
        va_end(arguments);
        if (length > 0) {
            fprintf(stderr, ": %s", detail);
        }
    }
    if (thread_context != NULL) {
        print_context(stderr, thread_context);
    }
    fputc('\n', stderr);
    fflush(stderr);
    funlockfile(stderr);
    abort();
}
