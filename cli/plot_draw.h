/*
 * plot_draw.h - One picture of a results database: run, table and time are chosen, and it is drawn.
 *
 * Where: into a file, in the terminal, or as SVG in memory, for whoever puts it into a page.
 * Owns: nothing; see plot_drawn.  Cost: a process of gnuplot, 0.1 to 1 s.
 */
#ifndef DDBSIM_CLI_PLOT_DRAW_H
#define DDBSIM_CLI_PLOT_DRAW_H

#include "cli/command.h"
#include "cli/plot_picture.h"

struct plot_kind_row {
    const char *name, *title;
    bool (*draw)(struct plot_picture *picture, struct err *err);
    bool draws_text; /* in the terminal it prints characters itself, without gnuplot */
    bool has_times;  /* --from and --to apply */
    bool has_table;  /* it is of one table or index */
    bool of_points;  /* it is of all runs, those of a sweep */
};

const struct plot_kind_row *plot_kind_row(enum plot_kind kind);

/* A picture in memory. */
struct plot_drawn {
    char *svg; /* to be freed; NULL: none */
    char title[PLOT_NAME_BYTES];
    char finding[PLOT_FINDING_BYTES];
};

/* Draws what options ask for. drawn: where a picture goes that is kept (is_kept), else NULL. DONE,
 * INTERRUPTED, or IO with *err set. */
enum exit_status plot_draw(const struct plot_options *options, struct plot_drawn *drawn,
                           struct err *err);

/* What stands behind the last dot of a path's last part: "svg"; "" without one. */
const char *plot_extension(const char *path);

#endif
