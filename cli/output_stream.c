/* A long output that can be interrupted. */
#define _GNU_SOURCE
#include "cli/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_write(const struct output_stream *stream, int cause, struct err *err) {
    if (stream->path == NULL) {
        return err_set(err, ERR_IO, "cannot write to standard output: %s", strerror(cause));
    }
    return err_set(err, ERR_IO, "cannot write '%s': %s", stream->path, strerror(cause));
}

bool output_stream_spares(const char *output, const char *input, struct err *err) {
    struct stat from, to;
    if (output == NULL || stat(input, &from) != 0 || stat(output, &to) != 0 ||
        from.st_dev != to.st_dev || from.st_ino != to.st_ino) {
        return true;
    }
    return err_set(err, ERR_INPUT, "output '%s' is the database itself", output);
}

/* Where the file shall stand. */
static bool find_target(struct output_stream *stream, struct err *err) {
    const char *path = stream->path;
    struct stat status;
    const size_t length = strlen(path);
    if (length == 0) {
        return err_set(err, ERR_INPUT, "the name of the output is empty");
    }
    const bool is_there = lstat(path, &status) == 0;
    const bool is_link = is_there && S_ISLNK(status.st_mode);
    if (is_link && stat(path, &status) != 0) {
        return err_set(err, ERR_INPUT, "'%s' is a link to nothing; expected a file name", path);
    }
    if (path[length - 1] == '/' || (is_there && S_ISDIR(status.st_mode))) {
        return err_set(err, ERR_INPUT, "'%s' is a folder; expected a file name", path);
    }
    if (is_there && !S_ISREG(status.st_mode)) {
        return err_set(err, ERR_INPUT, "'%s' is not a regular file; expected a file name", path);
    }
    if (is_there && !stream->overwrite) {
        return err_set(err, ERR_INPUT, "'%s' exists; --force overwrites it", path);
    }
    stream->target = is_link ? realpath(path, NULL) : strdup(path);
    return stream->target != NULL || err_no_memory(err, "path");
}

static bool open_temporary(struct output_stream *stream, struct err *err) {
    if (!find_target(stream, err)) {
        return false;
    }
    if (asprintf(&stream->temporary, "%s.tmp-XXXXXX", stream->target) < 0) {
        stream->temporary = NULL;
        return err_no_memory(err, "path");
    }
    stream->descriptor = mkostemp(stream->temporary, O_CLOEXEC);
    if (stream->descriptor < 0) {
        const int cause = errno;
        free(stream->temporary);
        stream->temporary = NULL;
        return fail_write(stream, cause, err);
    }
    return true;
}

/* False when a signal comes before the descriptor takes more. */
static bool wait_writable(const struct output_stream *stream) {
    struct pollfd waits[] = {{stream->descriptor, POLLOUT, 0}, {stream->signals, POLLIN, 0}};
    int ready;
    do {
        ready = poll(waits, 2, -1);
    } while (ready < 0 && errno == EINTR);
    return ready < 0 || waits[1].revents == 0;
}

/* A pipe that poll calls writable takes PIPE_BUF bytes without a wait. Returns 0 for a failure, as
 * fopencookie has it. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t count) {
    struct output_stream *stream = cookie;
    size_t done = 0;
    if (stream->interrupted || stream->cause != 0) {
        return 0; /* it is over: nothing is tried again */
    }
    while (done < count) {
        if (!wait_writable(stream)) {
            stream->interrupted = true;
            return 0;
        }
        const size_t left = count - done;
        const bool may_wait = stream->path == NULL && left > PIPE_BUF;
        const ssize_t got = write(stream->descriptor, bytes + done, may_wait ? PIPE_BUF : left);
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            stream->cause = errno;
            return 0;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)count;
}

static bool open_stream(struct output_stream *stream, struct err *err) {
    /* Signals that are ignored (nohup) are not blocked, so they never come here. */
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    stream->signals = signalfd(-1, &ending, SFD_CLOEXEC);
    if (stream->signals < 0) {
        return err_set(err, ERR_IO, "cannot wait for signals: %s", strerror(errno));
    }
    if (stream->path != NULL && !open_temporary(stream, err)) {
        return false;
    }
    const cookie_io_functions_t functions = {.write = write_bytes};
    stream->out = fopencookie(stream, "w", functions);
    return (stream->out != NULL &&
            setvbuf(stream->out, stream->buffer, _IOFBF, sizeof stream->buffer) == 0) ||
           err_no_memory(err, "output");
}

bool output_stream_open(struct output_stream *stream, const char *path, bool overwrite,
                        struct err *err) {
    stream->out = NULL;
    stream->path = path;
    stream->overwrite = overwrite;
    stream->interrupted = false;
    stream->mode = 0666;
    stream->target = stream->temporary = NULL;
    stream->descriptor = path == NULL ? STDOUT_FILENO : -1;
    stream->signals = -1;
    stream->cause = 0;
    interrupt_block(&stream->interrupt);
    if (open_stream(stream, err)) {
        return true;
    }
    output_stream_close(stream);
    return false;
}

bool output_stream_interrupted(struct output_stream *stream) {
    stream->interrupted = stream->interrupted || interrupt_pending(&stream->interrupt);
    return stream->interrupted;
}

/* Over what was there when that is wanted, else only where nothing has appeared meanwhile. */
static bool move_into_place(const struct output_stream *stream, struct err *err) {
    const char *from = stream->temporary, *to = stream->target;
    if (!stream->overwrite) {
        if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
            return true;
        }
        struct stat status;
        if (errno == EEXIST || lstat(to, &status) == 0) {
            return err_set(err, ERR_INPUT, "'%s' exists; --force overwrites it", stream->path);
        }
    }
    return rename(from, to) == 0 || fail_write(stream, errno, err);
}

bool output_stream_commit(struct output_stream *stream, struct err *err) {
    const bool written = fflush(stream->out) == 0 && !ferror(stream->out);
    if (output_stream_interrupted(stream)) {
        return false;
    }
    if (!written) {
        return fail_write(stream, stream->cause == 0 ? EIO : stream->cause, err);
    }
    if (stream->path == NULL) {
        return true;
    }
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(stream->descriptor, stream->mode & ~mask) != 0 || fsync(stream->descriptor) != 0) {
        return fail_write(stream, errno, err);
    }
    if (!move_into_place(stream, err)) {
        return false;
    }
    free(stream->temporary);
    stream->temporary = NULL;
    return true;
}

void output_stream_close(struct output_stream *stream) {
    if (stream->out != NULL) {
        /* What a failure left in the buffer has nowhere to go. */
        stream->interrupted = true;
        fclose(stream->out);
        stream->out = NULL;
    }
    if (stream->path != NULL && stream->descriptor >= 0) {
        close(stream->descriptor);
    }
    if (stream->temporary != NULL) {
        unlink(stream->temporary);
    }
    if (stream->signals >= 0) {
        close(stream->signals);
    }
    free(stream->target);
    free(stream->temporary);
    interrupt_unblock(&stream->interrupt);
}
