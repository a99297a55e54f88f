#include "analysis/cost.h"

#include "sim/check.h"

static void add(struct pricing_bill *into, const struct pricing_bill *bill) {
    for (int i = 0; i < RECORDER_DIRECTIONS; i++) {
        into->flows[i] = pricing_add(into->flows[i], bill->flows[i]);
        into->hours[i] = pricing_add(into->hours[i], bill->hours[i]);
        into->on_demand[i] = pricing_add(into->on_demand[i], bill->on_demand[i]);
    }
    into->storage = pricing_add(into->storage, bill->storage);
}

bool cost_of(const struct recorder *recorder, int resource, struct pricing_bill *bill) {
    *bill = (struct pricing_bill){.storage = 0};
    if (recorder->pricing == NULL || recorder->duration_ns <= 0) {
        return false;
    }
    SIM_CHECK(resource == COST_ALL || (uint32_t)resource < recorder->resource_count);
    int64_t free_bytes = recorder->pricing->free_storage;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct pricing_bill each = pricing_month(
            recorder->pricing, &recorder->resources[i].use, recorder->duration_ns, &free_bytes);
        if (resource == COST_ALL || resource == (int)i) {
            add(bill, &each);
        }
    }
    return true;
}

int64_t cost_throughput_nusd(const struct pricing_bill *bill) {
    return pricing_add(bill->flows[RECORDER_READS], bill->flows[RECORDER_WRITES]);
}

int64_t cost_on_demand_nusd(const struct pricing_bill *bill) {
    return pricing_add(bill->on_demand[RECORDER_READS], bill->on_demand[RECORDER_WRITES]);
}
