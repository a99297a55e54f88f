#include "cli/advise_parts.h"

#include "cli/output.h"
#include "cli/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With the first candidate: the file's own value may not go with what --set says. */
static bool read_source(struct advise *advise, struct err *err) {
    struct sweep_options *options = &advise->options.sweep;
    struct scenario_override overrides[OPTIONS_SET_MAX + 1];
    struct vary *vary = &options->varies[0];
    if (!advice_candidates(vary, advise->options.largest, &options->arena, err)) {
        return false;
    }
    memcpy(overrides, options->sets.overrides, options->sets.count * sizeof *overrides);
    overrides[options->sets.count] =
        (struct scenario_override){.path = vary->name, .value = vary->values[0]};
    return scenario_source_read(&advise->source, options->scenarios[0], overrides,
                                options->sets.count + 1, err);
}

static bool open_design(struct advise *advise, struct err *err) {
    struct sweep_options *options = &advise->options.sweep;
    advise->text = scenario_source_design(&advise->source);
    advise->design = (struct design){
        .sources = &advise->text,
        .source_count = 1,
        .overrides = options->sets.overrides,
        .override_count = (uint32_t)options->sets.count,
        .varies = options->varies,
        .vary_count = 1,
    };
    const struct advice_config config = {
        .goals = advise->options.goals,
        .goal_count = advise->options.goal_count,
        .replications = (uint32_t)options->replications,
        .largest = advise->options.largest,
        .share = advise->options.share,
        .confidence = advise->options.confidence,
    };
    return advice_init(&advise->advice, &config, &options->varies[0], &options->arena, err) &&
           design_init(&advise->design, 0, &options->arena, err);
}

bool advise_is_over(struct drive *drive, enum drive_event event, int *status, struct err *err) {
    drive_clear(drive);
    switch (event) {
    case DRIVE_RESULT:
    case DRIVE_ENDED: return false;
    case DRIVE_INTERRUPTED:
        fprintf(stderr, "ddbsim: interrupted\n");
        *status = EXIT_STATUS_INTERRUPTED;
        break;
    case DRIVE_FAILED: *status = command_fail(err); break;
    }
    return true;
}

static bool try_candidates(struct advise *advise, int *status, struct err *err) {
    const struct sweep_options *options = &advise->options.sweep;
    const struct experiment_config config = {
        .design = &advise->design,
        .seed = options->seed,
        .has_seed = options->has_seed,
        .replications = (uint32_t)options->replications,
        .jobs = (uint32_t)options->jobs,
        .parts = 1,
    };
    struct drive drive;
    enum drive_event event = DRIVE_FAILED;
    if (drive_open(&drive, &config, NULL, (struct hash128){0, 0}, false, false, err)) {
        enum advice_step step = ADVICE_GO_ON;
        struct experiment_result result;
        do {
            event = drive_next(&drive, &result, err);
            if (event == DRIVE_RESULT) {
                step = advice_take(&advise->advice, (uint32_t)result.point, &result);
            }
            if (step == ADVICE_STOP_POINT) {
                drive_stop_point(&drive);
                step = ADVICE_GO_ON;
            }
        } while (event == DRIVE_RESULT && step == ADVICE_GO_ON);
    }
    const bool over = advise_is_over(&drive, event, status, err);
    drive_close(&drive, true);
    return !over;
}

/* The verdict of the first run that misses the goal, of the last candidate that has one. */
static bool find_why(struct advise *advise, int *status, struct err *err) {
    uint32_t row = advise->advice.tried;
    while (row > 0 && (advise->advice.rows[row - 1].failed > 0 ||
                       advise->advice.rows[row - 1].first_miss == ADVICE_NONE)) {
        row--;
    }
    if (row == 0) {
        return true;
    }
    advise->why_row = row - 1;
    const struct advice_row *last = &advise->advice.rows[advise->why_row];
    struct scenario scenario;
    if (!design_read(&advise->design, advise->why_row, &scenario, err)) {
        scenario_fini(&scenario);
        *status = command_fail(err);
        return false;
    }
    const struct simulation_config config = {
        .scenario = &scenario,
        .seed = advise->options.sweep.has_seed ? advise->options.sweep.seed : scenario.seed,
        .replication = last->first_miss,
    };
    struct progress progress;
    struct interrupt interrupt;
    struct simulation *simulation = NULL;
    struct summary summary;
    progress_begin(&progress, NULL, 1, false);
    interrupt_block(&interrupt);
    const enum simulate_result result =
        simulate(&config, &progress, &interrupt, &simulation, &summary, err);
    interrupt_unblock(&interrupt);
    progress_clear(&progress);
    if (result == SIMULATE_DONE) {
        advise->why = strdup(summary.verdict);
    } else {
        *status = result == SIMULATE_FAILED ? command_fail(err) : EXIT_STATUS_INTERRUPTED;
    }
    simulation_free(simulation);
    scenario_fini(&scenario);
    return result == SIMULATE_DONE;
}

static int run_advise(struct advise *advise, struct err *err) {
    int status = EXIT_STATUS_DONE;
    if (!read_source(advise, err) || !open_design(advise, err)) {
        return command_fail(err);
    }
    if (!try_candidates(advise, &status, err)) {
        return status;
    }
    const bool answered = advise->advice.answer != ADVICE_NONE;
    if (!answered && !find_why(advise, &status, err)) {
        return status;
    }
    if (answered && advise->options.sensitivity && !advise_sensitivity(advise, &status, err)) {
        return status;
    }
    if (advise->options.sweep.format == FORMAT_JSON) {
        advise_report_json(advise);
    } else {
        advise_report_text(advise);
    }
    if (!output_flush(err)) {
        return command_fail(err);
    }
    return answered ? EXIT_STATUS_DONE : EXIT_STATUS_FAILED;
}

int command_advise(int argc, char **argv) {
    struct err err = {ERR_NONE, ""};
    struct advise *advise = calloc(1, sizeof *advise);
    if (advise == NULL) {
        err_no_memory(&err, "advice");
        return command_fail(&err);
    }
    int status = EXIT_STATUS_DONE;
    switch (advise_options_parse(&advise->options, argc, argv, &err)) {
    case OPTIONS_FAULT: status = command_fail(&err); break;
    case OPTIONS_HELP_SHOWN: break;
    case OPTIONS_READ: status = run_advise(advise, &err); break;
    }
    if (advise->source.is_read) {
        scenario_source_close(&advise->source);
    }
    free(advise->why);
    sweep_options_free(&advise->options.sweep);
    free(advise);
    return status;
}
