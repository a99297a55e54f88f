#define _GNU_SOURCE /* asprintf */
#include "cli/command.h"

#include "analysis/store.h"
#include "analysis/words.h"
#include "cli/drive.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/scenario_source.h"
#include "cli/sweep_options.h"
#include "cli/sweep_report.h"
#include "cli/sweep_store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BYTES 256
#define FIGURE_COLUMNS 32
#define CELL_COLUMNS 15

/* A point when all of its replications are done: its means, and its differences to the first. */
struct compared {
    char name[NAME_BYTES];
    struct interval means[SWEEP_METRICS_MAX], differences[SWEEP_METRICS_MAX];
    uint32_t counted[SWEEP_METRICS_MAX];
    uint32_t rank; /* by the first metric, from 1; 0: it has no value */
    uint32_t count, failed, throttled;
    char first_failure[ERR_TEXT_BYTES];
};

/* One `ddbsim compare` under way. */
struct compare {
    struct sweep_options options;
    struct scenario_source sources[SWEEP_SCENARIOS_MAX];
    uint32_t source_count; /* read */
    struct design_source texts[SWEEP_SCENARIOS_MAX];
    struct design design;
    struct point_sample first, sample;   /* of point 0, and of the open one */
    char (*arrivals)[DIGEST_TEXT_BYTES]; /* [replication] of point 0 */
    bool arrivals_differ, closed_loop;
    struct compared *points;
    double confidence; /* of each difference */
    char *log_path;    /* OUT.db.part; NULL: no database */
    struct drive drive;
};

static bool read_sources(struct compare *compare, struct err *err) {
    struct sweep_options *options = &compare->options;
    for (uint32_t i = 0; i < options->scenario_count; i++) {
        struct scenario_source *source = &compare->sources[i];
        if (!scenario_source_read(source, options->scenarios[i], options->sets.overrides,
                                  options->sets.count, err)) {
            return false;
        }
        compare->source_count++;
        compare->texts[i] = scenario_source_design(source);
    }
    return true;
}

static bool check_points(const struct compare *compare, struct err *err) {
    if (compare->design.point_count < 2) {
        return err_set(err, ERR_INPUT,
                       "one scenario alone compares with nothing; expected a second "
                       "one, or --vary K=A,B");
    }
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        struct scenario scenario;
        const bool read = design_read(&compare->design, i, &scenario, err);
        scenario_fini(&scenario);
        if (!read) {
            return false;
        }
    }
    return true;
}

static bool open_design(struct compare *compare, struct err *err) {
    struct sweep_options *options = &compare->options;
    const uint32_t replications = (uint32_t)options->replications;
    compare->design = (struct design){
        .sources = compare->texts,
        .source_count = compare->source_count,
        .overrides = options->sets.overrides,
        .override_count = (uint32_t)options->sets.count,
        .varies = options->varies,
        .vary_count = options->vary_count,
    };
    if (!design_init(&compare->design, 0, &options->arena, err) || !check_points(compare, err) ||
        !point_sample_init(&compare->first, options->metrics, options->metric_count, replications,
                           err) ||
        !point_sample_init(&compare->sample, options->metrics, options->metric_count, replications,
                           err)) {
        return false;
    }
    compare->points = calloc(compare->design.point_count, sizeof *compare->points);
    compare->arrivals = calloc(replications, sizeof *compare->arrivals);
    compare->confidence =
        statistics_each(STATISTICS_CONFIDENCE, (uint32_t)compare->design.point_count - 1);
    return (compare->points != NULL && compare->arrivals != NULL) ||
           err_no_memory(err, "comparison");
}

/* "leaderboard, shards 4". */
static void name_point(const struct compare *compare, uint64_t point, char name[NAME_BYTES]) {
    const struct design *design = &compare->design;
    struct phrase phrase;
    phrase_init(&phrase, name, NAME_BYTES);
    const char *separator = "";
    if (design->source_count > 1) {
        phrase_add(&phrase, "%s", design_source_at(design, point)->name);
        separator = ", ";
    }
    for (uint32_t i = 0; i < design->vary_count; i++) {
        phrase_add(&phrase, "%s%s %s", separator, design->varies[i].name,
                   design_value(design, point, i));
        separator = ", ";
    }
}

static struct point_sample *sample_of(struct compare *compare, uint64_t point) {
    return point == 0 ? &compare->first : &compare->sample;
}

