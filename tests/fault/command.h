/*
 * command.h - A command of ddbsim in a child of its own, in a private folder, with a fault armed.
 *
 * Owns: the folder and the shared fault, from fault_open to fault_close; tests of check only.
 */
#ifndef DDBSIM_TESTS_FAULT_COMMAND_H
#define DDBSIM_TESTS_FAULT_COMMAND_H

#include "cli/command.h"
#include "tests/fault/wraps.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAULT_ARGUMENTS_MAX 20
#define FAULT_STATUS_NO_CHILD 99
#define FAULT_FOLDER_BYTES 64

/* A table for scenarios of the tests. */
#define FAULT_TABLE_TEXT                                                                           \
    "tables:\n"                                                                                    \
    "  - TableName: orders\n"                                                                      \
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}\n"                   \
    "    AttributeDefinitions:\n"                                                                  \
    "      - {AttributeName: PK, AttributeType: S}\n"                                              \
    "    KeySchema:\n"                                                                             \
    "      - {AttributeName: PK, KeyType: HASH}\n"

/* Makes a folder, in memory where there is such a place as a command that works syncs, and `work`
 * in it, where one is then; returns a fault that parent and child share. */
static inline struct fault *fault_open(const char *name, char folder[FAULT_FOLDER_BYTES]) {
    snprintf(folder, FAULT_FOLDER_BYTES, "%s/ddbsim-%s-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", name);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("work", 0700), 0);
    ck_assert_int_eq(chdir("work"), 0);
    struct fault *fault =
        mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(fault, MAP_FAILED);
    *fault = (struct fault){.at = UINT32_MAX};
    return fault;
}

/* In the child; what it prints goes to ../out and ../errors. */
static inline void fault_child(const char *const *arguments, struct fault *fault,
                               void (*prepare)(void)) {
    char *copies[FAULT_ARGUMENTS_MAX] = {NULL};
    int count = 0;
    for (; arguments[count] != NULL; count++) {
        copies[count] = strdup(arguments[count]);
    }
    FILE *out = freopen("../out", "w", stdout);
    FILE *errors = freopen("../errors", "w", stderr);
    if (out == NULL || errors == NULL) {
        _exit(FAULT_STATUS_NO_CHILD);
    }
    prepare();
    fault_arm(fault);
    const int status = command_main(count, copies);
    fault_arm(NULL);
    for (int i = 0; i < count; i++) {
        free(copies[i]);
    }
    exit(status);
}

/* The child's status, as waitpid has it. arguments: at most FAULT_ARGUMENTS_MAX with the NULL. */
static inline int fault_run(const char *const *arguments, struct fault *fault,
                            void (*prepare)(void)) {
    int status;
    fflush(NULL);
    const pid_t process = fork();
    ck_assert_int_ge(process, 0);
    if (process == 0) {
        fault_child(arguments, fault, prepare);
    }
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    return status;
}

#endif
