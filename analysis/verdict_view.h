/*
 * verdict_view.h - The figures that a verdict speaks of: one direction (reads or writes) of one
 * table.
 *
 * Rates are those of the seconds with refusals, when there are any, else of the whole run. Demand
 * leaves retries out: it is what the application wants, not what its SDK sends.
 *
 *   demand of a partition   the larger of
 *                           (a) its share of the table's attempts, times the table's demand
 *                           (b) cap * attempts / admitted, true while it is at its cap
 *   demand of a key         the same, by its share of its partition's attempts
 *
 * Used by verdict*.c and their tests only. Owns: nothing; the summary must outlive it.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_VIEW_H
#define DDBSIM_ANALYSIS_VERDICT_VIEW_H

#include "analysis/summary.h"

#include <stdbool.h>
#include <stdint.h>

struct verdict_view {
    const struct summary *summary;
    const struct summary_resource *resource;
    const struct recorder_direction *direction;
    bool writes;
    const char *unit, *things;                       /* "WCU", "writes" */
    uint64_t attempts, admitted, throttled, retries; /* of the run */
    uint64_t key_range_events, provisioned_events;
    enum throttle_reason key_range_reason, provisioned_reason;
    double provisioned, cap; /* units per second; cap: of one partition */
    double units_each;       /* mean cost of a request, 0: none was admitted */
    double seconds;          /* those that the rates below are of */
    double attempts_per_s, admitted_per_s, demand_per_s; /* requests */
};

/* Filled for one direction; false when it had no attempt at all. */
bool verdict_view_fill(struct verdict_view *view, const struct summary *summary, uint32_t resource,
                       bool writes);

/* The key's attempts in this direction. */
uint64_t verdict_view_key_attempts(const struct verdict_view *view, const struct summary_key *key);
uint64_t verdict_view_key_refused(const struct verdict_view *view, const struct summary_key *key);
/* Requests per second that the key, its partition, wants. */
double verdict_view_key_demand(const struct verdict_view *view, const struct summary_key *key);
double verdict_view_partition_demand(const struct verdict_view *view,
                                     const struct summary_key *key);

/* The key with most attempts in this direction among those that the summary lists, or NULL. */
const struct summary_key *verdict_view_busiest(const struct verdict_view *view);
/* The key that was refused most in this direction, NULL: none. */
const struct summary_key *verdict_view_most_refused(const struct verdict_view *view);

#endif
