/* What callers of models/ must not do, and the check that stops them; more of it in the tests of
 * the single files. */
#include "models/service.h"

#include "models/adaptive_capacity.h"
#include "models/pricing.h"
#include "models/scan.h"
#include "models/secondary_index.h"
#include "models/service_transaction.h"
#include "tests/death.h"
#include "tests/suite.h"

#include <check.h>

#define REQUIRE(condition) ck_assert_msg((condition), "%s", err.text)

enum { PLAIN, INDEXED, NUMBERED, TABLES };

static struct err err;
static struct arena arena;
static struct model_parameters parameters;
static struct service service;
static struct outcome outcome;
static struct partition_set set;
static struct keyspace plain, sorted, numbered;
static struct index_queue queue;
static struct global_admission pool;
static struct adaptive_capacity *shares;
static struct secondary_indexes indexes;
static struct attribute_value value;
static struct intern_result result;
static uint32_t number;

static const struct key_text key = {"k", 1, NULL, 0}, item_key = {"k", 1, "r", 1};
static const uint32_t none[] = {7}, first[] = {0};
static const struct index_spec status = {.index_name = "byStatus",
                                         .is_global = true,
                                         .hash_key = {"status", 'S'},
                                         .read_capacity_units = 10,
                                         .write_capacity_units = 10,
                                         .initial_partitions = 1,
                                         .initial_burst_ns = SPEC_UNKNOWN};
static const struct index_spec local = {
    .index_name = "byDue", .hash_key = {"PK", 'S'}, .range_key = {"due", 'S'}};
static struct table_spec tables[TABLES];

static struct table_spec table_of(const char *range_key, const struct index_spec *index) {
    return (struct table_spec){.table_name = range_key == NULL ? "plain" : "sorted",
                               .billing_mode = BILLING_PROVISIONED,
                               .read_capacity_units = 10,
                               .write_capacity_units = 10,
                               .hash_key = {"PK", 'S'},
                               .range_key = {range_key, 'S'},
                               .item_count = SPEC_UNKNOWN,
                               .table_size_bytes = SPEC_UNKNOWN,
                               .initial_partitions = 1,
                               .initial_burst_ns = SPEC_UNKNOWN,
                               .indexes = index,
                               .index_count = index != NULL,
                               .global_index_count = index != NULL && index->is_global};
}

static struct adaptive_capacity *open_shares(int64_t part_max, uint32_t partitions, sim_ns burst) {
    const struct adaptive_capacity_setup setup = {.provisioned_cu_per_s = 10,
                                                  .part_max_cu_per_s = part_max,
                                                  .partitions = partitions,
                                                  .initial_burst_ns = burst};
    return adaptive_capacity_open(&arena, &setup, &parameters, &err);
}

/* One item in each, but for the table whose items the caller numbers. */
static void set_up(void) {
    arena_init(&arena);
    model_parameters_default(&parameters);
    tables[PLAIN] = table_of(NULL, NULL);
    tables[INDEXED] = table_of("SK", &status);
    tables[NUMBERED] = table_of(NULL, NULL);
    const struct service_config config = {
        .tables = tables, .table_count = TABLES, .parameters = parameters};
    REQUIRE(service_init(&service, &config, &err));
    REQUIRE(service_intern(&service, PLAIN, &key, 0, &result, &err));
    REQUIRE(service_intern(&service, INDEXED, &item_key, 0, &result, &err));
    REQUIRE(service_number_items(&service, NUMBERED, 2, &err));
    REQUIRE(service_append_numbered(&service, NUMBERED, &key, 0, 0, &number, &err));
    REQUIRE(partition_set_init(&set, &arena, 1, &parameters, &err));
    REQUIRE(keyspace_init(&plain, &arena, &tables[PLAIN], 0, &err));
    REQUIRE(keyspace_init(&sorted, &arena, &tables[INDEXED], 0, &err));
    REQUIRE(keyspace_init(&numbered, &arena, &tables[NUMBERED], 0, &err));
    REQUIRE(keyspace_number_items(&numbered, 2, &err));
    REQUIRE(index_queue_init(&queue, &arena, &err) && index_queue_reserve(&queue, 1, &err));
    REQUIRE(global_admission_init(&pool, &arena, 10, 0, &parameters, &err));
    REQUIRE((shares = open_shares(10, 2, 0)) != NULL);
    REQUIRE(secondary_indexes_init(&indexes, &arena, &tables[INDEXED], &parameters, 0, &err));
    REQUIRE(secondary_indexes_add_item(&indexes, 0, &item_key, &err));
}

static void tear_down(void) {
    secondary_indexes_fini(&indexes);
    keyspace_fini(&plain);
    keyspace_fini(&sorted);
    keyspace_fini(&numbered);
    service_fini(&service);
    arena_fini(&arena);
}

