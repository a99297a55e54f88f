#include "analysis/verdict_view.h"

#include "analysis/words.h"

#include <math.h>

/* Attempts of this direction: workloads know the direction of each of theirs. */
static void count_attempts(struct verdict_view *view, uint32_t resource) {
    const struct summary *summary = view->summary;
    if (view->writes) { /* of an index: the service's own, never refused */
        view->attempts = view->admitted = view->resource->total->index_writes;
    }
    for (uint32_t i = 0; i < summary->workload_count; i++) {
        const struct recorder_workload *workload = &summary->workloads[i];
        if (workload->resource != resource ||
            ddb_operation_writes((enum ddb_operation)workload->operation) != view->writes) {
            continue;
        }
        view->attempts += workload->total.attempts;
        view->admitted += workload->total.admitted;
        view->throttled += workload->total.throttled;
        view->retries += workload->total.retries;
    }
}

/* The events that name this limit: a table's and an index's reasons lie side by side. */
static uint64_t events_of(const struct summary_resource *resource, enum throttle_reason table,
                          enum throttle_reason index, enum throttle_reason *named) {
    *named = resource->index_name == NULL ? table : index;
    return resource->total->events[*named];
}

static void fill_reasons(struct verdict_view *view) {
    const struct summary_resource *resource = view->resource;
    if (view->writes) {
        view->key_range_events = events_of(resource, REASON_TABLE_WRITE_KEY_RANGE,
                                           REASON_INDEX_WRITE_KEY_RANGE, &view->key_range_reason);
        view->provisioned_events =
            events_of(resource, REASON_TABLE_WRITE_PROVISIONED, REASON_INDEX_WRITE_PROVISIONED,
                      &view->provisioned_reason);
        view->maximum_events = events_of(resource, REASON_TABLE_WRITE_MAX_ON_DEMAND,
                                         REASON_INDEX_WRITE_MAX_ON_DEMAND, &view->maximum_reason);
        view->quota_events = events_of(resource, REASON_TABLE_WRITE_ACCOUNT_LIMIT,
                                       REASON_INDEX_WRITE_ACCOUNT_LIMIT, &view->quota_reason);
        return;
    }
    view->key_range_events = events_of(resource, REASON_TABLE_READ_KEY_RANGE,
                                       REASON_INDEX_READ_KEY_RANGE, &view->key_range_reason);
    view->provisioned_events = events_of(resource, REASON_TABLE_READ_PROVISIONED,
                                         REASON_INDEX_READ_PROVISIONED, &view->provisioned_reason);
    view->maximum_events = events_of(resource, REASON_TABLE_READ_MAX_ON_DEMAND,
                                     REASON_INDEX_READ_MAX_ON_DEMAND, &view->maximum_reason);
    view->quota_events = events_of(resource, REASON_TABLE_READ_ACCOUNT_LIMIT,
                                   REASON_INDEX_READ_ACCOUNT_LIMIT, &view->quota_reason);
}

static void fill_rates(struct verdict_view *view, const struct recorder_flow *flow,
                       double seconds) {
    view->seconds = seconds;
    view->attempts_per_s = words_share((double)flow->attempts, seconds);
    view->admitted_per_s = words_share((double)flow->admitted, seconds);
    view->demand_per_s = words_share((double)(flow->attempts - flow->retries), seconds);
    view->demand_units_per_s = words_share((double)flow->asked_ncu / (double)NCU_PER_CU, seconds);
    view->consumed_per_s = words_share((double)flow->consumed_ncu / (double)NCU_PER_CU, seconds);
}

static const char *unit_of(bool is_on_demand, bool writes) {
    if (is_on_demand) {
        return writes ? "WRU" : "RRU";
    }
    return writes ? "WCU" : "RCU";
}

bool verdict_view_is_on_demand(const struct verdict_view *view) {
    return view->resource->provisioned_rcu < 0;
}

bool verdict_view_fill(struct verdict_view *view, const struct summary *summary, uint32_t resource,
                       bool writes) {
    const struct summary_resource *of = &summary->resources[resource];
    *view = (struct verdict_view){
        .summary = summary,
        .resource = of,
        .direction = &of->directions[writes ? RECORDER_WRITES : RECORDER_READS],
        .writes = writes,
        .unit = unit_of(of->provisioned_rcu < 0, writes),
        .things = writes ? "writes" : "reads",
        .provisioned = (double)(writes ? of->provisioned_wcu : of->provisioned_rcu),
        .cap = (double)(writes ? of->part_max_w : of->part_max_r),
    };
    count_attempts(view, resource);
    fill_reasons(view);
    const struct recorder_flow run = {
        .attempts = view->attempts,
        .admitted = view->admitted,
        .retries = view->retries,
        .asked_ncu = view->direction->asked_ncu,
        .consumed_ncu = writes ? of->total->consumed_wncu : of->total->consumed_rncu,
    };
    fill_rates(view, &run, summary->duration_s);
    view->units_each = words_share(view->demand_units_per_s, view->demand_per_s);
    return view->attempts > 0;
}

/* A table that has become on-demand was refused by what it had before. */
static double provisioned_of(const struct verdict_view *view, int limit) {
    const struct summary_resource *of = view->resource;
    const struct resource_sample *first = &of->first_sample;
    if (limit == RECORDER_PROVISIONED && verdict_view_is_on_demand(view)) {
        return (double)(view->writes ? first->provisioned_wcu : first->provisioned_rcu);
    }
    return (double)(view->writes ? of->provisioned_wcu : of->provisioned_rcu);
}

