/*
 * verdict_scan.h - The row of the decision table about Scans that took what others were refused.
 *
 * docs/verdict.md holds the same table in words. Used by verdict.c only.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_SCAN_H
#define DDBSIM_ANALYSIS_VERDICT_SCAN_H

#include "analysis/summary.h"
#include "analysis/words.h"

#include <stdbool.h>

bool verdict_has_scans(const struct summary *summary);
void verdict_say_scans(const struct summary *summary, struct phrase *phrase);

#endif
