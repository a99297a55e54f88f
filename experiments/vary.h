/*
 * vary.h - `--vary K=SPEC`: the values that one parameter of a scenario takes.
 *
 *   1,2,4           these, as written; a comma inside {…}, […], "…" or '…' is part of a value
 *   100:5000:100    from 100 to at most 5000 in steps of 100
 *   log:1:256:9     9 values from 1 to 256, each the same factor above the one before
 *   100:5000        the whole span, for a design that picks points in it
 *
 * Between whole ends the values of the last two are rounded to whole numbers, each taken once.
 *
 * A name is one that --set takes: a parameter of the scenario, or a path such as model.routers.
 * Values are texts, as --set gives them; a computed one is printed with up to 12 digits, so that
 * what is printed is what is simulated.
 * Owns:    nothing; texts lie in the arena.  Cost: O(values).
 */
#ifndef DDBSIM_EXPERIMENTS_VARY_H
#define DDBSIM_EXPERIMENTS_VARY_H

#include "sim/arena.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

#define VARY_VALUES_MAX 100000
#define VARY_VALUE_BYTES 32 /* of a computed value, with its NUL */

struct vary {
    const char *text; /* as given; borrowed */
    const char *name;
    const char **values;
    uint32_t count; /* 0: a span without steps */
    bool is_span;   /* low … high are numbers: it was a range */
    bool is_log, is_whole;
    double low, high, step; /* step 0: none */
};

/* text: "K=SPEC". False with *err set (ERR_INPUT, names the fault and what was expected), or no
 * memory. */
bool vary_read(struct vary *vary, const char *text, struct arena *arena, struct err *err)
    ERR_WARN_UNUSED;

/* The value at fraction in [0, 1] of a span (checked): the nearest step when it has steps. */
void vary_at(const struct vary *vary, double fraction, char value[VARY_VALUE_BYTES]);

#endif
