#include "tests/experiments/run.h"

#include "experiments/simulation.h"
#include "workloads/scenario.h"

#include <check.h>
#include <string.h>

static struct test_run run(const char *text, uint64_t seed, uint64_t replication,
                           bool has_second_thread) {
    struct err err = {ERR_NONE, ""};
    struct scenario scenario;
    ck_assert_msg(scenario_read_text(&scenario, "test.yaml", text, strlen(text), NULL, 0, &err),
                  "%s", err.text);
    struct simulation_config config = {
        .scenario = &scenario,
        .seed = seed,
        .replication = replication,
        .has_second_thread = has_second_thread,
    };
    struct simulation *simulation = simulation_new(&config, &err);
    ck_assert_msg(simulation != NULL, "%s", err.text);
    for (bool done = false; !done;) {
        ck_assert_msg(simulation_step(simulation, &done, &err), "%s", err.text);
    }
    struct summary summary;
    ck_assert_msg(simulation_finish(simulation, &summary, &err), "%s", err.text);
    struct test_run result = {
        .total = summary.total,
        .in_flight = summary.in_flight,
        .keys = summary.resources[0].keys,
        .consumed_rncu = summary.consumed_rncu,
        .consumed_wncu = summary.consumed_wncu,
        .duration_s = summary.duration_s,
        .latency_ms_p50 = summary.latency_ms_p50,
        .latency_ms_max = summary.latency_ms_max,
    };
    for (uint32_t i = 1; i < summary.resource_count; i++) {
        const struct summary_resource *resource = &summary.resources[i];
        if (resource->index_name != NULL) {
            result.index_writes = resource->total->index_writes;
            result.index_keys = resource->keys;
            result.index_wncu = resource->total->consumed_wncu;
            result.index_rncu = resource->total->consumed_rncu;
            break;
        }
    }
    memcpy(result.events, summary.events, sizeof(result.events));
    memcpy(result.digest, summary.digest, sizeof(result.digest));
    memcpy(result.arrivals_digest, summary.arrivals_digest, sizeof(result.arrivals_digest));
    simulation_free(simulation);
    scenario_fini(&scenario);
    return result;
}

struct test_run test_run_scenario(const char *text, uint64_t seed, uint64_t replication) {
    return run(text, seed, replication, false);
}

struct test_run test_run_threads(const char *text, uint64_t seed, uint64_t replication) {
    return run(text, seed, replication, true);
}
