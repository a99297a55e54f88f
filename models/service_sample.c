/* service.h, what the service shows of itself, and its audit. */
#include "models/service_parts.h"

static int64_t saved_ncu(struct global_admission *admission, sim_ns now_ns) {
    const int64_t level_ncu = global_admission_level_ncu(admission, now_ns);
    return level_ncu < 0 ? 0 : level_ncu;
}

static void sample_index(struct secondary_index *index, sim_ns now_ns,
                         struct resource_sample *sample) {
    index_backlog_advance(&index->backlog, now_ns);
    token_bucket_refill(&index->write, now_ns);
    const int64_t level_ncu = index->write.level_ncu;
    *sample = (struct resource_sample){
        .provisioned_rcu = index->provisioned.read,
        .provisioned_wcu = index->provisioned.write,
        .burst_rncu = saved_ncu(&index->read, now_ns),
        .burst_wncu = level_ncu < 0 ? 0 : level_ncu,
        .burst_max_rncu = index->read.pool.cap_ncu,
        .burst_max_wncu = index->write.cap_ncu,
        .buffered_wncu = index_queue_buffered_ncu(&index->backlog.queue),
        .debt_wncu = level_ncu < 0 ? -level_ncu : 0,
        .partitions = index->set.open_count,
    };
    if (index->stage == INDEX_ABSENT) {
        *sample = (struct resource_sample){.provisioned_rcu = -1,
                                           .provisioned_wcu = -1,
                                           .burst_rncu = -1,
                                           .burst_wncu = -1,
                                           .buffered_wncu = sample->buffered_wncu};
        return;
    }
    if (index->read_shares != NULL) {
        sample->burst_rncu = adaptive_capacity_saved_ncu(index->read_shares, now_ns);
        sample->burst_max_rncu = adaptive_capacity_saved_max_ncu(index->read_shares);
    }
    if (index->is_on_demand) {
        service_sample_on_demand(&index->read_limits, NULL, now_ns, sample);
    }
}

void service_sample(struct service *service, sim_ns now_ns, uint32_t resource,
                    struct resource_sample *sample) {
    if (resource >= service->table_count) {
        sample_index(service_index_at(service, resource), now_ns, sample);
        return;
    }
    struct service_table *table = service_table_at(service, resource);
    *sample = (struct resource_sample){
        .provisioned_rcu = table->read_capacity_units,
        .provisioned_wcu = table->write_capacity_units,
        .burst_rncu = saved_ncu(&table->read, now_ns),
        .burst_wncu = saved_ncu(&table->write, now_ns),
        .burst_max_rncu = table->read.pool.cap_ncu,
        .burst_max_wncu = table->write.pool.cap_ncu,
        .buffered_wncu = -1,
        .partitions = table->set.open_count,
    };
    if (table->is_on_demand) {
        service_sample_on_demand(&table->read_limits, &table->write_limits, now_ns, sample);
    } else if (table->write_shares != NULL) {
        service_sample_shares(table, now_ns, sample);
    }
}

static const struct partition_set *set_of(const struct service *service, uint32_t resource) {
    return resource < service->table_count ? &service->tables[resource].set
                                           : &service_index_at(service, resource)->set;
}

static const struct keyspace *keyspace_of(const struct service *service, uint32_t resource) {
    return resource < service->table_count ? &service->tables[resource].keyspace
                                           : &service_index_at(service, resource)->keyspace;
}

uint32_t service_partition_count(const struct service *service, uint32_t resource) {
    return set_of(service, resource)->count;
}

void service_partition(const struct service *service, uint32_t resource, uint32_t index,
                       struct partition_sample *sample) {
    const struct partition_set *set = set_of(service, resource);
    SIM_CHECK(index < set->count);
    const struct partition *partition = &set->partitions[index];
    *sample = (struct partition_sample){
        .partition_id = partition->partition_id,
        .parent_id = partition->parent_id,
        .born_ns = partition->born_ns,
        .closed_ns = partition->closed_ns,
        .cause = partition->cause,
        .hash_lo = partition->hash_lo,
        .hash_hi = partition->hash_hi,
        .sort_lo = partition->sort_lo,
        .sort_hi = partition->sort_hi,
    };
}

uint64_t service_key_position(const struct service *service, uint32_t resource, uint32_t key) {
    const struct keyspace *keyspace = keyspace_of(service, resource);
    SIM_CHECK(key < keyspace->keys.count);
    return ((const struct key_place *)grow_array_at(&keyspace->keys, key))->position;
}

