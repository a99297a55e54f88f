/* ddbsim report: a results database as one page for people. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output_stream.h"
#include "cli/report_page.h"
#include "workloads/value.h"

#include <stdlib.h>

enum option_key { KEY_RUN = 256, KEY_FORCE };

struct report_options {
    const char *database, *output;
    bool has_run, force;
    int64_t run_id;
    struct err *err;
};

static const struct argp_option option_rows[] = {
    {"output", 'o', "REPORT.html", 0, "Write the page to this file", 0},
    {"run", KEY_RUN, "ID", 0, "Of this run (default: the first); a sweep is shown with all", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace the file if it exists", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static bool parse_argument(struct report_options *options, const char *text) {
    if (options->database == NULL) {
        options->database = text;
        return true;
    }
    return err_set(options->err, ERR_INPUT,
                   "'%s' is one argument too many; see 'ddbsim report --help'", text);
}

static bool parse_run(struct report_options *options, const char *text) {
    if (value_int64(text, &options->run_id) != VALUE_OK) {
        return err_set(options->err, ERR_INPUT, "--run: '%.40s' is no number", text);
    }
    options->has_run = true;
    return true;
}

static bool parse_end(const struct report_options *options) {
    if (options->database == NULL) {
        return err_set(options->err, ERR_INPUT,
                       "expected a results database; see 'ddbsim report --help'");
    }
    if (options->output == NULL) {
        return err_set(options->err, ERR_INPUT,
                       "expected -o REPORT.html; see 'ddbsim report --help'");
    }
    return true;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct report_options *options = state->input;
    bool ok = true;
    switch (key) {
    case 'o': options->output = text; break;
    case KEY_RUN: ok = parse_run(options, text); break;
    case KEY_FORCE: options->force = true; break;
    case ARGP_KEY_ARG: ok = parse_argument(options, text); break;
    case ARGP_KEY_END: ok = parse_end(options); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static bool is_interrupted(void *context) {
    return output_stream_interrupted(context);
}

static enum exit_status write_page(struct report_page *page, struct output_stream *stream,
                                   struct err *err) {
    page->out = stream->out;
    page->stops = is_interrupted;
    page->context = stream;
    enum exit_status status = report_page_write(page, err);
    if (status == EXIT_STATUS_DONE && !output_stream_commit(stream, err)) {
        status = stream->interrupted ? EXIT_STATUS_INTERRUPTED : EXIT_STATUS_IO;
    }
    if (status == EXIT_STATUS_INTERRUPTED) {
        fputs("ddbsim: interrupted, no file was written\n", stderr);
    }
    return status;
}

static enum exit_status report_into(const struct report_options *options,
                                    struct output_stream *stream, struct err *err) {
    struct report_page page = {.database = options->database};
    enum exit_status status = EXIT_STATUS_IO;
    page.reader = output_stream_spares(options->output, options->database, err)
                      ? store_read_open(options->database, err)
                      : NULL;
    if (page.reader != NULL &&
        store_read_run(page.reader, options->has_run ? &options->run_id : NULL, &page.run, err) &&
        output_stream_open(stream, options->output, options->force, err)) {
        status = write_page(&page, stream, err);
        output_stream_close(stream);
    }
    store_read_close(page.reader);
    return status;
}

static int report(const struct report_options *options, struct err *err) {
    struct output_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        err_no_memory(err, "output");
        return command_fail(err);
    }
    const enum exit_status status = report_into(options, stream, err);
    free(stream);
    return err->kind == ERR_NONE ? (int)status : command_fail(err);
}

int command_report(int argc, char **argv) {
    static const char about[] =
        "Write a results database as one page: verdict, pictures, tables, parameters, and how to "
        "make it again.\v"
        "The page is one file that needs no other and no network, for light and dark screens, "
        "telephones and paper. Its tables sort at a click on a column. Of a run it shows each "
        "table and index; of a sweep, its points with their intervals.\n\n"
        "Example: ddbsim run leaderboard -o out.db && ddbsim report out.db -o out.html";
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "OUT.db",
        .doc = about,
    };
    struct err err = {ERR_NONE, ""};
    struct report_options options = {.err = &err};
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: return command_fail(&err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    return report(&options, &err);
}