static void submit(uint32_t table, enum ddb_operation operation, uint32_t item, int condition) {
    const struct request request = {.table = table,
                                    .item = item,
                                    .new_bytes = 1,
                                    .router = ROUTER_ANY,
                                    .operation = (uint8_t)operation,
                                    .condition = (uint8_t)condition};
    service_submit(&service, 0, &request, &outcome);
}

static void plan(enum ddb_operation operation, uint32_t attribute) {
    const struct index_plan plan = {.operation = operation,
                                    .new_bytes = 1,
                                    .attributes = &attribute,
                                    .values = &value,
                                    .attribute_count = 1};
    secondary_indexes_plan(&indexes, &plan);
}

/* An index by the table's own key: nobody gives that. */
static void give_own_key(void) {
    struct index_spec own = status;
    own.hash_key = (struct key_attribute){"SK", 'S'};
    const struct table_spec table = table_of("SK", &own);
    REQUIRE(secondary_indexes_init(&indexes, &arena, &table, &parameters, 0, &err));
    REQUIRE(secondary_indexes_add_item(&indexes, 0, &item_key, &err));
    plan(DDB_PUT_ITEM, secondary_indexes_attribute(&indexes, "SK"));
}

static void open_indexes(const struct index_spec *index, uint32_t count, uint32_t global_count,
                         int64_t units) {
    struct index_spec other = *index;
    struct table_spec table = table_of("SK", &other);
    other.write_capacity_units = units;
    table.index_count = count;
    table.global_index_count = global_count;
    death_ignore(secondary_indexes_init(&indexes, &arena, &table, &parameters, 0, &err));
}

static void delay_backwards(void) {
    parameters.adaptive_delay_min = parameters.adaptive_delay_max + 1;
    open_shares(1, 1, 0);
}

static void append_after_intern(void) {
    REQUIRE(keyspace_intern(&plain, &set, &key, 0, &result, &err));
    death_ignore(keyspace_append(&plain, &set, &key, 0, &result, &err));
}

static void transact(uint32_t count, uint32_t item) {
    struct request members[2] = {{.operation = DDB_PUT_ITEM, .new_bytes = 1, .item = item},
                                 {.operation = DDB_GET_ITEM}};
    struct outcome outcomes[2];
    service_transact(&service, 0, members, count, outcomes);
}

static void split_backwards(void) {
    const struct split_order order = {.cut = {.hash = 7}, .duration_ns = -1};
    death_ignore(service_start_split(&service, 0, &order, &err));
}

static void read_past_the_end(void) {
    const struct scan_contents contents = {.is_counted = true};
    const struct scan_range over = {.is_done = true};
    struct scan_page page;
    scan_page_read(&contents, &set, &over, 0, 1, &page);
}

static void set_out_of_range(void) {
    size_t rows;
    const struct parameter_row *row = model_parameter_rows(&rows);
    parameter_set(&parameters, row, row->max + 1);
}

