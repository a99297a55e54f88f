/* ddbsim plot: one picture of a results database, in a file or in the terminal. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/plot_overlay.h"
#include "cli/plot_picture.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct kind_row {
    const char *name, *title;
    bool (*draw)(struct plot_picture *picture, struct err *err);
    bool draws_text; /* in the terminal it prints characters itself, without gnuplot */
    bool has_times;  /* --from and --to apply */
    bool has_table;  /* it is of one table or index */
    bool of_points;  /* it is of all runs, those of a sweep */
};

static const struct kind_row kind_rows[PLOT_KIND_COUNT] = {
    [PLOT_THROTTLING] = {"throttling", "consumed, provisioned and throttled", plot_throttling,
                         false, true, true, false},
    [PLOT_CAPACITY] = {"capacity", "capacity and the burst that is left", plot_capacity, false,
                       true, true, false},
    [PLOT_PARTITIONS] = {"partitions", "heat of the key space", plot_partitions, true, true, true,
                         false},
    [PLOT_KEYS] = {"keys", "the hottest keys", plot_keys, true, false, true, false},
    [PLOT_REASONS] = {"reasons", "throttle events by reason", plot_reasons, false, true, true,
                      false},
    [PLOT_SPLITS] = {"splits", "history of the partitions", plot_splits, true, true, true, false},
    [PLOT_LATENCY] = {"latency", "latency of operations that succeeded", plot_latency, false, false,
                      false, false},
    [PLOT_SWEEP] = {"sweep", "points of a sweep", plot_sweep, false, false, false, true},
};

#define BINS_LONG 480       /* of a run with too many seconds to show each */
#define FINDING_COLUMNS 125 /* of a picture of 1,800 pixels */

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
        names[i] = kind_rows[i].name;
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
                   " reasons, splits, latency or sweep",
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

static const char *extension(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot == NULL || (slash != NULL && dot < slash) ? "" : dot + 1;
}

static bool check_output(const char *path, struct err *err) {
    const char *end = extension(path);
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

/* NAME or TABLE/INDEX. */
static bool is_named(const struct store_read_resource *row, const char *name) {
    size_t length = strlen(row->table_name);
    if (row->index_name == NULL) {
        return strcmp(row->table_name, name) == 0;
    }
    return strncmp(row->table_name, name, length) == 0 && name[length] == '/' &&
           strcmp(row->index_name, name + length + 1) == 0;
}

static bool no_such_table(const struct plot_picture *picture,
                          const struct store_read_resource *rows, size_t count, struct err *err) {
    const char *name = picture->options->table;
    char wanted[PLOT_NAME_BYTES], other[PLOT_NAME_BYTES];
    const char **names = calloc(count, sizeof *names);
    if (names == NULL) {
        return err_no_memory(err, "tables");
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = rows[i].table_name;
    }
    const char *near = spelling_nearest(name, names, count);
    plot_clean(near != NULL ? near : rows[0].table_name, 80, true, other);
    plot_clean(name, 80, true, wanted);
    free(names);
    return err_set(err, ERR_INPUT,
                   near != NULL ? "run %lld has no table '%s'; did you mean '%s'?"
                                : "run %lld has no table '%s'; it has '%s'%s",
                   (long long)picture->run.run_id, wanted, other, count > 1 ? " and others" : "");
}

static bool choose_resource(struct plot_picture *picture, struct err *err) {
    struct store_read_resource *rows;
    size_t count;
    if (!store_read_resources(picture->reader, &picture->run, &rows, &count, err)) {
        return false;
    }
    if (count == 0) {
        return err_set(err, ERR_INPUT,
                       "'%s': run %lld keeps no tables, as those of a sweep; expected the kind "
                       "'sweep', or the database of 'ddbsim run'",
                       picture->options->database, (long long)picture->run.run_id);
    }
    const struct store_read_resource *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct store_read_resource *row = &rows[i];
        if (picture->options->table != NULL) {
            best = best == NULL && is_named(row, picture->options->table) ? row : best;
            continue;
        }
        double units = row->consumed[0] + row->consumed[1];
        double best_units = best == NULL ? -1 : best->consumed[0] + best->consumed[1];
        if (best == NULL || row->throttle_events > best->throttle_events ||
            (row->throttle_events >= best->throttle_events && units > best_units)) {
            best = row;
        }
    }
    if (best == NULL) {
        return no_such_table(picture, rows, count, err);
    }
    picture->resource = *best;
    return true;
}

static bool choose_times(struct plot_picture *picture, struct err *err) {
    const struct plot_options *options = picture->options;
    int64_t end_s = picture->resource.end_s;
    if (options->from_s >= end_s) {
        return err_set(err, ERR_INPUT, "--from is not before the end of the run, %s",
                       words_clock(end_s).text);
    }
    int64_t from_s = options->from_s >= 0 ? options->from_s : 0;
    int64_t to_s = options->to_s >= 0 && options->to_s < end_s ? options->to_s : end_s;
    if (to_s <= from_s) {
        return err_set(err, ERR_INPUT, "--to is not after --from");
    }
    bool is_long = to_s - from_s > PLOT_BINS_MAX;
    int64_t bin_s = is_long ? plot_time_step(to_s - from_s, BINS_LONG) : 1;
    picture->view = (struct store_read_view){
        .run_id = picture->run.run_id,
        .resource_id = picture->resource.resource_id,
        .from_s = from_s,
        .to_s = to_s,
        .bin_s = bin_s,
        .end_s = end_s,
    };
    return true;
}

