/*
 * parameters.h - Every number of the model that a scenario may set, in one list.
 *
 * One name, four places: the C field, the scenario key under `model:`, the row in `parameters` of
 * the database, and `--set model.NAME=…`. A row gives kind, default, range, source, and what it is.
 * Tags of confidence: DOC documented by AWS, PUB paper or talk, INF inferred, UNK unpublished.
 *
 *   kind      stored as (int64_t)                        written as
 *   COUNT     the number                                 8
 *   RATE      capacity units per second                  3000
 *   BYTES     bytes                                      10GB
 *   DURATION  nanoseconds                                5s; a bare number is seconds
 *   FRACTION  millionths                                 0.5
 *   MONEY     nano-dollars                               0.625
 *   CHOICE    position in the list of words              gac
 */
#ifndef DDBSIM_MODELS_PARAMETERS_H
#define DDBSIM_MODELS_PARAMETERS_H

#include "sim/clock.h"

#include <stddef.h>
#include <stdint.h>

enum parameter_kind {
    PARAMETER_COUNT,
    PARAMETER_RATE,
    PARAMETER_BYTES,
    PARAMETER_DURATION,
    PARAMETER_FRACTION,
    PARAMETER_MONEY,
    PARAMETER_CHOICE,
};

#define PARAMETER_FRACTION_ONE INT64_C(1000000) /* how 1 is stored */
#define PARAMETER_MONEY_ONE INT64_C(1000000000)

enum model_era { ERA_GAC, ERA_STATIC, ERA_ADAPTIVE };
enum partition_formula { PARTITION_FORMULA_MAX, PARTITION_FORMULA_SUM };
enum gsi_block_scope { GSI_BLOCK_TABLE, GSI_BLOCK_PARTITION, GSI_BLOCK_NONE };
enum backfill_capacity { BACKFILL_SYSTEM, BACKFILL_INDEX };
enum placement { PLACEMENT_RANDOM, PLACEMENT_FIXED };
enum split_for_heat_choice { SPLIT_FOR_HEAT_ON, SPLIT_FOR_HEAT_OFF };