#define MISUSES(X)                                                                                 \
    X("setup->partitions >= 1", open_shares(1, 0, 0))                                              \
    X("setup->initial_burst_ns >= 0", open_shares(1, 1, -1))                                       \
    X("setup->part_max_cu_per_s >= 1", open_shares(0, 1, 0))                                       \
    X("setup->part_max_cu_per_s <= TOKEN_BUCKET_RATE_MAX", open_shares(1000001, 1, 0))             \
    X("adaptive_delay_min <= parameters->adaptive_delay_max", delay_backwards())                   \
    X("cost_ncu >= 0", adaptive_capacity_admits(shares, 0, 0, -1, false))                          \
    X("initial_burst_ns >= 0",                                                                     \
      death_ignore(global_admission_init(&pool, &arena, 1, -1, &parameters, &err)))                \
    X("cost_ncu >= 0", global_admission_renew(&pool, 0, 0, -1))                                    \
    X("write->cost_ncu > 0", index_queue_push(&queue, &(struct index_write){.cost_ncu = 0}, 0))    \
    X("text->range_key == NULL",                                                                   \
      death_ignore(keyspace_intern_hash(&sorted, &set, &item_key, &number, &err)))                 \
    X("!keyspace->has_range_key",                                                                  \
      death_ignore(keyspace_append(&sorted, &set, &key, 0, &result, &err)))                        \
    X("text->range_key == NULL",                                                                   \
      death_ignore(keyspace_append(&plain, &set, &item_key, 0, &result, &err)))                    \
    X("keys_by_hash.count == 0", append_after_intern())                                            \
    X("initial_bytes <= ITEM_BYTES_MAX",                                                           \
      death_ignore(keyspace_append(&plain, &set, &key, 409601, &result, &err)))                    \
    X("!keyspace->has_numbered_items",                                                             \
      death_ignore(keyspace_append(&numbered, &set, &key, 0, &result, &err)))                      \
    X("!keyspace->has_range_key", death_ignore(keyspace_number_items(&sorted, 1, &err)))           \
    X("initial_bytes <= ITEM_BYTES_MAX",                                                           \
      death_ignore(keyspace_append_numbered(&numbered, &set, &key, 409601, 0, &number, &err)))     \
    X("keyspace->has_numbered_items",                                                              \
      death_ignore(keyspace_append_numbered(&plain, &set, &key, 0, 0, &number, &err)))             \
    X("attribute < indexes->attribute_count",                                                      \
      death_ignore(secondary_indexes_value(&indexes, 7, "x", 1, &value, &err)))                    \
    X("attribute < indexes->attribute_count", plan(DDB_PUT_ITEM, 7))                               \
    X("origin == ATTRIBUTE_GIVEN", give_own_key())                                                 \
    X("ddb_operation_writes(plan->operation)", plan(DDB_GET_ITEM, 0))                              \
    X("until_ns >= backlog->advanced_ns", index_backlog_advance(&indexes.list[0].backlog, 2),      \
      index_backlog_advance(&indexes.list[0].backlog, 1))                                          \
    X("value < attribute->texts.count", secondary_indexes_text(&indexes.attributes[0], 0))         \
    X("table->index_count >= 1", open_indexes(&status, 0, 0, 10))                                  \
    X("table->global_index_count <= table->index_count", open_indexes(&status, 1, 2, 10))          \
    X("is_global == (i < table->global_index_count)", open_indexes(&local, 1, 1, 10))              \
    X("(billing_mode == BILLING_PROVISIONED) == (capacity_units >= 1)",                            \
      open_indexes(&status, 1, 1, 0))                                                              \
    X("at->indexes == NULL", death_ignore(service_number_items(&service, INDEXED, 1, &err)))       \
    X("items[i] < array.count", service_prefetch_items(&service, PLAIN, none, 1))                  \
    X("items[known] < array.count", service_known_items(&service, PLAIN, none, 1))                 \
    X("request->item < lane->items.count", submit(INDEXED, DDB_PUT_ITEM, 7, CONDITION_NONE))       \
    X("request->item < lane->items.count", submit(PLAIN, DDB_PUT_ITEM, 7, CONDITION_EXISTS))       \
    X("condition 9", submit(PLAIN, DDB_PUT_ITEM, 0, 9))                                            \
    X("request->condition == CONDITION_NONE", submit(INDEXED, DDB_QUERY, 0, CONDITION_EXISTS))     \
    X("request->operation == DDB_QUERY", submit(TABLES, DDB_PUT_ITEM, 0, CONDITION_NONE))          \
    X("resource < service->resource_count", submit(TABLES + 1, DDB_QUERY, 0, CONDITION_NONE))      \
    X("index < of->indexes->global_count", service_index_resource(&service, INDEXED, 1))           \
    X("of->indexes != NULL", service_index_resource(&service, PLAIN, 0))                           \
    X("indexes != NULL", death_ignore(service_reserve(&service, PLAIN, 1, &err)))                  \
    X("indexes != NULL", service_hold(&service, PLAIN, 0, first, &value, 1))                       \
    X("indexes != NULL",                                                                           \
      death_ignore(service_intern_value(&service, PLAIN, 0, "x", 1, &value, &err)))                \
    X("attribute < indexes->attribute_count", service_value_bytes(&service, INDEXED, 7, 0))        \
    X("resource >= service->table_count", service_index_waits(&service, PLAIN, 0))                 \
    X("resource < service->resource_count", service_key_count(&service, TABLES + 1))               \
    X("key < keyspace->keys.count", service_key_partition(&service, PLAIN, 1))                     \
    X("table < service->table_count", service_item_count(&service, TABLES))                        \
    X("count >= 1", transact(0, 0))                                                                \
    X("request->item < lane->items.count", transact(1, 7))                                         \
    X("ddb_operation_writes(operation) == lane->writes", transact(2, 0))                           \
    X("segment < segments", scan_range_of(3, 3))                                                   \
    X("!range->is_done", read_past_the_end())                                                      \
    X("order->duration_ns >= 0", split_backwards())                                                \
    X("rate_cu_per_s >= 1", token_bucket_change(&pool.pool, 0, 0, 1))                              \
    X("rate_cu_per_s >= 1", global_admission_change(&pool, 0, 0, &parameters))                     \
    X("value >= row->min && value <= row->max", set_out_of_range())                                \
    X("duration_ns > 0", pricing_month(NULL, NULL, 0, NULL))

DEATHS(MISUSES)

int main(void) {
    Suite *suite = suite_create("models/preconditions");
    TCase *tcase = tcase_create("preconditions");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, misuse_dies_by_its_check);
    return suite_run(suite);
}
