#include "cli/options.h"

#include "workloads/spelling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_NAMES_MAX 32

const char *options_suggestion(const char *word, const char *const *words, size_t count, char *text,
                               size_t text_bytes) {
    const char *nearest = spelling_nearest(word, words, count);
    snprintf(text, text_bytes, nearest == NULL ? "%s" : "; did you mean '%s'?",
             nearest == NULL ? "" : nearest);
    return text;
}

static bool is_last(const struct argp_option *option) {
    return option->name == NULL && option->key == 0 && option->doc == NULL;
}

/* "ddbsim run" -> "run" */
static const char *command_name(const char *program) {
    const char *blank = strrchr(program, ' ');
    return blank == NULL ? program : blank + 1;
}

static bool unknown_option(const struct argp *argp, const char *program, const char *word,
                           struct err *err) {
    const char *names[OPTION_NAMES_MAX];
    size_t count = 0;
    for (const struct argp_option *option = argp->options; !is_last(option); option++) {
        if (option->name != NULL && count < OPTION_NAMES_MAX) {
            names[count++] = option->name;
        }
    }
    char suggestion[128] = "";
    const char *nearest = spelling_nearest(word + 2, names, count);
    if (strlen(word) > 3 && nearest != NULL) {
        snprintf(suggestion, sizeof suggestion, "; did you mean '--%s'?", nearest);
    }
    return err_set(err, ERR_INPUT, "%s has no option '%s'%s", command_name(program), word,
                   suggestion);
}

/* The option that a long word (without "--", up to '=') names: exactly, or as the only one that
 * begins so. */
static const struct argp_option *find_long(const struct argp *argp, const char *word, size_t length,
                                           bool *ambiguous) {
    const struct argp_option *found = NULL;
    *ambiguous = false;
    for (const struct argp_option *option = argp->options; !is_last(option); option++) {
        if (option->name == NULL || strncmp(option->name, word, length) != 0) {
            continue;
        }
        if (option->name[length] == '\0') {
            *ambiguous = false;
            return option;
        }
        *ambiguous = found != NULL;
        found = option;
    }
    return found;
}

static const struct argp_option *find_short(const struct argp *argp, char letter) {
    for (const struct argp_option *option = argp->options; !is_last(option); option++) {
        if (option->key == letter) {
            return option;
        }
    }
    return NULL;
}

/* One "--word" or "--word=value"; *next: whether the next argument is its value. */
static bool check_long(const struct argp *argp, const char *program, const char *argument,
                       bool *next, bool *help, struct err *err) {
    const char *word = argument + 2;
    const size_t length = strcspn(word, "=");
    bool ambiguous = false;
    const struct argp_option *option = find_long(argp, word, length, &ambiguous);
    if (option == NULL || length == 0) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(length + 2 < 100 ? length + 2 : 100), argument);
        return unknown_option(argp, program, name, err);
    }
    if (ambiguous) {
        return err_set(err, ERR_INPUT, "'%s' could be several options; see 'ddbsim %s --help'",
                       argument, command_name(program));
    }
    if (option->arg == NULL && word[length] == '=') {
        return err_set(err, ERR_INPUT, "option '--%s' takes no value", option->name);
    }
    *next = option->arg != NULL && word[length] == '\0';
    *help = *help || option->key == 'h';
    return true;
}

/* A group of short options, the last of which may have its value behind it. */
static bool check_short(const struct argp *argp, const char *program, const char *argument,
                        bool *next, bool *help, struct err *err) {
    for (const char *letter = argument + 1; *letter != '\0'; letter++) {
        const struct argp_option *option = find_short(argp, *letter);
        if (option == NULL) {
            const char word[] = {'-', *letter, '\0'};
            return unknown_option(argp, program, word, err);
        }
        *help = *help || option->key == 'h';
        if (option->arg != NULL) {
            *next = letter[1] == '\0';
            return true;
        }
    }
    return true;
}

