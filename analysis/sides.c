#include "analysis/sides.h"

#include <math.h>

struct side {
    uint64_t offered, succeeded, attempts, throttled, retries;
};

static struct side side_of(const struct recorder *recorder, bool writes) {
    struct side side = {.offered = 0};
    for (uint32_t i = 0; i < recorder->workload_count; i++) {
        const struct recorder_workload *workload = &recorder->workloads[i];
        if (ddb_operation_writes((enum ddb_operation)workload->operation) == writes) {
            side.offered += workload->total.offered;
            side.succeeded += workload->total.succeeded;
            side.attempts += workload->total.attempts;
            side.throttled += workload->total.throttled;
            side.retries += workload->total.retries;
        }
    }
    return side;
}

static double ratio(double part, uint64_t whole) {
    return whole == 0 ? (double)NAN : part / (double)whole;
}

double sides_throttled_share(const struct recorder *recorder, bool writes) {
    const struct side side = side_of(recorder, writes);
    return ratio((double)side.throttled, side.attempts);
}

double sides_requests(const struct recorder *recorder, bool writes) {
    const struct side side = side_of(recorder, writes);
    return ratio((double)(side.attempts - side.retries), side.offered);
}

double sides_units(const struct recorder *recorder, bool writes) {
    double units = 0;
    for (uint32_t i = 0; i < recorder->resource_count; i++) {
        const struct resource_bin *total = &recorder->resources[i].total;
        units +=
            (double)(writes ? total->consumed_wncu : total->consumed_rncu) / (double)NCU_PER_CU;
    }
    return ratio(units, side_of(recorder, writes).succeeded);
}

double sides_latency_ms(const struct recorder *recorder, bool writes, double fraction) {
    struct latency_histogram of_side[DDB_OPERATION_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < DDB_OPERATION_COUNT; i++) {
        if (ddb_operation_writes((enum ddb_operation)i) == writes) {
            of_side[count++] = recorder->latencies[i];
        }
    }
    const sim_ns latency_ns = latency_histograms_quantile_ns(of_side, count, fraction);
    return latency_ns < 0 ? (double)NAN : (double)latency_ns / (double)SIM_NS_PER_MS;
}
