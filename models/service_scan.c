#include "models/service_scan.h"

#include "models/lane_group.h"
#include "models/service_parts.h"

static struct secondary_index *index_of(const struct service_table *table,
                                        const struct service_scan *scan) {
    return scan->index == SERVICE_SCAN_TABLE ? NULL : &table->indexes->list[scan->index];
}

void service_scan_init(struct service_scan *scan, const struct service *service, uint32_t table,
                       uint32_t index, const struct table_spec *spec) {
    SIM_CHECK(index == SERVICE_SCAN_TABLE || index < spec->index_count);
    const int64_t size_bytes = index == SERVICE_SCAN_TABLE ? spec->table_size_bytes
                                                           : spec->indexes[index].index_size_bytes;
    const bool is_global = index != SERVICE_SCAN_TABLE && spec->indexes[index].is_global;
    const bool is_known = spec->item_count > 0 && size_bytes > 0;
    *scan = (struct service_scan){
        .table = table,
        .index = index,
        .resource = is_global ? service_index_resource(service, table, index) : table,
        .item_count = is_known ? (uint64_t)spec->item_count : 0,
        .size_bytes = is_known ? (uint64_t)size_bytes : 0,
    };
}

/* Those that nobody has touched. Of an index, the part of its bytes that is theirs. */
static void add_untouched(struct service_scan *scan, const struct keyspace *keyspace,
                          const struct partition_set *set) {
    if (keyspace->found_items >= scan->item_count) {
        return;
    }
    const uint64_t items = scan->item_count - keyspace->found_items;
    uint64_t bytes;
    if (scan->index == SERVICE_SCAN_TABLE) {
        bytes =
            scan->size_bytes > keyspace->found_bytes ? scan->size_bytes - keyspace->found_bytes : 0;
    } else {
        bytes =
            __extension__(uint64_t)((unsigned __int128)scan->size_bytes * items / scan->item_count);
    }
    scan_contents_spread(&scan->contents, set, items, bytes);
}

/* The open partition of an item that exists. */
static uint32_t item_partition(const struct service_table *table, const struct item_state *item,
                               uint32_t number) {
    return partition_is_open(&table->set.partitions[item->partition])
               ? item->partition
               : keyspace_move_item(&table->keyspace, &table->set, number);
}

static void add_item(struct service_scan *scan, const struct service_table *table,
                     const struct secondary_index *index, uint32_t number) {
    const struct item_state *item = keyspace_item(&table->keyspace, number);
    if (item->bytes == 0 || !item->is_known) {
        return;
    }
    if (index == NULL) {
        scan_contents_add(&scan->contents, item_partition(table, item, number), 1, item->bytes);
        return;
    }
    const struct index_holding held =
        secondary_indexes_holding(table->indexes, index, number, item->bytes);
    if (held.bytes > 0) {
        scan_contents_add(&scan->contents,
                          index->spec->is_global ? keyspace_partition(&index->keyspace, &index->set,
                                                                      held.key, held.sort)
                                                 : item_partition(table, item, number),
                          1, held.bytes);
    }
}

static bool count_again(struct service *service, struct service_scan *scan,
                        const struct partition_set *set, sim_ns now_ns, struct err *err) {
    const struct service_table *table = service_table_at(service, scan->table);
    const struct secondary_index *index = index_of(table, scan);
    if (!scan_contents_begin(&scan->contents, &service->arena, set, now_ns, err)) {
        return false;
    }
    add_untouched(scan, &table->keyspace, set);
    for (uint32_t i = 0; i < table->keyspace.items.count; i++) {
        add_item(scan, table, index, i);
    }
    return true;
}

/* The parts of a page that cost something, as asks; hashes: where each begins. */
static uint32_t ask_for(const struct scan_page *page, bool consistent_read, struct lane_ask *asks,
                        uint64_t *hashes) {
    uint64_t half_units[SCAN_PARTS_MAX];
    uint32_t count = 0;
    scan_page_half_units(page, consistent_read, half_units);
    for (uint32_t i = 0; i < page->count; i++) {
        if (half_units[i] > 0) {
            hashes[count] = page->parts[i].hash;
            asks[count++] = (struct lane_ask){
                .key = OUTCOME_NO_KEY,
                .partition = page->parts[i].partition,
                .cost_ncu = (int64_t)half_units[i] * HALF_UNIT_NCU,
                .may_owe = true,
            };
        }
    }
    return count;
}

