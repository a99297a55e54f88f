/*
 * words.h - Figures as people read them: 2,500 · 1,000.5 · 0.4 % · 0:04:12 · 12 min 30 s; text that
 * grows.
 *
 * Each returns a small struct by value, so that a statement is one printf: words_count(n).text
 * lives until the end of the full expression (C11 6.2.4). Units: as named.  Owns: nothing.
 */
#ifndef DDBSIM_ANALYSIS_WORDS_H
#define DDBSIM_ANALYSIS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct words {
    char text[48];
};

struct words words_count(uint64_t count); /* 1,234,567 */
struct words
words_rate(double per_s); /* 2,500 from 100 on, 23.4 below, 0.25 below 10; no -0, no inf */
struct words words_units(int64_t ncu); /* nano-units as units: 1,234.5, at most one digit behind */
struct words words_usd(int64_t nusd);  /* nano-dollars: $1,234.50, below a cent $0.0031 */
struct words words_percent(double share);  /* 25 %, 0.4 %, <0.1 %; 100 % and 0 % only when exact */
struct words words_clock(int64_t seconds); /* 0:04:12 */
struct words words_duration(double seconds); /* 0.4 s, 90 s, 12 min 30 s, 2 h 5 min */
struct words words_bytes(uint64_t bytes);    /* 1,434 B, 3.5 KB, 1.2 MB; 1024-based */

/* part / whole for words_percent and figures; 0 of nothing. */
double words_share(double part, double whole);

/* A text of bounded length, written piece by piece; what does not fit is cut, with "…". */
struct phrase {
    char *text;
    size_t bytes, used;
    bool cut;
};

void phrase_init(struct phrase *phrase, char *text, size_t bytes); /* bytes at least 8 */
void phrase_add(struct phrase *phrase, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
