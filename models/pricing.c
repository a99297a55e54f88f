#include "models/pricing.h"

#include "models/request.h"
#include "sim/check.h"

#define SECONDS_PER_HOUR 3600
#define BYTES_PER_GB (INT64_C(1) << 30)
#define MILLION INT64_C(1000000)

static const struct parameter_row rows[] = {
#define PRICING_ROW(name, kind, preset, min, max, words, source, about)                            \
    {#name,                                                                                        \
     PARAMETER_##kind,                                                                             \
     preset,                                                                                       \
     min,                                                                                          \
     max,                                                                                          \
     words,                                                                                        \
     source,                                                                                       \
     about,                                                                                        \
     offsetof(struct pricing, name)},
    PRICING_PARAMETERS(PRICING_ROW)
#undef PRICING_ROW
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])

/* Prices in nano-dollars. us-east-1: AWS Price List, offer of 2026-09-11. Until 2024-10-31: on
 * demand twice that, replicated writes 1.5 times the price of writes ("up to 67 %" and "33 %" off
 * in the announcement of November 2024); provisioned and storage have not changed since 2018. */
struct price_list_row {
    const char *name;
    int64_t on_demand_write, on_demand_read; /* of a million */
    int64_t provisioned_write, provisioned_read;
    int64_t replicated_million, replicated_hour;
    int64_t storage;
};

static const struct price_list_row price_lists[PRICE_LIST_COUNT] = {
    [PRICE_LIST_US_EAST_1] = {"us-east-1, September 2026", 625000000, 125000000, 650000, 130000,
                              625000000, 650000, 250000000},
    [PRICE_LIST_US_EAST_1_2018] = {"us-east-1, 2018 to October 2024", 1250000000, 250000000, 650000,
                                   130000, 1875000000, 975000, 250000000},
};

const struct parameter_row *pricing_rows(size_t *count) {
    *count = ROW_COUNT;
    return rows;
}

void pricing_default(struct pricing *pricing) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        parameter_set(pricing, &rows[i], rows[i].default_value);
    }
}

void pricing_apply_list(struct pricing *pricing, uint64_t given) {
    const struct price_list_row *list = &price_lists[pricing->price_list];
    struct pricing listed = *pricing;
    listed.on_demand_write_usd_per_million = list->on_demand_write;
    listed.on_demand_read_usd_per_million = list->on_demand_read;
    listed.provisioned_write_usd_per_hour = list->provisioned_write;
    listed.provisioned_read_usd_per_hour = list->provisioned_read;
    listed.replicated_write_usd_per_million = list->replicated_million;
    listed.replicated_write_usd_per_hour = list->replicated_hour;
    listed.storage_usd_per_gb_month = list->storage;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((given >> i & 1) == 0) {
            parameter_set(pricing, &rows[i], parameter_get(&listed, &rows[i]));
        }
    }
}

const char *pricing_list_name(const struct pricing *pricing) {
    return price_lists[pricing->price_list].name;
}

int64_t pricing_index_bytes(const struct index_spec *index) {
    return index->index_size_bytes == SPEC_UNKNOWN ? 0 : index->index_size_bytes;
}

int64_t pricing_table_bytes(const struct pricing *pricing, const struct table_spec *table) {
    if (table->table_size_bytes == SPEC_UNKNOWN) {
        return 0;
    }
    int64_t bytes = table->table_size_bytes, overhead_bytes = 0;
    if (table->item_count != SPEC_UNKNOWN &&
        __builtin_mul_overflow(table->item_count, pricing->item_overhead, &overhead_bytes)) {
        return INT64_MAX;
    }
    bytes = pricing_add(bytes, overhead_bytes);
    for (uint32_t i = table->global_index_count; i < table->index_count; i++) {
        bytes = pricing_add(bytes, pricing_index_bytes(&table->indexes[i]));
    }
    return bytes;
}

void pricing_use_second(struct pricing_use *use, const struct resource_sample *sample,
                        int64_t consumed_rncu, int64_t consumed_wncu) {
    const int64_t consumed_ncu[2] = {consumed_rncu, consumed_wncu};
    const int64_t provisioned[2] = {sample->provisioned_rcu, sample->provisioned_wcu};
    use->seconds++;
    for (int i = 0; i < 2; i++) {
        struct pricing_flow *flow = &use->flows[i];
        flow->consumed_ncu += consumed_ncu[i];
        if (provisioned[i] < 0) {
            flow->on_demand_ncu += consumed_ncu[i];
        } else {
            flow->provisioned_unit_s += provisioned[i];
        }
    }
}

