#include "models/capacity_units.h"

#include "models/spec.h"
#include "sim/check.h"

#define READ_UNIT_BYTES 4096
#define WRITE_UNIT_BYTES 1024

static int64_t units_of(uint32_t bytes, uint32_t unit_bytes) {
    return bytes == 0 ? 1 : (int64_t)((bytes + unit_bytes - 1) / unit_bytes);
}

int64_t capacity_units_ncu(enum ddb_operation operation, bool consistent_read, uint32_t old_bytes,
                           uint32_t new_bytes) {
    SIM_CHECK(old_bytes <= ITEM_BYTES_MAX);
    switch (operation) {
    case DDB_GET_ITEM:
        return units_of(old_bytes, READ_UNIT_BYTES) *
               (consistent_read ? NCU_PER_CU : NCU_PER_CU / 2);
    case DDB_PUT_ITEM:
    case DDB_UPDATE_ITEM:
        SIM_CHECK(new_bytes >= 1 && new_bytes <= ITEM_BYTES_MAX);
        return units_of(old_bytes > new_bytes ? old_bytes : new_bytes, WRITE_UNIT_BYTES) *
               NCU_PER_CU;
    case DDB_DELETE_ITEM: return units_of(old_bytes, WRITE_UNIT_BYTES) * NCU_PER_CU;
    case DDB_OPERATION_COUNT: break;
    }
    check_failed(__FILE__, __LINE__, "operation < DDB_OPERATION_COUNT", "%d", (int)operation);
}
