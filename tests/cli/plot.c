/* The command as a whole, in a folder of its own: what it prints, what it leaves behind. */
#include "cli/command.h"
#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS_MAX 8

static char folder[] = "/tmp/ddbsim-plot-test-XXXXXX";
static char said[1 << 16]; /* standard output and error of the last command */

static void write_text(const char *name, const char *text, mode_t mode) {
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(name, mode), 0);
}

static void set_up(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("temporary", 0700), 0);
    ck_assert_int_eq(mkdir("bin", 0700), 0);
    setenv("TMPDIR", "temporary", 1);
    setenv("COLUMNS", "80", 1);
    setenv("LINES", "30", 1);
    made_up_database("x.db");
}

static int count_files(const char *path) {
    DIR *listing = opendir(path);
    ck_assert_ptr_nonnull(listing);
    int count = -2;
    while (readdir(listing) != NULL) {
        count++;
    }
    closedir(listing);
    return count;
}

static void remove_all(const char *path) {
    DIR *listing = opendir(path);
    ck_assert_ptr_nonnull(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlinkat(dirfd(listing), entry->d_name, 0);
        }
    }
    closedir(listing);
    rmdir(path);
}

static void tear_down(void) {
    remove_all("temporary");
    remove_all("bin");
    ck_assert_int_eq(chdir("/"), 0);
    remove_all(folder);
}

/* Starts `ddbsim plot …` as a process that writes to the file "said". */
static pid_t start(const char *const *arguments) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0) {
        return child;
    }
    int out = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(out, 2);
    char words[ARGUMENTS_MAX][256] = {"ddbsim plot"};
    char *argv[ARGUMENTS_MAX + 1] = {words[0]};
    int argc = 1;
    for (; arguments[argc - 1] != NULL && argc < ARGUMENTS_MAX; argc++) {
        snprintf(words[argc], sizeof words[argc], "%s", arguments[argc - 1]);
        argv[argc] = words[argc];
    }
    int status = command_plot(argc, argv);
    fflush(NULL);
    _exit(status);
}

static int finish(pid_t child) {
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "killed by signal %d", WTERMSIG(status));
    memset(said, 0, sizeof said);
    FILE *file = fopen("said", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_lt(fread(said, 1, sizeof said, file), sizeof said);
    fclose(file);
    unlink("said");
    return WEXITSTATUS(status);
}

#define PLOT(...) finish(start((const char *const[]){__VA_ARGS__, NULL}))

static const char *const kinds[] = {"throttling", "capacity", "partitions", "keys",
                                    "reasons",    "splits",   "latency"};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))
#define KINDS_OF_TABLES (KINDS - 1) /* all but latency */
static const struct {
    const char *name, *begin;
} formats[] = {{"a.png", "\x89PNG"}, {"a.svg", "<?xml"}, {"a.PDF", "%PDF"}};

START_TEST(draws_every_kind_in_every_format_and_leaves_nothing_else) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        ck_assert_msg(PLOT("x.db", kinds[_i], "-o", formats[i].name) == 0, "%s", said);
        ck_assert_str_eq(said, "");
        char begin[6] = "";
        FILE *file = fopen(formats[i].name, "r");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_gt(fread(begin, 1, 5, file), 0);
        fclose(file);
        ck_assert_int_eq(strncmp(begin, formats[i].begin, strlen(formats[i].begin)), 0);
    }
    ck_assert_int_eq(count_files("temporary"), 0);
    ck_assert_int_eq(count_files("."), 3 + 3); /* pictures; bin, temporary, x.db */
}
END_TEST

/* A run without refusals, without provisioned capacity, without keys: a picture that says so. */
START_TEST(draws_a_run_in_which_nothing_happens) {
    ck_assert_msg(PLOT("x.db", kinds[_i], "--run", "2", "-o", "a.png") == 0, "%s", said);
    ck_assert_msg(PLOT("x.db", kinds[_i], "--run=2") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "calm: "));
    ck_assert_ptr_nonnull(strstr(said, "table calm, run 2\n"));
    ck_assert_msg(PLOT("x.db", kinds[_i], "--table", "orders/by-day") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "table orders, index by-day, run 1"));
}
END_TEST

