#include "cli/plot_draw.h"

#include "cli/output.h"
#include "cli/plot_overlay.h"
#include "sim/check.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct plot_kind_row kind_rows[PLOT_KIND_COUNT] = {
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
    [PLOT_COMPARE] = {"compare", "designs compared", plot_compare, true, false, false, true},
};

#define BINS_LONG 480       /* of a run with too many seconds to show each */
#define FINDING_COLUMNS 125 /* of a picture of 1,800 pixels */

const char *plot_extension(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot == NULL || (slash != NULL && dot < slash) ? "" : dot + 1;
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
    const struct plot_kind_row *kind = &kind_rows[picture->options->kind];
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
    if (picture->options->is_kept) {
        snprintf(format, sizeof format, "svg");
    } else if (output != NULL) {
        snprintf(format, sizeof format, "%s", plot_extension(output));
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

/* text: of the picture in the terminal, or as it is kept. */
static enum exit_status draw(struct plot_picture *picture, struct plot_overlay *overlay,
                             char **text, struct err *err) {
    const struct plot_options *options = picture->options;
    const struct plot_kind_row *kind = &kind_rows[options->kind];
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
    enum exit_status status = plot_gnuplot_draw(
        &picture->files, overlay != NULL ? "overlay" : kind->name, options->output, text, err);
    if (*text != NULL && picture->is_terminal) {
        plot_print_heading(picture);
        print_trimmed(*text);
        status = output_flush(err) ? status : EXIT_STATUS_IO;
    }
    return status;
}

static enum exit_status choose_runs_and_draw(struct plot_picture *picture, char **text,
                                             struct err *err) {
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
        status = draw(picture, overlay, text, err);
    }
    plot_overlay_close(overlay);
    return status;
}

/* Of a sweep there is no run to choose, and no time. */
static enum exit_status draw_points(struct plot_picture *picture, char **text, struct err *err) {
    picture->view = (struct store_read_view){.to_s = 1, .bin_s = 1, .end_s = 1};
    return draw(picture, NULL, text, err);
}

const struct plot_kind_row *plot_kind_row(enum plot_kind kind) {
    SIM_CHECK((unsigned)kind < PLOT_KIND_COUNT);
    return &kind_rows[kind];
}

static enum exit_status choose_and_draw(struct plot_picture *picture, char **text,
                                        struct err *err) {
    const struct plot_options *options = picture->options;
    picture->reader = store_read_open(options->database, err);
    if (picture->reader == NULL ||
        !store_read_run(picture->reader, options->has_run ? &options->run_id : NULL, &picture->run,
                        err)) {
        return EXIT_STATUS_IO;
    }
    if (kind_rows[options->kind].of_points) {
        return draw_points(picture, text, err);
    }
    return choose_resource(picture, err) ? choose_runs_and_draw(picture, text, err)
                                         : EXIT_STATUS_IO;
}

enum exit_status plot_draw(const struct plot_options *options, struct plot_drawn *drawn,
                           struct err *err) {
    struct plot_picture picture = {
        .options = options,
        .is_terminal = options->output == NULL && !options->is_kept,
    };
    char *text = NULL;
    SIM_CHECK(options->is_kept == (drawn != NULL));
    measure_terminal(&picture);
    const enum exit_status status = choose_and_draw(&picture, &text, err);
    if (drawn != NULL) {
        *drawn = (struct plot_drawn){.svg = text};
        memcpy(drawn->title, picture.title, sizeof drawn->title);
        memcpy(drawn->finding, picture.finding, sizeof drawn->finding);
        text = NULL;
    }
    free(text);
    plot_files_free(&picture.files);
    store_read_close(picture.reader);
    return status;
}
