/*
 * service_life.h - A service as bytes describe it: tables, indexes, parameters, and a second book
 * of which items there are, by which outcomes are judged.
 *
 * Owns: the service (_fini).
 */
#ifndef DDBSIM_TESTS_FUZZ_SERVICE_LIFE_H
#define DDBSIM_TESTS_FUZZ_SERVICE_LIFE_H

#include "models/service.h"
#include "tests/fuzz/input.h"

#include <stdio.h>

#define LIFE_TABLES_MAX 3
#define LIFE_ITEMS_MAX 256 /* of a table: 16 partition keys with 16 sort keys, or 256 without */
#define LIFE_ATTRIBUTES 2
#define LIFE_VALUES 8 /* texts of an attribute */

/* How the keys of a table come: keyspace.h. */
enum life_numbering { NUMBERED_BY_FIRST_USE, NUMBERED_IN_ORDER, NUMBERED_BY_CALLER };

struct life_table {
    const struct table_spec *spec;
    struct index_spec indexes[3];
    struct table_pin pin;
    struct scaling_spec scalings[4][2]; /* by position, reads and writes */
    struct scaling_action actions[2];
    enum life_stage { INDEX_THERE, INDEX_TO_COME, INDEX_GONE } stages[3]; /* of global indexes */
    bool is_switched; /* another billing mode: no index is made any more */
    bool is_changing; /* scaled or updated: its pools do not keep their rates */
    enum life_numbering numbering;
    bool is_known[LIFE_ITEMS_MAX];    /* by text */
    uint32_t item_of[LIFE_ITEMS_MAX]; /* by text */
    uint32_t items[LIFE_ITEMS_MAX];   /* those that are known, in the order of first use */
    uint32_t item_count, key_count;
    uint32_t bytes[LIFE_ITEMS_MAX];        /* by item; 0: it does not exist */
    int64_t admitted_ncu[2], cost_ncu_max; /* reads, writes */
};

struct life {
    struct choices *choices;
    struct service service;
    struct table_spec specs[LIFE_TABLES_MAX];
    struct life_table tables[LIFE_TABLES_MAX];
    struct model_parameters parameters;
    uint32_t table_count;
    sim_ns now_ns;
};

static inline void life_choose_parameters(struct life *life) {
    size_t row_count;
    const struct parameter_row *rows = model_parameter_rows(&row_count);
    model_parameters_default(&life->parameters);
    for (uint32_t i = choices_below(life->choices, 8); i > 0; i--) {
        const struct parameter_row *row = &rows[choices_below(life->choices, (uint32_t)row_count)];
        const uint32_t part = choices_below(life->choices, 256);
        const int64_t span = row->max - row->min;
        int64_t value = row->min + (span < 256 ? part % (span + 1) : span / 255 * part);
        if (row->kind == PARAMETER_RATE && value < 10) {
            value = 10; /* thousands of partitions are slow, and no other case than eight */
        }
        model_parameters_set(&life->parameters, row, value);
    }
    if (life->parameters.adaptive_delay_min > life->parameters.adaptive_delay_max) {
        life->parameters.adaptive_delay_max = life->parameters.adaptive_delay_min;
    }
    if (life->parameters.as_alarm_delay_min > life->parameters.as_alarm_delay_max) {
        life->parameters.as_alarm_delay_max = life->parameters.as_alarm_delay_min;
    }
    if (life->parameters.update_table_median > life->parameters.update_table_p99) {
        life->parameters.update_table_p99 = life->parameters.update_table_median;
    }
    if (life->parameters.split_duration_min > life->parameters.split_duration_max) {
        life->parameters.split_duration_max = life->parameters.split_duration_min;
    }
}

static inline int64_t life_choose_units(struct life *life) {
    static const int64_t units[] = {1, 5, 40, 1000, 4000};
    return units[choices_below(life->choices, sizeof units / sizeof *units)];
}

