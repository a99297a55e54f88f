/*
 * death.h - Misuse that a check stops, one line each:
 *
 *   #define MISUSES(X)                                   \
 *       X("n > 0", random_below(&stream, 0))             \
 *       X("err != NULL", death_ignore(err_set(NULL, …)))
 *   DEATHS(MISUSES)
 *
 * makes a test, misuse_dies_by_its_check: each line runs in a child of its own, which must die by
 * SIGABRT and print that check's condition, so another check that happens to fail does not count.
 *
 * Owns: nothing.  Cost: a fork a line.
 */
#ifndef DDBSIM_TESTS_DEATH_H
#define DDBSIM_TESTS_DEATH_H

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* For results that must be looked at, of calls that do not return. */
static inline void death_ignore(bool result) {
    (void)result;
}

/* Runs run(row) in a child; what it leaves on stderr must hold the condition of a failed check. */
static inline void death_see(void (*run)(size_t), size_t row, const char *condition) {
    int ends[2], status = 0;
    char text[2048];
    size_t length = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        run(row);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0; length += (size_t)(got > 0 ? got : 0)) {
        got = read(ends[0], text + length, sizeof text - 1 - length);
    }
    text[length] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "row %zu: '%s' held: %s", row,
                  condition, text);
    ck_assert_msg(strstr(text, "ddbsim: BUG: ") != NULL && strstr(text, condition) != NULL,
                  "row %zu: expected '%s', got: %s", row, condition, text);
    (void)!write(STDERR_FILENO, text,
                 length); /* for scripts/coverage, which counts the checks seen */
}

#define DEATH_CONDITION(condition, ...) condition,
#define DEATH_RUN(condition, ...)                                                                  \
    if (death_row == death_at++) {                                                                 \
        __VA_ARGS__;                                                                               \
        return;                                                                                    \
    }

#define DEATHS(rows)                                                                               \
    static const char *const death_conditions[] = {rows(DEATH_CONDITION)};                         \
    static void death_run(size_t death_row) {                                                      \
        size_t death_at = 0;                                                                       \
        rows(DEATH_RUN)                                                                            \
    }                                                                                              \
    START_TEST(misuse_dies_by_its_check) {                                                         \
        for (size_t row = 0; row < sizeof death_conditions / sizeof *death_conditions; row++) {    \
            death_see(death_run, row, death_conditions[row]);                                      \
        }                                                                                          \
    }                                                                                              \
    END_TEST

#endif
