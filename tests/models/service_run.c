/* Runs of requests (service_submit_run) against the same requests one by one. */
#include "models/service.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Eras whose control acts several times within a run. */
struct design {
    enum model_era era;
    int64_t routers, partitions;
};
static const struct design designs[] = {
    {ERA_GAC, 0, 0}, {ERA_GAC, 3, 0}, {ERA_STATIC, 3, 4}, {ERA_ADAPTIVE, 0, 4}};

enum { REQUESTS = 4000, ITEMS = 40, LONGEST = 60 };

static struct service service;
static struct err err;
static sim_ns times_ns[REQUESTS];
static uint32_t items[REQUESTS], new_bytes[REQUESTS];
static struct outcome singles[REQUESTS], outcomes[REQUESTS];

/* One table of 5 units each way, whose items exist or do not. */
static void open_service(const struct design *design) {
    const struct table_spec table = {
        .table_name = "table",
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = 5,
        .write_capacity_units = 5,
        .hash_key = {"PK", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = design->partitions,
        .initial_burst_ns = SPEC_UNKNOWN,
    };
    struct service_config config = {.tables = &table, .table_count = 1, .seed = 1};
    model_parameters_default(&config.parameters);
    config.parameters.era = design->era;
    config.parameters.routers = design->routers;
    config.parameters.adaptive_delay_min = 10 * SIM_NS_PER_S;
    config.parameters.adaptive_delay_max = 20 * SIM_NS_PER_S;
    config.parameters.adaptive_period = 5 * SIM_NS_PER_S;
    ck_assert_msg(service_init(&service, &config, &err), "%s", err.text);
    for (uint32_t i = 0; i < ITEMS; i++) {
        char key[16];
        const int length = snprintf(key, sizeof key, "k%u", i);
        const struct key_text text = {.hash_key = key, .hash_key_bytes = (size_t)length};
        struct intern_result result;
        REQUIRE(service_intern(&service, 0, &text, i % 3 == 0 ? 0 : 3000 + i, &result, &err), "%s",
                err.text);
    }
}

static void draw_requests(uint64_t seed) {
    sim_ns now_ns = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint64_t draw = hash_draw(seed, i, 0);
        now_ns += (sim_ns)(draw % (SIM_NS_PER_S / 6));
        times_ns[i] = now_ns;
        items[i] = (uint32_t)(draw >> 32) % ITEMS;
        new_bytes[i] = 1 + (uint32_t)(draw >> 40) % 2000;
    }
}

/* Returns how many were refused. */
static uint32_t submit_singles(enum ddb_operation operation) {
    uint32_t refused = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const struct request request = {.item = items[i],
                                        .new_bytes = new_bytes[i],
                                        .router = ROUTER_ANY,
                                        .operation = (uint8_t)operation,
                                        .consistent_read = true};
        service_submit(&service, times_ns[i], &request, &singles[i]);
        refused += singles[i].fate == FATE_THROTTLED;
    }
    return refused;
}

/* In runs of drawn lengths. */
static void submit_runs(uint64_t seed, enum ddb_operation operation, bool past_refusals) {
    for (uint32_t done = 0, count; done < REQUESTS; done += count) {
        const uint32_t left = REQUESTS - done;
        const uint32_t wanted = 1 + (uint32_t)hash_draw(seed, done, 1) % LONGEST;
        const struct service_run run = {.times_ns = times_ns + done,
                                        .items = items + done,
                                        .new_bytes = new_bytes + done,
                                        .count = wanted < left ? wanted : left,
                                        .operation = (uint8_t)operation,
                                        .consistent_read = true,
                                        .past_refusals = past_refusals};
        count = service_submit_run(&service, &run, outcomes + done);
        REQUIRE(count >= 1 && count <= run.count, "seed %" PRIu64, seed);
        REQUIRE(count == run.count ||
                    (!past_refusals && outcomes[done + count - 1].fate == FATE_THROTTLED),
                "seed %" PRIu64 ": stopped without a refusal", seed);
        for (uint32_t i = 0; i + 1 < count; i++) {
            REQUIRE(past_refusals || outcomes[done + i].fate == FATE_ADMITTED,
                    "seed %" PRIu64 ": went on after a refusal", seed);
        }
    }
}

static bool is_equal(const struct outcome *a, const struct outcome *b) {
    return a->at_ns == b->at_ns && a->cost_ncu == b->cost_ncu && a->key == b->key &&
           a->item == b->item && a->partition == b->partition && a->resource == b->resource &&
           a->reasons == b->reasons && a->operation == b->operation && a->fate == b->fate &&
           a->item_missing == b->item_missing;
}

static void compare(uint64_t seed, enum ddb_operation operation, const struct design *design,
                    bool past_refusals) {
    const sim_ns end_ns = times_ns[REQUESTS - 1];
    struct resource_sample of_singles, of_runs;
    open_service(design);
    const uint32_t refused = submit_singles(operation);
    service_audit(&service, end_ns);
    service_sample(&service, end_ns, 0, &of_singles);
    service_fini(&service);
    open_service(design);
    submit_runs(seed, operation, past_refusals);
    service_audit(&service, end_ns);
    service_sample(&service, end_ns, 0, &of_runs);
    service_fini(&service);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        REQUIRE(is_equal(&outcomes[i], &singles[i]),
                "seed %" PRIu64 ", operation %d, era %d, %" PRId64 " routers: request %u", seed,
                (int)operation, (int)design->era, design->routers, i);
    }
    ck_assert_int_eq(of_runs.burst_rncu, of_singles.burst_rncu);
    ck_assert_int_eq(of_runs.burst_wncu, of_singles.burst_wncu);
    ck_assert_msg(refused > 10 && refused < REQUESTS - 10, "operation %d: %u refused",
                  (int)operation, refused);
}

START_TEST(runs_are_served_as_single_requests) {
    for (uint64_t seed = 0; seed < 3; seed++) {
        draw_requests(seed);
        for (int operation = 0; operation <= DDB_DELETE_ITEM; operation++) {
            for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
                compare(seed, (enum ddb_operation)operation, &designs[i], false);
                compare(seed, (enum ddb_operation)operation, &designs[i], true);
            }
        }
    }
}
END_TEST

START_TEST(a_run_of_nothing_serves_nothing) {
    open_service(&designs[0]);
    const struct service_run run = {.times_ns = times_ns, .items = items, .new_bytes = new_bytes};
    outcomes[0].at_ns = 77;
    ck_assert_uint_eq(service_submit_run(&service, &run, outcomes), 0);
    ck_assert_int_eq(outcomes[0].at_ns, 77);
    service_fini(&service);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/service_run");
    TCase *tcase = tcase_create("service_run");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, runs_are_served_as_single_requests);
    tcase_add_test(tcase, a_run_of_nothing_serves_nothing);
    return suite_run(suite);
}
