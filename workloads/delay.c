#include "workloads/delay.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <math.h>

sim_ns delay_ns(const struct delay_spec *delay, uint64_t draw) {
    SIM_CHECK(delay->min_ns >= 0 && delay->min_ns <= delay->max_ns && delay->max_ns <= SIM_NS_MAX);
    switch (delay->law) {
    case DELAY_CONSTANT: return delay->min_ns;
    case DELAY_UNIFORM:
        return delay->min_ns +
               (sim_ns)hash_below(draw, (uint64_t)(delay->max_ns - delay->min_ns) + 1);
    case DELAY_EXPONENTIAL: {
        const double unit = (double)(int64_t)((draw >> 11) + 1) * 0x1p-53;
        const double wait_ns = -log(unit) * (double)delay->min_ns;
        return wait_ns < (double)SIM_NS_MAX ? (sim_ns)wait_ns : SIM_NS_MAX;
    }
    }
    SIM_CHECKF(false, "delay law %d", (int)delay->law);
    return 0;
}