static int environment_number(const char *name, int fallback) {
    int64_t value;
    const char *text = getenv(name);
    bool is_number = text != NULL && value_int64(text, &value) == VALUE_OK;
    return is_number && value > 0 && value < 10000 ? (int)value : fallback;
}

static void measure_terminal(struct plot_picture *picture) {
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    int columns = known ? size.ws_col : environment_number("COLUMNS", 80);
    int lines = known ? size.ws_row : environment_number("LINES", 30);
    picture->columns = columns < 60 ? 60 : columns > 240 ? 240 : columns;
    picture->lines = lines < 20 ? 20 : lines > 80 ? 80 : lines;
}

static void write_title(struct plot_picture *picture) {
    char scenario[PLOT_NAME_BYTES], table[PLOT_NAME_BYTES] = "", index[PLOT_NAME_BYTES] = "";
    plot_clean(picture->run.scenario, 28, picture->is_terminal, scenario);
    if (picture->resource.table_name != NULL) {
        plot_clean(picture->resource.table_name, 20, picture->is_terminal, table);
    }
    if (picture->resource.index_name != NULL) {
        plot_clean(picture->resource.index_name, 16, picture->is_terminal, index);
    }
    const struct kind_row *kind = &kind_rows[picture->options->kind];
    if (kind->of_points) {
        (void)snprintf(picture->title, sizeof picture->title,
                       "%.180s: %s over the points of a sweep", scenario,
                       metric_rows()[picture->options->metric].name);
        return;
    }
    int used = snprintf(
        picture->title, sizeof picture->title, "%.180s: %s%s%.160s%s%.96s", scenario, kind->title,
        kind->has_table ? ", table " : "", kind->has_table ? table : "",
        kind->has_table && index[0] != '\0' ? ", index " : "", kind->has_table ? index : "");
    if (picture->options->over_count > 0 && used > 0 && (size_t)used < sizeof picture->title) {
        snprintf(picture->title + used, sizeof picture->title - (size_t)used, ", %zu runs",
                 picture->options->over_count + 1);
    } else if (picture->run.run_count > 1 && used > 0 && (size_t)used < sizeof picture->title) {
        snprintf(picture->title + used, sizeof picture->title - (size_t)used, ", run %lld",
                 (long long)picture->run.run_id);
    }
}

/* Bytes of the first line of text: at most columns wide, broken at a blank where there is one. */
static size_t line_end(const char *text, size_t columns) {
    size_t length = strlen(text), end = 0, at = 0;
    char word[PLOT_FINDING_BYTES];
    while (at < length) {
        size_t next = at + strspn(text + at, " ");
        next += strcspn(text + next, " ");
        snprintf(word, sizeof word, "%.*s", (int)next, text);
        if (plot_columns(word) > columns && end > 0) {
            return end;
        }
        at = end = next;
    }
    return length;
}

static void print_wrapped(const char *text, size_t columns) {
    while (*text != '\0') {
        size_t end = line_end(text, columns);
        printf("%.*s\n", (int)end, text);
        text += end;
        text += strspn(text, " ");
    }
}

void plot_print_heading(const struct plot_picture *picture) {
    print_wrapped(picture->title, (size_t)picture->columns);
    print_wrapped(picture->finding, (size_t)picture->columns);
}

static void write_theme(struct plot_picture *picture) {
    FILE *values = picture->values;
    const struct store_read_view *view = &picture->view;
    int64_t span_s = view->to_s - view->from_s;
    const char *output = picture->options->output;
    char format[8] = "dumb", bin[PLOT_NUMBER_BYTES];
    if (output != NULL) {
        snprintf(format, sizeof format, "%s", extension(output));
        for (char *at = format; *at != '\0'; at++) {
            *at = (char)(*at | 0x20);
        }
    }
    int64_t step_s = plot_time_step(span_s, picture->is_terminal ? picture->columns / 14 : 8);
    bool has_hours = view->to_s >= 3600, has_seconds = step_s % 60 != 0 || !has_hours;
    plot_quote(values, "FORMAT", format);
    plot_quote(values, "TITLE", picture->title);
    size_t first = line_end(picture->finding, FINDING_COLUMNS);
    char line[PLOT_FINDING_BYTES];
    snprintf(line, sizeof line, "%.*s", (int)first, picture->finding);
    plot_quote(values, "FINDING1", line);
    plot_quote(values, "FINDING2", picture->finding + first + (picture->finding[first] == ' '));
    fprintf(values, "COLUMNS = %d\nLINES = %d\n", picture->columns,
            picture->lines - 2 - (int)(strlen(picture->finding) / (size_t)picture->columns));
    fprintf(values, "X_FROM = %lld\nX_TO = %lld\nX_STEP = %lld\n", (long long)view->from_s,
            (long long)view->to_s, (long long)step_s);
    fprintf(values, "X_FORMAT = '%s'\n",
            has_hours ? (has_seconds ? "%tH:%tM:%tS" : "%tH:%tM") : "%tM:%tS");
    fprintf(values, "X_LABEL = 'time since the start (%s)'\n",
            has_hours ? (has_seconds ? "h:mm:ss" : "h:mm") : "mm:ss");
    if (view->bin_s % 60 == 0) {
        snprintf(bin, sizeof bin, "%lld min", (long long)(view->bin_s / 60));
    } else {
        snprintf(bin, sizeof bin, "%lld s", (long long)view->bin_s);
    }
    fprintf(values, "IS_DENSE = %d\n", (span_s / view->bin_s) > picture->columns);
    fprintf(values, "BIN_S = %lld\nPER_BIN = '%s'\n", (long long)view->bin_s, bin);
}

