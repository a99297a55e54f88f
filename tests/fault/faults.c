/*
 * faults - Each allocation, file and SQLite call of small runs of the commands fails once, and, in
 * a second round, fails from there on. The allocations within libraries are thousands: some of them
 * fail, others for each command; all of them with DDBSIM_FAULT_STRIDE=1 in the environment.
 *
 * A child runs the command in a folder of its own. When it says 0, the fault was one that may be
 * passed over: everything printed and written is what it is without the fault. Else it says 3, one
 * message, and the folder is as it was before. No crash, no abort, no leak (in builds with
 * AddressSanitizer, which ends a leaking child with a status of its own). One thing is let pass:
 * libfyaml crashes at two of its own allocations (docs/adr/0006).
 */
#define _GNU_SOURCE
#include "sim/check.h"
#include "sim/hash.h"
#include "tests/fault/command.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 32
#define TEXT_BYTES 16384
#define CALLS_MAX 100000
/* Under AddressSanitizer, which takes ten times as long, a sample: other calls for each command. */
#ifdef FAULT_HAS_SANITIZER
#define CALLS_STRIDE 7
enum { KINDS = FAULT_LIBRARY };
#else
#define CALLS_STRIDE 1
enum { KINDS = FAULT_LIBRARY + 1 };
#endif
#define LIBRARY_STRIDE 211
#define LONG_STRIDE 12
#define STATUS_LIBFYAML 98
#define LIBFYAML_CRASHES_MAX 2 /* of a command */

static const char scenario_text[] = "name: small\n"
                                    "source: tests\n"
                                    "duration: 1s\n"
                                    "seed: 7\n" FAULT_TABLE_TEXT "    state: {BurstSeconds: 0}\n"
                                    "fields:\n"
                                    "  customer: {zipf: {n: 9, s: 1}}\n"
                                    "  size: {normal: {mean: 500, sd: 100, min: 1, max: 1000}}\n"
                                    "  colour: {choice: {red: 1, blue: 2}}\n"
                                    "workload:\n"
                                    "  - name: write\n"
                                    "    operation: PutItem\n"
                                    "    rate: 12\n"
                                    "    item: {PK: \"CUSTOMER#{customer}#{colour}#{size}\"}\n"
                                    "    item_size: 900B\n"
                                    "  - name: replay\n"
                                    "    operation: GetItem\n"
                                    "    trace: {file: rows.csv, header: true, time: at}\n"
                                    "    item: {PK: \"{who}\"}\n"
                                    "    exists: false\n"
                                    "client: {retry: none, latency: 3ms}\n"
                                    "expect:\n"
                                    "  - {metric: offered, min: 1}\n";

static const struct {
    const char *name;
    const char *arguments[9];
} cases[] = {
    {"check", {"ddbsim", "check", "small.yaml"}},
    {"check --run", {"ddbsim", "check", "--run", "small.yaml"}},
    {"run -o", {"ddbsim", "run", "small.yaml", "-o", "new.db", "--format", "json"}},
    {"run --force", {"ddbsim", "run", "small.yaml", "-o", "old.db", "--force"}},
    {"export", {"ddbsim", "export", "old.db", "keys"}},
    {"export -o", {"ddbsim", "export", "old.db", "seconds", "--format", "json", "-o", "s.json"}},
    {"plot -o", {"ddbsim", "plot", "old.db", "throttling", "-o", "new.svg"}},
    {"plot throttling", {"ddbsim", "plot", "old.db", "throttling"}},
    {"plot capacity", {"ddbsim", "plot", "old.db", "capacity"}},
    {"plot partitions", {"ddbsim", "plot", "old.db", "partitions"}},
    {"plot keys", {"ddbsim", "plot", "old.db", "keys"}},
    {"plot reasons", {"ddbsim", "plot", "old.db", "reasons"}},
    {"report", {"ddbsim", "report", "old.db", "-o", "new.html"}},
    {"plot latency", {"ddbsim", "plot", "old.db", "latency"}},
};
static const int writing[] = {3, 5, 6}; /* the cases that write in different ways */
enum { WRITING = sizeof writing / sizeof writing[0] };
enum { CASES = sizeof cases / sizeof cases[0] };

struct folder_file {
    char name[256];
    uint64_t hash;
};

struct folder {
    struct folder_file files[FILES_MAX];
    size_t count;
};

/* What a command has left behind. */
struct result {
    int status; /* as waitpid has it */
    char out[TEXT_BYTES], errors[TEXT_BYTES];
    struct folder folder;
};

static char base[FAULT_FOLDER_BYTES];
static struct fault *fault;
static struct folder untouched;

