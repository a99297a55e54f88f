/* ddbsim plot: one picture of a results database, in a file or in the terminal. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/plot_draw.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <argp.h>
#include <string.h>
#include <strings.h>

enum option_key {
    OPTION_RUN = 256,
    OPTION_OVER,
    OPTION_TABLE,
    OPTION_FROM,
    OPTION_TO,
    OPTION_FORCE,
    OPTION_READS,
    OPTION_WRITES,
    OPTION_METRIC
};

static const struct argp_option option_rows[] = {
    {"output", 'o', "FILE", 0, "Draw to FILE, which ends in .svg, .png or .pdf", 0},
    {"run", OPTION_RUN, "ID", 0,
     "Draw this run (default: the first); repeated: several in one picture, as with --over", 0},
    {"over", OPTION_OVER, "OTHER.db", 0,
     "Draw the first run of OTHER.db over it, throttling and capacity only; may be repeated", 0},
    {"table", OPTION_TABLE, "NAME", 0,
     "Draw this table, or index as TABLE/INDEX (default: the one that throttled most)", 0},
    {"from", OPTION_FROM, "T", 0, "Begin here: 90s, 5m, 1h, or h:mm:ss", 0},
    {"to", OPTION_TO, "T", 0, "End here", 0},
    {"reads", OPTION_READS, NULL, 0, "Only reads", 0},
    {"writes", OPTION_WRITES, NULL, 0, "Only writes", 0},
    {"metric", OPTION_METRIC, "M", 0, "Of a sweep: what to draw (default throttled_share)", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace FILE if it exists", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static bool parse_kind(const char *text, enum plot_kind *kind, struct err *err) {
    const char *names[PLOT_KIND_COUNT];
    for (int i = 0; i < PLOT_KIND_COUNT; i++) {
        names[i] = plot_kind_row((enum plot_kind)i)->name;
        if (strcmp(text, names[i]) == 0) {
            *kind = (enum plot_kind)i;
            return true;
        }
    }
    char name[PLOT_NAME_BYTES];
    plot_clean(text, 40, true, name);
    const char *near = spelling_nearest(text, names, PLOT_KIND_COUNT);
    if (near != NULL) {
        return err_set(err, ERR_INPUT, "'%s' is no kind of picture; did you mean '%s'?", name,
                       near);
    }
    return err_set(err, ERR_INPUT,
                   "'%s' is no kind of picture, expected throttling, capacity, partitions, keys,"
                   " reasons, splits, latency, sweep or compare",
                   name);
}

/* "h:mm:ss" or "mm:ss"; each part after the first below 60. */
static bool parse_clock(const char *text, int64_t *seconds) {
    int64_t total = 0;
    int parts = 0;
    while (parts < 3) {
        size_t digits = strspn(text, "0123456789");
        int64_t value = 0;
        for (size_t i = 0; i < digits && digits <= 6; i++) {
            value = value * 10 + (text[i] - '0');
        }
        if (digits == 0 || digits > 6 || (parts > 0 && value >= 60)) {
            return false;
        }
        total = total * 60 + value;
        parts++;
        text += digits;
        if (*text != ':') {
            break;
        }
        text++;
    }
    *seconds = total;
    return parts > 1 && *text == '\0';
}

/* "90s", "1:30", in whole seconds. */
static bool parse_time(const char *option, const char *text, int64_t *seconds, struct err *err) {
    if (parse_clock(text, seconds)) {
        return true;
    }
    sim_ns duration_ns;
    if (value_duration_ns(text, true, &duration_ns) != VALUE_OK || duration_ns < 0 ||
        duration_ns % SIM_NS_PER_S != 0) {
        return err_set(err, ERR_INPUT,
                       "%s: '%.40s' is no time in whole seconds, expected the like of 90s, 5m or"
                       " 1:30:00",
                       option, text);
    }
    *seconds = duration_ns / SIM_NS_PER_S;
    return true;
}

static bool add_over(struct plot_options *options, const char *database, int64_t run_id,
                     struct err *err) {
    if (options->over_count == PLOT_OVERLAY_MAX - 1) {
        return err_set(err, ERR_INPUT, "too many runs for one picture, expected at most %d",
                       PLOT_OVERLAY_MAX);
    }
    options->overs[options->over_count++] =
        (struct plot_over){.database = database, .run_id = run_id};
    return true;
}

static bool parse_run(const char *text, struct plot_options *options, struct err *err) {
    int64_t run_id;
    if (value_int64(text, &run_id) != VALUE_OK) {
        return err_set(err, ERR_INPUT, "--run: '%.40s' is no number", text);
    }
    if (options->has_run) {
        return add_over(options, NULL, run_id, err);
    }
    options->run_id = run_id;
    options->has_run = true;
    return true;
}

static bool check_output(const char *path, struct err *err) {
    const char *end = plot_extension(path);
    if (strcasecmp(end, "svg") == 0 || strcasecmp(end, "png") == 0 || strcasecmp(end, "pdf") == 0) {
        return true;
    }
    return err_set(err, ERR_INPUT, "'%s' does not end in .svg, .png or .pdf", path);
}