static bool check_arguments(const struct argp *argp, int argc, char **argv, bool *help,
                            struct err *err) {
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        bool next = false;
        if (strcmp(argument, "--") == 0) {
            break;
        }
        if (strncmp(argument, "--", 2) == 0) {
            if (!check_long(argp, argv[0], argument, &next, help, err)) {
                return false;
            }
        } else if (argument[0] == '-' && argument[1] != '\0') {
            if (!check_short(argp, argv[0], argument, &next, help, err)) {
                return false;
            }
        }
        if (next && ++i == argc) {
            return err_set(err, ERR_INPUT, "option '%s' needs a value; see 'ddbsim %s --help'",
                           argument, command_name(argv[0]));
        }
    }
    return true;
}

enum options_result options_parse(const struct argp *argp, int argc, char **argv, void *input,
                                  struct err *err) {
    bool help = false;
    const bool known = check_arguments(argp, argc, argv, &help, err);
    if (help) {
        argp_help(argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, argv[0]);
        return OPTIONS_HELP_SHOWN;
    }
    if (!known) {
        return OPTIONS_FAULT;
    }
    const unsigned flags = ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
    const error_t failure = argp_parse(argp, argc, argv, flags, NULL, input);
    if (failure == ENOMEM) {
        err_no_memory(err, "options");
        return OPTIONS_FAULT;
    }
    if (failure != 0) {
        err_set(err, ERR_INPUT, "wrong usage; see 'ddbsim %s --help'", command_name(argv[0]));
        return OPTIONS_FAULT;
    }
    return OPTIONS_READ;
}

bool options_uint64(const char *option, const char *text, uint64_t min, uint64_t max,
                    uint64_t *value, struct err *err) {
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    if (digits == 0 || text[digits] != '\0' || errno != 0 || number < min || number > max) {
        return err_set(err, ERR_INPUT, "%s: expected a whole number from %llu to %llu, got '%s'",
                       option, (unsigned long long)min, (unsigned long long)max, text);
    }
    *value = number;
    return true;
}

bool options_word(const char *option, const char *text, const char *const *names, size_t count,
                  const char *expected, size_t *which, struct err *err) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            *which = i;
            return true;
        }
    }
    char suggestion[64];
    return err_set(err, ERR_INPUT, "%s: expected %s, got '%s'%s", option, expected, text,
                   options_suggestion(text, names, count, suggestion, sizeof suggestion));
}

bool options_format(const char *text, enum output_format *format, struct err *err) {
    static const char *const names[] = {"text", "json"};
    size_t which;
    if (!options_word("--format", text, names, sizeof names / sizeof *names, "text or json", &which,
                      err)) {
        return false;
    }
    *format = (enum output_format)which;
    return true;
}

bool options_metric(const char *option, const char *text, enum metric *metric, struct err *err) {
    *metric = metric_by_name(text);
    if (*metric != METRIC_COUNT) {
        return true;
    }
    const char *names[METRIC_COUNT];
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        names[i] = metric_rows()[i].name;
    }
    char suggestion[64];
    return err_set(err, ERR_INPUT, "%s: no metric '%s'%s", option, text,
                   options_suggestion(text, names, METRIC_COUNT, suggestion, sizeof suggestion));
}

bool options_set(struct option_sets *sets, const char *text, struct err *err) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return err_set(err, ERR_INPUT, "--set: expected NAME=VALUE, got '%s'", text);
    }
    if (sets->count == OPTIONS_SET_MAX) {
        return err_set(err, ERR_INPUT, "--set: at most %d of them are taken", OPTIONS_SET_MAX);
    }
    char *path = strndup(text, (size_t)(equals - text));
    if (path == NULL) {
        return err_no_memory(err, "options");
    }
    sets->paths[sets->count] = path;
    sets->overrides[sets->count++] = (struct scenario_override){.path = path, .value = equals + 1};
    return true;
}

void options_sets_free(struct option_sets *sets) {
    for (size_t i = 0; i < sets->count; i++) {
        free(sets->paths[i]);
    }
    sets->count = 0;
}