static void write_file(const char *name, const char *text, mode_t mode) {
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static size_t read_file(const char *name, char *text, size_t room) {
    int file = open(name, O_RDONLY);
    ck_assert_int_ge(file, 0);
    ssize_t length = read(file, text, room - 1);
    ck_assert_int_ge(length, 0);
    close(file);
    text[length] = '\0';
    return (size_t)length;
}

static uint64_t hash_of(const char *name) {
    char block[4096];
    uint64_t hash = 0;
    FILE *file = fopen(name, "rb");
    ck_assert_ptr_nonnull(file);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) {
        hash = hash64(block, got, hash);
    }
    fclose(file);
    return hash;
}

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct folder_file *)a)->name, ((const struct folder_file *)b)->name);
}

/* The folder that one is in; databases of one run differ in their timings only. */
static void look(struct folder *folder) {
    *folder = (struct folder){.count = 0};
    DIR *stream = opendir(".");
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (entry->d_name[0] != '.') {
            ck_assert_uint_lt(folder->count, FILES_MAX);
            struct folder_file *file = &folder->files[folder->count++];
            snprintf(file->name, sizeof file->name, "%s", entry->d_name);
            file->hash = hash_of(file->name);
        }
    }
    closedir(stream);
    qsort(folder->files, folder->count, sizeof folder->files[0], compare_files);
}

static bool is_equal(const struct folder *a, const struct folder *b, bool databases_too) {
    for (size_t i = 0; i < a->count && a->count == b->count; i++) {
        bool is_database = strstr(a->files[i].name, ".db") != NULL;
        if (strcmp(a->files[i].name, b->files[i].name) != 0 ||
            (a->files[i].hash != b->files[i].hash && (databases_too || !is_database))) {
            return false;
        }
    }
    return a->count == b->count;
}

