#include "cli/command.h"

#include "analysis/store_merge.h"
#include "analysis/words.h"
#include "cli/interrupt.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define POINTS_BETWEEN_LOOKS 64

struct merge_options {
    char *output;
    const char **parts; /* room for all arguments */
    size_t part_count;
    bool force, quiet;
    struct err *err;
};

enum { KEY_FORCE = 1000 };

static const struct argp_option option_rows[] = {
    {"output", 'o', "OUT.db", 0, "The database to write", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace a database that exists", 0},
    {"quiet", 'q', NULL, 0, "Say nothing when all is well", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct merge_options *options = state->input;
    switch (key) {
    case 'o': options->output = argument; break;
    case 'q': options->quiet = true; break;
    case KEY_FORCE: options->force = true; break;
    case ARGP_KEY_ARG: options->parts[options->part_count++] = argument; break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp merge_argp = {
    .options = option_rows,
    .parser = parse,
    .args_doc = "PART.db...",
    .doc =
        "Join the parts of a sweep, which 'ddbsim sweep --part I/N -o PART.db' has written on one "
        "machine or many. The database is that of the sweep in one piece, but for its timings. "
        "All parts must be there, once, and be of one sweep: the same version, scenario, files, "
        "seed and values.\v"
        "Examples:\n"
        "  ddbsim sweep leaderboard --vary shards=1:8:1 --part 1/2 -o part-1.db\n"
        "  ddbsim sweep leaderboard --vary shards=1:8:1 --part 2/2 -o part-2.db\n"
        "  ddbsim merge -o shards.db part-1.db part-2.db\n"
        "\n"
        "Exit status: 0 done, 1 done, and some runs of the sweep had failed, 2 parts that do not "
        "belong together, 3 input or output error, 130 interrupted.",
};

/* Every part is open at once, and a thousand of them are usual. */
static void allow_many_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int interrupted(const struct merge_options *options) {
    fprintf(stderr, "ddbsim: interrupted; '%s' is as it was, the same command begins anew\n",
            options->output);
    return EXIT_STATUS_INTERRUPTED;
}

static int end(const struct merge_options *options, const struct store_merge *merge,
               struct store *store, struct err *err) {
    if (!store_commit(store, err)) {
        return command_fail(err);
    }
    const struct store_merge_counts counts = store_merge_counts(merge);
    if (!options->quiet) {
        printf("%s points, %s runs", words_count(counts.points).text,
               words_count(counts.runs).text);
        if (counts.failures > 0) {
            printf("; %s could not be made ('ddbsim export %s failures')",
                   words_count(counts.failures).text, options->output);
        }
        putchar('\n');
    }
    return counts.failures > 0 ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

static int copy_points(const struct merge_options *options, struct store_merge *merge,
                       struct store *store, struct err *err) {
    struct interrupt interrupt;
    interrupt_block(&interrupt);
    int status = -1;
    for (uint64_t i = 0; status < 0; i++) {
        if (i % POINTS_BETWEEN_LOOKS == 0 && interrupt_pending(&interrupt)) {
            status = interrupted(options);
            break;
        }
        switch (store_merge_next(merge, store, err)) {
        case STORE_MERGE_POINT: break;
        case STORE_MERGE_DONE: status = end(options, merge, store, err); break;
        case STORE_MERGE_FAILED: status = command_fail(err); break;
        }
    }
    interrupt_unblock(&interrupt);
    return status;
}

static int merge_parts(const struct merge_options *options, struct err *err) {
    allow_many_files();
    struct store_merge *merge = NULL;
    struct store *store = NULL;
    int status;
    if (!store_may_create(options->output, options->force, err) ||
        (merge = store_merge_open(options->parts, options->part_count, err)) == NULL ||
        (store = store_create(options->output, options->force, err)) == NULL) {
        status = command_fail(err);
    } else {
        status = copy_points(options, merge, store, err);
    }
    store_close(store);
    store_merge_close(merge);
    return status;
}

int command_merge(int argc, char **argv) {
    struct err err = {ERR_NONE, ""};
    struct merge_options options = {.err = &err};
    options.parts = calloc((size_t)argc, sizeof *options.parts);
    if (options.parts == NULL) {
        err_no_memory(&err, "arguments");
        return command_fail(&err);
    }
    int status = EXIT_STATUS_DONE;
    const enum options_result read = options_parse(&merge_argp, argc, argv, &options, &err);
    if (read == OPTIONS_READ && options.output == NULL) {
        err_set(&err, ERR_INPUT, "merge needs -o OUT.db: the database to write");
    } else if (read == OPTIONS_READ && options.part_count == 0) {
        err_set(&err, ERR_INPUT, "no part given; see 'ddbsim merge --help'");
    }
    if (err.kind != ERR_NONE) {
        status = command_fail(&err);
    } else if (read == OPTIONS_READ) {
        status = merge_parts(&options, &err);
    }
    free(options.parts);
    return status;
}
