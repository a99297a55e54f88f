#include "workloads/alias_table.h"

#include "sim/check.h"

#include <math.h>
#include <stdlib.h>

/* Weights over the largest one (no sum can overflow), times count over their sum: mean 1. */
static void normalise(double *shares, const double *weights, uint32_t count) {
    double largest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        SIM_CHECKF(isfinite(weights[i]) && weights[i] >= 0.0, "weight %u is %g", i, weights[i]);
        largest = weights[i] > largest ? weights[i] : largest;
    }
    SIM_CHECK(largest > 0.0);
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        shares[i] = weights[i] / largest;
        sum += shares[i];
    }
    double factor = (double)count / sum;
    for (uint32_t i = 0; i < count; i++) {
        shares[i] *= factor;
    }
}

/* order holds the columns below 1 from its start and the others from its end. */
static void pair_columns(struct alias_column *columns, double *shares, uint32_t *order,
                         uint32_t count) {
    uint32_t below = 0, first_above = count;
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = (struct alias_column){.keep_below = UINT64_MAX, .alias = i};
        if (shares[i] < 1.0) {
            order[below++] = i;
        } else {
            order[--first_above] = i;
        }
    }
    while (below > 0 && first_above < count) {
        uint32_t small = order[--below];
        uint32_t large = order[first_above];
        columns[small].keep_below = (uint64_t)(shares[small] * 0x1p64);
        columns[small].alias = large;
        double rest = (shares[large] + shares[small]) - 1.0;
        shares[large] = rest;
        if (rest < 1.0) {
            first_above++;
            order[below++] = large;
        }
    }
    /* What is left over is 1 but for rounding. */
    while (below > 0) {
        SIM_CHECK(shares[order[--below]] > 0.5);
    }
}

bool alias_table_build(struct alias_column *columns, const double *weights, uint32_t count,
                       struct err *err) {
    SIM_CHECK(count > 0);
    double *shares = calloc(count, sizeof *shares);
    uint32_t *order = calloc(count, sizeof *order);
    bool have_memory = shares != NULL && order != NULL;
    if (have_memory) {
        normalise(shares, weights, count);
        pair_columns(columns, shares, order, count);
    }
    free(shares);
    free(order);
    return have_memory || err_no_memory(err, "alias table");
}
