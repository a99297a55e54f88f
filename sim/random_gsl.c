#include "sim/random_gsl.h"

#include "sim/check.h"

static void set_seed(void *state, unsigned long int seed) {
    const struct random_name name = {.seed = seed, .workload = "", .variable = "gsl"};
    random_init(state, &name);
}

static unsigned long int get_uint32(void *state) {
    return random_next(state) >> 32;
}

static double get_unit(void *state) {
    return random_unit(state);
}

const gsl_rng_type *random_gsl_type(void) {
    static const gsl_rng_type type = {
        .name = "ddbsim-pcg64",
        .max = UINT32_MAX,
        .min = 0,
        .size = sizeof(struct random_stream),
        .set = set_seed,
        .get = get_uint32,
        .get_double = get_unit,
    };
    return &type;
}

void random_gsl_name(gsl_rng *rng, const struct random_name *name) {
    SIM_CHECK(rng->type == random_gsl_type());
    random_init(rng->state, name);
}
