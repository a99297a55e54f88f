#include "cli/command.h"

#include "cli/options.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMANDS_MAX 16

static const struct command commands[] = {
    {"run", "simulate a scenario: what throttles, where, why", command_run},
    {"sweep", "simulate a scenario for many values of its parameters", command_sweep},
    {"merge", "join the parts of a sweep that ran on several machines", command_merge},
    {"compare", "compare scenarios or values under the same draws and layouts", command_compare},
    {"advise", "the smallest value of a parameter that meets a goal, and what it costs",
     command_advise},
    {"plot", "draw a results database", command_plot},
    {"report", "write a results database as one page of HTML", command_report},
    {"export", "print a table of a results database as CSV or JSON", command_export},
    {"check", "validate scenarios, and test what they expect", command_check},
    {"units", "capacity units of one call", command_units},
    {"scenarios", "list the built-in scenarios, or print one", command_scenarios},
    {"parameters", "list every parameter of the model and the client", command_parameters},
};

const struct command *command_list(size_t *count) {
    *count = sizeof commands / sizeof *commands;
    return commands;
}

int command_fail(const struct err *err) {
    fprintf(stderr, "ddbsim: error: %s\n", err->text);
    return err->kind == ERR_INPUT ? EXIT_STATUS_INPUT : EXIT_STATUS_IO;
}

static void print_help(void) {
    fputs("Usage: ddbsim COMMAND [OPTION]…\n"
          "Simulate DynamoDB partitions and throttling: will this table design throttle, where, "
          "why,\nand what fixes it?\n\n",
          stdout);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        printf("  %-12s%s\n", commands[i].name, commands[i].about);
    }
    fputs("\nOptions:\n"
          "  -h, --help     show this help; 'ddbsim COMMAND --help' explains a command\n"
          "      --version  print the version\n\n"
          "Try:\n"
          "  ddbsim scenarios\n"
          "  ddbsim run leaderboard --set shards=4\n",
          stdout);
}

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *word) {
    const char *names[COMMANDS_MAX];
    const size_t count = sizeof commands / sizeof *commands;
    for (size_t i = 0; i < count; i++) {
        names[i] = commands[i].name;
    }
    char suggestion[64];
    struct err err = {ERR_NONE, ""};
    err_set(&err, ERR_INPUT, "no command '%s'%s", word,
            options_suggestion(word, names, count, suggestion, sizeof suggestion));
    return command_fail(&err);
}

static int run_command(const struct command *command, int argc, char **argv) {
    char program[64];
    snprintf(program, sizeof program, "ddbsim %s", command->name);
    char **arguments = malloc(((size_t)argc + 1) * sizeof *arguments);
    if (arguments == NULL) {
        struct err err = {ERR_NONE, ""};
        err_no_memory(&err, "arguments");
        return command_fail(&err);
    }
    memcpy(arguments, argv, ((size_t)argc + 1) * sizeof *arguments);
    arguments[0] = program;
    const int status = command->run(argc, arguments);
    free(arguments);
    return status;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        struct err err = {ERR_NONE, ""};
        err_set(&err, ERR_INPUT, "no command given; see 'ddbsim --help'");
        return command_fail(&err);
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help();
        return EXIT_STATUS_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        puts("ddbsim " DDBSIM_VERSION);
        return EXIT_STATUS_DONE;
    }
    if (word[0] == '-') {
        struct err err = {ERR_NONE, ""};
        err_set(&err, ERR_INPUT, "expected a command, got option '%s'; see 'ddbsim --help'", word);
        return command_fail(&err);
    }
    const struct command *command = find_command(word);
    return command == NULL ? unknown_command(word) : run_command(command, argc - 1, argv + 1);
}

int command_main(int argc, char **argv) {
    const int status = dispatch(argc, argv);
    struct err err = {ERR_NONE, ""};
    if (!output_flush(&err) && status != EXIT_STATUS_IO) {
        return command_fail(&err);
    }
    return status;
}