static struct outcome part_outcome(const struct lane *lane, sim_ns now_ns,
                                   const struct lane_ask *ask, uint64_t hash) {
    return (struct outcome){
        .at_ns = now_ns,
        .cost_ncu = ask->cost_ncu,
        .key = OUTCOME_NO_KEY,
        .item = (uint32_t)(hash >> 32),
        .partition = ask->partition,
        .resource = (uint16_t)lane->resource,
        .operation = DDB_SCAN,
        .fate = FATE_ADMITTED,
    };
}

static uint32_t submit_page(const struct lane *lane, sim_ns now_ns, uint32_t router,
                            const struct scan_page *page, struct outcome *outcomes) {
    struct lane_ask asks[SCAN_PARTS_MAX];
    uint64_t hashes[SCAN_PARTS_MAX];
    uint16_t of_partition[SCAN_PARTS_MAX];
    uint32_t refusing = 0;
    const uint32_t count = ask_for(page, lane->consistent_read, asks, hashes);
    const uint16_t of_table = lane_group_refuse(lane, now_ns, router, asks, count, of_partition);
    uint16_t reasons = of_table;
    for (uint32_t i = count; i-- > 0;) {
        reasons |= of_partition[i];
        refusing = of_partition[i] != 0 ? i : refusing;
    }
    if (reasons != 0) {
        outcomes[0] = part_outcome(lane, now_ns, &asks[refusing], hashes[refusing]);
        outcomes[0].cost_ncu = lane_group_sum_ncu(asks, count);
        outcomes[0].fate = FATE_THROTTLED;
        outcomes[0].reasons = reasons;
        return 1;
    }
    lane_group_take(lane, router, asks, count);
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = part_outcome(lane, now_ns, &asks[i], hashes[i]);
        outcomes[i].is_part = i > 0;
    }
    return count;
}

/* A consistent page reads from the leader of each partition. */
static bool finds_no_leader(const struct service *service, const struct service_scan *scan,
                            const struct scan_page *page) {
    bool lacks = false;
    for (uint32_t i = 0; i < page->count && service_lacks_leader(service); i++) {
        lacks |= service_is_leaderless(service, scan->table, page->parts[i].partition);
    }
    return lacks;
}

bool service_scan_page(struct service *service, struct service_scan *scan, sim_ns now_ns,
                       const struct service_scan_request *request, struct outcome *outcomes,
                       uint32_t *count, struct scan_range *rest, struct err *err) {
    struct service_table *table = service_table_at(service, scan->table);
    struct secondary_index *index = scan->resource == scan->table ? NULL : index_of(table, scan);
    SIM_CHECK(index == NULL || !request->consistent_read);
    const struct partition_set *set = index == NULL ? &table->set : &index->set;
    if (index != NULL && index->stage != INDEX_ACTIVE) {
        const struct request early = {.table = scan->resource, .operation = DDB_SCAN};
        service_read_early(index, now_ns, &early, outcomes);
        *count = 1;
        *rest = *request->range;
        rest->is_done = true;
        return true;
    }
    if (scan_contents_is_old(&scan->contents, set, now_ns) &&
        !count_again(service, scan, set, now_ns, err)) {
        return false;
    }
    struct lane lane = index == NULL
                           ? lane_open(table, scan->resource, DDB_SCAN, request->consistent_read)
                           : lane_open_index(index, scan->resource);
    lane.operation = DDB_SCAN;
    struct scan_page page;
    scan_page_read(&scan->contents, set, request->range, request->limit,
                   (uint32_t)service->parameters.scan_page_partitions, &page);
    if (request->consistent_read && finds_no_leader(service, scan, &page)) {
        const struct request lost = {.table = scan->resource, .operation = DDB_SCAN};
        service_lose_leaderless(service, now_ns, &lost, outcomes);
        *count = 1;
        *rest = *request->range;
        return true;
    }
    *count = submit_page(&lane, now_ns, lane_route(&lane, request->router), &page, outcomes);
    *rest = outcomes[0].fate == FATE_ADMITTED ? page.rest : *request->range;
    return true;
}
