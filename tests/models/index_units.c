#include "models/index_units.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>

struct unit_case {
    struct index_entries entries;
    enum index_change change;
    int64_t delete_units, put_units;
};

/* Sizes of the AWS guide's cases; {old, new, key changed, projection changed}. */
static const struct unit_case cases[] = {
    {{0, 0, true, true}, INDEX_UNCHANGED, 0, 0},
    {{0, 600, false, false}, INDEX_INSERTED, 0, 1},
    {{0, 1025, true, true}, INDEX_INSERTED, 0, 2},
    {{600, 0, false, false}, INDEX_REMOVED, 1, 0},
    {{3000, 0, true, true}, INDEX_REMOVED, 3, 0},
    {{410, 410, true, false}, INDEX_MOVED, 1, 1},
    {{1517, 1517, true, true}, INDEX_MOVED, 2, 2},
    {{2049, 100, true, true}, INDEX_MOVED, 3, 1},
    {{600, 600, false, true}, INDEX_CHANGED, 0, 1},
    {{2049, 100, false, true}, INDEX_CHANGED, 0, 3},
    {{100, 1229, false, true}, INDEX_CHANGED, 0, 2},
    {{1024, 1024, false, false}, INDEX_UNCHANGED, 0, 0},
    {{100, 5000, false, false}, INDEX_UNCHANGED, 0, 0},
};

START_TEST(a_change_of_entries_has_its_price) {
    const struct unit_case *row = &cases[_i];
    const enum index_change change = index_change_of(&row->entries);
    ck_assert_int_eq(change, row->change);
    ck_assert_int_eq(index_delete_ncu(change, &row->entries), row->delete_units * NCU_PER_CU);
    ck_assert_int_eq(index_put_ncu(change, &row->entries), row->put_units * NCU_PER_CU);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/index_units");
    TCase *tcase = tcase_create("index_units");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, a_change_of_entries_has_its_price, 0, sizeof cases / sizeof *cases);
    return suite_run(suite);
}
