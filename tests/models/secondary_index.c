/* Indexes against a slow model: items as maps of attributes, unit for unit; and when entries are
 * written. */
#include "models/secondary_index.h"

#include "models/item_size.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 5, ATTRIBUTES = 5, STEPS = 4000, INDEXES = 4 };

static struct arena arena;
static struct secondary_indexes indexes;
static struct model_parameters parameters;
static struct err err;

/* status and day are keys, note and size are projected; other is in no index. */
static const char *const names[ATTRIBUTES] = {"status", "day", "note", "size", "other"};
static const char *const included[] = {"note", "size"};
static const struct index_spec index_specs[INDEXES] = {
    {.index_name = "byStatus",
     .is_global = true,
     .hash_key = {"status", 'S'},
     .range_key = {"day", 'N'},
     .projection = PROJECTION_INCLUDE,
     .non_key_attributes = included,
     .non_key_attribute_count = 2,
     .read_capacity_units = 10,
     .write_capacity_units = 10,
     .index_size_bytes = SPEC_UNKNOWN,
     .initial_burst_ns = SPEC_UNKNOWN},
    {.index_name = "inverted",
     .is_global = true,
     .hash_key = {"SK", 'S'},
     .range_key = {"PK", 'S'},
     .projection = PROJECTION_KEYS_ONLY,
     .read_capacity_units = 10,
     .write_capacity_units = 10,
     .index_size_bytes = SPEC_UNKNOWN,
     .initial_burst_ns = SPEC_UNKNOWN},
    {.index_name = "whole",
     .is_global = true,
     .hash_key = {"day", 'N'},
     .projection = PROJECTION_ALL,
     .read_capacity_units = 10,
     .write_capacity_units = 10,
     .index_size_bytes = SPEC_UNKNOWN,
     .initial_burst_ns = SPEC_UNKNOWN},
    {.index_name = "local",
     .hash_key = {"PK", 'S'},
     .range_key = {"status", 'S'},
     .projection = PROJECTION_KEYS_ONLY},
};
static const struct table_spec table = {
    .table_name = "jobs",
    .hash_key = {"PK", 'S'},
    .range_key = {"SK", 'S'},
    .indexes = index_specs,
    .index_count = INDEXES,
    .global_index_count = INDEXES - 1,
};

/* An attribute as the slow model has it: a text, or a size that is `serial`-th of its kind. */
struct naive_value {
    bool is_there;
    char text[16]; /* "": a size */
    uint32_t bytes;
    uint64_t serial;
};

struct naive_item {
    bool exists;
    uint32_t bytes;
    uint64_t rest; /* changes when anything else of the item does */
    struct naive_value values[ATTRIBUTES];
};

static struct naive_item naive[ITEMS];

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
    ck_assert_msg(secondary_indexes_init(&indexes, &arena, &table, &parameters, 7, &err), "%s",
                  err.text);
    memset(naive, 0, sizeof naive);
    for (uint32_t i = 0; i < ITEMS; i++) {
        char hash[8], range[8];
        snprintf(hash, sizeof hash, "p%u", i / 2);
        snprintf(range, sizeof range, "s%u", i);
        const struct key_text text = {hash, strlen(hash), range, strlen(range)};
        ck_assert_msg(secondary_indexes_add_item(&indexes, i, &text, &err), "%s", err.text);
    }
}

static void tear_down(void) {
    secondary_indexes_fini(&indexes);
    arena_fini(&arena);
}

static bool is_text(int attribute) {
    return attribute <= 2;
}

/* Of the slow model: bytes of the entry, 0: none. Keys of the table: PKp0SKs0. */
static uint32_t naive_entry(const struct naive_item *item, int index) {
    static const int keys[INDEXES][2] = {{0, 1}, {-1, -1}, {1, -1}, {0, -1}};
    uint32_t bytes = (uint32_t)strlen("PKp0SKs0");
    if (!item->exists) {
        return 0;
    }
    for (int k = 0; k < 2 && keys[index][k] >= 0; k++) {
        const struct naive_value *value = &item->values[keys[index][k]];
        if (!value->is_there) {
            return 0;
        }
        bytes += value->bytes;
    }
    if (index == 0) {
        bytes += item->values[2].is_there ? item->values[2].bytes : 0;
        bytes += item->values[3].is_there ? item->values[3].bytes : 0;
    }
    return index == 2 || bytes > item->bytes ? item->bytes : bytes;
}

static bool differs(const struct naive_value *a, const struct naive_value *b) {
    return a->is_there != b->is_there ||
           (a->is_there && (strcmp(a->text, b->text) != 0 || a->serial != b->serial));
}

