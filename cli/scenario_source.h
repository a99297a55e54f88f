/*
 * scenario_source.h - What SCENARIO on the command line means: a file, else the name of a built-in
 * one.
 *
 * A built-in scenario is read from memory, and file names in it are relative to the working folder.
 * One that comes with files of its own is unpacked with them to a folder under TMPDIR, which goes
 * away on close.
 * Owns: that folder, the scenario.
 */
#ifndef DDBSIM_CLI_SCENARIO_SOURCE_H
#define DDBSIM_CLI_SCENARIO_SOURCE_H

#include "cli/builtin.h"
#include "experiments/design.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>

struct scenario_source {
    char *folder;                       /* NULL: a file of the user's */
    char *path;                         /* to be read */
    const struct builtin_file *builtin; /* read from memory; NULL: from path */
    struct scenario scenario;
    bool is_read;
};

/* Opens and reads; on failure nothing is left to close. */
bool scenario_source_read(struct scenario_source *source, const char *word,
                          const struct scenario_override *overrides, size_t override_count,
                          struct err *err) ERR_WARN_UNUSED;
/* The scenario as a design takes it; borrows from source. */
struct design_source scenario_source_design(const struct scenario_source *source);
void scenario_source_close(struct scenario_source *source);

#endif
