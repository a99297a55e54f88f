#include "models/keyspace.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct model_parameters parameters;
static struct partition_set set;
static struct keyspace keyspace;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
    ck_assert(partition_set_init(&set, &arena, 4, &parameters, &err));
}

static void tear_down(void) {
    keyspace_fini(&keyspace);
    arena_fini(&arena);
}

static const struct table_spec hash_table = {.table_name = "t", .hash_key = {"PK", 'S'}};
static const struct table_spec range_table = {
    .table_name = "t", .hash_key = {"PK", 'S'}, .range_key = {"SK", 'S'}};

static void open_table(const struct table_spec *table, uint64_t salt) {
    ck_assert(keyspace_init(&keyspace, &arena, table, salt, &err));
}

static struct key_text text_of(const char *hash_key, const char *range_key) {
    return (struct key_text){
        .hash_key = hash_key,
        .hash_key_bytes = strlen(hash_key),
        .range_key = range_key,
        .range_key_bytes = range_key == NULL ? 0 : strlen(range_key),
    };
}

static struct intern_result intern(const char *hash_key, const char *range_key, uint32_t bytes) {
    const struct key_text text = text_of(hash_key, range_key);
    struct intern_result result;
    ck_assert_msg(keyspace_intern(&keyspace, &set, &text, bytes, &result, &err), "%s", err.text);
    return result;
}

static uint64_t position_of(uint32_t key) {
    return ((const struct key_place *)grow_array_at(&keyspace.keys, key))->position;
}

START_TEST(numbers_keys_and_items_by_first_use) {
    open_table(&range_table, 1);
    static const struct {
        const char *hash_key, *range_key;
        uint32_t key, item;
    } cases[] = {
        {"a", "1", 0, 0},  {"a", "2", 0, 1},  {"b", "1", 1, 2},  {"a", "1", 0, 0},
        {"b", "2", 1, 3},  {"b", "1", 1, 2},  {"ab", "1", 2, 4}, {"a", "b1", 0, 5},
        {"a", "12", 0, 6}, {"a1", "2", 3, 7}, {"a", "2", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct intern_result result = intern(cases[i].hash_key, cases[i].range_key, 10);
        ck_assert_uint_eq(result.key, cases[i].key);
        ck_assert_uint_eq(result.item, cases[i].item);
        ck_assert_uint_eq(keyspace_item(&keyspace, result.item)->key, cases[i].key);
    }
}
END_TEST

START_TEST(without_a_sort_key_items_are_keys) {
    open_table(&hash_table, 1);
    for (uint32_t i = 0; i < 20000; i++) {
        char key[16];
        snprintf(key, sizeof key, "k%u", i);
        const struct intern_result result = intern(key, NULL, i % 100);
        ck_assert_uint_eq(result.key, i);
        ck_assert_uint_eq(result.item, i);
        ck_assert_uint_eq(keyspace_item(&keyspace, i)->bytes, i % 100);
    }
}
END_TEST

START_TEST(a_known_item_keeps_its_state) {
    open_table(&hash_table, 1);
    keyspace_item(&keyspace, intern("a", NULL, 7).item)->bytes = 99;
    ck_assert_uint_eq(keyspace_item(&keyspace, intern("a", NULL, 5).item)->bytes, 99);
}
END_TEST

/* Texts drawn with many repeats, against a list that is searched from its start. */
static void replay_against_list(uint64_t seed) {
    enum { TEXTS = 120, LONGEST = 4 };
    char seen[TEXTS][2][LONGEST + 1];
    uint32_t seen_count = 0;
    for (uint64_t i = 0; i < TEXTS; i++) {
        char text[2][LONGEST + 1];
        for (uint64_t part = 0; part < 2; part++) {
            const uint64_t bits = hash_draw(seed, i, part);
            const size_t length = 1 + bits % LONGEST;
            for (size_t j = 0; j < length; j++) {
                text[part][j] = (char)('a' + (bits >> (8 + j)) % 2);
            }
            text[part][length] = '\0';
        }
        uint32_t expected = 0;
        while (expected < seen_count && (strcmp(seen[expected][0], text[0]) != 0 ||
                                         strcmp(seen[expected][1], text[1]) != 0)) {
            expected++;
        }
        if (expected == seen_count) {
            memcpy(seen[seen_count][0], text[0], sizeof text[0]);
            memcpy(seen[seen_count++][1], text[1], sizeof text[1]);
        }
        ck_assert_msg(intern(text[0], text[1], 1).item == expected, "seed %" PRIu64, seed);
    }
}

START_TEST(agrees_with_a_list_of_texts) {
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        open_table(&range_table, seed);
        replay_against_list(seed);
        keyspace_fini(&keyspace);
    }
    open_table(&hash_table, 1);
}
END_TEST

