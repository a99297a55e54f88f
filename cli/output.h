/*
 * output.h - Standard output that must arrive: a full disk or a closed pipe is an error, not
 * silence.
 */
#ifndef DDBSIM_CLI_OUTPUT_H
#define DDBSIM_CLI_OUTPUT_H

#include "sim/err.h"

#include <stdbool.h>

/* Flushes stdout; false with *err (ERR_IO) when anything written so far is lost. */
bool output_flush(struct err *err) ERR_WARN_UNUSED;

#endif
