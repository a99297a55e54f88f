#include "cli/command.h"

#include "cli/builtin.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/scenario_source.h"
#include "workloads/scenario_schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KEY_BYTES 512

enum { KEY_FORMAT = 1000, KEY_SCHEMA };

struct scenarios_options {
    const char *name;
    enum output_format format;
    bool schema;
    struct err *err;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct scenarios_options *options = state->input;
    if (key == KEY_FORMAT) {
        return options_format(argument, &options->format, options->err) ? 0 : EINVAL;
    }
    if (key == KEY_SCHEMA) {
        options->schema = true;
        return 0;
    }
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

static void list_scenario(const struct builtin_file *file, enum output_format format) {
    char name[64], about[KEY_BYTES], origin[KEY_BYTES];
    builtin_name(file, name, sizeof name);
    builtin_key(file, "about", about, sizeof about);
    builtin_key(file, "source", origin, sizeof origin);
    if (format == FORMAT_TEXT) {
        printf("%s\n    %s\n    source: %s\n", name, about, origin);
        return;
    }
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "name");
    json_string(&json, name);
    json_key(&json, "about");
    json_string(&json, about);
    json_key(&json, "source");
    json_string(&json, origin);
    json_end(&json, '}');
    putchar('\n');
}

static void list_scenarios(enum output_format format) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (builtin_is_scenario(&files[i])) {
            list_scenario(&files[i], format);
        }
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

/* Reads a built-in scenario, unpacked when it comes with files of its own. */
static bool learn_from(struct scenario_schema *schema, const struct builtin_file *file,
                       struct err *err) {
    struct scenario_source source;
    char name[64];
    builtin_name(file, name, sizeof name);
    if (!scenario_source_read(&source, name, NULL, 0, err)) {
        return false;
    }
    const bool learnt =
        scenario_schema_learn(schema, source.path, (const char *)file->bytes, file->size, err);
    scenario_source_close(&source);
    return learnt;
}

/* The language, as the built-in scenarios show it to the reader. */
static int print_schema(struct err *err) {
    struct scenario_schema schema;
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    bool learnt = scenario_schema_init(&schema, err);
    for (size_t i = 0; i < count && learnt; i++) {
        learnt = !builtin_is_scenario(&files[i]) || learn_from(&schema, &files[i], err);
    }
    const char *text = learnt ? scenario_schema_text(&schema, err) : NULL;
    if (text != NULL) {
        fputs(text, stdout);
    }
    scenario_schema_fini(&schema);
    return text != NULL ? EXIT_STATUS_DONE : command_fail(err);
}

int command_scenarios(int argc, char **argv) {
    static const struct argp_option rows[] = {
        {"format", KEY_FORMAT, "text|json", 0, "How to list: text, or one JSON object a line", 0},
        {"schema", KEY_SCHEMA, NULL, 0, "Print a JSON Schema of scenario files, for editors", 0},
        OPTIONS_HELP_ROW,
        {NULL, 0, NULL, 0, NULL, 0},
    };
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
    if (options.schema && options.name != NULL) {
        err_set(&err, ERR_INPUT, "--schema is of the whole language, '%s' is too many",
                options.name);
        return command_fail(&err);
    }
    if (options.schema) {
        return print_schema(&err);
    }
    if (options.name != NULL) {
        return print_scenario(options.name, &err);
    }
    list_scenarios(options.format);
    return EXIT_STATUS_DONE;
}
