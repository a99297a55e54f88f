#define _GNU_SOURCE /* asprintf */
#include "cli/command.h"

#include "analysis/store.h"
#include "analysis/words.h"
#include "cli/drive.h"
#include "cli/output.h"
#include "cli/scenario_source.h"
#include "cli/sweep_engine.h"
#include "cli/sweep_options.h"
#include "cli/sweep_plan.h"
#include "cli/sweep_report.h"
#include "cli/sweep_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One `ddbsim sweep` under way. */
struct sweep {
    struct sweep_options options;
    struct scenario_source source;
    struct design_source text;
    struct design design;
    struct sweep_report report;
    struct point_sample sample;
    bool sample_is_open;
    char first_failure[ERR_TEXT_BYTES]; /* of the open point; "": none */
    uint64_t failed_points;
    char *log_path; /* OUT.db.part; NULL: no database */
    char *plan;     /* NULL: no database */
    struct drive drive;
};

static bool open_log(struct sweep *sweep, struct err *err) {
    if (sweep->options.output == NULL) {
        return true;
    }
    if (asprintf(&sweep->log_path, "%s.part", sweep->options.output) < 0) {
        sweep->log_path = NULL;
        return err_no_memory(err, "path");
    }
    if (sweep->options.force) {
        (void)unlink(sweep->log_path); /* the unfinished one is given up */
    }
    return true;
}

/* The first point is read for its faults: a value that no point takes is told before any is run. */
static bool check_first_point(const struct sweep *sweep, struct err *err) {
    struct scenario scenario;
    const bool read = design_read(&sweep->design, 0, &scenario, err);
    scenario_fini(&scenario);
    return read;
}

static bool open_design(struct sweep *sweep, struct err *err) {
    struct sweep_options *options = &sweep->options;
    sweep->text = scenario_source_design(&sweep->source);
    sweep->design = (struct design){
        .sources = &sweep->text,
        .source_count = 1,
        .overrides = options->sets.overrides,
        .override_count = (uint32_t)options->sets.count,
        .varies = options->varies,
        .vary_count = options->vary_count,
    };
    sweep->report = (struct sweep_report){
        .out = stdout,
        .design = &sweep->design,
        .metrics = options->metrics,
        .metric_count = options->metric_count,
    };
    return design_init(&sweep->design, options->sobol_count, &options->arena, err) &&
           check_first_point(sweep, err) &&
           point_sample_init(&sweep->sample, options->metrics, options->metric_count,
                             (uint32_t)options->replications, err);
}

/* What a database is of. */
static bool open_plan(struct sweep *sweep, struct err *err) {
    if (sweep->options.output == NULL) {
        return true;
    }
    sweep->plan = sweep_plan_new(&sweep->options, &sweep->design, err);
    return sweep->plan != NULL;
}

/* The log of an unfinished sweep knows which one it is. */
static bool open_drive(struct sweep *sweep, const struct experiment_config *config,
                       struct err *err) {
    const struct sweep_options *options = &sweep->options;
    struct hash128 identity = {0, 0};
    if (sweep->plan != NULL) {
        identity = sweep_plan_hash(sweep->plan, options->part, options->parts);
    }
    return drive_open(&sweep->drive, config, sweep->log_path, identity, options->resume,
                      options->quiet, err);
}

static bool say_heading(struct sweep *sweep, struct err *err) {
    const struct sweep_options *options = &sweep->options;
    if (options->quiet || options->format == FORMAT_JSON) {
        return true;
    }
    printf("%s: %s points, %s%s replications each; means with 95 %% intervals\n", sweep->text.name,
           words_count(sweep->design.point_count).text, options->precision > 0 ? "at most " : "",
           words_count(options->replications).text);
    sweep_report_heading(&sweep->report);
    return output_flush(err);
}

