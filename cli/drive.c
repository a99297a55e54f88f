#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/drive.h"

#include "analysis/words.h"
#include "cli/progress.h"

#include <sched.h>
#include <stdio.h>

#define WALL_NS_PER_S INT64_C(1000000000)
#define WAIT_MS 100
#define SYNC_EVERY_NS WALL_NS_PER_S
#define LINE_EVERY_NS (WALL_NS_PER_S / 4)
#define PLAIN_LINE_EVERY_NS (30 * WALL_NS_PER_S)

uint32_t drive_processors(void) {
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > EXPERIMENT_JOBS_MAX ? EXPERIMENT_JOBS_MAX : (uint32_t)count;
}

uint64_t drive_point_count(const struct experiment_config *config) {
    const uint64_t points = config->design->point_count;
    return points / config->parts + (points % config->parts > config->part);
}

bool drive_open(struct drive *drive, const struct experiment_config *config, const char *log_path,
                struct hash128 identity, bool resume, bool quiet, struct err *err) {
    *drive = (struct drive){
        .config = *config,
        .log = {.file = -1},
        .runs_max = drive_point_count(config) * config->replications,
        .quiet = quiet,
        .is_terminal = progress_is_terminal(),
        .start_ns = progress_wall_ns(),
    };
    drive->line_ns = drive->sync_ns = drive->start_ns;
    interrupt_block(&drive->interrupt);
    return log_path == NULL || results_log_open(&drive->log, log_path, identity, resume, err);
}

/* Where the workers begin: behind the last result of the log. */
static bool begin(struct drive *drive, struct err *err) {
    struct experiment_config *config = &drive->config;
    config->first_point = config->part;
    config->first_replication = 0;
    if (drive->runs > 0) {
        config->first_point =
            drive->last_is_stopped ? drive->last_point + config->parts : drive->last_point;
        config->first_replication = drive->last_is_stopped ? 0 : drive->last_replication + 1;
    }
    drive->runs_before = drive->runs;
    drive->start_ns = progress_wall_ns();
    drive->experiment = experiment_new(config, err);
    return drive->experiment != NULL;
}

static void show_progress(struct drive *drive) {
    const int64_t now_ns = progress_wall_ns();
    const int64_t every_ns = drive->is_terminal ? LINE_EVERY_NS : PLAIN_LINE_EVERY_NS;
    if (drive->quiet || now_ns - drive->start_ns < WALL_NS_PER_S ||
        now_ns - drive->line_ns < every_ns) {
        return;
    }
    drive->line_ns = now_ns;
    const double wall_s = (double)(now_ns - drive->start_ns) / (double)WALL_NS_PER_S;
    const double rate = (double)(drive->runs - drive->runs_before) / wall_s;
    fprintf(stderr, "%s%s of %s runs, %s runs/s",
            drive->is_terminal ? "\r" : "ddbsim: ", words_count(drive->runs).text,
            words_count(drive->runs_max).text, words_rate(rate).text);
    if (rate > 0) {
        const double left_s = (double)(drive->runs_max - drive->runs) / rate;
        fprintf(stderr, ", %s left", words_duration(left_s < 1 ? 1 : left_s).text);
    }
    fputs(drive->is_terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    drive->shown = drive->is_terminal;
}

void drive_clear(struct drive *drive) {
    if (drive->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        drive->shown = false;
    }
}

static bool keep(struct drive *drive, const struct experiment_result *result, struct err *err) {
    if (drive->log.file < 0) {
        return true;
    }
    if (!results_log_append(&drive->log, result, err)) {
        return false;
    }
    const int64_t now_ns = progress_wall_ns();
    if (now_ns - drive->sync_ns < SYNC_EVERY_NS) {
        return true;
    }
    drive->sync_ns = now_ns;
    return results_log_sync(&drive->log, err);
}

static void note(struct drive *drive, const struct experiment_result *result) {
    drive->runs++;
    drive->last_point = result->point;
    drive->last_replication = result->replication;
    drive->last_is_stopped = false;
}

static enum drive_event wait_for_result(struct drive *drive, struct experiment_result *result,
                                        struct err *err) {
    for (;;) {
        if (interrupt_pending(&drive->interrupt)) {
            return DRIVE_INTERRUPTED;
        }
        switch (experiment_next(drive->experiment, WAIT_MS, result)) {
        case EXPERIMENT_WAITS: show_progress(drive); break;
        case EXPERIMENT_ENDED: return DRIVE_ENDED;
        case EXPERIMENT_RESULT:
            note(drive, result);
            show_progress(drive);
            return keep(drive, result, err) ? DRIVE_RESULT : DRIVE_FAILED;
        }
    }
}

enum drive_event drive_next(struct drive *drive, struct experiment_result *result,
                            struct err *err) {
    if (drive->log.file >= 0 && drive->experiment == NULL && drive->read < drive->log.count) {
        if (!results_log_read(&drive->log, drive->read++, result, err)) {
            return DRIVE_FAILED;
        }
        note(drive, result);
        return DRIVE_RESULT;
    }
    if (drive->experiment == NULL && !begin(drive, err)) {
        return DRIVE_FAILED;
    }
    return wait_for_result(drive, result, err);
}

void drive_stop_point(struct drive *drive) {
    drive->runs_max -= drive->config.replications - 1 - drive->last_replication;
    drive->last_is_stopped = true;
    if (drive->experiment != NULL) {
        experiment_stop_point(drive->experiment);
    }
}

void drive_close(struct drive *drive, bool done) {
    drive_clear(drive);
    experiment_free(drive->experiment);
    if (drive->log.file >= 0 && !done) {
        struct err ignored = {ERR_NONE, ""};
        (void)!results_log_sync(&drive->log, &ignored);
    }
    results_log_close(&drive->log, done);
    interrupt_unblock(&drive->interrupt);
}
