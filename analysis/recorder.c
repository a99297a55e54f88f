#include "analysis/recorder.h"

#include "analysis/recorder_parts.h"
#include "sim/check.h"

#include <inttypes.h>
#include <string.h>

#define SPAN_MAX (DIGEST_BUFFER_WORDS / OUTCOME_WORDS)
#define SPANS_OPEN 8

size_t recorder_memory_bytes(const struct recorder *recorder) {
    return recorder->arena.used_bytes;
}

bool recorder_add_key(struct recorder *recorder, uint16_t resource, uint64_t ring_position,
                      struct err *err) {
    SIM_CHECK(resource < recorder->resource_count);
    struct grow_array *keys = &recorder->resources[resource].keys;
    uint32_t key;
    if (!grow_array_append(keys, 1, &key, err)) {
        return false;
    }
    key_tally_init(recorder_key_at(keys, key), ring_grid_slice(ring_position));
    return true;
}

uint32_t recorder_minute_mark(const struct recorder *recorder) {
    return (uint32_t)(recorder->second / RECORDER_MINUTE_S) + 1;
}

bool recorder_touch_key(struct recorder_resource *resource, uint32_t mark, uint32_t key,
                        struct key_tally *tally, struct err *err) {
    struct grow_array *touched = &resource->touched_keys;
    uint32_t last;
    if (resource->touched_key_count == touched->count &&
        !grow_array_append(touched, 1, &last, err)) {
        return false;
    }
    key_tally_mark(tally, mark);
    *(struct touched_key *)grow_array_at(touched, resource->touched_key_count++) =
        (struct touched_key){
            .key = key,
            .half_rcu = recorder_key_count(resource, tally, KEY_HALF_RCU, key),
            .half_wcu = recorder_key_count(resource, tally, KEY_HALF_WCU, key),
            .throttled = recorder_key_count(resource, tally, KEY_THROTTLED_READS, key) +
                         recorder_key_count(resource, tally, KEY_THROTTLED_WRITES, key),
        };
    return true;
}

/* Consecutive outcomes of one workload, resource and operation: what they have in common, as copies
 * that no store between can change, and what they add up to. */
struct span {
    struct recorder_resource *resource;
    struct grow_array keys;
    struct partition_bin *partitions;
    struct ring_cell *cells; /* of the second */
    uint32_t partition_count;
    uint32_t minute_mark;
    struct recorder_counts counts;
    uint64_t missing;
};

/* Feeds outcomes to the digest; whether they have workload, resource and operation in common. */
static bool digest_outcomes(uint64_t *words, const struct outcome *outcomes, uint32_t count) {
    const uint64_t *const first = words;
    uint64_t differs = 0;
    uint32_t operation_differs = 0;
    for (uint32_t i = 0; i < count; i++, words += OUTCOME_WORDS) {
        const struct outcome *outcome = &outcomes[i];
        recorder_digest_outcome(words, outcome);
        differs |= (words[2] ^ first[2]) | (words[3] ^ first[3]);
        operation_differs |= (uint32_t)outcome->operation ^ outcomes[0].operation;
    }
    /* both words begin with what is asked for */
    return differs >> 48 == 0 && operation_differs == 0;
}

/* Adds to what is of reads or of writes without a branch: where they take turns at random, half of
 * all branches would be foretold wrongly. */
#define ADD_DIRECTED(of_reads, of_writes, writes, amount)                                          \
    ((of_reads) += (writes) ? 0 : (amount), (of_writes) += (writes) ? (amount) : 0)

static inline bool count_admitted(struct span *span, const struct outcome *outcome, bool writes,
                                  struct partition_bin *bin, struct key_tally *key,
                                  struct err *err) {
    const int64_t cost_ncu = outcome->cost_ncu;
    const uint32_t half_units = key_tally_half_units(cost_ncu);
    struct ring_cell *cell = &span->cells[key_tally_slice(key)];
    struct key_carries *carries = &span->resource->carries;
    const enum key_count units = (enum key_count)(KEY_HALF_RCU + writes);
    const enum key_count accesses = (enum key_count)(KEY_READS + writes);
    span->counts.fates[FATE_ADMITTED]++;
    span->counts.consumed_ncu += cost_ncu;
    span->missing += outcome->item_missing;
    ADD_DIRECTED(bin->consumed_rncu, bin->consumed_wncu, writes, cost_ncu);
    ADD_DIRECTED(cell->half_rcu, cell->half_wcu, writes, half_units);
    return key_tally_add(key, units, half_units, outcome->key, carries, err) &&
           key_tally_add(key, accesses, 1, outcome->key, carries, err);
}

