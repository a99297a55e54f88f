/*
 * idle_mechanisms - What mechanisms cost a request while none of them has anything to do: a run
 * with all of them against the plain one, alternating in one process.
 *
 * 20,000 writes a second, uniform over 1e6 keys, on 64 partitions of 40,000 WCU: half of what is
 * provisioned, no partition near its cap. The one run has splits for heat and auto scaling of reads
 * and writes, which looks at each minute and finds nothing to do; the other has neither.
 */
#include "experiments/simulation.h"
#include "sim/check.h"
#include "tests/bench/alternation.h"
#include "tests/bench/plain_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_MAX 1.3

#define SCENARIO(scaling, model)                                                                   \
    "name: idle-mechanisms\n"                                                                      \
    "duration: 300s\n"                                                                             \
    "tables:\n"                                                                                    \
    "  - TableName: products\n"                                                                    \
    "    ProvisionedThroughput: {ReadCapacityUnits: 40000, WriteCapacityUnits: 40000}\n"           \
    "    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]\n"                          \
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"                                        \
    "    state: {Partitions: 64}\n" scaling "fields:\n"                                            \
    "  product: {uniform: {n: 1000000}}\n"                                                         \
    "workload:\n"                                                                                  \
    "  - {name: update, operation: UpdateItem, rate: 20000, item: {PK: \"P#{product}\"},"          \
    " item_size: 200B}\n"                                                                          \
    "client: {retry: none}\n"                                                                      \
    "model: {split_for_heat: " model "}\n"
#define SIDE "{MinCapacity: 40000, MaxCapacity: 40000, TargetValue: 70}"

static const char plain_text[] = SCENARIO("", "off");
static const char full_text[] = SCENARIO("    AutoScaling:\n      ReadCapacityUnits: " SIDE
                                         "\n      WriteCapacityUnits: " SIDE "\n",
                                         "on");

static void die(const struct err *err) {
    fprintf(stderr, "idle_mechanisms: %s\n", err->text);
    exit(2);
}

static double ns_per_request(const char *text) {
    struct err err = {ERR_NONE, ""};
    struct scenario scenario;
    if (!scenario_read_text(&scenario, "idle.yaml", text, strlen(text), NULL, 0, &err)) {
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
    SIM_CHECK(summary.total.throttled == 0 && summary.resources[0].splits.completed == 0);
    const double ns = wall_s * 1e9 / (double)summary.total.attempts;
    simulation_free(simulation);
    scenario_fini(&scenario);
    return ns;
}

int main(void) {
    struct alternation runs = {.name = "all mechanisms, none active, against none",
                               .unit = "ns a request"};
    for (int i = 0; i < ALTERNATIONS; i++) {
        runs.theirs[i] = ns_per_request(plain_text);
        runs.ours[i] = ns_per_request(full_text);
    }
    return alternation_judge(&runs, RATIO_MAX) ? 0 : 1;
}
