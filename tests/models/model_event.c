#include "models/model_event.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>

START_TEST(a_detail_has_the_numbers_of_its_kind) {
    static const struct {
        struct model_event event;
        const char *name, *detail;
    } cases[] = {
        {{.kind = MODEL_EVENT_SPLIT_STARTED, .numbers = {3, 1, 1500000000, INT64_MIN, 255}},
         "SplitStarted",
         "{\"partition\": 3, \"cause\": \"heat\", \"until_s\": 1.5, "
         "\"cut_hash\": \"8000000000000000\", \"cut_sort\": \"00000000000000ff\"}"},
        {{.kind = MODEL_EVENT_SPLIT_STARTED, .numbers = {MODEL_EVENT_NONE, 0, -20, -1, 0}},
         "SplitStarted",
         "{\"cause\": \"created\", \"until_s\": -0.00000002, "
         "\"cut_hash\": \"ffffffffffffffff\", \"cut_sort\": \"0000000000000000\"}"},
        {{.kind = MODEL_EVENT_SPLIT_COMPLETED, .numbers = {0, 4, 1, 2, 16, 0}},
         "SplitCompleted",
         "{\"partition\": 0, \"cause\": \"peak\", \"child_low\": 1, \"child_high\": 2, "
         "\"cut_hash\": \"0000000000000010\", \"cut_sort\": \"0000000000000000\"}"},
        {{.kind = MODEL_EVENT_SPLIT_REFUSED, .numbers = {7, 3}},
         "SplitRefused",
         "{\"partition\": 7, \"why\": \"LocalSecondaryIndex\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[MODEL_EVENT_DETAIL_BYTES];
        model_event_detail(&cases[i].event, text, sizeof text);
        ck_assert_str_eq(text, cases[i].detail);
        ck_assert_str_eq(model_event_name(cases[i].event.kind), cases[i].name);
    }
}
END_TEST

START_TEST(every_kind_has_a_name_and_a_detail_that_fits) {
    for (int kind = 0; kind < MODEL_EVENT_COUNT; kind++) {
        struct model_event event = {.kind = (enum model_event_kind)kind};
        char text[MODEL_EVENT_DETAIL_BYTES];
        ck_assert_uint_gt(model_event_numbers(event.kind), 0);
        model_event_detail(&event, text, sizeof text);
        ck_assert_str_ne(model_event_name(event.kind), "");
    }
}
END_TEST

START_TEST(aborts_on_a_word_that_is_not_there) {
    const struct model_event event = {.kind = MODEL_EVENT_SPLIT_REFUSED, .numbers = {0, 99}};
    char text[MODEL_EVENT_DETAIL_BYTES];
    model_event_detail(&event, text, sizeof text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/model_event");
    TCase *tcase = tcase_create("model_event");
    tcase_add_test(tcase, a_detail_has_the_numbers_of_its_kind);
    tcase_add_test(tcase, every_kind_has_a_name_and_a_detail_that_fits);
    tcase_add_test_raise_signal(tcase, aborts_on_a_word_that_is_not_there, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
