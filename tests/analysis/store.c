#include "analysis/store.h"

#include "tests/analysis/made_up_store.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(is_absent_without_a_commit) {
    struct store *store = store_create(path, false, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(write_run(store));
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(access(store_temporary_path(store), F_OK), 0);
    ck_assert_int_eq(strncmp(store_temporary_path(store), path, strlen(path)), 0);
    store_close(store);
    ck_assert_int_eq(file_count(), 0);
    store_close(NULL);
}
END_TEST

/* Behind the 16 bytes by which a database is known. */
static const char magic[] = "SQLite format 3";

static void write_text(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(magic, 1, sizeof magic, out), sizeof magic);
    fputs(text, out);
    ck_assert_int_eq(fclose(out), 0);
}

static bool holds_text(const char *file, const char *text) {
    char found[64] = "";
    FILE *in = fopen(file, "r");
    ck_assert_ptr_nonnull(in);
    size_t length = fread(found, 1, sizeof found - 1, in);
    fclose(in);
    return length == sizeof magic + strlen(text) && strcmp(found + sizeof magic, text) == 0;
}

START_TEST(overwrites_only_when_told_so_and_only_when_whole) {
    write_text(path, "mine");
    ck_assert_ptr_null(store_create(path, false, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    char expected[128];
    snprintf(expected, sizeof expected, "'%s' exists; --force overwrites it", path);
    ck_assert_str_eq(err.text, expected);
    ck_assert_int_eq(file_count(), 1);

    err.kind = ERR_NONE;
    struct store *store = store_create(path, true, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(write_run(store));
    ck_assert(holds_text(path, "mine"));
    store_close(store);
    ck_assert(holds_text(path, "mine"));

    tear_down();
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    set_up();
    write_text(path, "mine");
    store = store_create(path, true, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(write_run(store) && store_commit(store, &err));
    store_close(store);
    ck_assert_int_eq(file_count(), 1);
    ck_assert(!holds_text(path, "mine"));
}
END_TEST

/* Somebody else's file, made while the run went on, is not ours to replace. */
START_TEST(keeps_a_file_that_appeared_meanwhile) {
    struct store *store = store_create(path, false, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(write_run(store));
    write_text(path, "theirs");
    ck_assert(!store_commit(store, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "exists; --force overwrites it"));
    store_close(store);
    ck_assert(holds_text(path, "theirs"));
    ck_assert_int_eq(file_count(), 1);
}
END_TEST

START_TEST(never_overwrites_what_is_no_database) {
    static const char *const texts[] = {"id,url\n1,/index.html\n", "SQLite", "SQLite format 3.1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *out = fopen(path, "w");
        ck_assert_ptr_nonnull(out);
        fputs(texts[i], out);
        ck_assert_int_eq(fclose(out), 0);
        err = (struct err){.kind = ERR_NONE};
        ck_assert_ptr_null(store_create(path, true, &err));
        ck_assert_int_eq(err.kind, ERR_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "exists and is no database"));
        ck_assert_int_eq(file_count(), 1);
    }
    ck_assert_int_eq(truncate(path, 0), 0);
    struct store *store = store_create(path, true, &err);
    ck_assert_ptr_nonnull(store);
    store_close(store);
}
END_TEST

START_TEST(follows_a_link) {
    char target[64];
    snprintf(target, sizeof target, "%s/real.db", folder);
    write_text(target, "old");
    ck_assert_int_eq(symlink("real.db", path), 0);
    ck_assert_ptr_null(store_create(path, false, &err));
    err.kind = ERR_NONE;
    struct store *store = store_create(path, true, &err);
    ck_assert_ptr_nonnull(store);
    ck_assert(write_run(store) && store_commit(store, &err));
    store_close(store);
    struct stat status;
    ck_assert_int_eq(lstat(path, &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert(!holds_text(target, "old"));
    ck_assert_int_eq(file_count(), 2);
}
END_TEST

START_TEST(refuses_what_is_no_file) {
    static const struct {
        const char *path;
        bool overwrite;
        enum err_kind kind;
        const char *text;
    } rows[] = {
        {"", false, ERR_INPUT, "the name of the database is empty"},
        {"/tmp", true, ERR_INPUT, "'/tmp' is a folder; expected a file name"},
        {"/tmp/", false, ERR_INPUT, "'/tmp/' is a folder; expected a file name"},
        {"/tmp/none.db/", true, ERR_INPUT, "'/tmp/none.db/' is a folder; expected a file name"},
        {"/dev/null", true, ERR_INPUT, "'/dev/null' is not a regular file; expected a file name"},
        {"/no/such/out.db", false, ERR_IO,
         "cannot create '/no/such/out.db': there is no folder '/no/such'"},
        {"/dev/null/out.db", false, ERR_IO,
         "cannot create '/dev/null/out.db' in folder '/dev/null': Not a directory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        err = (struct err){.kind = ERR_NONE};
        ck_assert_ptr_null(store_create(rows[i].path, rows[i].overwrite, &err));
        ck_assert_int_eq(err.kind, rows[i].kind);
        ck_assert_str_eq(err.text, rows[i].text);
    }
    err = (struct err){.kind = ERR_NONE};
    ck_assert_int_eq(symlink("nothing", path), 0);
    ck_assert_ptr_null(store_create(path, true, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "is a link to nothing"));
}
END_TEST

/* In a child, so that root can put its rights away. */
START_TEST(says_that_a_folder_is_not_writable) {
    ck_assert_int_eq(chmod(folder, 0555), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) {
            _exit(2);
        }
        char expected[192];
        snprintf(expected, sizeof expected, "cannot create '%s' in folder '%s': Permission denied",
                 path, folder);
        bool refused = store_create(path, false, &err) == NULL && err.kind == ERR_IO &&
                       strcmp(err.text, expected) == 0;
        _exit(refused ? 0 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert_int_eq(file_count(), 0);
}
END_TEST

/* The kernel refuses to let the file grow, as a full disk does; wherever the run is by then. */
START_TEST(says_that_the_disk_is_full) {
    static const rlim_t limits[] = {0, 20000, 100000, 200000, 300000};
    struct store *whole = store_create(path, false, &err);
    ck_assert(whole != NULL && write_run(whole) && store_commit(whole, &err));
    store_close(whole);
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_gt(status.st_size, (off_t)limits[4]);
    ck_assert_int_eq(unlink(path), 0);
    tear_down();
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    set_up();

    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = limits[_i];
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct store *store = store_create(path, false, &err);
    bool done = store != NULL && write_run(store) && store_commit(store, &err);
    store_close(store);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(!done);
    ck_assert_int_eq(err.kind, ERR_IO);
    char expected[128];
    snprintf(expected, sizeof expected, "cannot write '%s': ", path);
    ck_assert_int_eq(strncmp(err.text, expected, strlen(expected)), 0);
    ck_assert_msg(strstr(err.text, "disk I/O error") != NULL, "%s", err.text);
    ck_assert_int_eq(file_count(), 0);
}
END_TEST

/* SQLite would open these as something else than a file of that name. */
START_TEST(takes_any_name_as_a_file_name) {
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "a b'c%41.db"};
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct store *store = store_create(names[i], false, &err);
        ck_assert_msg(store != NULL, "%s", err.text);
        ck_assert(store_commit(store, &err));
        store_close(store);
        ck_assert_int_eq(access(names[i], F_OK), 0);
        ck_assert_int_eq(file_count(), (int)i + 1);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store");
    TCase *tcase = tcase_create("store");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, is_absent_without_a_commit);
    tcase_add_test(tcase, overwrites_only_when_told_so_and_only_when_whole);
    tcase_add_test(tcase, keeps_a_file_that_appeared_meanwhile);
    tcase_add_test(tcase, never_overwrites_what_is_no_database);
    tcase_add_test(tcase, follows_a_link);
    tcase_add_test(tcase, refuses_what_is_no_file);
    tcase_add_test(tcase, says_that_a_folder_is_not_writable);
    tcase_add_loop_test(tcase, says_that_the_disk_is_full, 0, 5);
    tcase_add_test(tcase, takes_any_name_as_a_file_name);
    return suite_run(suite);
}
