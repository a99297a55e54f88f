#include "analysis/verdict_view.h"

#include <math.h>

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Attempts of this direction: workloads know the direction of each of theirs. */
static void count_attempts(struct verdict_view *view, uint32_t resource) {
    const struct summary *summary = view->summary;
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
        return;
    }
    view->key_range_events = events_of(resource, REASON_TABLE_READ_KEY_RANGE,
                                       REASON_INDEX_READ_KEY_RANGE, &view->key_range_reason);
    view->provisioned_events = events_of(resource, REASON_TABLE_READ_PROVISIONED,
                                         REASON_INDEX_READ_PROVISIONED, &view->provisioned_reason);
}

static void fill_rates(struct verdict_view *view) {
    const struct recorder_direction *direction = view->direction;
    const bool refused = direction->throttled_seconds > 0;
    const double attempts = (double)(refused ? direction->attempts : view->attempts);
    const double admitted = (double)(refused ? direction->admitted : view->admitted);
    const double retries = (double)(refused ? direction->retries : view->retries);
    view->seconds = refused ? (double)direction->throttled_seconds : view->summary->duration_s;
    view->attempts_per_s = ratio(attempts, view->seconds);
    view->admitted_per_s = ratio(admitted, view->seconds);
    view->demand_per_s = ratio(attempts - retries, view->seconds);
}

bool verdict_view_fill(struct verdict_view *view, const struct summary *summary, uint32_t resource,
                       bool writes) {
    const struct summary_resource *of = &summary->resources[resource];
    *view = (struct verdict_view){
        .summary = summary,
        .resource = of,
        .direction = &of->directions[writes ? RECORDER_WRITES : RECORDER_READS],
        .writes = writes,
        .unit = writes ? "WCU" : "RCU",
        .things = writes ? "writes" : "reads",
        .provisioned = (double)(writes ? of->provisioned_wcu : of->provisioned_rcu),
        .cap = (double)(writes ? of->part_max_w : of->part_max_r),
    };
    count_attempts(view, resource);
    fill_reasons(view);
    fill_rates(view);
    const int64_t consumed_ncu = writes ? of->total->consumed_wncu : of->total->consumed_rncu;
    view->units_each = ratio((double)consumed_ncu / (double)NCU_PER_CU, (double)view->admitted);
    return view->attempts > 0;
}

uint64_t verdict_view_key_refused(const struct verdict_view *view, const struct summary_key *key) {
    return view->writes ? key->counters.throttled_writes : key->counters.throttled_reads;
}

uint64_t verdict_view_key_attempts(const struct verdict_view *view, const struct summary_key *key) {
    const uint64_t admitted = view->writes ? key->counters.writes : key->counters.reads;
    return admitted + verdict_view_key_refused(view, key);
}

/* Attempts at the key's partition, and the admitted ones (by units: bins count no requests). */
static void partition_attempts(const struct verdict_view *view, const struct summary_key *key,
                               double *attempts, double *admitted) {
    const struct partition_bin *bin = key->partition_total;
    const int64_t consumed_ncu = view->writes ? bin->consumed_wncu : bin->consumed_rncu;
    const uint64_t refused = view->writes ? bin->throttled_writes : bin->throttled_reads;
    *admitted = ratio((double)consumed_ncu / (double)NCU_PER_CU, view->units_each);
    *attempts = *admitted + (double)refused;
}

double verdict_view_partition_demand(const struct verdict_view *view,
                                     const struct summary_key *key) {
    double attempts = 0, admitted = 0;
    partition_attempts(view, key, &attempts, &admitted);
    const double by_share = ratio(attempts, (double)view->attempts) * view->demand_per_s;
    /* (b) is about refusals by the partition: where others prevail it would count them as well. */
    if (view->key_range_events == 0 || 2 * view->key_range_events < view->throttled ||
        attempts <= admitted || view->units_each <= 0) {
        return by_share;
    }
    const double first_share = ratio(view->demand_per_s, view->attempts_per_s);
    const double by_cap = view->cap / view->units_each * ratio(attempts, admitted) * first_share;
    return fmax(by_share, by_cap);
}

double verdict_view_key_demand(const struct verdict_view *view, const struct summary_key *key) {
    double attempts = 0, admitted = 0;
    partition_attempts(view, key, &attempts, &admitted);
    const double share = fmin(1, ratio((double)verdict_view_key_attempts(view, key), attempts));
    return share * verdict_view_partition_demand(view, key);
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
