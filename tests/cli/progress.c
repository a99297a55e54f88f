#include "cli/progress.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *label;
    struct progress_figures figures;
    const char *line;
} rows[] = {
    {NULL,
     {.share = 0.42, .wall_s = 3, .attempts = 9360000, .elapsed_s = 252, .duration_s = 600},
     "42 %  0:04:12 of 0:10:00  3,120,000 attempts/s  4 s left"},
    {"hot.yaml",
     {.share = 0.5,
      .wall_s = 10,
      .attempts = 100,
      .elapsed_s = 3600,
      .duration_s = 7200,
      .run = 1,
      .runs = 4},
     "hot.yaml: run 2 of 4  50 %  1:00:00 of 2:00:00  10 attempts/s  10 s left"},
    {NULL,
     {.share = -1, .wall_s = 2, .attempts = 500, .elapsed_s = 61, .duration_s = -1},
     "0:01:01  250 attempts/s"},
    {NULL,
     {.share = 0.001, .wall_s = 0, .attempts = 5, .elapsed_s = 1, .duration_s = 1000},
     "0 %  0:00:01 of 0:16:40  0 attempts/s"},
};

START_TEST(says_how_far_how_fast_and_how_long) {
    char line[128];
    progress_line(rows[_i].label, &rows[_i].figures, line, sizeof line);
    ck_assert_str_eq(line, rows[_i].line);
}
END_TEST

START_TEST(never_writes_beyond_the_line) {
    char line[64];
    for (size_t bytes = 1; bytes < 40; bytes++) {
        memset(line, '#', sizeof line);
        progress_line("a label", &rows[0].figures, line, bytes);
        ck_assert_uint_lt(strlen(line), bytes);
        ck_assert_int_eq(line[bytes], '#');
    }
}
END_TEST

/* Tests run without a terminal; with one, a dumb or unnamed terminal is none. */
START_TEST(keeps_quiet_where_nobody_can_see_it) {
    const char *const terminals[] = {"xterm", "dumb", ""};
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        struct progress progress;
        setenv("TERM", terminals[i], 1);
        progress_begin(&progress, NULL, 1, true);
        ck_assert(!progress.enabled);
        progress_begin(&progress, NULL, 1, false);
        ck_assert(i == 0 || !progress.enabled);
        progress_clear(&progress);
        ck_assert(!progress.shown);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/progress");
    TCase *tcase = tcase_create("progress");
    tcase_add_loop_test(tcase, says_how_far_how_fast_and_how_long, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, never_writes_beyond_the_line);
    tcase_add_test(tcase, keeps_quiet_where_nobody_can_see_it);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
