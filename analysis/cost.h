/*
 * cost.h - What a run costs a month at its rate: bills of tables and indexes, and metrics of them.
 *
 * Free storage goes to the first resources that have some, in their order.
 * Owns: nothing.  Cost: O(resources).
 */
#ifndef DDBSIM_ANALYSIS_COST_H
#define DDBSIM_ANALYSIS_COST_H

#include "analysis/recorder.h"

#include <stdbool.h>

#define COST_ALL (-1)

/* After recorder_finish: of one resource, or COST_ALL. False when costs are not asked for or the
 * run has no length. */
bool cost_of(const struct recorder *recorder, int resource, struct pricing_bill *bill);

/* Throughput as it was run, and if all of it were on demand. */
int64_t cost_throughput_nusd(const struct pricing_bill *bill);
int64_t cost_on_demand_nusd(const struct pricing_bill *bill);

#endif
