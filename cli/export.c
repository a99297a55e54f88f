/* ddbsim export: a table of a results database as CSV or JSON. */
#include "cli/command.h"
#include "cli/export_rows.h"
#include "cli/options.h"
#include "cli/output_stream.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <stdlib.h>
#include <string.h>

enum export_format { EXPORT_CSV, EXPORT_JSON, EXPORT_FORMAT_COUNT };

enum option_key { KEY_RUN = 256, KEY_FORMAT, KEY_FORCE };

struct export_options {
    const char *database, *table, *output; /* output NULL: standard output */
    enum export_format format;
    bool has_run, force;
    int64_t run_id;
    struct err *err;
};

static const struct argp_option option_rows[] = {
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0},
    {"run", KEY_RUN, "ID", 0, "Only rows of this run (default: all runs)", 0},
    {"format", KEY_FORMAT, "csv|json", 0,
     "CSV with a line of names (the default), or one JSON object a line", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace FILE if it exists", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

/* "x', expected scenarios, parameters, …" is too long for a message: the help has the list. */
static bool parse_table(struct export_options *options, const char *text) {
    size_t count;
    const char *const *names = store_read_table_names(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) {
            options->table = text;
            return true;
        }
    }
    char suggestion[64];
    if (spelling_nearest(text, names, count) == NULL) {
        snprintf(suggestion, sizeof suggestion, "; 'ddbsim export --help' lists them");
    } else {
        options_suggestion(text, names, count, suggestion, sizeof suggestion);
    }
    return err_set(options->err, ERR_INPUT, "a results database has no table '%.60s'%s", text,
                   suggestion);
}

static bool parse_argument(struct export_options *options, const char *text) {
    if (options->database == NULL) {
        options->database = text;
        return true;
    }
    if (options->table == NULL) {
        return parse_table(options, text);
    }
    return err_set(options->err, ERR_INPUT,
                   "'%s' is one argument too many; see 'ddbsim export --help'", text);
}

static bool parse_format(struct export_options *options, const char *text) {
    static const char *const names[EXPORT_FORMAT_COUNT] = {"csv", "json"};
    size_t which;
    if (!options_word("--format", text, names, EXPORT_FORMAT_COUNT, "csv or json", &which,
                      options->err)) {
        return false;
    }
    options->format = (enum export_format)which;
    return true;
}

static bool parse_run(struct export_options *options, const char *text) {
    if (value_int64(text, &options->run_id) != VALUE_OK) {
        return err_set(options->err, ERR_INPUT, "--run: '%.40s' is no number", text);
    }
    options->has_run = true;
    return true;
}

static bool parse_end(const struct export_options *options) {
    if (options->table != NULL) {
        return true;
    }
    return err_set(options->err, ERR_INPUT, "expected %s; see 'ddbsim export --help'",
                   options->database == NULL ? "a database and a table" : "a table");
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct export_options *options = state->input;
    bool ok = true;
    switch (key) {
    case 'o': options->output = text; break;
    case KEY_RUN: ok = parse_run(options, text); break;
    case KEY_FORMAT: ok = parse_format(options, text); break;
    case KEY_FORCE: options->force = true; break;
    case ARGP_KEY_ARG: ok = parse_argument(options, text); break;
    case ARGP_KEY_END: ok = parse_end(options); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static int is_interrupted(void *context) {
    return output_stream_interrupted(context);
}

/* False when the database fails; whether the rows arrived is the stream's to tell. */
static bool write_rows(struct store_read_table *table, enum export_format format,
                       struct output_stream *stream, struct err *err) {
    if (format == EXPORT_CSV) {
        export_csv_header(stream->out, table);
    }
    while (!ferror(stream->out)) {
        switch (store_read_table_next(table, err)) {
        case STORE_READ_TABLE_DONE: return true;
        case STORE_READ_TABLE_FAILED: return false;
        case STORE_READ_TABLE_ROW: break;
        }
        if (format == EXPORT_CSV) {
            export_csv_row(stream->out, table);
        } else {
            export_json_row(stream->out, table);
        }
    }
    return true;
}

static int export_to(const struct export_options *options, struct store_read *reader,
                     struct store_read_table *table, struct output_stream *stream,
                     struct err *err) {
    if (!output_stream_open(stream, options->output, options->force, err)) {
        return command_fail(err);
    }
    store_read_on_progress(reader, &(struct store_read_progress){is_interrupted, stream});
    const bool done =
        write_rows(table, options->format, stream, err) && output_stream_commit(stream, err);
    store_read_on_progress(reader, NULL);
    int status = EXIT_STATUS_DONE;
    if (!done && stream->interrupted) {
        fprintf(stderr, "ddbsim: interrupted%s\n",
                options->output == NULL ? "" : ", no file was written");
        status = EXIT_STATUS_INTERRUPTED;
    } else if (!done) {
        status = command_fail(err);
    }
    output_stream_close(stream);
    return status;
}

static int export_table(const struct export_options *options, struct err *err) {
    struct output_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        err_no_memory(err, "output");
        return command_fail(err);
    }
    struct store_read *reader = NULL;
    struct store_read_table *table = NULL;
    if (output_stream_spares(options->output, options->database, err)) {
        reader = store_read_open(options->database, err);
    }
    if (reader != NULL) {
        table = store_read_table_open(reader, options->table,
                                      options->has_run ? &options->run_id : NULL, err);
    }
    const int status =
        table == NULL ? command_fail(err) : export_to(options, reader, table, stream, err);
    store_read_table_close(table);
    store_read_close(reader);
    free(stream);
    return status;
}

int command_export(int argc, char **argv) {
    static const char about[] =
        "Print a table of a results database as CSV or JSON.\v"
        "TABLE is one of:\n"
        "  runs               totals of each run, its seed and digests\n"
        "  resources          the tables and indexes\n"
        "  operations         calls and attempts by workload, each second\n"
        "  seconds            units consumed, provisioned and saved, each second\n"
        "  throttles          throttle events by AWS's reason, each second\n"
        "  partitions         the ranges of the hash ring\n"
        "  partition_seconds  units and refusals of each partition, each second\n"
        "  ring_seconds       the same for 256 slices of the ring\n"
        "  keys               units and refusals of each partition key\n"
        "  key_minutes        the top keys of each minute\n"
        "  latencies          how many requests took up to le_us\n"
        "  events             what happened to tables and partitions\n"
        "  verdicts           what was said of a run, a finding a line\n"
        "  parameters         every parameter and where its value is from\n"
        "  points             the points of a sweep\n"
        "  metrics            what each run of a sweep came to\n"
        "  parts              which part of a sweep it is, and all that its results depend on\n"
        "  failures           runs of a sweep that could not be made\n"
        "  scenarios          the scenario's text\n"
        "  timings            wall time and memory\n"
        "  cloudwatch         the metrics that CloudWatch would show, each minute\n"
        "\n"
        "CSV is that of RFC 4180 with LF as line end; NULL is empty, an empty text is \"\". "
        "Numbers are exact. Rows come as they were written, those of cloudwatch by run, minute, "
        "resource and metric.\n"
        "\n"
        "Example: ddbsim export leaderboard.db keys --format json | head";
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "OUT.db TABLE",
        .doc = about,
    };
    struct err err = {ERR_NONE, ""};
    struct export_options options = {.err = &err};
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: return command_fail(&err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    return export_table(&options, &err);
}
