/* service.h, keys and items: their first use. */
#include "models/service_parts.h"

/* An item that may be new, since there were `before` of them. */
static bool meet_item(struct service_table *table, const struct key_text *text, uint32_t before,
                      uint32_t item, uint32_t initial_bytes, struct err *err) {
    if (table->indexes != NULL && !secondary_indexes_add_item(table->indexes, item, text, err)) {
        return false;
    }
    if (initial_bytes > 0 && item >= before) {
        service_appear(table, item, service_item_stored(table, item));
    }
    return true;
}

bool service_intern(struct service *service, uint32_t table, const struct key_text *text,
                    uint32_t initial_bytes, struct intern_result *result, struct err *err) {
    struct service_table *at = service_table_at(service, table);
    const uint32_t before = at->keyspace.items.count;
    return keyspace_intern(&at->keyspace, &at->set, text, initial_bytes, result, err) &&
           meet_item(at, text, before, result->item, initial_bytes, err);
}

bool service_append(struct service *service, uint32_t table, const struct key_text *text,
                    uint32_t initial_bytes, struct intern_result *result, struct err *err) {
    struct service_table *at = service_table_at(service, table);
    return keyspace_append(&at->keyspace, &at->set, text, initial_bytes, result, err) &&
           meet_item(at, text, 0, result->item, initial_bytes, err);
}

bool service_intern_key(struct service *service, uint32_t table, const struct key_text *text,
                        uint32_t *key, struct err *err) {
    struct service_table *at = service_table_at(service, table);
    return keyspace_intern_hash(&at->keyspace, &at->set, text, key, err);
}

bool service_number_items(struct service *service, uint32_t table, uint32_t count,
                          struct err *err) {
    struct service_table *at = service_table_at(service, table);
    SIM_CHECK(at->indexes == NULL); /* what indexes know of an item is kept by first use */
    return keyspace_number_items(&at->keyspace, count, err);
}

bool service_append_numbered(struct service *service, uint32_t table, const struct key_text *text,
                             uint32_t initial_bytes, uint32_t item, uint32_t *key,
                             struct err *err) {
    struct service_table *at = service_table_at(service, table);
    at->appeared_bytes += initial_bytes;
    return keyspace_append_numbered(&at->keyspace, &at->set, text, initial_bytes, item, key, err);
}
