#define _GNU_SOURCE /* open_memstream */
#include "cli/sweep_plan.h"

#include "analysis/metric.h"
#include "analysis/store.h"
#include "experiments/design_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value on one line, and no two values alike. */
static void put_value(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs("\\n", out);
        } else if (*text == '\\') {
            fputs("\\\\", out);
        } else {
            fputc(*text, out);
        }
    }
}

static void put_hash(FILE *out, struct hash128 hash) {
    char text[HASH128_TEXT_BYTES];
    hash128_text(hash, text);
    fprintf(out, " %s\n", text);
}

/* Programs of one version that do not know the same metrics do not write the same. */
static struct hash128 hash_of_metrics(void) {
    struct hash128 hash = {0, 0};
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        const char *name = metric_rows()[i].name;
        hash = hash128(name, strlen(name) + 1, hash.low ^ hash.high);
    }
    return hash;
}

static void put_options(const struct sweep_options *options, FILE *out) {
    fprintf(out, "version %s, schema %d, metrics", DDBSIM_VERSION, STORE_SCHEMA_VERSION);
    put_hash(out, hash_of_metrics());
    if (options->has_seed) {
        fprintf(out, "seed %" PRIu64 "\n", options->seed);
    } else {
        fputs("seed of the scenario\n", out);
    }
    fprintf(out, "replications %" PRIu64 "\n", options->replications);
    if (options->precision > 0) {
        fprintf(out, "precision %.17g of %s\n", options->precision,
                metric_rows()[options->metrics[0]].name);
    }
    if (options->sobol_count > 0) {
        fprintf(out, "design sobol:%" PRIu64 "\n", options->sobol_count);
    }
}

static void put_design(const struct design *design, FILE *out) {
    for (uint32_t i = 0; i < design->source_count; i++) {
        fputs("scenario ", out);
        put_value(out, design->sources[i].name);
        put_hash(out, hash128(design->sources[i].text, design->sources[i].length, 0));
    }
    for (uint32_t i = 0; i < design->override_count; i++) {
        fputs("set ", out);
        put_value(out, design->overrides[i].path);
        fputc('=', out);
        put_value(out, design->overrides[i].value);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < design->vary_count; i++) {
        fputs("vary ", out);
        put_value(out, design->varies[i].text);
        fputc('\n', out);
    }
}

char *sweep_plan_new(const struct sweep_options *options, const struct design *design,
                     struct err *err) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        err_no_memory(err, "plan");
        return NULL;
    }
    put_options(options, out);
    put_design(design, out);
    const bool printed = design_files_print(design, out, err);
    if (fclose(out) != 0 || !printed) {
        free(text);
        err_no_memory(err, "plan"); /* unless it is known what failed */
        return NULL;
    }
    return text;
}

struct hash128 sweep_plan_hash(const char *plan, uint64_t part, uint64_t parts) {
    const struct hash128 hash = hash128(plan, strlen(plan), 0);
    return hash128(&hash, sizeof hash, part + hash_mix(parts));
}
