/*
 * sides.h - Reads and writes as operations: what one of them asks for, costs, waits for.
 *
 * A logical read may be several requests (scatter-gather, pages, batches), so figures by request
 * say little about designs that read differently; these are by operation of the workloads that
 * read, or of those that write.
 * Owns: nothing.  Cost: O(workloads + resources).
 */
#ifndef DDBSIM_ANALYSIS_SIDES_H
#define DDBSIM_ANALYSIS_SIDES_H

#include "analysis/recorder.h"

#include <stdbool.h>

/* Each is NAN where nothing is known: no such workload, nothing that succeeded. */

/* Refused / sent. */
double sides_throttled_share(const struct recorder *recorder, bool writes);
/* Requests of an operation, retries left out. */
double sides_requests(const struct recorder *recorder, bool writes);
/* Read or write units, entries of indexes included, of an operation that succeeded. */
double sides_units(const struct recorder *recorder, bool writes);
/* Of operations that succeeded. */
double sides_latency_ms(const struct recorder *recorder, bool writes, double fraction);

#endif
