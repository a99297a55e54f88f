/* Draws by gnuplot: a private folder, a child process, a picture taken out. */
#define _GNU_SOURCE
#include "cli/plot_gnuplot.h"

#include "cli/child.h"
#include "cli/plot_script.h"
#include "sim/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESSAGE_BYTES 4096
#define FOLDER_BYTES 512

FILE *plot_files_add(struct plot_files *files, const char *name, struct err *err) {
    SIM_CHECK(files->count < PLOT_FILES_MAX);
    struct plot_file *file = &files->rows[files->count];
    snprintf(file->name, sizeof file->name, "%s", name);
    file->stream = open_memstream(&file->text, &file->bytes);
    if (file->stream == NULL) {
        err_no_memory(err, "picture");
        return NULL;
    }
    files->count++;
    return file->stream;
}

bool plot_files_close(struct plot_files *files, struct err *err) {
    bool whole = true;
    for (size_t i = 0; i < files->count; i++) {
        FILE *stream = files->rows[i].stream;
        if (stream != NULL) {
            bool failed = ferror(stream) != 0;
            whole = fclose(stream) == 0 && !failed && whole;
            files->rows[i].stream = NULL;
        }
    }
    return whole || err_no_memory(err, "picture");
}

void plot_files_free(struct plot_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        if (files->rows[i].stream != NULL) {
            fclose(files->rows[i].stream);
        }
        free(files->rows[i].text);
    }
    files->count = 0;
}

bool plot_gnuplot_may_write(const char *output, bool overwrite, struct err *err) {
    struct stat status;
    if (lstat(output, &status) != 0) {
        return true; /* also when the folder is missing: writing will say so */
    }
    if (S_ISDIR(status.st_mode)) {
        return err_set(err, ERR_INPUT, "'%s' is a folder, expected a file name", output);
    }
    if (!overwrite) {
        return err_set(err, ERR_INPUT, "'%s' exists; --force overwrites it", output);
    }
    return true;
}

