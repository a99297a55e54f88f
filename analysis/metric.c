#include "analysis/metric.h"

#include "analysis/cost.h"
#include "analysis/sides.h"
#include "sim/check.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define SECONDS_A_MINUTE 60

enum metric_kind { KIND_COUNT, KIND_RATIO, KIND_LEVEL, KIND_WHOLE };

const struct metric_row *metric_rows(void) {
    static const struct metric_row rows[METRIC_COUNT] = {
#define METRIC_ROW(id, name, unit, level, about) {name, unit, about, level},
        METRICS(METRIC_ROW)
#undef METRIC_ROW
    };
    return rows;
}

bool metric_is_share(enum metric metric) {
    return strcmp(metric_rows()[metric].unit, "fraction") == 0;
}

enum metric metric_by_name(const char *name) {
    const struct metric_row *rows = metric_rows();
    int metric = 0;
    while (metric < METRIC_COUNT && strcmp(rows[metric].name, name) != 0) {
        metric++;
    }
    return (enum metric)metric;
}

static enum metric_kind kind_of(enum metric metric) {
    switch (metric) {
    case METRIC_THROTTLED_SHARE:
    case METRIC_FAILED_SHARE:
    case METRIC_RETRIED_SHARE: return KIND_RATIO;
    case METRIC_PROVISIONED_RCU:
    case METRIC_PROVISIONED_WCU:
    case METRIC_BURST_RCU:
    case METRIC_BURST_WCU:
    case METRIC_BUFFERED_WCU:
    case METRIC_DEBT_WCU:
    case METRIC_PARTITIONS: return KIND_LEVEL;
    case METRIC_KEYS:
    case METRIC_FIRST_THROTTLE_S:
    case METRIC_LAST_THROTTLE_S:
    case METRIC_LATENCY_MS_P50:
    case METRIC_LATENCY_MS_P99:
    case METRIC_LATENCY_MS_MAX:
    case METRIC_INDEX_LAG_MS_P99:
    case METRIC_INDEX_LAG_MS_MAX:
    case METRIC_IN_FLIGHT:
    case METRIC_ELAPSED_S:
    case METRIC_COST_USD_PER_MONTH:
    case METRIC_ON_DEMAND_USD_PER_MONTH:
    case METRIC_ON_DEMAND_COST_RATIO:
    case METRIC_WRITE_THROTTLED_SHARE:
    case METRIC_READ_THROTTLED_SHARE:
    case METRIC_REQUESTS_PER_READ:
    case METRIC_RCU_PER_READ:
    case METRIC_WCU_PER_WRITE:
    case METRIC_READ_LATENCY_MS_P50:
    case METRIC_READ_LATENCY_MS_P99: return KIND_WHOLE;
    default: return KIND_COUNT;
    }
}

/* Where a count stands in the bins: in those of workloads, of resources, or both. */
struct metric_source {
    bool by_workload, by_resource;
    size_t workload_offset, resource_offset; /* of a uint64_t, or of nano-units */
    bool is_ncu, is_ns;
};

