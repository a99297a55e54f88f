/*
 * service_transaction.h - TransactGetItems and TransactWriteItems: all members or none.
 *
 *   a member costs   twice what it would cost by itself, a read as a consistent one; entries of
 *                    local indexes once
 *   refused          when the table or a partition has not what all of them ask of it together, or
 *                    an index refuses one of the writes: nothing is consumed, nothing changes
 *   cancelled        by a condition that fails or an item collection that is full: all pay as if
 *                    it had succeeded, nothing changes
 *
 * A transaction is one attempt, of as many outcomes as it has members; refused, of those that were.
 *
 * Source:  AWS Developer Guide, "Amazon DynamoDB Transactions": docs/models/transaction.md.
 * Owns:    nothing.  Cost: O(members^2).
 */
#ifndef DDBSIM_MODELS_SERVICE_TRANSACTION_H
#define DDBSIM_MODELS_SERVICE_TRANSACTION_H

#include "models/service.h"

#include <stdint.h>

/* Members of one table, each item once: operation GetItem; or PutItem, DeleteItem, with conditions
 * as the caller draws them. All reads or all writes (checked); the first one's router counts. Room
 * for the writes to indexes is reserved (service_reserve). count is 1 … TRANSACTION_ITEMS_MAX.
 * Fills outcomes, at most count of them; returns how many. */
uint32_t service_transact(struct service *service, sim_ns now_ns, const struct request *members,
                          uint32_t count, struct outcome *outcomes);

#endif
