/*
 * plot_marks.h - Splits, scaling steps, mode switches and back-pressure, as marks above a picture.
 *
 * A strip of symbols, one lane for each kind that occurs, at most one symbol in each hundredth of
 * the time; a kind with few of them has lines through the picture, too. theme.gp draws them.
 * Of several runs in one picture: a lane for each run, in its colour.
 * Source: the tables `events` and `throttles`; analysis/store_read_marks.h.
 * Owns:   nothing.  Cost: O(marks).
 */
#ifndef DDBSIM_CLI_PLOT_MARKS_H
#define DDBSIM_CLI_PLOT_MARKS_H

#include "cli/plot_picture.h"

/* Writes marks.dat and guides.dat and MARKS (how many kinds there are), MARK_TEXT[i],
 * MARK_KIND[i], GUIDES; says in the finding how many there are, in the terminal. */
bool plot_marks(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;

/* One of several runs in a picture. */
struct plot_marks_run {
    struct store_read *reader;
    const struct store_read_view *view;
};
/* Writes marks.dat (time, run from 1, kind from 1) and MARKS, MARK_TEXT[i], MARK_KIND[i] of all
 * runs together. */
bool plot_marks_of_runs(struct plot_picture *picture, const struct plot_marks_run *runs,
                        size_t run_count, struct err *err) ERR_WARN_UNUSED;

#endif
