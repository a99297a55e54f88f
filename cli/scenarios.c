#include "cli/command.h"

#include "cli/builtin.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KEY_BYTES 512

struct scenarios_options {
    const char *name;
    struct err *err;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct scenarios_options *options = state->input;
    if (key != ARGP_KEY_ARG) {
        return key == 'h' ? 0 : ARGP_ERR_UNKNOWN;
    }
    if (options->name != NULL) {
        err_set(options->err, ERR_INPUT, "scenarios prints one scenario, '%s' is too many",
                argument);
        return EINVAL;
    }
    options->name = argument;
    return 0;
}

static void list_scenarios(void) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (!builtin_is_scenario(&files[i])) {
            continue;
        }
        char name[64], about[KEY_BYTES], origin[KEY_BYTES];
        builtin_name(&files[i], name, sizeof name);
        builtin_key(&files[i], "about", about, sizeof about);
        builtin_key(&files[i], "source", origin, sizeof origin);
        printf("%s\n    %s\n    source: %s\n", name, about, origin);
    }
}

static int print_scenario(const char *name, struct err *err) {
    const struct builtin_file *file = builtin_scenario(name);
    file = file == NULL ? builtin_file(name) : file;
    if (file == NULL) {
        char nearest[64];
        if (builtin_nearest(name, nearest, sizeof nearest) == NULL) {
            err_set(err, ERR_INPUT, "no built-in scenario '%s'; 'ddbsim scenarios' lists them",
                    name);
        } else {
            err_set(err, ERR_INPUT, "no built-in scenario '%s'; did you mean '%s'?", name, nearest);
        }
        return command_fail(err);
    }
    fwrite(file->bytes, 1, file->size, stdout);
    return EXIT_STATUS_DONE;
}

int command_scenarios(int argc, char **argv) {
    static const struct argp_option rows[] = {OPTIONS_HELP_ROW, {NULL, 0, NULL, 0, NULL, 0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse_option,
        .args_doc = "[NAME]",
        .doc =
            "List the scenarios that are built in, or print one.\v"
            "A built-in scenario runs by its name: 'ddbsim run leaderboard'. To change more than "
            "--set can, print it to a file: 'ddbsim scenarios leaderboard > mine.yaml'. "
            "access-log reads two CSV files, which are printed in the same way: 'ddbsim scenarios "
            "access-log-1.csv'.",
    };
    struct err err = {ERR_NONE, ""};
    struct scenarios_options options = {.err = &err};
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: return command_fail(&err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    if (options.name != NULL) {
        return print_scenario(options.name, &err);
    }
    list_scenarios();
    return EXIT_STATUS_DONE;
}
