/*
 * made_up_store.h - A database of a made-up run (outcomes.h) in a folder of its own, for tests.
 */
#ifndef DDBSIM_TESTS_ANALYSIS_MADE_UP_STORE_H
#define DDBSIM_TESTS_ANALYSIS_MADE_UP_STORE_H

#include "analysis/store.h"

#include "tests/analysis/outcomes.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS 130
#define RUN_ID 7

static struct recorder recorder;
static struct err err;
static char folder[] = "/tmp/ddbsim-store-XXXXXX";
static char path[64];

static inline void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert(made_up_init(&recorder, &err));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out.db", folder);
}

static inline void tear_down(void) {
    recorder_fini(&recorder);
    DIR *listing = opendir(folder);
    ck_assert_ptr_nonnull(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            ck_assert_int_eq(unlinkat(dirfd(listing), entry->d_name, 0), 0);
        }
    }
    closedir(listing);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* How many files the folder holds: nothing must be left beside what is expected. */
static inline int file_count(void) {
    int count = -2;
    DIR *listing = opendir(folder);
    ck_assert_ptr_nonnull(listing);
    while (readdir(listing) != NULL) {
        count++;
    }
    closedir(listing);
    return count;
}

static inline bool write_keys(struct store *store) {
    for (uint16_t resource = 0; resource < MADE_UP_RESOURCES; resource++) {
        for (uint32_t key = 0; key < MADE_UP_KEYS; key++) {
            char name[32];
            snprintf(name, sizeof name, "KEY#%u", key);
            const struct key_counters counters = recorder_key(&recorder.resources[resource], key);
            if (!store_key(store, RUN_ID, resource, name, &counters, &err)) {
                return false;
            }
        }
        if (!store_ring(store, RUN_ID, resource, &recorder.resources[resource].grid, &err)) {
            return false;
        }
    }
    return true;
}

static inline bool write_second(struct store *store, int64_t t_s, uint64_t *first) {
    struct outcome outcomes[100];
    uint32_t count = made_up_second(9, t_s, *first, outcomes);
    *first += count;
    if (!recorder_record(&recorder, outcomes, count, &err)) {
        return false;
    }
    recorder_offered(&recorder, 0);
    recorder_operation(&recorder, 0, t_s % 5 == 0 ? OPERATION_GAVE_UP : OPERATION_SUCCEEDED,
                       t_s * SIM_NS_PER_MS);
    struct resource_sample samples[MADE_UP_RESOURCES];
    made_up_samples(t_s, samples);
    bool last = t_s == SECONDS - 1;
    recorder_close_second(&recorder, samples, last);
    for (uint32_t i = 0; i < recorder.top_key_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "KEY#%u", recorder.top_keys[i].key);
        if (!store_key_minute(store, RUN_ID, &recorder.top_keys[i], name, &err)) {
            return false;
        }
    }
    if (!store_second(store, RUN_ID, &recorder, samples, &err)) {
        return false;
    }
    if (!last) {
        recorder_open_second(&recorder);
    }
    return true;
}

static inline struct summary made_up_summary(void) {
    struct summary summary = {
        .scenario = "made up",
        .seed = UINT64_MAX,
        .replication = 3,
        .digest = "0123",
        .arrivals_digest = "4567",
        .duration_s = SECONDS,
        .total = recorder.total,
        .wall_s = 0.25,
        .requests_per_wall_s = 1e6,
        .peak_rss_bytes = 12345678,
    };
    return summary;
}

/* The whole made-up run, but for the commit. */
static inline bool write_run(struct store *store) {
    static const struct partition_sample partition = {
        .partition_id = 4,
        .parent_id = UINT32_MAX,
        .closed_ns = -1,
        .hash_lo = UINT64_C(0xcccccccccccccccd),
        .hash_hi = UINT64_MAX,
        .sort_hi = UINT64_MAX,
    };
    static const struct partition_sample child = {
        .partition_id = 5,
        .parent_id = 4,
        .born_ns = SIM_NS_PER_S / 2,
        .closed_ns = 2 * SIM_NS_PER_S,
        .hash_hi = 255,
        .sort_hi = 31,
    };
    uint64_t first = 0;
    bool done = store_scenario(store, "made up", "name: 'made up'\n", &err) &&
                store_parameter(store, RUN_ID, "shards", "8", "--set", &err) &&
                store_resource(store, RUN_ID, 0, "orders", NULL, &err) &&
                store_resource(store, RUN_ID, 1, "orders", "by_day", &err) &&
                store_partition(store, RUN_ID, 0, &partition, &err) &&
                store_partition(store, RUN_ID, 0, &child, &err) &&
                store_event(store, RUN_ID, 1.5, 1, "note", "a 'quoted' text", &err);
    for (int64_t t_s = 0; t_s < SECONDS && done; t_s++) {
        done = write_second(store, t_s, &first);
    }
    if (!done) {
        return false;
    }
    recorder_finish(&recorder, 0);
    struct summary summary = made_up_summary();
    return write_keys(store) && store_run(store, RUN_ID, &summary, &recorder, &err);
}

#endif
