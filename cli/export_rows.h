/*
 * export_rows.h - A row of a results database as a line of CSV or JSON.
 *
 *   CSV    RFC 4180 but for the line ends, which are LF: quotes where a text holds a comma, a
 *          quote or a line end; NULL is empty, the empty text is "".
 *   JSON   one object a line, members in the order of the columns.
 *
 * Numbers are exact: integers in full, reals as the shortest of 15 to 17 digits that reads back
 * the same; infinity is inf in CSV, null in JSON. A blob is a text of hexadecimal digits. In JSON,
 * bytes that are no UTF-8 become the text \xNN, as names do in the database; CSV has them as they
 * are.
 *
 * Source: RFC 4180, RFC 8259.  Owns: nothing.  A failed write is the stream's to tell (ferror).
 */
#ifndef DDBSIM_CLI_EXPORT_ROWS_H
#define DDBSIM_CLI_EXPORT_ROWS_H

#include "analysis/store_read_table.h"

#include <stdio.h>

/* The line of names that CSV begins with. */
void export_csv_header(FILE *out, const struct store_read_table *table);
void export_csv_row(FILE *out, const struct store_read_table *table);
void export_json_row(FILE *out, const struct store_read_table *table);

/* One value, for a row of CSV or as a member of JSON. */
void export_csv_value(FILE *out, const struct store_value *value);
void export_json_value(FILE *out, const struct store_value *value);

#endif
