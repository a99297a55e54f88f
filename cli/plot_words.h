/*
 * plot_words.h - Numbers, times and foreign text as a picture shows them.
 *
 * Foreign text (names of scenarios, tables, keys) is never trusted: plot_clean makes it printable
 * and short, plot_quote makes it a gnuplot string of plain letters and octal escapes: gnuplot
 * would run what stands in backticks in double quotes, and misreads '' at the start of a string in
 * single quotes.
 *
 * Owns: nothing.  Cost: O(length).
 */
#ifndef DDBSIM_CLI_PLOT_WORDS_H
#define DDBSIM_CLI_PLOT_WORDS_H

#include "analysis/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PLOT_NUMBER_BYTES 32
#define PLOT_NAME_BYTES 512

/* "1,234,567", "12.5", "0.03"; decimals only below 100. Returns text. */
const char *plot_number(double value, char text[PLOT_NUMBER_BYTES]);

/* At most columns wide (wide characters count two), the middle cut out. Control, bidirectional and
 * broken characters are written as \xNN, \uNNNN or \UNNNNNN; so are, in a picture, all that DejaVu
 * Sans may lack: gnuplot draws a missing glyph over the whole picture. "" is "(empty)", " " is
 * "(blank)". Returns text. */
const char *plot_clean(const char *foreign, size_t columns, bool is_terminal,
                       char text[PLOT_NAME_BYTES]);
/* Columns of a text that has been cleaned. */
size_t plot_columns(const char *text);

/* NAME = "text" for gnuplot; all but letters and blanks as \ooo (digits too:
 * gnuplot reads on through a digit that follows). */
void plot_quote(FILE *file, const char *name, const char *text);

/* " 12.5" in a row of data; below 0: there is none, which gnuplot reads as "?". */
void plot_put_value(FILE *file, double value);

/* The smallest of 1, 2, 5, 10, 15, 30 s … hours, days that cuts span_s in at most pieces pieces. */
int64_t plot_time_step(int64_t span_s, int64_t pieces);
/* The smallest of 1, 2, 5 x 10^n that is not below value (> 0). */
double plot_round_up(double value);

#endif
