#include "cli/advise_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_DEFAULT 0.95
#define CONFIDENCE_DEFAULT 0.95

enum { KEY_GOAL = 2000, KEY_LARGEST, KEY_SHARE, KEY_CONFIDENCE, KEY_SENSITIVITY };

static bool add_goal(struct advise_options *options, const char *text) {
    if (options->goal_count == ADVISE_GOALS_MAX) {
        return err_set(options->sweep.err, ERR_INPUT, "at most %d --goal are taken",
                       ADVISE_GOALS_MAX);
    }
    struct goal *goal = &options->goals[options->goal_count];
    if (!goal_read(goal, text, options->sweep.err) ||
        !options_metric("--goal", goal->name, &goal->metric, options->sweep.err)) {
        return false;
    }
    options->goal_count++;
    return true;
}

/* "95%" or "0.95". */
static bool read_share(struct advise_options *options, const char *option, const char *text,
                       double *share) {
    char *end;
    errno = 0;
    *share = strtod(text, &end);
    const bool is_percent = strcmp(end, "%") == 0;
    *share = is_percent ? *share / 100 : *share;
    return (end != text && errno == 0 && (*end == '\0' || is_percent) && *share > 0 &&
            *share < 1) ||
           err_set(options->sweep.err, ERR_INPUT,
                   "%s: expected a share such as 95%% or 0.95, got '%s'", option, text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct advise_options *options = state->input;
    bool ok = true;
    switch (key) {
    case KEY_GOAL: ok = add_goal(options, argument); break;
    case KEY_LARGEST: options->largest = true; break;
    case KEY_SENSITIVITY: options->sensitivity = true; break;
    case KEY_SHARE: ok = read_share(options, "--share", argument, &options->share); break;
    case KEY_CONFIDENCE:
        ok = read_share(options, "--confidence", argument, &options->confidence);
        break;
    default: return sweep_options_parser(key, argument, state);
    }
    return ok ? 0 : EINVAL;
}

static const struct argp_option option_rows[] = {
    {"vary", SWEEP_KEY_VARY, "K=SPEC", 0,
     "The parameter, or any path such as model.routers, and its candidates: 1:20 or 100:5000:100 "
     "or 1,2,4; of more than 200 whole numbers, those of two digits",
     0},
    {"goal", KEY_GOAL, "M<=X", 0,
     "What a run must reach: throttled_share<=1%, latency_ms_p99<25, first_throttle_s>=600; "
     "repeated: all of them",
     0},
    {"largest", KEY_LARGEST, NULL, 0, "The largest value instead of the smallest", 0},
    {"share", KEY_SHARE, "P", 0, "Share of layouts in which the goal is met (default 95%)", 0},
    {"confidence", KEY_CONFIDENCE, "P", 0, "Of the bound by which that is shown (default 95%)", 0},
    {"sensitivity", KEY_SENSITIVITY, NULL, 0,
     "Also tell which unpublished parameters of the model would change the answer", 0},
    {"set", SWEEP_KEY_SET, "K=V", 0, "Set a parameter or path, for all candidates", 0},
    {"seed", SWEEP_KEY_SEED, "N", 0, "Seed instead of the scenario's", 0},
    {"replications", SWEEP_KEY_REPLICATIONS, "N", 0,
     "Runs of each candidate at most, each with its own draws and layout (default 100)", 0},
    {"jobs", SWEEP_KEY_JOBS, "N", 0, "Runs at the same time (default: one a processor)", 0},
    {"format", SWEEP_KEY_FORMAT, "text|json", 0, "Text for people, or one JSON object", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp advise_argp = {
    .options = option_rows,
    .parser = parse_option,
    .args_doc = "SCENARIO",
    .doc = "Find the smallest value of a parameter with which a goal is met in nearly all layouts "
           "of keys on partitions, and show the evidence: how many layouts meet it with each "
           "candidate, the exact bound, the cost. Candidates up to twice the answer are tried, as "
           "a larger value is not always better.\v"
           "Examples:\n"
           "  ddbsim advise leaderboard --vary shards=1:20 --goal 'throttled_share<=1%'\n"
           "  ddbsim advise leaderboard --vary rate=100:5000 --goal 'throttled_share<=1%' "
           "--largest\n"
           "\n"
           "Exit status: 0 done, 1 no candidate meets the goal, 2 usage or scenario error, 3 input "
           "or output error, 130 interrupted.",
};

static bool check(struct advise_options *options, const char *command) {
    struct sweep_options *sweep = &options->sweep;
    if (sweep->vary_count != 1) {
        return err_set(sweep->err, ERR_INPUT, "expected one --vary K=LOW:HIGH; see '%s --help'",
                       command);
    }
    if (options->goal_count == 0) {
        return err_set(sweep->err, ERR_INPUT, "expected --goal 'METRIC<=X'; see '%s --help'",
                       command);
    }
    return true;
}

enum options_result advise_options_parse(struct advise_options *options, int argc, char **argv,
                                         struct err *err) {
    *options = (struct advise_options){.share = SHARE_DEFAULT, .confidence = CONFIDENCE_DEFAULT};
    const enum options_result result =
        sweep_options_parse(&options->sweep, &advise_argp, argc, argv, 1, err);
    if (result != OPTIONS_READ) {
        return result;
    }
    if (!options->sweep.has_replications) {
        options->sweep.replications = ADVISE_REPLICATIONS;
    }
    return check(options, argv[0]) ? OPTIONS_READ : OPTIONS_FAULT;
}
