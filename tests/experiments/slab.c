#include "experiments/slab.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>

struct record {
    uint32_t next_free;
    uint32_t owner;
};

START_TEST(memory_follows_the_largest_number_alive_at_once) {
    struct err err = {ERR_NONE, ""};
    struct arena arena;
    struct slab slab;
    uint32_t indices[3000];
    arena_init(&arena);
    slab_init(&slab, &arena, sizeof(struct record));
    for (int round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < 3000; i++) {
            struct record *record = slab_take(&slab, &indices[i], &err);
            ck_assert_ptr_nonnull(record);
            record->owner = i;
        }
        for (uint32_t i = 0; i < 3000; i++) {
            ck_assert_uint_eq(((const struct record *)slab_at(&slab, indices[i]))->owner, i);
            slab_give(&slab, indices[i]);
        }
    }
    ck_assert_uint_eq(slab.records.count, 3000);
    arena_fini(&arena);
}
END_TEST

START_TEST(what_was_given_last_is_taken_first) {
    struct err err = {ERR_NONE, ""};
    struct arena arena;
    struct slab slab;
    uint32_t a, b, again;
    arena_init(&arena);
    slab_init(&slab, &arena, sizeof(struct record));
    ck_assert_ptr_nonnull(slab_take(&slab, &a, &err));
    ck_assert_ptr_nonnull(slab_take(&slab, &b, &err));
    ck_assert_uint_ne(a, b);
    slab_give(&slab, b);
    slab_give(&slab, a);
    ck_assert_ptr_nonnull(slab_take(&slab, &again, &err));
    ck_assert_uint_eq(again, a);
    ck_assert_ptr_nonnull(slab_take(&slab, &again, &err));
    ck_assert_uint_eq(again, b);
    arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/slab");
    TCase *tcase = tcase_create("slab");
    tcase_add_test(tcase, memory_follows_the_largest_number_alive_at_once);
    tcase_add_test(tcase, what_was_given_last_is_taken_first);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
