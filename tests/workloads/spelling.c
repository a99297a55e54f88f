#include "workloads/spelling.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

static const char *const words[] = {"rate",     "routers", "item",           "item_size",
                                    "arrivals", "PK",      "burst_window_s", "TableName"};
#define WORDS (sizeof words / sizeof words[0])

struct spelling_case {
    const char *word, *nearest;
};

static const struct spelling_case cases[] = {
    {"rat", "rate"},
    {"rtae", "rate"}, /* a swap is one edit */
    {"RATE", "rate"}, /* case does not count */
    {"tablename", "TableName"},
    {"router", "routers"},
    {"itemsize", "item_size"},
    {"burst_windw_s", "burst_window_s"},
    {"PKK", "PK"},
    {"pk", "PK"},
    {"ra", NULL}, /* two of four letters are too many */
    {"latency", NULL},
    {"", NULL},
    {"xyz", NULL},
};

static void check_the_nearest_word_or_none(const struct spelling_case *row) {
    const char *nearest = spelling_nearest(row->word, words, WORDS);
    if (row->nearest == NULL) {
        ck_assert_ptr_null(nearest);
    } else {
        ck_assert_ptr_nonnull(nearest);
        ck_assert_str_eq(nearest, row->nearest);
    }
}

START_TEST(finds_the_nearest_word_or_none) {
    for (size_t i = 0; i < ROWS(cases); i++) {
        check_the_nearest_word_or_none(&cases[i]);
    }
}
END_TEST

START_TEST(prefers_the_smaller_distance) {
    static const char *const near[] = {"reads", "reader", "read"};
    ck_assert_str_eq(spelling_nearest("readr", near, 3), "reads");
    ck_assert_str_eq(spelling_nearest("readerr", near, 3), "reader");
}
END_TEST

/* One edit of a word of six or more letters always leads back to it when no other word is nearer.
 * */
START_TEST(finds_a_word_after_one_edit) {
    static const char *const far[] = {"ConsistentRead"};
    for (uint64_t i = 0; i < 2000; i++) {
        char edited[32];
        uint64_t draw = hash_draw(5, i, 0);
        size_t at = draw % 14;
        strcpy(edited, far[0]);
        switch ((draw >> 32) % 3) {
        case 0: memmove(edited + at, edited + at + 1, 14 - at); break;
        case 1: memmove(edited + at + 1, edited + at, 15 - at); break;
        default: edited[at] = '#'; break;
        }
        ck_assert_msg(spelling_nearest(edited, far, 1) == far[0], "'%s' (draw %u)", edited,
                      (unsigned)i);
    }
}
END_TEST

START_TEST(passes_over_words_that_are_too_long) {
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const char *const both[] = {longest, "rate"};
    ck_assert_ptr_null(spelling_nearest(longest, words, WORDS));
    ck_assert_str_eq(spelling_nearest("rat", both, 2), "rate");
    ck_assert_ptr_null(spelling_nearest("rat", NULL, 0));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/spelling");
    TCase *tcase = tcase_create("spelling");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, finds_the_nearest_word_or_none);
    tcase_add_test(tcase, prefers_the_smaller_distance);
    tcase_add_test(tcase, finds_a_word_after_one_edit);
    tcase_add_test(tcase, passes_over_words_that_are_too_long);
    return suite_run(suite);
}
