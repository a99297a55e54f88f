#include "cli/report_page.h"

#include "analysis/store_read_report.h"
#include "analysis/store_read_sweep.h"
#include "analysis/words.h"
#include "cli/html.h"
#include "cli/plot_draw.h"
#include "cli/plot_script.h"
#include "cli/report_sweep.h"
#include "sim/check.h"

#include <stdlib.h>
#include <string.h>

#define TEMPLATE "report.html"
#define RESOURCES_MAX 6 /* with pictures of their own */

void report_page_figure(FILE *out, const struct plot_drawn *drawn) {
    char text[PLOT_NAME_BYTES + PLOT_FINDING_BYTES + 8];
    snprintf(text, sizeof text, "%s. %s", drawn->title, drawn->finding);
    fputs("<figure>", out);
    html_svg(out, drawn->svg, text);
    fputs("</figure>\n", out);
}

/* Up to a marker {{name}} of the template; *rest: behind it. */
static void write_until(FILE *out, const char **rest, const char *marker) {
    const char *end = strstr(*rest, marker);
    SIM_CHECKF(end != NULL, "the page's template lacks %s", marker);
    fwrite(*rest, 1, (size_t)(end - *rest), out);
    *rest = end + strlen(marker);
}

/* The embedded file ends with a NUL. */
static const char *find_template(void) {
    size_t count;
    const struct builtin_file *files = plot_scripts(&count);
    size_t i = 0;
    while (i < count && strcmp(files[i].file_name, TEMPLATE) != 0) {
        i++;
    }
    SIM_CHECK(i < count);
    return (const char *)files[i].bytes;
}

static bool is_number(const struct store_value *value) {
    return value->type == STORE_VALUE_INTEGER || value->type == STORE_VALUE_REAL;
}

/* Titles of the columns; those of numbers stand to the right, as the first row tells. */
static void write_head(FILE *out, const struct store_read_table *table) {
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < store_read_table_columns(table); i++) {
        const struct store_value value = store_read_table_value(table, i);
        fprintf(out, "<th scope=\"col\"%s>", is_number(&value) ? " class=\"n\"" : "");
        html_text(out, store_read_table_column(table, i));
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void write_row(FILE *out, const struct store_read_table *table) {
    fputs("<tr>", out);
    for (size_t i = 0; i < store_read_table_columns(table); i++) {
        const struct store_value value = store_read_table_value(table, i);
        html_cell(out, &value);
    }
    fputs("</tr>\n", out);
}

/* Rows of a table of the report, *count of them; nothing at all when there is none. */
static bool write_rows(const struct report_page *page, struct store_read_table *table,
                       const char *title, size_t *count, struct err *err) {
    enum store_read_table_step step;
    *count = 0;
    while ((step = store_read_table_next(table, err)) == STORE_READ_TABLE_ROW) {
        if (++*count == 1) {
            fprintf(page->out,
                    "<h3>%s</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                    "aria-label=\"%s\"><table class=\"sortable\">\n",
                    title, title);
            write_head(page->out, table);
        }
        write_row(page->out, table);
    }
    if (*count > 0) {
        fputs("</tbody></table></div>\n", page->out);
    }
    return step == STORE_READ_TABLE_DONE;
}

/* What is not in the table, and where it is. */
static bool write_rest(const struct report_page *page, enum store_read_report which,
                       const char *name, size_t shown, struct err *err) {
    double count;
    if (shown < STORE_READ_REPORT_ROWS_MAX) {
        return true;
    }
    if (!store_read_report_count(page->reader, which, page->run.run_id, &count, err)) {
        return false;
    }
    if (count > (double)shown) {
        fputs("<p class=\"facts\">", page->out);
        html_number(page->out, (double)shown);
        fputs(" of ", page->out);
        html_number(page->out, count);
        fprintf(page->out, "; all of them: <code>ddbsim export OUT.db %s</code></p>\n", name);
    }
    return true;
}

/* name: of the database's table that has all of it. */
static bool write_table(const struct report_page *page, enum store_read_report which,
                        const char *title, const char *name, struct err *err) {
    size_t count;
    struct store_read_table *table =
        store_read_report_open(page->reader, which, page->run.run_id, err);
    const bool written = table != NULL && write_rows(page, table, title, &count, err);
    store_read_table_close(table);
    return written && write_rest(page, which, name, count, err);
}

/* The text of a table's only value, in the hands of each(); nothing when there is none. */
static bool with_text(const struct report_page *page, enum store_read_report which,
                      void (*each)(FILE *out, const char *text, size_t length), struct err *err) {
    struct store_read_table *table =
        store_read_report_open(page->reader, which, page->run.run_id, err);
    if (table == NULL) {
        return false;
    }
    enum store_read_table_step step;
    while ((step = store_read_table_next(table, err)) == STORE_READ_TABLE_ROW) {
        const struct store_value value = store_read_table_value(table, 0);
        each(page->out, value.bytes, value.length);
    }
    store_read_table_close(table);
    return step == STORE_READ_TABLE_DONE;
}

/* "throttled", "not throttled", "failed": how the first words look. */
static const char *look_of(const char *line, size_t words) {
    static const char *const bad[] = {"throttled", "failed", "client-limited", "errors"};
    static const char good[] = "not throttled";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (strlen(bad[i]) == words && memcmp(line, bad[i], words) == 0) {
            return " class=\"bad\"";
        }
    }
    return words == sizeof good - 1 && memcmp(line, good, words) == 0 ? " class=\"good\"" : "";
}

