/* table_reader.h, what a table or index is given: provisioned or on-demand, warm, state. */
#include "workloads/table_reader_parts.h"

/* A pair of units a second, each of which may be left out. */
struct units_keys {
    const char *const *keys; /* all that may stand there; the first two are the units */
    int64_t least;
    const char *expected; /* NULL: the range says enough */
};

static bool read_one(struct reader *reader, struct document_node *node,
                     const struct units_keys *keys, int64_t *value) {
    if (!reader_count(reader, node, keys->least, TABLE_CAPACITY_UNITS_MAX, value)) {
        return false;
    }
    return node == NULL || *value != 0 || keys->expected == NULL ||
           reader_fail_expected(reader, node, keys->expected);
}

static bool read_units(struct reader *reader, const struct document_node *node,
                       const struct units_keys *keys, struct capacity_units *units) {
    const struct reader_keys mapping = {keys->keys, NULL};
    return node == NULL ||
           (reader_mapping(reader, node, &mapping) &&
            read_one(reader, document_get(node, keys->keys[0]), keys, &units->read) &&
            read_one(reader, document_get(node, keys->keys[1]), keys, &units->write));
}

bool table_reader_units(struct reader *reader, const struct document_node *throughput,
                        struct capacity_units *units) {
    static const char *const keys[] = {"ReadCapacityUnits",      "WriteCapacityUnits",
                                       "LastIncreaseDateTime",   "LastDecreaseDateTime",
                                       "NumberOfDecreasesToday", NULL};
    static const struct units_keys provisioned = {keys, 1, NULL};
    const struct reader_keys mapping = {keys, NULL};
    struct document_node *reads, *writes;
    return reader_mapping(reader, throughput, &mapping) &&
           reader_require(reader, throughput, keys[0], &reads) &&
           reader_require(reader, throughput, keys[1], &writes) &&
           read_one(reader, reads, &provisioned, &units->read) &&
           read_one(reader, writes, &provisioned, &units->write);
}

bool table_reader_maximum(struct reader *reader, const struct document_node *node,
                          struct capacity_units *units) {
    static const char *const keys[] = {"MaxReadRequestUnits", "MaxWriteRequestUnits", NULL};
    static const struct units_keys maximum = {keys, -1, "at least 1, or -1 for no maximum"};
    if (!read_units(reader, node, &maximum, units)) {
        return false;
    }
    units->read = units->read < 0 ? 0 : units->read;
    units->write = units->write < 0 ? 0 : units->write;
    return true;
}

bool table_reader_warm(struct reader *reader, const struct document_node *node,
                       struct capacity_units *units) {
    static const char *const keys[] = {"ReadUnitsPerSecond", "WriteUnitsPerSecond", "Status", NULL};
    static const struct units_keys warm = {keys, 1, NULL};
    return read_units(reader, node, &warm, units);
}

/* Whether all of a mapping comes from a table's file. */
static bool is_from_file(const struct document_node *mapping) {
    bool is_literal = mapping->is_literal;
    for (const struct document_node *child = mapping->first; child != NULL; child = child->next) {
        is_literal &= child->is_literal;
    }
    return is_literal;
}

bool table_reader_refuse_other_mode(struct reader *reader, const struct document_node *node,
                                    const char *rule) {
    if (node == NULL) {
        return true;
    }
    return is_from_file(node)
               ? reader_note(reader, &node->key_position, "%s has no effect: %s", node->key, rule)
               : reader_fail_key(reader, node, "%s", rule);
}

static bool is_zero(const struct document_node *mapping, const char *key) {
    const struct document_node *node = document_get(mapping, key);
    return node == NULL || (node->text != NULL && node->text[0] == '0' && node->text[1] == '\0');
}

static bool read_on_demand(struct reader *reader, const struct document_node *owner,
                           struct table_capacity *capacity) {
    const struct document_node *provisioned = document_get(owner, "ProvisionedThroughput");
    if (provisioned != NULL &&
        !(is_from_file(provisioned) && is_zero(provisioned, "ReadCapacityUnits") &&
          is_zero(provisioned, "WriteCapacityUnits")) &&
        !table_reader_refuse_other_mode(
            reader, provisioned,
            "BillingMode is PAY_PER_REQUEST, and an on-demand table or index has no "
            "ProvisionedThroughput (DynamoDB's rule)")) {
        return false;
    }
    return table_reader_maximum(reader, document_get(owner, "OnDemandThroughput"),
                                &capacity->throughput.max_on_demand);
}

