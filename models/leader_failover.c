#include "models/leader_failover.h"

#include "sim/check.h"

#define GAPS_CHUNK 16

void leader_failover_init(struct leader_failover *failover, struct arena *arena) {
    *failover = (struct leader_failover){.open_count = 0};
    grow_array_init(&failover->gaps, arena, sizeof(struct leader_gap), GAPS_CHUNK);
}

static struct leader_gap *gap_at(const struct leader_failover *failover, uint32_t gap) {
    SIM_CHECK(gap < failover->gaps.count);
    return grow_array_at(&failover->gaps, gap);
}

bool leader_failover_lose(struct leader_failover *failover, uint32_t table, uint32_t partition,
                          uint32_t *gap, struct err *err) {
    if (!grow_array_append(&failover->gaps, 1, gap, err)) {
        return false;
    }
    *gap_at(failover, *gap) =
        (struct leader_gap){.table = table, .partition = partition, .is_open = true};
    failover->open_count++;
    return true;
}

struct leader_gap leader_failover_gap(const struct leader_failover *failover, uint32_t gap) {
    return *gap_at(failover, gap);
}

bool leader_failover_elect(struct leader_failover *failover, uint32_t gap) {
    struct leader_gap *over = gap_at(failover, gap);
    SIM_CHECK(over->is_open);
    over->is_open = false;
    failover->open_count--;
    return !leader_failover_holds(failover, over->table, over->partition);
}

bool leader_failover_holds(const struct leader_failover *failover, uint32_t table,
                           uint32_t partition) {
    for (uint32_t i = 0; failover->open_count > 0 && i < failover->gaps.count; i++) {
        const struct leader_gap *gap = gap_at(failover, i);
        if (gap->is_open && gap->table == table && gap->partition == partition) {
            return true;
        }
    }
    return false;
}
