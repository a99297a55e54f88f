#define _GNU_SOURCE /* asprintf */
#include "cli/sweep_engine.h"

#include "analysis/words.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/output_stream.h"
#include "cli/sweep_scripts.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN_NAME "plan"
#define JOB_BYTES 64
#define PATH_BYTES (2 * PATH_MAX)

/* An engine's run: its folder and what is to be made. */
struct engine {
    const struct sweep_options *options;
    char program[PATH_MAX], working[PATH_MAX];
    char *shown;  /* OUT.db.tasks, as the user would write it */
    char *folder; /* the same, absolute */
    char *plan;   /* with the number of tasks */
    struct sweep_scripts scripts;
    uint32_t *missing;
};

static bool fail(const char *what, const char *path, struct err *err) {
    return err_set(err, ERR_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static bool path_of(const struct engine *engine, const char *name, char path[PATH_BYTES],
                    struct err *err) {
    const int length = snprintf(path, PATH_BYTES, "%s/%s", engine->folder, name);
    return (length > 0 && length < PATH_BYTES) ||
           err_set(err, ERR_INPUT, "the path of '%s' is too long", engine->shown);
}

static bool is_there(const struct engine *engine, const char *name) {
    struct err ignored = {ERR_NONE, ""};
    char path[PATH_BYTES];
    return path_of(engine, name, path, &ignored) && access(path, F_OK) == 0;
}

/* What scripts cannot hold: Slurm ends a line at a line feed, and its quotes have no escape. */
static bool check_paths(const struct engine *engine, struct err *err) {
    const char *bad = engine->options->engine == SWEEP_ENGINE_SLURM ? "\n\"\\" : "\n";
    return strpbrk(engine->folder, bad) == NULL ||
           err_set(err, ERR_INPUT, "'%s' lies in a folder whose name Slurm would not take",
                   engine->options->output);
}

static bool find_paths(struct engine *engine, struct err *err) {
    const char *output = engine->options->output;
    const ssize_t length = readlink("/proc/self/exe", engine->program, sizeof engine->program - 1);
    if (length < 0) {
        return fail("read", "/proc/self/exe", err);
    }
    engine->program[length] = '\0';
    if (getcwd(engine->working, sizeof engine->working) == NULL) {
        return fail("find", "the working folder", err);
    }
    if (asprintf(&engine->shown, "%s.tasks", output) < 0) {
        engine->shown = NULL;
        return err_no_memory(err, "path");
    }
    if (asprintf(&engine->folder, "%s%s%s.tasks", output[0] == '/' ? "" : engine->working,
                 output[0] == '/' ? "" : "/", output) < 0) {
        engine->folder = NULL;
        return err_no_memory(err, "path");
    }
    return check_paths(engine, err);
}

static bool choose_tasks(struct engine *engine, const char *plan, uint64_t points,
                         struct err *err) {
    uint64_t tasks = engine->options->tasks;
    if (tasks == 0) {
        tasks = points < SWEEP_TASKS_DEFAULT ? points : SWEEP_TASKS_DEFAULT;
    }
    if (tasks > points) {
        return err_set(err, ERR_INPUT,
                       "--tasks: expected at most one a point, of which there are %" PRIu64
                       ", got '%" PRIu64 "'",
                       points, tasks);
    }
    engine->missing = calloc(tasks, sizeof *engine->missing);
    if (engine->missing == NULL ||
        asprintf(&engine->plan, "%stasks %" PRIu64 "\n", plan, tasks) < 0) {
        engine->plan = NULL;
        return err_no_memory(err, "plan");
    }
    engine->scripts = (struct sweep_scripts){
        .options = engine->options,
        .program = engine->program,
        .working = engine->working,
        .folder = engine->folder,
        .tasks = tasks,
        .missing = engine->missing,
    };
    return true;
}

/* Of a script, or SWEEP_SCRIPT_COUNT: the plan. */
static bool write_file(const struct engine *engine, enum sweep_script script, struct err *err) {
    const bool is_plan = script == SWEEP_SCRIPT_COUNT;
    char path[PATH_BYTES];
    struct output_stream stream;
    if (!path_of(engine, is_plan ? PLAN_NAME : sweep_script_name(script), path, err) ||
        !output_stream_open(&stream, path, true, err)) {
        return false;
    }
    if (is_plan) {
        fputs(engine->plan, stream.out);
    } else {
        stream.mode = 0777;
        sweep_script_print(&engine->scripts, script, stream.out);
    }
    const bool written = output_stream_commit(&stream, err);
    output_stream_close(&stream);
    return written;
}

/* The plan comes last: a folder with a plan has its scripts. False and no error: a signal came. */
static bool write_files(const struct engine *engine, struct err *err) {
    for (int script = 0; script < SWEEP_SCRIPT_COUNT; script++) {
        if (sweep_script_is_of((enum sweep_script)script, engine->options->engine) &&
            !write_file(engine, (enum sweep_script)script, err)) {
            return false;
        }
    }
    return write_file(engine, SWEEP_SCRIPT_COUNT, err);
}

/* What an earlier sweep has left: only where a plan says that the folder is ours. */
static bool empty_folder(const struct engine *engine, struct err *err) {
    if (!is_there(engine, PLAN_NAME) && rmdir(engine->folder) != 0) {
        return err_set(err, ERR_INPUT, "'%s' exists, and no sweep has made it", engine->shown);
    }
    DIR *folder = opendir(engine->folder);
    if (folder == NULL) {
        return errno == ENOENT || fail("read", engine->shown, err);
    }
    bool emptied = true;
    for (const struct dirent *entry; emptied && (entry = readdir(folder)) != NULL;) {
        emptied = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                  unlinkat(dirfd(folder), entry->d_name, 0) == 0 || errno == ENOENT ||
                  fail("empty", engine->shown, err);
    }
    (void)closedir(folder);
    return emptied;
}

static bool check_plan(const struct engine *engine, struct err *err) {
    char path[PATH_BYTES];
    if (!path_of(engine, PLAN_NAME, path, err)) {
        return false;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return errno == ENOENT || fail("read", path, err); /* it was not begun */
    }
    const char *expected = engine->plan;
    int letter;
    while ((letter = fgetc(file)) != EOF && *expected != '\0' &&
           (unsigned char)*expected == (unsigned)letter) {
        expected++;
    }
    (void)fclose(file);
    return (letter == EOF && *expected == '\0') ||
           err_set(err, ERR_INPUT,
                   "'%s' belongs to another sweep (another scenario, values, seed, number of tasks "
                   "or version of ddbsim); remove it, or choose another output",
                   engine->shown);
}

/* Afterwards the folder is there: new, or that of the same sweep. */
static bool take_folder(const struct engine *engine, struct err *err) {
    const struct sweep_options *options = engine->options;
    struct stat status;
    if (lstat(engine->folder, &status) == 0) {
        if (options->force || is_there(engine, "merged")) {
            if (!empty_folder(engine, err)) {
                return false;
            }
        } else if (!options->resume) {
            return err_set(err, ERR_INPUT,
                           "'%s' exists: an unfinished sweep; --resume goes on with it, --force "
                           "begins anew",
                           engine->shown);
        } else if (!check_plan(engine, err)) {
            return false;
        }
    }
    return mkdir(engine->folder, 0777) == 0 || errno == EEXIST ||
           fail("make the folder", engine->shown, err);
}

static void find_missing(struct engine *engine) {
    uint64_t count = 0;
    for (uint64_t part = 1; part <= engine->scripts.tasks; part++) {
        char name[48];
        (void)snprintf(name, sizeof name, "part-%" PRIu64 ".db", part);
        if (engine->options->force || !is_there(engine, name)) {
            engine->missing[count++] = (uint32_t)part;
        }
    }
    engine->scripts.missing_count = count;
}

/* sbatch's answer by --parsable: a number, and the cluster behind a semicolon. */
static bool read_job(char job[JOB_BYTES], struct err *err) {
    char shown[JOB_BYTES];
    const size_t digits = strspn(job, "0123456789");
    (void)snprintf(shown, sizeof shown, "%.*s", (int)strcspn(job, "\n"), job);
    if (digits == 0 || (job[digits] != '\n' && job[digits] != ';' && job[digits] != '\0')) {
        return err_set(err, ERR_IO, "sbatch: expected the number of a job, got '%s'", shown);
    }
    job[digits] = '\0';
    return true;
}

static bool submit(const struct engine *engine, enum sweep_script script, const char *dependency,
                   char job[JOB_BYTES], struct err *err) {
    char path[PATH_BYTES];
    if (!path_of(engine, sweep_script_name(script), path, err)) {
        return false;
    }
    const char *alone[] = {"sbatch", "--parsable", path, NULL};
    const char *after[] = {"sbatch",   "--parsable", "--kill-on-invalid-dep=yes",
                           dependency, path,         NULL};
    struct child_result result;
    if (!child_run(dependency == NULL ? alone : after,
                   "Slurm's commands are not installed here; GNU parallel needs no Slurm "
                   "(--engine parallel)",
                   job, JOB_BYTES, &result, err)) {
        return false;
    }
    return result.status == 0 ? read_job(job, err)
                              : err_set(err, ERR_IO, "sbatch did not take '%s/%s' (exit status %d)",
                                        engine->shown, sweep_script_name(script), result.status);
}

static int run_slurm(const struct engine *engine, struct err *err) {
    char array[JOB_BYTES] = "", merge[JOB_BYTES], dependency[JOB_BYTES + 32];
    const uint64_t missing = engine->scripts.missing_count;
    if (missing > 0 && !submit(engine, SWEEP_SCRIPT_ARRAY, NULL, array, err)) {
        return command_fail(err);
    }
    (void)snprintf(dependency, sizeof dependency, "--dependency=afterok:%s", array);
    if (!submit(engine, SWEEP_SCRIPT_MERGE_JOB, missing > 0 ? dependency : NULL, merge, err)) {
        if (missing > 0) {
            fprintf(
                stderr,
                "ddbsim: the array, job %s, is submitted, its merge is not: 'scancel %s' ends it,"
                " or run '%s/merge.sh' when it is done\n",
                array, array, engine->shown);
        }
        return command_fail(err);
    }
    if (engine->options->quiet) {
        return EXIT_STATUS_DONE;
    }
    if (missing > 0) {
        printf("array job %s: %s of %s tasks, by '%s/array.sbatch'\n", array,
               words_count(missing).text, words_count(engine->scripts.tasks).text, engine->shown);
    }
    printf("merge job %s: makes '%s' when all tasks are done; 'squeue' tells how far they are\n",
           merge, engine->options->output);
    return output_flush(err) ? EXIT_STATUS_DONE : command_fail(err);
}

static int interrupted(const struct engine *engine) {
    fprintf(stderr,
            "ddbsim: interrupted; the same command with --resume goes on, from the parts in '%s'\n",
            engine->shown);
    return EXIT_STATUS_INTERRUPTED;
}

/* Runs one of the scripts here; DONE, INTERRUPTED, or the script's own status. */
static int run_script(const struct engine *engine, enum sweep_script script, struct err *err) {
    char path[PATH_BYTES];
    struct child_result result;
    if (!path_of(engine, sweep_script_name(script), path, err)) {
        return command_fail(err);
    }
    const char *arguments[] = {"sh", path, NULL};
    if (!child_run(arguments, "a POSIX shell is needed", NULL, 0, &result, err)) {
        return command_fail(err);
    }
    return result.interrupted ? interrupted(engine) : result.status;
}

static int run_parallel(const struct engine *engine, struct err *err) {
    if (engine->scripts.missing_count > 0) {
        const int status = run_script(engine, SWEEP_SCRIPT_PARALLEL, err);
        if (status == EXIT_STATUS_INTERRUPTED || err->kind != ERR_NONE) {
            return status;
        }
        if (status == 127) {
            err_set(err, ERR_IO,
                    "there is no 'parallel' in PATH: GNU parallel is not installed; on "
                    "Debian: apt-get install parallel");
            return command_fail(err);
        }
        if (status != 0) {
            err_set(err, ERR_IO,
                    "not all tasks were done, see '%s/joblog'; the same command with --resume runs "
                    "those that were not",
                    engine->shown);
            return command_fail(err);
        }
    }
    const int status = run_script(engine, SWEEP_SCRIPT_MERGE, err);
    if (status <= EXIT_STATUS_FAILED && err->kind == ERR_NONE && !engine->options->quiet) {
        printf("'%s' is made, of %s tasks\n", engine->options->output,
               words_count(engine->scripts.tasks).text);
        return output_flush(err) ? status : command_fail(err);
    }
    return status;
}

/* Each script under its name, and what would be run; nothing is written. */
static int print_all(const struct engine *engine, struct err *err) {
    const bool is_slurm = engine->options->engine == SWEEP_ENGINE_SLURM;
    for (int script = 0; script < SWEEP_SCRIPT_COUNT; script++) {
        if (sweep_script_is_of((enum sweep_script)script, engine->options->engine)) {
            printf("# %s/%s\n", engine->shown, sweep_script_name((enum sweep_script)script));
            sweep_script_print(&engine->scripts, (enum sweep_script)script, stdout);
            putchar('\n');
        }
    }
    printf(is_slurm ? "# then: sbatch --parsable %s/array.sbatch, and --dependency=afterok:JOB "
                      "%s/merge.sbatch\n"
                    : "# then: sh %s/parallel.sh && sh %s/merge.sh\n",
           engine->shown, engine->shown);
    return output_flush(err) ? EXIT_STATUS_DONE : command_fail(err);
}

static int run(struct engine *engine, const char *plan, uint64_t points, struct err *err) {
    const struct sweep_options *options = engine->options;
    if (!find_paths(engine, err) || !choose_tasks(engine, plan, points, err)) {
        return command_fail(err);
    }
    if (options->dry_run) {
        find_missing(engine);
        return print_all(engine, err);
    }
    if (!take_folder(engine, err)) {
        return command_fail(err);
    }
    find_missing(engine);
    if (!write_files(engine, err)) {
        return err->kind == ERR_NONE ? interrupted(engine) : command_fail(err);
    }
    return options->engine == SWEEP_ENGINE_SLURM ? run_slurm(engine, err)
                                                 : run_parallel(engine, err);
}

int sweep_engine_run(const struct sweep_options *options, const char *plan, uint64_t points) {
    struct err err = {ERR_NONE, ""};
    struct engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        err_no_memory(&err, "engine");
        return command_fail(&err);
    }
    engine->options = options;
    const int status = run(engine, plan, points, &err);
    free(engine->shown);
    free(engine->folder);
    free(engine->plan);
    free(engine->missing);
    free(engine);
    return status;
}