static void finish_point(struct compare *compare, const struct point_sample *sample) {
    struct compared *point = &compare->points[sample->point];
    name_point(compare, sample->point, point->name);
    point->count = sample->count;
    point->failed = sample->failed;
    point->throttled = sample->throttled;
    for (uint32_t i = 0; i < compare->options.metric_count; i++) {
        uint32_t counted;
        point->means[i] = point_sample_mean(sample, i, STATISTICS_CONFIDENCE, &point->counted[i]);
        point->differences[i] =
            point_sample_difference(&compare->first, sample, i, compare->confidence, &counted);
    }
}

static void take_result(struct compare *compare, const struct experiment_result *result) {
    struct point_sample *sample = sample_of(compare, result->point);
    if (result->replication == 0) {
        point_sample_open(sample, result->point);
    }
    struct compared *point = &compare->points[result->point];
    if (result->failed && sample->failed == 0) {
        memcpy(point->first_failure, result->message, sizeof point->first_failure);
    }
    if (result->point == 0) {
        memcpy(compare->arrivals[result->replication], result->arrivals_digest, DIGEST_TEXT_BYTES);
    } else if (strcmp(compare->arrivals[result->replication], result->arrivals_digest) != 0) {
        compare->arrivals_differ = true;
    }
    compare->closed_loop |= result->closed_loop;
    point_sample_add(sample, result);
    if (sample->count == compare->options.replications) {
        finish_point(compare, sample);
    }
}

/* By the mean of the first metric, least first. */
static void rank_points(struct compare *compare) {
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        struct compared *point = &compare->points[i];
        uint32_t better = 0;
        for (uint64_t k = 0; k < compare->design.point_count; k++) {
            better += compare->points[k].means[0].estimate < point->means[0].estimate;
        }
        point->rank = isnan(point->means[0].estimate) ? 0 : better + 1;
    }
}

static int name_columns(const struct compare *compare) {
    size_t columns = 8;
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        const size_t length = strlen(compare->points[i].name);
        columns = length > columns ? length : columns;
    }
    return (int)columns;
}

static const char *say_difference(const struct compare *compare, uint64_t point, uint32_t metric,
                                  char text[SWEEP_FIGURE_BYTES]) {
    const struct interval *difference = &compare->points[point].differences[metric];
    if (point == 0) {
        return "the first";
    }
    if (isnan(difference->low)) {
        return "not known: too few runs";
    }
    if (!statistics_differs(difference)) {
        return "no difference shown";
    }
    return sweep_figure(compare->options.metrics[metric], difference, 0, text);
}

static void print_metric(const struct compare *compare, uint32_t metric) {
    const int columns = name_columns(compare);
    const struct metric_row *row = &metric_rows()[compare->options.metrics[metric]];
    printf("\n%s (%s)\n%-*s  %4s  %-*s  difference to the first\n", row->name, row->about, columns,
           "", metric == 0 ? "rank" : "", FIGURE_COLUMNS, "mean");
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        const struct compared *point = &compare->points[i];
        char mean[SWEEP_FIGURE_BYTES], difference[SWEEP_FIGURE_BYTES], rank[16] = "";
        if (metric == 0 && point->rank > 0) {
            (void)snprintf(rank, sizeof rank, "%" PRIu32, point->rank);
        }
        printf("%-*s  %4s  %-*s  %s\n", columns, point->name, rank, FIGURE_COLUMNS,
               sweep_figure(compare->options.metrics[metric], &point->means[metric],
                            point->counted[metric], mean),
               say_difference(compare, i, metric, difference));
    }
}

/* A mean with half its interval's width: "34.6 % ±0.2". */
static void put_cell(const struct compare *compare, const struct compared *point, uint32_t metric) {
    const struct interval *mean = &point->means[metric];
    const bool is_share = metric_is_share(compare->options.metrics[metric]);
    const double scale = is_share ? 100 : 1;
    char text[SWEEP_FIGURE_BYTES];
    if (isnan(mean->estimate)) {
        (void)snprintf(text, sizeof text, "none");
    } else if (isnan(mean->low)) {
        (void)snprintf(text, sizeof text, "%.4g%s", mean->estimate * scale, is_share ? " %" : "");
    } else {
        (void)snprintf(text, sizeof text, "%.4g%s ±%.2g", mean->estimate * scale,
                       is_share ? " %" : "", (mean->high - mean->low) / 2 * scale);
    }
    /* ± is two bytes, one column */
    const int beyond = strstr(text, "±") != NULL;
    printf("  %*s", CELL_COLUMNS + beyond, text);
}