static bool read_provisioned(struct reader *reader, const struct document_node *owner,
                             struct table_capacity *capacity) {
    struct document_node *throughput;
    struct capacity_units units = {0, 0};
    if (document_get(owner, "ProvisionedThroughput") == NULL) {
        return reader_fail(
            reader, owner,
            "'ProvisionedThroughput' is missing: BillingMode is PROVISIONED, also "
            "when it is not given, and needs read and write units (DynamoDB's rule)");
    }
    if (!reader_require(reader, owner, "ProvisionedThroughput", &throughput) ||
        !table_reader_units(reader, throughput, &units)) {
        return false;
    }
    capacity->read_capacity_units = units.read;
    capacity->write_capacity_units = units.write;
    return table_reader_refuse_other_mode(
        reader, document_get(owner, "OnDemandThroughput"),
        "BillingMode is PROVISIONED, and OnDemandThroughput is for on-demand "
        "tables (DynamoDB's rule)");
}

/* Never below what there is now. */
static bool check_least(struct reader *reader, const struct document_node *node,
                        struct capacity_units given, const struct table_capacity *capacity,
                        const char *rule) {
    const bool reads = given.read > 0 && given.read < capacity->read_capacity_units;
    const bool writes = given.write > 0 && given.write < capacity->write_capacity_units;
    return (!reads && !writes) ||
           reader_fail_key(reader, node, "'%s' is below the %s units that are provisioned: %s",
                           node->key, reads ? "read" : "write", rule);
}

/* BurstSeconds is a bare number of seconds, as its name says. */
static bool read_burst(struct reader *reader, struct document_node *node, sim_ns *burst_ns) {
    double burst_s = 0;
    if (node == NULL) {
        return true;
    }
    if (!reader_number(reader, node, 0, 3600, &burst_s)) {
        return false;
    }
    *burst_ns = (sim_ns)(burst_s * (double)SIM_NS_PER_S + 0.5);
    return true;
}

static bool read_state(struct reader *reader, const struct document_node *state,
                       struct table_capacity *capacity) {
    static const char *const keys[] = {"Partitions", "BurstSeconds", "HighestProvisioned",
                                       "PreviousPeak", NULL};
    static const char *const highest_keys[] = {"ReadCapacityUnits", "WriteCapacityUnits", NULL};
    static const char *const peak_keys[] = {"ReadUnitsPerSecond", "WriteUnitsPerSecond", NULL};
    static const struct reader_keys state_keys = {keys, NULL};
    static const struct units_keys highest = {highest_keys, 1, NULL}, peak = {peak_keys, 0, NULL};
    if (state == NULL) {
        return true;
    }
    if (!reader_mapping(reader, state, &state_keys)) {
        return false;
    }
    const struct document_node *most = document_get(state, "HighestProvisioned");
    return reader_count(reader, document_get(state, "Partitions"), 1, TABLE_PARTITIONS_MAX,
                        &capacity->initial_partitions) &&
           read_burst(reader, document_get(state, "BurstSeconds"), &capacity->initial_burst_ns) &&
           read_units(reader, most, &highest, &capacity->throughput.highest_provisioned) &&
           read_units(reader, document_get(state, "PreviousPeak"), &peak,
                      &capacity->throughput.previous_peak) &&
           check_least(reader, most, capacity->throughput.highest_provisioned, capacity,
                       "it is the highest ever");
}

bool table_reader_capacity(struct reader *reader, const struct document_node *owner,
                           enum billing_mode mode, struct table_capacity *capacity) {
    const struct document_node *warm = document_get(owner, "WarmThroughput");
    *capacity = (struct table_capacity){.initial_burst_ns = SPEC_UNKNOWN};
    return (mode == BILLING_PROVISIONED ? read_provisioned(reader, owner, capacity)
                                        : read_on_demand(reader, owner, capacity)) &&
           table_reader_warm(reader, warm, &capacity->throughput.warm) &&
           check_least(reader, warm, capacity->throughput.warm, capacity,
                       "warm throughput is at least that (DynamoDB's rule)") &&
           table_reader_scaling(reader, document_get(owner, "AutoScaling"), mode,
                                &capacity->throughput) &&
           read_state(reader, document_get(owner, "state"), capacity);
}
