/*
 * model_event.h - What a model does at a time of its own, as rows of the table `events`.
 *
 * A kind has a name and the labels of its numbers, separated by one blank. The detail of an event
 * is a JSON object of them, in their order, MODEL_EVENT_NONE left out (but for hexadecimal ones):
 *
 *   partition          the number                     partition 3    ->  "partition": 3
 *   until_ns           nanoseconds, as seconds        until_ns 1.5e9 ->  "until_s": 1.5
 *   units_ncu          nano-units, as units           units_ncu 5e8  ->  "units": 0.5
 *   cut_hash_hex       16 hexadecimal digits          ->  "cut_hash": "00000000000000ff"
 *   cause:heat|size    a word by its position         cause 1        ->  "cause": "size"
 *
 * Owns:    nothing.  Cost: O(1) an event; nothing is done when there is none.
 */
#ifndef DDBSIM_MODELS_MODEL_EVENT_H
#define DDBSIM_MODELS_MODEL_EVENT_H

#include "sim/clock.h"

#include <stddef.h>
#include <stdint.h>

#define MODEL_EVENT_NUMBERS 6
#define MODEL_EVENT_NONE INT64_MIN
#define MODEL_EVENT_DETAIL_BYTES 512

/* X(ENUM, name, labels) */
#define MODEL_EVENTS(X)                                                                            \
    X(UPDATE_ACCEPTED, "UpdateTableAccepted",                                                      \
      "until_ns BillingMode:PROVISIONED|PAY_PER_REQUEST read_units write_units warm_read "         \
      "warm_write")                                                                                \
    X(UPDATE_REFUSED, "UpdateTableRefused",                                                        \
      "why:Accepted|NothingToChange|TableUpdating|DecreasesSpent|TableQuota|AccountQuota|"         \
      "SwitchesSpent|OnDemand|UnitsMissing|Provisioned|WarmLower|IndexBuilding")                   \
    X(UPDATE_COMPLETED, "UpdateTableCompleted",                                                    \
      "until_ns BillingMode:PROVISIONED|PAY_PER_REQUEST read_units write_units warm_read "         \
      "warm_write")                                                                                \
    X(PEAK_RAISED, "PreviousPeakRaised", "read_units write_units partitions needed")               \
    X(SCALING_ALARM, "ScalingAlarm",                                                               \
      "side:reads|writes why:none|out|in|bounds consumed_units "                                   \
      "provisioned_units")                                                                         \
    X(SCALING_ACTION, "ScalingAction", "side:reads|writes why:none|out|in|bounds units")           \
    X(SPLIT_STARTED, "SplitStarted",                                                               \
      "partition cause:created|heat|size|throughput|peak until_ns cut_hash_hex cut_sort_hex")      \
    X(SPLIT_COMPLETED, "SplitCompleted",                                                           \
      "partition cause:created|heat|size|throughput|peak child_low child_high cut_hash_hex "       \
      "cut_sort_hex")                                                                              \
    X(SPLIT_REFUSED, "SplitRefused",                                                               \
      "partition why:none|SingleItem|SequentialSortKeys|LocalSecondaryIndex")                      \
    X(INDEX_BACKFILLING, "IndexBackfilling", "units left_units")                                   \
    X(INDEX_PROGRESS, "IndexBackfillProgress", "units left_units")                                 \
    X(INDEX_ACTIVE, "IndexActive", "units left_units")                                             \
    X(INDEX_DELETED, "IndexDeleted", "units left_units")                                           \
    X(COLLECTION_FULL, "ItemCollectionSizeLimitExceeded", "attempts limit_bytes")                  \
    X(LEADER_LOST, "LeaderLost", "partition until_ns")                                             \
    X(LEADER_ELECTED, "LeaderElected", "partition")                                                \
    X(NODE_LOST, "NodeLost", "partition leader:no|yes")

enum model_event_kind {
#define MODEL_EVENT_ENUM(id, name, labels) MODEL_EVENT_##id,
    MODEL_EVENTS(MODEL_EVENT_ENUM)
#undef MODEL_EVENT_ENUM
        MODEL_EVENT_COUNT
};

/* Why a hot or full partition is not split; the words of SPLIT_REFUSED. */
enum split_refusal {
    SPLIT_NO_REFUSAL,
    SPLIT_SINGLE_ITEM,
    SPLIT_SEQUENTIAL,
    SPLIT_LOCAL_INDEX,
};

struct model_event {
    sim_ns at_ns;
    uint32_t resource;
    enum model_event_kind kind;
    int64_t numbers[MODEL_EVENT_NUMBERS]; /* by label; those beyond the labels are ignored */
};

const char *model_event_name(enum model_event_kind kind);
/* How many numbers a kind has. */
uint32_t model_event_numbers(enum model_event_kind kind);
/* The detail, NUL-terminated, at most MODEL_EVENT_DETAIL_BYTES with that (checked). */
void model_event_detail(const struct model_event *event, char *text, size_t text_bytes);

#endif