void verdict_view_turn(struct verdict_view *view, int limit) {
    view->provisioned = provisioned_of(view, limit);
    view->unit =
        unit_of(limit != RECORDER_PROVISIONED && verdict_view_is_on_demand(view), view->writes);
    view->limit = &view->direction->limits[limit];
    const struct recorder_flow *episodes = &view->limit->episodes;
    fill_rates(view, episodes, (double)episodes->seconds);
}

uint64_t verdict_view_key_refused(const struct verdict_view *view, const struct summary_key *key) {
    return view->writes ? key->counters.throttled_writes : key->counters.throttled_reads;
}

const char *verdict_view_kind(const struct verdict_view *view) {
    return view->resource->index_name == NULL ? "table" : "index";
}

const char *verdict_view_name(const struct verdict_view *view) {
    const struct summary_resource *resource = view->resource;
    return resource->index_name == NULL ? resource->table_name : resource->index_name;
}

uint64_t verdict_view_key_attempts(const struct verdict_view *view, const struct summary_key *key) {
    const uint64_t admitted = view->writes ? key->counters.writes : key->counters.reads;
    return admitted + verdict_view_key_refused(view, key);
}

/* First attempts among all attempts, while the limit refuses. */
static double first_share(const struct verdict_view *view) {
    return words_share(view->demand_per_s, view->attempts_per_s);
}

static double consumed_units(int64_t ncu) {
    return (double)ncu / (double)NCU_PER_CU;
}

/* Mean cost of an admitted request: bins count units, not requests. */
static double admitted_each(const struct verdict_view *view) {
    const struct resource_bin *total = view->resource->total;
    const int64_t ncu = view->writes ? total->consumed_wncu : total->consumed_rncu;
    return words_share(consumed_units(ncu), (double)view->admitted);
}

static uint64_t partition_refused(const struct verdict_view *view, const struct summary_key *key) {
    const struct partition_bin *bin = key->partition_total;
    return view->writes ? bin->throttled_writes : bin->throttled_reads;
}

static double partition_refused_seconds(const struct verdict_view *view,
                                        const struct summary_key *key) {
    return (double)key->partition_refusals->seconds[view->writes];
}

static double partition_attempts(const struct verdict_view *view, const struct summary_key *key) {
    const struct partition_bin *bin = key->partition_total;
    const int64_t ncu = view->writes ? bin->consumed_wncu : bin->consumed_rncu;
    return words_share(consumed_units(ncu), admitted_each(view)) +
           (double)partition_refused(view, key);
}

double verdict_view_partition_demand(const struct verdict_view *view,
                                     const struct summary_key *key) {
    const double seconds = partition_refused_seconds(view, key);
    if (seconds <= 0) {
        return words_share(partition_attempts(view, key), (double)view->attempts) *
               view->demand_per_s;
    }
    const double units = consumed_units(key->partition_refusals->consumed_ncu[view->writes]);
    const double attempts =
        words_share(units, admitted_each(view)) + (double)partition_refused(view, key);
    return attempts / seconds * first_share(view);
}

double verdict_view_key_demand(const struct verdict_view *view, const struct summary_key *key) {
    const double partition = verdict_view_partition_demand(view, key);
    const double attempts = (double)verdict_view_key_attempts(view, key);
    const double refused = (double)verdict_view_key_refused(view, key);
    if (refused <= 0) {
        return fmin(1, words_share(attempts, partition_attempts(view, key))) * partition;
    }
    const double share = words_share(refused, (double)partition_refused(view, key));
    const double most = attempts / partition_refused_seconds(view, key) * first_share(view);
    return fmin(share * partition, most);
}

double verdict_view_key_each(const struct verdict_view *view, const struct summary_key *key) {
    const struct key_counters *counters = &key->counters;
    const int64_t ncu = view->writes ? counters->consumed_wncu : counters->consumed_rncu;
    const uint64_t admitted = view->writes ? counters->writes : counters->reads;
    return admitted > 0 ? consumed_units(ncu) / (double)admitted : view->units_each;
}

double verdict_view_key_refused_per_s(const struct verdict_view *view,
                                      const struct summary_key *key) {
    return words_share((double)verdict_view_key_refused(view, key),
                       partition_refused_seconds(view, key));
}

const struct summary_key *verdict_view_busiest(const struct verdict_view *view) {
    const struct summary_resource *resource = view->resource;
    const struct summary_key *busiest = verdict_view_most_refused(view);
    for (uint32_t i = 0; i < resource->hottest_count; i++) {
        const struct summary_key *key = &resource->hottest[i];
        if (busiest == NULL
                ? verdict_view_key_attempts(view, key) > 0
                : verdict_view_key_attempts(view, key) > verdict_view_key_attempts(view, busiest)) {
            busiest = key;
        }
    }
    return busiest;
}

const struct summary_key *verdict_view_most_refused(const struct verdict_view *view) {
    const struct summary_resource *resource = view->resource;
    const struct summary_key *most = NULL;
    for (uint32_t i = 0; i < resource->throttled_count; i++) {
        const struct summary_key *key = &resource->throttled[i];
        const uint64_t refused = verdict_view_key_refused(view, key);
        if (refused > 0 && (most == NULL || refused > verdict_view_key_refused(view, most))) {
            most = key;
        }
    }
    return most;
}
