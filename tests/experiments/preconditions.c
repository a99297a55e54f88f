/* What callers of experiments/ must not do, and the check that stops them. */
#include "experiments/design.h"
#include "experiments/expectation.h"
#include "experiments/point_sample.h"
#include "experiments/results_log.h"
#include "experiments/simulation.h"
#include "experiments/vary.h"
#include "tests/death.h"
#include "tests/suite.h"

#include <check.h>
#include <string.h>

static const char scenario_text[] =
    "duration: 1s\n"
    "tables:\n"
    "  - TableName: orders\n"
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, "
    "WriteCapacityUnits: 5}\n"
    "    AttributeDefinitions:\n"
    "      - {AttributeName: PK, AttributeType: S}\n"
    "    KeySchema: [{AttributeName: PK, KeyType: HASH}]\n"
    "workload:\n"
    "  - {name: w, operation: GetItem, rate: 1, exists: false, item: {PK: a}}\n";

static struct err err;
static struct scenario scenario;
static struct simulation *simulation;
static char sentence[256];
static const struct expect_spec expectation;

static void set_up(void) {
    ck_assert_msg(scenario_read_text(&scenario, "s.yaml", scenario_text, strlen(scenario_text),
                                     NULL, 0, &err),
                  "%s", err.text);
    const struct simulation_config config = {.scenario = &scenario, .seed = 1};
    simulation = simulation_new(&config, &err);
    ck_assert_msg(simulation != NULL, "%s", err.text);
}

static void tear_down(void) {
    simulation_free(simulation);
    scenario_fini(&scenario);
}

static struct design design;
static struct point_sample sample;
static struct results_log results;
static struct experiment_result result;
static struct vary list;
static struct arena arena;
static char value[VARY_VALUE_BYTES];

#define MISUSES(X)                                                                                 \
    X("replications >= 1", expectation_judge(&expectation, NULL, 0, sentence, sizeof sentence))    \
    X("design->source_count >= 1", death_ignore(design_init(&design, 0, &arena, &err)))            \
    X("replications_max >= 1", death_ignore(point_sample_init(&sample, NULL, 0, 0, &err)))         \
    X("number < log->count", death_ignore(results_log_read(&results, 0, &result, &err)))           \
    X("vary->is_span", vary_at(&list, 0.5, value))                                                 \
    X("watch < simulation->config.watch_count", simulation_watch_value(simulation, 0))

DEATHS(MISUSES)

int main(void) {
    Suite *suite = suite_create("experiments/preconditions");
    TCase *tcase = tcase_create("preconditions");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, misuse_dies_by_its_check);
    return suite_run(suite);
}
