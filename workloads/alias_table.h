/*
 * alias_table.h - Walker's alias table: one of count choices by weight, from one 64-bit draw.
 *
 *   i = high half of draw * count, coin = low half;  coin < keep_below[i] ? i : alias[i]
 *
 * Weights become 64-bit integer thresholds once, so that drawing is integer arithmetic and gives
 * the same numbers under every compiler. A choice of weight 0 is never drawn.
 *
 * Source:  Walker, ACM TOMS 3(3), 1977; set-up in one pass: Vose, IEEE TSE 17(9), 1991.
 * Owns:    nothing; the columns are the caller's.  Cost: set-up O(count), a pick about 2 ns.
 */
#ifndef DDBSIM_WORKLOADS_ALIAS_TABLE_H
#define DDBSIM_WORKLOADS_ALIAS_TABLE_H

#include "sim/err.h"

#include <stdbool.h>
#include <stdint.h>

struct alias_column {
    uint64_t keep_below; /* UINT64_MAX: always the column itself */
    uint32_t alias;
};

/* Fills count columns, count at least 1. Weights are finite and not negative, one is positive
 * (checked); they need not add up to anything. False with *err set only on no memory. */
bool alias_table_build(struct alias_column *columns, const double *weights, uint32_t count,
                       struct err *err) ERR_WARN_UNUSED;

/* The choice of a uniform 64-bit draw. */
static inline uint32_t alias_table_pick(const struct alias_column *columns, uint32_t count,
                                        uint64_t draw) {
    __extension__ unsigned __int128 product = (unsigned __int128)draw * count;
    uint32_t column = (uint32_t)(product >> 64);
    uint32_t alias = columns[column].alias;
    return (uint64_t)product < columns[column].keep_below ? column : alias;
}

#endif
