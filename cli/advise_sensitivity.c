#include "cli/advise_parts.h"

#include "models/parameters.h"
#include "workloads/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 2 /* the answer and the one tried before it */

/* A value of the parameter under a candidate. */
struct cell {
    uint32_t runs, met, failed, same;
};

/* Nobody outside of AWS knows it. */
static bool is_unpublished(const struct parameter_row *row) {
    return strstr(row->source, "UNK") != NULL || strstr(row->source, "INF") != NULL ||
           strstr(row->source, "assumption") != NULL;
}

static bool add_value(struct advise_parameter *parameter, int64_t value, int64_t now,
                      struct arena *arena, struct err *err) {
    char text[VALUE_TEXT_BYTES];
    value_print_parameter(parameter->row, value, text);
    for (uint32_t i = 0; i < parameter->value_count; i++) {
        if (strcmp(parameter->values[i], text) == 0) {
            return true;
        }
    }
    if (value == now || parameter->value_count == ADVISE_VALUES_MAX) {
        return true;
    }
    const char *kept = arena_strdup(arena, text, err);
    if (kept != NULL) {
        parameter->values[parameter->value_count++] = kept;
    }
    return kept != NULL;
}

/* Between two values by the same factor, in whole units of what is printed well. */
static int64_t between(const struct parameter_row *row, int64_t low, int64_t high) {
    const double middle = sqrt(fmax((double)low, 1) * fmax((double)high, 1));
    int64_t unit = 1;
    if (row->kind == PARAMETER_DURATION) {
        unit = middle > 2e9 ? SIM_NS_PER_S : SIM_NS_PER_MS;
    } else if (row->kind == PARAMETER_FRACTION) {
        unit = PARAMETER_FRACTION_ONE / 100;
    }
    const int64_t value = (int64_t)(middle / (double)unit + 0.5) * unit;
    return value < low ? low : value > high ? high : value;
}

/* Every other word; of numbers both ends of the range, and one between each and the value now. */
static bool choose_values(struct advise_parameter *parameter, int64_t now, struct arena *arena,
                          struct err *err) {
    const struct parameter_row *row = parameter->row;
    if (row->kind == PARAMETER_CHOICE) {
        for (int64_t value = row->min; value <= row->max; value++) {
            if (!add_value(parameter, value, now, arena, err)) {
                return false;
            }
        }
        return true;
    }
    return add_value(parameter, row->min, now, arena, err) &&
           add_value(parameter, between(row, row->min, now), now, arena, err) &&
           add_value(parameter, between(row, now, row->max), now, arena, err) &&
           add_value(parameter, row->max, now, arena, err);
}

/* Counts a result of that cell; whether no further run of it is needed. */
static bool take(const struct advice *advice, const struct advice_row *row, struct cell *cell,
                 const struct experiment_result *result) {
    const uint32_t known = row->runs < ADVICE_DIGESTS ? row->runs : ADVICE_DIGESTS;
    if (result->replication < known && !result->failed) {
        cell->same += strcmp(row->digests[result->replication], result->digest) == 0;
    }
    cell->runs++;
    cell->met += advice_meets(advice, result);
    cell->failed += result->failed;
    return cell->runs - cell->met > advice->misses_max || cell->failed > 0 ||
           (cell->runs == known && cell->same == known);
}

static enum advise_change judge(const struct advice *advice, const struct cell *answer,
                                const struct cell *before, bool *acts) {
    const uint32_t all = advice->config.replications;
    if (answer->failed > 0) {
        return ADVISE_NOT_RUN;
    }
    *acts |= answer->same < answer->runs || (before != NULL && before->same < before->runs);
    if (answer->same < answer->runs && answer->runs - answer->met > advice->misses_max) {
        return ADVISE_NOT_ENOUGH;
    }
    if (before != NULL && before->runs == all && before->same < before->runs &&
        before->runs - before->met <= advice->misses_max) {
        return ADVISE_LESS_WILL_DO;
    }
    return ADVISE_SAME;
}

/* Runs the parameter's values under the answer and under the candidate before it. */
static bool run_parameter(struct advise *advise, struct advise_parameter *parameter, int *status,
                          struct err *err) {
    const struct advice *advice = &advise->advice;
    const uint32_t candidates = advice->answer > 0 ? CANDIDATES : 1;
    const char *tried[CANDIDATES] = {advice->rows[advice->answer].value,
                                     candidates > 1 ? advice->rows[advice->answer - 1].value
                                                    : NULL};
    const struct vary varies[] = {
        {.name = parameter->name, .values = parameter->values, .count = parameter->value_count},
        {.name = advise->design.varies[0].name, .values = tried, .count = candidates},
    };
    struct design design = advise->design;
    design.varies = varies;
    design.vary_count = sizeof varies / sizeof *varies;
    if (!design_init(&design, 0, &advise->options.sweep.arena, err)) {
        *status = command_fail(err);
        return false;
    }
    const struct experiment_config config = {
        .design = &design,
        .seed = advise->options.sweep.seed,
        .has_seed = advise->options.sweep.has_seed,
        .replications = advice->config.replications,
        .jobs = (uint32_t)advise->options.sweep.jobs,
        .parts = 1,
    };
    struct cell cells[ADVISE_VALUES_MAX][CANDIDATES] = {0};
    struct drive drive;
    enum drive_event event = DRIVE_FAILED;
    if (drive_open(&drive, &config, NULL, (struct hash128){0, 0}, false, false, err)) {
        struct experiment_result result;
        while ((event = drive_next(&drive, &result, err)) == DRIVE_RESULT) {
            const uint32_t candidate = (uint32_t)(result.point % candidates);
            if (take(advice, &advice->rows[advice->answer - candidate],
                     &cells[result.point / candidates][candidate], &result)) {
                drive_stop_point(&drive);
            }
        }
    }
    const bool failed = event != DRIVE_ENDED && advise_is_over(&drive, event, status, err);
    drive_close(&drive, true);
    for (uint32_t i = 0; i < parameter->value_count; i++) {
        parameter->changes[i] =
            judge(advice, &cells[i][0], candidates > 1 ? &cells[i][1] : NULL, &parameter->acts);
    }
    return !failed;
}

bool advise_sensitivity(struct advise *advise, int *status, struct err *err) {
    struct arena *arena = &advise->options.sweep.arena;
    size_t count;
    const struct parameter_row *rows = model_parameter_rows(&count);
    struct scenario scenario;
    advise->parameters = ARENA_ARRAY(arena, struct advise_parameter, count, "parameters", err);
    const bool read = advise->parameters != NULL &&
                      design_read(&advise->design, advise->advice.answer, &scenario, err);
    if (!read) {
        *status = command_fail(err);
        return false;
    }
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        struct advise_parameter *parameter = &advise->parameters[advise->parameter_count];
        *parameter = (struct advise_parameter){.row = &rows[i]};
        (void)snprintf(parameter->name, sizeof parameter->name, "model.%s", rows[i].name);
        if (!is_unpublished(&rows[i]) ||
            strcmp(parameter->name, advise->design.varies[0].name) == 0) {
            continue;
        }
        const int64_t now = model_parameters_get(&scenario.model, &rows[i]);
        if (!choose_values(parameter, now, arena, err)) {
            *status = command_fail(err);
            done = false;
        } else {
            advise->parameter_count++;
            done = run_parameter(advise, parameter, status, err);
        }
    }
    scenario_fini(&scenario);
    return done;
}