static struct metric_source source_of(enum metric metric) {
#define OF_WORKLOAD(field)                                                                         \
    .by_workload = true, .workload_offset = offsetof(struct workload_bin, field)
#define OF_RESOURCE(field)                                                                         \
    .by_resource = true, .resource_offset = offsetof(struct resource_bin, field)
    static const struct metric_source sources[METRIC_COUNT] = {
        [METRIC_OFFERED] = {OF_WORKLOAD(offered)},
        [METRIC_SUCCEEDED] = {OF_WORKLOAD(succeeded)},
        [METRIC_GAVE_UP] = {OF_WORKLOAD(gave_up)},
        [METRIC_CONDITION_FAILED] = {OF_WORKLOAD(condition_failed)},
        [METRIC_REJECTED] = {OF_WORKLOAD(rejected)},
        [METRIC_UNPROCESSED] = {OF_WORKLOAD(unprocessed)},
        [METRIC_ATTEMPTS] = {OF_WORKLOAD(attempts), OF_RESOURCE(attempts)},
        [METRIC_ADMITTED] = {OF_WORKLOAD(admitted), OF_RESOURCE(admitted)},
        [METRIC_THROTTLED] = {OF_WORKLOAD(throttled), OF_RESOURCE(throttled)},
        [METRIC_ERRORED] = {OF_WORKLOAD(errored), OF_RESOURCE(errored)},
        [METRIC_RETRIES] = {OF_WORKLOAD(retries)},
        [METRIC_RETRIED] = {OF_WORKLOAD(retried)},
        [METRIC_TIMED_OUT] = {OF_WORKLOAD(timed_out)},
        [METRIC_LOST_REPLIES] = {OF_WORKLOAD(lost_replies)},
        [METRIC_QUOTA_STOPS] = {OF_WORKLOAD(quota_stops)},
        [METRIC_QUEUED] = {OF_WORKLOAD(queued)},
        [METRIC_QUEUED_S] = {OF_WORKLOAD(queued_ns), .is_ns = true},
        [METRIC_HELD_BACK] = {OF_WORKLOAD(held_back)},
        [METRIC_HELD_BACK_S] = {OF_WORKLOAD(held_back_ns), .is_ns = true},
        [METRIC_THROTTLE_EVENTS] = {OF_RESOURCE(events)},
        [METRIC_THROTTLED_READS] = {OF_RESOURCE(throttled_reads)},
        [METRIC_THROTTLED_WRITES] = {OF_RESOURCE(throttled_writes)},
        [METRIC_CONSUMED_RCU] = {OF_RESOURCE(consumed_rncu), .is_ncu = true},
        [METRIC_CONSUMED_WCU] = {OF_RESOURCE(consumed_wncu), .is_ncu = true},
        [METRIC_INDEX_WRITES] = {OF_RESOURCE(index_writes)},
        [METRIC_MISSING_ITEMS] = {OF_RESOURCE(missing)},
    };
#undef OF_WORKLOAD
#undef OF_RESOURCE
    return sources[metric];
}

static uint64_t field_at(const void *bin, size_t offset) {
    uint64_t value;
    memcpy(&value, (const unsigned char *)bin + offset, sizeof value);
    return value;
}

static uint64_t events_of(const struct resource_bin *bin, int reason) {
    if (reason != METRIC_ANY) {
        return bin->events[reason];
    }
    uint64_t events = 0;
    for (int i = 0; i < THROTTLE_REASON_COUNT; i++) {
        events += bin->events[i];
    }
    return events;
}

/* A count of the closed second within the query's scope, exact up to the last conversion. */
static double second_count(const struct recorder *recorder, const struct metric_query *query,
                           enum metric metric) {
    struct metric_source source = source_of(metric);
    uint64_t sum = 0;
    if (source.by_resource && query->workload == METRIC_ANY) {
        bool is_events = metric == METRIC_THROTTLE_EVENTS || query->reason != METRIC_ANY;
        for (uint32_t i = 0; i < recorder->resource_count; i++) {
            if (query->resource == METRIC_ANY || query->resource == (int)i) {
                const struct resource_bin *bin = &recorder->resources[i].second;
                sum += is_events ? events_of(bin, query->reason)
                                 : field_at(bin, source.resource_offset);
            }
        }
        /* Units come in halves, so this loses nothing below 2^52 of them. */
        uint64_t half_units = sum / (uint64_t)HALF_UNIT_NCU;
        return source.is_ncu ? (double)half_units / 2.0 : (double)sum;
    }
    SIM_CHECK(source.by_workload);
    for (uint32_t i = 0; i < recorder->workload_count; i++) {
        const struct recorder_workload *workload = &recorder->workloads[i];
        if ((query->workload == METRIC_ANY || query->workload == (int)i) &&
            (query->resource == METRIC_ANY || query->resource == (int)workload->resource)) {
            sum += field_at(&workload->second, source.workload_offset);
        }
    }
    return source.is_ns ? (double)sum / (double)SIM_NS_PER_S : (double)sum;
}

