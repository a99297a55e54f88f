/*
 * verdict_client.h - What the verdict says of the client: gave up, waited, was held back, lost.
 *
 * The rows of docs/verdict.md, "The run as a whole", that are about clients. Every row that applies
 * is said.
 * Owns: nothing.
 */
#ifndef DDBSIM_ANALYSIS_VERDICT_CLIENT_H
#define DDBSIM_ANALYSIS_VERDICT_CLIENT_H

#include "analysis/summary.h"
#include "analysis/words.h"

#include <stdbool.h>
#include <stddef.h>

/* One statement about the run as a whole. */
struct verdict_run_row {
    const char *name; /* as in docs/verdict.md */
    bool (*applies)(const struct summary *summary);
    void (*say)(const struct summary *summary, struct phrase *phrase);
};

const struct verdict_run_row *verdict_client_rows(size_t *count);

#endif
