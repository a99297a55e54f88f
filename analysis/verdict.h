/*
 * verdict.h - From a summary to words: which limit, where, which key, since when, what cures it.
 *
 * A written decision table (docs/verdict.md and verdict.c, row by row the same): symptom -> words
 * -> cure.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_H
#define DDBSIM_ANALYSIS_VERDICT_H

#include "analysis/summary.h"

/* Fills summary->verdict: one line a finding, most severe first, no final line end. Pure. */
void verdict_write(struct summary *summary);

#endif