/* A crash within libfyaml is told from one of ours. */
static void on_crash(int number) {
    void *frames[64];
    const int count = backtrace(frames, sizeof frames / sizeof *frames);
    for (int i = 0; i < count; i++) {
        Dl_info info;
        if (dladdr(frames[i], &info) != 0 && strstr(info.dli_fname, "libfyaml") != NULL) {
            _exit(STATUS_LIBFYAML);
        }
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void prepare(void) {
    signal(SIGPIPE, SIG_IGN);
    if (fault->kind == FAULT_LIBRARY) {
        signal(SIGSEGV, on_crash);
    }
}

static void run_command(const char *const *arguments, struct result *result) {
    result->status = fault_run(arguments, fault, prepare);
    read_file("../out", result->out, sizeof result->out);
    read_file("../errors", result->errors, sizeof result->errors);
    look(&result->folder);
}

/* Makes the folder what it was: what the command has left goes, and old.db comes back. */
static void restore(const struct folder *now) {
    if (is_equal(now, &untouched, true)) {
        return;
    }
    for (size_t i = 0; i < now->count; i++) {
        bool was_there = false;
        for (size_t j = 0; j < untouched.count; j++) {
            was_there |= strcmp(now->files[i].name, untouched.files[j].name) == 0;
        }
        if (!was_there) {
            unlink(now->files[i].name);
        }
    }
    unlink("old.db");
    ck_assert_int_eq(link("../old.db", "old.db"), 0);
}

static void set_up(void) {
    char path[PATH_MAX];
    fault = fault_open("fault", base);
    ck_assert(mkdir("../bin", 0700) == 0 && mkdir("../tmp", 0700) == 0);
    write_file("../bin/gnuplot", "#!/bin/sh\necho drawn >picture\n", 0700);
    snprintf(path, sizeof path, "%s/bin:%s", base, getenv("PATH"));
    setenv("PATH", path, 1);
    snprintf(path, sizeof path, "%s/tmp", base);
    setenv("TMPDIR", path, 1);
    setenv("TERM", "dumb", 1);
    void *frame;
    (void)backtrace(&frame, 1); /* the first one loads a library */
    write_file("small.yaml", scenario_text, 0600);
    write_file("rows.csv", "at,who\n0,ann\n0.3,bob\n0.6,\"c,d\"\n", 0600);
    static const char *const first[] = {"ddbsim", "run", "small.yaml", "-o", "old.db", NULL};
    static struct result result;
    run_command(first, &result);
    ck_assert_msg(result.status == 0, "%s", result.errors);
    ck_assert_int_eq(link("old.db", "../old.db"), 0);
    look(&untouched);
    ck_assert_uint_eq(untouched.count, 3);
}

static void remove_all(const char *path) {
    DIR *stream = opendir(path);
    if (stream == NULL) {
        unlink(path);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char inner[PATH_MAX];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            remove_all(inner);
        }
    }
    closedir(stream);
    rmdir(path);
}

static void tear_down(void) {
    munmap(fault, sizeof *fault);
    ck_assert_int_eq(chdir("/"), 0);
    remove_all(base);
}

static uint32_t count_errors(const char *text) {
    uint32_t count = 0;
    while ((text = strstr(text, "ddbsim: error: ")) != NULL) {
        count++;
        text++;
    }
    return count;
}

static bool crashed_in_libfyaml(const struct result *result) {
    return fault->kind == FAULT_LIBRARY && WIFEXITED(result->status) &&
           WEXITSTATUS(result->status) == STATUS_LIBFYAML;
}

static const char *what_is_wrong(const struct result *result, const struct result *expected) {
    struct folder temporary;
    ck_assert_int_eq(chdir("../tmp"), 0);
    look(&temporary);
    ck_assert_int_eq(chdir("../work"), 0);
    if (temporary.count > 0) {
        return "something is left in TMPDIR";
    }
    if (!WIFEXITED(result->status)) {
        return "killed by a signal";
    }
    if (WEXITSTATUS(result->status) == 0) {
        bool equal = strcmp(result->out, expected->out) == 0 &&
                     is_equal(&result->folder, &expected->folder, false);
        return equal ? NULL : "passed over, and the results differ";
    }
    if (!crashed_in_libfyaml(result)) {
        if (WEXITSTATUS(result->status) != EXIT_STATUS_IO) {
            return "not status 3";
        }
        if (count_errors(result->errors) != 1) {
            return "not one message";
        }
    }
    return is_equal(&result->folder, &untouched, true) ? NULL : "the folder has changed";
}

/* What differs between equal runs is cut out: the times that a run took, to the end of the line. */
static void hide_timings(char *text) {
    static const char *const names[] = {
        "\"wall_s\":", "\"requests_per_wall_s\":", "\"peak_rss_bytes\":", " in "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (char *at = text; (at = strstr(at, names[i])) != NULL;) {
            at += strlen(names[i]);
            char *end = at + strcspn(at, "\n");
            memmove(at, end, strlen(end) + 1);
        }
    }
}

static uint32_t stride_of(enum fault_kind kind) {
    const char *wanted = getenv("DDBSIM_FAULT_STRIDE");
    if (wanted != NULL && atoi(wanted) > 0) {
        return (uint32_t)atoi(wanted);
    }
    return kind == FAULT_LIBRARY ? LIBRARY_STRIDE : CALLS_STRIDE;
}

static void try_each_call(int number, enum fault_kind kind, bool lasting) {
    /* a report draws all the pictures that stand there by themselves */
    const bool is_long = strcmp(cases[number].name, "report") == 0;
    const uint32_t stride = stride_of(kind) * (is_long ? LONG_STRIDE : 1);
    static struct result expected, result;
    const char *const *arguments = cases[number].arguments;
    *fault = (struct fault){.kind = kind, .at = UINT32_MAX};
    run_command(arguments, &expected);
    ck_assert_msg(expected.status == 0, "%s: %s", cases[number].name, expected.errors);
    hide_timings(expected.out);
    restore(&expected.folder);
    uint32_t wrong = 0, crashed = 0, at = (uint32_t)number * 31 % stride;
    for (; at < CALLS_MAX; at += stride) {
        *fault = (struct fault){.kind = kind, .at = at, .lasting = lasting};
        run_command(arguments, &result);
        if (fault->function == NULL) {
            break;
        }
        hide_timings(result.out);
        crashed += crashed_in_libfyaml(&result);
        const char *complaint = what_is_wrong(&result, &expected);
        if (complaint != NULL) {
            fprintf(stderr, "%s, call %u%s, %s: %s (%x)\n%s\n", cases[number].name, at,
                    lasting ? " and on" : "", fault->function, complaint, (unsigned)result.status,
                    result.errors);
            wrong++;
        }
        restore(&result.folder);
    }
    ck_assert_msg(at < CALLS_MAX, "%s: there is no end to the calls", cases[number].name);
    ck_assert_msg(wrong == 0, "%s: %u of %u faults go wrong", cases[number].name, wrong,
                  at / stride);
    ck_assert_uint_le(crashed, LIBFYAML_CRASHES_MAX);
}

START_TEST(no_failed_call_leaves_anything_but_a_message) {
    try_each_call(_i / KINDS, (enum fault_kind)(_i % KINDS), false);
}
END_TEST

START_TEST(nor_do_calls_that_go_on_failing) {
    try_each_call(writing[_i / KINDS], (enum fault_kind)(_i % KINDS), true);
}
END_TEST

/* The net has no hole: each kind of fault meets the calls that the commands are known to make. */
START_TEST(faults_do_meet_calls) {
    static struct result result;
    static const uint32_t least[] = {
        [FAULT_MEMORY] = 20, [FAULT_FILE] = 8, [FAULT_SQLITE] = 100, [FAULT_LIBRARY] = 1000};
    for (int kind = 0; kind < KINDS; kind++) {
        *fault = (struct fault){.kind = (enum fault_kind)kind, .at = UINT32_MAX};
        run_command(cases[2].arguments, &result);
        ck_assert_msg(fault->calls >= least[kind], "kind %d: %u calls", kind, fault->calls);
        restore(&result.folder);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fault/faults");
    TCase *tcase = tcase_create("faults");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, faults_do_meet_calls);
    tcase_add_loop_test(tcase, no_failed_call_leaves_anything_but_a_message, 0, CASES * KINDS);
    tcase_add_loop_test(tcase, nor_do_calls_that_go_on_failing, 0, WRITING * KINDS);
    return suite_run(suite);
}
