/* service.h, on-demand tables: what limits them beside their partitions. */
#include "models/service_parts.h"

/* Entries are written however far behind the index is: what limits it is one bucket, which goes
 * into debt. */
static void open_index_writes(struct secondary_index *index, sim_ns now_ns, int64_t maximum,
                              sim_ns saved_ns, const struct limits_setup *setup) {
    const int64_t quota = setup->quotas.table_max_write;
    const struct model_parameters *parameters = setup->parameters;
    if (maximum > 0) {
        const sim_ns depth_ns = parameters->on_demand_burst;
        token_bucket_init(&index->write, now_ns, maximum, maximum * depth_ns,
                          maximum * (saved_ns < depth_ns ? saved_ns : depth_ns));
        index->write_reason = REASON_BIT(REASON_INDEX_WRITE_MAX_ON_DEMAND);
        return;
    }
    const bool has_quota = quota > 0 && quota <= TOKEN_BUCKET_RATE_MAX;
    const int64_t rate = has_quota ? quota : TOKEN_BUCKET_RATE_MAX;
    const int64_t depth_ncu = rate * parameters->part_bucket_depth;
    token_bucket_init(&index->write, now_ns, rate, depth_ncu, depth_ncu);
    index->write_reason = REASON_BIT(REASON_INDEX_WRITE_ACCOUNT_LIMIT);
}

static void open_direction(struct on_demand_limits *limits, sim_ns now_ns, int64_t maximum,
                           sim_ns saved_ns, int64_t quota,
                           const struct model_parameters *parameters) {
    on_demand_limits_init(limits, quota, parameters);
    on_demand_limits_set_maximum(limits, now_ns, maximum, saved_ns);
}

void service_open_limits(struct service_table *table, sim_ns now_ns, uint32_t position,
                         struct capacity_units maximum, sim_ns saved_ns,
                         const struct limits_setup *setup) {
    const struct model_parameters *parameters = setup->parameters;
    if (position == 0) {
        open_direction(&table->read_limits, now_ns, maximum.read, saved_ns,
                       setup->quotas.table_max_read, parameters);
        open_direction(&table->write_limits, now_ns, maximum.write, saved_ns,
                       setup->quotas.table_max_write, parameters);
    } else {
        struct secondary_index *index = &table->indexes->list[position - 1];
        open_direction(&index->read_limits, now_ns, maximum.read, saved_ns,
                       setup->quotas.table_max_read, parameters);
        open_index_writes(index, now_ns, maximum.write, saved_ns, setup);
    }
    service_reach_quota(table, now_ns, position, parameters);
}

void service_reach_quota(struct service_table *table, sim_ns now_ns, uint32_t position,
                         const struct model_parameters *parameters) {
    if (!table->is_on_demand) {
        return;
    }
    if (position > 0) {
        struct secondary_index *index = &table->indexes->list[position - 1];
        on_demand_limits_reach(&index->read_limits, now_ns,
                               index->set.open_count * parameters->part_max_r);
        return;
    }
    on_demand_limits_reach(&table->read_limits, now_ns,
                           table->set.open_count * parameters->part_max_r);
    on_demand_limits_reach(&table->write_limits, now_ns,
                           table->set.open_count * parameters->part_max_w);
}

void service_open_on_demand(struct service_table *table, const struct service_config *config,
                            const struct table_spec *spec) {
    const struct limits_setup setup = {.quotas = config->quotas, .parameters = &config->parameters};
    table->is_on_demand = spec->billing_mode == BILLING_PAY_PER_REQUEST;
    for (uint32_t i = 0; i <= spec->global_index_count; i++) {
        const struct index_spec *index = i == 0 ? NULL : &spec->indexes[i - 1];
        if (index != NULL) {
            table->indexes->list[i - 1].is_on_demand = table->is_on_demand;
        }
        if (table->is_on_demand) {
            const sim_ns burst_ns =
                index == NULL ? spec->initial_burst_ns : index->initial_burst_ns;
            service_open_limits(table, 0, i, table_throughput(spec, i)->max_on_demand,
                                spec_saved_ns(burst_ns, &config->parameters), &setup);
        }
    }
}

static void show(struct on_demand_limits *limits, sim_ns now_ns, int64_t *level_ncu,
                 int64_t *max_ncu) {
    *level_ncu = -1;
    *max_ncu = 0;
    if (limits->has_maximum) {
        token_bucket_refill(&limits->maximum, now_ns);
        *level_ncu = limits->maximum.level_ncu > 0 ? limits->maximum.level_ncu : 0;
        *max_ncu = limits->maximum.cap_ncu;
    }
}

void service_sample_on_demand(struct on_demand_limits *reads, struct on_demand_limits *writes,
                              sim_ns now_ns, struct resource_sample *sample) {
    sample->provisioned_rcu = -1;
    sample->provisioned_wcu = -1;
    show(reads, now_ns, &sample->burst_rncu, &sample->burst_max_rncu);
    if (writes != NULL) {
        show(writes, now_ns, &sample->burst_wncu, &sample->burst_max_wncu);
    } else {
        sample->burst_wncu = -1;
        sample->burst_max_wncu = 0;
    }
}
