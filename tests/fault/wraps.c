#define _GNU_SOURCE
#include "tests/fault/wraps.h"

#include <errno.h>
#include <fcntl.h>
#include <libfyaml.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fault *armed;
static FILE *broken; /* the stream whose fread has failed: ferror says so */

void fault_arm(struct fault *fault) {
    armed = fault;
    broken = NULL;
}

static bool writes(const char *function) {
    static const char *const names[] = {"write",     "pwrite", "fsync",    "fdatasync",
                                        "ftruncate", "rename", "renameat2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(function, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_armed(enum fault_kind kind, const char *function) {
    return armed != NULL && (armed->kind == kind || (armed->kind == FAULT_WRITE &&
                                                     kind == FAULT_FILE && writes(function)));
}

static bool fails(enum fault_kind kind, const char *function, int error) {
    if (!is_armed(kind, function)) {
        return false;
    }
    uint32_t call = armed->calls++;
    if (call < armed->at || (call > armed->at && !armed->lasting)) {
        return false;
    }
    armed->function = armed->function == NULL ? function : armed->function;
    if (armed->dies) {
        _exit(FAULT_STATUS_DIED);
    }
    errno = error;
    return true;
}

/* A function that returns `failure` with `error` in errno, without having done anything. */
#define WRAP(kind, type, name, parameters, arguments, failure, error)                              \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fails(kind, #name, error) ? (failure) : __real_##name arguments;                    \
    }

WRAP(FAULT_MEMORY, void *, malloc, (size_t bytes), (bytes), NULL, ENOMEM)
WRAP(FAULT_MEMORY, void *, calloc, (size_t count, size_t bytes), (count, bytes), NULL, ENOMEM)
WRAP(FAULT_MEMORY, void *, realloc, (void *old, size_t bytes), (old, bytes), NULL, ENOMEM)
WRAP(FAULT_MEMORY, char *, strdup, (const char *text), (text), NULL, ENOMEM)
WRAP(FAULT_MEMORY, char *, strndup, (const char *text, size_t bytes), (text, bytes), NULL, ENOMEM)
WRAP(FAULT_MEMORY, char *, realpath, (const char *path, char *to), (path, to), NULL, ENOMEM)
WRAP(FAULT_MEMORY, FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes), NULL,
     ENOMEM)
WRAP(FAULT_MEMORY, FILE *, fopencookie,
     (void *cookie, const char *mode, cookie_io_functions_t functions), (cookie, mode, functions),
     NULL, ENOMEM)
WRAP(FAULT_MEMORY, void *, mmap,
     (void *at, size_t bytes, int protection, int flags, int file, off_t offset),
     (at, bytes, protection, flags, file, offset), MAP_FAILED, ENOMEM)
WRAP(FAULT_MEMORY, struct fy_parser *, fy_parser_create, (const struct fy_parse_cfg *config),
     (config), NULL, ENOMEM)
WRAP(FAULT_MEMORY, struct fy_diag *, fy_diag_create, (const struct fy_diag_cfg *config), (config),
     NULL, ENOMEM)
WRAP(FAULT_MEMORY, int, fy_parser_set_string,
     (struct fy_parser * parser, const char *text, size_t length), (parser, text, length), -1,
     ENOMEM)

#ifndef FAULT_HAS_SANITIZER
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes) {
    return fails(FAULT_LIBRARY, "malloc", ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return fails(FAULT_LIBRARY, "calloc", ENOMEM) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    return fails(FAULT_LIBRARY, "realloc", ENOMEM) ? NULL : __libc_realloc(old, bytes);
}
#endif

WRAP(FAULT_FILE, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EIO)
WRAP(FAULT_FILE, ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), -1,
     EIO)
WRAP(FAULT_FILE, ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count),
     -1, ENOSPC)
