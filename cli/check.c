#include "cli/command.h"

#include "cli/builtin.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/scenario_source.h"
#include "cli/simulate.h"
#include "experiments/expectation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE_BYTES 512
#define NAME_BYTES 64 /* of a built-in scenario */

enum { KEY_RUN = 1000, KEY_PUBLISHED, KEY_SET, KEY_FORMAT };

struct check_options {
    const char **words;        /* scenarios, as given */
    char (*names)[NAME_BYTES]; /* of built-in ones, that words point at */
    size_t word_count;
    struct option_sets sets;
    bool run, published;
    bool all; /* every built-in scenario whose source reports something */
    enum output_format format;
    struct err *err;
};

/* One scenario under test. */
struct check {
    const struct check_options *options;
    const char *word;
    struct scenario_source source;
    struct interrupt *interrupt;
    struct metric_query *queries;
    struct metric_watch *watches;
    double *values; /* [expectation][replication] */
    char (*sentences)[SENTENCE_BYTES];
    bool *held;
    uint32_t failed;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct check_options *options = state->input;
    bool ok = true;
    switch (key) {
    case KEY_RUN: options->run = true; break;
    case KEY_PUBLISHED: options->run = options->published = true; break;
    case KEY_SET: ok = options_set(&options->sets, argument, options->err); break;
    case KEY_FORMAT: ok = options_format(argument, &options->format, options->err); break;
    case ARGP_KEY_ARG: options->words[options->word_count++] = argument; break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static void *allocate(size_t count, size_t bytes, struct err *err) {
    void *memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL) {
        err_no_memory(err, "expectations");
    }
    return memory;
}

static bool prepare(struct check *check, struct err *err) {
    const struct scenario *scenario = &check->source.scenario;
    const uint32_t count = scenario->expect_count;
    const size_t replications = check->options->run ? scenario->replications : 1;
    check->queries = allocate(count, sizeof *check->queries, err);
    check->watches = allocate(count, sizeof *check->watches, err);
    check->sentences = allocate(count, sizeof *check->sentences, err);
    check->held = allocate(count, sizeof *check->held, err);
    check->values = allocate(count * replications, sizeof *check->values, err);
    return check->queries != NULL && check->watches != NULL && check->sentences != NULL &&
           check->held != NULL && check->values != NULL &&
           expectation_resolve(scenario, check->queries, err);
}

static enum simulate_result run_replication(struct check *check, uint32_t replication,
                                            struct progress *progress, struct err *err) {
    const struct scenario *scenario = &check->source.scenario;
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        metric_watch_init(&check->watches[i], &check->queries[i]);
    }
    struct simulation *simulation = NULL;
    struct summary summary;
    const struct simulation_config config = {
        .scenario = scenario,
        .seed = scenario->seed,
        .replication = replication,
        .watches = check->watches,
        .watch_count = scenario->expect_count,
    };
    const enum simulate_result result =
        simulate(&config, progress, check->interrupt, &simulation, &summary, err);
    for (uint32_t i = 0; i < scenario->expect_count && result == SIMULATE_DONE; i++) {
        check->values[(size_t)i * scenario->replications + replication] =
            simulation_watch_value(simulation, i);
    }
    simulation_free(simulation);
    return result;
}

static enum simulate_result run_replications(struct check *check, struct err *err) {
    const struct scenario *scenario = &check->source.scenario;
    struct progress progress;
    progress_begin(&progress, check->word, scenario->replications, false);
    enum simulate_result result = SIMULATE_DONE;
    for (uint32_t i = 0; i < scenario->replications && result == SIMULATE_DONE; i++) {
        result = run_replication(check, i, &progress, err);
        if (result == SIMULATE_DONE && interrupt_pending(check->interrupt)) {
            result = SIMULATE_INTERRUPTED;
        }
    }
    progress_clear(&progress);
    return result;
}

static void judge(struct check *check) {
    const struct scenario *scenario = &check->source.scenario;
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        const double *values = &check->values[(size_t)i * scenario->replications];
        check->held[i] = expectation_judge(&scenario->expects[i], values, scenario->replications,
                                           check->sentences[i], SENTENCE_BYTES);
        check->failed += !check->held[i];
    }
}

