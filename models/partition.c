#include "models/partition.h"

#include "models/request.h"
#include "sim/check.h"

#include <inttypes.h>

static int64_t ceil_div(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

int64_t partition_count_initial(const struct table_spec *table,
                                const struct model_parameters *parameters) {
    if (table->initial_partitions > 0) {
        return table->initial_partitions;
    }
    const int64_t read_max = parameters->part_max_r, write_max = parameters->part_max_w;
    int64_t count = 1;
    if (parameters->partition_formula == PARTITION_FORMULA_SUM) {
        /* R / r + W / w = (R * w + W * r) / (r * w): exact, at most 2e12 */
        count = ceil_div(table->read_capacity_units * write_max +
                             table->write_capacity_units * read_max,
                         read_max * write_max);
    } else {
        const int64_t for_reads = ceil_div(table->read_capacity_units, read_max);
        const int64_t for_writes = ceil_div(table->write_capacity_units, write_max);
        count = for_reads > for_writes ? for_reads : for_writes;
    }
    if (table->table_size_bytes != SPEC_UNKNOWN) {
        const int64_t for_bytes = ceil_div(table->table_size_bytes, parameters->part_max_bytes);
        count = for_bytes > count ? for_bytes : count;
    }
    return count < 1 ? 1 : count;
}

bool partition_layout_check(const struct table_spec *spec, int64_t partitions, struct err *err) {
    if (partitions > TABLE_PARTITIONS_MAX) {
        return err_set(err, ERR_INPUT,
                       "table '%s' needs %" PRId64 " partitions, expected at most %d",
                       spec->table_name, partitions, TABLE_PARTITIONS_MAX);
    }
    for (uint32_t i = 0; i < spec->pin_count; i++) {
        const struct table_pin *pin = &spec->pins[i];
        if (pin->partition >= partitions) {
            return err_set(err, ERR_INPUT,
                           "key '%s' of table '%s' is pinned to partition %" PRIu32
                           ", expected 0 to %" PRId64,
                           pin->key, spec->table_name, pin->partition, partitions - 1);
        }
    }
    return true;
}

/* ceil(i * 2^64 / count), modulo 2^64: the end of the last range wraps to 0. */
static uint64_t range_start(uint32_t i, uint32_t count) {
    return __extension__(uint64_t)((((unsigned __int128)i << 64) + count - 1) / count);
}

bool partition_set_init(struct partition_set *set, struct arena *arena, uint32_t count,
                        const struct model_parameters *parameters, struct err *err) {
    SIM_CHECK(count >= 1 && count <= TABLE_PARTITIONS_MAX);
    set->count = 0;
    set->partitions = ARENA_ARRAY(arena, struct partition, count, "partitions", err);
    if (set->partitions == NULL) {
        return false;
    }
    set->count = count;
    /* rate in units per second times nanoseconds is nano-units */
    const int64_t read_cap_ncu = parameters->part_max_r * parameters->part_bucket_depth;
    const int64_t write_cap_ncu = parameters->part_max_w * parameters->part_bucket_depth;
    for (uint32_t i = 0; i < count; i++) {
        struct partition *partition = &set->partitions[i];
        partition->partition_id = i;
        partition->hash_lo = range_start(i, count);
        partition->hash_hi = range_start(i + 1, count) - 1;
        token_bucket_init(&partition->read, 0, parameters->part_max_r, read_cap_ncu, read_cap_ncu);
        token_bucket_init(&partition->write, 0, parameters->part_max_w, write_cap_ncu,
                          write_cap_ncu);
    }
    return true;
}

uint32_t partition_set_find(const struct partition_set *set, uint64_t position) {
    uint32_t low = 0, high = set->count; /* the holder is in [low, high) */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (set->partitions[middle].hash_lo <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void partition_set_audit(struct partition_set *set, sim_ns now_ns) {
    SIM_CHECK(set->count >= 1);
    uint64_t next_lo = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        struct partition *partition = &set->partitions[i];
        SIM_CHECKF(partition->hash_lo == next_lo && partition->hash_hi >= partition->hash_lo,
                   "partition %" PRIu32 " does not continue the ring", partition->partition_id);
        SIM_CHECK((partition->hash_hi == UINT64_MAX) == (i + 1 == set->count));
        next_lo = partition->hash_hi + 1;
        token_bucket_audit(&partition->read, now_ns);
        token_bucket_audit(&partition->write, now_ns);
    }
}