/* NAN where the resource has no such level. */
static double second_level(const struct recorder *recorder, const struct metric_query *query) {
    SIM_CHECK(query->resource >= 0 && (uint32_t)query->resource < recorder->resource_count);
    const struct recorder_resource *resource = &recorder->resources[query->resource];
    const struct resource_sample *sample = &resource->last_sample;
    int64_t value = 0, unit = 1;
    switch (query->metric) {
    case METRIC_PROVISIONED_RCU: value = sample->provisioned_rcu; break;
    case METRIC_PROVISIONED_WCU: value = sample->provisioned_wcu; break;
    case METRIC_BURST_RCU:
        value = sample->burst_rncu;
        unit = NCU_PER_CU;
        break;
    case METRIC_BURST_WCU:
        value = sample->burst_wncu;
        unit = NCU_PER_CU;
        break;
    case METRIC_BUFFERED_WCU:
        value = resource->index_name == NULL ? -1 : sample->buffered_wncu;
        unit = NCU_PER_CU;
        break;
    case METRIC_DEBT_WCU:
        value = resource->index_name == NULL ? -1 : sample->debt_wncu;
        unit = NCU_PER_CU;
        break;
    default: value = sample->partitions; break;
    }
    return value == -1 ? (double)NAN : (double)value / (double)unit;
}

struct metric_faults {
    const char *no_workload, *no_table, *needs_table, *no_reason, *no_key, *whole_run, *no_sum;
};

static const struct metric_faults *faults_of(enum metric metric) {
    static const struct metric_faults faults[METRIC_COUNT] = {
#define METRIC_FAULTS(id, name, unit, level, about)                                                \
    {                                                                                              \
        "metric '" name "' has no workload",                                                       \
        "metric '" name "' has no table",                                                          \
        "metric '" name "' needs a table",                                                         \
        "metric '" name "' has no reason",                                                         \
        "metric '" name "' has no key",                                                            \
        "metric '" name "' is known for the whole run only, without 'from', 'to' and 'per'",       \
        "metric '" name "' cannot be added up; expected stat mean, max, last or first_time",       \
    },
        METRICS(METRIC_FAULTS)
#undef METRIC_FAULTS
    };
    return &faults[metric];
}

static bool metric_has_key(enum metric metric) {
    switch (metric) {
    case METRIC_ATTEMPTS:
    case METRIC_ADMITTED:
    case METRIC_THROTTLED:
    case METRIC_THROTTLED_READS:
    case METRIC_THROTTLED_WRITES:
    case METRIC_THROTTLED_SHARE:
    case METRIC_CONSUMED_RCU:
    case METRIC_CONSUMED_WCU: return true;
    default: return false;
    }
}

static bool is_cost(enum metric metric) {
    return metric == METRIC_COST_USD_PER_MONTH || metric == METRIC_ON_DEMAND_USD_PER_MONTH ||
           metric == METRIC_ON_DEMAND_COST_RATIO;
}

static bool metric_has_table(enum metric metric) {
    return is_cost(metric) || kind_of(metric) != KIND_WHOLE || metric == METRIC_KEYS ||
           metric == METRIC_FIRST_THROTTLE_S || metric == METRIC_LAST_THROTTLE_S ||
           metric == METRIC_INDEX_LAG_MS_P99 || metric == METRIC_INDEX_LAG_MS_MAX;
}

