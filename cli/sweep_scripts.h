/*
 * sweep_scripts.h - The scripts by which a sweep runs on other machines, as texts to be read, kept
 * and run by hand.
 *
 *   task.sh I       makes part I: part-I.db, complete or absent; again and twice at a time does no
 *                   harm, as each attempt writes a file of its own and renames it
 *   merge.sh        joins the parts to OUT.db; does nothing when that is done
 *   array.sbatch    a Slurm job array over task.sh; merge.sbatch depends on it
 *   parallel.sh     GNU parallel over task.sh, here or over ssh
 *
 * All of them go to the working folder of the sweep by its absolute path: program, scenario and
 * folder have to be there on every machine (a shared file system).
 * Owns:    nothing.
 */
#ifndef DDBSIM_CLI_SWEEP_SCRIPTS_H
#define DDBSIM_CLI_SWEEP_SCRIPTS_H

#include "cli/sweep_options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sweep_scripts {
    const struct sweep_options *options;
    const char *program; /* absolute path of ddbsim */
    const char *working; /* absolute path of the working folder */
    const char *folder;  /* OUT.db.tasks, as absolute path */
    uint64_t tasks;
    const uint32_t *missing; /* parts to be made, from 1, ascending */
    uint64_t missing_count;
};

enum sweep_script {
    SWEEP_SCRIPT_TASK,
    SWEEP_SCRIPT_MERGE,
    SWEEP_SCRIPT_ARRAY,
    SWEEP_SCRIPT_MERGE_JOB,
    SWEEP_SCRIPT_PARALLEL,
    SWEEP_SCRIPT_COUNT
};

/* Its file's name, and whether an engine needs it. */
const char *sweep_script_name(enum sweep_script script);
bool sweep_script_is_of(enum sweep_script script, enum sweep_engine engine);
void sweep_script_print(const struct sweep_scripts *scripts, enum sweep_script script, FILE *out);

#endif
