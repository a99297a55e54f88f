/*
 * store_read_marks.h - What a table did of its own in a view, to be marked in pictures over time.
 *
 *   split         SplitCompleted                         a partition became two
 *   scaled        UpdateTableCompleted with units        other capacity came into force
 *   switched      UpdateTableCompleted, another mode     provisioned to on-demand, or back
 *   leaderless    LeaderLost                             a partition's writes fail for a moment
 *   behind        refusals in an index's name            where an episode of back-pressure begins
 *
 * An episode ends when nothing was refused so for STORE_READ_EPISODE_S.
 * Owns: nothing; rows are in the reader's arena.  Cost: O(events + seconds with refusals).
 */
#ifndef DDBSIM_ANALYSIS_STORE_READ_MARKS_H
#define DDBSIM_ANALYSIS_STORE_READ_MARKS_H

#include "analysis/store_read.h"

#define STORE_READ_EPISODE_S 60

enum store_read_mark_kind {
    STORE_READ_SPLIT,
    STORE_READ_SCALED,
    STORE_READ_SWITCHED,
    STORE_READ_BEHIND,
    STORE_READ_LEADERLESS,
    STORE_READ_MARK_KINDS
};

struct store_read_mark {
    double t_s;
    enum store_read_mark_kind kind;
};

/* By time, but that those of STORE_READ_BEHIND come last. */
bool store_read_marks(struct store_read *reader, const struct store_read_view *view,
                      struct store_read_mark **rows, size_t *count, struct err *err)
    ERR_WARN_UNUSED;

#endif