/* Operations belong to the run, not to a table. */
START_TEST(draws_latencies_of_reads_or_writes_or_that_there_are_none) {
    ck_assert_msg(PLOT("x.db", "latency", "--run", "2", "-o", "a.png") == 0, "%s", said);
    ck_assert_msg(PLOT("x.db", "latency", "--run", "2") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(
        said, "calm: latency of operations that succeeded, run 2\nno operation succeeded\n"));
    ck_assert_msg(PLOT("x.db", "latency") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "PutItem: p50 3 ms, p99 9 ms, max 1.5 s"));
    ck_assert_ptr_nonnull(strstr(said, "GetItem: p50 0 ms, p99 0 ms, max 0 ms"));
    ck_assert_msg(PLOT("x.db", "latency", "--reads") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "of 50 GetItem, half"));
    ck_assert_ptr_null(strstr(said, "PutItem"));
    ck_assert_msg(PLOT("x.db", "latency", "--run", "2", "--reads") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "no read succeeded\n"));
    ck_assert_msg(PLOT("x.db", "latency", "--writes") == 0, "%s", said);
    ck_assert_ptr_null(strstr(said, "GetItem"));
}
END_TEST

static const char *const findings[] = {
    "210 of 2,400 attempts throttled (8.8 %), first at 0:01:00, mostly",
    "writes: mean 160 of 200 WCU/s (80 %)",
    "hottest: p1, on average at 31.9 % of its 500 WCU/s (the others: 0 %)",
    "'victim' met 99 % of 210 throttled attempts",
    "213 throttle events between 0:01:00 and 0:01:30, in 30 of 120 seconds",
    "no partition was split; 2 of them",
    "of 100 PutItem, half were answered within 3 ms, 99 % within 9 ms, all within 1.5 s",
};

START_TEST(says_in_the_terminal_what_there_is_to_see) {
    ck_assert_msg(PLOT("x.db", kinds[_i]) == 0, "%s", said);
    for (char *at = said; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    ck_assert_msg(strstr(said, findings[_i]) != NULL, "%s", said);
    ck_assert_ptr_null(strchr(said, '\033'));
    ck_assert_int_eq(count_files("temporary"), 0);
}
END_TEST

/* A hundred splits, a switch, back-pressure: counted in words, drawn without a fault. */
START_TEST(what_a_table_did_of_its_own_is_marked) {
    static const char *const drawn[] = {"throttling", "capacity", "partitions"};
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open("x.db", &database), SQLITE_OK);
    database_exec(database,
                  "WITH RECURSIVE t(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM t WHERE s < 99)"
                  " INSERT INTO events SELECT 1, 1.19 * s, 0, 'SplitCompleted', '{}' FROM t;"
                  "INSERT INTO events VALUES (1, 60.0, 0, 'UpdateTableCompleted',"
                  " '{\"BillingMode\": \"PAY_PER_REQUEST\"}');"
                  "INSERT INTO throttles VALUES"
                  " (1, 1, 5, 'IndexWriteKeyRangeThroughputExceeded', 2)");
    sqlite3_close(database);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        ck_assert_msg(PLOT("x.db", drawn[i], "--table", "orders") == 0, "%s", said);
        for (char *at = said; *at != '\0'; at++) {
            *at = *at == '\n' ? ' ' : *at;
        }
        ck_assert_msg(strstr(said, "100 splits, first at 0:00:00; 1 mode switch, at 0:01:00; 1 "
                                   "time of index back-pressure, at 0:00:05") != NULL,
                      "%s", said);
        ck_assert_msg(PLOT("x.db", drawn[i], "--table", "orders", "-o", "a.svg", "--force") == 0,
                      "%s", said);
        ck_assert_str_eq(said, "");
    }
}
END_TEST