/* Units, as AWS's guide words them, delete and put of a moved entry added up. */
static int64_t naive_units(const struct naive_item *old, const struct naive_item *new, int index) {
    const int64_t before = (naive_entry(old, index) + 1023) / 1024;
    const int64_t after = (naive_entry(new, index) + 1023) / 1024;
    bool moved = false, changed = false;
    if (before == 0 || after == 0) {
        return before + after;
    }
    if (index == 0) {
        moved =
            differs(&old->values[0], &new->values[0]) || differs(&old->values[1], &new->values[1]);
        changed =
            differs(&old->values[2], &new->values[2]) || differs(&old->values[3], &new->values[3]);
    } else if (index == 2) {
        moved = differs(&old->values[1], &new->values[1]);
        changed = old->rest != new->rest || old->bytes != new->bytes;
        for (int i = 0; i < ATTRIBUTES - 1; i++) {
            changed |= differs(&old->values[i], &new->values[i]);
        }
    } else if (index == 3) {
        moved = differs(&old->values[0], &new->values[0]);
    }
    return moved ? before + after : changed ? (before > after ? before : after) : 0;
}

struct step {
    struct index_plan plan;
    uint32_t attributes[ATTRIBUTES];
    struct attribute_value values[ATTRIBUTES];
};

/* Gives attribute a value in both models, or takes it away. */
static void give(struct step *step, struct naive_item *item, int attribute, uint64_t draw) {
    struct naive_value *value = &item->values[attribute];
    const uint32_t at = step->plan.attribute_count++;
    step->attributes[at] = secondary_indexes_attribute(&indexes, names[attribute]);
    ck_assert_int_eq(step->attributes[at] == ATTRIBUTE_OF_NO_INDEX, attribute == 4);
    if (step->plan.operation == DDB_UPDATE_ITEM && draw % 4 == 0) {
        item->rest += attribute == 4;
        *value = (struct naive_value){.is_there = false};
        step->values[at] = (struct attribute_value){.value = VALUE_ABSENT};
        return;
    }
    *value = (struct naive_value){.is_there = true};
    if (!is_text(attribute)) {
        static uint64_t serial;
        value->serial = ++serial;
        value->bytes = 1 + (uint32_t)(draw >> 8) % 1500;
        step->values[at] = (struct attribute_value){VALUE_RENEWED, value->bytes};
        item->rest += attribute == 4;
        return;
    }
    snprintf(value->text, sizeof value->text, "%u", (unsigned)(draw >> 8) % 3);
    value->bytes = item_size_attribute(names[attribute], attribute == 1 ? 'N' : 'S', value->text,
                                       strlen(value->text));
    REQUIRE(secondary_indexes_value(&indexes, step->attributes[at], value->text,
                                    strlen(value->text), &step->values[at], &err),
            "%s", err.text);
    REQUIRE(step->values[at].bytes == value->bytes, "'%s' has %u bytes", value->text,
            step->values[at].bytes);
}

static void draw_step(uint64_t seed, uint64_t number, struct step *step, struct naive_item *after) {
    static const enum ddb_operation operations[] = {DDB_PUT_ITEM, DDB_UPDATE_ITEM, DDB_UPDATE_ITEM,
                                                    DDB_UPDATE_ITEM, DDB_DELETE_ITEM};
    const uint64_t draw = hash_draw(seed, number, 0);
    const uint32_t item = (uint32_t)(draw >> 40) % ITEMS;
    *step = (struct step){.plan = {.operation = operations[draw % 5], .item = item}};
    step->plan.old_bytes = naive[item].exists ? naive[item].bytes : 0;
    step->plan.attributes = step->attributes;
    step->plan.values = step->values;
    *after = naive[item];
    if (step->plan.operation == DDB_DELETE_ITEM) {
        *after = (struct naive_item){.exists = false};
        return;
    }
    step->plan.new_bytes = 1500 + (uint32_t)(draw >> 50) % 2 * 1000;
    if (step->plan.operation == DDB_PUT_ITEM) {
        memset(after->values, 0, sizeof after->values);
        after->rest++;
    }
    after->exists = true;
    after->bytes = step->plan.new_bytes;
    for (int i = 0; i < ATTRIBUTES; i++) {
        const uint64_t of_attribute = hash_draw(seed, number, (uint64_t)i + 1);
        if (of_attribute >> 60 < 7) {
            give(step, after, i, of_attribute);
        }
    }
    after->rest += step->plan.operation == DDB_UPDATE_ITEM && step->plan.attribute_count == 0;
}

static int64_t planned_ncu(int index) {
    const struct secondary_index *of = &indexes.list[index];
    return index_delete_ncu(of->change, &of->entries) + index_put_ncu(of->change, &of->entries);
}

