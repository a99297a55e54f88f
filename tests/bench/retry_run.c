/*
 * retry_run LADDER HEAP - A whole run of clients that insist: with the product's queue of timers
 * and with a binary heap, two programs of the same sources (retry_program.c) in turns. Fails when
 * the queue saves too little, or when the digests differ.
 */
#include "tests/bench/alternation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_MAX 0.85
#define COMMAND_BYTES 4096

struct run {
    double wall_s, refused_share, attempts;
    char digest[64];
};

static struct run run_program(const char *program) {
    char command[COMMAND_BYTES];
    struct run run = {.wall_s = 0};
    const int length = snprintf(command, sizeof command, "'%s'", program);
    FILE *out = length > 0 && length < COMMAND_BYTES ? popen(command, "r") : NULL;
    const int read = out == NULL ? 0
                                 : fscanf(out, "%lf %63s %lf %lf", &run.wall_s, run.digest,
                                          &run.refused_share, &run.attempts);
    if (out == NULL || pclose(out) != 0 || read != 4) {
        fprintf(stderr, "retry_run: '%s' has failed\n", program);
        exit(2);
    }
    return run;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: retry_run LADDER HEAP\n");
        return 2;
    }
    struct alternation runs = {.name = "run with retries against a binary heap", .unit = "ms"};
    bool equal = true;
    for (int i = 0; i < ALTERNATIONS; i++) {
        const struct run heap = run_program(argv[2]), ladder = run_program(argv[1]);
        runs.theirs[i] = heap.wall_s * 1e3;
        runs.ours[i] = ladder.wall_s * 1e3;
        equal = equal && strcmp(heap.digest, ladder.digest) == 0;
        printf("%2d: heap %.0f ms, ladder %.0f ms; %.1f %% of %.2f attempts an operation refused\n",
               i, runs.theirs[i], runs.ours[i], 100 * ladder.refused_share, ladder.attempts);
    }
    if (!equal) {
        printf("the digests differ\n");
    }
    return alternation_judge(&runs, RATIO_MAX) && equal ? 0 : 1;
}