/* A finding a line: what it is about stands before its first colon. */
static void write_findings(FILE *out, const char *text, size_t length) {
    fputs("<ul class=\"card verdict\">\n", out);
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        const size_t line = end == NULL ? length : (size_t)(end - text);
        const char *colon = memchr(text, ':', line);
        const size_t words = colon == NULL ? 0 : (size_t)(colon - text);
        fprintf(out, "<li><b%s>", look_of(text, words));
        html_bytes(out, text, words);
        fputs("</b>", out);
        html_bytes(out, text + words, line - words);
        fputs("</li>\n", out);
        text += line + (end != NULL);
        length -= line + (end != NULL);
    }
    fputs("</ul>\n", out);
}

static void write_scenario(FILE *out, const char *text, size_t length) {
    fputs("<details class=\"card\"><summary>The scenario</summary><pre>", out);
    html_bytes(out, text, length);
    fputs("</pre></details>\n", out);
}

static enum exit_status write_picture(const struct report_page *page, enum plot_kind kind,
                                      const char *table, struct err *err) {
    const struct plot_options options = {
        .database = page->database,
        .table = table,
        .kind = kind,
        .has_run = true,
        .is_kept = true,
        .run_id = page->run.run_id,
        .from_s = -1,
        .to_s = -1,
        .side = -1,
    };
    if (page->stops(page->context)) {
        return EXIT_STATUS_INTERRUPTED;
    }
    struct plot_drawn drawn;
    const enum exit_status status = plot_draw(&options, &drawn, err);
    if (status == EXIT_STATUS_DONE) {
        report_page_figure(page->out, &drawn);
    }
    free(drawn.svg);
    return status;
}

/* Which pictures a table or index has. */
static enum exit_status write_pictures_of(const struct report_page *page,
                                          const struct store_read_resource *resource,
                                          struct err *err) {
    static const enum plot_kind kinds[] = {PLOT_THROTTLING, PLOT_CAPACITY, PLOT_PARTITIONS,
                                           PLOT_KEYS,       PLOT_REASONS,  PLOT_SPLITS};
    char name[PLOT_NAME_BYTES * 2];
    snprintf(name, sizeof name, "%s%s%s", resource->table_name,
             resource->index_name == NULL ? "" : "/",
             resource->index_name == NULL ? "" : resource->index_name);
    enum exit_status status = EXIT_STATUS_DONE;
    fputs("<div class=\"pictures\">\n", page->out);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == EXIT_STATUS_DONE; i++) {
        if (kinds[i] != PLOT_REASONS || resource->throttle_events > 0) {
            status = write_picture(page, kinds[i], name, err);
        }
    }
    fputs("</div>\n", page->out);
    return status;
}

