/*
 * verdict_view.h - The figures that a verdict speaks of: one direction (reads or writes) of one
 * table.
 *
 * A view is about one limit, too. Rates are those of its episodes (recorder.h), when it refused
 * anything, else of the whole run. Demand leaves retries out: it is what the application wants, not
 * what its SDK sends.
 *
 *   demand of a partition   what came in the seconds in which it was refused, less the retries; if
 *                           it never was, its share of the table's attempts times their demand
 *   demand of a key         its share of its partition's refusals, or else attempts; at most as if
 *                           all of its attempts had come in those seconds
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
    const struct recorder_limit *limit; /* that the rates are about; NULL: of the whole run */
    bool writes;
    const char *unit, *things;                       /* "WCU", on-demand "WRU"; "writes" */
    uint64_t attempts, admitted, throttled, retries; /* of the run */
    uint64_t key_range_events, provisioned_events, maximum_events, quota_events;
    enum throttle_reason key_range_reason, provisioned_reason, maximum_reason, quota_reason;
    double provisioned, cap; /* units per second; cap: of one partition */
    double units_each;       /* mean cost of what was asked for (first attempts) */
    double seconds;          /* those that the rates below are of */
    double attempts_per_s, admitted_per_s, demand_per_s; /* requests */
    double demand_units_per_s, consumed_per_s;           /* units */
};

/* Filled for one direction, with the rates of the whole run; false when it had no attempt. */
bool verdict_view_fill(struct verdict_view *view, const struct summary *summary, uint32_t resource,
                       bool writes);
/* Turns the view to one of the direction's RECORDER_LIMITS. */
void verdict_view_turn(struct verdict_view *view, int limit);

/* At the end of the run. */
bool verdict_view_is_on_demand(const struct verdict_view *view);

/* "table" or "index", and its name. */
const char *verdict_view_kind(const struct verdict_view *view);
const char *verdict_view_name(const struct verdict_view *view);

/* The key's attempts in this direction. */
uint64_t verdict_view_key_attempts(const struct verdict_view *view, const struct summary_key *key);
uint64_t verdict_view_key_refused(const struct verdict_view *view, const struct summary_key *key);
/* Requests per second that the key, its partition, wants. */
double verdict_view_key_demand(const struct verdict_view *view, const struct summary_key *key);
double verdict_view_partition_demand(const struct verdict_view *view,
                                     const struct summary_key *key);
/* Mean cost of the key's requests. */
double verdict_view_key_each(const struct verdict_view *view, const struct summary_key *key);
/* Refused attempts per second of the key, in the seconds in which its partition was refused. */
double verdict_view_key_refused_per_s(const struct verdict_view *view,
                                      const struct summary_key *key);

/* The key with most attempts in this direction among those that the summary lists, or NULL. */
const struct summary_key *verdict_view_busiest(const struct verdict_view *view);
/* The key that was refused most in this direction, NULL: none. */
const struct summary_key *verdict_view_most_refused(const struct verdict_view *view);

#endif