struct parse_state {
    struct plot_options options;
    bool has_kind;
    struct err err;
};

static error_t parse_argument(struct parse_state *to, const char *text) {
    if (to->options.database == NULL) {
        to->options.database = text;
        return 0;
    }
    if (!to->has_kind) {
        to->has_kind = true;
        return parse_kind(text, &to->options.kind, &to->err) ? 0 : EINVAL;
    }
    err_set(&to->err, ERR_INPUT, "'%s' is one argument too many; see 'ddbsim plot --help'", text);
    return EINVAL;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct parse_state *to = state->input;
    struct plot_options *options = &to->options;
    switch (key) {
    case 'o': options->output = text; return check_output(text, &to->err) ? 0 : EINVAL;
    case OPTION_RUN: return parse_run(text, options, &to->err) ? 0 : EINVAL;
    case OPTION_OVER: return add_over(options, text, 0, &to->err) ? 0 : EINVAL;
    case OPTION_TABLE: options->table = text; return 0;
    case OPTION_FROM: return parse_time("--from", text, &options->from_s, &to->err) ? 0 : EINVAL;
    case OPTION_TO: return parse_time("--to", text, &options->to_s, &to->err) ? 0 : EINVAL;
    case OPTION_READS: options->side = STORE_READ_READS; return 0;
    case OPTION_WRITES: options->side = STORE_READ_WRITES; return 0;
    case OPTION_FORCE: options->force = true; return 0;
    case OPTION_METRIC:
        options->has_metric = true;
        return options_metric("--metric", text, &options->metric, &to->err) ? 0 : EINVAL;
    case ARGP_KEY_ARG: return parse_argument(to, text);
    case ARGP_KEY_END:
        if (!to->has_kind) {
            err_set(&to->err, ERR_INPUT, "expected %s; see 'ddbsim plot --help'",
                    to->options.database == NULL ? "a database and a kind of picture"
                                                 : "a kind of picture");
            return EINVAL;
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What was asked for, and does not apply to this kind of picture. */
static bool check_applies(const struct plot_options *options, struct err *err) {
    const struct plot_kind_row *kind = plot_kind_row(options->kind);
    if ((options->from_s >= 0 || options->to_s >= 0) && !kind->has_times) {
        return err_set(err, ERR_INPUT,
                       "%s are counted over the whole run: --from and --to do not apply",
                       options->kind == PLOT_KEYS      ? "keys"
                       : options->kind == PLOT_LATENCY ? "latencies"
                                                       : "metrics of a sweep");
    }
    if (options->table != NULL && !kind->has_table) {
        return err_set(err, ERR_INPUT, "%s are counted over all tables: --table does not apply",
                       kind->of_points ? "metrics of a sweep" : "latencies");
    }
    if (options->over_count > 0 && options->kind != PLOT_THROTTLING &&
        options->kind != PLOT_CAPACITY) {
        return err_set(err, ERR_INPUT,
                       "several runs in one picture are drawn as throttling or capacity, not as %s",
                       kind->name);
    }
    if (options->has_run && kind->of_points) {
        return err_set(err, ERR_INPUT,
                       "a sweep is drawn with all of its runs: --run does not "
                       "apply");
    }
    if (options->has_metric && !kind->of_points) {
        return err_set(err, ERR_INPUT,
                       "--metric is for sweeps: 'ddbsim plot OUT.db sweep' or 'compare'");
    }
    return true;
}

static enum exit_status plot(const struct plot_options *options, struct err *err) {
    if (!check_applies(options, err) ||
        (options->output != NULL &&
         !plot_gnuplot_may_write(options->output, options->force, err))) {
        return EXIT_STATUS_INPUT;
    }
    return plot_draw(options, NULL, err);
}

int command_plot(int argc, char **argv) {
    static const char about[] =
        "Draws one picture of a results database, in FILE or in the terminal.\v"
        "KIND is one of:\n"
        "  throttling   consumed, provisioned and throttled, with the one-minute mean\n"
        "  capacity     consumed and provisioned capacity, and the burst that is left\n"
        "  partitions   heat map of the key space over time, throttling marked\n"
        "  keys         the keys that consumed most and were throttled most\n"
        "  reasons      throttle events by AWS's reason\n"
        "  splits       when partitions were split, and how full each one was\n"
        "  latency      how long operations took, up to the slowest\n"
        "  sweep        a metric over one or two parameters of a sweep, with intervals\n"
        "  compare      designs in the order of a metric, each beside the first one\n\n"
        "Several runs of the same traffic in one picture: 'ddbsim plot A.db throttling --over "
        "B.db'.\n";
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "OUT.db KIND",
        .doc = about,
    };
    struct parse_state state = {
        .options = {.from_s = -1, .to_s = -1, .side = -1, .metric = METRIC_THROTTLED_SHARE}};
    switch (options_parse(&argp, argc, argv, &state, &state.err)) {
    case OPTIONS_FAULT: return command_fail(&state.err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    enum exit_status status = plot(&state.options, &state.err);
    if (state.err.kind != ERR_NONE) {
        return command_fail(&state.err);
    }
    return (int)status;
}