static const char *scope_fault(const struct metric_query *query) {
    enum metric metric = query->metric;
    const struct metric_faults *faults = faults_of(metric);
    if (query->reason != METRIC_ANY) {
        if (metric != METRIC_THROTTLE_EVENTS && metric != METRIC_THROTTLED) {
            return faults->no_reason;
        }
        if (query->workload != METRIC_ANY) {
            return "reasons are counted by table, not by workload; expected one of the two";
        }
    }
    if (query->workload != METRIC_ANY && !source_of(metric).by_workload &&
        kind_of(metric) != KIND_RATIO) {
        return faults->no_workload;
    }
    if (query->resource != METRIC_ANY && !metric_has_table(metric)) {
        return faults->no_table;
    }
    if (query->resource == METRIC_ANY && kind_of(metric) == KIND_LEVEL) {
        return faults->needs_table;
    }
    if (query->key == NULL) {
        return NULL;
    }
    if (!metric_has_key(metric)) {
        return faults->no_key;
    }
    if (query->workload != METRIC_ANY || query->reason != METRIC_ANY) {
        return "keys are counted by table, not by workload or reason; expected one of them";
    }
    return query->resource == METRIC_ANY ? "a key needs a table" : NULL;
}

const char *metric_query_fault(const struct metric_query *query) {
    SIM_CHECK(query->metric >= 0 && query->metric < METRIC_COUNT);
    const char *fault = scope_fault(query);
    if (fault != NULL) {
        return fault;
    }
    if (query->from_s < 0 || query->from_s >= query->to_s) {
        return "'to' must be after 'from'";
    }
    enum metric_kind kind = kind_of(query->metric);
    if (kind == KIND_WHOLE || query->key != NULL) {
        bool whole = query->per == METRIC_PER_RUN && query->from_s == 0 && query->to_s == INT64_MAX;
        if (!whole || query->stat == METRIC_FIRST_TIME) {
            return faults_of(query->metric)->whole_run;
        }
    }
    if (kind != KIND_COUNT && query->stat == METRIC_SUM && query->per != METRIC_PER_RUN) {
        return faults_of(query->metric)->no_sum;
    }
    return NULL;
}

void metric_watch_init(struct metric_watch *watch, const struct metric_query *query) {
    const char *fault = metric_query_fault(query);
    SIM_CHECKF(fault == NULL, "%s", fault);
    *watch = (struct metric_watch){
        .query = *query,
        .max = -INFINITY,
        .last = (double)NAN,
        .first_time = (double)NAN,
    };
}

static bool bins_are_seconds(const struct metric_query *query) {
    return query->per == METRIC_PER_SECOND ||
           (query->per == METRIC_PER_RUN &&
            (query->stat == METRIC_FIRST_TIME ||
             (kind_of(query->metric) == KIND_LEVEL &&
              (query->stat == METRIC_MAX || query->stat == METRIC_LAST))));
}

static void close_bin(struct metric_watch *watch) {
    if (!watch->bin_is_open) {
        return;
    }
    watch->bin_is_open = false;
    bool is_count = kind_of(watch->query.metric) == KIND_COUNT;
    if (!is_count && watch->denominator == 0.0) {
        return;
    }
    double value = is_count ? watch->numerator : watch->numerator / watch->denominator;
    watch->sum += value;
    watch->max = value > watch->max ? value : watch->max;
    watch->last = value;
    watch->bins++;
    if (value > 0.0 && isnan(watch->first_time)) {
        watch->first_time = (double)watch->bin_start_s;
    }
}

static void open_bin(struct metric_watch *watch, int64_t t_s) {
    watch->bin_is_open = true;
    watch->bin_start_s = t_s;
    watch->numerator = 0.0;
    watch->denominator = 0.0;
}