static bool finish_point(struct sweep *sweep, struct err *err) {
    sweep->sample_is_open = false;
    sweep->failed_points += sweep->sample.failed > 0;
    if (sweep->options.quiet) {
        return true;
    }
    drive_clear(&sweep->drive);
    if (sweep->options.format == FORMAT_JSON) {
        sweep_report_json(&sweep->report, &sweep->sample);
    } else {
        sweep_report_row(&sweep->report, &sweep->sample,
                         sweep->sample.failed > 0 ? sweep->first_failure : NULL);
    }
    return output_flush(err);
}

/* Whether the replications so far are enough for the precision that was asked for. */
static bool is_precise(const struct sweep *sweep) {
    uint32_t counted;
    const struct interval mean =
        point_sample_mean(&sweep->sample, 0, STATISTICS_CONFIDENCE, &counted);
    return counted >= SWEEP_PRECISE_REPLICATIONS_MIN &&
           statistics_is_precise(&mean, sweep->options.precision);
}

static bool take_result(struct sweep *sweep, const struct experiment_result *result,
                        struct err *err) {
    if (!sweep->sample_is_open) {
        point_sample_open(&sweep->sample, result->point);
        sweep->sample_is_open = true;
        sweep->first_failure[0] = '\0';
    }
    if (result->failed && sweep->sample.failed == 0) {
        memcpy(sweep->first_failure, result->message, sizeof sweep->first_failure);
    }
    point_sample_add(&sweep->sample, result);
    if (sweep->sample.count == sweep->options.replications) {
        return finish_point(sweep, err);
    }
    if (sweep->options.precision > 0 && is_precise(sweep)) {
        drive_stop_point(&sweep->drive);
        return finish_point(sweep, err);
    }
    return true;
}

static int interrupted(struct sweep *sweep) {
    drive_clear(&sweep->drive);
    fprintf(stderr, "ddbsim: interrupted after %s runs", words_count(sweep->drive.runs).text);
    if (sweep->options.output != NULL) {
        fprintf(stderr, "; the same command with --resume goes on, from '%s'", sweep->log_path);
    }
    fputc('\n', stderr);
    return EXIT_STATUS_INTERRUPTED;
}

