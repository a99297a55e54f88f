/*
 * design_files.h - What the points of a design read beside their scenario, as lines of text: each
 * file's name and a hash of its content.
 *
 *   file traces/monday.csv 8d1f…            file traces/gone.csv absent
 *
 * So an unfinished sweep is not gone on with after a trace has changed, and parts made from
 * different traces are not merged. When the first point reads no file, none is looked for in the
 * others. Else each value of each --vary is tried by itself, and, when the files depend on several
 * of them, every point. Hash: XXH3-128 over blocks of 64 KiB.
 * Owns:    nothing.  Cost: reads each scenario that it looks at, and each file once.
 */
#ifndef DDBSIM_EXPERIMENTS_DESIGN_FILES_H
#define DDBSIM_EXPERIMENTS_DESIGN_FILES_H

#include "experiments/design.h"
#include "sim/err.h"

#include <stdio.h>

/* In the order in which they are found. A point that cannot be read has no files: the sweep will
 * say what is wrong with it. False with *err: no memory, a file that cannot be read. */
bool design_files_print(const struct design *design, FILE *out, struct err *err) ERR_WARN_UNUSED;

#endif