/* Of the closed second, above and below the line. */
static void add_ratio(struct metric_watch *watch, const struct recorder *recorder) {
    const struct metric_query *query = &watch->query;
    switch (query->metric) {
    case METRIC_THROTTLED_SHARE:
        watch->numerator += second_count(recorder, query, METRIC_THROTTLED);
        watch->denominator += second_count(recorder, query, METRIC_ATTEMPTS);
        break;
    case METRIC_RETRIED_SHARE:
        watch->numerator += second_count(recorder, query, METRIC_RETRIED);
        watch->denominator += second_count(recorder, query, METRIC_ATTEMPTS) -
                              second_count(recorder, query, METRIC_RETRIES);
        break;
    default:
        SIM_CHECK(query->metric == METRIC_FAILED_SHARE);
        watch->numerator += second_count(recorder, query, METRIC_GAVE_UP);
        watch->denominator += second_count(recorder, query, METRIC_OFFERED);
        break;
    }
}

void metric_watch_second(struct metric_watch *watch, const struct recorder *recorder) {
    const struct metric_query *query = &watch->query;
    int64_t t_s = recorder->second;
    enum metric_kind kind = kind_of(query->metric);
    if (t_s < query->from_s || t_s >= query->to_s || kind == KIND_WHOLE || query->key != NULL) {
        return;
    }
    if (bins_are_seconds(query) ||
        (query->per == METRIC_PER_MINUTE && t_s % SECONDS_A_MINUTE == 0)) {
        close_bin(watch);
    }
    if (!watch->bin_is_open) {
        open_bin(watch, t_s);
    }
    if (kind == KIND_COUNT) {
        watch->numerator += second_count(recorder, query, query->metric);
    } else if (kind == KIND_RATIO) {
        add_ratio(watch, recorder);
    } else {
        double level = second_level(recorder, query);
        if (!isnan(level)) {
            watch->numerator += level;
            watch->denominator += 1.0;
        }
    }
}

static double key_value(enum metric metric, const struct key_counters *key) {
    uint64_t admitted = key->reads + key->writes;
    uint64_t throttled = key->throttled_reads + key->throttled_writes;
    switch (metric) {
    case METRIC_ADMITTED: return (double)admitted;
    case METRIC_THROTTLED: return (double)throttled;
    case METRIC_ATTEMPTS: return (double)(admitted + throttled);
    case METRIC_THROTTLED_READS: return (double)key->throttled_reads;
    case METRIC_THROTTLED_WRITES: return (double)key->throttled_writes;
    case METRIC_CONSUMED_RCU: return (double)key->consumed_rncu / (double)NCU_PER_CU;
    case METRIC_CONSUMED_WCU: return (double)key->consumed_wncu / (double)NCU_PER_CU;
    default:
        SIM_CHECK(metric == METRIC_THROTTLED_SHARE);
        return admitted + throttled == 0 ? (double)NAN
                                         : (double)throttled / (double)(admitted + throttled);
    }
}

static double latency_ms(const struct recorder *recorder, double fraction) {
    sim_ns latency_ns =
        latency_histograms_quantile_ns(recorder->latencies, DDB_OPERATION_COUNT, fraction);
    return latency_ns < 0 ? (double)NAN : (double)latency_ns / (double)SIM_NS_PER_MS;
}

/* The largest over the indexes in scope. */
static double lag_ms(const struct recorder *recorder, const struct metric_query *query,
                     double fraction) {
    sim_ns most_ns = -1;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct recorder_resource *resource = &recorder->resources[i];
        if (resource->index_name != NULL &&
            (query->resource == METRIC_ANY || query->resource == (int)i)) {
            const sim_ns lag_ns = latency_histogram_quantile_ns(&resource->lags, fraction);
            most_ns = lag_ns > most_ns ? lag_ns : most_ns;
        }
    }
    return most_ns < 0 ? (double)NAN : (double)most_ns / (double)SIM_NS_PER_MS;
}

