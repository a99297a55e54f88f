/*
 * verdict_splits.h - The row of the decision table about partitions that split, or could not.
 *
 * docs/verdict.md holds the same table in words. Used by verdict.c only.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_SPLITS_H
#define DDBSIM_ANALYSIS_VERDICT_SPLITS_H

#include "analysis/summary.h"
#include "analysis/words.h"

#include <stdbool.h>

bool verdict_has_splits(const struct summary *summary);
void verdict_say_splits(const struct summary *summary, struct phrase *phrase);
/* Item collections that are full. */
bool verdict_has_rejections(const struct summary *summary);
void verdict_say_rejections(const struct summary *summary, struct phrase *phrase);

#endif
