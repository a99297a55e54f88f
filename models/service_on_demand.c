/* service.h, on-demand tables: what limits them beside their partitions. */
#include "models/service_parts.h"

/* What its partitions can serve together. */
static void reach(struct on_demand_limits *limits, const struct partition_set *set,
                  int64_t part_max_cu_per_s) {
    on_demand_limits_reach(limits, 0, set->count * part_max_cu_per_s);
}

/* Entries are written however far behind the index is: what limits it is one bucket, which goes
 * into debt. */
static void open_index_writes(struct secondary_index *index, int64_t quota_cu_per_s,
                              const struct model_parameters *parameters) {
    const int64_t maximum = index->spec->throughput.max_on_demand.write;
    const bool is_quota = quota_cu_per_s > 0 && quota_cu_per_s <= TOKEN_BUCKET_RATE_MAX;
    if (maximum > 0) {
        const sim_ns saved_ns = spec_saved_ns(index->spec->initial_burst_ns, parameters);
        const sim_ns depth_ns = parameters->on_demand_burst;
        token_bucket_init(&index->write, 0, maximum, maximum * depth_ns,
                          maximum * (saved_ns < depth_ns ? saved_ns : depth_ns));
        index->write_reason = REASON_BIT(REASON_INDEX_WRITE_MAX_ON_DEMAND);
        return;
    }
    const int64_t rate = is_quota ? quota_cu_per_s : TOKEN_BUCKET_RATE_MAX;
    const int64_t depth_ncu = rate * parameters->part_bucket_depth;
    token_bucket_init(&index->write, 0, rate, depth_ncu, depth_ncu);
    index->write_reason = REASON_BIT(REASON_INDEX_WRITE_ACCOUNT_LIMIT);
}

void service_open_on_demand(struct service_table *table, const struct service_config *config,
                            const struct table_spec *spec) {
    const struct model_parameters *parameters = &config->parameters;
    const struct quotas_spec *quotas = &config->quotas;
    table->is_on_demand = spec->billing_mode == BILLING_PAY_PER_REQUEST;
    if (!table->is_on_demand) {
        return;
    }
    const sim_ns saved_ns = spec_saved_ns(spec->initial_burst_ns, parameters);
    on_demand_limits_init(&table->read_limits, quotas->table_max_read, parameters);
    on_demand_limits_init(&table->write_limits, quotas->table_max_write, parameters);
    on_demand_limits_set_maximum(&table->read_limits, 0, spec->throughput.max_on_demand.read,
                                 saved_ns);
    on_demand_limits_set_maximum(&table->write_limits, 0, spec->throughput.max_on_demand.write,
                                 saved_ns);
    reach(&table->read_limits, &table->set, parameters->part_max_r);
    reach(&table->write_limits, &table->set, parameters->part_max_w);
    const uint32_t global_count = table->indexes == NULL ? 0 : table->indexes->global_count;
    for (uint32_t i = 0; i < global_count; i++) {
        struct secondary_index *index = &table->indexes->list[i];
        index->is_on_demand = true;
        on_demand_limits_init(&index->read_limits, quotas->table_max_read, parameters);
        on_demand_limits_set_maximum(&index->read_limits, 0,
                                     index->spec->throughput.max_on_demand.read,
                                     spec_saved_ns(index->spec->initial_burst_ns, parameters));
        reach(&index->read_limits, &index->set, parameters->part_max_r);
        open_index_writes(index, quotas->table_max_write, parameters);
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
