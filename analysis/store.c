#define _GNU_SOURCE /* renameat2 */
#include "analysis/store.h"

#include "analysis/store_rows.h"
#include "sim/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_MARK ".tmp-"
#define TEMPORARY_LETTERS 6
#define TEMPORARY_TRIES 100

/* What a path is, for messages: its folder, "." when it names none. Freed by the caller. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strdup(".");
    }
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static bool fail_create(const char *path, int error, struct err *err) {
    char *folder = folder_of(path);
    struct stat status;
    if (folder == NULL) {
        return err_no_memory(err, "path");
    }
    if (error == ENOENT && stat(folder, &status) != 0) {
        err_set(err, ERR_IO, "cannot create '%s': there is no folder '%s'", path, folder);
    } else {
        err_set(err, ERR_IO, "cannot create '%s' in folder '%s': %s", path, folder,
                strerror(error));
    }
    free(folder);
    return false;
}

/* Only where nothing is lost but results: a slip of the hand must not cost a log or a scenario. */
static bool may_overwrite(const char *path, struct err *err) {
    static const char magic[] = "SQLite format 3"; /* with its end: 16 bytes */
    char start[sizeof magic];
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    const size_t length = fread(start, 1, sizeof start, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        return err_set(err, ERR_IO, "cannot read '%s'", path);
    }
    return length == 0 || (length == sizeof start && memcmp(start, magic, sizeof start) == 0) ||
           err_set(err, ERR_INPUT, "'%s' exists and is no database; --force does not overwrite it",
                   path);
}

bool store_may_create(const char *path, bool overwrite, struct err *err) {
    struct stat status;
    size_t length = strlen(path);
    if (length == 0) {
        return err_set(err, ERR_INPUT, "the name of the database is empty");
    }
    bool is_there = lstat(path, &status) == 0;
    if (is_there && S_ISLNK(status.st_mode) && stat(path, &status) != 0) {
        return err_set(err, ERR_INPUT, "'%s' is a link to nothing; expected a file name", path);
    }
    if (path[length - 1] == '/' || (is_there && S_ISDIR(status.st_mode))) {
        return err_set(err, ERR_INPUT, "'%s' is a folder; expected a file name", path);
    }
    if (is_there && !S_ISREG(status.st_mode)) {
        return err_set(err, ERR_INPUT, "'%s' is not a regular file; expected a file name", path);
    }
    if (is_there && !overwrite) {
        return err_set(err, ERR_INPUT, "'%s' exists; --force overwrites it", path);
    }
    return !is_there || may_overwrite(path, err);
}

/* Where the database shall stand, or an error; a link is followed, so that it stays one. */
static bool find_target(struct store *store, struct err *err) {
    const char *path = store->path;
    struct stat status;
    if (!store_may_create(path, store->overwrite, err)) {
        return false;
    }
    /* SQLite takes "file:…" and ":memory:" for more than names: relative ones start with "./". */
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        store->target_path = realpath(path, NULL);
    } else if (path[0] == '/') {
        store->target_path = strdup(path);
    } else if (asprintf(&store->target_path, "./%s", path) < 0) {
        store->target_path = NULL;
    }
    return store->target_path != NULL || err_no_memory(err, "path");
}

/* An empty file that nobody else has; its name says whose it will be. */
static bool make_temporary(struct store *store, struct err *err) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    size_t length = strlen(store->target_path);
    char *path = malloc(length + sizeof TEMPORARY_MARK + TEMPORARY_LETTERS);
    if (path == NULL) {
        return err_no_memory(err, "path");
    }
    store->temporary_path = path;
    memcpy(path, store->target_path, length);
    memcpy(path + length, TEMPORARY_MARK, sizeof TEMPORARY_MARK);
    char *suffix = path + length + strlen(TEMPORARY_MARK);
    int file = -1;
    for (int tries = 0; file < 0 && tries < TEMPORARY_TRIES; tries++) {
        unsigned char bytes[TEMPORARY_LETTERS];
        if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
            break;
        }
        for (size_t i = 0; i < TEMPORARY_LETTERS; i++) {
            suffix[i] = letters[bytes[i] % (sizeof letters - 1)];
        }
        suffix[TEMPORARY_LETTERS] = '\0';
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            break;
        }
    }
    if (file < 0) {
        return fail_create(store->path, errno, err);
    }
    store->has_temporary = true;
    /* Closed before SQLite opens it: closing it later would drop SQLite's locks. */
    return close(file) == 0 || fail_create(store->path, errno, err);
}