/* Over the resources in scope: keys touched, or the first or last second with a refusal. */
static double resources_value(const struct recorder *recorder, const struct metric_query *query) {
    uint64_t keys = 0;
    int64_t first_s = INT64_MAX, last_s = -1;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct recorder_resource *resource = &recorder->resources[i];
        if (query->resource != METRIC_ANY && query->resource != (int)i) {
            continue;
        }
        keys += resource->keys.count;
        if (resource->first_throttle_s >= 0 && resource->first_throttle_s < first_s) {
            first_s = resource->first_throttle_s;
        }
        last_s = resource->last_throttle_s > last_s ? resource->last_throttle_s : last_s;
    }
    if (query->metric == METRIC_KEYS) {
        return (double)keys;
    }
    if (last_s < 0) {
        return (double)NAN;
    }
    return (double)(query->metric == METRIC_FIRST_THROTTLE_S ? first_s : last_s);
}

static double usd(int64_t nusd) {
    return (double)nusd / (double)PARAMETER_MONEY_ONE;
}

static double cost_value(const struct recorder *recorder, const struct metric_query *query) {
    struct pricing_bill bill;
    if (!cost_of(recorder, query->resource == METRIC_ANY ? COST_ALL : query->resource, &bill)) {
        return (double)NAN;
    }
    const double throughput = usd(cost_throughput_nusd(&bill));
    switch (query->metric) {
    case METRIC_COST_USD_PER_MONTH: return usd(pricing_bill_sum(&bill));
    case METRIC_ON_DEMAND_USD_PER_MONTH: return usd(cost_on_demand_nusd(&bill));
    default: return throughput > 0 ? usd(cost_on_demand_nusd(&bill)) / throughput : (double)NAN;
    }
}

static double whole_value(const struct recorder *recorder, const struct metric_query *query) {
    switch (query->metric) {
    case METRIC_LATENCY_MS_P50: return latency_ms(recorder, 0.50);
    case METRIC_LATENCY_MS_P99: return latency_ms(recorder, 0.99);
    case METRIC_LATENCY_MS_MAX: return latency_ms(recorder, 1.0);
    case METRIC_INDEX_LAG_MS_P99: return lag_ms(recorder, query, 0.99);
    case METRIC_INDEX_LAG_MS_MAX: return lag_ms(recorder, query, 1.0);
    case METRIC_IN_FLIGHT: return (double)recorder->in_flight;
    case METRIC_ELAPSED_S: return (double)recorder->last_operation_ns / (double)SIM_NS_PER_S;
    case METRIC_COST_USD_PER_MONTH:
    case METRIC_ON_DEMAND_USD_PER_MONTH:
    case METRIC_ON_DEMAND_COST_RATIO: return cost_value(recorder, query);
    case METRIC_WRITE_THROTTLED_SHARE: return sides_throttled_share(recorder, true);
    case METRIC_READ_THROTTLED_SHARE: return sides_throttled_share(recorder, false);
    case METRIC_REQUESTS_PER_READ: return sides_requests(recorder, false);
    case METRIC_RCU_PER_READ: return sides_units(recorder, false);
    case METRIC_WCU_PER_WRITE: return sides_units(recorder, true);
    case METRIC_READ_LATENCY_MS_P50: return sides_latency_ms(recorder, false, 0.50);
    case METRIC_READ_LATENCY_MS_P99: return sides_latency_ms(recorder, false, 0.99);
    default: return resources_value(recorder, query);
    }
}

double metric_watch_value(const struct metric_watch *watch, const struct recorder *recorder,
                          const struct key_counters *key) {
    const struct metric_query *query = &watch->query;
    if (query->key != NULL) {
        return key == NULL ? (double)NAN : key_value(query->metric, key);
    }
    if (kind_of(query->metric) == KIND_WHOLE) {
        return whole_value(recorder, query);
    }
    struct metric_watch closed = *watch;
    close_bin(&closed);
    if (closed.bins == 0) {
        return (double)NAN;
    }
    switch (query->stat) {
    case METRIC_SUM: return closed.sum;
    case METRIC_MEAN: return closed.sum / (double)closed.bins;
    case METRIC_MAX: return closed.max;
    case METRIC_LAST: return closed.last;
    default: return closed.first_time;
    }
}