static void print_text(const struct check *check) {
    const struct scenario *scenario = &check->source.scenario;
    if (check->options->run) {
        printf("%s: %s, %u of %u expectations hold\n", check->word,
               check->failed == 0 ? "ok" : "FAILED", scenario->expect_count - check->failed,
               scenario->expect_count);
    } else {
        printf("%s: ok\n", check->word);
    }
    for (uint32_t i = 0; i < scenario->note_count; i++) {
        printf("  note: %s\n", scenario->notes[i]);
    }
    for (uint32_t i = 0; i < scenario->expect_count && check->options->run; i++) {
        printf("  %-6s  %s\n", check->held[i] ? "ok" : "FAILED", check->sentences[i]);
    }
}

/* A cell of a Markdown table: what would end it is escaped. */
static void print_cell(const char *text) {
    printf("| ");
    for (; *text != '\0'; text++) {
        printf(*text == '|' ? "\\|" : "%c", *text);
    }
    putchar(' ');
}

static void print_published_row(const struct check *check, uint32_t number) {
    const struct scenario *scenario = &check->source.scenario;
    char scope_text[SENTENCE_BYTES], simulated_text[SENTENCE_BYTES], bounds_text[SENTENCE_BYTES];
    struct phrase scope, simulated, bounds;
    phrase_init(&scope, scope_text, sizeof scope_text);
    phrase_init(&simulated, simulated_text, sizeof simulated_text);
    phrase_init(&bounds, bounds_text, sizeof bounds_text);
    expectation_cells(&scenario->expects[number],
                      &check->values[(size_t)number * scenario->replications],
                      scenario->replications, &scope, &simulated, &bounds);
    print_cell(scenario->name);
    print_cell(scenario->expects[number].published);
    print_cell(scope_text);
    print_cell(simulated_text);
    print_cell(bounds_text);
    printf("| %s |\n", check->held[number] ? "yes" : "**no**");
}

/* What sources have reported, beside what comes out here. */
static void print_published(const struct check *check) {
    const struct scenario *scenario = &check->source.scenario;
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        if (scenario->expects[i].published != NULL) {
            print_published_row(check, i);
        }
    }
}

static void print_expectations(struct json *json, const struct check *check) {
    const struct scenario *scenario = &check->source.scenario;
    json_key(json, "expectations");
    json_begin(json, '[');
    for (uint32_t i = 0; i < scenario->expect_count && check->options->run; i++) {
        json_begin(json, '{');
        json_key(json, "metric");
        json_string(json, scenario->expects[i].metric.text);
        json_key(json, "ok");
        json_bool(json, check->held[i]);
        json_key(json, "text");
        json_string(json, check->sentences[i]);
        json_key(json, "values");
        json_begin(json, '[');
        for (uint32_t k = 0; k < scenario->replications; k++) {
            json_double(json, check->values[(size_t)i * scenario->replications + k]);
        }
        json_end(json, ']');
        json_end(json, '}');
    }
    json_end(json, ']');
}

/* check NULL: the scenario could not be read, for the reason in error. */
static void print_json(const char *word, const struct check *check, const char *error) {
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "scenario");
    json_string(&json, word);
    json_key(&json, "ok");
    json_bool(&json, error == NULL && check->failed == 0);
    json_key(&json, "error");
    json_string(&json, error);
    if (error == NULL) {
        const struct scenario *scenario = &check->source.scenario;
        json_key(&json, "notes");
        json_begin(&json, '[');
        for (uint32_t i = 0; i < scenario->note_count; i++) {
            json_string(&json, scenario->notes[i]);
        }
        json_end(&json, ']');
        print_expectations(&json, check);
    }
    json_end(&json, '}');
    putchar('\n');
}

static enum simulate_result test_scenario(struct check *check, struct err *err) {
    if (!prepare(check, err) || !simulation_check(&check->source.scenario, err)) {
        return SIMULATE_FAILED;
    }
    if (!check->options->run) {
        return SIMULATE_DONE;
    }
    const enum simulate_result result = run_replications(check, err);
    if (result == SIMULATE_DONE) {
        judge(check);
    }
    return result;
}

static int check_scenario(const struct check_options *options, const char *word,
                          struct interrupt *interrupt) {
    struct err err = {ERR_NONE, ""};
    struct check check = {.options = options, .word = word, .interrupt = interrupt};
    int status = EXIT_STATUS_DONE;
    enum simulate_result result = SIMULATE_FAILED;
    if (scenario_source_read(&check.source, word, options->sets.overrides, options->sets.count,
                             &err)) {
        result = test_scenario(&check, &err);
    }
    if (result == SIMULATE_FAILED && options->all && err.kind == ERR_IO) {
        fprintf(stderr, "ddbsim: %s is left out: %s\n", word, err.text);
    } else if (result == SIMULATE_FAILED) {
        if (options->format == FORMAT_JSON) {
            print_json(word, NULL, err.text);
        }
        status = command_fail(&err);
    } else if (result == SIMULATE_INTERRUPTED) {
        fprintf(stderr, "ddbsim: interrupted\n");
        status = EXIT_STATUS_INTERRUPTED;
    } else {
        if (options->published) {
            print_published(&check);
        } else if (options->format == FORMAT_JSON) {
            print_json(word, &check, NULL);
        } else {
            print_text(&check);
        }
        status = check.failed > 0 ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
    }
    free(check.queries);
    free(check.watches);
    free(check.sentences);
    free(check.held);
    free(check.values);
    scenario_source_close(&check.source);
    return status;
}

