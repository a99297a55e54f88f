/* service.h, eras in which each partition has a share of the throughput. */
#include "models/service_parts.h"

#include "sim/hash.h"
#include "sim/random.h"

/* Other seeds and replications wait other times, however their keys are placed. */
static uint64_t delay_stream(const struct service_config *config, const char *table_name,
                             const char *variable) {
    const struct random_name name = {
        .seed = config->seed,
        .replication = config->replication,
        .workload = table_name,
        .variable = variable,
    };
    return random_name_hash(&name);
}

bool service_open_shares(struct service_table *table, struct arena *arena,
                         const struct service_config *config, const struct table_spec *spec,
                         struct err *err) {
    const struct model_parameters *parameters = &config->parameters;
    if (parameters->era == ERA_GAC || spec->billing_mode == BILLING_PAY_PER_REQUEST) {
        return true;
    }
    const uint64_t read_stream = delay_stream(config, spec->table_name, "adaptive delay, reads");
    struct adaptive_capacity_setup setup = {
        .provisioned_cu_per_s = spec->read_capacity_units,
        .part_max_cu_per_s = parameters->part_max_r,
        .partitions = table->set.count,
        .initial_burst_ns = spec_saved_ns(spec->initial_burst_ns, parameters),
        .delay_stream = read_stream,
    };
    table->read_shares = adaptive_capacity_open(arena, &setup, parameters, err);
    setup.provisioned_cu_per_s = spec->write_capacity_units;
    setup.part_max_cu_per_s = parameters->part_max_w;
    setup.delay_stream = delay_stream(config, spec->table_name, "adaptive delay, writes");
    table->write_shares = adaptive_capacity_open(arena, &setup, parameters, err);
    if (table->read_shares == NULL || table->write_shares == NULL) {
        return false;
    }
    const uint32_t global_count = table->indexes == NULL ? 0 : table->indexes->global_count;
    for (uint32_t i = 0; i < global_count; i++) {
        struct secondary_index *index = &table->indexes->list[i];
        setup = (struct adaptive_capacity_setup){
            .provisioned_cu_per_s = index->spec->read_capacity_units,
            .part_max_cu_per_s = parameters->part_max_r,
            .partitions = index->set.count,
            .initial_burst_ns = spec_saved_ns(index->spec->initial_burst_ns, parameters),
            .delay_stream = secondary_index_salt(read_stream, index->spec->index_name),
        };
        index->read_shares = adaptive_capacity_open(arena, &setup, parameters, err);
        if (index->read_shares == NULL) {
            return false;
        }
    }
    return true;
}

void service_sample_shares(const struct service_table *table, sim_ns now_ns,
                           struct resource_sample *sample) {
    sample->burst_rncu = adaptive_capacity_saved_ncu(table->read_shares, now_ns);
    sample->burst_wncu = adaptive_capacity_saved_ncu(table->write_shares, now_ns);
    sample->burst_max_rncu = adaptive_capacity_saved_max_ncu(table->read_shares);
    sample->burst_max_wncu = adaptive_capacity_saved_max_ncu(table->write_shares);
}