START_TEST(the_salt_makes_the_layout) {
    uint32_t apart = 0;
    for (uint64_t salt = 0; salt < 400; salt++) {
        open_table(&hash_table, salt);
        const uint32_t first =
            keyspace_partition(&keyspace, &set, intern("LEADERBOARD#0", NULL, 1).key, 0);
        const uint32_t second =
            keyspace_partition(&keyspace, &set, intern("LEADERBOARD#1", NULL, 1).key, 0);
        ck_assert_uint_eq(position_of(0), hash64("LEADERBOARD#0", 13, salt));
        apart += first != second;
        keyspace_fini(&keyspace);
    }
    ck_assert_uint_ge(apart, 260); /* 300 expected, standard deviation 8.7 */
    ck_assert_uint_le(apart, 340);
    open_table(&hash_table, 1);
}
END_TEST

START_TEST(pinned_keys_lie_in_their_partitions_and_others_do_not_move) {
    static const struct table_pin pins[] = {{"a", 3}, {"b", 0}, {"", 2}, {"c", 2}, {"a", 1}};
    struct table_spec table = hash_table;
    table.pins = pins;
    table.pin_count = 5;
    for (uint64_t salt = 0; salt < 200; salt++) {
        open_table(&table, salt);
        ck_assert_uint_eq(keyspace_partition(&keyspace, &set, intern("a", NULL, 1).key, 0), 3);
        ck_assert_uint_eq(keyspace_partition(&keyspace, &set, intern("b", NULL, 1).key, 0), 0);
        ck_assert_uint_eq(keyspace_partition(&keyspace, &set, intern("c", NULL, 1).key, 0), 2);
        const uint32_t free_key = intern("ab", NULL, 1).key;
        ck_assert_uint_eq(position_of(free_key), hash64("ab", 2, salt));
        for (uint32_t key = 0; key < 4; key++) {
            const struct partition *partition =
                &set.partitions[keyspace_partition(&keyspace, &set, key, 0)];
            ck_assert_uint_ge(position_of(key), partition->hash_lo);
            ck_assert_uint_le(position_of(key), partition->hash_hi);
        }
        ck_assert_uint_eq(intern("a", NULL, 1).key, 0);
        keyspace_fini(&keyspace);
    }
    open_table(&hash_table, 1);
}
END_TEST

START_TEST(a_pin_to_the_only_partition_changes_nothing) {
    static const struct table_pin pins[] = {{"a", 0}};
    struct table_spec table = hash_table;
    table.pins = pins;
    table.pin_count = 1;
    ck_assert(partition_set_init(&set, &arena, 1, &parameters, &err));
    open_table(&table, 5);
    ck_assert_uint_eq(position_of(intern("a", NULL, 1).key), hash64("a", 1, 5));
}
END_TEST

/* Keys whose map numbers collide: at once, with an older key's second probe, and in part only. */
START_TEST(tells_keys_with_equal_hashes_apart) {
    open_table(&hash_table, 1);
    const uint64_t check = 42;
    const struct key_identity identities[] = {
        {10, check},
        {11, check},
        {12, check},
        {11, hash_mix(check + 1)},
        {10, hash_mix(check + 2)},
        {10, check + 1},
    };
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
            uint32_t key = 0;
            ck_assert(keyspace_intern_key(&keyspace, &set, &identities[i], &key, &err));
            ck_assert_uint_eq(key, i);
        }
    }
    ck_assert_uint_eq(keyspace.keys.count, 6);
}
END_TEST

START_TEST(tells_items_with_equal_hashes_apart) {
    open_table(&range_table, 1);
    intern("a", "x", 1);
    intern("b", "x", 1);
    const uint64_t number = 42;
    const struct {
        uint32_t key;
        uint64_t number, check;
    } cases[] = {
        {0, number, 1},
        {0, number, 2},
        {1, number, 1},
        {1, hash_mix(number + 1), 1},
        {0, hash_mix(number + 2), 2},
    };
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            uint32_t item = 0;
            ck_assert(keyspace_intern_item(&keyspace, cases[i].key, cases[i].number, cases[i].check,
                                           1, &item, &err));
            ck_assert_uint_eq(item, i + 2);
        }
    }
}
END_TEST

