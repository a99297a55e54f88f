/* What a run holds in memory: by the key, and not by the second. */
#include "experiments/simulation.h"

#include "experiments/simulation_parts.h"
#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES_MAX 150

static const char scenario_text[] = "name: memory\n"
                                    "source: tests\n"
                                    "duration: %us\n"
                                    "tables:\n"
                                    "  - TableName: products\n"
                                    "    ProvisionedThroughput: {ReadCapacityUnits: 40000, "
                                    "WriteCapacityUnits: 40000}\n"
                                    "    AttributeDefinitions:\n"
                                    "      - {AttributeName: PK, AttributeType: S}\n"
                                    "    KeySchema:\n"
                                    "      - {AttributeName: PK, KeyType: HASH}\n"
                                    "    state: {Partitions: 64}\n"
                                    "fields:\n"
                                    "  product: {sequence: {n: %u}}\n"
                                    "workload:\n"
                                    "  - name: update\n"
                                    "    operation: UpdateItem\n"
                                    "    rate: %u\n"
                                    "    arrivals: uniform\n"
                                    "    item: {PK: \"%s\"}\n"
                                    "    item_size: 200B\n"
                                    "client: {retry: %s}\n";

struct load {
    uint32_t duration_s, keys, rate_per_s;
    const char *key, *retry;
};

struct memory {
    size_t arena_bytes, map_bytes; /* map_bytes: tables of numbers, outside of the arenas */
    uint32_t keys;
};

/* Runs to the end, without looking at names or writing anything. */
static struct memory run(const struct load *load) {
    struct err err = {ERR_NONE, ""};
    char text[2048];
    snprintf(text, sizeof text, scenario_text, load->duration_s, load->keys, load->rate_per_s,
             load->key, load->retry);
    struct scenario scenario;
    if (!scenario_read_text(&scenario, "memory.yaml", text, strlen(text), NULL, 0, &err)) {
        ck_abort_msg("%s", err.text);
    }
    const struct simulation_config config = {.scenario = &scenario, .seed = 1};
    struct simulation *simulation = simulation_new(&config, &err);
    ck_assert_msg(simulation != NULL, "%s", err.text);
    for (bool done = false; !done;) {
        if (!simulation_step(simulation, &done, &err)) {
            ck_abort_msg("%s", err.text);
        }
    }
    const struct service *service = &simulation->service;
    const struct recorder *recorder = &simulation->recorder;
    struct memory memory = {
        .arena_bytes =
            simulation->arena.used_bytes + service->arena.used_bytes + recorder->arena.used_bytes,
        .map_bytes = service_memory_bytes(service) - service->arena.used_bytes,
        .keys = recorder->resources[0].keys.count,
    };
    for (uint32_t i = 0; i < simulation->workload_count; i++) {
        memory.map_bytes += id_map_bytes(&simulation->workloads[i].own_items);
    }
    simulation_free(simulation);
    scenario_fini(&scenario);
    return memory;
}

/* Keys whose names are numbers of their own, and keys that have to be told apart by their text. */
static const char *const keys[] = {"PRODUCT#{product}", "{hash(product) % 1048576}#x"};

START_TEST(a_key_takes_at_most_150_bytes_of_arena) {
    const struct load few = {5, 100000, 200000, keys[_i], "none"};
    const struct load many = {5, 1000000, 200000, keys[_i], "none"};
    struct memory less = run(&few);
    struct memory more = run(&many);
    uint32_t keys_more = more.keys - less.keys;
    ck_assert_uint_gt(keys_more, 500000);
    double arena_bytes = (double)(more.arena_bytes - less.arena_bytes) / keys_more;
    double map_bytes = ((double)more.map_bytes - (double)less.map_bytes) / keys_more;
    printf("%s: %.1f bytes of arena a key, %.1f of maps\n", keys[_i], arena_bytes, map_bytes);
    ck_assert_double_le(arena_bytes, KEY_BYTES_MAX);
    ck_assert_double_gt(arena_bytes, 8); /* a key is counted somewhere */
}
END_TEST

/* Every key is touched and every second looks alike after one second. With retries the table
 * refuses most of the traffic, and what waits levels off within 26 s, when clients give up; a
 * hot partition is sampled from the end of the first minute on. */
START_TEST(memory_does_not_grow_with_simulated_time) {
    static const struct {
        struct load load;
        uint32_t longer_s;
    } rows[] = {
        {{10, 2000, 5000, "PRODUCT#{product}", "none"}, 100},
        {{10, 2000, 5000, "{hash(product) % 1048576}#x", "none"}, 100},
        {{90, 1, 3000, "PRODUCT#{product}", "botocore-legacy"}, 180},
    };
    struct load load = rows[_i].load;
    struct memory before = run(&load);
    load.duration_s = rows[_i].longer_s;
    struct memory after = run(&load);
    ck_assert_uint_eq(after.keys, before.keys);
    ck_assert_uint_eq(after.arena_bytes, before.arena_bytes);
    ck_assert_uint_eq(after.map_bytes, before.map_bytes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/memory");
    TCase *tcase = tcase_create("memory");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_key_takes_at_most_150_bytes_of_arena, 0, 2);
    tcase_add_loop_test(tcase, memory_does_not_grow_with_simulated_time, 0, 3);
    return suite_run(suite);
}
