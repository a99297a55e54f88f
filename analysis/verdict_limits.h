/*
 * verdict_limits.h - The rows of the decision table that are about one limit of one direction of a
 * table.
 *
 * docs/verdict.md holds the same table in words. Used by verdict.c only.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_LIMITS_H
#define DDBSIM_ANALYSIS_VERDICT_LIMITS_H

#include "analysis/verdict_view.h"
#include "analysis/words.h"

#include <stdbool.h>
#include <stddef.h>

/* One symptom: the first row of a list that applies is said. */
struct verdict_row {
    const char *name; /* as in docs/verdict.md */
    bool (*applies)(const struct verdict_view *view);
    void (*say)(const struct verdict_view *view, struct phrase *phrase);
};

/* Refusals by a partition's cap, and by the provisioned capacity. */
const struct verdict_row *verdict_key_range_rows(size_t *count);
const struct verdict_row *verdict_provisioned_rows(size_t *count);

/* By an on-demand table's maximum, and by the account's quota. */
const struct verdict_row *verdict_maximum_rows(size_t *count);
const struct verdict_row *verdict_quota_rows(size_t *count);
/* How much of what its partitions take an on-demand table uses. */
void verdict_say_on_demand_use(const struct verdict_view *view, double peak, struct phrase *phrase);
/* What gives an on-demand table more partitions. */
void verdict_say_pre_warm(const struct verdict_view *view, double units_per_s,
                          struct phrase *phrase);
/* Refusals of writes to its table by an index. */
const struct verdict_row *verdict_index_rows(bool key_range, size_t *count);
bool verdict_has_index_refusals(const struct summary *summary);

/* In eras in which partitions have shares of it, these come in place of the latter. */
bool verdict_has_shares(const struct summary *summary);
const struct verdict_row *verdict_shares_rows(size_t *count);
/* What their figures rest on. */
void verdict_say_shares_rest_on(const struct summary *summary, struct phrase *phrase);

/* "throttled: <reason> on table orders: ", of the provisioned capacity. */
void verdict_say_provisioned_limit(const struct verdict_view *view, struct phrase *phrase);
/* "on table orders, " when there are several tables. */
void verdict_say_where(const struct verdict_view *view, struct phrase *phrase);
/* "from 12 s to the end, in 500 of 600 s": the seconds with refusals. */
void verdict_say_when(const struct verdict_view *view, struct phrase *phrase);
/* " (2 WCU each)" when a request does not cost one unit. */
void verdict_say_each(const struct verdict_view *view, double units_each, struct phrase *phrase);
/* ", retries included (10/s without)" when there were any; demand: without them. */
void verdict_say_retries(const struct verdict_view *view, double demand_per_s,
                         struct phrase *phrase);
/* ", full again (300 WCU) after 5 min without writes": when saved capacity is missing at the end,
 * or when it was back. */
void verdict_say_full_again(const struct verdict_view *view, struct phrase *phrase);

#endif