/* X(name, kind, default, min, max, words of a CHOICE, source, about) */
#define MODEL_PARAMETERS(X)                                                                        \
    X(era, CHOICE, ERA_GAC, 0, 2, "gac static adaptive",                                           \
      "PUB Elhemali et al., USENIX ATC 2022, s3-4",                                                \
      "gac: a pool shared by all partitions; static (until 2018): a fixed share for each; "        \
      "adaptive (until May 2019): shares that grow some minutes after refusals")                   \
    X(partition_formula, CHOICE, PARTITION_FORMULA_MAX, 0, 1, "max sum",                           \
      "INF from AWS guide, mode switch examples; sum: AWS talk 2016",                              \
      "partitions of a new table: the larger of the read and write needs, or their sum; "          \
      "in the eras static and adaptive the default is sum")                                        \
    X(placement, CHOICE, PLACEMENT_RANDOM, 0, 1, "random fixed", "UNK: AWS's hash is unpublished", \
      "random: a layout per seed and replication; fixed: one layout for all")                      \
    X(part_max_r, RATE, 3000, 1, 1000000, "", "DOC AWS guide, partition key design",               \
      "read capacity units per second of one partition")                                           \
    X(part_max_w, RATE, 1000, 1, 1000000, "", "DOC AWS guide, partition key design",               \
      "write capacity units per second of one partition")                                          \
    X(part_max_bytes, BYTES, INT64_C(10) << 30, 1 << 20, INT64_C(1) << 44, "",                     \
      "DOC AWS guide, partitions (approximate)", "data that one partition holds")                  \
    X(size_split_at, BYTES, INT64_C(10) << 30, 1 << 20, INT64_C(1) << 44, "",                      \
      "DOC AWS guide, partitions (approximate)",                                                   \
      "data from which on a partition is split; part_max_bytes when that is less")                 \
    X(part_bucket_depth, DURATION, SIM_NS_PER_S, SIM_NS_PER_MS, 300 * SIM_NS_PER_S, "",            \
      "UNK: limits are stated per second", "unused partition capacity that can be saved")          \
    X(burst_window_s, DURATION, 300 * SIM_NS_PER_S, SIM_NS_PER_S, 3600 * SIM_NS_PER_S, "",         \
      "DOC AWS guide, burst and adaptive capacity", "unused provisioned capacity that is saved")   \
    X(burst_initial_s, DURATION, 300 * SIM_NS_PER_S, 0, 3600 * SIM_NS_PER_S, "",                   \
      "UNK: a new table may start lower", "saved capacity when the run starts")                    \
    X(routers, COUNT, 8, 0, 64, "", "UNK; the paper gives no number",                              \
      "request routers that hold local tokens; 0: one fluid pool")                                 \
    X(gac_refresh, DURATION, 5 * SIM_NS_PER_S, SIM_NS_PER_MS, 600 * SIM_NS_PER_S, "",              \
      "PUB ATC 2022 s4.2: a few seconds", "time between a router's requests for tokens")           \
    X(token_ttl, DURATION, 5 * SIM_NS_PER_S, SIM_NS_PER_MS, 600 * SIM_NS_PER_S, "",                \
      "PUB ATC 2022 s4.2: time-limited; length UNK", "life of tokens granted to a router")         \
    X(adaptive_delay_min, DURATION, 5 * SIM_NS_PER_MIN, 0, 1440 * SIM_NS_PER_MIN, "",              \
      "DOC AWS guide of 2018: typically 5 to 30 minutes",                                          \
      "era adaptive: least time from the first refusal to the first boost")                        \
    X(adaptive_delay_max, DURATION, 30 * SIM_NS_PER_MIN, 0, 1440 * SIM_NS_PER_MIN, "",             \
      "DOC AWS guide of 2018: typically 5 to 30 minutes",                                          \
      "era adaptive: most time from the first refusal to the first boost")                         \
    X(adaptive_period, DURATION, SIM_NS_PER_MIN, SIM_NS_PER_S, 60 * SIM_NS_PER_MIN, "", "UNK",     \
      "era adaptive: time between two steps of the boost")                                         \
    X(adaptive_gain, FRACTION, PARAMETER_FRACTION_ONE / 2, PARAMETER_FRACTION_ONE / 100,           \
      PARAMETER_FRACTION_ONE, "", "UNK; ATC 2022 s4.1: proportional control",                      \
      "era adaptive: part of what a share lacks that one step adds")                               \
    X(gsi_lag, DURATION, 20 * SIM_NS_PER_MS, 0, 60 * SIM_NS_PER_S, "",                             \
      "DOC AWS guide, GSI: a fraction of a second; the number is an assumption",                   \
      "time from a write to its index entry, when nothing delays it")                              \
    X(backfill_capacity, CHOICE, BACKFILL_SYSTEM, 0, 1, "system index",                            \
      "DOC AWS guide, managing GSIs: today the index's capacity does not matter; until 2023: "     \
      "index",                                                                                     \
      "what an index that is built while its table is in use is written with: the service's "      \
      "own capacity, up to the caps of its partitions, or the index's write capacity too")         \
    X(update_table_median, DURATION, 60 * SIM_NS_PER_S, SIM_NS_PER_MS, 86400 * SIM_NS_PER_S, "",   \
      "UNK: AWS guide, auto scaling: several minutes; AWS lab: tens of seconds",                   \
      "time that UpdateTable takes, lognormal: its median")                                        \
    X(update_table_p99, DURATION, 600 * SIM_NS_PER_S, SIM_NS_PER_MS, 86400 * SIM_NS_PER_S, "",     \
      "UNK: AWS guide, auto scaling: several minutes; AWS lab: tens of seconds",                   \
      "time that UpdateTable takes, lognormal: its 99th percentile")                               \
    X(mode_switch_time, DURATION, 5 * SIM_NS_PER_MIN, SIM_NS_PER_MS, 86400 * SIM_NS_PER_S, "",     \
      "DOC AWS guide, switching capacity modes: several minutes",                                  \
      "time that a switch of the billing mode takes")                                              \
    X(split_for_heat, CHOICE, SPLIT_FOR_HEAT_ON, 0, 1, "on off",                                   \
      "PUB ATC 2022 s4.4; AWS guide, burst and adaptive capacity",                                 \
      "whether partitions that are hot for long are split")                                        \
    X(heat_threshold, FRACTION, 8 * PARAMETER_FRACTION_ONE / 10, PARAMETER_FRACTION_ONE / 100,     \
      PARAMETER_FRACTION_ONE, "", "INF; unpublished",                                              \
      "part of a partition's read or write cap from which on a minute's mean is hot")              \
    X(heat_window, DURATION, 5 * SIM_NS_PER_MIN, SIM_NS_PER_MIN, 1440 * SIM_NS_PER_MIN, "",        \
      "INF; sustained, by the AWS guide",                                                          \
      "time that a partition is hot before it is split; "                                          \
      "in whole minutes, rounded up, at least 3")                                                  \
    X(heat_sample, COUNT, 1024, 16, 65536, "", "an assumption",                                    \
      "accesses to a hot partition of which its cut is worked out")                                \
    X(single_item_share, FRACTION, PARAMETER_FRACTION_ONE / 2, PARAMETER_FRACTION_ONE / 10,        \
      PARAMETER_FRACTION_ONE, "", "DOC AWS guide: a single hot item is isolated; number INF",      \
      "an item with more than that part of a hot partition's traffic is cut off")                  \
    X(sequential_share, FRACTION, 8 * PARAMETER_FRACTION_ONE / 10, PARAMETER_FRACTION_ONE / 10,    \
      PARAMETER_FRACTION_ONE, "", "DOC AWS guide: no split within rising sort keys; number INF",   \
      "part of a minute's accesses beyond the minute before's sort keys that makes a partition "   \
      "key's traffic sequential")                                                                  \
    X(split_duration_min, DURATION, SIM_NS_PER_MIN, 0, 86400 * SIM_NS_PER_S, "",                   \
      "PUB ATC 2022 s4.4: in the order of minutes", "least time that a split takes")               \
    X(split_duration_max, DURATION, 9 * SIM_NS_PER_MIN, 0, 86400 * SIM_NS_PER_S, "",               \
      "PUB ATC 2022 s4.4: in the order of minutes", "most time that a split takes")                \
    X(ec_read_factor, FRACTION, PARAMETER_FRACTION_ONE, PARAMETER_FRACTION_ONE,                    \
      3 * PARAMETER_FRACTION_ONE, "",                                                              \
      "DOC AWS guide: 3,000 also for eventually consistent reads; AWS's own test of 2023: 4,500",  \
      "reads that a partition serves in all, as a multiple of part_max_r; strongly consistent "    \
      "ones stay at that")                                                                         \
    X(node_capacity, RATE, 0, 0, 1000000, "", "UNK: PUB ATC 2022 s4.1, a node has a bucket",       \
      "capacity units per second, reads and writes together, of the node of each partition; "      \
      "0: no limit")                                                                               \
    X(failover_gap, DURATION, 2 * SIM_NS_PER_S, SIM_NS_PER_MS, 3600 * SIM_NS_PER_S, "",            \
      "PUB ATC 2022 s6: a couple of seconds",                                                      \
      "time for which a partition that has lost its leader takes no writes and no strongly "       \
      "consistent reads")                                                                          \
    X(on_demand_partitions, COUNT, 4, 1, 1024, "",                                                 \
      "INF from AWS guide, on-demand: 12,000 reads and 4,000 writes a second at once",             \
      "partitions that an on-demand table or index has at least")                                  \
    X(on_demand_burst, DURATION, 300 * SIM_NS_PER_S, SIM_NS_PER_MS, 3600 * SIM_NS_PER_S, "",       \
      "DOC AWS guide, on-demand maximum: burst may exceed it; how much is UNK",                    \
      "unused throughput below an on-demand maximum that is saved")                                \
    X(peak_window, DURATION, SIM_NS_PER_MIN, SIM_NS_PER_S, 3600 * SIM_NS_PER_S, "",                \
      "UNK; CloudWatch counts by the minute", "on-demand: the mean over it makes a peak")          \
    X(peak_delay, DURATION, 30 * SIM_NS_PER_MIN, 0, 86400 * SIM_NS_PER_S, "",                      \
      "DOC AWS guide, on-demand: 30 minutes",                                                      \
      "on-demand: time after which a peak is the previous peak, of which twice is served at once") \
    X(gsi_buffer_units, COUNT, 15000, 1, 100000, "",                                               \
      "UNK: a bounded buffer is documented, its size is not; 15 s of a partition's writes",        \
      "write units that an index may be behind by, for each partition of its table")               \
    X(as_alarm_delay_min, DURATION, 0, 0, 60 * SIM_NS_PER_MIN, "",                                 \
      "DOC AWS guide, auto scaling: up to a few minutes; the law is an assumption",                \
      "least time from the minute that completes an alarm to the call of UpdateTable")             \
    X(as_alarm_delay_max, DURATION, 120 * SIM_NS_PER_S, 0, 60 * SIM_NS_PER_MIN, "",                \
      "DOC AWS guide, auto scaling: up to a few minutes; the law is an assumption",                \
      "most time from the minute that completes an alarm to the call of UpdateTable")              \
    X(as_out_points, COUNT, 2, 1, 60, "", "DOC AWS guide, auto scaling",                           \
      "minutes in a row above the target that scale out")                                          \
    X(as_in_points, COUNT, 15, 1, 60, "", "DOC AWS Knowledge Center, auto scaling",                \
      "minutes in a row far below the target that scale in")                                       \
    X(as_in_gap, FRACTION, PARAMETER_FRACTION_ONE / 5, 0, PARAMETER_FRACTION_ONE, "",              \
      "DOC AWS Knowledge Center, auto scaling",                                                    \
      "how far below the target, as a part of provisioned")                                        \
    X(as_out_statistic, CHOICE, 0, 0, 2, "mean last max", "UNK",                                   \
      "of the minutes that scale out: what the new capacity is computed from")                     \
    X(as_in_statistic, CHOICE, 2, 0, 2, "mean last max", "UNK",                                    \
      "of the minutes that scale in: what the new capacity is computed from")                      \
    X(as_scale_in_at_zero, CHOICE, 0, 0, 1, "off on", "DOC older text of AWS's guide: none",       \
      "whether minutes without consumption count for scaling in")                                  \
    X(scan_page_partitions, COUNT, 64, 1, 64, "",                                                  \
      "DOC AWS guide: a Scan is charged by the partitions searched, too; their number is UNK",     \
      "partitions at most that one page of a Scan reads")                                          \
    X(gsi_block_scope, CHOICE, GSI_BLOCK_TABLE, 0, 2, "table partition none",                      \
      "DOC AWS lab: all writes to the table",                                                      \
      "writes refused while an index is too far behind: all of its table, those to base "          \
      "partitions that are owed too much, or none")

struct model_parameters {
#define MODEL_PARAMETER_FIELD(name, kind, ...) int64_t name;
    MODEL_PARAMETERS(MODEL_PARAMETER_FIELD)
#undef MODEL_PARAMETER_FIELD
};

struct parameter_row {
    const char *name;
    enum parameter_kind kind;
    int64_t default_value, min, max; /* in stored units, bounds inclusive */
    const char *words;               /* CHOICE: separated by one blank */
    const char *source, *about;
    size_t offset; /* of the field in the list's struct */
};

/* A field of the struct that the row's list belongs to; the value is within the range (checked). */
int64_t parameter_get(const void *from, const struct parameter_row *row);
void parameter_set(void *into, const struct parameter_row *row, int64_t value);

/* The list as data, for readers, `ddbsim parameters` and the database; *count rows. */
const struct parameter_row *model_parameter_rows(size_t *count);

void model_parameters_default(struct model_parameters *parameters);
int64_t model_parameters_get(const struct model_parameters *parameters,
                             const struct parameter_row *row);
void model_parameters_set(struct model_parameters *parameters, const struct parameter_row *row,
                          int64_t value);

#endif