/* Provisioned units, or, on demand, a maximum or none. */
static inline void life_choose_capacity(struct life *life, bool is_on_demand, int64_t *read,
                                        int64_t *write, struct throughput_spec *throughput) {
    *read = *write = 0;
    if (!is_on_demand) {
        *read = life_choose_units(life);
        *write = life_choose_units(life);
    } else if (choices_below(life->choices, 2) == 1) {
        throughput->max_on_demand.read = life_choose_units(life);
        throughput->max_on_demand.write = life_choose_units(life);
    }
}

/* Target tracking of one direction, about what is provisioned, with an action now and then. */
static inline const struct scaling_spec *life_choose_scaling(struct life *life,
                                                             struct life_table *table,
                                                             uint32_t position, uint32_t way,
                                                             int64_t units) {
    if (choices_below(life->choices, 3) != 1) {
        return NULL;
    }
    struct scaling_spec *spec = &table->scalings[position][way];
    *spec = (struct scaling_spec){
        .disable_scale_in = choices_below(life->choices, 4) == 1,
        .min_units = 1 + units / (1 + choices_below(life->choices, 4)),
        .target = PARAMETER_FRACTION_ONE / 100 * (20 + choices_below(life->choices, 71)),
        .out_cooldown_ns = choices_below(life->choices, 3) * 60 * SIM_NS_PER_S,
        .in_cooldown_ns = choices_below(life->choices, 3) * 60 * SIM_NS_PER_S,
        .actions = table->actions,
        .action_count = choices_below(life->choices, 3),
    };
    spec->max_units = spec->min_units + life_choose_units(life);
    table->is_changing = true;
    return spec;
}

static inline void life_choose_scalings(struct life *life, struct life_table *table,
                                        struct table_spec *spec) {
    if (life->parameters.era != ERA_GAC || spec->billing_mode != BILLING_PROVISIONED) {
        return;
    }
    for (uint32_t i = 0; i < sizeof table->actions / sizeof *table->actions; i++) {
        const int64_t least = life_choose_units(life);
        table->actions[i] = (struct scaling_action){
            .at_ns = (1 + choices_below(life->choices, 400)) * SIM_NS_PER_S,
            .every_ns = choices_below(life->choices, 3) * 120 * SIM_NS_PER_S,
            .min_units = least,
            .max_units = choices_below(life->choices, 2) == 1 ? UPDATE_KEEPS : 2 * least};
    }
    for (uint32_t i = 0; i <= spec->global_index_count; i++) {
        if (i > 0 && table->indexes[i - 1].is_added) {
            continue;
        }
        struct throughput_spec *of = i == 0 ? &spec->throughput : &table->indexes[i - 1].throughput;
        const int64_t reads =
            i == 0 ? spec->read_capacity_units : table->indexes[i - 1].read_capacity_units;
        const int64_t writes =
            i == 0 ? spec->write_capacity_units : table->indexes[i - 1].write_capacity_units;
        of->read_scaling = life_choose_scaling(life, table, i, 0, reads);
        of->write_scaling = life_choose_scaling(life, table, i, 1, writes);
    }
}

/* Attribute a0 is a key of each index, a1 is a key or projected. */
static inline void life_choose_indexes(struct life *life, struct life_table *table,
                                       struct table_spec *spec) {
    static const char *const projected[] = {"a1"};
    static const char *const names[] = {"i0", "i1", "i2"};
    const uint32_t global_count = choices_below(life->choices, 3);
    const uint32_t count = global_count + choices_below(life->choices, 2);
    for (uint32_t i = 0; i < count; i++) {
        struct index_spec *index = &table->indexes[i];
        *index = (struct index_spec){
            .index_name = names[i],
            .is_global = i < global_count,
            .hash_key = {i < global_count ? "a0" : "P", 'S'},
            .range_key = {i < global_count ? NULL : "a0", 'S'},
            .projection = (enum index_projection)choices_below(life->choices, 3),
            .index_size_bytes = SPEC_UNKNOWN,
            .initial_partitions = 1 + choices_below(life->choices, 4),
            .initial_burst_ns = choices_below(life->choices, 2) == 0 ? SPEC_UNKNOWN : 0,
        };
        life_choose_capacity(life, spec->billing_mode == BILLING_PAY_PER_REQUEST,
                             &index->read_capacity_units, &index->write_capacity_units,
                             &index->throughput);
        if (index->is_global && choices_below(life->choices, 2) == 1) {
            index->range_key = (struct key_attribute){"a1", 'N'};
        }
        if (index->is_global && life->parameters.era == ERA_GAC &&
            choices_below(life->choices, 4) == 1) {
            index->is_added = true;
            table->stages[i] = INDEX_TO_COME;
        }
        if (index->projection == PROJECTION_INCLUDE) {
            index->non_key_attributes = projected;
            index->non_key_attribute_count = 1;
        }
    }
    spec->indexes = table->indexes;
    spec->index_count = count;
    spec->global_index_count = global_count;
}

