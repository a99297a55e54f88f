/*
 * pricing.h - What a table costs: request units, provisioned hours, storage, replicated writes.
 *
 *   on demand     units consumed × price of a million
 *   provisioned   Σ over seconds of provisioned units × price of an hour
 *   replicated    the write part, once more for each further Region, at the replicated price
 *   storage       (bytes + items × overhead − what is free) × price of a GB-month, in each Region
 *   a month       hours_per_month of what the run has shown
 *
 * Money is a whole number of nano-dollars; products are formed in 128 bits and rounded once, to the
 * nearest; 2^63 of them, $9.2 billion a month, is the most that is told. A resource is charged by
 * its mode in each second, so that auto scaling, UpdateTable and switches of the mode are in the
 * sum.
 *
 * Source:  https://aws.amazon.com/dynamodb/pricing/ by the AWS Price List (price_lists in
 *          pricing.c has the dates); AWS guide, item sizes: 100 bytes of storage overhead an item.
 * Assumes: capacity is charged by its mean over time (docs/models/pricing.md).
 * Owns:    nothing.  Cost: O(1) a resource and second.
 */
#ifndef DDBSIM_MODELS_PRICING_H
#define DDBSIM_MODELS_PRICING_H

#include "models/parameters.h"
#include "models/sample.h"
#include "models/spec.h"
#include "sim/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRICING_MONEY_MAX (100 * PARAMETER_MONEY_ONE)

enum price_list { PRICE_LIST_US_EAST_1, PRICE_LIST_US_EAST_1_2018, PRICE_LIST_COUNT };

/* As MODEL_PARAMETERS. MONEY rows that are not given come from the price list. */
#define PRICING_PARAMETERS(X)                                                                      \
    X(price_list, CHOICE, PRICE_LIST_US_EAST_1, 0, PRICE_LIST_COUNT - 1,                           \
      "us-east-1 us-east-1-2018", "DOC AWS Price List of September 2026; of 2018 to October 2024", \
      "Region and date of the prices that are not given; those of another Region can be given")    \
    X(on_demand_write_usd_per_million, MONEY, 625000000, 0, PRICING_MONEY_MAX, "",                 \
      "DOC AWS Price List, us-east-1", "a million write request units")                            \
    X(on_demand_read_usd_per_million, MONEY, 125000000, 0, PRICING_MONEY_MAX, "",                  \
      "DOC AWS Price List, us-east-1", "a million read request units")                             \
    X(provisioned_write_usd_per_hour, MONEY, 650000, 0, PRICING_MONEY_MAX, "",                     \
      "DOC AWS Price List, us-east-1", "a write capacity unit for an hour")                        \
    X(provisioned_read_usd_per_hour, MONEY, 130000, 0, PRICING_MONEY_MAX, "",                      \
      "DOC AWS Price List, us-east-1", "a read capacity unit for an hour")                         \
    X(replicated_write_usd_per_million, MONEY, 625000000, 0, PRICING_MONEY_MAX, "",                \
      "DOC AWS Price List, us-east-1", "a million replicated write request units")                 \
    X(replicated_write_usd_per_hour, MONEY, 650000, 0, PRICING_MONEY_MAX, "",                      \
      "DOC AWS Price List, us-east-1", "a replicated write capacity unit for an hour")             \
    X(storage_usd_per_gb_month, MONEY, 250000000, 0, PRICING_MONEY_MAX, "",                        \
      "DOC AWS Price List, us-east-1", "a GB stored for a month")                                  \
    X(free_storage, BYTES, INT64_C(25) << 30, 0, INT64_C(1) << 50, "",                             \
      "DOC AWS pricing page: 25 GB of an account and Region",                                      \
      "storage that costs nothing, taken off the tables in their order")                           \
    X(item_overhead, BYTES, 100, 0, 1000, "", "DOC AWS guide, item sizes",                         \
      "storage charged beside an item's own bytes, where ItemCount is known")                      \
    X(replicas, COUNT, 0, 0, 40, "", "the scenario's",                                             \
      "further Regions of a global table: each is charged all writes and the storage once more")   \
    X(hours_per_month, COUNT, 730, 1, 744, "", "AWS pricing examples",                             \
      "of a month as costs are told")

/* The name says "usd"; the stored value is nano-dollars. */
struct pricing {
#define PRICING_FIELD(name, kind, ...) int64_t name;
    PRICING_PARAMETERS(PRICING_FIELD)
#undef PRICING_FIELD
};

/* The list as data; *count rows. Values by parameter_get and parameter_set. */
const struct parameter_row *pricing_rows(size_t *count);

void pricing_default(struct pricing *pricing);
/* Takes the prices of pricing->price_list but for rows whose bit is set in `given`. */
void pricing_apply_list(struct pricing *pricing, uint64_t given);
/* "us-east-1, September 2026". */
const char *pricing_list_name(const struct pricing *pricing);

/* Reads or writes of a resource in a span of time; [0] reads, [1] writes, here and below. */
struct pricing_flow {
    int64_t consumed_ncu;
    int64_t on_demand_ncu;      /* of these, while it was on demand */
    int64_t provisioned_unit_s; /* Σ over seconds of units provisioned */
};

struct pricing_use {
    struct pricing_flow flows[2];
    int64_t seconds; /* closed ones */
    int64_t bytes;   /* stored, with overhead; 0: not known */
};

/* Bytes that are charged for at the start; 0 when TableSizeBytes or IndexSizeBytes is not known.
 * Local indexes count for their table. */
int64_t pricing_table_bytes(const struct pricing *pricing, const struct table_spec *table);
int64_t pricing_index_bytes(const struct index_spec *index);

/* A second has ended with this level and has consumed that. */
void pricing_use_second(struct pricing_use *use, const struct resource_sample *sample,
                        int64_t consumed_rncu, int64_t consumed_wncu);

/* Nano-dollars a month. */
struct pricing_bill {
    int64_t flows[2];     /* as it was run, replicas included */
    int64_t hours[2];     /* of these, hours of provisioned capacity */
    int64_t on_demand[2]; /* what was consumed, if all of it were on demand */
    int64_t storage;
};

/* What `use` costs a month at the rate of a run of that length, > 0 (checked). *free_bytes: what is
 * still free, in and out. */
struct pricing_bill pricing_month(const struct pricing *pricing, const struct pricing_use *use,
                                  sim_ns duration_ns, int64_t *free_bytes);
/* Of sums that are not negative; held at INT64_MAX. */
int64_t pricing_add(int64_t left, int64_t right);
int64_t pricing_bill_sum(const struct pricing_bill *bill);

/* The part of provisioned units in use below which on demand costs less, in millionths; -1: there
 * is none, as a million on demand costs nothing. */
int64_t pricing_break_even(const struct pricing *pricing, bool writes);

#endif
