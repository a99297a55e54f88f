/*
 * plot_script.h - The gnuplot scripts of plots/, inside the program: it needs no installed files.
 *
 * The table is made from plots/NAME.gp when the program is built (embed.cmake).
 * Owns: nothing; constant data.
 */
#ifndef DDBSIM_CLI_PLOT_SCRIPT_H
#define DDBSIM_CLI_PLOT_SCRIPT_H

#include "cli/builtin.h"

/* "theme.gp", "throttling.gp", … */
const struct builtin_file *plot_scripts(size_t *count);

#endif
