/*
 * plot_gnuplot.h - Draws by gnuplot: files in, picture out, nothing left behind.
 *
 * Every file is made in memory first, so that a database that cannot be read costs no cleaning up.
 * plot_gnuplot_draw then makes a private folder, writes the files there, runs
 * `gnuplot -d values.gp theme.gp KIND.gp` in it without a shell, takes the file `picture`, and
 * removes the folder. The output is written under another name beside it and renamed: complete or
 * absent. SIGINT, SIGTERM and SIGHUP are held back meanwhile; they end gnuplot, and then the same
 * cleaning up is done.
 *
 * Owns: the texts of struct plot_files.  Cost: one process, 0.1 to 1 s.
 */
#ifndef DDBSIM_CLI_PLOT_GNUPLOT_H
#define DDBSIM_CLI_PLOT_GNUPLOT_H

#include "cli/command.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define PLOT_FILES_MAX 12

struct plot_file {
    char name[32];
    FILE *stream; /* NULL once closed */
    char *text;
    size_t bytes;
};

struct plot_files {
    struct plot_file rows[PLOT_FILES_MAX];
    size_t count;
};

/* A new file to be written with stdio; NULL and *err without memory. */
FILE *plot_files_add(struct plot_files *files, const char *name, struct err *err);
/* Closes all streams; false and *err when something could not be kept in memory. */
bool plot_files_close(struct plot_files *files, struct err *err) ERR_WARN_UNUSED;
void plot_files_free(struct plot_files *files);

/* ERR_INPUT when output exists already and may not be replaced. */
bool plot_gnuplot_may_write(const char *output, bool overwrite, struct err *err) ERR_WARN_UNUSED;

/* Runs scripts theme and kind over files. output NULL: the picture is a text, in *text, to be
 * freed; else it is in output. Returns DONE, IO with *err set, or INTERRUPTED. */
enum exit_status plot_gnuplot_draw(const struct plot_files *files, const char *kind,
                                   const char *output, char **text, struct err *err);

#endif