/* To the nearest, halves up; at most INT64_MAX. ISO C does not know __int128: __extension__. */
__extension__ static int64_t rounded(__int128 numerator, __int128 denominator) {
    SIM_CHECK(numerator >= 0 && denominator > 0);
    const __int128 value = (numerator + denominator / 2) / denominator;
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

int64_t pricing_add(int64_t left, int64_t right) {
    int64_t sum;
    return __builtin_add_overflow(left, right, &sum) ? INT64_MAX : sum;
}

/* Units consumed, at so much a million of them. */
__extension__ static int64_t request_month(const struct pricing *pricing, int64_t ncu,
                                           int64_t price_nusd, sim_ns duration_ns) {
    const int64_t month_s = pricing->hours_per_month * SECONDS_PER_HOUR;
    const __int128 run_nusd_ncu = (__int128)ncu * price_nusd;
    /* × month / run; ncu and ns are both billionths, which cancel each other */
    return rounded(run_nusd_ncu * month_s, (__int128)duration_ns * MILLION);
}

__extension__ static int64_t hours_month(const struct pricing *pricing,
                                         const struct pricing_use *use,
                                         const struct pricing_flow *flow, int64_t price_nusd) {
    return use->seconds == 0
               ? 0
               : rounded((__int128)flow->provisioned_unit_s * price_nusd * pricing->hours_per_month,
                         use->seconds);
}

__extension__ static int64_t storage_month(const struct pricing *pricing,
                                           const struct pricing_use *use, int64_t *free_bytes) {
    const int64_t free = use->bytes < *free_bytes ? use->bytes : *free_bytes;
    *free_bytes -= free;
    return rounded((__int128)(use->bytes - free) * pricing->storage_usd_per_gb_month *
                       (1 + pricing->replicas),
                   BYTES_PER_GB);
}

/* Of a million requests, and of a unit for an hour. */
struct flow_prices {
    int64_t million, hour;
};

static struct flow_prices prices_of(const struct pricing *pricing, bool writes) {
    if (!writes) {
        return (struct flow_prices){.million = pricing->on_demand_read_usd_per_million,
                                    .hour = pricing->provisioned_read_usd_per_hour};
    }
    if (pricing->replicas == 0) {
        return (struct flow_prices){.million = pricing->on_demand_write_usd_per_million,
                                    .hour = pricing->provisioned_write_usd_per_hour};
    }
    /* every write to a global table is a replicated one, in each of its Regions */
    const int64_t regions = 1 + pricing->replicas;
    return (struct flow_prices){.million = pricing->replicated_write_usd_per_million * regions,
                                .hour = pricing->replicated_write_usd_per_hour * regions};
}

struct pricing_bill pricing_month(const struct pricing *pricing, const struct pricing_use *use,
                                  sim_ns duration_ns, int64_t *free_bytes) {
    SIM_CHECK(duration_ns > 0);
    struct pricing_bill bill = {.storage = storage_month(pricing, use, free_bytes)};
    for (int i = 0; i < 2; i++) {
        const struct pricing_flow *flow = &use->flows[i];
        const struct flow_prices prices = prices_of(pricing, i == 1);
        bill.hours[i] = hours_month(pricing, use, flow, prices.hour);
        bill.flows[i] = pricing_add(bill.hours[i], request_month(pricing, flow->on_demand_ncu,
                                                                 prices.million, duration_ns));
        bill.on_demand[i] = request_month(pricing, flow->consumed_ncu, prices.million, duration_ns);
    }
    return bill;
}

int64_t pricing_bill_sum(const struct pricing_bill *bill) {
    return pricing_add(pricing_add(bill->flows[0], bill->flows[1]), bill->storage);
}

__extension__ int64_t pricing_break_even(const struct pricing *pricing, bool writes) {
    const struct flow_prices prices = prices_of(pricing, writes);
    /* an hour of a unit in use all the time is 3,600 of a million requests */
    return prices.million == 0 ? -1
                               : rounded((__int128)prices.hour * MILLION * MILLION,
                                         (__int128)prices.million * SECONDS_PER_HOUR);
}
