/*
 * lane_group.h - Several asks that are admitted together or not at all; for service*.c alone.
 *
 * The table (its pool, its limits) is asked once, for the sum; each partition, and in eras with
 * shares its share, for the sum of what is asked of it.
 *
 * Source:  service_scan.h, service_transaction.h.
 * Owns:    nothing.  Cost: O(asks^2), of at most LANE_GROUP_MAX.
 */
#ifndef DDBSIM_MODELS_LANE_GROUP_H
#define DDBSIM_MODELS_LANE_GROUP_H

#include "models/lane.h"

#include <stdint.h>

#define LANE_GROUP_MAX 100

/* Why the table refuses them; reasons[i]: why the partition of asks[i] does. All 0: admitted. They
 * agree in may_owe. */
uint16_t lane_group_refuse(const struct lane *lane, sim_ns now_ns, uint32_t router,
                           const struct lane_ask *asks, uint32_t count, uint16_t *reasons);
/* All pay; after _refuse has found no reason at the same now. */
void lane_group_take(const struct lane *lane, uint32_t router, const struct lane_ask *asks,
                     uint32_t count);
int64_t lane_group_sum_ncu(const struct lane_ask *asks, uint32_t count);

#endif