static inline bool count_throttled(struct span *span, const struct outcome *outcome, bool writes,
                                   struct partition_bin *bin, struct key_tally *key,
                                   struct err *err) {
    struct ring_cell *cell = &span->cells[key_tally_slice(key)];
    const enum key_count refusals = (enum key_count)(KEY_THROTTLED_READS + writes);
    span->counts.fates[FATE_THROTTLED]++;
    ADD_DIRECTED(bin->throttled_reads, bin->throttled_writes, writes, 1);
    ADD_DIRECTED(cell->throttled_reads, cell->throttled_writes, writes, 1);
    for (uint32_t left = outcome->reasons; left != 0; left &= left - 1) {
        span->resource->second.events[__builtin_ctz(left)]++;
    }
    return key_tally_add(key, refusals, 1, outcome->key, &span->resource->carries, err);
}

/* Inline, once for reads, once for writes, once for both. */
__attribute__((always_inline)) static inline bool
record_outcome(struct span *span, const struct outcome *outcome, bool writes, struct err *err) {
    SIM_CHECK(outcome->fate < FATE_COUNT);
    SIM_CHECK((outcome->reasons != 0) == (outcome->fate == FATE_THROTTLED));
    const bool is_retry = outcome->attempt != 0;
    span->counts.retries += is_retry;
    span->counts.retried += outcome->attempt == 1;
    if (__builtin_expect(outcome->fate == FATE_ERRORED, 0)) {
        span->counts.fates[FATE_ERRORED]++;
        return true; /* it reached no partition, so its key was not accessed either */
    }
    SIM_CHECK(outcome->partition < span->partition_count);
    SIM_CHECK(outcome->key < span->keys.count);
    SIM_CHECK(outcome->cost_ncu > 0);
    span->counts.asked_ncu += is_retry ? 0 : outcome->cost_ncu;
    struct key_tally *key = recorder_key_at(&span->keys, outcome->key);
    struct partition_bin *bin = &span->partitions[outcome->partition];
    recorder_touch_partition(span->resource, bin, outcome->partition);
    if (__builtin_expect(!key_tally_is_marked(key, span->minute_mark), 0) &&
        !recorder_touch_key(span->resource, span->minute_mark, outcome->key, key, err)) {
        return false;
    }
    return outcome->fate == FATE_ADMITTED ? count_admitted(span, outcome, writes, bin, key, err)
                                          : count_throttled(span, outcome, writes, bin, key, err);
}

static bool is_of_span(const struct outcome *first, const struct outcome *outcome) {
    return outcome->workload == first->workload && outcome->resource == first->resource &&
           outcome->operation == first->operation;
}

/* How many outcomes from the first on go to one span. */
static uint32_t span_length(const struct outcome *outcomes, uint32_t count) {
    uint32_t length = 1;
    while (length < count && is_of_span(&outcomes[0], &outcomes[length])) {
        length++;
    }
    return length;
}

/* A write that indexes of its table refused, and maybe the table itself. */
static bool record_index_refusal(struct span *span, const struct outcome *outcome,
                                 struct err *err) {
    struct outcome own = *outcome;
    own.reasons = (uint16_t)(outcome->reasons & ~(uint32_t)REASONS_OF_INDEX_WRITES);
    span->resource->second.index_refused++;
    if (own.reasons != 0) {
        return record_outcome(span, &own, true, err);
    }
    span->resource->second.index_only++;
    span->counts.fates[FATE_THROTTLED]++;
    span->counts.retries += outcome->attempt != 0;
    span->counts.retried += outcome->attempt == 1;
    span->counts.asked_ncu += outcome->attempt != 0 ? 0 : outcome->cost_ncu;
    return true;
}

/* Writes to a table with global indexes. */
static bool record_indexed(struct span *span, const struct outcome *outcomes, uint32_t count,
                           struct err *err) {
    bool recorded = true;
    for (uint32_t i = 0; i < count && recorded; i++) {
        const struct outcome *outcome = &outcomes[i];
        recorded = (outcome->reasons & REASONS_OF_INDEX_WRITES) != 0
                       ? record_index_refusal(span, outcome, err)
                       : record_outcome(span, outcome, true, err);
    }
    return recorded;
}