static enum exit_status write_pictures(const struct report_page *page, struct err *err) {
    struct store_read_resource *resources;
    size_t count;
    if (!store_read_resources(page->reader, &page->run, &resources, &count, err)) {
        return EXIT_STATUS_IO;
    }
    enum exit_status status = EXIT_STATUS_DONE;
    fputs("<section id=\"pictures\"><h2>Pictures</h2>\n", page->out);
    for (size_t i = 0; i < count && i < RESOURCES_MAX && status == EXIT_STATUS_DONE; i++) {
        fputs(resources[i].index_name == NULL ? "<h3>Table " : "<h3>Index ", page->out);
        html_text(page->out, resources[i].index_name == NULL ? resources[i].table_name
                                                             : resources[i].index_name);
        fputs("</h3>\n", page->out);
        status = write_pictures_of(page, &resources[i], err);
    }
    if (count > RESOURCES_MAX) {
        fputs("<p class=\"facts\">Others: <code>ddbsim plot OUT.db throttling --table NAME</code>"
              "</p>\n",
              page->out);
    }
    if (status == EXIT_STATUS_DONE) {
        fputs("<h3>All operations</h3>\n<div class=\"pictures\">\n", page->out);
        status = write_picture(page, PLOT_LATENCY, NULL, err);
        fputs("</div>\n", page->out);
    }
    fputs("</section>\n", page->out);
    return status;
}

static bool write_tables(const struct report_page *page, struct err *err) {
    fputs("<section id=\"tables\"><h2>Tables</h2>\n", page->out);
    const bool written =
        write_table(page, STORE_READ_REPORT_WORKLOADS, "Workloads", "operations", err) &&
        write_table(page, STORE_READ_REPORT_RESOURCES, "Tables and indexes", "seconds", err) &&
        write_table(page, STORE_READ_REPORT_REASONS, "Throttle events by reason", "throttles",
                    err) &&
        write_table(page, STORE_READ_REPORT_KEYS, "Keys", "keys", err) &&
        write_table(page, STORE_READ_REPORT_PARTITIONS, "Partitions", "partitions", err) &&
        write_table(page, STORE_READ_REPORT_EVENTS, "Events", "events", err);
    fputs("</section>\n", page->out);
    return written;
}

/* The facts of the run's row, by the names of its columns. */
struct facts {
    struct store_read_table *table;
    size_t columns;
};

static struct store_value fact(const struct facts *facts, const char *name) {
    size_t i = 0;
    while (i < facts->columns && strcmp(store_read_table_column(facts->table, i), name) != 0) {
        i++;
    }
    SIM_CHECK(i < facts->columns);
    return store_read_table_value(facts->table, i);
}

static void write_value(FILE *out, const struct store_value *value) {
    if (is_number(value)) {
        html_number(out, value->type == STORE_VALUE_REAL ? value->real : (double)value->integer);
    } else {
        html_bytes(out, value->bytes, value->length);
    }
}

static void write_fact(const struct report_page *page, const struct facts *facts, const char *name,
                       const char *words) {
    const struct store_value value = fact(facts, name);
    const bool is_zero = value.type == STORE_VALUE_INTEGER && value.integer == 0;
    if (!is_zero || strcmp(name, "throttled") == 0 || strcmp(name, "replication") == 0) {
        fputs(strcmp(name, "seed") == 0 || strcmp(name, "offered") == 0 ? "" : ", ", page->out);
        if (words[0] == ' ') { /* behind the number */
            write_value(page->out, &value);
            fputs(words, page->out);
        } else {
            fputs(words, page->out);
            write_value(page->out, &value);
        }
    }
}

