/*
 * Random lives of a service (service.c), with every mechanism: splits in flight, mode switches,
 * auto scaling, UpdateTable, back-pressure, clamps. The seed of each is its number.
 *
 * Usage: service_sequences COUNT [FIRST]
 */
#include "tests/fuzz/input.h"

#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX 1200

int main(int argc, char **argv) {
    const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    static uint8_t bytes[BYTES_MAX];
    for (unsigned long i = first; i < first + count; i++) {
        uint64_t state = i * UINT64_C(0x9e3779b97f4a7c15) + 1;
        printf("sequence %lu\n", i); /* the last one is the one that failed */
        fflush(stdout);
        const size_t size = 100 + i % (BYTES_MAX - 100);
        for (size_t k = 0; k < size; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[k] = (uint8_t)(state >> 56);
        }
        (void)LLVMFuzzerTestOneInput(bytes, size);
    }
    return count > 0 ? 0 : 2;
}
