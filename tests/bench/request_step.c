/*
 * request_step - A whole run per request against the plain scalar loop, alternating in one process.
 *
 * Ten simulated minutes, 2.4e7 requests, all of them writes or half of them reads: Zipf(0.99) over
 * 1e6 keys, and over 1e7, Poisson at 40,000/s, 64 partitions of 1,000 writes/s, no retries, per-key
 * metrics, pool and caps. The clock holds the simulation phase only, as that of the plain loop
 * starts when its tables are made.
 * Prints the medians and their ratios; fails when a run is slower.
 */
#include "experiments/simulation.h"
#include "sim/check.h"
#include "tests/bench/alternation.h"
#include "tests/bench/plain_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_MAX 1.0
#define RATE_PER_S 40000
#define DURATION_S 600

#define TABLE                                                                                      \
    "name: request-step\n"                                                                         \
    "source: benchmark\n"                                                                          \
    "duration: 600s\n"                                                                             \
    "parameters: {keys: 1000000}\n"                                                                \
    "tables:\n"                                                                                    \
    "  - TableName: products\n"                                                                    \
    "    ProvisionedThroughput: {ReadCapacityUnits: 40000, WriteCapacityUnits: 40000}\n"           \
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"                          \
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"                                        \
    "    state: {Partitions: 64}\n"                                                                \
    "fields:\n"                                                                                    \
    "  product: {zipf: {n: \"${keys}\", s: 0.99}}\n"                                               \
    "client: {retry: none}\n"                                                                      \
    "model: {split_for_heat: off}\n"                                                               \
    "workload:\n"
#define WORKLOAD(name, operation, rate)                                                            \
    "  - name: " name "\n"                                                                         \
    "    operation: " operation "\n"                                                               \
    "    rate: " rate "\n"                                                                         \
    "    item: {PK: \"PRODUCT#{product}\"}\n"                                                      \
    "    item_size: 200B\n"

static const char writes[] = TABLE WORKLOAD("update", "UpdateItem", "40000");
static const char reads_and_writes[] =
    TABLE WORKLOAD("get", "GetItem", "20000") WORKLOAD("update", "UpdateItem", "20000");

static void die(const struct err *err) {
    fprintf(stderr, "request_step: %s\n", err->text);
    exit(2);
}

static double simulate_ns_per_request(const struct scenario *scenario, uint64_t *throttled) {
    struct err err = {ERR_NONE, ""};
    struct simulation_config config = {.scenario = scenario, .seed = 1, .has_second_thread = true};
    struct simulation *simulation = simulation_new(&config, &err);
    bool done = false;
    double start_s = bench_now_s();
    while (simulation != NULL && !done) {
        if (!simulation_step(simulation, &done, &err)) {
            die(&err);
        }
    }
    double wall_s = bench_now_s() - start_s;
    struct summary summary;
    if (simulation == NULL || !simulation_finish(simulation, &summary, &err)) {
        die(&err);
    }
    *throttled = summary.total.throttled;
    double ns = wall_s * 1e9 / (double)summary.total.attempts;
    simulation_free(simulation);
    return ns;
}

static bool judge(const char *name, const char *text, const char *keys) {
    struct err err = {ERR_NONE, ""};
    struct scenario scenario;
    const struct scenario_override setting = {"keys", keys};
    if (!scenario_read_text(&scenario, "request-step.yaml", text, strlen(text), &setting, 1,
                            &err)) {
        die(&err);
    }
    struct plain_loop_config plain = {
        .keys = strtoull(keys, NULL, 10),
        .requests = (uint64_t)RATE_PER_S * DURATION_S,
        .seed = 1,
        .exponent = 0.99,
        .rate_per_s = RATE_PER_S,
        .partition_rate_per_s = 1000,
        .partitions = 64,
    };
    struct alternation runs = {.name = name, .unit = "ns a request"};
    for (int i = 0; i < ALTERNATIONS; i++) {
        struct plain_loop_result result = plain_loop_run(&plain);
        runs.theirs[i] = result.wall_s * 1e9 / (double)plain.requests;
        uint64_t throttled;
        runs.ours[i] = simulate_ns_per_request(&scenario, &throttled);
        printf("%2d: plain loop %6.1f ns, run %6.1f ns a request; throttled %.4f and %.4f\n", i,
               runs.theirs[i], runs.ours[i], (double)result.throttled / (double)plain.requests,
               (double)throttled / (double)plain.requests);
    }
    scenario_fini(&scenario);
    return alternation_judge(&runs, RATIO_MAX);
}

int main(void) {
    const bool is_fast[] = {
        judge("writes against plain loop, 1e6 keys", writes, "1000000"),
        judge("writes against plain loop, 1e7 keys", writes, "10000000"),
        judge("reads and writes against plain loop, 1e6 keys", reads_and_writes, "1000000"),
    };
    return is_fast[0] && is_fast[1] && is_fast[2] ? 0 : 1;
}