WRAP(FAULT_FILE, int, fsync, (int file), (file), -1, EIO)
WRAP(FAULT_FILE, int, fdatasync, (int file), (file), -1, EIO)
WRAP(FAULT_FILE, int, ftruncate, (int file, off_t length), (file, length), -1, EIO)
WRAP(FAULT_FILE, int, fstat, (int file, struct stat *status), (file, status), -1, EIO)
WRAP(FAULT_FILE, int, fchmod, (int file, mode_t mode), (file, mode), -1, EPERM)
WRAP(FAULT_FILE, int, rename, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(FAULT_FILE, int, renameat2,
     (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
     (from_folder, from, to_folder, to, flags), -1, EIO)
WRAP(FAULT_FILE, int, mkostemp, (char *path, int flags), (path, flags), -1, EACCES)
WRAP(FAULT_FILE, char *, mkdtemp, (char *path), (path), NULL, EACCES)
WRAP(FAULT_FILE, int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
WRAP(FAULT_FILE, int, signalfd, (int file, const sigset_t *mask, int flags), (file, mask, flags),
     -1, EMFILE)
WRAP(FAULT_FILE, ssize_t, getrandom, (void *bytes, size_t count, unsigned flags),
     (bytes, count, flags), -1, ENOSYS)
WRAP(FAULT_FILE, int, posix_spawnp,
     (pid_t * child, const char *file, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
     (child, file, actions, attributes, arguments, environment), EAGAIN, EAGAIN)

WRAP(FAULT_SQLITE, int, sqlite3_exec,
     (sqlite3 * db, const char *sql, int (*callback)(void *, int, char **, char **), void *context,
      char **message),
     (db, sql, callback, context, message), SQLITE_FULL, ENOSPC)
WRAP(FAULT_SQLITE, int, sqlite3_step, (sqlite3_stmt * statement), (statement), SQLITE_IOERR, EIO)
WRAP(FAULT_SQLITE, int, sqlite3_bind_int64,
     (sqlite3_stmt * statement, int place, sqlite3_int64 value), (statement, place, value),
     SQLITE_NOMEM, ENOMEM)
WRAP(FAULT_SQLITE, int, sqlite3_bind_double, (sqlite3_stmt * statement, int place, double value),
     (statement, place, value), SQLITE_NOMEM, ENOMEM)
WRAP(FAULT_SQLITE, int, sqlite3_bind_null, (sqlite3_stmt * statement, int place),
     (statement, place), SQLITE_NOMEM, ENOMEM)
WRAP(FAULT_SQLITE, int, sqlite3_bind_text,
     (sqlite3_stmt * statement, int place, const char *text, int bytes, void (*release)(void *)),
     (statement, place, text, bytes, release), SQLITE_NOMEM, ENOMEM)
WRAP(FAULT_SQLITE, const unsigned char *, sqlite3_column_text,
     (sqlite3_stmt * statement, int column), (statement, column), NULL, ENOMEM)

/* Those that leave something behind when they fail, or take any number of arguments. */

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...) {
    if (fails(FAULT_MEMORY, "asprintf", ENOMEM)) {
        *text = NULL;
        return -1;
    }
    va_list list;
    va_start(list, format);
    int length = vasprintf(text, format, list);
    va_end(list);
    return length;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    if (fails(FAULT_FILE, "open", EACCES)) {
        return -1;
    }
    va_list list;
    va_start(list, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    return __real_open(path, flags, mode);
}

/* A descriptor is gone, also when its close fails. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file) {
    int result = __real_close(file);
    return fails(FAULT_FILE, "close", EIO) ? -1 : result;
}

int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);
int __wrap_fclose(FILE *stream) {
    int result = __real_fclose(stream);
    return fails(FAULT_FILE, "fclose", EIO) ? EOF : result;
}

/* What fails here has written a half of it, as a full disk does, and the end of power. */
ssize_t __real_pwrite(int file, const void *bytes, size_t count, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (is_armed(FAULT_FILE, "pwrite") && armed->calls == armed->at &&
        __real_pwrite(file, bytes, count / 2, offset) < 0) {
        return -1;
    }
    return fails(FAULT_FILE, "pwrite", ENOSPC) ? -1 : __real_pwrite(file, bytes, count, offset);
}

void fault_meet_sqlite(void) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)__wrap_write);
    vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)__wrap_pwrite);
    vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)__wrap_pwrite);
}

size_t __real_fread(void *to, size_t bytes, size_t count, FILE *stream);
size_t __wrap_fread(void *to, size_t bytes, size_t count, FILE *stream);
size_t __wrap_fread(void *to, size_t bytes, size_t count, FILE *stream) {
    if (fails(FAULT_FILE, "fread", EIO)) {
        broken = stream;
        return 0;
    }
    return __real_fread(to, bytes, count, stream);
}

int __real_ferror(FILE *stream);
int __wrap_ferror(FILE *stream);
int __wrap_ferror(FILE *stream) {
    return stream == broken ? 1 : __real_ferror(stream);
}

int __real_sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs);
int __wrap_sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs);
int __wrap_sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs) {
    if (fails(FAULT_SQLITE, "sqlite3_open_v2", ENOMEM)) {
        *db = NULL;
        return SQLITE_NOMEM;
    }
    return __real_sqlite3_open_v2(path, db, flags, vfs);
}

int __real_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **statement,
                              const char **tail);
int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **statement,
                              const char **tail);
int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **statement,
                              const char **tail) {
    if (fails(FAULT_SQLITE, "sqlite3_prepare_v2", ENOMEM)) {
        *statement = NULL;
        return SQLITE_NOMEM;
    }
    return __real_sqlite3_prepare_v2(db, sql, bytes, statement, tail);
}

int __real_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int bytes, unsigned flags,
                              sqlite3_stmt **statement, const char **tail);
int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int bytes, unsigned flags,
                              sqlite3_stmt **statement, const char **tail);
int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int bytes, unsigned flags,
                              sqlite3_stmt **statement, const char **tail) {
    if (fails(FAULT_SQLITE, "sqlite3_prepare_v3", ENOMEM)) {
        *statement = NULL;
        return SQLITE_NOMEM;
    }
    return __real_sqlite3_prepare_v3(db, sql, bytes, flags, statement, tail);
}
