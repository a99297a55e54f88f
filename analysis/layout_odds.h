/*
 * layout_odds.h - Keys on partitions by chance: how many layouts of N equal keys on P equal
 * partitions are good.
 *
 *   apart(N, P)      = Π (1 − i / P), i = 0 … N − 1           every key on a partition of its own
 *   at_most(N, P, m) = N! · [x^N] ( Σ_{k ≤ m} (x / P)^k / k! )^P  no partition holds above m
 *
 * apart(N, P) = at_most(N, P, 1). Neither is monotone in design terms: more shards are smaller, but
 * meet more often. Source: balls into bins, exponential generating functions (Flajolet and
 * Sedgewick, 2009, II.3).
 * Owns: nothing.  Cost: at_most O(N² log P).
 */
#ifndef DDBSIM_ANALYSIS_LAYOUT_ODDS_H
#define DDBSIM_ANALYSIS_LAYOUT_ODDS_H

#include <stdint.h>

#define LAYOUT_ODDS_KEYS_MAX 128

/* Probabilities; keys 0 … LAYOUT_ODDS_KEYS_MAX, partitions at least 1. */
double layout_odds_apart(uint32_t keys, uint32_t partitions);
double layout_odds_at_most(uint32_t keys, uint32_t partitions, uint32_t keys_per_partition);

/* The share of layouts in which demand, split evenly over shards, meets no cap on one partition. */
double layout_odds_shards(double demand, double cap, uint32_t shards, uint32_t partitions);

#endif
