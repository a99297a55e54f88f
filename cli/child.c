#define _GNU_SOURCE /* pipe2 */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LOOK_EVERY_MS 50

static int add_actions(const struct child_start *start, posix_spawn_file_actions_t *actions) {
    int code =
        start->folder == NULL ? 0 : posix_spawn_file_actions_addchdir_np(actions, start->folder);
    code =
        code != 0 ? code : posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    code = code != 0 ? code : posix_spawn_file_actions_adddup2(actions, start->out, STDOUT_FILENO);
    return code != 0 ? code
                     : posix_spawn_file_actions_adddup2(actions, start->messages, STDERR_FILENO);
}

int child_spawn(const struct child_start *start, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t nothing;
    sigemptyset(&nothing);
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) {
        return code;
    }
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = add_actions(start, &actions);
        posix_spawnattr_setsigmask(&attributes, &nothing);
        posix_spawnattr_setsigdefault(&attributes, &start->defaulted);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        /* posix_spawnp takes char *const: it does not change them */
        char *const *words = (char *const *)(uintptr_t)start->arguments;
        code =
            code != 0 ? code : posix_spawnp(child, words[0], &actions, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Reads what there is; the end of the output, or more than there is room for, is dropped. */
static void take_output(int from, char *output, size_t output_bytes, size_t *length) {
    char block[512];
    const ssize_t got = read(from, block, sizeof block);
    for (ssize_t i = 0; i < got && *length + 1 < output_bytes; i++) {
        output[(*length)++] = block[i];
    }
}

/* A first signal asks it to end, further ones, as long as it does not, ask again: GNU parallel
 * takes the first for "no new tasks" and the second for "at once". */
static int wait_for(pid_t child, int from, char *output, size_t output_bytes, bool *interrupted) {
    struct interrupt interrupt;
    int status = 0;
    size_t length = 0;
    bool open = from >= 0;
    interrupt_block(&interrupt);
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct pollfd ready = {.fd = open ? from : -1, .events = POLLIN}; /* -1: only waits */
        if (poll(&ready, 1, LOOK_EVERY_MS) > 0) {
            take_output(from, output, output_bytes, &length);
            open = (ready.revents & POLLIN) != 0;
        }
        if (interrupt_pending(&interrupt)) {
            (void)kill(child, SIGTERM);
        }
    }
    if (from >= 0) {
        take_output(from, output, output_bytes, &length);
        output[length] = '\0';
    }
    *interrupted = interrupt_pending(&interrupt);
    interrupt_unblock(&interrupt);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool child_run(const char *const *arguments, const char *missing, char *output, size_t output_bytes,
               struct child_result *result, struct err *err) {
    int ends[2] = {-1, -1};
    pid_t child = 0;
    if (output != NULL && pipe2(ends, O_CLOEXEC) != 0) {
        return err_set(err, ERR_IO, "cannot make a pipe: %s", strerror(errno));
    }
    struct child_start start = {.arguments = arguments,
                                .out = output == NULL ? STDERR_FILENO : ends[1],
                                .messages = STDERR_FILENO};
    sigemptyset(&start.defaulted);
    sigaddset(&start.defaulted, SIGPIPE); /* ignored by ddbsim itself */
    const int code = child_spawn(&start, &child);
    if (ends[1] >= 0) {
        (void)close(ends[1]);
    }
    if (code == 0) {
        result->status = wait_for(child, ends[0], output, output_bytes, &result->interrupted);
    }
    if (ends[0] >= 0) {
        (void)close(ends[0]);
    }
    if (code == ENOENT) {
        return err_set(err, ERR_IO, "there is no '%s' in PATH: %s", arguments[0], missing);
    }
    return code == 0 || err_set(err, ERR_IO, "cannot start '%s': %s", arguments[0], strerror(code));
}
