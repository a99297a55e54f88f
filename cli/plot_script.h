/*
 * plot_script.h - The gnuplot scripts of plots/, built into the program: it needs no data path.
 *
 * plots/CMakeLists.txt generates the table from plots/NAME.gp.
 */
#ifndef DDBSIM_CLI_PLOT_SCRIPT_H
#define DDBSIM_CLI_PLOT_SCRIPT_H

#include <stddef.h>

struct plot_script {
    const char *name; /* "theme", "throttling", … */
    const unsigned char *text;
    size_t bytes;
};

/* Ends with a row whose name is NULL. */
extern const struct plot_script plot_scripts[];

#endif
