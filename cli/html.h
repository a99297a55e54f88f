/*
 * html.h - Text and numbers as HTML: nothing that comes from a database or a file is markup.
 *
 * & < > " ' become references; control characters other than line ends and tabs, and bytes that are
 * no UTF-8, become the text \xNN, as names do in the database.
 *
 * Source: HTML Living Standard, 13.1.4 and 13.3.  Owns: nothing. A failed write is the stream's to
 * tell (ferror).
 */
#ifndef DDBSIM_CLI_HTML_H
#define DDBSIM_CLI_HTML_H

#include "analysis/store_read_table.h"

#include <stddef.h>
#include <stdio.h>

/* As the text of an element or of an attribute in double quotes. */
void html_text(FILE *out, const char *text);
void html_bytes(FILE *out, const char *bytes, size_t length);

/* A cell <td>…</td>: numbers with separators, to the right, with their exact value in data-v;
 * nothing for NULL. */
void html_cell(FILE *out, const struct store_value *value);
/* "12,345.7": for reading, not for sorting. */
void html_number(FILE *out, double number);

/* A picture that needs no request: an img of the SVG in base64, described by alt. */
void html_svg(FILE *out, const char *svg, const char *alt);

#endif
