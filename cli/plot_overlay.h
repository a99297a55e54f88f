/*
 * plot_overlay.h - The same picture of several runs, one curve each: --over, or --run repeated.
 *
 * Curves are told apart by the parameters that differ between their runs, or else by file and run.
 *
 * Owns: a reader for each curve, between _open and _close.
 */
#ifndef DDBSIM_CLI_PLOT_OVERLAY_H
#define DDBSIM_CLI_PLOT_OVERLAY_H

#include "cli/plot_picture.h"

struct plot_overlay;

/* Opens the runs that the options name, the picture's own one first. Each must have the picture's
 * table or index. NULL and *err set otherwise. */
struct plot_overlay *plot_overlay_open(const struct plot_picture *picture, struct err *err);
/* NULL is fine. */
void plot_overlay_close(struct plot_overlay *overlay);

/* The end of the longest run. */
int64_t plot_overlay_end_s(const struct plot_overlay *overlay);

/* Finding, values and data files, for throttling and capacity; plots/overlay.gp draws them. */
bool plot_overlay_draw(struct plot_picture *picture, struct plot_overlay *overlay, struct err *err)
    ERR_WARN_UNUSED;

#endif
