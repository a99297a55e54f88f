/*
 * advise_parts.h - One `ddbsim advise` under way, and what its report is made of; used only by the
 * advise*.c files.
 */
#ifndef DDBSIM_CLI_ADVISE_PARTS_H
#define DDBSIM_CLI_ADVISE_PARTS_H

#include "cli/advise_options.h"
#include "cli/command.h"
#include "cli/drive.h"
#include "cli/scenario_source.h"
#include "experiments/advice.h"

#include <stdbool.h>
#include <stdint.h>

#define ADVISE_VALUES_MAX 8 /* of one unpublished parameter */
#define ADVISE_NAME_BYTES 64

enum advise_change { ADVISE_SAME, ADVISE_NOT_ENOUGH, ADVISE_LESS_WILL_DO, ADVISE_NOT_RUN };

/* An unpublished parameter of the model: what the answer is at other values of it. */
struct advise_parameter {
    const struct parameter_row *row;
    char name[ADVISE_NAME_BYTES];
    const char *values[ADVISE_VALUES_MAX];
    enum advise_change changes[ADVISE_VALUES_MAX];
    uint32_t value_count;
    bool acts; /* some run differs from that with the value as it is */
};

struct advise {
    struct advise_options options;
    struct scenario_source source;
    struct design_source text;
    struct design design;
    struct advice advice;
    char *why; /* without an answer, the verdict of a run that misses the goal; owned */
    uint32_t why_row;
    struct advise_parameter *parameters;
    uint32_t parameter_count;
};

/* Whether a drive's event ends the command: prints what has to be said and sets *status. */
bool advise_is_over(struct drive *drive, enum drive_event event, int *status, struct err *err);

/* Varies each unpublished parameter over its range; false with *status when that ended early. */
bool advise_sensitivity(struct advise *advise, int *status, struct err *err);

void advise_report_text(const struct advise *advise);
void advise_report_json(const struct advise *advise);

#endif