static inline void life_choose_table(struct life *life, uint32_t number) {
    static const char *const names[] = {"t0", "t1", "t2"};
    struct life_table *table = &life->tables[number];
    struct table_spec *spec = &life->specs[number];
    const uint32_t burst = choices_below(life->choices, 3);
    *spec = (struct table_spec){
        .table_name = names[number],
        .billing_mode =
            choices_below(life->choices, 4) == 1 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED,
        .hash_key = {"P", 'S'},
        .range_key = {choices_below(life->choices, 2) == 0 ? NULL : "S", 'S'},
        .item_count = SPEC_UNKNOWN,
        .table_size_bytes = SPEC_UNKNOWN,
        .initial_partitions = choices_below(life->choices, 9),
        .initial_burst_ns = burst == 0 ? SPEC_UNKNOWN : (burst - 1) * 10 * SIM_NS_PER_S,
    };
    life_choose_capacity(life, spec->billing_mode == BILLING_PAY_PER_REQUEST,
                         &spec->read_capacity_units, &spec->write_capacity_units,
                         &spec->throughput);
    if (choices_below(life->choices, 4) == 1) { /* near a split for size */
        spec->item_count = 1000;
        spec->table_size_bytes = life->parameters.size_split_at - 1;
    }
    if (choices_below(life->choices, 4) == 1) {
        table->pin = (struct table_pin){.key = "k0", .partition = 0};
        spec->pins = &table->pin;
        spec->pin_count = 1;
    }
    life_choose_indexes(life, table, spec);
    life_choose_scalings(life, table, spec);
    table->spec = spec;
    if (spec->range_key.name == NULL) {
        table->numbering = (enum life_numbering)choices_below(life->choices, 3);
    }
    if (table->numbering == NUMBERED_BY_CALLER && spec->index_count > 0) {
        table->numbering = NUMBERED_IN_ORDER; /* indexes number items by first use */
    }
}

/* False: the service says why not; nothing is to be freed. */
static inline bool life_init(struct life *life, struct choices *choices) {
    *life = (struct life){.choices = choices};
    life->table_count = 1 + choices_below(choices, LIFE_TABLES_MAX);
    life_choose_parameters(life);
    for (uint32_t i = 0; i < life->table_count; i++) {
        life_choose_table(life, i);
    }
    const int64_t quota_cu_per_s = choices_below(choices, 2) * 40;
    const struct service_config config = {
        .tables = life->specs,
        .table_count = life->table_count,
        .parameters = life->parameters,
        .seed = choices_below(choices, 256),
        .quotas = {.table_max_read = quota_cu_per_s, .table_max_write = quota_cu_per_s}};
    struct err err = {.kind = ERR_NONE};
    bool ready = service_init(&life->service, &config, &err);
    if (!ready) {
        input_check_refused(&err);
        return false;
    }
    for (uint32_t i = 0; i < life->table_count; i++) {
        if (life->tables[i].numbering == NUMBERED_BY_CALLER) {
            ready = service_number_items(&life->service, i, LIFE_ITEMS_MAX, &err);
            SIM_CHECK(ready);
        }
    }
    return true;
}

#endif
