/*
 * plot_script.h - The gnuplot scripts of plots/ and the page of `ddbsim report`, inside the
 * program: it needs no installed files.
 *
 * The table is made from plots/NAME when the program is built (embed.cmake).
 * Owns: nothing; constant data.
 */
#ifndef DDBSIM_CLI_PLOT_SCRIPT_H
#define DDBSIM_CLI_PLOT_SCRIPT_H

#include "cli/builtin.h"

/* "theme.gp", "throttling.gp", …, "report.html"; a NUL stands behind the bytes of each. */
const struct builtin_file *plot_scripts(size_t *count);

#endif
