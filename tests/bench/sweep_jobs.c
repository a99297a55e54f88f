/*
 * sweep_jobs DDBSIM - A sweep by two jobs and by one, in turns: fails when two are not 1.5 times as
 * fast. Needs two processors.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "tests/bench/alternation.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RATIO_MAX (1 / 1.5)
#define COMMAND_BYTES 4096

static double sweep_ms(const char *program, int jobs) {
    char command[COMMAND_BYTES];
    const int length = snprintf(command, sizeof command,
                                "'%s' sweep leaderboard --vary shards=1:8:1 --replications 4 "
                                "--set duration=1m --jobs %d -q",
                                program, jobs);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (length < 0 || length >= COMMAND_BYTES || system(command) != 0) {
        fprintf(stderr, "sweep_jobs: '%s' has failed\n", program);
        exit(2);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
}

int main(int argc, char **argv) {
    cpu_set_t processors;
    if (argc != 2) {
        fprintf(stderr, "usage: sweep_jobs DDBSIM\n");
        return 2;
    }
    if (sched_getaffinity(0, sizeof processors, &processors) != 0 || CPU_COUNT(&processors) < 2) {
        printf("skipped: two processors are needed\n");
        return 77;
    }
    struct alternation runs = {.name = "sweep by two jobs against one", .unit = "ms"};
    for (int i = 0; i < ALTERNATIONS; i++) {
        runs.theirs[i] = sweep_ms(argv[1], 1);
        runs.ours[i] = sweep_ms(argv[1], 2);
    }
    return alternation_judge(&runs, RATIO_MAX) ? 0 : 1;
}