static void write_facts(const struct report_page *page, const struct facts *facts) {
    fputs("<p class=\"facts\">", page->out);
    write_fact(page, facts, "seed", "seed ");
    write_fact(page, facts, "replication", "replication ");
    write_fact(page, facts, "duration_s", " s simulated");
    write_fact(page, facts, "version", "by ddbsim ");
    fputs("</p>\n<p class=\"facts\">", page->out);
    write_fact(page, facts, "offered", " operations offered");
    write_fact(page, facts, "succeeded", " succeeded");
    write_fact(page, facts, "gave_up", " given up");
    write_fact(page, facts, "rejected", " rejected");
    write_fact(page, facts, "condition_failed", " with a failed condition");
    write_fact(page, facts, "in_flight", " in flight at the end");
    write_fact(page, facts, "attempts", " attempts");
    write_fact(page, facts, "throttled", " throttled");
    write_fact(page, facts, "errored", " errored");
    fputs("</p>\n", page->out);
}

/* The row of the run, which is there: store_read_run has found it. */
static bool open_facts(const struct report_page *page, struct facts *facts, struct err *err) {
    facts->table =
        store_read_report_open(page->reader, STORE_READ_REPORT_RUN, page->run.run_id, err);
    if (facts->table == NULL || store_read_table_next(facts->table, err) != STORE_READ_TABLE_ROW) {
        return false;
    }
    facts->columns = store_read_table_columns(facts->table);
    return true;
}

/* A word of a shell: quoted, so that any text stays one. */
static void write_shell_word(FILE *out, const char *bytes, size_t length) {
    fputs("&#39;", out);
    while (length > 0) {
        const char *quote = memchr(bytes, '\'', length);
        const size_t plain = quote == NULL ? length : (size_t)(quote - bytes);
        html_bytes(out, bytes, plain);
        if (quote != NULL) {
            fputs("&#39;\\&#39;&#39;", out);
        }
        bytes += plain + (quote != NULL);
        length -= plain + (quote != NULL);
    }
    fputs("&#39;", out);
}

static bool write_settings(const struct report_page *page, struct err *err) {
    struct store_read_table *table =
        store_read_report_open(page->reader, STORE_READ_REPORT_COMMAND, page->run.run_id, err);
    enum store_read_table_step step = STORE_READ_TABLE_FAILED;
    while (table != NULL && (step = store_read_table_next(table, err)) == STORE_READ_TABLE_ROW) {
        const struct store_value name = store_read_table_value(table, 0);
        const struct store_value value = store_read_table_value(table, 1);
        fputs(" --set ", page->out);
        html_bytes(page->out, name.bytes, name.length);
        fputc('=', page->out);
        write_shell_word(page->out, value.bytes, value.length);
    }
    store_read_table_close(table);
    return table != NULL && step == STORE_READ_TABLE_DONE;
}

/* As it is to be typed. */
static void write_plain(FILE *out, const struct store_value *value) {
    if (value->type == STORE_VALUE_INTEGER) {
        fprintf(out, "%lld", (long long)value->integer);
    } else {
        html_bytes(out, value->bytes, value->length);
    }
}

/* What "ddbsim run" is to be told. */
static bool write_command(const struct report_page *page, const struct facts *facts,
                          struct err *err) {
    const struct store_value seed = fact(facts, "seed"), digest = fact(facts, "digest"),
                             replication = fact(facts, "replication");
    fputs("<p>Save the scenario as <code>", page->out);
    html_text(page->out, page->run.scenario);
    fputs(
        ".yaml</code>, beside the files that it reads, then:</p>\n<pre class=\"card\">ddbsim run ",
        page->out);
    html_text(page->out, page->run.scenario);
    fputs(".yaml --seed ", page->out);
    write_plain(page->out, &seed);
    if (replication.integer > 0) {
        fprintf(page->out, " --replications %lld", (long long)replication.integer + 1);
    }
    if (!write_settings(page, err)) {
        return false;
    }
    fputs(" -o OUT.db</pre>\n<p class=\"facts\">Its digest is <code>", page->out);
    html_bytes(page->out, digest.bytes, digest.length);
    fputs("</code>, with any compiler and on any machine.</p>\n", page->out);
    return true;
}

static void write_plan(FILE *out, const char *text, size_t length) {
    fputs("<p>All that its results depend on:</p>\n<pre class=\"card\">", out);
    html_bytes(out, text, length);
    fputs("</pre>\n", out);
}

