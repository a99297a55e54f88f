/*
 * design.h - The points of an experiment: which scenario with which values, numbered from 0.
 *
 *   cross    every scenario with every combination of the values; the last --vary changes fastest
 *   sobol    N points of Sobol's sequence in the box of the spans, for each scenario: they fill it
 *            evenly however many parameters there are
 *
 * All points use the same seed and replications: common random numbers, so that differences
 * between points are theirs and not those of the draws.
 * Source:  Sobol', USSR Comput. Math. Math. Phys. 7(4), 1967; GSL's generator, at most 40 spans.
 * Owns:    nothing; texts and varies are borrowed.  Cost: a point's overrides O(varies), sobol
 * O(N).
 */
#ifndef DDBSIM_EXPERIMENTS_DESIGN_H
#define DDBSIM_EXPERIMENTS_DESIGN_H

#include "experiments/vary.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DESIGN_VARIES_MAX 16
#define DESIGN_POINTS_MAX 1000000

/* A scenario as text: every point reads it anew with its own values. */
struct design_source {
    const char *path; /* for messages and relative file names */
    const char *text;
    size_t length;
    const char *name; /* as the user knows it */
};

struct design {
    const struct design_source *sources;
    uint32_t source_count;
    const struct scenario_override *overrides; /* --set, for all points */
    uint32_t override_count;
    const struct vary *varies;
    uint32_t vary_count;
    uint64_t sobol_count; /* 0: cross */
    const char **sobol;   /* [point % sobol_count][vary] */
    uint64_t point_count;
};

/* sources, overrides, varies are set. At least one source, at most DESIGN_VARIES_MAX varies
 * (checked). False with *err set: too many points, the same name twice, a span without steps in a
 * cross, a list in a sobol, no memory. */
bool design_init(struct design *design, uint64_t sobol_count, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;

/* The source of a point, and the value of a vary there. */
const struct design_source *design_source_at(const struct design *design, uint64_t point);
const char *design_value(const struct design *design, uint64_t point, uint32_t vary);

/* Reads the scenario of a point; scenario_fini is due after a success or a failure. */
bool design_read(const struct design *design, uint64_t point, struct scenario *scenario,
                 struct err *err) ERR_WARN_UNUSED;

#endif