/* Bytes of a metric's name that stand above the rest: up to the last '_' that fits the column. */
static int head_bytes(const char *name) {
    int bytes = (int)strlen(name);
    while (bytes > CELL_COLUMNS || (name[bytes] != '_' && name[bytes] != '\0')) {
        bytes--;
    }
    return bytes;
}

static void put_heads(const struct compare *compare, int columns, bool second) {
    printf("%s%*s", second ? "\n" : "", columns, "");
    for (uint32_t i = 0; i < compare->options.metric_count; i++) {
        const char *name = metric_rows()[compare->options.metrics[i]].name;
        const int bytes = head_bytes(name);
        if (second) {
            printf("  %*s", CELL_COLUMNS, name + bytes);
        } else {
            printf("  %*.*s", CELL_COLUMNS, bytes, name);
        }
    }
}

/* One row a design, one column a metric. */
static void print_table(const struct compare *compare) {
    const int columns = name_columns(compare);
    put_heads(compare, columns, false);
    put_heads(compare, columns, true);
    puts("  layouts that throttle");
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        const struct compared *point = &compare->points[i];
        printf("%-*s", columns, point->name);
        for (uint32_t k = 0; k < compare->options.metric_count; k++) {
            put_cell(compare, point, k);
        }
        fputs("  ", stdout);
        sweep_print_layouts(stdout, point->throttled, point->count - point->failed);
        putchar('\n');
        if (point->failed > 0) {
            printf("    %" PRIu32 " runs failed: %s\n", point->failed, point->first_failure);
        }
    }
}

static void print_text(const struct compare *compare) {
    if (compare->options.sharding) {
        printf("%s replications of each of %s designs; means with half the width of their 95 %% "
               "intervals\n\n",
               words_count(compare->options.replications).text,
               words_count(compare->design.point_count).text);
        print_table(compare);
        return;
    }
    printf("%s replications of each of %s designs; means with 95 %% intervals, differences with "
           "intervals that hold\ntogether at 95 %%\n",
           words_count(compare->options.replications).text,
           words_count(compare->design.point_count).text);
    for (uint32_t i = 0; i < compare->options.metric_count; i++) {
        print_metric(compare, i);
    }
    printf("\nlayouts that throttle\n");
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        const struct compared *point = &compare->points[i];
        printf("%-*s  ", name_columns(compare), point->name);
        sweep_print_layouts(stdout, point->throttled, point->count - point->failed);
        putchar('\n');
        if (point->failed > 0) {
            printf("    %" PRIu32 " runs failed: %s\n", point->failed, point->first_failure);
        }
    }
    if (compare->closed_loop) {
        puts("\nnote: closed loops call when they have an answer, so designs do not see the same "
             "arrivals");
    } else if (compare->arrivals_differ) {
        puts("\nnote: the designs do not see the same arrivals, so differences are less sharp");
    }
}

static void put_interval(struct json *json, const char *key, const struct interval *interval) {
    json_key(json, key);
    json_begin(json, '{');
    json_key(json, "mean");
    json_double(json, interval->estimate);
    sweep_bounds_json(json, interval);
    json_end(json, '}');
}

static void print_json(const struct compare *compare, uint64_t number) {
    const struct compared *point = &compare->points[number];
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "design");
    json_string(&json, point->name);
    json_key(&json, "rank");
    json_uint64(&json, point->rank);
    json_key(&json, "replications");
    json_uint64(&json, point->count);
    json_key(&json, "failed");
    json_uint64(&json, point->failed);
    json_key(&json, "layouts_that_throttle");
    json_uint64(&json, point->throttled);
    json_key(&json, "same_arrivals");
    json_bool(&json, !compare->arrivals_differ && !compare->closed_loop);
    json_key(&json, "metrics");
    json_begin(&json, '{');
    for (uint32_t i = 0; i < compare->options.metric_count; i++) {
        json_key(&json, metric_rows()[compare->options.metrics[i]].name);
        json_begin(&json, '{');
        put_interval(&json, "value", &point->means[i]);
        put_interval(&json, "difference", &point->differences[i]);
        json_end(&json, '}');
    }
    json_end(&json, '}');
    json_end(&json, '}');
    putchar('\n');
}

