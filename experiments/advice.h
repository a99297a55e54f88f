/*
 * advice.h - The smallest (or largest) value of a parameter that meets a goal in enough layouts.
 *
 *   candidates    in the order in which they are tried: upwards, or downwards for the largest
 *   a candidate   meets the goal when at most `misses_max` of its N runs do not: the largest number
 *                 for which the exact one-sided bound of the share still is at least `share`
 *   stopped       at a fixed number of misses above that, at least three: nothing that could follow
 *                 would let it meet the goal, so what is shown is as in a sample of fixed size
 *   answer        the first candidate that is shown; then all others up to twice the answer (down
 *                 to half of it) are tried, as the share of layouts is not monotone
 *
 * A candidate that is not shown fails when its upper bound is below `share` (which is exact for one
 * that was stopped, too, as the number of misses is fixed); else it is not decided. Bounds hold for
 * each candidate by itself.
 *
 * Source:  Clopper & Pearson, Biometrika 26(4), 1934; curtailed sampling: Wald, "Sequential
 *          Analysis", 1947.
 * Owns:    the rows, in the arena that is given.  Cost: O(1) a result.
 */
#ifndef DDBSIM_EXPERIMENTS_ADVICE_H
#define DDBSIM_EXPERIMENTS_ADVICE_H

#include "analysis/statistics.h"
#include "experiments/experiment.h"
#include "experiments/goal.h"
#include "experiments/vary.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define ADVICE_CANDIDATES_MAX 10000
#define ADVICE_ALL_MAX                                                                             \
    200                  /* whole numbers of a span that are all tried; else those of two digits */
#define ADVICE_DIGESTS 5 /* kept of each candidate's first runs */
#define ADVICE_MISSES_STOP 3
#define ADVICE_NONE UINT32_MAX

struct advice_config {
    const struct goal *goals; /* each must be met, in the same run */
    uint32_t goal_count;
    uint32_t replications;
    bool largest;
    double share, confidence; /* in (0, 1) */
};

struct advice_row {
    const char *value;
    double number;
    uint32_t runs, met, failed; /* failed: could not be run; one stops the candidate */
    uint32_t first_miss;        /* replication; ADVICE_NONE */
    struct moments cost_usd;    /* a month */
    char digests[ADVICE_DIGESTS][DIGEST_TEXT_BYTES];
    char failure[ERR_TEXT_BYTES]; /* of the one that could not be run */
};

struct advice {
    struct advice_config config;
    struct advice_row *rows;
    uint32_t row_count, tried, answer; /* answer: a row, ADVICE_NONE */
    uint32_t misses_max, misses_stop;
};

enum advice_step { ADVICE_GO_ON, ADVICE_STOP_POINT, ADVICE_DONE };
enum advice_state { ADVICE_SHOWN, ADVICE_FAILS, ADVICE_UNDECIDED, ADVICE_NOT_RUN };

/* Replaces vary's values by the candidates, in order. False with *err set: no numbers, a span of
 * fractions without a step, too many. */
bool advice_candidates(struct vary *vary, bool largest, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;

/* The largest number of misses among `count` runs with which a share of hits is shown; -1: even
 * none would not do. */
int64_t advice_misses_max(uint32_t count, double share, double confidence);
/* The fewest runs that can show anything. */
uint32_t advice_runs_min(double share, double confidence);

/* False with *err set: too few replications, no memory. */
bool advice_init(struct advice *advice, const struct advice_config *config, const struct vary *vary,
                 struct arena *arena, struct err *err) ERR_WARN_UNUSED;

/* A result of candidate `row`, in the order of rows and replications: DONE: nothing more is needed;
 * STOP_POINT: nothing more of this candidate. */
enum advice_step advice_take(struct advice *advice, uint32_t row,
                             const struct experiment_result *result);

/* Whether a run meets every goal. */
bool advice_meets(const struct advice *advice, const struct experiment_result *result);
enum advice_state advice_state(const struct advice *advice, const struct advice_row *row);
/* Bounds of the share of layouts that meet the goal: each one-sided. */
struct interval advice_share(const struct advice *advice, const struct advice_row *row);

#endif
