#include "experiments/advice.h"

#include "sim/check.h"
#include "workloads/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append(struct vary *vary, double number, struct arena *arena, struct err *err) {
    char text[VARY_VALUE_BYTES];
    (void)snprintf(text, sizeof text, "%.12g", number);
    vary->values[vary->count] = arena_strdup(arena, text, err);
    return vary->values[vary->count++] != NULL;
}

/* The next number of at most two digits: 9, 10, 11 … 99, 100, 110 … 990, 1000, 1100. */
static double next_round(double number) {
    double digit = 1;
    while (digit * 100 <= number) {
        digit *= 10;
    }
    return (floor(number / digit) + 1) * digit;
}

/* A span of whole numbers: all, or its ends and what is round between them. */
static bool fill_span(struct vary *vary, struct arena *arena, struct err *err) {
    if (!vary->is_whole || vary->low < 0) {
        return err_set(err, ERR_INPUT,
                       "--vary '%s': a span without a step has whole ends from 0; expected "
                       "LOW:HIGH:STEP or a list",
                       vary->text);
    }
    const bool all = vary->high - vary->low < ADVICE_ALL_MAX;
    vary->values = ARENA_ARRAY(arena, const char *, ADVICE_CANDIDATES_MAX, "candidates", err);
    double number = vary->low;
    while (vary->values != NULL && number < vary->high && vary->count + 1 < ADVICE_CANDIDATES_MAX) {
        if (!append(vary, number, arena, err)) {
            return false;
        }
        number = all ? number + 1 : next_round(number);
    }
    return vary->values != NULL && append(vary, vary->high, arena, err);
}

static int by_number(const void *left, const void *right) {
    const double one = strtod(*(const char *const *)left, NULL);
    const double other = strtod(*(const char *const *)right, NULL);
    return (one > other) - (one < other);
}

bool advice_candidates(struct vary *vary, bool largest, struct arena *arena, struct err *err) {
    if (vary->count == 0 && !fill_span(vary, arena, err)) {
        return false;
    }
    if (vary->count > ADVICE_CANDIDATES_MAX) {
        return err_set(err, ERR_INPUT, "--vary '%s' has more than %d values", vary->text,
                       ADVICE_CANDIDATES_MAX);
    }
    for (uint32_t i = 0; i < vary->count; i++) {
        double number;
        if (value_double(vary->values[i], &number) != VALUE_OK) {
            return err_set(err, ERR_INPUT,
                           "--vary '%s': expected numbers, which have an order, got '%s'",
                           vary->text, vary->values[i]);
        }
    }
    qsort(vary->values, vary->count, sizeof *vary->values, by_number);
    for (uint32_t i = 0; largest && i < vary->count / 2; i++) {
        const char *kept = vary->values[i];
        vary->values[i] = vary->values[vary->count - 1 - i];
        vary->values[vary->count - 1 - i] = kept;
    }
    return true;
}

int64_t advice_misses_max(uint32_t count, double share, double confidence) {
    int64_t misses = -1;
    while (misses + 1 < count &&
           statistics_share_low(count - (uint64_t)(misses + 1), count, confidence) >= share) {
        misses++;
    }
    return misses;
}

