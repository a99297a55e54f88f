#include "models/partition.h"

#include "models/request.h"
#include "sim/check.h"
#include "sim/hash.h"

#include <inttypes.h>
#include <string.h>

static int64_t ceil_div(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

int64_t partition_count_for(struct capacity_units units,
                            const struct model_parameters *parameters) {
    return larger(1, larger(ceil_div(units.read, parameters->part_max_r),
                            ceil_div(units.write, parameters->part_max_w)));
}

/* As AWS lays out what is provisioned. */
static int64_t provisioned_count(struct capacity_units units,
                                 const struct model_parameters *parameters) {
    const int64_t read_max = parameters->part_max_r, write_max = parameters->part_max_w;
    if (parameters->partition_formula == PARTITION_FORMULA_SUM) {
        /* R / r + W / w = (R * w + W * r) / (r * w): exact, at most 2e12 */
        return larger(
            1, ceil_div(units.read * write_max + units.write * read_max, read_max * write_max));
    }
    return partition_count_for(units, parameters);
}

int64_t partition_count_initial(const struct table_spec *table,
                                const struct model_parameters *parameters) {
    const struct throughput_spec *throughput = &table->throughput;
    if (table->initial_partitions > 0) {
        return table->initial_partitions;
    }
    const struct capacity_units provisioned = {table->read_capacity_units,
                                               table->write_capacity_units};
    const struct capacity_units twice = {2 * throughput->previous_peak.read,
                                         2 * throughput->previous_peak.write};
    int64_t count = table->billing_mode == BILLING_PAY_PER_REQUEST
                        ? parameters->on_demand_partitions
                        : provisioned_count(provisioned, parameters);
    count = larger(count, provisioned_count(throughput->highest_provisioned, parameters));
    count = larger(count, partition_count_for(throughput->warm, parameters));
    count = larger(count, partition_count_for(twice, parameters));
    if (table->table_size_bytes != SPEC_UNKNOWN) {
        count = larger(count, ceil_div(table->table_size_bytes, parameters->part_max_bytes));
    }
    return count;
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
    *set = (struct partition_set){.arena = arena};
    set->partitions = ARENA_ARRAY(arena, struct partition, count, "partitions", err);
    if (set->partitions == NULL) {
        return false;
    }
    set->count = count;
    set->open_count = count;
    set->root_count = count;
    set->capacity = count;
    set->replica_limits = replica_limits_of(parameters);
    /* rate in units per second times nanoseconds is nano-units */
    const int64_t read_rate = replica_limits_read_rate(parameters);
    const int64_t read_cap_ncu = read_rate * parameters->part_bucket_depth;
    const int64_t write_cap_ncu = parameters->part_max_w * parameters->part_bucket_depth;
    for (uint32_t i = 0; i < count; i++) {
        struct partition *partition = &set->partitions[i];
        partition->partition_id = i;
        partition->parent_id = UINT32_MAX;
        partition->closed_ns = -1;
        partition->cause = PARTITION_CREATED;
        partition->hash_lo = range_start(i, count);
        partition->hash_hi = range_start(i + 1, count) - 1;
        partition->sort_hi = UINT64_MAX;
        token_bucket_init(&partition->read, 0, read_rate, read_cap_ncu, read_cap_ncu);
        replica_limits_init(&partition->limits, parameters);
        token_bucket_init(&partition->write, 0, parameters->part_max_w, write_cap_ncu,
                          write_cap_ncu);
    }
    return true;
}

static bool is_before(const struct partition_place *a, const struct partition_place *b) {
    return a->hash < b->hash || (a->hash == b->hash && a->sort < b->sort);
}

static struct partition_place low_of(const struct partition *partition) {
    return (struct partition_place){partition->hash_lo, partition->sort_lo};
}

static struct partition_place high_of(const struct partition *partition) {
    return (struct partition_place){partition->hash_hi, partition->sort_hi};
}

/* Where the upper part of a closed partition begins. */
static struct partition_place cut_of(const struct partition_set *set,
                                     const struct partition *partition) {
    return low_of(&set->partitions[partition->first_child + 1]);
}

/* hash >= ceil(i * 2^64 / count) if and only if floor(hash * count / 2^64) >= i: the roots need no
 * search. */
uint32_t partition_set_find(const struct partition_set *set, uint64_t hash) {
    const struct partition *holder = &set->partitions[hash_below(hash, set->root_count)];
    SIM_CHECK(hash >= holder->hash_lo && hash <= holder->hash_hi);
    while (!partition_is_open(holder)) {
        const struct partition_place cut = cut_of(set, holder);
        if (cut.hash == hash && cut.sort > 0) {
            break;
        }
        holder = &set->partitions[holder->first_child + (hash >= cut.hash)];
    }
    return holder->partition_id;
}

uint32_t partition_set_descend(const struct partition_set *set, uint32_t partition,
                               const struct partition_place *place) {
    SIM_CHECK(partition < set->count);
    const struct partition *holder = &set->partitions[partition];
    while (!partition_is_open(holder)) {
        const struct partition_place cut = cut_of(set, holder);
        holder = &set->partitions[holder->first_child + !is_before(place, &cut)];
    }
    return holder->partition_id;
}

static uint32_t lowest_open(const struct partition_set *set, uint32_t partition) {
    while (!partition_is_open(&set->partitions[partition])) {
        partition = set->partitions[partition].first_child;
    }
    return partition;
}

uint32_t partition_set_first_open(const struct partition_set *set) {
    return lowest_open(set, 0);
}

uint32_t partition_set_next_open(const struct partition_set *set, uint32_t partition) {
    SIM_CHECK(partition < set->count && partition_is_open(&set->partitions[partition]));
    while (partition >= set->root_count) {
        const uint32_t parent = set->partitions[partition].parent_id;
        const uint32_t low = set->partitions[parent].first_child;
        if (partition == low) {
            return lowest_open(set, low + 1);
        }
        partition = parent;
    }
    return partition + 1 < set->root_count ? lowest_open(set, partition + 1) : UINT32_MAX;
}

bool partition_set_may_split(const struct partition_set *set, uint32_t partition,
                             const struct partition_place *cut) {
    SIM_CHECK(partition < set->count);
    const struct partition *of = &set->partitions[partition];
    const struct partition_place low = low_of(of), high = high_of(of);
    return partition_is_open(of) && set->open_count < TABLE_PARTITIONS_MAX &&
           is_before(&low, cut) && !is_before(&high, cut);
}

bool partition_set_middle(const struct partition_set *set, uint32_t partition,
                          struct partition_place *middle) {
    SIM_CHECK(partition < set->count);
    const struct partition *of = &set->partitions[partition];
    if (of->hash_hi > of->hash_lo) {
        const uint64_t half = (of->hash_hi - of->hash_lo) / 2 + 1;
        *middle = (struct partition_place){.hash = of->hash_lo + half};
        return true;
    }
    const uint64_t span = of->sort_hi - of->sort_lo;
    *middle = (struct partition_place){of->hash_lo, of->sort_lo + span / 2 + 1};
    return span > 0;
}

bool partition_set_reserve(struct partition_set *set, uint32_t splits, struct err *err) {
    const uint64_t needed = (uint64_t)set->count + 2 * (uint64_t)splits;
    uint64_t capacity = set->capacity;
    if (needed <= capacity) {
        return true;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    SIM_CHECK(capacity <= UINT32_MAX);
    struct partition *partitions =
        ARENA_ARRAY(set->arena, struct partition, capacity, "partitions", err);
    if (partitions == NULL) {
        return false;
    }
    memcpy(partitions, set->partitions, set->count * sizeof *partitions);
    set->partitions = partitions;
    set->capacity = (uint32_t)capacity;
    return true;
}

/* The place before one that is not the first of all. */
static struct partition_place place_before(const struct partition_place *place) {
    return place->sort > 0 ? (struct partition_place){place->hash, place->sort - 1}
                           : (struct partition_place){place->hash - 1, UINT64_MAX};
}

uint32_t partition_set_split(struct partition_set *set, sim_ns now_ns, uint32_t partition,
                             const struct partition_place *cut, enum partition_cause cause) {
    SIM_CHECK(partition_set_may_split(set, partition, cut));
    SIM_CHECK(set->count + 2 <= set->capacity);
    struct partition *parent = &set->partitions[partition];
    struct partition *low = &set->partitions[set->count], *high = low + 1;
    const struct partition_place low_end = place_before(cut);
    *low = (struct partition){
        .partition_id = set->count,
        .parent_id = partition,
        .hash_lo = parent->hash_lo,
        .sort_lo = parent->sort_lo,
        .hash_hi = low_end.hash,
        .sort_hi = low_end.sort,
        .born_ns = now_ns,
        .closed_ns = -1,
        .cause = cause,
    };
    *high = *low;
    high->partition_id++;
    high->hash_lo = cut->hash;
    high->sort_lo = cut->sort;
    high->hash_hi = parent->hash_hi;
    high->sort_hi = parent->sort_hi;
    token_bucket_split(&parent->read, now_ns, &low->read, &high->read);
    token_bucket_split(&parent->write, now_ns, &low->write, &high->write);
    replica_limits_split(&parent->limits, set->replica_limits, now_ns, &low->limits, &high->limits);
    parent->first_child = set->count;
    parent->closed_ns = now_ns;
    set->count += 2;
    set->open_count++;
    return low->partition_id;
}

static void audit_partition(struct partition *partition, sim_ns now_ns) {
    partition->read_before_ncu += partition->read.taken_ncu;
    partition->write_before_ncu += partition->write.taken_ncu;
    token_bucket_audit(&partition->read, now_ns);
    token_bucket_audit(&partition->write, now_ns);
}

static void audit_children(const struct partition_set *set, const struct partition *parent) {
    const struct partition *low = &set->partitions[parent->first_child], *high = low + 1;
    const struct partition_place cut = low_of(high);
    const struct partition_place low_end = place_before(&cut);
    SIM_CHECK(low->parent_id == parent->partition_id && high->parent_id == parent->partition_id);
    SIM_CHECK(low->born_ns == parent->closed_ns && high->born_ns == parent->closed_ns);
    SIM_CHECKF(low->hash_lo == parent->hash_lo && low->sort_lo == parent->sort_lo &&
                   low->hash_hi == low_end.hash && low->sort_hi == low_end.sort &&
                   high->hash_hi == parent->hash_hi && high->sort_hi == parent->sort_hi,
               "children of partition %" PRIu32 " do not tile its range", parent->partition_id);
}

void partition_set_audit(struct partition_set *set, sim_ns now_ns) {
    uint64_t next_lo = 0;
    uint32_t open = 0;
    SIM_CHECK(set->root_count >= 1);
    for (uint32_t i = 0; i < set->root_count; i++) {
        const struct partition *root = &set->partitions[i];
        SIM_CHECKF(root->hash_lo == next_lo && root->hash_hi >= root->hash_lo,
                   "partition %" PRIu32 " does not continue the ring", root->partition_id);
        SIM_CHECK((root->hash_hi == UINT64_MAX) == (i + 1 == set->root_count));
        next_lo = root->hash_hi + 1;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        struct partition *partition = &set->partitions[i];
        const struct partition_place low = low_of(partition), high = high_of(partition);
        SIM_CHECK(!is_before(&high, &low));
        SIM_CHECK(partition_is_open(partition) == (partition->closed_ns == -1));
        if (partition_is_open(partition)) {
            open++;
        } else {
            audit_children(set, partition);
        }
        audit_partition(partition, now_ns);
        replica_limits_audit(&partition->limits, set->replica_limits, now_ns);
    }
    SIM_CHECK(open == set->open_count);
}
