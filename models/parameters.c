#include "models/parameters.h"

#include "sim/check.h"

#include <string.h>

static const struct parameter_row rows[] = {
#define PARAMETER_ROW(name, kind, preset, min, max, words, source, about)                          \
    {#name,                                                                                        \
     PARAMETER_##kind,                                                                             \
     preset,                                                                                       \
     min,                                                                                          \
     max,                                                                                          \
     words,                                                                                        \
     source,                                                                                       \
     about,                                                                                        \
     offsetof(struct model_parameters, name)},
    MODEL_PARAMETERS(PARAMETER_ROW)
#undef PARAMETER_ROW
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])

const struct parameter_row *model_parameter_rows(size_t *count) {
    *count = ROW_COUNT;
    return rows;
}

void model_parameters_default(struct model_parameters *parameters) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        model_parameters_set(parameters, &rows[i], rows[i].default_value);
    }
}

int64_t parameter_get(const void *from, const struct parameter_row *row) {
    int64_t value;
    memcpy(&value, (const unsigned char *)from + row->offset, sizeof value);
    return value;
}

void parameter_set(void *into, const struct parameter_row *row, int64_t value) {
    SIM_CHECKF(value >= row->min && value <= row->max, "%s", row->name);
    memcpy((unsigned char *)into + row->offset, &value, sizeof value);
}

int64_t model_parameters_get(const struct model_parameters *parameters,
                             const struct parameter_row *row) {
    return parameter_get(parameters, row);
}

void model_parameters_set(struct model_parameters *parameters, const struct parameter_row *row,
                          int64_t value) {
    parameter_set(parameters, row, value);
}
