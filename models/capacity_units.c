#include "models/capacity_units.h"

#include "sim/check.h"

_Noreturn void capacity_units_refuse(int operation, uint32_t old_bytes, uint32_t new_bytes) {
    check_failed(__FILE__, __LINE__, "operation and sizes are DynamoDB's",
                 "operation %d, old size %u B, new size %u B", operation, old_bytes, new_bytes);
}
