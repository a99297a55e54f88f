#define _GNU_SOURCE /* open_memstream */
#include "cli/sweep_store.h"

#include "analysis/store.h"
#include "cli/sweep_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool store_parameters_of(struct store *store, const struct design *design, uint64_t point,
                                struct err *err) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL) {
        return err_no_memory(err, "point");
    }
    sweep_parameters_json(design, point, memory);
    const bool written = fclose(memory) == 0;
    const bool stored =
        written ? store_point(store, point, text, err) : err_no_memory(err, "point");
    free(text);
    return stored;
}

static bool store_result(struct store *store, const struct design *design, int64_t run_id,
                         const struct experiment_result *result, struct err *err) {
    if (result->failed) {
        return store_failure(store, result->point, result->replication, result->message, err);
    }
    const struct store_run_row row = {
        .run_id = run_id,
        .scenario = design_source_at(design, result->point)->name,
        .point = result->point,
        .seed = result->seed,
        .replication = result->replication,
        .duration_s = result->duration_s,
        .digest = result->digest,
        .arrivals_digest = result->arrivals_digest,
        .total = &result->total,
        .in_flight = result->in_flight,
    };
    const double rate = result->wall_s > 0 ? (double)result->total.attempts / result->wall_s : 0;
    if (!store_run_row(store, &row, err) ||
        !store_timing(store, run_id, result->wall_s, rate, result->peak_rss_bytes, err)) {
        return false;
    }
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (!isnan(result->metrics[i]) &&
            !store_metric(store, run_id, metric_rows()[i].name, result->metrics[i], err)) {
            return false;
        }
    }
    return true;
}

static bool store_all(struct store *store, const struct design *design,
                      const struct results_log *log, struct err *err) {
    for (uint32_t i = 0; i < design->source_count; i++) {
        if (!store_scenario(store, design->sources[i].name, design->sources[i].text, err)) {
            return false;
        }
    }
    uint64_t last_point = UINT64_MAX;
    for (uint64_t i = 0; i < log->count; i++) {
        struct experiment_result result;
        if (!results_log_read(log, i, &result, err)) {
            return false;
        }
        if (result.point != last_point && !store_parameters_of(store, design, result.point, err)) {
            return false;
        }
        last_point = result.point;
        if (!store_result(store, design, (int64_t)i + 1, &result, err)) {
            return false;
        }
    }
    return true;
}

bool sweep_store_write(const char *path, bool overwrite, const struct design *design,
                       const struct sweep_store_part *part, const struct results_log *log,
                       struct err *err) {
    struct store *store = store_create(path, overwrite, err);
    const bool written = store != NULL && store_all(store, design, log, err) &&
                         (part == NULL || store_part(store, part->part + 1, part->parts,
                                                     design->point_count, part->plan, err)) &&
                         store_commit(store, err);
    store_close(store);
    return written;
}
