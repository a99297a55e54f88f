/*
 * json.h - JSON to a stream, on one line: commas, escapes and numbers that every reader takes.
 *
 * Numbers that are not finite become null. Control characters are escaped (\n, \u00NN); bytes that
 * are no UTF-8, which JSON cannot hold, become the text \xNN, as names do in the database. Owns:
 * nothing. A failed write is the stream's to tell (ferror).
 */
#ifndef DDBSIM_CLI_JSON_H
#define DDBSIM_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool comma; /* before the next element */
};

void json_begin(struct json *json, char bracket); /* { or [ */
void json_end(struct json *json, char bracket);   /* } or ] */
void json_key(struct json *json, const char *key);

void json_string(struct json *json, const char *text); /* NULL: null */
void json_bool(struct json *json, bool value);
void json_uint64(struct json *json, uint64_t value);
void json_int64(struct json *json, int64_t value);
void json_double(struct json *json, double value); /* the shortest text that reads back the same */
void json_ncu(struct json *json, int64_t ncu);     /* nano-units as units, exact */
void json_null(struct json *json);

#endif
