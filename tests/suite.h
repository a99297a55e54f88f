/*
 * suite.h - How a test program ends: its suite is run, and its exit status tells.
 *
 * Owns: the suite that it is given.
 */
#ifndef DDBSIM_TESTS_SUITE_H
#define DDBSIM_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the suite, prints what failed (CK_VERBOSITY: more), and frees it; returns main's exit
 * status. */
static inline int suite_run(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
