/*
 * output_stream.h - A long output: a file that is complete or absent, or standard output; either
 * ends at once when a signal comes.
 *
 * A file is written under another name beside it, synced and renamed by output_stream_commit; a
 * link is followed, so that it stays one. While the stream is open, SIGINT, SIGTERM and SIGHUP are
 * questions (interrupt.h), also while a reader at the other end of a pipe keeps it full.
 *
 * Errors: ERR_INPUT for a path that may not be written, ERR_IO for the rest.
 * Owns:   the stdio stream `out`, a descriptor, the temporary file, the signal mask; between a
 *         successful open and the close.  Cost: two system calls for 4 KiB into a pipe.
 */
#ifndef DDBSIM_CLI_OUTPUT_STREAM_H
#define DDBSIM_CLI_OUTPUT_STREAM_H

#include "cli/interrupt.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define OUTPUT_STREAM_BUFFER_BYTES 65536

struct output_stream {
    FILE *out; /* write here; ferror(out) says that it is over */
    struct interrupt interrupt;
    const char *path; /* NULL: standard output */
    bool overwrite, interrupted;
    mode_t mode; /* of a file, before the umask: 0666 unless it is set before the commit */
    char *target, *temporary; /* of a file */
    int descriptor, signals;
    int cause; /* errno of the first write that failed, 0 when none */
    char buffer[OUTPUT_STREAM_BUFFER_BYTES];
};

/* False with *err (ERR_INPUT) when output is the file that is read: even --force is no wish to lose
 * that. output NULL: standard output. */
bool output_stream_spares(const char *output, const char *input, struct err *err) ERR_WARN_UNUSED;

/* path NULL: standard output. path is kept, not copied. */
bool output_stream_open(struct output_stream *stream, const char *path, bool overwrite,
                        struct err *err) ERR_WARN_UNUSED;
/* Whether a signal has come. */
bool output_stream_interrupted(struct output_stream *stream);
/* Writes what is left, and puts a file into its place; false with *err, which stays ERR_NONE when
 * a signal came. */
bool output_stream_commit(struct output_stream *stream, struct err *err) ERR_WARN_UNUSED;
/* Removes what was not committed and gives all back. */
void output_stream_close(struct output_stream *stream);

#endif