START_TEST(an_on_demand_table_is_not_called_provisioned) {
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open("x.db", &database), SQLITE_OK);
    database_exec(database, "UPDATE seconds SET provisioned_rcu = NULL, provisioned_wcu = NULL,"
                            " burst_rcu = NULL, burst_wcu = NULL");
    sqlite3_close(database);
    ck_assert_msg(PLOT("x.db", "capacity") == 0, "%s", said);
    ck_assert_ptr_null(strstr(said, "provisioned"));
    ck_assert_msg(strstr(said, "on-demand: what its partitions take") != NULL, "%s", said);
}
END_TEST

START_TEST(the_heat_map_in_the_terminal_marks_refusals_between_their_times) {
    ck_assert_msg(PLOT("x.db", "partitions") == 0, "%s", said);
    char *map = strstr(said, "\n\n");
    ck_assert_ptr_nonnull(map);
    char *first = strchr(map, '!');
    ck_assert_ptr_nonnull(first);
    char *row = first;
    while (row[-1] != '|') {
        row--;
    }
    size_t width = strcspn(row, "|");
    ck_assert_uint_ge((size_t)(first - row), width / 2 - 1);
    ck_assert_int_ne(row[width - 1], '!');
    ck_assert_msg(PLOT("x.db", "partitions", "--to", "60") == 0, "%s", said);
    ck_assert_ptr_null(strstr(said, "@!"));
    ck_assert_msg(PLOT("x.db", "partitions", "--from", "1:00", "--to", "90s") == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "@!"));
}
END_TEST

static const struct {
    const char *arguments[7];
    int status;
    const char *says;
} faults[] = {
    {{"x.db"}, 2, "expected a kind of picture"},
    {{NULL}, 2, "expected a database and a kind of picture"},
    {{"x.db", "throtling"}, 2, "'throtling' is no kind of picture; did you mean 'throttling'?"},
    {{"x.db", "zzz"},
     2,
     "expected throttling, capacity, partitions, keys, reasons, splits, latency, sweep or compare"},
    {{"x.db", "latency", "--to", "5s"}, 2, "latencies are counted over the whole run: --from and"},
    {{"x.db", "latency", "--table", "orders"}, 2, "--table does not apply"},
    {{"x.db", "keys", "more"}, 2, "'more' is one argument too many"},
    {{"x.db", "keys", "-o", "a.gif"}, 2, "'a.gif' does not end in .svg, .png or .pdf"},
    {{"x.db", "keys", "-o", "x.db/png"}, 2, "does not end in"},
    {{"x.db", "keys", "--from", "5"}, 2, "--from and --to do not apply"},
    {{"x.db", "keys", "--run", "x"}, 2, "--run: 'x' is no number"},
    {{"x.db", "keys", "--run", "9"}, 2, "has no run 9"},
    {{"x.db", "keys", "--table", "order"}, 2, "no table 'order'; did you mean 'orders'?"},
    {{"x.db", "keys", "--table", "zzzzz"}, 2, "no table 'zzzzz'; it has 'orders' and others"},
    {{"x.db", "reasons", "--from", "1:75"}, 2, "'1:75' is no time in whole seconds"},
    {{"x.db", "reasons", "--from", "1:"}, 2, "'1:' is no time in whole seconds"},
    {{"x.db", "reasons", "--from", "0:00:00:01"}, 2, "is no time in whole seconds"},
    {{"x.db", "reasons", "--from", "0:01:59", "--to", "2:00"}, 0, "reason"},
    {{"x.db", "reasons", "--from", "0.5"}, 2, "is no time in whole seconds"},
    {{"x.db", "reasons", "--from", "-3s"}, 2, "is no time in whole seconds"},
    {{"x.db", "reasons", "--from", "2h"}, 2, "--from is not before the end of the run, 0:02:00"},
    {{"x.db", "reasons", "--from", "9", "--to", "9"}, 2, "--to is not after --from"},
    {{"none.db", "keys"}, 3, "cannot read 'none.db': No such file or directory"},
    {{"bin", "keys"}, 3, "'bin' is no file"},
    {{"text.db", "keys"}, 3, "'text.db' is not a results database"},
    {{"x.db", "keys", "-o", "none/a.png"}, 3, "cannot write 'none/a.png': No such file"},
    {{"x.db", "keys", "-o", "bin.png"}, 2, "'bin.png' exists; --force overwrites it"},
    {{"x.db", "keys", "--forc"}, 0, ""},
    {{"x.db", "keys", "--farce"}, 2, "did you mean '--force'?"},
};

