/*
 * options.h - What the options of all commands share: one parser, one way to say what is wrong.
 *
 * The commands describe their options to glibc's argp, which sorts them and prints --help. The
 * faults are found here first, because argp's words are not ours: an unknown option gets the
 * nearest right one, an option without its value says what it wants. Owns: nothing.
 */
#ifndef DDBSIM_CLI_OPTIONS_H
#define DDBSIM_CLI_OPTIONS_H

#include "analysis/metric.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum options_result { OPTIONS_READ, OPTIONS_HELP_SHOWN, OPTIONS_FAULT };

enum output_format { FORMAT_TEXT, FORMAT_JSON };

#define OPTIONS_SET_MAX 256

/* The --set options in the order given: later ones win. */
struct option_sets {
    struct scenario_override overrides[OPTIONS_SET_MAX];
    char *paths[OPTIONS_SET_MAX]; /* owned: the part before '=' */
    size_t count;
};

/* The row that every command's options end with. */
#define OPTIONS_HELP_ROW                                                                           \
    { "help", 'h', NULL, 0, "Show this help", -1 }

/* Reads argv (argv[0]: "ddbsim NAME") with argp; its parser gets input, and returns EINVAL after it
 * filled *err. Prints the help to stdout when asked to. */
enum options_result options_parse(const struct argp *argp, int argc, char **argv, void *input,
                                  struct err *err);

/* Values of options; option is the name as written, e.g. "--seed". */
bool options_uint64(const char *option, const char *text, uint64_t min, uint64_t max,
                    uint64_t *value, struct err *err) ERR_WARN_UNUSED;
/* Which of the names text is; expected: all of them, as a sentence lists them. */
bool options_word(const char *option, const char *text, const char *const *names, size_t count,
                  const char *expected, size_t *which, struct err *err) ERR_WARN_UNUSED;
bool options_format(const char *text, enum output_format *format, struct err *err) ERR_WARN_UNUSED;
bool options_metric(const char *option, const char *text, enum metric *metric, struct err *err)
    ERR_WARN_UNUSED;
bool options_set(struct option_sets *sets, const char *text, struct err *err) ERR_WARN_UNUSED;
void options_sets_free(struct option_sets *sets);

/* "…; did you mean 'x'?" or nothing, for the end of a message. */
const char *options_suggestion(const char *word, const char *const *words, size_t count, char *text,
                               size_t text_bytes);

#endif