static int end(struct compare *compare, struct err *err) {
    bool failed = false;
    rank_points(compare);
    drive_clear(&compare->drive);
    if (!compare->options.quiet && compare->options.format == FORMAT_TEXT) {
        print_text(compare);
    }
    for (uint64_t i = 0; i < compare->design.point_count; i++) {
        failed |= compare->points[i].failed > 0;
        if (compare->options.format == FORMAT_JSON) {
            print_json(compare, i);
        }
    }
    if (!output_flush(err) ||
        (compare->options.output != NULL &&
         !sweep_store_write(compare->options.output, compare->options.force, &compare->design, NULL,
                            &compare->drive.log, err))) {
        return command_fail(err);
    }
    return failed ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

static int run_points(struct compare *compare, struct err *err) {
    struct experiment_result result;
    for (;;) {
        switch (drive_next(&compare->drive, &result, err)) {
        case DRIVE_RESULT: take_result(compare, &result); break;
        case DRIVE_ENDED: return end(compare, err);
        case DRIVE_INTERRUPTED:
            drive_clear(&compare->drive);
            fprintf(stderr, "ddbsim: interrupted\n");
            return EXIT_STATUS_INTERRUPTED;
        case DRIVE_FAILED: drive_clear(&compare->drive); return command_fail(err);
        }
    }
}

/* The runs are kept beside the database until it is made of them. */
static bool open_log(struct compare *compare, struct err *err) {
    const struct sweep_options *options = &compare->options;
    if (options->output == NULL) {
        return true;
    }
    if (!store_may_create(options->output, options->force, err)) {
        return false;
    }
    if (asprintf(&compare->log_path, "%s.part", options->output) < 0) {
        compare->log_path = NULL;
        return err_no_memory(err, "path");
    }
    if (options->force) {
        (void)unlink(compare->log_path); /* the unfinished one is given up */
    }
    return true;
}

static int run_compare(struct compare *compare, struct err *err) {
    const struct sweep_options *options = &compare->options;
    if (!open_log(compare, err) || !read_sources(compare, err) || !open_design(compare, err)) {
        return command_fail(err);
    }
    const struct experiment_config config = {
        .design = &compare->design,
        .seed = options->seed,
        .has_seed = options->has_seed,
        .replications = (uint32_t)options->replications,
        .jobs = (uint32_t)options->jobs,
        .parts = 1,
    };
    const struct hash128 no_log = {0, 0};
    const int status =
        drive_open(&compare->drive, &config, compare->log_path, no_log, false, options->quiet, err)
            ? run_points(compare, err)
            : command_fail(err);
    drive_close(&compare->drive, true);
    return status;
}

static const struct argp_option option_rows[] = {
    SWEEP_OPTION_ROWS,
    {"sharding", SWEEP_KEY_SHARDING, NULL, 0,
     "One table of what sharding strategies differ in: write throttling, requests, latency and "
     "units "
     "of a read, units of a write, dollars a month, layouts that throttle",
     0},
    {"output", 'o', "OUT.db", 0, "Write points, runs and metrics to this SQLite database", 0},
    {"force", SWEEP_KEY_FORCE, NULL, 0, "Replace an output that exists", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp compare_argp = {
    .options = option_rows,
    .parser = sweep_options_parser,
    .args_doc = "SCENARIO…",
    .doc = "Compare scenarios, or values of their parameters, under the same draws and layouts: "
           "means with intervals, paired differences to the first design, ranks by the first "
           "metric (the least is 1), and 'no difference shown' where there is none. A word with a "
           "star stands for the built-in scenarios that it matches.\v"
           "Examples:\n"
           "  ddbsim compare leaderboard --vary shards=1,4,8 --metric throttled_share\n"
           "  ddbsim compare date-key date-shard --metric failed_share\n"
           "  ddbsim compare strategy-none 'strategy-*' --sharding\n"
           "\n"
           "Exit status: 0 done, 1 a run failed, 2 usage or scenario error, 3 input or output "
           "error, 130 interrupted.",
};

int command_compare(int argc, char **argv) {
    struct err err = {ERR_NONE, ""};
    struct compare *compare = calloc(1, sizeof *compare);
    if (compare == NULL) {
        err_no_memory(&err, "comparison");
        return command_fail(&err);
    }
    int status = EXIT_STATUS_DONE;
    switch (sweep_options_parse(&compare->options, &compare_argp, argc, argv, SWEEP_SCENARIOS_MAX,
                                &err)) {
    case OPTIONS_FAULT: status = command_fail(&err); break;
    case OPTIONS_HELP_SHOWN: break;
    case OPTIONS_READ: status = run_compare(compare, &err); break;
    }
    for (uint32_t i = 0; i < compare->source_count; i++) {
        scenario_source_close(&compare->sources[i]);
    }
    point_sample_fini(&compare->first);
    point_sample_fini(&compare->sample);
    free(compare->log_path);
    free(compare->points);
    free(compare->arrivals);
    sweep_options_free(&compare->options);
    free(compare);
    return status;
}