START_TEST(a_fault_is_one_sentence_with_its_status_and_nothing_is_written) {
    write_text("text.db", "some text", 0600);
    write_text("bin.png", "mine", 0600);
    int before = count_files(".");
    int status = finish(start(faults[_i].arguments));
    ck_assert_msg(status == faults[_i].status, "%d: %s", status, said);
    ck_assert_msg(strstr(said, faults[_i].says) != NULL, "%s", said);
    if (status != 0) {
        ck_assert_int_eq(strncmp(said, "ddbsim: error: ", 15), 0);
        ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
    }
    ck_assert_int_eq(count_files("."), before);
    ck_assert_int_eq(count_files("temporary"), 0);
}
END_TEST

START_TEST(replaces_a_file_only_when_told_to) {
    write_text("a.png", "mine", 0600);
    ck_assert_int_eq(PLOT("x.db", "keys", "-o", "a.png"), 2);
    ck_assert_int_eq(PLOT("x.db", "keys", "-o", "a.png", "--force"), 0);
    struct stat status;
    ck_assert_int_eq(stat("a.png", &status), 0);
    ck_assert_int_gt(status.st_size, 1000);
}
END_TEST

START_TEST(a_missing_gnuplot_is_named_with_its_package) {
    setenv("PATH", "bin", 1);
    ck_assert_int_eq(PLOT("x.db", "reasons", "-o", "a.png"), 3);
    ck_assert_ptr_nonnull(strstr(said, "gnuplot is not installed"));
    ck_assert_ptr_nonnull(strstr(said, "apt-get install gnuplot-nox"));
    ck_assert_int_eq(access("a.png", F_OK), -1);
    ck_assert_int_eq(PLOT("x.db", "reasons"), 3);
    ck_assert_ptr_null(strstr(said, "events between"));
}
END_TEST

static const struct {
    const char *script, *says;
} gnuplots[] = {
    {"echo; echo '   ^'; echo 'line 3: no such thing'; echo; exit 1",
     "gnuplot failed with status 1: line 3: no such thing"},
    {"exit 7", "gnuplot failed with status 7: it says nothing"},
    {"kill -9 $$", "gnuplot was killed by signal 9"},
    {"exit 0", "gnuplot has drawn nothing"},
    {"seq 100000; exit 1", "gnuplot failed with status 1"},
};

START_TEST(what_a_failing_gnuplot_says_is_passed_on) {
    char script[256];
    snprintf(script, sizeof script, "#!/bin/sh\n%s\n", gnuplots[_i].script);
    write_text("bin/gnuplot", script, 0700);
    char path[512];
    snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    write_text("a.png", "mine", 0600);
    ck_assert_int_eq(PLOT("x.db", "reasons", "-o", "a.png", "--force"), 3);
    ck_assert_msg(strstr(said, gnuplots[_i].says) != NULL, "%s", said);
    struct stat status;
    ck_assert_int_eq(stat("a.png", &status), 0);
    ck_assert_int_eq(status.st_size, 4);
    ck_assert_int_eq(count_files("."), 4);
    ck_assert_int_eq(count_files("temporary"), 0);
}
END_TEST

