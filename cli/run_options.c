#include "cli/run_options.h"

#include <errno.h>

enum { KEY_SET = 1000, KEY_SEED, KEY_REPLICATIONS, KEY_FORMAT, KEY_FORCE };

static bool parse_scenario(struct run_options *options, const char *word) {
    if (options->scenario != NULL) {
        return err_set(options->err, ERR_INPUT, "run takes one scenario, '%s' is too many", word);
    }
    options->scenario = word;
    return true;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct run_options *options = state->input;
    bool ok = true;
    switch (key) {
    case 'o': options->output = argument; break;
    case 'q': options->quiet = true; break;
    case KEY_FORCE: options->force = true; break;
    case KEY_SET: ok = options_set(&options->sets, argument, options->err); break;
    case KEY_SEED:
        options->has_seed = true;
        ok = options_uint64("--seed", argument, 0, UINT64_MAX, &options->seed, options->err);
        break;
    case KEY_REPLICATIONS:
        options->has_replications = true;
        ok = options_uint64("--replications", argument, 1, RUN_REPLICATIONS_MAX,
                            &options->replications, options->err);
        break;
    case KEY_FORMAT: ok = options_format(argument, &options->format, options->err); break;
    case ARGP_KEY_ARG: ok = parse_scenario(options, argument); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static const struct argp_option option_rows[] = {
    {"output", 'o', "OUT.db", 0, "Write the results to this SQLite database", 0},
    {"set", KEY_SET, "K=V", 0,
     "Set a parameter of the scenario, or any path of it such as model.routers; may be repeated",
     0},
    {"seed", KEY_SEED, "N", 0, "Seed instead of the scenario's", 0},
    {"replications", KEY_REPLICATIONS, "N", 0,
     "Simulate N times, each with its own draws and its own layout of keys on partitions", 0},
    {"format", KEY_FORMAT, "text|json", 0,
     "Text for people, or one JSON object a line for each replication", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an output that exists", 0},
    {"quiet", 'q', NULL, 0, "No report and no progress", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

enum options_result run_options_parse(struct run_options *options, int argc, char **argv,
                                      struct err *err) {
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "SCENARIO",
        .doc =
            "Simulate a scenario: a file, or the name of a built-in one ('ddbsim scenarios' lists "
            "them). Prints what was offered, throttled and consumed, and a verdict: which limit, "
            "which key, since when, what cures it.\v"
            "Examples:\n"
            "  ddbsim run leaderboard\n"
            "  ddbsim run leaderboard --set shards=4 --replications 20\n"
            "  ddbsim run my.yaml -o my.db && ddbsim plot my.db partitions -o my.png\n"
            "\n"
            "Exit status: 0 done, 2 usage or scenario error, 3 input or output error, 130 "
            "interrupted.",
    };
    *options = (struct run_options){.err = err};
    const enum options_result result = options_parse(&argp, argc, argv, options, err);
    if (result == OPTIONS_READ && options->scenario == NULL) {
        err_set(err, ERR_INPUT, "no scenario given; see 'ddbsim run --help'");
        return OPTIONS_FAULT;
    }
    if (result == OPTIONS_READ && options->quiet && options->format == FORMAT_JSON) {
        err_set(err, ERR_INPUT, "--quiet and --format json contradict each other");
        return OPTIONS_FAULT;
    }
    return result;
}

void run_options_free(struct run_options *options) {
    options_sets_free(&options->sets);
}
