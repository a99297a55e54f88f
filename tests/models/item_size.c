#include "models/item_size.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct size_case {
    const char *name;
    char type;
    const char *text;
    uint32_t bytes;
};

static const struct size_case cases[] = {
    {"shirt-color", 'S', "R", 12}, /* the guide's own: 11 + 1 and 10 + 1 */
    {"shirt-size", 'S', "M", 11},
    {"a", 'S', "", 1},
    {"a", 'B', "0010", 5},
    {"n", 'N', "0", 2},
    {"n", 'N', "5", 3},
    {"n", 'N', "12", 3},
    {"n", 'N', "123", 4},
    {"n", 'N', "-123", 5},
    {"n", 'N', "0012", 3},
    {"n", 'N', "1.5", 4},
    {"n", 'N', "1.50", 4},
    {"n", 'N', "0.125", 4},
    {"n", 'N', "20260101", 6},
    {"n", 'N', "x", 2}, /* no number: as a text */
    {"n", 'N', "1.", 3},
    {"n", 'N', ".5", 3},
    {"n", 'N', "-", 2},
    {"n", 'N', "", 1},
    {"n", 'N', "1e9", 4},
    {"n", 'N', "1.5.2", 6},
};

START_TEST(an_attribute_is_its_name_and_its_value) {
    const struct size_case *row = &cases[_i];
    ck_assert_uint_eq(item_size_attribute(row->name, row->type, row->text, strlen(row->text)),
                      row->bytes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/item_size");
    TCase *tcase = tcase_create("item_size");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, an_attribute_is_its_name_and_its_value, 0,
                        sizeof cases / sizeof *cases);
    return suite_run(suite);
}