uint32_t advice_runs_min(double share, double confidence) {
    /* share^n <= 1 - confidence */
    const double least = ceil(log(1 - confidence) / log(share) - 1e-9);
    return least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

bool advice_init(struct advice *advice, const struct advice_config *config, const struct vary *vary,
                 struct arena *arena, struct err *err) {
    SIM_CHECK(config->share > 0 && config->share < 1);
    SIM_CHECK(config->confidence > 0 && config->confidence < 1);
    const int64_t misses_max =
        advice_misses_max(config->replications, config->share, config->confidence);
    if (misses_max < 0) {
        return err_set(err, ERR_INPUT,
                       "%u replications show no share of %.4g %% at %.4g %% confidence; at least "
                       "%u are needed",
                       config->replications, 100 * config->share, 100 * config->confidence,
                       advice_runs_min(config->share, config->confidence));
    }
    *advice = (struct advice){
        .config = *config,
        .row_count = vary->count,
        .answer = ADVICE_NONE,
        .misses_max = (uint32_t)misses_max,
        .misses_stop =
            misses_max + 1 > ADVICE_MISSES_STOP ? (uint32_t)misses_max + 1 : ADVICE_MISSES_STOP,
        .rows = ARENA_ARRAY(arena, struct advice_row, vary->count, "candidates", err),
    };
    for (uint32_t i = 0; advice->rows != NULL && i < vary->count; i++) {
        advice->rows[i] = (struct advice_row){
            .value = vary->values[i],
            .number = strtod(vary->values[i], NULL),
            .first_miss = ADVICE_NONE,
        };
    }
    return advice->rows != NULL;
}

bool advice_meets(const struct advice *advice, const struct experiment_result *result) {
    bool met = !result->failed;
    for (uint32_t i = 0; i < advice->config.goal_count && met; i++) {
        const struct goal *goal = &advice->config.goals[i];
        met = goal_met(goal, result->metrics[goal->metric]);
    }
    return met;
}

static void add(struct advice_row *row, const struct experiment_result *result, bool met) {
    if (result->replication < ADVICE_DIGESTS && !result->failed) {
        memcpy(row->digests[result->replication], result->digest, DIGEST_TEXT_BYTES);
    }
    if (result->failed) {
        row->failed++;
        memcpy(row->failure, result->message, sizeof row->failure);
    }
    if (!met && row->first_miss == ADVICE_NONE) {
        row->first_miss = result->replication;
    }
    if (!result->failed && !isnan(result->metrics[METRIC_COST_USD_PER_MONTH])) {
        moments_add(&row->cost_usd, result->metrics[METRIC_COST_USD_PER_MONTH]);
    }
    row->runs++;
    row->met += met;
}

/* Whether nothing is left to try once this row is over. */
static bool is_last(const struct advice *advice, uint32_t row) {
    if (row + 1 == advice->row_count) {
        return true;
    }
    if (advice->answer == ADVICE_NONE) {
        return false;
    }
    const double answer = advice->rows[advice->answer].number;
    const double next = advice->rows[row + 1].number;
    return advice->config.largest ? next < answer / 2 : next > 2 * answer;
}

enum advice_step advice_take(struct advice *advice, uint32_t row,
                             const struct experiment_result *result) {
    SIM_CHECK(row < advice->row_count);
    struct advice_row *of = &advice->rows[row];
    SIM_CHECK(of->runs == result->replication && of->runs < advice->config.replications);
    add(of, result, advice_meets(advice, result));
    const bool is_over = of->failed > 0 || of->runs - of->met == advice->misses_stop ||
                         of->runs == advice->config.replications;
    if (!is_over) {
        return ADVICE_GO_ON;
    }
    advice->tried = row + 1;
    if (advice->answer == ADVICE_NONE && advice_state(advice, of) == ADVICE_SHOWN) {
        advice->answer = row;
    }
    if (is_last(advice, row)) {
        return ADVICE_DONE;
    }
    return of->runs < advice->config.replications ? ADVICE_STOP_POINT : ADVICE_GO_ON;
}

struct interval advice_share(const struct advice *advice, const struct advice_row *row) {
    const double confidence = advice->config.confidence;
    if (row->runs == 0) {
        return (struct interval){NAN, NAN, NAN};
    }
    return (struct interval){
        .estimate = (double)row->met / row->runs,
        .low = statistics_share_low(row->met, row->runs, confidence),
        .high = 1 - statistics_share_low(row->runs - row->met, row->runs, confidence),
    };
}

enum advice_state advice_state(const struct advice *advice, const struct advice_row *row) {
    if (row->failed > 0) {
        return ADVICE_NOT_RUN;
    }
    if (row->runs == advice->config.replications && row->runs - row->met <= advice->misses_max) {
        return ADVICE_SHOWN;
    }
    return advice_share(advice, row).high < advice->config.share ? ADVICE_FAILS : ADVICE_UNDECIDED;
}
