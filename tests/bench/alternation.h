/*
 * alternation.h - Two ways to do the same, measured in turns in one process: medians and their
 * ratio.
 *
 * Absolute times on a busy machine say little; a ratio of medians of alternating runs holds.
 */
#ifndef DDBSIM_TESTS_BENCH_ALTERNATION_H
#define DDBSIM_TESTS_BENCH_ALTERNATION_H

#include <stdbool.h>

#define ALTERNATIONS 11

struct alternation {
    const char *name;
    const char *unit;                                /* of what is measured, "ns a timer" */
    double ours[ALTERNATIONS], theirs[ALTERNATIONS]; /* one pair a turn */
};

/* Prints both medians, and the ratio of ours to theirs with its limit; whether it is kept. Sorts
 * the values. */
bool alternation_judge(struct alternation *alternation, double ratio_max);

#endif
