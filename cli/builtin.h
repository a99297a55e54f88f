/*
 * builtin.h - The scenarios of workloads/scenarios, inside the program: they need no installed
 * files.
 *
 * The table is made from the files when the program is built (embed.cmake). A scenario that reads a
 * CSV file finds it beside itself, so the CSV files are embedded as well, and scenario_source.h
 * unpacks both.
 * Owns: nothing; constant data.
 */
#ifndef DDBSIM_CLI_BUILTIN_H
#define DDBSIM_CLI_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

struct builtin_file {
    const char *file_name; /* "leaderboard.yaml" */
    const unsigned char *bytes;
    size_t size;
};

/* Sorted by file name. */
const struct builtin_file *builtin_files(size_t *count);

/* The scenario "leaderboard", or NULL. */
const struct builtin_file *builtin_scenario(const char *name);
/* The file "access-log.csv", or NULL. */
const struct builtin_file *builtin_file(const char *file_name);
bool builtin_is_scenario(const struct builtin_file *file);
/* "leaderboard.yaml" -> "leaderboard"; name_bytes at least 64. */
void builtin_name(const struct builtin_file *file, char *name, size_t name_bytes);

/* The text of a top-level one-line key such as "about:", "" when there is none. */
void builtin_key(const struct builtin_file *file, const char *key, char *value, size_t value_bytes);

/* The nearest name of a scenario, or NULL. */
const char *builtin_nearest(const char *word, char *name, size_t name_bytes);

#endif
