#include "cli/command.h"

#include "cli/json.h"
#include "cli/options.h"
#include "models/parameters.h"
#include "models/pricing.h"
#include "sim/check.h"
#include "workloads/client.h"
#include "workloads/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The reader's own defaults of the client are asked for with the smallest scenario there is. */
static const char smallest_scenario[] =
    "name: smallest\nduration: 1s\n"
    "tables:\n"
    "  - TableName: table\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}\n"
    "    AttributeDefinitions: [{AttributeName: k, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: k, KeyType: HASH}]\n"
    "workload:\n"
    "  - {name: w, operation: GetItem, rate: 1, item: {k: a}, item_size: 1B}\n";

/* One line of the list, as text. */
struct parameter_line {
    char name[64], value[2 * VALUE_TEXT_BYTES + 32], range[4 * VALUE_TEXT_BYTES + 64];
    const char *source, *about;
};

struct parameters_options {
    enum output_format format;
    struct err *err;
};

enum { KEY_FORMAT = 1000 };

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct parameters_options *options = state->input;
    switch (key) {
    case KEY_FORMAT: return options_format(argument, &options->format, options->err) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        err_set(options->err, ERR_INPUT, "parameters takes no argument, got '%s'", argument);
        return EINVAL;
    case 'h': return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A value with its unit. */
static void print_value(const struct parameter_row *row, int64_t value,
                        char text[VALUE_TEXT_BYTES + 8]) {
    char bare[VALUE_TEXT_BYTES];
    value_print_parameter(row, value, bare);
    snprintf(text, VALUE_TEXT_BYTES + 8, "%s%s", bare,
             row->kind == PARAMETER_RATE ? " units/s" : "");
}

static void describe(const char *section, const struct parameter_row *row,
                     struct parameter_line *line) {
    snprintf(line->name, sizeof line->name, "%s.%s", section, row->name);
    char value[VALUE_TEXT_BYTES + 8];
    print_value(row, row->default_value, value);
    snprintf(line->value, sizeof line->value, "%s", value);
    if (row->kind == PARAMETER_CHOICE) {
        snprintf(line->range, sizeof line->range, "%s", row->words);
        for (char *at = line->range; *at != '\0'; at++) {
            *at = *at == ' ' ? '|' : *at;
        }
    } else {
        char low[VALUE_TEXT_BYTES + 8], high[VALUE_TEXT_BYTES + 8];
        print_value(row, row->min, low);
        print_value(row, row->max, high);
        snprintf(line->range, sizeof line->range, "%s … %s", low, high);
    }
    line->source = row->source;
    line->about = row->about;
}

static void print_text(const struct parameter_line *line) {
    printf("%s = %s    (%s)\n    %s\n    source: %s\n", line->name, line->value, line->range,
           line->about, line->source);
}

static void print_json(struct json *json, const struct parameter_line *line) {
    json_begin(json, '{');
    json_key(json, "name");
    json_string(json, line->name);
    json_key(json, "default");
    json_string(json, line->value);
    json_key(json, "range");
    json_string(json, line->range);
    json_key(json, "source");
    json_string(json, line->source);
    json_key(json, "about");
    json_string(json, line->about);
    json_end(json, '}');
}

struct printer {
    enum output_format format;
    struct json json;
};

static void print_line(struct printer *printer, const struct parameter_line *line) {
    if (printer->format == FORMAT_JSON) {
        print_json(&printer->json, line);
    } else {
        print_text(line);
    }
}

static void print_latency(const struct client_spec *client, char *text, size_t text_bytes) {
    char median[VALUE_TEXT_BYTES], tail[VALUE_TEXT_BYTES];
    value_print_duration(client->latency_median_ns, median);
    value_print_duration(client->latency_p99_ns, tail);
    if (client->latency_law == LATENCY_CONSTANT) {
        snprintf(text, text_bytes, "%s", median);
    } else {
        snprintf(text, text_bytes, "{lognormal: {median: %s, p99: %s}}", median, tail);
    }
}

/* What a client has only when it is asked for. */
static void print_client_limits(struct printer *printer, const struct client_spec *client) {
    const struct parameter_line lines[] = {
        {.name = "client.connections",
         .value = "none",
         .range = "1 … 1000000",
         .source = "DOC SDKs: 10 (botocore), 50 (Java, JavaScript), no limit (Go)",
         .about = "calls under way of a client object; further ones wait in it"},
        {.name = "client.timeout",
         .value = "none",
         .range = "1us … 1h",
         .source = "the scenario's",
         .about = "how long an attempt is waited for; its request has arrived all the same"},
        {.name = "client.errors.probability",
         .value = "0",
         .range = "0 … 1",
         .source = "UNK",
         .about = "transient errors of an attempt (HTTP 500, broken connection)"},
        {.name = "client.errors.lost_replies",
         .value = "0",
         .range = "0 … 1",
         .source = "UNK",
         .about = "share of the errors that the service had carried out"},
    };
    SIM_CHECK(client->connections == 0 && client->timeout_ns == 0 &&
              client->errors.probability <= 0 && client->errors.lost_replies <= 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        print_line(printer, &lines[i]);
    }
    struct parameter_line line = {
        .name = "client.errors.latency",
        .range = "1us … 1h",
        .source = "UNK",
        .about = "time from sending an attempt to the error",
    };
    value_print_duration(client->errors.latency_ns, line.value);
    print_line(printer, &line);
}

static void print_client(struct printer *printer, const struct client_spec *client) {
    struct parameter_line line = {
        .name = "client.count",
        .range = "1 … 1000000",
        .source = "the scenario's",
        .about = "SDK client objects; each has its own quota, rate limiter and connections",
    };
    snprintf(line.value, sizeof line.value, "%" PRIu32, client->count);
    print_line(printer, &line);
    line = (struct parameter_line){
        .name = "client.retry",
        .source = "DOC published SDK source (docs/models/client.md)",
        .about =
            "what the SDK does with a refusal or an error: attempts, waits, jitter, quota, by name "
            "or as {profile, attempts, base, throttle_base, multiplier, cap, jitter, quota}",
    };
    for (int i = 0; i < RETRY_PROFILE_COUNT; i++) {
        size_t used = strlen(line.range);
        snprintf(line.range + used, sizeof line.range - used, "%s%s", i == 0 ? "" : "|",
                 retry_policy_profile_name((enum retry_profile)i));
    }
    snprintf(line.value, sizeof line.value, "%s", retry_policy_profile_name(client->retry.profile));
    print_line(printer, &line);
    line = (struct parameter_line){
        .name = "client.latency",
        .range = "1us … 1h, or {lognormal: {median: 1us … 1h, p99: 1us … 1h}}",
        .source = "UNK: AWS states low single-digit milliseconds",
        .about = "time from sending an admitted attempt to its response",
    };
    print_latency(client, line.value, sizeof line.value);
    print_line(printer, &line);
    line = (struct parameter_line){
        .name = "client.throttle_latency",
        .range = "1us … 1h",
        .source = "UNK",
        .about = "time from sending a refused attempt to its response",
    };
    value_print_duration(client->throttle_latency_ns, line.value);
    print_line(printer, &line);
    print_client_limits(printer, client);
}

static void print_rows(struct printer *printer, const char *section,
                       const struct parameter_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct parameter_line line;
        describe(section, &rows[i], &line);
        print_line(printer, &line);
    }
}