START_TEST(refuses_keys_that_dynamodb_would_refuse) {
    open_table(&range_table, 1);
    char long_text[2049];
    memset(long_text, 'x', sizeof long_text);
    static const struct {
        size_t hash_bytes, range_bytes;
        const char *message; /* NULL: accepted */
    } cases[] = {
        {0, 1, "table 't': a partition key of 0 bytes, expected 1 to 2048 bytes"},
        {2049, 1, "table 't': a partition key of 2049 bytes, expected 1 to 2048 bytes"},
        {1, 0, "table 't': a sort key of 0 bytes, expected 1 to 1024 bytes"},
        {1, 1025, "table 't': a sort key of 1025 bytes, expected 1 to 1024 bytes"},
        {2048, 1024, NULL},
        {1, 1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct key_text text = {long_text, cases[i].hash_bytes, long_text,
                                      cases[i].range_bytes};
        struct intern_result result;
        struct err refused = {.kind = ERR_NONE};
        const bool accepted = keyspace_intern(&keyspace, &set, &text, 1, &result, &refused);
        ck_assert_int_eq(accepted, cases[i].message == NULL);
        if (!accepted) {
            ck_assert_int_eq((int)refused.kind, ERR_INPUT);
            ck_assert_str_eq(refused.text, cases[i].message);
        }
    }
    ck_assert_uint_eq(keyspace.keys.count, 2);
}
END_TEST

START_TEST(a_key_takes_about_70_bytes) {
    enum { KEYS = 300000 };
    const size_t before = arena.used_bytes;
    open_table(&hash_table, 1);
    for (uint32_t i = 0; i < KEYS; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        intern(key, NULL, 1);
    }
    const size_t bytes = arena.used_bytes - before + keyspace_map_bytes(&keyspace);
    ck_assert_uint_le(bytes / KEYS, 72);
}
END_TEST

static uint32_t append_numbered(const char *hash_key, uint32_t bytes, uint32_t item) {
    const struct key_text text = text_of(hash_key, NULL);
    uint32_t key = UINT32_MAX;
    ck_assert_msg(keyspace_append_numbered(&keyspace, &set, &text, bytes, item, &key, &err), "%s",
                  err.text);
    return key;
}

START_TEST(items_may_have_numbers_of_the_callers) {
    open_table(&hash_table, 5);
    ck_assert(keyspace_number_items(&keyspace, 10000, &err));
    ck_assert_uint_eq(append_numbered("b", 7, 9999), 0);
    ck_assert_uint_eq(append_numbered("a", 0, 3), 1);
    ck_assert_uint_eq(keyspace_item(&keyspace, 9999)->key, 0);
    ck_assert_uint_eq(keyspace_item(&keyspace, 9999)->bytes, 7);
    ck_assert_uint_eq(keyspace_item(&keyspace, 3)->key, 1);
    ck_assert_uint_eq(keyspace_item(&keyspace, 3)->partition,
                      keyspace_partition(&keyspace, &set, 1, 0));
    ck_assert_uint_eq(position_of(1), hash64("a", 1, 5));
    ck_assert(keyspace_item(&keyspace, 3)->is_known);
    ck_assert(!keyspace_item(&keyspace, 4)->is_known);
    ck_assert_uint_eq(keyspace.keys.count, 2);
}
END_TEST

START_TEST(aborts_on_a_number_that_is_known) {
    open_table(&hash_table, 1);
    ck_assert(keyspace_number_items(&keyspace, 2, &err));
    append_numbered("a", 1, 1);
    append_numbered("b", 1, 1);
}
END_TEST

START_TEST(aborts_on_a_number_beyond_the_last) {
    open_table(&hash_table, 1);
    ck_assert(keyspace_number_items(&keyspace, 2, &err));
    append_numbered("a", 1, 2);
}
END_TEST

START_TEST(aborts_on_numbers_after_the_first_key) {
    open_table(&hash_table, 1);
    intern("a", NULL, 1);
    ck_assert(keyspace_number_items(&keyspace, 2, &err));
}
END_TEST

START_TEST(aborts_on_a_sort_key_in_a_table_without_one) {
    open_table(&hash_table, 1);
    intern("a", "1", 1);
}
END_TEST

START_TEST(aborts_without_a_sort_key_in_a_table_with_one) {
    open_table(&range_table, 1);
    intern("a", NULL, 1);
}
END_TEST

START_TEST(aborts_on_an_item_above_400_kb) {
    open_table(&hash_table, 1);
    intern("a", NULL, ITEM_BYTES_MAX + 1);
}
END_TEST

START_TEST(aborts_on_a_pin_beyond_the_partitions) {
    static const struct table_pin pins[] = {{"a", 4}};
    struct table_spec table = hash_table;
    table.pins = pins;
    table.pin_count = 1;
    open_table(&table, 1);
    intern("a", NULL, 1);
}
END_TEST

START_TEST(aborts_on_an_item_of_no_key) {
    open_table(&range_table, 1);
    uint32_t item = 0;
    ck_assert(keyspace_intern_item(&keyspace, 0, 1, 1, 1, &item, &err));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/keyspace");
    TCase *tcase = tcase_create("keyspace");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, numbers_keys_and_items_by_first_use);
    tcase_add_test(tcase, without_a_sort_key_items_are_keys);
    tcase_add_test(tcase, a_known_item_keeps_its_state);
    tcase_add_test(tcase, agrees_with_a_list_of_texts);
    tcase_add_test(tcase, the_salt_makes_the_layout);
    tcase_add_test(tcase, pinned_keys_lie_in_their_partitions_and_others_do_not_move);
    tcase_add_test(tcase, a_pin_to_the_only_partition_changes_nothing);
    tcase_add_test(tcase, tells_keys_with_equal_hashes_apart);
    tcase_add_test(tcase, tells_items_with_equal_hashes_apart);
    tcase_add_test(tcase, refuses_keys_that_dynamodb_would_refuse);
    tcase_add_test(tcase, a_key_takes_about_70_bytes);
    tcase_add_test(tcase, items_may_have_numbers_of_the_callers);
    tcase_add_test_raise_signal(tcase, aborts_on_a_number_that_is_known, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_number_beyond_the_last, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_numbers_after_the_first_key, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_sort_key_in_a_table_without_one, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_without_a_sort_key_in_a_table_with_one, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_item_above_400_kb, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_pin_beyond_the_partitions, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_an_item_of_no_key, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
