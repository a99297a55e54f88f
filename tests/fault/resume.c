/*
 * resume - A sweep and a merge that break off at each of their calls that write, sync, cut or
 * rename a file, SQLite's own writes included, and are then gone on with: the database is that of
 * one that ran through, but for its timings.
 *
 * Each call of a sweep fails (a write when it is half done), or is the last thing that the program
 * does; some fail with all that follow. Time goes by at more than a second a look, so that the log
 * is synced after each run. Under AddressSanitizer, which takes ten times as long, a sample of the
 * calls.
 */
#define _GNU_SOURCE
#include "cli/command.h"
#include "cli/progress.h"
#include "sim/hash.h"
#include "tests/fault/command.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS_MAX 1000
#define LOOK_NS INT64_C(1100000000)
#define SAMPLE_STRIDE 7
#ifdef FAULT_HAS_SANITIZER
#define CALLS_STRIDE SAMPLE_STRIDE
#else
#define CALLS_STRIDE 1
#endif

static const char scenario_text[] = "name: small\n"
                                    "source: tests\n"
                                    "duration: 1s\n"
                                    "parameters: {rate: 1}\n" FAULT_TABLE_TEXT "workload:\n"
                                    "  - name: write\n"
                                    "    operation: PutItem\n"
                                    "    rate: \"${rate}\"\n"
                                    "    item: {PK: \"ORDER#{seq}\"}\n"
                                    "    item_size: 900B\n";

#define SWEEP "ddbsim", "sweep", "small.yaml", "--vary", "rate=5,9", "--replications", "1", "-q"
#define MERGE "ddbsim", "merge", "-q", "-o", "out.db", "part-1.db", "part-2.db"

/* A command, and how it is gone on with. */
static const struct {
    const char *name;
    const char *begun[FAULT_ARGUMENTS_MAX], *again[FAULT_ARGUMENTS_MAX];
    uint32_t calls_least;
} cases[] = {
    {"sweep",
     {SWEEP, "--jobs", "1", "-o", "out.db"},
     {SWEEP, "--jobs", "1", "-o", "out.db", "--resume"},
     20},
    {"merge", {MERGE}, {MERGE}, 10},
};
enum { CASES = sizeof cases / sizeof cases[0] };

enum mode { FAILS, GOES_ON_FAILING, DIES, MODES };

static char base[FAULT_FOLDER_BYTES];
static struct fault *fault;

int64_t __real_progress_wall_ns(void);
int64_t __wrap_progress_wall_ns(void);
int64_t __wrap_progress_wall_ns(void) {
    static int64_t looks;
    return __real_progress_wall_ns() + ++looks * LOOK_NS;
}

