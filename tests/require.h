/*
 * require.h - An assertion for inner loops: check's own write to a pipe each time they hold.
 */
#ifndef DDBSIM_TESTS_REQUIRE_H
#define DDBSIM_TESTS_REQUIRE_H

#include <check.h>

/* Fails the running test with a printf-formatted message. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (false)

#endif
