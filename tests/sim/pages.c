#include "sim/pages.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes_bytes[] = {1,
                                     4096,
                                     PAGES_HUGE_BYTES - 1,
                                     PAGES_HUGE_BYTES,
                                     PAGES_HUGE_BYTES + 1,
                                     3 * PAGES_HUGE_BYTES + 12345};
enum { SIZES = sizeof sizes_bytes / sizeof sizes_bytes[0] };

START_TEST(gives_aligned_zeroes_that_can_be_written_to_the_last_byte) {
    unsigned char *pages[SIZES];
    for (int i = 0; i < SIZES; i++) {
        pages[i] = pages_new(sizes_bytes[i]);
        ck_assert_ptr_nonnull(pages[i]);
        ck_assert_uint_eq((uintptr_t)pages[i] % PAGES_HUGE_BYTES, 0);
        size_t at = 0;
        while (at < sizes_bytes[i] && pages[i][at] == 0) {
            at++;
        }
        ck_assert_uint_eq(at, sizes_bytes[i]);
        memset(pages[i], i + 1, sizes_bytes[i]);
    }
    for (int i = 0; i < SIZES; i++) { /* none was overwritten by another's bytes */
        ck_assert_uint_eq(pages[i][0], (unsigned)i + 1);
        ck_assert_uint_eq(pages[i][sizes_bytes[i] - 1], (unsigned)i + 1);
        pages_free(pages[i], sizes_bytes[i]);
    }
}
END_TEST

/* 20,000 times 8 GiB are more than the 2^47 bytes that a process can address. */
START_TEST(gives_back_all_that_it_took) {
    for (int i = 0; i < 20000; i++) {
        void *pages = pages_new((size_t)8 << 30);
        ck_assert_ptr_nonnull(pages);
        pages_free(pages, (size_t)8 << 30);
    }
}
END_TEST

START_TEST(refuses_what_no_machine_holds) {
    ck_assert_ptr_null(pages_new(SIZE_MAX));
    ck_assert_ptr_null(pages_new(SIZE_MAX / 2));
    pages_free(NULL, 0);
}
END_TEST

START_TEST(aborts_on_nothing_wanted) {
    pages_new(0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/pages");
    TCase *tcase = tcase_create("pages");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, gives_aligned_zeroes_that_can_be_written_to_the_last_byte);
    tcase_add_test(tcase, gives_back_all_that_it_took);
    tcase_add_test(tcase, refuses_what_no_machine_holds);
    tcase_add_test_raise_signal(tcase, aborts_on_nothing_wanted, SIGABRT);
    return suite_run(suite);
}