static int print_all(enum output_format format, struct err *err) {
    struct scenario scenario;
    if (!scenario_read_text(&scenario, "smallest.yaml", smallest_scenario,
                            sizeof smallest_scenario - 1, NULL, 0, err)) {
        scenario_fini(&scenario);
        return command_fail(err);
    }
    struct printer printer = {.format = format, .json = {.out = stdout}};
    if (format == FORMAT_JSON) {
        json_begin(&printer.json, '[');
    }
    size_t count;
    const struct parameter_row *rows = model_parameter_rows(&count);
    print_rows(&printer, "model", rows, count);
    print_client(&printer, &scenario.client);
    rows = pricing_rows(&count);
    print_rows(&printer, "pricing", rows, count);
    if (format == FORMAT_JSON) {
        json_end(&printer.json, ']');
        putchar('\n');
    }
    scenario_fini(&scenario);
    return EXIT_STATUS_DONE;
}

int command_parameters(int argc, char **argv) {
    static const struct argp_option rows[] = {
        {"format", KEY_FORMAT, "text|json", 0, "How to print", 0},
        OPTIONS_HELP_ROW,
        {NULL, 0, NULL, 0, NULL, 0},
    };
    static const struct argp argp = {
        .options = rows,
        .parser = parse_option,
        .doc =
            "List every parameter of the model, of the client and of prices: default, range, "
            "source.\v"
            "Sources: DOC documented by AWS, PUB a paper or talk, INF inferred, UNK unpublished, "
            "so ours. A scenario sets them under 'model:', 'client:' and 'pricing:', the command "
            "line with --set model.routers=0.",
    };
    struct err err = {ERR_NONE, ""};
    struct parameters_options options = {.err = &err};
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: return command_fail(&err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    return print_all(options.format, &err);
}