START_TEST(every_write_costs_what_a_slow_model_says) {
    const uint64_t seed = (uint64_t)_i;
    uint64_t seen[INDEX_CHANGE_COUNT] = {0};
    int64_t owed_ncu[INDEXES] = {0};
    for (uint64_t number = 0; number < STEPS; number++) {
        struct step step;
        struct naive_item after;
        draw_step(seed, number, &step, &after);
        const int64_t local_ncu = secondary_indexes_plan(&indexes, &step.plan);
        for (int i = 0; i < INDEXES; i++) {
            const int64_t units = naive_units(&naive[step.plan.item], &after, i);
            REQUIRE(planned_ncu(i) == units * NCU_PER_CU,
                    "seed %" PRIu64 ", step %" PRIu64 ", index %d: %" PRId64
                    " ncu, expected %" PRId64 " units",
                    seed, number, i, planned_ncu(i), units);
            owed_ncu[i] += planned_ncu(i);
            seen[indexes.list[i].change]++;
        }
        REQUIRE(local_ncu == planned_ncu(INDEXES - 1), "step %" PRIu64, number);
        if (hash_draw(seed, number, 99) % 8 == 0) { /* refused: nothing has happened */
            for (int i = 0; i < INDEXES; i++) {
                owed_ncu[i] -= planned_ncu(i);
            }
            continue;
        }
        REQUIRE(secondary_indexes_reserve(&indexes, 1, 2, &err), "%s", err.text);
        secondary_indexes_commit(&indexes, step.plan.item, number % 2,
                                 (sim_ns)number * SIM_NS_PER_S);
        naive[step.plan.item] = after;
    }
    for (int i = 0; i < INDEXES - 1; i++) {
        struct secondary_index *index = &indexes.list[i];
        ck_assert_int_eq(index_queue_buffered_ncu(&index->backlog.queue), owed_ncu[i]);
        index_backlog_advance(&index->backlog, 2 * STEPS * SIM_NS_PER_S);
        secondary_index_audit(index, 2 * STEPS * SIM_NS_PER_S);
        ck_assert_int_eq(index_queue_buffered_ncu(&index->backlog.queue), 0);
    }
    for (int change = 0; change < INDEX_CHANGE_COUNT; change++) {
        ck_assert_msg(seen[change] > STEPS / 50, "change %d: %" PRIu64, change, seen[change]);
    }
}
END_TEST

/* Puts item with that status (and day 1) at now. */
static void put(uint32_t item, const char *status, uint32_t old_bytes, sim_ns now_ns) {
    const uint32_t attributes[] = {secondary_indexes_attribute(&indexes, "status"),
                                   secondary_indexes_attribute(&indexes, "day")};
    struct attribute_value values[2];
    REQUIRE(secondary_indexes_value(&indexes, attributes[0], status, strlen(status), &values[0],
                                    &err) &&
                secondary_indexes_value(&indexes, attributes[1], "1", 1, &values[1], &err) &&
                secondary_indexes_reserve(&indexes, 1, 2, &err),
            "%s", err.text);
    const struct index_plan plan = {DDB_PUT_ITEM, item, old_bytes, 300, attributes, values, 2};
    secondary_indexes_plan(&indexes, &plan);
    secondary_indexes_commit(&indexes, item, 0, now_ns);
}

START_TEST(entries_are_written_a_lag_after_the_write) {
    struct secondary_index *index = &indexes.list[0];
    const struct index_write *writes;
    put(0, "A", 0, 5);
    put(1, "B", 0, 7);
    index_backlog_advance(&index->backlog, 5 + parameters.gsi_lag);
    ck_assert_uint_eq(index_queue_take(&index->backlog.queue, &writes), 0);
    index_backlog_advance(&index->backlog, 7 + parameters.gsi_lag + 1);
    ck_assert_uint_eq(index_queue_take(&index->backlog.queue, &writes), 2);
    ck_assert_int_eq(writes[0].at_ns, 5 + parameters.gsi_lag);
    ck_assert_int_eq(writes[1].at_ns, 7 + parameters.gsi_lag);
    ck_assert_uint_eq(writes[0].key, 0);
    ck_assert_uint_eq(writes[1].key, 1);
    ck_assert_int_eq(writes[0].cost_ncu, NCU_PER_CU);
}
END_TEST

START_TEST(a_moved_entry_is_a_delete_and_a_put) {
    struct secondary_index *index = &indexes.list[0];
    const struct index_write *writes;
    put(0, "A", 0, 0);
    put(0, "B", 300, 1);
    put(0, "B", 300, 2);
    ck_assert_int_eq(index->change, INDEX_UNCHANGED);
    index_backlog_advance(&index->backlog, SIM_NS_PER_S);
    ck_assert_uint_eq(index_queue_take(&index->backlog.queue, &writes), 3);
    const uint32_t keys[] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(writes[i].key, keys[i]);
        ck_assert_int_eq(writes[i].cost_ncu, NCU_PER_CU);
    }
}
END_TEST

