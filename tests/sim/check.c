#include "sim/check.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child that runs body(argument) leaves on stderr; it must die by SIGABRT. */
static void run_child(void (*body)(const struct check_context *),
                      const struct check_context *context, char *text, size_t text_bytes) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        check_context_set(context);
        body(context);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got = 0;
    while ((got = read(ends[0], text + length, text_bytes - 1 - length)) > 0) {
        length += (size_t)got;
    }
    text[length] = '\0';
    close(ends[0]);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
}

static void fail_plain(const struct check_context *context) {
    (void)context;
    check_failed("sim/x.c", 7, "a == b", "%s", "");
}

static void fail_with_detail(const struct check_context *context) {
    (void)context;
    check_failed("sim/x.c", 8, "level >= 0", "level is %d", -3);
}

static void fail_taken_back(const struct check_context *context) {
    (void)context;
    check_context_set(NULL);
    check_failed("sim/x.c", 9, "false", "%s", "");
}

START_TEST(prints_place_condition_detail_and_run) {
    const sim_ns now_ns = 12 * SIM_NS_PER_S + 5;
    const sim_ns early_ns = -1;
    const struct check_context outside = {.seed = 42, .replication = 3};
    const struct check_context inside = {.seed = 42, .replication = 3, .now_ns = &now_ns};
    const struct check_context early = {.seed = UINT64_MAX, .now_ns = &early_ns};
    const struct {
        void (*body)(const struct check_context *);
        const struct check_context *context;
        const char *text;
    } rows[] = {
        {fail_plain, NULL, "ddbsim: BUG: sim/x.c:7: a == b\n"},
        {fail_with_detail, NULL, "ddbsim: BUG: sim/x.c:8: level >= 0: level is -3\n"},
        {fail_plain, &outside, "ddbsim: BUG: sim/x.c:7: a == b (seed 42, replication 3)\n"},
        {fail_with_detail, &inside,
         "ddbsim: BUG: sim/x.c:8: level >= 0: level is -3 (seed 42, replication 3, at 12.000000005 "
         "s)\n"},
        {fail_plain, &early,
         "ddbsim: BUG: sim/x.c:7: a == b (seed 18446744073709551615, replication 0, at "
         "-0.000000001 s)\n"},
        {fail_taken_back, &inside, "ddbsim: BUG: sim/x.c:9: false\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        run_child(rows[i].body, rows[i].context, text, sizeof text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

START_TEST(lets_a_true_condition_pass_and_evaluates_it_once) {
    int evaluated = 0;
    SIM_CHECK(++evaluated == 1);
    SIM_CHECKF(++evaluated == 2, "evaluated %d times", evaluated);
    ck_assert_int_eq(evaluated, 2);
}
END_TEST

START_TEST(aborts_on_a_false_condition) {
    volatile int one = 1;
    SIM_CHECK(one == 2);
}
END_TEST

START_TEST(aborts_on_a_false_condition_with_detail) {
    volatile int one = 1;
    SIM_CHECKF(one == 2, "one is %d", one);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/check");
    TCase *tcase = tcase_create("check");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, prints_place_condition_detail_and_run);
    tcase_add_test(tcase, lets_a_true_condition_pass_and_evaluates_it_once);
    tcase_add_test_raise_signal(tcase, aborts_on_a_false_condition, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_false_condition_with_detail, SIGABRT);
    return suite_run(suite);
}
