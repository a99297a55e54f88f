#include "cli/command.h"

#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/run_report.h"
#include "cli/scenario_source.h"
#include "cli/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One `ddbsim run` under way. */
struct run {
    struct run_options options;
    struct scenario_source source;
    struct store *store;
    struct interrupt interrupt;
    struct progress progress;
    struct run_tally tally;
    char verdict
        [SUMMARY_VERDICT_BYTES]; /* of the first replication that throttles, else of the first */
    uint64_t verdict_replication;
    bool verdict_is_throttled;
    uint64_t seed, replications;
};

/* --force must not let the results replace the scenario they come from. */
static bool check_output(const struct run_options *options, const char *scenario_path,
                         struct err *err) {
    struct stat output, scenario;
    if (stat(options->output, &output) != 0 || stat(scenario_path, &scenario) != 0) {
        return true;
    }
    return output.st_dev != scenario.st_dev || output.st_ino != scenario.st_ino ||
           err_set(err, ERR_INPUT, "output '%s' is the scenario itself", options->output);
}

static bool open_store(struct run *run, struct err *err) {
    const struct scenario *scenario = &run->source.scenario;
    if (run->options.output == NULL) {
        return true;
    }
    if (!check_output(&run->options, run->source.path, err)) {
        return false;
    }
    run->store = store_create(run->options.output, run->options.force, err);
    return run->store != NULL && store_scenario(run->store, scenario->name, scenario->text, err);
}

static void keep_verdict(struct run *run, const struct summary *summary) {
    const bool throttled = summary->total.throttled > 0;
    if (run->tally.runs == 1 || (throttled && !run->verdict_is_throttled)) {
        memcpy(run->verdict, summary->verdict, sizeof run->verdict);
        run->verdict_replication = summary->replication;
        run->verdict_is_throttled = throttled;
    }
}

/* Prints one replication's result; false when standard output is lost: no more is simulated. */
static bool report(struct run *run, const struct summary *summary, struct err *err) {
    if (run->options.quiet) {
        return true;
    }
    progress_clear(&run->progress);
    if (run->options.format == FORMAT_TEXT && summary->replication == 0) {
        run_report_heading(stdout, &run->source.scenario);
    }
    if (run->options.format == FORMAT_JSON) {
        run_report_json(stdout, summary);
    } else if (run->replications == 1) {
        run_report_text(stdout, summary);
    } else {
        run_report_line(stdout, summary, &run->tally);
        keep_verdict(run, summary);
    }
    return output_flush(err);
}

static enum simulate_result run_replication(struct run *run, uint64_t replication,
                                            struct err *err) {
    struct simulation *simulation = NULL;
    struct summary summary;
    const struct simulation_config config = {
        .scenario = &run->source.scenario,
        .seed = run->seed,
        .replication = replication,
        .store = run->store,
        .run_id = (int64_t)replication + 1,
    };
    enum simulate_result result =
        simulate(&config, &run->progress, &run->interrupt, &simulation, &summary, err);
    if (result == SIMULATE_DONE && !report(run, &summary, err)) {
        result = SIMULATE_FAILED;
    }
    simulation_free(simulation);
    return result;
}

static int interrupted(const struct run *run) {
    fprintf(stderr, "ddbsim: interrupted%s\n",
            run->options.output == NULL ? "" : ", no database was written");
    return EXIT_STATUS_INTERRUPTED;
}

static int run_all(struct run *run, struct err *err) {
    const bool text = run->options.format == FORMAT_TEXT && !run->options.quiet;
    progress_begin(&run->progress, NULL, run->replications, run->options.quiet);
    for (uint64_t i = 0; i < run->replications; i++) {
        const enum simulate_result result = run_replication(run, i, err);
        if (result == SIMULATE_INTERRUPTED ||
            (result == SIMULATE_DONE && interrupt_pending(&run->interrupt))) {
            progress_clear(&run->progress);
            return interrupted(run);
        }
        if (result == SIMULATE_FAILED) {
            progress_clear(&run->progress);
            return command_fail(err);
        }
    }
    progress_clear(&run->progress);
    if (text && run->replications > 1) {
        run_report_tally(stdout, &run->tally,
                         run->source.scenario.model.placement == PLACEMENT_RANDOM);
        run_report_verdict(stdout, run->verdict_replication, run->verdict);
    }
    if (run->store != NULL && !store_commit(run->store, err)) {
        return command_fail(err);
    }
    return EXIT_STATUS_DONE;
}

static int run_scenario(struct run *run, struct err *err) {
    const struct run_options *options = &run->options;
    interrupt_block(&run->interrupt);
    int status = EXIT_STATUS_DONE;
    if (!scenario_source_read(&run->source, options->scenario, options->sets.overrides,
                              options->sets.count, err)) {
        status = command_fail(err);
    } else {
        const struct scenario *scenario = &run->source.scenario;
        run->seed = options->has_seed ? options->seed : scenario->seed;
        run->replications =
            options->has_replications ? options->replications : scenario->replications;
        status = open_store(run, err) ? run_all(run, err) : command_fail(err);
        store_close(run->store);
        scenario_source_close(&run->source);
    }
    interrupt_unblock(&run->interrupt);
    return status;
}

int command_run(int argc, char **argv) {
    struct err err = {ERR_NONE, ""};
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        err_no_memory(&err, "run");
        return command_fail(&err);
    }
    int status = EXIT_STATUS_DONE;
    switch (run_options_parse(&run->options, argc, argv, &err)) {
    case OPTIONS_FAULT: status = command_fail(&err); break;
    case OPTIONS_HELP_SHOWN: break;
    case OPTIONS_READ: status = run_scenario(run, &err); break;
    }
    run_options_free(&run->options);
    free(run);
    return status;
}
