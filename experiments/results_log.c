#include "experiments/results_log.h"

#include "sim/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "ddbsim sweep 1\n"

struct header {
    char magic[sizeof MAGIC];
    uint64_t record_bytes, identity_high, identity_low;
};

struct record {
    struct experiment_result result;
    uint64_t checksum; /* of the result and its number */
};

static uint64_t checksum(const struct record *record, uint64_t number) {
    return hash64(&record->result, sizeof record->result, number);
}

static off_t offset_of(uint64_t number) {
    return (off_t)(sizeof(struct header) + number * sizeof(struct record));
}

static bool fail(const struct results_log *log, const char *what, struct err *err) {
    return err_set(err, ERR_IO, "cannot %s '%s': %s", what, log->path, strerror(errno));
}

/* Reads as much as there is; *got may be less than bytes only at the end of the file. */
static bool read_at(const struct results_log *log, off_t offset, void *bytes, size_t count,
                    size_t *got, struct err *err) {
    *got = 0;
    while (*got < count) {
        const ssize_t part =
            pread(log->file, (char *)bytes + *got, count - *got, offset + (off_t)*got);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part < 0) {
            return fail(log, "read", err);
        }
        if (part == 0) {
            break;
        }
        *got += (size_t)part;
    }
    return true;
}

static bool write_at(const struct results_log *log, off_t offset, const void *bytes, size_t count,
                     struct err *err) {
    for (size_t done = 0; done < count;) {
        const ssize_t part =
            pwrite(log->file, (const char *)bytes + done, count - done, offset + (off_t)done);
        if (part < 0 && errno != EINTR) {
            return fail(log, "write", err);
        }
        done += part > 0 ? (size_t)part : 0;
    }
    return true;
}

static bool read_record(const struct results_log *log, uint64_t number, struct record *record,
                        bool *whole, struct err *err) {
    size_t got;
    if (!read_at(log, offset_of(number), record, sizeof *record, &got, err)) {
        return false;
    }
    *whole = got == sizeof *record && record->checksum == checksum(record, number);
    return true;
}

/* Counts the records that are whole, and cuts off what follows them. */
static bool count_records(struct results_log *log, struct err *err) {
    bool whole = true;
    while (whole) {
        struct record record;
        if (!read_record(log, log->count, &record, &whole, err)) {
            return false;
        }
        log->count += whole;
    }
    return ftruncate(log->file, offset_of(log->count)) == 0 || fail(log, "write", err);
}

static bool take_up(struct results_log *log, const struct header *wanted, struct err *err) {
    struct header header;
    size_t got;
    if (!read_at(log, 0, &header, sizeof header, &got, err)) {
        return false;
    }
    if (got < sizeof header && memcmp(&header, wanted, got) == 0) { /* it was torn off there */
        return write_at(log, 0, wanted, sizeof *wanted, err);
    }
    if (got < sizeof header || memcmp(header.magic, MAGIC, sizeof MAGIC) != 0) {
        return err_set(err, ERR_INPUT,
                       "'%s' is no unfinished sweep; remove it, or choose another "
                       "output",
                       log->path);
    }
    if (memcmp(&header, wanted, sizeof header) != 0) {
        return err_set(err, ERR_INPUT,
                       "'%s' belongs to another sweep (another scenario, values, seed or version "
                       "of ddbsim); remove it, or choose another output",
                       log->path);
    }
    return count_records(log, err);
}

static bool open_file(struct results_log *log, bool resume, struct err *err) {
    log->file = open(log->path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
    if (log->file < 0 && errno == EEXIST) {
        return err_set(err, ERR_INPUT,
                       "'%s' exists: an unfinished sweep; --resume goes on with it, --force begins "
                       "anew",
                       log->path);
    }
    if (log->file < 0) {
        return fail(log, "create", err);
    }
    if (flock(log->file, LOCK_EX | LOCK_NB) != 0) {
        return errno == EWOULDBLOCK
                   ? err_set(err, ERR_INPUT, "'%s' is in use by another sweep", log->path)
                   : fail(log, "lock", err);
    }
    struct stat status;
    if (fstat(log->file, &status) != 0) {
        return fail(log, "read", err);
    }
    return S_ISREG(status.st_mode) ||
           err_set(err, ERR_INPUT, "'%s' is not a regular file", log->path);
}

bool results_log_open(struct results_log *log, const char *path, struct hash128 identity,
                      bool resume, struct err *err) {
    *log = (struct results_log){.file = -1, .path = path};
    struct header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.record_bytes = sizeof(struct record);
    header.identity_high = identity.high;
    header.identity_low = identity.low;
    if (!open_file(log, resume, err) || !take_up(log, &header, err)) {
        results_log_close(log, false);
        return false;
    }
    return true;
}

bool results_log_read(const struct results_log *log, uint64_t number,
                      struct experiment_result *result, struct err *err) {
    SIM_CHECK(number < log->count);
    struct record record;
    bool whole;
    if (!read_record(log, number, &record, &whole, err)) {
        return false;
    }
    *result = record.result;
    return whole || err_set(err, ERR_IO, "'%s' has changed while it was read", log->path);
}

bool results_log_append(struct results_log *log, const struct experiment_result *result,
                        struct err *err) {
    struct record record;
    memset(&record, 0, sizeof record);
    record.result = *result;
    record.checksum = checksum(&record, log->count);
    if (!write_at(log, offset_of(log->count), &record, sizeof record, err)) {
        return false;
    }
    log->count++;
    return true;
}

bool results_log_sync(const struct results_log *log, struct err *err) {
    return fdatasync(log->file) == 0 || fail(log, "write", err);
}

void results_log_close(struct results_log *log, bool remove) {
    if (log->file < 0) {
        return;
    }
    if (remove) {
        (void)unlink(log->path);
    }
    (void)close(log->file);
    log->file = -1;
}
