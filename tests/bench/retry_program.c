/*
 * retry_program - One run of clients that insist: the load of retry_load.h as a scenario. Prints
 * the wall seconds of its simulation phase, its digest, the share of attempts that were refused and
 * how many attempts an operation took. Linked twice: with the product's queue of timers and with a
 * binary heap.
 */
#include "experiments/simulation.h"
#include "tests/bench/plain_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scenario_text[] =
    "name: retries\n"
    "source: benchmark\n"
    "duration: 125s\n" /* 5e6 operations */
    "tables:\n"
    "  - TableName: products\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 40000, WriteCapacityUnits: 40000}\n"
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "    state: {Partitions: 64}\n"
    "fields:\n"
    "  product: {zipf: {n: 1000000, s: 0.99}}\n"
    "workload:\n"
    "  - {name: update, operation: UpdateItem, rate: 40000, item: {PK: \"PRODUCT#{product}\"},\n"
    "     item_size: 200B}\n"
    "client:\n"
    "  retry: {attempts: 11, base: 50ms, multiplier: 2, cap: 20s, jitter: full, quota: none}\n"
    "  throttle_latency: 1ms\n";

static void die(const struct err *err) {
    fprintf(stderr, "retry_program: %s\n", err->text);
    exit(2);
}

int main(void) {
    struct err err = {ERR_NONE, ""};
    struct scenario scenario;
    if (!scenario_read_text(&scenario, "retries.yaml", scenario_text, strlen(scenario_text), NULL,
                            0, &err)) {
        die(&err);
    }
    const struct simulation_config config = {.scenario = &scenario, .seed = 1};
    struct simulation *simulation = simulation_new(&config, &err);
    bool done = false;
    const double start_s = bench_now_s();
    while (simulation != NULL && !done) {
        if (!simulation_step(simulation, &done, &err)) {
            die(&err);
        }
    }
    const double wall_s = bench_now_s() - start_s;
    struct summary summary;
    if (simulation == NULL || !simulation_finish(simulation, &summary, &err)) {
        die(&err);
    }
    const struct workload_bin *total = &summary.total;
    printf("%.6f %s %.4f %.4f\n", wall_s, summary.digest,
           (double)total->throttled / (double)total->attempts,
           (double)total->attempts / (double)total->offered);
    simulation_free(simulation);
    scenario_fini(&scenario);
    return 0;
}