/* 3,000 entries at once for one partition that writes 1,000 a second, of an index with 10 units. */
START_TEST(a_partition_delays_and_capacity_goes_into_debt) {
    struct secondary_index *index = &indexes.list[0];
    const uint64_t seed = 11;
    for (uint32_t i = 0; i < 3000; i++) {
        put(0, i % 2 == 0 ? "A" : "A2", i == 0 ? 0 : 300,
            0); /* a delete and a put, but the first */
    }
    const struct index_write *writes;
    sim_ns last_ns = 0, now_ns = 0;
    uint64_t count = 0;
    for (uint64_t step = 0; now_ns < 8 * SIM_NS_PER_S; step++) {
        now_ns += (sim_ns)(hash_draw(seed, step, 0) % (SIM_NS_PER_S / 3));
        index_backlog_advance(&index->backlog, now_ns);
        secondary_index_audit(index, now_ns);
        for (uint32_t taken; (taken = index_queue_take(&index->backlog.queue, &writes)) > 0;) {
            for (uint32_t i = 0; i < taken; i++, count++) {
                const sim_ns lag_ns = parameters.gsi_lag;
                const uint64_t behind = count < 1000 ? 0 : count - 999;
                ck_assert_int_eq(writes[i].at_ns, lag_ns + (sim_ns)behind * SIM_NS_PER_MS);
                last_ns = writes[i].at_ns;
            }
        }
    }
    ck_assert_uint_eq(count, 5999);
    ck_assert_int_eq(last_ns, parameters.gsi_lag + 4999 * SIM_NS_PER_MS);
    token_bucket_refill(&index->write, now_ns);
    /* 3,000 saved, 10 a second since the first, 5,999 taken */
    ck_assert_int_lt(index->write.level_ncu, -2900 * NCU_PER_CU);
}
END_TEST

START_TEST(what_an_item_holds_at_first_is_in_the_index) {
    const uint32_t status = secondary_indexes_attribute(&indexes, "status");
    struct attribute_value value;
    ck_assert(secondary_indexes_value(&indexes, status, "A", 1, &value, &err));
    secondary_indexes_hold(&indexes, 0, &status, &value, 1);
    const struct index_plan plan = {.operation = DDB_DELETE_ITEM, .old_bytes = 2000};
    const int64_t local_ncu = secondary_indexes_plan(&indexes, &plan);
    ck_assert_int_eq(local_ncu, NCU_PER_CU);
    ck_assert_int_eq(indexes.list[0].change, INDEX_UNCHANGED); /* no day */
    ck_assert_int_eq(indexes.list[1].change, INDEX_REMOVED);   /* by the table's own key */
    ck_assert_int_eq(indexes.list[3].change, INDEX_REMOVED);
}
END_TEST

START_TEST(places_differ_by_index) {
    struct attribute_value value;
    ck_assert_uint_ne(secondary_index_salt(7, "byStatus"), secondary_index_salt(7, "whole"));
    ck_assert_uint_ne(secondary_index_salt(7, "byStatus"), secondary_index_salt(8, "byStatus"));
    ck_assert(!secondary_indexes_value(&indexes, 0, "", 0, &value, &err));
}
END_TEST

/* day is the sort key of byStatus; as the partition key of another index it might be longer. */
START_TEST(a_sort_key_has_1_to_1024_bytes) {
    char text[1026];
    struct attribute_value value;
    const uint32_t day = secondary_indexes_attribute(&indexes, "day");
    memset(text, '1', sizeof text);
    ck_assert(secondary_indexes_value(&indexes, day, text, 1024, &value, &err));
    ck_assert(!secondary_indexes_value(&indexes, day, text, 1025, &value, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "'day', an index's sort key, of 1025 bytes"));
    ck_assert(!secondary_indexes_value(&indexes, day, "", 0, &value, &err));
    const uint32_t note = secondary_indexes_attribute(&indexes, "note");
    ck_assert(secondary_indexes_value(&indexes, note, text, 1025, &value, &err));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/secondary_index");
    TCase *tcase = tcase_create("secondary_index");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, every_write_costs_what_a_slow_model_says, 1, 6);
    tcase_add_test(tcase, entries_are_written_a_lag_after_the_write);
    tcase_add_test(tcase, a_moved_entry_is_a_delete_and_a_put);
    tcase_add_test(tcase, a_partition_delays_and_capacity_goes_into_debt);
    tcase_add_test(tcase, what_an_item_holds_at_first_is_in_the_index);
    tcase_add_test(tcase, places_differ_by_index);
    tcase_add_test(tcase, a_sort_key_has_1_to_1024_bytes);
    return suite_run(suite);
}