uint32_t service_key_partition(const struct service *service, uint32_t resource, uint32_t key) {
    const struct keyspace *keyspace = keyspace_of(service, resource);
    SIM_CHECK(key < keyspace->keys.count);
    return keyspace_partition(keyspace, set_of(service, resource), key, 0);
}

bool service_partition_holds(const struct service *service, uint32_t resource, uint32_t partition,
                             uint32_t key) {
    const uint64_t hash = service_key_position(service, resource, key);
    const struct partition_set *set = set_of(service, resource);
    SIM_CHECK(partition < set->count);
    return set->partitions[partition].hash_lo <= hash && set->partitions[partition].hash_hi >= hash;
}

struct partition_place service_item_place(const struct service *service, uint32_t table,
                                          uint32_t item) {
    return keyspace_item_place(&service_table_at(service, table)->keyspace, item);
}

uint32_t service_key_count(const struct service *service, uint32_t resource) {
    return keyspace_of(service, resource)->keys.count;
}

size_t service_memory_bytes(const struct service *service) {
    size_t bytes = service->arena.used_bytes;
    for (uint32_t i = 0; i < service->table_count; i++) {
        const struct service_table *table = &service->tables[i];
        bytes += keyspace_map_bytes(&table->keyspace);
        bytes += table->indexes == NULL ? 0 : secondary_indexes_map_bytes(table->indexes);
    }
    return bytes;
}

/* One direction of a table or an index. */
struct audited {
    struct global_admission *pool;
    struct adaptive_capacity *shares;
    struct on_demand_limits *limits; /* NULL: not on-demand */
    const struct partition_set *set;
    bool writes;
};

/* What the partitions have taken since the last audit, the pool, the shares or the limits have too.
 */
static void audit_capacity(const struct audited *of, sim_ns now_ns) {
    uint64_t taken_ncu = 0;
    for (uint32_t i = 0; i < of->set->count; i++) {
        const struct partition *partition = &of->set->partitions[i];
        const struct token_bucket *bucket = of->writes ? &partition->write : &partition->read;
        SIM_CHECK(of->shares == NULL || of->limits != NULL ||
                  bucket->taken_ncu == of->shares->shares[i].taken_ncu);
        taken_ncu += bucket->taken_ncu;
    }
    const bool has_pool = of->shares == NULL && of->limits == NULL;
    SIM_CHECK(global_admission_used_ncu(of->pool) == (has_pool ? taken_ncu : 0));
    global_admission_audit(of->pool, now_ns);
    if (of->shares != NULL) {
        adaptive_capacity_audit(of->shares, now_ns);
    }
    if (of->limits != NULL) {
        on_demand_limits_audit(of->limits, now_ns, taken_ncu);
    }
}

static void audit_table(struct service_table *table, sim_ns now_ns) {
    const bool is_on_demand = table->is_on_demand;
    const struct audited read = {.pool = &table->read,
                                 .shares = table->read_shares,
                                 .limits = is_on_demand ? &table->read_limits : NULL,
                                 .set = &table->set};
    const struct audited write = {.pool = &table->write,
                                  .shares = table->write_shares,
                                  .limits = is_on_demand ? &table->write_limits : NULL,
                                  .set = &table->set,
                                  .writes = true};
    audit_capacity(&read, now_ns);
    audit_capacity(&write, now_ns);
    partition_set_audit(&table->set, now_ns);
}

static void audit_index(struct secondary_index *index, sim_ns now_ns) {
    index_backlog_advance(&index->backlog, now_ns);
    const struct audited read = {.pool = &index->read,
                                 .shares = index->read_shares,
                                 .limits = index->is_on_demand ? &index->read_limits : NULL,
                                 .set = &index->set};
    audit_capacity(&read, now_ns);
    secondary_index_audit(index, now_ns);
}

void service_audit_table(struct service *service, uint32_t number, sim_ns now_ns) {
    struct service_table *table = service_table_at(service, number);
    audit_table(table, now_ns);
    for (uint32_t i = 0; table->indexes != NULL && i < table->indexes->global_count; i++) {
        audit_index(&table->indexes->list[i], now_ns);
    }
}

void service_audit(struct service *service, sim_ns now_ns) {
    for (uint32_t i = 0; i < service->table_count; i++) {
        service_audit_table(service, i, now_ns);
    }
}