/* Every scenario is looked at; the status is that of the worst. */
static int check_all(const struct check_options *options) {
    struct interrupt interrupt;
    struct err err = {ERR_NONE, ""};
    int worst = EXIT_STATUS_DONE;
    interrupt_block(&interrupt);
    if (options->published) {
        printf("| scenario | published | metric | simulated | asked | holds |\n"
               "|---|---|---|---|---|---|\n");
    }
    for (size_t i = 0; i < options->word_count && worst != EXIT_STATUS_INTERRUPTED; i++) {
        const int status = check_scenario(options, options->words[i], &interrupt);
        worst = status > worst ? status : worst;
        if (!output_flush(&err)) {
            break; /* command_main says so */
        }
    }
    interrupt_unblock(&interrupt);
    return worst;
}

static bool reports(const struct builtin_file *file) {
    static const char key[] = "published:";
    const size_t bytes = sizeof key - 1;
    char source[8];
    builtin_key(file, "source", source, sizeof source);
    if (!builtin_is_scenario(file) || strncmp(source, "own;", 4) == 0) {
        return false;
    }
    for (size_t at = 0; at + bytes <= file->size; at++) {
        if (memcmp(file->bytes + at, key, bytes) == 0) {
            return true;
        }
    }
    return false;
}

/* The scenarios whose sources report something; names are kept in options->names. */
static bool choose_all(struct check_options *options) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    options->names = allocate(count, sizeof *options->names, options->err);
    free(options->words);
    options->words = allocate(count, sizeof *options->words, options->err);
    if (options->names == NULL || options->words == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (reports(&files[i])) {
            char *name = options->names[options->word_count];
            builtin_name(&files[i], name, sizeof options->names[0]);
            options->words[options->word_count++] = name;
        }
    }
    options->all = true;
    return true;
}

/* What was asked for is read. */
static int check_asked(struct check_options *options) {
    if (options->published && options->format == FORMAT_JSON) {
        err_set(options->err, ERR_INPUT, "--published prints a Markdown table, not JSON");
        return command_fail(options->err);
    }
    if (options->word_count == 0 && !options->published) {
        err_set(options->err, ERR_INPUT, "no scenario given; see 'ddbsim check --help'");
        return command_fail(options->err);
    }
    if (options->word_count == 0 && !choose_all(options)) {
        return command_fail(options->err);
    }
    return check_all(options);
}

static const struct argp_option option_rows[] = {
    {"run", KEY_RUN, NULL, 0, "Simulate as well, and test every row of 'expect:'", 0},
    {"published", KEY_PUBLISHED, NULL, 0,
     "Simulate, and print what the scenarios' sources report beside what comes out, as a Markdown "
     "table; without SCENARIO, of all that are built in",
     0},
    {"set", KEY_SET, "K=V", 0, "Set a parameter of the scenarios, or any path of them", 0},
    {"format", KEY_FORMAT, "text|json", 0, "Text, or one JSON object a line for each scenario", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

int command_check(int argc, char **argv) {
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "SCENARIO…\n--published",
        .doc =
            "Read scenarios (files, or names of built-in ones) and report the first fault of each; "
            "with --run, simulate them and test what they expect.\v"
            "Exit status: 0 all is well, 1 an expectation failed, 2 a scenario has a fault, 3 "
            "input or output error.",
    };
    struct err err = {ERR_NONE, ""};
    struct check_options options = {.err = &err};
    int status = EXIT_STATUS_DONE;
    options.words = allocate((size_t)argc, sizeof *options.words, &err);
    if (options.words == NULL) {
        return command_fail(&err);
    }
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: status = command_fail(&err); break;
    case OPTIONS_HELP_SHOWN: break;
    case OPTIONS_READ: status = check_asked(&options); break;
    }
    options_sets_free(&options.sets);
    free(options.words);
    free(options.names);
    return status;
}