static void wait_for(const char *name) {
    for (int i = 0; i < 1000 && access(name, F_OK) != 0; i++) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    ck_assert_int_eq(access(name, F_OK), 0);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

START_TEST(an_interruption_ends_gnuplot_and_cleans_up) {
    char script[256], path[512];
    snprintf(script, sizeof script, "#!/bin/sh\necho $$ >%s/bin/started\nexec sleep 60\n", folder);
    write_text("bin/gnuplot", script, 0700);
    snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    pid_t child = start((const char *const[]){"x.db", "reasons", "-o", "a.png", NULL});
    wait_for("bin/started");
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    ck_assert_int_eq(kill(child, signals[_i]), 0);
    ck_assert_int_eq(finish(child), EXIT_STATUS_INTERRUPTED);
    int gnuplot = 0;
    FILE *file = fopen("bin/started", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &gnuplot), 1);
    fclose(file);
    ck_assert_int_eq(kill(gnuplot, 0), -1);
    ck_assert_int_eq(count_files("temporary"), 0);
    ck_assert_int_eq(count_files("."), 3);
}
END_TEST

/* Names that a shell, gnuplot or a terminal would act on. */
START_TEST(hostile_names_are_only_drawn) {
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open("x.db", &database), SQLITE_OK);
    database_exec(database,
                  "UPDATE runs SET scenario = '''`touch pwned`'' \"$(touch pwned)\" ' || char(10);"
                  "UPDATE resources SET table_name = '''''; system(''touch pwned'')' || char(27);"
                  "UPDATE throttles SET reason = '`touch pwned`' || char(39) || reason;"
                  "UPDATE latencies SET operation = char(39) || '`touch pwned`' || operation;"
                  "UPDATE keys SET key = char(39) || '`touch pwned`' || char(10) || key"
                  " || char(128512) || printf('%.2000c', 'w')");
    sqlite3_close(database);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        ck_assert_msg(PLOT("x.db", kinds[_i], "-o", formats[i].name) == 0, "%s", said);
    }
    ck_assert_msg(PLOT("x.db", kinds[_i]) == 0, "%s", said);
    ck_assert_ptr_null(strchr(said, '\033'));
    ck_assert_int_eq(access("pwned", F_OK), -1);
    ck_assert_int_eq(count_files("temporary"), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/plot");
    TCase *tests = tcase_create("plot");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, draws_every_kind_in_every_format_and_leaves_nothing_else, 0, KINDS);
    tcase_add_loop_test(tests, draws_a_run_in_which_nothing_happens, 0, KINDS_OF_TABLES);
    tcase_add_test(tests, draws_latencies_of_reads_or_writes_or_that_there_are_none);
    tcase_add_loop_test(tests, says_in_the_terminal_what_there_is_to_see, 0, KINDS);
    tcase_add_test(tests, what_a_table_did_of_its_own_is_marked);
    tcase_add_test(tests, an_on_demand_table_is_not_called_provisioned);
    tcase_add_test(tests, the_heat_map_in_the_terminal_marks_refusals_between_their_times);
    tcase_add_loop_test(tests, a_fault_is_one_sentence_with_its_status_and_nothing_is_written, 0,
                        sizeof faults / sizeof faults[0]);
    tcase_add_test(tests, replaces_a_file_only_when_told_to);
    tcase_add_test(tests, a_missing_gnuplot_is_named_with_its_package);
    tcase_add_loop_test(tests, what_a_failing_gnuplot_says_is_passed_on, 0,
                        sizeof gnuplots / sizeof gnuplots[0]);
    tcase_add_loop_test(tests, an_interruption_ends_gnuplot_and_cleans_up, 0, 3);
    tcase_add_loop_test(tests, hostile_names_are_only_drawn, 0, KINDS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
