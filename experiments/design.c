#include "experiments/design.h"

#include "sim/check.h"

#include <gsl/gsl_qrng.h>
#include <string.h>

#define OVERRIDES_MAX 512

static uint64_t points_per_source(const struct design *design) {
    return design->point_count / design->source_count;
}

static bool check_names(const struct design *design, struct err *err) {
    for (uint32_t i = 0; i < design->vary_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(design->varies[i].name, design->varies[k].name) == 0) {
                return err_set(err, ERR_INPUT, "--vary '%s' is given twice",
                               design->varies[i].name);
            }
        }
    }
    return true;
}

static bool too_many(struct err *err) {
    return err_set(err, ERR_INPUT, "more than %d points; expected fewer values", DESIGN_POINTS_MAX);
}

static bool init_cross(struct design *design, struct err *err) {
    uint64_t count = design->source_count;
    for (uint32_t i = 0; i < design->vary_count; i++) {
        if (design->varies[i].count == 0) {
            return err_set(err, ERR_INPUT,
                           "--vary '%s' has no steps; expected LOW:HIGH:STEP, or a design that "
                           "picks points (--design sobol:N)",
                           design->varies[i].name);
        }
        count *= design->varies[i].count;
        if (count > DESIGN_POINTS_MAX) {
            return too_many(err);
        }
    }
    design->point_count = count;
    return true;
}

static bool fill_sobol(struct design *design, struct arena *arena, gsl_qrng *sequence,
                       struct err *err) {
    for (uint64_t point = 0; point < design->sobol_count; point++) {
        double fractions[DESIGN_VARIES_MAX];
        (void)gsl_qrng_get(sequence, fractions);
        for (uint32_t i = 0; i < design->vary_count; i++) {
            char value[VARY_VALUE_BYTES];
            vary_at(&design->varies[i], fractions[i], value);
            const char *kept = arena_strdup(arena, value, err);
            if (kept == NULL) {
                return false;
            }
            design->sobol[point * design->vary_count + i] = kept;
        }
    }
    return true;
}

static bool init_sobol(struct design *design, struct arena *arena, struct err *err) {
    if (design->vary_count == 0) {
        return err_set(err, ERR_INPUT, "--design sobol needs --vary K=LOW:HIGH");
    }
    for (uint32_t i = 0; i < design->vary_count; i++) {
        if (!design->varies[i].is_span) {
            return err_set(err, ERR_INPUT,
                           "--vary '%s' is a list; --design sobol picks points in K=LOW:HIGH",
                           design->varies[i].name);
        }
    }
    if (design->sobol_count > DESIGN_POINTS_MAX / design->source_count) {
        return too_many(err);
    }
    design->point_count = design->sobol_count * design->source_count;
    design->sobol =
        ARENA_ARRAY(arena, const char *, design->sobol_count * design->vary_count, "points", err);
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, design->vary_count);
    if (sequence == NULL) {
        return err_no_memory(err, "sobol sequence");
    }
    const bool filled = design->sobol != NULL && fill_sobol(design, arena, sequence, err);
    gsl_qrng_free(sequence);
    return filled;
}

bool design_init(struct design *design, uint64_t sobol_count, struct arena *arena,
                 struct err *err) {
    SIM_CHECK(design->source_count >= 1 && design->vary_count <= DESIGN_VARIES_MAX);
    design->sobol_count = sobol_count;
    if (!check_names(design, err)) {
        return false;
    }
    return sobol_count == 0 ? init_cross(design, err) : init_sobol(design, arena, err);
}

const struct design_source *design_source_at(const struct design *design, uint64_t point) {
    SIM_CHECK(point < design->point_count);
    return &design->sources[point / points_per_source(design)];
}

const char *design_value(const struct design *design, uint64_t point, uint32_t vary) {
    SIM_CHECK(point < design->point_count && vary < design->vary_count);
    uint64_t rest = point % points_per_source(design);
    if (design->sobol_count > 0) {
        return design->sobol[rest * design->vary_count + vary];
    }
    for (uint32_t i = design->vary_count - 1; i > vary; i--) {
        rest /= design->varies[i].count;
    }
    return design->varies[vary].values[rest % design->varies[vary].count];
}

bool design_read(const struct design *design, uint64_t point, struct scenario *scenario,
                 struct err *err) {
    const struct design_source *source = design_source_at(design, point);
    struct scenario_override overrides[OVERRIDES_MAX];
    uint32_t count = 0;
    SIM_CHECK(design->override_count + design->vary_count <= OVERRIDES_MAX);
    for (uint32_t i = 0; i < design->override_count; i++) {
        overrides[count++] = design->overrides[i];
    }
    for (uint32_t i = 0; i < design->vary_count; i++) {
        overrides[count++] = (struct scenario_override){
            .path = design->varies[i].name,
            .value = design_value(design, point, i),
        };
    }
    return scenario_read_text(scenario, source->path, source->text, source->length, overrides,
                              count, err);
}