/* The exit status; 128 and more: a signal. */
static int run_command(const char *const *arguments, const struct fault *wanted) {
    *fault = *wanted;
    const int status = fault_run(arguments, fault, fault_meet_sqlite);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *errors(void) {
    static char text[4096];
    FILE *file = fopen("../errors", "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static uint64_t hash_of_table(sqlite3 *database, const char *name, uint64_t hash) {
    char sql[128];
    sqlite3_stmt *rows;
    snprintf(sql, sizeof sql, "SELECT rowid, * FROM %s ORDER BY rowid", name);
    ck_assert_int_eq(sqlite3_prepare_v2(database, sql, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *text = (const char *)sqlite3_column_text(rows, i);
            text = text == NULL ? "NULL" : text;
            hash = hash64(text, strlen(text) + 1, hash);
        }
    }
    ck_assert_int_eq(sqlite3_finalize(rows), SQLITE_OK);
    return hash;
}

/* Of everything in the database but the timings; 0: there is none. */
static uint64_t content(void) {
    sqlite3 *database;
    sqlite3_stmt *names;
    uint64_t hash = 1;
    if (access("out.db", F_OK) != 0) {
        return 0;
    }
    ck_assert_int_eq(sqlite3_open_v2("out.db", &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    static const char sql[] = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> "
                              "'timings' ORDER BY name";
    ck_assert_int_eq(sqlite3_prepare_v2(database, sql, -1, &names, NULL), SQLITE_OK);
    while (sqlite3_step(names) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        hash = hash_of_table(database, name, hash64(name, strlen(name), hash));
    }
    ck_assert_int_eq(sqlite3_finalize(names), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(database), SQLITE_OK);
    return hash;
}

/* How many files stand beside scenario and parts; removes them. */
static uint32_t remove_results(void) {
    uint32_t count = 0;
    DIR *folder = opendir(".");
    ck_assert_ptr_nonnull(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, "out.db", 6) == 0) {
            unlink(entry->d_name);
            count++;
        }
    }
    closedir(folder);
    return count;
}

static void set_up(void) {
    static const struct fault none = {.kind = FAULT_WRITE, .at = UINT32_MAX};
    static const char *const parts[2][FAULT_ARGUMENTS_MAX] = {
        {SWEEP, "--part", "1/2", "-o", "part-1.db"}, {SWEEP, "--part", "2/2", "-o", "part-2.db"}};
    fault = fault_open("resume", base);
    FILE *file = fopen("small.yaml", "w");
    ck_assert(file != NULL && fputs(scenario_text, file) >= 0 && fclose(file) == 0);
    for (int i = 0; i < 2; i++) {
        const int status = run_command(parts[i], &none);
        ck_assert_msg(status == 0, "%s", errors());
    }
}

static void tear_down(void) {
    munmap(fault, sizeof *fault);
    remove_results();
    unlink("small.yaml");
    unlink("part-1.db");
    unlink("part-2.db");
    ck_assert(chdir("..") == 0 && rmdir("work") == 0 && unlink("errors") == 0 &&
              unlink("out") == 0);
    ck_assert(chdir("/") == 0 && rmdir(base) == 0);
}

/* What a fault has done wrong, and what came of going on; NULL: nothing. */
static const char *go_on(int number, enum mode mode, int status, uint64_t expected) {
    static const struct fault none = {.kind = FAULT_WRITE, .at = UINT32_MAX};
    const int wanted = mode == DIES ? FAULT_STATUS_DIED : EXIT_STATUS_IO;
    if (status != wanted && status != 0) {
        return "neither passed over nor told";
    }
    if (status != 0 && content() == 0 && run_command(cases[number].again, &none) != 0) {
        return "it cannot be gone on with";
    }
    if (content() != expected) {
        return "the content is another";
    }
    /* one that was killed could not clear up, and nobody knows that it never will */
    return remove_results() > 1 && mode != DIES ? "something is left behind" : NULL;
}

START_TEST(what_breaks_off_at_any_call_can_be_gone_on_with) {
    const int number = _i / MODES;
    const enum mode mode = (enum mode)(_i % MODES);
    struct fault wanted = {.kind = FAULT_WRITE,
                           .at = UINT32_MAX,
                           .lasting = mode == GOES_ON_FAILING,
                           .dies = mode == DIES};
    int status = run_command(cases[number].begun, &wanted);
    ck_assert_msg(status == 0, "%s: %s", cases[number].name, errors());
    const uint64_t expected = content();
    remove_results();
    uint32_t wrong = 0;
    const bool is_sample = mode == GOES_ON_FAILING || (mode == FAILS && number > 0);
    const uint32_t stride = is_sample ? SAMPLE_STRIDE : CALLS_STRIDE;
    for (wanted.at = mode % stride; wanted.at < CALLS_MAX; wanted.at += stride) {
        status = run_command(cases[number].begun, &wanted);
        const char *function = fault->function;
        if (function == NULL) {
            remove_results();
            break;
        }
        const char *complaint = go_on(number, mode, status, expected);
        if (complaint != NULL) {
            fprintf(stderr, "%s, mode %d, call %" PRIu32 ", %s: %s (status %d)\n%s\n",
                    cases[number].name, (int)mode, wanted.at, function, complaint, status,
                    errors());
            wrong++;
        }
        remove_results();
    }
    printf("%s: %" PRIu32 " calls\n", cases[number].name, wanted.at);
    ck_assert_uint_lt(wanted.at, CALLS_MAX);
    ck_assert_uint_ge(wanted.at, cases[number].calls_least);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fault/resume");
    TCase *tcase = tcase_create("resume");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, what_breaks_off_at_any_call_can_be_gone_on_with, 0, CASES * MODES);
    return suite_run(suite);
}
