/*
 * sweep_options.h - What `ddbsim sweep` and `ddbsim compare` were asked to do.
 */
#ifndef DDBSIM_CLI_SWEEP_OPTIONS_H
#define DDBSIM_CLI_SWEEP_OPTIONS_H

#include "analysis/metric.h"
#include "cli/options.h"
#include "experiments/design.h"
#include "experiments/vary.h"
#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define SWEEP_SCENARIOS_MAX 64
#define SWEEP_METRICS_MAX 16
#define SWEEP_REPLICATIONS_MAX 1000000
#define SWEEP_PRECISE_REPLICATIONS_MIN 5 /* fewer say nothing of their own spread */

#define SWEEP_HOSTS_MAX 256
#define SWEEP_ENGINE_OPTIONS_MAX 32
#define SWEEP_TASKS_DEFAULT 16
#define SWEEP_TASKS_MAX 100000

/* What runs the points: this process, a Slurm job array, GNU parallel. */
enum sweep_engine { SWEEP_ENGINE_LOCAL, SWEEP_ENGINE_SLURM, SWEEP_ENGINE_PARALLEL };

struct sweep_options {
    struct arena arena; /* of the varies */
    const char *scenarios[SWEEP_SCENARIOS_MAX];
    uint32_t scenario_count, scenario_max; /* scenario_max is set by the caller */
    const char *output;                    /* NULL: no database */
    struct option_sets sets;
    struct vary varies[DESIGN_VARIES_MAX];
    uint32_t vary_count;
    enum metric metrics[SWEEP_METRICS_MAX];
    uint32_t metric_count;
    bool has_seed, has_replications, force, resume, quiet;
    bool sharding; /* one table of what sharding strategies differ in */
    uint64_t seed, replications, jobs, sobol_count;
    uint64_t part, parts; /* part counts from 0 */
    double precision;     /* relative half width of the first metric's interval; 0: not asked for */
    enum output_format format;
    enum sweep_engine engine;
    bool has_jobs, dry_run;
    uint64_t tasks;                     /* 0: as is usual */
    const char *partition, *time_limit; /* Slurm's; NULL: its default */
    const char *engine_options[SWEEP_ENGINE_OPTIONS_MAX], *hosts[SWEEP_HOSTS_MAX];
    uint32_t engine_option_count, host_count;
    struct err *err;
};

/* Reads the command line of the command whose argp is given; its rows come from the two lists
 * below. Afterwards sweep_options_free is due. */
enum options_result sweep_options_parse(struct sweep_options *options, const struct argp *argp,
                                        int argc, char **argv, uint32_t scenario_max,
                                        struct err *err);
void sweep_options_free(struct sweep_options *options);

/* The argp parser, and rows: of both commands, and of sweep alone. */
error_t sweep_options_parser(int key, char *argument, struct argp_state *state);

enum {
    SWEEP_KEY_VARY = 1000,
    SWEEP_KEY_SET,
    SWEEP_KEY_SEED,
    SWEEP_KEY_REPLICATIONS,
    SWEEP_KEY_PRECISION,
    SWEEP_KEY_DESIGN,
    SWEEP_KEY_METRIC,
    SWEEP_KEY_JOBS,
    SWEEP_KEY_PART,
    SWEEP_KEY_RESUME,
    SWEEP_KEY_FORMAT,
    SWEEP_KEY_FORCE,
    SWEEP_KEY_SHARDING,
    SWEEP_KEY_ENGINE,
    SWEEP_KEY_TASKS,
    SWEEP_KEY_PARTITION,
    SWEEP_KEY_TIME,
    SWEEP_KEY_HOST,
    SWEEP_KEY_ENGINE_OPTION,
    SWEEP_KEY_DRY_RUN,
};

#define SWEEP_OPTION_ROWS                                                                          \
    {"vary",                                                                                       \
     SWEEP_KEY_VARY,                                                                               \
     "K=SPEC",                                                                                     \
     0,                                                                                            \
     "Values of a parameter, or of any path such as model.routers: 1,2,4 or 100:5000:100 or "      \
     "log:1:256:9; repeated: every combination",                                                   \
     0},                                                                                           \
        {"set", SWEEP_KEY_SET, "K=V", 0, "Set a parameter or path, for all points", 0},            \
        {"seed", SWEEP_KEY_SEED, "N", 0, "Seed instead of the scenario's", 0},                     \
        {"replications",                                                                           \
         SWEEP_KEY_REPLICATIONS,                                                                   \
         "N",                                                                                      \
         0,                                                                                        \
         "Runs of each point, each with its own draws and layout (default 20)",                    \
         0},                                                                                       \
        {"metric",                                                                                 \
         SWEEP_KEY_METRIC,                                                                         \
         "M",                                                                                      \
         0,                                                                                        \
         "What to tell of each point; may be repeated (default throttled_share, failed_share, "    \
         "latency_ms_p99)",                                                                        \
         0},                                                                                       \
        {"jobs", SWEEP_KEY_JOBS, "N", 0, "Runs at the same time (default: one a processor)", 0},   \
        {"format",                                                                                 \
         SWEEP_KEY_FORMAT,                                                                         \
         "text|json",                                                                              \
         0,                                                                                        \
         "Text for people, or one JSON object a line for each point",                              \
         0},                                                                                       \
    {                                                                                              \
        "quiet", 'q', NULL, 0, "No report and no progress", 0                                      \
    }

#endif