static bool write_again(const struct report_page *page, const struct facts *facts, bool is_sweep,
                        struct err *err) {
    fputs("<section id=\"again\"><h2>How to make it again</h2>\n", page->out);
    if (is_sweep ? !with_text(page, STORE_READ_REPORT_PLAN, write_plan, err)
                 : !write_command(page, facts, err)) {
        return false;
    }
    if (!with_text(page, STORE_READ_REPORT_SCENARIO, write_scenario, err)) {
        return false;
    }
    fputs("</section>\n", page->out);
    if (is_sweep) {
        return write_table(page, STORE_READ_REPORT_FAILURES, "Runs that failed", "failures", err);
    }
    fputs("<section id=\"parameters\"><h2>Parameters</h2>\n", page->out);
    if (!write_table(page, STORE_READ_REPORT_PARAMETERS,
                     "Every number of the model, and where it is from", "parameters", err)) {
        return false;
    }
    fputs("</section>\n", page->out);
    return true;
}

static enum exit_status write_run(const struct report_page *page, struct err *err) {
    fputs("<section id=\"verdict\"><h2>Verdict</h2>\n", page->out);
    if (!with_text(page, STORE_READ_REPORT_VERDICT, write_findings, err)) {
        return EXIT_STATUS_IO;
    }
    fputs("</section>\n", page->out);
    const enum exit_status status = write_pictures(page, err);
    if (status != EXIT_STATUS_DONE) {
        return status;
    }
    return write_tables(page, err) ? EXIT_STATUS_DONE : EXIT_STATUS_IO;
}

static void write_top(const struct report_page *page, const struct facts *facts, bool is_sweep) {
    fputs("<header><h1>", page->out);
    html_text(page->out, page->run.scenario);
    fputs(is_sweep ? ": a sweep</h1>\n" : "</h1>\n", page->out);
    if (!is_sweep) {
        write_facts(page, facts);
    }
    if (page->run.run_count > 1) {
        fputs("<p class=\"facts\">", page->out);
        if (is_sweep) {
            html_number(page->out, (double)page->run.run_count);
            fputs(" runs</p>\n", page->out);
        } else {
            fprintf(page->out, "run %lld of ", (long long)page->run.run_id);
            html_number(page->out, (double)page->run.run_count);
            fputs("; <code>--run</code> shows another one</p>\n", page->out);
        }
    }
    fputs(is_sweep ? "<nav><a href=\"#points\">Points</a> <a href=\"#again\">How to make it "
                     "again</a>"
                   : "<nav><a href=\"#verdict\">Verdict</a> <a href=\"#pictures\">Pictures</a> "
                     "<a href=\"#tables\">Tables</a> <a href=\"#again\">How to make it again</a> "
                     "<a href=\"#parameters\">Parameters</a>",
          page->out);
    fputs("</nav></header>\n<main>\n", page->out);
}

enum exit_status report_page_write(const struct report_page *page, struct err *err) {
    const char *rest = find_template();
    struct facts facts = {.table = NULL};
    struct store_read_point *points;
    size_t point_count;
    if (!store_read_sweep(page->reader, "throttled_share", &points, &point_count, err) ||
        !open_facts(page, &facts, err)) {
        store_read_table_close(facts.table);
        return EXIT_STATUS_IO;
    }
    const bool is_sweep = point_count > 0;
    write_until(page->out, &rest, "{{title}}");
    html_text(page->out, page->run.scenario);
    fputs(" - ddbsim", page->out);
    write_until(page->out, &rest, "{{body}}");
    write_top(page, &facts, is_sweep);
    enum exit_status status = is_sweep ? report_sweep_write(page, err) : write_run(page, err);
    if (status == EXIT_STATUS_DONE && !write_again(page, &facts, is_sweep, err)) {
        status = EXIT_STATUS_IO;
    }
    fputs("</main>\n<footer>Made by ddbsim, a simulator of DynamoDB partitions and throttling. "
          "What AWS does not publish is an assumption; the parameters say which.</footer>",
          page->out);
    fputs(rest, page->out);
    store_read_table_close(facts.table);
    return status;
}