/* Asks for the counters of the keys, for all at once. */
static void prefetch_keys(const struct grow_array *keys, const struct outcome *outcomes,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (__builtin_expect(outcomes[i].key < keys->count, 1)) {
            __builtin_prefetch(recorder_key_at(keys, outcomes[i].key), 1);
        }
    }
}

/* Inline, once for reads and once for writes; sums by value, so that they stay in registers. */
__attribute__((always_inline)) static inline bool record_plain(struct span *span,
                                                               const struct outcome *outcomes,
                                                               uint32_t count, bool writes,
                                                               struct err *err) {
    struct span own = *span;
    prefetch_keys(&own.keys, outcomes, count);
    for (uint32_t i = 0; i < count; i++) {
        if (__builtin_expect(!record_outcome(&own, &outcomes[i], writes, err), 0)) {
            return false;
        }
    }
    *span = own;
    return true;
}

static struct span span_open(struct recorder *recorder, const struct outcome *outcome) {
    SIM_CHECK(outcome->resource < recorder->resource_count);
    SIM_CHECK(outcome->workload < recorder->workload_count);
    struct recorder_resource *resource = &recorder->resources[outcome->resource];
    return (struct span){
        .resource = resource,
        .keys = resource->keys,
        .partitions = resource->partitions,
        .cells = ring_grid_cell(&resource->grid, 0),
        .partition_count = resource->partition_count,
        .minute_mark = recorder_minute_mark(recorder),
    };
}

static void span_close(struct recorder *recorder, const struct span *span, uint16_t workload,
                       bool writes) {
    recorder_add_counts(&recorder->workloads[workload].open, &span->counts);
    recorder_add_counts(&span->resource->open[writes], &span->counts);
    span->resource->second.missing += span->missing;
}

static bool record_span(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                        struct err *err) {
    const enum ddb_operation operation = (enum ddb_operation)outcomes[0].operation;
    const bool writes = ddb_operation_writes(operation);
    struct span span = span_open(recorder, &outcomes[0]);
    if (__builtin_expect(ddb_operation_has_parts(operation), 0)) {
        return recorder_record_parts(recorder, outcomes, count, err);
    }
    const bool recorded = writes && span.resource->has_indexes
                              ? record_indexed(&span, outcomes, count, err)
                          : writes ? record_plain(&span, outcomes, count, true, err)
                                   : record_plain(&span, outcomes, count, false, err);
    span_close(recorder, &span, outcomes[0].workload, writes);
    return recorded;
}

/* Spans of outcomes that take turns: each is opened once, not once a turn. It has the place of its
 * workload modulo SPANS_OPEN, so that finding it takes no branch that could be foretold wrongly. */
struct span_mix {
    struct span spans[SPANS_OPEN];
    const struct outcome *firsts[SPANS_OPEN]; /* NULL: a free place */
};

static uint32_t place_of(const struct outcome *outcome) {
    return outcome->workload % SPANS_OPEN;
}

/* False: its place is taken by another span, or it has parts, which go another way. */
static bool open_span(struct span_mix *mix, struct recorder *recorder,
                      const struct outcome *outcome) {
    const uint32_t place = place_of(outcome);
    if (mix->firsts[place] != NULL ||
        ddb_operation_has_parts((enum ddb_operation)outcome->operation)) {
        return false;
    }
    mix->spans[place] = span_open(recorder, outcome);
    mix->firsts[place] = outcome;
    return true;
}

/* Opens the spans of the outcomes from the first on, and asks for the counters of their keys;
 * returns how many outcomes that is. */
static uint32_t open_spans(struct span_mix *mix, struct recorder *recorder,
                           const struct outcome *outcomes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct outcome *first = mix->firsts[place_of(&outcomes[i])];
        if (__builtin_expect(first == NULL || !is_of_span(first, &outcomes[i]), 0) &&
            !open_span(mix, recorder, &outcomes[i])) {
            return i;
        }
        prefetch_keys(&mix->spans[place_of(&outcomes[i])].keys, &outcomes[i], 1);
    }
    return count;
}