static int end(struct sweep *sweep, bool *done, struct err *err) {
    const struct sweep_options *options = &sweep->options;
    const struct sweep_store_part part = {sweep->plan, options->part, options->parts};
    if (options->output != NULL &&
        !sweep_store_write(options->output, options->force, &sweep->design, &part,
                           &sweep->drive.log, err)) {
        return command_fail(err);
    }
    *done = true;
    return sweep->failed_points > 0 ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

static int run_points(struct sweep *sweep, bool *done, struct err *err) {
    struct experiment_result result;
    for (;;) {
        switch (drive_next(&sweep->drive, &result, err)) {
        case DRIVE_RESULT:
            if (!take_result(sweep, &result, err)) {
                return command_fail(err);
            }
            break;
        case DRIVE_ENDED: return end(sweep, done, err);
        case DRIVE_INTERRUPTED: return interrupted(sweep);
        case DRIVE_FAILED: drive_clear(&sweep->drive); return command_fail(err);
        }
    }
}

static int run_sweep(struct sweep *sweep, struct err *err) {
    const struct sweep_options *options = &sweep->options;
    /* the output first: what would otherwise be noticed at the end */
    if ((options->output != NULL && !store_may_create(options->output, options->force, err)) ||
        !open_design(sweep, err) || !open_plan(sweep, err)) {
        return command_fail(err);
    }
    if (options->engine != SWEEP_ENGINE_LOCAL) {
        return sweep_engine_run(options, sweep->plan, sweep->design.point_count);
    }
    if (!open_log(sweep, err)) {
        return command_fail(err);
    }
    const struct experiment_config config = {
        .design = &sweep->design,
        .seed = options->seed,
        .has_seed = options->has_seed,
        .replications = (uint32_t)options->replications,
        .jobs = (uint32_t)options->jobs,
        .part = (uint32_t)options->part,
        .parts = (uint32_t)options->parts,
    };
    bool done = false;
    int status;
    if (!open_drive(sweep, &config, err) || !say_heading(sweep, err)) {
        status = command_fail(err);
    } else {
        status = run_points(sweep, &done, err);
    }
    drive_close(&sweep->drive, done);
    return status;
}

static const struct argp_option option_rows[] = {
    SWEEP_OPTION_ROWS,
    {"output", 'o', "OUT.db", 0, "Write points, runs and metrics to this SQLite database", 0},
    {"precision", SWEEP_KEY_PRECISION, "P%", 0,
     "Replicate each point until the interval of the first metric is within P % of its mean", 0},
    {"design", SWEEP_KEY_DESIGN, "cross|sobol:N", 0,
     "Every combination (the default), or N points spread evenly over ranges K=LOW:HIGH", 0},
    {"part", SWEEP_KEY_PART, "I/N", 0, "Only every N-th point, from the I-th on", 0},
    {"engine", SWEEP_KEY_ENGINE, "local|slurm|parallel", 0,
     "Run in parts: by a Slurm job array with a merge that depends on it, or by GNU parallel", 0},
    {"tasks", SWEEP_KEY_TASKS, "N", 0,
     "Parts that an engine makes (default 16, or one a point when there are fewer)", 0},
    {"partition", SWEEP_KEY_PARTITION, "NAME", 0, "Slurm's partition", 0},
    {"time", SWEEP_KEY_TIME, "LIMIT", 0, "Slurm's time limit of a task, such as 30 or 1:00:00", 0},
    {"host", SWEEP_KEY_HOST, "HOST", 0,
     "A host that GNU parallel reaches over ssh; may be repeated (default: this one)", 0},
    {"engine-option", SWEEP_KEY_ENGINE_OPTION, "OPTION", 0,
     "A further option of sbatch or parallel; may be repeated", 0},
    {"dry-run", SWEEP_KEY_DRY_RUN, NULL, 0, "Print the scripts of an engine and do nothing", 0},
    {"resume", SWEEP_KEY_RESUME, NULL, 0, "Go on with the unfinished OUT.db.part", 0},
    {"force", SWEEP_KEY_FORCE, NULL, 0, "Replace an output that exists, finished or not", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp sweep_argp = {
    .options = option_rows,
    .parser = sweep_options_parser,
    .args_doc = "SCENARIO",
    .doc = "Simulate a scenario for many values of its parameters, several replications each, on "
           "all processors. All points see the same draws and layouts, replication by "
           "replication.\v"
           "Examples:\n"
           "  ddbsim sweep leaderboard --vary shards=1:10:1 -o shards.db\n"
           "  ddbsim sweep retry-storm --vary client.retry=none,aws-sdk-2026 --vary "
           "rate=800:1600:200\n"
           "  ddbsim sweep product-reads --vary rate=1000:16000 --design sobol:50 --precision 1%\n"
           "  ddbsim sweep leaderboard --vary shards=1:64:1 -o shards.db --engine slurm --time 30\n"
           "\n"
           "Exit status: 0 done, 1 a run failed, 2 usage or scenario error, 3 input or output "
           "error, 130 interrupted.",
};

int command_sweep(int argc, char **argv) {
    struct err err = {ERR_NONE, ""};
    struct sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL) {
        err_no_memory(&err, "sweep");
        return command_fail(&err);
    }
    int status = EXIT_STATUS_DONE;
    switch (sweep_options_parse(&sweep->options, &sweep_argp, argc, argv, 1, &err)) {
    case OPTIONS_FAULT: status = command_fail(&err); break;
    case OPTIONS_HELP_SHOWN: break;
    case OPTIONS_READ:
        if (!scenario_source_read(&sweep->source, sweep->options.scenarios[0],
                                  sweep->options.sets.overrides, sweep->options.sets.count, &err)) {
            status = command_fail(&err);
            break;
        }
        status = run_sweep(sweep, &err);
        point_sample_fini(&sweep->sample);
        scenario_source_close(&sweep->source);
        break;
    }
    free(sweep->log_path);
    free(sweep->plan);
    sweep_options_free(&sweep->options);
    free(sweep);
    return status;
}