/* Without the blanks at the ends of lines and of the text. */
static void print_trimmed(char *text) {
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        size_t length = strcspn(line, "\f");
        while (length > 0 && line[length - 1] == ' ') {
            length--;
        }
        if (rest != NULL || length > 0) {
            printf("%.*s\n", (int)length, line);
        }
    }
}

static enum exit_status draw(struct plot_picture *picture, struct plot_overlay *overlay,
                             struct err *err) {
    const struct plot_options *options = picture->options;
    const struct kind_row *kind = &kind_rows[options->kind];
    picture->values = plot_files_add(&picture->files, "values.gp", err);
    if (picture->values == NULL) {
        return EXIT_STATUS_IO;
    }
    write_title(picture);
    if (overlay != NULL ? !plot_overlay_draw(picture, overlay, err) : !kind->draw(picture, err)) {
        return EXIT_STATUS_IO;
    }
    if (picture->is_terminal && kind->draws_text) {
        return output_flush(err) ? EXIT_STATUS_DONE : EXIT_STATUS_IO;
    }
    write_theme(picture);
    if (!plot_files_close(&picture->files, err)) {
        return EXIT_STATUS_IO;
    }
    char *text = NULL;
    enum exit_status status = plot_gnuplot_draw(
        &picture->files, overlay != NULL ? "overlay" : kind->name, options->output, &text, err);
    if (text != NULL) {
        plot_print_heading(picture);
        print_trimmed(text);
        status = output_flush(err) ? status : EXIT_STATUS_IO;
    }
    free(text);
    return status;
}

static enum exit_status choose_runs_and_draw(struct plot_picture *picture, struct err *err) {
    struct plot_overlay *overlay = NULL;
    if (picture->options->over_count > 0) {
        overlay = plot_overlay_open(picture, err);
        if (overlay == NULL) {
            return EXIT_STATUS_IO;
        }
        picture->resource.end_s = plot_overlay_end_s(overlay);
    }
    enum exit_status status = EXIT_STATUS_IO;
    if (choose_times(picture, err)) {
        status = draw(picture, overlay, err);
    }
    plot_overlay_close(overlay);
    return status;
}

/* What was asked for, and does not apply to this kind of picture. */
static bool check_applies(const struct plot_options *options, struct err *err) {
    const struct kind_row *kind = &kind_rows[options->kind];
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
        return err_set(err, ERR_INPUT, "--metric is for sweeps: 'ddbsim plot OUT.db sweep'");
    }
    return true;
}

/* Of a sweep there is no run to choose, and no time. */
static enum exit_status draw_points(struct plot_picture *picture, struct err *err) {
    picture->view = (struct store_read_view){.to_s = 1, .bin_s = 1, .end_s = 1};
    return draw(picture, NULL, err);
}

static enum exit_status plot(const struct plot_options *options, struct err *err) {
    struct plot_picture picture = {
        .options = options,
        .is_terminal = options->output == NULL,
    };
    if (!check_applies(options, err) ||
        (options->output != NULL &&
         !plot_gnuplot_may_write(options->output, options->force, err))) {
        return EXIT_STATUS_INPUT;
    }
    measure_terminal(&picture);
    enum exit_status status = EXIT_STATUS_IO;
    picture.reader = store_read_open(options->database, err);
    if (picture.reader != NULL &&
        store_read_run(picture.reader, options->has_run ? &options->run_id : NULL, &picture.run,
                       err)) {
        if (kind_rows[options->kind].of_points) {
            status = draw_points(&picture, err);
        } else if (choose_resource(&picture, err)) {
            status = choose_runs_and_draw(&picture, err);
        }
    }
    plot_files_free(&picture.files);
    store_read_close(picture.reader);
    return status;
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
        "  sweep        a metric over one or two parameters of a sweep, with intervals\n\n"
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