static bool write_all(int descriptor, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = write(descriptor, at, count);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        at += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool write_file(const char *folder, const char *name, const void *bytes, size_t count,
                       struct err *err) {
    char path[FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool whole = descriptor >= 0 && write_all(descriptor, bytes, count);
    int cause = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && whole) {
        whole = false;
        cause = errno;
    }
    return whole || err_set(err, ERR_IO, "cannot write '%s': %s", path, strerror(cause));
}

static bool make_folder(char folder[FOLDER_BYTES], struct err *err) {
    const char *parent = getenv("TMPDIR");
    parent = parent == NULL || parent[0] == '\0' ? "/tmp" : parent;
    int length = snprintf(folder, FOLDER_BYTES, "%s/ddbsim-plot-XXXXXX", parent);
    if (length < 0 || length >= FOLDER_BYTES) {
        folder[0] = '\0';
        return err_set(err, ERR_IO, "the path in TMPDIR is too long");
    }
    if (mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return err_set(err, ERR_IO, "cannot make a temporary folder in '%s': %s", parent,
                       strerror(errno));
    }
    return true;
}

static void remove_file(const char *folder, const char *name) {
    char path[FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* By the names that there can be: reading a folder takes memory, which may be what is missing. */
static void remove_folder(const char *folder, const struct plot_files *files) {
    size_t scripts;
    const struct builtin_file *script = plot_scripts(&scripts);
    if (folder[0] == '\0') {
        return;
    }
    for (size_t i = 0; i < files->count; i++) {
        remove_file(folder, files->rows[i].name);
    }
    for (size_t i = 0; i < scripts; i++) {
        remove_file(folder, script[i].file_name);
    }
    remove_file(folder, "picture");
    rmdir(folder);
}

static bool write_files(const char *folder, const struct plot_files *files, const char *kind,
                        struct err *err) {
    for (size_t i = 0; i < files->count; i++) {
        const struct plot_file *file = &files->rows[i];
        if (!write_file(folder, file->name, file->text, file->bytes, err)) {
            return false;
        }
    }
    char wanted[64];
    size_t count;
    const struct builtin_file *scripts = plot_scripts(&count);
    snprintf(wanted, sizeof wanted, "%s.gp", kind);
    for (size_t i = 0; i < count; i++) {
        const char *name = scripts[i].file_name;
        if ((strcmp(name, "theme.gp") == 0 || strcmp(name, wanted) == 0) &&
            !write_file(folder, name, scripts[i].bytes, scripts[i].size, err)) {
            return false;
        }
    }
    return true;
}

/* Starts gnuplot in folder with its messages into a pipe; *messages is the end to read. */
static bool start_gnuplot(const char *folder, const char *kind, pid_t *child, int *messages,
                          struct err *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return err_set(err, ERR_IO, "cannot make a pipe: %s", strerror(errno));
    }
    char script[64];
    snprintf(script, sizeof script, "%s.gp", kind);
    const char *const arguments[] = {"gnuplot", "-d", "values.gp", "theme.gp", script, NULL};
    struct child_start start = {
        .arguments = arguments, .folder = folder, .out = ends[1], .messages = ends[1]};
    sigemptyset(&start.defaulted);
    sigaddset(&start.defaulted, SIGINT);
    sigaddset(&start.defaulted, SIGTERM);
    sigaddset(&start.defaulted, SIGPIPE);
    const int code = child_spawn(&start, child);
    close(ends[1]);
    *messages = ends[0];
    if (code == 0) {
        return true;
    }
    close(ends[0]);
    if (code == ENOENT) {
        return err_set(err, ERR_IO,
                       "gnuplot is not installed, and pictures are drawn by it; on"
                       " Debian: apt-get install gnuplot-nox fonts-dejavu-core");
    }
    return err_set(err, ERR_IO, "cannot run gnuplot: %s", strerror(code));
}

/* Reads what gnuplot says until it ends or a signal comes; false when one came. */
static bool listen(int messages, int signals, char text[MESSAGE_BYTES]) {
    size_t used = 0;
    for (;;) {
        struct pollfd waits[] = {{messages, POLLIN, 0}, {signals, POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 && errno != EINTR) {
            break;
        }
        if (waits[1].revents != 0) {
            return false;
        }
        if (waits[0].revents == 0) {
            continue;
        }
        char spare[MESSAGE_BYTES];
        ssize_t got = read(messages, spare, sizeof spare);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            break;
        }
        size_t room = MESSAGE_BYTES - 1 - used;
        size_t kept = got > 0 ? ((size_t)got < room ? (size_t)got : room) : 0;
        memcpy(text + used, spare, kept);
        used += kept;
    }
    text[used] = '\0';
    return true;
}

/* gnuplot echoes the line, points at the place, then says what is wrong: its last line with words.
 * */
static bool gnuplot_failed(int status, char *text, struct err *err) {
    const char *said = "it says nothing";
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t\r");
        if (line[0] != '\0') {
            said = line;
        }
    }
    if (WIFSIGNALED(status)) {
        return err_set(err, ERR_IO, "gnuplot was killed by signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    }
    return err_set(err, ERR_IO, "gnuplot failed with status %d: %s", WEXITSTATUS(status), said);
}

/* Runs gnuplot to its end. */
static enum exit_status run_gnuplot(const char *folder, const char *kind, int signals,
                                    struct err *err) {
    pid_t child = -1;
    int messages = -1, status = 0;
    if (!start_gnuplot(folder, kind, &child, &messages, err)) {
        return EXIT_STATUS_IO;
    }
    char text[MESSAGE_BYTES] = "";
    bool ended = listen(messages, signals, text);
    close(messages);
    if (!ended) {
        kill(child, SIGKILL);
    }
    pid_t waited;
    do {
        waited = waitpid(child, &status, 0);
    } while (waited < 0 && errno == EINTR);
    if (!ended) {
        return EXIT_STATUS_INTERRUPTED;
    }
    if (waited == child && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        gnuplot_failed(status, text, err);
        return EXIT_STATUS_IO;
    }
    return EXIT_STATUS_DONE;
}

/* The file `picture` in memory, to be freed. */
static char *read_picture(const char *folder, size_t *bytes, struct err *err) {
    char path[FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/picture", folder);
    FILE *file = fopen(path, "re");
    struct stat status;
    char *text = NULL;
    *bytes = 0;
    if (file != NULL && fstat(fileno(file), &status) == 0 && status.st_size > 0) {
        *bytes = (size_t)status.st_size;
        text = malloc(*bytes + 1);
    }
    if (text != NULL && fread(text, 1, *bytes, file) != *bytes) {
        free(text);
        text = NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    if (text == NULL) {
        err_set(err, ERR_IO, "gnuplot has drawn nothing");
        return NULL;
    }
    text[*bytes] = '\0';
    return text;
}

/* A new empty file beside output; its name is in *temporary, to be freed. -1 and *err on failure.
 * */
static int open_beside(const char *output, char **temporary, struct err *err) {
    size_t bytes = strlen(output) + sizeof ".tmp-XXXXXX";
    *temporary = malloc(bytes);
    if (*temporary == NULL) {
        err_no_memory(err, "picture");
        return -1;
    }
    snprintf(*temporary, bytes, "%s.tmp-XXXXXX", output);
    int descriptor = mkostemp(*temporary, O_CLOEXEC);
    if (descriptor < 0) {
        err_set(err, ERR_IO, "cannot write '%s': %s", output, strerror(errno));
        free(*temporary);
        *temporary = NULL;
    }
    return descriptor;
}

static bool publish(int descriptor, const char *temporary, const char *output, const char *bytes,
                    size_t count, struct err *err) {
    mode_t mask = umask(0);
    umask(mask);
    bool whole = write_all(descriptor, bytes, count) && fchmod(descriptor, 0666 & ~mask) == 0 &&
                 fsync(descriptor) == 0 && rename(temporary, output) == 0;
    return whole || err_set(err, ERR_IO, "cannot write '%s': %s", output, strerror(errno));
}

static enum exit_status draw(const struct plot_files *files, const char *kind, const char *output,
                             int signals, char **text, struct err *err) {
    char folder[FOLDER_BYTES] = "", *temporary = NULL, *picture = NULL;
    size_t bytes = 0;
    int descriptor = -1;
    enum exit_status status = EXIT_STATUS_IO;
    if ((output == NULL || (descriptor = open_beside(output, &temporary, err)) >= 0) &&
        make_folder(folder, err) && write_files(folder, files, kind, err)) {
        status = run_gnuplot(folder, kind, signals, err);
        picture = status == EXIT_STATUS_DONE ? read_picture(folder, &bytes, err) : NULL;
        status = status == EXIT_STATUS_DONE && picture == NULL ? EXIT_STATUS_IO : status;
    }
    remove_folder(folder, files);
    if (output == NULL) {
        *text = picture;
        return status;
    }
    if (picture != NULL && !publish(descriptor, temporary, output, picture, bytes, err)) {
        status = EXIT_STATUS_IO;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (temporary != NULL && status != EXIT_STATUS_DONE) {
        unlink(temporary);
    }
    free(temporary);
    free(picture);
    return status;
}

enum exit_status plot_gnuplot_draw(const struct plot_files *files, const char *kind,
                                   const char *output, char **text, struct err *err) {
    static const int signal_list[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t ending, before;
    sigemptyset(&ending);
    for (size_t i = 0; i < sizeof signal_list / sizeof signal_list[0]; i++) {
        struct sigaction action;
        if (sigaction(signal_list[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&ending, signal_list[i]); /* nohup stays nohup */
        }
    }
    sigprocmask(SIG_BLOCK, &ending, &before);
    int signals = signalfd(-1, &ending, SFD_CLOEXEC);
    enum exit_status status = EXIT_STATUS_IO;
    if (signals < 0) {
        err_set(err, ERR_IO, "cannot wait for signals: %s", strerror(errno));
    } else {
        status = draw(files, kind, output, signals, text, err);
        if (status == EXIT_STATUS_INTERRUPTED) {
            /* The signal has been answered: it must not come again when the mask is lifted. */
            struct signalfd_siginfo told;
            ssize_t got = read(signals, &told, sizeof told);
            status = got == (ssize_t)sizeof told ? status : EXIT_STATUS_IO;
        }
        close(signals);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
