/*
 * err.h - A failure of the world (file, scenario, SQLite, memory at set-up), as a value.
 *
 * A function that can fail so takes a struct err last, returns false, and has filled the message
 * where the place is known. Style of the text: no capital, no full stop, subject in '…', position
 * first: "hot.yaml:12:5: unknown key 'burst_windw_s'; did you mean 'burst_window_s'?".
 * Bugs go through check.h, throttling is an outcome (models/request.h): the three never mix.
 */
#ifndef DDBSIM_SIM_ERR_H
#define DDBSIM_SIM_ERR_H

#include <stdarg.h>
#include <stdbool.h>

enum err_kind {
    ERR_NONE = 0,
    ERR_INPUT, /* usage or scenario: exit status 2 */
    ERR_IO,    /* file, database, memory, child program: exit status 3 */
};

#define ERR_TEXT_BYTES 1024

struct err {
    enum err_kind kind;
    char text[ERR_TEXT_BYTES]; /* one sentence on one line, cut with … when longer */
};

/* Sets *err, unless it already holds a failure (the first cause wins); always returns false, so
 * that `return err_set(err, ERR_INPUT, …)` reads as one statement. */
bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool err_setv(struct err *err, enum err_kind kind, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Shorthand for memory that could not be had: "out of memory (<what>)", ERR_IO. */
bool err_no_memory(struct err *err, const char *what);

#define ERR_WARN_UNUSED __attribute__((warn_unused_result))

#endif
