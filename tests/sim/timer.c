#include "sim/timer.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>

START_TEST(time_decides_then_kind_then_sequence) {
    static const struct timer sorted[] = {
        {INT64_MIN, UINT64_MAX, 0},
        {-1, 0, 0},
        {-1, UINT64_MAX, 0},
        {0, 0, 0},
        {0, 1, 0},
        {0, 1ULL << 56, 0},
        {0, UINT64_MAX, 0},
        {1, 0, 0},
        {INT64_MAX, 0, 0},
        {INT64_MAX, 1, 0},
    };
    enum { COUNT = sizeof sorted / sizeof sorted[0] };
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            ck_assert_msg(timer_is_before(&sorted[i], &sorted[j]) == (i < j), "%zu, %zu", i, j);
        }
    }
}
END_TEST

START_TEST(kind_is_above_the_sequence) {
    const struct timer timer = {0, UINT64_C(0xabffffffffffffff), 0};
    ck_assert_uint_eq(timer_kind(&timer), 0xab);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/timer");
    TCase *tcase = tcase_create("timer");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, time_decides_then_kind_then_sequence);
    tcase_add_test(tcase, kind_is_above_the_sequence);
    return suite_run(suite);
}
