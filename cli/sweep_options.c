#include "cli/sweep_options.h"

#include "cli/builtin.h"
#include "cli/drive.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILTIN_NAME_BYTES 64
#define DEFAULT_REPLICATIONS 20
#define PRECISE_REPLICATIONS 1000 /* at most, when none are given with --precision */

static bool add_scenario(struct sweep_options *options, const char *word) {
    if (options->scenario_count == options->scenario_max) {
        return options->scenario_max == 1
                   ? err_set(options->err, ERR_INPUT, "one scenario is taken, '%s' is too many",
                             word)
                   : err_set(options->err, ERR_INPUT, "at most %u scenarios are compared",
                             options->scenario_max);
    }
    options->scenarios[options->scenario_count++] = word;
    return true;
}

static bool is_named(const struct sweep_options *options, const char *word) {
    for (uint32_t i = 0; i < options->scenario_count; i++) {
        if (strcmp(options->scenarios[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* A word with a star, such as 'strategy-*': the built-in scenarios that it matches, but for those
 * that stand before it. */
static bool add_scenarios(struct sweep_options *options, const char *word) {
    if (options->scenario_max == 1 || strchr(word, '*') == NULL) {
        return add_scenario(options, word);
    }
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        char name[BUILTIN_NAME_BYTES];
        builtin_name(&files[i], name, sizeof name);
        if (!builtin_is_scenario(&files[i]) || fnmatch(word, name, 0) != 0) {
            continue;
        }
        any = true;
        const char *kept = arena_strdup(&options->arena, name, options->err);
        if (kept == NULL || (!is_named(options, kept) && !add_scenario(options, kept))) {
            return false;
        }
    }
    return any || err_set(options->err, ERR_INPUT, "no built-in scenario matches '%s'", word);
}

static bool add_vary(struct sweep_options *options, const char *text) {
    if (options->vary_count == DESIGN_VARIES_MAX) {
        return err_set(options->err, ERR_INPUT, "at most %d --vary are taken", DESIGN_VARIES_MAX);
    }
    return vary_read(&options->varies[options->vary_count++], text, &options->arena, options->err);
}

static bool add_metric(struct sweep_options *options, const char *name) {
    enum metric metric;
    if (!options_metric("--metric", name, &metric, options->err)) {
        return false;
    }
    for (uint32_t i = 0; i < options->metric_count; i++) {
        if (options->metrics[i] == metric) {
            return err_set(options->err, ERR_INPUT, "--metric '%s' is given twice", name);
        }
    }
    if (options->metric_count == SWEEP_METRICS_MAX) {
        return err_set(options->err, ERR_INPUT, "at most %d --metric are taken", SWEEP_METRICS_MAX);
    }
    options->metrics[options->metric_count++] = metric;
    return true;
}

/* "1%" or "0.01". */
static bool read_precision(struct sweep_options *options, const char *text) {
    char *end;
    errno = 0;
    const double number = strtod(text, &end);
    const bool is_percent = strcmp(end, "%") == 0;
    options->precision = is_percent ? number / 100 : number;
    return (end != text && errno == 0 && (*end == '\0' || is_percent) && options->precision > 0 &&
            options->precision < 1) ||
           err_set(options->err, ERR_INPUT,
                   "--precision: expected a share such as 1%% or 0.01, "
                   "got '%s'",
                   text);
}

static bool read_part(struct sweep_options *options, const char *text) {
    const char *slash = strchr(text, '/');
    char part[32];
    if (slash == NULL || (size_t)(slash - text) >= sizeof part) {
        return err_set(options->err, ERR_INPUT, "--part: expected I/N such as 1/4, got '%s'", text);
    }
    memcpy(part, text, (size_t)(slash - text));
    part[slash - text] = '\0';
    if (!options_uint64("--part", slash + 1, 1, UINT32_MAX, &options->parts, options->err) ||
        !options_uint64("--part", part, 1, options->parts, &options->part, options->err)) {
        return false;
    }
    options->part--;
    return true;
}

static bool read_design(struct sweep_options *options, const char *text) {
    if (strcmp(text, "cross") == 0) {
        return true;
    }
    if (strncmp(text, "sobol:", 6) != 0) {
        return err_set(options->err, ERR_INPUT, "--design: expected cross or sobol:N, got '%s'",
                       text);
    }
    return options_uint64("--design sobol", text + 6, 1, DESIGN_POINTS_MAX, &options->sobol_count,
                          options->err);
}

static bool read_engine(struct sweep_options *options, const char *text) {
    static const char *const names[] = {"local", "slurm", "parallel"};
    size_t which;
    if (!options_word("--engine", text, names, sizeof names / sizeof *names,
                      "local, slurm or parallel", &which, options->err)) {
        return false;
    }
    options->engine = (enum sweep_engine)which;
    return true;
}

/* A word that goes into a script as it is. */
static bool keep_line(struct sweep_options *options, const char *option, const char *text,
                      const char **words, uint32_t *count, uint32_t most) {
    if (*text == '\0' || strpbrk(text, "\n\r") != NULL) {
        return err_set(options->err, ERR_INPUT, "%s: expected one line that is not empty", option);
    }
    if (*count == most) {
        return err_set(options->err, ERR_INPUT, "at most %u %s are taken", most, option);
    }
    words[(*count)++] = text;
    return true;
}

/* A value of an #SBATCH line: one word. */
static bool keep_word(struct sweep_options *options, const char *option, const char *text,
                      const char **word) {
    *word = text;
    return (*text != '\0' && strpbrk(text, " \t\n\r\"'\\#") == NULL) ||
           err_set(options->err, ERR_INPUT, "%s: expected a word without blanks, got '%s'", option,
                   text);
}

static bool engine_option(struct sweep_options *options, int key, const char *argument) {
    switch (key) {
    case SWEEP_KEY_ENGINE: return read_engine(options, argument);
    case SWEEP_KEY_TASKS:
        return options_uint64("--tasks", argument, 1, SWEEP_TASKS_MAX, &options->tasks,
                              options->err);
    case SWEEP_KEY_PARTITION:
        return keep_word(options, "--partition", argument, &options->partition);
    case SWEEP_KEY_TIME: return keep_word(options, "--time", argument, &options->time_limit);
    case SWEEP_KEY_HOST:
        return keep_line(options, "--host", argument, options->hosts, &options->host_count,
                         SWEEP_HOSTS_MAX);
    default:
        return keep_line(options, "--engine-option", argument, options->engine_options,
                         &options->engine_option_count, SWEEP_ENGINE_OPTIONS_MAX);
    }
}

error_t sweep_options_parser(int key, char *argument, struct argp_state *state) {
    struct sweep_options *options = state->input;
    bool ok = true;
    switch (key) {
    case 'o': options->output = argument; break;
    case 'q': options->quiet = true; break;
    case SWEEP_KEY_FORCE: options->force = true; break;
    case SWEEP_KEY_RESUME: options->resume = true; break;
    case SWEEP_KEY_VARY: ok = add_vary(options, argument); break;
    case SWEEP_KEY_METRIC: ok = add_metric(options, argument); break;
    case SWEEP_KEY_PRECISION: ok = read_precision(options, argument); break;
    case SWEEP_KEY_PART: ok = read_part(options, argument); break;
    case SWEEP_KEY_DESIGN: ok = read_design(options, argument); break;
    case SWEEP_KEY_SET: ok = options_set(&options->sets, argument, options->err); break;
    case SWEEP_KEY_FORMAT: ok = options_format(argument, &options->format, options->err); break;
    case SWEEP_KEY_SEED:
        options->has_seed = true;
        ok = options_uint64("--seed", argument, 0, UINT64_MAX, &options->seed, options->err);
        break;
    case SWEEP_KEY_REPLICATIONS:
        options->has_replications = true;
        ok = options_uint64("--replications", argument, 1, SWEEP_REPLICATIONS_MAX,
                            &options->replications, options->err);
        break;
    case SWEEP_KEY_DRY_RUN: options->dry_run = true; break;
    case SWEEP_KEY_ENGINE:
    case SWEEP_KEY_TASKS:
    case SWEEP_KEY_PARTITION:
    case SWEEP_KEY_TIME:
    case SWEEP_KEY_HOST:
    case SWEEP_KEY_ENGINE_OPTION: ok = engine_option(options, key, argument); break;
    case SWEEP_KEY_JOBS:
        options->has_jobs = true;
        ok = options_uint64("--jobs", argument, 1, EXPERIMENT_JOBS_MAX, &options->jobs,
                            options->err);
        break;
    case SWEEP_KEY_SHARDING: options->sharding = true; break;
    case ARGP_KEY_ARG: ok = add_scenarios(options, argument); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static void fill_defaults(struct sweep_options *options) {
    static const enum metric usual[] = {METRIC_THROTTLED_SHARE, METRIC_FAILED_SHARE,
                                        METRIC_LATENCY_MS_P99};
    static const enum metric sharding[] = {METRIC_WRITE_THROTTLED_SHARE, METRIC_REQUESTS_PER_READ,
                                           METRIC_READ_LATENCY_MS_P99,   METRIC_RCU_PER_READ,
                                           METRIC_WCU_PER_WRITE,         METRIC_COST_USD_PER_MONTH};
    if (options->metric_count == 0 && options->sharding) {
        memcpy(options->metrics, sharding, sizeof sharding);
        options->metric_count = sizeof sharding / sizeof *sharding;
    } else if (options->metric_count == 0) {
        memcpy(options->metrics, usual, sizeof usual);
        options->metric_count = sizeof usual / sizeof *usual;
    }
    if (!options->has_replications) {
        options->replications =
            options->precision > 0 ? PRECISE_REPLICATIONS : DEFAULT_REPLICATIONS;
    }
    if (options->jobs == 0) {
        options->jobs = drive_processors();
    }
}

static bool check_engine(const struct sweep_options *options) {
    struct err *err = options->err;
    const bool is_slurm = options->engine == SWEEP_ENGINE_SLURM;
    if (options->engine == SWEEP_ENGINE_LOCAL) {
        return (options->tasks == 0 && options->engine_option_count == 0 && !options->dry_run &&
                options->partition == NULL && options->time_limit == NULL &&
                options->host_count == 0) ||
               err_set(
                   err, ERR_INPUT,
                   "--tasks, --partition, --time, --host, --engine-option and --dry-run are for "
                   "--engine slurm or parallel");
    }
    if (options->output == NULL) {
        return err_set(err, ERR_INPUT, "--engine needs -o OUT.db: what the parts are joined to");
    }
    if (options->parts > 1 || options->format == FORMAT_JSON) {
        return err_set(err, ERR_INPUT, "--engine contradicts %s",
                       options->parts > 1 ? "--part: it makes the parts" : "--format json");
    }
    if (!is_slurm && (options->partition != NULL || options->time_limit != NULL)) {
        return err_set(err, ERR_INPUT, "--partition and --time are for --engine slurm");
    }
    return !is_slurm || options->host_count == 0 ||
           err_set(err, ERR_INPUT, "--host is for --engine parallel");
}

static bool check_together(struct sweep_options *options, const char *command) {
    if (options->scenario_count == 0) {
        return err_set(options->err, ERR_INPUT, "no scenario given; see '%s --help'", command);
    }
    if (options->quiet && options->format == FORMAT_JSON) {
        return err_set(options->err, ERR_INPUT, "--quiet and --format json contradict each other");
    }
    if (options->force && options->resume) {
        return err_set(options->err, ERR_INPUT, "--force and --resume contradict each other");
    }
    if (options->resume && options->output == NULL) {
        return err_set(options->err, ERR_INPUT, "--resume needs -o OUT.db: what it goes on with");
    }
    return check_engine(options);
}

enum options_result sweep_options_parse(struct sweep_options *options, const struct argp *argp,
                                        int argc, char **argv, uint32_t scenario_max,
                                        struct err *err) {
    *options = (struct sweep_options){.scenario_max = scenario_max, .parts = 1, .err = err};
    arena_init(&options->arena);
    const enum options_result result = options_parse(argp, argc, argv, options, err);
    if (result != OPTIONS_READ) {
        return result;
    }
    if (!check_together(options, argv[0])) {
        return OPTIONS_FAULT;
    }
    fill_defaults(options);
    return OPTIONS_READ;
}

void sweep_options_free(struct sweep_options *options) {
    options_sets_free(&options->sets);
    arena_fini(&options->arena);
}
