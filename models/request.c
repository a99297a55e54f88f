#include "models/request.h"

#include "sim/check.h"

#include <string.h>

struct operation_row {
    const char *name;
    bool writes;
};

static const struct operation_row operation_rows[] = {
#define OPERATION_ROW(id, name, writes) {name, writes},
    DDB_OPERATIONS(OPERATION_ROW)
#undef OPERATION_ROW
};

static const char *const reason_names[] = {
#define REASON_NAME(id, name) name,
    THROTTLE_REASONS(REASON_NAME)
#undef REASON_NAME
};

const char *ddb_operation_name(enum ddb_operation operation) {
    SIM_CHECK((unsigned)operation < DDB_OPERATION_COUNT);
    return operation_rows[operation].name;
}

bool ddb_operation_writes(enum ddb_operation operation) {
    SIM_CHECK((unsigned)operation < DDB_OPERATION_COUNT);
    return operation_rows[operation].writes;
}

bool ddb_operation_stores(enum ddb_operation operation) {
    return ddb_operation_writes(operation) && operation != DDB_DELETE_ITEM;
}

enum ddb_operation ddb_operation_by_name(const char *name) {
    unsigned i = 0;
    while (i < DDB_OPERATION_COUNT && strcmp(operation_rows[i].name, name) != 0) {
        i++;
    }
    return (enum ddb_operation)i;
}

const char *throttle_reason_name(enum throttle_reason reason) {
    SIM_CHECK((unsigned)reason < THROTTLE_REASON_COUNT);
    return reason_names[reason];
}

enum throttle_reason throttle_reason_by_name(const char *name) {
    unsigned i = 0;
    while (i < THROTTLE_REASON_COUNT && strcmp(reason_names[i], name) != 0) {
        i++;
    }
    return (enum throttle_reason)i;
}
