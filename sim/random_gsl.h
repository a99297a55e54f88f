/*
 * random_gsl.h - A gsl_rng_type over random_stream: every gsl_ran_* law on named streams.
 *
 * For rare draws only (set-up, tables): a GSL draw costs 5 to 500 ns. 32-bit get, 53-bit double.
 */
#ifndef DDBSIM_SIM_RANDOM_GSL_H
#define DDBSIM_SIM_RANDOM_GSL_H

#include "sim/random.h"

#include <gsl/gsl_rng.h>

/* The type for gsl_rng_alloc; gsl_rng_set(rng, s) names the stream (s, 0, "", "gsl"). */
const gsl_rng_type *random_gsl_type(void);

/* Re-keys a generator of that type by name. */
void random_gsl_name(gsl_rng *rng, const struct random_name *name);

#endif