static bool record_mixed(struct recorder *recorder, struct span_mix *mix,
                         const struct outcome *outcomes, uint32_t count, struct err *err) {
    bool recorded = true;
    for (uint32_t i = 0; i < count && recorded; i++) {
        struct span *span = &mix->spans[place_of(&outcomes[i])];
        const bool writes = ddb_operation_writes((enum ddb_operation)outcomes[i].operation);
        recorded = __builtin_expect(span->resource->has_indexes, 0) && writes
                       ? record_indexed(span, &outcomes[i], 1, err)
                       : record_outcome(span, &outcomes[i], writes, err);
    }
    for (uint32_t place = 0; place < SPANS_OPEN; place++) {
        const struct outcome *first = mix->firsts[place];
        if (first != NULL) {
            span_close(recorder, &mix->spans[place], first->workload,
                       ddb_operation_writes((enum ddb_operation)first->operation));
        }
    }
    return recorded;
}

/* At most SPAN_MAX outcomes. */
static bool record_block(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                         struct err *err) {
    uint64_t *words = digest_room(&recorder->digest, (size_t)count * OUTCOME_WORDS);
    if (digest_outcomes(words, outcomes, count)) {
        return record_span(recorder, outcomes, count, err);
    }
    bool recorded = true;
    for (uint32_t done = 0, length; done < count && recorded; done += length) {
        struct span_mix mix = {.firsts = {NULL}};
        length = open_spans(&mix, recorder, &outcomes[done], count - done);
        if (length > 0) {
            recorded = record_mixed(recorder, &mix, &outcomes[done], length, err);
        } else {
            length = span_length(&outcomes[done], count - done);
            recorded = record_span(recorder, &outcomes[done], length, err);
        }
    }
    return recorded;
}

bool recorder_record(struct recorder *recorder, const struct outcome *outcomes, uint32_t count,
                     struct err *err) {
    if (count == 0) {
        return true;
    }
    sim_ns from_ns = recorder->second * SIM_NS_PER_S;
    SIM_CHECK(recorder->is_open);
    SIM_CHECKF(outcomes[0].at_ns >= from_ns && outcomes[count - 1].at_ns < from_ns + SIM_NS_PER_S,
               "attempts at %" PRId64 " … %" PRId64 " ns in second %" PRId64, outcomes[0].at_ns,
               outcomes[count - 1].at_ns, recorder->second);
    if (recorder->consumed_ncu[RECORDER_READS] > RECORDER_CONSUMED_NCU_MAX ||
        recorder->consumed_ncu[RECORDER_WRITES] > RECORDER_CONSUMED_NCU_MAX) {
        return err_set(err, ERR_INPUT,
                       "the run consumes more than %" PRId64 " capacity units by second %" PRId64
                       ", more than can be counted exactly; expected a shorter 'duration'",
                       RECORDER_CONSUMED_NCU_MAX / NCU_PER_CU, recorder->second);
    }
    for (uint32_t done = 0; done < count; done += SPAN_MAX) {
        const uint32_t left = count - done;
        if (!record_block(recorder, &outcomes[done], left < SPAN_MAX ? left : SPAN_MAX, err)) {
            return false;
        }
    }
    return true;
}

void recorder_call(struct recorder *recorder, uint16_t workload, enum attempt_fate fate) {
    SIM_CHECK(workload < recorder->workload_count);
    struct recorder_workload *from = &recorder->workloads[workload];
    SIM_CHECK(from->has_batches);
    from->second.calls++;
    from->second.throttled_calls += fate == FATE_THROTTLED;
    from->second.errored_calls += fate == FATE_ERRORED;
}

void recorder_unprocessed(struct recorder *recorder, uint16_t workload, uint64_t members) {
    SIM_CHECK(workload < recorder->workload_count);
    recorder->workloads[workload].second.unprocessed += members;
}

void recorder_operation(struct recorder *recorder, uint16_t workload, enum operation_fate fate,
                        sim_ns latency_ns) {
    SIM_CHECK(workload < recorder->workload_count);
    struct recorder_workload *from = &recorder->workloads[workload];
    switch (fate) {
    case OPERATION_SUCCEEDED: recorder_succeeded(recorder, workload, latency_ns); break;
    case OPERATION_CONDITION_FAILED: from->second.condition_failed++; break;
    case OPERATION_REJECTED: from->second.rejected++; break;
    case OPERATION_GAVE_UP: from->second.gave_up++; break;
    }
}