static bool run_sql(const struct store *store, const char *sql, struct err *err) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, err);
}

/* Without a journal and without syncs: store_commit syncs once, and nothing is read before. */
static bool open_database(struct store *store, struct err *err) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(store->temporary_path, &store->db, flags, NULL) != SQLITE_OK) {
        return store->db == NULL ? err_no_memory(err, "SQLite") : store_fail(store, err);
    }
    char version[64];
    snprintf(version, sizeof version, "PRAGMA user_version = %d", STORE_SCHEMA_VERSION);
    if (!run_sql(store, "PRAGMA page_size = 16384", err) ||
        !run_sql(store, "PRAGMA journal_mode = OFF", err) ||
        !run_sql(store, "PRAGMA synchronous = OFF", err) ||
        !run_sql(store, "PRAGMA locking_mode = EXCLUSIVE", err) ||
        !run_sql(store, "PRAGMA temp_store = MEMORY", err) || !run_sql(store, "BEGIN", err)) {
        return false;
    }
    for (const char *const *sql = store_schema_statements(); *sql != NULL; sql++) {
        if (!run_sql(store, *sql, err)) {
            return false;
        }
    }
    return run_sql(store, version, err);
}

struct store *store_create(const char *path, bool overwrite, struct err *err) {
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        err_no_memory(err, "store");
        return NULL;
    }
    store->overwrite = overwrite;
    store->path = strdup(path);
    if (store->path == NULL) {
        err_no_memory(err, "path");
        store_close(store);
        return NULL;
    }
    if (!find_target(store, err) || !make_temporary(store, err) || !open_database(store, err)) {
        store_close(store);
        return NULL;
    }
    return store;
}

const char *store_temporary_path(const struct store *store) {
    return store->temporary_path;
}

static bool sync_path(const struct store *store, const char *path, int flags, struct err *err) {
    int file = open(path, flags | O_CLOEXEC);
    bool done = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0) {
        done = close(file) == 0 && done;
    }
    return done || err_set(err, ERR_IO, "cannot write '%s': %s", store->path, strerror(error));
}

/* Over what was there when that is wanted, else only where nothing has appeared in the meantime. */
static bool move_into_place(const struct store *store, struct err *err) {
    const char *from = store->temporary_path, *to = store->target_path;
    if (!store->overwrite) {
        if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
            return true;
        }
        struct stat status;
        if (errno == EEXIST || lstat(to, &status) == 0) {
            return err_set(err, ERR_INPUT, "'%s' exists; --force overwrites it", store->path);
        }
        if (errno != EINVAL && errno != ENOSYS && errno != ENOENT) {
            return fail_create(store->path, errno, err);
        }
    }
    return rename(from, to) == 0 || fail_create(store->path, errno, err);
}

bool store_commit(struct store *store, struct err *err) {
    SIM_CHECK(!store->is_committed);
    if (!store_flush(store, err) || !run_sql(store, "COMMIT", err)) {
        return false;
    }
    store_buffers_fini(store);
    if (sqlite3_close(store->db) != SQLITE_OK) {
        return store_fail(store, err);
    }
    store->db = NULL;
    char *folder = folder_of(store->target_path); /* now: behind the move nothing may fail */
    if (folder == NULL) {
        return err_no_memory(err, "path");
    }
    if (!sync_path(store, store->temporary_path, O_RDONLY, err) || !move_into_place(store, err)) {
        free(folder);
        return false;
    }
    store->has_temporary = false;
    store->is_committed = true;
    /* Not every file system can sync a folder; the file itself is whole and in its place. */
    struct err ignored = {.kind = ERR_NONE};
    (void)!sync_path(store, folder, O_RDONLY | O_DIRECTORY, &ignored);
    free(folder);
    return true;
}

void store_close(struct store *store) {
    if (store == NULL) {
        return;
    }
    store_buffers_fini(store);
    if (store->db != NULL) {
        int result = sqlite3_close(store->db);
        SIM_CHECK(result == SQLITE_OK);
    }
    if (store->has_temporary) {
        unlink(store->temporary_path);
    }
    free(store->path);
    free(store->target_path);
    free(store->temporary_path);
    free(store);
}
